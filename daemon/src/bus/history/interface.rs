//! The interface `org.chessclock.Clock1.History`.

use super::{ENTRIES, GAMES};
use crate::bus::arguments::{self, invalid};
use crate::bus::shared_state::SharedState;
use clock_dbus::Error;
use std::ops::RangeInclusive;
use std::sync::Arc;
use zbus::interface;

/// The interface `org.chessclock.Clock1.History`, over which anyone may read the games on record.
pub struct HistoryInterface {
    /// The state that all interfaces share. `SharedState::history` reads the record.
    pub shared: Arc<SharedState>,
}

#[interface(name = "org.chessclock.Clock1.History", introspection_docs = false)]
impl HistoryInterface {
    #[zbus(out_args("games"))]
    async fn list_games(&self, before: u64, count: u32) -> Result<Vec<String>, Error> {
        self.shared.history.games(before, checked("count", count, &GAMES)?).await
    }

    #[zbus(out_args("object"))]
    async fn get_game(&self, game: u64) -> Result<String, Error> {
        self.shared.history.game(game).await
    }

    #[zbus(out_args("entries"))]
    async fn read_entries(&self, game: u64, first: u64, count: u32) -> Result<Vec<String>, Error> {
        self.shared.history.entries(game, first, checked("count", count, &ENTRIES)?).await
    }

    #[zbus(out_args("entry"))]
    async fn find_move(&self, game: u64, side: &str, r#move: u32) -> Result<u64, Error> {
        self.shared.history.find_move(game, arguments::side("side", side)?, r#move).await
    }

    #[zbus(out_args("object"))]
    async fn read_state(&self, game: u64, entry: u64) -> Result<String, Error> {
        self.shared.history.state(game, entry).await
    }
}

fn checked(argument: &str, given: u32, accepted: &RangeInclusive<u32>) -> Result<usize, Error> {
    if !accepted.contains(&given) {
        let (least, most) = (accepted.start(), accepted.end());
        return Err(invalid(format!("{argument} = {given}; expected {least} to {most}")));
    }
    Ok(given as usize)
}
