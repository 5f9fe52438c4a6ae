//! The verbs of claims, rulings and penalties: the call that each sends, and what is shown.

use std::fs;

use clock_dbus::{
    Answer, ClaimState, Error, Phase, Question, QuestionKind, QuestionProgress, Ruling, SideState,
    State, Who,
};
use serde_json::json;

use crate::fake::{self, Fake, SECOND};
use crate::private_bus::PrivateBus;
use crate::program::run;
use crate::verbs::{good, json as object, paused};

fn rule(ruling: Ruling) -> Answer {
    Answer {
        ruling: Some(ruling),
        side: None,
        award_nsec: None,
        white_delta_nsec: 0,
        black_delta_nsec: 0,
        phase: Phase::Paused,
        result: String::new(),
    }
}

/// White has claimed a draw with 1:12.25 left; Black has 2:30.
pub fn claimed() -> State {
    let award = 120_000_000_000;
    let answers = vec![
        Answer { black_delta_nsec: award, ..rule(Ruling::Reject) },
        Answer {
            award_nsec: Some(120_000_000_000),
            black_delta_nsec: award,
            ..rule(Ruling::Postpone)
        },
        Answer { phase: Phase::Over, result: "1/2-1/2".to_owned(), ..rule(Ruling::Drawn) },
    ];
    let question = Question {
        kind: Some(QuestionKind::Claim),
        side: Who::White,
        since_nsec: 58 * SECOND,
        progress: QuestionProgress::Nothing,
        answers,
    };
    State {
        phase: Phase::Ruling,
        white: SideState { remaining_nsec: 72 * SECOND + SECOND / 4, ..paused().white },
        black: SideState { remaining_nsec: 150 * SECOND, ..paused().black },
        rules: "handbook-county".to_owned(),
        claim_by: Who::White,
        claim_ground: "no-effort".to_owned(),
        claim_state: ClaimState::Called,
        questions: vec![question],
        ..paused()
    }
}

