//! Text in the terminal.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

/// The width of a text in columns.
pub fn width(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// The width of a text in columns, as a `name::Width`.
pub fn columns(text: &str) -> u32 {
    width(text).into()
}

/// The first text that fits into `room` columns; `None` if no text fits. The texts are ordered from
/// the longest to the shortest. No text is cut, because a part of a number would be read as another
/// number.
pub fn first_fitting<S: AsRef<str>>(texts: &[S], room: u16) -> Option<&str> {
    texts.iter().map(AsRef::as_ref).find(|text| width(text) <= room)
}

/// Paints a text into the first line of `room`. A text that does not fit is cut at its end. Returns
/// the painted width in columns.
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
