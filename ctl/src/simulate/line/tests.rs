//! Which texts are lines of a script, and which are refused.

mod docs;
mod with_rules;

use super::*;
use clock_engine::{Method, Outcome, PerSide, Span};

fn command(command: impl Into<GameCommand>) -> ScriptEvent {
    ScriptEvent::Command(command.into())
}

#[test]
fn good_lines() {
    let white = |moves| PerSide { white: Some(moves), black: None };
    for (text, event) in [
        (r#"{"at_ns": 7, "event": "start"}"#, command(Command::Start)),
        (r#"{"at_ns":7,"event":"press","side":"black"}"#, ScriptEvent::Press(Side::Black)),
        (r#"{"at_ns":7,"event":"pause"}"#, command(Command::Pause { by: Caller::Arbiter })),
        (
            r#"{"at_ns":7,"event":"pause","by":"white"}"#,
            command(Command::Pause { by: Caller::Player(Side::White) }),
        ),
        (r#"{"at_ns":7,"event":"resume","side":null}"#, command(Command::Resume { side: None })),
        (
            r#"{"at_ns":7,"event":"resume","side":"black"}"#,
            command(Command::Resume { side: Some(Side::Black) }),
        ),
        (
            r#"{"at_ns":7,"event":"add-time","side":"white","delta_ns":-1}"#,
            command(Command::Add { side: Side::White, delta_ns: -1 }),
        ),
        (
            r#"{"at_ns":7,"event":"set-moves","side":"white","moves":40}"#,
            command(Command::Set(Correction { moves: white(40), ..Correction::default() })),
        ),
        (
            r#"{"at_ns":7,"event":"set-period","side":"white","period":2,"periods_left":null}"#,
            command(Command::Set(Correction { period: white(2), ..Correction::default() })),
        ),
        (
            r#"{"at_ns":7,"event":"set-period","side":"white","period":2,"periods_left":5,"moves_left":3}"#,
            command(Command::Set(Correction {
                period: white(2),
                overtime_periods: white(5),
                overtime_moves: white(3),
                ..Correction::default()
            })),
        ),
        (
            r#"{"at_ns":7,"event":"result","result":"1/2-1/2","reason":"agreed"}"#,
            command(Command::Finish(Outcome::Drawn)),
        ),
        (
            r#"{"at_ns":7,"event":"change-control","control":"G/3"}"#,
            ScriptEvent::ChangeTimeControl {
                control: Control::single(Span::from_secs(180), Method::None),
                recompute: false,
                schedule_suffers: false,
            },
        ),
        (
            r#"{"at_ns":7,"event":"change-control","control":"blitz-5-0","recompute":true,"schedule_suffers":true}"#,
            ScriptEvent::ChangeTimeControl {
                control: Control::single(Span::from_secs(300), Method::None),
                recompute: true,
                schedule_suffers: true,
            },
        ),
        (r#"{"at_ns":7,"event":"show"}"#, ScriptEvent::Show),
        (
            r#"{"at_ns":7,"event":"claim-flag","by":"black"}"#,
            ScriptEvent::NeedsProfile("claim-flag"),
        ),
        (r#"{"at_ns":7,"event":"undo-press"}"#, command(Command::UndoPress)),
        (r#"{"at_ns":7,"event":"reopen"}"#, command(Command::Reopen)),
        (
            r#"{"at_ns":7,"event":"stop","by":"black"}"#,
            command(Command::Pause { by: Caller::Player(Side::Black) }),
        ),
        (r#"{"at_ns":7,"event":"arrive","side":"black"}"#, ScriptEvent::Show),
        (r#"{"at_ns":7,"event":"assistant","side":"black","accepted":true}"#, ScriptEvent::Show),
        (r#"{"at_ns":7,"event":"incident","side":"white","kind":"same hand"}"#, ScriptEvent::Show),
        (
            r#"{"at_ns":7,"event":"attach","kind":"witness","text":"saw it","verified_by":"x"}"#,
            ScriptEvent::Show,
        ),
        (r#"{"at_ns":7,"event":"adjourn","side":"white"}"#, ScriptEvent::NeedsProfile("adjourn")),
    ] {
        assert_eq!(
            parse(text.as_bytes(), Rules::Absent),
            Ok(ScriptLine { at_ns: 7, event }),
            "{text}"
        );
    }
}

#[test]
fn malformed_lines_say_what_was_given_and_what_is_expected() {
    for (text, part) in [
        ("", "empty line"),
        ("[]", "expected a JSON object such as"),
        (r#"{"at_ns":1,"at_ns":5,"event":"show"}"#, "`at_ns` is given twice"),
        ("nonsense", "at column 2"),
        ("  x", "at column 3"),
        ("  ", "empty line"),
        ("{", "the text ends too early"),
        ("{}", "`at_ns` is missing"),
        (r#"{"at_ns":-1,"event":"show"}"#, "`at_ns` is -1"),
        (r#"{"at_ns":1.5,"event":"show"}"#, "`at_ns` is 1.5"),
        (r#"{"at_ns":18446744073709551616,"event":"show"}"#, "expected an integer"),
        (r#"{"at_ns":1}"#, "`event` is missing"),
        (r#"{"at_ns":1,"event":"jump"}"#, "no event `jump`; expected start"),
        (r#"{"at_ns":1,"event":"press"}"#, "`side` is missing"),
        (r#"{"at_ns":1,"event":"change-control"}"#, "`control` is missing"),
        (
            r#"{"at_ns":1,"event":"change-control","control":"fide"}"#,
            "`control` is \"fide\"; expected the name of a shipped one or a notation: ",
        ),
        (r#"{"at_ns":1,"event":"change-control","control":"3+2","recompute":1}"#, "true or false"),
        (r#"{"at_ns":1,"event":"press","side":"red"}"#, "\"red\"; expected \"white\""),
        (r#"{"at_ns":1,"event":"show","side":"white"}"#, "`side` does not belong"),
        (r#"{"at_ns":1,"event":"set-moves","side":"white","moves":4294967296}"#, "4294967295"),
        (
            r#"{"at_ns":1,"event":"set-period","side":"white","period":1,"moves_left":-1}"#,
            "`moves_left` is -1; expected an integer from 0",
        ),
        (
            r#"{"at_ns":1,"event":"set-period","side":"white","periods_left":1}"#,
            "`period` is missing",
        ),
        (
            r#"{"at_ns":1,"event":"set-moves","side":"white","moves":1,"moves_left":1}"#,
            "`moves_left` does not belong",
        ),
        (r#"{"at_ns":1,"event":"result","result":"2-0"}"#, "1/2-1/2"),
        (r#"{"at_ns":1,"event":"pause","by":"nobody"}"#, "\"arbiter\""),
        (r#"{"at_ns":1,"event":"stop","by":"arbiter"}"#, "\"white\" or \"black\""),
        (r#"{"at_ns":1,"event":"stop"}"#, "`by` is missing"),
        (r#"{"at_ns":1,"event":"attach","kind":"photo","text":"x"}"#, "\"scoresheet\""),
        (r#"{"at_ns":1,"event":"attach","kind":"details"}"#, "`text` is missing"),
        (r#"{"at_ns":1,"event":"assistant","side":"white"}"#, "`accepted` is missing"),
        (r#"{"at_ns":1,"event":"undo-press","side":"white"}"#, "`side` does not belong"),
        ("\u{fffd}", "no value; expected one"),
    ] {
        let error = parse(text.as_bytes(), Rules::Absent).expect_err(text);
        assert!(error.contains(part), "{text}: {error}");
    }
    assert!(parse(&[0xff, 0xfe], Rules::Absent).is_err());
}
