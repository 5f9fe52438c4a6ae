//! Reads the dictionaries that `New`, `Set`, `SetNames` and `Import` take, and checks the limits of their
//! values. `clock_dbus` defines the keys and their types.

use super::arguments::{
    BOARD_LIMIT, NAME_LIMIT, invalid, invalid_state, limited, or_list, quoted, side, side_or_none,
};
use clock_dbus::{Corrections, Error, ImportedFrom, Names, NewGame, Proposal, ReadAs, Who};
use clock_engine::rules::GameState;
use clock_engine::text::{ControlFile, Format, plain_message};
use std::collections::BTreeMap;
use zbus::Variant;

/// The number of hexadecimal digits in which the key `Source` gives a SHA-256 digest.
const CHAIN_DIGITS: usize = 64;
/// The longest text of the key `State`, in bytes. The state of a game has about 3,000 bytes.
pub const STATE_LIMIT: usize = 16 * 1024;

/// An argument of the type `a{sv}`, sorted by its keys.
pub type Dictionary<'a> = BTreeMap<&'a str, Variant<'a>>;

/// The game that `Import` takes over.
#[derive(Debug)]
pub struct ProposalArguments {
    pub begun: bool,
    pub source: ImportedFrom,
    pub state: Option<GameState>,
    pub game: NewGame,
    pub corrections: Corrections,
}

/// Reads the argument of `New`.
pub fn game(dictionary: &Dictionary<'_>) -> Result<NewGame, Error> {
    let mut game = NewGame::default();
    read("game", dictionary, &NewGame::KEYS, |entry| game.read(entry.key, entry))?;
    Ok(game)
}

/// Reads the argument of `Set`.
pub fn corrections(dictionary: &Dictionary<'_>) -> Result<Corrections, Error> {
    let mut to = Corrections::default();
    read("corrections", dictionary, &Corrections::KEYS, |entry| to.read(entry.key, entry))?;
    if to == Corrections::default() {
        return Err(invalid("nothing to set; expected at least one correction"));
    }
    Ok(to)
}

/// Reads the argument of `SetNames`.
pub fn names(dictionary: &Dictionary<'_>) -> Result<Names, Error> {
    let mut names = Names::default();
    read("names", dictionary, &Names::KEYS, |entry| names.read(entry.key, entry))?;
    if names == Names::default() {
        return Err(invalid("nothing to correct; expected at least one name"));
    }
    Ok(names)
}

/// Reads the argument of `Import`.
pub fn proposal(dictionary: &Dictionary<'_>) -> Result<ProposalArguments, Error> {
    let mut proposal = Proposal::default();
    read("proposal", dictionary, &Proposal::KEYS, |entry| proposal.read(entry.key, entry))?;
    let begun = proposal.begun.ok_or_else(|| missing("Begun"))?;
    let source = proposal.source.take().ok_or_else(|| missing("Source"))?;
    let state = proposal.state.take().map(|text| state(&text)).transpose()?;
    if let Some(state) = &state
        && state.has_begun() != begun
    {
        return Err(invalid(format!("Begun = {begun}, and the game of State says the opposite")));
    }
    let (game, corrections) = proposal.into_parts();
    Ok(ProposalArguments { begun, source, state, game, corrections })
}

/// Reads the value of `State`.
fn state(text: &str) -> Result<GameState, Error> {
    let wrong = |error: serde_json::Error| plain_message(&error.to_string(), None, Format::Json);
    serde_json::from_str(text).map_err(|error| invalid_state(&wrong(error)))
}

/// Reads all entries of a dictionary. `read_entry` reads one entry, and returns `false` if it does
/// not know the key. The error for such a key lists `keys`, which are the known keys.
fn read(
    argument: &str,
    dictionary: &Dictionary<'_>,
    keys: &[&str],
    mut read_entry: impl FnMut(&Entry<'_>) -> Result<bool, Error>,
) -> Result<(), Error> {
    for (key, value) in dictionary {
        if !read_entry(&Entry { key, value })? {
            return Err(unknown_key(argument, key, keys));
        }
    }
    Ok(())
}

/// A key and its value. Each `ReadAs` reads the value as one type, and checks its limits.
struct Entry<'a> {
    key: &'a str,
    value: &'a Variant<'a>,
}

