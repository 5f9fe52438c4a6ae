//! What the menu has to know of the clock at each press.

use clock_controls::NamedControl;
use clock_engine::rules::{Authority, Profile};
use clock_engine::{PerSide, Phase, Side, Span, View};
use clock_languages::Language;
use clockd_core::OpenQuestions;
use std::net::IpAddr;

/// How many controls of the players' own are kept.
pub const OWN_CONTROLS: usize = 5;

/// A rule profile with its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules<'a> {
    /// The name.
    pub name: &'a str,
    /// The profile.
    pub profile: &'a Profile,
}

/// The settings of the face and of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether the buzzer sounds.
    pub sound: bool,
    /// The brightness in percent; `None`: as the day's schedule says.
    pub brightness: Option<u8>,
    /// The language that was chosen at the clock; `None`: the one of the configuration.
    pub language: Option<Language>,
}

/// The clock, its game and its machine at the instant of a press. Texts may have any length; a page
/// cuts them.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// What the clock shows.
    pub view: &'a View,
    /// The revision of that state.
    pub revision: u64,
    /// The control of the game.
    pub control: &'a NamedControl,
    /// The rules of the game; `None` without a profile.
    pub rules: Option<Rules<'a>>,
    /// The rules of the configuration; `None` if it names none.
    pub configured_rules: Option<Rules<'a>>,
    /// What awaits an answer.
    pub questions: &'a OpenQuestions,
    /// Whether the game was set up over D-Bus, and not at the clock.
    pub set_up_over_bus: bool,
    /// The names of the players; empty if they are not known.
    pub players: PerSide<&'a str>,
    /// The number of the table; empty if it is not known.
    pub board: &'a str,
    /// Whether the buttons are exchanged.
    pub buttons_exchanged: bool,
    /// The present faults.
    pub faults: &'a [String],
    /// The name of the machine.
    pub machine: &'a str,
    /// The addresses of the machine in the network, for `ssh`; `None` if they cannot be read.
    pub addresses: Option<&'a [IpAddr]>,
    /// Whether a backup can be written to a stick.
    pub can_back_up: bool,
    /// Whether the face has a buzzer.
    pub has_buzzer: bool,
    /// Whether the face has a backlight whose brightness can be set.
    pub has_backlight: bool,
    /// The version of the software.
    pub version: &'a str,
    /// The settings of the face and of the pages.
    pub settings: Settings,
    /// The controls of the players' own, the latest one first.
    pub own: &'a [NamedControl],
    /// All named controls of the clock.
    pub library: &'a [NamedControl],
    /// The time until the scheduled start, if there is one.
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

    /// Whether the captains of the teams have the arbiter's authority in this game.
    pub(crate) fn captains_rule(&self) -> bool {
        self.rules.is_some_and(|rules| rules.profile.authority == Authority::Captains)
    }

    /// Whether the profile hides the press counters from the players (FIDE 12.6).
    pub(crate) fn hides_moves(&self) -> bool {
        self.rules.is_some_and(|rules| !rules.profile.show_moves)
    }
}
