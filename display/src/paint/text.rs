//! Text on the display.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

/// The columns that a text takes.
pub fn width(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// The columns of a text, to measure names with.
pub fn columns(text: &str) -> u32 {
    width(text).into()
}

/// The first of the texts, which are ordered from the longest to the shortest, that fits; none if
/// even the last does not. Nothing is cut here, because a part of a number would be read as another
/// number.
pub fn first_fitting<S: AsRef<str>>(texts: &[S], room: u16) -> Option<&str> {
    texts.iter().map(AsRef::as_ref).find(|text| width(text) <= room)
}

/// Paints a text into the first line of `room`, cut at its end. Returns the columns it took.
pub fn put(buffer: &mut Buffer, room: Rect, text: &str, align: Alignment, style: Style) -> u16 {
    let room = room.intersection(buffer.area);
    if room.is_empty() {
        return 0;
    }
    let width = width(text).min(room.width);
    let indent = match align {
        Alignment::Left => 0,
        Alignment::Center => (room.width - width) / 2,
        Alignment::Right => room.width - width,
    };
    buffer.set_stringn(room.x + indent, room.y, text, usize::from(width), style);
    width
}
