//! The open menu: which presses go to it, and what closes it.

use super::*;

/// When the menu of a test is open, and all buttons are up.
const OPEN: u64 = T0 + 10 * SECOND;

fn opened(state: Standing, opener: Opener) -> TimedLoop {
    let mut test = held(state, opener, MENU, T0 + HOLD + SECOND);
    test.run_to(OPEN);
    assert!(test.core.is_menu_open(), "{state:?}, {opener:?}");
    test.inputs();
    test.events();
    test
}

fn two_buttons(state: Standing) -> TimedLoop {
    opened(state, Opener::Call(InputKind::Buttons))
}

/// The report of a press that lasted from `nanos` to `end`.
fn pressed(button: Button, nanos: u64, end: u64, length: PressLength) -> MenuEvent {
    MenuEvent::Press(MenuPress { button, at: at(nanos), end: at(end), length })
}

/// The report of a [`TimedLoop::tap`].
fn tapped(button: Button, nanos: u64) -> MenuEvent {
    pressed(button, nanos, nanos + TAP, SHORT)
}

fn closed(why: MenuClosed, nanos: u64) -> MenuEvent {
    MenuEvent::Closed(why, at(nanos))
}

const SHORT: PressLength = PressLength::Short;
const LONG: PressLength = PressLength::Long;

#[test]
fn presses_go_to_the_menu_and_never_to_the_game() {
    each(|state, opener, say| {
        let mut test = opened(state, opener);
        let mut expected = Vec::new();
        for (index, button) in [WHITE, BLACK, CALL, BLACK].into_iter().enumerate() {
            let nanos = OPEN + SECOND + index as u64 * SECOND;
            test.tap(button, nanos);
            let is_throw = opener.inputs().kind == InputKind::Rocker && button != CALL;
            let end = if is_throw { nanos } else { nanos + TAP };
            expected.push(pressed(button, nanos, end, SHORT));
        }
        // The length of a press is measured to the nanosecond.
        test.down(CALL, OPEN + 10 * SECOND);
        test.up(CALL, OPEN + 10 * SECOND + HOLD - 1);
        test.down(CALL, OPEN + 20 * SECOND);
        test.run_to(OPEN + 20 * SECOND + HOLD + WINDOW);
        let (first, long) = (OPEN + 10 * SECOND, OPEN + 20 * SECOND);
        expected.push(pressed(CALL, first, first + HOLD - 1, SHORT));
        expected.push(pressed(CALL, long, long + HOLD, LONG));
        assert_eq!(test.events(), expected, "{say}: a long press is told while it lasts");
        test.menu(MenuRequest::Acknowledge(at(OPEN + 20 * SECOND + HOLD)));
        test.up(CALL, OPEN + 20 * SECOND + HOLD + 10);
        test.run_to(OPEN + 40 * SECOND);
        assert_eq!((test.events(), test.inputs()), (vec![], vec![]), "{say}");
        assert!(test.core.is_menu_open(), "{say}");
    });
}

#[test]
fn a_players_button_that_is_held_repeats_until_its_release() {
    for (button, held, repeats) in [
        (WHITE, 600 * MS, 0),
        (WHITE, 600 * MS + 1, 1),
        (BLACK, 750 * MS, 1),
        (BLACK, 2000 * MS, 10),
        // A long press repeats, too.
        (BLACK, 5000 * MS, 30),
        // A button that is stuck stops to repeat, so that the menu can close.
        (BLACK, 20_000 * MS, 63),
        (CALL, 2000 * MS, 0),
    ] {
        let mut test = two_buttons(Standing::Paused);
        let first = OPEN + SECOND;
        test.down(button, first);
        test.up(button, first + held);
        test.run_to(OPEN + 22 * SECOND);
        let told = std::mem::take(&mut test.log.events);
        let repeat = MenuEvent::Repeat(button, at(first));
        assert_eq!(told.iter().filter(|event| **event == repeat).count(), repeats, "{held}");
        assert_eq!(told.len(), repeats + 1, "{told:?}");
        assert_eq!(test.inputs(), []);
    }
}

