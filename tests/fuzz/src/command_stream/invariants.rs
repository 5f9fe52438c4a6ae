//! The properties that hold after every step, whether it was carried out or refused, and between
//! two steps.

use super::steps::{Step, apply};
use super::take;
use clock_engine::{
    AfterFlag, Caller, Clock, Command, Counting, Event, EventKind, Instant, Method, PeriodEnd,
    Phase, Refused, Side, SideView, Span, View,
};

/// The clock before the step, brought to the step's instant: everything that is due at that instant
/// is decided, and the resulting events are dropped.
fn woken(mut clock: Clock, at: Instant) -> Clock {
    assert_eq!(clock.handle_timeout(at), Ok(()));
    take(&mut clock);
    clock
}

/// Checks that a refused step changes the clock only as `handle_timeout` at the same instant does.
/// A step whose stamp is before the latest instant handled must change nothing at all.
pub fn of_a_refusal(before: Clock, at: Instant, clock: &Clock, refused: Refused, events: &[Event]) {
    assert!(!refused.to_string().is_empty());
    let mut untouched = before;
    if at < before.last() {
        assert_eq!(refused, Refused::Earlier { given: at, last: before.last() });
        assert_eq!(events, []);
    } else {
        assert!(!matches!(refused, Refused::Earlier { .. }));
        assert_eq!(untouched.handle_timeout(at), Ok(()));
        assert_eq!(events, take(&mut untouched));
    }
    assert_eq!(untouched.last(), clock.last());
    assert_eq!(untouched.control(), clock.control());
    same(&untouched, clock, clock.last());
    same_hidden(untouched, *clock);
}

/// Checks that a step that was carried out changed only what it may change.
pub fn of_a_step(before: Clock, step: Step, at: Instant, clock: &Clock, events: &[Event]) {
    assert!(at >= before.last());
    assert_eq!(clock.last(), at);
    assert!(events.is_sorted_by_key(|event| event.at), "{events:?}");
    assert!(events.iter().all(|event| event.at <= at), "{events:?}");
    if !matches!(step, Step::Command(_) | Step::ChangeTimeControl { .. }) {
        of_a_flagged_side(&before.view(before.last()), &clock.view(at));
    }
    let woken = woken(before, at);
    let own = own_events(woken, step, at);
    assert!(events.ends_with(&own), "{own:?} {events:?}");
    match step {
        Step::Press(side) => match own.split_first() {
            Some((Event { kind: EventKind::Press { side: of, accepted }, .. }, brought)) => {
                assert_eq!(*of, side);
                match accepted {
                    true => of_a_move(&woken, side, at, clock, brought),
                    false => same(&woken, clock, at),
                }
            }
            _ => panic!("{own:?}"),
        },
        Step::Timeout => same(&woken, clock, at),
        Step::Call
        | Step::Command(Command::Pause { .. } | Command::Finish(_) | Command::Reopen) => {
            same_numbers(&woken, clock, at);
        }
        Step::Command(Command::Start) => {
            // A clock that is started without time changes its numbers at once, and gives an event
            // for this. So the numbers are compared only if there is no event.
            if own.is_empty() {
                same_numbers(&woken, clock, at);
            }
        }
        Step::ChangeTimeControl { control, recompute, .. } => {
            assert_eq!((clock.control(), own.as_slice()), (&control, [].as_slice()));
            of_a_change(&woken.view(at), &clock.view(at), recompute.is_asked());
        }
        Step::Command(_) => {}
    }
}

/// Checks that after a change of the time control both clocks stand, the press counters and the
/// side on move are the same, and no final flag is new. A final flag that fell before must stay,
/// unless `recompute` is set or the limit of its side changes.
fn of_a_change(before: &View, after: &View, recompute: bool) {
    assert_eq!(after.on_move, before.on_move);
    assert!(after.phase != Phase::Running && after.phase != Phase::Over, "{after:?}");
    for side in Side::BOTH {
        let (before, after) = (before.sides[side], after.sides[side]);
        assert_eq!(after.moves, before.moves);
        assert!(before.out_of_time || !after.out_of_time, "a flag falls: {after:?}");
        let is_kept = !recompute && before.limit == after.limit;
        assert!(!is_kept || before.out_of_time == after.out_of_time, "{before:?} {after:?}");
    }
}

