//! `clockctl pause`: stops both clocks.

use anyhow::Result;
use clock_dbus::commands::Caller;
use clock_dbus::{Completed, Given, Phase};

use super::announce::announcement;
use super::command::{self, CompletedCommand, Connected};
use super::readings;
use crate::bus::bounded;
use crate::options::{Options, words};

const PAUSED_ALREADY: &str = "the clocks were paused already";

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Who stops the clocks: the arbiter, or the player he does it for
    #[arg(long, value_parser = words::<Caller>(), value_name = "WHO", default_value = "arbiter")]
    by: Caller,
    /// Show the players this text during the pause, as "lunch until 14:00"; --reason is for the record
    #[arg(long, value_name = "TEXT", value_parser = announcement)]
    announce: Option<String>,
}

impl Args {
    /// Whether the players are shown a text.
    pub fn announces(&self) -> bool {
        self.announce.is_some()
    }
}

/// Stops both clocks. Clocks that are paused already need no command: a player's stop is one, because
/// it asks for a ruling.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let connected = command::connect(options, command::PAUSE).await?;
    let is_already = args.by == Caller::Arbiter && connected.before.phase == Phase::Paused;
    let paused = match (is_already, &args.announce) {
        (true, None) => return connected.show_already(options, PAUSED_ALREADY).await,
        (true, Some(_)) => {
            let Connected { bus, before, .. } = connected;
            CompletedCommand::unsent(bus, PAUSED_ALREADY, before)
        }
        (false, _) => connected.send(options, Given::Pause { by: Some(args.by) }).await?,
    };
    let done = match &args.announce {
        Some(text) => announce(options, paused, text).await?,
        None => paused,
    };
    done.show(options, readings::after_done).await
}

/// Announces a text after the pause. These are two commands, because nothing may delay the pause.
async fn announce(
    options: &Options,
    paused: CompletedCommand,
    text: &str,
) -> Result<CompletedCommand> {
    let CompletedCommand { bus, before, answer: Completed { revision, report, .. }, .. } = paused;
    let announced = bounded(bus.arbiter.announce(text, revision, &options.reason)).await;
    let wanted = "announce the text; the clocks are paused";
    match announced {
        Ok(done) => {
            let report = format!("{report}. {}", done.report);
            Ok(CompletedCommand::new(bus, before, Completed { report, ..done }))
        }
        Err(failure) => Err(command::not_completed(&bus, failure, wanted, revision).await),
    }
}