#[test]
fn presses_that_overlap_do_not_repeat_when_one_of_them_ends() {
    for (one, other) in [(WHITE, BLACK), (BLACK, WHITE)] {
        for one_up in [400 * MS, HOLD + SECOND] {
            let mut test = two_buttons(Standing::Paused);
            let first = OPEN + SECOND;
            test.down(one, first);
            test.down(other, first + MS);
            test.up(one, first + one_up);
            test.up(other, first + HOLD + 2 * SECOND);
            test.run_to(first + HOLD + 3 * SECOND);
            let told = std::mem::take(&mut test.log.events);
            let presses = told.iter().filter(|event| matches!(event, MenuEvent::Press(_))).count();
            assert_eq!((presses, told.len()), (2, 2), "{one}, {one_up}: {told:?}");
        }
    }
}

#[test]
fn two_presses_that_were_meant_together_do_nothing_if_they_are_released_too_early() {
    for (second, first_up, second_up, told) in [
        // They overlap for less than 0.6 s, so each is one.
        (150 * MS, 745 * MS, 749 * MS, 2),
        (150 * MS, 750 * MS, 800 * MS, 0),
        (150 * MS, 2900 * MS, 2800 * MS, 0),
        (0, 2000 * MS, 2000 * MS, 0),
        // The hold of the second one is no long press of its own either.
        (150 * MS, SECOND, 2 * HOLD, 0),
    ] {
        for (one, other) in [(WHITE, BLACK), (BLACK, WHITE)] {
            let mut test = two_buttons(Standing::Paused);
            let first = OPEN + SECOND;
            test.down(one, first);
            test.down(other, first + second);
            let mut ups = [(first_up, one), (second_up, other)];
            ups.sort_by_key(|(up, _)| *up);
            ups.iter().for_each(|(up, button)| test.up(*button, first + up));
            test.run_to(first + 3 * HOLD);
            let events = std::mem::take(&mut test.log.events);
            assert_eq!(events.len(), told, "{second} {first_up} {second_up}: {events:?}");
            // The next press counts.
            test.tap(one, first + 3 * HOLD + SECOND);
            test.run_to(first + 3 * HOLD + 2 * SECOND);
            assert_eq!(test.events(), [tapped(one, first + 3 * HOLD + SECOND)]);
            assert_eq!(test.inputs(), []);
        }
    }
}

#[test]
fn two_buttons_that_are_held_together_are_told_with_the_later_press() {
    let mut test = two_buttons(Standing::Paused);
    let first = OPEN + SECOND;
    test.down(WHITE, first);
    test.down(BLACK, first + SECOND);
    test.run_to(first + 2 * SECOND + HOLD);
    let long = pressed(WHITE, first, first + HOLD, LONG);
    let second = first + SECOND;
    let together = pressed(BLACK, second, second + HOLD, PressLength::LongTogether);
    assert_eq!(test.events(), [long, together]);
    test.up(WHITE, first + 5 * SECOND);
    test.up(BLACK, first + 5 * SECOND);
    // White's button is up one nanosecond before Black's has been held for long enough.
    let first = OPEN + 10 * SECOND;
    test.down(WHITE, first);
    test.down(BLACK, first + SECOND);
    test.up(WHITE, first + SECOND + HOLD - 1);
    test.run_to(first + 2 * SECOND + HOLD);
    let second = first + SECOND;
    let white = pressed(WHITE, first, first + HOLD, LONG);
    assert_eq!(test.events(), [white, pressed(BLACK, second, second + HOLD, LONG)]);
    assert_eq!(test.inputs(), []);
}

#[test]
fn presses_count_when_both_buttons_that_opened_the_menu_are_up() {
    let mut test = standing(Standing::Paused, Inputs::default(), MENU);
    Opener::Both(WHITE).down(&mut test);
    let up = T0 + HOLD + MS;
    test.up(WHITE, up);
    test.tap(CALL, up + 200 * MS);
    test.tap(WHITE, up + 500 * MS);
    test.up(BLACK, up + SECOND);
    test.tap(CALL, up + SECOND);
    test.run_to(up + 2 * SECOND);
    let [_, opened, press] = test.events()[..] else { panic!() };
    assert_eq!(
        (opened, press),
        (MenuEvent::Opened { at: at(up), by_players: true }, tapped(CALL, up + SECOND))
    );
    assert_eq!(test.inputs(), []);
}

