//! Reads the games on record while the recorder writes them. A read can block, so the D-Bus interface
//! `History` makes its reads on a separate thread.

use super::recorder::{self, GameJson};
use crate::game::{BetweenPages, Entries, Game, ReadError, ReadRecord, Row, Turns};
use clock_engine::{EarlierClock, rules};
use clock_record::{EntryLine, GameReader, Line, RecordError, Summary};
use clockd_rt::VersionedClock;
use std::path::PathBuf;

/// The largest number of games on one page, which is what one read returns.
const MAX_PAGE_GAMES: usize = 100;
/// A page of games ends when its games have more than this number of entries. To list a game, its whole file
/// is read, so this limits the time for a page.
const MAX_PAGE_ENTRIES: u64 = 10_000;
/// The largest number of entries on one page, which is what one read returns.
pub const MAX_PAGE_ROWS: usize = 200;
/// The largest amount of text on one page: 96 KiB. A page with a single game or entry may have
/// more.
pub const MAX_PAGE_BYTES: usize = 96 * 1024;

/// Functions that replay the entries of a game up to the entry with a given number.
#[derive(Clone, Copy)]
pub struct Replay {
    /// Returns the clock right after the entry with this number (the last argument). Its instants
    /// are on CLOCK_MONOTONIC of the present boot.
    pub clock: ReplayTo<EarlierClock>,
    /// Returns the game right after the entry with this number (the last argument). Its instants
    /// are on CLOCK_MONOTONIC of the boot in which that entry was written.
    pub game: ReplayTo<rules::Game>,
    /// Returns the turns up to the entry with this number (the last argument), or up to the last
    /// entry if that is earlier.
    pub turns: ReplayTo<Turns>,
}

/// Replays the entries of a game, from its first one on.
type ReplayTo<T> = fn(&Game, &mut dyn Iterator<Item = Row>, u64) -> Result<T, String>;

/// The [`Replay`] of the service. It replays the entries of a game as the recorder does.
pub const REPLAY: Replay = Replay {
    clock: |game, rows, entry| {
        recorder::clock_after(set_up(game)?, rows, entry).ok_or_else(|| not_replayed(game, entry))
    },
    game: |game, rows, entry| {
        recorder::game_after(set_up(game)?, rows, entry).ok_or_else(|| not_replayed(game, entry))
    },
    turns: |game, rows, entry| {
        recorder::turns(set_up(game)?, rows, entry).ok_or_else(|| not_replayed(game, entry))
    },
};

/// The clock right after the first entry of the game. It is a part of the stored information on the game.
fn set_up(game: &Game) -> Result<VersionedClock, String> {
    let info: GameJson = serde_json::from_str(&game.info).map_err(|error| error.to_string())?;
    info.clock.map(|clock| *clock).ok_or_else(|| format!("game {} has no clock", game.game))
}

fn not_replayed(game: &Game, entry: u64) -> String {
    format!("game {} up to entry {entry}", game.game)
}

/// Reads the record from the folder that the recorder writes.
pub struct RecordReader {
    folder: PathBuf,
    replay: Replay,
    /// A read of entries that ended at a full page. The next page usually follows it.
    next_page: Option<NextPage>,
}

/// Where the next page of entries begins in the file of a game.
struct NextPage {
    lines: GameReader,
    /// The entry that had no room on the page before.
    first: Row,
}

impl RecordReader {
    /// Makes a reader of the record in `folder`.
    pub fn new(folder: PathBuf, replay: Replay) -> RecordReader {
        RecordReader { folder, replay, next_page: None }
    }

    /// The numbers of the games, the latest first.
    fn numbers(&self) -> Result<impl Iterator<Item = u64>, ReadError> {
        Ok(clock_record::numbers(&self.folder).map_err(storage)?.into_iter().rev())
    }

    fn summary(&self, number: u64, latest: u64) -> Result<Option<Game>, RecordError> {
        let summary = Summary::read(&self.folder, number, |_| ())?;
        Ok(summary.map(|summary| Game::of(summary, None, latest)))
    }

    /// The file of the game `number` from the entry `first` on, and that entry; `None` if the game has none.
    fn read_from(&mut self, number: u64, first: u64) -> Result<Option<NextPage>, RecordError> {
        let is_next =
            |page: &mut NextPage| page.first.game == number && page.first.row.number == first;
        if let Some(page) = self.next_page.take_if(is_next) {
            return Ok(Some(page));
        }
        let Some(mut lines) = GameReader::open(&self.folder, number)? else { return Ok(None) };
        while let Some(row) = next_row(&mut lines)? {
            if row.row.number >= first {
                return Ok(Some(NextPage { lines, first: row }));
            }
        }
        Ok(None)
    }
    /// What `replay` makes of the entries of this game, or `None` if the game has no entry with the
    /// number `entry`. The entries are read in pages, because anyone may ask for the state of any
    /// game, and the longest game has more entries than the memory should hold.
    fn replayed<T>(
        &mut self,
        game: &Game,
        entry: u64,
        between: &mut dyn BetweenPages,
        replay: ReplayTo<T>,
    ) -> Result<Option<T>, ReadError> {
        let found = self.entries(game.game, entry, 1)?;
        if found.first().is_none_or(|row| row.row.number != entry) {
            return Ok(None);
        }
        self.replayed_rows(game, entry, between, replay).map(Some)
    }

