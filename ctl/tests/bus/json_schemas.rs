//! What `clockctl --json` prints of a clock is as docs/schemas says. `watch_json.rs` and `doctor.rs`
//! check the lines of `watch` and `doctor`.

use serde_json::Value;

use clock_dbus::{Error, Phase, SideState, State, Who};

use crate::{
    fake::{Answer, Fake, game},
    private_bus::PrivateBus,
    program::run,
    python::{CLOCKCTL, RECORD, check_lines},
    watch_json::full,
};

/// The lines that `clockctl --json` prints with these words, each with the definition that it must
/// fit.
fn lines(bus: &PrivateBus, definition: &'static str, words: &str) -> Vec<(&'static str, String)> {
    let words: Vec<&str> = ["--json"].into_iter().chain(words.split(' ')).collect();
    let ran = run(bus, &words);
    assert!(!ran.out.is_empty(), "{words:?}: {ran:?}");
    ran.out.lines().map(|line| (definition, line.to_owned())).collect()
}

#[test]
fn states_with_every_value_and_with_none_fit_their_definition() {
    let mut all = Vec::new();
    let empty = State {
        white: SideState { period: 1, ..SideState::default() },
        black: SideState { period: 1, ..SideState::default() },
        ..State::default()
    };
    for state in [full(), game(), empty] {
        let bus = PrivateBus::start();
        let fake = Fake::start(&bus, state);
        all.extend(lines(&bus, "status", "status"));
        let games = &mut fake.script.lock().unwrap().record.games;
        let imported = r#""imported_from":{"machine":"m","game":7,"chain":"00"}"#;
        for game in games {
            *game = game.replace(r#""imported_from":null"#, imported);
        }
    }
    assert_eq!(all.len(), 3);
    check_lines(CLOCKCTL, &all);
}

#[test]
fn a_key_that_a_definition_does_not_name_is_found_wherever_it_is() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, full());
    let mut all = String::new();
    for (definition, line) in lines(&bus, "new", "new --control blitz") {
        let good: Value = serde_json::from_str(&line).unwrap();
        let mut wrong = vec![good.clone()];
        for place in ["", "/white", "/before/black", "/questions/0", "/questions/0/answers/0"] {
            let mut object = good.clone();
            object.pointer_mut(place).unwrap()["unknown"] = 1.into();
            wrong.push(object);
        }
        all.extend(wrong.iter().map(|object| format!("{definition} {object}\n")));
    }
    let said = crate::python::run("schema/validate.py", &[CLOCKCTL, "--definitions"], &all);
    let wrong: Vec<&str> =
        said.lines().filter_map(|line| line.split_once(',')).map(|it| it.0).collect();
    let found: Vec<String> = (2..=6).map(|number| format!("line {number}")).collect();
    assert!(found.iter().all(|line| wrong.contains(&line.as_str())), "{said}");
    assert!(!wrong.contains(&"line 1"), "{said}");
}

#[test]
fn commands_and_refusals_fit_their_definitions() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, State { sequence: 20, ..full() });
    let mut all = lines(&bus, "command", "pause");
    all.extend(lines(&bus, "command", "set --white-time 1ns"));
    all.extend(lines(&bus, "new", "new --control blitz"));
    all.extend(lines(&bus, "new", "new --control blitz --white Anna --rules fide-2023 --board 1"));
    fake.script.lock().unwrap().recorded = false;
    all.extend(lines(&bus, "command", "resume"));
    // The clock runs already, and the object says so.
    all.extend(lines(&bus, "command", "resume"));
    fake.script.lock().unwrap().answer = Answer::Refuse(Error::NotPaused, "stop the clocks first");
    all.extend(lines(&bus, "failure", "reopen"));
    all.extend(lines(&bus, "failure", "pause --by me"));
    drop(fake);
    all.extend(lines(&bus, "failure", "status"));
    check_lines(CLOCKCTL, &all);
}

#[test]
fn the_record_fits_its_definitions() {
    let bus = PrivateBus::start();
    let over = State { phase: Phase::Over, running: Who::Nobody, ..game() };
    let _fake = Fake::start(&bus, over);
    let mut all = lines(&bus, "entry", "log");
    all.extend(lines(&bus, "game", "log --games"));
    for format in ["json", "pgn", "csv"] {
        all.extend(lines(&bus, "export", &format!("export --format {format}")));
    }
    assert!(all.len() > 30, "{}", all.len());
    check_lines(RECORD, &all);
}
