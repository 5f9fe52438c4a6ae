//! A time control that is read from the bytes of an input.

use crate::bytes::Bytes;
use clock_engine::{
    AfterFlag, Control, ControlError, MAX_GIVEN, MAX_PERIODS, MIN_SLICE, Method, Overtime, PerSide,
    Period, PeriodEnd, Side, Span, Terms,
};

/// Reads a control from the input. Half of the inputs are corrected first, because nearly all
/// controls would be refused.
pub fn control(bytes: &mut Bytes) -> Result<Control, ControlError> {
    let [mended, same, repeat, first_move_increment] = bytes.flags();
    let mut terms = Terms {
        period_end: period_end(bytes),
        repeat,
        after_flag: bytes.pick(&[None, Some(AfterFlag::Halt), Some(AfterFlag::Run)]),
        first_move_increment,
        draw_odds: bytes.pick(&[None, Some(Side::White), Some(Side::Black)]),
    };
    let count = match usize::from(bytes.byte()) {
        few @ 0..192 => few % 4 + usize::from(mended),
        many => many % (MAX_PERIODS + 2),
    };
    let mut periods: Vec<Period> = (0..count).map(|_| period(bytes, same)).collect();
    if mended {
        mend(&mut periods, &mut terms);
    }
    Control::new(&periods, terms)
}

fn period_end(bytes: &mut Bytes) -> PeriodEnd {
    bytes.pick(&[
        PeriodEnd::Moves,
        PeriodEnd::Zero,
        PeriodEnd::MovesAtZero,
        PeriodEnd::BlackCompletes { pause: false },
        PeriodEnd::BlackCompletes { pause: true },
    ])
}

fn period(bytes: &mut Bytes, same: bool) -> Period {
    let moves = match bytes.byte() {
        0 => None,
        1..=100 => Some(1),
        101..=200 => Some(2),
        _ => Some(bytes.number()),
    };
    let white = (bytes.span(), method(bytes));
    let black = if same { white } else { (bytes.span(), method(bytes)) };
    let both = PerSide { white, black };
    Period { moves, time: both.map(|(time, _)| time), method: both.map(|(_, method)| method) }
}

fn method(bytes: &mut Bytes) -> Method {
    match bytes.byte() % 9 {
        0 => Method::None,
        1 => Method::Increment(bytes.span()),
        2 => Method::Delay(bytes.span()),
        3 => Method::Bronstein(bytes.span()),
        4 => Method::Overtime(Overtime {
            periods: bytes.number(),
            time: bytes.span(),
            moves: bytes.number(),
        }),
        5 => Method::Hourglass,
        6 => Method::Gong(bytes.span()),
        7 => Method::CountUp { limit: None },
        _ => Method::CountUp { limit: Some(bytes.span()) },
    }
}

/// Whether a control with this method must have only one period, with this method for both sides.
fn alone(method: Method) -> bool {
    matches!(method, Method::Hourglass | Method::Gong(_) | Method::CountUp { .. })
}

fn mend(periods: &mut Vec<Period>, terms: &mut Terms) {
    periods.truncate(MAX_PERIODS);
    let Some(first) = periods.first().copied() else { return };
    if alone(first.method.white) {
        periods.truncate(1);
        periods[0].method.black = first.method.white;
        terms.repeat = false;
        if !matches!(first.method.white, Method::CountUp { .. }) {
            terms.after_flag = None;
        }
    }
    if terms.repeat {
        terms.period_end = PeriodEnd::Moves;
    }
    let (count, alone_first) = (periods.len(), alone(first.method.white));
    for (number, period) in (1..).zip(periods) {
        let (last, zero) = (number == count, terms.period_end == PeriodEnd::Zero);
        period.moves = match period.moves {
            _ if last && !terms.repeat => None,
            None if zero && !last => None,
            moves => Some(moves.unwrap_or(1).clamp(1, u32::MAX / 32)),
        };
        for side in Side::BOTH {
            let method = &mut period.method[side];
            let overtime = matches!(method, Method::Overtime(_));
            if alone(*method) != alone_first || overtime && (!last || terms.repeat) {
                *method = Method::None;
            }
            mend_amounts(method);
            let timeless = matches!(method, Method::Gong(_) | Method::CountUp { .. });
            let longest = if timeless { Span::ZERO } else { MAX_GIVEN };
            period.time[side] = period.time[side].min(longest);
        }
    }
}

fn mend_amounts(method: &mut Method) {
    match method {
        Method::Increment(span) | Method::Delay(span) | Method::Bronstein(span) => {
            *span = (*span).min(MAX_GIVEN);
        }
        Method::CountUp { limit: Some(limit) } => *limit = (*limit).min(MAX_GIVEN),
        Method::Gong(slice) => *slice = (*slice).clamp(MIN_SLICE, MAX_GIVEN),
        Method::Overtime(overtime) => {
            overtime.time = overtime.time.clamp(MIN_SLICE, MAX_GIVEN);
            overtime.periods = overtime.periods.max(1);
            overtime.moves = overtime.moves.max(1);
        }
        Method::None | Method::Hourglass | Method::CountUp { limit: None } => {}
    }
}
