//! Writes a control as the text of a control file.

use super::hms;
use crate::{Control, Method, Overtime, PerSide, Period, PeriodEnd, Side, Terms};
use serde::Serialize;

/// The text of a control file for this control; [`ControlFile`](super::ControlFile) reads it back.
/// Keys that have their default value are omitted.
///
/// A control that counts up with a different limit for each side has no control file: neither files
/// nor notations can express it, so only a program can build such a control.
///
/// ```
/// use clock_engine::text::{parse_notation, to_toml};
/// let text = to_toml("Blitz", &parse_notation("3+2")?);
/// assert!(text.starts_with("name = \"Blitz\"\n\n"));
/// assert!(text.ends_with("[[period]]\ntime = \"0:03:00\"\nincrement = \"0:00:02\"\n"));
/// # Ok::<(), clock_engine::text::NotationError>(())
/// ```
pub fn to_toml(name: &str, control: &Control) -> String {
    let terms = control.terms();
    let mut text = lines(&Header::new(name, terms));
    for (number, period) in (1..).zip(control.periods()) {
        let repeat = terms.repeat && number == control.periods().len();
        text.push_str("\n[[period]]\n");
        text.push_str(&lines(&PeriodTable::new(period, repeat)));
    }
    text
}

/// The table as TOML, with one line for each key. A value that differs between the sides stays on
/// its line as an inline table, as in the shipped files; `toml::to_string` would give it a section
/// of its own.
fn lines(table: &impl Serialize) -> String {
    let table = toml::Table::try_from(table).expect("text, numbers and tables are all TOML values");
    table.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
}

/// The keys before the first period.
#[derive(Serialize)]
struct Header<'a> {
    name: &'a str,
    period_end: Option<&'static str>,
    set_back_pause: Option<bool>,
    after_flag: Option<&'static str>,
    first_move_increment: Option<bool>,
    draw_odds: Option<&'static str>,
}

impl<'a> Header<'a> {
    fn new(name: &'a str, terms: &Terms) -> Self {
        let pause = terms.period_end == PeriodEnd::BlackCompletes { pause: true };
        Header {
            name,
            period_end: (terms.period_end != PeriodEnd::Moves).then(|| terms.period_end.as_str()),
            set_back_pause: pause.then_some(true),
            after_flag: terms.after_flag.map(|after| after.as_str()),
            first_move_increment: (!terms.first_move_increment).then_some(false),
            draw_odds: terms.draw_odds.map(Side::as_str),
        }
    }
}

/// The keys of one period.
#[derive(Serialize)]
struct PeriodTable {
    moves: Option<u32>,
    time: Option<Sides<String>>,
    increment: Option<Sides<String>>,
    delay: Option<Sides<String>>,
    bronstein: Option<Sides<String>>,
    gong: Option<Sides<String>>,
    overtime: Option<Sides<OvertimeTable>>,
    hourglass: Option<bool>,
    count_up: Option<bool>,
    limit: Option<Sides<String>>,
    repeat: Option<bool>,
}

impl PeriodTable {
    fn new(period: &Period, repeat: bool) -> Self {
        // Hourglass, gong and counting up always hold for both sides.
        let shared = period.method.white;
        let has_time = !matches!(shared, Method::Gong(_) | Method::CountUp { .. });
        let amount = |key| Sides::new(period.method.map(|method| amount(key, method)));
        PeriodTable {
            moves: period.moves,
            time: Sides::new(period.time.map(|time| has_time.then(|| hms(time)))),
            increment: amount("increment"),
            delay: amount("delay"),
            bronstein: amount("bronstein"),
            gong: amount("gong"),
            overtime: Sides::new(period.method.map(OvertimeTable::new)),
            hourglass: (shared == Method::Hourglass).then_some(true),
            count_up: matches!(shared, Method::CountUp { .. }).then_some(true),
            limit: amount("limit"),
            repeat: repeat.then_some(true),
        }
    }
}

/// The duration that this key has with this method, if the key belongs to the method.
fn amount(key: &str, method: Method) -> Option<String> {
    match (key, method) {
        ("increment", Method::Increment(span))
        | ("delay", Method::Delay(span))
        | ("bronstein", Method::Bronstein(span))
        | ("gong", Method::Gong(span)) => Some(hms(span)),
        ("limit", Method::CountUp { limit }) => limit.map(hms),
        _ => None,
    }
}

#[derive(PartialEq, Serialize)]
struct OvertimeTable {
    periods: u32,
    time: String,
    moves: u32,
}

impl OvertimeTable {
    fn new(method: Method) -> Option<Self> {
        match method {
            Method::Overtime(Overtime { periods, time, moves }) => {
                Some(OvertimeTable { periods, time: hms(time), moves })
            }
            _ => None,
        }
    }
}

/// One value for both sides, or a table of the sides that have one.
#[derive(Serialize)]
#[serde(untagged)]
enum Sides<T> {
    Both(T),
    Each { white: Option<T>, black: Option<T> },
}

impl<T: PartialEq> Sides<T> {
    fn new(values: PerSide<Option<T>>) -> Option<Self> {
        match (values.white, values.black) {
            (None, None) => None,
            (Some(white), Some(black)) if white == black => Some(Sides::Both(white)),
            (white, black) => Some(Sides::Each { white, black }),
        }
    }
}

#[cfg(test)]
mod tests;
