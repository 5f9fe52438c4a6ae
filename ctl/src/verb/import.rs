//! `clockctl import`: takes over a game from the record of another clock (S0 6.11).

mod shown;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clock_dbus::{Corrections, Proposal};
use clockctl::record::chain::Chain;
use clockctl::record::file::RecordFile;
use clockctl::record::proposal::proposal;

use super::command::{self, Phrases};
use super::{new, prompt, record_file, set};
use crate::failure::Failure;
use crate::options::Options;
use crate::{out, text};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file that clockctl export --format json wrote, from the other clock; - is standard input
    file: PathBuf,
    /// The player of the white pieces
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The player of the black pieces
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Another time control: a name the clock knows, a control file, or a notation
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    control: Option<String>,
    /// Another rule profile that the clock knows; '' for none
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    #[command(flatten)]
    values: set::Args,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Import even where a game is under way on this clock, which is then lost
    #[arg(long)]
    force: bool,
}

const PHRASES: Phrases = Phrases { wanted: "import the game", done: "the game was imported" };

/// Shows what the file proposes, asks, and sets the game up on this clock.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let cannot = || format!("cannot {}", PHRASES.wanted);
    let (_, file) = record_file::read(&args.file).with_context(cannot)?;
    let proposal = proposed(options, args, &file).with_context(cannot)?;
    can_be_asked(args, &file).with_context(cannot)?;
    let changed = Corrections::from(&args.values) != Corrections::default();
    show(options, &shown::text(&file, &proposal, changed))?;
    if !args.yes && !agreed()? {
        return out::print("nothing was changed\n");
    }
    command::run_and_say(
        options,
        PHRASES,
        async |arbiter, revision, reason| arbiter.import(revision, reason, proposal).await,
        |_, after| {
            format!(
                "{}\ncompare both clocks and the scoresheets; then: clockctl resume\n",
                text::status(after)
            )
        },
    )
    .await
}

/// The proposal of the file, in which the values of the command line replace those of the file.
fn proposed(options: &Options, args: &Args, file: &RecordFile) -> Result<Proposal, Failure> {
    let from = proposal(file);
    let (control, control_file) = match &args.control {
        Some(_) => new::time_control(options, args.control.as_deref())?,
        None => (from.time_control.clone(), from.time_control_file.clone()),
    };
    let proposal = Proposal {
        time_control: control,
        time_control_file: control_file,
        white_player: args.white.clone().or(from.white_player),
        black_player: args.black.clone().or(from.black_player),
        rules: args.rules.clone().or(from.rules),
        force: args.force.then_some(true),
        ..from
    };
    Ok(proposal.corrected(Corrections::from(&args.values)))
}

/// Refuses the import in two cases: without `--yes` if nobody can be asked, and with `--yes` if the
/// file was changed. Somebody has to look at a file that was changed.
fn can_be_asked(args: &Args, file: &RecordFile) -> Result<(), Failure> {
    if let (true, Chain::Broken { entry }) = (args.yes, file.chain) {
        return Err(Failure::Usage(format!(
            "entry {entry} does not match its sum: the file was changed after it was exported; look at it \
             and answer the question, without --yes"
        )));
    }
    let asked = io::stdin().is_terminal() && args.file != Path::new("-");
    if args.yes || asked {
        return Ok(());
    }
    Err(Failure::Usage(
        "there is no terminal to ask on: look at the file (clockctl export --from FILE --format csv), then \
         add --yes"
            .to_owned(),
    ))
}

fn agreed() -> Result<bool> {
    let answer = prompt::ask("Set this game up on this clock? [y/N]")?;
    Ok(matches!(answer.to_lowercase().as_str(), "y" | "yes"))
}

/// With `--json`, prints to standard error, because standard output is for the clock's answer.
fn show(options: &Options, text: &str) -> Result<()> {
    match (options.quiet, options.json) {
        (true, _) => Ok(()),
        (false, true) => {
            eprint!("{text}");
            Ok(())
        }
        (false, false) => out::print(text),
    }
}
