//! Paints the content on the terminal.
//!
//! `layout` computes the areas, `side` paints one side with the digits of `digits`, and `compact`
//! paints both sides where there is no room for digits. `menu` paints a page of the menu. `theme`
//! chooses the colours and marks, and `text` measures and paints texts.

mod compact;
mod digits;
mod layout;
mod menu;
mod side;
mod theme;

use clock_languages::Face;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Block, Widget};

pub use theme::Theme;

use crate::content::{Content, Game, Menu, TurnMark, Urgency};
use crate::demo::DemoLine;
use crate::name::cut_end;
use crate::paint::theme::{columns, first_fitting, put};
use crate::texts::status_line;
use layout::{Layout, MIN_WITH_DIGITS, SideLayout, split_bottom};

/// The complete contents of the terminal. Equal screens look the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    pub content: Content,
    /// What the demonstration shows below the face; `None` without `--demo`.
    pub demo: Option<DemoLine>,
}

/// The hint of the demonstration is shown only if at least this number of rows is left for the
/// face.
const HINT_MIN_HEIGHT: u16 = 18;

/// The keys of the demonstration, from the longest text to the shortest.
const KEYS: [&str; 5] = [
    " w White's button  b Black's button  c call  m call held  h both players' buttons held  q quit ",
    " w White  b Black  c call  m call held  h both held  q quit ",
    "w White b Black c call m held h both q end",
    "w b c m h q",
    SHORTEST_KEYS,
];
/// The shortest text that names the keys of the demonstration. It is tried last, and is cut at its
/// end if it does not fit. Each character is the name of a key.
const SHORTEST_KEYS: &str = "wbcmhq";

/// Paints `screen` on the whole terminal.
pub fn paint(frame: &mut Frame, screen: &Screen, theme: Theme) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    buffer.set_style(area, theme.normal());
    paint_all(buffer, area, screen, theme);
    theme.keep_black(buffer);
}

fn paint_all(buffer: &mut Buffer, area: Rect, screen: &Screen, theme: Theme) {
    let face = match &screen.demo {
        Some(line) if area.height > 1 => {
            let (face, keys) = split_bottom(area, 1);
            paint_keys(buffer, keys, line, theme);
            paint_hint(buffer, face, line, theme)
        }
        _ => area,
    };
    if let Content::Game(game) = &screen.content
        && let Menu::Open(page) = &game.menu
    {
        menu::paint_page(buffer, face, page, game, theme);
        return;
    }
    if area.width < MIN_WITH_DIGITS.0 || area.height < MIN_WITH_DIGITS.1 {
        compact::paint(buffer, face, &screen.content, theme);
        return;
    }
    match &screen.content {
        Content::Starting(words) => paint_starting(buffer, face, words, theme),
        Content::NoService(words) => paint_no_service(buffer, face, words, theme),
        Content::Game(game) => paint_game(buffer, face, game, theme),
    }
}

fn paint_game(buffer: &mut Buffer, area: Rect, game: &Game, theme: Theme) {
    let layout = Layout::of(area, theme.glyphs);
    for (area, display) in layout.sides.into_iter().zip(game.in_wired_order()) {
        side::paint(buffer, area, display, theme);
    }
    if game.has_call_bands() {
        let style = theme.status(Urgency::Call);
        layout.sides.into_iter().for_each(|side| paint_call(buffer, side, style));
    }
    if game.menu == Menu::Release {
        let words = game.words;
        layout.sides.into_iter().for_each(|side| menu::paint_release(buffer, side, words, theme));
    }
    let style = theme.status(game.status.urgency);
    if game.status.urgency != Urgency::Normal {
        buffer.set_style(layout.status, style);
    }
    let mut room = middle(layout.status);
    if let Some(battery) = &game.status.battery {
        let sign = format!(" {} ", theme.glyphs.text(battery));
        room.width -= put(buffer, room, &sign, Alignment::Right, theme.notice());
    }
    let texts = status_line(&game.status, theme.glyphs);
    // If no text fits, for example because the time control has a long name, the beginning of the
    // last text is shown.
    let text = first_fitting(&texts, room.width).map_or_else(
        || {
            let last = texts.last().map_or("", String::as_str);
            cut_end(last, room.width.into(), theme.glyphs.ellipsis(), &columns)
        },
        str::to_owned,
    );
    put(buffer, room, &text, Alignment::Center, style);
}

/// Gives the first and the last line of a side the colour of a call for the arbiter, if the side
/// has a frame.
fn paint_call(buffer: &mut Buffer, side: Rect, style: Style) {
    if let SideLayout::Framed { .. } = SideLayout::of(side) {
        for y in [side.top(), side.bottom() - 1] {
            buffer.set_style(Rect { y, height: 1, ..side }, style);
        }
    }
}

fn paint_starting(buffer: &mut Buffer, area: Rect, words: &Face, theme: Theme) {
    Block::bordered().border_set(theme.glyphs.frame(TurnMark::Waiting)).render(area, buffer);
    let text = theme.glyphs.text(words.starting);
    put(buffer, middle(area), &text, Alignment::Center, theme.normal());
}

fn paint_no_service(buffer: &mut Buffer, area: Rect, words: &Face, theme: Theme) {
    Block::bordered().border_set(theme.glyphs.frame(TurnMark::Waiting)).render(area, buffer);
    let line = middle(area);
    let notice = theme.glyphs.text(words.no_service[0]);
    put(buffer, line, &format!(" {notice} "), Alignment::Center, theme.notice());
    let below = Rect { y: line.y + 2, ..line };
    let remedies = words.no_service_remedy.map(|text| theme.glyphs.text(text));
    let remedy = first_fitting(&remedies, area.width.saturating_sub(4));
    if let (Some(remedy), true) = (remedy, below.y + 1 < area.bottom()) {
        put(buffer, below, remedy, Alignment::Center, theme.normal());
    }
}

/// Paints the hint of the demonstration into the last lines of `area`, and returns the area above
/// it. If the area above it would be too small for the digits, paints nothing and returns `area`.
fn paint_hint(buffer: &mut Buffer, area: Rect, line: &DemoLine, theme: Theme) -> Rect {
    let texts = line.hint.lines(area.width);
    let (rest, room) = split_bottom(area, u16::try_from(texts.len()).unwrap_or(u16::MAX));
    if rest.height < HINT_MIN_HEIGHT || area.width < MIN_WITH_DIGITS.0 {
        return area;
    }
    for (row, text) in room.rows().zip(texts) {
        put(buffer, row, &theme.glyphs.text(&text), Alignment::Left, theme.normal());
    }
    rest
}

/// Paints the keys, or in their place a refusal, which is shown until the next key and for at most
/// 6 s. If `line.no_buttons` is set, the note " no buttons " is painted at the left end of the
/// line.
fn paint_keys(buffer: &mut Buffer, area: Rect, line: &DemoLine, theme: Theme) {
    let mut room = area;
    if line.no_buttons {
        let used = put(buffer, room, " no buttons ", Alignment::Left, theme.notice());
        room = Rect { x: room.x + used, width: room.width - used, ..room };
    }
    match &line.refusal {
        Some(refusal) => {
            let text = format!(" {}", theme.glyphs.text(refusal));
            put(buffer, room, &text, Alignment::Left, theme.refusal());
        }
        None => {
            let keys = first_fitting(&KEYS, room.width).unwrap_or(SHORTEST_KEYS);
            put(buffer, room, keys, Alignment::Left, theme.normal());
        }
    }
}

fn middle(area: Rect) -> Rect {
    Rect { y: area.y + area.height / 2, height: area.height.min(1), ..area }
}

#[cfg(test)]
mod tests;
