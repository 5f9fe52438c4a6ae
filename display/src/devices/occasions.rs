//! Counts the occasions on which the buzzer can sound.

use super::buzzer::Sound;
use crate::content::{Content, Menu, SideDisplay, TimeLevel, TurnMark};
use crate::signals::Signals;

/// How often each sound has had an occasion since the program started, in the order of
/// [`Sound::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occasions(pub [u64; Sound::ALL.len()]);

impl Occasions {
    /// The sounds whose counts are higher than in `before`, each of them once.
    pub fn since(self, before: Occasions) -> impl Iterator<Item = Sound> {
        let counts = self.0.into_iter().zip(before.0);
        let sounds = Sound::ALL.into_iter().zip(counts);
        sounds.filter(|(_, (now, then))| now > then).map(|(sound, _)| sound)
    }
}

/// Counts the occasions from the signals and from the content.
#[derive(Default)]
pub struct Counter {
    signals: Signals,
    /// How often a running side's time became low since the program started.
    lows: u64,
    /// For White and Black: whether in the previous content the side's clock ran and its time was
    /// not low.
    had_time: [bool; 2],
    /// How often another page of the menu, or another line of it, was shown.
    pages: u64,
    page: MenuPlace,
}

/// Where in the menu the players are. The text of a line that is not chosen makes no difference,
/// because it can change without a press: a number of seconds to wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum MenuPlace {
    #[default]
    Closed,
    Release,
    Page {
        number: String,
        title: String,
        /// The text of the chosen line.
        line: Option<String>,
        chosen: Option<usize>,
    },
}

impl Counter {
    /// Returns how often each sound has had an occasion, including the occasions in `content` and
    /// `signals`. `signals` is `None` while no service answers; the counts of gongs, flags and
    /// calls then stay the same.
    pub fn count(&mut self, content: &Content, signals: Option<Signals>) -> Occasions {
        self.signals = signals.unwrap_or(self.signals);
        self.count_low(content);
        let page = MenuPlace::of(content);
        if page != self.page {
            self.page = page;
            self.pages += 1;
        }
        let Signals { gongs, flags, calls } = self.signals;
        Occasions([gongs, flags, calls, self.lows, self.pages])
    }

    /// Counts each side whose time was ample in the previous content and is low in `content`, if
    /// the side's clock runs in both contents. So a low time that the arbiter has set is not
    /// counted, and neither is one with which a game begins.
    fn count_low(&mut self, content: &Content) {
        let levels = match content {
            Content::Game(game) => [&game.white, &game.black].map(running_level),
            Content::Starting(_) | Content::NoService(_) => [None; 2],
        };
        for (level, had_time) in levels.into_iter().zip(&mut self.had_time) {
            if *had_time && matches!(level, Some(TimeLevel::Low(_))) {
                self.lows += 1;
            }
            *had_time = level == Some(&TimeLevel::Ample);
        }
    }
}

impl MenuPlace {
    fn of(content: &Content) -> MenuPlace {
        let Content::Game(game) = content else { return MenuPlace::Closed };
        match &game.menu {
            Menu::Closed => MenuPlace::Closed,
            Menu::Release => MenuPlace::Release,
            Menu::Open(page) => MenuPlace::Page {
                number: page.segments[0].clone(),
                title: page.title.clone(),
                line: page.chosen.map(|index| page.lines[index].clone()),
                chosen: page.chosen,
            },
        }
    }
}

fn running_level(display: &SideDisplay) -> Option<&TimeLevel> {
    (display.mark == TurnMark::Running).then_some(&display.time_level)
}

#[cfg(test)]
mod tests {
    use crate::language::EN;
    use clock_dbus::{MenuPage, MenuState};

    use super::*;
    use crate::content::FlagOrder;
    use crate::devices::test_content::{SIDE, game};

    fn content(mark: TurnMark, time_level: TimeLevel) -> Content {
        game(SideDisplay { mark, time_level, ..SIDE }, SIDE)
    }

