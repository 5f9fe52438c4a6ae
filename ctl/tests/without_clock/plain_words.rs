//! No message of `clockctl` has words of the compiler, of a library or of the operating system.
//! `tests/library_words.txt` lists such words.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::program::{clockctl, run_with_input};

const WORDS: &str = include_str!("../../../tests/library_words.txt");

/// The first of the words in a message, unless the user has given it.
fn library_word<'a>(message: &str, given: &str) -> Option<&'a str> {
    WORDS.lines().find(|word| message.contains(word) && !given.contains(word))
}

/// Runs a command line in the folder. Returns what it printed to standard error, and fails if the
/// command succeeds or says a word of a library.
fn refused(folder: &Path, line: &str, given: &str) -> String {
    let mut command = clockctl();
    command.args(line.split(' ').map(|word| word.replace('~', " ")));
    command.current_dir(folder);
    let Output { status, stdout, stderr } = run_with_input(command, b"");
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(!status.success() && status.code().is_some(), "{line} with {given:?}: {out}{err}");
    assert!(!err.is_empty(), "{line} with {given:?}");
    if let Some(word) = library_word(&format!("{out}{err}"), given) {
        panic!("{line} with {given:?} says \"{word}\": {out}{err}");
    }
    err
}

#[test]
fn a_wrong_command_line_is_answered_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("folder.toml")).unwrap();
    let mut messages = Vec::new();
    for value in ["-1", "abc", "", "1.5", "99999999999999999999", "4294967296", "0x1", "é"] {
        for line in [
            "set --white-moves=",
            "set --black-period=",
            "set --white-overtime-moves=",
            "set --white-time=",
            "--deadline=",
            "--if-revision=",
            "log --last=",
            "rewind --entry=",
            "watch --heartbeat=",
            "watch --delay=",
            "doctor --loopback --line=7 --button=white --presses=",
            "doctor --loopback --line=7 --button=white --seed=",
            "new --start-at=",
            "--bus=",
        ] {
            messages.push(refused(folder.path(), &format!("{line}{value}"), value));
        }
        for line in ["export", "report", "log", "resume-adjourned", "set white", "add white"] {
            messages.push(refused(folder.path(), &format!("{line} {value}"), value));
        }
    }
    for file in ["nowhere", "./nowhere.toml", "folder.toml", "folder.toml/x", "/root/x.toml"] {
        for line in [
            "export --from",
            "report --from",
            "import",
            "new",
            "time-control check",
            "time-control show",
            "rules check",
            "simulate --control",
            "simulate --control=3+2",
            "hall check",
            "status --hall",
            "new 3+2 --pairings",
            "record-attachment --file",
            "backup load",
        ] {
            // A name that is no path can be that of a control or of a rule profile.
            messages.push(refused(folder.path(), &format!("{line} {file}"), file));
        }
    }
    messages.push(refused(folder.path(), "--boards 3@x --hall hall.toml start", ""));
    messages.push(refused(folder.path(), "status", ""));
    let has = |words: &str| messages.iter().any(|message| message.contains(words));
    for words in [
        "'-1' for '--white-moves <N>': expected a whole number from 0 to 4294967295",
        "'abc' for '--entry <N>': expected a whole number of 1 or more",
        "expected a D-Bus address such as unix:path=",
        "/nowhere.toml: there is no such file",
    ] {
        assert!(has(words), "{words}: {messages:#?}");
    }
}

const VALUES: [&str; 11] = [
    "-1",
    "1.5",
    "99999999999999999999",
    "true",
    "'text'",
    "[]",
    "[1]",
    "{}",
    "{ x = 1 }",
    "1979-05-27",
    "text",
];

/// Texts that are wrong for every reader: no TOML, no JSON, no table, no text, or a hall file with a
/// wrong value.
fn texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = [
        "",
        "=",
        "{",
        "{}",
        "[]",
        "null",
        "[[board]]",
        "a = ",
        "a = 1",
        "\u{0}",
        "\u{feff}",
        "{\"chess_clock_record\":1}",
        "{\"chess_clock_record\":1,",
        "{\"chess_clock_record\":1}x",
        "{\"chess_clock_record\":-1}",
        "{\"chess_clock_record\":true,\"game\":{}}",
        "\"text",
        "a,b\n1",
        "board,white,black\n1,A",
        "board,rotation\n1,left",
        "board,rotation\n1,2,3",
        "012 x\n001    1",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into();
    texts.extend([b"\xff\xfe".to_vec(), b"name = 'x'\n# \xe9\n".to_vec()]);
    for key in ["board", "host", "bus", "white"] {
        let board = |value| format!("[[board]]\n{key} = {value}\n").into_bytes();
        texts.extend(VALUES.map(board));
    }
    texts
}

