//! Words that arbiters use instead of those of `clockctl`: the calls that are made for them.

use clock_dbus::{Phase, State, Who};

use crate::{
    fake::{Fake, game},
    private_bus::PrivateBus,
    program::run,
    terminal::Terminal,
    verbs::{good, paused},
};

/// Checks that each command line makes a call that begins like this right after it has read the state.
fn makes(state: &State, table: &[(&[&str], &str)]) {
    for (args, call) in table {
        let bus = PrivateBus::start();
        let fake = Fake::start(&bus, state.clone());
        let ran = run(&bus, &[*args, &["-q"]].concat());
        assert_eq!((ran.exit, ran.err.as_str(), ran.out.as_str()), (0, "", ""), "{args:?}");
        assert!(fake.calls()[1].starts_with(call), "{args:?}: {:?}", fake.calls());
    }
}

#[test]
fn common_words_are_understood() {
    makes(
        &game(),
        &[
            (&["stop"], r#"pause Arbiter 7 """#),
            (&["halt"], r#"pause Arbiter 7 """#),
            (&["pause", "--by", "w"], r#"pause White 7 """#),
            (&["result", "1/2"], r#"result 1/2-1/2 7 """#),
            (&["result", "½-½"], r#"result 1/2-1/2 7 """#),
            (&["result", "draw"], r#"result 1/2-1/2 7 """#),
        ],
    );
    makes(
        &paused(),
        &[
            (&["unpause"], r#"resume Nobody 7 """#),
            (&["resume", "--side", "b"], r#"resume Black 7 """#),
            (&["add", "w", "2m"], r#"add White 120000000000 7 """#),
            (&["add", "Black", "2min"], r#"add Black 120000000000 7 """#),
            (
                &["set", "white", "0:31:00"],
                "set Corrections { white_time_nsec: Some(1860000000000), black_time_nsec: None, ",
            ),
            (
                &["set", "b", "1h30"],
                "set Corrections { white_time_nsec: None, black_time_nsec: Some(5400000000000), ",
            ),
        ],
    );
}

#[test]
fn a_time_control_needs_no_option() {
    let bus = PrivateBus::start();
    let ready = State { phase: Phase::Ready, running: Who::Nobody, ..game() };
    let fake = Fake::start(&bus, ready);
    let ran = run(&bus, &["new", "3+2", "-f"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.err.contains("`3+2` means all moves in 0:03:00"), "{ran:?}");
    let calls = fake.calls();
    assert!(calls[1].starts_with("new ") && calls[1].contains("3+2"), "{calls:?}");
    assert!(calls[1].contains("force"), "{calls:?}");
}

#[test]
fn restore_goes_back_to_a_move() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    good(&run(&bus, &["restore", "W2", "-q"]));
    assert!(fake.calls().iter().any(|call| call.starts_with("find-move 0 white 2")));
}

#[test]
fn on_a_terminal_the_unit_is_asked_for() {
    let bus = PrivateBus::start();
    let ready = State { phase: Phase::Ready, running: Who::Nobody, ..game() };
    let fake = Fake::start(&bus, ready);
    let mut terminal = Terminal::start(&bus, &["new", "40/2, SD/1"]);
    terminal.wait_for("Are these hours or minutes? h: 40/2h, SD/1h, m: 40/2m, SD/1m");
    terminal.type_keys("h\r");
    assert_eq!(terminal.end("means 40 moves in 2:00:00, then 1:00:00"), 0);
    assert!(fake.calls()[1].contains("40/120, G/60"), "{:?}", fake.calls());
}
