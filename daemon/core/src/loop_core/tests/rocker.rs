//! Tests with a rocker between the players, instead of two buttons.

use super::*;

/// A game with a rocker. Black's push started the game, and White has pushed since then, so Black
/// is on move.
fn rocker(levels: [bool; LINES]) -> VirtualLoop {
    let period = clock_engine::Period {
        moves: None,
        time: PerSide::both(Span::from_secs(60)),
        method: PerSide::both(Method::None),
    };
    let halt = Some(clock_engine::AfterFlag::Halt);
    let terms = clock_engine::Terms { after_flag: halt, ..clock_engine::Terms::default() };
    let control = Control::new(&[period], terms).unwrap();
    let inputs = Inputs { kind: InputKind::Rocker, ..Inputs::default() };
    let mut core = VirtualLoop::new(control, inputs, levels, at(0));
    push(&mut core, Side::Black, 1000);
    push(&mut core, Side::White, 2000);
    core
}

/// Pushes the rocker down on one side. The other throw opens first, as with real rockers.
fn push(core: &mut VirtualLoop, side: Side, millis: u64) {
    edge(core, Button::Player(side.other()), millis * MS, false);
    edge(core, Button::Player(side), (millis + 1) * MS, true);
    decide(core, (millis + 40) * MS);
}

#[test]
fn a_rocker_moved_while_paused_asks_for_the_side_on_move() {
    let (white, black) = (Side::White, Side::Black);
    for (pushes, side, expected) in [
        (vec![], None, Ok(())),
        (vec![black], None, Err(Refusal::ConfirmOnMove { down: Some(black) })),
        (vec![black], Some(white), Ok(())),
        (vec![black], Some(black), Ok(())),
        (vec![black, white], None, Ok(())),
        (vec![black, white, black], None, Err(Refusal::ConfirmOnMove { down: Some(black) })),
    ] {
        let mut core = rocker([true, false, false]);
        assert_eq!(core.update(Cause::Missed).view.on_move, black);
        assert_eq!(command(&mut core, PAUSE, 3000), Ok(()));
        for (push_at, side) in (4000..).step_by(100).zip(&pushes) {
            push(&mut core, *side, push_at);
        }
        let done = command(&mut core, Command::Resume { side }, 5000);
        assert_eq!(done, expected, "{pushes:?}, {side:?}");
        let phase = if done.is_ok() { Phase::Running } else { Phase::Paused };
        assert_eq!(core.update(Cause::Missed).view.phase, phase);
    }
}

#[test]
fn after_an_undone_press_or_a_corrected_side_the_rocker_must_be_pushed_over() {
    let white_on_move = Correction { on_move: Some(Side::White), ..Correction::default() };
    for correction in [Command::UndoPress, Command::Set(white_on_move)] {
        let mut core = rocker([true, false, false]);
        assert_eq!(command(&mut core, PAUSE, 3000), Ok(()));
        assert_eq!(command(&mut core, correction, 3100), Ok(()));
        assert_eq!(core.update(Cause::Missed).view.on_move, Side::White);
        // If White's throw stayed down, White could not stop White's clock. So the resume is
        // refused.
        let refused = Err(Refusal::ConfirmOnMove { down: Some(Side::White) });
        assert_eq!(command(&mut core, RESUME, 3200), refused);
        push(&mut core, Side::Black, 3300);
        assert_eq!(command(&mut core, RESUME, 3400), Ok(()));
        assert_eq!(core.update(Cause::Missed).view.running(), Some(Side::White));
    }
}

#[test]
fn a_resume_is_accepted_when_the_rocker_needs_no_confirmation() {
    // At each resume, the position of the rocker is compared with its position when a clock last
    // ran.
    let mut core = rocker([true, false, false]);
    assert_eq!(command(&mut core, PAUSE, 3000), Ok(()));
    push(&mut core, Side::Black, 3100);
    assert_eq!(command(&mut core, Command::Resume { side: Some(Side::White) }, 4000), Ok(()));
    assert_eq!(command(&mut core, PAUSE, 5000), Ok(()));
    assert_eq!(command(&mut core, RESUME, 6000), Ok(()));
    // No clock is paused, so the engine refuses the command. The position of the rocker is not
    // compared.
    assert!(matches!(command(&mut core, RESUME, 7000), Err(Refusal::Game(_))));
    // With buttons, a resume never needs to name the side on move.
    let mut core = running();
    assert_eq!(command(&mut core, PAUSE, 100), Ok(()));
    press(&mut core, BLACK, 200 * MS);
    assert_eq!(command(&mut core, RESUME, 300), Ok(()));
}

