//! `clockctl pause`: stops both clocks.

use anyhow::Result;
use clap::ValueEnum;
use clock_dbus::{Phase, State, Who};

use super::announce::announcement;
use super::command::{self, CompletedCommand, Connected, Phrases};
use crate::bus::bounded;
use crate::options::{self, Options};
use crate::text;

const PAUSED: &str = "the clocks were paused";
const PAUSED_ALREADY: &str = "the clocks were paused already; no command was sent";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who stops the clocks: the arbiter, or the player he does it for
    #[arg(long, value_enum, value_name = "WHO", default_value_t = Caller::Arbiter)]
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Caller {
    #[value(aliases = options::WHITE)]
    White,
    #[value(aliases = options::BLACK)]
    Black,
    Arbiter,
}

impl From<Caller> for Who {
    fn from(caller: Caller) -> Self {
        match caller {
            Caller::White => Who::White,
            Caller::Black => Who::Black,
            Caller::Arbiter => Who::Arbiter,
        }
    }
}

/// Stops both clocks. Clocks that are paused already need no command: a player's stop is one, because
/// it asks for a ruling.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: command::PAUSE, done: PAUSED };
    let connected = command::connect(options, phrases).await?;
    let is_paused = |state: &State| state.phase == Phase::Paused;
    let by_arbiter = matches!(args.by, Caller::Arbiter);
    if by_arbiter && connected.is_already(options, is_paused) {
        let Some(text) = &args.announce else {
            return connected.show_already(options, PAUSED_ALREADY).await;
        };
        let Connected { bus, before, .. } = connected;
        let revision = before.revision;
        let paused = CompletedCommand::new(bus, PAUSED_ALREADY, before, true);
        let done = announce(options, paused, revision, text).await?;
        return done.show(options, |_, after| text::brief_and_questions(after)).await;
    }
    let mut paused = 0;
    let done = connected
        .send(options, async |arbiter, revision, reason| {
            let done = arbiter.pause(args.by.into(), revision, reason).await?;
            paused = done.revision;
            Ok(done)
        })
        .await?;
    let done = match &args.announce {
        Some(text) => announce(options, done, paused, text).await?,
        None => done,
    };
    done.show(options, |_, after| text::brief_and_questions(after)).await
}

/// Announces a text after the pause. These are two commands, because nothing may delay the pause.
/// `revision` is that after the pause.
async fn announce(
    options: &Options,
    paused: CompletedCommand,
    revision: u64,
    text: &str,
) -> Result<CompletedCommand> {
    let CompletedCommand { bus, before, .. } = paused;
    let announced = bounded(bus.arbiter.announce(text, revision, &options.reason)).await;
    let wanted = "announce the text; the clocks are paused";
    match announced {
        Ok(done) => Ok(CompletedCommand::new(bus, PAUSED, before, done.recorded)),
        Err(failure) => Err(command::not_completed(&bus, failure, wanted, revision).await),
    }
}
