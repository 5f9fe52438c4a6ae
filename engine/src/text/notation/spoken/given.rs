//! Numbers and durations with their units, for one side or for both.

use super::super::super::parse_duration;
use super::super::token::Token;
use super::super::{NotationError, shortened};
use super::{HOUR, MINUTE, Reader, SECOND, is_number};
use crate::{MAX_GIVEN, PerSide, Span};

/// A number or a duration as it stands in the text.
#[derive(Clone, Copy)]
pub(super) struct Number<'a> {
    pub text: &'a str,
    pub at: usize,
    /// The nanoseconds of the unit that follows; `None` if there is none, or if `text` is a
    /// duration such as `90s`.
    unit: Option<u64>,
    /// The nanoseconds of the minutes that follow hours, as in `1 h 30 min`.
    more: u64,
}

/// The time or the amount of both sides, or of White and of Black.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub white: Number<'a>,
    pub black: Option<Number<'a>>,
}

/// How long a time or an amount is, as far as its unit says it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// Numbers without a unit.
    Bare,
    /// In seconds, or shorter than a minute.
    Short,
    /// In minutes or hours.
    Long,
}

impl Number<'_> {
    pub fn is_bare(&self) -> bool {
        self.unit.is_none() && is_number(self.text)
    }

    /// The nanoseconds of the largest unit of the number or duration; `None` if it has none, as
    /// `90` and `1:30:00`, or one that is shorter than a second.
    fn stated_unit(&self) -> Option<u64> {
        let mut units = self.text.split(|c: char| !c.is_ascii_lowercase());
        self.unit.or_else(|| {
            units.find_map(|unit| match unit {
                "h" => Some(HOUR),
                "m" | "min" => Some(MINUTE),
                "s" | "sec" => Some(SECOND),
                _ => None,
            })
        })
    }

    /// Whether a unit stands after the number, as in `90'` and `90 min`, and not in it, as in `90m`.
    pub fn has_unit_after(&self) -> bool {
        self.unit.is_some()
    }

    /// Whether this is a duration such as `3m2s`, with which 3 minutes and 2 seconds a move can be
    /// meant.
    pub fn has_minutes_and_seconds(&self) -> bool {
        let has_seconds = self.text.ends_with('s') || self.text.ends_with("sec");
        !self.text.contains('h') && has_seconds && self.text.trim_end_matches("ms").contains('m')
    }

    fn length(&self) -> Length {
        match self.unit {
            Some(SECOND) => return Length::Short,
            Some(_) => return Length::Long,
            None if is_number(self.text) => return Length::Bare,
            None => {}
        }
        let has_minute = |span: Span| span.as_nanos() >= MINUTE;
        let is_long = if self.text.contains(':') {
            parse_duration(self.text).is_ok_and(has_minute)
        } else {
            let mut units = self.text.split(|c: char| !c.is_ascii_lowercase());
            units.any(|unit| matches!(unit, "h" | "m" | "min"))
        };
        if is_long { Length::Long } else { Length::Short }
    }
}

impl Given<'_> {
    pub fn length(&self) -> Length {
        let lengths = [Some(self.white), self.black].map(|number| number.map(|one| one.length()));
        let has = |length| lengths.contains(&Some(length));
        if has(Length::Long) {
            Length::Long
        } else if has(Length::Short) {
            Length::Short
        } else {
            Length::Bare
        }
    }
}

