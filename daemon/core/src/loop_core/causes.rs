//! Decides how an event is published. Also contains the names of the commands.

use clock_engine::rules::{Action, GameCommand, GameEventKind};
use clock_engine::{Command, EventKind, PeriodEnd};

/// How an event is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publication {
    /// Not at all: a use of the call button that has no effect, and a period that begins with a press,
    /// because the press itself is published.
    Never,
    /// In the update of the command that caused it.
    OfCommand,
    /// In an update of its own.
    Alone,
    /// In an update of its own, with a new revision. Completed moves, gongs and periods of overtime
    /// make none, because they happen regularly in a game. Events that change no clock do not either.
    /// A command, and a press that starts, pauses or resumes the game, also make a new revision, which
    /// the caller counts.
    Revision,
}

/// How an event is published under a time control whose periods end like this.
pub fn publication(kind: GameEventKind, period_end: PeriodEnd) -> Publication {
    use GameEventKind as Of;
    match kind {
        Of::Clock(EventKind::Period { .. })
            if !matches!(period_end, PeriodEnd::Zero | PeriodEnd::MovesAtZero) =>
        {
            Publication::Never
        }
        Of::Clock(EventKind::Call { accepted: false }) => Publication::Never,
        Of::Clock(EventKind::Flag { .. } | EventKind::Period { .. } | EventKind::Call { .. })
        | Of::DefaultDue { .. } => Publication::Revision,
        Of::Clock(
            EventKind::Press { .. } | EventKind::Gong { .. } | EventKind::Overtime { .. },
        )
        | Of::ScoreOff { .. }
        | Of::Hold { .. } => Publication::Alone,
        Of::Called { .. }
        | Of::Claim { .. }
        | Of::Ruling { .. }
        | Of::Penalty(_)
        | Of::IllegalMove { .. }
        | Of::Incident { .. } => Publication::OfCommand,
    }
}

/// The name of a command on the bus. The cause of its update, the log and the record contain the
/// same name. A test of the service compares the names with the methods of the bus.
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
