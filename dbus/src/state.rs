//! The state of the clock as it stands on the wire.

use serde::{Deserialize, Serialize};
use zbus::{DeserializeDict, OwnedVariant, SerializeDict, Type, Variant};

/// A side, a caller, or nobody: `"white"`, `"black"`, `"arbiter"`, `"button"`, `""`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Type, Serialize, Deserialize)]
#[zbus(signature = "s")]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// Nobody; the empty string on the wire.
    #[default]
    #[serde(rename = "")]
    Nobody,
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
    /// The arbiter, or whom the rules put in his place.
    Arbiter,
    /// The call button: one of the players, but which is not sensed.
    Button,
}

impl Who {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Who::Nobody => "",
            Who::White => "white",
            Who::Black => "black",
            Who::Arbiter => "arbiter",
            Who::Button => "button",
        }
    }
}

/// Where the game stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Type, Serialize, Deserialize)]
#[zbus(signature = "s")]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Set up; White's clock has not started.
    #[default]
    Ready,
    /// One clock runs.
    Running,
    /// Both clocks stand; the arbiter or a player stopped them, or power came back.
    Paused,
    /// Both clocks stand and a question waits for the arbiter, such as a fallen flag.
    Ruling,
    /// A result stands.
    Over,
}

impl Phase {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Ready => "ready",
            Phase::Running => "running",
            Phase::Paused => "paused",
            Phase::Ruling => "ruling",
            Phase::Over => "over",
        }
    }
}

/// One side's half of [`State`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideState {
    /// The main number shown, in nanoseconds; with Bronstein what is left of the delay is in it.
    pub remaining_nsec: u64,
    /// The delay still to run before the main time falls, in nanoseconds.
    pub delay_nsec: u64,
    /// Presses counted (FIDE 6.2.1.2: presses can be fewer than moves).
    pub moves: u32,
    /// The period, from 1.
    pub period: u32,
    /// The instant of the latest flag (`CLOCK_MONOTONIC` of the clock machine), -1 for none.
    pub flag_nsec: i64,
    /// Running time after the final flag, in nanoseconds.
    pub overrun_nsec: u64,
}

