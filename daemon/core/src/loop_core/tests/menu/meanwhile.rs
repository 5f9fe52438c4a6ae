//! What happens to a deferred press when something else comes before its release.

use super::*;

fn gave(input: &Input) -> (&'static str, u64) {
    let kind = match input {
        Input::Press(WHITE, _) => "white",
        Input::Press(BLACK, _) => "black",
        Input::Press(CALL, _) => "call",
        Input::Hold(..) => "hold",
        Input::Request(_) => "request",
        Input::BoardGone(..) => "board-gone",
        _ => "other",
    };
    (kind, input.at().as_nanos())
}

fn given(test: &mut TimedLoop) -> Vec<(&'static str, u64)> {
    test.inputs().iter().map(gave).collect()
}

/// A game of 10 s in which a flag stops both clocks.
fn halting() -> TimedLoop {
    let halt = clock_engine::Terms {
        after_flag: Some(clock_engine::AfterFlag::Halt),
        ..clock_engine::Terms::default()
    };
    let period = *setup(None).control.periods().first().unwrap();
    let control = Control::new(&[period], halt).unwrap();
    of(&Setup { control, ..setup(None) }, Inputs::default(), MENU)
}

#[test]
fn a_command_is_not_delayed_by_a_deferred_press_and_comes_after_it() {
    let set = Command::Add { side: Side::White, delta_ns: 1 };
    each(|state, opener, say| {
        for (after, is_short) in [(0, true), (SECOND, true), (HOLD - 1, true), (HOLD, false)] {
            let mut test = standing(state, opener.inputs(), MENU);
            opener.down(&mut test);
            test.run_to(T0 + 2 * MS);
            test.inputs();
            let command = T0 + after.max(2 * MS);
            // The request is refused. It is an input of the game nevertheless.
            test.run_to(command);
            let request = Request { id: 1, at: at(command), revision: 0, command: set.into() };
            test.core.request(request);
            test.step(command);
            test.run_to(command + WINDOW);
            let name = if opener.button() == CALL { "call" } else { "black" };
            let mut inputs = given(&mut test);
            inputs.retain(|(kind, _)| *kind != "hold");
            let first = (name == "black").then_some(("white", T0 - APART));
            let presses =
                first.into_iter().chain([(name, T0)]).filter(|_| is_short && !state.takes(after));
            let expected: Vec<_> = presses.chain([("request", command)]).collect();
            assert_eq!(inputs, expected, "{say}, {after}");
            test.events();
            opener.up(&mut test, T0 + HOLD + SECOND);
            test.run_to(T0 + 3 * HOLD);
            assert_eq!(test.core.is_menu_open(), !is_short, "{say}, {after}");
        }
    });
}

#[test]
fn an_accepted_command_after_the_hold_keeps_the_menu_closed() {
    each(|state, opener, say| {
        let mut test = standing(state, opener.inputs(), MENU);
        opener.down(&mut test);
        let new = Command::New { control: *test.core.control(), force: true };
        test.command(1, new, T0 + HOLD + SECOND);
        opener.up(&mut test, T0 + HOLD + 2 * SECOND);
        test.run_to(T0 + 3 * HOLD);
        let closed = MenuEvent::Closed(MenuClosed::Command, at(T0 + HOLD + SECOND));
        assert_eq!(test.events(), [MenuEvent::Hold(at(T0 + HOLD)), closed], "{say}");
        assert!(!given(&mut test).contains(&("hold", T0 + 2 * SECOND)), "{say}");
    });
}

#[test]
fn the_board_may_go_away_while_a_press_is_deferred() {
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    Opener::Both(BLACK).down(&mut test);
    test.run_to(T0 + SECOND);
    test.core.board_gone(WHITE, at(T0 + SECOND));
    test.run_to(T0 + 2 * SECOND);
    let expected = [("white", T0 - APART), ("black", T0), ("board-gone", T0 + SECOND)];
    assert_eq!(given(&mut test), expected);
    assert_eq!((test.phase(), test.events()), (Phase::Paused, vec![]));
}

