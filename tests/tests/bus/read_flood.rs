//! Some commands of an arbiter read the record. They must succeed while other programs read the record
//! again and again.

use super::*;
use clock_dbus::{HealthProxy, HistoryProxy};
use clock_tests::{FAST_DEBOUNCE, FastGame, eventually};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

/// How many connections read, and how many reads each of them keeps open.
const CONNECTIONS: usize = 12;
const READS: usize = 2;
/// How often each command is given.
const TRIES: usize = 20;
/// How many entries the game has: each read of the flood reads all of them.
const ENTRIES: usize = 1_500;

/// Reads over the name of the service that everyone can send to, until this is dropped.
struct Flood {
    ends: Arc<AtomicBool>,
    /// How many reads were answered, and how many were refused because too many waited.
    answered: Arc<AtomicUsize>,
    busy: Arc<AtomicUsize>,
    /// Another thread makes the reads, because the test waits for programs.
    thread: Option<JoinHandle<()>>,
}

impl Flood {
    fn start(address: String) -> Flood {
        let (ends, answered, busy) =
            <(Arc<AtomicBool>, Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let counts = (Arc::clone(&ends), Arc::clone(&answered), Arc::clone(&busy));
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let reads = (0..CONNECTIONS).map(|_| read(&address, &counts));
            runtime.unwrap().block_on(futures_util::future::join_all(reads));
        });
        Flood { ends, answered, busy, thread: Some(thread) }
    }

    fn counts(&self) -> [usize; 2] {
        [&self.answered, &self.busy].map(|count| count.load(Ordering::Relaxed))
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Keeps [`READS`] reads open on one connection.
async fn read(
    address: &str,
    (ends, answered, busy): &(Arc<AtomicBool>, Arc<AtomicUsize>, Arc<AtomicUsize>),
) {
    let connection = connection::Builder::address(address).build().await.unwrap();
    let history = HistoryProxy::new(&connection).await.unwrap();
    let one = || async {
        while !ends.load(Ordering::Relaxed) {
            match history.find_move(1, Who::White, 1).await {
                Ok(_) => answered.fetch_add(1, Ordering::Relaxed),
                Err(Error::Busy(_)) => busy.fetch_add(1, Ordering::Relaxed),
                // A read that has waited for 3 s ends with an error, too.
                Err(_) => 0,
            };
        }
    };
    futures_util::future::join_all((0..READS).map(|_| one())).await;
}

/// A paused game with [`ENTRIES`] entries on record.
async fn long_game() -> Fixture {
    let bench = Bench::in_memory().unwrap();
    bench.configure(FAST_DEBOUNCE).unwrap();
    let games = bench.folder().join("games");
    let arguments = ["--control", "blitz-3-2", "--record", games.to_str().unwrap()];
    let fixture = fixture_on(bench, &arguments).await;
    let mut game = FastGame::start(&fixture.bench).unwrap();
    for _ in 0..ENTRIES / 2 {
        game.play_move().unwrap();
    }
    let health = HealthProxy::new(&fixture.connection).await.unwrap();
    while health.uncommitted_entries().await.unwrap() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    given(&fixture, &["pause"]).unwrap();
    given(&fixture, &["set-rules", "fide-2023"]).unwrap();
    fixture
}

/// Gives a command, and returns why it was refused.
fn given(fixture: &Fixture, arguments: &[&str]) -> Result<(), String> {
    let output = fixture.bench.ctl(arguments).unwrap();
    let said = format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(()) } else { Err(said) }
}

#[tokio::test]
async fn reads_of_12_connections_refuse_no_command_that_reads_the_record() {
    let fixture = long_game().await;
    let flood = Flood::start(fixture.bench.address());
    eventually("the flood fills the queue", || (flood.counts()[1] > 100).then_some(()));
    let mut refused = Vec::new();
    for _ in 0..TRIES {
        refused.extend(given(&fixture, &["rewind", "--entry", "50", "--dry-run"]).err());
    }
    refused.extend(given(&fixture, &["rewind", "--to", "W20"]).err());
    // The adjourned game is read from the record before the next game is set up, and when it is
    // taken up again. Then it is the latest game.
    for (number, on_move) in [(1, "black"), (3, "white"), (5, "black")] {
        for command in [
            &["adjourn", on_move, "Nf6"][..],
            &["new", "3+2"],
            &["resume-adjourned", &number.to_string()],
        ] {
            refused.extend(given(&fixture, command).err());
        }
    }
    let [answered, busy] = flood.counts();
    assert!(refused.is_empty(), "{refused:#?}; {answered} reads answered, {busy} busy");
    assert!(answered > 0, "the reads of everyone go on between the commands");
}
