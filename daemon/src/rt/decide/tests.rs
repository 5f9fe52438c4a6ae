//! When edges and commands are decided, and in which order.

mod periods;
mod rocker;

use super::*;
use clock_engine::{Caller, Command, Correction, Method, PausedBy, Phase, Side};

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
    let command = Command::Pause { by: Caller::Arbiter };
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
    let pause = Command::Pause { by: Caller::Arbiter };
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

/// Gives a command of the present revision and decides it; the answer.
fn command(decider: &mut Decider, command: Command, millis: u64) -> Result<(), Refusal> {
    let revision = decider.update(Cause::Call).revision;
    decider.request(Request { id: 1, at: at(millis * MS), revision, command }, &mut |_| {});
    let mut answer = None;
    decider.decide(at((millis + 2) * MS), &mut |update| answer = answer.or(update.answer));
    answer.unwrap().1
}

const PAUSE: Command = Command::Pause { by: Caller::Arbiter };
const RESUME: Command = Command::Resume { side: None };

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

#[test]
fn while_the_board_is_gone_no_clock_is_started_and_a_call_stays_unanswered() {
    let control = Control::single(Span::from_secs(1), Method::None);
    let mut decider = Decider::new(control, Inputs::default(), [false; BUTTONS], at(0));
    // A call before the game, which Black's press starts without answering it.
    for (button, millis) in [(Button::Call, 10), (BLACK, 200)] {
        edge(&mut decider, button, millis * MS, true);
        edge(&mut decider, button, (millis + 60) * MS, false);
        decide(&mut decider, (millis + 100) * MS);
    }
    decider.unplugged(WHITE, at(400 * MS));
    decide(&mut decider, 401 * MS);
    let view = decider.update(Cause::Call).view;
    assert_eq!(view.phase, Phase::Paused);
    assert_eq!(view.paused_by, Some(PausedBy::Caller(Caller::Fault)));
    assert_eq!(view.called_by, Some(Caller::Button));
    assert_eq!(command(&mut decider, RESUME, 500), Err(Refusal::BoardGone));
    let side = Some(Side::Black);
    assert_eq!(command(&mut decider, Command::Resume { side }, 510), Err(Refusal::BoardGone));
    assert_eq!(command(&mut decider, Command::New(control), 520), Ok(()), "no clock runs");
    assert_eq!(command(&mut decider, Command::Start, 530), Err(Refusal::BoardGone));
    decider.returned([false; BUTTONS], at(600 * MS), &mut |_| {});
    assert_eq!(command(&mut decider, Command::Start, 610), Ok(()));
}
