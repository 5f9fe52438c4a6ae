mod captain;

use clock_dbus::{Fault, FaultCode, Phase, State, Who};

use super::{Situation, Wanted, hint};

fn of(code: &str, message: &str, state: &State) -> Option<String> {
    hint(code, message, Wanted::Other, &Situation { state, is_unsupervised: false })
}

#[test]
fn what_the_tests_of_all_verbs_do_not_reach_has_its_hint_too() {
    let faults = vec![Fault::new(FaultCode::BoardGone, "unplugged")];
    let state = State { phase: Phase::Paused, on_move: Who::Black, ..State::default() };
    for (code, expected) in [
        ("confirm-on-move", Some("clockctl resume --side black")),
        ("board-gone", Some("clockctl doctor says what is wrong")),
        ("invalid-control", Some("clockctl time-control list")),
        ("not-ready", Some("now: clockctl resume")),
        ("not-running", None),
        ("refused-by-rules", None),
        ("invalid-argument", None),
        ("busy", None),
    ] {
        assert_eq!(of(code, "refused", &state).as_deref(), expected, "{code}");
    }
    let state = State { faults, ..state };
    let expected = "now: clockctl doctor says what is wrong with the buttons";
    assert_eq!(of("not-ready", "", &state).as_deref(), Some(expected));
}

/// Only a refused `start` or `resume` is answered with a command that starts a clock. The codes of their
/// refusals are theirs alone.
#[test]
fn no_hint_starts_a_clock_unless_a_start_was_wanted() {
    let codes = [
        "stale-revision",
        "not-paused",
        "not-running",
        "game-over",
        "game-under-way",
        "refused-by-rules",
        "no-profile",
        "invalid-rules",
        "invalid-control",
        "invalid-argument",
        "busy",
        "unknown-caller",
        "limits-exceeded",
        "no-record",
        "not-found",
        "of-a-later-version",
    ];
    let messages = [
        "a cut of 3:00:00 is not smaller than the main time left, 0:32:00.0",
        "no press can be taken back: only the last one can",
        "only after the start of the game; the clock is ready",
        "only while a clock runs; the clock is paused",
        "no player's stop waits for a ruling (FIDE Laws 6.11.2)",
        "there is no claim to refer",
        "a ruling is awaited; rule first",
        "the game is adjourned; take it up again first",
        "a reason of a later version",
        "",
    ];
    let phases = [Phase::Ready, Phase::Running, Phase::Paused, Phase::Ruling, Phase::Over];
    let wanted = [Wanted::Pause, Wanted::FlagCall, Wanted::Ruling, Wanted::Other];
    for phase in phases {
        for adjourned in [Who::Nobody, Who::White] {
            let running = if phase == Phase::Running { Who::White } else { Who::Nobody };
            let state = State { phase, adjourned, running, ..State::default() };
            for is_unsupervised in [false, true] {
                let situation = Situation { state: &state, is_unsupervised };
                for (code, message) in
                    codes.iter().flat_map(|code| messages.map(|message| (*code, message)))
                {
                    for wanted in wanted {
                        let said = hint(code, message, wanted, &situation).unwrap_or_default();
                        let starts = ["clockctl start", "clockctl resume"];
                        let starts = starts.iter().any(|start| said.contains(start));
                        let adjourned = said.contains("clockctl resume-adjourned");
                        assert!(!starts || adjourned, "{code}: {message}: {phase:?}: {said}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_refusal_that_names_the_command_gets_no_second_hint() {
    let message = "a start is scheduled: clockctl new with --force cancels it";
    assert_eq!(of("game-under-way", message, &State::default()), None);
}
