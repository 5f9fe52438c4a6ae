//! Runs the cases of `tests/laws` as tests. Each test is named after its clause.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod clauses;
mod compare;
mod document;
mod editions;
mod exceptions;
mod game;
mod law_file;
mod other_values;
mod parameters;
#[path = "../../../ctl/tests/python/mod.rs"]
mod python;
mod runner_tests;
mod script;

use clauses::{Clauses, check_that_rust_test_stands};
use clock_engine::text::{RuleFile, rule_presets};
use game::NoGame;
use law_file::{Case, LawFile, Script, Shown};
use libtest_mimic::{Arguments, Failed, Trial};
use parameters::Unnoticed;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = runner_tests::all();
    let mut files = Vec::new();
    for read in law_file::read_all() {
        match read {
            Ok(file) => files.push(file),
            Err((stem, message)) => {
                let name = format!("{stem}_can_be_read");
                trials.push(Trial::test(name, move || Err(Failed::from(message))));
            }
        }
    }
    trials.extend(files.iter().flat_map(|file| {
        let law = format!("{}: {}", file.clause, file.title);
        file.cases.iter().map(move |case| case_trial(law.clone(), case.clone()))
    }));
    trials.extend(trials_of_the_whole(files));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The test of one case. A failure names the clause and what it demands.
fn case_trial(law: String, case: Case) -> Trial {
    Trial::test(case.test.clone(), move || {
        check(&case).map_err(|message| Failed::from(format!("{law}\n{message}")))
    })
}

/// Checks one case under its own rules.
fn check(case: &Case) -> Result<(), String> {
    match &case.shown {
        Shown::Script(Script { game, .. }) | Shown::RefusedControl { game, .. } => {
            check_with(case, &game::read_rules(&game.rules)?)
        }
        Shown::RustTest(path) => check_that_rust_test_stands(path, &case.test),
    }
}

/// Checks one case under `rules`, which can differ from the rules of the case. A case that a Rust
/// test shows is not run here and always passes.
fn check_with(case: &Case, rules: &RuleFile) -> Result<(), String> {
    match &case.shown {
        Shown::Script(script) => script::check(script, case.kind, rules),
        Shown::RefusedControl { game, clause } => match game::new(&game.control, rules) {
            Ok(_) => Err(format!("the control {} is not refused ({clause})", game.control)),
            Err(NoGame::Refused { clause: got, .. }) if got == *clause => Ok(()),
            Err(error) => Err(format!("expected a refusal with {clause}, got {}", error.message())),
        },
        Shown::RustTest(_) => Ok(()),
    }
}

/// Checks that the answers to all scripts are as docs/schemas says.
fn check_json(files: &[LawFile]) -> Result<(), String> {
    let mut lines = Vec::new();
    for case in files.iter().flat_map(|file| &file.cases) {
        if let Shown::Script(script) = &case.shown {
            let rules = game::read_rules(&script.game.rules)?;
            let answers = script::answers(script, &rules)?;
            lines.extend(answers.iter().map(|answer| ("simulated", answer.to_string())));
        }
    }
    assert!(lines.len() > 1_000, "{}", lines.len());
    python::check_lines(python::CLOCKCTL, &lines);
    Ok(())
}

/// The tests that look at all law files together.
fn trials_of_the_whole(files: Vec<LawFile>) -> Vec<Trial> {
    let files = Arc::new(files);
    let whole = |name: &str, check: fn(&Clauses, &[LawFile]) -> Result<(), String>| {
        let files = Arc::clone(&files);
        Trial::test(name, move || {
            let clauses = Clauses::read()?;
            check(&clauses, &files).map_err(Failed::from)
        })
    };
    let mut trials = vec![
        whole("every_clause_has_both_cases", |clauses, files| {
            let faults = clauses.faults(files);
            if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
        }),
        whole("every_clause_that_the_code_cites_is_one_of_its_edition", |clauses, _| {
            editions::check_code(clauses)
        }),
        whole("every_clause_that_a_document_cites_is_one_of_its_edition", |clauses, _| {
            editions::check_documents(clauses)
        }),
        whole("every_command_of_the_clauses_is_one_of_clockctl", |clauses, _| {
            let unknown = clauses.unknown_commands();
            if unknown.is_empty() { Ok(()) } else { Err(unknown.join("\n")) }
        }),
        whole("the_document_of_the_laws_is_up_to_date", document::check_or_write),
        whole("every_answer_fits_its_json_schema", |_, files| check_json(files)),
    ];
    let unnoticed = Arc::new(Unnoticed::by(Arc::clone(&files)));
    for (index, preset) in rule_presets().iter().enumerate() {
        let name = format!("every_parameter_of_{}_is_tested", preset.name.replace('-', "_"));
        let unnoticed = Arc::clone(&unnoticed);
        trials.push(Trial::test(name, move || unnoticed.check(index).map_err(Failed::from)));
    }
    let name = "every_parameter_that_no_script_shows_has_its_test";
    trials.push(Trial::test(name, move || unnoticed.check_exceptions().map_err(Failed::from)));
    trials
}
