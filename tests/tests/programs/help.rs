//! The examples in the help of each verb work as they are printed.

use clock_tests::{Bench, Program, program, write_executable};
use std::process::{Command, Output, Stdio};

const FIDE: &str = "clockctl new fide-standard --rules fide-2023";
const PLAYED: &str = "clockctl start; press white black white black";
const DRAW: &str = "clockctl new G/120 --rules guidelines-iii; clockctl start; clockctl pause; clockctl set white 1m; \
                    clockctl resume; clockctl claim draw no-effort --by white";
const NOBODY: &str = "clockctl new G/120 --rules guidelines-iii-unsupervised; clockctl start";

/// What is done before an example whose verb does not work in a paused game under the laws of FIDE in
/// which each side has made two moves.
fn before(example: &str) -> String {
    let words: Vec<&str> = example.trim_start_matches("sudo ").split(' ').collect();
    let running = format!("{FIDE}; {PLAYED}");
    let paused = format!("{running}; clockctl pause");
    match (words.get(1).copied().unwrap_or_default(), words.get(2).copied().unwrap_or_default()) {
        ("new" | "start" | "set-buttons" | "backup" | "set-rules" | "arrive", _) => FIDE.to_owned(),
        ("pause" | "result", _) => running,
        ("reopen", _) => format!("{running}; clockctl result 1-0 mate"),
        ("adjourn", side) => format!(
            "clockctl new '40/120, G/60' --rules handbook-county; clockctl start; {}",
            if side == "black" { "press white" } else { "true" }
        ),
        ("resume-adjourned", "2") => FIDE.to_owned(),
        ("resume-adjourned", _) => {
            "clockctl new '40/120, G/60' --rules handbook-county; clockctl start; clockctl adjourn white 41"
                .to_owned()
        }
        ("import", _) => {
            format!("{paused}; clockctl export -o game.json; clockctl result 1-0 mate")
        }
        ("flag", _) | ("claim", "flag") => {
            format!("{paused}; clockctl set white 0s --force; clockctl resume")
        }
        ("claim", "draw") => DRAW.replace("; clockctl claim draw no-effort --by white", ""),
        ("rule", "reject") => DRAW.to_owned(),
        ("rule", _) => format!("{running}; clockctl pause --by white"),
        ("illegal-move", "white") => format!("{FIDE}; clockctl start; press white"),
        // A claim needs a time below 2 minutes, and this profile is not for such short games.
        ("refer", _) => format!(
            "{NOBODY}; clockctl pause --by white; clockctl record-confirmation white correction; \
             clockctl record-confirmation black correction; clockctl set white 1m; \
             clockctl record-confirmation white resume; clockctl record-confirmation black resume; \
             clockctl resume; clockctl claim draw cannot-win --by white; \
             clockctl record-attachment position 'Kf1 Rg2 - Kf3 Rh2' --verified-by black"
        ),
        ("record-confirmation", _) => format!("{NOBODY}; clockctl pause --by white"),
        _ => paused,
    }
}

/// A clock with a record, on which the examples are tried.
pub struct Table {
    bench: Bench,
    _programs: [Program; 2],
}

impl Table {
    /// Starts a clock, with an adjourned game 2 on record for the example of `resume-adjourned`.
    pub fn start() -> Table {
        let bench = Bench::in_memory().unwrap();
        let script = "{\"at_ns\": 0, \"event\": \"start\"}\n";
        std::fs::write(bench.folder().join("script.jsonl"), script).unwrap();
        std::fs::write(bench.folder().join("scoresheet.jpg"), "a picture").unwrap();
        std::fs::write(bench.folder().join("chessclock.toml"), "language = \"ga\"\n").unwrap();
        std::fs::write(bench.folder().join("hall.csv"), "board,host_name\n7,clock-07\n").unwrap();
        make_root(&bench);
        let bus = bench.bus().unwrap();
        let record = bench.folder().join("games");
        let clockd = bench.clockd(&["--record", record.to_str().unwrap()]).unwrap();
        let table = Table { bench, _programs: [bus, clockd] };
        table.prepare("clockctl resume-adjourned");
        let saved = table.shell("sudo clockctl backup save chess-clock-12.tar");
        assert!(saved.status.success(), "{saved:?}");
        // Then a setting differs from the backup.
        let clockd = table.bench.folder().join("root/etc/chess-clock/clockd.toml");
        std::fs::write(clockd, "board = 1\n").unwrap();
        table
    }

