//! Who may do what at the clock: whether a page is open, asks for the arbiter's code, or is closed,
//! and whether both players have to agree.
//!
//! The engine checks the authority for each command. This module adds what the bus policy does for
//! commands over D-Bus. Everyone at the table can press a button, so the code takes the place of
//! the membership in the group `arbiter`. If no code is configured and the game was set up at the
//! clock, the agreement of both players takes the place of the code. So one player alone can change
//! no game.

use crate::context::Context;
use crate::effect::MenuCommand;
use clock_engine::rules::{AgreedChange, GameCommand};
use clock_engine::{Command, Phase};

/// What a page needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The page changes the game on the clock, or its result.
    Change,
    /// The page shows questions and answers, which the profile can hide from the players.
    Look,
    /// The page sets up another game.
    NewGame,
    /// The page writes the games and the settings of the clock to a stick.
    BackUp,
}

/// Whether a page is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    Open,
    /// After the arbiter's code.
    Code,
    /// The page is not reached, because no code is configured and one of these holds: the game was
    /// set up over D-Bus, the profile gives the captains the authority, or the profile hides from
    /// the players what the page shows.
    Closed,
}

impl Context<'_> {
    /// Whether a page with this need is reached now.
    pub fn gate(&self, need: Need) -> Gate {
        let situation = self.situation;
        let at_the_clock = !situation.set_up_over_bus;
        let free = match need {
            Need::Look => !situation.hides_moves(),
            // A backup is made only while no game is on the clock. If a code is configured, only the
            // arbiter may make one.
            Need::BackUp => self.config.code.is_none(),
            // Under this profile the players decide, even if an arbiter has set up the game. So no code
            // is needed.
            _ if situation.players_agree() && situation.phase() != Phase::Ready => true,
            // A game that was set up at the clock and is not under way can be replaced without the
            // code. Nothing is lost: its result, if it has one, is on record.
            Need::NewGame if !situation.is_under_way() => at_the_clock,
            Need::NewGame | Need::Change => situation.players_agree() && at_the_clock,
        };
        match self.config.code {
            _ if free || self.unlocked => Gate::Open,
            Some(_) => Gate::Code,
            // The profile hides the page from the players (FIDE 12.6). Without a code, the menu cannot
            // know whether an arbiter or a player presses.
            None if need == Need::Look => Gate::Closed,
            // The captains give commands over D-Bus, with accounts of their own. So the players at the
            // clock do not act for them.
            None if situation.captains_rule() && need == Need::Change => Gate::Closed,
            // No code is needed, but both players have to agree to the command (`needs_both`).
            None if at_the_clock => Gate::Open,
            None if need == Need::NewGame && situation.phase() == Phase::Over => Gate::Open,
            None => Gate::Closed,
        }
    }
}

pub(crate) fn need_of(set: &MenuCommand) -> Need {
    match set.command {
        // Which button is White's belongs to the table and not to a game. So an exchange of the
        // buttons needs no more than a new game does.
        GameCommand::New(_) | GameCommand::NewExchanged(_) | GameCommand::SetButtons(_) => {
            Need::NewGame
        }
        _ => Need::Change,
    }
}

/// Whether both players have to press before this command is given. Under a profile by which the
/// players decide, they have to if a game that is under way, or a result, would change. Under any
/// other profile, they have to only if no code is configured: in the same cases, and if a game that
/// was set up over D-Bus would be replaced.
pub(crate) fn needs_both(context: &Context, set: &MenuCommand) -> bool {
    let situation = context.situation;
    let changes_game = situation.is_under_way() || need_of(set) == Need::Change;
    match context.config.code {
        _ if situation.players_agree() => changes_game,
        Some(_) => false,
        None => changes_game || situation.set_up_over_bus,
    }
}

/// The command with the confirmations that the engine asks for without an arbiter.
pub(crate) fn with_confirmations(context: &Context, set: MenuCommand) -> MenuCommand {
    let change = match set.command {
        GameCommand::Clock(Command::Set(correction)) => AgreedChange::Set(correction),
        GameCommand::Clock(Command::UndoPress) => AgreedChange::UndoPress,
        GameCommand::Clock(Command::Reopen) => AgreedChange::Reopen,
        GameCommand::ReplaceResult(outcome) => AgreedChange::ReplaceResult(outcome),
        _ => return set,
    };
    match context.situation.players_agree() {
        true => MenuCommand { command: GameCommand::Agreed(change), ..set },
        false => set,
    }
}