#[test]
fn another_press_decides_a_deferred_press() {
    // A player presses while the call button is down. So the call is decided first, as a short
    // press.
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    test.down(CALL, T0);
    test.down(WHITE, T0 + SECOND);
    test.run_to(T0 + SECOND + 2 * MS);
    assert_eq!(given(&mut test), [("call", T0)]);
    test.up(WHITE, T0 + SECOND + TAP);
    test.run_to(T0 + 2 * SECOND);
    assert_eq!(given(&mut test), [("white", T0 + SECOND)]);
    test.up(CALL, T0 + HOLD);
    test.run_to(T0 + 2 * HOLD);
    assert_eq!(test.events(), []);
    // The call button is pressed while both players hold their buttons. Their presses are decided,
    // and the press of the call button is deferred.
    let mut test = standing(Standing::Paused, Inputs::default(), MENU);
    Opener::Both(BLACK).down(&mut test);
    test.down(CALL, T0 + SECOND);
    test.run_to(T0 + SECOND + 2 * MS);
    assert_eq!(given(&mut test), [("white", T0 - APART), ("black", T0)]);
    test.up(CALL, T0 + SECOND + 100 * MS);
    test.run_to(T0 + 2 * SECOND);
    assert_eq!(given(&mut test), [("call", T0 + SECOND)]);
    // After the hold, a press of another button keeps the menu closed, and is an input.
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    test.down(CALL, T0);
    test.tap(BLACK, T0 + HOLD + SECOND);
    test.up(CALL, T0 + HOLD + 2 * SECOND);
    test.run_to(T0 + 3 * HOLD);
    let closed = MenuEvent::Closed(MenuClosed::OtherPress, at(T0 + HOLD + SECOND));
    assert_eq!(test.events(), [MenuEvent::Hold(at(T0 + HOLD)), closed]);
    assert_eq!(given(&mut test)[0], ("black", T0 + HOLD + SECOND));
    assert_eq!(test.phase(), Phase::Running);
}

#[test]
fn two_presses_at_once_count_at_their_stamps() {
    for between in [0, 1, 30 * MS] {
        // Before the first move, Black's press starts White's clock at its stamp.
        let mut test = standing(Standing::Ready, Inputs::default(), MENU);
        test.run_to(T0);
        edge(&mut test.core, WHITE, T0, true);
        test.down(BLACK, T0 + between);
        test.up(WHITE, T0 + 200 * MS);
        test.up(BLACK, T0 + 300 * MS);
        test.run_to(T0 + 500 * MS);
        assert_eq!(given(&mut test), [("white", T0), ("black", T0 + between)]);
        let view = test.core.update(Cause::Missed).view;
        assert_eq!(view.phase, Phase::Running);
        let flag = T0 + between + 10 * SECOND;
        assert_eq!(test.core.clock.due(), Some(at(flag)), "White's clock runs since the press");
        // In unsupervised play, the two presses resume the game.
        let mut test = standing(Standing::Unsupervised, Inputs::default(), MENU);
        test.run_to(T0);
        test.log.causes.clear();
        edge(&mut test.core, WHITE, T0, true);
        test.down(BLACK, T0 + between);
        test.up(WHITE, T0 + 200 * MS);
        test.up(BLACK, T0 + 300 * MS);
        test.run_to(T0 + 500 * MS);
        let resumed = (Cause::Command("resume", None), T0 + between);
        assert_eq!(test.log.causes.last(), Some(&resumed), "{between}");
    }
    // Black's press comes first and starts the clock, so White's completes a move at once.
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    test.down(BLACK, T0);
    test.tap(WHITE, T0 + 1);
    test.run_to(T0 + 2 * TAP);
    assert_eq!(given(&mut test), [("black", T0), ("white", T0 + 1)]);
}

#[test]
fn the_press_that_stopped_the_clocks_never_opens_the_menu() {
    let mut test = of(&setup(Some(Profile::default())), Inputs::default(), MENU);
    test.command(1, Command::Start, SECOND);
    test.inputs();
    test.down(CALL, 2 * SECOND);
    test.run_to(2 * SECOND + 2 * MS);
    assert_eq!(given(&mut test), [("call", 2 * SECOND)], "it is decided at once");
    test.up(CALL, 2 * SECOND + HOLD + SECOND);
    test.run_to(3 * HOLD);
    assert_eq!(test.events(), []);
    // White's flag falls at 11 s. A call at that instant or later finds standing clocks.
    for (call, opens) in [(11 * SECOND - 1, false), (11 * SECOND, true), (11 * SECOND + 1, true)] {
        let mut test = halting();
        test.command(1, Command::Start, SECOND);
        test.down(CALL, call);
        test.up(CALL, call + HOLD);
        test.run_to(call + 2 * HOLD);
        assert_eq!(test.core.is_menu_open(), opens, "{call}");
    }
}

