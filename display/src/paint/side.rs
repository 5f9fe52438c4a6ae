//! One side of the display: name, time, period, moves and notes.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use super::digits::Size;
use super::layout::SideLayout;
use super::name::{shorten, surname_fits};
use super::text::{first_fitting, put, width};
use super::theme::{Glyphs, Theme};
use crate::content::{Overtime, SideDisplay, TimeLevel, TurnMark};

/// The columns that a heading always keeps: the widest mark, a blank and the side's letter. They are
/// reserved whichever mark is shown, so that nothing moves when the mark changes.
const MARKED_LETTER: u16 = 4;
/// The blanks between the side and the player's name.
const NAME_GAP: u16 = 2;
/// The columns that a heading reserves for a name. A shorter name needs only its own.
const RESERVED_FOR_NAME: u16 = 6;
/// A name that has at least so many columns stands beside the side's full word; with fewer, beside
/// its letter.
const NAME_BESIDE_WORD: u16 = 8;
/// A name with fewer columns than this beside the letter is left out.
const NAME_BESIDE_LETTER: u16 = 2;

/// Paints `display` into `area`.
pub fn paint(buffer: &mut Buffer, area: Rect, display: &SideDisplay, theme: Theme) {
    let style = theme.side(display);
    buffer.set_style(area, style);
    let layout = SideLayout::of(area);
    if matches!(display.time_level, TimeLevel::Flagged { .. }) {
        hatch(buffer, area, theme.glyphs, style);
    }
    let glyphs = theme.glyphs;
    match layout {
        SideLayout::Framed { digits, last_line } => {
            frame(buffer, area, display, theme, style);
            let below = time(buffer, digits, &display.time, glyphs, style);
            note(buffer, last_line, below, &notes(display, glyphs, "   "), style);
        }
        SideLayout::Bare { line, digits } => {
            heading(buffer, line, display, glyphs, style, &everything(display, glyphs));
            time(buffer, digits, &display.time, glyphs, style);
        }
        SideLayout::Narrow { line, digits, last_line } => {
            heading(buffer, line, display, glyphs, style, &periods(display));
            let below = time(buffer, digits, &display.time, glyphs, style);
            note(buffer, last_line, below, &notes_and_moves(display, glyphs), style);
        }
    }
}

/// The hatching of a side whose final flag has fallen. It is visible without colours, and from far
/// away.
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
    // A corner and one column of the frame stay visible on each side.
    let room = area.width.saturating_sub(4);
    let title = match heading_text(display, theme.glyphs, room.saturating_sub(2)) {
        text if text.is_empty() => text,
        text => format!(" {text} "),
    };
    let counts = counts(display).map(|count| format!(" {count} "));
    let counts = first_fitting(&counts, room).unwrap_or_default();
    Block::bordered()
        .border_set(theme.glyphs.frame(display.mark))
        .border_style(style)
        .title_style(bold)
        .title(title)
        .title_bottom(Line::from(counts).alignment(Alignment::Center))
        .render(area, buffer);
}

/// The first line of a side without a frame: the side and its player on the left, and on the right the
/// first of `right_texts` that fits.
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
    let name = width(&display.player).min(RESERVED_FOR_NAME);
    let beside_name = room.saturating_sub(if name > 0 { NAME_GAP + name } else { 0 });
    // A final flag is more important than the name, and the name than everything else.
    let flagged = matches!(display.time_level, TimeLevel::Flagged { .. });
    let right = first_fitting(right_texts, beside_name)
        .filter(|text| !flagged || text.contains(glyphs.flag()))
        .or_else(|| first_fitting(right_texts, room));
    let right_width = put(buffer, line, right.unwrap_or_default(), Alignment::Right, bold);
    let left = Rect { width: line.width.saturating_sub(right_width + 1), ..line };
    put(buffer, left, &heading_text(display, glyphs, left.width), Alignment::Left, bold);
}

/// Paints the first note that fits right below the digits, which end above the line `below`, and at
/// the latest in the last line.
fn note(buffer: &mut Buffer, last_line: Rect, below: u16, texts: &[String], style: Style) {
    let room = Rect { y: last_line.y.min(below + 1), ..last_line };
    let text = first_fitting(texts, room.width.saturating_sub(2)).unwrap_or_default();
    label(buffer, room, text, style.add_modifier(Modifier::BOLD));
}

/// Paints the time in the middle of `room` and returns the first line below it.
fn time(buffer: &mut Buffer, room: Rect, time: &str, glyphs: Glyphs, style: Style) -> u16 {
    let Some(size) = Size::fitting(time, room, glyphs) else {
        // There is no room for the smallest digits: the time is shown as plain text.
        let middle = Rect { y: room.y + room.height / 2, height: room.height.min(1), ..room };
        label(buffer, middle, time, style.add_modifier(Modifier::BOLD));
        return middle.bottom();
    };
    let bounds = size.bounds(time, room, glyphs);
    // A blank column on each side separates the digits from the hatching.
    let clear = Rect { x: bounds.x.saturating_sub(1), width: bounds.width + 2, ..bounds };
    blank(buffer, clear, style);
    size.paint(buffer, time, room, glyphs, style);
    bounds.bottom()
}

