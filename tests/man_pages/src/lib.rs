//! The manual pages in `docs/man`, each from the one place where its contents are written: the
//! command lines of the programs, the comments of the configuration files, and documents.
//!
//! The pages are in the repository, so that `make install` needs no program of this machine. Tests
//! compare them with what would be written; `make man` writes them.

pub mod configuration;
pub mod document;
pub mod program;
pub mod roff;

use std::{env, fs, path::PathBuf};

/// The variable with which a test writes a page instead of comparing it.
const UPDATE: &str = "UPDATE_MAN_PAGES";

/// The root of the repository.
pub fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Compares a page such as `clockd.8` with this text, or writes it if the environment variable `UPDATE_MAN_PAGES` is set.
///
/// # Errors
///
/// The page has another text, or cannot be read or written.
pub fn check(name: &str, text: &str) -> Result<(), String> {
    let path = repository().join("docs/man").join(name);
    if env::var_os(UPDATE).is_some() {
        return fs::write(&path, text).map_err(|error| format!("docs/man/{name}: {error}"));
    }
    let found = fs::read_to_string(&path).map_err(|error| format!("docs/man/{name}: {error}"))?;
    if found == text {
        return Ok(());
    }
    Err(format!("docs/man/{name} is out of date; run `make man`"))
}
