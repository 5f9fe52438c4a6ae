//! The clock loop, and the rings over which the rest of the daemon exchanges values with it.
//!
//! One thread owns the engine. The rest of the daemon sends requests to this thread over one
//! wait-free ring, and receives updates with the whole state over another ring. Two more rings
//! carry boards that the loop has given up and boards that were opened again, and two carry the
//! requests and the events of the menu. `Health` shows other threads what the loop reports about
//! itself, and `Heartbeat` whether the loop is alive.

mod atomic;
pub mod channel;
mod clock_loop;
mod entry_log;
mod health;
mod heartbeat;
mod histogram;
mod poller;
mod prefault;
mod sched;
#[cfg(test)]
mod test_pipe;
mod test_trace;

pub use clock_loop::{Note, NotedRequest, begins_game, sets_game};
pub use clockd_core::{
    Cause, Input, Inputs, MAX_REQUESTS, OpenQuestions, Refusal, Request, Restart, Times, Update,
    VersionedClock, name_of_command,
};
pub use entry_log::{Checksum, Entry, EntryFrame, EntryLog, FORMAT, MAX_ENTRY};
pub use health::{Fault, Health, Rate};
pub use heartbeat::{Heartbeat, LivenessCheck};
pub use sched::{Priority, enter_realtime, keep_mappings_small, release_stack};
pub use test_trace::{TRACED, Traced};

use crate::clock::monotonic_now;
use crate::gpio::Lines;
use channel::{Receiver, Sender, channel};
use clock_engine::rules::Game;
use clock_engine::{Control, Instant};
use clock_loop::{Channels, ClockLoop};
use clockd_core::{LINES, LoopCore, MenuEvent, MenuOpening, MenuRequest};
use poller::LineReader;
use std::io;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The size of the loop's stack: far more than the loop needs. It is not larger, because the limit
/// on locked memory counts whole mappings.
const STACK: usize = 1024 * 1024;
/// The size of the ring of updates: enough for the updates of one iteration that catches up after a
/// long stall (64), and for 32 moves. Only a reader that hangs lets this ring become full.
const UPDATES: usize = 96;
/// The size of the rings of boards. There is only one board, so the rings are never full.
const BOARDS: usize = 2;
/// The size of the ring of requests of the program that shows the menu.
const MENU_REQUESTS: usize = 64;
/// The size of the ring of events of the menu: more than people can cause within `MENU_TIMEOUT`,
/// after which the menu of a program that reads none is closed.
const MENU_EVENTS: usize = 512;

/// What the rest of the daemon needs to exchange values with the running loop.
pub struct RunningLoop {
    /// The ring into which commands are put.
    pub requests: Sender<NotedRequest>,
    /// The ring from which updates are taken.
    pub updates: Receiver<Update>,
    /// The ring into which the requests of the program that shows the menu are put. The loop takes
    /// them when it is notified over `requests`.
    pub menu_requests: Sender<MenuRequest>,
    /// The ring from which the events of the menu are taken.
    pub menu: Receiver<MenuEvent>,
    /// The ring from which the edges and presses of the test of the buttons are taken. The loop
    /// does not wake its reader.
    pub traced: Receiver<Traced>,
    /// The update with the clock at the start.
    pub first: Update,
    /// The rings for boards that are gone and for boards that are back.
    pub boards: BoardChannels,
    /// What the loop reports about itself.
    pub health: Arc<Health>,
    /// Shows whether the loop is alive.
    pub heartbeat: Arc<Heartbeat>,
    /// Why the loop has no real-time priority or no locked memory; `None` if it has both.
    pub not_realtime: Option<io::Error>,
    /// Resolves when the loop has ended, which it never should.
    pub ended: oneshot::Receiver<io::Error>,
}

