//! The chain of the entries, which D-Bus and exports show. It is computed from the files; the first line of
//! a file has only the chain of the game before.
//!
//! The chain of an entry is a digest of the chain of the entry before it and of all that the entry says.
//! It does not depend on the layout of the JSON around it, as the digest of a line does. The chain of a
//! game's first entry continues that of the last entry of the game before.
//!
//! Two different entries never have the same encoding. An entry is encoded as a label and then its
//! values. Each of them is one byte for the type, followed by the value: `i` is a number of 8 bytes,
//! little-endian; `t` (text) and `b` (bytes) are the length as 8 bytes, little-endian, followed by the
//! bytes; `n` (null) has no value. The label has the type `b`.

use crate::line::{Digest, EntryLine};
use sha2::{Digest as _, Sha256};

/// The chain of this entry of the game with the number `game`. `before` is the chain of the entry before.
pub fn chain(before: &Digest, game: u64, entry: &EntryLine) -> Digest {
    let mut encoded = Encoded::new(b"chess-clock entry 1");
    encoded.sized(b"b", before);
    encoded.number(entry.number.to_le_bytes());
    encoded.number(game.to_le_bytes());
    encoded.sized(b"t", entry.boot.as_bytes());
    encoded.number(entry.at_ns.to_le_bytes());
    encoded.number(entry.raw_ns.to_le_bytes());
    match entry.wall_ns {
        Some(number) => encoded.number(number.to_le_bytes()),
        None => encoded.0.update(b"n"),
    }
    for text in [&entry.kind, &entry.input, &entry.events] {
        encoded.sized(b"t", text.as_bytes());
    }
    encoded.optional_text(entry.command.as_deref());
    encoded.sized(b"t", entry.state.as_bytes());
    encoded.0.finalize().into()
}

/// The sum of an exported game: a digest of the chain of its last entry in hexadecimal digits, and of the
/// JSON of the game and of its whole state. So it covers the time control, the rules, the players and the
/// result, which no entry has.
pub fn export_sum(last_chain: &str, game: &str, state: Option<&str>) -> Digest {
    let mut encoded = Encoded::new(b"chess-clock export 1");
    encoded.sized(b"t", last_chain.as_bytes());
    encoded.sized(b"t", game.as_bytes());
    encoded.optional_text(state);
    encoded.0.finalize().into()
}

struct Encoded(Sha256);

impl Encoded {
    fn new(label: &[u8]) -> Encoded {
        let mut encoded = Encoded(Sha256::new());
        encoded.sized(b"b", label);
        encoded
    }

    fn number(&mut self, bytes: [u8; 8]) {
        self.0.update(b"i");
        self.0.update(bytes);
    }

    fn optional_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.sized(b"t", text.as_bytes()),
            None => self.0.update(b"n"),
        }
    }

    fn sized(&mut self, kind: &[u8; 1], bytes: &[u8]) {
        self.0.update(kind);
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }
}
