//! Every nanosecond is accounted for: time appears and disappears only by a rule.

use crate::controls::{charging_control, count_up, delay_control, hourglass};
use crate::games::{any_played, played, take_events, uncorrected_game};
use crate::{config, nanos};
use clock_engine::{
    Clock, Command, Control, Counting, Event, EventKind, Instant, Method, PerSide, PeriodEnd,
    Phase, Side, SideView, Span, View,
};
use proptest::prelude::*;

fn int(span: Span) -> i128 {
    i128::from(span.as_nanos())
}

/// The number that a side shows minus the overrun of the side, in nanoseconds.
fn signed(side_view: &SideView) -> i128 {
    int(side_view.remaining) - int(side_view.overrun)
}

fn shown(view: &View) -> i128 {
    signed(&view.sides.white) + signed(&view.sides.black)
}

/// A clock after `Command::Start` at 0.
fn started(control: Control) -> Clock {
    let mut clock = Clock::new(control, Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).expect("ready");
    take_events(&mut clock);
    clock
}

/// One call to the clock, with the views before and after it.
struct Transition {
    before: View,
    after: View,
    /// How long a clock ran, in nanoseconds.
    ran: i128,
    events: Vec<Event>,
}

fn transition(clock: &mut Clock, at: Instant, call: impl FnOnce(&mut Clock)) -> Transition {
    let from = clock.last();
    let before = clock.view(at);
    let ran = if before.phase == Phase::Running { nanos(at) - nanos(from) } else { 0 };
    call(clock);
    Transition { before, after: clock.view(at), ran, events: take_events(clock) }
}

/// Brings the clock to `at`, with one transition to each due instant on the way.
fn transitions_to(clock: &mut Clock, at: Instant) -> Vec<Transition> {
    let mut transitions = Vec::new();
    while let Some(due) = clock.poll_timeout().filter(|due| *due <= at) {
        transitions
            .push(transition(clock, due, |clock| clock.handle_timeout(due).expect("in order")));
        assert!(clock.poll_timeout().is_none_or(|next| next > due), "what is due is decided");
    }
    transitions.push(transition(clock, at, |clock| clock.handle_timeout(at).expect("in order")));
    transitions
}

fn overtime_of(control: &Control, side: Side) -> i128 {
    match control.periods()[control.periods().len() - 1].method[side] {
        Method::Overtime(overtime) => int(overtime.time),
        _ => 0,
    }
}

/// The time that the control gives in a transition: for periods, for periods of overtime, and for
/// completed moves.
fn gifts(control: &Control, transition: &Transition) -> i128 {
    let mut given = 0;
    for (index, event) in transition.events.iter().enumerate() {
        given += match event.kind {
            EventKind::Period { side, period } => int(period_of(control, period).time[side]),
            EventKind::Overtime { side, .. } => overtime_of(control, side),
            EventKind::Press { side, accepted: true } => {
                completed(control, transition, side, transition.events.get(index + 1))
            }
            _ => 0,
        };
    }
    for side in Side::BOTH {
        // A side without time begins overtime without an event when it enters a period with
        // overtime. The time of that overtime is added here.
        let is_reported =
            |event: &Event| matches!(event.kind, EventKind::Overtime { side: s, .. } if s == side);
        let (before, after) = (&transition.before.sides[side], &transition.after.sides[side]);
        let entered = before.overtime.is_none() && after.overtime.is_some();
        if entered && !transition.events.iter().any(is_reported) {
            given += overtime_of(control, side);
        }
    }
    given
}

fn period_of(control: &Control, number: u32) -> &clock_engine::Period {
    let index = usize::try_from(number).expect("few periods");
    &control.periods()[index.min(control.periods().len()) - 1]
}

