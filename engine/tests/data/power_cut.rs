//! A power cut in a random game has the effect of a pause by `Caller::PowerCut` and of a move of
//! the time axis.

use crate::{begin, config, give, played, take_events};
use clock_engine::rules::{ClaimView, Game, GameEvent};
use clock_engine::{Caller, Command, Instant, PerSide, Phase, Span, View};
use proptest::prelude::*;
use proptest::sample::Index;

fn later(at: Instant, by: Span) -> Instant {
    at.checked_add(by).expect("a short game")
}

fn view_later(game: &Game, by: Span) -> View {
    let mut view = game.view(game.last());
    view.at = later(view.at, by);
    let PerSide { white, black } = &mut view.sides;
    for side in [white, black] {
        side.flag = side.flag.map(|at| later(at, by));
    }
    view.claim = view.claim.map(|claim| ClaimView { at: later(claim.at, by), ..claim });
    view
}

fn events_later(game: &mut Game, by: Span) -> Vec<GameEvent> {
    let events = take_events(game).into_iter();
    events.map(|event| GameEvent { at: later(event.at, by), ..event }).collect()
}

proptest! {
    #![proptest_config(config())]

    /// The power is cut after some of the steps. The instants of the new boot are later than those
    /// of the old one.
    #[test]
    fn a_power_cut_is_a_pause_under_another_clock(
        (control, profile, steps) in played(),
        part in any::<Index>(),
        unknown in 0..30_000_000_000_u64,
        by in (0..1_000_000_000_000_u64).prop_map(Span::from_nanos),
    ) {
        let Some(mut paused) = begin(control, profile) else { return Ok(()) };
        let after = part.index(steps.len() + 1);
        for (when, step) in &steps[..after] {
            let at = when.resolve(paused.clock());
            let _ = give(&mut paused, step, at);
            take_events(&mut paused);
        }
        let mut cut = paused;
        let stopped = later(paused.last(), Span::from_nanos(unknown));
        paused.handle_timeout(stopped).expect("in order");
        let ran = paused.phase() == Phase::Running;
        let pause = Command::Pause { by: Caller::PowerCut };
        prop_assert_eq!(paused.handle_command(pause.into(), stopped).is_ok(), ran);
        cut.handle_power_cut(stopped, later(stopped, by));
        prop_assert_eq!(cut.view(cut.last()), view_later(&paused, by));
        prop_assert_eq!(take_events(&mut cut), events_later(&mut paused, by));
        for (when, step) in &steps[after..] {
            let at = when.resolve(paused.clock());
            let refused = give(&mut paused, step, at).map_err(|refused| refused.code());
            let same = give(&mut cut, step, later(at, by)).map_err(|refused| refused.code());
            prop_assert_eq!(refused, same);
            prop_assert_eq!(cut.view(cut.last()), view_later(&paused, by));
            prop_assert_eq!(take_events(&mut cut), events_later(&mut paused, by));
            prop_assert_eq!(cut.questions().iter().count(), paused.questions().iter().count());
        }
    }

    /// Even if the new boot has just begun, the two flags keep their order, and the game can be
    /// written and read.
    #[test]
    fn an_early_boot_keeps_the_order_of_the_flags(
        (control, profile, steps) in played(),
        now in 0..200_u64,
    ) {
        let Some(mut game) = begin(control, profile) else { return Ok(()) };
        for (when, step) in &steps {
            let at = when.resolve(game.clock());
            let _ = give(&mut game, step, at);
            take_events(&mut game);
            let flags = |game: &Game| game.view(game.last()).sides.map(|side| side.flag);
            let before = flags(&game);
            let mut cut = game;
            cut.handle_power_cut(cut.last(), Instant::from_nanos(now));
            let after = flags(&cut);
            prop_assert_eq!(before.white.cmp(&before.black), after.white.cmp(&after.black));
            let read: Game = serde_json::from_str(&crate::json(&cut)).expect("it was written");
            prop_assert_eq!(read, cut);
        }
    }
}