impl<'a> Reader<'a> {
    /// The numbers of both sides. `white` was just taken; it is also Black's unless `v` and another
    /// number follow.
    pub(super) fn given(&mut self, white: &'a str, at: usize) -> Result<Given<'a>, NotationError> {
        let white = self.number(white, at)?;
        if !self.found(Token::Versus) {
            return Ok(Given { white, black: None });
        }
        match self.take() {
            Some((Token::Amount(black), black_at)) => {
                let black = Some(self.number(black, black_at)?);
                Ok(Given { white, black })
            }
            _ => self.wrong(at, "nothing for Black after the `v`; expected it as in 10 v 7"),
        }
    }

    /// A number that was just taken, with the unit that follows.
    pub(super) fn number(&mut self, text: &'a str, at: usize) -> Result<Number<'a>, NotationError> {
        let unit = match self.peek(0) {
            Some(Token::Hours) => Some(HOUR),
            Some(Token::Minutes) => Some(MINUTE),
            Some(Token::Seconds) => Some(SECOND),
            _ => None,
        };
        let unit = unit.filter(|_| is_number(text));
        if unit.is_some() {
            self.take();
        }
        let is_hours = unit == Some(HOUR) || (text.ends_with('h') && !is_number(text));
        let more = if is_hours { self.minutes_after_hours()? } else { 0 };
        Ok(Number { text, at, unit, more })
    }

    /// Takes the minutes of `1 h 30 min`, after the hours.
    fn minutes_after_hours(&mut self) -> Result<u64, NotationError> {
        let is_separated = self.is_separated();
        let has_and = self.peek(0) == Some(Token::And);
        let first = usize::from(has_and);
        let Some((Token::Amount(text), at)) = self.tokens.get(first).copied() else {
            return Ok(0);
        };
        let is_minute = |token| matches!(token, Token::Minutes | Token::M);
        let has_unit = self.peek(first + 1).is_some_and(is_minute) && is_number(text);
        let digits = text.strip_suffix("min").or_else(|| text.strip_suffix('m')).unwrap_or(text);
        let is_minutes = has_unit || (digits.len() < text.len() && is_number(digits));
        let minutes = digits.parse().ok().filter(|minutes: &u64| *minutes < 60 && is_minutes);
        let Some(minutes) = minutes.filter(|_| !is_separated) else { return Ok(0) };
        if has_and {
            let why = "this can be one time or two; write one time as 1h30, and a second period \
                       with `+` before it";
            return self.wrong(at, why);
        }
        self.take();
        self.found_if(|token| has_unit && is_minute(token));
        Ok(minutes * MINUTE)
    }

    /// The spans of both sides. A number without a unit is in `unit`. If only the other side's has a
    /// unit, it must be the same one, as in `10 v 7 min`.
    pub(super) fn both(
        &self,
        given: &Given<'_>,
        unit: u64,
    ) -> Result<PerSide<Span>, NotationError> {
        let Some(black) = given.black else {
            return Ok(PerSide::both(self.span(&given.white, unit)?));
        };
        for (bare, other) in [(given.white, black), (black, given.white)] {
            if bare.is_bare() && other.stated_unit().is_some_and(|stated| stated != unit) {
                let why = "the other side's time has another unit than a number without one; write \
                           the unit of both, as in 1h v 45m";
                return self.wrong(bare.at, why);
            }
        }
        Ok(PerSide { white: self.span(&given.white, unit)?, black: self.span(&black, unit)? })
    }

    pub(super) fn span(&self, number: &Number<'_>, unit: u64) -> Result<Span, NotationError> {
        let Number { text, at, unit: given, more } = *number;
        let nanos = if is_number(text) {
            let unit = given.unwrap_or(unit);
            text.parse().ok().and_then(|number: u64| number.checked_mul(unit))
        } else {
            match parse_duration(&shortened(text)) {
                Ok(span) => Some(span.as_nanos()),
                Err(error) => return self.wrong(at, &error.to_string()),
            }
        };
        let nanos = nanos.and_then(|nanos| nanos.checked_add(more));
        match nanos.map(Span::from_nanos) {
            Some(span) if span <= MAX_GIVEN => Ok(span),
            _ => {
                let units = match given.unwrap_or(unit) {
                    HOUR => "hours",
                    MINUTE => "minutes",
                    _ => "seconds",
                };
                self.wrong(at, &format!("more {units} than the 1000:00:00 a clock takes"))
            }
        }
    }

    pub(super) fn moves(&self, text: &str, at: usize) -> Result<u32, NotationError> {
        match text.parse() {
            Ok(moves) if is_number(text) && moves > 0 => Ok(moves),
            _ => {
                let expected = format!("expected a number of moves from 1 to {}", u32::MAX);
                self.wrong(at, &expected)
            }
        }
    }
}
