//! `clockctl --dry-run` says what the command then says, and changes nothing: for both examples in
//! the help of every verb. So a new verb is tried, too. Refusals are compared with those of the
//! commands, in many states of a game, in `hints.rs`.

use crate::help::Table;
use serde_json::Value;

/// Command lines with the verbs that give the clock no command. Each of them refuses `--dry-run`, except
/// `backup load`, which has a dry run of its own.
const WITHOUT_COMMAND: [&str; 12] = [
    "status",
    "watch",
    "log",
    "export",
    "report",
    "doctor",
    "time-control",
    "rules",
    "hall",
    "setup",
    "backup",
    "simulate",
];
const MARK: &str = "dry run: nothing was changed\n";

/// What `line` prints, and its exit code.
fn run(table: &Table, line: &str) -> (String, String, Option<i32>) {
    let output = table.shell(line);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// The example with these words as its first ones.
fn with(words: &str, example: &str) -> String {
    example.replacen("clockctl ", &format!("clockctl {words} "), 1)
}

/// The state of the clock and its record. The running times are left out.
fn whole(table: &Table) -> (Value, String) {
    let (status, ..) = run(table, "clockctl status --json");
    let mut status: Value = serde_json::from_str(&status).unwrap();
    if status["phase"] == "running" {
        without_times(&mut status);
    }
    status["at_ns"].take();
    (status, run(table, "clockctl log").0)
}

/// Takes away what depends on the instant of the command.
fn without_times(object: &mut Value) {
    for question in object["questions"].as_array_mut().into_iter().flatten() {
        question["since_ns"].take();
    }
    for side in ["white", "black"] {
        for key in ["remaining_ns", "delay_ns", "overrun_ns", "flag_ns"] {
            object[side][key].take();
        }
    }
}

/// The text with a letter in the place of each reading, such as `0:41:10.3`.
fn without_readings(text: &str) -> String {
    let is_reading = |word: &str| {
        let word = word.trim_matches(|letter: char| !letter.is_ascii_digit());
        word.split(':').count() == 3
            && word.chars().all(|it| ":.".contains(it) || it.is_ascii_digit())
    };
    let word = |word: &str| if is_reading(word) { "T".to_owned() } else { word.to_owned() };
    let line = |line: &str| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Compares the text of a dry run with the text of the command after it.
fn compare_text(table: &Table, example: &str) -> Result<(), String> {
    table.prepare(example);
    let before = whole(table);
    let (tried, err, exit) = run(table, &with("--dry-run", example));
    if exit != Some(0) || !tried.contains(MARK) {
        return Err(format!("the dry run ended with {exit:?}: {tried}{err}"));
    }
    if whole(table) != before {
        return Err("the dry run has changed the clock or its record".to_owned());
    }
    let (done, _, exit) = run(table, example);
    let after = whole(table);
    if exit != Some(0) || after == before {
        return Err(format!("the command ended with {exit:?} and changed nothing: {done}"));
    }
    let tried = tried.replacen(MARK, "", 1);
    let runs = [&before, &after].iter().any(|(status, _)| status["phase"] == "running");
    let same = match runs {
        true => without_readings(&tried) == without_readings(&done),
        false => tried == done,
    };
    if same { Ok(()) } else { Err(format!("dry run:\n{tried}command:\n{done}")) }
}

/// Compares the JSON of a dry run with that of the command after it.
fn compare_json(table: &Table, example: &str) -> Result<(), String> {
    table.prepare(example);
    let parsed = |words: &str| {
        let (out, err, _) = run(table, &with(words, example));
        serde_json::from_str::<Value>(&out).map_err(|error| format!("{words}: {error}: {out}{err}"))
    };
    let (mut tried, mut done) = (parsed("-n --json")?, parsed("--json")?);
    let marks = (tried["dry_run"].take(), done.get("dry_run").is_some());
    if marks != (Value::Bool(true), false) {
        return Err(format!("it is not marked: {marks:?}"));
    }
    // `take` left the key `dry_run` of the dry run as null. This gives the command the same key.
    done["dry_run"].take();
    let recorded = (tried["recorded"].take(), done["recorded"].take());
    if recorded != (Value::Bool(false), Value::Bool(true)) {
        return Err(format!("recorded: {recorded:?}"));
    }
    // The command is given later than its dry run. So the instants differ, and while a clock runs, its
    // time differs, too. Each has a version of the texts of its own.
    for object in [&mut tried, &mut done] {
        object["at_ns"].take();
        object["texts_version"].take();
    }
    if tried != done {
        for object in [&mut tried, &mut done] {
            without_times(object);
            without_times(&mut object["before"]);
            object["done"] = without_readings(object["done"].as_str().unwrap()).into();
        }
    }
    if tried == done { Ok(()) } else { Err(format!("dry run:\n{tried}\ncommand:\n{done}\n")) }
}

/// Compares each example of the verbs that give a command, or of those that give none.
fn compare(gives_command: bool, compare: fn(&Table, &str) -> Result<(), String>) {
    let table = Table::start();
    let (mut compared, mut wrong) = (0, Vec::new());
    for (verb, examples) in table.examples() {
        if WITHOUT_COMMAND.contains(&verb.as_str()) == gives_command {
            continue;
        }
        for example in examples.iter().map(|line| line.split("  #").next().unwrap()) {
            compared += 1;
            if let Err(why) = compare(&table, example) {
                wrong.push(format!("{example}: {why}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} wrong:\n{}", wrong.len(), wrong.concat());
    assert!(compared >= 2 * WITHOUT_COMMAND.len(), "{compared}");
}

#[test]
fn a_dry_run_says_what_the_command_then_says_and_changes_nothing() {
    compare(true, compare_text);
}

#[test]
fn the_json_of_a_dry_run_is_that_of_the_command_and_is_marked() {
    compare(true, compare_json);
}

#[test]
fn a_verb_without_a_command_refuses_the_option() {
    compare(false, |table, example| match run(table, &with("-n", example)) {
        (_, err, _) if err.contains("and this one gives none") => Ok(()),
        (out, ..) if out.contains("would be replaced") && example.contains("load") => Ok(()),
        other => Err(format!("the option is not refused: {other:?}")),
    });
}
