//! Presses that the menu gives back to the game, because it has closed or may not open any more.

use super::*;

/// When the menu of a test is open, and all buttons are up.
const OPEN: u64 = T0 + 10 * SECOND;
/// When the program leaves the menu.
const LEFT: u64 = OPEN + SECOND;

fn opened(state: Standing) -> TimedLoop {
    let mut test = held(state, Opener::Call(InputKind::Buttons), MENU, T0 + HOLD + SECOND);
    test.run_to(OPEN);
    assert!(test.core.is_menu_open(), "{state:?}");
    test.log = Log::default();
    test
}

const CLOSED: MenuEvent = MenuEvent::Closed(MenuClosed::Asked, Instant::from_nanos(LEFT));

#[test]
fn a_press_between_the_close_and_its_arrival_is_one_of_the_game_unless_it_was_reported() {
    for state in STANDING {
        for pressed in [LEFT - 1, LEFT, LEFT + SECOND] {
            // The press still lasts when the request arrives, or was released just before.
            for up in [None, Some(R + WINDOW - 1), Some(R + WINDOW)] {
                let mut test = opened(state);
                test.down(BLACK, pressed);
                let arrives = LEFT + 2 * SECOND;
                if let Some(before) = up {
                    test.up(BLACK, arrives - before);
                }
                test.run_to(arrives);
                let is_reported = !test.events().is_empty();
                assert_eq!(is_reported, up == Some(R + WINDOW), "{state:?}, {pressed}");
                test.menu(MenuRequest::Close(at(LEFT)));
                test.run_to(arrives + SECOND);
                assert_eq!(test.events(), [CLOSED], "{state:?}, {pressed}");
                let is_of_game = pressed >= LEFT && !is_reported;
                let press = Input::Press(BLACK, at(pressed));
                let mut inputs = test.inputs();
                inputs.retain(|input| matches!(input, Input::Press(..)));
                let given = is_of_game.then_some(press);
                assert_eq!(inputs, given.as_slice(), "{state:?}, {pressed}, {up:?}");
                let starts = matches!(state, Standing::Ready | Standing::WithoutRules);
                let runs = test.phase() == Phase::Running;
                assert_eq!(runs, starts && is_of_game, "{state:?}, {pressed}");
            }
        }
    }
}

#[test]
fn a_long_press_that_was_reported_before_the_close_arrives_stays_the_menus() {
    for button in [BLACK, CALL] {
        let mut test = opened(Standing::Ready);
        test.down(button, LEFT + MS);
        test.run_to(LEFT + MS + HOLD + WINDOW);
        assert_eq!(test.events().len(), 1);
        test.menu(MenuRequest::Close(at(LEFT)));
        test.run_to(LEFT + 3 * HOLD);
        test.up(button, LEFT + 3 * HOLD);
        test.run_to(LEFT + 4 * HOLD);
        assert_eq!((test.events(), test.inputs()), (vec![CLOSED], vec![]), "{button}");
    }
}

#[test]
fn a_call_that_was_given_back_can_open_the_menu_again() {
    let mut test = opened(Standing::Paused);
    test.down(CALL, LEFT + MS);
    test.run_to(LEFT + SECOND);
    test.menu(MenuRequest::Close(at(LEFT)));
    test.up(CALL, LEFT + MS + HOLD);
    test.run_to(LEFT + 2 * HOLD);
    let hold = at(LEFT + MS + HOLD);
    assert_eq!(
        test.events(),
        [CLOSED, MenuEvent::Hold(hold), MenuEvent::Opened { at: hold, by_players: false }]
    );
    assert_eq!(test.inputs(), []);
}

#[test]
fn a_press_before_all_buttons_of_the_opening_were_up_is_given_back_and_those_buttons_are_not() {
    let opened = T0 + HOLD + SECOND;
    for close in [opened + MS, T0 - 2 * SECOND] {
        let mut test = standing(Standing::Ready, Inputs::default(), MENU);
        Opener::Both(WHITE).down(&mut test);
        test.up(WHITE, opened);
        test.run_to(opened + SECOND);
        assert!(test.core.is_menu_open());
        test.inputs();
        test.down(CALL, opened + SECOND);
        test.up(CALL, opened + 2 * SECOND);
        test.run_to(opened + 3 * SECOND);
        // Black's button is still down, so the call was not reported.
        test.menu(MenuRequest::Close(at(close)));
        test.run_to(opened + 10 * SECOND);
        assert_eq!(test.inputs(), [Input::Press(CALL, at(opened + SECOND))], "{close}");
    }
}

