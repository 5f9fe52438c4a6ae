//! Tests of the runner itself: a case that is wrong must fail.

use crate::clauses::{Clauses, is_listed};
use crate::compare::compare;
use crate::law_file::{self, LawFile, Rules, Shown, stem_of};
use crate::other_values::others;
use crate::parameters::changed_text;
use crate::script::first_change;
use crate::{game, script};
use clock_engine::rules::{Profile, citation};
use clock_engine::text::{Parameter, rule_presets};
use libtest_mimic::Trial;
use serde_json::{Value, json};

pub fn all() -> Vec<Trial> {
    let tests: [(&str, fn()); 11] = [
        ("runner_ignores_keys_that_are_not_expected", ignores_keys_that_are_not_expected),
        ("runner_names_the_place_of_a_difference", names_the_place_of_a_difference),
        ("runner_derives_file_names_from_clauses", derives_file_names_from_clauses),
        ("runner_names_file_and_line_of_a_bad_law_file", names_file_and_line_of_a_bad_law_file),
        ("runner_fails_a_script_with_another_answer", fails_a_script_with_another_answer),
        ("runner_fails_a_refused_case_without_refusal", fails_a_refused_case_without_refusal),
        ("runner_names_the_line_of_a_bad_script", names_the_line_of_a_bad_script),
        ("runner_sees_what_a_refused_input_changed", sees_what_a_refused_input_changed),
        ("runner_knows_the_parts_of_a_clause", knows_the_parts_of_a_clause),
        ("runner_misses_a_clause_without_cases", misses_a_clause_without_cases),
        ("runner_changes_each_parameter_to_other_values", changes_each_parameter_to_other_values),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    tests.into_iter().map(trial).collect()
}

fn ignores_keys_that_are_not_expected() {
    let got = json!({"phase": "running", "events": [{"kind": "press", "at_ns": 1}], "error": null});
    assert_eq!(compare(&json!({}), &got), Ok(()));
    assert_eq!(compare(&json!({"error": null, "events": [{"kind": "press"}]}), &got), Ok(()));
}

fn names_the_place_of_a_difference() {
    let got = json!({"white": {"moves": 1}, "events": [{"kind": "press"}]});
    let differ = |expected, message: &str| {
        assert_eq!(compare(&expected, &got), Err(message.to_owned()));
    };
    differ(json!({"white": {"moves": 2}}), "white.moves: expected 2, got 1");
    differ(json!({"white": {"moved": null}}), "white.moved: expected null, got no such key");
    differ(json!({"events": []}), r#"events: expected [], got [{"kind":"press"}]"#);
    let message = r#"events[0].kind: expected "flag", got "press""#;
    differ(json!({"events": [{"kind": "flag"}]}), message);
    differ(json!({"white": null}), r#"white: expected null, got {"moves":1}"#);
}

fn derives_file_names_from_clauses() {
    let stems = [
        ("S0 6.8a", "s0_6_8a"),
        ("S0 preface, draw offer", "s0_preface_draw_offer"),
        ("S1 ¶4", "s1_p4"),
        ("S2 III.5.2", "s2_iii_5_2"),
        ("US 14H", "us_14h"),
    ];
    for (clause, stem) in stems {
        assert_eq!(stem_of(clause), stem);
    }
}

/// A law file with one case. The case begins on line 3.
fn with_case(case: &str) -> String {
    format!("clause = 'S0 6.1'\ntitle = 'One clock runs'\n[[case]]\n{case}")
}

/// A law file with one script. The script begins on line 9.
fn with_script(kind: &str, script: &str) -> String {
    with_case(&format!(
        "name = 'x'\nkind = '{kind}'\nrules = 'handbook-county'\ncontrol = 'G/3'\nscript = '''\n\
         {script}\n'''\n"
    ))
}

fn names_file_and_line_of_a_bad_law_file() {
    let wrong = |text: &str, parts: &[&str]| {
        let message = law_file::parse("s0_6_1", text).unwrap_err();
        for part in parts.iter().chain(&["tests/laws/s0_6_1.toml"]) {
            assert!(message.contains(part), "{part}: {message}");
        }
    };
    wrong("clause = 'S0 6.2'\ntitle = 'x'\n", &[".toml:1: ", "s0_6_2.toml"]);
    wrong(&with_case("name = 'x'\nkind = 'odd'\n"), &["line 5", "accepted"]);
    wrong(&with_case("name = 'X'\nkind = 'refused'\n"), &[".toml:3: ", "small letters"]);
    wrong(&with_case("name = 'x'\nkind = 'refused'\n"), &[".toml:3: ", "expected a game"]);
    let game = "name = 'x'\nkind = 'refused'\ncontrol = 'G/3'\nscript = ''\n";
    wrong(&with_case(game), &[".toml:3: ", "`rules_text`"]);
    wrong(&with_case("name = 'x'\nkind = 'refused'\nscripts = ''\n"), &["line 6", "scripts"]);
}

fn fails_a_script_with_another_answer() {
    let started = "{\"at_ns\": 0, \"event\": \"start\"}\n=> {\"phase\": \"running\"}";
    assert_eq!(play(&with_script("accepted", started)), Ok(()));
    let wrong = "{\"at_ns\": 0, \"event\": \"start\"}\n\n# Why.\n=> {\"phase\": \"ready\"}";
    let message = play(&with_script("accepted", wrong)).unwrap_err();
    for part in ["s0_6_1.toml:9: ", "phase: expected \"ready\", got \"running\"", "input:"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let refused = "{\"at_ns\": 0, \"event\": \"resume\"}";
    let message = play(&with_script("accepted", refused)).unwrap_err();
    assert!(message.contains("expected no error, got {"), "{message}");
}

fn fails_a_refused_case_without_refusal() {
    let started = "{\"at_ns\": 0, \"event\": \"start\"}";
    let message = play(&with_script("refused", started)).unwrap_err();
    assert!(message.contains("s0_6_1.toml:9: the case is `refused`"), "{message}");
    let resumed = "{\"at_ns\": 0, \"event\": \"resume\"}\n=> {\"error\": {}}";
    assert_eq!(play(&with_script("refused", resumed)), Ok(()));
    let message = play(&with_script("accepted", resumed)).unwrap_err();
    assert!(message.contains("the case is `accepted`"), "{message}");
}

fn names_the_line_of_a_bad_script() {
    for (script, part) in [
        ("{\"at_ns\": 0, \"event\": \"show\"}\n=> {", ".toml:10: the expectation is no JSON"),
        ("=> {}", ".toml:9: an expectation before"),
        ("\nstart", ".toml:10: expected an input"),
        ("", ".toml:9: the script is empty"),
    ] {
        let message = play(&with_script("accepted", script)).unwrap_err();
        assert!(message.contains(part), "{part}: {message}");
    }
}

fn sees_what_a_refused_input_changed() {
    let answer = |moves: u32, error: Value| json!({"moves": moves, "error": error});
    let without = [answer(0, Value::Null), answer(0, Value::Null), answer(1, Value::Null)];
    let refused = json!({"code": "not-paused"});
    let same = [answer(0, Value::Null), answer(0, refused.clone()), answer(1, Value::Null)];
    assert_eq!(first_change(&same, &without), None);
    let at_once = [answer(0, Value::Null), answer(7, refused.clone()), answer(1, Value::Null)];
    assert_eq!(first_change(&at_once, &without), Some((1, 1)));
    let later = [answer(0, Value::Null), answer(0, refused), answer(2, Value::Null)];
    assert_eq!(first_change(&later, &without), Some((1, 2)));
}

fn knows_the_parts_of_a_clause() {
    for clause in ["S0 10.2", "S4 6.13", "S4 6.13d", "S2 III.3", "FIDE 9", "FIDE 9.5.3"] {
        assert!(is_listed(&citation(clause).to_string()), "{clause}");
    }
    for clause in ["S0 1", "S0 10.20", "S4", "S9 6.1", ""] {
        assert!(!is_listed(&citation(clause).to_string()), "{clause}");
    }
}

fn misses_a_clause_without_cases() {
    let list = |more: &str| -> Clauses {
        toml::from_str(&format!(
            "[[source]]\nid = 'S0'\nname = 'x'\ntitle = 'x'\n[[clause]]\nclause = 'S0 6.1'\nbehaviour = 'x'\n\
             command = 'x'\n{more}"
        ))
        .unwrap()
    };
    let started = "{\"at_ns\": 0, \"event\": \"start\"}";
    let file = law_file::parse("s0_6_1", &with_script("accepted", started)).unwrap();
    let faults = |list: Clauses, files: &[LawFile]| list.faults(files).join("; ");
    let files = [file];
    let missing = "S0 6.1: has no refused case and no reason in `no_refused`";
    assert_eq!(faults(list(""), &files), missing);
    assert_eq!(faults(list("no_refused = 'a reason'"), &files), "");
    let superfluous = faults(list("no_refused = 'y'\nno_accepted = 'y'"), &files);
    assert!(superfluous.contains("but also a reason"), "{superfluous}");
    assert!(faults(list("topic = 'y'"), &files).contains("no clause of clauses.toml has s0_6_1_x"));
    assert!(faults(list(""), &[]).contains("no accepted case"));
    let no_test = faults(list("no_refused = 'y'\ntests = ['Cargo.toml: nothing']"), &files);
    assert_eq!(no_test, "no test `nothing` stands in Cargo.toml");
}

/// Checks the only case of a law file.
fn play(text: &str) -> Result<(), String> {
    let file = law_file::parse("s0_6_1", text).unwrap();
    let [case] = &file.cases[..] else { panic!("one case") };
    let Shown::Script(script) = &case.shown else { panic!("a script") };
    script::check(script, case.kind, &game::read_rules(&script.game.rules)?)
}

fn changes_each_parameter_to_other_values() {
    for preset in rule_presets() {
        let profile = preset.read().profile;
        for parameter in Parameter::ALL {
            let (key, value) = (parameter.key, parameter.value(&profile));
            let others = others(&parameter.accepted(), &value);
            assert!(!others.is_empty(), "{key} = {value}");
            for other in others {
                assert_ne!(other, value, "{key}");
                let rules = Rules::Profile(preset.name.to_owned());
                let text = changed_text(&rules, key, &other);
                // Some values contradict other parameters of the file.
                match game::read_rules(&Rules::Text(text)) {
                    Ok(changed) => assert_eq!(parameter.value(&changed.profile), other, "{key}"),
                    Err(error) => assert!(!error.contains("expected"), "{key} = {other}: {error}"),
                }
            }
        }
    }
    let of = |key: &str| {
        let parameter = Parameter::ALL.iter().find(|parameter| parameter.key == key).unwrap();
        others(&parameter.accepted(), &parameter.value(&Profile::default()))
    };
    assert_eq!(of("both_flags"), ["\"drawn-in-last-period\"", "\"drawn\""]);
    assert_eq!((of("rates").len(), of("rates")[0].as_str()), (3, "[\"rapid\", \"blitz\"]"));
    assert_eq!(of("penalties").len(), 8);
    let first = "{ standard = \"0:01:00\", rapid = \"0:00:00\", blitz = \"0:00:00\" }";
    assert_eq!((of("illegal_award").len(), of("illegal_award")[0].as_str()), (3, first));
}
