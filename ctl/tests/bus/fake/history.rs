//! The record of the fake clock service: the game of [`GAME`], and an earlier game.

use clock_dbus::{Error, Result, Who};
use clockctl::record::file;
use serde_json::{Value, json};
use zbus::interface;

use super::{Answer, Service};

/// The file with the game that all tests of the record use: game 3, with the entries 40 to 70.
pub const GAME: &str = include_str!("../../record/game.json");

/// What the service has on record.
pub struct Record {
    /// JSON objects, the latest last.
    pub games: Vec<String>,
    /// The entries of the latest game.
    pub entries: Vec<String>,
    /// The whole state after the last entry; `None` if the record cannot be replayed.
    pub state: Option<String>,
    /// The largest number of entries in one answer. The real service returns fewer entries if they
    /// are long.
    pub page: usize,
    /// Every read is refused as busy with this text.
    pub refusal: Option<&'static str>,
}

impl Record {
    pub fn of_the_file() -> Record {
        let (head, rest) = GAME.split_once(",\n\"entries\":[\n").unwrap();
        let game = head.split_once("\"game\":").unwrap().1.to_owned();
        let (entries, rest) = rest.split_once("\n],\n\"state\":").unwrap();
        let entries = entries.split(",\n").map(str::to_owned).collect();
        let state = rest.split_once(",\n\"sum\":").unwrap().0.to_owned();
        let mut earlier: Value = serde_json::from_str(&game).unwrap();
        earlier["game"] = json!(2);
        earlier["ended"] = json!("replaced");
        earlier["started_wall_ns"] = json!(1_795_375_800_000_000_000_u64);
        earlier["white"] = json!("A\u{1b}[31m\nB");
        let games = vec![earlier.to_string(), game];
        Record { games, entries, state: Some(state), page: 7, refusal: None }
    }

    pub fn entry_number(text: &str) -> u64 {
        serde_json::from_str::<Value>(text).unwrap()["entry"].as_u64().unwrap()
    }
}

fn number(text: &str, key: &str) -> u64 {
    serde_json::from_str::<Value>(text).unwrap()[key].as_u64().unwrap()
}

pub(super) struct History(pub(super) Service);

impl History {
    fn read<T>(&self, call: String, read: impl FnOnce(&Record) -> T) -> Result<T> {
        match self.0.note(call) {
            Answer::Refuse(error, message) => Err(error(message.to_owned())),
            _ => {
                let record = &self.0.script.lock().unwrap().record;
                match record.refusal {
                    Some(message) => Err(Error::Busy(message.to_owned())),
                    None => Ok(read(record)),
                }
            }
        }
    }
}

#[interface(name = "org.chessclock.Clock1.History")]
impl History {
    async fn list_games(&self, before: u64, count: u32) -> Result<Vec<String>> {
        self.read(format!("list-games {before} {count}"), |record| {
            let count = usize::try_from(count).unwrap();
            let earlier = |game: &&String| before == 0 || number(game, "game") < before;
            record.games.iter().rev().filter(earlier).take(count).cloned().collect()
        })
    }

    async fn get_game(&self, game: u64) -> Result<String> {
        let found = self.read(format!("get-game {game}"), |record| {
            record.games.iter().find(|text| number(text, "game") == game).cloned()
        })?;
        found.ok_or_else(|| Error::NotFound(format!("no game {game}")))
    }

    async fn read_entries(&self, game: u64, first: u64, count: u32) -> Result<Vec<String>> {
        self.read(format!("read-entries {game} {first} {count}"), |record| {
            let count = usize::try_from(count).unwrap().min(record.page);
            let later = |entry: &&String| number(entry, "entry") >= first;
            record.entries.iter().filter(later).take(count).cloned().collect()
        })
    }

    async fn read_state(&self, game: u64, entry: u64) -> Result<String> {
        let found =
            self.read(format!("read-state {game} {entry}"), |record| record.state.clone())?;
        found.ok_or_else(|| Error::NoRecord("the record cannot be replayed".to_owned()))
    }

    async fn find_move(&self, game: u64, side: Who, r#move: u32) -> Result<u64> {
        let found =
            self.read(format!("find-move {game} {} {}", side.as_str(), r#move), |record| {
                let text = format!("{{\"entries\":[{}]}}", record.entries.join(","));
                let entries: Value = serde_json::from_str(&text).unwrap();
                let entries = entries["entries"].as_array().unwrap().clone();
                let at = |entry: &&Value| entry["state"][side.as_str()]["moves"] == r#move;
                entries.iter().find(at).and_then(|entry| entry["entry"].as_u64())
            })?;
        let none =
            || Error::NotFound(format!("the counter of {} never was {}", side.as_str(), r#move));
        found.ok_or_else(none)
    }
}

#[test]
fn the_fake_record_is_that_of_the_file() {
    let record = Record::of_the_file();
    let last: Value = serde_json::from_str(record.entries.last().unwrap()).unwrap();
    let chain = last["chain"].as_str().unwrap();
    let state = record.state.as_deref();
    assert_eq!(file::write(&record.games[1], &record.entries, chain, state), GAME);
}
