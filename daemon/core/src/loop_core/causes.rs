//! Decides how an event is published: with a [`Cause`], or as a [`Noted`] in the update of the
//! command that caused it. Also contains the names of the commands.

use super::messages::{Cause, Noted};
use clock_engine::rules::{Action, GameCommand, GameEventKind};
use clock_engine::{Command, EventKind, PeriodEnd};

/// How an event is published.
pub enum Published {
    /// In a separate update.
    Cause(Cause),
    /// In the update of the command that caused the event.
    WithCommand(Noted),
}

/// How an event is published. `None` for the two events that are not published: a use of the call
/// button that has no effect, and a period that begins with a press, because the press itself is
/// published.
pub fn published(kind: GameEventKind, period_end: PeriodEnd) -> Option<Published> {
    Some(match kind {
        GameEventKind::Clock(kind) => Published::Cause(of_clock(kind, period_end)?),
        GameEventKind::DefaultDue { side } => Published::Cause(Cause::DefaultDue(side)),
        GameEventKind::ScoreOff { side } => Published::Cause(Cause::ScoreOff(side)),
        GameEventKind::Hold { side } => Published::Cause(Cause::Hold(side)),
        GameEventKind::Call { by } => Published::WithCommand(Noted::Call(by)),
        GameEventKind::Claim { by, ground } => Published::WithCommand(Noted::Claim { by, ground }),
        GameEventKind::Ruling { ruling, side } => {
            Published::WithCommand(Noted::Ruling { ruling, side })
        }
        GameEventKind::Penalty(penalty) => {
            Published::WithCommand(Noted::Penalty { side: penalty.side, kind: penalty.kind })
        }
        GameEventKind::Illegal { side, number } => {
            Published::WithCommand(Noted::IllegalMove { side, number })
        }
    })
}

fn of_clock(kind: EventKind, period_end: PeriodEnd) -> Option<Cause> {
    match kind {
        EventKind::Press { side, accepted: true } => Some(Cause::Press(side)),
        EventKind::Press { side, accepted: false } => Some(Cause::IgnoredPress(side)),
        EventKind::Flag { side, period } => Some(Cause::Flag { side, period }),
        EventKind::Call { accepted: true } => Some(Cause::Call),
        EventKind::Gong { side } => Some(Cause::Gong(side)),
        EventKind::Overtime { side, periods_left } => Some(Cause::Overtime { side, periods_left }),
        EventKind::Period { side, period } => match period_end {
            PeriodEnd::Zero | PeriodEnd::MovesAtZero => Some(Cause::Period { side, period }),
            // The press that completed the previous period is published instead.
            PeriodEnd::Moves | PeriodEnd::BlackCompletes { .. } => None,
        },
        EventKind::Call { accepted: false } => None,
    }
}

/// The names of all commands: every word that [`name`] returns.
pub const COMMANDS: [&str; 31] = [
    "start",
    "pause",
    "resume",
    "new",
    "set",
    "add",
    "undo-press",
    "result",
    "reopen",
    "claim-flag",
    "claim-draw",
    "request-increment",
    "rule",
    "penalize",
    "illegal-move",
    "arrive",
    "record-confirmation",
    "refer",
    "record-attachment",
    "set-assistant",
    "incident",
    "adjourn",
    "resume-adjourned",
    "change-method",
    "set-rules",
    "change-time-control",
    "set-buttons",
    "announce",
    "set-names",
    "rewind",
    "import",
];

/// The name of a command, as the cause of its update, the log and the record contain it.
pub fn name(command: &GameCommand) -> &'static str {
    match command {
        GameCommand::Clock(command) => name_of_clock_command(command),
        GameCommand::Action(action) => name_of_action(action),
        GameCommand::New(_) | GameCommand::NewExchanged(_) => "new",
        GameCommand::ReplaceResult(_) => "result",
        GameCommand::Agreed(change) => name(&GameCommand::from(*change)),
        GameCommand::ChangeProfile(_) => "set-rules",
        GameCommand::ChangeControl { .. } => "change-time-control",
        GameCommand::ExchangeButtons(_) => "set-buttons",
        GameCommand::Announce(_) => "announce",
        GameCommand::ChangeNames => "set-names",
        GameCommand::Restore(_) => "rewind",
        GameCommand::Import { .. } => "import",
    }
}

