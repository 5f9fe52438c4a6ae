//! Every exit code that the help documents, each seen once.

use std::{collections::BTreeMap, fs};

use clock_dbus::Error;

use crate::{
    fake::{Answer, Fake},
    private_bus::PrivateBus,
    program::{Ran, clockctl, finish, run},
    verbs::paused,
};

/// The codes after `Exit codes:` in the help, in its order. Each begins a part of the list.
fn documented() -> Vec<i32> {
    let mut help = clockctl();
    help.arg("--help");
    let help = finish(help).out;
    let (_, list) = help.split_once("Exit codes: ").expect("the help lists the exit codes");
    let words = list.split_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

fn on_no_bus(arguments: &[&str]) -> Ran {
    let mut command = clockctl();
    command.args(arguments);
    finish(command)
}

/// What a run with this exit code is. The code is that of the run, so that no run can be entered
/// under another code.
fn seen() -> BTreeMap<i32, Ran> {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let mut runs = vec![run(&bus, &["resume"])];

    let there = bus.folder().join("game.json");
    fs::write(&there, "another game").unwrap();
    let there = there.to_str().unwrap();
    runs.push(run(&bus, &["export", "-o", there]));
    assert_eq!(fs::read_to_string(there).unwrap(), "another game");

    runs.push(on_no_bus(&["set", "white", "0:31"]));
    runs.push(run(&PrivateBus::start(), &["status"]));

    let closed =
        PrivateBus::with_policy(r#"<deny send_interface="org.chessclock.Clock1.Arbiter"/>"#);
    let _of_closed = Fake::with_game(&closed, 0);
    runs.push(run(&closed, &["pause"]));

    fake.answer(Answer::Refuse(Error::NotPaused, "stop the clocks first"));
    let refused = run(&bus, &["reopen"]);
    runs.push(refused);
    fake.answer(Answer::Refuse(Error::TimedOut, "the loop is silent"));
    runs.push(run(&bus, &["reopen"]));
    fake.answer(Answer::Obey);
    runs.push(on_no_bus(&["--bus", "unix:path=/nonexistent", "status"]));

    {
        let entry = &mut fake.script.lock().unwrap().record.entries[10];
        *entry = entry.replacen("\"moves\":2", "\"moves\":3", 1);
    }
    runs.push(run(&bus, &["export"]));

    // One clock refuses, and the other one has no bus.
    let hall = bus.folder().join("hall.toml");
    let address = bus.address();
    let boards = format!(
        "[[board]]\nboard = \"1\"\nbus = \"{address}\"\n\
         [[board]]\nboard = \"2\"\nbus = \"unix:path=/nonexistent\"\n"
    );
    fs::write(&hall, boards).unwrap();
    fake.answer(Answer::Refuse(Error::NotPaused, "stop the clocks first"));
    let mut many = clockctl();
    many.args(["--hall", hall.to_str().unwrap(), "announce", "lunch"]);
    runs.push(finish(many));
    runs.into_iter().map(|ran| (ran.exit, ran)).collect()
}

#[test]
fn every_documented_exit_code_is_seen_and_no_other() {
    let seen = seen();
    assert_eq!(documented(), seen.keys().copied().collect::<Vec<_>>());
    let says = [
        (1, "game.json: it exists already"),
        (2, "`0:31` can be 0:31:00 or 0:00:31"),
        (3, "there is no clock on this machine"),
        (4, "denied: "),
        (5, "refused: stop the clocks first"),
        (6, "the clock did not answer"),
        (7, "cannot reach the bus at unix:path=/nonexistent"),
        (8, "entry 50 does not match its sum"),
        (9, "failed on 2 of 2 boards"),
    ];
    for (exit, words) in says {
        assert!(seen[&exit].err.contains(words), "{exit}: {}", seen[&exit].err);
    }
    assert_eq!((seen[&0].err.as_str(), seen.len()), ("", says.len() + 1));
}