#[test]
fn a_push_that_brings_a_flag_is_no_move_while_paused() {
    let mut core = rocker([true, false, false]);
    assert_eq!(command(&mut core, PAUSE, 3000), Ok(()));
    let mut correction = Correction::default();
    correction.time[Side::White] = Some(Span::ZERO);
    assert_eq!(command(&mut core, Command::Set(correction), 3100), Ok(()));
    assert_eq!(command(&mut core, RESUME, 3200), Ok(()));
    // White has no time left, so Black's push starts White's clock and brings White's flag at once.
    // The flag stops the clocks.
    push(&mut core, Side::Black, 4000);
    assert_eq!(core.update(Cause::Missed).view.phase, Phase::Ruling);
    correction.time[Side::White] = Some(Span::from_secs(5));
    assert_eq!(command(&mut core, Command::Set(correction), 5000), Ok(()));
    assert_eq!(command(&mut core, RESUME, 5100), Ok(()));
}

#[test]
fn a_rocker_moved_while_the_board_was_gone_asks_for_the_side_on_move() {
    for (levels, expected) in [
        ([true, false, false], Ok(())),
        ([false, true, false], Err(Refusal::ConfirmOnMove { down: Some(Side::Black) })),
        ([false, false, false], Err(Refusal::ConfirmOnMove { down: None })),
        ([true, true, false], Err(Refusal::ConfirmOnMove { down: None })),
    ] {
        let mut core = rocker([true, false, false]);
        core.board_gone(WHITE, at(3000 * MS));
        decide(&mut core, 3001 * MS);
        core.board_back(levels, at(4000 * MS));
        assert_eq!(command(&mut core, RESUME, 5000), expected, "{levels:?}");
    }
}

#[test]
fn a_throw_may_stay_down_but_not_both() {
    let mut core = rocker([true, false, false]);
    let hour = 3_600_000 * MS;
    decide(&mut core, 30 * MS);
    for button in [WHITE, BLACK] {
        assert!(!core.is_stuck(button, at(hour)) && !core.is_crossed(at(hour)));
    }
    edge(&mut core, Button::Call, 3000 * MS, true);
    decide(&mut core, 3100 * MS);
    assert!(core.is_stuck(Button::Call, at(hour)), "a button is a button");
    // Both throws are closed. After the settle time this cannot be bouncing, so the wiring is
    // wrong.
    edge(&mut core, BLACK, 4000 * MS, true);
    decide(&mut core, 4000 * MS + 900_000);
    assert!(!core.is_crossed(at(4000 * MS + 900_000)));
    decide(&mut core, 4001 * MS + 100_000);
    assert!(core.is_crossed(at(4001 * MS + 100_000)));
    edge(&mut core, WHITE, 4100 * MS, false);
    decide(&mut core, 4100 * MS);
    assert!(!core.is_crossed(at(4200 * MS)));
    // Both throws are closed from the start, and no edge wakes the loop to notice it.
    let control = Control::single(Span::from_secs(60), Method::None);
    let inputs = Inputs { kind: InputKind::Rocker, ..Inputs::default() };
    let core = VirtualLoop::new(control, inputs, [true, true, false], at(MS));
    assert_eq!(core.wake_at(at(MS)), Some(at(2 * MS)));
    assert!(core.is_crossed(at(2 * MS)));
    let core = VirtualLoop::new(control, inputs, [true, false, false], at(MS));
    assert_eq!(core.wake_at(at(MS)), None, "a throw that is down needs no wake-up");
}

#[test]
fn a_rocker_whose_push_brings_a_set_back_needs_no_confirmation() {
    let mut core = rocker([true, false, false]);
    let terms = clock_engine::Terms {
        period_end: clock_engine::PeriodEnd::BlackCompletes { pause: true },
        ..Default::default()
    };
    let period = |moves| clock_engine::Period {
        moves,
        time: PerSide::both(Span::from_secs(60)),
        method: PerSide::both(Method::None),
    };
    let control = Control::new(&[period(Some(1)), period(None)], terms).unwrap();
    assert_eq!(command(&mut core, PAUSE, 3000), Ok(()));
    assert_eq!(command(&mut core, Command::New { control, force: true }, 3100), Ok(()));
    assert_eq!(command(&mut core, Command::Start, 3200), Ok(()));
    push(&mut core, Side::Black, 3300);
    push(&mut core, Side::White, 3400);
    push(&mut core, Side::Black, 3500);
    assert_eq!(core.update(Cause::Missed).view.phase, Phase::Paused);
    assert_eq!(command(&mut core, RESUME, 4000), Ok(()));
}
