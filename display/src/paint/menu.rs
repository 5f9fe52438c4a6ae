//! A page of the menu on the terminal, in place of the clock.

use clock_dbus::MenuButton;
use clock_languages::Face;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};

use super::digits::Size;
use super::layout::{SideLayout, split_bottom, split_top};
use super::theme::Theme;
use super::theme::{columns, first_fitting, put, width};
use crate::content::{Game, Hint, Page, Placed, Urgency};
use crate::name::{cut_end, wrap};

/// The mark of the chosen line, and the signs for more lines above and below. Every terminal has
/// these characters.
const CHOSEN: &str = ">";
const ABOVE: &str = "^";
const BELOW: &str = "v";
/// Paints a page: the title, the lines, and the hints below them, each at the side of its button.
/// Where there are too few rows, the hints are left out first, and then the title. While the arbiter is
/// awaited, title and hints have the colour of the call, or the chosen line if it is alone.
pub fn paint_page(buffer: &mut Buffer, area: Rect, page: &Page, game: &Game, theme: Theme) {
    let lines = u16::try_from(page.lines.len()).unwrap_or(u16::MAX);
    let is_tiles = page.is_tiles() && area.height >= LEAST_ROWS;
    let hints = match is_tiles {
        true => 1,
        false => area.height.saturating_sub(lines + 1).min(2),
    };
    let (rest, hints) = split_bottom(area, hints);
    let is_called = game.status.arbiter_awaited();
    let band = if is_called { theme.status(Urgency::Call) } else { theme.normal() };
    let (rest, title) = split_top(rest, u16::from(rest.height > lines.min(1)));
    paint_title(buffer, title, page, game, (theme, band));
    if is_tiles {
        paint_tiles(buffer, rest, page, game, theme);
    } else {
        let lines = paint_times(buffer, rest, page, game, theme);
        paint_lines(buffer, lines, page, theme);
    }
    if title.height == 0 && is_called {
        buffer.set_style(rest, band);
    }
    buffer.set_style(hints, band);
    let mut placed = page.placed(game);
    if is_tiles {
        placed.players = [None; 2];
        placed.others.retain(|hint| hint.button != MenuButton::Call);
    }
    paint_hints(buffer, hints, &placed, game.words, (theme, band));
}

/// Paints the title and, at the right end of its row, why the arbiter is awaited: the first complete
/// text that leaves the title whole, or else the first one that fits, in place of the title.
fn paint_title(
    buffer: &mut Buffer,
    row: Rect,
    page: &Page,
    game: &Game,
    (theme, band): (Theme, Style),
) {
    let title = theme.glyphs.text(&page.title);
    let call: Vec<String> = game.status.call.iter().map(|text| theme.glyphs.text(text)).collect();
    let complete = &call[..call.len().saturating_sub(1)];
    let beside = first_fitting(complete, row.width.saturating_sub(width(&title) + 1));
    let call = beside.or_else(|| first_fitting(&call, row.width)).unwrap_or_default();
    buffer.set_style(row, band);
    if beside.is_some() || call.is_empty() {
        let style = band.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
        put(buffer, row, &cut(&title, row.width, theme), Alignment::Left, style);
    }
    put(buffer, row, call, Alignment::Right, band);
}

fn paint_lines(buffer: &mut Buffer, area: Rect, page: &Page, theme: Theme) {
    let (visible, [above, below]) = page.visible(area.height.into());
    let (first, last) = (visible.start, visible.end.saturating_sub(1));
    for (row, index) in area.rows().zip(visible) {
        let is_chosen = page.chosen == Some(index);
        let style = if is_chosen { theme.notice() } else { theme.normal() };
        buffer.set_style(row, style);
        let before = if is_chosen { CHOSEN } else { "" };
        let text = format!("{before:1} {}", theme.glyphs.text(&page.lines[index]));
        // The last two columns are for the sign that there are more lines.
        let room = Rect { width: row.width.saturating_sub(2), ..row };
        put(buffer, room, &cut(&text, room.width, theme), Alignment::Left, style);
        let sign = match (above && index == first, below && index == last) {
            (true, _) => ABOVE,
            (_, true) => BELOW,
            _ => "",
        };
        put(buffer, row, sign, Alignment::Right, style);
    }
}

fn paint_hints(
    buffer: &mut Buffer,
    area: Rect,
    placed: &Placed<'_>,
    words: &Face,
    (theme, band): (Theme, Style),
) {
    let Placed { players, others } = placed;
    let text = |hint: &Hint| theme.glyphs.text(&hint.text(words));
    let mut rows = area.rows();
    let waits = players.iter().flatten().any(|hint| hint.waits());
    let [left, right] = players.map(|hint| hint.map(text).unwrap_or_default());
    let is_empty = left.is_empty() && right.is_empty();
    // A single row without hints of the players is free for the other ones.
    let row = if is_empty && area.height == 1 { None } else { rows.next() };
    if let (false, Some(row)) = (is_empty, row) {
        let band = if waits { band.add_modifier(Modifier::DIM) } else { band };
        put(buffer, row, &left, Alignment::Left, band);
        if width(&left) + width(&right) < row.width {
            put(buffer, row, &right, Alignment::Right, band);
        }
    }
    if let Some(row) = rows.next() {
        let others: Vec<String> = others.iter().map(|hint| text(hint)).collect();
        let texts =
            [others.join("   "), others.join(" "), others.first().cloned().unwrap_or_default()];
        let text = first_fitting(&texts, row.width).unwrap_or_default();
        put(buffer, row, text, Alignment::Center, band);
    }
}

/// Paints the word that asks the players to release the buttons over the digits of a side.
pub fn paint_release(buffer: &mut Buffer, side: Rect, words: &Face, theme: Theme) {
    let digits = SideLayout::of(side).digits();
    let rows = digits.height.min(3);
    let y = digits.y + (digits.height - rows) / 2;
    let banner = Rect { y, height: rows, ..digits };
    for row in banner.rows() {
        put(buffer, row, &" ".repeat(row.width.into()), Alignment::Left, theme.notice());
    }
    let middle = Rect { y: banner.y + rows / 2, height: rows.min(1), ..banner };
    let texts = [words.release.line, words.release.word].map(|text| theme.glyphs.text(text));
    let text = first_fitting(&texts, middle.width).unwrap_or_default();
    put(buffer, middle, text, Alignment::Center, theme.notice());
}

fn cut(text: &str, room: u16, theme: Theme) -> String {
    cut_end(text, room.into(), theme.glyphs.ellipsis(), &columns)
}

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
