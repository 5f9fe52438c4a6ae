//! Target: any bytes as the lines of a script for `clockctl simulate`.

use crate::plain_words::assert_plain;
use clock_engine::text::{presets, rule_presets};
use clock_engine::{Control, Method, Overtime, PerSide, Period, PeriodEnd, Span, Terms};
use clockctl::simulate::Game;
use serde_json::Value;
use std::sync::LazyLock;

/// Plays a script. The first byte names the control, and the rest is the script; before them there
/// can be a byte that names a rule profile. Checks that every line has one answer, which is one
/// line of JSON, that time does not go back, and that a line that is malformed or refused leaves
/// the game as it was.
pub fn script_lines(data: &[u8]) {
    let Some((mut game, script)) = game(data) else { return };
    let mut before: Option<Value> = None;
    let mut malformed = false;
    for (number, line) in (1..).zip(script.split(|byte| *byte == b'\n')) {
        let mut untouched = game.clone();
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
        check_refusal(error);
        assert_plain(error["message"].as_str().unwrap_or_default(), line);
        if let Some(before) = before {
            assert!(nanos(&answer, "at_ns") >= nanos(&before, "at_ns"), "{before}\n{text}");
            assert!(!bad || state(&answer) == state(&before), "{before}\n{text}");
        }
        if !error.is_null() && !bad {
            let show = format!("{{\"at_ns\":{},\"event\":\"show\"}}", nanos(&answer, "at_ns"));
            let shown = serde_json::to_value(untouched.play(number, show.as_bytes()));
            assert_eq!(state(&shown.expect("an answer is JSON")), state(&answer), "{text}");
        }
        before = Some(answer);
    }
}

/// The game that the first bytes name, and the rest of the data. Returns `None` if the profile does
/// not hold for the control, or if bytes are missing.
fn game(data: &[u8]) -> Option<(Game, &[u8])> {
    let (first, rest) = data.split_first()?;
    let profiles = rule_presets();
    let number = usize::from(*first).checked_sub(usize::from(u8::MAX) - profiles.len());
    match number.and_then(|number| profiles.get(number)) {
        None => Some((Game::new(control(*first)), rest)),
        Some(preset) => {
            let (second, rest) = rest.split_first()?;
            let game = Game::with_rules(control(*second), preset.read().profile);
            game.map(|game| (game, rest))
                .inspect_err(|refused| check_clause(refused.clause().expect("a clause")))
                .ok()
        }
    }
}

/// A refusal has a message; its clause, if it has one, has a source.
fn check_refusal(error: &Value) {
    if error.is_null() {
        return;
    }
    assert!(!error["message"].as_str().expect("a text").is_empty(), "{error}");
    if !error["clause"].is_null() {
        check_clause(error["clause"].as_str().expect("a text"));
    }
}

/// Checks that a clause has a source, by its abbreviation or by its title, and an article.
fn check_clause(clause: &str) {
    let sources = ["S0", "S1", "S2", "S3", "S4", "FIDE", "US", "C.02"];
    let titles = [
        "old FIDE Laws",
        "FIDE Laws 2023",
        "FIDE Guidelines",
        "Chess Organisers' Handbook",
        "Irish allegro rules",
    ];
    let mut known = sources.iter().chain(&titles);
    let article = known.find_map(|source| clause.strip_prefix(source)?.strip_prefix(' '));
    assert!(article.is_some_and(|article| !article.is_empty()), "{clause}");
}

/// Checks that the events are in the order of time, and that none is later than the answered line.
fn check_events(answer: &Value) {
    let events = answer["events"].as_array().expect("a list");
    let times: Vec<u64> = events.iter().map(|event| nanos(event, "at_ns")).collect();
    assert!(times.is_sorted(), "{answer}");
    assert!(times.last().is_none_or(|last| *last <= nanos(answer, "at_ns")), "{answer}");
}

fn nanos(object: &Value, key: &str) -> u64 {
    object[key].as_u64().expect("nanoseconds")
}

/// The state of the game, without the events and the error of the line.
fn state(answer: &Value) -> Vec<&Value> {
    let clock = ["at_ns", "phase", "running", "white", "black", "first_flag"];
    let rules = ["result", "claim", "question"];
    clock.iter().chain(&rules).map(|key| &answer[key]).collect()
}

/// The control that a byte names: a shipped control, or one of a kind that no shipped control has.
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
    let two = |period_end: PeriodEnd| {
        let periods =
            [Period { moves: Some(2), ..last(minute, Method::None) }, last(minute, Method::None)];
        Control::new(&periods, Terms { period_end, ..Terms::default() })
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
        two(PeriodEnd::Zero),
        two(PeriodEnd::MovesAtZero),
        two(PeriodEnd::BlackCompletes { pause: false }),
        two(PeriodEnd::BlackCompletes { pause: true }),
        Control::new(&[repeating], Terms { repeat: true, ..Terms::default() }),
    ]
    .map(|control| control.expect("a good control"))
}