#[test]
fn a_button_that_is_down_when_the_menu_closes_must_be_released_first() {
    for state in STANDING {
        let mut test = two_buttons(state);
        let close = OPEN + 2 * SECOND;
        test.down(WHITE, OPEN + SECOND);
        // This press began before the menu closes, and is not decided yet when it closes.
        test.down(BLACK, close - 1);
        test.menu(MenuRequest::Close(at(close)));
        test.run_to(close + 2 * MS);
        assert_eq!(test.events(), [closed(MenuClosed::Asked, close)], "{state:?}");
        test.run_to(close + 10 * SECOND);
        // The presses are no inputs and give no long hold, and no long press opens the menu.
        assert_eq!((test.inputs(), test.events()), (vec![], vec![]), "{state:?}");
        assert_eq!(test.deadline.filter(|deadline| *deadline > close + 11 * SECOND), None);
        test.up(WHITE, close + 20 * SECOND);
        test.up(BLACK, close + 20 * SECOND);
        test.tap(WHITE, close + 21 * SECOND);
        test.run_to(close + 22 * SECOND);
        let press = Input::Press(WHITE, at(close + 21 * SECOND));
        assert_eq!(test.inputs(), [press], "{state:?}");
    }
    // A press at the instant of the closing is one of the game.
    let mut test = two_buttons(Standing::Ready);
    let close = OPEN + SECOND;
    test.down(BLACK, close);
    test.menu(MenuRequest::Close(at(close)));
    test.up(BLACK, close + TAP);
    test.run_to(close + SECOND);
    assert_eq!(test.inputs(), [Input::Press(BLACK, at(close))]);
    assert_eq!(test.phase(), Phase::Running);
}

#[test]
fn a_button_that_was_down_before_the_opening_is_held_until_it_is_released() {
    let hold_warning = Some(Span::from_secs(6));
    let profile = Profile { hold_warning, ..Profile::default() };
    // The long hold of White's button is due while the menu is open, or after it has closed.
    for close in [T0 + 7 * SECOND, T0 + 4 * SECOND] {
        let mut test = of(&setup(Some(profile)), Inputs::default(), MENU);
        test.down(WHITE, T0 - 100 * MS);
        test.down(CALL, T0);
        test.up(CALL, T0 + HOLD);
        test.run_to(close);
        assert!(test.core.is_menu_open());
        test.menu(MenuRequest::Close(at(close)));
        test.run_to(close + 200 * MS);
        assert_eq!(test.inputs(), [Input::Press(WHITE, at(T0 - 100 * MS))]);
        // White's button, which is still down, does not count as held together with Black's.
        test.down(BLACK, close + 500 * MS);
        test.up(BLACK, close + 500 * MS + HOLD + SECOND);
        test.run_to(close + 10 * SECOND);
        assert_eq!(test.inputs(), [Input::Press(BLACK, at(close + 500 * MS))]);
        assert!(!test.core.is_menu_open());
    }
}

#[test]
fn a_press_before_the_closing_that_arrives_after_it_is_not_one_of_the_game() {
    let mut test = two_buttons(Standing::Ready);
    let close = OPEN + SECOND;
    test.run_to(close);
    test.menu(MenuRequest::Close(at(close)));
    test.run_to(close + MS);
    assert_eq!(test.events(), [closed(MenuClosed::Asked, close)]);
    edge(&mut test.core, BLACK, close - 1, true);
    test.step(close + 2 * MS);
    test.run_to(close + 20 * SECOND);
    assert_eq!((test.inputs(), test.phase()), (vec![], Phase::Ready));
}

