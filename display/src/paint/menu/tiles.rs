//! The tiles of a page on the terminal, each over its button, and the times that a page shows on both
//! halves.

use clock_dbus::MenuButton;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;

use super::super::digits::Size;
use super::super::layout::split_bottom;
use super::super::text::{columns, put};
use super::super::theme::Theme;
use super::cut;
use crate::content::{Game, Hint, Page};
use crate::name::wrap;

/// The fewest rows of a terminal in which tiles are shown.
pub const LEAST_ROWS: u16 = 6;

/// Paints the tiles side by side: the button, and above it what the button does.
pub fn paint_tiles(buffer: &mut Buffer, area: Rect, page: &Page, game: &Game, theme: Theme) {
    let placed = page.placed(game);
    let [left, right] = placed.players;
    let call = placed.others.iter().copied().find(|hint| hint.button == MenuButton::Call);
    let hints: Vec<&Hint> = [left, call, right].into_iter().flatten().collect();
    let count = u16::try_from(hints.len()).unwrap_or(1).max(1);
    let column = area.width / count;
    for (hint, index) in hints.into_iter().zip(0_u16..) {
        let tile = Rect { x: area.x + index * column, width: column.saturating_sub(1), ..area };
        let tile = Rect { y: tile.y + 1, height: tile.height.saturating_sub(1), ..tile };
        buffer.set_style(tile, theme.notice());
        let (above, name) = split_bottom(tile, 1);
        let button = theme.glyphs.text(hint.button_name(game.words));
        put(buffer, name, &cut(&button, name.width, theme), Alignment::Center, theme.notice());
        let rows = wrap(&theme.glyphs.text(&hint.action), above.width.into(), &columns);
        let taken = u16::try_from(rows.len()).unwrap_or(above.height).min(above.height);
        let top = above.y + (above.height - taken) / 2;
        for (text, row) in rows.iter().zip(0..taken) {
            let line = Rect { y: top + row, height: 1, ..above };
            let style = theme.notice().add_modifier(Modifier::BOLD);
            put(buffer, line, &cut(text, line.width, theme), Alignment::Center, style);
        }
    }
}

/// Paints the times of a page below its lines, each on the half of its player. Returns the area that is
/// left for the lines.
pub fn paint_times(
    buffer: &mut Buffer,
    area: Rect,
    page: &Page,
    game: &Game,
    theme: Theme,
) -> Rect {
    let Some(times) = page.times(game).filter(|_| area.height > 2) else { return area };
    let (lines, below) = split_bottom(area, area.height / 2);
    let half = below.width / 2;
    for (time, index) in times.into_iter().zip(0_u16..) {
        let room = Rect { x: below.x + index * half, width: half.saturating_sub(1), ..below };
        let digits = time.replace(['[', ']'], "");
        match Size::fitting(&digits, room, theme.glyphs) {
            // The large digits have no room for the sign of the chosen part, which the first line names.
            Some(size) => size.paint(buffer, &digits, room, theme.glyphs, theme.normal()),
            None => {
                put(buffer, room, time, Alignment::Center, theme.normal());
            }
        }
    }
    lines
}