    /// Runs a line in a shell.
    pub fn shell(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs the line without a terminal, with a reader that has gone, for 40 columns without colours.
    fn shell_without_a_reader(&self, line: &str) -> Output {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = self.command(line);
        command.env("COLUMNS", "40").env("NO_COLOR", "1").stdin(Stdio::null()).stdout(writer);
        let run = command.stderr(Stdio::piped()).spawn().unwrap();
        run.wait_with_output().unwrap()
    }

    fn command(&self, line: &str) -> Command {
        let programs = program("clockctl").parent().unwrap().display().to_string();
        let folder = self.bench.folder().display();
        let path = format!("{folder}/sudo:{programs}:{}", std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        command
            .args(["-c", line])
            .env("PATH", path)
            .env("DBUS_SYSTEM_BUS_ADDRESS", self.bench.address())
            .current_dir(self.bench.folder());
        command
    }

    /// The verbs in the help, each with its two examples.
    pub fn examples(&self) -> Vec<(String, Vec<String>)> {
        let verbs = verbs(&self.help(""));
        assert!(verbs.len() > 30, "{verbs:?}");
        let with_examples = verbs.into_iter().map(|verb| {
            let help = self.help(&verb);
            let (_, examples) = help.split_once("\nExamples:\n").expect("examples");
            let examples: Vec<_> = examples
                .lines()
                .map_while(|line| line.strip_prefix("  ").map(str::to_owned))
                .collect();
            assert_eq!(examples.len(), 2, "{verb}: {help}");
            (verb, examples)
        });
        with_examples.collect()
    }

    fn help(&self, verb: &str) -> String {
        String::from_utf8(self.shell(&format!("clockctl {verb} --help")).stdout).unwrap()
    }

    /// Sets the clock up for an example.
    pub fn prepare(&self, example: &str) {
        let _ = std::fs::remove_file(self.bench.folder().join("game.json"));
        let before = before(example).replace("clockctl new", "clockctl new --force");
        for line in before.split("; ") {
            if let Some(sides) = line.strip_prefix("press ") {
                let mut buttons = self.bench.buttons().unwrap();
                for side in sides.split(' ') {
                    buttons.press(side).unwrap();
                }
                continue;
            }
            let output = self.shell(line);
            assert!(output.status.success(), "before {example}: {line}: {output:?}");
        }
    }
}

/// Creates a folder as the root of a clock, and a program `sudo` that adds `--root FOLDER` to the command
/// in place of more rights. So an example for root neither reads nor changes this machine.
fn make_root(bench: &Bench) {
    let folder = bench.folder();
    for path in ["root/etc/chess-clock", "root/var/lib/chess-clock", "sudo"] {
        std::fs::create_dir_all(folder.join(path)).unwrap();
    }
    std::fs::write(folder.join("root/etc/hostname"), "clock-12\n").unwrap();
    std::fs::write(folder.join("root/etc/chess-clock/clockd.toml"), "board = 12\n").unwrap();
    let sudo = folder.join("sudo/sudo");
    write_executable(&sudo, "#!/bin/sh\nexec \"$@\" --root root\n");
}

/// The verbs in the help, in its order.
fn verbs(help: &str) -> Vec<String> {
    let (_, list) = help.split_once("Play:\n").expect("the verbs by task");
    let (list, _) = list.split_once("With every verb:").expect("the options");
    let lines = list.lines().filter_map(|line| line.strip_prefix("  "));
    lines.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn both_examples_in_the_help_of_each_verb_work() {
    let table = Table::start();
    let mut wrong = Vec::new();
    for (verb, examples) in table.examples() {
        for (index, example) in examples.iter().enumerate() {
            table.prepare(example);
            // `watch` ends when nobody reads what it prints.
            let line = match verb.as_str() {
                "watch" => format!("{example} | head -n 1"),
                _ => example.clone(),
            };
            // The first example is for a user at a terminal, the second one is run as a script could.
            let output = match index {
                1 if !example.contains('|') => table.shell_without_a_reader(example),
                _ => table.shell(&line),
            };
            // `doctor` says with 8 that this machine is no clock.
            let is_done =
                output.status.success() || verb == "doctor" && output.status.code() == Some(8);
            if !is_done {
                wrong.push(format!("{example}: {output:?}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.concat());
}
