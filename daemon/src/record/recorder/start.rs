//! Makes the recorder, and finds the clock of an earlier process: in the retained memory or in the
//! record.

use super::intake::Intake;
use super::ledger::Ledger;
use super::left::Left;
use super::reports::Reports;
use super::settings::Settings;
use super::writer::Recorder;
use crate::game::{GameText, OnRecord, RecordStatus};
use clock_engine::{Instant, Phase};
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
