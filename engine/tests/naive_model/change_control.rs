//! Changes of the time control with recomputed times, in games with awards and cuts.

use crate::both_clocks::BothClocks;
use crate::config;
use crate::controls::{TICKS, by_moves, nanos, side};
use crate::games::{Action, When};
use clock_engine::{Caller, Command, Control};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use std::cell::Cell;

#[derive(Clone, Debug)]
enum Input {
    Play(Action),
    Change(Control),
}

type Inputs = Vec<(When, Input)>;

/// A move, or a stop of the clocks with an award or a cut and mostly with a change of the control.
fn part(tick: u64) -> BoxedStrategy<Inputs> {
    let play = |action| Input::Play(action);
    let when = prop_oneof![
        3 => (0..20_u64).prop_map(move |ticks| When::After(ticks * tick)),
        1 => nanos(tick).prop_map(When::After),
        1 => (-1..=1_i64).prop_map(When::Due),
    ];
    let delta = i64::try_from(tick).expect("a tick is short");
    let award = (side(), -30..60_i64)
        .prop_map(move |(side, ticks)| Command::AddTime { side, delta_ns: ticks * delta });
    let amended = (prop::option::of(award), prop::option::weighted(0.8, by_moves(tick)));
    let pause = Action::Command(Command::Pause { by: Caller::Arbiter });
    let resume = Action::Command(Command::Resume { side: None });
    let stop = (when.clone(), amended).prop_map(move |(when, (award, control))| {
        let now = When::After(0);
        let mut inputs = vec![(when, play(pause))];
        inputs.extend(award.map(|award| (now, play(Action::Command(award)))));
        inputs.extend(control.map(|control| (now, Input::Change(control))));
        inputs.push((now, play(resume)));
        inputs
    });
    let one = (when, prop_oneof![9 => Just(Action::Move), 1 => Just(Action::Timeout)])
        .prop_map(move |(when, action)| vec![(when, play(action))]);
    prop_oneof![5 => one, 1 => stop].boxed()
}

fn played(tick: u64) -> BoxedStrategy<(Control, Inputs)> {
    let parts = prop::collection::vec(part(tick), 1..40);
    (by_moves(tick), parts).prop_map(|(control, parts)| (control, parts.concat())).boxed()
}

#[test]
fn the_recomputed_times_are_those_of_the_naive_model() {
    let [short, long] = TICKS.map(played);
    let changed = Cell::new(0);
    let test = |(control, game): (Control, Inputs)| -> TestCaseResult {
        let mut both = BothClocks::new(control);
        let started = When::After(0).resolve(&both.clock);
        both.step(Action::Command(Command::Start), started)?;
        for (when, input) in game {
            let at = when.resolve(&both.clock);
            match input {
                Input::Play(action) => {
                    both.step(action.settled(&both.clock, at), at)?;
                }
                Input::Change(control) => {
                    changed.set(changed.get() + u32::from(both.change_control(control, at)?));
                }
            }
            both.compare_while_waiting()?;
        }
        Ok(())
    };
    if let Err(error) = TestRunner::new(config()).run(&prop_oneof![short, long], test) {
        panic!("{error}");
    }
    assert!(changed.get() > 100, "only {} controls were changed", changed.get());
}
