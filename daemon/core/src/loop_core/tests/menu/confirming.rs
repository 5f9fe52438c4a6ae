//! Unsupervised play that is paused: a press of each player resumes the game, and both buttons held
//! together open the menu. So the first press waits, too.

use super::*;

const SHORT_OF_HOLD: u64 = HOLD - 1;

/// A paused game in which nobody has authority. `hold_warning` is how long the rules allow a player
/// to hold a button.
fn under(hold_warning: Option<Span>, menu: Option<MenuOpening>) -> TimedLoop {
    let profile = Profile { authority: Authority::Nobody, hold_warning, ..Profile::default() };
    let mut test = of(&setup(Some(profile)), Inputs::default(), menu);
    test.tap(BLACK, SECOND);
    test.tap(CALL, 2 * SECOND);
    test.run_to(T0 - SECOND);
    assert_eq!(test.phase(), Phase::Paused);
    test.log = Log::default();
    test
}

fn paused(menu: Option<MenuOpening>) -> TimedLoop {
    under(None, menu)
}

fn other(button: Button) -> Button {
    if button == WHITE { BLACK } else { WHITE }
}

/// Opens the menu with both buttons, and leaves it again. The button `first` is pressed
/// [`APART`] before the other one and released 1 s after it.
fn open_and_leave(test: &mut TimedLoop, first: Button, nanos: u64) {
    test.down(first, nanos);
    test.down(other(first), nanos + APART);
    test.up(other(first), nanos + APART + HOLD);
    test.up(first, nanos + 2 * SECOND + HOLD);
    test.run_to(nanos + 3 * SECOND + HOLD);
    assert!(test.core.is_menu_open());
    test.menu(MenuRequest::Close(at(nanos + 3 * SECOND + HOLD)));
    test.run_to(nanos + 4 * SECOND + HOLD);
}

#[test]
fn opening_the_menu_twice_starts_no_clock() {
    for first in [WHITE, BLACK] {
        let mut test = paused(MENU);
        let before = test.core.clock().clone();
        open_and_leave(&mut test, first, T0);
        open_and_leave(&mut test, other(first), T0 + 20 * SECOND);
        assert_eq!((test.inputs(), test.phase()), (vec![], Phase::Paused));
        assert_eq!(*test.core.clock(), before, "nothing is confirmed");
        // Two presses resume the game as before.
        test.tap(first, T0 + 40 * SECOND);
        test.tap(other(first), T0 + 41 * SECOND);
        test.run_to(T0 + 42 * SECOND);
        assert_eq!(test.phase(), Phase::Running);
        let resumed = (Cause::Command("resume", None), T0 + 41 * SECOND);
        assert_eq!(test.log.causes.last(), Some(&resumed));
    }
}

#[test]
fn one_press_is_decided_at_its_release_or_when_it_is_too_long_for_a_first_of_two() {
    for button in [WHITE, BLACK] {
        for (lasts, decided) in [
            (10 * MS, 10 * MS + R),
            (SHOWN, SHOWN + R),
            (ALONE - 1, ALONE - 1 + R),
            (ALONE, ALONE),
            (ALONE + 1, ALONE),
            (2 * HOLD, ALONE),
        ] {
            let mut test = paused(MENU);
            test.down(button, T0);
            // The edge of the release comes before the press is decided: a release counts only
            // after the release time R.
            let release = (T0 + lasts).min(T0 + decided + WINDOW - 1);
            test.run_to(release);
            if lasts < ALONE {
                test.up(button, T0 + lasts);
            }
            test.run_to(T0 + decided + WINDOW - 1);
            assert_eq!(test.inputs(), [], "{lasts}");
            assert_eq!(test.core.undecided_since(), Some(at(T0)), "{lasts}");
            test.run_to(T0 + decided + WINDOW);
            assert_eq!(test.inputs(), [Input::Press(button, at(T0))], "{lasts}");
            assert_eq!(test.core.undecided_since(), None, "{lasts}");
            if lasts >= ALONE {
                test.up(button, T0 + lasts.max(ALONE + MS));
            }
            test.run_to(T0 + 3 * HOLD);
            assert_eq!((test.events(), test.inputs()), (vec![], vec![]), "{lasts}");
            assert_eq!(test.phase(), Phase::Paused, "{lasts}");
        }
    }
}

