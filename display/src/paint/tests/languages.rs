//! The words of every language in a terminal.

use clock_languages::{Face, Language};

use super::*;
use crate::battery::Battery;

/// Contents with long texts, and with names that need not be shortened.
fn contents(words: &'static Face) -> Vec<Content> {
    let named = |state: State| State {
        white: SideState { player: "Li".into(), ..state.white },
        black: SideState { player: "Ito".into(), ..state.black },
        ..state
    };
    let called = State { arbiter_called_by: Who::White, ..paused() };
    let of = |state: &State| Content::of(&named(state.clone()), Rules::NONE, words);
    let battery = Some(Battery { percent: 9, minutes: None });
    vec![
        Content::Starting(words),
        Content::NoService(words),
        of(&State { phase: Phase::Ready, ..paused() }),
        of(&running(Who::White)),
        of(&white_flagged()),
        of(&called).with_battery(battery),
        Content::last_known(&named(white_flagged()), Rules::NONE, words),
    ]
}

fn count(buffer: &Buffer, sign: &str) -> usize {
    text(buffer).matches(sign).count()
}

#[test]
fn in_every_language_nothing_is_cut_and_ascii_has_no_question_marks() {
    for (width, height) in [(160, 40), (80, 24), (60, 12), (40, 10), (30, 5), (20, 4)] {
        for (theme, cut) in [(COLOURED, "…"), (PLAIN, "...")] {
            for language in Language::ALL {
                for (english, content) in contents(EN).into_iter().zip(contents(language.face())) {
                    let [english, other] = [english, content]
                        .map(|content| Screen { content, demo: None })
                        .map(|screen| shown(&screen, width, height, theme));
                    let case = || format!("{language:?} {width}x{height}\n{}", text(&other));
                    assert_eq!(count(&other, cut), count(&english, cut), "{}", case());
                    assert_eq!(count(&other, "?"), count(&english, "?"), "{}", case());
                    // The same lines have texts.
                    let empty = |buffer: &Buffer| -> Vec<bool> {
                        rows(buffer).iter().map(|row| row.trim().is_empty()).collect()
                    };
                    assert_eq!(empty(&other), empty(&english), "{}", case());
                }
            }
        }
    }
}

#[test]
fn a_terminal_without_its_letters_shows_the_words_in_ascii() {
    let polish = |theme| {
        let words = Language::Polish.face();
        let content = Content::last_known(&white_flagged(), Rules::NONE, words);
        shown(&Screen { content, demo: None }, 80, 24, theme)
    };
    assert_says(&polish(COLOURED), &["Białe  Vera Menchik", "Efim Bogoljubów", "DLA SĘDZIEGO"]);
    assert_says(&polish(PLAIN), &["Biale  Vera Menchik", "Efim Bogoljubow", "DLA SEDZIEGO"]);
}

/// The order of the letters would depend on the terminal.
#[test]
fn a_name_in_letters_from_right_to_left_is_replaced_by_the_side() {
    for theme in [COLOURED, PLAIN] {
        let name = "יהודה גרינפלד";
        let state = State {
            white: SideState { player: name.into(), ..running(Who::White).white },
            ..running(Who::White)
        };
        for (width, height) in [(160, 40), (80, 24), (40, 10), (20, 5)] {
            let nameless = State {
                white: SideState { player: String::new(), ..state.clone().white },
                ..state.clone()
            };
            let buffer = face(&state, width, height, theme);
            assert_eq!(text(&buffer), text(&face(&nameless, width, height, theme)));
        }
    }
    let state = State {
        white: SideState { player: "丁立人".into(), ..running(Who::White).white },
        ..running(Who::White)
    };
    assert_says(&face(&state, 80, 24, COLOURED), &["White  丁 立 人"]);
    assert_silent(&face(&state, 80, 24, PLAIN), &["?"]);
}
