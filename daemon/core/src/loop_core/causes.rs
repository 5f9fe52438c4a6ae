//! Decides how an event is published: in an update of its own, or in that of the command that caused
//! it. Also contains the names of the commands.

use clock_engine::rules::{Action, GameCommand, GameEventKind};
use clock_engine::{Command, EventKind, PeriodEnd};

/// Whether an event is part of the update of the command that caused it.
pub fn is_of_command(kind: GameEventKind) -> bool {
    !matches!(
        kind,
        GameEventKind::Clock(_)
            | GameEventKind::DefaultDue { .. }
            | GameEventKind::ScoreOff { .. }
            | GameEventKind::Hold { .. }
    )
}

/// Whether an event is published. Two events are not: a use of the call button that has no effect,
/// and a period that begins with a press, because the press itself is published.
pub fn is_published(kind: GameEventKind, period_end: PeriodEnd) -> bool {
    match kind {
        GameEventKind::Clock(EventKind::Period { .. }) => {
            matches!(period_end, PeriodEnd::Zero | PeriodEnd::MovesAtZero)
        }
        GameEventKind::Clock(EventKind::Call { accepted }) => accepted,
        _ => true,
    }
}

/// Whether an event makes a new revision. Completed moves, gongs and periods of overtime do not,
/// because they happen regularly in a game, and what changes no clock does not. A press that starts,
/// pauses or resumes the game and a command also make a new revision, but the caller counts it.
pub fn revises(kind: GameEventKind) -> bool {
    matches!(
        kind,
        GameEventKind::Clock(
            EventKind::Flag { .. } | EventKind::Period { .. } | EventKind::Call { .. }
        ) | GameEventKind::DefaultDue { .. }
    )
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
        GameCommand::SetRules(_) => "set-rules",
        GameCommand::ChangeTimeControl { .. } => "change-time-control",
        GameCommand::SetButtons(_) => "set-buttons",
        GameCommand::Announce(_) => "announce",
        GameCommand::SetNames => "set-names",
        GameCommand::Rewind(_) => "rewind",
        GameCommand::Import { .. } => "import",
    }
}

fn name_of_clock_command(command: &Command) -> &'static str {
    match command {
        Command::Start => "start",
        Command::Pause { .. } => "pause",
        Command::Resume { .. } => "resume",
        Command::Set(_) => "set",
        Command::Add { .. } => "add",
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
        Action::RecordConfirmation { .. } => "record-confirmation",
        Action::Refer => "refer",
        Action::RecordAttachment { .. } => "record-attachment",
        Action::SetAssistant { .. } => "set-assistant",
        Action::Incident { .. } => "incident",
        Action::Adjourn { .. } => "adjourn",
        Action::ResumeAdjourned => "resume-adjourned",
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
            Command::Set(Correction::default()),
            Command::Add { side: Side::White, delta_ns: 1 },
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
            Action::RecordConfirmation { by: side, what: None },
            Action::Refer,
            Action::RecordAttachment { kind: Attachment::Position, verified_by: None },
            Action::SetAssistant { side, accepted: true },
            Action::Incident { side, kind: IncidentKind::Hold },
            Action::Adjourn { side },
            Action::ResumeAdjourned,
            Action::ChangeMethod { method: Method::None, schedule_suffers: false },
            Action::Result { outcome, ground: ResultGround::Game },
        ];
        let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
        let further = [
            GameCommand::New(setup),
            GameCommand::SetRules(Profile::default()),
            GameCommand::ChangeTimeControl {
                control,
                recompute: Recompute::No,
                schedule_suffers: false,
            },
            GameCommand::SetButtons(true),
            GameCommand::NewExchanged(setup),
            GameCommand::ReplaceResult(outcome),
            GameCommand::Agreed(AgreedChange::UndoPress),
            GameCommand::Announce(None),
            GameCommand::SetNames,
            GameCommand::Rewind(EarlierClock::from(&Clock::new(control, Instant::ZERO))),
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
