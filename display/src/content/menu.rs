//! The menu as the face shows it. While it is open, its page takes the place of the clock.

use std::ops::Range;

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};
use clock_languages::Face;

use super::{Content, Game, Side, Status, TurnMark, foreign};

/// The most lines, and the most characters of each, that the face shows of a page.
const MOST_LINES: usize = 6;
const LONGEST_LINE: usize = 28;
/// The most hints of a page, and the most characters of what a button does.
const MOST_HINTS: usize = 4;
const LONGEST_ACTION: usize = 12;
/// The most characters of a time.
const LONGEST_TIME: usize = 12;
/// The most characters of a line of seven-segment digits.
const LONGEST_SEGMENTS: usize = 8;

/// What the face shows of the menu.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Menu {
    #[default]
    Closed,
    /// The buttons that open the menu must be released.
    Release,
    /// This page is shown in place of the clock.
    Open(Box<Page>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub title: String,
    pub lines: Vec<String>,
    /// The index of the chosen line among `lines`.
    pub chosen: Option<usize>,
    /// Whether there are lines above the first one, and below the last one.
    pub more: [bool; 2],
    pub hints: Vec<Hint>,
    /// Two lines for seven-segment digits.
    pub segments: [String; 2],
    /// White's and Black's time, with the part that the buttons change in brackets; empty if the page
    /// has none.
    pub times: [String; 2],
}

/// A button and what it does on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub button: MenuButton,
    pub action: String,
}

/// The hints of a page by their places.
pub struct Placed<'a> {
    /// What the buttons of the players do, in the order of `Game::in_wired_order`.
    pub players: [Option<&'a Hint>; 2],
    /// What the other buttons do.
    pub others: Vec<&'a Hint>,
}

impl Content {
    /// Adds the menu to a game, if it is known. While a clock runs or no service answers, no menu
    /// is shown.
    #[must_use]
    pub fn with_menu(mut self, page: Option<&MenuPage>) -> Content {
        if let (Content::Game(game), Some(page)) = (&mut self, page) {
            let runs = game.in_wired_order().iter().any(|side| side.mark == TurnMark::Running);
            game.menu = match page.state {
                _ if runs || game.is_stale() => Menu::Closed,
                MenuState::Closed => Menu::Closed,
                MenuState::Hold => {
                    game.status = Status::hold(page.number, game.words);
                    Menu::Closed
                }
                MenuState::Release => Menu::Release,
                MenuState::Open => Menu::Open(Box::new(Page::of(page))),
            };
        }
        self
    }
}

impl Page {
    fn of(page: &MenuPage) -> Page {
        let MenuPage {
            // `Content::with_menu` uses this field.
            state: _,
            // The first line for seven-segment digits contains the number.
            number: _,
            title,
            lines,
            chosen,
            more_above,
            more_below,
            hints,
            segments: (first, second),
            times: (white, black),
        } = page;
        let lines: Vec<String> =
            lines.iter().take(MOST_LINES).map(|line| cut(line, LONGEST_LINE)).collect();
        let is_tiles = lines.is_empty() && hints.len() > 1;
        let chosen = chosen.and_then(|index| usize::try_from(index).ok());
        let hint = |MenuHint { button, action }: &MenuHint| {
            let longest = if is_tiles { LONGEST_LINE } else { LONGEST_ACTION };
            Some(Hint { button: (*button)?, action: cut(action, longest) })
        };
        Page {
            title: cut(title, LONGEST_LINE),
            chosen: chosen.filter(|index| *index < lines.len()),
            lines,
            more: [*more_above, *more_below],
            hints: hints.iter().filter_map(hint).take(MOST_HINTS).collect(),
            segments: [first, second].map(|line| line.chars().take(LONGEST_SEGMENTS).collect()),
            times: [white, black].map(|time| cut(time, LONGEST_TIME)),
        }
    }

    /// Whether the page is one of tiles: each hint is a choice.
    pub fn is_tiles(&self) -> bool {
        self.lines.is_empty() && self.hints.len() > 1
    }

    /// The times in the order of `Game::in_wired_order`, if the page has some.
    pub fn times(&self, game: &Game) -> Option<[&str; 2]> {
        let [white, black] = self.times.each_ref().map(String::as_str);
        let of = |side: Side| if side == Side::White { white } else { black };
        let times = game.in_wired_order().map(|display| of(display.side));
        (!white.is_empty() && !black.is_empty()).then_some(times)
    }

    /// The lines to show where there is room for `rows` of them: those around the chosen one. If
    /// no line is chosen, the first ones. Also returns whether there are lines above and below.
    pub fn visible(&self, rows: usize) -> (Range<usize>, [bool; 2]) {
        let rows = rows.min(self.lines.len());
        let last_start = self.lines.len() - rows;
        let start = self.chosen.map_or(0, |chosen| chosen.saturating_sub(rows / 2)).min(last_start);
        let [above, below] = self.more;
        (start..start + rows, [above || start > 0, below || start < last_start])
    }