/// The time that a completed move adds: the increment of the present period, or the used part of a
/// period of overtime that begins again. A side that is out of time gets nothing.
fn completed(control: &Control, transition: &Transition, side: Side, next: Option<&Event>) -> i128 {
    let before = &transition.before.sides[side];
    if before.out_of_time {
        return 0;
    }
    let by_moves =
        matches!(control.terms().period_end, PeriodEnd::Moves | PeriodEnd::BlackCompletes { .. });
    let number = match next.map(|event| event.kind) {
        Some(EventKind::Period { side: whose, period }) if by_moves && whose == side => period,
        _ => before.period,
    };
    match (period_of(control, number).method[side], before.overtime) {
        (Method::Increment(span), _) => int(span),
        (Method::Overtime(overtime), Some(left)) if left.moves == 1 => {
            int(overtime.time) - int(before.remaining)
        }
        _ => 0,
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn s0_6_1_only_the_running_side_changes_as_time_goes_by((control, game) in any_played()) {
        let mut clock = Clock::new(control, Instant::ZERO);
        for (when, action) in game {
            let at = when.resolve(&clock);
            let until = clock.poll_timeout().map_or(at, |due| due.min(at));
            let (before, after) = (clock.view(clock.last()), clock.view(until));
            for side in Side::BOTH.into_iter().filter(|side| before.running() != Some(*side)) {
                let mut expected = before.sides[side];
                if before.counting == Counting::Hourglass {
                    // With an hourglass, the time of `side` grows by exactly as much as the time of
                    // the running side falls.
                    let grown = shown(&before) - signed(&after.sides[side.other()]);
                    expected.remaining =
                        Span::from_nanos(u64::try_from(grown).expect("not below zero"));
                }
                prop_assert_eq!(expected, after.sides[side]);
            }
            // Other tests check refusals.
            let _ = action.apply_to(&mut clock, at);
            take_events(&mut clock);
        }
    }

    #[test]
    fn all_that_was_given_is_left_or_has_run(
        (control, game) in played(charging_control, uncorrected_game),
    ) {
        let mut clock = started(control);
        let mut given = shown(&clock.view(Instant::ZERO));
        let mut ran = 0;
        for (when, action) in game {
            let at = when.resolve(&clock);
            let mut transitions = transitions_to(&mut clock, at);
            transitions.push(transition(&mut clock, at, |clock| {
                // Other tests check refusals.
                let _ = action.apply_to(clock, at);
            }));
            for transition in transitions {
                given += gifts(&control, &transition);
                ran += transition.ran;
                prop_assert_eq!(given - ran, shown(&transition.after), "{:?}", transition.events);
            }
        }
    }

    #[test]
    fn with_an_hourglass_no_time_comes_and_none_goes(
        (control, game) in played(hourglass, uncorrected_game),
    ) {
        let mut clock = started(control);
        let sum = shown(&clock.view(Instant::ZERO));
        for (when, action) in game {
            let at = when.resolve(&clock);
            prop_assert_eq!(shown(&clock.view(at)), sum);
            // Other tests check refusals.
            let _ = action.apply_to(&mut clock, at);
            take_events(&mut clock);
            prop_assert_eq!(shown(&clock.view(at)), sum);
        }
    }

    #[test]
    fn counted_up_all_that_ran_is_used(
        (control, game) in played(count_up, uncorrected_game),
    ) {
        let mut clock = started(control);
        let mut ran = 0;
        let used =
            |view: &View, side: Side| int(view.sides[side].remaining) + int(view.sides[side].overrun);
        for (when, action) in game {
            let at = when.resolve(&clock);
            for transition in transitions_to(&mut clock, at) {
                ran += transition.ran;
                let both = used(&transition.after, Side::White) + used(&transition.after, Side::Black);
                prop_assert_eq!(ran, both);
            }
            // Other tests check refusals.
            let _ = action.apply_to(&mut clock, at);
            take_events(&mut clock);
        }
    }

    #[test]
    fn a_turn_with_a_delay_costs_what_it_took_beyond_the_delay(
        (control, game) in played(delay_control, uncorrected_game),
    ) {
        let mut clock = started(control);
        let period = &control.periods()[0];
        let delay = period.method.map(|method| match method {
            Method::Delay(span) | Method::Bronstein(span) => int(span),
            _ => 0,
        });
        let mut main: PerSide<i128> = period.time.map(int);
        let (mut on_move, mut elapsed) = (Side::White, 0);
        for (when, action) in game {
            let at = when.resolve(&clock);
            for transition in transitions_to(&mut clock, at) {
                elapsed += transition.ran;
                let side_view = &transition.after.sides[on_move];
                // The delay and the main time are added, because Bronstein shows them as one
                // number.
                let left = main[on_move] - (elapsed - delay[on_move]).max(0)
                    + (delay[on_move] - elapsed).max(0);
                if !side_view.out_of_time {
                    prop_assert_eq!(int(side_view.remaining) + int(side_view.delay), left);
                } else if clock.view(at).sides[on_move].flag.is_some_and(|flag| flag == at) {
                    prop_assert_eq!(left, 0, "the flag falls at e = M + d");
                }
            }
            let flagged = clock.view(at).sides[on_move].out_of_time;
            // Other tests check refusals.
            let _ = action.apply_to(&mut clock, at);
            let pressed = take_events(&mut clock).iter().any(|event| {
                matches!(event.kind, EventKind::Press { accepted: true, .. })
            });
            let now = clock.view(at).on_move;
            if pressed || now != on_move {
                main[on_move] -= (elapsed - delay[on_move]).max(0);
                (on_move, elapsed) = (now, 0);
            }
            if flagged {
                // After the flag the side has an overrun, which another test checks. So this test
                // ends here.
                break;
            }
        }
    }
}
