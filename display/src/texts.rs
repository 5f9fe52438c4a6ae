//! The texts and marks beside the times, in the characters that the terminal or the picture can
//! show.

use clock_dbus::Method;
use clock_languages::{Face, Notes, Sides, Template};

use crate::content::{
    FlagOrder, Overtime, PlayedMethod, PlayedPeriod, Side, SideDisplay, Status, TimeLevel,
    TurnMark, Used,
};
use crate::glyphs::Glyphs;
use crate::name::{Width, shorten, surname_fits};

/// Beside a name, the side is written as a word (`White`) if the room after the word is enough for
/// the whole surname, or for a text as wide as this many digits. Otherwise the side is written as a
/// letter (`W`).
const NAME_BESIDE_WORD: u32 = 8;
/// Beside the side's letter, the name is shown if the room after the letter is enough for the whole
/// surname, or for a text as wide as this many digits. Otherwise the name is left out.
const NAME_BESIDE_LETTER: u32 = 2;

/// The name of a side as a word.
pub fn word(display: &SideDisplay) -> &'static str {
    of_side(&display.words.sides, display.side)
}

/// The name of a side in one letter, for a place without room for the word.
pub fn letter(display: &SideDisplay) -> &'static str {
    of_side(&display.words.letters, display.side)
}

fn of_side(sides: &Sides, side: Side) -> &'static str {
    match side {
        Side::White => sides.white,
        Side::Black => sides.black,
    }
}

/// The notes beside the time, from the longest text to the shortest. In the first text, `gap`
/// separates the notes.
///
/// Before the start the first texts have the conditions of the game, from the longest to the shortest.
/// The next text has shorter forms of some notes. The later texts leave out, in this order: the
/// earlier flag; the delay; the overrun and the limit; the overtime and the note that the time is
/// counted up; the flag; the note that the time is the last known one.
pub fn notes(display: &SideDisplay, glyphs: Glyphs, gap: &str) -> Vec<String> {
    let words = display.words;
    let (flag, overrun) = match &display.time_level {
        TimeLevel::Flagged { order, overrun } => (flag(*order, words, glyphs), overrun.as_deref()),
        TimeLevel::Ample | TimeLevel::Low(_) => (String::new(), None),
    };
    let overrun = overrun.unwrap_or_default();
    let delay =
        |text: Template<1>| display.delay.map(|seconds| text.with([&seconds])).unwrap_or_default();
    let (full, letter) = (delay(words.notes.delay), delay(words.notes.delay_short));
    let earlier = if display.earlier_flag { earlier_flag(words, glyphs) } else { String::new() };
    let [used, bare_used] = used(display);
    let stale = if display.stale { words.notes.last_known } else { "" };
    let [long, short] = overtime(display, glyphs);
    let conditions = display.conditions.last().map_or("", String::as_str);
    let longer = &display.conditions[..display.conditions.len().saturating_sub(1)];
    let with =
        |conditions| join(&[stale, conditions, &flag, overrun, &used, &long, &earlier, &full], gap);
    let shorter = [
        with(conditions),
        join(&[stale, conditions, &flag, overrun, &used, &short, &earlier, &letter], " "),
        join(&[stale, &flag, overrun, &used, &short, &letter], " "),
        join(&[stale, &flag, overrun, &used, &short], " "),
        join(&[stale, &flag, &bare_used, &short], " "),
        join(&[stale, &flag], " "),
        stale.to_owned(),
        String::new(),
    ];
    let longer = longer.iter().map(|conditions| with(conditions));
    longer.chain(shorter).map(|text| glyphs.text(&text)).collect()
}

/// Two forms of the note that the time is counted up: with the limit (`used of 1:00:00`), and
/// without it (`used`). If there is no limit, both forms are `used`. If the time is not counted up,
/// both forms are empty.
pub fn used(display: &SideDisplay) -> [String; 2] {
    let Some(Used { limit }) = &display.used else { return Default::default() };
    let Notes { used, used_of, .. } = display.words.notes;
    let limited = limit.as_ref().map(|limit| used_of.with([limit]));
    [limited.unwrap_or_else(|| used.to_owned()), used.to_owned()]
}

/// The periods and moves that are left of the overtime, as a long and a short text. Both are empty
/// outside an overtime.
pub fn overtime(display: &SideDisplay, glyphs: Glyphs) -> [String; 2] {
    let Some(Overtime { periods, moves }) = display.overtime else {
        return Default::default();
    };
    let Notes { overtime, overtime_moves, .. } = &display.words.notes;
    let periods = format!("{periods}{}", glyphs.times());
    let long = overtime.with([&periods]);
    let Some(moves) = moves else { return [long, periods] };
    let left = if moves == 1 { overtime_moves.one } else { overtime_moves.others };
    [format!("{long}  {}", left.with([&moves])), format!("{periods} {moves}")]
}

/// The note for a flag after which play went on. It differs from the note for a final flag.
pub fn earlier_flag(words: &Face, glyphs: Glyphs) -> String {
    words.notes.earlier.with([&format!("{}{}", glyphs.flag(), words.flag)])
}

