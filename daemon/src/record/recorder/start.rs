//! Makes the recorder, and finds the clock of an earlier process: in the retained memory or in the
//! record.

use super::intake::Intake;
use super::ledger::Ledger;
use super::refused_row::RefusedRow;
use super::replay::Replay;
use super::reports::Reports;
use super::settings::Settings;
use super::writer::Recorder;
use crate::game::{CommandNote, CommandNotes, GameText, OnRecord, RecordStatus};
use crate::record::store::Check;
use crate::retained::{self, AliveStamp, Origin, RetainedMemory, Wakeups};
use crate::rt::{Entry, EntryLog, FORMAT, Health, Since, VersionedClock};
use clock_engine::{Instant, Phase};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use tokio::sync::watch;

/// What the recorder needs at the start.
pub struct Setup {
    /// The configuration.
    pub settings: Settings,
    /// The game of the configuration, which is set up if no clock is found.
    pub configured: GameText,
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
    pub recorder: Recorder,
    /// What the recorder's thread waits for.
    pub wakeups: Wakeups,
    /// Where the clock loop writes its entries.
    pub entries: EntryLog,
    /// Where the arbiter's interface writes its notes.
    pub notes: CommandNotes,
    /// Where the thread of the watchdog stores the latest time at which the daemon was alive.
    pub alive: AliveStamp,
    /// Which entries are on record.
    pub committed: watch::Receiver<OnRecord>,
    /// The state of the recorder for the health interface.
    pub status: Arc<RecordStatus>,
    /// The clock that was found, if there was one.
    pub kept: Option<Kept>,
    /// The first entry of a new clock gets the number after this one.
    pub last_entry: u64,
}

/// A clock that was found in the retained memory or in the record.
pub struct Kept {
    /// The clock at its latest entry.
    pub clock: Box<VersionedClock>,
    /// What has happened since that entry: a restart or a power cut.
    pub since: Since,
    /// Whether the entries of the recorder lead to this state of the clock. If they do not, the
    /// clock loop adds the state as an entry.
    pub is_recorded: bool,
    /// The names of the game, and the texts of its files.
    pub text: GameText,
    /// Whether the game was set up from the configuration.
    pub is_configured: bool,
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
    let Setup { settings, configured, health, boot, machine } = setup;
    // After a kill, the buttons are not read until the clock is restored. So the check is short: it
    // leaves out what a kill cannot damage.
    let check = if origin == Origin::Earlier { Check::Quick } else { Check::Thorough };
    let left = Left::of(&memory, origin);
    let parts = memory.split()?;
    let (entries_in, entries) = parts.entries;
    let (commands_in, commands) = parts.commands;
    let (snapshot, included) = parts.snapshot;
    let (waker, wakeups) = parts.wakeups;
    let (committed_in, committed) = watch::channel(OnRecord::default());
    let status = Arc::new(RecordStatus::default());
    let mut recorder = Recorder {
        settings,
        store: None,
        ledger: Ledger::new(boot.clone(), machine, configured.clone()),
        boot: boot.clone(),
        intake: Intake::new(entries, commands, included),
        reports: Reports::new(Arc::clone(&health), Arc::clone(&status), committed_in),
        is_joined: false,
        begun_after: None,
        unwritten: VecDeque::new(),
        done: 0,
        checkpoint_due: None,
        retry_at: None,
        refused_row: RefusedRow::None,
    };
    let recorded_until = recorder.open_at_start(check);
    if !recorder.is_joined {
        let before = left.before.unwrap_or(recorder.intake.included());
        recorder.reports.status.count_after(before);
    }
    // Records the entries that the earlier process could not write.
    recorder.pass(std::time::Instant::now());
    let kept = kept(left, &recorder, recorded_until, &boot, configured);
    let last_entry = recorder.first_number();
    let entries = EntryLog::new(entries_in, snapshot, waker.clone(), health);
    let notes = CommandNotes::new(commands_in, waker);
    let alive = parts.alive;
    Ok(Started { recorder, wakeups, entries, notes, alive, committed, status, kept, last_entry })
}

/// What an earlier process of this boot left in the retained memory.
#[derive(Default)]
struct Left {
    clock: Option<Box<VersionedClock>>,
    /// The names and texts of the latest game that was set up. The game may not be on record yet.
    text: Option<GameText>,
    alive: Option<Instant>,
    /// The number before that of the first entry that is still in the memory.
    before: Option<u64>,
}

impl Left {
    fn of(memory: &RetainedMemory, origin: Origin) -> Left {
        if origin != Origin::Earlier {
            return Left::default();
        }
        let snapshot = memory.snapshot();
        let clock = snapshot.and_then(|kept| postcard::from_bytes(&kept.bytes).ok());
        let mut replay = Replay::of(clock);
        let entries = memory.left_entries().frames;
        let before = entries.first().map(|(number, _)| number - 1);
        for (number, bytes) in entries {
            if number > replay.last()
                && let Ok(entry) = Entry::read(&bytes)
                && replay.apply(number, &entry).is_err()
            {
                break;
            }
        }
        let notes = memory.left_commands().frames;
        let text = notes.iter().rev().find_map(|(_, bytes)| match CommandNote::read(bytes) {
            Ok(CommandNote::Given { game: Some(text), .. }) => Some(*text),
            _ => None,
        });
        let clock = replay.clock().cloned().map(Box::new);
        Left { clock, text, alive: memory.last_alive(), before }
    }
}

/// The clock to continue with: the clock in the retained memory. If there is none, or if it is
/// older than the clock on record, the clock on record is returned.
fn kept(
    left: Left,
    recorder: &Recorder,
    recorded_until: Option<(String, Instant)>,
    boot: &str,
    configured: GameText,
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
        return Some(Kept { clock, since, is_recorded: true, text: text?, is_configured });
    };
    let since = Since::Restart(left.alive.map_or(clock.last(), |alive| alive.max(clock.last())));
    let is_recorded = of_record == Some(&*clock);
    let text = text.or(left.text).unwrap_or(configured);
    Some(Kept { clock, since, is_recorded, text, is_configured })
}

impl Kept {
    /// Whether the game must be set up again. This is so if it was set up from the configuration,
    /// if it has not begun, and if the configuration has changed since.
    pub fn is_outdated(&self, configured: &GameText) -> bool {
        let is_ready = self.clock.game().phase() == Phase::Ready;
        self.is_configured && is_ready && self.text != *configured
    }
}
