//! Digit entry: one digit is chosen, and goes up and down; leaving the last digit takes the value.

use clock_engine::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Hours (one digit, or three if the value needs them), minutes, seconds.
    Time,
    Count,
    /// Minutes (three digits), and the seconds that are added for each move.
    Both,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    layout: Layout,
    digits: Vec<u8>,
    at: usize,
    before: String,
}

impl Digits {
    /// The digits of a time of up to 9:59:59, or of up to 999:59:59 if it is longer now.
    pub fn time(now: Span) -> Digits {
        let seconds = now.as_nanos().div_ceil(1_000_000_000).min(999 * 3600 + 3599);
        let hours = seconds / 3600;
        let width = if hours > 9 { 3 } else { 1 };
        let text = format!("{hours:0width$}{:02}{:02}", seconds / 60 % 60, seconds % 60);
        Digits::new(Layout::Time, &text)
    }

    /// The digits of a time in minutes and of an increment: `045+15`. The entry begins at the tens
    /// of the minutes, which go on to the hundreds, because few controls have 100 minutes.
    pub fn both(time: Span, per_move: Span) -> Digits {
        let seconds = |span: Span| span.as_nanos() / 1_000_000_000;
        let minutes = (seconds(time) / 60).min(999);
        let text = format!("{minutes:03}{:02}", seconds(per_move).min(59));
        Digits { at: 1, ..Digits::new(Layout::Both, &text) }
    }

    /// The digits of a number, at least `width` of them.
    pub fn count(now: u32, width: usize) -> Digits {
        Digits::new(Layout::Count, &format!("{now:0width$}"))
    }

    fn new(layout: Layout, text: &str) -> Digits {
        let digits = text.bytes().map(|digit| digit - b'0').collect();
        let mut digits = Digits { layout, digits, at: 0, before: String::new() };
        digits.before = digits.text();
        digits
    }

    /// These digits with the chosen one moved by one step up or down. After the last value comes the
    /// first.
    pub fn turned(&self, up: bool) -> Digits {
        let mut turned = self.clone();
        let digits = &mut turned.digits;
        if (self.layout, self.at) == (Layout::Both, 1) {
            let tens = (digits[0] * 10 + digits[1] + if up { 1 } else { 99 }) % 100;
            (digits[0], digits[1]) = (tens / 10, tens % 10);
            return turned;
        }
        let count = self.most(self.at) + 1;
        let step = if up { 1 } else { count - 1 };
        digits[self.at] = (digits[self.at] + step) % count;
        turned
    }

    /// These digits with the next one chosen; `None` after the last one, which takes the value.
    pub fn next(&self) -> Option<Digits> {
        let at = self.at + 1;
        (at < self.digits.len()).then(|| Digits { at, ..self.clone() })
    }

    fn most(&self, index: usize) -> u8 {
        let from_end = self.digits.len().saturating_sub(index + 1);
        match (self.layout, from_end) {
            (Layout::Time, 1 | 3) | (Layout::Both, 1) => 5,
            _ => 9,
        }
    }

    /// The value: seconds, or the number. `None` if no digit was changed.
    pub fn value(&self) -> Option<u64> {
        (self.text() != self.before).then(|| self.number())
    }

    /// The seconds, or the number.
    pub fn number(&self) -> u64 {
        let number =
            |digits: &[u8]| digits.iter().fold(0, |sum: u64, digit| sum * 10 + u64::from(*digit));
        match self.layout {
            Layout::Count => number(&self.digits),
            Layout::Time | Layout::Both => {
                let (rest, seconds) = self.digits.split_at(self.digits.len().saturating_sub(2));
                let hours = match self.layout {
                    Layout::Time => rest.len().saturating_sub(2),
                    _ => 0,
                };
                let (hours, minutes) = rest.split_at(hours);
                number(hours) * 3600 + number(minutes) * 60 + number(seconds)
            }
        }
    }

    /// The digits with a colon before the minutes and the seconds; the chosen one in brackets if
    /// `marked`.
    fn written(&self, marked: bool) -> String {
        let mut text = String::new();
        for (index, digit) in self.digits.iter().enumerate() {
            let from_end = self.digits.len() - index;
            match self.layout {
                Layout::Both if from_end == 2 => text.push('+'),
                Layout::Time if index > 0 && from_end.is_multiple_of(2) => {
                    text.push(':');
                }
                _ => {}
            }
            match marked && index == self.at {
                true => text.push_str(&format!("[{digit}]")),
                false => text.push_str(&digit.to_string()),
            }
        }
        text
    }

    pub fn text(&self) -> String {
        self.written(false)
    }

    pub fn marked(&self) -> String {
        self.written(true)
    }

    pub fn before(&self) -> &str {
        &self.before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_digit_wraps_at_its_own_limit() {
        for (digits, most) in [
            (Digits::time(Span::ZERO), "95959"),
            (Digits::time(Span::from_secs(36_000)), "9995959"),
            (Digits::count(7, 3), "999"),
        ] {
            let mut digits = digits;
            digits.digits.fill(0);
            for digit in most.bytes() {
                digits = digits.turned(false);
                assert_eq!(digits.digits[digits.at], digit - b'0');
                assert_eq!(digits.turned(true).digits[digits.at], 0);
                digits = digits.next().unwrap_or(digits);
            }
            assert!(digits.next().is_none());
            let expected = match digits.layout {
                Layout::Time if most.len() == 7 => 999 * 3600 + 3599,
                Layout::Time => 9 * 3600 + 3599,
                _ => 999,
            };
            assert_eq!(digits.value(), Some(expected));
        }
    }

    #[test]
    fn the_tens_of_the_minutes_go_on_to_the_hundreds() {
        let mut digits = Digits::both(Span::from_secs(90 * 60), Span::from_secs(59));
        for (up, text) in [(true, "100+59"), (false, "090+59")] {
            digits = digits.turned(up);
            assert_eq!(digits.text(), text);
        }
        let none = Digits::both(Span::from_secs(5 * 60), Span::ZERO).turned(false);
        assert_eq!((none.text(), none.value()), ("995+00".to_owned(), Some(995 * 60)));
        assert_eq!(none.turned(true).text(), "005+00");
    }

    #[test]
    fn digits_that_are_as_before_are_no_value() {
        // The time has a fraction of a second, which the digits do not show. It remains if no digit
        // is changed.
        let mut digits = Digits::time(Span::from_nanos(5_300_000_000));
        assert_eq!(digits.text(), "0:00:06");
        while let Some(next) = digits.next() {
            digits = next;
        }
        assert_eq!(digits.value(), None);
        digits = digits.turned(false);
        assert_eq!((digits.before(), &*digits.marked()), ("0:00:06", "0:00:0[5]"));
        assert_eq!(digits.value(), Some(5));
    }
}
