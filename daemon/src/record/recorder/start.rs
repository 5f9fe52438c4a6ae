//! Makes the recorder, and finds the clock of an earlier process: in the retained memory or in the
//! record.

use super::intake::{Intake, NotedEntry};
use super::ledger::Ledger;
use super::replay::{Replay, request};
use super::reports::Reports;
use super::writer::{Recorder, Settings};
use crate::game::{EntryNote, GameText, Identity, OnRecord, RecordStatus, sets_up};
use clock_engine::{Instant, Phase};
use clockd_rt::Entry;
use clockd_rt::retained::{
    self, AliveStamp, Origin, RetainedMemory, SnapshotReader, SnapshotWriter, Wakeups,
};
use clockd_rt::{EntryLog, FORMAT, Health, Since, VersionedClock};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use tokio::sync::watch;

/// What the recorder needs at the start.
pub struct Setup {
    /// The configuration.
    pub settings: Settings,
    /// The faults and counters that the clock loop and the recorder set.
    pub health: Arc<Health>,
    /// The identifier of the boot (`/proc/sys/kernel/random/boot_id`).
    pub boot: String,
    /// The identifier of the machine (`/etc/machine-id`), or empty.
    pub machine: String,
}

/// What [`start`] returns: the recorder, and the parts with which the other threads reach it.
pub struct Started {
    /// The recorder. [`spawn`](super::spawn) starts its thread.
    pub recorder: Box<Recorder>,
    /// What the recorder's thread waits for.
    pub wakeups: Wakeups,
    /// Where the clock loop writes its entries.
    pub entries: EntryLog,
    /// Where the service keeps the names and texts of the game on the clock.
    pub identity: SnapshotWriter,
    /// Where the service reads the latest snapshot of the clock.
    pub snapshots: SnapshotReader,
    /// Where the thread of the watchdog stores the time at which the daemon was alive.
    pub alive: AliveStamp,
    /// Which entries are on record.
    pub committed: watch::Receiver<OnRecord>,
    /// The state of the recorder, which the D-Bus interface `Health` shows.
    pub status: Arc<RecordStatus>,
    /// The clock that was found, if there was one.
    pub kept: Option<Kept>,
    /// The first entry of a new clock gets the number after this number.
    pub last_entry: u64,
}

/// A clock that was found in the retained memory or in the record.
pub struct Kept {
    /// The clock at its latest entry.
    pub clock: Box<VersionedClock>,
    /// What has happened since the latest entry of `clock`: a restart or a power cut.
    pub since: Since,
    /// Whether the entries of the recorder lead to this state of the clock. If they do not, the
    /// clock loop adds the state as an entry.
    pub is_recorded: bool,
    /// The names of the game, and the texts of its control file and rule file.
    pub text: GameText,
    /// Whether the game was set up from the configuration, and no command has given it names or
    /// texts.
    pub is_configured: bool,
    /// The identity of the game.
    pub id: u64,
    /// Whether the earlier process was still to start White's clock at the scheduled time. `false`
    /// if the clock is that of the record.
    pub awaits_start: bool,
}

/// Finds the clock of an earlier process, and makes the recorder ready.
pub fn start(setup: Setup) -> io::Result<Started> {
    // The retained memory never outlives a boot. So it can be used even if the identifier of the
    // boot cannot be parsed.
    let boot_id = retained::parse_boot_id(&setup.boot).unwrap_or_default();
    let (memory, origin) = retained::open(boot_id, FORMAT)?;
    start_with(setup, memory, origin)
}

