//! Scenario tables in virtual time.
//!
//! A table is one game with one row per event and these columns:
//!
//! `at | event | white | black | clock | events`
//!
//! - `at`: the instant of the event.
//! - `event`: an input of the clock, such as `press white`, or `look`, which only waits; `act`
//!   reads it.
//! - `white`, `black`: the main number shown, then `d5s` delay, `m1` moves, `p2` period, `f5m` flag
//!   instant, `o3s` overrun, `e5m` the flag of a period that was not the last, `b5/1` periods and
//!   moves left of the overtime, `w14s` owed, `l30s` the limit of a time that is counted up. A
//!   value that a row does not name must be zero or absent, except the limit, the moves and the
//!   period, which are then not compared.
//! - `clock`: the running side or the phase, `by fault` if a fault stopped the clocks, then
//!   `first white`, `called button`, the result.
//! - `events`: the events of the clock, separated by `;`, each with `at …` if its instant is not
//!   that of the row. `refused <code> <clause>` means that the event of the row was refused and
//!   that nothing changed.
//!
//! Every table is played three times, and the result must be the same:
//!
//! - `Late`: timeouts are decided only when the next event comes.
//! - `Prompt`: every timeout is decided at its instant, by two calls.
//! - `Restless`: the clock is called at seven instants between two events.

mod calls;
mod change_control;
mod change_method;
mod corrections;
mod count_up;
mod extremes;
mod faults;
mod flags;
mod gong;
mod hourglass;
mod low_time;
mod methods;
mod overtime;
mod owed;
mod pauses;
mod period_end;
mod periods;
mod recompute;
mod refusals;
mod sources;
mod starting;
mod undo;

use crate::{
    AfterFlag, Caller, Clock, Command, Control, ControlError, ControlUnfit, Correction, Event,
    EventKind, Instant, Method, Outcome, Overtime, OvertimeLeft, OvertimeUnit, PausedBy, PerSide,
    Period, PeriodEnd, Phase, Reading, Refused, Side, SideView, Span, Terms, View,
};

/// Reads `5m3s`, `1h-1ns` or `0`: a sum of terms with units. A term after a minus sign is
/// subtracted.
fn nanos(text: &str) -> u64 {
    let mut rest = text;
    let mut total = 0_i128;
    while !rest.is_empty() && rest != "0" {
        let sign = if rest.starts_with('-') { -1 } else { 1 };
        rest = rest.trim_start_matches(['-', '+']);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let unit = rest[digits..].bytes().take_while(u8::is_ascii_alphabetic).count();
        let amount: i128 = rest[..digits].parse().unwrap_or_else(|_| panic!("{text}"));
        total += sign
            * amount
            * match &rest[digits..digits + unit] {
                "h" => 3_600_000_000_000,
                "m" => 60_000_000_000,
                "s" => 1_000_000_000,
                "ms" => 1_000_000,
                "ns" => 1,
                other => panic!("unit {other:?} in {text:?}"),
            };
        rest = &rest[digits + unit..];
    }
    u64::try_from(total).unwrap_or_else(|_| panic!("{text}"))
}

fn span(text: &str) -> Span {
    Span::from_nanos(nanos(text))
}

fn instant(text: &str) -> Instant {
    Instant::from_nanos(nanos(text))
}

fn increment(text: &str) -> Method {
    Method::Increment(span(text))
}

fn delay(text: &str) -> Method {
    Method::Delay(span(text))
}

fn bronstein(text: &str) -> Method {
    Method::Bronstein(span(text))
}

/// A period of this many moves; 0 for all remaining moves.
fn period(moves: u32, time: &str, method: Method) -> Period {
    Period {
        moves: (moves > 0).then_some(moves),
        time: PerSide::both(span(time)),
        method: PerSide::both(method),
    }
}

/// Overtime of this many periods of this time, with this many moves in each.
fn overtime(periods: u32, time: &str, moves: u32) -> Method {
    Method::Overtime(Overtime { periods, time: span(time), moves })
}

fn advancing(period_end: PeriodEnd, periods: &[Period], after_flag: AfterFlag) -> Control {
    Control::new(periods, Terms { period_end, after_flag: Some(after_flag), ..Terms::default() })
        .unwrap()
}

fn control(periods: &[Period], after_flag: AfterFlag) -> Control {
    Control::new(periods, Terms { after_flag: Some(after_flag), ..Terms::default() }).unwrap()
}

fn single(time: &str, method: Method, after_flag: AfterFlag) -> Control {
    control(&[period(0, time, method)], after_flag)
}

