//! The test of the buttons: when it begins, what it takes, and what ends it.

use super::*;

/// When the test of a test function begins.
const BEGIN: u64 = T0;

/// A loop in this state that was asked for a test of the buttons at [`BEGIN`].
fn asked(state: Standing, kind: InputKind, menu: Option<MenuOpening>) -> TimedLoop {
    let mut test = standing(state, Inputs { kind, ..Inputs::default() }, menu);
    test.run_to(BEGIN);
    test.menu(MenuRequest::Test(at(BEGIN)));
    test.run_to(BEGIN + 10 * MS);
    test
}

fn begun(menu: Option<MenuOpening>) -> TimedLoop {
    let mut test = asked(Standing::Ready, InputKind::Buttons, menu);
    assert_eq!(test.events(), [MenuEvent::TestBegan(at(BEGIN))]);
    test
}

fn ended(why: MenuClosed, nanos: u64) -> MenuEvent {
    MenuEvent::Closed(why, at(nanos))
}

#[test]
fn it_begins_only_between_games() {
    for menu in [None, MENU] {
        for state in STANDING {
            let is_between =
                matches!(state, Standing::Ready | Standing::WithoutRules | Standing::Over);
            let mut test = asked(state, InputKind::Buttons, menu);
            let answer = match is_between {
                true => MenuEvent::TestBegan(at(BEGIN)),
                false => MenuEvent::TestRefused(at(BEGIN)),
            };
            assert_eq!(
                (test.events(), test.core.is_test()),
                (vec![answer], is_between),
                "{state:?}"
            );
            test.tap(CALL, BEGIN + SECOND);
            test.run_to(BEGIN + 2 * SECOND);
            assert_eq!(test.inputs().is_empty(), is_between, "{state:?}");
        }
        let mut running = standing(Standing::Ready, Inputs::default(), menu);
        running.command(1, Command::Start, BEGIN - SECOND);
        running.run_to(BEGIN);
        running.menu(MenuRequest::Test(at(BEGIN)));
        running.run_to(BEGIN + 10 * MS);
        assert_eq!(running.events(), [MenuEvent::TestRefused(at(BEGIN))]);
    }
}

#[test]
fn it_does_not_begin_while_the_menu_is_open_or_a_press_can_open_it() {
    for (opens, lasts) in [(false, HOLD + SECOND), (true, SECOND)] {
        let mut test = standing(Standing::Ready, Inputs::default(), MENU);
        test.down(CALL, T0);
        if opens {
            test.up(CALL, T0 + HOLD + MS);
        }
        let ask = T0 + if opens { HOLD + SECOND } else { lasts - HOLD };
        test.run_to(ask);
        test.events();
        test.menu(MenuRequest::Test(at(ask)));
        test.run_to(ask + MS);
        assert_eq!(test.events(), [MenuEvent::TestRefused(at(ask))], "{opens}");
        assert_eq!(test.core.is_menu_open(), opens);
    }
}

#[test]
fn each_press_is_told_when_it_is_decided_and_is_no_input() {
    for menu in [None, MENU] {
        let mut test = begun(menu);
        for (index, button) in [WHITE, BLACK, CALL].into_iter().enumerate() {
            let nanos = BEGIN + SECOND + index as u64 * 5 * SECOND;
            test.down(button, nanos);
            test.run_to(nanos + MS + WINDOW);
            assert_eq!(test.events(), [MenuEvent::TestPress(button, at(nanos))]);
            // Neither a press that lasts for long nor its release is told.
            test.up(button, nanos + HOLD + SECOND);
            test.menu(MenuRequest::Acknowledge(at(nanos)));
        }
        test.run_to(BEGIN + 20 * SECOND);
        assert_eq!((test.events(), test.inputs()), (vec![], vec![]));
        assert_eq!(test.phase(), Phase::Ready, "no press has started a clock");
        let end = BEGIN + 21 * SECOND;
        test.run_to(end);
        test.menu(MenuRequest::Close(at(end)));
        test.run_to(end + SECOND);
        assert_eq!(
            (test.events(), test.core.is_test()),
            (vec![ended(MenuClosed::Asked, end)], false)
        );
        test.tap(BLACK, end + SECOND);
        test.run_to(end + 2 * SECOND);
        assert_eq!(test.inputs(), [Input::Press(BLACK, at(end + SECOND))]);
        assert_eq!(test.phase(), Phase::Running);
    }
}

#[test]
fn an_earlier_press_is_one_of_the_game_and_then_there_is_no_test() {
    let mut test = standing(Standing::Ready, Inputs::default(), None);
    test.down(BLACK, BEGIN - 1);
    test.run_to(BEGIN);
    // The press is not decided yet.
    test.menu(MenuRequest::Test(at(BEGIN)));
    test.run_to(BEGIN + 10 * MS);
    assert_eq!(test.inputs(), [Input::Press(BLACK, at(BEGIN - 1))]);
    assert_eq!(test.events(), [MenuEvent::TestRefused(at(BEGIN))]);
}

