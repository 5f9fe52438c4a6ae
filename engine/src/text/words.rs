//! A time control in words.

use super::hms;
use crate::{Control, Method, Period, Side, Span};

/// The control as an arbiter would say it.
///
/// ```
/// use clock_engine::text::{preset, words};
/// let control = preset("fide-standard").expect("shipped").read().control;
/// let said = "40 moves in 1:30:00, then 0:30:00, 30 s a move from move 1";
/// assert_eq!(words(&control), said);
/// ```
pub fn words(control: &Control) -> String {
    let white = side_words(control, Side::White);
    let black = side_words(control, Side::Black);
    if white == black { white } else { format!("White: {white}; Black: {black}") }
}

fn side_words(control: &Control, side: Side) -> String {
    let periods = control.periods();
    let methods: Vec<Method> = periods.iter().map(|period| period.method[side]).collect();
    let brings = |method: &Method| *method != Method::None;
    let first = methods.iter().position(brings).unwrap_or(methods.len());
    // The usual case: nothing at first, then the same to the end.
    let uniform = methods[first..].windows(2).all(|pair| pair[0] == pair[1]);
    let mut parts: Vec<String> = periods
        .iter()
        .enumerate()
        .map(|(index, period)| {
            let time = period_words(period, index == 0, side);
            match method_words(period.method[side]) {
                Some(method) if !uniform => format!("{time} with {method}"),
                _ => time,
            }
        })
        .collect();
    if let (true, Some(method)) = (uniform, methods.get(first).and_then(|m| method_words(*m))) {
        let before: u32 = periods[..first].iter().filter_map(|period| period.moves).sum();
        let number = before.saturating_add(1);
        let increment = matches!(methods.get(first), Some(Method::Increment(_)));
        // Only move 1 can have its increment at set-up.
        let late = number == 1 && increment && !control.terms().first_move_increment;
        parts.push(match late {
            true => format!("{method} from the first press on"),
            false => format!("{method} from move {number}"),
        });
    }
    parts.join(", ")
}

fn period_words(period: &Period, first: bool, side: Side) -> String {
    let time = hms(period.time[side]);
    match (first, period.moves) {
        (true, Some(moves)) => format!("{moves} moves in {time}"),
        (true, None) => format!("all moves in {time}"),
        (false, Some(moves)) => format!("then {moves} moves in {time}"),
        (false, None) => format!("then {time}"),
    }
}

fn method_words(method: Method) -> Option<String> {
    match method {
        Method::None => None,
        Method::Increment(span) => Some(format!("{} a move", amount(span))),
        Method::Delay(span) => Some(format!("{} delay a move", amount(span))),
        Method::Bronstein(span) => Some(format!("{} Bronstein delay a move", amount(span))),
        Method::Overtime(_) | Method::Hourglass | Method::Gong(_) | Method::CountUp { .. } => None,
    }
}

/// Whole seconds are said as seconds; anything finer is spelt out.
fn amount(span: Span) -> String {
    const SECOND: u64 = 1_000_000_000;
    match (span.as_nanos() / SECOND, span.as_nanos() % SECOND) {
        (seconds @ 0..=599, 0) => format!("{seconds} s"),
        _ => hms(span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{ControlFile, preset};

    #[test]
    fn said() {
        for (name, said) in [
            ("blitz-5-0", "all moves in 0:05:00"),
            ("blitz-3-2", "all moves in 0:03:00, 2 s a move from move 1"),
            ("us-g60-d5", "all moves in 1:00:00, 5 s delay a move from move 1"),
            (
                "classical-40-120-20-60-30",
                "40 moves in 2:00:00, then 20 moves in 1:00:00, then 0:30:00",
            ),
        ] {
            assert_eq!(words(&preset(name).expect(name).read().control), said);
        }
    }

    #[test]
    fn said_of_files() {
        let read = |text: &str| words(&ControlFile::parse(text).expect(text).control);
        let from_61 = "name = 'x'\n[[period]]\nmoves = 40\ntime = '2h'\n[[period]]\nmoves = 20\n\
                       time = '1h'\n[[period]]\ntime = '15m'\nincrement = '30s'\n";
        let said = "40 moves in 2:00:00, then 20 moves in 1:00:00, then 0:15:00, 30 s a move from \
                    move 61";
        assert_eq!(read(from_61), said);
        let mixed = "name = 'x'\n[[period]]\nmoves = 40\ntime = '2h'\nincrement = '30s'\n\
                     [[period]]\ntime = '1500ms'\n";
        assert_eq!(read(mixed), "40 moves in 2:00:00 with 30 s a move, then 0:00:01.5");
        let online = "name = 'x'\nfirst_move_increment = false\n[[period]]\ntime = '3m'\n\
                      increment = '2s'\n";
        let said = "all moves in 0:03:00, 2 s a move from the first press on";
        assert_eq!(read(online), said);
        let odds = "name = 'x'\n[[period]]\ntime = { white = '5m', black = '4m' }\n";
        assert_eq!(read(odds), "White: all moves in 0:05:00; Black: all moves in 0:04:00");
    }
}
