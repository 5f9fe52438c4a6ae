//! `clockctl time-control`, without a clock.

use serde_json::Value;
use std::process::Output;

use crate::program::{clockctl, err, out};

fn control(arguments: &[&str]) -> Output {
    clockctl().arg("time-control").args(arguments).output().unwrap()
}

#[test]
fn without_a_clock_the_compiled_in_controls_are_listed_with_a_note() {
    let output = control(&["list"]);
    assert_eq!(output.status.code(), Some(0));
    // The titles are aligned, two columns to the right of the longest name.
    let line = |title: &str| out(&output).lines().find(|l| l.ends_with(title)).map(str::to_owned);
    let (short, long) = (line("  Blitz 3+2").unwrap(), line("  40/120, 20/60, G/30").unwrap());
    assert!(short.starts_with("blitz-3-2 ") && long.starts_with("classical-40-120-20-60-30 "));
    assert_eq!(short.find("Blitz"), long.find("40/120"));
    assert!(err(&output).contains("no clock service"), "{}", err(&output));
    let listed = out(&control(&["list", "--json"]));
    let names: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(names.iter().any(|known| known["name"] == "fide-standard"));
}

#[test]
fn a_control_is_shown_in_words_and_as_its_file() {
    let text = out(&control(&["show", "fide-standard"]));
    let words = "40 moves in 1:30:00, then 0:30:00, 30 s a move from move 1";
    let first = format!("FIDE 40/90, G/30, +30: {words}. At the final flag both clocks stop.\n");
    assert!(text.starts_with(&first), "{text}");
    assert!(text.contains("[[period]]\nmoves = 40\ntime = \"1:30:00\"\n"), "{text}");
    let json: Value =
        serde_json::from_str(&out(&control(&["show", "us-g60-d5", "--json"]))).unwrap();
    assert_eq!(json["periods"][0]["method"]["white"], "delay");
    assert_eq!(json["periods"][0]["amount_ns"]["black"], 5_000_000_000_u64);
    assert_eq!((&json["after_flag"], &json["periods"][0]["moves"]), (&"halt".into(), &Value::Null));
    let output = control(&["show", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("no time control `nothing`"), "{}", err(&output));
}

#[test]
fn a_control_is_shown_in_both_notations_or_with_the_reason_why_not() {
    let text = out(&control(&["show", "fide-standard"]));
    assert!(text.contains("\nSpoken: 40/90, G/30, +30\nPGN: 40/5400+30:1800+30\n\n"), "{text}");
    let text = out(&control(&["show", "us-g60-d5"]));
    let lines = "\nSpoken: G/60 d5\nPGN: cannot be said: PGN's TimeControl has no delay\n\n";
    assert!(text.contains(lines), "{text}");
    let text = out(&control(&["show", "lightning-10"]));
    let lines = "10 s a move by gong. No flag falls.\nSpoken: cannot be said: the spoken notation has \
                 no gong\n";
    assert!(text.contains(lines), "{text}");
}

#[test]
fn a_notation_is_shown_in_words_and_as_a_file() {
    // No clock is asked for a notation.
    let output = control(&["show", "3+2"]);
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    let expected = "3+2: all moves in 0:03:00, 2 s a move from move 1. At the final flag both clocks \
                    stop.\nSpoken: 3+2\nPGN: 180+2\n\nname = \"3+2\"\n\n[[period]]\ntime = \
                    \"0:03:00\"\nincrement = \"0:00:02\"\n";
    assert_eq!(out(&output), expected);
    let pgn = out(&control(&["show", "pgn:40/7200:0+10"]));
    assert_eq!(pgn, out(&control(&["show", "g/120 with +10 from move 41"])));
    assert!(pgn.starts_with("G/120, +10 from 41: all moves in 2:00:00, 10 s a move from"), "{pgn}");

    // The last part is a control file.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    let (_, file) = pgn.split_once("\n\n").unwrap();
    std::fs::write(&path, file).unwrap();
    assert_eq!(pgn, out(&control(&["show", path.to_str().unwrap()])));
}

#[test]
fn every_correct_notation_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    // A file in the current folder is read only if it is given with a path, such as `./2h`.
    std::fs::write(folder.path().join("2h"), "").unwrap();
    for (notation, spoken) in [
        ("2h", "G/120"),
        ("1h", "G/60"),
        ("90m", "G/90"),
        ("10v7", "10 v 7"),
        ("G60", "G/60"),
        ("SD60 d5", "G/60 d5"),
        ("G/60\u{a0}d5", "G/60 d5"),
        ("40/90\nG/30", "40/90, G/30"),
        ("5'+3\"", "5+3"),
        ("3|2", "3+2"),
        ("90 min + 30 sec", "G/90+30"),
        ("90min", "G/90"),
        ("40/90 SD/30; inc/30", "40/90, G/30, +30"),
        ("90’/40+30’/end with incr. 30”/move, starting from move 1", "40/90, G/30, +30"),
        ("90 Minuten für 40 Züge + 30 Minuten", "40/90, G/30"),
        ("0+5", "0+5"),
        ("G/0 d5", "G/0 d5"),
    ] {
        let output = clockctl()
            .current_dir(&folder)
            .args(["time-control", "show", notation])
            .output()
            .unwrap();
        assert_eq!(err(&output), "", "{notation}");
        assert!(out(&output).starts_with(&format!("{spoken}: ")), "{}", out(&output));
    }
}

