//! A control as the text of a control file.

use super::hms;
use crate::{Advance, Control, Method, Overtime, PerSide, Period, Side, Span};
use std::fmt::Write;

/// The text of a control file for this control; [`ControlFile`](super::ControlFile) reads it back. Keys
/// that have their default value are omitted.
///
/// A control that counts up with different limits has no text that can be read back: control files and
/// notations have one limit for both sides.
///
/// ```
/// use clock_engine::text::{parse_notation, to_toml};
/// let text = to_toml("Blitz", &parse_notation("3+2")?);
/// assert_eq!(text, "name = \"Blitz\"\n\n[[period]]\ntime = \"0:03:00\"\nincrement = \"0:00:02\"\n");
/// # Ok::<(), clock_engine::text::NotationError>(())
/// ```
pub fn to_toml(name: &str, control: &Control) -> String {
    let terms = control.terms();
    let mut file = File(String::new());
    file.line("name", &quoted(name));
    if terms.advance != Advance::Moves {
        file.line("advance", &quoted(terms.advance.as_str()));
    }
    if let Advance::BlackCompletes { pause: true } = terms.advance {
        file.line("set_back_pause", "true");
    }
    if let Some(after) = terms.after_flag {
        file.line("after_flag", &quoted(after.as_str()));
    }
    if !terms.first_move_increment {
        file.line("first_move_increment", "false");
    }
    if let Some(side) = terms.draw_odds {
        file.line("draw_odds", &quoted(side.as_str()));
    }
    for (number, period) in (1..).zip(control.periods()) {
        file.period(period);
        if terms.repeat && number == control.periods().len() {
            file.line("repeat", "true");
        }
    }
    file.0
}

struct File(String);

impl File {
    fn line(&mut self, key: &str, value: &str) {
        self.0.push_str(&format!("{key} = {value}\n"));
    }

    /// A line with the values of the sides, if there is one.
    fn sides(&mut self, key: &str, values: PerSide<Option<String>>) {
        let value = match (values.white, values.black) {
            (None, None) => return,
            (Some(white), Some(black)) if white == black => white,
            (white, black) => {
                let named = Side::BOTH.into_iter().zip([white, black]);
                let named = named.filter_map(|(side, value)| {
                    value.map(|value| format!("{} = {value}", side.as_str()))
                });
                format!("{{ {} }}", named.collect::<Vec<_>>().join(", "))
            }
        };
        self.line(key, &value);
    }

    fn period(&mut self, period: &Period) {
        self.0.push_str("\n[[period]]\n");
        if let Some(moves) = period.moves {
            self.line("moves", &moves.to_string());
        }
        // A gong and counting up have no main time, and are always the method of both sides.
        if !matches!(period.method.white, Method::Gong(_) | Method::CountUp { .. }) {
            self.sides("time", period.time.map(|time| Some(duration(time))));
        }
        for key in ["increment", "delay", "bronstein", "gong", "overtime"] {
            self.sides(key, period.method.map(|method| value(key, method)));
        }
        match period.method.white {
            Method::Hourglass => self.line("hourglass", "true"),
            Method::CountUp { .. } => self.line("count_up", "true"),
            _ => {}
        }
        self.sides("limit", period.method.map(|method| value("limit", method)));
    }
}

/// The value of this key for the method, if the method has the key.
fn value(key: &str, method: Method) -> Option<String> {
    match (key, method) {
        ("increment", Method::Increment(span))
        | ("delay", Method::Delay(span))
        | ("bronstein", Method::Bronstein(span))
        | ("gong", Method::Gong(span)) => Some(duration(span)),
        ("limit", Method::CountUp { limit }) => limit.map(duration),
        ("overtime", Method::Overtime(Overtime { periods, time, moves })) => {
            let time = duration(time);
            Some(format!("{{ periods = {periods}, time = {time}, moves = {moves} }}"))
        }
        _ => None,
    }
}

fn duration(span: Span) -> String {
    quoted(&hms(span))
}

/// The text as a basic string of TOML. Quotation marks, backslashes and control characters are
/// escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                write!(quoted, "\\u{:04X}", u32::from(c))
                    .expect("a string takes all that is written");
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests;
