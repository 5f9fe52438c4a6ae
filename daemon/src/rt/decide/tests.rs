use super::*;
use clock_engine::{Command, Correction, Method, Phase, Side};

const WHITE: Button = Button::Player(Side::White);
const BLACK: Button = Button::Player(Side::Black);
const MS: u64 = 1_000_000;

fn at(nanos: u64) -> Instant {
    Instant::from_nanos(nanos)
}

/// A clock of one second a side, started by Black's button at 0.
fn running() -> Decider {
    let control = Control::single(Span::from_secs(1), Method::Increment(Span::from_nanos(1)));
    let mut decider = Decider::new(control, Inputs::default(), [false; BUTTONS], at(0));
    assert_eq!(press(&mut decider, BLACK, 0), [(Cause::Press(Side::Black), 0)]);
    decider
}

fn edge(decider: &mut Decider, button: Button, nanos: u64, active: bool) {
    decider.edge(button, Edge { at: at(nanos), active });
}

/// Decides up to `nanos`; causes with their instants.
fn decide(decider: &mut Decider, nanos: u64) -> Vec<(Cause, u64)> {
    let mut found = Vec::new();
    decider.decide(at(nanos), &mut |update| found.push((update.cause, update.at.as_nanos())));
    found
}

fn press(decider: &mut Decider, button: Button, nanos: u64) -> Vec<(Cause, u64)> {
    edge(decider, button, nanos, true);
    edge(decider, button, nanos + 2 * MS, false);
    decide(decider, nanos + 3 * MS)
}

#[test]
fn a_press_counts_from_its_first_edge_however_late_it_is_decided() {
    let mut decider = running();
    edge(&mut decider, WHITE, 500 * MS, true);
    edge(&mut decider, WHITE, 500 * MS + 300_000, false);
    edge(&mut decider, WHITE, 504 * MS, true);
    assert_eq!(decide(&mut decider, 504 * MS + 999_999), []);
    assert_eq!(decide(&mut decider, 506 * MS), [(Cause::Press(Side::White), 500 * MS)]);
    let view = decider.update(Cause::Call).view;
    assert_eq!(view.sides[Side::White].remaining.as_nanos(), 500 * MS + 2);
}

#[test]
fn a_candidate_before_the_flag_holds_the_flag_up_and_wins_or_loses() {
    let flag = 1_000_000_001; // the first move has its increment
    // One nanosecond before the flag: in time, though decided long after.
    let mut decider = running();
    edge(&mut decider, WHITE, flag - 1, true);
    assert_eq!(decide(&mut decider, flag + 500_000), []);
    assert_eq!(decide(&mut decider, flag + 2 * MS), [(Cause::Press(Side::White), flag - 1)]);

    // A glitch: the flag falls at its own instant once the glitch is rejected.
    let mut decider = running();
    edge(&mut decider, WHITE, flag - 1, true);
    edge(&mut decider, WHITE, flag + 500_000, false);
    assert_eq!(decide(&mut decider, flag + 2 * MS), []);
    let fallen = decide(&mut decider, flag + 6 * MS);
    assert_eq!(fallen, [(Cause::Flag { side: Side::White, period: 1 }, flag)]);

    // At the very instant: too late (S0/S4 6.8a).
    let mut decider = running();
    edge(&mut decider, WHITE, flag, true);
    let found = decide(&mut decider, flag + 2 * MS);
    assert_eq!(
        found,
        [
            (Cause::Flag { side: Side::White, period: 1 }, flag),
            (Cause::IgnoredPress(Side::White), flag)
        ]
    );
}

#[test]
fn a_flag_waits_for_edges_on_their_way_and_not_longer() {
    let mut decider = running();
    let flag = 1_000_000_001;
    assert_eq!(decide(&mut decider, flag + 99_999), []);
    assert_eq!(decider.wake_at(at(flag + 99_999)), Some(at(flag + 100_000)));
    let fallen = decide(&mut decider, flag + 100_000);
    assert_eq!(fallen, [(Cause::Flag { side: Side::White, period: 1 }, flag)]);
}

