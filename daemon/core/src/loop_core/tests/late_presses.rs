//! Tests with presses whose edges arrive after an input or a flag with a later stamp was decided.

use super::*;
use clock_engine::rules::{Session, Setup};

#[test]
fn a_late_press_of_the_present_turn_counts_from_the_latest_decision_and_is_reported() {
    let mut core = running();
    assert_eq!(press(&mut core, WHITE, 100 * MS), [(Cause::press(Side::White), 100 * MS)]);
    // The engine refuses the command, but that is a decision too. So a press with an earlier stamp
    // takes effect at the stamp of the command.
    assert!(command(&mut core, Command::Start, 200).is_err());
    assert_eq!(
        press(&mut core, BLACK, 190 * MS),
        [(Cause::Late(BLACK), 190 * MS), (Cause::press(Side::Black), 200 * MS)]
    );
    assert_eq!(
        press(&mut core, Button::Call, 195 * MS),
        [(Cause::Late(Button::Call), 195 * MS), (Cause::CALL, 200 * MS)]
    );
    assert_eq!(core.counts().late, 2);
}

#[test]
fn a_late_press_that_would_have_done_nothing_does_nothing() {
    let mut core = running();
    assert_eq!(press(&mut core, BLACK, 200 * MS), [(Cause::ignored_press(Side::Black), 200 * MS)]);
    assert_eq!(press(&mut core, WHITE, 300 * MS), [(Cause::press(Side::White), 300 * MS)]);
    assert_eq!(press(&mut core, BLACK, 400 * MS), [(Cause::press(Side::Black), 400 * MS)]);
    // White's button closed while Black was on move, but its edge arrives when White is on move
    // again. The press must not complete White's move.
    let before = core.update(Cause::Missed).view;
    assert_eq!(press(&mut core, WHITE, 390 * MS), [(Cause::ignored_press(Side::White), 390 * MS)]);
    let after = core.update(Cause::Missed).view;
    assert_eq!((after.on_move, after.sides), (Side::White, before.sides));
    assert_eq!(core.counts().late, 0, "nobody lost time");
    // If White's button was pressed before the start, the late press completes no move after the
    // start.
    let control = Control::single(Span::from_secs(1), Method::None);
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
    assert_eq!(command(&mut core, Command::Start, 100), Ok(()));
    assert_eq!(press(&mut core, WHITE, 90 * MS), [(Cause::ignored_press(Side::White), 90 * MS)]);
    assert_eq!(core.update(Cause::Missed).view.sides.white.moves, 0);
}

#[test]
fn a_press_before_a_flag_that_was_decided_first_is_shown_with_both_instants() {
    let flag = 1_000_000_001;
    for after_flag in [clock_engine::AfterFlag::Halt, clock_engine::AfterFlag::Run] {
        let period = clock_engine::Period {
            moves: None,
            time: PerSide::both(Span::from_nanos(flag)),
            method: PerSide::both(Method::None),
        };
        let terms = clock_engine::Terms { after_flag: Some(after_flag), ..Default::default() };
        let control = Control::new(&[period], terms).unwrap();
        let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
        press(&mut core, BLACK, 0);
        assert_eq!(decide(&mut core, flag + MS).len(), 1, "the flag");
        let revision = core.update(Cause::Missed).revision;
        let stamp = flag - 20_000;
        let found = press(&mut core, WHITE, stamp);
        assert_eq!(found[0], (Cause::Late(WHITE), stamp));
        assert_eq!(found[1], (Cause::PressBeforeFlag(Side::White), flag));
        let halted = after_flag == clock_engine::AfterFlag::Halt;
        let last =
            if halted { Cause::ignored_press(Side::White) } else { Cause::press(Side::White) };
        assert_eq!((found[2], found.len()), ((last, flag), 3));
        let update = core.update(Cause::Missed);
        let shown = PressBeforeFlag { side: Side::White, pressed: at(stamp), flag: at(flag) };
        assert_eq!((update.press_before_flag, update.revision), (Some(shown), revision + 1));
        // `press_before_flag` stays set until the flag is annulled.
        if !halted {
            assert_eq!(command(&mut core, PAUSE, 2000), Ok(()));
        }
        assert_eq!(core.update(Cause::Missed).press_before_flag, Some(shown));
        let mut correction = Correction::default();
        correction.time[Side::White] = Some(Span::from_secs(5));
        assert_eq!(command(&mut core, Command::Set(correction), 2100), Ok(()));
        assert_eq!(core.update(Cause::Missed).press_before_flag, None);
    }
    // A press at the instant of the flag is too late, even if it arrives late.
    let mut core = running();
    assert_eq!(decide(&mut core, flag + MS).len(), 1, "the flag");
    let found = press(&mut core, WHITE, flag);
    assert_eq!(found, [(Cause::ignored_press(Side::White), flag)]);
}