impl Entry<'_> {
    fn text(&self, limit: usize) -> Result<&str, Error> {
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
    type Error = Error;

    fn read(&self) -> Result<String, Error> {
        let limit = match self.key {
            "TimeControlFile" => ControlFile::LIMIT,
            "State" => STATE_LIMIT,
            "Board" | "Round" => BOARD_LIMIT,
            _ => NAME_LIMIT,
        };
        self.text(limit).map(str::to_owned)
    }
}

impl ReadAs<Who> for Entry<'_> {
    type Error = Error;

    fn read(&self) -> Result<Who, Error> {
        // One side is always on move, so `OnMove` must not be empty. `CaptainPlays` can be empty.
        let side = match self.key {
            "OnMove" => side(self.key, self.text(usize::MAX)?).map(Some),
            key => side_or_none(key, self.text(NAME_LIMIT)?),
        };
        side.map(Who::from)
    }
}

impl ReadAs<u64> for Entry<'_> {
    type Error = Error;

    fn read(&self) -> Result<u64, Error> {
        u64::try_from(self.value).map_err(|_| self.wrong_type("t"))
    }
}

impl ReadAs<u32> for Entry<'_> {
    type Error = Error;

    fn read(&self) -> Result<u32, Error> {
        u32::try_from(self.value).map_err(|_| self.wrong_type("u"))
    }
}

impl ReadAs<bool> for Entry<'_> {
    type Error = Error;

    fn read(&self) -> Result<bool, Error> {
        bool::try_from(self.value).map_err(|_| self.wrong_type("b"))
    }
}

impl ReadAs<ImportedFrom> for Entry<'_> {
    type Error = Error;

    fn read(&self) -> Result<ImportedFrom, Error> {
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

fn missing(key: &str) -> Error {
    invalid(format!("proposal has no key {key}; expected Begun and Source"))
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
        for key in ["Board", "Round"] {
            let long = message(game(&of(key, "x".repeat(17).into())));
            assert_eq!(long, format!("{key} has 17 bytes; expected at most 16"));
            assert!(game(&of(key, "x".repeat(16).into())).is_ok());
        }
        let unknown = message(corrections(&of("WhiteTime", 5_u64.into())));
        assert!(unknown.contains("WhiteTimeNSec, BlackTimeNSec, WhiteMoves"), "{unknown}");
        let number = message(corrections(&of("WhiteMoves", 5_u64.into())));
        assert_eq!(number, r#"WhiteMoves has the type "t"; expected u"#);
        let side = message(corrections(&of("OnMove", "".into())));
        assert_eq!(side, r#"OnMove = ""; expected "white" or "black""#);
        let nothing = message(corrections(&Dictionary::new()));
        assert!(nothing.starts_with("nothing to set"), "{nothing}");
        let nothing = message(names(&Dictionary::new()));
        assert!(nothing.starts_with("nothing to correct"), "{nothing}");
        let long = message(names(&of("Round", "x".repeat(17).into())));
        assert_eq!(long, "Round has 17 bytes; expected at most 16");
        let unknown = message(names(&of("White", "Anna".into())));
        assert!(unknown.ends_with("expected WhitePlayer, BlackPlayer, Board, Round or Event"));
        let given = corrections(&of("BlackOvertimeMoves", 7_u32.into())).unwrap();
        assert_eq!(given.black_overtime_moves, Some(7));
    }

    fn from(machine: &str, chain: &str) -> Variant<'static> {
        Structure::from((machine.to_owned(), 7_u64, chain.to_owned())).into()
    }

    #[test]
    fn a_proposal_has_the_keys_of_new_and_of_set_and_three_of_its_own() {
        let chain = "0123456789abcdefABCDEF9876543210".repeat(2);
        let mut given = Dictionary::from([
            ("Begun", true.into()),
            ("Source", from("other", &chain)),
            ("WhitePlayer", "Anna".into()),
            ("WhiteMoves", 23_u32.into()),
        ]);
        let read = proposal(&given).unwrap();
        assert_eq!(
            read.source,
            ImportedFrom { machine: "other".into(), game: 7, chain: chain.clone() }
        );
        assert!(read.begun && read.game.white_player.as_deref() == Some("Anna"));
        assert_eq!(read.corrections.white_moves, Some(23));
        for key in NewGame::KEYS.into_iter().chain(Corrections::KEYS) {
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
