//! Time controls and rule profiles as the programs of the clock take them: by name, from a file, or
//! (time controls only) in a notation.
//!
//! A [`Library`] has the time controls of the control files in some folders and those that are
//! compiled in. A [`RuleLibrary`] has the rule profiles of rule files in the same way. Both are a
//! [`FileLibrary`]. There are two ways to get an entry:
//!
//! - [`FileLibrary::find`] takes a name and nothing else. It never opens a file outside the folders
//!   of the library, so use it for names that come over the bus.
//! - [`Library::resolve`] takes a name, the path of a file, or a notation such as `3+2`, and
//!   [`RuleLibrary::resolve`] a name or a path. These open any file, so they are only for what this
//!   machine's administrator or user wrote: command lines and `clockd.toml`.
//!
//! A [`CachedLibrary`] keeps the entries of a library in memory until a file changes. [`suggest()`]
//! finds the names that are similar to a name that does not exist.
//!
//! Every file is read with [`read_text()`], which accepts regular files of at most
//! [`FILE_LIMIT`] bytes. [`replace_file()`] writes a file so that a power cut leaves the earlier or the
//! new one.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod cached;
mod error;
mod library;
mod named;
mod read_text;
mod replace_file;

pub use cached::CachedLibrary;
pub use error::{LoadError, suggest};
pub use library::{Argument, FileLibrary, Library, LibraryEntry, RuleLibrary};
pub use named::{NamedControl, NamedRules, read_control_file};
pub use read_text::{FILE_LIMIT, ReadError, open_regular, read_text};
pub use replace_file::{StagedFile, is_at, is_locked, replace_file, replace_file_with};
