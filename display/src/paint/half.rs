//! One player's half.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use super::digits::Size;
use super::layout::HalfLayout;
use super::look::{Glyphs, Look};
use super::text::{first_fitting, put};
use crate::view::{Half, Mark, Pressure};

/// Paints `half` into `area`.
pub fn paint(buffer: &mut Buffer, area: Rect, half: &Half, look: Look) {
    let style = look.half(half);
    buffer.set_style(area, style);
    let layout = HalfLayout::of(area);
    if matches!(half.pressure, Pressure::Flagged { .. }) {
        hatch(buffer, area, look.glyphs, style);
    }
    let bold = style.add_modifier(Modifier::BOLD);
    match layout {
        HalfLayout::Framed { digits, lowest } => {
            frame(buffer, area, half, look, style);
            let below = time(buffer, digits, &half.time, look.glyphs, style);
            let note = Rect { y: lowest.y.min(below + 1), ..lowest };
            label(buffer, note, &notes(half, look.glyphs).join("   "), bold);
        }
        HalfLayout::Bare { line, digits } => {
            heading(buffer, line, half, look.glyphs, style);
            time(buffer, digits, &half.time, look.glyphs, style);
        }
    }
}

/// A flag's pattern: told apart without any colour, and from across the hall.
fn hatch(buffer: &mut Buffer, area: Rect, glyphs: Glyphs, style: Style) {
    for at in area.positions() {
        if (at.x + at.y) % 4 == 0
            && let Some(cell) = buffer.cell_mut(at)
        {
            cell.set_symbol(glyphs.hatch()).set_style(style);
        }
    }
}

fn frame(buffer: &mut Buffer, area: Rect, half: &Half, look: Look, style: Style) {
    let bold = style.add_modifier(Modifier::BOLD);
    // Two columns of the frame and one on each side stay visible.
    let room = area.width.saturating_sub(4);
    let names = names(half, look.glyphs).map(|name| format!(" {name} "));
    let counts = counts(half).map(|count| format!(" {count} "));
    Block::bordered()
        .border_set(look.glyphs.frame(half.mark))
        .border_style(style)
        .title_style(bold)
        .title(Line::from(first_fitting(&names, room)))
        .title_bottom(Line::from(first_fitting(&counts, room)).alignment(Alignment::Center))
        .render(area, buffer);
}

/// The one line of a half without a frame: the side on the left, everything else on the right.
fn heading(buffer: &mut Buffer, line: Rect, half: &Half, glyphs: Glyphs, style: Style) {
    blank(buffer, line, style);
    let bold = style.add_modifier(Modifier::BOLD);
    let marked = names(half, glyphs);
    // The bare letter always has room: with its mark it is at most four columns.
    let room = line.width.saturating_sub(5);
    let rights = counts(half).map(|count| {
        let mut parts = notes(half, glyphs);
        parts.push(count);
        parts.join("  ")
    });
    let right = first_fitting(&rights, room);
    let right_width = put(buffer, line, right, Alignment::Right, bold);
    let left = Rect { width: line.width.saturating_sub(right_width + 1), ..line };
    put(buffer, left, first_fitting(&marked, left.width), Alignment::Left, bold);
}

/// Paints the time in the middle of `room`; says the first line below it.
fn time(buffer: &mut Buffer, room: Rect, time: &str, glyphs: Glyphs, style: Style) -> u16 {
    let Some(size) = Size::fitting(time, room, glyphs) else {
        // Room for less than the least digits: still the time, in the middle.
        let middle = Rect { y: room.y + room.height / 2, height: room.height.min(1), ..room };
        label(buffer, middle, time, style.add_modifier(Modifier::BOLD));
        return middle.bottom();
    };
    let bounds = size.bounds(time, room, glyphs);
    // One clear column around the digits keeps a flag's pattern out of their shapes.
    let clear = Rect { x: bounds.x.saturating_sub(1), width: bounds.width + 2, ..bounds };
    blank(buffer, clear, style);
    size.paint(buffer, time, room, glyphs, style);
    bounds.bottom()
}

/// What there is to say beside the time, the weightiest first.
fn notes(half: &Half, glyphs: Glyphs) -> Vec<String> {
    let mut notes = Vec::new();
    if let Pressure::Flagged { first, overrun } = &half.pressure {
        notes.push(flag(*first, glyphs));
        notes.extend(overrun.clone());
    }
    notes.extend(half.delay.map(|seconds| format!("delay {seconds}")));
    notes
}

/// The word for a fallen flag.
pub fn flag(first: bool, glyphs: Glyphs) -> String {
    let order = if first { " 1st" } else { "" };
    format!("{}{order}", glyphs.flag())
}

/// The period is always shown; the presses only where there is room for both.
fn counts(half: &Half) -> [String; 2] {
    let period = format!("period {}/{}", half.period, half.periods);
    [format!("{period}   moves {}", half.moves), period]
}

/// Mark, side and player, ever shorter.
fn names(half: &Half, glyphs: Glyphs) -> [String; 3] {
    let mark = match half.mark {
        Mark::Waits => String::new(),
        mark => format!("{} ", glyphs.mark(mark)),
    };
    let side = half.side.name();
    let player = glyphs.text(&half.player);
    [
        if player.is_empty() { format!("{mark}{side}") } else { format!("{mark}{side}  {player}") },
        format!("{mark}{side}"),
        format!("{mark}{}", half.side.letter()),
    ]
}

/// A centred text on clear ground, also where a pattern lies.
fn label(buffer: &mut Buffer, room: Rect, text: &str, style: Style) {
    if text.is_empty() {
        return;
    }
    put(buffer, room, &format!(" {text} "), Alignment::Center, style);
}

fn blank(buffer: &mut Buffer, area: Rect, style: Style) {
    for at in area.positions() {
        if let Some(cell) = buffer.cell_mut(at) {
            cell.set_symbol(" ").set_style(style);
        }
    }
}
