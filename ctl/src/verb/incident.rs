//! `clockctl incident`: notes an incident.

use anyhow::Result;
use clap::ValueEnum;
use clock_dbus::Side;

use super::command::{self, Phrases};
use crate::options::{Options, word, words};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player whom it concerns
    #[arg(value_parser = words::<Side>())]
    side: Side,
    /// What happened
    #[arg(value_enum)]
    kind: Kind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// The clock was punched
    Force,
    /// The clock was picked up
    Lift,
    /// The clock was knocked over
    Knock,
    /// The clock was pressed with the other hand
    Hand,
    /// A finger was kept on the button or hovered over it
    Hold,
    /// The clock has an evident defect
    Defect,
    /// The record has a gap
    Gap,
    /// Anything else; --reason says what
    Other,
}

/// Notes the incident in the record.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "note the incident", done: "the incident was noted" };
    let (side, kind) = (args.side.into(), word(&args.kind));
    let done = format!("incident on record: {}, {kind}", args.side.name());
    command::run_and_say_done(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.incident(side, &kind, revision, reason).await,
        |_, _| done,
    )
    .await
}
