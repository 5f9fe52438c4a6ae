//! Checks the chain of a game. Each entry has a sum, its `chain`, which also covers the entries
//! before it. These sums are computed anew from the JSON of the entries.
//!
//! The chain of an entry is the SHA-256 of the chain of the entry before it in the same game and of
//! all other fields of the entry. The chain of the first entry continues the game's `chain_before`.
//! So if an entry is changed, added or left out later, the record does not match its chain. There
//! are two exceptions: the last entries are left out, or somebody computes all sums anew. Such a
//! change can be found only if somebody noted the last sum before the change.

use super::json_text::canonical;
use clock_record::{Digest, EntryLine, hexadecimal, parse_digest};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Whether the entries are as they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// Every entry matches its sum.
    Intact,
    /// This entry is the first that does not match: it was changed, or one before it is missing.
    Broken { entry: u64 },
}

/// The fields of an entry from which its sum is computed. The nested JSON values are kept exactly
/// as they are written in the text.
#[derive(Deserialize)]
struct HashedEntry<'a> {
    entry: u64,
    game: u64,
    boot: String,
    at_ns: u64,
    raw_ns: u64,
    wall_ns: Option<i64>,
    kind: String,
    #[serde(borrow)]
    input: &'a RawValue,
    #[serde(borrow)]
    events: &'a RawValue,
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    state: &'a RawValue,
    chain: String,
}

/// Computes the sums of the entries anew, and compares them with those that the entries contain.
/// Each entry is a JSON object. `before` is the `chain_before` of the game. If it is `None` or
/// cannot be read, the sum of the first entry is accepted without a check.
pub fn check<'a>(
    before: Option<&str>,
    entries: impl IntoIterator<Item = &'a str>,
) -> Result<Chain, serde_json::Error> {
    let mut before = before.and_then(parse_digest);
    for json in entries {
        let hashed: HashedEntry<'_> = serde_json::from_str(json)?;
        let entry = hashed.entry;
        let given = parse_digest(&hashed.chain);
        if given.is_none() || before.is_some_and(|before| Some(chain(&before, &hashed)) != given) {
            return Ok(Chain::Broken { entry });
        }
        before = given;
    }
    Ok(Chain::Intact)
}

/// The entry with the sum that it has after an entry with the sum `before`.
#[cfg(test)]
pub(super) fn with_sum(before: &str, json: &str) -> String {
    let hashed: HashedEntry<'_> = serde_json::from_str(json).unwrap();
    let new = hexadecimal(&chain(&parse_digest(before).unwrap(), &hashed));
    json.replacen(&hashed.chain, &new, 1)
}

fn chain(before: &Digest, hashed: &HashedEntry<'_>) -> Digest {
    let entry = EntryLine {
        number: hashed.entry,
        boot: hashed.boot.clone(),
        at_ns: hashed.at_ns,
        raw_ns: hashed.raw_ns,
        wall_ns: hashed.wall_ns,
        kind: hashed.kind.clone(),
        input: canonical(hashed.input.get()),
        events: canonical(hashed.events.get()),
        command: hashed.command.map(|command| canonical(command.get())),
        state: canonical(hashed.state.get()),
        game: None,
    };
    clock_record::chain(before, hashed.game, &entry)
}

/// The sum of a whole file, in hexadecimal digits. It is computed from `last_chain` (the chain of
/// the last entry), the JSON of the game, and the JSON of the whole state after the last entry.
pub fn file_sum(last_chain: &str, game: &str, state: Option<&str>) -> String {
    let state = state.map(canonical);
    hexadecimal(&clock_record::export_sum(last_chain, &canonical(game), state.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::{Chain, check};
    use clock_record::parse_digest;

    const ZERO: &str = "0000000000000000000000000000000000000000000000000000000000000000";

    /// Two entries, whose sums were computed with another program (Python's hashlib).
    fn entries() -> [String; 2] {
        include_str!("chain/two_entries.jsonl")
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    }

    fn checked(before: Option<&str>, entries: &[String]) -> Chain {
        check(before, entries.iter().map(String::as_str)).unwrap()
    }

    #[test]
    fn the_chain_is_the_one_that_another_program_computes() {
        assert_eq!(checked(Some(ZERO), &entries()), Chain::Intact);
        assert_eq!(checked(None, &entries()), Chain::Intact);
        assert_eq!(checked(None, &entries()[1..]), Chain::Intact);
    }

    #[test]
    fn layout_and_escapes_do_not_matter() {
        let [first, second] = entries();
        let spaced = first.replace(",\"", " ,\n  \"").replace('é', "\\u00e9");
        assert_ne!(spaced, first);
        assert_eq!(checked(Some(ZERO), &[spaced, second]), Chain::Intact);
    }

    #[test]
    fn every_change_is_found() {
        let [first, second] = entries();
        let one = ZERO.replace("00000000", "00000001");
        assert_eq!(
            checked(Some(&one), &[first.clone(), second.clone()]),
            Chain::Broken { entry: 1 }
        );
        assert_eq!(checked(Some(ZERO), std::slice::from_ref(&second)), Chain::Broken { entry: 2 });
        for (from, to) in [
            ("\"at_ns\":5", "\"at_ns\":6"),
            ("\"raw_ns\":5", "\"raw_ns\":6"),
            ("\"wall_ns\":null", "\"wall_ns\":0"),
            ("\"boot\":\"b", "\"boot\":\"c"),
            ("\"kind\":\"press\"", "\"kind\":\"call\""),
            ("\"game\":1,\"boot\"", "\"game\":2,\"boot\""),
            ("\"accepted\":true", "\"accepted\":false"),
            ("\"command\":null", "\"command\":{}"),
            ("\"remaining_ns\":299", "\"remaining_ns\":399"),
            ("\"input\":{", "\"input\":{\"x\":1,"),
        ] {
            let changed = second.replacen(from, to, 1);
            assert_ne!(changed, second, "{from}");
            let found = checked(Some(ZERO), &[first.clone(), changed]);
            assert_eq!(found, Chain::Broken { entry: 2 }, "{from}");
        }
    }

    #[test]
    fn a_digest_has_64_digits() {
        assert_eq!(parse_digest(ZERO), Some([0; 32]));
        assert_eq!(parse_digest(&ZERO.replacen("00", "aF", 1)).unwrap()[0], 0xaf);
        let long = format!("{ZERO}0");
        for wrong in [
            "",
            &ZERO[1..],
            &ZERO[2..],
            &long,
            &ZERO.replacen('0', "g", 1),
            &ZERO.replacen('0', "é", 1),
        ] {
            assert_eq!(parse_digest(wrong), None, "{wrong}");
        }
    }
}
