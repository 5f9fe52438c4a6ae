//! What the menu has to know of the clock at each press.

use clock_controls::NamedControl;
use clock_engine::rules::{Authority, Profile};
use clock_engine::{PerSide, Phase, Side, Span, View};
use clock_languages::Language;
use clockd_core::OpenQuestions;
use std::net::Ipv4Addr;

pub const OWN_CONTROLS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules<'a> {
    pub name: &'a str,
    pub profile: &'a Profile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub sound: bool,
    /// The brightness in percent; `None`: as the day's schedule says.
    pub brightness: Option<u8>,
    /// The language that was chosen at the clock; `None`: the one of the configuration.
    pub language: Option<Language>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { sound: true, brightness: None, language: None }
    }
}

/// The machine, as it is when the menu opens.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub name: String,
    /// Its IPv4 addresses in the network, for `ssh`; `None` if they cannot be read.
    pub addresses: Option<Vec<Ipv4Addr>>,
    pub can_back_up: bool,
    pub has_buzzer: bool,
    /// Whether the face has a backlight whose brightness can be set.
    pub has_backlight: bool,
}

/// The clock, its game and its machine at the instant of a press. Texts may have any length; a page
/// cuts them.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub view: &'a View,
    pub revision: u64,
    pub control: &'a NamedControl,
    /// The rules of the game; `None` without a profile.
    pub rules: Option<Rules<'a>>,
    /// The rules of the configuration; `None` if it names none.
    pub configured_rules: Option<Rules<'a>>,
    pub questions: &'a OpenQuestions,
    /// Whether the game was set up over D-Bus, and not at the clock.
    pub set_up_over_bus: bool,
    /// The names of the players; empty if they are not known.
    pub players: PerSide<&'a str>,
    /// The number of the table; empty if it is not known.
    pub board: &'a str,
    pub faults: &'a [String],
    pub machine: &'a Machine,
    pub version: &'a str,
    pub settings: Settings,
    /// The controls of the players' own, the latest one first.
    pub own: &'a [NamedControl],
    /// All named controls of the clock.
    pub library: &'a [NamedControl],
    pub until_start: Option<Span>,
}

impl Situation<'_> {
    pub(crate) fn phase(&self) -> Phase {
        self.view.phase
    }

    /// Whether a game has begun and has no result.
    pub(crate) fn is_under_way(&self) -> bool {
        matches!(self.phase(), Phase::Paused | Phase::Ruling | Phase::Running)
    }

    /// The side whose flag has ended play, as far as the clock knows it.
    pub(crate) fn fallen_flag(&self) -> Option<Side> {
        self.view.first_flag.filter(|_| self.is_under_way())
    }

    /// Whether nobody has the arbiter's authority in this game.
    pub(crate) fn players_agree(&self) -> bool {
        self.rules.is_some_and(|rules| rules.profile.authority == Authority::Nobody)
    }

    /// Whether a claim has concluded the game, so that the players enter no result: the designated
    /// arbiter does (S2 III.6.2).
    pub(crate) fn is_concluded(&self) -> bool {
        let Some(rules) = self.rules.filter(|_| self.players_agree()) else { return false };
        self.view.claim.is_some_and(|claim| rules.profile.claim_stops.conclude(claim.ground))
    }

    /// Whether the captains of the teams have the arbiter's authority in this game.
    pub(crate) fn captains_rule(&self) -> bool {
        self.rules.is_some_and(|rules| rules.profile.authority == Authority::Captains)
    }

    /// Whether the profile hides the press counters from the players (FIDE 12.6).
    pub(crate) fn hides_moves(&self) -> bool {
        self.rules.is_some_and(|rules| !rules.profile.show_moves)
    }
}
