//! The arguments of `New`, `Set` and `Import`, which are dictionaries: their keys, their types, their
//! limits.

use super::arguments::{NAME_LIMIT, invalid, limited, or_list, quoted, side, side_or_none};
use clock_controls::FILE_LIMIT;
use clock_dbus::{Corrections, Error, Source, Who};
use clock_engine::Side;
use std::collections::BTreeMap;
use zbus::Variant;

/// The number of digits of the chain of an entry, which is a SHA-256.
const CHAIN_DIGITS: usize = 64;

/// An argument of the type `a{sv}`, in the order of its keys.
pub type Dictionary<'a> = BTreeMap<&'a str, Variant<'a>>;

/// What `New` is to set up. What is not given stays as it is.
///
/// What its item in the XML says differently has a default.
#[derive(Debug, Default)]
pub struct GameArguments<'a> {
    pub rules: Option<&'a str>,
    pub start_at_realtime_nsec: Option<u64>,
    pub captain_plays: Option<Side>,
    pub present_arbiter: &'a str,
    pub time_control: Option<&'a str>,
    pub time_control_file: Option<&'a str>,
    pub white_player: Option<&'a str>,
    pub black_player: Option<&'a str>,
    pub force: bool,
}

/// A game that `Import` is to take over.
#[derive(Debug)]
pub struct ProposalArguments<'a> {
    pub begun: bool,
    pub source: Source,
    pub game: GameArguments<'a>,
    pub corrections: Corrections,
}

const GAME_KEYS: [&str; 9] = [
    "TimeControl",
    "TimeControlFile",
    "WhitePlayer",
    "BlackPlayer",
    "Force",
    "Rules",
    "StartAtRealtimeNSec",
    "CaptainPlays",
    "PresentArbiter",
];

const CORRECTION_KEYS: [&str; 11] = [
    "WhiteTimeNSec",
    "BlackTimeNSec",
    "WhiteMoves",
    "BlackMoves",
    "WhitePeriod",
    "BlackPeriod",
    "WhiteOvertimePeriods",
    "WhiteOvertimeMoves",
    "BlackOvertimePeriods",
    "BlackOvertimeMoves",
    "OnMove",
];

/// Reads the argument of `New`.
pub fn game<'a>(dictionary: &'a Dictionary<'_>) -> Result<GameArguments<'a>, Error> {
    let mut game = GameArguments::default();
    for (key, value) in dictionary {
        if !game.read(key, value)? {
            return Err(unknown_key("game", key, &GAME_KEYS));
        }
    }
    Ok(game)
}

/// Reads the argument of `Set`.
pub fn corrections(dictionary: &Dictionary<'_>) -> Result<Corrections, Error> {
    let mut to = Corrections::default();
    for (key, value) in dictionary {
        if !read_correction(&mut to, key, value)? {
            return Err(unknown_key("corrections", key, &CORRECTION_KEYS));
        }
    }
    if to == Corrections::default() {
        return Err(invalid("nothing to set; expected at least one correction"));
    }
    Ok(to)
}

/// Reads the argument of `Import`.
pub fn proposal<'a>(dictionary: &'a Dictionary<'_>) -> Result<ProposalArguments<'a>, Error> {
    let (mut begun, mut from) = (None, None);
    let (mut game, mut corrections) = (GameArguments::default(), Corrections::default());
    for (key, value) in dictionary {
        match *key {
            "Begun" => begun = Some(flag(key, value)?),
            "Source" => from = Some(source(key, value)?),
            _ if game.read(key, value)? || read_correction(&mut corrections, key, value)? => {}
            _ => {
                let keys = [&["Begun", "Source"][..], &GAME_KEYS, &CORRECTION_KEYS].concat();
                return Err(unknown_key("proposal", key, &keys));
            }
        }
    }
    let begun = begun.ok_or_else(|| missing("Begun"))?;
    let source = from.ok_or_else(|| missing("Source"))?;
    Ok(ProposalArguments { begun, source, game, corrections })
}

