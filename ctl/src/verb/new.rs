//! `clockctl new`: sets the clock up for another game.

use anyhow::{Context, Result};
use clock_dbus::NewGame;

use super::command::{self, Phrases};
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
    let phrases = Phrases { wanted: "set up a new game", done: "a new game was set up" };
    let game = game(options, args).with_context(|| format!("cannot {}", phrases.wanted))?;
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.new_game(game, revision, reason).await
    })
    .await
}

/// A control file is checked by the service and not by this tool, because the two may run on
/// different machines in different versions. The service accepts no notation, so this sends the
/// notation's control file.
fn game(options: &Options, args: &Args) -> Result<NewGame, Failure> {
    let (time_control, time_control_file) = match &args.control {
        Some(said) if control::is_notation(said) => {
            let named = control::notation(said)?;
            control::echo(options, said, &named);
            (Some(named.name), Some(named.text))
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
        ..NewGame::default()
    })
}
