//! A page of the menu on the terminal, in place of the clock.

use clock_languages::Face;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};

use super::layout::{SideLayout, split_bottom};
use super::text::{columns, first_fitting, put, width};
use super::theme::Theme;
use crate::content::{Game, Hint, Page, Placed, Urgency};
use crate::name::cut_end;

/// The mark of the chosen line, and the signs for more lines above and below. Every terminal has
/// these characters.
const CHOSEN: &str = ">";
const ABOVE: &str = "^";
const BELOW: &str = "v";

/// Paints a page: the title, the lines, and the hints below them, each at the side of its button.
/// Where there are too few rows, the hints are left out first, and then the title. While the arbiter is
/// awaited, title and hints have the colour of the call, and the title's row names the reason.
pub fn paint_page(buffer: &mut Buffer, area: Rect, page: &Page, game: &Game, theme: Theme) {
    let lines = u16::try_from(page.lines.len()).unwrap_or(u16::MAX);
    let hints = if area.height > lines + 1 { (area.height - lines - 1).min(2) } else { 0 };
    let (mut rest, hints) = split_bottom(area, hints);
    let (band, call) = match game.status.arbiter_awaited {
        true => (theme.status(Urgency::Call), &game.status.texts[..]),
        false => (theme.normal(), &[][..]),
    };
    if rest.height > lines.min(1) {
        let title = Rect { height: 1, ..rest };
        let style = band.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
        buffer.set_style(title, band);
        let call: Vec<String> = call.iter().map(|text| theme.glyphs.text(text)).collect();
        let beside = title.width.saturating_sub(width(&theme.glyphs.text(&page.title)) + 2);
        let call = first_fitting(&call, beside).or(call.last().map(String::as_str));
        let call = put(buffer, title, call.unwrap_or_default(), Alignment::Right, band);
        let room = Rect { width: title.width.saturating_sub(call + call.min(1)), ..title };
        let text = cut(&theme.glyphs.text(&page.title), room.width, theme);
        put(buffer, room, &text, Alignment::Left, style);
        rest = Rect { y: rest.y + 1, height: rest.height - 1, ..rest };
    }
    paint_lines(buffer, rest, page, theme);
    buffer.set_style(hints, band);
    paint_hints(buffer, hints, &page.placed(game), game.words, (theme, band));
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
    let [left, right] = players.map(|hint| hint.map(text).unwrap_or_default());
    if let (false, Some(row)) = (left.is_empty() && right.is_empty(), rows.next()) {
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