/// Each command line with the call that it sends.
const CALLS: &[(&str, &str)] = &[
    ("claim flag --by white", r#"claim-flag white flag 7 """#),
    (
        "claim flag --by bystander --evidence display-and-other",
        r#"claim-flag bystander display-and-other 7 """#,
    ),
    ("claim draw no-effort --by white", r#"claim-draw white no-effort true "" 7 """#),
    (
        "claim draw cannot-win --by black --no-stop --offer refused",
        r#"claim-draw black cannot-win false "refused" 7 """#,
    ),
    (
        "claim draw repetition --by black --offer none",
        r#"claim-draw black repetition true "" 7 """#,
    ),
    (
        "claim draw fifty-moves --by black --offer accepted",
        r#"claim-draw black fifty-moves true "accepted" 7 """#,
    ),
    ("claim increment --by black", r#"request-increment black 7 """#),
    ("flag", r#"claim-flag arbiter flag 7 """#),
    ("flag --by black", r#"claim-flag black flag 7 """#),
    ("rule not-made --reason counted", r#"rule not-made "" -1 7 "counted""#),
    ("rule reject --award 3m", r#"rule reject "" 180000000000 7 """#),
    ("rule postpone --award 0s", r#"rule postpone "" 0 7 """#),
    ("rule white-loses", r#"rule white-loses "" -1 7 """#),
    ("rule black-loses", r#"rule black-loses "" -1 7 """#),
    ("rule call", r#"rule call "" -1 7 """#),
    ("rule obviously-invalid", r#"rule obviously-invalid "" -1 7 """#),
    ("rule forfeit --side both", r#"rule forfeit "both" -1 7 """#),
    (
        "penalize black opponent-points 0 --cause other",
        r#"penalize Black opponent-points 0 0 other 7 """#,
    ),
    ("rule waive --side black", r#"rule waive "black" -1 7 """#),
    ("rule draw-accepted", r#"rule draw-accepted "" -1 7 """#),
    ("rule increment-agreed", r#"rule increment-agreed "" -1 7 """#),
    ("rule increment-refused", r#"rule increment-refused "" -1 7 """#),
    ("penalize white warning --cause force", r#"penalize White warning 0 0 force 7 """#),
    ("penalize black opponent-plus 2m", r#"penalize Black opponent-plus 120000000000 0  7 """#),
    ("penalize black points-off 0.5", r#"penalize Black points-off 0 1  7 """#),
    ("illegal-move white", r#"illegal-move White false -1 7 """#),
    ("illegal-move black --claimed --award 1m", r#"illegal-move Black true 60000000000 7 """#),
    ("arrive black", r#"arrive Black 7 """#),
    ("record-confirmation white", r#"record-confirmation White "" 7 """#),
    (
        "record-confirmation black order-unknown",
        r#"record-confirmation Black "order-unknown" 7 """#,
    ),
    ("refer", r#"refer 7 """#),
    ("record-attachment details Rd8", r#"record-attachment details "Rd8" Nobody 7 """#),
    (
        "record-attachment position 8/8 --verified-by black",
        r#"record-attachment position "8/8" Black 7 """#,
    ),
    ("incident white knock", r#"incident White knock 7 """#),
    ("set-assistant white yes", r#"set-assistant White true 7 """#),
    ("set-assistant black no", r#"set-assistant Black false 7 """#),
    ("adjourn white 41", r#"adjourn White "41" 7 """#),
    ("resume-adjourned", r#"resume-adjourned 0 7 """#),
    ("resume-adjourned 12", r#"resume-adjourned 12 7 """#),
    ("set-rules fide-2023", r#"set-rules fide-2023 7 """#),
    ("change-time-control fide-long", r#"change-time-control fide-long 0 false false 7 """#),
    (
        "change-time-control fide-long --recompute --schedule-suffers",
        r#"change-time-control fide-long 0 true true 7 """#,
    ),
    (
        "change-method increment 30s --schedule-suffers",
        r#"change-method increment 30000000000 true 7 """#,
    ),
    ("announce lunch", r#"announce "lunch" 7 """#),
    ("set-buttons exchanged", r#"set-buttons true 7 """#),
    ("set-buttons as-wired", r#"set-buttons false 7 """#),
    ("change-method none", r#"change-method none 0 false 7 """#),
    ("result 1-0 mate", r#"result 1-0 7 "mate""#),
    ("result 1-0 --reason mate", r#"result 1-0 7 "mate""#),
];

#[test]
fn every_verb_sends_its_call() {
    let bus = PrivateBus::start();
    for (words, expected) in CALLS {
        let fake = Fake::start(&bus, paused());
        let args: Vec<&str> = words.split(' ').collect();
        let ran = run(&bus, &[&args[..], &["-q"]].concat());
        assert_eq!(good(&ran), "", "{words}");
        assert_eq!(fake.calls(), ["get-state", expected], "{words}");
    }
}

#[test]
fn every_verb_shows_the_clause_of_a_refusal_and_is_not_sent_for_an_earlier_revision() {
    let bus = PrivateBus::start();
    let says = "the arbiter cannot call a flag; a player calls it (US 13C)";
    for (words, _) in CALLS {
        let fake = Fake::start(&bus, paused());
        fake.answer(fake::Answer::Refuse(Error::RefusedByRules, says));
        let args: Vec<&str> = words.split(' ').collect();
        let ran = run(&bus, &[&args[..], &["--json", "--if-revision", "7"]].concat());
        assert_eq!(ran.exit, 5, "{words}: {ran:?}");
        assert!(ran.err.contains(says), "{words}: {ran:?}");
        let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(printed["error"]["code"], "refused-by-rules", "{words}");
        assert!(fake.calls()[1].contains(" 7 "), "{words}: {:?}", fake.calls());
        fake.script.lock().unwrap().calls.clear();
        let ran = run(&bus, &[&args[..], &["--if-revision", "5"]].concat());
        let why = "the clock has changed since: revision 5 was given, it is at 7 now";
        assert!(ran.exit == 5 && ran.err.contains(why), "{words}: {ran:?}");
        assert!(
            !fake.calls().iter().any(|call| call.contains(" 5 ")),
            "{words}: {:?}",
            fake.calls()
        );
    }
}

#[test]
fn a_game_without_a_rule_profile_has_its_own_code() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.answer(fake::Answer::Refuse(Error::NoProfile, "this game has none"));
    let ran = run(&bus, &["flag", "--json"]);
    assert_eq!(ran.exit, 5, "{ran:?}");
    assert!(ran.out.contains(r#""code":"no-profile""#), "{ran:?}");
    assert!(
        ran.err.contains("this game has none (clockctl set-rules NAME, with a name of"),
        "{ran:?}"
    );
    fake.change(|state| (state.phase, state.running) = (Phase::Running, Who::White));
    let ran = run(&bus, &["incident", "white", "other"]);
    let hint = "(stop the clocks first: clockctl pause; then: clockctl set-rules NAME";
    assert!(ran.err.contains(hint), "{ran:?}");
}

#[test]
fn wrong_words_exit_2_before_anything_is_sent() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    for (words, says) in [
        ("rule rejected", "a ruling is one of call, white-loses, black-loses, drawn, made"),
        ("rule valid --award 2m", "--award goes with postpone and reject only"),
        ("rule forfeit", "nobody has passed the default time"),
        ("penalize white opponent-plus", "opponent-plus needs a time"),
        ("penalize white points-off 0.3", "expected 0.5, 1, 1.5"),
        ("penalize white warnings", "a penalty is one of warning, opponent-plus"),
        ("claim draw --by white", "<GROUND>"),
        (
            "record-attachment scoresheet @/nowhere/sheet.jpg",
            "the file /nowhere/sheet.jpg: there is no such file",
        ),
        ("change-method delay", "delay needs a time"),
        ("new --start-at 25:00", "a time of day from 0:00 to 23:59"),
        ("result 1-0 mate --reason mate", "cannot be used with"),
    ] {
        let args: Vec<&str> = words.split(' ').collect();
        let ran = run(&bus, &args);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{words}: {ran:?}");
        assert!(ran.err.contains(says), "{words}: {ran:?}");
    }
    assert!(fake.calls().iter().all(|call| call.starts_with("get-")), "{:?}", fake.calls());
}

#[test]
fn a_ruling_shows_both_readings() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, claimed());
    let ran = run(&bus, &["rule", "reject"]);
    let out = good(&ran);
    assert!(out.contains("after") && out.contains("0:04:30"), "{out}");
    assert!(out.ends_with("paused: White 0:01:12.3 (on move), Black 0:04:30.0\n"), "{out}");
}

#[test]
fn status_shows_the_rules_the_claim_and_the_command_for_each_ruling() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, claimed());
    let first = "\
ruling: the arbiter has to decide; White is on move
question  White's draw claim (no-effort)
          clockctl rule reject
          clockctl rule postpone --award 0:02:00
          clockctl rule drawn
";
    let last = "\
control   classical
rules     handbook-county
claim     White, no-effort: a ruling is awaited
revision  7
";
    let ran = run(&bus, &["status"]);
    let out = good(&ran);
    assert!(out.starts_with(first) && out.ends_with(last), "{}", ran.out);
    let status = object(&run(&bus, &["status", "--json"]));
    assert_eq!(status["rules"], "handbook-county");
    let claim = ["claim_by", "claim_ground", "claim_state"].map(|key| &status[key]);
    assert_eq!(claim, ["white", "no-effort", "called"]);
    let question = &status["questions"][0];
    assert_eq!((&question["kind"], &question["side"]), (&json!("claim"), &json!("white")));
    let reject = json!({
        "ruling": "reject", "side": null, "award_ns": null, "white_delta_ns": 0,
        "black_delta_ns": 120_000_000_000_u64, "phase": "paused", "result": null,
    });
    assert_eq!(question["answers"][0], reject);
}

#[test]
fn every_command_shows_what_awaits_a_ruling_after_it() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, claimed());
    for args in
        [&["pause", "--by", "white"][..], &["incident", "white", "force"], &["arrive", "white"]]
    {
        let ran = run(&bus, args);
        assert!(good(&ran).contains("          clockctl rule reject\n"), "{ran:?}");
    }
}

/// In play without an arbiter, the clock offers no ruling on a claim. `status` shows the commands
/// with which the players settle the claim.
#[test]
fn status_says_how_a_claim_without_an_arbiter_is_settled() {
    let bus = PrivateBus::start();
    let mut state = claimed();
    state.questions[0].answers.clear();
    let _fake = Fake::start(&bus, state);
    let out = good(&run(&bus, &["status"])).to_owned();
    let expected = "\
          clockctl record-attachment position TEXT --verified-by black and clockctl record-attachment scoresheet TEXT \
                    --verified-by black; then clockctl refer; then the designated arbiter: clockctl result RESULT \
                    REASON\n";
    assert!(out.contains(&format!("          {expected}")), "{out}");
}

#[test]
fn status_shows_an_adjourned_game() {
    let bus = PrivateBus::start();
    let state = State { adjourned: Who::White, on_move: Who::Black, ..paused() };
    let _fake = Fake::start(&bus, state);
    let ran = run(&bus, &["status"]);
    assert!(good(&ran).starts_with("adjourned: White has sealed; Black is on move\n"), "{ran:?}");
    assert_eq!(object(&run(&bus, &["status", "--json"]))["adjourned"], "white");
}

#[test]
fn a_file_is_attached_with_its_name_and_its_sum() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let file = bus.folder().join("sheet 1.txt");
    fs::write(&file, "abc").unwrap();
    let argument = format!("@{}", file.display());
    let ran = run(&bus, &["record-attachment", "scoresheet", &argument]);
    let text =
        "sheet 1.txt sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    good(&ran);
    assert_eq!(fake.calls()[1], format!("record-attachment scoresheet {text:?} Nobody 7 \"\""));
    let folder =
        run(&bus, &["record-attachment", "scoresheet", &format!("@{}", bus.folder().display())]);
    assert_eq!(folder.exit, 2, "{folder:?}");
    assert!(folder.err.contains("no regular file"), "{folder:?}");
}

#[test]
fn new_names_the_rules_the_start_and_the_captain() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let args = ["new", "-q", "--rules", "handbook-county", "--captain-plays", "black"];
    good(&run(&bus, &[&args[..], &["--present-arbiter", "Ann"]].concat()));
    let call = fake.calls()[1].clone();
    for part in ["Some(\"handbook-county\")", "captain_plays: Some(Black)", "Some(\"Ann\")"] {
        assert!(call.contains(part), "{call}");
    }
    assert!(call.contains("start_at_realtime_nsec: None"), "{call}");
    // 0:00 today has always passed.
    let ran = run(&bus, &["new", "--start-at", "0:00"]);
    assert!(ran.exit == 2 && ran.err.contains("has passed today"), "{ran:?}");
}

#[test]
fn every_verb_says_of_a_command_that_it_is_not_on_record() {
    let bus = PrivateBus::start();
    let of_the_clock = [
        "start",
        "pause --by white",
        "resume",
        "set --white-time 1m",
        "add white 1m",
        "undo-press",
        "result 1-0",
        "reopen",
        "new",
    ];
    let words = CALLS.iter().map(|(words, _)| *words).chain(of_the_clock);
    for words in words {
        let args: Vec<&str> = words.split(' ').collect();
        for recorded in [false, true] {
            let fake = Fake::start(&bus, paused());
            fake.script.lock().unwrap().recorded = recorded;
            let ran = run(&bus, &args);
            let last = good(&ran).lines().last().unwrap_or_default();
            assert_eq!(last.starts_with("(not on record yet: "), !recorded, "{words}: {}", ran.out);
            fake.change(|state| *state = paused());
            let object = object(&run(&bus, &[&args[..], &["--json"]].concat()));
            assert_eq!(object["recorded"], recorded, "{words}");
        }
    }
}

#[test]
fn each_command_prints_what_the_clock_says_that_it_did() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, paused());
    for words in [
        "incident white knock",
        "set-assistant w yes",
        "arrive black",
        "change-method none",
        "penalize white warning --cause force",
        "illegal-move white",
        "record-attachment details Rd8",
        "set-rules fide-2023",
        "set-buttons as-wired",
    ] {
        let args: Vec<&str> = words.split(' ').collect();
        let ran = run(&bus, &args);
        let (first, rest) = good(&ran).split_once('\n').unwrap();
        assert_eq!(first, fake::DONE, "{words}");
        assert_eq!(rest, "paused: White 1:29:58.3 (on move), Black 1:30:00.0\n", "{words}");
        let ran = object(&run(&bus, &[&args[..], &["--json"]].concat()));
        assert_eq!(ran["done"], fake::DONE, "{words}");
        assert_eq!(ran["before"]["white"]["remaining_ns"], 5_398_250_000_000_u64, "{words}");
    }
}
