//! Checks the chain of a game. Each entry has a sum, its `chain`, which also covers the entries
//! before it. These sums are computed anew from the JSON of the entries.
//!
//! The chain of an entry is the SHA-256 of the chain of the entry before it in the same game and of
//! all other fields of the entry. The chain of the first entry continues the game's `chain_before`.
//! So if an entry is changed, added or left out later, the record does not match its chain. There
//! are two exceptions: the last entries are left out, or somebody computes all sums anew. Such a
//! change can be found only if somebody noted the last sum before the change.
//!
//! What is hashed for an entry: a label, then for each field one byte for its type and its value.
//! `i`: 8 bytes, little-endian; `t` (a text) or `b` (bytes): the length as 8 bytes, little-endian,
//! and the content; `n`: NULL.

use super::json_text::canonical;
use crate::digest::hexadecimal;
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// The label that is hashed before the fields of each entry.
const LABEL: &[u8] = b"chess-clock entry 1";

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
    let mut before = before.and_then(digest);
    for json in entries {
        let hashed: HashedEntry<'_> = serde_json::from_str(json)?;
        let entry = hashed.entry;
        let given = digest(&hashed.chain);
        if given.is_none() || before.is_some_and(|before| Some(sum(&before, &hashed)) != given) {
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
    let new = hexadecimal(&sum(&digest(before).unwrap(), &hashed));
    json.replacen(&hashed.chain, &new, 1)
}

fn sum(before: &[u8; 32], hashed: &HashedEntry<'_>) -> [u8; 32] {
    let mut sum = Sum(Sha256::new());
    sum.sized(b'b', LABEL);
    sum.sized(b'b', before);
    sum.number(hashed.entry);
    sum.number(hashed.game);
    sum.sized(b't', hashed.boot.as_bytes());
    sum.number(hashed.at_ns);
    sum.number(hashed.raw_ns);
    match hashed.wall_ns {
        Some(wall_ns) => sum.eight_bytes(wall_ns.to_le_bytes()),
        None => sum.null(),
    }
    sum.sized(b't', hashed.kind.as_bytes());
    sum.json(hashed.input);
    sum.json(hashed.events);
    match hashed.command {
        Some(command) => sum.json(command),
        None => sum.null(),
    }
    sum.json(hashed.state);
    sum.0.finalize().into()
}

/// The label that is hashed before everything else when the sum of a file is computed.
const FILE_LABEL: &[u8] = b"chess-clock export 1";

/// The sum of a whole file, in hexadecimal digits. It is computed from `last_chain` (the chain of
/// the last entry), the JSON of the game, and the JSON of the whole state after the last entry. So
/// it covers the time control, the rules, the players and the result, which no entry has.
pub fn file_sum(last_chain: &str, game: &str, state: Option<&str>) -> String {
    let mut sum = Sum(Sha256::new());
    sum.sized(b'b', FILE_LABEL);
    sum.sized(b't', last_chain.as_bytes());
    sum.sized(b't', canonical(game).as_bytes());
    match state {
        Some(state) => sum.sized(b't', canonical(state).as_bytes()),
        None => sum.null(),
    }
    hexadecimal(&sum.0.finalize())
}

struct Sum(Sha256);

impl Sum {
    fn number(&mut self, number: u64) {
        self.eight_bytes(number.to_le_bytes());
    }

    fn eight_bytes(&mut self, bytes: [u8; 8]) {
        self.0.update(b"i");
        self.0.update(bytes);
    }

    fn null(&mut self) {
        self.0.update(b"n");
    }

    fn json(&mut self, json: &RawValue) {
        self.sized(b't', canonical(json.get()).as_bytes());
    }

    fn sized(&mut self, kind: u8, bytes: &[u8]) {
        self.0.update([kind]);
        self.0.update(u64::try_from(bytes.len()).expect("a text in memory").to_le_bytes());
        self.0.update(bytes);
    }
}

/// Reads 64 hexadecimal digits.
fn digest(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u32> = text.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes: Vec<u8> = pairs
        .iter()
        .map(|[high, low]| u8::try_from(high * 16 + low))
        .collect::<Result<_, _>>()
        .ok()?;
    <[u8; 32]>::try_from(bytes).ok().filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Chain, check, digest};

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
        assert_eq!(digest(ZERO), Some([0; 32]));
        assert_eq!(digest(&ZERO.replacen("00", "aF", 1)).unwrap()[0], 0xaf);
        let long = format!("{ZERO}0");
        for wrong in [
            "",
            &ZERO[1..],
            &ZERO[2..],
            &long,
            &ZERO.replacen('0', "g", 1),
            &ZERO.replacen('0', "é", 1),
        ] {
            assert_eq!(digest(wrong), None, "{wrong}");
        }
    }
}