/// Like [`start`], but with the given retained memory. `origin` says whether an earlier process of
/// this boot left it.
pub(super) fn start_with(
    setup: Setup,
    memory: RetainedMemory,
    origin: Origin,
) -> io::Result<Started> {
    let Setup { settings, health, boot, machine } = setup;
    let left = Left::of(&memory, origin);
    let parts = memory.split()?;
    let (entries_in, entries) = parts.entries;
    let (snapshot, included) = parts.snapshot;
    let (identity, identities) = parts.identity;
    let (waker, wakeups) = parts.wakeups;
    let (committed_in, committed) = watch::channel(OnRecord::default());
    let status = Arc::new(RecordStatus::default());
    let mut recorder = Box::new(Recorder {
        settings,
        games: None,
        ledger: Ledger::new(boot.clone(), machine),
        boot: boot.clone(),
        intake: Intake::new(entries, included, identities),
        reports: Reports::new(Arc::clone(&health), Arc::clone(&status), committed_in),
        is_joined: false,
        in_memory: left.games(),
        expected: left.expected(),
        lacks_game: false,
        is_gone: false,
        unwritten: VecDeque::new(),
        done: 0,
        end: None,
        lost_through: 0,
        is_starting: true,
        checkpoint_due: None,
        retry_at: None,
        is_refused: false,
    });
    let names = left.identity_is_damaged.then_some("the names and texts of the game");
    if let Some(part) = left.damage.or(names) {
        recorder.reports.memory_damaged(part);
    }
    if let Some(identity) = left.identity.clone() {
        if let (Some(number), Some(clock), Some(_)) =
            (identity.number, &left.clock, &recorder.settings.path)
        {
            status.set_kept_game(clock.entry(), number);
        }
        recorder.ledger.go_on_with(left.id, identity);
    }
    let recorded_until = recorder.open_at_start();
    let lost_on_record = recorder.reports.lost_so_far();
    if !recorder.is_joined {
        let before = left.before.unwrap_or(recorder.intake.included());
        recorder.reports.status.count_after(before);
    }
    // Records the entries that the earlier process could not write.
    recorder.pass(std::time::Instant::now());
    recorder.is_starting = false;
    let lost = left.lost(&recorder);
    recorder.reports.lost_before(lost_on_record, lost);
    let last_left = left.last.max(left.clock.as_ref().map(|clock| clock.entry()));
    let kept = kept(left, &recorder, recorded_until, &boot);
    // Entries that still wait in the memory keep their numbers, so those of a new clock follow them.
    let last_entry = recorder.first_number().max(last_left.unwrap_or_default());
    let mut entries = EntryLog::new(entries_in, snapshot, waker, health).after_lost(lost);
    entries.set_game(kept.as_ref().map_or(0, |kept| kept.id));
    let alive = parts.alive;
    Ok(Started {
        recorder,
        wakeups,
        entries,
        identity,
        snapshots: parts.snapshots,
        alive,
        committed,
        status,
        kept,
        last_entry,
    })
}

/// The clock to continue with. It is the one in the retained memory, unless there is none, or the
/// one of the record is newer because the memory is damaged.
fn kept(
    left: Left,
    recorder: &Recorder,
    recorded_until: Option<(String, Instant)>,
    boot: &str,
) -> Option<Kept> {
    let of_record = recorder.ledger.clock();
    let of_memory =
        left.clock.filter(|clock| of_record.is_none_or(|other| other.entry() <= clock.entry()));
    let (text, is_configured) = match recorder.ledger.game() {
        Some(game) => (Some(game.text.clone()), game.is_configured),
        None => (None, false),
    };
    let Some(clock) = of_memory else {
        let clock = Box::new(of_record?.clone());
        let (of_boot, until) = recorded_until?;
        let until = until.max(clock.last());
        let since = if of_boot == boot {
            Since::Restart(left.alive.unwrap_or(until).max(until))
        } else {
            Since::PowerCut(until)
        };
        let (is_recorded, text, awaits_start) = (true, text?, false);
        let id = recorder.ledger.id();
        return Some(Kept { clock, since, is_recorded, text, is_configured, id, awaits_start });
    };
    let since = Since::Restart(left.alive.map_or(clock.last(), |alive| alive.max(clock.last())));
    let is_recorded = of_record == Some(&*clock);
    let awaits_start = left.identity.as_ref().is_some_and(|kept| kept.awaits_start);
    let id = left.id;
    let (text, is_configured) = match (left.identity, text) {
        // The record is preferred, because the retained memory leaves out the texts of the rule
        // file and of the control file if it has no room for them.
        (_, Some(text)) if is_recorded => (text, is_configured),
        (Some(identity), _) => (identity.text, identity.is_configured),
        (None, text) => (text.unwrap_or_default(), is_configured),
    };
    Some(Kept { clock, since, is_recorded, text, is_configured, id, awaits_start })
}

