//! `clockctl add`: gives a side time, or takes time from it.

use anyhow::Result;
use clock_dbus::{Counting, Given, Side};
use clock_engine::Span;
use clock_engine::text::parse_duration;

use super::{
    command::{self, Connected},
    usual,
};
use crate::options::{Options, words};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = TIMES)]
pub struct Args {
    /// Whose time
    #[arg(value_parser = words::<Side>())]
    side: Side,
    /// How much: 2m or +2m gives, -30s takes
    #[arg(value_name = "T", value_parser = delta, allow_hyphen_values = true)]
    delta: i64,
    /// Give also so much that the side has far more than the time control gives
    #[arg(short, long)]
    force: bool,
}

const TIMES: &str = "\
A time T is 0:02:00 (h:mm:ss, decimals allowed) or has units: 1h30m, 2m, 30s, 250ms, 1500000001ns. \
It goes to the main time, or comes from it; what is left of a delay stays. A cut as large as the \
main time left is refused. On a clock that counts up, 2m lowers the time used and -30s raises it.";

/// Reads a time with a sign. The longest time, 1,000 hours, fits in an `i64`.
fn delta(text: &str) -> Result<i64, String> {
    let (sign, size) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
        (Some(size), _) => (-1, size),
        (None, Some(size)) => (1, size),
        (None, None) => (1, text),
    };
    // At most one sign is accepted.
    if size.starts_with(['-', '+']) {
        return Err("expected a time with one sign at most, such as 2m or -30s".to_owned());
    }
    let time = parse_duration(size).map(Span::as_nanos).map_err(|error| error.to_string())?;
    match i64::try_from(time) {
        Ok(0) => Err("nothing to add; expected a time such as 2m or -30s".to_owned()),
        Ok(time) => Ok(sign * time),
        Err(_) => Err("longer than a clock takes".to_owned()),
    }
}

/// Gives or takes time, and shows the times of both sides before and after it.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let given = Given::Add { side: args.side, delta_nsec: args.delta.into() };
    let connected = command::connect(options, "add time").await?;
    if !args.force {
        check_high(&connected, args).await?;
    }
    let completed = connected.send(options, given).await?;
    completed.show(options, command::readings_table).await
}

/// Refuses a gift after which the side has far more than the time control gives, as `set` does.
async fn check_high(connected: &Connected, args: &Args) -> Result<()> {
    let Ok(gift) = u64::try_from(args.delta) else { return Ok(()) };
    let side = args.side;
    let state = &connected.before;
    if state.counting == Counting::Up {
        return Ok(());
    }
    let Some(control) = command::control_in_use(&connected.bus).await else { return Ok(()) };
    let of = state.side(side);
    let after = of.remaining_nsec.saturating_add(gift);
    usual::check_high(&control, side, (of.moves, of.period), after)
        .map_err(|refused| connected.usage(refused.to_string()))
}

#[cfg(test)]
mod tests {
    use super::delta;

    #[test]
    fn a_sign_gives_or_takes() {
        for (text, nanos) in [
            ("2m", 120_000_000_000),
            ("+2m", 120_000_000_000),
            ("-30s", -30_000_000_000),
            ("-0:00:30", -30_000_000_000),
            ("1ns", 1),
            ("-1000h", -3_600_000_000_000_000),
        ] {
            assert_eq!(delta(text), Ok(nanos), "{text}");
        }
        for text in ["", "-", "+", "--5s", "+-5s", "-+5s", "0s", "-0s", "1001h", "-1001h", "5"] {
            assert!(delta(text).is_err(), "{text}");
        }
    }
}
