//! The store of the record: rows in one SQLite file. This module handles only texts and numbers,
//! and does not depend on the clock or D-Bus.
//!
//! [`Store`] is the only writer. Every call of [`Store::append`] is one transaction that is on disk
//! when the call returns (`synchronous=FULL`). [`Reader`] reads in another thread at the same time.
//!
//! Three checks find damage: [`chain`] ties each entry to the one before it, [`wal`] distinguishes
//! a damaged write-ahead log from one that a power cut left unfinished, and SQLite's `quick_check`
//! compares the pages with each other. After a restart in a game this comparison is made only later
//! ([`LateCheck`]). A file that is damaged, foreign or of a newer version is renamed, never deleted
//! or changed. After an error that may pass, such as a full disk, the file keeps its name and its
//! entries.
//!
//! The entries are ordered by their numbers and not by wall time, which can be wrong or missing: a
//! Raspberry Pi has no battery for its clock.

mod append;
mod chain;
mod change;
mod connection;
mod copy;
mod current;
mod earlier_version;
mod error;
mod files;
mod late_check;
mod limits;
mod open;
mod read;
mod reader;
mod retain;
mod schema;
#[cfg(test)]
mod tests;
mod wal;

#[cfg(test)]
pub use chain::NO_CHAIN;
#[cfg(test)]
use chain::entry_chain;
pub use change::{Checkpoint, GameChange, MAX_TEXT};
#[cfg(test)]
pub use connection::Access;
pub use connection::Check;
pub use copy::{Copy, Facts as CopyFacts};
pub use error::StoreError;
pub use late_check::LateCheck;
pub use limits::{ENTRIES_LIMIT, INPUTS_LIMIT};
pub use open::{Opened, Store};
#[cfg(test)]
pub use read::CurrentGame;
#[cfg(test)]
use reader::MAX_PAGE_BYTES;
pub use reader::Reader;
pub use retain::Retained;
