//! The commands of the arbiter's page, docs/arbiter.md.

use clock_tests::{Bench, program};
use std::process::Command;

/// The exit code of `clockctl` if it does not understand the command line.
const USAGE: i32 = 2;

/// The commands on the page `docs/arbiter.md`: the indented lines and the quotations in the text
/// that begin with `clockctl`.
fn commands() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/arbiter.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (indented, text): (Vec<&str>, Vec<&str>) =
        page.lines().partition(|line| line.starts_with("    "));
    let text = text.join(" ");
    let quoted = text.split('`').skip(1).step_by(2);
    let found = indented.into_iter().map(str::trim).chain(quoted);
    // What follows two blanks and # is a comment for the reader.
    let command = |found: &str| found.split("  #").next().unwrap_or_default().trim().to_owned();
    found.filter(|found| found.starts_with("clockctl ")).map(command).collect()
}

/// Runs a line as a shell does, with the built `clockctl`, where no bus can be reached.
fn exit_code(bench: &Bench, line: &str) -> Option<i32> {
    let programs = program("clockctl").parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .env("DBUS_SYSTEM_BUS_ADDRESS", bench.address())
        .env("XDG_STATE_HOME", bench.folder())
        .current_dir(bench.folder())
        .output();
    output.unwrap().status.code()
}

#[test]
fn clockctl_understands_every_command_of_the_arbiters_page() {
    let bench = Bench::new().unwrap();
    std::fs::write(bench.folder().join("scoresheet.jpg"), "1. e4 e5").unwrap();
    let exported = concat!(env!("CARGO_MANIFEST_DIR"), "/../ctl/tests/record/game.json");
    std::fs::copy(exported, bench.folder().join("board7.json")).unwrap();
    let hall = format!(
        "[[board]]\nboard = '7'\nbus = '{}'\n[[board]]\nboard = '6'\nbus = 'unix:path=/nowhere'\n",
        bench.address()
    );
    std::fs::write(bench.folder().join("hall.toml"), hall).unwrap();
    std::fs::write(bench.folder().join("round3.csv"), "board,white,black\n7,A,B\n").unwrap();
    let commands = commands();
    assert!(commands.len() > 40, "{commands:?}");
    // Commands with `--start-at` are left out, because their time may have passed today.
    // `watch` does not end by itself.
    let is_left_out = |line: &&String| line.contains("--start-at") || line.ends_with(" watch");
    for line in commands.iter().filter(|line| !is_left_out(line)) {
        // Without a terminal, nobody can be asked for agreement.
        let asks = line.starts_with("clockctl import ") || line.contains(" --pairings ");
        let agreed = if asks { " --yes" } else { "" };
        assert_ne!(exit_code(&bench, &format!("{line}{agreed}")), Some(USAGE), "{line}");
    }
    assert_eq!(exit_code(&bench, "clockctl ruling perhaps"), Some(USAGE));
}
