//! One player's half.

use clock_dbus::OvertimeLeft;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use super::digits::Size;
use super::layout::HalfLayout;
use super::look::{Glyphs, Look};
use super::name::{shorten, surname_fits};
use super::text::{first_fitting, put, width};
use crate::view::{Half, Mark, Pressure};

/// The least a half must say of itself: the widest mark, a blank and the side's letter. Its room is
/// taken before anything else's, the same whichever the mark, so that nothing jumps with it.
const MARKED_LETTER: u16 = 4;
/// The blanks between the side and the player's name, and the least a name is given beside them.
const BEFORE_NAME: u16 = 2;
const LEAST_NAME: u16 = 6;
/// With this much of its name a side is still written out; with less it is a letter.
const FAIR_NAME: u16 = 8;

/// Paints `half` into `area`.
pub fn paint(buffer: &mut Buffer, area: Rect, half: &Half, look: Look) {
    let style = look.half(half);
    buffer.set_style(area, style);
    let layout = HalfLayout::of(area);
    if matches!(half.pressure, Pressure::Flagged { .. }) {
        hatch(buffer, area, look.glyphs, style);
    }
    let glyphs = look.glyphs;
    match layout {
        HalfLayout::Framed { digits, lowest } => {
            frame(buffer, area, half, look, style);
            let below = time(buffer, digits, &half.time, glyphs, style);
            note(buffer, lowest, below, &notes(half, glyphs, "   "), style);
        }
        HalfLayout::Bare { line, digits } => {
            heading(buffer, line, half, glyphs, style, &everything(half, glyphs));
            time(buffer, digits, &half.time, glyphs, style);
        }
        HalfLayout::Narrow { line, digits, lowest } => {
            heading(buffer, line, half, glyphs, style, &periods(half));
            let below = time(buffer, digits, &half.time, glyphs, style);
            note(buffer, lowest, below, &notes_and_moves(half, glyphs), style);
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
    let title = match who(half, look.glyphs, room.saturating_sub(2)) {
        who if who.is_empty() => who,
        who => format!(" {who} "),
    };
    let counts = counts(half).map(|count| format!(" {count} "));
    let counts = first_fitting(&counts, room).unwrap_or_default();
    Block::bordered()
        .border_set(look.glyphs.frame(half.mark))
        .border_style(style)
        .title_style(bold)
        .title(title)
        .title_bottom(Line::from(counts).alignment(Alignment::Center))
        .render(area, buffer);
}

/// The first line of a half without a frame: the side on the left, the first of `rights` that has
/// room on the right.
fn heading(
    buffer: &mut Buffer,
    line: Rect,
    half: &Half,
    glyphs: Glyphs,
    style: Style,
    rights: &[String],
) {
    blank(buffer, line, style);
    let bold = style.add_modifier(Modifier::BOLD);
    let room = line.width.saturating_sub(MARKED_LETTER + 1);
    let name = width(&half.player).min(LEAST_NAME);
    let beside_name = room.saturating_sub(if name > 0 { BEFORE_NAME + name } else { 0 });
    // A flag that has fallen comes before the name, the name before all else.
    let flagged = matches!(half.pressure, Pressure::Flagged { .. });
    let right = first_fitting(rights, beside_name)
        .filter(|text| !flagged || text.contains(glyphs.flag()))
        .or_else(|| first_fitting(rights, room));
    let right_width = put(buffer, line, right.unwrap_or_default(), Alignment::Right, bold);
    let left = Rect { width: line.width.saturating_sub(right_width + 1), ..line };
    put(buffer, left, &who(half, glyphs, left.width), Alignment::Left, bold);
}

/// The notes right below the digits, which end above the line `below`; at worst on the `lowest`.
fn note(buffer: &mut Buffer, lowest: Rect, below: u16, texts: &[String], style: Style) {
    let room = Rect { y: lowest.y.min(below + 1), ..lowest };
    let text = first_fitting(texts, room.width.saturating_sub(2)).unwrap_or_default();
    label(buffer, room, text, style.add_modifier(Modifier::BOLD));
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

/// What there is to say beside the time, ever shorter; the flag, or the overtime, goes last.
fn notes(half: &Half, glyphs: Glyphs, gap: &str) -> Vec<String> {
    let (flag, overrun) = match &half.pressure {
        Pressure::Flagged { first, overrun } => (flag(*first, glyphs), overrun.as_deref()),
        Pressure::Ample | Pressure::Low => (String::new(), None),
    };
    let overrun = overrun.unwrap_or_default();
    let delay = |word| half.delay.map(|seconds| format!("{word}{seconds}")).unwrap_or_default();
    let earlier = if half.earlier_flag { earlier_flag(glyphs) } else { String::new() };
    let used = if half.used { "used" } else { "" };
    let [long, short] = overtime(half, glyphs);
    vec![
        join(&[&flag, overrun, used, &long, &earlier, &delay("delay ")], gap),
        join(&[&flag, overrun, used, &short, &earlier, &delay("d")], " "),
        join(&[&flag, overrun, used, &short, &delay("d")], " "),
        join(&[&flag, overrun, used, &short], " "),
        join(&[&flag, used, &short], " "),
        String::new(),
    ]
}

/// Periods and moves left of the overtime, long and short; two empty texts where there is none.
pub fn overtime(half: &Half, glyphs: Glyphs) -> [String; 2] {
    let Some(OvertimeLeft { periods, moves }) = half.overtime else {
        return Default::default();
    };
    let (times, plural) = (glyphs.times(), if moves == 1 { "" } else { "s" });
    [
        format!("overtime {periods}{times}  {moves} move{plural}"),
        format!("{periods}{times} {moves}"),
    ]
}

/// A flag after which play went on: no word to be taken for the final one.
pub fn earlier_flag(glyphs: Glyphs) -> String {
    format!("earlier {}", glyphs.flag())
}

/// The notes and with them the presses, where these have no other place.
fn notes_and_moves(half: &Half, glyphs: Glyphs) -> Vec<String> {
    let mut texts = notes(half, glyphs, "  ");
    let moves = format!("moves {}", half.moves);
    texts.insert(0, join(&[&texts[0], &moves], "  "));
    texts
}

/// Notes and counts in one text, ever shorter. A note goes before the period does, which has its
/// place in any room there is; only a period longer than that leaves the notes alone.
fn everything(half: &Half, glyphs: Glyphs) -> Vec<String> {
    let notes = notes(half, glyphs, "  ");
    let counts = counts(half);
    let mut texts = Vec::new();
    for note in &notes {
        texts.extend(counts.iter().map(|count| join(&[note, count], "  ")));
    }
    texts.extend(notes);
    texts
}

/// The texts that are not empty, with a gap between them.
fn join(parts: &[&str], gap: &str) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(gap)
}

/// The word for a fallen flag.
pub fn flag(first: bool, glyphs: Glyphs) -> String {
    let order = if first { " 1st" } else { "" };
    format!("{}{order}", glyphs.flag())
}

/// The period is always shown; the presses only where there is room for both.
fn counts(half: &Half) -> [String; 3] {
    let [period, bare] = periods(half);
    [format!("{period}   moves {}", half.moves), period, bare]
}

fn periods(half: &Half) -> [String; 2] {
    [format!("period {}", half.period), half.period.clone()]
}

/// Mark, side and player in this much room. The name is shortened, then the side is a letter; only
/// where not even the beginning of a name has room is it left out.
fn who(half: &Half, glyphs: Glyphs, room: u16) -> String {
    let mark = match half.mark {
        Mark::Waits => String::new(),
        mark => format!("{} ", glyphs.mark(mark)),
    };
    let [side, letter] = [half.side.name(), half.side.letter()].map(|side| format!("{mark}{side}"));
    let player = glyphs.text(&half.player);
    for (before, is_enough) in [(&side, FAIR_NAME), (&letter, 2)] {
        let left = room.saturating_sub(width(before) + BEFORE_NAME);
        if !player.is_empty() && (left >= is_enough || surname_fits(&player, left)) {
            return format!("{before}  {}", shorten(&player, left, glyphs.ellipsis()));
        }
    }
    first_fitting(&[side, letter], room).unwrap_or_default().to_owned()
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
