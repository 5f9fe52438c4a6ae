//! The scripts for bash and zsh in the shells on a terminal, and that for fish.

use std::{env, fs, path::Path, process::Command};

use clock_dbus::{SideState, State};
use portable_pty::CommandBuilder;

use super::with_adjourned_game;
use crate::{fake::game, private_bus::PrivateBus, program::finish, terminal::Terminal};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/completions");

/// A folder with files and a hall, a bus with a clock, and the path with the built `clockctl`.
struct Hall {
    bus: PrivateBus,
    _fake: crate::fake::Fake,
    path: String,
}

impl Hall {
    fn new() -> Hall {
        let bus = PrivateBus::start();
        let fake = with_adjourned_game(
            &bus,
            State { white: SideState { moves: 12, ..game().white }, ..game() },
        );
        let hall = "[[board]]\nboard = 'Stage 1'\nhost = 'c-1'\n";
        fs::write(bus.folder().join("hall.toml"), hall).unwrap();
        fs::write(bus.folder().join("my game.json"), "").unwrap();
        let programs = Path::new(env!("CARGO_BIN_EXE_clockctl")).parent().unwrap().to_owned();
        let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap());
        Hall { bus, _fake: fake, path }
    }

    /// The variables of the shells.
    fn variables(&self) -> [(&str, String); 4] {
        [
            ("DBUS_SYSTEM_BUS_ADDRESS", self.bus.address()),
            ("PATH", self.path.clone()),
            ("TERM", "xterm".to_owned()),
            ("PS1", "> ".to_owned()),
        ]
    }

    /// A shell on a terminal, in the folder of the hall.
    fn shell(&self, program: &str, arguments: &[&str]) -> Terminal {
        assert!(is_installed(program), "{program} is needed: `sh tests/setup.sh test` installs it");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(self.bus.folder());
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        Terminal::of(command, 24)
    }
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// What is typed, and the line that the shell makes of it. `#` is typed at the end, so that a space
/// is seen, and a word that is not completed.
const LINES: &[(&str, &str)] = &[
    ("clockctl undo", "clockctl undo-press #"),
    ("clockctl resume-adjourned ", "clockctl resume-adjourned 2 #"),
    ("clockctl export --format=p", "clockctl export --format=pgn #"),
    ("clockctl --reason pause resume --si", "clockctl --reason pause resume --side #"),
    ("clockctl --reason 'a b' set-rules cou", "clockctl --reason 'a b' set-rules county #"),
    ("clockctl rewind W1", "clockctl rewind W1#"),
    ("clockctl start ", "clockctl start #"),
    ("clockctl no-such ", "clockctl no-such #"),
    ("clockctl import my", "clockctl import my\\ game.json #"),
    ("clockctl --hall hall.toml --boards S", "clockctl --hall hall.toml --boards Stage\\ 1 #"),
    ("clockctl --hall=hall.toml --boards=S", "clockctl --hall=hall.toml --boards=Stage\\ 1 #"),
];

fn try_lines(mut terminal: Terminal) {
    for (typed, expected) in LINES {
        let expected = format!("> {expected}");
        // A completion waits for the clock for a limited time. On a busy machine this can be too
        // short, and then the shell completes nothing. So the line is typed again, as a user would
        // do.
        for _ in 0..10 {
            // Control-U empties the line. Control-L empties the screen.
            terminal.type_keys("\u{15}\u{c}");
            terminal.wait_for_line(">");
            terminal.type_keys(&format!("{typed}\t#"));
            if terminal.wait_for("#").lines().any(|line| line.trim_end() == expected) {
                break;
            }
        }
        terminal.wait_for_line(&expected);
    }
}

#[test]
fn bash_completes_the_line() {
    let hall = Hall::new();
    let mut terminal = hall.shell("bash", &["--norc", "--noprofile", "-i"]);
    terminal.type_keys(&format!("bind 'set bell-style none'; . {SCRIPTS}/clockctl.bash\r"));
    try_lines(terminal);
}

#[test]
fn zsh_completes_the_line() {
    let hall = Hall::new();
    let mut terminal = hall.shell("zsh", &["-f", "-i"]);
    let setup = "autoload -Uz compinit; compinit -u -D; setopt no_auto_menu";
    terminal.type_keys(&format!("PS1='> '; fpath=({SCRIPTS} $fpath); {setup}\r"));
    try_lines(terminal);
}

#[test]
fn fish_offers_the_candidates() {
    let hall = Hall::new();
    assert!(is_installed("fish"), "fish is needed: `sh tests/setup.sh test` installs it");
    for (typed, expected) in [
        (
            "clockctl undo",
            "undo-press\tTake the last press back; that side is on move again, with its time at the press\n",
        ),
        ("clockctl resume-adjourned ", "2\tAnna - Bo"),
        ("clockctl export --format=p", "--format=pgn\t"),
        ("clockctl --reason 'a b' set-rules cou", "county\tCounty league\n"),
        ("clockctl start ", ""),
        ("clockctl import my", "my game.json\n"),
        ("clockctl --hall hall.toml --boards S", "Stage 1\n"),
    ] {
        let mut command = Command::new("fish");
        command.envs(hall.variables()).current_dir(hall.bus.folder()).args(["--no-config", "-c"]);
        command.arg(format!("source {SCRIPTS}/clockctl.fish; complete -C \"{typed}\""));
        let ran = finish(command);
        assert_eq!((ran.err.as_str(), ran.exit), ("", 0), "{typed}");
        assert!(ran.out.starts_with(expected), "{typed}: {}", ran.out);
        assert_eq!(ran.out.lines().count(), usize::from(!expected.is_empty()), "{}", ran.out);
    }
}
