//! Runs the program `clockctl simulate` with every method of time, and checks the JSON of its
//! answers.

use serde_json::{Value, json};

use crate::program::{clockctl, run_with_input};

const S: u64 = 1_000_000_000;

/// Plays the events of a script, each `(second, event, more fields)`.
fn play(control: &str, script: &[(u64, &str, Value)]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("control.toml");
    std::fs::write(&path, format!("name = 'x'\n{control}")).unwrap();
    let mut lines = String::new();
    for (second, event, more) in script {
        let mut line = json!({"at_ns": second * S, "event": event});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        lines += &format!("{line}\n");
    }
    let mut command = clockctl();
    command.args(["simulate", "--control"]).arg(&path);
    let output = run_with_input(command, lines.as_bytes());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(answer).collect()
}

/// The answer in a line, with those keys of the sides that [`side`] has.
fn answer(line: &str) -> Value {
    let mut answer: Value = serde_json::from_str(line).unwrap();
    let kept = side(0, &none());
    for name in ["white", "black"] {
        answer[name].as_object_mut().unwrap().retain(|key, _| kept.get(key).is_some());
    }
    answer
}

fn none() -> Value {
    json!({})
}

fn white() -> Value {
    json!({"side": "white"})
}

fn black() -> Value {
    json!({"side": "black"})
}

/// The JSON of a side at the beginning of a game with this main time. If `differs` has a key, its
/// value is used instead of the value at the beginning.
fn side(remaining_s: u64, differs: &Value) -> Value {
    let mut half = json!({"remaining_ns": remaining_s * S, "delay_ns": 0, "moves": 0, "period": 1,
        "flag_ns": null, "overrun_ns": 0, "overtime_periods": null, "overtime_moves": null, "owed_ns": 0});
    half.as_object_mut().unwrap().extend(differs.as_object().unwrap().clone());
    half
}

fn flag(second: u64, side: &str, period: u32) -> Value {
    json!({"at_ns": second * S, "kind": "flag", "side": side, "period": period})
}

fn period(second: u64, side: &str, period: u32) -> Value {
    json!({"at_ns": second * S, "kind": "period", "side": side, "period": period})
}

fn gong(second: u64, side: &str) -> Value {
    json!({"at_ns": second * S, "kind": "gong", "side": side})
}

fn press(second: u64, side: &str, accepted: bool) -> Value {
    json!({"at_ns": second * S, "kind": "press", "side": side, "accepted": accepted})
}

#[test]
fn byo_yomi() {
    let control = "[[period]]\ntime = '10s'\novertime = { periods = 2, time = '5s', moves = 1 }";
    let answers = play(
        control,
        &[
            (0, "start", none()),
            (12, "press", white()),
            (12, "press", black()),
            (18, "show", none()),
            (30, "show", none()),
        ],
    );
    let overtime =
        |periods: u32| json!({"overtime_periods": periods, "overtime_moves": 1, "moves": 1});
    assert_eq!(answers[0]["white"], side(10, &none()));
    assert_eq!(answers[1]["white"], side(5, &overtime(2)));
    assert_eq!(answers[1]["events"], json!([press(12, "white", true)]), "no period event");
    assert_eq!(answers[3]["white"], side(4, &overtime(1)));
    assert_eq!(answers[3]["events"], json!([]));
    let mut fallen = overtime(0);
    fallen["flag_ns"] = json!(22 * S);
    assert_eq!(answers[4]["white"], side(0, &fallen));
    assert_eq!(answers[4]["events"], json!([flag(22, "white", 1)]));
    assert_eq!((&answers[4]["phase"], &answers[4]["running"]), (&json!("ruling"), &Value::Null));
    assert_eq!(answers[4]["first_flag"], "white");
}

#[test]
fn hourglass() {
    let answers = play(
        "[[period]]\ntime = '1m'\nhourglass = true",
        &[
            (0, "start", none()),
            (20, "show", none()),
            (30, "press", white()),
            (40, "pause", none()),
            (40, "undo-press", none()),
            (40, "resume", none()),
            (200, "show", none()),
        ],
    );
    let remaining = |index: usize| {
        ["white", "black"].map(|side| answers[index][side]["remaining_ns"].as_u64().unwrap() / S)
    };
    assert_eq!((remaining(1), remaining(2), remaining(3)), ([40, 80], [30, 90], [40, 80]));
    assert_eq!(answers[4]["error"]["code"], "no-undo");
    assert_eq!(remaining(6), [120, 0]);
    assert_eq!(answers[6]["events"], json!([flag(120, "black", 1)]));
}

