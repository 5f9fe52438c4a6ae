//! Wiring files: which GPIO lines the buttons, the lamps and the buzzer of a clock have.
//!
//! `clockd` reads the lines of the buttons and accepts no unknown key. `clock-display` reads the
//! lines of the lamps and of the buzzer, and ignores the keys that only `clockd` reads, so it has a
//! structure of its own for the whole file. [`WiringTable`] is that of `clockd` and of `clockctl`,
//! which checks the wiring in a set-up file. This crate also has the parts that both structures
//! consist of, the search for the file, and the rule that no line has two uses. [`ScreenMode`] is what a
//! set-up file and `display.toml` say of a screen.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod find;
mod screen_mode;
mod table;

pub use find::{NoWiringFile, SHARED, find, is_path};
pub use screen_mode::{ScreenMode, WantedMode};
pub use table::{Switch, UsedTwice, WiredLines, WiringTable};

use serde::Deserialize;
use std::fmt;
use toml::Spanned;

/// A GPIO line, given by its offset on the chip or by the name that the firmware gives it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a line offset such as 17, or a line name such as \"GPIO17\""
)]
pub enum LineName {
    /// The offset.
    Offset(u32),
    /// The name.
    Name(String),
}

impl fmt::Display for LineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineName::Offset(offset) => write!(f, "{offset}"),
            LineName::Name(name) => write!(f, "`{name}`"),
        }
    }
}

/// The value of the key `chip`: one label, or several labels. A machine has one chip, with one of
/// these labels.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected the label of a chip such as \"pinctrl-bcm2711\", or a list of labels"
)]
pub enum ChipLabels {
    /// One label.
    One(String),
    /// Several labels.
    Several(Vec<String>),
}

impl ChipLabels {
    /// The labels; `None` if there is no label, or if one of them is empty.
    pub fn into_labels(self) -> Option<Vec<String>> {
        let is_good = self.name_chips();
        let labels = match self {
            ChipLabels::One(label) => vec![label],
            ChipLabels::Several(labels) => labels,
        };
        is_good.then_some(labels)
    }

    /// Whether there is a label, and none of the labels is empty.
    pub fn name_chips(&self) -> bool {
        match self {
            ChipLabels::One(label) => !label.is_empty(),
            ChipLabels::Several(labels) => {
                !labels.is_empty() && !labels.iter().any(String::is_empty)
            }
        }
    }
}

/// The GPIO line of a button or of the buzzer, such as `{ line = 17 }`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { line = 17 }")]
pub struct Wire {
    /// The GPIO line, with its position in the file.
    pub line: Spanned<LineName>,
}

/// The lines of the lamps.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [lamp]")]
pub struct Lamps {
    /// White's lamp.
    pub white: Wire,
    /// Black's lamp.
    pub black: Wire,
}
