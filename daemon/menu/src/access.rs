//! Who may do what at the clock: whether a page is open, asks for the arbiter's code, or is closed,
//! and whether both players have to agree.
//!
//! The engine checks the authority for each command. This adds what the bus policy does for the
//! commands over D-Bus: everyone at the table can press a button, so the code stands for the
//! membership in the group `arbiter`. Without a code, both players together take its place if the
//! game was set up at the clock. So one player alone can change no game.

use crate::context::Context;
use crate::effect::CommandSet;
use clock_engine::rules::{Action, Confirmation, GameCommand};
use clock_engine::{Command, Phase, Side};

/// What a page needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It changes the game on the clock, or its result.
    Change,
    /// It shows questions and answers, which the profile can hide from the players.
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
    /// It is not, because no code is configured: the game was set up over D-Bus, the profile gives
    /// the captains the authority, or it hides from the players what the page shows.
    Closed,
}

/// Whether a page with this need is reached now.
pub(crate) fn gate(context: &Context, need: Need) -> Gate {
    let situation = context.situation;
    let at_the_clock = !situation.set_up_over_bus;
    let free = match need {
        Need::Look => !situation.hides_moves(),
        // The profile gives the game to the players, even if an arbiter has set it up.
        _ if situation.players_agree() && situation.phase() != Phase::Ready => true,
        // Nothing is lost: the game before, if there was one, has its result on record.
        Need::NewGame if !situation.is_under_way() => at_the_clock,
        Need::NewGame | Need::Change => situation.players_agree() && at_the_clock,
    };
    match context.config.code {
        _ if free || context.unlocked => Gate::Open,
        Some(_) => Gate::Code,
        // The profile hides the page from the players (FIDE 12.6). Without a code, the menu cannot
        // know whether an arbiter or a player presses.
        None if need == Need::Look => Gate::Closed,
        // The captains rule with accounts of their own, so the players do not take their place.
        None if situation.captains_rule() && need == Need::Change => Gate::Closed,
        // Both players have to agree.
        None if at_the_clock => Gate::Open,
        None if need == Need::NewGame && situation.phase() == Phase::Over => Gate::Open,
        None => Gate::Closed,
    }
}

/// What commands need.
pub(crate) fn need_of(set: &CommandSet) -> Need {
    // White's button belongs to the table, and not to the game before.
    let sets_up = |command: &GameCommand| {
        matches!(command, GameCommand::New(_) | GameCommand::ExchangeButtons(_))
    };
    if set.commands.iter().all(sets_up) { Need::NewGame } else { Need::Change }
}

/// Whether both players have to press before these commands are given: nobody has given the code,
/// and a game with moves or a result would change, or a game of D-Bus would be replaced.
pub(crate) fn needs_both(context: &Context, set: &CommandSet) -> bool {
    let situation = context.situation;
    let changes_game = situation.is_under_way() || need_of(set) == Need::Change;
    match context.config.code {
        _ if situation.players_agree() => changes_game,
        Some(_) => false,
        None => changes_game || situation.set_up_over_bus,
    }
}

/// The commands with the confirmations that the engine asks for without an arbiter.
pub(crate) fn with_confirmations(context: &Context, mut set: CommandSet) -> CommandSet {
    let is_correction = |command: &GameCommand| {
        matches!(
            command,
            GameCommand::Clock(Command::Correct(_) | Command::UndoPress | Command::Reopen)
        )
    };
    if context.situation.players_agree() && set.commands.iter().any(is_correction) {
        let what = Some(Confirmation::Correction);
        let confirm = |by| GameCommand::Action(Action::Confirm { by, what });
        set.commands.splice(0..0, Side::BOTH.map(confirm));
    }
    set
}
