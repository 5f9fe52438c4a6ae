//! The whole wiring file as `clockd` reads it, with its checks; and all GPIO lines that a wiring file
//! names, with the search for a GPIO line that is the value of two keys.

use crate::{ChipLabels, Lamps, LineName, Wire};
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

/// The GPIO lines that a wiring file names. A field is `None` if the file does not name this part.
pub struct WiredLines<'a> {
    /// White's button.
    pub white: Option<&'a Wire>,
    /// Black's button.
    pub black: Option<&'a Wire>,
    /// The button that calls the arbiter.
    pub call: Option<&'a Wire>,
    /// The lamps.
    pub lamp: Option<&'a Lamps>,
    /// The buzzer.
    pub buzzer: Option<&'a Wire>,
}

/// A GPIO line that is the value of two keys.
#[derive(Debug, PartialEq, Eq)]
pub struct UsedTwice {
    /// The line.
    pub line: LineName,
    /// The first key in the file that has the GPIO line as its value.
    pub first: &'static str,
    /// The second key in the file that has the GPIO line as its value.
    pub second: &'static str,
    /// The position of the value of the second key: a range of bytes in the file.
    pub span: Range<usize>,
}

impl WiredLines<'_> {
    /// Each GPIO line with its key, in the order in which the file names them.
    pub fn in_order(&self) -> Vec<(&'static str, &Spanned<LineName>)> {
        let WiredLines { white, black, call, lamp, buzzer } = *self;
        let all = [
            ("white", white),
            ("black", black),
            ("call", call),
            ("lamp.white", lamp.map(|lamp| &lamp.white)),
            ("lamp.black", lamp.map(|lamp| &lamp.black)),
            ("buzzer", buzzer),
        ];
        let given = all.into_iter().filter_map(|(key, wire)| Some((key, &wire?.line)));
        let mut lines: Vec<_> = given.collect();
        lines.sort_by_key(|(_, line)| line.span().start);
        lines
    }

    /// The first GPIO line in the file that is also the value of an earlier key; `None` if no line
    /// has two keys. A button shorts its line to ground, so the line of a button must not be an
    /// output as well.
    pub fn used_twice(&self) -> Option<UsedTwice> {
        let lines = self.in_order();
        lines.iter().enumerate().find_map(|(index, (second, line))| {
            let same = |(_, other): &&(_, &Spanned<LineName>)| other.as_ref() == line.as_ref();
            let (first, _) = lines[..index].iter().find(same)?;
            Some(UsedTwice { line: line.as_ref().clone(), first, second, span: line.span() })
        })
    }
}
