//! Reads the record from the service, in pages: an answer on the bus has a limited length.

use std::time::Duration;

use clock_dbus::{HistoryProxy, ImportedFrom, Who};
use clockctl::input::json_words;
use clockctl::record::{Entry, Game};
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use zbus::proxy::CacheProperties;

use crate::bus::{Bus, bounded};
use crate::failure::{self, Failure};

/// How many games or entries are asked for at once: the most that the service allows.
const GAMES: u32 = 100;
const ENTRIES: u32 = 200;

/// How long a command waits for a part of the record that it only shows in addition. A disk that
/// does not answer must not keep the rest from the arbiter.
const SHORT: Duration = Duration::from_secs(1);

/// The record, over one connection.
pub struct History {
    proxy: HistoryProxy<'static>,
}

/// A game or an entry, with the JSON as the service wrote it.
pub struct Parsed<T> {
    pub json: String,
    pub value: T,
}

impl History {
    /// The record of the clock on this bus. It is read over the name to which `bus` sends its other
    /// calls: what a command reads over the arbiters' name does not wait behind what everyone reads.
    pub async fn of(bus: &Bus) -> Result<History, Failure> {
        let builder = HistoryProxy::builder(&bus.connection).cache_properties(CacheProperties::No);
        let builder = builder.destination(bus.clock.inner().destination().to_owned());
        Ok(History { proxy: builder.build().await? })
    }

    /// Games with lower numbers than `before`, the newest first; 0 begins with the newest game. An
    /// empty list means that there are no more.
    pub async fn games(&self, before: u64) -> Result<Vec<Parsed<Game>>, Failure> {
        let games: Vec<Parsed<Game>> = read(bounded(self.proxy.list_games(before, GAMES)).await?)?;
        let mut below = if before == 0 { u64::MAX } else { before };
        for game in &games {
            in_order(game.value.game < below)?;
            below = game.value.game;
        }
        Ok(games)
    }

    /// The game with this number; the present game if `number` is `None`.
    pub async fn game(&self, number: Option<u64>) -> Result<Parsed<Game>, Failure> {
        let before = match number {
            None => 0,
            // The sum must not wrap to 0, which stands for the newest game.
            Some(number) => number.checked_add(1).ok_or_else(|| no_game(number))?,
        };
        let found = read(bounded(self.proxy.list_games(before, 1)).await?)?;
        let found: Option<Parsed<Game>> = found.into_iter().next();
        match (found, number) {
            (Some(game), None) => Ok(game),
            (Some(game), Some(number)) if game.value.game == number => Ok(game),
            (_, Some(number)) => Err(no_game(number)),
            (None, None) => Err(not_found("the record has no game yet".to_owned())),
        }
    }

    /// The game with this number, or `None` if the service has no number, or if the record does not
    /// return the game within [`SHORT`].
    pub async fn known_game(bus: &Bus, number: Option<u64>) -> Option<Game> {
        let found = async { History::of(bus).await.ok()?.game(Some(number?)).await.ok() };
        timeout(SHORT, found).await.ok().flatten().map(|game| game.value)
    }

    /// The newest game on record, or `None` as for [`History::known_game`].
    pub async fn newest_game(bus: &Bus) -> Option<Game> {
        let found = async { History::of(bus).await.ok()?.game(None).await.ok() };
        timeout(SHORT, found).await.ok().flatten().map(|game| game.value)
    }

    /// Whether the record has the game of which `from` speaks, with that entry as its last one;
    /// `None` if that could not be read within [`SHORT`].
    pub async fn ends_with(bus: &Bus, from: &ImportedFrom) -> Option<bool> {
        let found = async {
            let history = History::of(bus).await.ok()?;
            let game = match history.game(Some(from.game)).await {
                Ok(game) => game.value,
                Err(failure) => return failure.is_not_found().then_some(false),
            };
            let last = game.first_entry.saturating_add(game.entries).saturating_sub(1);
            let last = history.page(game.game, last, 1).await.ok()?.pop();
            Some(last.is_some_and(|last| last.value.chain == from.chain))
        };
        timeout(SHORT, found).await.ok().flatten()
    }

    /// The JSON object of a game with all its keys.
    pub async fn whole_game(&self, number: u64) -> Result<String, Failure> {
        bounded(self.proxy.get_game(number)).await
    }

    /// Entries of a game from number `first` on. An empty list means that there are no more.
    pub async fn entries(&self, game: u64, first: u64) -> Result<Vec<Parsed<Entry>>, Failure> {
        self.page(game, first, ENTRIES).await
    }

    /// The entry with this number.
    pub async fn entry(&self, game: u64, number: u64) -> Result<Parsed<Entry>, Failure> {
        let found = self.page(game, number, 1).await?.into_iter().next();
        found
            .filter(|entry| entry.value.entry == number)
            .ok_or_else(|| not_found(format!("game {game} has no entry {number} (clockctl log)")))
    }

    async fn page(&self, game: u64, first: u64, count: u32) -> Result<Vec<Parsed<Entry>>, Failure> {
        let entries: Vec<Parsed<Entry>> =
            read(bounded(self.proxy.read_entries(game, first, count)).await?)?;
        let mut least = first;
        for entry in &entries {
            in_order(entry.value.entry >= least)?;
            least = entry.value.entry.saturating_add(1);
        }
        Ok(entries)
    }

    /// The whole state of a game right after an entry, as JSON.
    pub async fn state(&self, game: u64, entry: u64) -> Result<String, Failure> {
        bounded(self.proxy.read_state(game, entry)).await
    }

    /// Asks the service (`FindMove`) for the entry of the present game with which this side
    /// completed its move number `moves`. Returns the number of the entry.
    pub async fn find_move(&self, side: Who, moves: u32) -> Result<u64, Failure> {
        bounded(self.proxy.find_move(0, side, moves)).await
    }
}

fn no_game(number: u64) -> Failure {
    not_found(format!("the record has no game {number} (clockctl log --games lists them)"))
}

/// A failure with the same code as the service's own error.
pub fn not_found(message: String) -> Failure {
    Failure::Refused { code: failure::NOT_FOUND.to_owned(), message }
}

/// Refuses numbers that are not in order. Otherwise a service that repeats its pages would be read
/// for ever.
fn in_order(ordered: bool) -> Result<(), Failure> {
    let wrong = || Failure::Protocol("the record is not in order".to_owned());
    ordered.then_some(()).ok_or_else(wrong)
}

fn read<T: DeserializeOwned>(texts: Vec<String>) -> Result<Vec<Parsed<T>>, Failure> {
    let one = |json: String| match serde_json::from_str(&json) {
        // Each part is printed as one line.
        _ if json.contains(['\n', '\r']) => {
            Err(Failure::Protocol("a part of the record has more than one line".to_owned()))
        }
        Ok(value) => Ok(Parsed { json, value }),
        Err(error) => {
            let words = json_words(&error);
            Err(Failure::Protocol(format!("a part of the record cannot be read: {words}")))
        }
    };
    texts.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::read;
    use crate::failure::Failure;

    #[test]
    fn a_part_of_the_record_with_two_lines_is_refused() {
        assert_eq!(read::<Value>(vec!["{\"a\":1}".to_owned()]).unwrap().len(), 1);
        for text in ["{\"a\":\n1}", "{\"a\":\r1}", "{"] {
            let found = read::<Value>(vec![text.to_owned()]).map(|_| ());
            assert!(matches!(found, Err(Failure::Protocol(_))), "{text}: {found:?}");
        }
    }
}
