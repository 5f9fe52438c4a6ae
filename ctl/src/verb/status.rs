//! `clockctl status`: prints the present state of the clock.

use anyhow::{Context, Result};
use clockctl::record::{Game, ImportedGame};
use serde::Serialize;

use super::history::History;
use crate::{bus::Bus, failure::Failure, json::StatusJson, options::Options, out, text};

#[derive(Serialize)]
struct ShownJson {
    #[serde(flatten)]
    status: StatusJson,
    /// The game from which this one was taken over, if the record names one.
    imported_from: Option<ImportedGame>,
}

/// Prints the present state. It takes two calls on one connection, and a third one with a record.
pub async fn run(options: &Options) -> Result<()> {
    let read = async {
        let bus = Bus::connect(options.bus.as_ref()).await?;
        let state = bus.now().await?;
        let game = History::known_game(&bus, state.game_number).await;
        Ok::<_, Failure>((state, game))
    };
    let (state, game) = read.await.context("cannot read the clock")?;
    if options.quiet {
        return Ok(());
    }
    if options.json {
        let imported_from = game.and_then(|game| game.imported_from);
        return out::print_json(&ShownJson { status: StatusJson::from(&state), imported_from });
    }
    out::print(&(text::status(&state) + &game.as_ref().and_then(from).unwrap_or_default()))
}

/// The game from which this one was taken over: by `import`, or by `resume-adjourned` from the same
/// record.
fn from(game: &Game) -> Option<String> {
    let ImportedGame { machine, game: number, chain: _ } = game.imported_from.as_ref()?;
    Some(match *machine == game.machine {
        true => format!("from      game {number} of this record\n"),
        false => format!("from      game {number} of the clock {}\n", text::plain(machine)),
    })
}
