//! `clockctl new`: the clock is set up for another game.

use std::{fs::File, io::Read, path::Path};

use anyhow::{Context, Result};
use clock_dbus::NewGame;

use super::command::{self, Words};
use crate::{cli::Options, failure::Failure};

/// Far more than any control needs; a wrong path must not fill the memory or the bus.
const LARGEST_FILE: u64 = 64 * 1024;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// A time control the clock knows, or a control file (with a '/' in its path, or *.toml)
    #[arg(long, value_name = "NAME|FILE")]
    control: Option<String>,
    /// The player of the white pieces
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The player of the black pieces
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
}

/// Sets the clock up for a new game.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let words = Words { wanted: "set up a new game", done: "a new game was set up" };
    let game = game(args).with_context(|| format!("cannot {}", words.wanted))?;
    command::run(options, words, async |arbiter, revision, reason| {
        arbiter.new_game(game, revision, reason).await
    })
    .await
}

fn game(args: &Args) -> Result<NewGame, Failure> {
    let (time_control, time_control_file) = match &args.control {
        Some(path) if path.contains('/') || path.ends_with(".toml") => {
            let (name, text) = read(Path::new(path))
                .map_err(|why| Failure::Usage(format!("the control file {path}: {why}")))?;
            (Some(name), Some(text))
        }
        name => (name.clone(), None),
    };
    Ok(NewGame {
        time_control,
        time_control_file,
        white_player: args.white.clone(),
        black_player: args.black.clone(),
    })
}

/// The name and the text of a control file. The clock, not this tool, says whether it is good:
/// the two may stand on different machines, and the clock's word counts.
fn read(path: &Path) -> Result<(String, String), String> {
    let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or("has no name")?;
    let mut text = String::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if u64::try_from(text.len()).is_ok_and(|length| length > LARGEST_FILE) {
        return Err(format!("is larger than {} KiB", LARGEST_FILE / 1024));
    }
    Ok((name.to_owned(), text))
}