#[test]
fn neither_a_deferred_press_nor_the_menu_is_part_of_the_clock() {
    for state in STANDING {
        let mut test = standing(state, Inputs::default(), MENU);
        let before = test.core.clock().clone();
        test.down(CALL, T0);
        for nanos in [T0 + SECOND, T0 + HOLD + SECOND] {
            test.run_to(nanos);
            assert_eq!(*test.core.clock(), before, "{state:?}");
            // The process is killed. The button is down at the restart, and opens nothing.
            let mut core =
                VirtualLoop::new(*before.control(), Inputs::default(), [false; 3], at(0));
            let levels = [false, false, true];
            core.levels = levels;
            let restored =
                LoopCore::restored(before.clone(), Inputs::default(), Some(levels), at(nanos));
            core.core = restored.with_menu(MenuOpening::default());
            let closed = Some([false; 2]);
            let restart = Input::Restarted { since: at(T0), at: at(nanos), closed };
            core.go_on(&restart, &mut |_: Update| {});
            core.menu_request(MenuRequest::MayOpen(true));
            let mut killed = TimedLoop { core, now: nanos, deadline: None, log: Log::default() };
            killed.run_to(nanos + 5 * SECOND);
            killed.up(CALL, nanos + 5 * SECOND);
            killed.run_to(nanos + 10 * SECOND);
            assert_eq!((killed.inputs(), killed.events()), (vec![], vec![]), "{state:?}");
        }
        test.up(CALL, T0 + HOLD + SECOND);
        test.tap(WHITE, OPEN);
        test.run_to(OPEN + 40 * SECOND);
        assert!(!test.core.is_menu_open());
        assert_eq!(*test.core.clock(), before, "{state:?}");
    }
}

#[test]
fn a_menu_that_nobody_acknowledges_closes_after_thirty_seconds_whatever_is_pressed() {
    let mut test = two_buttons(Standing::Ready);
    let opened = T0 + HOLD + SECOND;
    for second in (10..29).step_by(2) {
        test.tap(WHITE, opened + second * SECOND);
    }
    let close = opened + 30 * SECOND;
    // The hold of this press would end one nanosecond after the menu closes.
    test.down(CALL, close - HOLD + 1);
    test.run_to(close + WINDOW - 1);
    assert!(test.core.is_menu_open());
    test.events();
    test.run_to(close + WINDOW);
    assert_eq!((test.events(), test.inputs()), (vec![closed(MenuClosed::TimedOut, close)], vec![]));
    test.run_to(close + 30 * SECOND);
    assert_eq!((test.inputs(), test.deadline), (vec![], None));
}

#[test]
fn each_acknowledgement_keeps_the_menu_open_for_thirty_seconds() {
    let mut test = two_buttons(Standing::Ready);
    let opened = T0 + HOLD + SECOND;
    for second in [10, 25, 54, 83] {
        test.tap(WHITE, opened + second * SECOND);
        test.run_to(opened + second * SECOND + 200 * MS);
        let handled = opened + second * SECOND + TAP;
        test.menu(MenuRequest::Acknowledge(at(handled)));
        // An earlier acknowledgement that comes later does not shorten the time.
        test.menu(MenuRequest::Acknowledge(at(handled - 5 * SECOND)));
    }
    let close = opened + 83 * SECOND + TAP + 30 * SECOND;
    test.events();
    test.run_to(close + WINDOW - 1);
    assert_eq!(test.events(), []);
    test.run_to(close + WINDOW);
    assert_eq!(test.events(), [closed(MenuClosed::TimedOut, close)]);
    // An acknowledgement after the closing opens nothing, and is forgotten.
    test.menu(MenuRequest::Acknowledge(at(close + SECOND)));
    assert_eq!((test.inputs(), test.deadline), (vec![], None));
}

#[test]
fn an_accepted_command_closes_the_menu_unless_it_comes_from_the_menu() {
    let set = Command::Add { side: Side::White, delta_ns: 1 };
    let start = OPEN + SECOND;
    for (command, own, expected) in [
        (set, false, Some(MenuClosed::Command)),
        (set, true, None),
        // The engine refuses these two.
        (RESUME, false, None),
        (Command::Reopen, true, None),
        (Command::Start, false, Some(MenuClosed::ClockRuns)),
        (Command::Start, true, Some(MenuClosed::ClockRuns)),
    ] {
        let mut test = two_buttons(Standing::WithoutRules);
        if own {
            test.menu(MenuRequest::Command(7));
        }
        test.command(7, command, start);
        let expected = expected.map(|why| closed(why, start));
        assert_eq!(test.events(), expected.as_slice(), "{command:?}, {own}");
        assert_eq!(test.core.is_menu_open(), expected.is_none(), "{command:?}, {own}");
        // The announcement of the number 7 counted for one command only. Later commands with this
        // number do not come from the menu.
        test.command(7, PAUSE, start + SECOND);
        test.command(7, set, start + 2 * SECOND);
        assert!(!test.core.is_menu_open(), "{command:?}, {own}");
    }
}

