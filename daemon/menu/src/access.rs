//! Who may do what at the clock: whether a page is open, asks for the arbiter's code, or is closed.
//!
//! The engine checks the authority for each command. This adds what the bus policy does for the
//! commands over D-Bus: everyone at the table can press a button, so the code stands for the
//! membership in the group `arbiter`.

use crate::context::Context;
use crate::effect::Given;
use clock_engine::rules::{Action, Confirmation, GameCommand};
use clock_engine::{Command, Phase, Side};

/// What a page needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It changes the game on the clock, or its result.
    Change,
    /// It shows what the profile can hide from the players: counters, questions and answers.
    Look,
    /// It sets up another game.
    NewGame,
}

/// Whether a page is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It is.
    Open,
    /// After the arbiter's code.
    Code,
    /// It is not: the game was set up over D-Bus, and no code is configured.
    Closed,
}

/// Whether a page with this need is reached now.
pub(crate) fn gate(context: &Context, need: Need) -> Gate {
    let situation = context.situation;
    let free = match need {
        Need::Look => !situation.hides_moves(),
        // The profile gives the game to the players, even if an arbiter has set it up.
        _ if situation.players_agree() && situation.phase() != Phase::Ready => true,
        // Nothing is lost: the game before has its result on record.
        Need::NewGame if situation.phase() == Phase::Over => true,
        Need::NewGame if situation.phase() == Phase::Ready => !situation.set_up_over_bus,
        Need::NewGame | Need::Change => situation.players_agree() && !situation.set_up_over_bus,
    };
    match context.config.code {
        _ if free || context.unlocked => Gate::Open,
        Some(_) => Gate::Code,
        None if situation.set_up_over_bus => Gate::Closed,
        None => Gate::Open,
    }
}

/// What commands need.
pub(crate) fn need_of(given: &Given) -> Need {
    // White's button belongs to the table, and not to the game before.
    let sets_up = |command: &GameCommand| {
        matches!(command, GameCommand::New(_) | GameCommand::ExchangeButtons(_))
    };
    if given.commands.iter().all(sets_up) { Need::NewGame } else { Need::Change }
}

/// Whether both players have to press before these commands are given: nobody else has the
/// authority, and a game with moves or a result would change.
pub(crate) fn needs_both(context: &Context, given: &Given) -> bool {
    let situation = context.situation;
    let reopens = given.commands.iter().any(|command| *command == Command::Reopen.into());
    situation.players_agree() && (situation.is_under_way() || reopens)
}

/// The commands with the confirmations that the engine asks for without an arbiter.
pub(crate) fn with_confirmations(mut given: Given) -> Given {
    let is_correction = |command: &GameCommand| {
        matches!(
            command,
            GameCommand::Clock(Command::Correct(_) | Command::UndoPress | Command::Reopen)
        )
    };
    if given.commands.iter().any(is_correction) {
        let what = Some(Confirmation::Correction);
        let confirm = |by| GameCommand::Action(Action::Confirm { by, what });
        given.commands.splice(0..0, Side::BOTH.map(confirm));
    }
    given
}