#[test]
fn two_presses_are_decided_in_order_at_the_release_of_the_first_that_is_released() {
    for first in [WHITE, BLACK] {
        for released in [WHITE, BLACK] {
            for between in [0, 1, APART, ALONE - 1] {
                for lasts in [10 * MS, SHOWN - 1] {
                    let say = format!("{first}, {released}, {between}, {lasts}");
                    let second = T0 + between;
                    let run = |menu| {
                        let mut test = paused(menu);
                        test.run_to(T0);
                        edge(&mut test.core, first, T0, true);
                        test.down(other(first), second);
                        test.up(released, second + lasts);
                        test
                    };
                    let mut test = run(MENU);
                    test.run_to(second + lasts + R + WINDOW - 1);
                    assert_eq!((test.inputs(), test.phase()), (vec![], Phase::Paused), "{say}");
                    test.run_to(second + lasts + R + WINDOW);
                    // Two presses with the same stamp are decided in the order of the lines.
                    let first = if between == 0 { WHITE } else { first };
                    let presses =
                        [Input::Press(first, at(T0)), Input::Press(other(first), at(second))];
                    assert_eq!(test.inputs(), presses, "{say}");
                    // The game is the same as without a menu: it has run since the second press.
                    let mut plain = run(None);
                    plain.run_to(second + lasts + R + WINDOW);
                    assert_eq!(test.log.causes, plain.log.causes, "{say}");
                    assert_eq!(test.core.clock(), plain.core.clock(), "{say}");
                    let resumed = (Cause::Command("resume", None), second);
                    assert_eq!(test.log.causes.last(), Some(&resumed), "{say}");
                    assert_eq!(test.events(), [], "{say}");
                }
            }
        }
    }
}

#[test]
fn two_presses_with_which_the_bar_was_seen_confirm_nothing() {
    for first in [WHITE, BLACK] {
        for released in [WHITE, BLACK] {
            for lasts in [SHOWN, SECOND, SHORT_OF_HOLD] {
                let mut test = paused(MENU);
                let before = test.core.clock().clone();
                test.down(first, T0);
                test.down(other(first), T0 + APART);
                test.up(released, T0 + APART + lasts);
                test.run_to(T0 + 5 * SECOND);
                test.up(other(released), T0 + 5 * SECOND);
                test.run_to(T0 + 6 * SECOND);
                assert_eq!((test.inputs(), test.events()), (vec![], vec![]), "{lasts}");
                assert_eq!(*test.core.clock(), before, "{lasts}");
            }
        }
    }
}

#[test]
fn two_presses_that_last_for_the_hold_belong_to_the_menu_alone() {
    for first in [WHITE, BLACK] {
        for released in [WHITE, BLACK] {
            for between in [0, 1, APART, ALONE - 1] {
                for (lasts, opens) in [
                    (HOLD, true),
                    (HOLD + 1, true),
                    (HOLD + WITHIN, true),
                    (HOLD + WITHIN + 1, false),
                ] {
                    let say = format!("{first}, {released}, {between}, {lasts}");
                    let mut test = paused(MENU);
                    let second = T0 + between;
                    test.run_to(T0);
                    edge(&mut test.core, first, T0, true);
                    test.down(other(first), second);
                    test.up(released, second + lasts);
                    test.run_to(second + lasts + SECOND);
                    test.up(other(released), second + lasts + SECOND);
                    test.run_to(second + lasts + 2 * SECOND);
                    let hold = MenuEvent::Hold(at(second + HOLD));
                    let late = at(second + HOLD + WITHIN + 1);
                    let end = match opens {
                        true => MenuEvent::Opened { at: at(second + lasts), by_players: true },
                        false => MenuEvent::Closed(MenuClosed::TimedOut, late),
                    };
                    assert_eq!(test.events(), [hold, end], "{say}");
                    assert_eq!((test.inputs(), test.phase()), (vec![], Phase::Paused), "{say}");
                }
            }
        }
    }
}

#[test]
fn a_second_press_after_the_first_was_decided_is_the_answer_to_it() {
    for gap in [ALONE, 700 * MS, HOLD] {
        let mut test = paused(MENU);
        test.down(WHITE, T0);
        test.down(BLACK, T0 + gap);
        test.run_to(T0 + gap + ALONE + WINDOW);
        let presses = [Input::Press(WHITE, at(T0)), Input::Press(BLACK, at(T0 + gap))];
        assert_eq!((test.inputs(), test.phase()), (presses.into(), Phase::Running), "{gap}");
        assert_eq!(test.log.phases.last(), Some(&(T0 + gap, Phase::Running)), "{gap}");
    }
}

#[test]
fn a_first_press_that_is_released_before_the_second_is_not_held_together_with_it() {
    let mut test = paused(MENU);
    test.down(WHITE, T0);
    test.up(WHITE, T0 + SECOND);
    // The release of White's button does not count yet, but the contact is open. So White's button
    // is not held together with Black's.
    test.down(BLACK, T0 + SECOND + MS);
    test.run_to(T0 + SECOND + 3 * MS);
    assert_eq!(test.inputs(), [Input::Press(WHITE, at(T0))]);
    test.run_to(T0 + 3 * HOLD);
    let black = Input::Press(BLACK, at(T0 + SECOND + MS));
    assert_eq!((test.inputs(), test.events()), (vec![black], vec![]));
    assert_eq!(test.phase(), Phase::Running);
}

