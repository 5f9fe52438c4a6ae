//! Target: any bytes as the lines of a script for `clockctl simulate`.

use clock_engine::text::presets;
use clock_engine::{Advance, Control, Method, Overtime, PerSide, Period, Span, Terms};
use clockctl::simulate::Game;
use serde_json::Value;
use std::sync::LazyLock;

/// The first byte names the control, the rest is the script. Every line has one answer, on one line
/// of JSON; time does not go back; a malformed line leaves the clock as it was.
pub fn script_lines(data: &[u8]) {
    let Some((first, script)) = data.split_first() else { return };
    let mut game = Game::new(control(*first));
    let mut before: Option<Value> = None;
    let mut malformed = false;
    for (number, line) in (1..).zip(script.split(|byte| *byte == b'\n')) {
        let answer = game.play(number, line.trim_ascii_end());
        let text = serde_json::to_string(&answer).expect("an answer is JSON");
        assert!(!text.contains('\n'), "{text}");
        let answer: Value = serde_json::from_str(&text).expect("the answer is JSON");
        let error = &answer["error"];
        let bad = error["code"] == "bad-input";
        malformed |= bad;
        assert_eq!(game.malformed, malformed, "{text}");
        assert!(!bad || error["line"] == number, "{text}");
        check_events(&answer);
        if let Some(before) = before {
            assert!(nanos(&answer, "at_ns") >= nanos(&before, "at_ns"), "{before}\n{text}");
            assert!(!bad || clock(&answer) == clock(&before), "{before}\n{text}");
        }
        before = Some(answer);
    }
}

/// Events come in order, none later than the line that they answer.
fn check_events(answer: &Value) {
    let events = answer["events"].as_array().expect("a list");
    let times: Vec<u64> = events.iter().map(|event| nanos(event, "at_ns")).collect();
    assert!(times.is_sorted(), "{answer}");
    assert!(times.last().is_none_or(|last| *last <= nanos(answer, "at_ns")), "{answer}");
}

fn nanos(object: &Value, key: &str) -> u64 {
    object[key].as_u64().expect("nanoseconds")
}

/// The state of the clock, without the events and the error of the line.
fn clock(answer: &Value) -> Vec<&Value> {
    let keys = ["at_ns", "phase", "running", "white", "black", "first_flag"];
    keys.iter().map(|key| &answer[key]).collect()
}

/// The shipped controls, and one of each kind that is not among them; read once.
fn control(byte: u8) -> Control {
    static ALL: LazyLock<Vec<Control>> = LazyLock::new(|| {
        let shipped = presets().iter().map(|preset| preset.read().control);
        special().into_iter().chain(shipped).collect()
    });
    ALL[usize::from(byte) % ALL.len()]
}

fn special() -> [Control; 13] {
    let (second, minute) = (Span::from_secs(1), Span::from_secs(60));
    let last = |time: Span, method: Method| Period {
        moves: None,
        time: PerSide::both(time),
        method: PerSide::both(method),
    };
    let two = |advance: Advance| {
        let periods =
            [Period { moves: Some(2), ..last(minute, Method::None) }, last(minute, Method::None)];
        Control::new(&periods, Terms { advance, ..Terms::default() })
    };
    let one = |time, method| Control::new(&[last(time, method)], Terms::default());
    let overtime = |periods, moves| Method::Overtime(Overtime { periods, time: second, moves });
    let repeating = Period { moves: Some(2), ..last(minute, Method::Increment(second)) };
    [
        one(minute, Method::Hourglass),
        // With shorter slices nearly every answer has thousands of gongs, which makes fuzzing slow.
        one(Span::ZERO, Method::Gong(Span::from_secs(600))),
        one(Span::ZERO, Method::CountUp { limit: None }),
        one(Span::ZERO, Method::CountUp { limit: Some(minute) }),
        one(minute, Method::Bronstein(second)),
        one(minute, overtime(3, 1)),
        one(Span::ZERO, overtime(1, 2)),
        one(Span::ZERO, overtime(u32::MAX, u32::MAX)),
        two(Advance::Zero),
        two(Advance::MovesAtZero),
        two(Advance::BlackCompletes { pause: false }),
        two(Advance::BlackCompletes { pause: true }),
        Control::new(&[repeating], Terms { repeat: true, ..Terms::default() }),
    ]
    .map(|control| control.expect("a good control"))
}
