//! A time control described in words.

use super::hms;
use crate::{Control, Method, Overtime, Period, PeriodEnd, Side, Span};

/// Describes the control in words, as an arbiter would.
///
/// ```
/// use clock_engine::text::{describe, preset};
/// let control = preset("fide-standard").expect("shipped").read().control;
/// let said = "40 moves in 1:30:00, then 0:30:00, 30 s a move from move 1";
/// assert_eq!(describe(&control), said);
/// ```
pub fn describe(control: &Control) -> String {
    let white = describe_side(control, Side::White);
    let black = describe_side(control, Side::Black);
    let mut said = if white == black { white } else { format!("White: {white}; Black: {black}") };
    if let Some(side) = control.terms().draw_odds {
        said.push_str(&format!("; a draw wins for {side}"));
    }
    said
}

/// Describes the method that [`Clock::change_method`](crate::Clock::change_method) has set, such as
/// `30 s a move`; `no added time` for [`Method::None`].
pub fn describe_method(method: Method) -> String {
    describe_amount(method).unwrap_or_else(|| "no added time".to_owned())
}

/// A period of one side.
struct Part {
    moves: Option<u32>,
    time: Span,
    method: Method,
    /// Whether both sides get the same time for this period.
    alike: bool,
    last: bool,
    again: bool,
}

fn parts(control: &Control, side: Side) -> Vec<Part> {
    let last = control.periods().len() - 1;
    let part = |(index, period): (usize, &Period)| Part {
        moves: period.moves,
        time: period.time[side],
        method: period.method[side],
        alike: period.time.white == period.time.black,
        last: index == last,
        again: control.terms().repeat && index == last,
    };
    control.periods().iter().enumerate().map(part).collect()
}

fn describe_side(control: &Control, side: Side) -> String {
    let period_end = control.terms().period_end;
    let mut parts = parts(control, side);
    let first = parts.iter().position(|part| describe_amount(part.method).is_some());
    let first = first.unwrap_or(parts.len());
    let before: u64 = parts[..first].iter().filter_map(|part| part.moves).map(u64::from).sum();
    // `uniform` is the usual case: one increment or delay, from some period to the end. The text
    // can name the first move with the increment or delay only in two cases: the first period has
    // it already, or `period_end` is `Moves`.
    let same = parts[first..].windows(2).all(|pair| pair[0].method == pair[1].method);
    let uniform = same && (first == 0 || period_end == PeriodEnd::Moves);
    let method = parts.get(first).map(|part| part.method).filter(|_| uniform);
    if uniform {
        join(&mut parts, first);
    }
    let mut due = 0;
    let mut said: Vec<String> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let time = match index {
            0 if nothing_added(&parts, period_end) => format!("all moves in {}", hms(part.time)),
            0 => describe_first_period(part),
            _ => format!(
                "{}{}",
                describe_period_end(period_end, due),
                describe_later_period(part, period_end)
            ),
        };
        due += u64::from(part.moves.unwrap_or(0));
        said.push(match describe_amount(part.method) {
            Some(amount) if !uniform => {
                let parted = if index > 0 && part.time.is_zero() { "," } else { " with" };
                // If move 1 has no increment yet, the words `from the first press on` follow the
                // increment of the first period.
                let late = index == 0 && is_late(control, part.method);
                let late = if late { " from the first press on" } else { "" };
                format!("{time}{parted} {amount}{late}")
            }
            None if nothing_added(&parts, period_end) && index > 0 => {
                time.replace("no added time", "the last period, with no added time")
            }
            _ => time,
        });
    }
    said.extend(method.and_then(|method| describe_from_move(control, method, before + 1)));
    said.join(", ")
}

/// Joins the period at `first` to the period before it if the period at `first` has no time and
/// does not repeat. Such a period only changes the increment or delay, and the text names the move
/// from which the new increment or delay holds.
fn join(parts: &mut Vec<Part>, first: usize) {
    if first == 0 || parts.get(first).is_none_or(|part| part.again || !part.time.is_zero()) {
        return;
    }
    let joined = parts.remove(first);
    let before = &mut parts[first - 1];
    before.moves = before.moves.zip(joined.moves).map(|(one, other)| one + other);
    before.last = joined.last;
}

/// Whether the control has two periods with set-back (`PeriodEnd::BlackCompletes`), and the second
/// one gives no time. Such a second period only marks the move of Black after which the rules of a
/// finish hold.
fn nothing_added(parts: &[Part], period_end: PeriodEnd) -> bool {
    match parts {
        [first, last] => {
            let usual = first.method == Method::None || describe_amount(first.method).is_some();
            let finish = last.time.is_zero() && !matches!(last.method, Method::Overtime(_));
            matches!(period_end, PeriodEnd::BlackCompletes { .. }) && usual && finish && !last.again
        }
        _ => false,
    }
}

