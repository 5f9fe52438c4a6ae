//! What every page reads: the situation, the configuration, and whether the code was entered.

use crate::config::{MenuConfig, PLAYERS_AGREE};
use crate::effect::{MenuCommand, NewRules};
use crate::key::{Keys, Press};
use crate::situation::Situation;
use crate::words::{self, Words};
use clock_dbus::{MenuButton, MenuHint};
use clock_engine::rules::{GameCommand, Profile};
use clock_engine::text::rule_preset;
use clock_engine::{Instant, Side};

/// What every page reads.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub config: &'a MenuConfig,
    pub keys: Keys,
    pub situation: &'a Situation<'a>,
    /// The instant at which the page is shown or pressed.
    pub now: Instant,
    /// Whether the arbiter's code was entered and is still valid.
    pub unlocked: bool,
    pub words: Words,
}

impl<'a> Context<'a> {
    pub fn new(
        config: &'a MenuConfig,
        keys: Keys,
        situation: &'a Situation<'a>,
        now: Instant,
        unlocked: bool,
    ) -> Context<'a> {
        let words = Words(config.language(situation.settings));
        Context { config, keys, situation, now, unlocked, words }
    }

    /// Whether press counters and periods may be shown. If the profile hides them, they are shown
    /// only with the arbiter's code, because FIDE 12.6 forbids anyone to tell the players how many
    /// moves were made.
    pub fn shows_moves(&self) -> bool {
        self.unlocked || !self.situation.hides_moves()
    }

    /// The hints of a page on which keys move and choose.
    pub fn hints(&self) -> Vec<MenuHint> {
        self.hints_of(["▲", "▼", self.words.keys.choose], self.words.keys.leave)
    }

    /// The hints of a page on which the keys back, on and choose, and the hold, do this.
    pub fn hints_of(&self, actions: [&str; 3], hold: &'static str) -> Vec<MenuHint> {
        self.keys.hints(self.situation.view.buttons_exchanged, actions, hold)
    }

    pub fn leave_hint(&self) -> MenuHint {
        self.keys.hold_hint(self.words.keys.leave)
    }

    /// The side that uses the button that is wired as this one's.
    pub fn user(&self, wired: Side) -> Side {
        if self.situation.view.buttons_exchanged { wired.other() } else { wired }
    }

    /// The button of a short press, named as on a tile.
    pub fn button_of(&self, press: Press) -> Option<MenuButton> {
        press.key?;
        Some(match press.side.map(|wired| self.user(wired)) {
            Some(Side::White) => MenuButton::White,
            Some(Side::Black) => MenuButton::Black,
            None => MenuButton::Call,
        })
    }

    /// The name and the profile that a new game with these rules has; `None` without a profile.
    pub fn rules(&self, rules: NewRules) -> Option<(&str, Profile)> {
        let of_situation = match rules {
            NewRules::PlayersAgree => {
                let preset = rule_preset(PLAYERS_AGREE)?;
                return Some((PLAYERS_AGREE, preset.read().profile));
            }
            NewRules::Configured => self.situation.configured_rules?,
            NewRules::AsBefore => self.situation.rules?,
        };
        Some((of_situation.name, *of_situation.profile))
    }

    /// This command, for the revision that the page shows.
    pub fn command(&self, command: GameCommand) -> MenuCommand {
        let revision = self.situation.revision;
        let reason = words::AT_THE_CLOCK.to_owned();
        MenuCommand { command, revision, reason, new_game: None }
    }
}