impl Kept {
    /// Whether the game must be set up again. This is so if it was set up from the configuration,
    /// if it has not begun, and if the configuration has changed since.
    pub fn is_outdated(&self, configured: &GameText) -> bool {
        let is_ready = self.clock.game().phase() == Phase::Ready;
        self.is_configured && is_ready && self.text != *configured
    }
}

/// What an earlier process of this boot left in the retained memory.
#[derive(Default)]
pub struct Left {
    pub clock: Option<Box<VersionedClock>>,
    /// The identity of the game of `clock`.
    pub id: u64,
    /// The names and texts of this game. The game may not be on record yet.
    pub identity: Option<Identity>,
    /// Whether the part of the memory with the names and texts is damaged. The clock can be used
    /// nevertheless.
    pub identity_is_damaged: bool,
    /// The identities of the games of the entries that are still in the memory.
    games: Vec<u64>,
    /// Whether the entry with which the game of `clock` begins is still in the memory.
    has_begin: bool,
    pub alive: Option<Instant>,
    /// The number of the first entry that is still in the memory, less one.
    pub before: Option<u64>,
    /// The number of the last entry that the recorder has not released.
    pub last: Option<u64>,
    /// Which part of the memory is damaged, besides the names and texts.
    pub damage: Option<&'static str>,
}

/// The game that entries in the memory have set up or changed.
#[derive(Default)]
struct NotedText {
    id: u64,
    text: GameText,
    is_configured: bool,
    /// Whether the entry is in the snapshot of the clock. Then the names and texts that the main thread has
    /// kept can be later ones.
    is_included: bool,
}

impl Left {
    pub fn of(memory: &RetainedMemory, origin: Origin) -> Left {
        match origin {
            Origin::Earlier => {}
            Origin::New => return Left::default(),
            Origin::Damaged => return Left { damage: Some("all of it"), ..Left::default() },
        }
        let snapshot = memory.snapshot();
        let mut id = snapshot.as_ref().map_or(0, |kept| kept.game);
        let clock = snapshot.and_then(|kept| postcard::from_bytes(&kept.bytes).ok());
        let mut replay = Replay::of(clock);
        let entries = memory.left_entries();
        let mut damage = memory.snapshot_is_damaged().then_some("the clock");
        damage = damage.or(entries.damaged.then_some("the entries"));
        let identity_is_damaged = memory.identity_is_damaged();
        let before = entries.frames.first().map(|(number, _)| number.saturating_sub(1));
        let last = entries.frames.last().map(|(number, _)| *number);
        let (mut games, mut noted) = (Vec::new(), None);
        let mut begun = Vec::new();
        for (number, bytes) in entries.frames {
            let Ok(entry) = NotedEntry::read(&bytes) else {
                damage = Some("an entry");
                break;
            };
            begun.extend(begins(&entry));
            if !games.contains(&entry.game) {
                games.push(entry.game);
            }
            let is_included = number <= replay.last();
            if !is_included {
                let Ok(replayed) = replay.apply(number, &entry.entry) else {
                    damage = Some("the clock or an entry, which do not fit together");
                    break;
                };
                id = entry.game;
                if replayed.updates.iter().any(clockd_rt::begins_game) {
                    id = entry.given().map_or(0, |given| given.id);
                }
                if !replayed.is_done() && entry.command().is_some() {
                    continue;
                }
            }
            noted = NotedText::of(&entry, is_included).or(noted);
        }
        if replay.last() < memory.included() {
            damage = Some("the clock, which lacks entries");
        }
        let alive = memory.last_alive().unwrap_or_else(|_| {
            damage = Some("the time at which the clock was alive");
            None
        });
        let kept = memory.identity().and_then(|kept| Identity::read(&kept, id));
        let noted = noted.filter(|noted: &NotedText| noted.id == id);
        // If the main thread was killed before it kept the names and texts, the entry has them.
        let identity = match (kept, noted) {
            (Some(kept), Some(noted)) if !noted.is_included => {
                Identity { text: noted.text, is_configured: noted.is_configured, ..kept }
            }
            (Some(kept), _) => kept,
            (None, Some(NotedText { text, is_configured, .. })) => {
                Identity { text, is_configured, ..Identity::default() }
            }
            // The game gets the name of the time control that is on the clock.
            (None, None) => Identity::default(),
        };
        let clock = replay.clock().cloned().map(Box::new);
        let identity = clock.is_some().then_some(identity);
        Left {
            clock,
            id,
            identity,
            identity_is_damaged,
            games,
            alive,
            has_begin: begun.contains(&id),
            before,
            last,
            damage,
        }
    }

