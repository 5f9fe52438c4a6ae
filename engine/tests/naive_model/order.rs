//! The result does not depend on how late and how often `handle_timeout` is called.

use crate::config;
use crate::games::{Action, any_played, take_events};
use clock_engine::{
    Caller, Clock, Command, Event, EventKind, Instant, Method, PeriodEnd, Phase, Side, View,
};
use proptest::prelude::*;

/// The number of events that a clock keeps until they are taken.
const KEPT: usize = 64;

/// Calls `handle_timeout` twice at each due instant if `parts` is 0, otherwise twice at the end of
/// each of `parts` equal steps.
fn wait(clock: &mut Clock, at: Instant, parts: u64) -> Vec<Event> {
    let mut events = Vec::new();
    let (from, whole) = (clock.last().as_nanos(), at.since(clock.last()).as_nanos());
    let mut call_twice = |clock: &mut Clock, between| {
        clock.handle_timeout(between).expect("in order");
        clock.handle_timeout(between).expect("in order");
        events.extend(take_events(clock));
    };
    for part in 1..=parts {
        call_twice(clock, Instant::from_nanos(from + whole / parts * part));
    }
    while let Some(due) = clock.poll_timeout().filter(|due| parts == 0 && *due <= at) {
        call_twice(clock, due);
        assert!(clock.poll_timeout().is_none_or(|next| next > due), "what is due is decided");
    }
    events
}

fn shown(clock: &Clock, at: Instant) -> (View, Option<Instant>) {
    (clock.view(at), clock.poll_timeout())
}

fn is_overtime(event: &Event) -> bool {
    matches!(event.kind, EventKind::Overtime { .. })
}

fn parted(events: &[Event]) -> (Vec<Event>, Vec<Event>) {
    events.iter().partition(|event| is_overtime(event))
}

