use clock_dbus::{Phase, SideState, State, Who};
use clock_engine::text::{Guidance, RuleFile};

use super::{as_seen, chosen, confirmation};
use crate::rulings::tests::{both_late, claim, flag_and_postponed_claim};

fn guidance() -> Guidance {
    let text = "name = 'x'\n[guidance]\nclaim = \"\"\"Is there\nprogress? \\u001b[2J\"\"\"\nflag = 'Count.'\n";
    RuleFile::parse(text, |_| Err(String::new())).unwrap().guidance
}

fn page(state: &State) -> String {
    super::page(state, &guidance())
}

/// The text that asks for a confirmation of the ruling with this number.
fn shown(state: &State, number: &str) -> String {
    confirmation(state, &chosen(state, number).unwrap())
}

#[test]
fn the_list_shows_every_ruling_with_both_clocks_before_and_after() {
    let expected = "\
White's draw claim (no-effort) (0:00:42 ago)
    ruling            White      Black                  then
 1  reject            0:01:12.3  0:02:30.0 → 0:04:30.0  paused
 2  postpone          0:01:12.3  0:02:30.0              paused
 3  postpone +0:02:00  0:01:12.3  0:02:30.0 → 0:04:30.0  paused
 4  drawn             0:01:12.3  0:02:30.0              over 1/2-1/2

Is there progress? [2J
";
    let squeezed = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(squeezed(&page(&claim())), squeezed(expected));
    assert!(page(&claim()).lines().all(|line| line.chars().count() < 80));
}

#[test]
fn two_questions_are_listed_one_below_the_other_with_the_guidance_of_each() {
    let page = page(&flag_and_postponed_claim());
    let places = [
        "White's flag: were the moves made?",
        " 1  call",
        " 3  drawn",
        "White's draw claim, postponed",
        " 4  white-loses",
        "Count.",
        "Is there progress?",
    ]
    .map(|text| page.find(text).unwrap_or_else(|| panic!("{text} is not in\n{page}")));
    assert!(places.is_sorted(), "{page}");
    assert_eq!(page.matches("drawn").count(), 1, "{page}");
}

#[test]
fn a_number_chooses_and_its_ruling_is_shown_before_it_is_confirmed() {
    let expected = "\
White's draw claim (no-effort)

reject: The claim is rejected.
            before      after
  White  0:01:12.3  0:01:12.3
  Black  0:02:30.0  0:04:30.0
  then paused
";
    assert_eq!(shown(&claim(), "1"), expected);
    let postponed = shown(&claim(), "3");
    assert!(postponed.contains("postpone +0:02:00: Play goes on, and you decide later.\n"));
    assert!(shown(&claim(), "4").contains("drawn: The game is drawn.\n"));
}

#[test]
fn an_empty_line_or_another_text_chooses_nothing() {
    for answer in ["", "0", "5", "-1", "r", "1 2", "99999999999999999999"] {
        assert_eq!(chosen(&claim(), answer), None, "{answer}");
    }
}

#[test]
fn a_change_of_the_revision_or_of_what_a_ruling_does_is_one_to_look_at() {
    let reject = chosen(&claim(), "1").unwrap();
    assert_eq!(as_seen(&reject, &claim(), &claim()), Some(reject.clone()));
    assert_eq!(as_seen(&reject, &claim(), &State { revision: 8, ..claim() }), None);
    // A press while a claim is pending changes no revision, but it can change what a ruling does.
    let mut state =
        State { sequence: 41, white: SideState { moves: 51, ..claim().white }, ..claim() };
    assert_eq!(as_seen(&reject, &claim(), &state), Some(reject.clone()));
    state.questions[0].answers[0].black_delta_nsec = 1;
    assert_eq!(as_seen(&reject, &claim(), &state), None);
}

#[test]
fn each_late_player_is_named() {
    let forfeit = shown(&both_late(), "2");
    assert!(forfeit.contains("forfeit both players: Both players lose by default."), "{forfeit}");
    let waive = shown(&both_late(), "3");
    assert!(waive.starts_with("Black is later than the default time\n"), "{waive}");
    assert!(waive.contains("waive Black: The game is played."), "{waive}");
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
    let seen = flag_that_nobody_called();
    let later = seen.at(seen.at_nsec + 90_000_000_000);
    let listed = page(&later);
    assert!(listed.contains("0:00:00.0 → 0:13:30.0"), "{listed}");
    let made = shown(&later, "2");
    assert!(made.contains("White  0:00:00.0  0:13:30.0\n"), "{made}");
    // Only the running time has changed, as the arbiter expects.
    let [made, drawn] = ["2", "3"].map(|number| chosen(&seen, number).unwrap());
    let same = as_seen(&made, &seen, &State { sequence: 41, ..later.clone() });
    assert_eq!(same, chosen(&later, "2"));
    // Once the overrun has reached the 15 minutes, the clock refuses `made`, and the next ruling has
    // its number. A number that was chosen before is still that of the ruling in the list.
    let too_late = later.at(later.at_nsec + 810_000_000_000);
    assert!(!page(&too_late).contains("made  "), "{}", page(&too_late));
    assert!(page(&too_late).contains(" 2  drawn"), "{}", page(&too_late));
    assert_eq!(as_seen(&made, &seen, &too_late), None);
    assert_eq!(as_seen(&drawn, &seen, &too_late), chosen(&too_late, "2"));
}
