//! Time controls as JSON.

use clock_controls::NamedControl;
use clock_engine::text::{pgn, spoken};
use clock_engine::{Method, Overtime, PerSide, PeriodEnd, Side, Span};
use serde::Serialize;

/// A time control.
#[derive(Serialize)]
pub struct ControlJson {
    name: String,
    title: String,
    words: String,
    /// The control in spoken notation; `None` if that notation cannot express it. The same applies
    /// to `pgn`.
    spoken: Option<String>,
    pgn: Option<String>,
    period_end: &'static str,
    set_back_pause: bool,
    repeat: bool,
    after_flag: &'static str,
    first_move_increment: bool,
    draw_odds: Option<&'static str>,
    periods: Vec<PeriodJson>,
}

/// The control of a file that was checked; `None` if the file is wrong.
#[derive(Serialize)]
pub struct FoundJson {
    control: Option<ControlJson>,
}

impl FoundJson {
    pub fn of(named: Option<&NamedControl>) -> FoundJson {
        FoundJson { control: named.map(ControlJson::from) }
    }
}

#[derive(Serialize)]
struct PeriodJson {
    moves: Option<u32>,
    time_ns: PerSideJson<u64>,
    method: PerSideJson<&'static str>,
    /// The amount of the method, such as the increment or the delay; for overtime the time of one
    /// of its periods; 0 if the method has no amount.
    amount_ns: PerSideJson<u64>,
    overtime: PerSideJson<Option<OvertimeJson>>,
}

#[derive(Serialize)]
struct OvertimeJson {
    periods: u32,
    time_ns: u64,
    moves: u32,
}

#[derive(Serialize)]
struct PerSideJson<T> {
    white: T,
    black: T,
}

impl<T> From<PerSide<T>> for PerSideJson<T> {
    fn from(both: PerSide<T>) -> Self {
        PerSideJson { white: both.white, black: both.black }
    }
}

impl From<&NamedControl> for ControlJson {
    fn from(named: &NamedControl) -> Self {
        let terms = named.control.terms();
        let periods = named.control.periods().iter().map(|period| PeriodJson {
            moves: period.moves,
            time_ns: period.time.map(Span::as_nanos).into(),
            method: period.method.map(|method| method_and_amount(method).0).into(),
            amount_ns: period.method.map(|method| method_and_amount(method).1.as_nanos()).into(),
            overtime: period.method.map(overtime).into(),
        });
        ControlJson {
            name: named.name.clone(),
            title: named.title.clone(),
            words: named.describe(),
            spoken: spoken(&named.control).ok(),
            pgn: pgn(&named.control).ok(),
            period_end: terms.period_end.as_str(),
            set_back_pause: terms.period_end == PeriodEnd::BlackCompletes { pause: true },
            repeat: terms.repeat,
            after_flag: named.control.after_flag().as_str(),
            first_move_increment: terms.first_move_increment,
            draw_odds: terms.draw_odds.map(Side::as_str),
            periods: periods.collect(),
        }
    }
}

fn method_and_amount(method: Method) -> (&'static str, Span) {
    match method {
        Method::None => ("none", Span::ZERO),
        Method::Increment(span) => ("increment", span),
        Method::Delay(span) => ("delay", span),
        Method::Bronstein(span) => ("bronstein", span),
        Method::Overtime(overtime) => ("overtime", overtime.time),
        Method::Hourglass => ("hourglass", Span::ZERO),
        Method::Gong(span) => ("gong", span),
        Method::CountUp { limit } => ("count_up", limit.unwrap_or_default()),
    }
}

fn overtime(method: Method) -> Option<OvertimeJson> {
    match method {
        Method::Overtime(Overtime { periods, time, moves }) => {
            Some(OvertimeJson { periods, time_ns: time.as_nanos(), moves })
        }
        _ => None,
    }
}
