//! Makes the recorder, and finds the clock of an earlier process: in the retained memory or in the
//! record.

use super::intake::Intake;
use super::join::entries_up_to;
use super::ledger::Ledger;
use super::refused_row::RefusedRow;
use super::replay::{Replay, is_new};
use super::reports::Reports;
use super::settings::Settings;
use super::writer::Recorder;
use crate::game::{CommandNote, CommandNotes, GameText, Identity, OnRecord, RecordStatus};
use clock_engine::{Instant, Phase};
use clockd_rt::retained::{
    self, AliveStamp, Origin, RetainedMemory, SnapshotReader, SnapshotWriter, Wakeups,
};
use clockd_rt::{Entry, EntryLog, FORMAT, Health, Since, VersionedClock, sets_game};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use tokio::sync::watch;

/// What the recorder needs at the start.
pub struct Setup {
    /// The configuration.
    pub settings: Settings,
    /// The names and texts of the game of the configuration. This game is set up if no clock is
    /// found.
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
    pub recorder: Box<Recorder>,
    /// What the recorder's thread waits for.
    pub wakeups: Wakeups,
    /// Where the clock loop writes its entries.
    pub entries: EntryLog,
    /// Where the arbiter's interface writes its notes.
    pub notes: CommandNotes,
    /// Where the service keeps what identifies the game on the clock.
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
    /// The number of the request whose command has set the game of `kept`; 0 if there was none.
    pub game_request: u64,
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
    /// The number of the entry with which the game began; `None` if it is not known.
    pub first_entry: Option<u64>,
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
    let Setup { settings, configured, health, boot, machine } = setup;
    let left = Left::of(&memory, origin);
    let parts = memory.split()?;
    let (entries_in, entries) = parts.entries;
    let (commands_in, commands) = parts.commands;
    let (snapshot, included) = parts.snapshot;
    let (identity, identified) = parts.identity;
    let (waker, wakeups) = parts.wakeups;
    let (committed_in, committed) = watch::channel(OnRecord::default());
    let status = Arc::new(RecordStatus::default());
    let mut recorder = Box::new(Recorder {
        settings,
        games: None,
        ledger: Ledger::new(boot.clone(), machine),
        configured,
        boot: boot.clone(),
        intake: Intake::new(entries, commands, included, identified),
        reports: Reports::new(Arc::clone(&health), Arc::clone(&status), committed_in),
        is_joined: false,
        begun_after: None,
        not_in_file: 0,
        is_replaced: false,
        keeps_damaged: false,
        unwritten: VecDeque::new(),
        done: 0,
        lost_through: 0,
        is_starting: true,
        checkpoint_due: None,
        retry_at: None,
        refused_row: RefusedRow::None,
    });
    if left.is_damaged || left.identity_is_damaged {
        recorder.reports.memory_damaged();
    }
    if let Some(identity) = left.identity.clone() {
        if let (Some(number), Some(clock), Some(_)) =
            (identity.number, &left.clock, &recorder.settings.path)
        {
            status.set_kept_game(clock.entry(), number);
        }
        recorder.ledger.go_on_with(identity);
    }
    let mut recorded_until = recorder.open_at_start();
    let lost_on_record = recorder.reports.lost_so_far();
    let is_gone = recorder.has_nothing_of(&left);
    if recorder.is_of_another_game(&left) {
        recorder.leave_other_game();
        recorded_until = None;
    } else if recorder.has_other_state(&left) {
        let game = recorder.ledger.last_game() + 1;
        status.set_kept_game(recorder.ledger.last(), game);
    }
    if !recorder.is_joined {
        let before = left.before.unwrap_or(recorder.intake.included());
        recorder.reports.status.count_after(before);
    }
    // Records the entries that the earlier process could not write.
    recorder.pass(std::time::Instant::now());
    recorder.is_starting = false;
    let lost = left.lost(&recorder, is_gone);
    recorder.reports.lost_before(lost_on_record, lost);
    let game_request = left.game;
    let last_left = left.last.max(left.clock.as_ref().map(|clock| clock.entry()));
    let kept = kept(left, &recorder, recorded_until, &boot);
    // Entries that still wait in the memory keep their numbers, so those of a new clock follow them.
    let last_entry = recorder.first_number().max(last_left.unwrap_or_default());
    let notes = CommandNotes::new(commands_in, waker.clone(), Arc::clone(&health));
    let mut entries = EntryLog::new(entries_in, snapshot, waker, health).after_lost(lost);
    entries.set_game(game_request);
    let alive = parts.alive;
    Ok(Started {
        recorder,
        wakeups,
        entries,
        notes,
        identity,
        snapshots: parts.snapshots,
        alive,
        committed,
        status,
        kept,
        game_request,
        last_entry,
    })
}

