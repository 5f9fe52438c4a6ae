//! Reads the record of the games for the D-Bus interfaces. Commands use
//! [`History::read_for_command`], whose reads come before those of everyone (`queue`).

pub mod interface;
mod json;
mod queue;
#[cfg(test)]
mod tests;

use super::convert;
use crate::game::{BetweenPages, Entries, GameText, ReadError, ReadRecord, Turns};
use clock_dbus::{Error, ImportedFrom};
use clock_engine::rules::{self, GameState};
use clock_engine::{EarlierClock, Side};
use json::Extent;
pub use queue::ReadFor;
use queue::{Between, Closing, NoPlace, OF_USER, ReadQueue};
use std::collections::BTreeMap;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a read may take, including the wait in the queue. A storage that takes longer is
/// treated as failing.
const READ_TIMEOUT: Duration = Duration::from_secs(3);
/// How many games one call can ask for.
pub const GAMES: RangeInclusive<u32> = 1..=100;
/// How many entries one call can ask for.
pub const ENTRIES: RangeInclusive<u32> = 1..=200;
/// The largest size of one answer, in bytes. An answer with a single game or entry may be larger.
pub const ANSWER_LIMIT: usize = 96 * 1024;

/// Reads the record on a separate thread, because the storage can block.
pub struct History {
    /// The reads that wait for that thread; `None` if no record is kept.
    queue: Option<Arc<ReadQueue>>,
}

/// A game on record that is adjourned.
pub struct Adjourned {
    /// The game as it was after its last entry. Its instants are on the CLOCK_MONOTONIC of the boot
    /// in which that entry was written.
    pub game: rules::Game,
    /// The names and texts of the game.
    pub text: GameText,
    /// Where the game is on record.
    pub source: ImportedFrom,
}

impl History {
    /// Makes the value for a service that keeps no record. Every read is refused.
    pub fn none() -> History {
        History { queue: None }
    }

    /// Starts the thread that reads the record. The thread ends when the returned value is dropped.
    pub fn start(mut record: impl ReadRecord) -> io::Result<History> {
        let queue = Arc::new(ReadQueue::default());
        let served = Closing(Arc::clone(&queue));
        let serve = move || {
            while let Some(job) = served.0.next() {
                job(&mut record, &served.0);
            }
        };
        thread::Builder::new().name("history".to_owned()).spawn(serve)?;
        Ok(History { queue: Some(queue) })
    }

    /// The clock as it was right after this entry of the present game, for a command.
    pub async fn clock_after(&self, entry: u64) -> Result<EarlierClock, Error> {
        let found =
            self.read_for_command(move |record, between| record.clock_after(entry, between));
        found
            .await?
            .ok_or_else(|| Error::NotFound(format!("the present game has no entry {entry}")))
    }

    /// The turns of the present game up to this entry, for a command.
    pub async fn turns(&self, entry: u64) -> Result<Turns, Error> {
        let found = self.read_for_command(move |record, between| record.turns(entry, between));
        found.await?.ok_or_else(|| no_game(0))
    }

    /// At most `count` games, the latest first, each as JSON. If `before` is not 0, only games with
    /// numbers below `before` are returned. There can be fewer than `count` because of
    /// [`ANSWER_LIMIT`].
    pub async fn games(
        &self,
        reader: ReadFor,
        before: u64,
        count: usize,
    ) -> Result<Vec<String>, Error> {
        self.read(reader, move |record, _| {
            let games = record.games(before, count)?;
            let mut texts = Page::default();
            for game in &games {
                if !texts.add(json::game(game, Extent::Listed)?) {
                    break;
                }
            }
            Ok(texts.objects)
        })
        .await
    }

    /// The game with the number `game` (0: the latest one) as JSON, with all its keys. One of them
    /// is `clock`, the clock as it was set up.
    pub async fn game(&self, reader: ReadFor, game: u64) -> Result<String, Error> {
        let found = self.read(reader, move |record, _| {
            record.game(game)?.map(|found| json::game(&found, Extent::Whole)).transpose()
        });
        found.await?.ok_or_else(|| no_game(game))
    }

