//! All GPIO lines that a wiring file names, each with its key, and the search for a GPIO line that
//! is the value of two keys.

use crate::{Lamps, LineName, Wire};
use std::ops::Range;
use toml::Spanned;

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