#[test]
fn silence_is_none_while_an_edge_may_be_on_its_way() {
    let mut decider = running();
    edge(&mut decider, WHITE, 500 * MS, true);
    // The glitch is over, but its last edge cannot be read yet.
    assert_eq!(decide(&mut decider, 501 * MS + 99_999), []);
    assert_eq!(decider.wake_at(at(501 * MS + 99_999)), Some(at(501 * MS + 100_000)));
    edge(&mut decider, WHITE, 501 * MS - 1, false);
    assert_eq!(decide(&mut decider, 510 * MS), []);
    assert_eq!(decider.counts.rejected, 1);
    // Silence that was one: pressed as soon as no edge can come any more.
    edge(&mut decider, WHITE, 600 * MS, true);
    let pressed = decide(&mut decider, 601 * MS + 100_000);
    assert_eq!(pressed, [(Cause::Press(Side::White), 600 * MS)]);
}

#[test]
fn lines_merge_by_stamp() {
    let mut decider = running();
    // White's contact chatters from 100 ms on; Black's clean press comes later but settles first.
    edge(&mut decider, WHITE, 100 * MS, true);
    edge(&mut decider, WHITE, 100 * MS + 100_000, false);
    edge(&mut decider, BLACK, 101 * MS, true);
    edge(&mut decider, BLACK, 103 * MS, false);
    edge(&mut decider, WHITE, 104 * MS, true);
    assert_eq!(decide(&mut decider, 104 * MS + 500_000), []);
    assert_eq!(
        decide(&mut decider, 106 * MS),
        [(Cause::Press(Side::White), 100 * MS), (Cause::Press(Side::Black), 101 * MS)]
    );
}

#[test]
fn a_command_waits_behind_an_earlier_candidate() {
    let mut decider = running();
    edge(&mut decider, WHITE, 100 * MS, true);
    let command = Command::Pause { by: clock_engine::Caller::Arbiter };
    let request = Request { id: 7, at: at(100 * MS + 500_000), revision: 2, command };
    decider.request(request, &mut |_| panic!("there is room"));
    assert_eq!(decide(&mut decider, 100 * MS + 900_000), []);
    assert_eq!(
        decide(&mut decider, 102 * MS),
        [(Cause::Press(Side::White), 100 * MS), (Cause::Command("pause"), 100 * MS + 500_000)]
    );
}

#[test]
fn a_stale_command_changes_nothing_and_a_completed_move_makes_none_stale() {
    let mut decider = running();
    press(&mut decider, WHITE, 100 * MS);
    let request =
        |id, revision| Request { id, at: at(200 * MS), revision, command: Command::Start };
    let mut answers = Vec::new();
    decider.request(request(1, 1), &mut |_| {});
    decider.request(request(2, 2), &mut |_| {});
    decider.decide(at(300 * MS), &mut |update| answers.push(update.answer.unwrap().1));
    assert_eq!(answers[0], Err(Refusal::Stale { given: 1, current: 2 }));
    assert!(matches!(answers[1], Err(Refusal::Clock(_))), "{answers:?}");
    assert_eq!(decider.update(Cause::Call).view.phase, Phase::Running);
}

#[test]
fn more_commands_than_fit_are_refused_at_once() {
    let mut decider = running();
    edge(&mut decider, WHITE, 100 * MS, true);
    let mut busy = 0;
    for id in 0..40 {
        let request = Request { id, at: at(101 * MS), revision: 2, command: Command::Start };
        decider.request(request, &mut |update| {
            assert_eq!(update.answer, Some((id, Err(Refusal::Busy))));
            busy += 1;
        });
    }
    assert_eq!(busy, 40 - 16);
    // Presses still find room.
    edge(&mut decider, WHITE, 100 * MS + 200_000, false);
    edge(&mut decider, BLACK, 101 * MS, true);
    edge(&mut decider, WHITE, 102 * MS, true);
    let found = decide(&mut decider, 104 * MS);
    assert!(found.contains(&(Cause::Press(Side::White), 100 * MS)), "{found:?}");
}

#[test]
fn idle_and_paused_need_no_wake_up() {
    let control = Control::single(Span::from_secs(1), Method::None);
    let mut decider = Decider::new(control, Inputs::default(), [false; BUTTONS], at(0));
    assert_eq!(decider.wake_at(at(5)), None);
    press(&mut decider, BLACK, 100 * MS);
    decide(&mut decider, 200 * MS);
    let pause = Command::Pause { by: clock_engine::Caller::Arbiter };
    decider.request(Request { id: 1, at: at(200 * MS), revision: 2, command: pause }, &mut |_| {});
    assert!(decider.wake_at(at(200 * MS)).is_some());
    decide(&mut decider, 201 * MS);
    assert_eq!(decider.wake_at(at(201 * MS)), None);
}

