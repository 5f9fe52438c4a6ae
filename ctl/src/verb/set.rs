//! `clockctl set`: corrects the clock.

use anyhow::{Result, ensure};
use clock_dbus::{Corrections, Given, Side, State, Who};
use clock_engine::text::parse_duration;
use clock_engine::{Control, PeriodEnd, Span};

use super::{command, usual};
use crate::{
    failure::Failure,
    options::{Options, whole, words},
    text,
};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = TIMES)]
#[group(skip)]
pub struct Args {
    /// The side whose main time is set to the time after it, as in: clockctl set white 31m
    #[arg(value_parser = words::<Side>(), value_name = "SIDE", requires = "time")]
    side: Option<Side>,
    /// The main time of that side
    #[arg(value_name = "T", value_parser = nsec, allow_hyphen_values = true)]
    time: Option<u64>,
    #[command(flatten)]
    values: Values,
    /// Set also a time of 0, at which the flag falls, a time far above what the time control gives,
    /// or more than 999 moves
    #[arg(short, long)]
    force: bool,
}

// The corrections as options. A documentation comment would replace the description of the verb.
#[derive(Clone, Debug, clap::Args)]
// `import` includes these arguments, too, and clap allows each group name only once.
#[group(skip)]
pub struct Values {
    /// White's main time
    #[arg(long, value_name = "T", value_parser = nsec, allow_hyphen_values = true)]
    white_time: Option<u64>,
    /// Black's main time
    #[arg(long, value_name = "T", value_parser = nsec, allow_hyphen_values = true)]
    black_time: Option<u64>,
    /// White's move counter; it does not change the period
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX.into()), allow_negative_numbers = true)]
    white_moves: Option<u32>,
    /// Black's move counter; it does not change the period
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX.into()), allow_negative_numbers = true)]
    black_moves: Option<u32>,
    /// White's period, from 1; the number only, no time
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), allow_negative_numbers = true)]
    white_period: Option<u32>,
    /// Black's period, from 1; the number only, no time
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), allow_negative_numbers = true)]
    black_period: Option<u32>,
    /// The periods left of White's overtime, the running one among them
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), allow_negative_numbers = true)]
    white_overtime_periods: Option<u32>,
    /// The moves White has left in the running period of overtime
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), allow_negative_numbers = true)]
    white_overtime_moves: Option<u32>,
    /// The periods left of Black's overtime, the running one among them
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), allow_negative_numbers = true)]
    black_overtime_periods: Option<u32>,
    /// The moves Black has left in the running period of overtime
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), allow_negative_numbers = true)]
    black_overtime_moves: Option<u32>,
    /// The side to be on move. If it was not, it begins a new turn with its full delay
    #[arg(long, value_parser = words::<Side>(), value_name = "SIDE")]
    on_move: Option<Side>,
}

/// The message for a command line without a correction. It is used instead of clap's message for a
/// required group, which fills a screen.
const NOTHING: &str = "nothing to set: give at least one of --white-time, --black-time, \
                       --white-moves, --black-moves, --white-period, --black-period, \
                       --white-overtime-periods, --white-overtime-moves, \
                       --black-overtime-periods, --black-overtime-moves, --on-move";

const TIMES: &str = "\
A time T is 1:30:00 (h:mm:ss, decimals allowed) or has units: 1h30m, 90m, 31s, 250ms, \
1500000001ns. It is the main time; what is left of a delay stays. On a clock that counts up it is the time used. \
More than twice the main times of all periods with the increments of the moves made, and more than one hour above \
these, wants --force; on a clock that counts up, or with a gong, more than 24 hours.";

fn nsec(text: &str) -> Result<u64, String> {
    match text.strip_prefix('+') {
        Some(time) => Err(format!(
            "`{text}` would give time, and set replaces it; to give time: clockctl add white {time}"
        )),
        None => parse_duration(text).map(Span::as_nanos).map_err(|error| error.to_string()),
    }
}

impl From<&Values> for Corrections {
    fn from(args: &Values) -> Self {
        Corrections {
            white_time_nsec: args.white_time,
            black_time_nsec: args.black_time,
            white_moves: args.white_moves,
            black_moves: args.black_moves,
            white_period: args.white_period,
            black_period: args.black_period,
            white_overtime_periods: args.white_overtime_periods,
            white_overtime_moves: args.white_overtime_moves,
            black_overtime_periods: args.black_overtime_periods,
            black_overtime_moves: args.black_overtime_moves,
            on_move: args.on_move.map(Who::from),
        }
    }
}