    #[test]
    fn an_occasion_is_a_count_that_rises() {
        let since = |now, before| Occasions(now).since(Occasions(before)).collect::<Vec<_>>();
        assert_eq!(since([1, 0, 0, 0, 0], [0; 5]), [Sound::Gong]);
        assert_eq!(since([3, 4, 0, 1, 0], [1, 4, 0, 0, 0]), [Sound::Gong, Sound::Low]);
        assert_eq!(since([0, 1, 1, 0, 0], [0; 5]), [Sound::Flag, Sound::Call]);
        assert_eq!(since([2; 5], [2; 5]), []);
    }

    #[test]
    fn a_time_becomes_low_only_while_its_clock_runs() {
        use TimeLevel::{Ample, Low};
        use TurnMark::{Running, Stopped, Waiting};
        let flagged = TimeLevel::Flagged { order: FlagOrder::Only, overrun: None };
        for (contents, lows) in [
            (vec![content(Running, Ample), content(Running, Low(500))], 1),
            (
                vec![
                    content(Running, Ample),
                    content(Running, Low(500)),
                    content(Running, Low(500)),
                ],
                1,
            ),
            // The time becomes low, is ample again after an increment, and becomes low a second
            // time.
            (
                vec![
                    content(Running, Ample),
                    content(Running, Low(500)),
                    content(Waiting, Ample),
                    content(Running, Ample),
                    content(Running, Low(500)),
                ],
                2,
            ),
            // In these rows the sound for a low time has no occasion: a low time in the first
            // content, a low time that was set, a new game with a low time, a service that is back,
            // and a flag.
            (vec![content(Running, Low(500))], 0),
            (
                vec![
                    content(Stopped, Ample),
                    content(Stopped, Low(500)),
                    content(Running, Low(500)),
                ],
                0,
            ),
            (
                vec![
                    content(Running, Ample),
                    content(Waiting, Low(500)),
                    content(Running, Low(500)),
                ],
                0,
            ),
            (vec![content(Running, Ample), Content::NoService(EN), content(Running, Low(500))], 0),
            (vec![content(Running, Ample), content(Running, flagged)], 0),
        ] {
            let mut counter = Counter::default();
            let counts = contents.iter().map(|content| counter.count(content, None)).last();
            assert_eq!(counts, Some(Occasions([0, 0, 0, lows, 0])), "{contents:?}");
        }
    }

    #[test]
    fn the_signals_of_the_service_are_kept_while_it_is_absent() {
        let mut counter = Counter::default();
        let mut count = |signals| counter.count(&Content::NoService(EN), signals);
        let signals = Signals { gongs: 4, flags: 3, calls: 2 };
        assert_eq!(count(None), Occasions([0; 5]));
        assert_eq!(count(Some(signals)), Occasions([4, 3, 2, 0, 0]));
        assert_eq!(count(None), Occasions([4, 3, 2, 0, 0]));
        assert_eq!(count(Some(Signals { gongs: 5, ..signals })), Occasions([5, 3, 2, 0, 0]));
    }

    #[test]
    fn another_page_or_chosen_line_is_counted_and_a_countdown_is_not() {
        let page = |title: &str, line: &str, chosen| MenuPage {
            state: MenuState::Open,
            title: title.into(),
            lines: vec![line.into(), "Back".into()],
            chosen,
            ..MenuPage::default()
        };
        let release = MenuPage { state: MenuState::Release, ..MenuPage::default() };
        let mut counter = Counter::default();
        for (shown, pages) in [
            (MenuPage::default(), 0),
            (release, 1),
            (page("Menu", "New game", Some(0)), 2),
            (page("Menu", "New game", Some(0)), 2),
            (page("Menu", "New game", Some(1)), 3),
            (page("Time", "now [1]:00", Some(0)), 4),
            (page("Time", "now [2]:00", Some(0)), 5),
            (page("Code", "Wait 3 s", None), 6),
            (page("Code", "Wait 2 s", None), 6),
            (MenuPage::default(), 7),
        ] {
            let content = content(TurnMark::Stopped, TimeLevel::Ample).with_menu(Some(&shown));
            assert_eq!(counter.count(&content, None), Occasions([0, 0, 0, 0, pages]), "{shown:?}");
        }
    }
}
