//! The face of a terminal too small for digits: one line a side.
//!
//! A time is never cut: half a time would be read as another time.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};

use super::half::{earlier_flag, flag, overtime};
use super::look::{Glyphs, Look};
use super::text::{put, width};
use crate::view::{Game, Half, Mark, Pressure, Urgency, View};

const ENLARGE: [&str; 3] = ["enlarge to 40x10", "enlarge: 40x10", "40x10"];
const NO_SERVICE: [&str; 4] = ["no clock service", "no clock", "none", "-"];

/// Paints `view` into `area`, line by line as far as they go.
pub fn paint(buffer: &mut Buffer, area: Rect, view: &View, look: Look) {
    let mut lines = area.rows();
    match view {
        View::NoService => {
            line(buffer, lines.next(), &NO_SERVICE, look.notice());
        }
        View::Game(game) => {
            let fault = game.status.fault.filter(|_| area.height <= 2);
            for half in halves(game, area.height) {
                let texts = texts(half, fault, mark_width(game), look.glyphs);
                let style = look.half(half).add_modifier(Modifier::BOLD);
                line(buffer, lines.next(), &texts, style);
            }
            if area.height > 2 {
                let status = &game.status;
                let texts: Vec<String> =
                    status.texts.iter().map(|text| look.glyphs.text(text)).collect();
                let style = match status.urgency {
                    Urgency::Fault => look.status(status.urgency),
                    Urgency::Calm | Urgency::Notice => look.calm(),
                };
                line(buffer, lines.next(), &texts, style);
            }
        }
    }
    // Left out where it does not fit: the times come first.
    line(buffer, lines.next(), &ENLARGE, look.calm());
}

/// Both halves, or with one line only the one that matters: whose turn it is.
fn halves(game: &Game, lines: u16) -> Vec<&Half> {
    let both = [&game.white, &game.black];
    if lines > 1 {
        return both.into();
    }
    let on_move = both.into_iter().find(|half| half.mark != Mark::Waits);
    vec![on_move.unwrap_or(&game.white)]
}

/// Both lines keep their times below each other, whichever has the mark.
fn mark_width(game: &Game) -> usize {
    if [&game.white, &game.black].iter().any(|half| half.mark == Mark::Stopped) { 2 } else { 1 }
}

/// A half in one line, ever shorter. A fault that has no line of its own stands beside the time of
/// the side on move.
fn texts(half: &Half, fault: Option<&str>, mark_width: usize, glyphs: Glyphs) -> Vec<String> {
    let letter = half.side.letter();
    let mark = glyphs.mark(half.mark);
    let time = &half.time;
    let main = format!("{letter} {mark:<mark_width$} {time}");
    let close = format!("{letter}{mark}{time}");
    let period = &half.period;
    let mut notes = Vec::new();
    if let Pressure::Flagged { first, overrun } = &half.pressure {
        let flag = flag(*first, glyphs);
        notes.extend(overrun.as_ref().map(|overrun| format!("{flag} {overrun}")));
        notes.push(flag);
    } else {
        notes.extend(fault.filter(|_| half.mark != Mark::Waits).map(str::to_owned));
        let [_, short] = overtime(half, glyphs);
        notes.extend(Some(short).filter(|short| !short.is_empty()));
        notes.extend(half.delay.map(|seconds| format!("delay {seconds}")));
        notes.extend(half.earlier_flag.then(|| earlier_flag(glyphs)));
        notes.extend(half.used.then(|| "used".to_owned()));
    }
    // The period beside a note where both have room, then either alone: the flag goes before it.
    let mut texts: Vec<String> =
        notes.iter().map(|note| format!("{main} {note}  {period}")).collect();
    texts.extend(notes.iter().map(|note| format!("{main} {note}")));
    if let Pressure::Flagged { .. } = half.pressure {
        texts.extend([format!("{letter}{mark} FLAG"), format!("{letter} F")]);
    }
    let tight = format!("{letter}{time}");
    texts.extend([format!("{main}  {period}"), main, close, tight, time.clone()]);
    texts.extend([format!("{letter}{mark}"), letter.to_owned()]);
    texts
}

/// Fills one line with the first text that fits, or leaves it alone.
fn line<S: AsRef<str>>(buffer: &mut Buffer, row: Option<Rect>, texts: &[S], style: Style) {
    let Some(row) = row else { return };
    let fitting = texts.iter().find(|text| width(text.as_ref()) <= row.width);
    if let Some(text) = fitting {
        buffer.set_style(row, style);
        put(buffer, row, text.as_ref(), Alignment::Left, style);
    }
}