#[test]
fn a_late_press_of_the_game_before_makes_no_move_of_the_new_game() {
    let mut core = running();
    assert_eq!(command(&mut core, PAUSE, 200), Ok(()));
    let control = Control::single(Span::from_secs(10), Method::None);
    assert_eq!(command(&mut core, Command::New { control, force: true }, 210), Ok(()));
    assert_eq!(command(&mut core, Command::Start, 220), Ok(()));
    // White was on move in the previous game at the stamp of the press, and is on move in the
    // present game, too.
    assert_eq!(press(&mut core, WHITE, 195 * MS), [(Cause::ignored_press(Side::White), 195 * MS)]);
    assert_eq!(press(&mut core, WHITE, 300 * MS), [(Cause::press(Side::White), 300 * MS)]);
}

#[test]
fn a_late_press_of_the_game_before_makes_no_move_of_an_imported_game() {
    let mut core = running();
    assert_eq!(command(&mut core, PAUSE, 200), Ok(()));
    let control = Control::single(Span::from_secs(10), Method::None);
    let setup = Setup { control, profile: None, session: Session::Unknown, force: true };
    let correction = Correction::default();
    let import = GameCommand::Import { setup, state: None, correction, begun: true };
    assert_eq!(command(&mut core, import, 210), Ok(()));
    assert_eq!(command(&mut core, RESUME, 220), Ok(()));
    assert_eq!(press(&mut core, WHITE, 195 * MS), [(Cause::ignored_press(Side::White), 195 * MS)]);
    assert_eq!(press(&mut core, WHITE, 300 * MS), [(Cause::press(Side::White), 300 * MS)]);
}

#[test]
fn a_late_call_while_a_call_stands_is_no_fault() {
    let mut core = running();
    assert_eq!(press(&mut core, Button::Call, 100 * MS), [(Cause::CALL, 100 * MS)]);
    assert!(command(&mut core, Command::Start, 400).is_err());
    assert_eq!(press(&mut core, Button::Call, 390 * MS), []);
    assert_eq!(core.counts().late, 0);
}

#[test]
fn a_late_press_of_a_turn_that_was_stopped_is_reported_and_does_not_count() {
    let mut core = running();
    assert_eq!(command(&mut core, PAUSE, 200), Ok(()));
    let found = press(&mut core, WHITE, 195 * MS);
    assert_eq!(
        found,
        [(Cause::Late(WHITE), 195 * MS), (Cause::ignored_press(Side::White), 200 * MS)]
    );
    assert_eq!(core.counts().late, 1);
}

#[test]
fn a_late_call_of_the_game_before_does_not_stop_the_new_game() {
    let mut core = running();
    assert_eq!(command(&mut core, PAUSE, 200), Ok(()));
    let control = Control::single(Span::from_secs(10), Method::None);
    assert_eq!(command(&mut core, Command::New { control, force: true }, 210), Ok(()));
    assert_eq!(command(&mut core, Command::Start, 220), Ok(()));
    assert_eq!(press(&mut core, Button::Call, 195 * MS), []);
    let view = core.update(Cause::Missed).view;
    assert_eq!((view.phase, view.called_by, core.counts().late), (Phase::Running, None, 0));
}

#[test]
fn a_press_before_a_flag_that_is_not_final_is_judged_by_a_correction() {
    let flag = 1_000_000_000;
    let period = |moves| clock_engine::Period {
        moves,
        time: PerSide::both(Span::from_nanos(flag)),
        method: PerSide::both(Method::None),
    };
    let terms =
        clock_engine::Terms { period_end: clock_engine::PeriodEnd::Zero, ..Default::default() };
    let control = Control::new(&[period(Some(40)), period(None)], terms).unwrap();
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
    press(&mut core, BLACK, 0);
    assert!(!decide(&mut core, flag + MS).is_empty(), "the flag of the first period");
    press(&mut core, WHITE, flag - 20_000);
    let shown = PressBeforeFlag { side: Side::White, pressed: at(flag - 20_000), flag: at(flag) };
    assert_eq!(command(&mut core, PAUSE, 1200), Ok(()));
    assert_eq!(core.update(Cause::Missed).press_before_flag, Some(shown));
    let add = Command::Add { side: Side::White, delta_ns: 1 };
    assert_eq!(command(&mut core, add, 1300), Ok(()));
    assert_eq!(core.update(Cause::Missed).press_before_flag, None);
}