#[test]
fn a_stuck_button_is_seen_and_leaves_the_other_at_work() {
    let mut decider = running();
    edge(&mut decider, WHITE, 100 * MS, true);
    decide(&mut decider, 200 * MS);
    assert!(!decider.is_stuck(WHITE, at(10_099 * MS)));
    assert!(decider.is_stuck(WHITE, at(10_100 * MS)));
    assert_eq!(press(&mut decider, BLACK, 300 * MS), [(Cause::Press(Side::Black), 300 * MS)]);
}

#[test]
fn what_comes_too_late_counts_from_the_latest_decision_and_is_reported() {
    let mut decider = running();
    assert_eq!(press(&mut decider, WHITE, 100 * MS), [(Cause::Press(Side::White), 100 * MS)]);
    // Its edges were on their way for longer than any margin.
    edge(&mut decider, BLACK, 90 * MS, true);
    edge(&mut decider, BLACK, 98 * MS, false);
    assert_eq!(
        decide(&mut decider, 200 * MS),
        [(Cause::Late(BLACK), 90 * MS), (Cause::Press(Side::Black), 100 * MS)]
    );
    edge(&mut decider, Button::Call, 90 * MS, true);
    edge(&mut decider, Button::Call, 98 * MS, false);
    assert_eq!(
        decide(&mut decider, 300 * MS),
        [(Cause::Late(Button::Call), 90 * MS), (Cause::Call, 100 * MS)]
    );
    assert_eq!(decider.counts.late, 2);
}

#[test]
fn a_call_that_stands_is_not_made_again() {
    let mut decider = running();
    assert_eq!(press(&mut decider, Button::Call, 100 * MS), [(Cause::Call, 100 * MS)]);
    let revision = decider.update(Cause::Call).revision;
    assert_eq!(press(&mut decider, Button::Call, 200 * MS), []);
    assert_eq!(decider.update(Cause::Call).revision, revision);
}

#[test]
fn a_command_that_makes_a_flag_due_answers_with_the_revision_after_it() {
    let control = Control::single(Span::ZERO, Method::None);
    let mut decider = Decider::new(control, Inputs::default(), [false; BUTTONS], at(0));
    let request = Request { id: 1, at: at(MS), revision: 1, command: Command::Start };
    decider.request(request, &mut |_| {});
    let mut found = Vec::new();
    decider.decide(at(2 * MS), &mut |update| found.push((update.cause, update.revision)));
    let flag = Cause::Flag { side: Side::White, period: 1 };
    assert_eq!(found, [(Cause::Command("start"), 3), (flag, 3)]);
}

/// A rocker that has started the game and was pushed once more, by White: Black is on move.
fn rocker(levels: [bool; BUTTONS]) -> Decider {
    let period = clock_engine::Period {
        moves: None,
        time: clock_engine::PerSide::both(Span::from_secs(60)),
        method: clock_engine::PerSide::both(Method::None),
    };
    let halt = Some(clock_engine::AfterFlag::Halt);
    let terms = clock_engine::Terms { after_flag: halt, ..clock_engine::Terms::default() };
    let control = Control::new(&[period], terms).unwrap();
    let inputs = Inputs { kind: InputKind::Rocker, ..Inputs::default() };
    let mut decider = Decider::new(control, inputs, levels, at(0));
    push(&mut decider, Side::Black, 1000);
    push(&mut decider, Side::White, 2000);
    decider
}

/// Pushes the rocker down on a side: its other throw opens first, as rockers do.
fn push(decider: &mut Decider, side: Side, millis: u64) {
    edge(decider, Button::Player(side.other()), millis * MS, false);
    edge(decider, Button::Player(side), (millis + 1) * MS, true);
    decide(decider, (millis + 40) * MS);
}

/// Gives a command of the present revision and decides it; the answer.
fn command(decider: &mut Decider, command: Command, millis: u64) -> Result<(), Refusal> {
    let revision = decider.update(Cause::Call).revision;
    decider.request(Request { id: 1, at: at(millis * MS), revision, command }, &mut |_| {});
    let mut answer = None;
    decider.decide(at((millis + 2) * MS), &mut |update| answer = answer.or(update.answer));
    answer.unwrap().1
}

