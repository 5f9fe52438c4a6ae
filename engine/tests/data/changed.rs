//! Serialised games in which values were changed: a game is refused when it is read, or it plays on
//! without a panic.

use crate::games::When;
use crate::{BUFFER, Step, begin, config, give, json, played, postcard, take_events};
use clock_engine::rules::{Game, GameState, Session, Setup};
use clock_engine::{Instant, Side};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use std::cell::Cell;

/// Plays the steps on a game that was read, and computes its questions, their answers and the main
/// times.
fn play_on(mut game: Game, steps: &[(When, Step)]) {
    for (when, step) in steps {
        let at = match when {
            // The latest instant in the data can be so large that no later one fits into a `u64`.
            // The step is then made at `u64::MAX`.
            When::After(nanos) => game.last().as_nanos().checked_add(*nanos),
            When::Due(_) => game.poll_timeout().map(Instant::as_nanos),
        };
        let at = Instant::from_nanos(at.unwrap_or(u64::MAX)).max(game.last());
        if let Step::Rules(crate::Input::Wait(_)) = step {
            game.handle_timeout(at).expect("in order");
        } else {
            let _ = give(&mut game, step, at);
        }
        for question in game.questions().iter() {
            game.answers(&question, game.last());
        }
        take_events(&mut game);
    }
    game.handle_timeout(Instant::from_nanos(u64::MAX)).expect("the latest instant there is");
    take_events(&mut game);
    for side in Side::BOTH {
        game.clock().main_time(side, game.last());
    }
}

/// The game after some of the steps, and the remaining steps.
fn part_way(
    (control, profile, steps): crate::Played,
    part: Index,
) -> Option<(Game, Vec<(When, Step)>)> {
    let mut game = begin(control, profile)?;
    let after = part.index(steps.len() + 1);
    for (when, step) in &steps[..after] {
        let at = when.resolve(game.clock());
        let _ = give(&mut game, step, at);
        take_events(&mut game);
    }
    Some((game, steps[after..].to_vec()))
}

/// A number at or near a limit, or a random one.
fn number() -> impl Strategy<Value = u64> {
    let most = u64::from(u32::MAX);
    let limits = vec![0, 1, 2, 3, 59, 1_000_000, most - 1, most, most + 1, u64::MAX];
    prop_oneof![4 => select(limits), 1 => any::<u64>()]
}

/// A replacement for a value that is neither a number nor a boolean.
fn other_value() -> impl Strategy<Value = Value> {
    let left = |periods: u32| json!({"periods": periods, "moves": 1});
    select(vec![
        json!(null),
        json!(0),
        json!("white"),
        json!("black"),
        json!("none"),
        json!("ready"),
        json!("ruling"),
        json!("hourglass"),
        json!("zero"),
        json!("run"),
        json!({"gong": 0}),
        json!({"gong": 1_000_000}),
        json!({"delay": 1}),
        json!({"count-up": {"limit": null}}),
        json!({"running": {"since": 0}}),
        json!({"paused": {"by": "set-back"}}),
        json!({"over": {"outcome": "1-0", "before": "ruling"}}),
        left(0),
        left(1),
        json!({"set-aside": left(1)}),
        json!({"owed": {"left": left(0), "time": 0, "used": 1}}),
        json!({"owed": {"left": left(1), "time": 0, "used": 1}}),
    ])
}

/// Replaces the value at one place by another, mostly of the same kind.
fn change(tree: &mut Value, place: Index, number: u64, other: Value) {
    let mut all = Vec::new();
    places(tree, String::new(), &mut all);
    let value = tree.pointer_mut(&all[place.index(all.len())]).expect("a place of the tree");
    *value = match value {
        Value::Number(_) => number.into(),
        Value::Bool(value) => (!*value).into(),
        _ => other,
    };
}

/// The places of all values in a tree.
fn places(value: &Value, place: String, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                places(value, format!("{place}/{key}"), all);
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                places(value, format!("{place}/{index}"), all);
            }
        }
        _ => {}
    }
    all.push(place);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn changed_bytes_are_refused_or_play_on(
        game in played(),
        part in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4),
    ) {
        let Some((game, rest)) = part_way(game, part) else { return Ok(()) };
        let mut buffer = [0; BUFFER];
        let bytes = postcard(&game, &mut buffer);
        for (place, byte) in changes {
            bytes[place.index(bytes.len())] = byte;
        }
        if let Ok(game) = postcard::from_bytes::<Game>(bytes) {
            play_on(game, &rest);
        }
    }

    #[test]
    fn random_bytes_are_refused_or_play_on(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        if let Ok(game) = postcard::from_bytes::<Game>(&bytes) {
            play_on(game, &[]);
        }
    }
}

/// Replaces one or two values of a game. Enough of these games must be accepted, because only the
/// accepted games are played on.
#[test]
fn changed_values_are_refused_or_play_on() {
    let accepted = Cell::new(0_u32);
    let changes = prop::collection::vec((any::<Index>(), number(), other_value()), 1..3);
    let games = (played(), any::<Index>(), changes);
    let result =
        proptest::test_runner::TestRunner::new(config()).run(&games, |(game, part, changes)| {
            let Some((game, rest)) = part_way(game, part) else { return Ok(()) };
            let mut tree: Value = serde_json::from_str(&json(&game)).expect("it was written");
            for (place, number, other) in changes {
                change(&mut tree, place, number, other);
            }
            if let Ok(game) = serde_json::from_value::<Game>(tree) {
                accepted.set(accepted.get() + 1);
                play_on(game, &rest);
            }
            Ok(())
        });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(accepted.get() > 50, "{} games were accepted", accepted.get());
}

/// Like `changed_values_are_refused_or_play_on`, but with the state that another clock takes over.
/// Such a state is also checked against the time control and the profile, so fewer changed states
/// are accepted.
#[test]
fn changed_states_are_refused_or_play_on() {
    let accepted = Cell::new(0_u32);
    let changes = prop::collection::vec((any::<Index>(), number(), other_value()), 1..3);
    let games = (played(), any::<Index>(), changes, any::<u64>());
    let result = proptest::test_runner::TestRunner::new(config()).run(
        &games,
        |(game, part, changes, at)| {
            let Some((game, rest)) = part_way(game, part) else { return Ok(()) };
            let mut tree = serde_json::to_value(GameState::from(&game)).expect("it is written");
            for (place, number, other) in changes {
                change(&mut tree, place, number, other);
            }
            let Ok(state) = serde_json::from_value::<GameState>(tree) else { return Ok(()) };
            let (control, profile) = (*game.clock().control(), game.profile().copied());
            let setup = Setup { control, profile, session: Session::Unknown, force: false };
            if let Ok(game) = state.game(&setup, Instant::from_nanos(at)) {
                accepted.set(accepted.get() + 1);
                let again = serde_json::from_str::<Game>(&json(&game)).map_err(|e| e.to_string());
                prop_assert_eq!(again, Ok(game));
                play_on(game, &rest);
            }
            Ok(())
        },
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(accepted.get() > 50, "{} states were accepted", accepted.get());
}