    /// The identities of the games that have entries or a clock in the memory. The list is empty if the memory
    /// has no clock, or if a part of the memory is damaged.
    pub fn games(&self) -> Vec<u64> {
        match self.clock {
            Some(_) if self.damage.is_none() => [&[self.id], &*self.games].concat(),
            _ => Vec::new(),
        }
    }

    /// The identity of the clock's game, and the number of its latest entry, if this game must be on record.
    /// It must be if its first entry is no longer in the memory, because the recorder frees an entry only after
    /// it has written it, or if no record is kept. `None` in every other case, and if the memory is damaged.
    pub fn expected(&self) -> Option<(u64, u64)> {
        let clock = self.clock.as_ref().filter(|_| self.damage.is_none() && !self.has_begin)?;
        Some((self.id, clock.entry()))
    }

    /// How many entries of the clock follow the latest entry that is on record or in the retained memory. These
    /// are lost. Returns 0 if no record is kept, or if neither of them has an entry.
    pub fn lost(&self, recorder: &Recorder) -> u64 {
        let Some(clock) = self.clock.as_ref().filter(|_| recorder.settings.path.is_some()) else {
            return 0;
        };
        // An entry that is still in the memory is not lost: it waits for the storage, or for the
        // caller of its command.
        let on_record = recorder.ledger.last().max(recorder.done);
        match on_record.max(self.last.unwrap_or_default()) {
            0 => 0,
            reached => clock.entry().saturating_sub(reached),
        }
    }
}

/// The identity of the game that begins with this entry. If the entry is a command, it is not known whether
/// the clock has refused it.
fn begins(entry: &NotedEntry) -> Option<u64> {
    match request(&entry.entry) {
        Some(request) => entry.given().filter(|_| sets_up(&request.command)).map(|given| given.id),
        // A restart also adds a state, and its clock can be new, too. That state follows lost entries.
        None => {
            let is_first = matches!(entry.entry, Entry::State { lost: 0, .. });
            (is_first && entry.is_set_up()).then_some(entry.game)
        }
    }
}

impl NotedText {
    /// What this entry notes of its game. If the entry `is_included` in the snapshot, it is not known
    /// whether a command was carried out; one that begins the game on the clock was.
    fn of(entry: &NotedEntry, is_included: bool) -> Option<NotedText> {
        if let Some(EntryNote::SetUp(text)) = &entry.note {
            let (id, text) = (entry.game, (**text).clone());
            return Some(NotedText { id, text, is_configured: true, is_included });
        }
        let request = request(&entry.entry)?;
        let given = entry.given().filter(|_| !is_included || sets_up(&request.command))?;
        let (id, text) = (given.id, given.text.clone());
        Some(NotedText { id, text, is_configured: false, is_included })
    }
}
