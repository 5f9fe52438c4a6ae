//! Rule profiles on this machine: those that are compiled in, and files.

use crate::failure::Failure;
use clock_controls::{NamedRules, RuleLibrary};
use std::path::Path;

/// The compiled-in rule profile of this name, or the one in this file.
pub fn local(argument: &str) -> Result<NamedRules, Failure> {
    Ok(RuleLibrary::default().resolve(argument, Path::new(""))?)
}

/// The rule profile in this file. What it inherits is looked for beside it and among the compiled-in ones.
pub fn file(path: &str) -> Result<NamedRules, Failure> {
    Ok(RuleLibrary::default().read(Path::new(path))?)
}
