//! The display on a terminal that is too small for large digits: one line of text for each side.
//!
//! A time is never cut, because a part of a time would be read as another time.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};

use super::theme::Theme;
use super::theme::{put, width};
use crate::content::{Content, Game, Menu, SideDisplay, TimeLevel, TurnMark, Urgency};
use crate::glyphs::Glyphs;
use crate::texts::{earlier_flag, flag, letter, low, overtime, periods, status_line, used};

/// The size from which on there is room for digits ([`super::layout::MIN_WITH_DIGITS`]).
const ENOUGH: &str = "40x10";

/// Paints `content` into `area`, one line after the other. What does not fit into the lines of
/// `area` is left out.
pub fn paint(buffer: &mut Buffer, area: Rect, content: &Content, theme: Theme) {
    let mut lines = area.rows();
    let words = match content {
        Content::Starting(words) | Content::NoService(words) => words,
        Content::Game(game) => game.words,
    };
    let glyphs = theme.glyphs;
    let [no_service, no_clock] = words.no_service.map(|text| glyphs.text(text));
    // Whether the area is too narrow for the note that the times are only the last known ones.
    let is_narrow = area.width < width(&no_clock);
    let no_service = [no_service, no_clock, glyphs.text(words.none), "-".to_owned()];
    match content {
        // No time is shown where the note has no room: on three lines or fewer, or if `is_narrow`.
        Content::Game(game) if game.is_stale() && (area.height <= 3 || is_narrow) => {
            line(buffer, lines.next(), &no_service, theme.notice());
        }
        Content::Starting(_) => {
            let texts = [glyphs.text(words.starting), "-".to_owned()];
            line(buffer, lines.next(), &texts, theme.normal());
        }
        Content::NoService(_) => {
            line(buffer, lines.next(), &no_service, theme.notice());
        }
        Content::Game(game) if game.menu == Menu::Release => {
            line(buffer, lines.next(), &[glyphs.text(words.release.word)], theme.notice());
        }
        Content::Game(game) => {
            let fault = game.status.fault.filter(|_| area.height <= 2);
            for display in shown_sides(game, area.height) {
                let texts = texts(display, fault, mark_width(game), theme.glyphs);
                let style = theme.side(display).add_modifier(Modifier::BOLD);
                line(buffer, lines.next(), &texts, style);
            }
            if area.height > 2 {
                let status = &game.status;
                let texts = status_line(status, theme.glyphs);
                let style = match status.urgency {
                    Urgency::Call | Urgency::Fault => theme.status(status.urgency),
                    Urgency::Normal | Urgency::Notice => theme.normal(),
                };
                line(buffer, lines.next(), &texts, style);
            }
        }
    }
    // The hint to enlarge the terminal is left out if no line is left or if none of its texts fits.
    let [long, short] = words.enlarge.map(|text| glyphs.text(&text.with([&ENOUGH])));
    line(buffer, lines.next(), &[long, short, ENOUGH.to_owned()], theme.normal());
}

/// The sides that are shown. If there are at least two lines, both sides are shown. If there is
/// only one line, it shows the side on move, or White if no side is marked as on move.
fn shown_sides(game: &Game, lines: u16) -> Vec<&SideDisplay> {
    let both = game.in_wired_order();
    if lines > 1 {
        return both.into();
    }
    let on_move = both.into_iter().find(|display| display.mark != TurnMark::Waiting);
    vec![on_move.unwrap_or(&game.white)]
}

/// The width that the lines of both sides reserve for the mark, so that the times are aligned.
fn mark_width(game: &Game) -> usize {
    if [&game.white, &game.black].iter().any(|display| display.mark == TurnMark::Stopped) {
        2
    } else {
        1
    }
}

/// The texts for the line of one side, in the order in which they are tried. The first one that
/// fits is painted. `fault` is the short text of a fault, or `None` if there is no fault or if the
/// status line shows it. If the side is on move and its final flag has not fallen, the first texts
/// contain `fault`.
fn texts(
    display: &SideDisplay,
    fault: Option<&str>,
    mark_width: usize,
    glyphs: Glyphs,
) -> Vec<String> {
    let SideDisplay {
        // The function `letter` uses this field.
        side: _,
        time,
        mark: turn,
        time_level,
        delay,
        earlier_flag: flag_fell,
        stale,
        // `periods` makes texts from these fields.
        period: _,
        method: _,
        // The functions `overtime` and `used` make texts from these fields.
        overtime: _,
        used: _,
        // The line has no room for these fields.
        player: _,
        moves: _,
        score: _,
        interrupted: _,
        conditions,
        words,
    } = display;
    let letter = glyphs.text(letter(display));
    let mark = glyphs.mark(*turn);
    let main = format!("{letter} {mark:<mark_width$} {time}");
    let close = format!("{letter}{mark}{time}");
    let [_, with_method, _, period] = periods(display, glyphs);
    let mut notes = Vec::new();
    if let TimeLevel::Flagged { order, overrun } = time_level {
        let flag = flag(*order, words, glyphs);
        notes.extend(overrun.as_ref().map(|overrun| format!("{flag} {overrun}")));
        notes.push(flag);
    } else {
        notes.extend(fault.filter(|_| *turn != TurnMark::Waiting).map(str::to_owned));
        let [_, short] = overtime(display, glyphs);
        notes.extend(Some(short).filter(|short| !short.is_empty()));
        notes.extend(delay.map(|seconds| words.notes.delay.with([&seconds])));
        notes.extend(flag_fell.then(|| earlier_flag(words, glyphs)));
        notes.extend(used(display).into_iter().filter(|used| !used.is_empty()));
        notes.extend(stale.then(|| words.notes.last_known.to_owned()));
        notes.extend(conditions.last().cloned());
        notes.extend(Some(low(display, glyphs)).filter(|low| !low.is_empty()));
    }
    let notes: Vec<String> = notes.iter().map(|note| glyphs.text(note)).collect();
    // If there is room, both a note and the period are shown. Otherwise only the note is shown,
    // because a note, such as that of a flag, is more important than the period. The method is shown
    // beside the period if there is room for it, too.
    let with_period =
        |note: &String| [&with_method, &period].map(|period| format!("{main} {note}  {period}"));
    let mut texts: Vec<String> = notes.iter().flat_map(with_period).collect();
    texts.extend(notes.iter().map(|note| format!("{main} {note}")));
    if let TimeLevel::Flagged { .. } = time_level {
        let flag = glyphs.text(words.flag);
        // `F` is the sign of a final flag on seven-segment digits, too, in every language.
        texts.extend([format!("{letter}{mark} {flag}"), format!("{letter} F")]);
    }
    let tight = format!("{letter}{time}");
    texts.extend([&with_method, &period].map(|period| format!("{main}  {period}")));
    texts.extend([main, close, tight, time.clone()]);
    texts.extend([format!("{letter}{mark}"), letter]);
    texts
}

/// Paints the first text that fits into `row`. Paints nothing if none fits or if `row` is `None`.
fn line<S: AsRef<str>>(buffer: &mut Buffer, row: Option<Rect>, texts: &[S], style: Style) {
    let Some(row) = row else { return };
    let fitting = texts.iter().find(|text| width(text.as_ref()) <= row.width);
    if let Some(text) = fitting {
        buffer.set_style(row, style);
        put(buffer, row, text.as_ref(), Alignment::Left, style);
    }
}