#[test]
fn gong_by_gong() {
    let answers = play(
        "[[period]]\ngong = '10s'",
        &[(0, "start", none()), (4, "press", white()), (25, "show", none())],
    );
    assert_eq!(answers[1]["events"], json!([press(4, "white", false)]));
    assert_eq!(answers[1]["white"], side(6, &none()));
    assert_eq!(answers[2]["events"], json!([gong(10, "black"), gong(20, "white")]));
    assert_eq!(answers[2]["running"], "white");
    assert_eq!(answers[2]["white"], side(5, &none()));
    assert_eq!(answers[2]["black"], side(10, &none()));
}

#[test]
fn counted_up_to_a_limit() {
    let answers = play(
        "[[period]]\ncount_up = true\nlimit = '30s'",
        &[(0, "start", none()), (10, "press", white()), (50, "show", none())],
    );
    assert_eq!(answers[0]["white"], side(0, &none()));
    assert_eq!(answers[1]["white"], side(10, &json!({"moves": 1})));
    let fallen = json!({"flag_ns": 40 * S, "overrun_ns": 10 * S});
    assert_eq!(answers[2]["black"], side(30, &fallen), "it shows its limit");
    assert_eq!(answers[2]["running"], "black", "without a method play runs on");
}

#[test]
fn counted_up_an_award_lowers_the_time_used_and_the_limit_is_never_given() {
    let with = |key: &str, value: i64| json!({"side": "white", key: value});
    let answers = play(
        "[[period]]\ncount_up = true\nlimit = '30s'",
        &[
            (0, "start", none()),
            (20, "pause", none()),
            (20, "add-time", with("delta_ns", 5_000_000_000)),
            (20, "add-time", with("delta_ns", -15_000_000_000)),
            (20, "set-time", with("time_ns", 30_000_000_000)),
            (20, "resume", none()),
            (40, "pause", none()),
            (40, "add-time", with("delta_ns", 12_000_000_000)),
        ],
    );
    assert_eq!(answers[2]["white"], side(15, &none()));
    assert_eq!(answers[3]["error"]["code"], "cut-too-large");
    assert_eq!(answers[4]["error"]["code"], "limit-reached");
    assert_eq!(answers[4]["white"], side(15, &none()));
    assert_eq!(answers[6]["white"], side(30, &json!({"flag_ns": 35 * S, "overrun_ns": 5 * S})));
    assert_eq!(answers[7]["white"], side(18, &none()), "the flag is annulled");
    assert_eq!((&answers[7]["phase"], &answers[7]["first_flag"]), (&json!("paused"), &Value::Null));
}

#[test]
fn an_overtime_is_set_by_its_periods_and_moves_left() {
    let control = "[[period]]\nmoves = 9\ntime = '10s'\n\
                   [[period]]\ntime = '0s'\novertime = { periods = 3, time = '5s', moves = 2 }";
    let to = |period: u32, periods: Value, moves: Value| json!({"side": "white", "period": period, "periods_left": periods, "moves_left": moves});
    let answers = play(
        control,
        &[
            (0, "set-period", to(2, json!(2), json!(1))),
            (0, "set-period", to(2, json!(4), Value::Null)),
            (0, "set-period", to(1, json!(1), Value::Null)),
            (0, "set-period", to(1, Value::Null, Value::Null)),
            (0, "set-time", json!({"side": "white", "time_ns": 0})),
            (0, "set-period", to(2, Value::Null, Value::Null)),
            (0, "set-time", json!({"side": "white", "time_ns": 0})),
            (0, "set-time", json!({"side": "white", "time_ns": 0})),
        ],
    );
    let left = |periods: u32, moves: u32| json!({"period": 2, "overtime_periods": periods, "overtime_moves": moves});
    assert_eq!(answers[0]["white"], side(10, &left(2, 1)));
    assert_eq!(answers[1]["error"]["code"], "no-such-overtime");
    assert_eq!(answers[2]["error"]["code"], "no-overtime");
    assert_eq!(answers[3]["white"], side(10, &none()));
    assert_eq!(answers[4]["white"], side(0, &none()));
    for answer in &answers[5..] {
        assert_eq!(answer["white"], side(5, &left(2, 1)), "whole, and no period is lost");
    }
}

