//! The digests that tie the entries to each other and reveal changed rows.
//!
//! `chain` of an entry is the SHA-256 of the chain of the entry before it in the same game,
//! followed by all other columns of the entry. For the first entry of a game, the chain before it
//! is `chain_before` of the game: the last chain of the previous game, or 32 zero bytes. The rows
//! of `games`, and the row of `checkpoint` (the latest instant at which the clock is known to have
//! run), can change later. So they are not part of the chain, and each has a digest of its own
//! columns.
//!
//! Two different rows never have the same encoding. A row is encoded as a label and then its
//! columns. The label and each column are one byte for the type, followed by the value: `i` is a
//! number of 8 bytes, little-endian; `t` (text) and `b` (bytes) are the length as 8 bytes,
//! little-endian, followed by the bytes; `n` (NULL) has no value. The label has the type `b`. The
//! boot is encoded as its identifier and not as its row in `boots`, so an exported entry has the
//! same digest.

use super::change::Checkpoint;
use crate::game::{Digest, Ended, NewRow};
use sha2::{Digest as _, Sha256};

/// The chain before the first entry of the first game.
pub const NO_CHAIN: Digest = [0; 32];

/// The chain of `row`, which follows the entry whose chain is `before`.
pub fn entry_chain(before: &Digest, row: &NewRow) -> Digest {
    let mut encoded = Encoded::new(b"chess-clock entry 1");
    encoded.bytes(before);
    encoded.number(row.number);
    encoded.number(row.game);
    encoded.text(&row.boot);
    encoded.number(row.at_ns);
    encoded.number(row.raw_ns);
    encoded.optional_number(row.wall_ns);
    encoded.text(&row.kind);
    encoded.text(&row.input);
    encoded.text(&row.events);
    encoded.optional_text(row.command.as_deref());
    encoded.text(&row.state);
    encoded.finish()
}

/// The columns of a game that its digest covers.
pub(super) struct GameColumns<'a> {
    pub game: u64,
    pub first_entry: u64,
    pub info: &'a str,
    pub ended: Option<Ended>,
    pub adjourned: bool,
    pub chain_before: &'a Digest,
}

impl GameColumns<'_> {
    pub(super) fn digest(&self) -> Digest {
        let mut encoded = Encoded::new(b"chess-clock game 1");
        encoded.number(self.game);
        encoded.number(self.first_entry);
        encoded.text(self.info);
        encoded.optional_text(self.ended.map(Ended::as_str));
        encoded.number(u64::from(self.adjourned));
        encoded.bytes(self.chain_before);
        encoded.finish()
    }
}

pub(super) fn checkpoint_digest(checkpoint: &Checkpoint) -> Digest {
    let mut encoded = Encoded::new(b"chess-clock checkpoint 1");
    encoded.text(&checkpoint.boot);
    encoded.number(checkpoint.at_ns);
    encoded.number(checkpoint.raw_ns);
    encoded.optional_number(checkpoint.wall_ns);
    encoded.number(checkpoint.entry);
    encoded.finish()
}

struct Encoded(Sha256);

impl Encoded {
    fn new(label: &[u8]) -> Encoded {
        let mut encoded = Encoded(Sha256::new());
        encoded.bytes(label);
        encoded
    }

    fn number(&mut self, number: u64) {
        self.0.update(b"i");
        self.0.update(number.to_le_bytes());
    }

    fn optional_number(&mut self, number: Option<i64>) {
        match number {
            Some(number) => {
                self.0.update(b"i");
                self.0.update(number.to_le_bytes());
            }
            None => self.0.update(b"n"),
        }
    }

    fn text(&mut self, text: &str) {
        self.sized(b"t", text.as_bytes());
    }

    fn optional_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.0.update(b"n"),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.sized(b"b", bytes);
    }

    fn sized(&mut self, kind: &[u8; 1], bytes: &[u8]) {
        self.0.update(kind);
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn finish(self) -> Digest {
        self.0.finalize().into()
    }
}
