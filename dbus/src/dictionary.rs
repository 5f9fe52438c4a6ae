//! The dictionaries that `New`, `Set`, `SetNames` and `Import` take.

use crate::Who;
use serde::{Deserialize, Serialize};
use zbus::{DeserializeDict, SerializeDict, Type};

/// Where an imported game comes from. With these values, the game can be found in the record of the
/// clock on which it was played before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct ImportedFrom {
    /// The machine id of the clock on which the game was played before, at most 64 bytes long.
    pub machine: String,
    /// The number of the game in the record of the clock on which it was played before.
    pub game: u64,
    /// The value `chain` of the game's last entry in the record of that other clock: a SHA-256
    /// digest in 64 hexadecimal digits.
    pub chain: String,
}

/// Reads the value of a key as a value of the type `T`. The service implements this trait for the
/// type in which it receives values, once for each type `T` of a key. The service also sets the
/// limits of the values, and chooses the type of the errors.
pub trait ReadAs<T> {
    /// What is wrong with a value.
    type Error;

    /// Returns the value.
    ///
    /// # Errors
    ///
    /// The value has another type, or is out of its range.
    fn read(&self) -> Result<T, Self::Error>;
}

/// Defines a dictionary: a structure with a field of the type `Option` for each key, the list of
/// its keys, and a function that reads the value of a key.
macro_rules! dictionary {
    (
        $(#[$doc:meta])*
        $name:ident { $( $(#[$key_doc:meta])* $field:ident: $type:ty = $key:literal, )+ }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Type, SerializeDict, DeserializeDict)]
        #[zbus(signature = "a{sv}", deny_unknown_fields)]
        pub struct $name {
            $( $(#[$key_doc])* #[zbus(rename = $key)] pub $field: Option<$type>, )+
        }

        impl $name {
            /// All keys, in the order of the fields.
            pub const KEYS: [&'static str; [$($key),+].len()] = [$($key),+];

            /// Reads a value into the field of this key. Returns whether the dictionary has the
            /// key.
            ///
            /// # Errors
            ///
            /// `value` cannot be read as the type of the key.
            pub fn read<V, E>(&mut self, key: &str, value: &V) -> Result<bool, E>
            where
                $( V: ReadAs<$type, Error = E>, )+
            {
                match key {
                    $( $key => self.$field = Some(value.read()?), )+
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    };
}

dictionary! {
    /// The argument of `Arbiter.SetNames`. A name whose key is absent stays as it is.
    Names {
        /// The name of the player of the white pieces; empty for none.
        white_player: String = "WhitePlayer",
        /// The name of the player of the black pieces; empty for none.
        black_player: String = "BlackPlayer",
        /// The number of the board (the table), such as `12` or `A3`; empty for none.
        board: String = "Board",
        /// The round of the event, such as `3`; empty for none.
        round: String = "Round",
        /// The name of the event; empty for none.
        event: String = "Event",
    }
}

/// Defines [`NewGame`], [`Corrections`] and [`Proposal`]. `Proposal` has the keys of both others
/// and three of its own. Each key is one line, `field: type = "Key"`, and needs an item in the XML.
macro_rules! dictionaries {
    (
        new { $( $(#[$new_doc:meta])* $new:ident: $new_type:ty = $new_key:literal, )+ }
        set { $( $(#[$set_doc:meta])* $set:ident: $set_type:ty = $set_key:literal, )+ }
        import { $( $(#[$own_doc:meta])* $own:ident: $own_type:ty = $own_key:literal, )+ }
        optional { $( $(#[$opt_doc:meta])* $opt:ident: $opt_type:ty = $opt_key:literal, )+ }
    ) => {
        dictionary! {
            /// The argument of `Arbiter.New`. If the key of the time control, of the event or of the
            /// rule profile is absent, the new game has the value of the game before. If `Board` is
            /// absent, the new game has the board that the service's configuration names or, if it
            /// names none, the board of the game before. The players, the round, the scheduled
            /// start, the captain and the present arbiter are not taken over: without their keys,
            /// the new game has none.
            NewGame { $( $(#[$new_doc])* $new: $new_type = $new_key, )+ }
        }

        dictionary! {
            /// The argument of `Arbiter.Set`: a correction that is applied as a whole or not at
            /// all.
            Corrections { $( $(#[$set_doc])* $set: $set_type = $set_key, )+ }
        }

        dictionary! {
            /// The argument of `Arbiter.Import`: the keys of [`NewGame`] and of [`Corrections`] in
            /// one dictionary, and three of its own.
            Proposal {
                $( $(#[$own_doc])* $own: $own_type = $own_key, )+
                $( $(#[$opt_doc])* $opt: $opt_type = $opt_key, )+
                $( $(#[$new_doc])* $new: $new_type = $new_key, )+
                $( $(#[$set_doc])* $set: $set_type = $set_key, )+
            }
        }

        impl Proposal {
            /// Returns a proposal with the keys that must be given (`begun` and `source`), and with
            /// the keys of `game` and `corrections`.
            pub fn new(
                $( $own: $own_type, )+
                game: NewGame,
                corrections: Corrections,
            ) -> Proposal {
                Proposal {
                    $( $own: Some($own), )+
                    $( $opt: None, )+
                    $( $new: game.$new, )+
                    $( $set: corrections.$set, )+
                }
            }

            /// Returns the proposal in which the values of `corrections` replace its own values. A
            /// key that is absent in `corrections` keeps its value.
            #[must_use]
            pub fn corrected(self, corrections: Corrections) -> Proposal {
                Proposal { $( $set: corrections.$set.or(self.$set), )+ ..self }
            }

            /// Returns the keys of [`NewGame`] and those of [`Corrections`]. `begun`, `source` and
            /// `state` are dropped.
            pub fn into_parts(self) -> (NewGame, Corrections) {
                (NewGame { $( $new: self.$new, )+ }, Corrections { $( $set: self.$set, )+ })
            }
        }
    };
}

dictionaries! {
    new {
        /// The name of a time control that the clock knows.
        time_control: String = "TimeControl",
        /// The text of a control file. `TimeControl` is then only the name that is shown; if
        /// `TimeControl` is absent, the name is `custom`.
        time_control_file: String = "TimeControlFile",
        /// The name of the player of the white pieces.
        white_player: String = "WhitePlayer",
        /// The name of the player of the black pieces.
        black_player: String = "BlackPlayer",
        /// The number of the board (the table), such as `12` or `A3`; empty for none.
        board: String = "Board",
        /// The round of the event, such as `3`; empty for none.
        round: String = "Round",
        /// The name of the event; empty for none.
        event: String = "Event",
        /// Whether a game under way, or the scheduled start of a game, may be lost. If this is
        /// `false` or absent, the command is refused with `GameUnderWay` while a game is under way.
        /// It is also refused while a start is scheduled, unless `StartAtRealtimeNSec` gives the
        /// new game a start.
        force: bool = "Force",
        /// The name of a rule profile that the clock knows; empty for none.
        rules: String = "Rules",
        /// The scheduled start of the session and of the game, in nanoseconds of `CLOCK_REALTIME`.
        start_at_realtime_nsec: u64 = "StartAtRealtimeNSec",
        /// The side whose captain plays at this board.
        captain_plays: Who = "CaptainPlays",
        /// The name of a qualified arbiter who is present, whom the captains consult before they
        /// rule.
        present_arbiter: String = "PresentArbiter",
    }
    set {
        /// White's main time or, in overtime, the time of the running overtime period, in
        /// nanoseconds. The remaining delay of the turn does not change.
        white_time_nsec: u64 = "WhiteTimeNSec",
        /// Black's main time or, in overtime, the time of the running overtime period, in
        /// nanoseconds. The remaining delay of the turn does not change.
        black_time_nsec: u64 = "BlackTimeNSec",
        /// White's press counter. Setting it does not change the period.
        white_moves: u32 = "WhiteMoves",
        /// Black's press counter. Setting it does not change the period.
        black_moves: u32 = "BlackMoves",
        /// White's period, from 1. Setting it adds no time.
        white_period: u32 = "WhitePeriod",
        /// Black's period, from 1. Setting it adds no time.
        black_period: u32 = "BlackPeriod",
        /// The periods left of White's overtime, including the running one, from 1. If this key or
        /// `white_overtime_moves` is given, White is then in overtime. White's main number stays as
        /// it is if it is above 0; if it is 0, it becomes the time of the overtime period.
        white_overtime_periods: u32 = "WhiteOvertimePeriods",
        /// The moves White has left in the running period of overtime, from 1.
        white_overtime_moves: u32 = "WhiteOvertimeMoves",
        /// The periods left of Black's overtime, including the running one, from 1. If this key or
        /// `black_overtime_moves` is given, Black is then in overtime. The number that
        /// Black's clock shows stays as it is if it is above 0; if it is 0, it becomes the time of
        /// the overtime period.
        black_overtime_periods: u32 = "BlackOvertimePeriods",
        /// The moves Black has left in the running period of overtime, from 1.
        black_overtime_moves: u32 = "BlackOvertimeMoves",
        /// The side that is to be on move; allowed only in the phases `paused` and `ruling`. If
        /// that side was not on move, it begins a new turn with its full delay.
        on_move: Who = "OnMove",
    }
    import {
        /// Whether the game has begun. The phase after the import is `paused` if it has, and
        /// otherwise `ready`. This key must be given.
        begun: bool = "Begun",
        /// The clock from which the game comes, and where the game is in its record. This key must
        /// be given.
        source: ImportedFrom = "Source",
    }
    optional {
        /// The whole state of the game, as `History.ReadState` returns it. If the key is absent,
        /// the game has the times, counters and periods that the keys of [`Corrections`] give, and
        /// there is no open claim and no request for an increment.
        state: String = "State",
    }
}
