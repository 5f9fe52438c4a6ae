//! Changes of the method in the middle of a game (S2 III.4, US 14H).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::*;
use crate::MAX_GIVEN;

fn secs(seconds: u64) -> Instant {
    Instant::from_nanos(seconds * 1_000_000_000)
}

/// A paused game of five minutes, in which White has used ten seconds of move 1.
fn paused(method: Method) -> Clock {
    let after_flag = if method == Method::Hourglass { AfterFlag::Halt } else { AfterFlag::Run };
    let mut clock = Clock::new(single("5m", method, after_flag), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    clock.handle_command(Command::Pause { by: Caller::Arbiter }, secs(10)).unwrap();
    clock
}

#[test]
fn s2_iii_4_the_increment_comes_first_with_the_next_completed_move_of_each_side() {
    let mut clock = paused(Method::None);
    clock.change_method(increment("5s"), secs(20)).unwrap();
    assert_eq!(
        clock.view(secs(20)).sides.map(|side| side.remaining),
        PerSide { white: span("4m50s"), black: span("5m") }
    );
    clock.handle_command(Command::Resume { side: None }, secs(20)).unwrap();
    clock.handle_press(Side::White, secs(21)).unwrap();
    clock.handle_press(Side::Black, secs(23)).unwrap();
    let shown = clock.view(secs(23)).sides.map(|side| side.remaining);
    assert_eq!(shown, PerSide { white: span("4m54s"), black: span("5m3s") });
    assert_eq!(clock.control().after_flag(), AfterFlag::Run, "as it was set up");
}

#[test]
fn us_14h_a_delay_begins_with_the_turn_of_the_side_on_move() {
    let mut clock = paused(Method::None);
    clock.change_method(delay("5s"), secs(20)).unwrap();
    assert_eq!(clock.view(secs(20)).sides.map(|side| side.delay), PerSide::both(span("5s")));
    clock.handle_command(Command::Resume { side: None }, secs(20)).unwrap();
    let view = clock.view(secs(26));
    assert_eq!((view.sides.white.remaining, view.sides.white.delay), (span("4m49s"), Span::ZERO));
}

#[test]
fn the_present_turn_has_no_delay_that_the_method_in_force_does_not_give() {
    for method in [delay("15s"), bronstein("15s")] {
        for (changed, left) in [
            (increment("1s"), "0"),
            (Method::None, "0"),
            (delay("3s"), "3s"),
            (delay("15s"), "5s"),
            (delay("20s"), "20s"),
        ] {
            let mut clock = paused(method);
            clock.change_method(changed, secs(20)).unwrap();
            let view = clock.view(secs(20));
            assert_eq!(view.sides.white.delay, span(left), "{method:?} {changed:?}");
        }
    }
}

#[test]
fn a_method_is_changed_only_while_the_clocks_stand_and_only_between_methods_that_add_time() {
    let mut clock = paused(Method::None);
    clock.handle_command(Command::Resume { side: None }, secs(20)).unwrap();
    let running = Err(Refused::NotPaused(Phase::Running));
    assert_eq!(clock.change_method(increment("5s"), secs(21)), running);
    let mut clock = paused(Method::Hourglass);
    assert_eq!(clock.change_method(increment("5s"), secs(21)), Err(Refused::MethodFixed));
    let mut clock = paused(Method::None);
    assert_eq!(clock.change_method(Method::Hourglass, secs(21)), Err(Refused::MethodFixed));
}

#[test]
fn no_press_before_the_change_can_be_taken_back() {
    let mut clock = Clock::new(single("5m", Method::None, AfterFlag::Run), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    clock.handle_press(Side::White, secs(10)).unwrap();
    clock.handle_command(Command::Pause { by: Caller::Arbiter }, secs(11)).unwrap();
    clock.change_method(increment("5s"), secs(20)).unwrap();
    let undone = clock.handle_command(Command::UndoPress, secs(20));
    assert_eq!(undone, Err(Refused::NothingToUndo));
}

#[test]
fn an_amount_has_the_limit_of_a_given_time_and_zero_is_no_method() {
    let mut clock = paused(increment("5s"));
    let long = Method::Delay(Span::from_nanos(MAX_GIVEN.as_nanos() + 1));
    assert_eq!(clock.change_method(long, secs(20)), Err(Refused::TooMuchTime));
    clock.change_method(Method::Delay(MAX_GIVEN), secs(20)).unwrap();
    clock.change_method(increment("0s"), secs(20)).unwrap();
    assert_eq!(clock.method(Side::White), Method::None);
}
