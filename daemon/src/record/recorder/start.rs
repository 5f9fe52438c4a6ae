//! What is there at the start: the memory that an earlier process left, and the record.

use super::Settings;
use super::intake::Intake;
use super::ledger::Ledger;
use super::lost_rows::Refusal;
use super::replay::Replay;
use super::reports::Reports;
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

/// What a record is kept with.
pub struct Setup {
    /// The configuration.
    pub settings: Settings,
    /// The game that is set up if none is found.
    pub configured: GameText,
    /// What the clock loop and the recorder tell of themselves.
    pub health: Arc<Health>,
    /// The identifier of the boot (`/proc/sys/kernel/random/boot_id`).
    pub boot: String,
    /// The identifier of the machine (`/etc/machine-id`), or empty.
    pub machine: String,
}

/// Everything for the record of a clock that is to be started.
pub struct Started {
    /// The recorder, whose thread is not started yet.
    pub recorder: Recorder,
    /// What its thread waits for.
    pub wakeups: Wakeups,
    /// For the clock loop.
    pub entries: EntryLog,
    /// For the arbiter's interface.
    pub notes: CommandNotes,
    /// For the watchdog's thread.
    pub alive: AliveStamp,
    /// Which entries are on record.
    pub committed: watch::Receiver<OnRecord>,
    /// What the recorder tells of itself.
    pub status: Arc<RecordStatus>,
    /// The clock that was found.
    pub kept: Option<Kept>,
    /// The number that the first entry of a new clock follows.
    pub last_entry: u64,
}

/// A clock that was found.
pub struct Kept {
    /// The clock at its latest entry.
    pub clock: Box<VersionedClock>,
    /// What has happened since.
    pub since: Since,
    /// Whether the record has it.
    pub is_recorded: bool,
    /// What belongs to the game and is not in the engine.
    pub text: GameText,
    /// Whether the game was set up from the configuration.
    pub is_configured: bool,
}

/// Finds what is there and makes everything ready.
pub fn start(setup: Setup) -> io::Result<Started> {
    // Memory never outlives a boot, so it can be used whatever the boot is called.
    let boot_id = retained::parse_boot_id(&setup.boot).unwrap_or_default();
    let (memory, origin) = retained::open(boot_id, FORMAT)?;
    start_with(setup, memory, origin)
}

/// The same with this memory.
pub(super) fn start_with(
    setup: Setup,
    memory: RetainedMemory,
    origin: Origin,
) -> io::Result<Started> {
    let Setup { settings, configured, health, boot, machine } = setup;
    // After a kill the buttons are not read until the game is back, so nothing is checked that a
    // kill cannot damage.
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
        refusal: Refusal::None,
    };
    let recorded_until = recorder.open_at_start(check);
    if !recorder.is_joined {
        let before = left.before.unwrap_or(recorder.intake.included());
        recorder.reports.status.count_after(before);
    }
    // What the earlier process could not write is written now.
    recorder.pass(std::time::Instant::now());
    let kept = kept(left, &recorder, recorded_until, &boot, configured);
    let last_entry = recorder.first_number();
    let entries = EntryLog::new(entries_in, snapshot, waker.clone(), health);
    let notes = CommandNotes::new(commands_in, waker);
    let alive = parts.alive;
    Ok(Started { recorder, wakeups, entries, notes, alive, committed, status, kept, last_entry })
}

/// What an earlier process of this boot left in memory.
#[derive(Default)]
struct Left {
    clock: Option<Box<VersionedClock>>,
    /// The latest game that was set up and perhaps is not on record.
    text: Option<GameText>,
    alive: Option<Instant>,
    /// The number of the entry before those that the recorder has not released.
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

/// The clock to go on with: that in memory, or if there is none, that of the record.
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
    /// Whether the game is to be set up from the configuration again, because that has changed and
    /// the game has not begun.
    pub fn is_outdated(&self, configured: &GameText) -> bool {
        let is_ready = self.clock.game().phase() == Phase::Ready;
        self.is_configured && is_ready && self.text != *configured
    }
}