/// A side whose final flag has fallen gets no more time, and changes no period.
fn of_a_flagged_side(before: &View, after: &View) {
    for side in Side::BOTH {
        let (before, after) = (before.sides[side], after.sides[side]);
        if before.out_of_time {
            let kept = (before.period, before.flag, before.overtime);
            assert!(after.out_of_time, "{after:?}");
            assert_eq!((after.period, after.flag, after.overtime), kept);
            assert!(after.overrun >= before.overrun, "{after:?}");
        }
    }
    assert!(before.first_flag.is_none() || after.first_flag == before.first_flag, "{after:?}");
}

/// The events of the step itself, after everything due at its instant is decided.
fn own_events(mut woken: Clock, step: Step, at: Instant) -> Vec<Event> {
    assert_eq!(apply(&mut woken, step, at), Ok(()));
    take(&mut woken)
}

/// Checks that `before` and `clock` show the same and have the same next timeout.
fn same(before: &Clock, clock: &Clock, at: Instant) {
    assert_eq!(before.view(at), clock.view(at));
    assert_eq!(before.poll_timeout(), clock.poll_timeout());
}

/// Checks that `before` and `clock` are the same in what no view shows: what can be taken back, and
/// the phase that `reopen` restores.
fn same_hidden(mut before: Clock, mut clock: Clock) {
    let at = clock.last();
    for command in [
        Command::Reopen,
        Command::Pause { by: Caller::Arbiter },
        Command::UndoPress,
        Command::Resume { side: None },
    ] {
        assert_eq!(before.handle_command(command, at), clock.handle_command(command, at));
        assert_eq!(take(&mut before), take(&mut clock));
        same(&before, &clock, at);
    }
}

/// Checks that `before` and `clock` show the same for both sides; the phase may differ.
fn same_numbers(before: &Clock, clock: &Clock, at: Instant) {
    assert_eq!(before.view(at).sides, clock.view(at).sides);
}

/// Checks an accepted press: the first starts the game, every other one completes a move.
fn of_a_move(woken: &Clock, side: Side, at: Instant, clock: &Clock, brought: &[Event]) {
    let (before, after) = (woken.view(at), clock.view(at));
    let counted = |counter: u32| match before.phase {
        Phase::Running => counter.saturating_add(1),
        _ => counter,
    };
    assert_eq!(after.sides[side].moves, counted(before.sides[side].moves));
    assert_eq!(after.sides[side.other()].moves, before.sides[side.other()].moves);
    // With the gong method, a slice whose time was set to 0 ends as soon as it begins.
    let gongs = brought.iter().filter(|event| matches!(event.kind, EventKind::Gong { .. })).count();
    assert_eq!(after.on_move, if gongs % 2 == 0 { side.other() } else { side });
    if before.phase == Phase::Running && brought.iter().all(|event| of_the_press(clock, event)) {
        undone(*woken, side, at, *clock);
    }
}

/// Whether the press itself began the period of this event. If not, the period began because the
/// opponent's time was used up at once.
fn of_the_press(clock: &Clock, event: &Event) -> bool {
    let at_zero = clock.control().terms().period_end == PeriodEnd::MovesAtZero;
    matches!(event.kind, EventKind::Period { .. }) && !at_zero
}

/// Checks that a move that is taken back at once leaves no trace.
fn undone(mut woken: Clock, side: Side, at: Instant, mut clock: Clock) {
    let pause = Command::Pause { by: Caller::Arbiter };
    assert_eq!(woken.handle_command(pause, at), Ok(()));
    // After a set-back (a press of Black begins a period for both sides) both clocks can stand
    // already, and an open call to the arbiter stays open. So `called_by` is left out of the
    // comparison below.
    if clock.phase() == Phase::Running {
        assert_eq!(clock.handle_command(pause, at), Ok(()));
    }
    let undo = clock.handle_command(Command::UndoPress, at);
    if clock.control().periods()[0].method[side] == Method::Hourglass {
        return assert_eq!(undo, Err(Refused::NoUndo));
    }
    assert_eq!(undo, Ok(()));
    assert_eq!(View { called_by: None, ..clock.view(at) }, woken.view(at));
}

