//! A rule profile, and what is known of the files that set its parameters.

use clock_controls::NamedRules;
use clock_engine::text::{Origin, Parameter};

/// A rule profile that is shown.
pub struct Shown {
    pub named: NamedRules,
    /// Whether it is known which file sets a parameter.
    pub files_known: bool,
}

impl Shown {
    pub fn with_files(named: NamedRules) -> Shown {
        Shown { named, files_known: true }
    }

    /// The file that sets a parameter; `None` if no file sets it, or if the file is not known.
    pub fn origin(&self, parameter: &Parameter) -> Option<&str> {
        match self.named.rules.origin(parameter) {
            _ if !self.files_known => None,
            Origin::Own => Some(&self.named.name),
            Origin::Inherited(name) => Some(name),
            Origin::Default => None,
        }
    }
}
