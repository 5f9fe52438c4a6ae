//! Time controls as the programs of the clock take them: by name, from a file, or in a notation.
//!
//! A [`Library`] knows the control files of some folders and the controls that are compiled in. It
//! has two ways in:
//!
//! - [`Library::find`] takes a name and nothing else. It never opens a file outside its folders, so
//!   names that come over the bus go here.
//! - [`Library::resolve`] takes a name, the path of a file, or a notation such as `3+2`. Only what
//!   this machine's administrator or user wrote goes here: command lines and `clockd.toml`.
//!
//! A [`CachedLibrary`] keeps the controls in memory until a file changes.
//!
//! Every control file is read with [`read_text()`], which accepts regular files of at most
//! [`FILE_LIMIT`] bytes.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod cached;
mod error;
mod library;
mod named;
mod read_text;
mod suggest;

pub use cached::CachedLibrary;
pub use error::LoadError;
pub use library::{Argument, Library};
pub use named::{NamedControl, read_control_file};
pub use read_text::{FILE_LIMIT, ReadError, read_text};
pub use suggest::suggest;
