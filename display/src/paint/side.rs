//! One side of the display: name, time, period, moves and notes.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use super::digits::Size;
use super::layout::SideLayout;
use super::theme::{Colours, Theme};
use super::theme::{columns, first_fitting, put, width};
use crate::content::{FLAG_SIGN, SideDisplay, TimeLevel};
use crate::glyphs::Glyphs;
use crate::texts::{self, counts, everything, notes_and_low, notes_and_moves, periods};

/// The columns that a heading reserves for the widest mark, a blank and the letter of the side.
/// They are reserved for every mark, so that nothing moves when the mark changes.
const MARKED_LETTER: u16 = 4;
/// The number of blanks between the side and the player's name.
const NAME_GAP: u16 = 2;
/// The columns that a heading reserves for a name. A shorter name reserves only its own width.
const RESERVED_FOR_NAME: u16 = 6;

pub fn paint(buffer: &mut Buffer, area: Rect, display: &SideDisplay, theme: Theme) {
    let SideDisplay {
        time: _,
        time_level,
        stale,
        // `time` uses this field.
        score: _,
        // The heading, the frame and the theme use these fields.
        side: _,
        player: _,
        mark: _,
        interrupted: _,
        // `texts::notes` uses these fields.
        delay: _,
        overtime: _,
        earlier_flag: _,
        used: _,
        conditions: _,
        // `texts::counts` uses these fields.
        period: _,
        method: _,
        moves: _,
        // The functions of `texts` use this field.
        words: _,
    } = display;
    let style = theme.side(display);
    buffer.set_style(area, style);
    let layout = SideLayout::of(area);
    let is_flagged = matches!(time_level, TimeLevel::Flagged { .. });
    if *stale || is_flagged && theme.colours == Colours::None {
        hatch(buffer, area, theme.glyphs, style);
    }
    let glyphs = theme.glyphs;
    match layout {
        SideLayout::Framed { digits, last_line } => {
            frame(buffer, area, display, theme, style);
            let below = time(buffer, digits, display, glyphs, style);
            note(buffer, last_line, below, &notes_and_low(display, glyphs, "   "), style);
        }
        SideLayout::Bare { line, digits } => {
            heading(buffer, line, display, glyphs, style, &everything(display, glyphs));
            time(buffer, digits, display, glyphs, style);
        }
        SideLayout::Narrow { line, digits, last_line } => {
            heading(buffer, line, display, glyphs, style, &periods(display, glyphs));
            let below = time(buffer, digits, display, glyphs, style);
            note(buffer, last_line, below, &notes_and_moves(display, glyphs), style);
        }
    }
}

/// Paints the hatching of a side. The caller does this if the time of the side is only the last known
/// one or, on a terminal without colours, if the final flag of the side has fallen.
fn hatch(buffer: &mut Buffer, area: Rect, glyphs: Glyphs, style: Style) {
    for at in area.positions() {
        if (at.x + at.y) % 4 == 0
            && let Some(cell) = buffer.cell_mut(at)
        {
            cell.set_symbol(glyphs.hatch()).set_style(style);
        }
    }
}

fn frame(buffer: &mut Buffer, area: Rect, display: &SideDisplay, theme: Theme, style: Style) {
    let bold = style.add_modifier(Modifier::BOLD);
    // At each end of a text, the corner and one more column of the frame stay visible.
    let room = area.width.saturating_sub(4);
    let title = match texts::heading(display, theme.glyphs, room.saturating_sub(2).into(), &columns)
    {
        text if text.is_empty() => text,
        text => format!(" {text} "),
    };
    let counts = counts(display, theme.glyphs).map(|count| format!(" {count} "));
    let counts = first_fitting(&counts, room).unwrap_or_default();
    Block::bordered()
        .border_set(theme.glyphs.frame(display.mark))
        .border_style(style)
        .title_style(bold)
        .title(title)
        .title_bottom(Line::from(counts).alignment(Alignment::Center))
        .render(area, buffer);
}

/// Paints the first line of a side without a frame. On the left are the side and its player, and on
/// the right is the first text of `right_texts` that fits.
fn heading(
    buffer: &mut Buffer,
    line: Rect,
    display: &SideDisplay,
    glyphs: Glyphs,
    style: Style,
    right_texts: &[String],
) {
    blank(buffer, line, style);
    let bold = style.add_modifier(Modifier::BOLD);
    let room = line.width.saturating_sub(MARKED_LETTER + 1);
    let name = width(&glyphs.name(&display.player)).min(RESERVED_FOR_NAME);
    let beside_name = room.saturating_sub(if name > 0 { NAME_GAP + name } else { 0 });
    // A final flag is more important than the name, and the name is more important than all other
    // texts.
    let flagged = matches!(display.time_level, TimeLevel::Flagged { .. });
    let flag = glyphs.text(display.words.flag);
    let right = first_fitting(right_texts, beside_name)
        .filter(|text| !flagged || text.contains(&flag))
        .or_else(|| first_fitting(right_texts, room));
    let right_width = put(buffer, line, right.unwrap_or_default(), Alignment::Right, bold);
    let left = Rect { width: line.width.saturating_sub(right_width + 1), ..line };
    put(
        buffer,
        left,
        &texts::heading(display, glyphs, left.width.into(), &columns),
        Alignment::Left,
        bold,
    );
}

/// Paints the first note that fits. `below` is the first line below the digits. This line stays
/// empty, and the note is in the line after it. If that would be below `last_line`, the note is in
/// `last_line`.
fn note(buffer: &mut Buffer, last_line: Rect, below: u16, texts: &[String], style: Style) {
    let room = Rect { y: last_line.y.min(below + 1), ..last_line };
    let text = first_fitting(texts, room.width.saturating_sub(2)).unwrap_or_default();
    label(buffer, room, text, style.add_modifier(Modifier::BOLD));
}

/// Paints the time in the middle of `room`. Returns the first line below it.
///
/// The sign of the first flag is left out if the time and the sign do not fit at the smallest size. When
/// the game is over, the points of the side are in place of the time, which is beside them.
fn time(
    buffer: &mut Buffer,
    room: Rect,
    display: &SideDisplay,
    glyphs: Glyphs,
    style: Style,
) -> u16 {
    let is_first =
        matches!(&display.time_level, TimeLevel::Flagged { order, .. } if order.is_first());
    let sign = if is_first { FLAG_SIGN.to_string() } else { String::new() };
    let texts = match &display.score {
        Some(score) => vec![score.clone()],
        None => vec![format!("{sign}{}", display.time), display.time.clone()],
    };
    let fitting = texts.iter().find_map(|text| Some((Size::fitting(text, room, glyphs)?, text)));
    let Some((size, time)) = fitting else {
        // There is no room for the smallest digits, so the time is painted as plain text.
        let middle = Rect { y: room.y + room.height / 2, height: room.height.min(1), ..room };
        label(buffer, middle, &display.time, style.add_modifier(Modifier::BOLD));
        return middle.bottom();
    };
    let bounds = size.bounds(time, room, glyphs);
    // A blank column to the left and to the right separates the digits from the hatching.
    let clear = Rect { x: bounds.x.saturating_sub(1), width: bounds.width + 2, ..bounds };
    blank(buffer, clear, style);
    size.paint(buffer, time, room, glyphs, style);
    bounds.bottom()
}

/// Paints a centred text over the hatching, if there is any, with a blank before and after the
/// text.
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
