//! The amounts of a penalty and of a time method, as they are typed.

use clock_dbus::commands::{Method, PenaltyKind, Span};
use clock_engine::rules::PenaltyAmount;
use clock_engine::text::{parse_duration, parse_points};

pub const AMOUNTS: &str = "\
A time is 0:02:00 (h:mm:ss) or has units: 2m, 30s. Points are 0.5, 1 and so on, in steps of a half; 0 takes \
the earlier points of this kind back. \
Examples: clockctl penalize white opponent-plus 2m; clockctl penalize black points-off 0.5.";

/// Reads the kind of a penalty. It has no possible values, because clap would suggest the most
/// similar word for a mistyped one, and that is a different penalty.
pub fn penalty_kind(text: &str) -> Result<PenaltyKind, String> {
    PenaltyKind::from_word(text).ok_or_else(|| {
        let all: Vec<&str> = PenaltyKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("a penalty is one of {}", all.join(", "))
    })
}

/// Reads the amount of a penalty. Returns the time and the points in half points; 0 for what the
/// penalty does not use.
pub fn amounts(kind: PenaltyKind, amount: Option<&str>) -> Result<(Span, u32), String> {
    use PenaltyAmount::{OffenderPoints, OpponentPoints, Time};
    match (kind.amount(), amount) {
        (Some(Time), Some(time)) => {
            let time = parse_duration(time).map_err(|error| error.to_string())?;
            Ok((time, 0))
        }
        (Some(Time), None) => Err(format!("{kind} needs a time, such as 2m")),
        (Some(OffenderPoints | OpponentPoints), Some(points)) => {
            let half_points = parse_points(points).ok_or_else(|| {
                format!("`{points}` is no number of points; expected 0.5, 1, 1.5")
            })?;
            Ok((Span::ZERO, half_points))
        }
        (Some(OffenderPoints | OpponentPoints), None) => {
            Err(format!("{kind} needs points, such as 0.5"))
        }
        (None, Some(amount)) => {
            Err(format!("{kind} takes neither a time nor points, such as `{amount}`"))
        }
        (None, None) => Ok((Span::ZERO, 0)),
    }
}

/// The time of a time method for each move; 0 for `none`.
pub fn method_amount(method: Method, amount: Option<&str>) -> Result<Span, String> {
    match (method, amount) {
        (Method::None, None) => Ok(Span::ZERO),
        (Method::None, Some(amount)) => Err(format!("none takes no time, such as `{amount}`")),
        (method, None) => Err(format!("{} needs a time, such as 30s", method.as_str())),
        (_, Some(amount)) => parse_duration(amount).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{PenaltyKind, amounts};

    #[test]
    fn each_penalty_takes_its_own_amount() {
        use PenaltyKind::*;
        for (kind, amount, expected) in [
            (OpponentPlus, Some("2m"), Some((120_000_000_000, 0))),
            (OffenderMinus, Some("0:00:30"), Some((30_000_000_000, 0))),
            (OpponentPlus, None, None),
            (OpponentPlus, Some("-2m"), None),
            (PointsOff, Some("0.5"), Some((0, 1))),
            (OpponentPoints, Some("1"), Some((0, 2))),
            (OpponentPoints, Some("0"), Some((0, 0))),
            (PointsOff, Some("0.25"), None),
            (PointsOff, Some("2m"), None),
            (PointsOff, None, None),
            (Warning, None, Some((0, 0))),
            (Loss, None, Some((0, 0))),
            (Warning, Some("2m"), None),
            (Expulsion, Some("1"), None),
        ] {
            let read = amounts(kind, amount).ok().map(|(time, points)| (time.as_nanos(), points));
            assert_eq!(read, expected, "{kind} {amount:?}");
        }
    }
}