    /// As [`RecordReader::replayed`], but the game need not have an entry with the number `entry`.
    fn replayed_rows<T>(
        &mut self,
        game: &Game,
        entry: u64,
        between: &mut dyn BetweenPages,
        replay: ReplayTo<T>,
    ) -> Result<T, ReadError> {
        let mut rows = Entries::of(self, between, game);
        let replayed = replay(game, &mut rows, entry);
        rows.end()?;
        replayed.map_err(ReadError::Replay)
    }
}

impl ReadRecord for RecordReader {
    fn games(&mut self, before: u64, count: usize) -> Result<Vec<Game>, ReadError> {
        let mut games = Vec::new();
        let (mut bytes, mut entries, mut latest) = (0, 0, 0);
        for number in self.numbers()? {
            latest = latest.max(number);
            if before != 0 && number >= before {
                continue;
            }
            if games.len() >= count.min(MAX_PAGE_GAMES) {
                break;
            }
            // A damaged game is listed as such. Whoever reads it gets the error.
            let read = Summary::before_damage(&self.folder, number).map_err(storage)?;
            let Some((summary, damage)) = read else { continue };
            let game = Game::of(summary, damage.as_ref(), latest);
            (bytes, entries) = (bytes + game.info.len(), entries + game.entries);
            if bytes > MAX_PAGE_BYTES && !games.is_empty() {
                break;
            }
            games.push(game);
            if entries > MAX_PAGE_ENTRIES {
                break;
            }
        }
        Ok(games)
    }

    fn game(&mut self, game: u64) -> Result<Option<Game>, ReadError> {
        let Some(latest) = self.numbers()?.next() else { return Ok(None) };
        let number = if game == 0 { latest } else { game };
        self.summary(number, latest).map_err(storage)
    }

    fn entries(&mut self, game: u64, first: u64, count: usize) -> Result<Vec<Row>, ReadError> {
        let number = match game {
            0 => self.numbers()?.next().unwrap_or_default(),
            game => game,
        };
        let mut rows = Vec::new();
        if count == 0 {
            return Ok(rows);
        }
        let Some(mut page) = self.read_from(number, first).map_err(storage)? else {
            return Ok(rows);
        };
        let mut bytes = 0;
        loop {
            bytes += text_length(&page.first.row);
            let is_full = rows.len() == count.min(MAX_PAGE_ROWS) || bytes > MAX_PAGE_BYTES;
            if is_full && !rows.is_empty() {
                self.next_page = Some(page);
                return Ok(rows);
            }
            rows.push(page.first);
            match next_row(&mut page.lines).map_err(storage)? {
                Some(next) => page.first = next,
                None => return Ok(rows),
            }
        }
    }

    fn clock_after(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<EarlierClock>, ReadError> {
        let replay = self.replay.clock;
        let Some(game) = self.game(0)? else { return Ok(None) };
        self.replayed(&game, entry, between, replay)
    }

    fn game_after(
        &mut self,
        game: u64,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<rules::Game>, ReadError> {
        let replay = self.replay.game;
        let Some(game) = self.game(game)? else { return Ok(None) };
        let last = (game.first_entry + game.entries).saturating_sub(1);
        let entry = if entry == 0 { last } else { entry };
        self.replayed(&game, entry, between, replay)
    }

    fn turns(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<Turns>, ReadError> {
        let Some(game) = self.game(0)? else { return Ok(None) };
        let replay = self.replay.turns;
        self.replayed_rows(&game, entry, between, replay).map(Some)
    }
}

/// The next entry of the file.
fn next_row(lines: &mut GameReader) -> Result<Option<Row>, RecordError> {
    while let Some(line) = lines.next() {
        if let Line::Entry(row) = line? {
            let (game, chain) = (lines.game().number, lines.latest_chain());
            return Ok(Some(Row { game, row, chain }));
        }
    }
    Ok(None)
}

fn text_length(row: &EntryLine) -> usize {
    let command = row.command.as_ref().map_or(0, String::len);
    row.input.len() + row.events.len() + command + row.state.len()
}

fn storage(error: RecordError) -> ReadError {
    ReadError::Storage(Box::new(error))
}