    /// The hints by their places. The button of a player is at the place of this player's half. A
    /// rocker belongs to both players; its hint is at the first place.
    pub fn placed(&self, game: &Game) -> Placed<'_> {
        let of = |side: Side| {
            let button = match side {
                Side::White => MenuButton::White,
                Side::Black => MenuButton::Black,
            };
            self.hints.iter().find(|hint| hint.button == button)
        };
        let rocker = self.hints.iter().find(|hint| hint.button == MenuButton::Rocker);
        let players = match rocker {
            Some(_) => [rocker, None],
            None => game.in_wired_order().map(|display| of(display.side)),
        };
        let is_other = |hint: &&Hint| !players.contains(&Some(*hint));
        Placed { players, others: self.hints.iter().filter(is_other).collect() }
    }
}

impl Hint {
    /// The name of the button for the players.
    pub fn button_name(&self, words: &Face) -> &'static str {
        let buttons = &words.buttons;
        match self.button {
            MenuButton::White => words.sides.white,
            MenuButton::Black => words.sides.black,
            MenuButton::Rocker => buttons.rocker,
            MenuButton::Call => buttons.call,
            MenuButton::CallHeld => buttons.call_held,
            MenuButton::BothHeld => buttons.both_held,
        }
    }

    /// Whether the button does nothing yet: the action is the time until then, in parentheses.
    pub fn waits(&self) -> bool {
        self.action.starts_with('(')
    }

    /// The button and what it does: `White: back`.
    pub fn text(&self, words: &Face) -> String {
        format!("{}{}{}", self.button_name(words), words.colon, self.action)
    }
}

/// A text from the service on one line, with at most `most` characters.
fn cut(text: &str, most: usize) -> String {
    foreign(text).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use clock_dbus::State;

    use super::*;
    use crate::language::EN;
    use crate::rules::Rules;

    fn page(lines: usize, chosen: Option<u32>) -> MenuPage {
        MenuPage {
            state: MenuState::Open,
            lines: (0..lines).map(|line| line.to_string()).collect(),
            chosen,
            ..MenuPage::default()
        }
    }

    fn menu(state: &State, page: &MenuPage) -> Menu {
        match Content::of(state, Rules::NONE, EN).with_menu(Some(page)) {
            Content::Game(game) => game.menu,
            Content::Starting(_) | Content::NoService(_) => panic!("a state is a game"),
        }
    }

    #[test]
    fn no_page_hides_a_running_clock() {
        use clock_dbus::{Phase, Who};
        let standing = State { phase: Phase::Paused, ..State::default() };
        let running = State { phase: Phase::Running, running: Who::White, ..State::default() };
        for (state, is_open) in [(&standing, true), (&running, false)] {
            assert_eq!(menu(state, &page(1, None)) != Menu::Closed, is_open);
            let release = MenuPage { state: MenuState::Release, ..MenuPage::default() };
            assert_eq!(menu(state, &release) == Menu::Release, is_open);
        }
        assert_eq!(menu(&standing, &MenuPage::default()), Menu::Closed);
        let stale = Content::last_known(&standing, Rules::NONE, EN).with_menu(Some(&page(1, None)));
        let Content::Game(game) = stale else { panic!("a state is a game") };
        assert_eq!(game.menu, Menu::Closed);
    }

    #[test]
    fn a_page_that_is_too_long_is_cut() {
        let long = MenuPage {
            title: "t".repeat(300),
            lines: vec!["\u{202e}x\n".repeat(300); 300],
            chosen: Some(299),
            hints: vec![MenuHint { button: Some(MenuButton::Call), action: "a".repeat(300) }; 300],
            segments: ("1".repeat(300), String::new()),
            ..page(0, None)
        };
        let Menu::Open(shown) = menu(&State::default(), &long) else { panic!("it is open") };
        assert_eq!(shown.title, "t".repeat(28));
        assert_eq!(shown.lines, vec!["x x x x x x x x x x x x x x "; 6]);
        assert_eq!(shown.chosen, None);
        assert_eq!(shown.hints, vec![Hint { button: MenuButton::Call, action: "a".repeat(12) }; 4]);
        assert_eq!(shown.segments, ["11111111", ""]);
    }

    #[test]
    fn the_chosen_line_is_visible_in_any_room() {
        for (lines, chosen, rows, visible, more) in [
            (6, Some(0), 3, 0..3, [false, true]),
            (6, Some(3), 3, 2..5, [true, true]),
            (6, Some(5), 3, 3..6, [true, false]),
            (6, Some(5), 6, 0..6, [false, false]),
            (6, Some(4), 1, 4..5, [true, true]),
            (2, Some(1), 3, 0..2, [false, false]),
            (6, None, 3, 0..3, [false, true]),
            (0, None, 3, 0..0, [false, false]),
        ] {
            let Menu::Open(page) = menu(&State::default(), &page(lines, chosen)) else {
                panic!("it is open")
            };
            assert_eq!(page.visible(rows), (visible, more), "{lines} {chosen:?} {rows}");
        }
    }
}