/// Checks what must hold of every view at the latest instant handled.
pub fn of_the_view(clock: &Clock) {
    let view = clock.view(clock.last());
    assert!(clock.poll_timeout().is_none_or(|due| due > clock.last()), "{clock:?}");
    assert_eq!(view.outcome.is_some(), view.phase == Phase::Over);
    assert_eq!(view.paused_by.is_some(), view.phase == Phase::Paused);
    assert!(view.phase != Phase::Ruling || view.first_flag.is_some());
    for side in Side::BOTH {
        of_a_side(clock, &view, side);
    }
    let [white, black] = Side::BOTH.map(|side| view.sides[side]);
    match view.first_flag {
        None => assert!(!white.out_of_time && !black.out_of_time, "{view:?}"),
        Some(side) => {
            let (first, other) = (view.sides[side], view.sides[side.other()]);
            assert!(first.out_of_time, "{view:?}");
            assert!(!other.out_of_time || other.flag >= first.flag, "{view:?}");
        }
    }
}

fn of_a_side(clock: &Clock, view: &View, side: Side) {
    let side_view = &view.sides[side];
    assert!(
        side_view.period >= 1 && view.last_period.is_none_or(|last| side_view.period <= last),
        "{side_view:?}"
    );
    if side_view.out_of_time {
        assert!(side_view.flag.is_some_and(|flag| flag <= clock.last()), "{side_view:?}");
        // If the time is counted up, a flagged side shows its limit; otherwise it shows 0.
        let shown = match method(clock, side_view, side) {
            Method::CountUp { limit } => limit.expect("without a limit no flag falls"),
            _ => Span::ZERO,
        };
        assert_eq!((side_view.remaining, side_view.delay), (shown, Span::ZERO));
    } else {
        assert_eq!(side_view.overrun, Span::ZERO);
    }
    let method = method(clock, side_view, side);
    if let (Method::Delay(delay), false) = (method, side_view.out_of_time || side == view.on_move) {
        assert_eq!(side_view.delay, delay);
    }
    if let (Method::Bronstein(delay), false) =
        (method, side_view.out_of_time || side == view.on_move)
    {
        assert!(side_view.remaining >= delay, "{side_view:?}");
    }
    if let Some(left) = side_view.overtime {
        let Method::Overtime(overtime) = method else { panic!("{side_view:?}") };
        assert!((1..=overtime.moves).contains(&left.moves), "{side_view:?}");
        let fewest = u32::from(!side_view.out_of_time);
        assert!((fewest..=overtime.periods).contains(&left.periods), "{side_view:?}");
    }
}

/// The method of the period this side is in.
fn method(clock: &Clock, side_view: &SideView, side: Side) -> Method {
    let periods = clock.control().periods();
    let index = usize::try_from(side_view.period - 1).unwrap_or(usize::MAX);
    periods[index.min(periods.len() - 1)].method[side]
}

/// Checks what `clock` shows between two calls, `span` after the latest call or at the next timeout
/// if that is earlier: the running clock has run by exactly the elapsed time, and nothing else has
/// changed.
pub fn of_running(clock: &Clock, span: Span) {
    let last = clock.last();
    let mut later = last.checked_add(span).unwrap_or(Instant::from_nanos(u64::MAX));
    if let Some(due) = clock.poll_timeout() {
        later = later.min(due);
    }
    let elapsed = later.since(last);
    let (before, after) = (clock.view(last), clock.view(later));
    let Some(side) = before.running() else {
        return assert_eq!(View { at: later, ..before }, after);
    };
    let mut expected = before;
    expected.at = later;
    run(&mut expected.sides[side], before.counting, elapsed);
    if before.counting == Counting::Hourglass {
        let waiting = &mut expected.sides[side.other()].remaining;
        *waiting = waiting.plus(elapsed);
    }
    assert_eq!(expected, after);
    assert!(clock.control().after_flag() == AfterFlag::Run || !before.sides[side].out_of_time);
}

fn run(side_view: &mut SideView, counting: Counting, elapsed: Span) {
    if side_view.out_of_time {
        side_view.overrun = side_view.overrun.plus(elapsed);
    } else if counting == Counting::Up {
        side_view.remaining = side_view.remaining.plus(elapsed);
    } else {
        side_view.remaining = side_view.remaining.minus(elapsed.minus(side_view.delay));
        side_view.delay = side_view.delay.minus(elapsed);
    }
}
