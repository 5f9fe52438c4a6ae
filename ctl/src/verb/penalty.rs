//! `clockctl penalty`: applies a penalty.

use anyhow::Result;
use clap::ValueEnum;
use clock_dbus::{Side, State};
use clock_engine::Span;
use clock_engine::rules::PenaltyKind;
use clock_engine::text::{parse_duration, parse_points};

use super::command::{self, Phrases};
use crate::failure::Failure;
use crate::options::{Options, word, words};

#[derive(Debug, clap::Args)]
#[command(after_help = AMOUNTS)]
pub struct Args {
    /// The offender, also where the opponent gets something
    #[arg(value_parser = words::<Side>())]
    side: Side,
    /// warning, opponent-plus, offender-minus, loss, points-off, opponent-points, expulsion or fine
    #[arg(value_parser = kind)]
    kind: PenaltyKind,
    /// The time of opponent-plus and offender-minus, or the points of points-off and
    /// opponent-points
    #[arg(value_name = "TIME|POINTS")]
    amount: Option<String>,
    /// What the penalty answers [default: not named]
    #[arg(long, value_enum, value_name = "WHY")]
    cause: Option<Cause>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Cause {
    /// Undue force on the clock
    Force,
    Other,
}

const AMOUNTS: &str = "\
A time is 0:02:00 (h:mm:ss) or has units: 2m, 30s. Points are 0.5, 1 and so on, in steps of a half; 0 takes \
the earlier points of this kind back. \
Examples: clockctl penalty white opponent-plus 2m; clockctl penalty black points-off 0.5.";

/// Reads the kind of a penalty. It is no `ValueEnum`, because clap would suggest the most similar
/// word for a mistyped one, and that is a different penalty.
fn kind(text: &str) -> Result<PenaltyKind, String> {
    PenaltyKind::from_word(text).ok_or_else(|| {
        let all: Vec<&str> = PenaltyKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("a penalty is one of {}", all.join(", "))
    })
}

/// Reads `amount`. Returns the time in nanoseconds and the points in half points; 0 for what the
/// penalty does not use.
fn amounts(kind: PenaltyKind, amount: Option<&str>) -> Result<(u64, u32), String> {
    match (kind, amount) {
        (PenaltyKind::OpponentPlus | PenaltyKind::OffenderMinus, Some(time)) => {
            let time =
                parse_duration(time).map(Span::as_nanos).map_err(|error| error.to_string())?;
            Ok((time, 0))
        }
        (PenaltyKind::OpponentPlus | PenaltyKind::OffenderMinus, None) => {
            Err(format!("{kind} needs a time, such as 2m"))
        }
        (PenaltyKind::PointsOff | PenaltyKind::OpponentPoints, Some(points)) => {
            let half_points = parse_points(points).ok_or_else(|| {
                format!("`{points}` is no number of points; expected 0.5, 1, 1.5")
            })?;
            Ok((0, half_points))
        }
        (PenaltyKind::PointsOff | PenaltyKind::OpponentPoints, None) => {
            Err(format!("{kind} needs points, such as 0.5"))
        }
        (_, Some(amount)) => {
            Err(format!("{kind} takes neither a time nor points, such as `{amount}`"))
        }
        (_, None) => Ok((0, 0)),
    }
}

/// Applies the penalty and shows what it did to the clocks.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "apply the penalty", done: "the penalty was applied" };
    let (time_nsec, half_points) =
        amounts(args.kind, args.amount.as_deref()).map_err(Failure::Usage)?;
    command::run_and_say_done(
        options,
        phrases,
        async |arbiter, revision, reason| {
            let (side, kind, cause) =
                (args.side.into(), args.kind.as_str(), args.cause.as_ref().map(word));
            let cause = cause.unwrap_or_default();
            arbiter.penalize(side, kind, time_nsec, half_points, &cause, revision, reason).await
        },
        |_, after| done(args, after),
    )
    .await
}

/// What the command did: the penalty with its amount and cause, and how often the player was warned.
fn done(args: &Args, after: &State) -> String {
    let side = args.side;
    // No points take back the earlier ones.
    match (args.kind, amounts(args.kind, args.amount.as_deref())) {
        (PenaltyKind::PointsOff, Ok((_, 0))) => {
            return format!("no points are taken off {} any more", side.name());
        }
        (PenaltyKind::OpponentPoints, Ok((_, 0))) => {
            return format!("{} gives the opponent no points any more", side.name());
        }
        _ => {}
    }
    let amount = args.amount.iter().map(|amount| format!(" {amount}"));
    let cause = args.cause.iter().map(|cause| format!(", cause {}", word(cause)));
    let details: String = amount.chain(cause).collect();
    let warnings = match after.side(side).warnings {
        0 => String::new(),
        1 => "; 1 warning so far".to_owned(),
        warnings => format!("; {warnings} warnings so far"),
    };
    format!("{} has the penalty {}{details}{warnings}", side.name(), args.kind)
}

#[cfg(test)]
mod tests {
    use clock_engine::Side;
    use clock_engine::rules::PenaltyKind;

    use clock_dbus::State;

    use super::{Args, amounts, done};

    #[test]
    fn points_that_are_taken_back_are_no_penalty() {
        let of = |kind, amount: Option<&str>| {
            let amount = amount.map(str::to_owned);
            done(&Args { side: Side::White, kind, amount, cause: None }, &State::default())
        };
        let back = of(PenaltyKind::PointsOff, Some("0"));
        assert_eq!(back, "no points are taken off White any more");
        let back = of(PenaltyKind::OpponentPoints, Some("0"));
        assert_eq!(back, "White gives the opponent no points any more");
        let half = of(PenaltyKind::PointsOff, Some("0.5"));
        assert_eq!(half, "White has the penalty points-off 0.5");
        assert_eq!(of(PenaltyKind::Warning, None), "White has the penalty warning");
    }

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
            assert_eq!(amounts(kind, amount).ok(), expected, "{kind} {amount:?}");
        }
    }
}