#[test]
fn a_press_that_is_earlier_than_an_input_of_the_game_is_not_given_back() {
    let set = Command::Add { side: Side::White, delta_ns: 1 };
    for revision in [0, 1] {
        let mut test = opened(Standing::Ready);
        test.down(BLACK, LEFT + MS);
        test.run_to(LEFT + SECOND);
        // A command of the menu, which is carried out or refused.
        test.menu(MenuRequest::Command(7));
        let command = set.into();
        test.core.request(Request { id: 7, at: at(LEFT + SECOND), revision, command });
        test.run_to(LEFT + 2 * SECOND);
        test.menu(MenuRequest::Close(at(LEFT)));
        test.run_to(LEFT + 3 * SECOND);
        let presses = test.inputs().into_iter().filter(|input| matches!(input, Input::Press(..)));
        assert_eq!((presses.count(), test.phase()), (0, Phase::Ready), "{revision}");
    }
}

#[test]
fn a_long_call_that_may_not_open_the_menu_any_more_is_a_call() {
    for state in STANDING {
        for opener in [Opener::Call(InputKind::Buttons), Opener::Call(InputKind::Rocker)] {
            for after in [HOLD - 1, HOLD, HOLD + 1, HOLD + WITHIN] {
                let say = format!("{state:?}, {opener:?}, {after}");
                let mut test = standing(state, opener.inputs(), MENU);
                opener.down(&mut test);
                test.run_to(T0 + after + WINDOW);
                test.menu(MenuRequest::MayOpen(false));
                let call = (!state.takes(after)).then_some(Input::Press(CALL, at(T0)));
                assert_eq!(test.inputs(), call.as_slice(), "{say}");
                let closed = MenuEvent::Closed(MenuClosed::Asked, at(T0 + HOLD));
                let expected = [MenuEvent::Hold(at(T0 + HOLD)), closed];
                let expected = if after < HOLD { &[] } else { &expected[..] };
                assert_eq!(test.events(), expected, "{say}");
                test.up(CALL, T0 + 30 * SECOND);
                test.run_to(T0 + 31 * SECOND);
                assert_eq!((test.inputs(), test.events()), (vec![], vec![]), "{say}");
            }
        }
    }
}

#[test]
fn a_long_call_is_no_call_after_a_later_input() {
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    test.down(CALL, T0);
    test.run_to(T0 + HOLD + SECOND);
    let set = Command::Add { side: Side::White, delta_ns: 1 };
    let request = Request { id: 1, at: at(T0 + HOLD + SECOND), revision: 0, command: set.into() };
    test.core.request(request);
    test.run_to(T0 + HOLD + 2 * SECOND);
    test.menu(MenuRequest::MayOpen(false));
    let closed = MenuEvent::Closed(MenuClosed::Asked, at(T0 + HOLD));
    assert_eq!(test.events(), [MenuEvent::Hold(at(T0 + HOLD)), closed]);
    assert_eq!(test.inputs(), [Input::Request(request)]);
}

#[test]
fn both_buttons_that_were_held_are_no_presses_if_the_menu_may_not_open_any_more() {
    for state in STANDING {
        let mut test = standing(state, Inputs::default(), MENU);
        Opener::Both(WHITE).down(&mut test);
        test.run_to(T0 + HOLD + MS);
        let phase = test.phase();
        test.inputs();
        test.menu(MenuRequest::MayOpen(false));
        test.up(WHITE, T0 + HOLD + SECOND);
        test.up(BLACK, T0 + HOLD + SECOND);
        test.run_to(T0 + 2 * HOLD);
        assert_eq!((test.inputs(), test.phase()), (vec![], phase), "{state:?}");
    }
}