const PAUSE: Command = Command::Pause { by: clock_engine::Caller::Arbiter };
const RESUME: Command = Command::Resume { side: None };

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
        let mut decider = rocker([true, false, false]);
        assert_eq!(decider.update(Cause::Call).view.on_move, black);
        assert_eq!(command(&mut decider, PAUSE, 3000), Ok(()));
        for (push_at, side) in (4000..).step_by(100).zip(&pushes) {
            push(&mut decider, *side, push_at);
        }
        let done = command(&mut decider, Command::Resume { side }, 5000);
        assert_eq!(done, expected, "{pushes:?}, {side:?}");
        let phase = if done.is_ok() { Phase::Running } else { Phase::Paused };
        assert_eq!(decider.update(Cause::Call).view.phase, phase);
    }
}

#[test]
fn a_press_taken_back_and_a_corrected_side_want_the_rocker_pushed_over() {
    let white_on_move = Correction { on_move: Some(Side::White), ..Correction::default() };
    for correction in [Command::UndoPress, Command::Correct(white_on_move)] {
        let mut decider = rocker([true, false, false]);
        assert_eq!(command(&mut decider, PAUSE, 3000), Ok(()));
        assert_eq!(command(&mut decider, correction, 3100), Ok(()));
        assert_eq!(decider.update(Cause::Call).view.on_move, Side::White);
        // With White's throw down White could not stop his clock.
        let refused = Err(Refusal::ConfirmOnMove { down: Some(Side::White) });
        assert_eq!(command(&mut decider, RESUME, 3200), refused);
        push(&mut decider, Side::Black, 3300);
        assert_eq!(command(&mut decider, RESUME, 3400), Ok(()));
        assert_eq!(decider.update(Cause::Call).view.running(), Some(Side::White));
    }
}

#[test]
fn where_nothing_waits_to_be_confirmed_a_rocker_asks_nothing() {
    // Each pause asks anew: what was confirmed stands.
    let mut decider = rocker([true, false, false]);
    assert_eq!(command(&mut decider, PAUSE, 3000), Ok(()));
    push(&mut decider, Side::Black, 3100);
    assert_eq!(command(&mut decider, Command::Resume { side: Some(Side::White) }, 4000), Ok(()));
    assert_eq!(command(&mut decider, PAUSE, 5000), Ok(()));
    assert_eq!(command(&mut decider, RESUME, 6000), Ok(()));
    // The engine's own word comes first where it refuses anyway.
    assert!(matches!(command(&mut decider, RESUME, 7000), Err(Refusal::Clock(_))));
    // Buttons may be pressed as they like.
    let mut decider = running();
    assert_eq!(command(&mut decider, PAUSE, 100), Ok(()));
    press(&mut decider, BLACK, 200 * MS);
    assert_eq!(command(&mut decider, RESUME, 300), Ok(()));
}

#[test]
fn a_push_that_brings_a_flag_is_no_move_while_paused() {
    let mut decider = rocker([true, false, false]);
    assert_eq!(command(&mut decider, PAUSE, 3000), Ok(()));
    let mut correction = Correction::default();
    correction.time[Side::White] = Some(Span::ZERO);
    assert_eq!(command(&mut decider, Command::Correct(correction), 3100), Ok(()));
    assert_eq!(command(&mut decider, RESUME, 3200), Ok(()));
    // White has no time: Black's push is White's flag, and the clocks stand.
    push(&mut decider, Side::Black, 4000);
    assert_eq!(decider.update(Cause::Call).view.phase, Phase::Ruling);
    correction.time[Side::White] = Some(Span::from_secs(5));
    assert_eq!(command(&mut decider, Command::Correct(correction), 5000), Ok(()));
    assert_eq!(command(&mut decider, RESUME, 5100), Ok(()));
}

#[test]
fn a_rocker_found_moved_when_the_board_is_back_asks_too() {
    for (levels, expected) in [
        ([true, false, false], Ok(())),
        ([false, true, false], Err(Refusal::ConfirmOnMove { down: Some(Side::Black) })),
        ([false, false, false], Err(Refusal::ConfirmOnMove { down: None })),
        ([true, true, false], Err(Refusal::ConfirmOnMove { down: None })),
    ] {
        let mut decider = rocker([true, false, false]);
        decider.unplugged(WHITE, at(3000 * MS));
        decide(&mut decider, 3001 * MS);
        decider.returned(levels, at(4000 * MS), &mut |_| {});
        assert_eq!(command(&mut decider, RESUME, 5000), expected, "{levels:?}");
    }
}

