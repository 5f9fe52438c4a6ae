//! `clockctl rules`, without a clock.

use serde_json::Value;
use std::process::Output;

use crate::program::{clockctl, err, out};

fn rules(arguments: &[&str]) -> Output {
    clockctl().arg("rules").args(arguments).output().unwrap()
}

#[test]
fn without_a_clock_the_compiled_in_profiles_are_listed() {
    let output = rules(&["list"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(err(&output).contains("these are the rule profiles every clock has"), "{output:?}");
    let listed = out(&output);
    let names: Vec<&str> =
        listed.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    let shipped = [
        "allegro-1996",
        "fide-2023",
        "fide-article-6",
        "guidelines-iii",
        "guidelines-iii-unsupervised",
        "handbook-county",
        "players-agree",
        "us-chess",
    ];
    assert_eq!(names, shipped);
    assert!(listed.contains("fide-2023                    FIDE Laws of Chess 2023\n"), "{listed}");
    let json = out(&rules(&["list", "--json"]));
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first, serde_json::json!({"name": "allegro-1996", "title": "Allegro finish 1996"}));
    assert_eq!(rules(&["list", "-q"]).stdout.len(), 0);
}

#[test]
fn a_profile_is_shown_with_the_meaning_and_the_file_of_every_parameter() {
    let text = out(&rules(&["show", "guidelines-iii-unsupervised"]));
    let title = "FIDE Guidelines III, without an arbiter, inherits guidelines-iii, fide-2023, fide-article-6\n";
    assert!(text.starts_with(title), "{text}");
    for part in [
        "\nauthority = \"nobody\"\n    Who has the arbiter's authority.\n    From guidelines-iii-unsupervised; Chess Organisers' Handbook preface, FIDE Guidelines III.6.\n",
        "\nclaim_below = \"0:02:00\"\n",
        "    From guidelines-iii; Chess Organisers' Handbook 10.2, FIDE Guidelines III.5, \
         FIDE Guidelines III.6.1, Irish allegro rules 7.\n",
        "\nillegal_loses_at = 2\n",
        "    From fide-2023; FIDE Laws 2023 7.5.5.\n",
        "\nhold_warning = \"0:00:03\"\n",
        "    From fide-article-6; Chess Organisers' Handbook 6.8b, Irish allegro rules 4.1.\n",
        "\nGuidance on claim:\n    The claim has ended the game.",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let output = rules(&["show", "fide2023"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("no rule profile `fide2023`; perhaps fide-2023?"), "{output:?}");
}

#[test]
fn a_profile_is_one_object_for_scripts() {
    let json: Value =
        serde_json::from_str(&out(&rules(&["show", "allegro-1996", "--json"]))).unwrap();
    assert_eq!(
        (&json["name"], &json["title"]),
        (&"allegro-1996".into(), &"Allegro finish 1996".into())
    );
    assert_eq!(json["inherits"], serde_json::json!(["fide-article-6"]));
    let parameters = json["parameters"].as_array().unwrap();
    let parameter = |key: &str| parameters.iter().find(|found| found["key"] == key).unwrap();
    assert_eq!(parameter("both_flags")["value"], "\"drawn\"");
    assert_eq!(parameter("both_flags")["from"], "allegro-1996");
    assert_eq!(parameter("hold_warning")["from"], "fide-article-6");
    assert!(json["guidance"]["claim"].as_str().unwrap().starts_with("You need not decide at once"));
}

#[test]
fn files_are_checked_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let bad = write("bad.toml", "name = 'x'\nshow_moves = 'yes'\n");
    let club = write("club.toml", "name = 'Club'\ninherits = 'us-chess'\n");
    let juniors = write("juniors.toml", "name = 'Juniors'\ninherits = 'club'\n");
    let output = rules(&["check", &bad, &juniors, "/nowhere.toml", &club]);
    assert_eq!(output.status.code(), Some(2));
    let good = format!(
        "{juniors}: good: Juniors, inherits club, us-chess, fide-article-6\n\
         {club}: good: Club, inherits us-chess, fide-article-6\n"
    );
    assert_eq!(out(&output), good);
    let errors = err(&output);
    for part in [
        &format!("{bad}:2:14: `show_moves = 'yes'`; expected true or false")[..],
        "the rule file /nowhere.toml: there is no such file",
        "2 of 4 rule files cannot be used",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let output = rules(&["check", "--json", &bad, &club]);
    let objects: Vec<Value> =
        out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert!(objects[0]["error"].as_str().unwrap().contains("bad.toml:2:14: "), "{}", objects[0]);
    assert_eq!((&objects[0]["rules"], &objects[1]["error"]), (&Value::Null, &Value::Null));
    assert_eq!(objects[1]["rules"]["title"], "Club");
    // A shipped file is checked by its path, too.
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/rules/guidelines-iii.toml");
    let quiet = rules(&["check", "-q", shipped]);
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(0), 0), "{}", err(&quiet));
}

#[test]
fn nothing_of_a_file_controls_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml").display().to_string();
    std::fs::write(&path, "name = 'ab'\nguidance.flag = \"c\\u001b[2Jd\"\n").unwrap();
    for arguments in [["show", &path], ["check", &path]] {
        let output = rules(&arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(!out(&output).contains('\u{1b}'), "{}", out(&output));
    }
    let wrong = folder.path().join("y.toml").display().to_string();
    for text in ["name = 'a'\n\"\\u001b[2J\" = 1\n", "name = \"a\\u001b[2Jb\"\n"] {
        std::fs::write(&wrong, text).unwrap();
        let output = rules(&["show", &wrong]);
        assert!(output.status.code() == Some(2) && !err(&output).contains('\u{1b}'), "{output:?}");
    }
}
