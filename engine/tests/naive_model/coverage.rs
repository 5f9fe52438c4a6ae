//! Checks that the random games test every situation: each kind of transition must occur a minimum
//! number of times.

use crate::SEED;
use crate::games::{Action, any_played, take_events};
use clock_engine::{Clock, Command, Counting, Event, EventKind, Instant, Method, Side, View};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use std::collections::BTreeMap;

const GAMES: u32 = 1000;

/// The kinds of transition, each with the number of times it must occur.
const WANTED: [(&str, u32); 35] = [
    ("undo", 100),
    ("undo: a flag annulled", 30),
    ("undo: a period taken back", 10),
    ("undo: a period of the opponent taken back", 3),
    ("undo: overtime taken back", 3),
    ("undo: time given back", 30),
    ("undo: time owed", 10),
    ("owed time settled", 2),
    ("undo refused", 100),
    ("correct", 100),
    ("correct: a flag annulled", 10),
    ("correct: overtime given", 10),
    ("correct: overtime set aside or restored", 3),
    ("add time", 100),
    ("add time: counted up", 10),
    ("pause", 100),
    ("resume", 100),
    ("a press at the instant of something else", 100),
    ("several at one instant", 200),
    ("final flag with moves", 30),
    ("final flag with zero", 30),
    ("final flag with moves-at-zero", 30),
    ("final flag with black-completes", 30),
    ("final flag with overtime", 10),
    ("final flag with hourglass", 10),
    ("final flag with a count", 10),
    ("both flagged", 30),
    ("period with moves", 30),
    ("period with zero", 100),
    ("period with moves-at-zero", 30),
    ("period with black-completes", 30),
    ("period repeated", 5),
    ("overtime", 30),
    ("gong", 100),
    ("more gongs than are kept", 10),
];

type Met = BTreeMap<String, u32>;

fn note(met: &mut Met, what: impl Into<String>) {
    *met.entry(what.into()).or_default() += 1;
}

fn note_events(met: &mut Met, clock: &Clock, events: &[Event], view: &View) {
    let period_end = clock.control().terms().period_end.as_str();
    for event in events {
        match event.kind {
            EventKind::Flag { side, .. } if view.sides[side].out_of_time => {
                let last = clock.control().periods()[clock.control().periods().len() - 1];
                match last.method[side] {
                    Method::Hourglass => note(met, "final flag with hourglass"),
                    Method::CountUp { .. } => note(met, "final flag with a count"),
                    _ if view.sides[side].overtime.is_some() => {
                        note(met, "final flag with overtime");
                    }
                    _ => note(met, format!("final flag with {period_end}")),
                }
            }
            EventKind::Period { period, .. } => {
                note(met, format!("period with {period_end}"));
                if period > clock.control().count() {
                    note(met, "period repeated");
                }
            }
            EventKind::Overtime { .. } => note(met, "overtime"),
            EventKind::Gong { .. } => note(met, "gong"),
            _ => {}
        }
    }
    let met_at_once = events.windows(2).filter(|pair| pair[0].at == pair[1].at);
    for pair in met_at_once {
        note(met, "several at one instant");
        if let EventKind::Press { .. } = pair[1].kind {
            note(met, "a press at the instant of something else");
        }
    }
    if events.len() == 64 {
        note(met, "more gongs than are kept");
    }
    if Side::BOTH.iter().all(|side| view.sides[*side].out_of_time) {
        note(met, "both flagged");
    }
}

fn note_command(met: &mut Met, command: Command, done: bool, before: &View, after: &View) {
    let name = match command {
        Command::UndoPress => "undo",
        Command::Set(_) => "correct",
        Command::Add { .. } => "add time",
        Command::Pause { .. } => "pause",
        Command::Resume { .. } => "resume",
        _ => return,
    };
    if !done {
        return note(met, format!("{name} refused"));
    }
    note(met, name);
    if name == "add time" && before.counting == Counting::Up {
        note(met, "add time: counted up");
    }
    for side in Side::BOTH {
        let (before, now) = (&before.sides[side], &after.sides[side]);
        if before.out_of_time && !now.out_of_time {
            note(met, format!("{name}: a flag annulled"));
        }
        if name == "undo" && before.out_of_time && now.remaining > before.remaining {
            note(met, "undo: time given back");
        }
        if now.owed > before.owed {
            note(met, format!("{name}: time owed"));
        }
        if now.owed < before.owed && matches!(name, "correct" | "add time") {
            note(met, "owed time settled");
        }
        if name == "correct" && now.overtime != before.overtime {
            let given = match command {
                Command::Set(correction) => {
                    (correction.overtime_periods[side], correction.overtime_moves[side])
                }
                _ => (None, None),
            };
            let how = if given == (None, None) { "set aside or restored" } else { "given" };
            note(met, format!("correct: overtime {how}"));
        }
        if now.period < before.period {
            let whose = if side == after.on_move { "" } else { " of the opponent" };
            note(met, format!("{name}: a period{whose} taken back"));
        }
        if side == after.on_move && now.overtime != before.overtime {
            note(met, format!("{name}: overtime taken back"));
        }
    }
}

#[test]
fn the_random_games_cover_everything() {
    let config = ProptestConfig { rng_seed: RngSeed::Fixed(SEED), ..ProptestConfig::default() };
    let mut runner = TestRunner::new(config);
    let (games, mut met) = (any_played(), Met::new());
    for _ in 0..GAMES {
        let (control, game) = games.new_tree(&mut runner).expect("nothing is rejected").current();
        let mut clock = Clock::new(control, Instant::ZERO);
        for (when, action) in game {
            let at = when.resolve(&clock);
            let mut before = clock;
            before.handle_timeout(at).expect("in order");
            let done = action.apply_to(&mut clock, at).is_ok();
            let view = clock.view(at);
            if let Action::Command(command) = action {
                note_command(&mut met, command, done, &before.view(at), &view);
            }
            let events = take_events(&mut clock);
            note_events(&mut met, &clock, &events, &view);
        }
    }
    println!("{met:#?}");
    for (what, least) in WANTED {
        let times = met.get(what).copied().unwrap_or(0);
        assert!(times >= least, "{what}: {times} times in {GAMES} games, at least {least} wanted");
    }
}
