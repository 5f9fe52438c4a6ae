//! The programs that the appliance's tests run in the guest, beside the clock: presses aimed at
//! flags, what the benchmarks compare the clock with, faults of the clock itself, and the attempts
//! of other users. They print a JSON object for each measurement. The driver of the tests
//! (`tests/appliance/driver`), which runs outside the guest, decides whether the results are good.

mod bus_policy;
mod button;
mod flag_race;
mod frames;
mod load;
mod observe;
mod observe_clock;
mod presses;
mod record;
mod replace;
mod signals;
mod thread;
mod witness;

use anyhow::Result;
use clap::Parser;

#[derive(Parser)]
#[command(version, about)]
enum Arguments {
    /// Presses White's button many times at about the instant of White's flag, and prints how the
    /// clock decided each press.
    FlagRace(flag_race::FlagRace),
    /// Measures how long signals take: the clock's after a press, and those of a process that only
    /// sends signals.
    Signals(signals::Signals),
    /// Sends a signal for each line of standard input. `signals` starts this.
    #[command(hide = true)]
    Sender,
    /// Tries as each user everything that a program can do on the system bus, and prints what came
    /// of it otherwise than expected.
    BusPolicy(bus_policy::BusPolicy),
    /// Measures how long a program takes to print the stamp of each edge of two lines.
    Observe(observe::Observe),
    /// Measures when the clock loop hands out its decision on each press.
    ObserveClock(observe_clock::ObserveClock),
    /// Runs a program, and prints when it hands each picture to the kernel and when that call
    /// returns.
    Frames(frames::Frames),
    /// Keeps the machine busy in a way that varies, until it is killed.
    Load(load::Load),
    /// Prints the record of the present game.
    Record,
    /// Kills the clock or makes its loop hang, at random instants, and prints when it was back.
    Replace(replace::Replace),
    /// Prints what the clock says, again and again, until it is killed.
    Witness(witness::Witness),
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match arguments {
        Arguments::FlagRace(race) => runtime.block_on(race.run()),
        Arguments::Signals(signals) => runtime.block_on(signals.run()),
        Arguments::Sender => runtime.block_on(signals::send()),
        Arguments::BusPolicy(policy) => policy.run(),
        Arguments::Observe(observe) => observe.run(),
        Arguments::ObserveClock(observe) => observe.run(),
        Arguments::Frames(frames) => frames.run(),
        Arguments::Load(load) => load.run(),
        Arguments::Record => runtime.block_on(record::print()),
        Arguments::Replace(replace) => runtime.block_on(replace.run()),
        Arguments::Witness(witness) => runtime.block_on(witness.run()),
    }
}