/// The texts of [`notes`] beside the digits of a terminal. Before them is the longest one with the bar
/// of a low time, because the colours of a terminal alone would not tell everybody that a time is low.
/// The digits of a game that is over are its result, so each text then begins with the time.
pub fn notes_and_low(display: &SideDisplay, glyphs: Glyphs, gap: &str) -> Vec<String> {
    let mut texts = notes(display, glyphs, gap);
    let low = low(display, glyphs);
    if !low.is_empty() {
        texts.insert(0, join(&[&low, &texts[0]], gap));
    }
    if display.score.is_some() {
        texts.iter_mut().for_each(|text| *text = join(&[&display.time, text], gap));
    }
    texts
}

/// The texts of [`notes_and_low`], from the longest to the shortest. If the number of moves is shown, one
/// more text comes first: the longest notes and the number of moves. A layout that shows this
/// number nowhere else uses these texts.
pub fn notes_and_moves(display: &SideDisplay, glyphs: Glyphs) -> Vec<String> {
    let mut texts = notes_and_low(display, glyphs, "  ");
    texts.insert(0, join(&[&texts[0], &moves(display, glyphs)], "  "));
    texts
}

/// Texts with the notes, the moves and the period, in the order in which they are tried. Shorter
/// notes, and at last no notes, are tried before the period is left out. The last texts have only
/// notes; they are tried if not even the period alone fits.
pub fn everything(display: &SideDisplay, glyphs: Glyphs) -> Vec<String> {
    let notes = notes_and_low(display, glyphs, "  ");
    let counts = counts(display, glyphs);
    let mut texts = Vec::new();
    for note in &notes {
        texts.extend(counts.iter().map(|count| join(&[note, count], "  ")));
    }
    texts.extend(notes);
    texts
}

/// The texts of the status line, from the longest to the shortest. While a button that can open the
/// menu is held, they end with a bar, and the last one is the bar alone.
pub fn status_line(status: &Status, glyphs: Glyphs) -> Vec<String> {
    let mut texts: Vec<String> = status.texts.iter().map(|text| glyphs.text(text)).collect();
    if let Some(percent) = status.hold {
        let bar = glyphs.bar(percent);
        texts.iter_mut().for_each(|text| *text = format!("{text} {bar}"));
        texts.push(bar);
    }
    texts
}

/// The parts that are not empty, joined with `gap`.
fn join(parts: &[&str], gap: &str) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(gap)
}

/// The bar of a low time, as long as the share that is left of it; empty if the time is not low.
pub fn low(display: &SideDisplay, glyphs: Glyphs) -> String {
    let TimeLevel::Low(share) = display.time_level else { return String::new() };
    glyphs.bar(u32::from(share).div_ceil(10))
}

/// The note for a final flag. Only if both final flags have fallen, it says which was the first.
pub fn flag(order: FlagOrder, words: &Face, glyphs: Glyphs) -> String {
    let flag = format!("{}{}", glyphs.flag(), words.flag);
    match order {
        FlagOrder::Only | FlagOrder::Unknown => flag,
        FlagOrder::First => format!("{flag} {}", words.notes.first),
        FlagOrder::Second => format!("{flag} {}", words.notes.second),
    }
}

/// The press counter with the word for a move. Empty if the counter is not shown, and before the
/// first move.
pub fn moves(display: &SideDisplay, glyphs: Glyphs) -> String {
    let moves = display.moves.filter(|moves| *moves > 0);
    let moves = moves.map(|moves| display.words.notes.moves.with([&moves]));
    glyphs.text(&moves.unwrap_or_default())
}

/// The period, the method and the moves, from the longest text to the shortest. The method is left
/// out before the moves are, and at last only the letter and the number of the period remain.
pub fn counts(display: &SideDisplay, glyphs: Glyphs) -> [String; 6] {
    let [long, short, period, bare] = periods(display, glyphs);
    let moves = moves(display, glyphs);
    [
        join(&[&long, &moves], "   "),
        join(&[&short, &moves], "  "),
        join(&[&bare, &moves], "  "),
        short,
        period,
        bare,
    ]
}

/// The period in words (`period 1 of 2`), with a word (`period 1/2`) and with a letter (`P1/2`),
/// because `1/2` alone would look like a result. All are empty if the time control has only one
/// period.
fn period(display: &SideDisplay, glyphs: Glyphs) -> [String; 3] {
    let words = &display.words.notes;
    let texts = match display.period {
        None => Default::default(),
        Some(PlayedPeriod { number, of: None }) => {
            [words.period, words.period, words.period_short].map(|text| text.with([&number]))
        }
        Some(PlayedPeriod { number, of: Some(all) }) => {
            let both = format!("{number}/{all}");
            [
                words.period_of.with([&number, &all]),
                words.period.with([&both]),
                words.period_short.with([&both]),
            ]
        }
    };
    texts.map(|text| glyphs.text(&text))
}

