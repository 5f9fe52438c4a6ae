//! The dictionaries that `New`, `Set`, `SetNames` and `Import` take.

use crate::argument::{Argument, BOARD_LIMIT, NAME_LIMIT, invalid, limited, or_list, quoted};
use crate::commands::FILE_LIMIT;
use crate::{Error, Result, Who};
use clock_engine::Side;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
#[cfg(test)]
use zbus::wire::Signature;
use zbus::{DeserializeDict, SerializeDict, Type, Variant};

/// The number of hexadecimal digits in which the key `Source` gives a SHA-256 digest.
const CHAIN_DIGITS: usize = 64;
/// The longest text of the key `State`, in bytes. The state of a game has about 3,000 bytes.
pub const STATE_LIMIT: usize = 16 * 1024;

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

/// An argument of the type `a{sv}`, sorted by its keys.
type Dictionary<'a> = BTreeMap<&'a str, Variant<'a>>;

/// Defines a dictionary: a structure with a field of the type `Option` for each key, the list of
/// its keys, and how it is read. A dictionary without a key is refused if the message for it is given.
macro_rules! dictionary {
    (
        $(#[$doc:meta])*
        $name:ident $(or $empty:literal)? {
            $( $(#[doc = $key_doc:literal])* $field:ident: $type:ty = $key:literal, )+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Type, SerializeDict, DeserializeDict)]
        #[zbus(signature = "a{sv}", deny_unknown_fields)]
        pub struct $name {
            $( $(#[doc = $key_doc])* #[zbus(rename = $key)] pub $field: Option<$type>, )+
        }

        #[cfg(test)]
        impl $name {
            /// All keys, with their types and their descriptions.
            pub const DESCRIBED: &'static [(&'static str, &'static Signature, &'static [&'static str])] =
                &[$( ($key, <$type as Type>::SIGNATURE, &[$($key_doc),*]) ),+];
        }

        impl $name {
            /// All keys, in the order of the fields.
            pub const KEYS: [&'static str; [$($key),+].len()] = [$($key),+];
        }

        impl Argument for $name {
            type Wire<'a> = Dictionary<'a>;

            fn read(argument: &str, dictionary: Dictionary<'_>) -> Result<$name> {
                $( if dictionary.is_empty() {
                    return Err(invalid($empty));
                } )?
                let mut read = $name::default();
                for (key, value) in &dictionary {
                    let entry = Entry { key, value };
                    match *key {
                        $( $key => read.$field = Some(entry.read()?), )+
                        _ => return Err(unknown_key(argument, key, &$name::KEYS)),
                    }
                }
                Ok(read)
            }

            fn write(&self) -> impl Type + Serialize {
                self
            }
        }
    };
}

dictionary! {
    /// The argument of `Arbiter.SetNames`. A name whose key is absent stays as it is.
    Names or "nothing to correct; expected at least one name" {
        /// The name of the player of the white pieces.
        white_player: String = "WhitePlayer",
        /// The name of the player of the black pieces.
        black_player: String = "BlackPlayer",
        /// The number of the board, such as 12 or A3.
        board: String = "Board",
        /// The round of the event.
        round: String = "Round",
        /// The name of the event.
        event: String = "Event",
    }
}

/// Defines [`NewGame`], [`Corrections`] and [`Proposal`]. `Proposal` has the keys of both others
/// and three of its own. Each key is its description and one line, `field: type = "Key"`.
macro_rules! dictionaries {
    (
        new { $( $(#[doc = $new_doc:literal])* $new:ident: $new_type:ty = $new_key:literal, )+ }
        set { $( $(#[doc = $set_doc:literal])* $set:ident: $set_type:ty = $set_key:literal, )+ }
        import { $( $(#[doc = $own_doc:literal])* $own:ident: $own_type:ty = $own_key:literal, )+ }
        optional { $( $(#[doc = $opt_doc:literal])* $opt:ident: $opt_type:ty = $opt_key:literal, )+ }
    ) => {
        dictionary! {
            /// The argument of `Arbiter.New`. If the key of the time control, of the event or of the
            /// rule profile is absent, the new game has the value of the game before. If `Board` is
            /// absent, the new game has the board that the service's configuration names or, if it
            /// names none, the board of the game before. The players, the round, the scheduled
            /// start, the captain and the present arbiter are not taken over: without their keys,
            /// the new game has none.
            NewGame { $( $(#[doc = $new_doc])* $new: $new_type = $new_key, )+ }
        }

        dictionary! {
            /// The argument of `Arbiter.Set`: a correction that is applied as a whole or not at
            /// all.
            Corrections or "nothing to set; expected at least one correction" {
                $( $(#[doc = $set_doc])* $set: $set_type = $set_key, )+
            }
        }

        dictionary! {
            /// The argument of `Arbiter.Import`: the keys of [`NewGame`] and of [`Corrections`] in
            /// one dictionary, and three of its own.
            Proposal {
                $( $(#[doc = $own_doc])* $own: $own_type = $own_key, )+
                $( $(#[doc = $opt_doc])* $opt: $opt_type = $opt_key, )+
                $( $(#[doc = $new_doc])* $new: $new_type = $new_key, )+
                $( $(#[doc = $set_doc])* $set: $set_type = $set_key, )+
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
        /// A name that `ListTimeControls()` returns. With TimeControlFile it is only the name that
        /// is shown, and custom if it is not given.
        time_control: String = "TimeControl",
        /// The text of a control file.
        time_control_file: String = "TimeControlFile",
        /// The name of the player of the white pieces. If it is not given, the game has none: the
        /// players of the game before are not taken over.
        white_player: String = "WhitePlayer",
        /// The name of the player of the black pieces. If it is not given, the game has none.
        black_player: String = "BlackPlayer",
        /// The number of the board, such as 12 or A3. If it is not given, it is that of the
        /// service's configuration; without one it stays as it is.
        board: String = "Board",
        /// The round of the event. If it is not given, the game has none.
        round: String = "Round",
        /// The name of the event.
        event: String = "Event",
        /// Whether a game under way or a scheduled start may be lost; false if it is not given.
        force: bool = "Force",
        /// The rule profile of the game, a name that `ListRules()` returns; empty for none.
        rules: String = "Rules",
        /// The scheduled start of the session and of the game, in nanoseconds of CLOCK_REALTIME,
        /// from a day ago to a week ahead. It is refused (InvalidArgument) while the machine does
        /// not know the time of day. Lateness is counted from it, and the service starts White's
        /// clock then, unless it lies in the past or the clock was started before. If it is not
        /// given, none is scheduled, and nobody is late where lateness is counted from the start of
        /// the session.
        start_at_realtime_nsec: u64 = "StartAtRealtimeNSec",
        /// The side whose captain plays at this board, or an empty text. Where the captains have
        /// the arbiter's authority, that captain has none at this board. If it is not given, no
        /// captain plays.
        captain_plays: Who = "CaptainPlays",
        /// The name of a qualified arbiter who is present, or an empty text. Where the captains
        /// have the arbiter's authority, they consult this arbiter before they rule. If it is not
        /// given, none is present.
        present_arbiter: String = "PresentArbiter",
    }
    set {
        /// White's main number, in nanoseconds. The remaining delay of the turn does not change.
        white_time_nsec: u64 = "WhiteTimeNSec",
        /// Black's main number, in nanoseconds. The remaining delay of the turn does not change.
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
        /// WhiteOvertimeMoves is given, White is then in overtime. White's main number stays as
        /// it is if it is above 0; if it is 0, it becomes the time of the overtime period.
        white_overtime_periods: u32 = "WhiteOvertimePeriods",
        /// The moves White has left in the running period of overtime, from 1.
        white_overtime_moves: u32 = "WhiteOvertimeMoves",
        /// The periods left of Black's overtime, including the running one, from 1. If this key or
        /// BlackOvertimeMoves is given, Black is then in overtime. Black's main number stays as it is
        /// if it is above 0; if it is 0, it becomes the time of the overtime period.
        black_overtime_periods: u32 = "BlackOvertimePeriods",
        /// The moves Black has left in the running period of overtime, from 1.
        black_overtime_moves: u32 = "BlackOvertimeMoves",
        /// The side that is to be on move, "white" or "black"; not in the phase ready. If that side
        /// was not on move, it begins a new turn with its full delay.
        on_move: Who = "OnMove",
    }
    import {
        /// Whether the game has begun. It must be given.
        begun: bool = "Begun",
        /// Where the game comes from: the machine id of the other clock, in at most 64 bytes; the
        /// number of the game in its record; and the chain of the last entry there, in 64
        /// hexadecimal digits. It must be given, and links both records.
        source: ImportedFrom = "Source",
    }
    optional {
        /// The whole state of the game, as `History.ReadState()` returns it, in at most 16384
        /// bytes. The keys of Set are then corrections of it. It is refused (InvalidArgument) if it
        /// contradicts itself, Begun, the time control or the rule profile. Without it the game has
        /// only what the keys of Set say: no flag, claim or count is taken over.
        state: String = "State",
    }
}

/// Reads a value as a value of the type `T`, and checks its limits.
trait ReadAs<T> {
    fn read(&self) -> Result<T>;
}

/// A key and its value. Each `ReadAs` reads the value as one type, and checks its limits.
struct Entry<'a> {
    key: &'a str,
    value: &'a Variant<'a>,
}

impl Entry<'_> {
    fn text(&self, limit: usize) -> Result<&str> {
        match self.value {
            Variant::Str(text) => limited(self.key, text.as_str(), limit),
            _ => Err(self.wrong_type("s")),
        }
    }

    fn wrong_type(&self, expected: &str) -> Error {
        let given = self.value.value_signature().to_string();
        invalid(format!("{} has the type {}; expected {expected}", self.key, quoted(&given)))
    }
}

impl ReadAs<String> for Entry<'_> {
    fn read(&self) -> Result<String> {
        let limit = match self.key {
            "TimeControlFile" => FILE_LIMIT,
            "State" => STATE_LIMIT,
            "Board" | "Round" => BOARD_LIMIT,
            _ => NAME_LIMIT,
        };
        self.text(limit).map(str::to_owned)
    }
}

impl ReadAs<Who> for Entry<'_> {
    fn read(&self) -> Result<Who> {
        // One side is always on move, so `OnMove` must not be empty. `CaptainPlays` can be empty.
        let text = self.text(usize::MAX)?;
        match self.key {
            "OnMove" => Side::read(self.key, text).map(Who::from),
            key => Option::<Side>::read(key, text).map(Who::from),
        }
    }
}

impl ReadAs<u64> for Entry<'_> {
    fn read(&self) -> Result<u64> {
        u64::try_from(self.value).map_err(|_| self.wrong_type("t"))
    }
}

impl ReadAs<u32> for Entry<'_> {
    fn read(&self) -> Result<u32> {
        u32::try_from(self.value).map_err(|_| self.wrong_type("u"))
    }
}

impl ReadAs<bool> for Entry<'_> {
    fn read(&self) -> Result<bool> {
        bool::try_from(self.value).map_err(|_| self.wrong_type("b"))
    }
}

impl ReadAs<ImportedFrom> for Entry<'_> {
    fn read(&self) -> Result<ImportedFrom> {
        let wrong = || self.wrong_type("(sts)");
        let Variant::Structure(source) = self.value else { return Err(wrong()) };
        let [Variant::Str(machine), Variant::U64(game), Variant::Str(chain)] = source.fields()
        else {
            return Err(wrong());
        };
        let machine = limited("the machine of Source", machine.as_str(), NAME_LIMIT)?;
        let chain = chain.as_str();
        if chain.len() != CHAIN_DIGITS || !chain.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(invalid(format!(
                "the chain of Source is {}; expected {CHAIN_DIGITS} hexadecimal digits",
                quoted(chain)
            )));
        }
        Ok(ImportedFrom { machine: machine.to_owned(), game: *game, chain: chain.to_owned() })
    }
}

fn unknown_key(argument: &str, key: &str, keys: &[&str]) -> Error {
    invalid(format!("{argument} has the key {}; expected {}", quoted(key), or_list(keys)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use zbus::Structure;

    fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
        match result {
            Err(Error::InvalidArgument(message)) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_dictionary_names_the_key_that_is_wrong_and_what_is_accepted() {
        let of = |key: &'static str, value: Variant<'static>| Dictionary::from([(key, value)]);
        let unknown = message(game(of("Player", 1_u32.into())));
        assert!(unknown.starts_with(r#"game has the key "Player"; expected TimeControl, "#));
        assert!(unknown.ends_with("CaptainPlays or PresentArbiter"), "{unknown}");
        assert_eq!(
            message(game(of("Force", "yes".into()))),
            r#"Force has the type "s"; expected b"#
        );
        let long = message(game(of("WhitePlayer", "x".repeat(65).into())));
        assert_eq!(long, "WhitePlayer has 65 bytes; expected at most 64");
        assert!(game(of("WhitePlayer", "x".repeat(64).into())).is_ok());
        for key in ["Board", "Round"] {
            let long = message(game(of(key, "x".repeat(17).into())));
            assert_eq!(long, format!("{key} has 17 bytes; expected at most 16"));
            assert!(game(of(key, "x".repeat(16).into())).is_ok());
        }
        let unknown = message(corrections(of("WhiteTime", 5_u64.into())));
        assert!(unknown.contains("WhiteTimeNSec, BlackTimeNSec, WhiteMoves"), "{unknown}");
        let number = message(corrections(of("WhiteMoves", 5_u64.into())));
        assert_eq!(number, r#"WhiteMoves has the type "t"; expected u"#);
        let side = message(corrections(of("OnMove", "".into())));
        assert_eq!(side, r#"OnMove = ""; expected "white" or "black""#);
        let nothing = message(corrections(Dictionary::new()));
        assert!(nothing.starts_with("nothing to set"), "{nothing}");
        let nothing = message(names(Dictionary::new()));
        assert!(nothing.starts_with("nothing to correct"), "{nothing}");
        let long = message(names(of("Round", "x".repeat(17).into())));
        assert_eq!(long, "Round has 17 bytes; expected at most 16");
        let unknown = message(names(of("White", "Anna".into())));
        assert!(unknown.ends_with("expected WhitePlayer, BlackPlayer, Board, Round or Event"));
        let given = corrections(of("BlackOvertimeMoves", 7_u32.into())).unwrap();
        assert_eq!(given.black_overtime_moves, Some(7));
    }

    fn game(dictionary: Dictionary<'_>) -> Result<NewGame> {
        NewGame::read("game", dictionary)
    }

    fn corrections(dictionary: Dictionary<'_>) -> Result<Corrections> {
        Corrections::read("corrections", dictionary)
    }

    fn names(dictionary: Dictionary<'_>) -> Result<Names> {
        Names::read("names", dictionary)
    }

    fn proposal(dictionary: Dictionary<'_>) -> Result<Proposal> {
        Proposal::read("proposal", dictionary)
    }

    fn from(machine: &str, chain: &str) -> Variant<'static> {
        Structure::from((machine.to_owned(), 7_u64, chain.to_owned())).into()
    }

    #[test]
    fn a_proposal_has_the_keys_of_new_and_of_set_and_three_of_its_own() {
        let chain = "0123456789abcdefABCDEF9876543210".repeat(2);
        let given = |further: Option<(&'static str, Variant<'static>)>| {
            let keys = [
                ("Begun", true.into()),
                ("Source", from("other", &chain)),
                ("WhitePlayer", "Anna".into()),
                ("WhiteMoves", 23_u32.into()),
            ];
            proposal(keys.into_iter().chain(further).collect())
        };
        let read = given(None).unwrap();
        assert_eq!(
            read.source,
            Some(ImportedFrom { machine: "other".into(), game: 7, chain: chain.clone() })
        );
        assert_eq!(read.begun, Some(true));
        assert_eq!(read.white_player.as_deref(), Some("Anna"));
        assert_eq!(read.white_moves, Some(23));
        for key in NewGame::KEYS.into_iter().chain(Corrections::KEYS) {
            let wrong = message(proposal(Dictionary::from([(key, 1_u8.into())])));
            assert!(wrong.starts_with(&format!(r#"{key} has the type "y"; expected "#)), "{wrong}");
        }
        let unknown = message(given(Some(("Moves", 1_u32.into()))));
        assert!(unknown.starts_with(r#"proposal has the key "Moves"; expected Begun, Source"#));
        assert!(unknown.ends_with("BlackOvertimeMoves or OnMove"), "{unknown}");
    }

    #[test]
    fn a_proposal_says_where_it_comes_from_within_its_limits() {
        let chain = "0".repeat(64);
        let with = |source: Variant<'static>| {
            message(proposal(Dictionary::from([("Begun", true.into()), ("Source", source)])))
        };
        let long = with(from(&"x".repeat(65), &chain));
        assert_eq!(long, "the machine of Source has 65 bytes; expected at most 64");
        for chain in ["", "0", &"0".repeat(65), &"g".repeat(64), &"é".repeat(32)] {
            let wrong = with(from("other", chain));
            assert!(wrong.ends_with("expected 64 hexadecimal digits"), "{wrong}");
        }
        for wrong in [Variant::from("other"), Structure::from(("other", 7_u32, "")).into()] {
            assert!(with(wrong).ends_with("expected (sts)"));
        }
    }
}