fn side(word: &str) -> Side {
    match word {
        "white" => Side::White,
        "black" => Side::Black,
        other => panic!("{other} is no side"),
    }
}

fn one<T: Copy>(who: &str, value: T) -> PerSide<Option<T>> {
    let mut both = PerSide::both(None);
    both[side(who)] = Some(value);
    both
}

#[derive(Clone, Copy, Debug)]
enum Pace {
    Late,
    Prompt,
    Restless,
}

/// Plays a table at every pace. Returns the clock after the last row.
fn play(control: Control, table: &str) -> Clock {
    let mut clock = Clock::new(control, Instant::ZERO);
    for pace in [Pace::Prompt, Pace::Restless, Pace::Late] {
        clock = Clock::new(control, Instant::ZERO);
        for row in table.lines().map(str::trim).filter(|row| !row.is_empty()) {
            play_row(&mut clock, pace, row);
        }
    }
    clock
}

fn play_row(clock: &mut Clock, pace: Pace, row: &str) {
    let columns: Vec<&str> = row.split('|').map(str::trim).collect();
    let [at, event, white, black, state, events] = columns[..] else {
        panic!("six columns expected: {row}");
    };
    let at = instant(at);
    let refusal_expected = events.contains("refused");
    wait(clock, pace, at);
    if refusal_expected {
        clock.handle_timeout(at).unwrap();
    }
    let before = format!("{clock:?}");
    let mut happened = Vec::new();
    if let Err(refused) = act(clock, event, at) {
        assert_eq!(before, format!("{clock:?}"), "{pace:?}: {row}");
        let clause = refused.clause().unwrap_or("-");
        happened.push(format!("refused {} {clause}", refused.code()));
    }
    let first: Vec<_> = core::iter::from_fn(|| clock.poll_event())
        // Events of overtime are left out, because their number depends on how often the clock is
        // called (`pace`). The columns of the sides show every period of overtime.
        .filter(|event| !matches!(event.kind, EventKind::Overtime { .. }))
        .map(|event| describe_event(event, at))
        .collect();
    happened.splice(0..0, first);
    let view = clock.view(at);
    let seen = [
        side_text(&view.sides.white, white),
        side_text(&view.sides.black, black),
        state_of(&view),
        happened.join("; "),
    ];
    assert_eq!(seen, [white, black, state, events], "{pace:?}: {row}");
}

fn wait(clock: &mut Clock, pace: Pace, until: Instant) {
    match pace {
        Pace::Late => {}
        Pace::Prompt => {
            while let Some(due) = clock.poll_timeout().filter(|due| *due <= until) {
                clock.handle_timeout(due).unwrap();
                clock.handle_timeout(due).unwrap();
                assert!(clock.poll_timeout().is_none_or(|next| next > due), "it happens once");
            }
        }
        Pace::Restless => {
            let (from, whole) = (clock.last().as_nanos(), until.since(clock.last()));
            for part in 1..=7 {
                let at = from + u64::try_from(u128::from(whole.as_nanos()) * part / 7).unwrap();
                clock.handle_timeout(Instant::from_nanos(at)).unwrap();
            }
        }
    }
}

fn act(clock: &mut Clock, event: &str, at: Instant) -> Result<(), Refused> {
    let words: Vec<&str> = event.split_whitespace().collect();
    let command = match words[..] {
        ["look"] => return clock.handle_timeout(at),
        ["press", who] => return clock.handle_press(side(who), at),
        ["call"] => return clock.handle_call(at),
        ["start"] => Command::Start,
        ["pause"] => Command::Pause { by: Caller::Arbiter },
        ["pause", "by", "fault"] => Command::Pause { by: Caller::Fault },
        ["pause", "by", who] => Command::Pause { by: Caller::Player(side(who)) },
        ["resume"] => Command::Resume { side: None },
        ["resume", who] => Command::Resume { side: Some(side(who)) },
        ["time", who, time] => {
            Command::Set(Correction { time: one(who, span(time)), ..Correction::default() })
        }
        ["moves", who, number] => Command::Set(Correction {
            moves: one(who, number.parse().unwrap()),
            ..Correction::default()
        }),
        ["period", who, number] => Command::Set(Correction {
            period: one(who, number.parse().unwrap()),
            ..Correction::default()
        }),
        ["period", who, number, "left", left] => {
            let (periods, moves) = left.split_once('/').expect("periods/moves");
            let [periods, moves] = [periods, moves].map(|n| n.parse().ok());
            Command::Set(Correction {
                period: one(who, number.parse().unwrap()),
                overtime_periods: periods.map_or(PerSide::default(), |n| one(who, n)),
                overtime_moves: moves.map_or(PerSide::default(), |n| one(who, n)),
                ..Correction::default()
            })
        }
        ["on-move", who] => {
            Command::Set(Correction { on_move: Some(side(who)), ..Correction::default() })
        }
        ["add", who, time] => {
            Command::Add { side: side(who), delta_ns: i64::try_from(nanos(time)).unwrap() }
        }
        ["cut", who, time] => {
            Command::Add { side: side(who), delta_ns: -i64::try_from(nanos(time)).unwrap() }
        }
        ["undo"] => Command::UndoPress,
        ["finish", outcome] => Command::Finish(Outcome::from_text(outcome).unwrap()),
        ["reopen"] => Command::Reopen,
        ["new"] => Command::New { control: *clock.control(), force: false },
        ["new", "force"] => Command::New { control: *clock.control(), force: true },
        _ => panic!("no such event: {event}"),
    };
    clock.handle_command(command, at)
}

