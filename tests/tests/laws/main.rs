//! Runs the cases of `tests/laws` as tests. Each test is named after its clause.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod compare;
mod game;
mod law_file;
mod runner_tests;
mod script;

use law_file::{Case, Shown};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = runner_tests::all();
    for read in law_file::read_all() {
        match read {
            Ok(file) => trials.extend(file.cases.into_iter().map(trial)),
            Err((stem, message)) => {
                let name = format!("{stem}_can_be_read");
                trials.push(Trial::test(name, move || Err(Failed::from(message))));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(case: Case) -> Trial {
    Trial::test(case.test.clone(), move || check(&case).map_err(Failed::from))
}

/// Checks one case.
fn check(case: &Case) -> Result<(), String> {
    match &case.shown {
        Shown::Script(script) => script::check(script, case.kind),
        Shown::RefusedControl { game, clause } => match game::new(game) {
            Ok(_) => Err(format!("the control {} is not refused ({clause})", game.control)),
            Err(message) if message.contains(clause.as_str()) => Ok(()),
            Err(message) => Err(format!("expected a refusal with {clause}, got: {message}")),
        },
        Shown::RustTest(path) => check_that_rust_test_stands(path, &case.test),
    }
}

/// Whether a Rust test of this name stands in this file of the repository.
fn check_that_rust_test_stands(path: &str, test: &str) -> Result<(), String> {
    let text = fs::read_to_string(law_file::repository().join(path));
    let text = text.map_err(|error| format!("{path}: {error}"))?;
    let stands = text.contains(&format!("fn {test}("));
    if stands { Ok(()) } else { Err(format!("no test `{test}` stands in {path}")) }
}
