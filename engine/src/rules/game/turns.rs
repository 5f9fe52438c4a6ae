//! The events of a game on which its times depend.

use super::Game;
use crate::clock::TurnCause;
use crate::rules::action::{Action, AgreedChange, GameCommand, Ruling};
use crate::{Command, Instant, Recompute, TurnEvents, UnknownTurns};
use crate::{Control, TurnEvent};

impl Game {
    /// The events between this state of the game and the state `after` an input.
    ///
    /// `command` is the command that was carried out; `None` for every other input and for a command
    /// that was refused. This clock ran on up to `until`, if it ran: that is `after.last()`, except
    /// after a power cut, after which the instants are those of another boot.
    pub fn turn_events(
        &self,
        command: Option<&GameCommand>,
        after: &Game,
        until: Instant,
    ) -> TurnEvents {
        let cause = command.map_or(TurnCause::Other, cause);
        self.clock.turn_events(cause, &after.clock, until)
    }

    /// The times for a change to `control`. `events` are those of this game from its start on, as
    /// [`Game::turn_events`] gives them.
    pub fn recompute(
        &self,
        control: &Control,
        events: impl IntoIterator<Item = TurnEvent>,
    ) -> Recompute {
        Recompute::from_turns(control, events, &self.clock)
    }
}

fn cause(command: &GameCommand) -> TurnCause {
    match command {
        GameCommand::New(_)
        | GameCommand::NewExchanged(_)
        | GameCommand::Clock(Command::New { .. }) => TurnCause::SetUp,
        GameCommand::Import { .. } => TurnCause::Unknown(UnknownTurns::Imported),
        GameCommand::Rewind(_) => TurnCause::Unknown(UnknownTurns::Rewound),
        GameCommand::ChangeTimeControl { .. } => TurnCause::ControlChanged,
        GameCommand::Clock(Command::Set(_)) | GameCommand::Agreed(AgreedChange::Set(_)) => {
            TurnCause::Correction
        }
        GameCommand::Clock(Command::Add { side, delta_ns }) => {
            TurnCause::AddTime { side: *side, delta_ns: *delta_ns }
        }
        GameCommand::Action(Action::ChangeMethod { .. }) => {
            TurnCause::Unknown(UnknownTurns::MethodChanged)
        }
        GameCommand::Action(Action::Rule { ruling: Ruling::IncrementAgreed, .. }) => {
            TurnCause::Agreement
        }
        GameCommand::Action(Action::Rule { ruling: Ruling::Made, .. }) => {
            TurnCause::Unknown(UnknownTurns::Ruled)
        }
        GameCommand::Clock(
            Command::Start
            | Command::Pause { .. }
            | Command::Resume { .. }
            | Command::UndoPress
            | Command::Finish(_)
            | Command::Reopen,
        )
        | GameCommand::Agreed(
            AgreedChange::UndoPress | AgreedChange::Reopen | AgreedChange::ReplaceResult(_),
        )
        | GameCommand::Action(_)
        | GameCommand::SetRules(_)
        | GameCommand::SetButtons(_)
        | GameCommand::Announce(_)
        | GameCommand::ReplaceResult(_)
        | GameCommand::SetNames => TurnCause::Other,
    }
}
