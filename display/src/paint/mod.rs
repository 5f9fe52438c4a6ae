//! Painting a view.

mod compact;
mod digits;
mod half;
mod layout;
mod look;
mod name;
mod text;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Block, Widget};

pub use look::Look;

use crate::demo::Line;
use crate::view::{Game, Mark, Urgency, View};
use layout::{Layout, NORMAL, split_bottom};
use name::cut_end;
use text::{first_fitting, put};

/// Everything on the screen. Equal screens look the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    pub view: View,
    /// The line of the keys, in the demo.
    pub demo: Option<Line>,
}

/// A lower face has no line to spare for the command of another terminal.
const HINTED: u16 = 18;

/// The keys of the demo, all of them, ever shorter.
const KEYS: [&str; 6] = [
    " w White's button  b Black's button  c call arbiter  space start/pause/resume  n new  q quit ",
    " w White  b Black  c call  space start/pause/resume  n new  q quit ",
    " w White  b Black  c call  space go/stop  n new  q quit ",
    "w White b Black c call spc go n new q end",
    "w b c space n q",
    SHORTEST_KEYS,
];
/// Cut where not even this fits: each letter left is still a key.
const SHORTEST_KEYS: &str = "wbc_nq";

/// Paints `screen` on the whole terminal.
pub fn paint(frame: &mut Frame, screen: &Screen, look: Look) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    buffer.set_style(area, look.calm());
    let face = match &screen.demo {
        Some(line) if area.height > 1 => {
            let (face, keys) = split_bottom(area, 1);
            paint_keys(buffer, keys, line, look);
            paint_hint(buffer, face, line, look)
        }
        _ => area,
    };
    if area.width < NORMAL.0 || area.height < NORMAL.1 {
        compact::paint(buffer, face, &screen.view, look);
        return;
    }
    match &screen.view {
        View::NoService => paint_absence(buffer, face, look),
        View::Game(game) => paint_game(buffer, face, game, look),
    }
}

fn paint_game(buffer: &mut Buffer, area: Rect, game: &Game, look: Look) {
    let layout = Layout::of(area, look.glyphs);
    half::paint(buffer, layout.white, &game.white, look);
    half::paint(buffer, layout.black, &game.black, look);
    let style = look.status(game.status.urgency);
    if game.status.urgency != Urgency::Calm {
        buffer.set_style(layout.status, style);
    }
    let room = middle(layout.status);
    let texts: Vec<String> = game.status.texts.iter().map(|text| look.glyphs.text(text)).collect();
    // Words only, such as a time control's long name: their beginning is better than nothing.
    let text = first_fitting(&texts, room.width).map_or_else(
        || cut_end(texts.last().map_or("", String::as_str), room.width, look.glyphs.ellipsis()),
        str::to_owned,
    );
    put(buffer, room, &text, Alignment::Center, style);
}

fn paint_absence(buffer: &mut Buffer, area: Rect, look: Look) {
    Block::bordered().border_set(look.glyphs.frame(Mark::Waits)).render(area, buffer);
    put(buffer, middle(area), " no clock service ", Alignment::Center, look.notice());
}

/// Above the keys the command for another terminal, where the face has its digits beside it; the
/// room that is left.
fn paint_hint(buffer: &mut Buffer, area: Rect, line: &Line, look: Look) -> Rect {
    let texts = line.hint.lines(area.width);
    let (rest, room) = split_bottom(area, u16::try_from(texts.len()).unwrap_or(u16::MAX));
    if rest.height < HINTED || area.width < NORMAL.0 {
        return area;
    }
    for (row, text) in room.rows().zip(texts) {
        put(buffer, row, &look.glyphs.text(&text), Alignment::Left, look.calm());
    }
    rest
}

/// The keys are always there; a refusal stands in their place until the next key or a while.
fn paint_keys(buffer: &mut Buffer, area: Rect, line: &Line, look: Look) {
    let mut room = area;
    if line.no_buttons {
        let used = put(buffer, room, " no buttons ", Alignment::Left, look.notice());
        room = Rect { x: room.x + used, width: room.width - used, ..room };
    }
    match &line.refusal {
        Some(refusal) => {
            let text = format!(" {}", look.glyphs.text(refusal));
            put(buffer, room, &text, Alignment::Left, look.refusal());
        }
        None => {
            let keys = first_fitting(&KEYS, room.width).unwrap_or(SHORTEST_KEYS);
            put(buffer, room, keys, Alignment::Left, look.calm());
        }
    }
}

fn middle(area: Rect) -> Rect {
    Rect { y: area.y + area.height / 2, height: area.height.min(1), ..area }
}

#[cfg(test)]
mod tests;
