//! The lines of claims, rulings and incidents, under a rule profile.

use super::*;
use clock_engine::rules::{
    Attachment, Claimant, Confirmation, Evidence, Ground, IncidentKind, LatePlayers, Penalty,
    PenaltyCause, PenaltyKind, ResultGround, Ruling,
};
use clock_engine::{Method, Span};

/// The event of a line with these fields, under a rule profile.
fn read(fields: &str) -> Result<ScriptEvent, String> {
    let line = format!("{{\"at_ns\":7,{fields}}}");
    parse(line.as_bytes(), Rules::Present).map(|line| line.event)
}

fn penalty(kind: PenaltyKind) -> Penalty {
    let (time, cause) = (Span::ZERO, None);
    Penalty { side: Side::White, kind, time, half_points: 0, cause }
}

#[test]
fn every_event_of_claims_and_rulings_is_an_action() {
    let white = Claimant::Player(Side::White);
    let minute = Span::from_secs(60);
    let flag = |by, evidence| Action::ClaimFlag { by, evidence };
    let draw = |ground, stop| Action::ClaimDraw { by: white, ground, stop, offer: None };
    let rule = |ruling, award| Action::Rule { ruling, side: None, award };
    for (fields, action) in [
        (r#""event":"claim-flag","by":"white""#, flag(white, Evidence::Flag)),
        (r#""event":"claim-flag","by":"arbiter""#, flag(Claimant::Arbiter, Evidence::Flag)),
        (
            r#""event":"claim-flag","by":"J. Smith","evidence":"display""#,
            flag(Claimant::Bystander, Evidence::Display),
        ),
        (
            r#""event":"claim-draw","by":"white","ground":"cannot-win""#,
            draw(Ground::CannotWin, true),
        ),
        (
            r#""event":"claim-draw","by":"white","ground":"no-effort","stop":false"#,
            draw(Ground::NoEffort, false),
        ),
        (
            r#""event":"claim-draw","by":"white","ground":"fifty-moves","stop":null"#,
            draw(Ground::FiftyMoves, true),
        ),
        (r#""event":"request-increment","by":"white""#, Action::RequestIncrement { by: white }),
        (r#""event":"offer-answer","answer":"refused""#, Action::rule(Ruling::DrawRefused)),
        (r#""event":"rule","decision":"postpone""#, rule(Ruling::Postpone, None)),
        (
            r#""event":"rule","decision":"reject","award_ns":60000000000"#,
            rule(Ruling::Reject, Some(minute)),
        ),
        (
            r#""event":"stop-ruling","ruling":"obviously-invalid""#,
            Action::rule(Ruling::ObviouslyInvalid),
        ),
        (
            r#""event":"default-ruling","side":"black","ruling":"forfeit""#,
            Action::rule_late(LatePlayers::Black, Ruling::Forfeit),
        ),
        (r#""event":"rule","ruling":"draw-accepted""#, Action::rule(Ruling::DrawAccepted)),
        (r#""event":"answer-offer","answer":"refused""#, Action::rule(Ruling::DrawRefused)),
        (r#""event":"give-ruling","decision":"reject""#, Action::rule(Ruling::Reject)),
        (r#""event":"give-stop-ruling","ruling":"valid""#, Action::rule(Ruling::Valid)),
        (
            r#""event":"give-default-ruling","side":"black","ruling":"waive""#,
            Action::rule_late(LatePlayers::Black, Ruling::Waive),
        ),
        (r#""event":"rule","decision":"accept""#, Action::rule(Ruling::DrawAccepted)),
        (r#""event":"rule","ruling":"white-loses""#, Action::rule(Ruling::WhiteLoses)),
        (r#""event":"rule","decision":"lost","side":"white""#, Action::rule(Ruling::WhiteLoses)),
        (r#""event":"rule","decision":"lost""#, Action::rule(Ruling::Lost)),
        (
            r#""event":"illegal-move","side":"white""#,
            Action::IllegalMove { side: Side::White, claimed: false, award: None },
        ),
        (
            r#""event":"illegal-move","side":"white","claimed":true,"award_ns":0"#,
            Action::IllegalMove { side: Side::White, claimed: true, award: Some(Span::ZERO) },
        ),
        (
            r#""event":"penalty","side":"white","kind":"warning","cause":"force""#,
            Action::Penalize(Penalty {
                cause: Some(PenaltyCause::Force),
                ..penalty(PenaltyKind::Warning)
            }),
        ),
        (
            r#""event":"penalty","side":"white","kind":"offender-minus","time_ns":60000000000"#,
            Action::Penalize(Penalty { time: minute, ..penalty(PenaltyKind::OffenderMinus) }),
        ),
        (
            r#""event":"penalty","side":"white","kind":"points-off","points":"0.5""#,
            Action::Penalize(Penalty { half_points: 1, ..penalty(PenaltyKind::PointsOff) }),
        ),
        (
            r#""event":"change-method","method":"delay","amount_ns":60000000000"#,
            Action::ChangeMethod { method: Method::Delay(minute), schedule_suffers: false },
        ),
        (
            r#""event":"change-method","method":"none","schedule_suffers":true"#,
            Action::ChangeMethod { method: Method::None, schedule_suffers: true },
        ),
        (
            r#""event":"result","result":"1/2-1/2","reason":"S3 8: only a king is left""#,
            Action::Result { outcome: Outcome::Drawn, ground: ResultGround::ArbitersDraw },
        ),
        (
            r#""event":"result","result":"1-0","reason":"mate""#,
            Action::Result { outcome: Outcome::WhiteWins, ground: ResultGround::Game },
        ),
        (r#""event":"arrive","side":"black""#, Action::Arrive(Side::Black)),
        (
            r#""event":"confirm","by":"black""#,
            Action::RecordConfirmation { by: Side::Black, what: None },
        ),
        (
            r#""event":"confirm","by":"black","what":"order-unknown""#,
            Action::RecordConfirmation { by: Side::Black, what: Some(Confirmation::OrderUnknown) },
        ),
        (
            r#""event":"attach","kind":"scoresheet","text":"x.pgn","verified_by":"black""#,
            Action::RecordAttachment {
                kind: Attachment::Scoresheet,
                verified_by: Some(Side::Black),
            },
        ),
        (r#""event":"refer""#, Action::Refer),
        (
            r#""event":"assistant","side":"black","accepted":false"#,
            Action::SetAssistant { side: Side::Black, accepted: false },
        ),
        (
            r#""event":"incident","side":"white","kind":"knock""#,
            Action::Incident { side: Side::White, kind: IncidentKind::Knock },
        ),
        (r#""event":"adjourn","side":"white","move":"41""#, Action::Adjourn { side: Side::White }),
        (r#""event":"adjourn","side":"white","move":41"#, Action::Adjourn { side: Side::White }),
        (r#""event":"continue""#, Action::ResumeAdjourned),
    ] {
        assert_eq!(read(fields), Ok(command(action)), "{fields}");
    }
}

#[test]
fn every_name_of_an_action_is_known_with_and_without_a_profile() {
    for name in NAMES.split(", ") {
        let event = format!("\"event\":\"{name}\"");
        if let Err(error) = read(&event) {
            assert!(error.contains("is missing; expected"), "{name}: {error}");
        }
        let line = format!("{{\"at_ns\":7,{event}}}");
        if let Err(error) = parse(line.as_bytes(), Rules::Absent) {
            assert!(error.contains("is missing; expected"), "{name}: {error}");
        }
    }
    assert_eq!(read(r#""event":"press","side":"black""#), Ok(ScriptEvent::Press(Side::Black)));
    let by_white = Command::Pause { by: Caller::Player(Side::White) };
    assert_eq!(read(r#""event":"stop","by":"white""#), Ok(command(by_white)));
}

#[test]
fn a_command_has_its_name_on_the_bus_and_earlier_names_stand_for_it() {
    for name in NAMES.split(", ") {
        assert!(COMMANDS.contains(&name), "{name}");
    }
    for (earlier, name) in EARLIER_NAMES {
        assert!(COMMANDS.contains(&name), "{name}");
        let of = |name| read(&format!("\"event\":\"{name}\""));
        assert_eq!(of(earlier), of(name), "{earlier}");
    }
}

#[test]
fn s0_6_9_what_a_bystander_does_is_no_malformed_line_but_refused() {
    for event in ["stop", "pause", "confirm"] {
        let line = format!("\"event\":\"{event}\",\"by\":\"spectator\"");
        assert_eq!(read(&line), Ok(ScriptEvent::Bystander), "{event}");
        let line = format!("\"event\":\"{event}\",\"by\":7");
        assert!(read(&line).is_err(), "{event}");
    }
}

#[test]
fn malformed_actions_say_what_was_given_and_what_is_expected() {
    for (fields, part) in [
        (
            r#""event":"claim-flag""#,
            "`by` is missing; expected \"white\", \"black\" or \"arbiter\"",
        ),
        (r#""event":"claim-flag","by":7"#, "`by` is 7"),
        (r#""event":"claim-flag","by":"white","evidence":"rumour""#, "\"display-and-other\""),
        (r#""event":"claim-draw","by":"white""#, "`ground` is missing; expected one of"),
        (r#""event":"claim-draw","by":"white","ground":"dull""#, "\"fifty-moves\""),
        (r#""event":"claim-draw","by":"white","ground":"no-effort","stop":"no""#, "true or false"),
        (r#""event":"rule","decision":"maybe""#, "\"not-established\""),
        (r#""event":"rule","decision":"reject","award_ns":-1"#, "`award_ns` is -1"),
        (r#""event":"rule","decision":"reject","award_ns":"2:00""#, "an integer of nanoseconds"),
        (r#""event":"stop-ruling","ruling":"invalid""#, "\"obviously-invalid\""),
        (r#""event":"default-ruling","ruling":"waive""#, "side is empty with the ruling waive"),
        (r#""event":"offer-answer","answer":"no""#, "\"draw-refused\""),
        (r#""event":"penalty","side":"white","kind":"slap""#, "\"offender-minus\""),
        (
            r#""event":"penalty","side":"white","kind":"warning","time_ns":1"#,
            "time_ns = 1 with the kind warning; expected 0",
        ),
        (
            r#""event":"penalty","side":"white","kind":"loss","points":"0.5""#,
            "points = \"0.5\" with the kind loss; expected 0",
        ),
        (
            r#""event":"penalty","side":"white","kind":"points-off","points":0.5"#,
            "`points` is 0.5; expected points as text, such as \"0.5\"",
        ),
        (r#""event":"penalty","side":"white","kind":"points-off","points":"0.25""#, "\"0.5\""),
        (r#""event":"change-method","method":"gong""#, "\"bronstein\""),
        (r#""event":"change-method","method":"delay""#, "amount_ns = 0 with the method delay"),
        (r#""event":"change-method","method":"none","amount_ns":1"#, "amount_ns = 1 with"),
        (r#""event":"result","result":"1-0""#, "`reason` is missing; expected a text"),
        (r#""event":"result","result":"1-0","reason":" ""#, "`reason` is \" \""),
        (r#""event":"confirm","by":"arbiter""#, "\"white\" or \"black\""),
        (r#""event":"confirm","by":"white","what":"all""#, "\"correction\""),
        (r#""event":"attach","kind":"details""#, "`text` is missing"),
        (
            r#""event":"attach","kind":"details","text":"x","verified_by":"x""#,
            "\"white\" or \"black\"",
        ),
        (r#""event":"incident","side":"white","kind":"same hand""#, "\"defect\""),
        (r#""event":"adjourn","side":"white""#, "`move` is missing"),
        (r#""event":"refer","side":"white""#, "`side` does not belong to the event refer"),
        (r#""event":"jump""#, "no event `jump`; expected start"),
    ] {
        let error = read(fields).expect_err(fields);
        assert!(error.contains(part), "{fields}: {error}");
    }
}
