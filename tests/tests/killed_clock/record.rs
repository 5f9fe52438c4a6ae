//! The record, as any program reads it on the bus.

use clock_dbus::HistoryProxy;
use clock_tests::DEADLINE;
use serde_json::Value;
use std::time::{Duration, Instant};
use zbus::Connection;

/// The latest game of the record.
pub async fn latest_game(connection: &Connection) -> u64 {
    let history = HistoryProxy::new(connection).await.unwrap();
    let games = history.list_games(0, 1).await.unwrap();
    let game: Value = serde_json::from_str(&games[0]).unwrap();
    game["game"].as_u64().unwrap()
}

/// The entries of a game from the number `first` on. They are in their order and without a gap.
pub async fn entries(connection: &Connection, game: u64, first: u64) -> Vec<Value> {
    let history = HistoryProxy::new(connection).await.unwrap();
    let mut entries: Vec<Value> = Vec::new();
    let mut next = first;
    loop {
        let texts = history.read_entries(game, next, 200).await.unwrap();
        if texts.is_empty() {
            return entries;
        }
        for text in texts {
            let entry: Value = serde_json::from_str(&text).unwrap();
            let number = entry["entry"].as_u64().unwrap();
            assert!(entries.is_empty() || number == next, "{number} instead of {next}");
            next = number + 1;
            entries.push(entry);
        }
    }
}

/// Waits until the record of the game has a restart later than `after`. Returns the entries of the
/// game from the number `first` on. The restart is recorded after all earlier entries, so none of
/// them is missing.
pub async fn entries_until_restart(
    connection: &Connection,
    game: u64,
    first: u64,
    after: u64,
) -> Vec<Value> {
    let start = Instant::now();
    loop {
        let entries = entries(connection, game, first).await;
        let restart = |entry: &Value| {
            entry["kind"] == "restarted" && entry["at_ns"].as_u64().unwrap() > after
        };
        if entries.iter().any(restart) {
            return entries;
        }
        assert!(start.elapsed() < DEADLINE, "the restart is not in the record: {entries:#?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