#[test]
fn json_has_every_property_of_a_control() {
    let json = |argument: &str| -> Value {
        serde_json::from_str(&out(&control(&["show", argument, "--json"]))).unwrap()
    };
    let standard = json("fide-standard");
    assert_eq!(standard["spoken"], "40/90, G/30, +30");
    assert_eq!(standard["pgn"], "40/5400+30:1800+30");
    assert_eq!((&standard["period_end"], &standard["repeat"]), (&"moves".into(), &false.into()));
    assert_eq!(standard["draw_odds"], Value::Null);
    let odds = json("5 v 4, +3 from 61, draw Black");
    assert_eq!((&odds["draw_odds"], &odds["pgn"]), (&"black".into(), &Value::Null));
    assert_eq!(json("36/90 repeat")["repeat"], true);
    let set_back = json("allegro-35-105-set-back-15");
    assert_eq!(set_back["period_end"], "black-completes");
    assert_eq!((&set_back["set_back_pause"], &set_back["spoken"]), (&true.into(), &Value::Null));
    let overtime = &json("byo-yomi-30-5x30")["periods"][0]["overtime"];
    let expected = serde_json::json!({"periods": 5, "time_ns": 30_000_000_000_u64, "moves": 1});
    assert_eq!((&overtime["white"], &overtime["black"]), (&expected, &expected));
    assert_eq!(standard["periods"][0]["overtime"]["white"], Value::Null);
}

#[test]
fn a_notation_that_is_wrong_is_refused_with_its_place() {
    for (notation, parts) in [
        ("40/5400+30:1800+30", &["write `pgn:40/5400+30:1800+30`"][..]),
        ("40/90", &["no time for the moves after move 40", "G/30"]),
        ("G/1:30", &["`1:30` (character 3)", "1:30:00 or 0:01:30"]),
        ("pgn:?", &["not known"]),
        ("pgn:60\u{1b}[2J", &["expected seconds"]),
        ("5~3", &["no time control `5~3`", "nor is it a notation: `~3` (character 2): `~` is"]),
        ("3 blitz", &["no time control `3 blitz`", "nor is it a notation: `blitz` (character 3)"]),
        ("G/60 x5", &["the time control G/60 x5: `x5` (character 6): not understood"]),
        ("40/2, SD/30, d10", &["write `40/2h, SD/30m, d10` or `40/2m, SD/30m, d10`"]),
        ("75 min + 15 min", &["for which moves", "`40/75 min + 15 min`"]),
        ("300+3", &["`300m+3`", "`pgn:300+3`"]),
    ] {
        let output = control(&["show", notation]);
        assert_eq!(output.status.code(), Some(2), "{notation}");
        for part in parts {
            assert!(err(&output).contains(part), "{notation}: {}", err(&output));
        }
        assert!(!err(&output).contains('\u{1b}'));
    }
    // With `./` before it, the notation becomes the path of a file.
    let output = control(&["show", "./40/90"]);
    assert!(err(&output).ends_with("the control file ./40/90: there is no such file\n"));
}

#[test]
fn every_file_is_checked_and_mistakes_are_named_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let bad = write("bad.toml", "name = 'x'\n[[period]]\ntime = '-5m'\n");
    let good = write("good.toml", "name = 'x'\n[[period]]\ntime = '5m'\n");
    let output = control(&["check", &bad, &good, "/nowhere.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(out(&output), format!("{good}: good: all moves in 0:05:00\n"));
    assert!(
        err(&output).contains(&format!("{bad}:3:8: `time`: `-5m` is negative")),
        "{}",
        err(&output)
    );
    assert!(err(&output).contains("/nowhere.toml: there is no such file"), "{}", err(&output));
    assert!(err(&output).contains("2 of 3 control files cannot be used"), "{}", err(&output));
    assert_eq!(control(&["check", &good]).status.code(), Some(0));
    let output = control(&["check", "--json", &bad, &good]);
    let objects: Vec<Value> =
        out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert!(objects[0]["error"].as_str().unwrap().contains("bad.toml:3:8: "), "{}", objects[0]);
    assert_eq!(objects[1]["control"]["words"], "all moves in 0:05:00");
    let quiet = control(&["check", "-q", &good]);
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(0), 0));
}

#[test]
fn control_characters_in_a_file_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    for text in ["name = \"red \\u001b[31m\"", "name = \"x\"\nperiod_end = \"\\u001b[2J\""] {
        std::fs::write(&path, format!("{text}\n[[period]]\ntime = '5m'\n")).unwrap();
        for verb in ["show", "check"] {
            let output = control(&[verb, path.to_str().unwrap()]);
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(!err(&output).contains('\u{1b}'), "{:?}", err(&output));
        }
    }
}
