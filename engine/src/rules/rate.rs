//! The rate of play of a time control, and whether it has an increment or a delay.

use super::profile::RateOfPlay;
use crate::{Control, Method, Side, Span};

/// The moves that count for the rate of play (FIDE, Appendices A and B).
const MOVES: u32 = 60;

/// The rate of play of a control. It depends on the sum of the time for the first 60 moves and 60
/// increments. A delay, or the slice of a gong, counts as an increment. If the sides differ, the
/// longer time counts.
pub fn rate_of_play(control: &Control) -> RateOfPlay {
    let [white, black] = Side::BOTH.map(|side| time_for_60_moves(control, side));
    let time = white.max(black);
    if time <= Span::from_secs(10 * 60) {
        RateOfPlay::Blitz
    } else if time < Span::from_secs(60 * 60) {
        RateOfPlay::Rapid
    } else {
        RateOfPlay::Standard
    }
}

fn time_for_60_moves(control: &Control, side: Side) -> Span {
    let (mut time, mut moves, mut number) = (Span::ZERO, 0, 1);
    while moves < MOVES {
        let period = control.period(number);
        let of_period = period.moves.unwrap_or(MOVES).clamp(1, MOVES - moves);
        let per_move = match period.method[side] {
            Method::Increment(span) | Method::Delay(span) | Method::Bronstein(span) => span,
            Method::Gong(slice) => slice,
            _ => Span::ZERO,
        };
        let added = per_move.as_nanos().saturating_mul(u64::from(of_period));
        time = time.plus(period.time[side]).plus(Span::from_nanos(added));
        moves += of_period;
        number += 1;
    }
    time
}

/// Whether a period of this control has an increment, a delay or Bronstein for at least one side.
pub fn has_increment(control: &Control) -> bool {
    let methods =
        control.periods().iter().flat_map(|period| Side::BOTH.map(|side| period.method[side]));
    methods.into_iter().any(brings_time)
}

/// Whether this method is an increment, a delay or Bronstein, so that each move brings time.
pub fn brings_time(method: Method) -> bool {
    matches!(method, Method::Increment(_) | Method::Delay(_) | Method::Bronstein(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(seconds: u64, increment: u64) -> RateOfPlay {
        let method = Method::Increment(Span::from_secs(increment));
        rate_of_play(&Control::single(Span::from_secs(seconds), method))
    }

    #[test]
    fn ten_minutes_are_blitz_and_sixty_are_standard() {
        assert_eq!(single(600, 0), RateOfPlay::Blitz);
        assert_eq!(single(601, 0), RateOfPlay::Rapid);
        assert_eq!(single(300, 5), RateOfPlay::Blitz);
        assert_eq!(single(301, 5), RateOfPlay::Rapid);
        assert_eq!(single(3599, 0), RateOfPlay::Rapid);
        assert_eq!(single(3600, 0), RateOfPlay::Standard);
        assert_eq!(single(1800, 30), RateOfPlay::Standard);
    }
}