/// The notes beside the time, from the longest text to the shortest. The flag and the overtime are the
/// last to be left out.
fn notes(display: &SideDisplay, glyphs: Glyphs, gap: &str) -> Vec<String> {
    let (flag, overrun) = match &display.time_level {
        TimeLevel::Flagged { first, overrun } => (flag(*first, glyphs), overrun.as_deref()),
        TimeLevel::Ample | TimeLevel::Low => (String::new(), None),
    };
    let overrun = overrun.unwrap_or_default();
    let delay = |word| display.delay.map(|seconds| format!("{word}{seconds}")).unwrap_or_default();
    let earlier = if display.earlier_flag { earlier_flag(glyphs) } else { String::new() };
    let used = if display.used { "used" } else { "" };
    let [long, short] = overtime(display, glyphs);
    vec![
        join(&[&flag, overrun, used, &long, &earlier, &delay("delay ")], gap),
        join(&[&flag, overrun, used, &short, &earlier, &delay("d")], " "),
        join(&[&flag, overrun, used, &short, &delay("d")], " "),
        join(&[&flag, overrun, used, &short], " "),
        join(&[&flag, used, &short], " "),
        String::new(),
    ]
}

/// The periods and moves left of the overtime, as a long and a short text; both empty outside overtime.
pub fn overtime(display: &SideDisplay, glyphs: Glyphs) -> [String; 2] {
    let Some(Overtime { periods, moves }) = display.overtime else {
        return Default::default();
    };
    let times = glyphs.times();
    let Some(moves) = moves else {
        return [format!("overtime {periods}{times}"), format!("{periods}{times}")];
    };
    let plural = if moves == 1 { "" } else { "s" };
    [
        format!("overtime {periods}{times}  {moves} move{plural}"),
        format!("{periods}{times} {moves}"),
    ]
}

/// The note for a flag after which play went on. It must not be taken for a final flag.
pub fn earlier_flag(glyphs: Glyphs) -> String {
    format!("earlier {}", glyphs.flag())
}

/// The notes with the number of moves, for a layout that has no other place for it.
fn notes_and_moves(display: &SideDisplay, glyphs: Glyphs) -> Vec<String> {
    let mut texts = notes(display, glyphs, "  ");
    if let Some(moves) = display.moves {
        texts.insert(0, join(&[&texts[0], &format!("moves {moves}")], "  "));
    }
    texts
}

/// Notes, moves and period in one text, from the longest to the shortest. Notes are left out before
/// the period is; the period is left out only if it does not fit alone.
fn everything(display: &SideDisplay, glyphs: Glyphs) -> Vec<String> {
    let notes = notes(display, glyphs, "  ");
    let counts = counts(display);
    let mut texts = Vec::new();
    for note in &notes {
        texts.extend(counts.iter().map(|count| join(&[note, count], "  ")));
    }
    texts.extend(notes);
    texts
}

/// The texts that are not empty, joined with a gap.
fn join(parts: &[&str], gap: &str) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(gap)
}

/// The note for a final flag.
pub fn flag(first: bool, glyphs: Glyphs) -> String {
    let order = if first { " 1st" } else { "" };
    format!("{}{order}", glyphs.flag())
}

/// Period and moves, from the longest text to the shortest. The moves are left out first.
fn counts(display: &SideDisplay) -> [String; 3] {
    let [period, bare] = periods(display);
    match display.moves {
        Some(moves) => [format!("{period}   moves {moves}"), period, bare],
        None => [period.clone(), period, bare],
    }
}

fn periods(display: &SideDisplay) -> [String; 2] {
    [format!("period {}", display.period), display.period.clone()]
}

/// The mark, side and player in at most `room` columns. The name is shortened first, then the side
/// is written as a letter. The name is left out only if fewer than two columns are left for it.
fn heading_text(display: &SideDisplay, glyphs: Glyphs, room: u16) -> String {
    let mark = match display.mark {
        TurnMark::Waiting => String::new(),
        mark => format!("{} ", glyphs.mark(mark)),
    };
    let [side, letter] =
        [display.side.name(), display.side.letter()].map(|side| format!("{mark}{side}"));
    let player = glyphs.text(&display.player);
    for (before, enough) in [(&side, NAME_BESIDE_WORD), (&letter, NAME_BESIDE_LETTER)] {
        let left = room.saturating_sub(width(before) + NAME_GAP);
        if !player.is_empty() && (left >= enough || surname_fits(&player, left)) {
            return format!("{before}  {}", shorten(&player, left, glyphs.ellipsis()));
        }
    }
    first_fitting(&[side, letter], room).unwrap_or_default().to_owned()
}

/// A centred text with blanks around it, also on top of the hatching.
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