/// Corrects the clock. Shows the times, counters and periods of both sides before and after it,
/// because an arbiter writes them down.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let force = args.force;
    let args = &values(args)?;
    if !force {
        usual::check([args.white_time, args.black_time], [args.white_moves, args.black_moves])?;
    }
    let corrections = Corrections::from(args);
    ensure!(corrections != Corrections::default(), Failure::Usage(NOTHING.to_owned()));
    let connected = command::connect(options, "correct the clock").await?;
    if !force {
        check_high(&connected, args).await?;
    }
    let completed = connected.send(options, Given::Set { corrections }).await?;
    if options.quiet {
        return Ok(());
    }
    let after = completed.after().await?;
    if options.json {
        return completed.print_json(&after);
    }
    let mut text = command::readings_table(&completed.before, &after);
    for (side, time) in [(Side::White, args.white_time), (Side::Black, args.black_time)] {
        text.extend(time.and_then(|time| more_than(&after, side, time)));
    }
    for side in counters_without_a_period(args) {
        text.extend(
            command::control_in_use(&completed.bus)
                .await
                .and_then(|c| same_period(&c, &after, side)),
        );
    }
    completed.print(&text)
}

/// Refuses a time that is far above what the time control gives.
async fn check_high(connected: &command::Connected, args: &Values) -> Result<()> {
    let times = [(Side::White, args.white_time), (Side::Black, args.black_time)];
    if times.iter().all(|(_, time)| time.is_none()) {
        return Ok(());
    }
    let Some(control) = command::control_in_use(&connected.bus).await else { return Ok(()) };
    for (side, time) in times {
        if let Some(time) = time {
            let of = connected.before.side(side);
            let moves = [args.white_moves, args.black_moves].into_iter().flatten().max();
            let moves = moves.unwrap_or(0).max(of.moves);
            usual::check_high(&control, side, (moves, of.period), time)
                .map_err(|refused| connected.usage(refused.to_string()))?;
        }
    }
    Ok(())
}

/// The corrections of a command line, with the time that stands after a side.
fn values(args: &Args) -> Result<Values, Failure> {
    let mut values = args.values.clone();
    let (place, option) = match args.side {
        None => return Ok(values),
        Some(Side::White) => (&mut values.white_time, "white"),
        Some(Side::Black) => (&mut values.black_time, "black"),
    };
    if place.is_some() {
        return Err(Failure::Usage(format!("the time of {option} is given twice")));
    }
    *place = args.time;
    Ok(values)
}

/// The sides whose counter was set and whose period was not set.
fn counters_without_a_period(args: &Values) -> impl Iterator<Item = Side> {
    let white = (Side::White, args.white_moves, args.white_period);
    let black = (Side::Black, args.black_moves, args.black_period);
    let alone = |(side, moves, period): (Side, Option<u32>, Option<u32>)| {
        (moves.is_some() && period.is_none()).then_some(side)
    };
    [white, black].into_iter().filter_map(alone)
}

/// Returns a note if the counter of this side has reached the moves of its period, and the side's
/// next press will complete that period; otherwise `None`. Setting the counter does not change the
/// period: that press changes it, and adds the time of the next period.
fn same_period(control: &Control, after: &State, of: Side) -> Option<String> {
    // Whether a press of this side completes a period when the counter has reached its moves.
    let completes = match control.terms().period_end {
        PeriodEnd::Moves => true,
        PeriodEnd::BlackCompletes { .. } => of == Side::Black,
        PeriodEnd::Zero | PeriodEnd::MovesAtZero => false,
    };
    let side = after.side(of);
    let reached = control.moves_due(side.period).is_some_and(|due| u64::from(side.moves) >= due);
    if !(completes && reached) || side.out_of_time {
        return None;
    }
    let (name, option) = (of.name(), of.as_str());
    let (moves, period, next) = (side.moves, side.period, side.period.checked_add(1)?);
    Some(format!(
        "{name}'s counter is {moves} but {name} is still in period {period}: period {next} and its \
         time come with {name}'s next press; to change the period too, add --{option}-period {next}\n"
    ))
}

/// Explains why a side shows more time than was set; `None` if it does not. With Bronstein's
/// method, the number shown is the sum of the main time and the delay left. In a period with
/// overtime, a main time of 0 starts the overtime.
fn more_than(after: &State, of: Side, asked: u64) -> Option<String> {
    let side = after.side(of);
    let shown = side.remaining_nsec;
    let delay = shown.checked_sub(asked).filter(|delay| *delay > 0)?;
    if side.overtime().is_some() {
        let (name, shown) = (of.name(), text::clock(shown));
        return Some(format!("{name} shows {shown}: its overtime has begun\n"));
    }
    let (shown, delay) = (text::clock(shown), text::clock(delay));
    let name = of.name();
    Some(format!("{name} shows {shown}: {delay} of the delay is in it\n"))
}
