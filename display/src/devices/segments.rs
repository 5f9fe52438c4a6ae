//! Encodes what the seven-segment modules show: the segments of eight digits for each side.
//!
//! The digits from left to right are a number (2 digits), a sign (1) and the time (5). If several
//! numbers apply, the first one of the table is shown. Before the start of a game and after its
//! end, both sides are shown as not on move.
//!
//! | number | shown |
//! |---|---|
//! | ` 5.` | on move, and a delay is left: its seconds, at most 99 |
//! | ` 3.` | in overtime: the periods left; in the last one the moves left, if moves are shown |
//! | ` 7`, `40` | the press counter, if the rule profile shows it; its last two digits from 100 |
//!
//! | sign | segments | meaning |
//! |---|---|---|
//! | three bars | a d g | this clock runs |
//! | `d` | b c d e g | this clock runs, and its delay is used up first |
//! | two bars | b c e f | on move, and both clocks stand |
//! | `E` | a d e f g | not on move, and the face shows a fault (`Status::fault`) |
//! | `A` | a b c e f g | not on move, no fault, and the arbiter is awaited |
//! | blank | | not on move, no fault, and the arbiter is not awaited |
//! | the sign's point | dp | with any sign: a flag fell in an earlier period, and play went on |
//!
//! | time | shown |
//! |---|---|
//! | `1.30.00`, `  4.05` | h.mm.ss or m.ss |
//! | `L 0.59`, `L 19.9` | low: less than one minute is left; below 20 s with tenths |
//! | `U12.34` | counted up: the time used. No `U` where its digit shows more of the time, as from 1 h |
//! | `L59.31` | counted up, and low: less than a minute to the limit. No `L` where there is no `U` |
//! | `F  0.0` | a final flag that fell first (`F`, upright) |
//! | `t  0.0` | a final flag that fell second, or in unknown order (an `F` upside down) |
//! | `F.12.34` | `F` or `t` with the point: how long the clock has run since the flag |
//! | `10.00h`, `100h` | a longer time: hours and minutes, or only hours if the minutes do not fit |
//! | `----h` | the hours do not fit either |
//!
//! While the menu is open, one module shows the number of the page and the other one the value of
//! the chosen line, on the right, beside the sign `E` or `A`. `rELEASE` on both asks the players to release the buttons.
//!
//! If no service answers, dashes are shown in place of the number and of the sign, beside the last
//! known time. If no time is known, all sixteen digits show a dash.

use crate::content::{Content, Menu, Overtime, SideDisplay, Status, TimeLevel, TurnMark, Used};

/// The segments of the eight digits of a side, from left to right. The bits from the highest to the
/// lowest are dp a b c d e f g, as in the MAX7219.
pub type Digits = [u8; 8];

/// The eight digits of a module show a number (2 digits), a sign (1 digit) and the time (5 digits).
const NUMBER: usize = 2;
const TIME: usize = 5;

const POINT: u8 = 0b1000_0000;
const NUMERALS: [u8; 10] = [
    0b0111_1110,
    0b0011_0000,
    0b0110_1101,
    0b0111_1001,
    0b0011_0011,
    0b0101_1011,
    0b0101_1111,
    0b0111_0000,
    0b0111_1111,
    0b0111_1011,
];
const BLANK: u8 = 0;
const DASH: u8 = 0b0000_0001;
const THREE_BARS: u8 = 0b0100_1001;
const TWO_BARS: u8 = 0b0011_0110;
const A: u8 = 0b0111_0111;
const D: u8 = 0b0011_1101;
const E: u8 = 0b0100_1111;
const F: u8 = 0b0100_0111;
const F_UPSIDE_DOWN: u8 = 0b0000_1111;
const H: u8 = 0b0001_0111;
const L: u8 = 0b0000_1110;
const R: u8 = 0b0000_0101;
const U: u8 = 0b0011_1110;

/// What White's and Black's modules show if no clock service has answered since the program
/// started.
pub const NO_SERVICE: [Digits; 2] = [[DASH; 8]; 2];

/// The sign `rELEASE`, in every language.
const RELEASE: Digits = [BLANK, R, E, L, E, A, NUMERALS[5], E];

/// What the modules at the buttons that are wired as White's and as Black's show for this content.
pub fn encode(content: &Content) -> [Digits; 2] {
    match content {
        Content::Starting(_) | Content::NoService(_) => NO_SERVICE,
        Content::Game(game) if game.menu == Menu::Release => [RELEASE; 2],
        Content::Game(game) => {
            let Status {
                fault,
                call,
                // The modules have no room for the status line.
                texts: _,
                urgency: _,
                battery: _,
                hold: _,
            } = &game.status;
            let free_sign = match (fault, !call.is_empty()) {
                (Some(_), _) => E,
                (None, true) => A,
                (None, false) => BLANK,
            };
            match &game.menu {
                Menu::Open(page) => page.segments.each_ref().map(|line| menu_line(line, free_sign)),
                _ => game.in_wired_order().map(|display| side(display, free_sign)),
            }
        }
    }
}

/// A line of a page of the menu: digits, `-`, `.` and blanks, on the right of the module. A point
/// belongs to the digit before it. `free_sign` is the sign that is shown if its digit is free.
fn menu_line(line: &str, free_sign: u8) -> Digits {
    let mut shown: Vec<u8> = Vec::new();
    for character in line.chars() {
        match (character, shown.last_mut()) {
            ('.', Some(digit)) if *digit & POINT == 0 => *digit |= POINT,
            ('.', _) => shown.push(POINT),
            ('-', _) => shown.push(DASH),
            _ => shown.push(character.to_digit(10).map_or(BLANK, |digit| numeral(digit.into()))),
        }
    }
    let mut digits = [BLANK; 8];
    digits.iter_mut().rev().zip(shown.iter().rev()).for_each(|(to, from)| *to = *from);
    if shown.len() < digits.len() - NUMBER {
        digits[NUMBER] = free_sign;
    }
    digits
}

