//! Tests of the commands that the documents for users contain. The commands in docs/arbiter.md are run. The
//! commands on the pages for a new clock are only parsed, because they would write to sticks and cards.

use clock_tests::{Bench, program};
use std::path::Path;
use std::process::Command;

/// The exit code of `clockctl` if it does not understand the command line.
const USAGE: i32 = 2;

/// The commands on a page of `docs`: its indented lines and the quotations in its text.
fn all_commands(page: &str) -> Vec<String> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs")).join(page);
    let page = std::fs::read_to_string(path).unwrap();
    let (indented, text): (Vec<&str>, Vec<&str>) =
        page.lines().partition(|line| line.starts_with("    "));
    let text = text.join(" ");
    let quoted = text.split('`').skip(1).step_by(2);
    let found = indented.into_iter().map(str::trim).chain(quoted);
    // What follows two blanks and # is a comment for the reader.
    let command = |found: &str| found.split("  #").next().unwrap_or_default().trim().to_owned();
    found.map(command).collect()
}

/// The commands on the page `docs/arbiter.md` that begin with `clockctl`.
fn commands() -> Vec<String> {
    let mut commands = all_commands("arbiter.md");
    commands.retain(|command| command.starts_with("clockctl "));
    commands
}

/// Runs a line as a shell does, with the built `clockctl`, where no bus can be reached.
fn exit_code(bench: &Bench, line: &str) -> Option<i32> {
    let programs = program("clockctl").parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .env("DBUS_SYSTEM_BUS_ADDRESS", bench.address())
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
    let round = "board,white,black,result\n6,A,B,\n7,C,D,\n";
    std::fs::write(bench.folder().join("round3.csv"), round).unwrap();
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
    assert_eq!(exit_code(&bench, "clockctl rule perhaps"), Some(USAGE));
}

/// With `--help` at its end a command line is parsed, and nothing is done: these commands write to
/// sticks and cards.
#[test]
fn clockctl_understands_the_commands_of_the_pages_for_a_new_clock() {
    let bench = Bench::new().unwrap();
    for page in ["first-clock.md", "hardware-check.md", "backup.md"] {
        let commands = all_commands(page);
        // The key of an arbiter in a set-up file runs nothing but `systemd-stdio-bridge`.
        let through_ssh =
            |line: &&String| line.starts_with("ssh arbiter@") && line.contains("clockctl");
        assert_eq!(commands.iter().find(through_ssh), None, "{page}");
        let parts = commands.iter().flat_map(|line| line.split(['&', '|'])).map(str::trim);
        let parts = parts.map(|part| part.strip_prefix("sudo ").unwrap_or(part));
        let ours: Vec<&str> = parts.filter(|part| part.starts_with("clockctl ")).collect();
        assert!(!ours.is_empty(), "{page}");
        for line in ours {
            assert_eq!(exit_code(&bench, &format!("{line} --help")), Some(0), "{page}: {line}");
        }
    }
    assert_eq!(exit_code(&bench, "clockctl backup saev --help"), Some(USAGE));
}
