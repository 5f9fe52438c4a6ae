//! The examples in the README work, and `make demo` builds only the programs that it runs.

use clock_tests::{Bench, program};
use std::process::Command;

/// The commands of the README that begin with `clockctl`, in their order.
fn examples() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let lines = readme.lines().filter_map(|line| line.strip_prefix("    "));
    lines.filter(|line| line.starts_with("clockctl ")).map(str::to_owned).collect()
}

/// Runs a line as a shell does, with the built `clockctl`, and with the bus of the bench as the
/// system bus.
fn shell(bench: &Bench, line: &str) {
    let programs = program("clockctl").parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .env("DBUS_SYSTEM_BUS_ADDRESS", bench.address())
        .current_dir(bench.folder())
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
}

#[test]
fn every_command_of_the_readme_works_in_a_game() {
    let bench = Bench::new().unwrap();
    let script = "{\"at_ns\": 0, \"event\": \"start\"}\n";
    std::fs::write(bench.folder().join("game.jsonl"), script).unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&["--control", "fide-standard"]).unwrap();
    let mut buttons = bench.buttons().unwrap();
    for button in ["black", "white", "black", "white"] {
        buttons.press(button).unwrap();
    }
    let examples = examples();
    assert!(examples.len() >= 10, "{examples:?}");
    for line in &examples {
        shell(&bench, line);
        if line.contains("--black-moves 40") {
            // The command corrects the period together with the press counter.
            let black = &bench.status().unwrap()["black"];
            assert_eq!((&black["moves"], &black["period"]), (&40.into(), &2.into()), "{black}");
        }
    }
}

#[test]
fn make_demo_builds_only_the_programs_it_runs() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let output =
        Command::new("make").args(["--dry-run", "demo", "ARGS="]).current_dir(root).output();
    let commands = String::from_utf8(output.unwrap().stdout).unwrap();
    let build = commands.lines().find(|line| line.contains("cargo build")).unwrap();
    for part in ["bin clockd", "bin clockctl", "bin clock-display", "bin clock-demo"] {
        assert!(build.contains(&format!(" --{part}")), "{part}: {commands}");
    }
    assert!(commands.contains("target/debug/clock-demo"), "{commands}");
}