/// The digits of one side. `free_sign` is the sign that is shown if the side is not on move.
fn side(display: &SideDisplay, free_sign: u8) -> Digits {
    let SideDisplay {
        time,
        mark,
        time_level,
        delay,
        overtime,
        earlier_flag,
        used,
        moves,
        stale,
        // Each module stands in front of its player, so it need not show the side.
        side: _,
        // The modules have no room for these fields.
        player: _,
        period: _,
        method: _,
        score: _,
        interrupted: _,
        conditions: _,
        // Seven segments show the same signs in every language.
        words: _,
    } = display;
    let mut digits = [DASH; 8];
    if !stale {
        digits[..NUMBER].copy_from_slice(&number(*mark, *delay, *overtime, *moves));
        digits[NUMBER] = sign(*mark, delay.is_some(), *earlier_flag, free_sign);
    }
    digits[NUMBER + 1..].copy_from_slice(&time_digits(time, time_level, used.as_ref()));
    digits
}

fn number(
    mark: TurnMark,
    delay: Option<u64>,
    overtime: Option<Overtime>,
    moves: Option<u32>,
) -> [u8; NUMBER] {
    let pointed = |value: u64| {
        let [tens, ones] = two_digits(value.min(99));
        [tens, ones | POINT]
    };
    match (delay, mark, overtime, moves) {
        (Some(seconds), TurnMark::Running | TurnMark::Stopped, _, _) => pointed(seconds),
        (_, _, Some(Overtime { periods: 1, moves: Some(moves) }), _) => pointed(moves.into()),
        (_, _, Some(Overtime { periods, moves: _ }), _) => pointed(periods.into()),
        (_, _, None, Some(moves)) => two_digits(moves.into()),
        (_, _, None, None) => [BLANK; NUMBER],
    }
}

/// The last two digits of a number. A number below 10 has a blank before its only digit.
fn two_digits(value: u64) -> [u8; NUMBER] {
    let tens = if value < 10 { BLANK } else { numeral(value / 10) };
    [tens, numeral(value)]
}

/// The last digit of a number.
fn numeral(value: u64) -> u8 {
    usize::try_from(value % 10).map_or(BLANK, |digit| NUMERALS[digit])
}

fn sign(mark: TurnMark, delayed: bool, earlier_flag: bool, free_sign: u8) -> u8 {
    let sign = match mark {
        TurnMark::Running if delayed => D,
        TurnMark::Running => THREE_BARS,
        TurnMark::Stopped => TWO_BARS,
        TurnMark::Waiting => free_sign,
    };
    if earlier_flag { sign | POINT } else { sign }
}

fn time_digits(time: &str, level: &TimeLevel, used: Option<&Used>) -> [u8; TIME] {
    let (letter, text) = match level {
        TimeLevel::Flagged { order, overrun } => {
            let flag = if order.is_first() { F } else { F_UPSIDE_DOWN };
            match overrun {
                Some(overrun) => (flag | POINT, overrun.trim_start_matches('+')),
                None => (flag, time),
            }
        }
        // The letter would take the place of minutes or seconds, so it is left out.
        TimeLevel::Low(_) | TimeLevel::Ample
            if fitting_form(time, TIME - 1) != fitting_form(time, TIME) =>
        {
            return right_aligned(time);
        }
        TimeLevel::Low(_) => (L, time),
        TimeLevel::Ample if used.is_some() => (U, time),
        TimeLevel::Ample => return right_aligned(time),
    };
    let mut digits = [letter; TIME];
    digits[1..].copy_from_slice(&right_aligned::<{ TIME - 1 }>(text));
    digits
}

/// How many digits a time needs. Colons and points need no digit of their own.
fn numerals(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

/// A time as it is given, in hours and minutes, and in hours only, each with its unit.
fn forms(text: &str) -> [(String, &'static str); 3] {
    let (hours, minutes) = text.split_once(':').unwrap_or((text, ""));
    let minutes = minutes.split(':').next().unwrap_or_default();
    [(text.to_owned(), ""), (format!("{hours}:{minutes}"), "h"), (hours.to_owned(), "h")]
}

/// The index of the first form of this time that fits into `room` digits; `None` if none fits.
fn fitting_form(text: &str, room: usize) -> Option<usize> {
    forms(text).iter().position(|(text, unit)| numerals(text) + unit.len() <= room)
}

/// The time at the right end of `ROOM` digits, in the first of its forms that fits; otherwise
/// dashes with an `h`.
fn right_aligned<const ROOM: usize>(text: &str) -> [u8; ROOM] {
    forms(text).iter().find_map(|(text, unit)| fitted(text, unit)).unwrap_or_else(|| {
        let mut digits = [DASH; ROOM];
        digits[ROOM - 1] = H;
        digits
    })
}

/// The time `text` and its unit at the right end of `ROOM` digits; `None` if they do not fit.
fn fitted<const ROOM: usize>(text: &str, unit: &str) -> Option<[u8; ROOM]> {
    let mut digits = [BLANK; ROOM];
    let mut next = ROOM.checked_sub(numerals(text) + unit.len())?;
    for character in text.chars().chain(unit.chars()) {
        match character.to_digit(10) {
            Some(digit) => digits[next] = numeral(digit.into()),
            None if character == 'h' => digits[next] = H,
            // A colon or a point becomes the point of the digit before it.
            None => {
                digits[next.checked_sub(1)?] |= POINT;
                continue;
            }
        }
        next += 1;
    }
    Some(digits)
}

#[cfg(test)]
pub mod tests;
