//! The interface `org.chessclock.Clock1.History`.

use super::{ENTRIES, GAMES, ReadFor};
use crate::bus::callers::Callers;
use crate::bus::shared_state::SharedState;
use clock_dbus::Error;
use clock_dbus::argument::{Argument, invalid};
use clock_engine::Side;
use std::ops::RangeInclusive;
use std::sync::Arc;
use zbus::interface;
use zbus::message::Header;
use zbus::names::OwnedUniqueName;

/// The interface `org.chessclock.Clock1.History`, over which anyone may read the games on record.
pub struct HistoryInterface {
    /// The state that all interfaces share. `SharedState::history` reads the record.
    pub shared: Arc<SharedState>,
    /// Knows the user of each program. `None` on the connection to which only arbiters can send:
    /// what is read there comes before what everyone reads.
    pub callers: Option<Arc<Callers>>,
}

impl HistoryInterface {
    fn reader(&self, header: &Header<'_>) -> ReadFor {
        let Some(callers) = &self.callers else { return ReadFor::Arbiter };
        let sender = header.sender().map(|sender| OwnedUniqueName::from(sender.to_owned()));
        ReadFor::User(sender.and_then(|sender| callers.known_uid(&sender)))
    }
}

#[interface(name = "org.chessclock.Clock1.History", introspection_docs = false)]
impl HistoryInterface {
    #[zbus(out_args("games"))]
    async fn list_games(
        &self,
        before: u64,
        count: u32,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Vec<String>, Error> {
        let count = checked("count", count, &GAMES)?;
        self.shared.history.games(self.reader(&header), before, count).await
    }

    #[zbus(out_args("object"))]
    async fn get_game(
        &self,
        game: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<String, Error> {
        self.shared.history.game(self.reader(&header), game).await
    }

    #[zbus(out_args("entries"))]
    async fn read_entries(
        &self,
        game: u64,
        first: u64,
        count: u32,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Vec<String>, Error> {
        let count = checked("count", count, &ENTRIES)?;
        self.shared.history.entries(self.reader(&header), game, first, count).await
    }

    #[zbus(out_args("entry"))]
    async fn find_move(
        &self,
        game: u64,
        side: &str,
        r#move: u32,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let side = Side::read("side", side)?;
        self.shared.history.find_move(self.reader(&header), game, side, r#move).await
    }

    #[zbus(out_args("object"))]
    async fn read_state(
        &self,
        game: u64,
        entry: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<String, Error> {
        self.shared.history.state(self.reader(&header), game, entry).await
    }
}

fn checked(argument: &str, given: u32, accepted: &RangeInclusive<u32>) -> Result<usize, Error> {
    if !accepted.contains(&given) {
        let (least, most) = (accepted.start(), accepted.end());
        return Err(invalid(format!("{argument} = {given}; expected {least} to {most}")));
    }
    Ok(given as usize)
}