#[test]
fn another_input_decides_both_presses_before_it() {
    let set = Command::Add { side: Side::White, delta_ns: 1 };
    for has_second in [false, true] {
        let presses = [Input::Press(WHITE, at(T0)), Input::Press(BLACK, at(T0 + MS))];
        let presses = &presses[..1 + usize::from(has_second)];
        let run = || {
            let mut test = paused(MENU);
            test.down(WHITE, T0);
            if has_second {
                test.down(BLACK, T0 + MS);
            }
            test.run_to(T0 + 200 * MS);
            assert_eq!(test.inputs(), []);
            test
        };
        let mut test = run();
        test.command(1, set, T0 + 200 * MS);
        assert_eq!(&test.inputs()[..presses.len()], presses);
        let mut test = run();
        test.down(CALL, T0 + 200 * MS);
        test.run_to(T0 + 202 * MS);
        assert_eq!(&test.inputs()[..presses.len()], presses);
        let mut test = run();
        test.core.board_gone(WHITE, at(T0 + 200 * MS));
        test.run_to(T0 + 2 * SECOND);
        assert_eq!(&test.inputs()[..presses.len()], presses);
        let mut test = run();
        test.menu(MenuRequest::MayOpen(false));
        assert_eq!(test.inputs(), presses);
    }
}

#[test]
fn an_earlier_press_of_the_other_player_that_arrives_later_is_held_together_with_it() {
    let presses = [Input::Press(WHITE, at(T0 - 1)), Input::Press(BLACK, at(T0))];
    for (arrives, lasts) in [(100 * MS, SHOWN - 1), (APART, HOLD - 1), (APART, HOLD)] {
        let mut test = paused(MENU);
        test.down(BLACK, T0);
        test.run_to(T0 + arrives);
        edge(&mut test.core, WHITE, T0 - 1, true);
        test.step(T0 + arrives);
        test.up(WHITE, T0 + lasts);
        assert_eq!(test.inputs(), []);
        test.run_to(T0 + 2 * HOLD);
        assert_eq!(test.core.is_menu_open(), lasts == HOLD);
        assert_eq!(test.inputs(), if lasts < SHOWN { &presses[..] } else { &[] });
    }
    // A call between the two stamps that arrives later is decided between them.
    let mut test = paused(MENU);
    test.down(WHITE, T0);
    test.down(BLACK, T0 + APART);
    test.run_to(T0 + SECOND);
    edge(&mut test.core, CALL, T0 + MS, true);
    test.step(T0 + SECOND);
    test.run_to(T0 + SECOND + 2 * MS);
    let [first, call] = test.inputs()[..] else { panic!() };
    assert_eq!((first, call), (Input::Press(WHITE, at(T0)), Input::Press(CALL, at(T0 + MS))));
    assert_eq!(test.core.undecided_since(), Some(at(T0 + APART)));
}

#[test]
fn long_holds_that_are_due_while_the_presses_wait_are_decided_with_them() {
    let run = |lasts| {
        let mut test = under(Some(Span::from_nanos(100 * MS)), MENU);
        test.down(WHITE, T0);
        test.down(BLACK, T0 + 150 * MS);
        test.up(WHITE, T0 + 150 * MS + lasts);
        test.run_to(T0 + 150 * MS + lasts + R + WINDOW);
        test.inputs()
    };
    let black = T0 + 150 * MS;
    let expected = [
        Input::Press(WHITE, at(T0)),
        Input::Hold(Side::White, at(T0 + 100 * MS)),
        Input::Press(BLACK, at(black)),
        Input::Hold(Side::Black, at(black + 100 * MS)),
    ];
    assert_eq!(run(SHOWN - 1), expected);
    assert_eq!([run(SHOWN), run(HOLD - 1), run(HOLD)], [[], [], []]);
    // One press that lasts for the hold, with a long hold at the same instant.
    let mut test = under(Some(Span::from_nanos(HOLD)), MENU);
    test.down(WHITE, T0);
    test.run_to(T0 + HOLD + WINDOW);
    let hold = Input::Hold(Side::White, at(T0 + HOLD));
    assert_eq!(test.inputs(), [Input::Press(WHITE, at(T0)), hold]);
}

#[test]
fn the_first_press_of_a_player_is_decided_at_its_release_while_the_clocks_stand() {
    for state in STANDING {
        let mut test = standing(state, Inputs::default(), MENU);
        test.down(WHITE, T0);
        test.up(WHITE, T0 + TAP);
        test.run_to(T0 + TAP + R);
        assert_eq!(test.inputs(), [], "{state:?}");
        test.run_to(T0 + TAP + R + WINDOW);
        assert_eq!(test.inputs(), [Input::Press(WHITE, at(T0))], "{state:?}");
    }
}
