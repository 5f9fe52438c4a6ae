//! The engine against a second, naive model, over random controls and random games.
//!
//! `PROPTEST_CASES` raises the number of games.

mod games;
mod model;

use clock_engine::{
    AfterFlag, Clock, Command, Control, Event, EventKind, Instant, Refused, Side, Span, View,
};
use games::Action;
use model::Naive;
use proptest::prelude::*;

fn handle(clock: &mut Clock, action: Action, at: Instant) -> Result<(), Refused> {
    match action {
        Action::Move => clock.handle_press(clock.view(at).on_move, at),
        Action::Press(side) => clock.handle_press(side, at),
        Action::Call => clock.handle_call(at),
        Action::Timeout => clock.handle_timeout(at),
        Action::Command(command) => clock.handle_command(command, at),
    }
}

fn take(clock: &mut Clock) -> Vec<Event> {
    std::iter::from_fn(|| clock.poll_event()).collect()
}

fn nanos(at: Instant) -> i128 {
    i128::from(at.as_nanos())
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_engine_and_the_naive_model_agree(control in games::control(), game in games::game()) {
        let mut clock = Clock::new(control, Instant::ZERO);
        let mut naive = Naive::new(control);
        for (when, action) in game {
            let at = when.resolve(&clock);
            let now = nanos(at);
            let on_move = clock.view(at).on_move;
            let done = handle(&mut clock, action, at).map_err(Refused::code);
            let expected = match action {
                Action::Move => { naive.press(on_move, now); Ok(()) }
                Action::Press(side) => { naive.press(side, now); Ok(()) }
                Action::Call => { naive.call(now); Ok(()) }
                Action::Timeout => { naive.until(now); Ok(()) }
                Action::Command(command) => naive.command(command, now),
            };
            prop_assert_eq!(done, expected, "{:?} at {}", action, now);
            prop_assert_eq!(clock.view(at), naive.view(now), "{:?} at {}", action, now);
            let told = take(&mut clock).into_iter().map(|event| (nanos(event.at), event.kind));
            prop_assert_eq!(told.collect::<Vec<_>>(), std::mem::take(&mut naive.events));
            if let Some(due) = clock.poll_timeout() {
                // Until the flag both show the same at any instant, without being told of it.
                let last = due.as_nanos() - 1;
                for between in [at.as_nanos(), at.as_nanos().midpoint(last), last] {
                    let between = Instant::from_nanos(between);
                    prop_assert_eq!(clock.view(between), naive.view(nanos(between)));
                }
            }
        }
    }

    #[test]
    fn timeouts_early_late_doubled_and_split_change_nothing(
        control in games::control(),
        game in games::game(),
        parts in 1..5_u64,
    ) {
        let mut late = Clock::new(control, Instant::ZERO);
        let mut split = late;
        for (when, action) in game {
            let at = when.resolve(&late);
            let mut events = Vec::new();
            let (from, whole) = (late.last().as_nanos(), at.since(late.last()).as_nanos());
            for part in 1..=parts {
                let between = Instant::from_nanos(from + whole / parts * part);
                split.handle_timeout(between).expect("in order");
                split.handle_timeout(between).expect("in order");
                events.extend(take(&mut split));
            }
            if let Some(due) = split.poll_timeout().filter(|due| *due <= at) {
                split.handle_timeout(due).expect("in order");
                prop_assert_eq!(split.poll_timeout(), None);
            }
            prop_assert_eq!(handle(&mut late, action, at), handle(&mut split, action, at));
            events.extend(take(&mut split));
            prop_assert_eq!(take(&mut late), events);
            prop_assert_eq!(late.view(at), split.view(at));
            prop_assert_eq!(late.poll_timeout(), split.poll_timeout());
        }
    }

    #[test]
    fn a_refusal_changes_nothing(control in games::control(), game in games::game()) {
        let mut clock = Clock::new(control, Instant::ZERO);
        for (when, action) in game {
            let at = when.resolve(&clock);
            clock.handle_timeout(at).expect("in order");
            let before = clock;
            if handle(&mut clock, action, at).is_err() {
                prop_assert_eq!(format!("{before:?}"), format!("{clock:?}"));
            }
            take(&mut clock);
        }
    }

    #[test]
    fn s0_6_1_only_the_running_sides_half_changes_as_time_goes_by(
        control in games::control(),
        game in games::game(),
    ) {
        let mut clock = Clock::new(control, Instant::ZERO);
        for (when, action) in game {
            let at = when.resolve(&clock);
            let before = clock.view(clock.last());
            let after = clock.view(at);
            for side in Side::BOTH {
                if before.running() != Some(side) {
                    prop_assert_eq!(before.sides[side], after.sides[side]);
                }
            }
            // A refusal is tried elsewhere.
            let _ = handle(&mut clock, action, at);
            take(&mut clock);
        }
    }

    #[test]
    fn all_that_was_given_is_left_or_has_run(
        control in games::plain_control(),
        game in games::uncorrected_game(),
    ) {
        let mut clock = Clock::new(control, Instant::ZERO);
        clock.handle_command(Command::Start, Instant::ZERO).expect("ready");
        take(&mut clock);
        let mut given = shown(&clock.view(Instant::ZERO));
        let halts = control.after_flag() == AfterFlag::Halt;
        let mut ran = 0;
        for (when, action) in game {
            let at = when.resolve(&clock);
            let runs_from = clock.view(clock.last()).running().map(|_| clock.last());
            // A refusal is tried elsewhere.
            let _ = handle(&mut clock, action, at);
            let mut halted_at = None;
            for event in take(&mut clock) {
                given += gift(&control, &clock.view(at), event);
                if halts && matches!(event.kind, EventKind::Flag { .. }) {
                    halted_at = Some(event.at);
                }
            }
            ran += runs_from.map_or(0, |from| nanos(halted_at.unwrap_or(at)) - nanos(from));
            prop_assert_eq!(given - ran, shown(&clock.view(at)));
        }
    }
}

/// Both main times, overrun counted as less than nothing.
fn shown(view: &View) -> i128 {
    let int = |span: Span| i128::from(span.as_nanos());
    let half = |side: Side| int(view.sides[side].remaining) - int(view.sides[side].overrun);
    half(Side::White) + half(Side::Black)
}

/// What the control gives at an event: a period's time, and a completed move's increment.
fn gift(control: &Control, after: &View, event: Event) -> i128 {
    let (side, span) = match event.kind {
        EventKind::Period { side, period } => {
            let index = usize::try_from(period).expect("few periods") - 1;
            (side, control.periods()[index].time[side])
        }
        EventKind::Press { side, accepted: true } => {
            let index = usize::try_from(after.sides[side].period).expect("few periods") - 1;
            match control.periods()[index].method[side] {
                clock_engine::Method::Increment(span) => (side, span),
                _ => (side, Span::ZERO),
            }
        }
        _ => return 0,
    };
    // A flagged side gets nothing: its flag is earlier than its press.
    match after.sides[side].flag {
        Some(flag) if flag <= event.at => 0,
        _ => i128::from(span.as_nanos()),
    }
}
