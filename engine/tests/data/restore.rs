//! In a random game, the clock is restored to the state after any earlier step.

use crate::games::any_played;
use crate::{begin, config, give, json, played, take_events};
use clock_engine::rules::{Game, GameCommand, SideNotes};
use clock_engine::{
    AfterFlag, Caller, Clock, Command, EarlierClock, Event, EventKind, Instant, Phase, SideView,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// Each event with its time after `from`, in nanoseconds.
fn since(from: Instant, events: impl Iterator<Item = Event>) -> Vec<(u64, EventKind)> {
    events.map(|event| (event.at.since(from).as_nanos(), event.kind)).collect()
}

fn stop(clock: &mut Clock) {
    let _ = clock.handle_command(Command::Pause { by: Caller::Arbiter }, clock.last());
    while clock.poll_event().is_some() {}
}

proptest! {
    #![proptest_config(config())]

    /// The restored clock goes on as the earlier one does after a pause.
    #[test]
    fn a_restored_clock_goes_on_as_the_earlier_one(
        (control, steps) in any_played(),
        (first, second) in any::<(Index, Index)>(),
    ) {
        let mut clock = Clock::new(control, Instant::ZERO);
        let now = first.index(steps.len() + 1);
        let then = second.index(now + 1);
        let mut earlier = clock;
        for (place, (when, action)) in steps[..now].iter().enumerate() {
            if place == then {
                earlier = clock;
            }
            let at = when.resolve(&clock);
            let _ = action.apply_to(&mut clock, at);
            while clock.poll_event().is_some() {}
        }
        if then == now {
            earlier = clock;
        }
        // `Clock::restore` takes only states with the present time control. A `New` between the two
        // steps can have set another one; such a case is skipped.
        prop_assume!(*earlier.control() == *clock.control());
        let state = EarlierClock::from(&earlier);
        stop(&mut clock);
        stop(&mut earlier);
        let at = clock.last();
        let restored = clock.rewind(&state, at);
        if clock.phase() == Phase::Over {
            prop_assert!(restored.is_err());
            return Ok(());
        }
        prop_assert_eq!(restored, Ok(()));
        let seen = |clock: &Clock| {
            let view = clock.view(clock.last());
            (view.sides, view.on_move, view.first_flag)
        };
        prop_assert_eq!(seen(&clock), seen(&earlier));
        // The restored clock is paused or awaits a ruling, even if the earlier clock had not
        // started or was over.
        let halts = control_halts(&clock) && clock.view(at).first_flag.is_some();
        prop_assert_eq!(clock.phase(), if halts { Phase::Ruling } else { Phase::Paused });
        // The steps after the restoration are compared only if the earlier clock is paused, too,
        // and has no unanswered call. A restoration answers a call, so the clocks would differ.
        if earlier.phase() != Phase::Paused || earlier.view(earlier.last()).called_by.is_some() {
            return Ok(());
        }
        let (from, of_earlier) = (clock.last(), earlier.last());
        for (when, action) in &steps[now..] {
            let due = when.resolve(&earlier);
            let wait = due.since(of_earlier);
            let later = from.checked_add(wait).expect("a short game");
            let done = action.apply_to(&mut earlier, due).map_err(|refused| refused.code());
            let same = action.apply_to(&mut clock, later).map_err(|refused| refused.code());
            prop_assert_eq!(done, same);
            let of_earlier = since(of_earlier, std::iter::from_fn(|| earlier.poll_event()));
            prop_assert_eq!(since(from, std::iter::from_fn(|| clock.poll_event())), of_earlier);
            let times = |clock: &Clock| {
                let view = clock.view(clock.last());
                let shown = view.sides.map(|side| (side.remaining, side.delay, side.moves, side.period));
                (shown, view.phase, view.on_move, view.first_flag)
            };
            prop_assert_eq!(times(&clock), times(&earlier));
        }
    }

    /// Under any profile, both sides of a restored game show what they showed in the earlier state,
    /// and the claim is unchanged or closed. The game can be written and read, and it can be played
    /// on.
    #[test]
    fn a_restored_game_is_a_game(
        (control, profile, steps) in played(),
        (first, second) in any::<(Index, Index)>(),
    ) {
        let Some(mut game) = begin(control, profile) else { return Ok(()) };
        let now = first.index(steps.len() + 1);
        let then = second.index(now + 1);
        let mut earlier = game;
        for (place, (when, step)) in steps.iter().enumerate() {
            if place == then {
                earlier = game;
            }
            if place == now && earlier.clock().control() == game.clock().control() {
                let last = game.last();
                let _ = game.handle_command(Command::Pause { by: Caller::Arbiter }.into(), last);
                let claim = game.claim();
                let state = EarlierClock::from(&earlier);
                if game.handle_command(GameCommand::Rewind(state), last).is_ok() {
                    // What the rules have noted of the players is not restored.
                    let of_clock = |side| SideView {
                        notes: SideNotes::default(),
                        lateness: None,
                        ..side
                    };
                    let sides = |game: &Game| game.view(game.last()).sides.map(of_clock);
                    prop_assert_eq!(sides(&game), sides(&earlier));
                    // The claim is the same as before, or it is closed because it was made after
                    // the earlier state.
                    prop_assert!(game.claim().is_none() || game.claim() == claim);
                }
                let read: Game = serde_json::from_str(&json(&game)).expect("it was written");
                prop_assert_eq!(read.questions(), game.questions());
            }
            let at = when.resolve(game.clock());
            let _ = give(&mut game, step, at);
            take_events(&mut game);
        }
    }
}

fn control_halts(clock: &Clock) -> bool {
    clock.control().after_flag() == AfterFlag::Halt
}

#[test]
fn an_earlier_state_is_small_and_can_be_written() {
    let game = begin(crate::inputs::controls()[0].1, None).expect("no profile refuses it");
    let state = EarlierClock::from(game.clock());
    let text = serde_json::to_string(&GameCommand::Rewind(state)).expect("it can be written");
    let read: GameCommand = serde_json::from_str(&text).expect("it was written");
    assert_eq!(read, GameCommand::Rewind(state));
    // Earlier versions wrote the field `increment_agreed` in the place of `asked`.
    let (before, rest) = text.split_once(r#""asked":{"#).expect("it is written");
    let after = rest.split_once("}}").expect("it ends").1;
    let earlier = format!(r#"{before}"increment_agreed":true{after}"#);
    let read: GameCommand = serde_json::from_str(&earlier).expect("it can still be read");
    assert_eq!(read, GameCommand::Rewind(state));
    // The request of a command is written to a buffer of fixed size. The largest request must stay
    // that of a new game (`Setup`), so an earlier state must be smaller.
    assert!(size_of::<EarlierClock>() < size_of::<clock_engine::rules::Setup>());
}
