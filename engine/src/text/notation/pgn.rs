//! PGN's `TimeControl` tag: `40/5400+30:1800+30`.

use super::{NotExpressible, NotationError, shortened};
use crate::{Control, MAX_GIVEN, Method, PerSide, Period, PeriodEnd, Span, Terms};

const SECOND: u64 = 1_000_000_000;

/// Writes the control as the value of PGN's `TimeControl` tag;
/// [`parse_notation`](super::parse_notation) reads it back after `pgn:`.
///
/// ```
/// use clock_engine::text::{pgn, preset};
/// let of = |name: &str| pgn(&preset(name).expect("shipped").read().control);
/// assert_eq!(of("fide-standard").as_deref(), Ok("40/5400+30:1800+30"));
/// assert_eq!(of("us-g60-d5").unwrap_err().to_string(), "PGN's TimeControl has no delay");
/// ```
///
/// # Errors
///
/// The control has something that the tag cannot express: for example a delay, different times for
/// the two sides, or a setting for the final flag.
pub fn pgn(control: &Control) -> Result<String, NotExpressible> {
    let terms = control.terms();
    if terms.period_end != PeriodEnd::Moves {
        return Err(NotExpressible(
            "PGN's TimeControl has only periods that change with the moves",
        ));
    }
    if terms.after_flag.is_some() {
        return Err(NotExpressible("PGN's TimeControl does not say what happens after the flag"));
    }
    if !terms.first_move_increment {
        return Err(NotExpressible("PGN's TimeControl does not say that move 1 has no increment"));
    }
    if terms.draw_odds.is_some() {
        return Err(NotExpressible("PGN's TimeControl does not say for whom a draw is a win"));
    }
    let fields = control.periods().iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Ok(fields.join(":"))
}

fn field(period: &Period) -> Result<String, NotExpressible> {
    let (time, method) = (period.time, period.method);
    if time.white != time.black || method.white != method.black {
        return Err(NotExpressible("PGN's TimeControl is the same for both sides"));
    }
    let time = seconds(time.white);
    let time = match method.white {
        Method::None => time,
        Method::Increment(amount) => format!("{time}+{}", seconds(amount)),
        Method::Hourglass => format!("*{time}"),
        Method::Delay(_) | Method::Bronstein(_) => {
            return Err(NotExpressible("PGN's TimeControl has no delay"));
        }
        Method::Overtime(_) => return Err(NotExpressible("PGN's TimeControl has no overtime")),
        Method::Gong(_) => return Err(NotExpressible("PGN's TimeControl has no gong")),
        Method::CountUp { .. } => {
            return Err(NotExpressible("PGN's TimeControl has no time that is counted up"));
        }
    };
    Ok(period.moves.map_or(time.clone(), |moves| format!("{moves}/{time}")))
}

/// Seconds, with as many decimals as are needed. PGN has whole seconds; decimals are what engine
/// matches write.
fn seconds(span: Span) -> String {
    match (span.as_nanos() / SECOND, span.as_nanos() % SECOND) {
        (seconds, 0) => seconds.to_string(),
        (seconds, nanos) => {
            let decimals = format!("{nanos:09}");
            format!("{seconds}.{}", decimals.trim_end_matches('0'))
        }
    }
}

/// Whether a text that is no notation can be meant as the tag of this control. `40/1:30+1`, with
/// which chess engines mean 1:30 minutes, is read as one second and is not.
pub(super) fn is_plausible(control: &Control) -> bool {
    const SHORTEST: Span = Span::from_nanos(60 * SECOND);
    let times = || control.periods().iter().map(|period| period.time.white);
    times().next().is_some_and(|first| first >= SHORTEST)
        && times().all(|time| time.is_zero() || time >= SHORTEST)
}

pub(super) fn parse(tag: &str) -> Result<Control, NotationError> {
    let tag = tag.trim();
    match tag {
        "" => return wrong(tag, "nothing after `pgn:`; expected as in pgn:40/5400+30:1800+30"),
        "?" => return wrong(tag, "in PGN a time control that is not known"),
        "-" => return wrong(tag, "in PGN a game without a time control"),
        _ => {}
    }
    let fields: Vec<&str> = tag.split(':').collect();
    let periods = fields.iter().map(|text| read(text)).collect::<Result<Vec<_>, _>>()?;
    if periods.len() > 1 && periods.iter().any(|period| period.method.white == Method::Hourglass) {
        return wrong(tag, "an hourglass is the only field, as in *180");
    }
    let (last, before) = periods.split_last().expect("a split text has a part");
    if let Some(at) = before.iter().position(|period| period.moves.is_none()) {
        return wrong(fields[at], "a field that another follows says its moves, as in 40/5400");
    }
    let terms = Terms { repeat: last.moves.is_some(), ..Terms::default() };
    Control::new(&periods, terms).map_err(|error| NotationError::new(error.to_string()))
}

/// Reads one field. The caller checks that only the last field has no moves.
fn read(field: &str) -> Result<Period, NotationError> {
    if let Some(sand) = field.strip_prefix('*') {
        let time = PerSide::both(span(field, sand)?);
        return Ok(Period { moves: None, time, method: PerSide::both(Method::Hourglass) });
    }
    let (moves, rest) = match field.split_once('/') {
        None => (None, field),
        Some((moves, rest)) => match number(moves).and_then(|moves| u32::try_from(moves).ok()) {
            None | Some(0) => {
                let why = format!("expected a number of moves from 1 to {}", u32::MAX);
                return wrong(field, &why);
            }
            moves => (moves, rest),
        },
    };
    let (time, method) = match rest.split_once('+') {
        None => (rest, Method::None),
        Some((time, amount)) => (time, Method::Increment(span(field, amount)?)),
    };
    Ok(Period { moves, time: PerSide::both(span(field, time)?), method: PerSide::both(method) })
}

fn span(field: &str, text: &str) -> Result<Span, NotationError> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let nanos = decimals.len() <= 9;
    let nanos = nanos.then(|| number(decimals)).flatten();
    let nanos = nanos.and_then(|_| number(&format!("{decimals:0<9}")));
    let (Some(seconds), Some(nanos)) = (number(whole), nanos) else {
        return wrong(
            field,
            "expected seconds, as in 40/5400+30 (moves / seconds + increment), 1800, 75+0.6 or *180",
        );
    };
    let nanos = seconds.checked_mul(SECOND).and_then(|all| all.checked_add(nanos));
    match nanos.map(Span::from_nanos) {
        Some(span) if span <= MAX_GIVEN => Ok(span),
        _ => wrong(field, "more seconds than the 1000:00:00 a clock takes"),
    }
}

/// Reads digits only. A number that is too large for `u64` is read as `u64::MAX`, which every
/// caller refuses.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

fn wrong<T>(part: &str, why: &str) -> Result<T, NotationError> {
    match part {
        "" => Err(NotationError::new(why.to_owned())),
        part => Err(NotationError::new(format!("`{}`: {why}", shortened(part)))),
    }
}