fn name_of_clock_command(command: &Command) -> &'static str {
    match command {
        Command::Start => "start",
        Command::Pause { .. } => "pause",
        Command::Resume { .. } => "resume",
        Command::Correct(_) => "set",
        Command::AddTime { .. } => "add",
        Command::UndoPress => "undo-press",
        Command::Finish(_) => "result",
        Command::Reopen => "reopen",
        Command::New { .. } => "new",
    }
}

fn name_of_action(action: &Action) -> &'static str {
    match action {
        Action::ClaimFlag { .. } => "claim-flag",
        Action::ClaimDraw { .. } => "claim-draw",
        Action::RequestIncrement { .. } => "request-increment",
        Action::Rule { .. } => "rule",
        Action::Penalize(_) => "penalize",
        Action::IllegalMove { .. } => "illegal-move",
        Action::Arrive(_) => "arrive",
        Action::Confirm { .. } => "record-confirmation",
        Action::Refer => "refer",
        Action::Attach { .. } => "record-attachment",
        Action::Assistant { .. } => "set-assistant",
        Action::Incident { .. } => "incident",
        Action::Adjourn { .. } => "adjourn",
        Action::Continue => "resume-adjourned",
        Action::ChangeMethod { .. } => "change-method",
        Action::Result { .. } => "result",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::rules::{
        AgreedChange, Attachment, Claimant, Evidence, Ground, IncidentKind, Penalty, PenaltyCause,
        PenaltyKind, Profile, ResultGround, Ruling, Session, Setup,
    };
    use clock_engine::{
        Caller, Clock, Control, Correction, EarlierClock, Instant, Method, Outcome, Recompute,
        Side, Span,
    };
    use std::collections::BTreeSet;

    fn commands() -> Vec<GameCommand> {
        let control = Control::single(Span::from_secs(60), Method::None);
        let commands = [
            Command::Start,
            Command::Pause { by: Caller::Arbiter },
            Command::Resume { side: None },
            Command::New { control, force: false },
            Command::Correct(Correction::default()),
            Command::AddTime { side: Side::White, delta_ns: 1 },
            Command::UndoPress,
            Command::Finish(Outcome::Drawn),
            Command::Reopen,
        ];
        let (side, by, outcome) = (Side::White, Claimant::Arbiter, Outcome::Drawn);
        let penalty = Penalty {
            side,
            kind: PenaltyKind::Warning,
            time: Span::ZERO,
            half_points: 0,
            cause: Some(PenaltyCause::Other),
        };
        let actions = [
            Action::ClaimFlag { by, evidence: Evidence::Flag },
            Action::ClaimDraw { by, ground: Ground::CannotWin, stop: true, offer: None },
            Action::RequestIncrement { by },
            Action::rule(Ruling::Lost),
            Action::Penalize(penalty),
            Action::IllegalMove { side, claimed: false, award: None },
            Action::Arrive(side),
            Action::Confirm { by: side, what: None },
            Action::Refer,
            Action::Attach { kind: Attachment::Position, verified_by: None },
            Action::Assistant { side, accepted: true },
            Action::Incident { side, kind: IncidentKind::Hold },
            Action::Adjourn { side },
            Action::Continue,
            Action::ChangeMethod { method: Method::None, schedule_suffers: false },
            Action::Result { outcome, ground: ResultGround::Game },
        ];
        let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
        let further = [
            GameCommand::New(setup),
            GameCommand::ChangeProfile(Profile::default()),
            GameCommand::ChangeControl {
                control,
                recompute: Recompute::No,
                schedule_suffers: false,
            },
            GameCommand::ExchangeButtons(true),
            GameCommand::NewExchanged(setup),
            GameCommand::ReplaceResult(outcome),
            GameCommand::Agreed(AgreedChange::UndoPress),
            GameCommand::Announce(None),
            GameCommand::ChangeNames,
            GameCommand::Restore(EarlierClock::from(&Clock::new(control, Instant::ZERO))),
            GameCommand::Import {
                setup,
                state: None,
                correction: Correction::default(),
                begun: true,
            },
        ];
        let clock = commands.into_iter().map(GameCommand::from);
        clock.chain(actions.into_iter().map(GameCommand::from)).chain(further).collect()
    }

    #[test]
    fn the_causes_of_the_commands_are_those_that_are_documented() {
        let commands = commands();
        let names: BTreeSet<&str> = commands.iter().map(name).collect();
        assert_eq!(names, BTreeSet::from(COMMANDS));
    }
}