#[test]
fn a_wrong_file_is_answered_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    for text in texts() {
        let given = String::from_utf8_lossy(&text).into_owned();
        for name in ["x.toml", "x.json", "x.csv"] {
            fs::write(folder.path().join(name), &text).unwrap();
        }
        for line in ["export --from x.json", "hall check ./x.toml", "hall init x.csv"] {
            refused(folder.path(), line, &given);
        }
        let mut command = clockctl();
        command.args(["simulate", "--control=3+2", "x.json"]).current_dir(folder.path());
        let Output { stdout, stderr, .. } = run_with_input(command, b"");
        let said = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert_eq!(library_word(&said, &given), None, "{given:?}: {said}");
    }
}

/// Each key of a control file and of a rule file with a value of each kind, all in one run.
#[test]
fn a_wrong_value_in_a_control_file_or_a_rule_file_is_answered_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let of_file =
        ["name", "period", "period_end", "first_move_increment", "draw_odds", "after_flag"];
    let of_rules = ["name", "claim_below", "inherits", "guidance", "penalties", "unknown"];
    let of_period = ["time", "moves", "increment", "delay", "overtime", "repeat", "hourglass"];
    let mut texts: Vec<String> = Vec::new();
    for value in VALUES {
        texts.extend(of_file.map(|key| format!("{key} = {value}\n")));
        texts.extend(of_rules.map(|key| format!("{key} = {value}\n")));
        texts.extend(of_period.map(|key| format!("name = 'x'\n[[period]]\n{key} = {value}\n")));
    }
    let names: Vec<String> = (0..texts.len()).map(|number| format!("./{number}.toml")).collect();
    for (name, text) in names.iter().zip(&texts) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for verb in ["time-control", "rules"] {
        let said = refused(folder.path(), &format!("{verb} check {}", names.join(" ")), "");
        for line in said.lines().filter(|line| line.contains(".toml:")) {
            let place = line.split(".toml:").nth(1).unwrap();
            let mut numbers = place.split(':').map(|number| number.parse::<u32>());
            assert!(matches!(numbers.next(), Some(Ok(_))), "{line}");
            assert!(matches!(numbers.next(), Some(Ok(_))), "{line}");
        }
        assert!(said.lines().count() > 100, "{verb}: {said}");
    }
}

/// A record with each key of its first entry left out, and with values of other kinds.
#[test]
fn a_wrong_record_is_answered_in_plain_words() {
    let game = include_str!("../record/game.json");
    let mut messages = Vec::new();
    let folder = tempfile::tempdir().unwrap();
    let mut try_text = |text: String| {
        fs::write(folder.path().join("x.json"), &text).unwrap();
        messages.push(refused(folder.path(), "report --from x.json", ""));
    };
    for (key, value) in [
        ("\"moves\":0", "\"moves\""),
        ("\"phase\":\"ready\"", "\"phase\""),
        ("\"entry\":40", "\"entry\""),
        ("\"events\":[", "\"event\""),
    ] {
        assert!(game.contains(key), "{key}");
        let rest = key.split_once(':').unwrap().1;
        for wrong in ["-1", "4294967296", "1.5", "null", "\"x\"", "{}", "[1]"] {
            let tail = if rest == "[" { ",\"x\":[" } else { "" };
            try_text(game.replacen(key, &format!("{value}:{wrong}{tail}"), 1));
        }
        let renamed = key.replacen('"', "\"x", 1);
        try_text(game.replacen(key, &renamed, 1));
    }
    try_text(game[..game.len() / 2].to_owned());
    let has = |words: &str| messages.iter().any(|message| message.contains(words));
    for words in
        ["missing key `moves`", "expected a whole number from 0 to 4294967295", "ends too early"]
    {
        assert!(has(words), "{words}: {messages:#?}");
    }
}