/// The period with the method, in a long and in a short form, and then without it.
pub fn periods(display: &SideDisplay, glyphs: Glyphs) -> [String; 4] {
    let [long, short] = method(display);
    let [_, period, bare] = period(display, glyphs);
    [join(&[&period, &long], " "), join(&[&bare, &short], " "), period, bare]
}

/// The texts at the right end of the small line of a picture, from the longest to the shortest: the
/// notes, the method and the period. The period is left out first, then the method, and then notes.
///
/// `gap` separates these parts.
pub fn small_line(display: &SideDisplay, gap: &str) -> Vec<String> {
    let glyphs = Glyphs::PICTURE;
    let [long, short] = method(display);
    // While a delay is left, its note says more than the method.
    let (long, short) = if display.delay.is_some() { Default::default() } else { (long, short) };
    // In an overtime and after a flag, the note is about the period.
    let has_note = display.overtime.is_some()
        || display.earlier_flag
        || matches!(display.time_level, TimeLevel::Flagged { .. });
    let [period, _, bare] = if has_note { Default::default() } else { period(display, glyphs) };
    let ends =
        [[&long, &period], [&long, &bare], [&short, &bare]].map(|end| end.map(String::as_str));
    let ends = ends.into_iter().chain([[short.as_str(), ""], ["", ""]]);
    let with_ends = |note: &String| {
        let join = |[method, period]: [&str; 2]| join(&[note, method, period], gap);
        ends.clone().map(join).collect::<Vec<String>>()
    };
    notes(display, glyphs, gap).iter().flat_map(with_ends).collect()
}

/// The method of a side in its present period, in a long and in a short form: `+30`, `d5`, and
/// `Bronstein 3 s` or `b3`. Both are empty if no move adds time. They are the signs of notations,
/// which are the same in every language.
pub fn method(display: &SideDisplay) -> [String; 2] {
    display.method.map(method_signs).unwrap_or_default()
}

/// The texts of [`method`] for this method.
pub fn method_signs(PlayedMethod { method, nsec }: PlayedMethod) -> [String; 2] {
    let seconds = seconds(nsec);
    match method {
        Method::None => Default::default(),
        Method::Increment => [format!("+{seconds}"), format!("+{seconds}")],
        Method::Delay => [format!("d{seconds}"), format!("d{seconds}")],
        Method::Bronstein => [format!("Bronstein {seconds} s"), format!("b{seconds}")],
    }
}

/// A time in seconds, with as many decimals as it needs.
fn seconds(nsec: u64) -> String {
    let (whole, part) = (nsec / 1_000_000_000, nsec % 1_000_000_000);
    let decimals = format!("{part:09}");
    match decimals.trim_end_matches('0') {
        "" => whole.to_string(),
        decimals => format!("{whole}.{decimals}"),
    }
}

/// The name of the player in a width of `room`, or the side if there is no name. The disc beside it
/// tells the side.
pub fn player(display: &SideDisplay, glyphs: Glyphs, room: u32, width: Width) -> String {
    let player = glyphs.name(&display.player);
    if player.is_empty() {
        return [word(display), letter(display)]
            .map(|text| glyphs.text(text))
            .into_iter()
            .find(|text| width(text) <= room)
            .unwrap_or_default();
    }
    shorten(&player, room, glyphs.ellipsis(), width)
}

/// The mark, the side and the name of the player, in a width of `room`. If they do not fit, the
/// name is shortened first. Then the side is written as a letter ([`NAME_BESIDE_WORD`]). At last
/// the name is left out ([`NAME_BESIDE_LETTER`]), and the side is written as a word again if the
/// word fits. If not even the letter fits, the text is empty.
pub fn heading(display: &SideDisplay, glyphs: Glyphs, room: u32, width: Width) -> String {
    let mark = match display.mark {
        TurnMark::Waiting => String::new(),
        mark => format!("{} ", glyphs.mark(mark)),
    };
    let [side, letter] =
        [word(display), letter(display)].map(|side| format!("{mark}{}", glyphs.text(side)));
    let player = glyphs.name(&display.player);
    for (before, enough) in [(&side, NAME_BESIDE_WORD), (&letter, NAME_BESIDE_LETTER)] {
        let left = room.saturating_sub(width(before) + width("  "));
        if !player.is_empty() && (left >= enough * width("0") || surname_fits(&player, left, width))
        {
            return format!("{before}  {}", shorten(&player, left, glyphs.ellipsis(), width));
        }
    }
    [side, letter].into_iter().find(|text| width(text) <= room).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_has_a_long_and_a_short_form() {
        for (kind, nsec, expected) in [
            (Method::Increment, 30_000_000_000, ["+30", "+30"]),
            (Method::Increment, 2_500_000_000, ["+2.5", "+2.5"]),
            (Method::Delay, 5_000_000_000, ["d5", "d5"]),
            (Method::Bronstein, 3_000_000_000, ["Bronstein 3 s", "b3"]),
            (Method::None, 0, ["", ""]),
        ] {
            let side = crate::devices::test_content::SIDE;
            let played = Some(PlayedMethod { method: kind, nsec });
            assert_eq!(method(&SideDisplay { method: played, ..side }), expected);
        }
    }
}
