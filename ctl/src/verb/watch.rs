//! `clockctl watch`: prints every change as it happens, until it is interrupted.

mod printer;
mod writer;

use std::{
    future::{Future, pending},
    io::{self, ErrorKind},
    pin::Pin,
    time::Duration,
};

use anyhow::{Context, Result};
use clock_dbus::{Followed, Follower, Timebase};
use clock_engine::text::parse_duration;
use tokio::{
    signal::unix::{SignalKind, signal},
    time::{MissedTickBehavior, interval_at, sleep},
};

pub use self::printer::Printer;
pub use self::writer::Lines;
pub(super) use self::writer::Writer;
use crate::{
    bus::{Bus, bounded},
    failure::Failure,
    options::{Options, whole},
};
pub(super) use printer::own_now;

const FIRST_RETRY: Duration = Duration::from_millis(50);
const LAST_RETRY: Duration = Duration::from_secs(1);
/// How long the last lines may take to be written.
const LAST_LINES: Duration = Duration::from_millis(500);
/// The cause that is printed for a state that was read because signals were missing. The service
/// uses the same word for this cause.
const MISSED: &str = "missed";
/// The time between two heartbeats of `--json` without `--heartbeat`.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The longest delay. The lines of two hours with two presses a second fit into the memory that the
/// writer has for waiting lines.
const LONGEST_DELAY: Duration = Duration::from_secs(2 * 3600);

const HELP: &str = "\
With --json every line has the whole state and what is needed to compute the present time of both sides. Without the clock \
service, the last known state is printed with \"stale\": true. docs/live-boards.md explains the keys.

The lines of --delay wait in memory, at most 64 MiB of them; then the oldest are left out. When `watch` ends, the lines that \
wait are lost, and the next `watch` prints its first line after the delay.";

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// With --json: how often the latest line is repeated while the service answers [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(1..=3600))]
    heartbeat: Option<u64>,
    /// Print each line so much later, with its instants as they were; such as 15m, at most 2h
    #[arg(long, value_name = "TIME", value_parser = delay)]
    delay: Option<Duration>,
    /// With many clocks on a terminal: ring its bell when a board begins to need the arbiter
    #[arg(long)]
    pub bell: bool,
}

impl Args {
    /// Whether an option is given that is about lines.
    pub fn changes_lines(&self) -> bool {
        self.heartbeat.is_some() || self.delay.is_some()
    }

    /// The interval after which the latest line is printed again. `None` if `--json` is not given: lines of
    /// text are never printed again.
    pub fn heartbeat(&self, options: &Options) -> Result<Option<Duration>, Failure> {
        if self.heartbeat.is_some() && !options.json {
            let why = "--heartbeat needs --json, because lines of text have no heartbeats";
            return Err(Failure::Usage(why.to_owned()));
        }
        let heartbeat = self.heartbeat.map_or(HEARTBEAT, Duration::from_secs);
        Ok(options.json.then_some(heartbeat))
    }
}

/// Reads a delay.
fn delay(text: &str) -> Result<Duration, String> {
    let delay = parse_duration(text).map_err(|error| error.to_string())?;
    let delay = Duration::from_nanos(delay.as_nanos());
    if delay > LONGEST_DELAY {
        return Err("expected at most 2h, because the lines wait in memory".to_owned());
    }
    Ok(delay)
}

/// Prints the state, and then one line for each transition.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let heartbeat = args.heartbeat(options)?;
    written(args, async |lines| {
        let printer = Printer::new(options, move |line| lines.send(line));
        watch(options, heartbeat, printer).await
    })
    .await
}

/// Writes the lines that `watch` sends. Ends when `watch` fails, when the reader of the output has gone, or
/// when a signal ends the process.
pub async fn written(args: &Args, watch: impl AsyncFnOnce(Lines) -> Result<()>) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (lines, mut writer) =
        Writer::start(args.delay.unwrap_or_default()).context("cannot start writing")?;
    let watched = tokio::select! {
        failed = watch(lines) => failed,
        ended = writer.ended() => return output_ended(ended),
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    };
    // The sender of the lines was dropped when `watch` ended, so the writer ends after
    // the last line that is due.
    match tokio::time::timeout(LAST_LINES, writer.ended()).await {
        Ok(ended) => watched.and(output_ended(ended)),
        Err(_) => watched,
    }
}