#[test]
fn a_button_that_is_down_at_the_end_must_be_released_first() {
    let mut test = begun(None);
    test.down(BLACK, BEGIN + SECOND);
    let end = BEGIN + 2 * SECOND;
    test.run_to(end);
    test.menu(MenuRequest::Close(at(end)));
    test.up(BLACK, end + SECOND);
    test.run_to(end + 2 * SECOND);
    assert_eq!((test.inputs(), test.phase()), (vec![], Phase::Ready));
}

#[test]
fn a_command_ends_it_unless_the_command_is_refused() {
    let mut test = begun(None);
    test.command(1, Command::Resume { side: None }, BEGIN + SECOND);
    assert_eq!((test.events(), test.core.is_test()), (vec![], true), "it was refused");
    let control = Control::single(Span::from_secs(10), Method::None);
    test.command(2, Command::New { control, force: true }, BEGIN + 2 * SECOND);
    assert_eq!(test.events(), [ended(MenuClosed::Command, BEGIN + 2 * SECOND)]);
    let mut test = begun(None);
    test.command(1, Command::Start, BEGIN + SECOND);
    assert_eq!(test.events(), [ended(MenuClosed::ClockRuns, BEGIN + SECOND)]);
}

#[test]
fn the_loss_of_the_board_and_a_program_that_says_nothing_end_it() {
    let mut test = begun(None);
    test.core.board_gone(WHITE, at(BEGIN + SECOND));
    test.run_to(BEGIN + SECOND + MS);
    assert_eq!(test.events(), [ended(MenuClosed::BoardGone, BEGIN + SECOND)]);
    let mut test = begun(None);
    test.tap(WHITE, BEGIN + 10 * SECOND);
    test.menu(MenuRequest::Acknowledge(at(BEGIN + 20 * SECOND)));
    test.run_to(BEGIN + 49 * SECOND);
    assert!(test.core.is_test(), "30 s after the acknowledgement have not passed");
    test.run_to(BEGIN + 51 * SECOND);
    let last = test.events().pop();
    assert_eq!(last, Some(ended(MenuClosed::TimedOut, BEGIN + 50 * SECOND)));
}

#[test]
fn the_game_learns_the_position_of_a_rocker_at_the_end() {
    let mut test = asked(Standing::Ready, InputKind::Rocker, None);
    test.down(WHITE, BEGIN + SECOND);
    test.run_to(BEGIN + 2 * SECOND);
    assert_eq!(test.inputs(), []);
    let end = BEGIN + 3 * SECOND;
    test.run_to(end);
    test.menu(MenuRequest::Close(at(end)));
    test.run_to(end + SECOND);
    assert_eq!(test.inputs(), [Input::RockerFound { closed: [true, false], at: at(end) }]);
}

#[test]
fn a_press_that_is_kept_is_none_of_the_game_that_ends_the_test() {
    let mut test = begun(None);
    let started = BEGIN + SECOND;
    test.run_to(started - MS);
    test.menu(MenuRequest::Keep(at(started + 500 * MS)));
    test.command(1, Command::Start, started);
    test.run_to(started + 10 * MS);
    assert_eq!(test.events(), [ended(MenuClosed::ClockRuns, started)]);
    test.inputs();
    // The program is about to make a press and has not seen the end.
    test.tap(WHITE, started + 499 * MS);
    test.run_to(started + 600 * MS);
    assert_eq!((test.inputs(), test.events()), (vec![], vec![]));
    test.tap(WHITE, started + 700 * MS);
    test.run_to(started + 800 * MS);
    assert_eq!(test.inputs(), [Input::Press(WHITE, at(started + 700 * MS))]);
}

#[test]
fn the_end_of_the_program_keeps_presses_unless_it_says_that_it_makes_none() {
    for (says_so, inputs) in
        [(false, vec![]), (true, vec![Input::Press(BLACK, at(BEGIN + SECOND + 100 * MS))])]
    {
        let mut test = begun(None);
        test.run_to(BEGIN + SECOND);
        test.menu(MenuRequest::Keep(at(BEGIN + 2 * SECOND)));
        if says_so {
            test.menu(MenuRequest::Keep(Instant::ZERO));
        }
        test.menu(MenuRequest::Close(at(BEGIN + SECOND)));
        test.tap(BLACK, BEGIN + SECOND + 100 * MS);
        test.run_to(BEGIN + 2 * SECOND);
        assert_eq!(test.inputs(), inputs, "{says_so}");
    }
}

#[test]
fn a_press_that_was_told_is_not_given_to_the_game_by_an_end_before_it() {
    let mut test = begun(None);
    let pressed = BEGIN + SECOND;
    test.tap(BLACK, pressed);
    test.run_to(pressed + 100 * MS);
    assert_eq!(test.events(), [MenuEvent::TestPress(BLACK, at(pressed))]);
    test.menu(MenuRequest::Close(at(pressed - MS)));
    test.run_to(pressed + 200 * MS);
    assert_eq!((test.inputs(), test.phase()), (vec![], Phase::Ready));
}