    /// At most `count` entries of a game (0: the latest one) from the entry `first` on, each as
    /// JSON. There can be fewer because of [`ANSWER_LIMIT`].
    pub async fn entries(
        &self,
        reader: ReadFor,
        game: u64,
        first: u64,
        count: usize,
    ) -> Result<Vec<String>, Error> {
        let found = self.read(reader, move |record, _| {
            let rows = record.entries(game, first, count)?;
            if rows.is_empty() && record.game(game)?.is_none() {
                return Ok(None);
            }
            let mut texts = Page::default();
            rows.iter().map(json::entry).all(|text| texts.add(text));
            Ok(Some(texts.objects))
        });
        found.await?.ok_or_else(|| no_game(game))
    }

    /// The earliest entry of a game (0: the latest one) after which this side's press counter
    /// showed `number` and has not been lower since; an error if there is none.
    pub async fn find_move(
        &self,
        reader: ReadFor,
        game: u64,
        side: Side,
        number: u32,
    ) -> Result<u64, Error> {
        let course = self.read(reader, move |record, between| {
            let Some(found) = record.game(game)? else { return Ok(None) };
            let mut course = Course::default();
            let mut entries = Entries::of(record, between, &found);
            for row in &mut entries {
                course.add(row.row.number, json::moves(&row, side)?);
            }
            entries.end()?;
            Ok(Some(course))
        });
        let course = course.await?.ok_or_else(|| no_game(game))?;
        course.entry(number).ok_or_else(|| {
            let side = side.as_str();
            Error::NotFound(match course.count() {
                Some(count) if count > number => format!(
                    "the press counter of {side} shows {count} now, and it did not show {number} on \
                     the way there: a correction, an import or a rewind skipped it; the number of an \
                     entry (clockctl log) goes there, too"
                ),
                Some(count) => format!(
                    "the press counter of {side} does not stand at {number} or above it: it shows \
                     {count} now; if that move was taken back, the number of its entry (clockctl log) goes \
                     there: clockctl rewind --entry"
                ),
                None => format!("the press counter of {side} is unknown: the game has no entry"),
            })
        })
    }

    /// The whole state of a game (0: the latest one) right after an entry (0: the last one of the
    /// game), as JSON.
    pub async fn state(&self, reader: ReadFor, game: u64, entry: u64) -> Result<String, Error> {
        let found = self.read(reader, move |record, between| {
            let Some(game) = record.game_after(game, entry, between)? else { return Ok(None) };
            json::whole_state(&GameState::from(&game)).map(Some)
        });
        found.await?.ok_or_else(|| match entry {
            0 => no_game(game),
            entry => Error::NotFound(format!("the game has no entry {entry} on record")),
        })
    }

    /// The game with this number as it was after its last entry, for a command; an error if it is not
    /// adjourned then.
    pub async fn adjourned(&self, game: u64) -> Result<Adjourned, Error> {
        let found = self.read_for_command(move |record, between| {
            let Some(found) = record.game(game)? else { return Ok(None) };
            if !found.adjourned {
                return Ok(Some(None));
            }
            let last = (found.first_entry + found.entries).saturating_sub(1);
            let chain = record.entries(found.game, last, 1)?.pop().map(|row| row.chain);
            let (Some(game), Some(chain)) = (record.game_after(found.game, 0, between)?, chain)
            else {
                let what = format!("game {} has no last entry", found.game);
                return Err(ReadError::Malformed(what));
            };
            let (machine, text) = json::names(&found)?;
            let chain = clock_record::hexadecimal(&chain);
            let source = ImportedFrom { machine, game: found.game, chain };
            Ok(Some(Some(Adjourned { game, text, source })))
        });
        let found = found.await?.ok_or_else(|| no_game(game))?;
        found.ok_or_else(|| {
            Error::NotFound(format!(
                "game {game} is not adjourned, or was taken up again; ListGames says which games are"
            ))
        })
    }