/// Converts the way in which the writer ended to the result of the verb. A reader that closes the
/// pipe needs no more, so that is no failure.
pub(super) fn output_ended(ended: io::Result<()>) -> Result<()> {
    match ended {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error).into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Follows the clock, on one connection after the other. Returns only if the first connection fails
/// before anything was printed.
pub async fn watch(
    options: &Options,
    heartbeat: Option<Duration>,
    mut printer: Printer,
) -> Result<()> {
    let bus = Bus::connect(&options.target()).await.context("cannot watch the clock")?;
    let first = follow(&bus, heartbeat, &mut printer).await;
    // If the bus does not answer or denies the calls before the first line is printed, the verb
    // fails. If the bus is lost later, the loop below waits until it is back.
    if !printer.has_shown() {
        first.context("cannot watch the clock")?;
    }
    drop(bus);
    let mut pause = FIRST_RETRY;
    loop {
        printer.no_service();
        sleep(pause).await;
        pause = LAST_RETRY.min(pause * 2);
        let Ok(bus) = Bus::connect(&options.target()).await else {
            continue;
        };
        // The line "no clock service" and the next state show what happened.
        let _ = follow(&bus, heartbeat, &mut printer).await;
        if printer.has_service() {
            pause = FIRST_RETRY;
        }
    }
}

/// Prints the states of one connection until it is lost or an answer cannot be understood.
async fn follow(
    bus: &Bus,
    heartbeat: Option<Duration>,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let mut follower = bounded(Follower::new(&bus.connection)).await?;
    let mut heartbeats = Heartbeats::new(bus, heartbeat);
    loop {
        // `select!` drops the future that is not ready. Neither of the two loses anything by that.
        tokio::select! {
            followed = follower.next() => match followed? {
                None => return Ok(()),
                Some(followed) => print(followed, printer),
            },
            timebase = heartbeats.next() => printer.heartbeat(timebase),
        }
    }
}

fn print(followed: Followed, printer: &mut Printer) {
    match followed {
        Followed::NoService => printer.no_service(),
        Followed::Read { state, timebase } => printer.read(&state, timebase),
        Followed::Missed(state) => printer.state(MISSED, &state),
        Followed::Transition { cause, state } => printer.state(&cause, &state),
    }
}

/// Asks the service for the clocks of its machine at each tick.
struct Heartbeats<'a> {
    bus: &'a Bus,
    ticks: Option<tokio::time::Interval>,
    /// The call that has not been answered yet. It is kept while states are printed, so that a
    /// service that is slow to answer delays no state.
    call: Option<Call<'a>>,
}

type Call<'a> = Pin<Box<dyn Future<Output = Result<Timebase, Failure>> + 'a>>;

impl<'a> Heartbeats<'a> {
    fn new(bus: &'a Bus, every: Option<Duration>) -> Self {
        let ticks = every.map(|every| {
            let mut ticks = interval_at(tokio::time::Instant::now() + every, every);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        });
        Heartbeats { bus, ticks, call: None }
    }

    /// The next answer. A call that fails is no heartbeat.
    async fn next(&mut self) -> Timebase {
        loop {
            if let Some(call) = &mut self.call {
                let answer = call.await;
                self.call = None;
                if let Ok(timebase) = answer {
                    return timebase;
                }
            }
            match &mut self.ticks {
                Some(ticks) => ticks.tick().await,
                None => pending().await,
            };
            self.call = Some(Box::pin(bounded(self.bus.clock.get_timebase())));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::delay;

    #[test]
    fn a_delay_is_a_duration_of_at_most_two_hours() {
        assert_eq!(delay("15m"), Ok(Duration::from_secs(900)));
        assert_eq!(delay("2h"), Ok(Duration::from_secs(7200)));
        assert!(delay("2h1s").unwrap_err().contains("at most 2h"));
        assert!(delay("soon").unwrap_err().contains("soon"));
    }
}