/// What an earlier process of this boot left in the retained memory.
#[derive(Default)]
struct Left {
    clock: Option<Box<VersionedClock>>,
    /// What identifies the game of `clock`. The game may not be on record yet.
    identity: Option<Identity>,
    /// Whether the part of the memory with the identity of the game is damaged. The clock can be
    /// used nevertheless.
    identity_is_damaged: bool,
    /// The number of the request whose command has set the game of `clock`; 0 if there was none.
    game: u64,
    alive: Option<Instant>,
    /// The number of the first entry that is still in the memory, less one.
    before: Option<u64>,
    /// Whether the first entry that is still in the memory is the first entry of the clock, so that
    /// no entry of the clock has left the memory.
    has_first: bool,
    /// The number of the last entry that the recorder has not released.
    last: Option<u64>,
    /// Whether a part of the memory is damaged.
    is_damaged: bool,
}

impl Left {
    fn of(memory: &RetainedMemory, origin: Origin) -> Left {
        match origin {
            Origin::Earlier => {}
            Origin::New => return Left::default(),
            Origin::Damaged => return Left { is_damaged: true, ..Left::default() },
        }
        let snapshot = memory.snapshot();
        let mut game = snapshot.as_ref().map_or(0, |kept| kept.game);
        let clock = snapshot.and_then(|kept| postcard::from_bytes(&kept.bytes).ok());
        let mut replay = Replay::of(clock);
        let (entries, notes) = (memory.left_entries(), memory.left_commands());
        let mut is_damaged = entries.damaged || notes.damaged || memory.snapshot_is_damaged();
        let identity_is_damaged = memory.identity_is_damaged();
        let before = entries.frames.first().map(|(number, _)| number.saturating_sub(1));
        let last = entries.frames.last().map(|(number, _)| *number);
        let first = entries.frames.first().and_then(|(_, bytes)| Entry::read(bytes).ok());
        // The state that a restart adds can be that of a new clock, too. If entries were lost
        // before it, it is not the first entry.
        let is_first = |entry| is_new(&entry) && matches!(entry, Entry::State { lost: 0, .. });
        let has_first = first.is_some_and(is_first);
        let mut first_entry = None;
        for (number, bytes) in entries.frames {
            if number <= replay.last() {
                continue;
            }
            let replayed = Entry::read(&bytes).ok().map(|entry| replay.apply(number, &entry));
            let Some(Ok(replayed)) = replayed else {
                is_damaged = true;
                break;
            };
            game = replayed.updates.iter().find_map(sets_game).unwrap_or(game);
            first_entry = replayed.begins_game().then_some(number).or(first_entry);
        }
        is_damaged |= replay.last() < memory.included();
        let alive = memory.last_alive().unwrap_or_else(|_| {
            is_damaged = true;
            None
        });
        // If the main thread was killed before it stored what identifies this game, the note of the
        // command still has the names and texts.
        let identity = memory.identity().and_then(|kept| Identity::read(&kept));
        let identity = identity.filter(|(request, _)| *request == game).map(|(_, kept)| kept);
        // The same holds for a game of the configuration, which no request has set.
        let last_entry = replay.last();
        let set_up = notes.frames.iter().filter_map(|(_, bytes)| set_up_of_note(bytes));
        let set_up = set_up
            .filter(|set_up| game == 0 && set_up.first_entry <= Some(last_entry))
            .max_by_key(|set_up| set_up.first_entry);
        let identity = match (identity, set_up) {
            (Some(kept), Some(set_up)) if kept.first_entry < set_up.first_entry => Some(set_up),
            (kept, set_up) => kept.or(set_up),
        };
        let identity = identity.or_else(|| {
            let text = notes.frames.iter().find_map(|(_, bytes)| game_of_note(bytes, game))?;
            Some(Identity { text, first_entry, ..Identity::default() })
        });
        let clock = replay.clock().cloned().map(Box::new);
        // If neither the stored identity nor a note is of this game, the identity is empty, and the
        // game gets the name of the time control that is on the clock.
        let identity = clock.is_some().then(|| identity.unwrap_or_default());
        Left {
            clock,
            identity,
            identity_is_damaged,
            game,
            alive,
            before,
            has_first,
            last,
            is_damaged,
        }
    }