#[test]
fn a_flag_and_a_call_after_it_that_are_found_in_one_step_leave_the_call_deferred() {
    let mut test = of(&setup(Some(Profile::default())), Inputs::default(), MENU);
    test.command(1, Command::Start, SECOND);
    test.run_to(11 * SECOND - MS);
    test.inputs();
    // Under this profile, the flag must be called, so the clock runs on after it.
    edge(&mut test.core, CALL, 11 * SECOND, true);
    test.step(11 * SECOND + 5 * MS);
    assert_eq!(given(&mut test), [("call", 11 * SECOND)]);
    // Without rules, the flag stops the clocks.
    let mut test = halting();
    test.command(1, Command::Start, SECOND);
    test.run_to(11 * SECOND - MS);
    test.inputs();
    edge(&mut test.core, CALL, 11 * SECOND, true);
    test.step(11 * SECOND + 5 * MS);
    assert_eq!(test.inputs(), []);
    test.up(CALL, 11 * SECOND + HOLD);
    test.run_to(11 * SECOND + 2 * HOLD);
    assert!(test.core.is_menu_open());
}

#[test]
fn presses_that_arrive_late_are_decided_at_once() {
    // The call is stamped before the pause that was decided already.
    let mut test = of(&setup(None), Inputs::default(), MENU);
    test.command(1, Command::Start, SECOND);
    test.command(2, PAUSE, 2 * SECOND);
    test.inputs();
    edge(&mut test.core, CALL, 2 * SECOND - 1, true);
    test.step(2 * SECOND + MS);
    test.run_to(2 * SECOND + 3 * MS);
    assert_eq!(given(&mut test), [("call", 2 * SECOND - 1)]);
    // Black's press is stamped before the call that is deferred, and starts White's clock.
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    test.down(CALL, T0);
    test.run_to(T0 + SECOND);
    edge(&mut test.core, BLACK, T0 - 1, true);
    test.step(T0 + SECOND);
    test.run_to(T0 + SECOND + 2 * MS);
    assert_eq!(given(&mut test), [("black", T0 - 1), ("call", T0)]);
    assert_eq!(test.phase(), Phase::Paused);
    // White's press is stamped before the deferred call, too, but starts nothing. So the call stays
    // deferred.
    let mut test = standing(Standing::Ready, Inputs::default(), MENU);
    test.down(CALL, T0);
    test.run_to(T0 + SECOND);
    edge(&mut test.core, WHITE, T0 - 1, true);
    test.step(T0 + SECOND);
    test.run_to(T0 + SECOND + 2 * MS);
    assert_eq!(given(&mut test), [("white", T0 - 1)]);
    test.up(WHITE, T0 + 2 * SECOND);
    test.up(CALL, T0 + HOLD);
    test.run_to(T0 + 2 * HOLD);
    assert!(test.core.is_menu_open());
}

#[test]
fn only_presses_that_were_made_while_the_clocks_stood_are_held_together() {
    // White's press completed a move. Then the clocks were stopped, and Black presses. White's
    // press is not held together with Black's.
    let mut test = of(&setup(Some(Profile::default())), Inputs::default(), MENU);
    test.command(1, Command::Start, SECOND);
    test.down(WHITE, 2 * SECOND);
    test.command(2, PAUSE, 3 * SECOND);
    test.inputs();
    test.down(BLACK, 4 * SECOND);
    test.up(BLACK, 5 * SECOND + HOLD);
    test.run_to(6 * SECOND + HOLD);
    assert!(given(&mut test).contains(&("black", 4 * SECOND)));
    assert_eq!(test.events(), []);
    // The long press belonged to the menu, which a command then kept closed. White's button is
    // still down.
    let mut test = standing(Standing::Paused, Inputs::default(), MENU);
    Opener::Both(BLACK).down(&mut test);
    let set = Command::Add { side: Side::White, delta_ns: 1 };
    test.command(9, set, T0 + HOLD + SECOND);
    test.up(BLACK, T0 + HOLD + 2 * SECOND);
    test.events();
    test.down(BLACK, T0 + HOLD + 3 * SECOND);
    test.up(BLACK, T0 + 2 * HOLD + 4 * SECOND);
    test.run_to(T0 + 2 * HOLD + 5 * SECOND);
    assert!(given(&mut test).contains(&("black", T0 + HOLD + 3 * SECOND)));
    assert_eq!(test.events(), []);
}