#[test]
fn a_board_that_goes_away_closes_the_menu() {
    let mut test = two_buttons(Standing::Paused);
    test.down(WHITE, OPEN + SECOND);
    test.run_to(OPEN + 2 * SECOND);
    test.core.board_gone(WHITE, at(OPEN + 2 * SECOND));
    test.run_to(OPEN + 3 * SECOND);
    assert_eq!(test.events(), [closed(MenuClosed::BoardGone, OPEN + 2 * SECOND)]);
    // A button that is down when the board comes back is held, and opens nothing.
    test.core.board_back([true, false, true], at(OPEN + 4 * SECOND));
    test.run_to(OPEN + 5 * SECOND);
    test.up(CALL, OPEN + 8 * SECOND);
    test.down(BLACK, OPEN + 9 * SECOND);
    test.run_to(OPEN + 20 * SECOND);
    assert_eq!(test.events(), []);
    let presses = test.inputs().into_iter().filter(|input| matches!(input, Input::Press(..)));
    assert!(presses.eq([Input::Press(BLACK, at(OPEN + 9 * SECOND))]));
}

/// A rocker with White's throw down, and Black on move in a game that is paused.
fn rocker() -> TimedLoop {
    let inputs = Opener::Call(InputKind::Rocker).inputs();
    let mut test = of(&setup(None), inputs, MENU);
    test.down(BLACK, SECOND);
    test.up(BLACK, 2 * SECOND);
    test.down(WHITE, 2 * SECOND);
    test.command(1, PAUSE, 3 * SECOND);
    test.down(CALL, T0);
    test.up(CALL, T0 + HOLD);
    test.run_to(OPEN);
    assert!(test.core.is_menu_open());
    test.inputs();
    test.events();
    test
}

#[test]
fn a_throw_is_told_at_once_and_the_game_learns_where_the_rocker_was_left() {
    for is_open in [false, true] {
        for pushes in 1..=2 {
            let mut test = rocker();
            let mut expected = Vec::new();
            let throws = [(WHITE, BLACK), (BLACK, WHITE)];
            for (index, (up, down)) in throws.into_iter().take(pushes).enumerate() {
                let nanos = OPEN + (1 + index as u64) * SECOND;
                test.up(up, nanos);
                test.down(down, nanos + MS);
                test.run_to(nanos + 10 * MS);
                expected.push(pressed(down, nanos + MS, nanos + MS, SHORT));
                assert_eq!(test.events(), expected[index..], "a throw stays down");
            }
            assert_eq!(test.inputs(), [], "single pushes are not recorded");
            assert_eq!(test.core.rocker_in_menu(), Some([pushes == 2, pushes == 1]));
            if !is_open {
                test.menu(MenuRequest::Close(at(OPEN + 8 * SECOND)));
            }
            test.log.causes.clear();
            test.command(9, RESUME, OPEN + 10 * SECOND);
            // The answer is the same as if the rocker had been pushed without a menu.
            let is_moved = pushes == 1;
            let answer = if is_moved { Cause::Refused } else { Cause::Command("resume", None) };
            assert_eq!(test.log.causes, [(answer, OPEN + 10 * SECOND)], "{is_open}, {pushes}");
            assert_eq!(test.core.is_menu_open(), is_open && is_moved);
            let found = Input::RockerFound {
                closed: [!is_moved, is_moved],
                at: at(OPEN + if is_open { 10 } else { 8 } * SECOND),
            };
            assert_eq!(test.inputs()[0], found);
            assert_eq!(test.core.rocker_in_menu(), None, "the game knows it");
        }
    }
}

#[test]
fn a_wrong_code_is_an_input_that_changes_neither_the_clock_nor_the_menu() {
    let mut test = rocker();
    let before = test.core.update(Cause::Missed);
    test.run_to(OPEN + SECOND);
    test.menu(MenuRequest::WrongCode(at(OPEN + SECOND)));
    test.run_to(OPEN + SECOND + MS);
    assert_eq!(test.inputs(), [Input::WrongCode(at(OPEN + SECOND))]);
    assert_eq!(test.events(), []);
    assert!(test.core.is_menu_open());
    let after = test.core.update(Cause::Missed);
    assert_eq!((after.revision, after.view), (before.revision, before.view));
}
