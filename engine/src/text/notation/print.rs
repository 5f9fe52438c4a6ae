//! Prints a control in the spoken notation.

use super::super::hms;
use super::NotExpressible;
use super::spoken::{MOST_MINUTES, MOST_SECONDS, needs_unit, rest_needs_unit};
use crate::{Control, Method, Overtime, PerSide, Period, PeriodEnd, Side, Span};

const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;

/// Writes the control in the spoken notation; [`parse_notation`](super::parse_notation) reads it
/// back.
///
/// ```
/// use clock_engine::text::{preset, spoken};
/// let control = preset("fide-standard").expect("shipped").read().control;
/// assert_eq!(spoken(&control).as_deref(), Ok("40/90, G/30, +30"));
/// ```
///
/// # Errors
///
/// The control has something that the notation cannot express: for example an hourglass, a setting
/// for the final flag, or an increment that does not hold to the end of the game.
pub fn spoken(control: &Control) -> Result<String, NotExpressible> {
    let terms = control.terms();
    if terms.period_end != PeriodEnd::Moves {
        return Err(NotExpressible(
            "the spoken notation has only periods that change with the moves",
        ));
    }
    if terms.after_flag.is_some() {
        return Err(NotExpressible("the spoken notation does not say what happens after the flag"));
    }
    if !terms.first_move_increment {
        return Err(NotExpressible(
            "in the spoken notation move 1 has its increment from the start",
        ));
    }
    let mut periods = control.periods().to_vec();
    let overtime = take_overtime(&mut periods)?;
    let bonus =
        bonus(&periods)?.map(|(first, bonus)| (join(&mut periods, first, terms.repeat), bonus));
    let mut said = match periods[..] {
        [Period { moves: None, time, .. }] => one_period(time, bonus),
        _ => several_periods(&periods, terms.repeat, bonus),
    };
    if let Some(overtime) = overtime {
        if bonus.is_some() {
            return Err(NotExpressible(
                "in the spoken notation an increment or delay holds to the end; here an overtime follows",
            ));
        }
        said.push_str(&format!(", {}x{}", overtime.periods, with_unit(overtime.time)));
    }
    if let Some(side) = terms.draw_odds {
        said.push_str(&format!(", draw {side}"));
    }
    Ok(said)
}

/// An increment or delay: its sign and its amounts.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bonus {
    sign: char,
    amounts: PerSide<Span>,
}

/// Removes the overtime from the last period and returns it. No other period can have overtime. An
/// overtime of White that differs from that of Black is not removed; [`bonus_of`] refuses it.
fn take_overtime(periods: &mut [Period]) -> Result<Option<Overtime>, NotExpressible> {
    let Some(last) = periods.last_mut() else { return Ok(None) };
    match last.method {
        PerSide { white: Method::Overtime(white), black: Method::Overtime(black) }
            if white == black =>
        {
            if white.moves != 1 {
                return Err(NotExpressible(
                    "the spoken notation has no overtime of several moves a period",
                ));
            }
            last.method = PerSide::default();
            Ok(Some(white))
        }
        _ => Ok(None),
    }
}

/// The increment or delay of the periods, with the index of the first period that has it. An
/// increment or delay that does not hold to the last period is an error.
fn bonus(periods: &[Period]) -> Result<Option<(usize, Bonus)>, NotExpressible> {
    let bonuses = periods.iter().map(bonus_of).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = bonuses.iter().position(Option::is_some) else { return Ok(None) };
    if bonuses[first..].windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(NotExpressible(
            "in the spoken notation an increment or delay holds to the end; here it changes",
        ));
    }
    Ok(bonuses[first].map(|bonus| (first, bonus)))
}

fn bonus_of(period: &Period) -> Result<Option<Bonus>, NotExpressible> {
    let mut bonus: Option<Bonus> = None;
    for side in Side::BOTH {
        let (sign, amount) = match period.method[side] {
            Method::None => continue,
            Method::Increment(amount) => ('+', amount),
            Method::Delay(amount) => ('d', amount),
            Method::Bronstein(amount) => ('b', amount),
            Method::Overtime(_) => {
                return Err(NotExpressible("the spoken notation has the same overtime for both"));
            }
            Method::Hourglass => {
                return Err(NotExpressible("the spoken notation has no hourglass"));
            }
            Method::Gong(_) => return Err(NotExpressible("the spoken notation has no gong")),
            Method::CountUp { .. } => {
                return Err(NotExpressible("the spoken notation has no time that is counted up"));
            }
        };
        let both = bonus.get_or_insert(Bonus { sign, amounts: PerSide::default() });
        if both.sign != sign {
            return Err(NotExpressible(
                "the spoken notation cannot give an increment to one side and a delay to the other",
            ));
        }
        both.amounts[side] = amount;
    }
    Ok(bonus)
}

/// Returns the number of the move from which the increment or the delay is given: the first move of
/// the period with the index `first`. If that period has no time of its own, it is also joined to
/// the period before it; `spoken::parse` divides the two again.
fn join(periods: &mut Vec<Period>, first: usize, repeat: bool) -> u64 {
    let moves = periods[..first].iter().filter_map(|period| period.moves);
    let from = 1 + moves.map(u64::from).sum::<u64>();
    // A repeating period is not joined, because the period before it would then repeat too.
    let repeats = repeat && first + 1 == periods.len();
    if first > 0 && !repeats && periods[first].time == PerSide::default() {
        let joined = periods.remove(first);
        let before = &mut periods[first - 1];
        before.moves = before.moves.zip(joined.moves).map(|(one, other)| one + other);
    }
    from
}