#[test]
fn what_becomes_due_decides_a_deferred_press_first() {
    // The default time of both players ends while the call button is down.
    let due = T0 + 2 * SECOND + 1;
    let profile =
        Profile { default_after: Span::from_nanos(T0 + 2 * SECOND), ..Profile::default() };
    let mut test =
        of(&Setup { session: Session::At(at(0)), ..setup(Some(profile)) }, Inputs::default(), MENU);
    test.down(CALL, T0);
    test.run_to(due + WINDOW - 1);
    assert_eq!(test.inputs(), []);
    test.run_to(due + WINDOW);
    assert_eq!(given(&mut test), [("call", T0)]);
    assert_eq!(test.log.causes[0], (Cause::CALL, T0));
    assert_eq!(test.log.causes[1].1, due);
    test.up(CALL, T0 + HOLD);
    test.run_to(T0 + 2 * HOLD);
    assert_eq!(test.events(), []);
    // A player holds a button for longer than the rules allow while the call button is down.
    let mut test = standing(Standing::Paused, Inputs::default(), MENU);
    test.down(WHITE, T0 - SECOND);
    test.down(CALL, T0);
    test.run_to(T0 + 2 * SECOND + WINDOW);
    let expected = [("white", T0 - SECOND), ("call", T0), ("hold", T0 + 2 * SECOND)];
    assert_eq!(given(&mut test), expected);
}

#[test]
fn a_button_that_is_down_at_the_start_or_stuck_opens_nothing() {
    let game = Game::new(&setup(Some(Profile::default())), at(0)).unwrap();
    for (levels, button) in [([true, false, false], BLACK), ([false, false, true], CALL)] {
        let mut core = VirtualLoop::of(game, Inputs::default(), levels);
        core.core = core.core.clone().with_menu(MenuOpening::default());
        core.menu_request(MenuRequest::MayOpen(true));
        let mut test = TimedLoop { core, now: 0, deadline: None, log: Log::default() };
        if button == BLACK {
            test.down(BLACK, SECOND);
        }
        test.up(button, SECOND + HOLD);
        test.run_to(3 * HOLD);
        let press = (button == BLACK).then_some(("black", SECOND));
        assert_eq!(given(&mut test).first().copied(), press, "the press was alone");
        assert_eq!(test.events(), [], "{button}");
    }
    // White's button has been down for more than 10 s.
    let mut test = standing(Standing::Paused, Inputs::default(), MENU);
    test.down(WHITE, T0);
    test.down(BLACK, T0 + 10 * SECOND + 1);
    test.up(BLACK, T0 + 11 * SECOND + HOLD);
    test.run_to(T0 + 12 * SECOND + HOLD);
    assert!(given(&mut test).contains(&("black", T0 + 10 * SECOND + 1)));
    assert_eq!(test.events(), []);
    // With a rocker, a throw is never deferred.
    let inputs = Opener::Call(InputKind::Rocker).inputs();
    let mut test = standing(Standing::Paused, inputs, MENU);
    test.down(WHITE, T0 - SECOND);
    test.down(BLACK, T0);
    test.run_to(T0 + 2 * MS);
    assert_eq!(given(&mut test), [("white", T0 - SECOND), ("black", T0)]);
}

#[test]
fn a_menu_that_may_not_open_changes_nothing() {
    each(|state, opener, say| {
        let mut plain = held(state, opener, None, T0 + HOLD + SECOND);
        let mut test = standing(state, opener.inputs(), MENU);
        test.menu(MenuRequest::MayOpen(false));
        opener.down(&mut test);
        opener.up(&mut test, T0 + HOLD + SECOND);
        test.run_to(T0 + HOLD + 3 * SECOND);
        assert_eq!(test.inputs(), plain.inputs(), "{say}");
        assert_eq!(test.events(), [], "{say}");
        // The permission ends while the press is deferred, and after the hold.
        for (after, is_short) in [(SECOND, true), (HOLD + MS, opener.button() == CALL)] {
            let mut test = standing(state, opener.inputs(), MENU);
            opener.down(&mut test);
            test.run_to(T0 + after);
            test.menu(MenuRequest::MayOpen(false));
            let presses = test.inputs().into_iter().filter(
                |input| matches!(input, Input::Press(button, _) if *button == opener.button()),
            );
            let is_input = is_short && !state.takes(after);
            assert_eq!(presses.count(), usize::from(is_input), "{say}");
            opener.up(&mut test, T0 + HOLD + SECOND);
            test.run_to(T0 + 2 * HOLD);
            let is_opened = |event: &MenuEvent| matches!(event, MenuEvent::Opened { .. });
            assert!(!test.events().iter().any(is_opened), "{say}");
        }
    });
}