/// The two rings for boards, as the rest of the daemon uses them: it reads from `gone` and writes
/// to `opened`. Opening or closing a board can block, so both are done outside the loop.
pub struct BoardChannels {
    /// Boards that the loop has given up. Dropping one closes it.
    pub gone: Receiver<Box<dyn Lines>>,
    /// A board that was opened again.
    pub opened: Sender<Box<dyn Lines>>,
}

/// The clock with which the loop starts.
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub enum Start {
    /// A game that is set up.
    New {
        /// The game.
        game: Game,
        /// The number of the latest entry of earlier games. The first entry of this game gets the
        /// next number.
        last_entry: u64,
        /// The identity of the game, and what is noted with its first entry.
        note: Note,
    },
    /// A clock that the retained memory or the record has kept.
    Restored {
        /// The clock as it was at its latest entry.
        clock: Box<VersionedClock>,
        /// What has happened since that entry.
        since: Since,
        /// Whether the record includes this clock. If not, the whole clock is added as an entry
        /// first.
        is_recorded: bool,
    },
}

impl Start {
    /// The time control.
    pub fn control(&self) -> &Control {
        match self {
            Start::New { game, .. } => game.clock().control(),
            Start::Restored { clock, .. } => clock.control(),
        }
    }
}

/// What has happened since the latest entry of a clock that was kept.
#[derive(Clone, Copy, Debug)]
pub enum Since {
    /// The daemon was started again. At this instant, the buttons were last known to be read.
    Restart(Instant),
    /// The machine was started again. At this instant of the boot before, the daemon was last known
    /// to run.
    PowerCut(Instant),
}

/// Starts the clock loop on a separate thread. If `lines` is `None`, the button board counts as
/// gone until a board comes over [`BoardChannels::opened`].
pub fn spawn(
    mut start: Box<Start>,
    inputs: Inputs,
    menu: Option<MenuOpening>,
    lines: Option<Box<dyn Lines>>,
    mut entries: EntryLog,
    health: Arc<Health>,
) -> io::Result<RunningLoop> {
    let (requests, requests_in) = channel(MAX_REQUESTS)?;
    let (menu_requests, menu_requests_in) = channel(MENU_REQUESTS)?;
    let (menu_out, menu_events) = channel(MENU_EVENTS)?;
    let (traced_out, traced) = channel(TRACED)?;
    let (updates_out, updates) = channel(UPDATES)?;
    let (opened, opened_in) = channel(BOARDS)?;
    let (gone_out, gone) = channel(BOARDS)?;
    let heartbeat = Arc::new(Heartbeat::new()?);
    let mut reader = LineReader::new();
    // A board that has gone since it was opened cannot be read. `attach` keeps such a board, and
    // the loop then finds that it is gone.
    let levels = lines.map(|lines| reader.attach(lines).unwrap_or_default());
    health.set_board_missing(levels.is_none());
    let channels = Channels {
        requests: requests_in,
        menu_requests: menu_requests_in,
        updates: updates_out,
        menu: menu_out,
        traced: traced_out,
        opened_boards: opened_in,
        gone_boards: gone_out,
    };
    let now = monotonic_now();
    let since = match &*start {
        Start::New { .. } => None,
        Start::Restored { since, .. } => Some(*since),
    };
    let note = match &mut *start {
        Start::New { note, .. } => {
            entries.set_game(note.game);
            std::mem::take(&mut note.bytes)
        }
        Start::Restored { .. } => Box::default(),
    };
    let (core, is_recorded) = new_core(start, inputs, menu, levels, now);
    let (heart, state) = (Arc::clone(&heartbeat), Arc::clone(&health));
    let mut clock_loop = Box::new(ClockLoop::new(core, reader, channels, entries, state, heart)?);
    if !is_recorded {
        clock_loop.begin_record(&note);
    }
    let closed = levels.map(|[white, black, _]| [white, black]);
    match since {
        None => {}
        Some(Since::Restart(since)) => {
            clock_loop.go_on(&Input::Restarted { since, at: now, closed });
        }
        Some(Since::PowerCut(stopped)) => {
            clock_loop.go_on(&Input::PowerCut { stopped, at: now, closed });
        }
    }
    let first = clock_loop.first();
    let (not_realtime, ended) = start_thread(clock_loop, &health, &heartbeat)?;
    let boards = BoardChannels { gone, opened };
    let menu = menu_events;
    Ok(RunningLoop {
        requests,
        menu_requests,
        updates,
        menu,
        traced,
        first,
        boards,
        health,
        heartbeat,
        not_realtime,
        ended,
    })
}

