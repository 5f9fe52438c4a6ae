//! The bar of a hold, and the stop of a clock by both players together on a board without a call
//! button.

use super::*;
use clock_engine::PausedBy;

/// When the first press of a test begins: White's clock has run for 4 s.
const T1: u64 = 5 * SECOND;

fn two_buttons(stop_together: bool) -> Inputs {
    Inputs { stop_together, ..Inputs::default() }
}

/// A game of 10 s without an arbiter. White's clock has run since 1 s.
fn running(inputs: Inputs) -> TimedLoop {
    let profile = Profile { authority: Authority::Nobody, ..Profile::default() };
    let mut test = of(&setup(Some(profile)), inputs, MENU);
    test.tap(BLACK, SECOND);
    test.run_to(4 * SECOND);
    test.inputs();
    test
}

/// Presses both buttons, the second one after `gap`, and releases both `lasts` after the second
/// press.
fn both_held(mut test: TimedLoop, [first, second]: [Button; 2], gap: u64, lasts: u64) -> TimedLoop {
    test.down(first, T1);
    test.down(second, T1 + gap);
    for button in [first, second] {
        test.up(button, T1 + gap + lasts);
    }
    test.run_to(T1 + gap + lasts + 500 * MS);
    test
}

#[test]
fn a_hold_is_shown_from_three_tenths_of_a_second_on() {
    for lasts in [299 * MS, 301 * MS, HOLD - 1, HOLD] {
        each(|state, opener, say| {
            let began = MenuEvent::HoldBegan(at(T0));
            let expected = match lasts {
                HOLD => vec![began, MenuEvent::Hold(at(T0 + HOLD)), opener.opened(T0 + HOLD)],
                _ if lasts < 300 * MS => vec![],
                _ => vec![began, MenuEvent::HoldEnded],
            };
            let test = held(state, opener, MENU, T0 + lasts);
            assert_eq!(test.log.events, expected, "{say}, {lasts}");
        });
    }
}

#[test]
fn both_buttons_held_for_a_second_stop_the_clock_as_it_was_before_the_presses() {
    for order in [[WHITE, BLACK], [BLACK, WHITE]] {
        for gap in [1, 100 * MS, SECOND, SECOND + 1] {
            for lasts in [200 * MS, SECOND - 1, SECOND, 1_800 * MS] {
                let say = format!("{order:?}, {gap}, {lasts}");
                let mut test = both_held(running(two_buttons(true)), order, gap, lasts);
                let presses =
                    [Input::Press(order[0], at(T1)), Input::Press(order[1], at(T1 + gap))];
                let inputs = test.inputs();
                assert_eq!(inputs[..2], presses, "{say}: each press counts at its first edge");
                let update = test.core.update(Cause::Missed);
                if gap > SECOND || lasts < SECOND {
                    let plain = both_held(running(two_buttons(false)), order, gap, lasts);
                    assert_eq!(test.core.clock(), plain.core.clock(), "{say}");
                    continue;
                }
                let view = update.view;
                let due = at(T1 + gap + SECOND);
                assert!(
                    matches!(inputs[2..], [Input::HeldTogether { at, .. }] if at == due),
                    "{say}: {inputs:?}"
                );
                let stopped = Some(PausedBy::Caller(Caller::Button));
                assert_eq!((view.phase, view.paused_by), (Phase::Paused, stopped), "{say}");
                let shown = Side::BOTH.map(|side| {
                    (view.sides[side].remaining.as_nanos() / SECOND, view.sides[side].moves)
                });
                assert_eq!((view.on_move, shown), (Side::White, [(6, 0), (10, 0)]), "{say}");
                assert!(test.log.causes.contains(&(Cause::Command("pause", None), due.as_nanos())));
                assert!(!test.core.is_menu_open(), "{say}");
            }
        }
    }
}

#[test]
fn both_buttons_stop_no_other_clock() {
    let with_call = two_buttons(false);
    let test = both_held(running(with_call), [WHITE, BLACK], MS, 2 * SECOND);
    assert_eq!(test.phase(), Phase::Running);
    // A game with an arbiter.
    let mut test = of(&setup(Some(Profile::default())), two_buttons(true), MENU);
    test.tap(BLACK, SECOND);
    let test = both_held(test, [WHITE, BLACK], MS, 2 * SECOND);
    assert_eq!(test.phase(), Phase::Running);
}

#[test]
fn a_flag_before_the_end_of_the_hold_stands() {
    let mut test = running(two_buttons(true));
    // White's flag falls at 11 s.
    test.down(BLACK, 10 * SECOND + 500 * MS);
    test.down(WHITE, 10 * SECOND + 999 * MS);
    test.run_to(10 * SECOND + 999 * MS + SECOND - 1);
    assert_eq!(test.phase(), Phase::Running, "Black's clock runs");
    let mut test = running(two_buttons(true));
    test.down(WHITE, 11 * SECOND + 1);
    test.down(BLACK, 11 * SECOND + 2);
    test.run_to(14 * SECOND);
    let flag = test.core.update(Cause::Missed).view.sides.white.flag;
    assert_eq!(flag, Some(at(11 * SECOND)));
}

#[test]
fn after_the_stop_the_same_press_confirms_nothing_and_both_confirm_with_new_presses() {
    let mut test = both_held(running(two_buttons(true)), [WHITE, BLACK], MS, 2 * SECOND);
    test.run_to(9 * SECOND);
    assert_eq!(test.phase(), Phase::Paused);
    test.tap(WHITE, 9 * SECOND);
    assert_eq!(test.phase(), Phase::Paused);
    test.tap(BLACK, 10 * SECOND);
    test.run_to(11 * SECOND);
    assert_eq!(test.phase(), Phase::Running);
}