#[test]
fn a_throw_may_stay_down_but_not_both() {
    let mut decider = rocker([true, false, false]);
    let hour = 3_600_000 * MS;
    decide(&mut decider, 30 * MS);
    for button in [WHITE, BLACK] {
        assert!(!decider.is_stuck(button, at(hour)) && !decider.is_crossed(at(hour)));
    }
    edge(&mut decider, Button::Call, 3000 * MS, true);
    decide(&mut decider, 3100 * MS);
    assert!(decider.is_stuck(Button::Call, at(hour)), "a button is a button");
    // Both closed: at once wrong wiring, once it cannot be bouncing any more.
    edge(&mut decider, BLACK, 4000 * MS, true);
    decide(&mut decider, 4000 * MS + 900_000);
    assert!(!decider.is_crossed(at(4000 * MS + 900_000)));
    decide(&mut decider, 4001 * MS + 100_000);
    assert!(decider.is_crossed(at(4001 * MS + 100_000)));
    edge(&mut decider, WHITE, 4100 * MS, false);
    assert!(!decider.is_crossed(at(4200 * MS)));
    // Closed at the start, nothing else would wake the loop up to see it.
    let control = Control::single(Span::from_secs(60), Method::None);
    let inputs = Inputs { kind: InputKind::Rocker, ..Inputs::default() };
    let decider = Decider::new(control, inputs, [true, true, false], at(MS));
    assert_eq!(decider.wake_at(at(MS)), Some(at(2 * MS)));
    assert!(decider.is_crossed(at(2 * MS)));
    let decider = Decider::new(control, inputs, [true, false, false], at(MS));
    assert_eq!(decider.wake_at(at(MS)), None, "a throw that is down needs no wake-up");
}

#[test]
fn a_board_that_goes_away_comes_in_its_turn() {
    let gone = |paused| Cause::Unplugged { button: WHITE, paused };
    let flag = Cause::Flag { side: Side::White, period: 1 };
    let due = 1_000_000_001;
    // The flag was due before, though nobody had looked yet; it has stopped the clocks.
    let mut decider = running();
    decider.unplugged(WHITE, at(due + 500));
    assert_eq!(decide(&mut decider, due + MS), [(flag, due), (gone(false), due + 500)]);
    // The other way round there is no flag: the clock stands.
    let mut decider = running();
    decider.unplugged(WHITE, at(due - 500));
    assert_eq!(decide(&mut decider, due + MS), [(gone(true), due - 500)]);
    assert_eq!(decider.update(Cause::Call).view.sides[Side::White].remaining.as_nanos(), 500);
    assert_eq!(decider.wake_at(at(due + MS)), None);
    // A press whose contact was closed before is a press before it.
    let mut decider = running();
    edge(&mut decider, WHITE, 100 * MS, true);
    decider.unplugged(WHITE, at(100 * MS + 200_000));
    assert_eq!(decide(&mut decider, 100 * MS + 900_000), []);
    assert_eq!(
        decide(&mut decider, 102 * MS),
        [(Cause::Press(Side::White), 100 * MS), (gone(true), 100 * MS + 200_000)]
    );
    // Nothing runs, so nothing is paused and no command is made stale.
    let control = Control::single(Span::from_secs(1), Method::None);
    let mut decider = Decider::new(control, Inputs::default(), [true, false, false], at(0));
    decider.unplugged(WHITE, at(MS));
    assert_eq!(decide(&mut decider, 2 * MS), [(gone(false), MS)]);
    assert_eq!(decider.update(Cause::Call).revision, 1);
    assert_eq!(decider.wake_at(at(2 * MS)), None, "what is not read is not stuck");
    // Waiting commands leave it room.
    let mut decider = running();
    edge(&mut decider, BLACK, 100 * MS, true);
    for id in 0..20 {
        let request = Request { id, at: at(101 * MS), revision: 0, command: RESUME };
        decider.request(request, &mut |_| {});
    }
    decider.unplugged(WHITE, at(101 * MS));
    assert!(decide(&mut decider, 104 * MS).contains(&(gone(true), 101 * MS)));
}

const HALT: Option<clock_engine::AfterFlag> = Some(clock_engine::AfterFlag::Halt);