/// The core with which the loop starts, and whether the record leads to the clock of this core.
fn new_core(
    start: Box<Start>,
    inputs: Inputs,
    menu: Option<MenuOpening>,
    levels: Option<[bool; LINES]>,
    now: Instant,
) -> (Box<LoopCore>, bool) {
    let (core, is_recorded) = match *start {
        Start::New { game, last_entry, .. } => {
            (LoopCore::new(game, inputs, levels, now).numbered_from(last_entry), false)
        }
        Start::Restored { mut clock, is_recorded, .. } => {
            let before = clock.clone();
            clock.adapt(inputs.kind);
            // A change of the kind of switch (buttons or rocker) is no entry. So if `adapt` changes
            // the clock, the record does not lead to the adapted clock.
            let is_recorded = is_recorded && clock == before;
            (LoopCore::restored(*clock, inputs, levels, now), is_recorded)
        }
    };
    let core = match menu {
        Some(opening) => core.with_menu(opening),
        None => core,
    };
    (Box::new(core), is_recorded)
}

/// Starts the thread. The loop runs as soon as all memory that it uses is mapped and locked.
/// Returns why the loop has no real-time priority or no locked memory (`None` if it has both), and
/// a receiver that resolves when the loop ends.
fn start_thread(
    mut clock_loop: Box<ClockLoop>,
    health: &Health,
    heartbeat: &Arc<Heartbeat>,
) -> io::Result<(Option<io::Error>, oneshot::Receiver<io::Error>)> {
    let (prepared, wait_prepared) = std::sync::mpsc::channel();
    let (start, wait_start) = std::sync::mpsc::channel();
    let (end, ended) = oneshot::channel();
    let end_heartbeat = EndHeartbeat(Arc::clone(heartbeat));
    let thread = std::thread::Builder::new().name("clock-loop".into()).stack_size(STACK);
    thread.spawn(move || {
        let _end_heartbeat = end_heartbeat;
        let priority = enter_realtime(Priority::CLOCK_LOOP);
        let prefaulted = clock_loop.prefault();
        // The thread that called `start_thread` waits for both results. Sending fails only if that
        // thread no longer waits, because the daemon is ending.
        let _ = prepared.send((priority, prefaulted));
        if wait_start.recv().is_ok() {
            let _ = end.send(clock_loop.run());
        }
    })?;
    let (priority, prefaulted) = wait_prepared.recv().map_err(io::Error::other)?;
    prefaulted?;
    // `load_code` maps the rest of what the loop uses, and `lock_memory` locks all of it.
    let (loaded, locked) = (sched::load_code(), sched::lock_memory());
    let not_realtime = priority.and(loaded).and(locked).err();
    health.set_realtime(not_realtime.is_none());
    start.send(()).map_err(io::Error::other)?;
    Ok((not_realtime, ended))
}

/// A game without a rule profile.
#[cfg(test)]
fn game_without_rules(control: Control, at: Instant) -> Game {
    let session = clock_engine::rules::Session::Unknown;
    let setup = clock_engine::rules::Setup { control, profile: None, session, force: false };
    Game::new(&setup, at).expect("only a profile can refuse a control")
}

/// Records the end of the thread in the heartbeat, however the thread ends.
struct EndHeartbeat(Arc<Heartbeat>);

impl Drop for EndHeartbeat {
    fn drop(&mut self) {
        self.0.end();
    }
}
