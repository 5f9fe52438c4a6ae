//! Tests with a button board that is unplugged and comes back.

use super::*;

#[test]
fn a_board_that_goes_away_is_decided_in_the_order_of_stamps() {
    let gone = |paused| Cause::BoardGone { button: WHITE, paused };
    let flag = Cause::flag(Side::White, 1);
    let due = 1_000_000_001;
    // The flag was due before the board was gone, but is decided after the loss was found. The flag
    // stops the clocks, so the loss pauses nothing.
    let mut core = running();
    core.board_gone(WHITE, at(due + 500));
    assert_eq!(decide(&mut core, due + MS), [(flag, due), (gone(false), due + 500)]);
    // If the board is gone before the flag, no flag falls, because the clock stands.
    let mut core = running();
    core.board_gone(WHITE, at(due - 500));
    assert_eq!(decide(&mut core, due + MS), [(gone(true), due - 500)]);
    let by = clock_engine::PausedBy::Caller(clock_engine::Caller::Fault);
    assert_eq!(core.update(Cause::Missed).view.paused_by, Some(by), "not by the arbiter");
    assert_eq!(core.update(Cause::Missed).view.sides[Side::White].remaining.as_nanos(), 500);
    assert_eq!(core.wake_at(at(due + MS)), None);
    // A contact that was closed for the settle time is a press, even if it had not been decided
    // yet.
    let mut core = running();
    edge(&mut core, WHITE, 100 * MS, true);
    assert_eq!(decide(&mut core, 100 * MS + 10_000), []);
    core.board_gone(WHITE, at(101 * MS));
    assert_eq!(
        decide(&mut core, 101 * MS + 100_000),
        [(Cause::press(Side::White), 100 * MS), (gone(true), 101 * MS)]
    );
    // A contact that was closed for less than the settle time is no press, because the unplugging
    // itself can have closed it.
    let mut core = running();
    edge(&mut core, WHITE, 100 * MS, true);
    assert_eq!(decide(&mut core, 100 * MS + 10_000), []);
    core.board_gone(WHITE, at(101 * MS - 1));
    assert_eq!(decide(&mut core, 150 * MS), [(gone(true), 101 * MS - 1)]);
    assert_eq!(core.counts().rejected, 1);
    // No clock runs, so nothing is paused, and no command becomes stale.
    let control = Control::single(Span::from_secs(1), Method::None);
    let mut core = VirtualLoop::new(control, Inputs::default(), [true, false, false], at(0));
    core.board_gone(WHITE, at(MS));
    assert_eq!(decide(&mut core, 2 * MS), [(gone(false), MS)]);
    assert_eq!(core.update(Cause::Missed).revision, 1);
    assert_eq!(core.wake_at(at(2 * MS)), None, "what is not read is not stuck");
    // The loss of the board is decided even if as many requests wait as there are places for.
    let mut core = running();
    edge(&mut core, BLACK, 100 * MS, true);
    for id in 0..4 {
        let request = Request { id, at: at(101 * MS), revision: 0, command: RESUME.into() };
        core.request(request);
    }
    core.board_gone(WHITE, at(101 * MS));
    assert!(decide(&mut core, 104 * MS).contains(&(gone(true), 101 * MS)));
}

#[test]
fn a_clock_is_not_started_while_the_board_is_gone() {
    let mut core = running();
    core.board_gone(WHITE, at(100 * MS));
    assert_eq!(decide(&mut core, 101 * MS).len(), 1);
    let new = |force| Command::New { control: Control::single(Span::ZERO, Method::None), force };
    let set = Command::Set(Correction { on_move: Some(Side::Black), ..Correction::default() });
    let gone = Err(Refusal::BoardGone);
    for (given, expected) in [
        (RESUME, gone),
        (Command::Resume { side: Some(Side::White) }, gone),
        // Commands that start no clock are carried out while the board is gone.
        (set, Ok(())),
        (new(true), Ok(())),
        (Command::Start, gone),
    ] {
        let done = command(&mut core, given, 200);
        assert_eq!(done, expected, "{given:?}");
    }
    // The engine's refusal has priority over `Refusal::BoardGone`.
    assert!(matches!(command(&mut core, RESUME, 250), Err(Refusal::Game(_))));
    core.board_back([false; LINES], at(300 * MS));
    assert_eq!(command(&mut core, Command::Start, 400), Ok(()));
}

#[test]
fn a_board_that_goes_away_leaves_an_unanswered_call_as_it_was() {
    let mut core = running();
    assert_eq!(press(&mut core, Button::Call, 100 * MS), [(Cause::CALL, 100 * MS)]);
    let called = core.update(Cause::Missed).view;
    core.board_gone(WHITE, at(200 * MS));
    decide(&mut core, 201 * MS);
    let view = core.update(Cause::Missed).view;
    assert_eq!((view.called_by, view.paused_by), (called.called_by, called.paused_by));
    assert!(view.called_by.is_some());
}

#[test]
fn a_board_that_is_back_before_its_absence_was_decided_is_not_gone() {
    // The loop was delayed for so long that the board is back when the loop runs again.
    let mut core = running();
    edge(&mut core, WHITE, 100 * MS, true);
    assert_eq!(decide(&mut core, 100 * MS + 10_000), []);
    core.board_gone(WHITE, at(101 * MS));
    let found = core.board_back([false; LINES], at(600 * MS));
    let gone = Cause::BoardGone { button: WHITE, paused: true };
    assert_eq!(found, [Cause::press(Side::White), gone, Cause::BoardBack]);
    assert_eq!(decide(&mut core, 800 * MS), []);
    assert_eq!(command(&mut core, RESUME, 900), Ok(()));
}