#[test]
fn time_used_of_a_set_back_that_is_taken_back_is_owed() {
    let control = "period_end = 'black-completes'\n[[period]]\nmoves = 1\ntime = '20s'\n\
                   [[period]]\ntime = '30s'";
    let played = [
        (0, "start", none()),
        (15, "press", white()),
        (15, "press", black()),
        (30, "pause", none()),
        (30, "undo-press", none()),
    ];
    let owing = json!({"moves": 1, "owed_ns": 10 * S});
    let mut again = played.to_vec();
    again.extend([(30, "resume", none()), (31, "press", black())]);
    let answers = play(control, &again);
    assert_eq!(answers[4]["white"], side(0, &owing));
    assert_eq!(answers[4]["black"]["owed_ns"], 0);
    assert_eq!(answers[6]["white"], side(20, &json!({"moves": 1, "period": 2})));

    let mut settled = played.to_vec();
    settled.push((30, "add-time", json!({"side": "white", "delta_ns": S})));
    settled.extend([(30, "resume", none()), (31, "press", black())]);
    let answers = play(control, &settled);
    assert_eq!(answers[5]["white"], side(1, &json!({"moves": 1})));
    assert_eq!(answers[7]["white"], side(31, &json!({"moves": 1, "period": 2})));
}

#[test]
fn at_zero_a_flag_is_latched_and_both_are_in_the_next_period() {
    let answers = play(
        "period_end = 'zero'\n[[period]]\nmoves = 40\ntime = '60s'\n[[period]]\ntime = '30s'",
        &[(0, "start", none()), (70, "press", white())],
    );
    let expected = json!([
        flag(60, "white", 1),
        period(60, "white", 2),
        period(60, "black", 2),
        press(70, "white", true)
    ]);
    assert_eq!(answers[1]["events"], expected);
    let white = json!({"flag_ns": 60 * S, "period": 2, "moves": 1});
    assert_eq!(answers[1]["white"], side(20, &white));
    assert_eq!(answers[1]["black"], side(90, &json!({"period": 2})));
    assert_eq!(answers[1]["first_flag"], Value::Null, "it is not a final one");
}

#[test]
fn set_back_at_blacks_move_with_a_pause() {
    let control = "period_end = 'black-completes'\nset_back_pause = true\n\
                   [[period]]\nmoves = 1\ntime = '60s'\nincrement = '1s'\n\
                   [[period]]\ntime = '30s'\nincrement = '2s'";
    let answers = play(
        control,
        &[
            (0, "start", none()),
            (10, "press", white()),
            (20, "press", black()),
            (90, "resume", none()),
            (91, "press", white()),
        ],
    );
    let expected =
        json!([press(20, "black", true), period(20, "black", 2), period(20, "white", 2)]);
    assert_eq!(answers[2]["events"], expected);
    assert_eq!(answers[2]["phase"], "paused");
    let second = json!({"moves": 1, "period": 2});
    assert_eq!(answers[2]["white"], side(82, &second), "the time only");
    assert_eq!(answers[2]["black"], side(83, &second), "with the next move's increment");
    assert_eq!(answers[3]["running"], "white");
    assert_eq!(answers[4]["white"], side(83, &json!({"moves": 2, "period": 2})));
}

#[test]
fn different_times_and_methods_and_a_last_period_that_repeats() {
    let control = "[[period]]\nmoves = 1\ntime = { white = '5s', black = '4s' }\nrepeat = true\n\
                   increment = { white = '3s' }\ndelay = { black = '2s' }";
    let answers = play(
        control,
        &[
            (0, "start", none()),
            (1, "press", white()),
            (4, "press", black()),
            (5, "press", white()),
            (50, "show", none()),
        ],
    );
    assert_eq!(answers[0]["black"], side(4, &json!({"delay_ns": 2 * S})));
    assert_eq!(answers[1]["white"], side(15, &json!({"moves": 1, "period": 2})));
    let black = json!({"moves": 1, "period": 2, "delay_ns": 2 * S});
    assert_eq!(answers[2]["black"], side(7, &black));
    assert_eq!(answers[3]["white"], side(22, &json!({"moves": 2, "period": 3})));
    assert_eq!(answers[4]["events"], json!([flag(14, "black", 2)]));
}