macro_rules! state {
    ($( $(#[$doc:meta])* $field:ident : $type:ty = $name:literal ),+ $(,)?) => {
        /// The clock at one instant: the readable properties of `org.chessclock.Clock1`.
        ///
        /// Times are integer nanoseconds; instants are `CLOCK_MONOTONIC` of the machine the
        /// service runs on ([`Timebase`] relates it to wall time).
        #[derive(Clone, Debug, Default, PartialEq, Type, SerializeDict, DeserializeDict)]
        #[zbus(signature = "a{sv}")]
        pub struct State {
            $( $(#[$doc])* #[zbus(rename = $name)] pub $field: $type, )+
        }

        impl State {
            /// The properties that differ from `before`, with their D-Bus names: the body of one
            /// `PropertiesChanged`.
            pub fn changed_since(&self, before: &State) -> Changes {
                let mut changes = Changes::new();
                $( if self.$field != before.$field {
                    changes.push(($name, to_variant(&self.$field)));
                } )+
                changes
            }
        }
    };
}

/// Property names with their new values.
pub type Changes = Vec<(&'static str, OwnedVariant)>;

state! {
    /// Counts everything that changes the clock except completed moves: the arbiter's commands,
    /// flags, calls, pauses by a fault. An arbiter's command names the revision it was given for.
    revision: u64 = "Revision",
    /// The instant at which the times below hold.
    at_nsec: u64 = "AtNSec",
    /// Where the game stands.
    phase: Phase = "Phase",
    /// The side on move.
    on_move: Who = "OnMove",
    /// The side whose clock runs; nobody unless `phase` is running.
    running: Who = "Running",
    /// The side whose final flag fell first.
    first_flag: Who = "FirstFlag",
    /// Who called the arbiter and has not been answered yet.
    arbiter_called_by: Who = "ArbiterCalledBy",
    /// The name of the time control.
    time_control: String = "TimeControl",
    /// How many periods the time control has.
    periods: u32 = "Periods",
    /// White's main number.
    white_remaining_nsec: u64 = "WhiteRemainingNSec",
    /// White's delay still to run; not on move, that of the next move.
    white_delay_nsec: u64 = "WhiteDelayNSec",
    /// White's presses.
    white_moves: u32 = "WhiteMoves",
    /// White's period.
    white_period: u32 = "WhitePeriod",
    /// White's latest flag, -1 for none.
    white_flag_nsec: i64 = "WhiteFlagNSec",
    /// White's overrun.
    white_overrun_nsec: u64 = "WhiteOverrunNSec",
    /// Black's main number.
    black_remaining_nsec: u64 = "BlackRemainingNSec",
    /// Black's delay still to run; not on move, that of the next move.
    black_delay_nsec: u64 = "BlackDelayNSec",
    /// Black's presses.
    black_moves: u32 = "BlackMoves",
    /// Black's period.
    black_period: u32 = "BlackPeriod",
    /// Black's latest flag, -1 for none.
    black_flag_nsec: i64 = "BlackFlagNSec",
    /// Black's overrun.
    black_overrun_nsec: u64 = "BlackOverrunNSec",
    /// The name of the player of the white pieces, or empty.
    white_player: String = "WhitePlayer",
    /// The name of the player of the black pieces, or empty.
    black_player: String = "BlackPlayer",
    /// `1-0`, `0-1`, `1/2-1/2`, `0-0`, or empty while there is none.
    result: String = "Result",
}

fn to_variant<T: Type + Serialize>(value: &T) -> OwnedVariant {
    zbus::as_variant::to_owned_variant(value)
        .unwrap_or_else(|_| Variant::from("").try_into().expect("a string is a variant"))
}

impl State {
    /// One side's half. Of [`Who::White`] and [`Who::Black`]; anybody else's is White's.
    pub fn side(&self, who: Who) -> SideState {
        if who == Who::Black {
            SideState {
                remaining_nsec: self.black_remaining_nsec,
                delay_nsec: self.black_delay_nsec,
                moves: self.black_moves,
                period: self.black_period,
                flag_nsec: self.black_flag_nsec,
                overrun_nsec: self.black_overrun_nsec,
            }
        } else {
            SideState {
                remaining_nsec: self.white_remaining_nsec,
                delay_nsec: self.white_delay_nsec,
                moves: self.white_moves,
                period: self.white_period,
                flag_nsec: self.white_flag_nsec,
                overrun_nsec: self.white_overrun_nsec,
            }
        }
    }

    /// The state as the clock shows it at `now_nsec` (`CLOCK_MONOTONIC` of the clock machine).
    ///
    /// An instant before `at_nsec` gives the state unchanged. A flag is never invented here: a
    /// side whose time is used up shows 0 until the service says that its flag fell.
    #[must_use]
    pub fn at(&self, now_nsec: u64) -> State {
        let mut state = self.clone();
        let elapsed = now_nsec.saturating_sub(self.at_nsec);
        state.at_nsec = self.at_nsec.max(now_nsec);
        let (remaining, delay, overrun, flag) = match self.running {
            Who::White => (
                &mut state.white_remaining_nsec,
                &mut state.white_delay_nsec,
                &mut state.white_overrun_nsec,
                self.white_flag_nsec,
            ),
            Who::Black => (
                &mut state.black_remaining_nsec,
                &mut state.black_delay_nsec,
                &mut state.black_overrun_nsec,
                self.black_flag_nsec,
            ),
            Who::Nobody | Who::Arbiter | Who::Button => return state,
        };
        if flag >= 0 {
            *overrun = overrun.saturating_add(elapsed);
            return state;
        }
        let of_main = elapsed.saturating_sub(*delay);
        *delay = delay.saturating_sub(elapsed);
        *remaining = remaining.saturating_sub(of_main);
        state
    }
}

/// The clock machine's clocks, read together: for clients on other machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct Timebase {
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    pub monotonic_nsec: u64,
    /// `CLOCK_REALTIME`, in nanoseconds since 1970: for people only.
    pub realtime_nsec: u64,
    /// The kernel's boot id: instants of different boots cannot be compared.
    pub boot_id: String,
}

/// What `Arbiter.New` takes; an absent key keeps what the clock has, the players too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, SerializeDict, DeserializeDict)]
#[zbus(signature = "a{sv}", deny_unknown_fields)]
pub struct NewGame {
    /// The name of a time control the clock knows.
    #[zbus(rename = "TimeControl")]
    pub time_control: Option<String>,
    /// The text of a control file; `TimeControl` then only names it.
    #[zbus(rename = "TimeControlFile")]
    pub time_control_file: Option<String>,
    /// The name of the player of the white pieces.
    #[zbus(rename = "WhitePlayer")]
    pub white_player: Option<String>,
    /// The name of the player of the black pieces.
    #[zbus(rename = "BlackPlayer")]
    pub black_player: Option<String>,
}

/// What `Arbiter.Set` takes: the whole correction, applied in one go or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, SerializeDict, DeserializeDict)]
#[zbus(signature = "a{sv}", deny_unknown_fields)]
pub struct Corrections {
    /// White's main time, in nanoseconds; the delay left of the turn stays.
    #[zbus(rename = "WhiteTimeNSec")]
    pub white_time_nsec: Option<u64>,
    /// Black's main time, in nanoseconds; the delay left of the turn stays.
    #[zbus(rename = "BlackTimeNSec")]
    pub black_time_nsec: Option<u64>,
    /// White's press counter; moves no period.
    #[zbus(rename = "WhiteMoves")]
    pub white_moves: Option<u32>,
    /// Black's press counter; moves no period.
    #[zbus(rename = "BlackMoves")]
    pub black_moves: Option<u32>,
    /// White's period, from 1; the number only, no time.
    #[zbus(rename = "WhitePeriod")]
    pub white_period: Option<u32>,
    /// Black's period, from 1; the number only, no time.
    #[zbus(rename = "BlackPeriod")]
    pub black_period: Option<u32>,
    /// The side to be on move, while paused: a new turn for it with its full delay.
    #[zbus(rename = "OnMove")]
    pub on_move: Option<Who>,
}