    /// How many entries of the clock are neither on record nor in the retained memory. `is_gone`
    /// says whether the record had no entry of the clock when it was opened. 0 if no record is
    /// kept.
    fn lost(&self, recorder: &Recorder, is_gone: bool) -> u64 {
        let Some(clock) = self.clock.as_ref().filter(|_| recorder.settings.path.is_some()) else {
            return 0;
        };
        let latest = clock.entry();
        let ledger = &recorder.ledger;
        if is_gone {
            let all = entries_up_to(latest);
            let before = match self.before.filter(|_| self.has_first) {
                Some(before) => before,
                None if all == latest => 0,
                None => return all,
            };
            // An entry that was in the memory may have become the first one on record.
            let first = ledger.first_entry().filter(|_| !recorder.has_other_state(self));
            let Some(first) = first else { return latest.saturating_sub(before) };
            let reached = ledger.last().max(self.last.unwrap_or_default());
            return (first - 1).saturating_sub(before) + latest.saturating_sub(reached);
        }
        // An entry that is still in the memory is not lost: it waits for the storage, or for the
        // caller of its command.
        let reached = match (ledger.last().max(recorder.done), self.last) {
            (0, last) => last.unwrap_or(latest),
            (on_record, last) => on_record.max(last.unwrap_or_default()),
        };
        latest.saturating_sub(reached)
    }
}

/// The names and texts of the game in the note of the request `of`. `None` if `bytes` are the note
/// of another request, or if the note has no game.
fn game_of_note(bytes: &[u8], of: u64) -> Option<GameText> {
    match CommandNote::read(bytes) {
        Ok(CommandNote::Given { request, game: Some(text), .. }) if request == of => Some(*text),
        _ => None,
    }
}

/// The identity of the game in a note on a game that the configuration has set up. `None` if `bytes`
/// are another note.
fn set_up_of_note(bytes: &[u8]) -> Option<Identity> {
    let Ok(CommandNote::SetUp { first_entry, game }) = CommandNote::read(bytes) else {
        return None;
    };
    let first_entry = Some(first_entry);
    Some(Identity { text: *game, is_configured: true, first_entry, ..Identity::default() })
}

impl Recorder {
    /// Whether the record has no entry of the clock in the memory, although an earlier process of
    /// this clock has read the record. Then the record is empty, or its entries are those of
    /// another clock. If a damaged record was moved aside, its entries are in the file that was
    /// moved, so they do not count as lost. A foreign file that was moved aside has none of them.
    fn has_nothing_of(&self, left: &Left) -> bool {
        let was_read = left.identity.as_ref().is_some_and(|kept| kept.number.is_some());
        let is_other = self.is_of_another_game(left) || self.has_other_state(left);
        let is_empty = self.done == 0 && !self.keeps_damaged;
        was_read && self.is_joined && (is_empty || is_other)
    }

    /// Whether the record ends with the number of the latest entry of the clock in the memory, but
    /// with another state.
    fn has_other_state(&self, left: &Left) -> bool {
        let (Some(clock), Some(on_record)) = (&left.clock, self.ledger.clock()) else {
            return false;
        };
        on_record.entry() == clock.entry() && on_record.game() != clock.game()
    }

    /// Whether the record certainly belongs to another game than the retained memory. That is so if
    /// the memory is undamaged and the record has an entry with a higher number than the clock in
    /// the memory: each entry of the game is in the memory before it is on record.
    fn is_of_another_game(&self, left: &Left) -> bool {
        let on_record = self.ledger.clock().map(VersionedClock::entry);
        match &left.clock {
            Some(clock) if !left.is_damaged => on_record > Some(clock.entry()),
            _ => false,
        }
    }
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
        let first_entry = recorder.ledger.first_entry();
        return Some(Kept {
            clock,
            since,
            is_recorded,
            text,
            is_configured,
            first_entry,
            awaits_start,
        });
    };
    let since = Since::Restart(left.alive.map_or(clock.last(), |alive| alive.max(clock.last())));
    let is_recorded = of_record == Some(&*clock);
    let awaits_start = left.identity.as_ref().is_some_and(|kept| kept.awaits_start);
    let first_entry = left.identity.as_ref().and_then(|kept| kept.first_entry);
    let first_entry = first_entry.or(recorder.ledger.first_entry().filter(|_| is_recorded));
    let (text, is_configured) = match (left.identity, text) {
        // The record is preferred, because the retained memory leaves out the texts of the rule
        // file and of the control file if it has no room for them.
        (_, Some(text)) if is_recorded => (text, is_configured),
        (Some(identity), _) => (identity.text, identity.is_configured),
        (None, text) => (text.unwrap_or_default(), is_configured),
    };
    Some(Kept { clock, since, is_recorded, text, is_configured, first_entry, awaits_start })
}

impl Kept {
    /// Whether the game must be set up again. This is so if it was set up from the configuration,
    /// if it has not begun, and if the configuration has changed since.
    pub fn is_outdated(&self, configured: &GameText) -> bool {
        let is_ready = self.clock.game().phase() == Phase::Ready;
        self.is_configured && is_ready && self.text != *configured
    }
}
