//! Pauses by a fault, and the reason of a pause in the view.

use super::*;

#[test]
fn a_call_during_a_pause_by_a_fault_is_taken_back() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "2s  | call            | 5m    | 5m    | ready called button | call
         3s  | press black     | 5m    | 5m    | white | press black
         4s  | pause by fault  | 4m59s | 5m    | paused by fault |
         8s  | call            | 4m59s | 5m    | paused by fault called button | call
         9s  | call            | 4m59s | 5m    | paused by fault | call
         10s | resume          | 4m59s | 5m    | white |
         11s | pause by fault  | 4m58s | 5m    | paused by fault |
         12s | call            | 4m58s | 5m    | paused by fault called button | call",
    );
}

#[test]
fn a_fault_pauses_only_a_running_clock() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | pause by fault | 5m    | 5m | ready | refused not-running S4 6.13
         1s | start          | 5m    | 5m | white |
         3s | pause by black | 4m58s | 5m | paused called black |
         4s | pause by fault | 4m58s | 5m | paused called black | refused not-running S4 6.13",
    );
}

/// A clock of 5 minutes a side that has run for 2 seconds.
fn running() -> Clock {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | start | 5m    | 5m | white |
         2s | look  | 4m58s | 5m | white |",
    )
}

fn paused_by(clock: &Clock) -> Option<PausedBy> {
    clock.view(clock.last()).paused_by
}

#[test]
fn the_view_shows_who_stopped_the_clocks_until_they_are_resumed() {
    let at = instant("2s");
    for by in [
        Caller::Arbiter,
        Caller::Player(Side::White),
        Caller::Player(Side::Black),
        Caller::Button,
        Caller::Fault,
    ] {
        let mut clock = running();
        assert_eq!(paused_by(&clock), None);
        clock.handle_command(Command::Pause { by }, at).unwrap();
        let expected = Some(PausedBy::Caller(by));
        assert_eq!(paused_by(&clock), expected);
        // A call, a correction, and a result that is taken back do not change `paused_by`.
        clock.handle_call(at).unwrap();
        clock.handle_command(Command::Add { side: Side::White, delta_ns: 1 }, at).unwrap();
        assert_eq!(paused_by(&clock), expected);
        clock.handle_command(Command::Finish(Outcome::Drawn), at).unwrap();
        assert_eq!(paused_by(&clock), None);
        clock.handle_command(Command::Reopen, at).unwrap();
        assert_eq!(paused_by(&clock), expected);
        clock.handle_command(Command::Resume { side: None }, at).unwrap();
        assert_eq!(paused_by(&clock), None);
    }
}

#[test]
fn the_view_distinguishes_the_call_button_a_set_back_and_the_arbiter() {
    let at = instant("2s");
    let mut clock = running();
    clock.handle_call(at).unwrap();
    assert_eq!(paused_by(&clock), Some(PausedBy::Caller(Caller::Button)));

    // A clock that ran when the result was entered is paused by the arbiter after `Reopen`.
    let mut clock = running();
    clock.handle_command(Command::Finish(Outcome::Drawn), at).unwrap();
    clock.handle_command(Command::Reopen, at).unwrap();
    assert_eq!(paused_by(&clock), Some(PausedBy::Caller(Caller::Arbiter)));

    // A clock whose flag the arbiter annuls is paused by the arbiter, too.
    let clock = play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | start         | 5m | 5m | white |
         5m | look          | 0 f5m | 5m | ruling first white | flag white 1
         6m | time white 1m | 1m | 5m | paused |",
    );
    assert_eq!(paused_by(&clock), Some(PausedBy::Caller(Caller::Arbiter)));

    let clock = play(
        advancing(
            PeriodEnd::BlackCompletes { pause: true },
            &[period(1, "5m", Method::None), period(0, "1m", Method::None)],
            AfterFlag::Halt,
        ),
        "0  | start       | 5m    | 5m    | white |
         1s | press white | 4m59s | 5m    | black | press white
         2s | press black | 5m59s p2 | 5m59s p2 | paused | press black; period black 2; period white 2",
    );
    assert_eq!(paused_by(&clock), Some(PausedBy::SetBack));
    let mut undone = clock;
    undone.handle_command(Command::UndoPress, at).unwrap();
    assert_eq!(paused_by(&undone), Some(PausedBy::Caller(Caller::Arbiter)));
}