/// A clock of these periods, times and methods, started by Black's button at 0.
fn started(periods: &[(Option<u32>, u64, Method)], terms: clock_engine::Terms) -> Decider {
    let periods: Vec<_> = periods
        .iter()
        .map(|(moves, nanos, method)| clock_engine::Period {
            moves: *moves,
            time: clock_engine::PerSide::both(Span::from_nanos(*nanos)),
            method: clock_engine::PerSide::both(*method),
        })
        .collect();
    let control = Control::new(&periods, terms).unwrap();
    let mut decider = Decider::new(control, Inputs::default(), [false; BUTTONS], at(0));
    assert_eq!(press(&mut decider, BLACK, 0)[0], (Cause::Press(Side::Black), 0));
    decider
}

/// Decides up to `millis` and says what came, when, and at which revision.
fn revised(decider: &mut Decider, millis: u64) -> Vec<(Cause, u64, u64)> {
    let mut found = Vec::new();
    decider.decide(at(millis * MS), &mut |update| {
        found.push((update.cause, update.at.as_nanos(), update.revision));
    });
    found
}

#[test]
fn overtime_is_told_at_its_own_instants_and_makes_no_command_stale() {
    let byo_yomi =
        clock_engine::Overtime { periods: 2, time: Span::from_nanos(300 * MS), moves: 1 };
    let mut decider = started(&[(None, 100 * MS, Method::Overtime(byo_yomi))], Default::default());
    assert_eq!(decide(&mut decider, 100 * MS + 99_999), [], "a press can be on its way");
    assert_eq!(decider.wake_at(at(100 * MS)), Some(at(100 * MS + 100_000)));
    let overtime = |side, periods_left| Cause::Overtime { side, periods_left };
    let white = Side::White;
    // Though nobody looked for long, each has its own instant, and a press in between its place.
    edge(&mut decider, WHITE, 250 * MS, true);
    assert_eq!(
        revised(&mut decider, 252),
        [(overtime(white, 2), 100 * MS, 2), (Cause::Press(white), 250 * MS, 2)]
    );
    edge(&mut decider, WHITE, 260 * MS, false);
    let flag = Cause::Flag { side: Side::Black, period: 1 };
    assert_eq!(
        revised(&mut decider, 2000),
        [
            (overtime(Side::Black, 2), 350 * MS, 2),
            (overtime(Side::Black, 1), 650 * MS, 2),
            (flag, 950 * MS, 3)
        ]
    );
}

#[test]
fn a_candidate_before_overtime_holds_it_up() {
    let canadian = clock_engine::Overtime { periods: 1, time: Span::from_secs(300), moves: 9 };
    let mut decider = started(&[(None, 100 * MS, Method::Overtime(canadian))], Default::default());
    edge(&mut decider, WHITE, 100 * MS - 1, true);
    assert_eq!(decide(&mut decider, 100 * MS + 500_000), []);
    assert_eq!(decide(&mut decider, 102 * MS), [(Cause::Press(Side::White), 100 * MS - 1)]);
    assert!(decider.update(Cause::Call).view.sides.white.overtime.is_none());
}

#[test]
fn a_gong_is_told_and_makes_no_command_stale() {
    let slice = Span::from_nanos(200 * MS);
    let mut decider = started(&[(None, 0, Method::Gong(slice))], Default::default());
    let gong = Cause::Gong;
    assert_eq!(
        revised(&mut decider, 450),
        [(gong(Side::Black), 200 * MS, 2), (gong(Side::White), 400 * MS, 2)]
    );
    assert_eq!(decider.wake_at(at(450 * MS)), Some(at(600 * MS + 100_000)));
    assert_eq!(
        press(&mut decider, WHITE, 500 * MS),
        [(Cause::IgnoredPress(Side::White), 500 * MS)]
    );
}

#[test]
fn what_a_loop_that_was_held_up_missed_is_made_up_for_in_no_time() {
    let mut decider =
        started(&[(None, 0, Method::Gong(clock_engine::MIN_SLICE))], Default::default());
    let hours = 2_000 * 3_600_000;
    let told = revised(&mut decider, hours);
    assert!(told.len() <= 256, "{}", told.len());
    assert!(decider.update(Cause::Call).view.at.as_nanos() > hours * MS - 2 * MS);
    assert!(decider.wake_at(at(hours * MS)) > Some(at(hours * MS)));
}

