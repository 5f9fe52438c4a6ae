//! Makes a page as every face shows it.

use clock_dbus::{MenuHint, MenuPage, MenuState};
use clock_engine::Span;

/// The most characters of a title or a line. Letters of 10 mm then fit on a screen of 7 inches.
pub const LINE_LENGTH: usize = clock_languages::LINE_LENGTH;
pub const VISIBLE_LINES: usize = 6;
/// The most characters of a line of seven-segment digits.
pub const SEGMENTS: usize = 8;

/// How many choices have room below texts that turn.
const CHOICES_BELOW: usize = 2;
/// Texts that do not have room together show their next lines after this time.
pub(crate) const PAGE_TURN: Span = Span::from_secs(3);

/// A page of these lines. At most [`VISIBLE_LINES`] of them are visible, and the chosen line is one
/// of these.
pub(crate) fn new(number: u32, title: &str, lines: &[String], chosen: Option<usize>) -> MenuPage {
    let chosen = chosen.filter(|_| !lines.is_empty()).map(|at| at.min(lines.len() - 1));
    // The line after the chosen one is visible, too, if there is one.
    let last = chosen.map_or(0, |at| (at + 2).min(lines.len()));
    let first = last.saturating_sub(VISIBLE_LINES);
    let visible = lines.iter().skip(first).take(VISIBLE_LINES);
    MenuPage {
        state: MenuState::Open,
        number,
        title: cut(title),
        lines: visible.map(|line| cut(line)).collect(),
        chosen: chosen.and_then(|at| u32::try_from(at - first).ok()),
        more_above: first > 0,
        more_below: first + VISIBLE_LINES < lines.len(),
        segments: (format!("{number:02}"), String::new()),
        ..MenuPage::default()
    }
}

/// A page of a list that begins with `texts` lines without a choice. If the lines do not have room
/// together, the texts turn above the choices, because the cursor does not stop at them.
pub(crate) fn with_texts(
    number: u32,
    title: &str,
    lines: &[String],
    texts: usize,
    chosen: usize,
    open_for: Span,
) -> MenuPage {
    if texts == 0 || lines.len() <= VISIBLE_LINES {
        return new(number, title, lines, Some(chosen));
    }
    let (texts, choices) = lines.split_at(texts);
    let chosen = chosen.saturating_sub(texts.len());
    let first = (chosen + 2).min(choices.len()).saturating_sub(CHOICES_BELOW);
    let choices = &choices[first..choices.len().min(first + CHOICES_BELOW)];
    let room = VISIBLE_LINES - choices.len();
    let mut visible = turned(texts, open_for, room);
    // The choices stay in their places while the last, shorter part of the texts is shown.
    visible.resize(room, String::new());
    visible.extend_from_slice(choices);
    MenuPage { more_above: true, ..new(number, title, &visible, Some(room + chosen - first)) }
}

/// This page with these hints, and on seven-segment digits this value: at most [`SEGMENTS`] of the
/// characters `0` to `9`, `-`, `.` and space.
pub(crate) fn with_hints(page: MenuPage, hints: Vec<MenuHint>, value: &str) -> MenuPage {
    let shown = |c: &char| c.is_ascii_digit() || matches!(c, '-' | '.' | ' ');
    let value: String = value.replace(':', ".").chars().filter(shown).collect();
    let value = match value.len() > SEGMENTS {
        true => value.replace('.', ""),
        false => value,
    };
    let value = value.chars().take(SEGMENTS).collect();
    MenuPage { hints, segments: (page.segments.0, value), ..page }
}

/// The lines that are shown after this time in `room` rows: after each [`PAGE_TURN`] the next ones,
/// and after the last ones the first ones again.
pub(crate) fn turned(lines: &[String], passed: Span, room: usize) -> Vec<String> {
    let turns = usize::try_from(passed.as_nanos() / PAGE_TURN.as_nanos()).unwrap_or(0);
    let pages = lines.len().div_ceil(room).max(1);
    lines.iter().skip(turns % pages * room).take(room).cloned().collect()
}

/// The text in at most [`LINE_LENGTH`] characters. A text that is cut ends with `…`.
pub(crate) fn cut(text: &str) -> String {
    cut_to(text, LINE_LENGTH)
}

fn cut_to(text: &str, room: usize) -> String {
    let printable: Vec<char> = text.chars().filter(|c| !c.is_control()).take(room + 1).collect();
    if printable.len() <= room {
        return printable.into_iter().collect();
    }
    let kept: String = printable.into_iter().take(room - 1).collect();
    format!("{}…", kept.trim_end())
}

/// The title with the seconds for which its page is still shown.
pub(crate) fn with_seconds(title: &str, seconds: u64) -> String {
    let end = format!(" ({seconds} s)");
    format!("{}{end}", cut_to(title, LINE_LENGTH - end.len()))
}

/// The most lines of a text from outside, such as a refusal.
const MAX_WRAPPED: usize = 24;

/// The text in lines of at most [`LINE_LENGTH`] characters, at most 24 of them.
pub(crate) fn wrap(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_full = lines.len() == MAX_WRAPPED;
        let has_room =
            |line: &&mut String| line.chars().count() + 1 + word.chars().count() <= LINE_LENGTH;
        if let Some(line) = lines.last_mut().filter(has_room) {
            line.push(' ');
            line.push_str(word);
        } else if is_full {
            break;
        } else {
            lines.push(cut(word));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_line_and_the_next_one_are_visible() {
        let lines: Vec<String> = (0..9).map(|number| number.to_string()).collect();
        let page = |chosen| new(1, "", &lines, Some(chosen));
        assert_eq!((page(0).lines[0].as_str(), page(0).chosen), ("0", Some(0)));
        assert_eq!((page(5).lines[0].as_str(), page(5).chosen), ("1", Some(4)));
        assert_eq!((page(8).lines[5].as_str(), page(8).chosen), ("8", Some(5)));
        assert!(page(0).more_below && !page(0).more_above);
        assert!(page(8).more_above && !page(8).more_below);
    }

    #[test]
    fn texts_are_cut_and_wrapped_at_28_characters() {
        assert_eq!(cut("1234567890123456789012345678"), "1234567890123456789012345678");
        assert_eq!(cut("12345678901234567890123456789"), "123456789012345678901234567…");
        let wrapped = wrap("only while the clocks stand; the clock is running");
        assert_eq!(wrapped, ["only while the clocks stand;", "the clock is running"]);
        assert_eq!(wrap(&"word ".repeat(1000)).len(), 24);
    }
}
