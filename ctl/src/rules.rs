//! Rule profiles on this machine: those that are compiled in, and files.

use crate::failure::Failure;
use clock_controls::{NamedRules, RuleLibrary};
use std::path::Path;

/// Whether an argument is the path of a rule file and not a name.
pub fn is_file(argument: &str) -> bool {
    RuleLibrary::default().is_file(argument)
}

/// Returns the rule profile that `argument` gives: a compiled-in one by its name, or one by the
/// path of its file.
pub fn local(argument: &str) -> Result<NamedRules, Failure> {
    Ok(RuleLibrary::default().resolve(argument, Path::new(""))?)
}

/// The rule profile in this file. The profiles that it inherits from are looked for in the folder
/// of the file and among the compiled-in ones.
pub fn file(path: &str) -> Result<NamedRules, Failure> {
    Ok(RuleLibrary::default().read(Path::new(path))?)
}

/// A rule profile that the clock has sent as one text, with everything that it inherits. The text
/// does not say which file sets a parameter. If a profile with the same name, parameters and
/// guidance is compiled into this program, that one is returned, because its files are known.
pub fn of_the_clock(name: &str, text: String) -> Result<FromClock, Failure> {
    let library = RuleLibrary::default();
    let merged = NamedRules::parse(&library, name, text, name)?;
    let same = |shipped: &NamedRules| {
        let (ours, clocks) = (&shipped.rules, &merged.rules);
        (&ours.name, &ours.profile, &ours.guidance)
            == (&clocks.name, &clocks.profile, &clocks.guidance)
    };
    match library.find(name).ok().filter(same) {
        Some(shipped) => Ok(FromClock::Shipped(shipped)),
        None => Ok(FromClock::Merged(merged)),
    }
}

/// A rule profile of the clock.
pub enum FromClock {
    /// The profile is compiled in, so its files are known here.
    Shipped(NamedRules),
    /// Only the values of the profile are known, not the files that set them.
    Merged(NamedRules),
}
