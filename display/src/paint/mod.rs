//! Painting a view.

mod compact;
mod digits;
mod half;
mod layout;
mod look;
mod text;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Block, Widget};

pub use look::Look;

use crate::demo::Line;
use crate::view::{Game, Mark, Status, View};
use layout::{Layout, NORMAL, split_bottom};
use text::{first_fitting, put};

/// Everything on the screen. Equal screens look the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    pub view: View,
    /// The line of the keys, in the demo.
    pub demo: Option<Line>,
}

/// The keys of the demo, all of them, ever shorter.
const KEYS: [&str; 7] = [
    " w White's button  b Black's button  c call arbiter  space start/pause/resume  n new  \
     a clockctl  q quit ",
    " w White  b Black  c call  space start/pause/resume  n new  a clockctl  q quit ",
    " w White  b Black  c call  space go/stop  n new  a ctl  q quit ",
    "w White b Black c call spc go n new a ctl q end",
    "w White b Black c call spc n new a ctl q",
    "w b c space n a q",
    SHORTEST_KEYS,
];
/// Cut where not even this fits: each letter left is still a key.
const SHORTEST_KEYS: &str = "wbc_naq";

/// Paints `screen` on the whole terminal.
pub fn paint(frame: &mut Frame, screen: &Screen, look: Look) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    buffer.set_style(area, look.calm());
    let face = match &screen.demo {
        Some(line) if area.height > 1 => {
            let (face, keys) = split_bottom(area, 1);
            paint_keys(buffer, keys, line, look);
            face
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
    let (style, room) = match &game.status {
        Status::Calm(_) => (look.calm(), middle(layout.status)),
        Status::Stands(_) => {
            buffer.set_style(layout.status, look.notice());
            (look.notice(), middle(layout.status))
        }
    };
    let text = look.glyphs.text(game.status.text());
    let short = text.split(" - ").next().unwrap_or(&text);
    let texts = [text.as_str(), short];
    // Words only, such as a time control's long name: their beginning is better than nothing.
    let text = first_fitting(&texts, room.width).unwrap_or(short);
    put(buffer, room, text, Alignment::Center, style);
}

fn paint_absence(buffer: &mut Buffer, area: Rect, look: Look) {
    Block::bordered().border_set(look.glyphs.frame(Mark::Waits)).render(area, buffer);
    put(buffer, middle(area), " no clock service ", Alignment::Center, look.notice());
}

/// The keys are always there; a refusal stands in their place until the next key or a while.
fn paint_keys(buffer: &mut Buffer, area: Rect, line: &Line, look: Look) {
    let mut room = area;
    if line.no_buttons {
        let used = put(buffer, room, " no buttons ", Alignment::Left, look.notice());
        room = Rect { x: room.x + used, width: room.width - used, ..room };
    }
    match (&line.refusal, &line.arbiter) {
        (Some(refusal), _) => {
            let text = format!(" {}", look.glyphs.text(refusal));
            put(buffer, room, &text, Alignment::Left, look.refusal());
        }
        (None, Some(command)) => {
            put(buffer, room, &format!(" {command}"), Alignment::Left, look.calm());
        }
        (None, None) => {
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