#[test]
fn a_period_that_comes_at_zero_is_told_and_its_flag_is_not_final() {
    let terms = clock_engine::Terms {
        advance: clock_engine::Advance::Zero,
        after_flag: HALT,
        ..Default::default()
    };
    let periods = [(None, 200 * MS, Method::None), (None, 300 * MS, Method::None)];
    let mut decider = started(&periods, terms);
    let period = |side| Cause::Period { side, period: 2 };
    let (white, black) = (Side::White, Side::Black);
    let mut found = Vec::new();
    decider.decide(at(1000 * MS), &mut |update| {
        let flag = match update.cause {
            Cause::Flag { side, period } => {
                Some((update.is_final(side, period), update.is_first(side, period)))
            }
            _ => None,
        };
        found.push((update.cause, update.at.as_nanos() / MS, update.revision, flag));
    });
    assert_eq!(
        found,
        [
            (Cause::Flag { side: white, period: 1 }, 200, 5, Some((false, false))),
            (period(white), 200, 5, None),
            (period(black), 200, 5, None),
            (Cause::Flag { side: white, period: 2 }, 500, 6, Some((true, true))),
        ]
    );
}

#[test]
fn a_period_that_a_press_brings_is_part_of_the_press() {
    let periods = [(Some(1), 1000 * MS, Method::None), (None, 300 * MS, Method::None)];
    let mut decider = started(&periods, Default::default());
    edge(&mut decider, WHITE, 100 * MS, true);
    assert_eq!(revised(&mut decider, 102), [(Cause::Press(Side::White), 100 * MS, 2)]);
    assert_eq!(decider.update(Cause::Call).view.sides.white.period, 2);
    // The same period, but at zero with the moves made: a cause of its own, and a revision.
    let terms = clock_engine::Terms {
        advance: clock_engine::Advance::MovesAtZero,
        after_flag: HALT,
        ..Default::default()
    };
    let mut decider = started(&periods, terms);
    edge(&mut decider, WHITE, 100 * MS, true);
    assert_eq!(revised(&mut decider, 102), [(Cause::Press(Side::White), 100 * MS, 2)]);
    edge(&mut decider, BLACK, 200 * MS, true);
    assert_eq!(revised(&mut decider, 202), [(Cause::Press(Side::Black), 200 * MS, 2)]);
    let period = Cause::Period { side: Side::White, period: 2 };
    assert_eq!(revised(&mut decider, 1150), [(period, 1100 * MS, 3)]);
}

#[test]
fn a_set_back_that_pauses_is_told_after_its_press_and_makes_commands_stale() {
    for pause in [true, false] {
        let terms = clock_engine::Terms {
            advance: clock_engine::Advance::BlackCompletes { pause },
            ..Default::default()
        };
        let periods = [(Some(1), 1000 * MS, Method::None), (None, 300 * MS, Method::None)];
        let mut decider = started(&periods, terms);
        press(&mut decider, WHITE, 100 * MS);
        edge(&mut decider, BLACK, 200 * MS, true);
        let told = revised(&mut decider, 202);
        let press = Cause::Press(Side::Black);
        if pause {
            // The revision is already the new one with the press, whose state stands.
            assert_eq!(told, [(press, 200 * MS, 3), (Cause::SetBack, 200 * MS, 3)]);
        } else {
            assert_eq!(told, [(press, 200 * MS, 2)]);
        }
        let view = decider.update(Cause::Call).view;
        assert_eq!(view.phase == Phase::Paused, pause);
        assert_eq!((view.on_move, view.sides.white.period), (Side::White, 2));
    }
}

#[test]
fn a_rocker_pushed_into_a_set_back_is_where_it_belongs() {
    let mut decider = rocker([true, false, false]);
    let terms = clock_engine::Terms {
        advance: clock_engine::Advance::BlackCompletes { pause: true },
        ..Default::default()
    };
    let period = |moves| clock_engine::Period {
        moves,
        time: clock_engine::PerSide::both(Span::from_secs(60)),
        method: clock_engine::PerSide::both(Method::None),
    };
    let control = Control::new(&[period(Some(1)), period(None)], terms).unwrap();
    assert_eq!(command(&mut decider, PAUSE, 3000), Ok(()));
    assert_eq!(command(&mut decider, Command::New(control), 3100), Ok(()));
    assert_eq!(command(&mut decider, Command::Start, 3200), Ok(()));
    push(&mut decider, Side::Black, 3300);
    push(&mut decider, Side::White, 3400);
    push(&mut decider, Side::Black, 3500);
    assert_eq!(decider.update(Cause::Call).view.phase, Phase::Paused);
    assert_eq!(command(&mut decider, RESUME, 4000), Ok(()));
}