fn describe_first_period(part: &Part) -> String {
    let time = hms(part.time);
    match (part.method, part.moves) {
        (Method::Hourglass, _) => {
            format!("{time} each as an hourglass: what one player uses, the other gets")
        }
        (Method::Gong(slice), _) => format!("{} a move by gong", amount(slice)),
        (Method::CountUp { limit: None }, _) => "the time used is counted up".to_owned(),
        (Method::CountUp { limit: Some(limit) }, _) => {
            format!("the time used is counted up, at most {}", hms(limit))
        }
        (Method::Overtime(overtime), _) if part.time.is_zero() => describe_overtime(overtime),
        (Method::Overtime(overtime), _) => {
            format!("all moves in {time}, then {}", describe_overtime(overtime))
        }
        (_, Some(moves)) if has_no_main_time(part) => {
            format!("{} with no main time{}", describe_moves(moves), again(part))
        }
        (_, None) if has_no_main_time(part) => "no main time".to_owned(),
        (_, Some(moves)) => format!("{} in {time}{}", describe_moves(moves), again(part)),
        (_, None) if part.last => format!("all moves in {time}"),
        (_, None) => time,
    }
}

/// Whether a first period has no time except its increment or delay.
fn has_no_main_time(part: &Part) -> bool {
    part.time.is_zero() && describe_amount(part.method).is_some()
}

/// The condition under which a period that is not the first begins.
fn describe_period_end(period_end: PeriodEnd, due: u64) -> String {
    match period_end {
        PeriodEnd::Moves => "then ".to_owned(),
        PeriodEnd::Zero => "then, when either player's time is used up, ".to_owned(),
        PeriodEnd::MovesAtZero => "then, when that time is used up, ".to_owned(),
        PeriodEnd::BlackCompletes { pause } => {
            let stop = if pause { " (both clocks stop there)" } else { "" };
            format!("then, when Black completes move {due}{stop}, ")
        }
    }
}

fn describe_later_period(part: &Part, period_end: PeriodEnd) -> String {
    if let (Method::Overtime(overtime), true) = (part.method, part.time.is_zero()) {
        return describe_overtime(overtime);
    }
    let time = match part.time {
        Span::ZERO => "no added time".to_owned(),
        time => hms(time),
    };
    let time = match part.moves {
        Some(moves) if part.time.is_zero() => format!("{} with {time}", describe_moves(moves)),
        Some(moves) => format!("{} in {time}", describe_moves(moves)),
        None => time,
    };
    let at_once = matches!(period_end, PeriodEnd::Zero | PeriodEnd::BlackCompletes { .. });
    let both = if at_once && part.alike && !part.time.is_zero() { " for both" } else { "" };
    let overtime = match part.method {
        Method::Overtime(overtime) => format!(", then {}", describe_overtime(overtime)),
        _ => String::new(),
    };
    let again = if part.again && part.time.is_zero() { ", and so on" } else { again(part) };
    format!("{time}{both}{again}{overtime}")
}

fn again(part: &Part) -> &'static str {
    if part.again { " again and again" } else { "" }
}

fn describe_moves(moves: u32) -> String {
    match moves {
        1 => "1 move".to_owned(),
        moves => format!("{moves} moves"),
    }
}

fn describe_overtime(overtime: Overtime) -> String {
    let time = hms(overtime.time);
    match (overtime.periods, overtime.moves) {
        (1, 1) => format!("{time} for each move"),
        (1, moves) => format!("overtime: {moves} moves in {time} again and again"),
        (periods, 1) => format!("{periods} periods of overtime of {time} for each move"),
        (periods, moves) => {
            format!("{periods} periods of overtime of {time}, each afresh after {moves} moves")
        }
    }
}

/// Describes an increment or delay; `None` for every other method.
fn describe_amount(method: Method) -> Option<String> {
    match method {
        Method::Increment(span) => Some(format!("{} a move", amount(span))),
        Method::Delay(span) => Some(format!("{} delay a move", amount(span))),
        Method::Bronstein(span) => Some(format!("{} Bronstein delay a move", amount(span))),
        Method::None
        | Method::Overtime(_)
        | Method::Hourglass
        | Method::Gong(_)
        | Method::CountUp { .. } => None,
    }
}

/// Whether move 1 has no increment at the start, so that the first increment is added with the
/// first press.
fn is_late(control: &Control, method: Method) -> bool {
    matches!(method, Method::Increment(_)) && !control.terms().first_move_increment
}

fn describe_from_move(control: &Control, method: Method, number: u64) -> Option<String> {
    let amount = describe_amount(method)?;
    let late = number == 1 && is_late(control, method);
    Some(match late {
        true => format!("{amount} from the first press on"),
        false => format!("{amount} from move {number}"),
    })
}

/// Writes a whole number of seconds below 10 minutes in the form `30 s`, and every other span as
/// `h:mm:ss`.
fn amount(span: Span) -> String {
    const SECOND: u64 = 1_000_000_000;
    match (span.as_nanos() / SECOND, span.as_nanos() % SECOND) {
        (seconds @ 0..=599, 0) => format!("{seconds} s"),
        _ => hms(span),
    }
}

#[cfg(test)]
mod tests;