fn describe_event(event: Event, row: Instant) -> String {
    let text = match event.kind {
        EventKind::Flag { side, period } => format!("flag {} {period}", side.as_str()),
        EventKind::Period { side, period } => format!("period {} {period}", side.as_str()),
        EventKind::Press { side, accepted } => {
            let ignored = if accepted { "" } else { " ignored" };
            format!("press {}{ignored}", side.as_str())
        }
        EventKind::Gong { side } => format!("gong {}", side.as_str()),
        EventKind::Overtime { side, periods_left } => {
            format!("overtime {} {periods_left}", side.as_str())
        }
        EventKind::Call { accepted: true } => "call".into(),
        EventKind::Call { accepted: false } => "call ignored".into(),
    };
    if event.at == row { text } else { format!("{text} at {}", short(event.at.as_nanos())) }
}

/// Returns `expected` if it describes `seen`, otherwise the debug text of `seen`. So a comparison
/// with `expected` fails in the second case and shows `seen`.
fn side_text(seen: &SideView, expected: &str) -> String {
    let mut words = expected.split_whitespace();
    let mut wanted = SideView {
        remaining: span(words.next().expect("a main time")),
        limit: seen.limit,
        moves: seen.moves,
        period: seen.period,
        method: seen.method,
        low: seen.low,
        ..SideView::default()
    };
    for word in words {
        match word.split_at(1) {
            ("d", text) => wanted.delay = span(text),
            ("l", text) => wanted.limit = Some(span(text)),
            ("m", text) => wanted.moves = text.parse().unwrap(),
            ("p", text) => wanted.period = text.parse().unwrap(),
            ("f", text) => (wanted.flag, wanted.out_of_time) = (Some(instant(text)), true),
            // The flag of a period that was not the last.
            ("e", text) => wanted.flag = Some(instant(text)),
            ("o", text) => wanted.overrun = span(text),
            ("w", text) => wanted.owed = span(text),
            // Periods and moves of overtime left.
            ("b", text) => {
                let (periods, moves) = text.split_once('/').expect("periods/moves");
                let [periods, moves] = [periods, moves].map(|n| n.parse().unwrap());
                wanted.overtime = Some(OvertimeLeft { periods, moves });
            }
            _ => panic!("{word} in {expected}"),
        }
    }
    if wanted == *seen { expected.into() } else { format!("{seen:?}") }
}

fn state_of(view: &View) -> String {
    let mut text = match (view.running(), view.phase) {
        (Some(side), _) => side.as_str().to_owned(),
        (None, phase) => phase.as_str().to_owned(),
    };
    if view.paused_by == Some(PausedBy::Caller(Caller::Fault)) {
        text += " by fault";
    }
    if let Some(first) = view.first_flag {
        text += &format!(" first {}", first.as_str());
    }
    match view.called_by {
        None => {}
        Some(Caller::Player(side)) => text += &format!(" called {}", side.as_str()),
        Some(Caller::Button) => text += " called button",
        Some(caller) => panic!("{caller:?} does not call the arbiter"),
    }
    if let Some(outcome) = view.outcome {
        text += &format!(" {outcome}");
    }
    assert_eq!(view.outcome.is_some(), view.phase == Phase::Over);
    assert_eq!(view.paused_by.is_some(), view.phase == Phase::Paused);
    text
}

/// Writes an instant as the tables do: in seconds and nanoseconds.
fn short(nanos: u64) -> String {
    match (nanos / 1_000_000_000, nanos % 1_000_000_000) {
        (0, 0) => "0".into(),
        (secs, 0) => format!("{secs}s"),
        (0, rest) => format!("{rest}ns"),
        (secs, rest) => format!("{secs}s{rest}ns"),
    }
}