fn one_period(time: PerSide<Span>, bonus: Option<(u64, Bonus)>) -> String {
    let said = times(time, Unit::Omitted);
    let alike = time.white == time.black;
    let whole = time.white.as_nanos().is_multiple_of(MINUTE);
    let hour = time.white.max(time.black).as_nanos() >= 60 * MINUTE;
    let game = if hour { "G/" } else { "" };
    match bonus {
        // The usual short forms: 3+2 and G/90+30.
        Some((1, bonus)) if bonus.is_increment_for_both() && alike && whole => {
            format!("{game}{said}{}", bonus.said(1))
        }
        Some((1, bonus)) if bonus.sign != '+' && alike => format!("G/{said} {}", bonus.said(1)),
        Some((from, bonus)) if alike => format!("G/{said}, {}", bonus.said(from)),
        Some((from, bonus)) => format!("{game}{said}, {}", bonus.said(from)),
        None if alike => format!("G/{said}"),
        None => format!("{game}{said}"),
    }
}

fn several_periods(periods: &[Period], repeat: bool, bonus: Option<(u64, Bonus)>) -> String {
    let moves_before = periods.iter().filter_map(|period| period.moves).map(u64::from).sum();
    let period = |period: &Period| {
        let unit = |is_needed: &dyn Fn(u64) -> bool| {
            let times = [period.time.white, period.time.black];
            let is_needed = times.iter().any(|time| is_needed(time.as_nanos() / MINUTE));
            if is_needed { Unit::Given } else { Unit::Omitted }
        };
        match period.moves {
            Some(1) => format!("1/{}", times(period.time, Unit::OmittedForDays)),
            Some(moves) => {
                let unit = unit(&|minutes| needs_unit(moves, minutes));
                format!("{moves}/{}", times(period.time, unit))
            }
            None => {
                let unit = unit(&|minutes| rest_needs_unit(moves_before, minutes));
                format!("G/{}", times(period.time, unit))
            }
        }
    };
    let mut said = periods.iter().map(period).collect::<Vec<_>>().join(", ");
    if repeat {
        said.push_str(" repeat");
    }
    if let Some((from, bonus)) = bonus {
        said.push_str(", ");
        said.push_str(&bonus.said(from));
    }
    said
}

impl Bonus {
    fn is_increment_for_both(self) -> bool {
        self.sign == '+' && self.amounts.white == self.amounts.black
    }

    fn said(self, from: u64) -> String {
        let amounts = both(self.amounts, amount);
        let from = if from == 1 { String::new() } else { format!(" from {from}") };
        format!("{}{amounts}{from}", self.sign)
    }
}

/// An increment or a delay. One of more than a minute has its unit, because without it the parser
/// refuses it; `0:15:00` would be the time of a period.
fn amount(span: Span) -> String {
    match span.as_nanos() {
        nanos if nanos <= MOST_SECONDS * SECOND => bare(span, SECOND),
        nanos if nanos.is_multiple_of(SECOND) => format!("{}s", nanos / SECOND),
        nanos => format!("{nanos}ns"),
    }
}

/// Whether minutes have their unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Given,
    /// Only up to [`MOST_MINUTES`]. A longer time is written as `h:mm:ss`.
    Omitted,
    /// However long the time is, as in `1/1440 repeat`.
    OmittedForDays,
}

fn times(time: PerSide<Span>, unit: Unit) -> String {
    // Beside seconds with their unit, minutes have theirs, too.
    let is_in_seconds =
        |time: Span| !time.as_nanos().is_multiple_of(MINUTE) && time.as_nanos() < 60 * MINUTE;
    let has_seconds = is_in_seconds(time.white) || is_in_seconds(time.black);
    let unit = if has_seconds { Unit::Given } else { unit };
    both(time, |time| {
        let nanos = time.as_nanos();
        let is_long = nanos > MOST_MINUTES * MINUTE && unit != Unit::OmittedForDays;
        match nanos {
            _ if is_in_seconds(time) => with_unit(time),
            _ if !nanos.is_multiple_of(MINUTE) || is_long => hms(time),
            _ if unit == Unit::Given => format!("{}m", nanos / MINUTE),
            _ => (nanos / MINUTE).to_string(),
        }
    })
}

/// Seconds with their unit, such as `30s`.
fn with_unit(time: Span) -> String {
    let seconds = bare(time, SECOND);
    if seconds.contains(':') { seconds } else { format!("{seconds}s") }
}

fn both(spans: PerSide<Span>, said: impl Fn(Span) -> String) -> String {
    let [white, black] = [said(spans.white), said(spans.black)];
    if white == black { white } else { format!("{white} v {black}") }
}

/// A whole number of units, or `h:mm:ss` if the span is not a whole number of them.
fn bare(span: Span, unit: u64) -> String {
    match span.as_nanos() {
        nanos if nanos.is_multiple_of(unit) => (nanos / unit).to_string(),
        _ => hms(span),
    }
}
