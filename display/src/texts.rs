//! The texts and marks beside the times, in the characters that the terminal or the picture can
//! show.

use clock_dbus::Method;
use clock_languages::{Count, Face, Notes, Sides};

use crate::content::{
    Conditions, FlagOrder, Overtime, PlayedMethod, Side, SideDisplay, TimeLevel, TurnMark, Used,
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
/// The second text lacks the note for a low time, and the third has shorter forms of some notes.
/// The later texts leave out, in this order: the conditions and the earlier flag; the delay; the
/// overrun and the limit; the overtime and the note that the time is counted up; the flag; the note
/// that the time is the last known one.
pub fn notes(display: &SideDisplay, glyphs: Glyphs, gap: &str) -> Vec<String> {
    let words = display.words;
    let (flag, overrun) = match &display.time_level {
        TimeLevel::Flagged { order, overrun } => (flag(*order, words, glyphs), overrun.as_deref()),
        TimeLevel::Ample | TimeLevel::Low => (String::new(), None),
    };
    let overrun = overrun.unwrap_or_default();
    let delay = |word| display.delay.map(|seconds| format!("{word}{seconds}")).unwrap_or_default();
    let (full, letter) = (delay(words.notes.delay), delay(words.notes.delay_short));
    let earlier = if display.earlier_flag { earlier_flag(words, glyphs) } else { String::new() };
    let [used, bare_used] = used(display);
    let stale = if display.stale { words.notes.last_known } else { "" };
    let low = low(display);
    let [long, short] = overtime(display, glyphs);
    let [under, control] = conditions(display);
    let texts = vec![
        join(&[stale, low, &flag, overrun, &used, &long, &earlier, &full, &under], gap),
        join(&[stale, &flag, overrun, &used, &long, &earlier, &full, &under], gap),
        join(&[stale, &flag, overrun, &used, &short, &earlier, &letter, &control], " "),
        join(&[stale, &flag, overrun, &used, &short, &letter], " "),
        join(&[stale, &flag, overrun, &used, &short], " "),
        join(&[stale, &flag, &bare_used, &short], " "),
        join(&[stale, &flag], " "),
        stale.to_owned(),
        String::new(),
    ];
    texts.iter().map(|text| glyphs.text(text)).collect()
}

/// Two texts: the time control with the rule profile, and the time control alone. Both texts are
/// empty once the game has started.
fn conditions(display: &SideDisplay) -> [String; 2] {
    let Some(Conditions { control, rules }) = &display.conditions else {
        return Default::default();
    };
    let before = display.words.notes.rules;
    let rules = if rules.is_empty() { String::new() } else { format!("{before}{rules}") };
    [join(&[control, &rules], ", "), control.clone()]
}

/// Two forms of the note that the time is counted up: with the limit (`used of 1:00:00`), and
/// without it (`used`). If there is no limit, both forms are `used`. If the time is not counted up,
/// both forms are empty.
pub fn used(display: &SideDisplay) -> [String; 2] {
    let Some(Used { limit }) = &display.used else { return Default::default() };
    let Notes { used, used_of, .. } = display.words.notes;
    let limited = limit.as_ref().map(|limit| format!("{used_of}{limit}"));
    [limited.unwrap_or_else(|| used.to_owned()), used.to_owned()]
}

/// The periods and moves that are left of the overtime, as a long and a short text. Both are empty
/// outside an overtime.
pub fn overtime(display: &SideDisplay, glyphs: Glyphs) -> [String; 2] {
    let Some(Overtime { periods, moves }) = display.overtime else {
        return Default::default();
    };
    let times = glyphs.times();
    let Notes { overtime, overtime_moves: Count { before, one, others }, .. } =
        &display.words.notes;
    let Some(moves) = moves else {
        return [format!("{overtime}{periods}{times}"), format!("{periods}{times}")];
    };
    let after = if moves == 1 { one } else { others };
    [
        format!("{overtime}{periods}{times}  {before}{moves}{after}"),
        format!("{periods}{times} {moves}"),
    ]
}

/// The note for a flag after which play went on. It differs from the note for a final flag.
pub fn earlier_flag(words: &Face, glyphs: Glyphs) -> String {
    format!("{}{}{}", words.notes.earlier, glyphs.flag(), words.flag)
}

/// The texts of [`notes`], from the longest to the shortest. If the number of moves is shown, one
/// more text comes first: the longest notes and the number of moves. A layout that shows this
/// number nowhere else uses these texts.
pub fn notes_and_moves(display: &SideDisplay, glyphs: Glyphs) -> Vec<String> {
    let mut texts = notes(display, glyphs, "  ");
    if let Some(moves) = display.moves {
        texts.insert(0, join(&[&texts[0], &self::moves(display.words, moves, glyphs)], "  "));
    }
    texts
}

/// Texts with the notes, the moves and the period, in the order in which they are tried. Shorter
/// notes, and at last no notes, are tried before the period is left out. The last texts have only
/// notes; they are tried if not even the period alone fits.
pub fn everything(display: &SideDisplay, glyphs: Glyphs) -> Vec<String> {
    let notes = notes(display, glyphs, "  ");
    let counts = counts(display, glyphs);
    let mut texts = Vec::new();
    for note in &notes {
        texts.extend(counts.iter().map(|count| join(&[note, count], "  ")));
    }
    texts.extend(notes);
    texts
}

/// The parts that are not empty, joined with `gap`.
fn join(parts: &[&str], gap: &str) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(gap)
}

/// The note for a low time, which the colours alone would not tell everybody.
pub fn low(display: &SideDisplay) -> &'static str {
    if display.time_level == TimeLevel::Low { display.words.notes.low } else { "" }
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

/// The press counter with the word for moves.
pub fn moves(words: &Face, moves: u32, glyphs: Glyphs) -> String {
    glyphs.text(&format!("{}{moves}", words.notes.moves))
}

/// The period, the method and the moves, from the longest text to the shortest. The method is left
/// out before the moves are, and at last only the letter and the number of the period remain.
pub fn counts(display: &SideDisplay, glyphs: Glyphs) -> [String; 6] {
    let periods = periods(display, glyphs);
    let Some(moves) = display.moves else {
        let [longest, ..] = &periods;
        let [first, second, third, last] = periods.clone();
        return [longest.clone(), longest.clone(), first, second, third, last];
    };
    let moves = self::moves(display.words, moves, glyphs);
    let [_, short, period, bare] = periods.clone();
    let [long, ..] = periods;
    [
        format!("{long}   {moves}"),
        format!("{short}  {moves}"),
        format!("{bare}  {moves}"),
        short,
        period,
        bare,
    ]
}

/// The period with a letter, because `1/2` alone would look like a result.
pub fn short_period(display: &SideDisplay, glyphs: Glyphs) -> String {
    glyphs.text(&format!("{}{}", display.words.notes.period_short, display.period))
}

/// The period with the method, in a long and in a short form, and then without it.
pub fn periods(display: &SideDisplay, glyphs: Glyphs) -> [String; 4] {
    let [long, short] = method(display);
    let period = glyphs.text(&format!("{}{}", display.words.notes.period, display.period));
    let bare = short_period(display, glyphs);
    [join(&[&period, &long], " "), join(&[&bare, &short], " "), period, bare]
}

/// The method of a side in its present period, in a long and in a short form: `+30`, `d5`, and
/// `Bronstein 3 s` or `b3`. Both are empty if no move adds time. They are the signs of notations,
/// which are the same in every language.
pub fn method(display: &SideDisplay) -> [String; 2] {
    let Some(PlayedMethod { method, nsec }) = display.method else { return Default::default() };
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
