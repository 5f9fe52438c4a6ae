//! The whole wiring file as `clockd` reads it, with its checks.

use crate::{ChipLabels, Lamps, Wire, WiredLines};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

/// The kind of switch that the players use: the value of the key `input`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// One button for each player.
    #[default]
    Buttons,
    /// One rocker between the players, with a contact for each side.
    Rocker,
}

/// The keys of a wiring file. An unknown key is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [wiring]")]
pub struct WiringTable {
    #[serde(rename = "name")]
    _name: Option<String>,
    /// The labels of the GPIO chip.
    pub chip: Spanned<ChipLabels>,
    /// Whether a closed contact connects its line to ground.
    #[serde(default = "yes")]
    pub active_low: bool,
    /// Whether the chip's own pull-up resistors are switched on.
    #[serde(default = "yes")]
    pub pull_up: bool,
    /// The kind of switch.
    #[serde(default)]
    pub input: Switch,
    /// White's button, or the throw that is closed after White has pressed.
    pub white: Wire,
    /// Black's button, or the throw that is closed after Black has pressed.
    pub black: Wire,
    /// The button that calls the arbiter.
    pub call: Option<Wire>,
    /// The lamps of the players.
    pub lamp: Option<Lamps>,
    /// The buzzer.
    pub buzzer: Option<Wire>,
}

fn yes() -> bool {
    true
}

impl WiringTable {
    /// The lines that the file names.
    pub fn lines(&self) -> WiredLines<'_> {
        WiredLines {
            white: Some(&self.white),
            black: Some(&self.black),
            call: self.call.as_ref(),
            lamp: self.lamp.as_ref(),
            buzzer: self.buzzer.as_ref(),
        }
    }

    /// Checks that no line is used twice, and that a chip is named.
    ///
    /// # Errors
    ///
    /// The position in the text, and what is wrong there.
    pub fn check(&self) -> Result<(), (Range<usize>, String)> {
        if let Some(twice) = self.lines().used_twice() {
            let (line, first, second) = (twice.line, twice.first, twice.second);
            let message = format!("line {line} is used twice, by `{first}` and `{second}`");
            return Err((twice.span, message));
        }
        if !self.chip.get_ref().name_chips() {
            let message = "`chip` names no chip; expected the label of a chip such as \
                           \"pinctrl-bcm2711\", or a list of labels";
            return Err((self.chip.span(), message.to_owned()));
        }
        Ok(())
    }
}