impl<'a> GameArguments<'a> {
    /// Reads a key of `New`. Returns whether it is one.
    fn read(&mut self, key: &str, value: &'a Variant<'_>) -> Result<bool, Error> {
        match key {
            "TimeControl" => self.time_control = Some(text(key, value, NAME_LIMIT)?),
            "TimeControlFile" => self.time_control_file = Some(text(key, value, FILE_LIMIT)?),
            "WhitePlayer" => self.white_player = Some(text(key, value, NAME_LIMIT)?),
            "BlackPlayer" => self.black_player = Some(text(key, value, NAME_LIMIT)?),
            "Force" => self.force = flag(key, value)?,
            "Rules" => self.rules = Some(text(key, value, NAME_LIMIT)?),
            "StartAtRealtimeNSec" => self.start_at_realtime_nsec = Some(time(key, value)?),
            "CaptainPlays" => {
                self.captain_plays = side_or_none(key, text(key, value, NAME_LIMIT)?)?;
            }
            "PresentArbiter" => self.present_arbiter = text(key, value, NAME_LIMIT)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads a key of `Set`. Returns whether it is one.
fn read_correction(to: &mut Corrections, key: &str, value: &Variant<'_>) -> Result<bool, Error> {
    match key {
        "WhiteTimeNSec" => to.white_time_nsec = Some(time(key, value)?),
        "BlackTimeNSec" => to.black_time_nsec = Some(time(key, value)?),
        "WhiteMoves" => to.white_moves = Some(number(key, value)?),
        "BlackMoves" => to.black_moves = Some(number(key, value)?),
        "WhitePeriod" => to.white_period = Some(number(key, value)?),
        "BlackPeriod" => to.black_period = Some(number(key, value)?),
        "WhiteOvertimePeriods" => to.white_overtime_periods = Some(number(key, value)?),
        "WhiteOvertimeMoves" => to.white_overtime_moves = Some(number(key, value)?),
        "BlackOvertimePeriods" => to.black_overtime_periods = Some(number(key, value)?),
        "BlackOvertimeMoves" => to.black_overtime_moves = Some(number(key, value)?),
        "OnMove" => {
            let word = text(key, value, usize::MAX)?;
            to.on_move = Some(match side(key, word)? {
                Side::White => Who::White,
                Side::Black => Who::Black,
            });
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn text<'a>(key: &str, value: &'a Variant<'_>, limit: usize) -> Result<&'a str, Error> {
    match value {
        Variant::Str(text) => limited(key, text.as_str(), limit),
        other => Err(wrong_type(key, other, "s")),
    }
}

fn time(key: &str, value: &Variant<'_>) -> Result<u64, Error> {
    match value {
        Variant::U64(nsec) => Ok(*nsec),
        other => Err(wrong_type(key, other, "t")),
    }
}

fn number(key: &str, value: &Variant<'_>) -> Result<u32, Error> {
    match value {
        Variant::U32(number) => Ok(*number),
        other => Err(wrong_type(key, other, "u")),
    }
}

fn flag(key: &str, value: &Variant<'_>) -> Result<bool, Error> {
    match value {
        Variant::Bool(flag) => Ok(*flag),
        other => Err(wrong_type(key, other, "b")),
    }
}

fn source(key: &str, value: &Variant<'_>) -> Result<Source, Error> {
    let wrong = || wrong_type(key, value, "(sts)");
    let Variant::Structure(source) = value else { return Err(wrong()) };
    let [Variant::Str(machine), Variant::U64(game), Variant::Str(chain)] = source.fields() else {
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
    Ok(Source { machine: machine.to_owned(), game: *game, chain: chain.to_owned() })
}

fn missing(key: &str) -> Error {
    invalid(format!("proposal has no key {key}; expected Begun and Source"))
}

fn wrong_type(key: &str, given: &Variant<'_>, expected: &str) -> Error {
    let given = given.value_signature().to_string();
    invalid(format!("{key} has the type {}; expected {expected}", quoted(&given)))
}

fn unknown_key(argument: &str, key: &str, keys: &[&str]) -> Error {
    invalid(format!("{argument} has the key {}; expected {}", quoted(key), or_list(keys)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::Structure;

    fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
        match result {
            Err(Error::InvalidArgument(message)) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_dictionary_names_the_key_that_is_wrong_and_what_is_accepted() {
        let of = |key: &'static str, value: Variant<'static>| Dictionary::from([(key, value)]);
        let unknown = message(game(&of("Player", 1_u32.into())));
        assert!(unknown.starts_with(r#"game has the key "Player"; expected TimeControl, "#));
        assert!(unknown.ends_with("CaptainPlays or PresentArbiter"), "{unknown}");
        assert_eq!(
            message(game(&of("Force", "yes".into()))),
            r#"Force has the type "s"; expected b"#
        );
        let long = message(game(&of("WhitePlayer", "x".repeat(65).into())));
        assert_eq!(long, "WhitePlayer has 65 bytes; expected at most 64");
        assert!(game(&of("WhitePlayer", "x".repeat(64).into())).is_ok());
        let unknown = message(corrections(&of("WhiteTime", 5_u64.into())));
        assert!(unknown.contains("WhiteTimeNSec, BlackTimeNSec, WhiteMoves"), "{unknown}");
        let number = message(corrections(&of("WhiteMoves", 5_u64.into())));
        assert_eq!(number, r#"WhiteMoves has the type "t"; expected u"#);
        let side = message(corrections(&of("OnMove", "".into())));
        assert_eq!(side, r#"OnMove = ""; expected "white" or "black""#);
        let nothing = message(corrections(&Dictionary::new()));
        assert!(nothing.starts_with("nothing to set"), "{nothing}");
        let given = corrections(&of("BlackOvertimeMoves", 7_u32.into())).unwrap();
        assert_eq!(given.black_overtime_moves, Some(7));
    }

    fn from(machine: &str, chain: &str) -> Variant<'static> {
        Structure::from((machine.to_owned(), 7_u64, chain.to_owned())).into()
    }

    #[test]
    fn a_proposal_has_the_keys_of_new_and_of_set_and_two_of_its_own() {
        let chain = "0123456789abcdefABCDEF9876543210".repeat(2);
        let mut given = Dictionary::from([
            ("Begun", true.into()),
            ("Source", from("other", &chain)),
            ("WhitePlayer", "Anna".into()),
            ("WhiteMoves", 23_u32.into()),
        ]);
        let read = proposal(&given).unwrap();
        assert_eq!(read.source, Source { machine: "other".into(), game: 7, chain: chain.clone() });
        assert!(read.begun && read.game.white_player == Some("Anna"));
        assert_eq!(read.corrections.white_moves, Some(23));
        for key in GAME_KEYS.into_iter().chain(CORRECTION_KEYS) {
            let wrong = message(proposal(&Dictionary::from([(key, 1_u8.into())])));
            assert!(wrong.starts_with(&format!(r#"{key} has the type "y"; expected "#)), "{wrong}");
        }
        given.insert("Moves", 1_u32.into());
        let unknown = message(proposal(&given));
        assert!(unknown.starts_with(r#"proposal has the key "Moves"; expected Begun, Source"#));
        assert!(unknown.ends_with("BlackOvertimeMoves or OnMove"), "{unknown}");
    }

    #[test]
    fn a_proposal_says_where_it_comes_from_within_its_limits() {
        let chain = "0".repeat(64);
        let with = |source: Variant<'static>| {
            message(proposal(&Dictionary::from([("Begun", true.into()), ("Source", source)])))
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
        for (key, value) in [("Begun", true.into()), ("Source", from("other", &chain))] {
            let missing = message(proposal(&Dictionary::from([(key, value)])));
            assert!(missing.contains("has no key"), "{missing}");
        }
    }
}