    /// Reads the record for a command. The read comes before those of everyone, also between two
    /// pages of one that has begun.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`] or [`Error::NoRecord`]: the record could not be read. This says nothing of
    /// what is on record, so the command must be refused with it.
    pub async fn read_for_command<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut dyn ReadRecord, &mut dyn BetweenPages) -> Result<T, ReadError>
        + Send
        + 'static,
    ) -> Result<T, Error> {
        self.read(ReadFor::Arbiter, read).await
    }

    /// Runs `read` on the thread that reads the record, and waits for at most [`READ_TIMEOUT`]. The
    /// thread skips a read whose caller has given up, and ends a long one between two pages.
    async fn read<T: Send + 'static>(
        &self,
        reader: ReadFor,
        read: impl FnOnce(&mut dyn ReadRecord, &mut dyn BetweenPages) -> Result<T, ReadError>
        + Send
        + 'static,
    ) -> Result<T, Error> {
        let Some(queue) = &self.queue else {
            return Err(Error::NoRecord("no record is kept".to_owned()));
        };
        let (answer, answered) = oneshot::channel();
        let job = Box::new(move |record: &mut dyn ReadRecord, queue: &ReadQueue| {
            if answer.is_closed() {
                return;
            }
            let is_given_up = || answer.is_closed();
            let mut between = Between { queue, reader, is_given_up: &is_given_up };
            let found = read(record, &mut between);
            // Sending fails if the caller has given up.
            let _ = answer.send(found);
        });
        queue.push(reader, job).map_err(no_place)?;
        match tokio::time::timeout(READ_TIMEOUT, answered).await {
            Ok(Ok(Ok(read))) => Ok(read),
            Ok(Ok(Err(error))) => Err(convert::no_record(&error.to_string())),
            Ok(Err(_)) => Err(ended()),
            Err(_) => {
                let seconds = READ_TIMEOUT.as_secs();
                Err(Error::NoRecord(format!("the storage does not answer within {seconds} s")))
            }
        }
    }
}

impl Drop for History {
    fn drop(&mut self) {
        if let Some(queue) = &self.queue {
            queue.close();
        }
    }
}

fn no_place(why: NoPlace) -> Error {
    let message = match why {
        NoPlace::Full => "too many reads of the record wait at once; try again later".to_owned(),
        NoPlace::FullOfUser => {
            format!("{OF_USER} reads of the record by this user wait already; try again later")
        }
        NoPlace::Ended => return ended(),
    };
    Error::Busy(message)
}

fn no_game(game: u64) -> Error {
    Error::NotFound(match game {
        0 => "there is no game on record".to_owned(),
        game => format!("there is no game {game} on record"),
    })
}

fn ended() -> Error {
    Error::NoRecord("the reader of the record has ended; look in the log for the reason".to_owned())
}

/// The JSON objects of one answer, within [`ANSWER_LIMIT`].
#[derive(Default)]
struct Page {
    objects: Vec<String>,
    bytes: usize,
}

impl Page {
    /// Adds an object if the answer has room for it. Returns whether it was added. The first object
    /// is always added.
    fn add(&mut self, object: String) -> bool {
        let bytes = self.bytes + object.len();
        if bytes > ANSWER_LIMIT && !self.objects.is_empty() {
            return false;
        }
        self.bytes = bytes;
        self.objects.push(object);
        true
    }
}

/// Maps the numbers of one side's press counter to entries, up to the number that the counter shows
/// now. The entry of a number is the earliest one after which the counter showed that number and
/// has not been lower since. A number that a correction skipped, or that is below the first one of
/// an imported game, has no entry.
///
/// For example, after the entries 5, 6, 7 and 8 the counter shows 22, 23, 22 and 23, because a
/// press was taken back. Then 22 belongs to entry 5, and 23 to entry 8.
#[derive(Debug, Default)]
pub struct Course(BTreeMap<u32, u64>);

impl Course {
    /// Adds an entry after which the counter shows `count`. Entries are added in their order.
    pub fn add(&mut self, entry: u64, count: u32) {
        while self.0.last_key_value().is_some_and(|(last, _)| *last > count) {
            self.0.pop_last();
        }
        self.0.entry(count).or_insert(entry);
    }

    /// The entry that belongs to this number of the counter; `None` if the number has no entry.
    pub fn entry(&self, count: u32) -> Option<u64> {
        self.0.get(&count).copied()
    }

    /// The number that the counter shows after the last entry; `None` if no entry was added.
    pub fn count(&self) -> Option<u32> {
        self.0.last_key_value().map(|(count, _)| *count)
    }
}
