//! `clockctl new`: sets the clock up for another game.

use anyhow::{Context, Result};
use clock_dbus::NewGame;

use super::command::{self, Words};
use crate::{cli::Options, control, failure::Failure};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// A time control the clock knows; a control file (with a '/' in its path, or *.toml); or a
    /// notation: 3+2, '40/90, G/30, +30', 'G/60 d5', pgn:40/5400+30:1800+30
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    control: Option<String>,
    /// The player of the white pieces
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The player of the black pieces
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Set up the new game even where a game is under way, which is then lost
    #[arg(long)]
    force: bool,
}

/// Sets the clock up for a new game.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let words = Words { wanted: "set up a new game", done: "a new game was set up" };
    let game = game(options, args).with_context(|| format!("cannot {}", words.wanted))?;
    command::run(options, words, async |arbiter, revision, reason| {
        arbiter.new_game(game, revision, reason).await
    })
    .await
}

/// The service checks a control file, not this tool, because the two may run on different machines in
/// different versions. The service accepts no notation, so it is sent the control file of it.
fn game(options: &Options, args: &Args) -> Result<NewGame, Failure> {
    let (time_control, time_control_file) = match &args.control {
        Some(said) if control::is_notation(said) => {
            let known = control::notation(said)?;
            control::echo(options, said, &known);
            (Some(known.name), Some(known.text))
        }
        Some(path) if control::is_file(path) => {
            let (name, text) = control::read(path)?;
            (Some(name), Some(text))
        }
        Some(name) => (Some(name.clone()), None),
        None => (None, None),
    };
    Ok(NewGame {
        time_control,
        time_control_file,
        white_player: args.white.clone(),
        black_player: args.black.clone(),
        force: args.force.then_some(true),
    })
}