fn is_ignored(event: &Event) -> bool {
    matches!(event.kind, EventKind::Press { accepted: false, .. })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn timeouts_early_late_doubled_and_split_change_nothing(
        (control, game) in any_played(),
        parts in 0..5_u64,
    ) {
        let mut late = Clock::new(control, Instant::ZERO);
        let mut split = late;
        for (when, action) in game {
            let at = when.resolve(&late);
            let action = action.settled(&late, at);
            let mut events = wait(&mut split, at, parts);
            prop_assert_eq!(action.apply_to(&mut late, at), action.apply_to(&mut split, at));
            events.extend(take_events(&mut split));
            let late_events = take_events(&mut late);
            if late_events.len() == KEPT {
                events.drain(..events.len() - KEPT);
            }
            // If a late call handles the end of several periods of overtime, it gives an event only
            // for the last one.
            let ((all, others), (late_last, late_others)) = (parted(&events), parted(&late_events));
            prop_assert_eq!(others, late_others);
            prop_assert_eq!(all.last(), late_last.last());
            prop_assert!(late_last.iter().all(|event| all.contains(event)));
            prop_assert_eq!(shown(&late, at), shown(&split, at));
        }
    }

    #[test]
    fn a_timeout_comes_before_anything_with_its_stamp_whether_it_was_called_or_not(
        (control, game) in any_played(),
    ) {
        let mut clock = Clock::new(control, Instant::ZERO);
        for (when, action) in game {
            let at = when.resolve(&clock);
            let action = action.settled(&clock, at);
            let mut called = clock;
            called.handle_timeout(at).expect("in order");
            let mut events = take_events(&mut called);
            prop_assert_eq!(action.apply_to(&mut called, at), action.apply_to(&mut clock, at));
            events.extend(take_events(&mut called));
            let uncalled_events = take_events(&mut clock);
            events.drain(..events.len().saturating_sub(KEPT));
            // Events of overtime are not compared: they depend on when the clock is called.
            let without = |events: Vec<Event>| parted(&events).1;
            prop_assert_eq!(without(events), without(uncalled_events));
            prop_assert_eq!(shown(&called, at), shown(&clock, at));
        }
    }

    #[test]
    fn presses_that_do_nothing_do_nothing(
        (control, game) in any_played(),
        seeds in prop::collection::vec(any::<bool>(), 80),
    ) {
        let mut plain = Clock::new(control, Instant::ZERO);
        let mut pressed = plain;
        for ((when, action), press) in game.into_iter().zip(seeds) {
            let at = when.resolve(&plain);
            for clock in [&mut plain, &mut pressed] {
                clock.handle_timeout(at).expect("in order");
            }
            prop_assert_eq!(take_events(&mut plain), take_events(&mut pressed));
            let view = pressed.view(at);
            let gong = matches!(pressed.control().periods()[0].method.white, Method::Gong(_));
            for side in Side::BOTH {
                let counts = match view.phase {
                    Phase::Ready => side == Side::Black,
                    Phase::Running => side == view.on_move && !gong,
                    _ => false,
                };
                if press && !counts {
                    pressed.handle_press(side, at).expect("in order");
                    let events = take_events(&mut pressed);
                    prop_assert_eq!(events.len(), 1);
                    prop_assert!(is_ignored(&events[0]));
                }
            }
            prop_assert_eq!(action.apply_to(&mut plain, at), action.apply_to(&mut pressed, at));
            prop_assert_eq!(take_events(&mut plain), take_events(&mut pressed));
            prop_assert_eq!(shown(&plain, at), shown(&pressed, at));
        }
    }

    #[test]
    fn a_refusal_changes_nothing((control, game) in any_played()) {
        let mut clock = Clock::new(control, Instant::ZERO);
        for (when, action) in game {
            let at = when.resolve(&clock);
            clock.handle_timeout(at).expect("in order");
            let before = clock;
            if action.apply_to(&mut clock, at).is_err() {
                prop_assert_eq!(format!("{before:?}"), format!("{clock:?}"));
            }
            take_events(&mut clock);
        }
    }

    #[test]
    fn a_press_taken_back_at_once_leaves_the_clock_as_without_it((control, game) in any_played()) {
        let mut clock = Clock::new(control, Instant::ZERO);
        let mut game = game.into_iter();
        while let Some((when, action)) = game.next() {
            let at = when.resolve(&clock);
            // Other tests check refusals.
            let _ = action.apply_to(&mut clock, at);
            take_events(&mut clock);
            let Some((mut stood, mut undone)) = taken_back(clock, at) else {
                continue;
            };
            prop_assert_eq!(unasked(stood.view(at)), unasked(undone.view(at)));
            // The next steps also have the same results on both clocks. `undo-press` is left out:
            // `stood` can still take back the press before, but `undone` has already taken one
            // back.
            let rest = game.clone().take(5);
            for (when, action) in rest.filter(|(_, action)| !is_undo(*action)) {
                let at = when.resolve(&stood);
                let results = (action.apply_to(&mut stood, at), action.apply_to(&mut undone, at));
                prop_assert_eq!(results.0, results.1);
                prop_assert_eq!(unasked(stood.view(at)), unasked(undone.view(at)));
            }
        }
    }
}

fn is_undo(action: Action) -> bool {
    matches!(action, Action::Command(Command::UndoPress))
}

/// The view without the call to the arbiter, which can differ between the two clocks.
fn unasked(view: View) -> View {
    View { called_by: None, ..view }
}

/// Two copies of the clock at `at`: one is paused; in the other a press is made, the clock is
/// paused and the press is taken back. `None` if a press has no effect, cannot be taken back, or
/// has an effect that stays.
fn taken_back(clock: Clock, at: Instant) -> Option<(Clock, Clock)> {
    let method = clock.control().periods()[0].method.white;
    if clock.phase() != Phase::Running || matches!(method, Method::Hourglass | Method::Gong(_)) {
        return None;
    }
    let pause = Command::Pause { by: Caller::Arbiter };
    let (mut stood, mut undone) = (clock, clock);
    stood.handle_command(pause, at).expect("a running clock pauses");
    undone.handle_press(clock.view(at).on_move, at).expect("in order");
    let at_zero =
        matches!(clock.control().terms().period_end, PeriodEnd::Zero | PeriodEnd::MovesAtZero);
    // Events that the opponent's clock causes are not taken back, even at the instant of the press.
    let stays = |event: &Event| match event.kind {
        EventKind::Period { .. } => at_zero,
        EventKind::Overtime { .. } => true,
        _ => false,
    };
    if take_events(&mut undone).iter().any(stays) {
        return None;
    }
    if undone.phase() == Phase::Running {
        undone.handle_command(pause, at).expect("a running clock pauses");
    }
    undone.handle_command(Command::UndoPress, at).expect("a press was just made");
    take_events(&mut stood);
    take_events(&mut undone);
    Some((stood, undone))
}
