//! The dry runs of the programs on the bus. The commands that a program gives to the object
//! [`DRY_RUN_PATH`](clock_dbus::DRY_RUN_PATH) are played on a copy of the clock that belongs to the
//! program.
//!
//! The copy comes from the snapshot that the clock loop writes into the retained memory anyway, so
//! a dry run takes no time of the loop.

use super::convert;
use super::shared_state::SharedState;
use crate::game::{DryRun, GameInfo};
use clock_dbus::{Error, State};
use clock_engine::{Instant, Span};
use clockd_rt::clock::monotonic_now;
use clockd_rt::retained::SnapshotReader;
use clockd_rt::{Request, VersionedClock};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use zbus::names::OwnedUniqueName;

/// How many copies there can be. Each has some 10 KB, and the texts of its game.
const MAX_COPIES: usize = 16;
/// How many copies the programs of one user can have, so that a user who keeps many connections
/// leaves copies to the others.
const MAX_COPIES_OF_USER: usize = 8;
/// How long a copy is kept after its latest command: longer than a program waits for an answer.
const KEPT_FOR: Span = Span::from_secs(10);
/// How long a dry run waits for a snapshot with the latest change. The clock loop writes it 2 ms
/// after the change.
const SNAPSHOT_TIMEOUT: Duration = Duration::from_millis(500);
/// How often the snapshot is read while a dry run waits.
const SNAPSHOT_POLL: Duration = Duration::from_millis(1);

/// Whether the program with this unique name has left the bus.
type HasLeft = Box<dyn Fn(&OwnedUniqueName) -> bool + Send + Sync>;

/// The copies of the clock, by the unique names of their programs on one bus.
pub struct DryRuns {
    snapshots: Arc<SnapshotReader>,
    has_left: HasLeft,
    copies: Mutex<HashMap<OwnedUniqueName, Copied>>,
}

/// A game and its state.
pub struct Present {
    pub game: GameInfo,
    pub state: Arc<State>,
}

/// A program that gives a command, and its user; `None` if the bus has not given the user id yet.
pub struct Player {
    pub program: OwnedUniqueName,
    pub uid: Option<u32>,
}

/// The copy of one program.
struct Copied {
    uid: Option<u32>,
    dry_run: DryRun,
    state: Arc<State>,
    used: Instant,
}

impl DryRuns {
    /// There are no copies at first. They are made from these snapshots. The copy of a program that
    /// has left makes room for another one.
    pub fn new(snapshots: Arc<SnapshotReader>, has_left: HasLeft) -> DryRuns {
        DryRuns { snapshots, has_left, copies: Mutex::default() }
    }

    /// Plays a command on the copy of this program. Returns the revision of the copy after it, and
    /// the report of the command, to which `text` belongs as to a command that is carried out.
    /// If the program has no copy, the clock is copied first. A refused command changes nothing of
    /// the copy.
    pub async fn give(
        &self,
        shared: &SharedState,
        caller: Player,
        request: Request,
        text: &str,
        game: Option<GameInfo>,
    ) -> Result<(u64, String), Error> {
        let mut dry_run = match self.dry_run(&caller.program) {
            Some(dry_run) => dry_run,
            None => self.copy(shared).await?,
        };
        let report = dry_run.give(request, text, game).map_err(convert::error_of)?;
        let revision = dry_run.latest().revision;
        self.keep(caller, state_of(&dry_run, shared), dry_run)?;
        Ok((revision, report))
    }

    /// The game and the state of the copy of this program; `None` if it has no copy.
    pub fn present(&self, program: &OwnedUniqueName) -> Option<Present> {
        self.kept(program, |copied| Present {
            game: copied.dry_run.game().clone(),
            state: Arc::clone(&copied.state),
        })
    }

    /// The copy of this program; `None` if it has no copy.
    pub fn dry_run(&self, program: &OwnedUniqueName) -> Option<DryRun> {
        self.kept(program, |copied| copied.dry_run.clone())
    }

    fn kept<T>(&self, program: &OwnedUniqueName, read: impl FnOnce(&Copied) -> T) -> Option<T> {
        let now = monotonic_now();
        self.lock().get(program).filter(|copied| copied.is_kept(now)).map(read)
    }

    fn keep(&self, caller: Player, state: State, dry_run: DryRun) -> Result<(), Error> {
        let Player { program, uid } = caller;
        let now = monotonic_now();
        let mut copies = self.lock();
        copies.retain(|program, copied| copied.is_kept(now) && !(self.has_left)(program));
        if !copies.contains_key(&program) {
            let of_user = copies.values().filter(|copied| copied.uid == uid).count();
            if copies.len() >= MAX_COPIES {
                return Err(too_many(MAX_COPIES, "other programs"));
            }
            if of_user >= MAX_COPIES_OF_USER {
                return Err(too_many(MAX_COPIES_OF_USER, "other programs of this user"));
            }
        }
        copies.insert(program, Copied { uid, dry_run, state: Arc::new(state), used: now });
        Ok(())
    }

    /// A copy of the clock that includes every change that a client can have seen, with the game
    /// that is on the clock then. Another game, other rules or other names make another revision.
    /// So a snapshot with a revision that has not been published yet waits for its game.
    async fn copy(&self, shared: &SharedState) -> Result<DryRun, Error> {
        let read = async {
            loop {
                let entry = shared.latest_entry();
                let (latest, game) = shared.commands.latest();
                let clock = self.snapshot(entry);
                if let Some(clock) = clock.filter(|clock| clock.revision() == latest.revision) {
                    return DryRun::new(clock, game, shared.health.rocker_in_menu());
                }
                tokio::time::sleep(SNAPSHOT_POLL).await;
            }
        };
        let copied = tokio::time::timeout(SNAPSHOT_TIMEOUT, read).await;
        copied.map_err(|_| busy("the clock loop has not stored its latest state yet"))
    }

    /// The clock of the latest snapshot, if it includes this entry.
    fn snapshot(&self, entry: u64) -> Option<Box<VersionedClock>> {
        let snapshot = self.snapshots.latest().filter(|snapshot| snapshot.entry >= entry)?;
        postcard::from_bytes(&snapshot.bytes).ok().map(Box::new)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<OwnedUniqueName, Copied>> {
        self.copies.lock().expect("nothing panics while it holds the lock")
    }
}

impl Copied {
    fn is_kept(&self, now: Instant) -> bool {
        now.since(self.used) < KEPT_FOR
    }
}

/// The state after the commands that were played, with the numbers that would follow those of the
/// present state.
fn state_of(dry_run: &DryRun, shared: &SharedState) -> State {
    let latest = dry_run.latest();
    let faults = convert::faults(&shared.health, latest);
    let present = shared.state();
    State {
        sequence: present.sequence + dry_run.changes(),
        game_number: present.game_number.map(|number| number + dry_run.games_begun()),
        ..convert::state(latest, dry_run.game(), faults)
    }
}

fn too_many(copies: usize, of: &str) -> Error {
    let seconds = KEPT_FOR.as_nanos() / 1_000_000_000;
    busy(&format!("{copies} {of} have tried out a command in the last {seconds} s"))
}

fn busy(why: &str) -> Error {
    Error::Busy(format!("{why}; nothing was tried out: call again"))
}

#[cfg(test)]
mod tests;
