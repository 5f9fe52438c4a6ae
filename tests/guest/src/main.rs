//! What the appliance's tests run beside the clock, on the machine itself: presses aimed at flags,
//! and the peers of the benchmarks. It prints JSON, a line a measurement, and judges nothing: the
//! driver does.

mod button;
mod flag_race;
mod listen;
mod observe;
mod signals;

use anyhow::Result;
use clap::Parser;

#[derive(Parser)]
#[command(version, about)]
enum Arguments {
    /// Presses White's button at the instant of White's flag, a little before or after, again and
    /// again, and says what the clock made of each press.
    FlagRace(flag_race::FlagRace),
    /// Times signals: the clock's, of presses, and those of a service that does nothing else.
    Signals(signals::Signals),
    /// Sends a signal for each line of standard input: the other end of `signals`.
    #[command(hide = true)]
    Sender,
    /// Prints the signals that reach an ordinary client.
    Listen(listen::Listen),
    /// Times a program that prints the stamp of each edge of a line.
    Observe(observe::Observe),
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match arguments {
        Arguments::FlagRace(race) => runtime.block_on(race.run()),
        Arguments::Signals(signals) => runtime.block_on(signals.run()),
        Arguments::Sender => runtime.block_on(signals::send()),
        Arguments::Listen(listen) => runtime.block_on(listen.run()),
        Arguments::Observe(observe) => observe.run(),
    }
}
