//! Refuses values of a correction that are hardly ever meant, such as a time of 0, and a time that is
//! far above what the time control can give: an arbiter who types `31:00:00` means 31 minutes.

use clock_dbus::Side;
use clock_engine::text::hms;
use clock_engine::{Control, Method, Span};

use crate::failure::Failure;

/// The most moves that are set without `--force`.
const MOST_MOVES: u32 = 999;
/// How much more than the time control has given is set without `--force`, at least: a fast game can be
/// given back an interruption.
const LEAST_MORE: Span = Span::from_secs(3600);
/// The longest time without `--force` if the time control has no main time: one day.
const WITHOUT_MAIN_TIME: Span = Span::from_secs(24 * 3600);

/// Refuses a time of 0 and a very large move counter of White and of Black.
pub fn check(times: [Option<u64>; 2], moves: [Option<u32>; 2]) -> Result<(), Failure> {
    let named = |place: usize| ["White", "Black"][place];
    if let Some(place) = times.iter().position(|time| *time == Some(0)) {
        let name = named(place);
        let message = format!("with a time of 0 {name}'s flag falls at once; --force allows it");
        return Err(Failure::Usage(message));
    }
    let counters = moves.into_iter().enumerate();
    let mut counters = counters.filter_map(|(place, moves)| Some((named(place), moves?)));
    match counters.find(|(_, moves)| *moves > MOST_MOVES) {
        Some((name, moves)) => Err(Failure::Usage(format!(
            "{moves} moves of {name} are more than {MOST_MOVES}; --force allows them"
        ))),
        None => Ok(()),
    }
}

/// Refuses a time of this side that is far above what the time control can have given it after so many
/// moves, in this period.
pub fn check_high(
    control: &Control,
    side: Side,
    (moves, period): (u32, u32),
    nsec: u64,
) -> Result<(), Failure> {
    let most = most(control, side, moves, period);
    let time = Span::from_nanos(nsec);
    if time <= most {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{} for {} is far above what this time control gives: up to {} is set without --force; hours come \
         first, and 31 minutes are written 31m",
        hms(time),
        side.name(),
        hms(most)
    )))
}

/// The longest time that is set without a question: twice the main times of all periods with the
/// increments of the moves made so far, and at least one hour more than these.
fn most(control: &Control, side: Side, moves: u32, period: u32) -> Span {
    let mut given: u64 = 0;
    for each in control.periods() {
        let (time, other) = (each.time[side].as_nanos(), each.time[side.other()].as_nanos());
        let more = match each.method[side] {
            Method::None => 0,
            Method::Increment(amount) | Method::Delay(amount) | Method::Bronstein(amount) => {
                amount.as_nanos().saturating_mul(u64::from(moves))
            }
            Method::Overtime(overtime) => {
                overtime.time.as_nanos().saturating_mul(u64::from(overtime.periods))
            }
            // One side's time becomes the other's.
            Method::Hourglass => other,
            Method::Gong(_) | Method::CountUp { .. } => return WITHOUT_MAIN_TIME,
        };
        given = given.saturating_add(time).saturating_add(more);
    }
    // The last period may repeat.
    let again = period.saturating_sub(control.count());
    let last = control.periods().last().map_or(0, |last| last.time[side].as_nanos());
    given = given.saturating_add(last.saturating_mul(u64::from(again)));
    Span::from_nanos(given.saturating_add(given.max(LEAST_MORE.as_nanos())))
}

#[cfg(test)]
mod tests {
    use clock_dbus::Side;
    use clock_engine::Span;
    use clock_engine::text::parse_notation;

    use super::{check_high, most};

    fn most_of(notation: &str, moves: u32) -> u64 {
        let control = parse_notation(notation).unwrap();
        most(&control, Side::White, moves, 1).as_nanos() / 1_000_000_000
    }

    #[test]
    fn a_time_above_twice_what_the_control_has_given_is_asked_for() {
        for (notation, moves, expected) in [
            ("90+30", 0, 2 * 5400),
            ("90+30", 40, 2 * (5400 + 1200)),
            ("40/120, 20/60, G/15", 0, 2 * 195 * 60),
            // A fast game can get an hour more than it has given.
            ("3+2", 10, 180 + 20 + 3600),
        ] {
            assert_eq!(most_of(notation, moves), expected, "{notation} {moves}");
        }
        let control = clock_engine::Control::single(
            Span::ZERO,
            clock_engine::Method::CountUp { limit: None },
        );
        assert_eq!(most(&control, Side::White, 0, 1), super::WITHOUT_MAIN_TIME);
    }

    #[test]
    fn the_refusal_names_the_time_and_the_bound() {
        let control =
            clock_engine::Control::single(Span::from_secs(5400), clock_engine::Method::None);
        let of = |hours: u64| check_high(&control, Side::Black, (0, 1), hours * 3_600_000_000_000);
        assert!(of(3).is_ok());
        let refused = of(31).unwrap_err().to_string();
        assert!(refused.starts_with("31:00:00 for Black is far above"), "{refused}");
        assert!(refused.contains("up to 3:00:00 is set without --force"), "{refused}");
    }
}
