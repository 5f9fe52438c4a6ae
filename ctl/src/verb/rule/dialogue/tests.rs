use clock_dbus::{Phase, SideState, State, Who};
use clock_engine::text::{Guidance, RuleFile};

use super::{Dialogue, Key, Next};
use crate::rulings::allowed;
use crate::rulings::tests::{both_late, claim, flag_and_postponed_claim, standing};

fn guidance() -> Guidance {
    let text = "name = 'x'\n[guidance]\nclaim = \"\"\"Is there\nprogress? \\u001b[2J\"\"\"\nflag = 'Count.'\n";
    RuleFile::parse(text, |_| Err(String::new())).unwrap().guidance
}

fn dialogue(state: State) -> Dialogue {
    Dialogue::new(state, guidance())
}

fn page(dialogue: &Dialogue) -> String {
    dialogue.page(dialogue.state().at_nsec, 80)
}

fn reject() -> Next {
    Next::Send { ruling: allowed(&claim()).remove(0), revision: 7 }
}

#[test]
fn the_list_shows_every_ruling_with_both_clocks_before_and_after() {
    let expected = "\
White's draw claim (no-effort) (0:00:42 ago)
    ruling            White      Black                  then
 r  reject            0:01:12.3  0:02:30.0 → 0:04:30.0  paused
 p  postpone          0:01:12.3  0:02:30.0              paused
 t  postpone +0:02:00  0:01:12.3  0:02:30.0 → 0:04:30.0  paused
 d  drawn             0:01:12.3  0:02:30.0              over 1/2-1/2

a key: choose   q: leave

Is there progress? [2J
";
    let squeezed = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(squeezed(&page(&dialogue(claim()))), squeezed(expected));
    assert!(page(&dialogue(claim())).lines().all(|line| line.chars().count() < 80));
}

#[test]
fn two_questions_are_listed_one_below_the_other_with_the_guidance_of_each() {
    let page = page(&dialogue(flag_and_postponed_claim()));
    let places = [
        "White's flag: were the moves made?",
        " c  call",
        " d  drawn",
        "White's draw claim, postponed",
        " l  white-loses",
        "Count.",
        "Is there progress?",
    ]
    .map(|text| page.find(text).unwrap_or_else(|| panic!("{text} is not in\n{page}")));
    assert!(places.is_sorted(), "{page}");
    assert_eq!(page.matches("drawn").count(), 1, "{page}");
}

#[test]
fn a_key_chooses_and_enter_confirms() {
    let mut dialogue = dialogue(claim());
    assert_eq!(dialogue.press(Key::Char('r')), Next::Ask);
    let expected = "\
White's draw claim (no-effort)

reject: The claim is rejected.
            before      after
  White  0:01:12.3  0:01:12.3
  Black  0:02:30.0  0:04:30.0
  then paused

Enter: confirm   Backspace: back   q: leave
";
    assert_eq!(page(&dialogue), expected);
    assert_eq!(dialogue.press(Key::Enter), reject());
}

#[test]
fn enter_alone_chooses_nothing() {
    let mut dialogue = dialogue(claim());
    for key in [Key::Enter, Key::Enter, Key::Char('x'), Key::Enter, Key::Back, Key::Enter] {
        assert_eq!(dialogue.press(key), Next::Ask, "{key:?}");
    }
}

#[test]
fn another_key_chooses_another_ruling_and_backspace_none() {
    let mut dialogue = dialogue(claim());
    dialogue.press(Key::Char('d'));
    assert!(page(&dialogue).contains("drawn: The game is drawn.\n"), "{}", page(&dialogue));
    dialogue.press(Key::Char('t'));
    assert!(page(&dialogue).contains("postpone +0:02:00: Play goes on, and you decide later.\n"));
    dialogue.press(Key::Back);
    assert!(page(&dialogue).contains("choose"));
    assert_eq!(dialogue.press(Key::Enter), Next::Ask);
    dialogue.press(Key::Char('r'));
    assert_eq!(dialogue.press(Key::Enter), reject());
}

#[test]
fn q_and_escape_leave_from_both_pages() {
    for key in [Key::Leave, Key::Char('q')] {
        assert_eq!(dialogue(claim()).press(key), Next::Leave);
        let mut chosen = dialogue(claim());
        chosen.press(Key::Char('r'));
        assert_eq!(chosen.press(key), Next::Leave);
    }
}

#[test]
fn a_change_of_the_clock_drops_the_choice() {
    let mut dialogue = dialogue(claim());
    dialogue.press(Key::Char('r'));
    assert_eq!(dialogue.update(State { revision: 8, ..claim() }), Next::Ask);
    assert!(page(&dialogue).starts_with("The clock has changed."), "{}", page(&dialogue));
    assert_eq!(dialogue.press(Key::Enter), Next::Ask);
    dialogue.press(Key::Char('r'));
    assert!(!page(&dialogue).contains("has changed"));
    let Next::Send { revision, .. } = dialogue.press(Key::Enter) else { panic!("it is confirmed") };
    assert_eq!(revision, 8);
}

/// A press while a claim is pending changes no revision, but it can change what a ruling does.
#[test]
fn a_change_of_what_a_ruling_does_drops_the_choice_too() {
    let mut dialogue = dialogue(claim());
    dialogue.press(Key::Char('r'));
    let mut state =
        State { sequence: 41, white: SideState { moves: 51, ..claim().white }, ..claim() };
    assert_eq!(dialogue.update(state.clone()), Next::Ask);
    assert!(page(&dialogue).contains("Enter: confirm"));
    state.questions[0].answers[0].black_delta_nsec = 1;
    dialogue.update(state);
    assert!(page(&dialogue).starts_with("The clock has changed."));
}

#[test]
fn a_stale_revision_asks_again() {
    let mut dialogue = dialogue(claim());
    dialogue.press(Key::Char('r'));
    dialogue.ask_again();
    assert!(page(&dialogue).starts_with("The clock has changed."));
    assert_eq!(dialogue.press(Key::Enter), Next::Ask);
}

#[test]
fn it_ends_when_nothing_awaits_a_ruling_any_more() {
    let mut dialogue = dialogue(claim());
    dialogue.press(Key::Char('r'));
    assert_eq!(dialogue.update(standing(Vec::new())), Next::Settled);
}

#[test]
fn each_late_player_is_named() {
    let mut dialogue = dialogue(both_late());
    dialogue.press(Key::Char('f'));
    let shown = page(&dialogue);
    assert!(shown.contains("forfeit both players: Both players lose by default."), "{shown}");
    dialogue.press(Key::Back);
    dialogue.press(Key::Char('1'));
    let shown = page(&dialogue);
    assert!(shown.starts_with("Black is later than the default time\n"), "{shown}");
    assert!(shown.contains("waive Black: The game is played."), "{shown}");
}

#[test]
fn a_running_clock_goes_on_in_the_figures() {
    let state = State { phase: Phase::Running, running: Who::White, ..claim() };
    let dialogue = dialogue(state);
    let later = dialogue.page(dialogue.state().at_nsec + 2_000_000_000, 80);
    assert!(later.contains("(0:00:44 ago)") && later.contains("0:01:10.3"), "{later}");
}

/// White's clock runs although its flag is down. `made` gives 15 minutes less the overrun.
fn flag_that_nobody_called() -> State {
    let mut state = State {
        phase: Phase::Running,
        running: Who::White,
        white: SideState {
            remaining_nsec: 0,
            out_of_time: true,
            ..flag_and_postponed_claim().white
        },
        ..flag_and_postponed_claim()
    };
    state.questions[0].answers[1].white_delta_nsec = 900_000_000_000;
    state
}

#[test]
fn the_overrun_of_a_clock_that_still_runs_is_in_the_time_after_made() {
    let mut dialogue = dialogue(flag_that_nobody_called());
    let later = dialogue.state().at_nsec + 90_000_000_000;
    let listed = dialogue.page(later, 80);
    assert!(listed.contains("0:00:00.0 → 0:13:30.0"), "{listed}");
    dialogue.press(Key::Char('m'));
    let shown = dialogue.page(later, 80);
    assert!(shown.contains("White  0:00:00.0  0:13:30.0\n"), "{shown}");
    // A state with another sequence number and the same rulings keeps the choice.
    assert_eq!(dialogue.update(State { sequence: 41, ..dialogue.state().at(later) }), Next::Ask);
    assert_eq!(dialogue.page(later, 80), shown);
    // Once the overrun has reached the 15 minutes, the clock refuses `made`.
    let too_late = later + 810_000_000_000;
    let shown = dialogue.page(too_late, 80);
    assert!(shown.starts_with("The clock has changed.") && !shown.contains("made  "), "{shown}");
    assert!(shown.contains(" d  drawn"), "{shown}");
}
