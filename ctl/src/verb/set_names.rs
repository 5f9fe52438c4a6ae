//! `clockctl set-names`: corrects the names of the players, the event, the round and the board.

use anyhow::{Result, ensure};
use clock_dbus::{Names, State};

use super::command::{self, Phrases};
use crate::{failure::Failure, options::Options, text};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player of the white pieces; '' for none
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The player of the black pieces; '' for none
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// The number of the board (the table), such as 12 or A3; '' for none
    #[arg(long, value_name = "NUMBER")]
    board: Option<String>,
    /// The round of the event, such as 3; '' for none
    #[arg(long, value_name = "NUMBER")]
    round: Option<String>,
    /// The name of the event; '' for none
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
}

/// The message for a command line without a name.
const NOTHING: &str =
    "nothing to correct: give at least one of --white, --black, --board, --round, --event";

impl From<&Args> for Names {
    fn from(args: &Args) -> Names {
        let Args { white, black, board, round, event } = args;
        Names {
            white_player: white.clone(),
            black_player: black.clone(),
            board: board.clone(),
            round: round.clone(),
            event: event.clone(),
        }
    }
}

/// Corrects the names. The clocks may run, and the game may be over.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let names = Names::from(args);
    ensure!(names != Names::default(), Failure::Usage(NOTHING.to_owned()));
    let phrases = Phrases { wanted: "correct the names", done: "the names were corrected" };
    command::run_and_say_done(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.set_names(names, revision, reason).await,
        done,
    )
    .await
}

/// The names that have changed, each with the earlier one.
fn done(before: &State, after: &State) -> String {
    let names = |state: &State| {
        let State { white, black, event, round, board, .. } = state;
        [&white.player, &black.player, event, round, board].map(|name| match name.as_str() {
            "" => "(none)".to_owned(),
            name => text::plain(name),
        })
    };
    let changed: Vec<String> = ["White", "Black", "event", "round", "board"]
        .into_iter()
        .zip(names(before).into_iter().zip(names(after)))
        .filter(|(_, (before, after))| before != after)
        .map(|(word, (before, after))| format!("{word}: {after}, before: {before}"))
        .collect();
    match changed.is_empty() {
        true => "no name has changed".to_owned(),
        false => changed.join("; "),
    }
}
