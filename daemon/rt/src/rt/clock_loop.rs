//! The thread of the clock loop. In each iteration it waits, reads the lines and the requests, lets
//! the core decide, and publishes the updates.
//!
//! Only [`LoopCore`] decides. The loop never blocks: it does not allocate, lock, log, use files or
//! use D-Bus.

use super::channel::{Receiver, Sender, UpdateQueue};
use super::entry_log::{Behind, EntryLog};
use super::health::{FaultSet, Health};
use super::heartbeat::Heartbeat;
use super::poller::{LineReader, Poller, Woken};
use super::prefault;
use super::test_trace::{TestTrace, Traced};
use crate::clock::monotonic_now;
use crate::gpio::Lines;
use clock_engine::rules::GameEventKind;
use clock_engine::{EventKind, Instant, Phase, Span};
use clockd_core::Button;
use clockd_core::{
    Cause, Input, LINES, LoopCore, LoopRequest, MAX_REQUESTS, MenuEvent, MenuRequest, Output,
    Request, Update, VersionedClock,
};
use std::cell::RefCell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// If the ring had no room for an update, sending is tried again after this time.
const RETRY: Span = Span::from_nanos(10_000_000);
/// The interval at which a descriptor that the lines share is read while one of them is muted
/// (noisy, and not read for some time). The descriptor is not waited for, because the noise of that
/// line would end every wait at once. The kernel's queue of 1,024 edges overflows within this
/// interval only if there are more than 512,000 edges a second.
const SHARED_READ: Span = Span::from_nanos(2_000_000);
/// How long after an input the whole state of the clock is written into the retained memory. The
/// input itself is in that memory at once, so a restart finds the state by replaying the input. The
/// state is written later for two reasons: encoding it takes as long as deciding a press, and
/// writing it wakes the recorder, which would compete with the programs that pass the D-Bus signal
/// of the press on. On a single core, these programs take 0.7 ms.
const KEEP_AFTER: Span = Span::from_nanos(2_000_000);

/// The instant until which the loop waits if nothing arrives. A long wait is made in several parts.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    /// `true` if `at` was in the future when it was set, and the loop must decide something or send
    /// again at `at`. `false` if the next iteration must run immediately, or if it only reads a
    /// shared descriptor again. The lateness of the wake-up is recorded only if this is `true`.
    is_ahead: bool,
}

/// What the program that gives a command notes for the record.
#[derive(Debug, Default)]
pub struct Note {
    /// The identity of the game that begins, if the command begins one and is carried out.
    pub game: u64,
    /// What the record keeps, encoded. The loop does not read it.
    pub bytes: Box<[u8]>,
}

/// A command for the clock loop. The sender keeps the note, too, until the command is answered, so that
/// the loop never frees its memory.
#[derive(Debug)]
pub struct NotedRequest {
    /// The command.
    pub request: Request,
    /// What is noted with it.
    pub note: Arc<Note>,
}

impl From<Request> for NotedRequest {
    /// A command of which nothing is noted.
    fn from(request: Request) -> NotedRequest {
        NotedRequest { request, note: Arc::default() }
    }
}

/// The loop's ends of the rings. The rest of the daemon has the other ends.
pub(super) struct Channels {
    pub(super) requests: Receiver<NotedRequest>,
    /// The requests of the program that shows the menu. They are notified over `requests`.
    pub(super) menu_requests: Receiver<MenuRequest>,
    pub(super) updates: Sender<Update>,
    pub(super) menu: Sender<MenuEvent>,
    pub(super) traced: Sender<Traced>,
    /// A board that was opened again.
    pub(super) opened_boards: Receiver<Box<dyn Lines>>,
    /// Boards that the loop has given up, to be closed outside the loop.
    pub(super) gone_boards: Sender<Box<dyn Lines>>,
}

pub(super) struct ClockLoop {
    core: Box<LoopCore>,
    reader: LineReader,
    requests: Receiver<NotedRequest>,
    notes: Notes,
    menu_requests: Receiver<MenuRequest>,
    out: Out,
    opened_boards: Receiver<Box<dyn Lines>>,
    gone_boards: Sender<Box<dyn Lines>>,
    deadline: Option<Deadline>,
    /// When the whole state is written into the retained memory; `None` if that memory has the
    /// present state.
    keep_at: Option<Instant>,
    /// For each line, whether the line is noisy, so that its edges are not waited for.
    muted: [bool; LINES],
    health: Arc<Health>,
    /// The faults as they were last published.
    published: FaultSet,
    poller: Poller,
}

/// The output of the core: it writes inputs into the retained memory, and updates into the ring of
/// updates.
struct Out {
    updates: UpdateQueue,
    /// What the program that shows the menu must know.
    menu: Sender<MenuEvent>,
    /// What the test of the buttons shows.
    trace: TestTrace,
    entries: EntryLog,
    health: Arc<Health>,
    /// The stamp of a late press of any button, from the update with the cause [`Cause::Late`]. The
    /// update of the press itself follows, with the instant from which the press counts. `None` at
    /// any other time.
    late: Option<Instant>,
    /// Whether a clock runs since the latest update. A press on standing clocks is decided at its
    /// release, so it says nothing of the latency.
    is_running: bool,
    /// The identity that the next game gets if the latest request sets up a game; 0 if the request sets up none.
    next_game: u64,
}

/// Whether a command that set up a game caused this update.
pub fn begins_game(update: &Update) -> bool {
    matches!(update.cause, Cause::Command("new" | "import", _))
}

/// Whether a command that set up the game, or changed its rules, its time control or its names, caused this
/// update. After that update, the game has other names or texts.
pub fn sets_game(update: &Update) -> bool {
    let changes = ["set-rules", "change-time-control", "set-names"];
    let changes_texts = |word: &str| changes.contains(&word);
    begins_game(update) || matches!(update.cause, Cause::Command(word, _) if changes_texts(word))
}

/// The notes of the requests that were taken and are not decided yet, with the numbers of the requests.
/// There are at most [`MAX_REQUESTS`], for which it has room.
type Notes = RefCell<Vec<(u64, Arc<Note>)>>;

fn take_note(notes: &Notes, request: u64) -> Option<Arc<Note>> {
    let mut notes = notes.borrow_mut();
    let place = notes.iter().position(|(id, _)| *id == request)?;
    Some(notes.swap_remove(place).1)
}

/// The output while requests are taken.
struct OutWithNotes<'a> {
    out: &'a mut Out,
    notes: &'a Notes,
}

impl Output for OutWithNotes<'_> {
    fn input(&mut self, clock: &VersionedClock, input: &Input) {
        let note = match input {
            Input::Request(request) => take_note(self.notes, request.id),
            _ => None,
        };
        self.out.next_game = note.as_ref().map_or(0, |note| note.game);
        let bytes = note.as_ref().map_or(&[][..], |note| &note.bytes);
        self.out.entries.input(clock, input, bytes);
    }

    fn update(&mut self, update: &Update) {
        // A request can be answered without an input.
        drop(update.answer.and_then(|(request, _)| take_note(self.notes, request)));
        self.out.update(update);
    }

    fn menu(&mut self, event: MenuEvent) {
        self.out.menu(event);
    }
}

impl Output for Out {
    fn input(&mut self, clock: &VersionedClock, input: &Input) {
        self.entries.input(clock, input, &[]);
    }

    fn update(&mut self, update: &Update) {
        if begins_game(update) {
            self.entries.set_game(self.next_game);
        }
        match update.cause {
            Cause::Late(_) => self.late = Some(update.at),
            Cause::Event(GameEventKind::Clock(
                EventKind::Press { .. } | EventKind::Call { .. },
            )) => {
                let stamp = self.late.take().unwrap_or(update.at);
                if self.is_running {
                    self.health.decision_latency.record(monotonic_now().since(stamp));
                }
            }
            _ => {}
        }
        self.is_running = update.view.phase == Phase::Running;
        self.updates.put(update);
    }

    fn menu(&mut self, event: MenuEvent) {
        if let MenuEvent::TestPress(button, at) = event {
            return self.trace.press(button, at);
        }
        // The ring has room for more events than people can cause within `MENU_TIMEOUT`, after
        // which the core takes the buttons back from a program that reads none.
        if self.menu.push(event).is_ok() {
            self.menu.notify();
        }
    }
}

impl ClockLoop {
    pub(super) fn new(
        core: Box<LoopCore>,
        reader: LineReader,
        channels: Channels,
        entries: EntryLog,
        health: Arc<Health>,
        heartbeat: Arc<Heartbeat>,
    ) -> io::Result<ClockLoop> {
        let poller = Poller::new(heartbeat)?;
        poller.add(&channels.requests)?;
        poller.add(&channels.opened_boards)?;
        let is_running = core.update(Cause::Missed).view.phase == Phase::Running;
        let clock_loop = ClockLoop {
            core,
            reader,
            requests: channels.requests,
            notes: RefCell::new(Vec::with_capacity(MAX_REQUESTS)),
            menu_requests: channels.menu_requests,
            out: Out {
                updates: UpdateQueue::new(channels.updates),
                menu: channels.menu,
                trace: TestTrace::new(channels.traced, Arc::clone(&health)),
                entries,
                health: Arc::clone(&health),
                late: None,
                is_running,
                next_game: 0,
            },
            opened_boards: channels.opened_boards,
            gone_boards: channels.gone_boards,
            deadline: None,
            keep_at: None,
            muted: [false; LINES],
            published: health.fault_set(),
            health,
            poller,
        };
        clock_loop.wait_for_lines()?;
        Ok(clock_loop)
    }

    /// Adds the whole clock as an entry. The caller calls this if the record does not contain the
    /// present state of the clock.
    pub(super) fn begin_record(&mut self, note: &[u8]) {
        self.core.number_state();
        self.out.entries.state(self.core.clock(), note);
    }

    /// Carries out the first input of a restored clock: [`Input::Restarted`] or
    /// [`Input::PowerCut`].
    pub(super) fn go_on(&mut self, input: &Input) {
        self.core.go_on(input, &mut self.out);
    }

    /// The update with the state at the start.
    pub(super) fn first(&self) -> Update {
        self.core.update(Cause::Started)
    }

    /// Touches all memory that the loop will use, so that no press and no flag causes a page fault.
    pub(super) fn prefault(&mut self) -> io::Result<()> {
        let (core, now) = (&self.core, monotonic_now());
        // On a thread of its own, whose stack is freed: the copies of the core need more of the stack than the loop ever does.
        std::thread::scope(|scope| scope.spawn(|| prefault::play(core, now)).join())
            .map_err(|_| io::Error::other("the prefault has panicked"))??;
        prefault::touch_stack();
        self.out.entries.prefault(self.core.clock());
        // One real iteration is run, whose wait ends at once because the deadline has passed.
        self.deadline = Some(Deadline { at: Instant::ZERO, is_ahead: false });
        self.iterate()
    }

    /// Runs until the kernel refuses a wait, which is an error of the program. Returns this error.
    pub(super) fn run(mut self) -> io::Error {
        // Faults that exist now need no update, because the first state on the bus includes them.
        self.published = self.health.fault_set();
        loop {
            if let Err(error) = self.iterate() {
                return error;
            }
        }
    }

    fn iterate(&mut self) -> io::Result<()> {
        let Woken { timed_out, hung_up } = self.wait()?;
        // After a time-out there was no notification. If one has come since, the next wait ends at
        // once.
        if !timed_out {
            self.take_opened_board();
            // The notification is cleared before the time is read. So a request that arrives later
            // wakes the loop again.
            self.requests.clear_notification();
        }
        // The time is read before the lines. So every edge that was queued at `now` is in the
        // readings.
        let now = monotonic_now();
        let core = &self.core;
        let failed = self.reader.read(|button| core.is_muted(button, now), &self.health);
        if self.core.is_test() {
            self.out.trace.edges(self.reader.readings());
        }
        self.decide(now);
        self.keep_state(now);
        // The thread that publishes the updates is woken before anything else is done.
        self.out.updates.wake_reader();
        let deadline = self.core.wake_at(now);
        self.mute_lines(now);
        self.report_faults(now);
        // A board with a line that has hung up is given up, but only after its last edges were
        // taken. If it were kept, the loop would never sleep again, because the descriptor of such
        // a line stays ready for ever.
        let gone = self.give_up_board(hung_up, failed);
        self.poller.leaves_undecided(self.core.undecided_since());
        self.out.updates.send(&self.health);
        let retry = self.out.updates.is_behind().then(|| now.checked_add(RETRY)).flatten();
        // `send` may just have counted lost updates. The next iteration publishes this fault, so it
        // must run at once.
        let unpublished = self.health.fault_set() != self.published;
        let at = if gone || unpublished {
            Some(now)
        } else {
            [deadline, retry, self.keep_at].into_iter().flatten().min()
        };
        // No decision is due at the next read of a shared descriptor, so the lateness of that read
        // is not recorded.
        let paced = self.is_paced().then(|| now.checked_add(SHARED_READ)).flatten();
        self.deadline = match (at, paced) {
            (Some(at), Some(paced)) if paced < at => Some(Deadline { at: paced, is_ahead: false }),
            (None, Some(paced)) => Some(Deadline { at: paced, is_ahead: false }),
            _ => at.map(|at| Deadline { at, is_ahead: at > now }),
        };
        Ok(())
    }

    /// Writes the whole state into the retained memory, [`KEEP_AFTER`] after the first input that
    /// the state in that memory does not include. If that memory does not have all inputs, the
    /// state is written at once, before the updates of this iteration are sent.
    fn keep_state(&mut self, now: Instant) {
        let entries = &mut self.out.entries;
        let due = match entries.is_behind() {
            None => None,
            Some(Behind::HasInputs) => self.keep_at.or(now.checked_add(KEEP_AFTER)),
            Some(Behind::NeedsState) => Some(now),
        };
        self.keep_at = due.filter(|due| *due > now);
        if due.is_some() && self.keep_at.is_none() {
            entries.keep(self.core.clock());
        }
    }

    /// Whether the shared descriptor of the lines is read at the interval [`SHARED_READ`]. This is
    /// so if all lines share one descriptor and at least one line is muted.
    fn is_paced(&self) -> bool {
        let is_shared = self.reader.lines().is_some_and(Lines::share_descriptor);
        is_shared && self.muted.contains(&true)
    }

    /// Waits until there is something to do.
    fn wait(&self) -> io::Result<Woken> {
        let woken = self.poller.wait(self.deadline.map(|deadline| deadline.at))?;
        if let (true, Some(Deadline { at, is_ahead: true })) = (woken.timed_out, self.deadline) {
            let now = monotonic_now();
            // If the deadline has not passed, only a part of a long wait is over, so no lateness is
            // recorded.
            if now >= at {
                self.health.wake_lateness.record(now.since(at));
            }
        }
        Ok(woken)
    }

    fn decide(&mut self, now: Instant) {
        let (commands, menu) = (&mut self.requests, &mut self.menu_requests);
        let mut command: Option<NotedRequest> = None;
        let notes = &self.notes;
        let requests = std::iter::from_fn(|| {
            // A command is taken before the ring of the menu is emptied, and given after it. So a
            // `MenuRequest::Command` that was sent before its command is given before it, too.
            command = command.take().or_else(|| commands.pop());
            let request = menu.pop().map(LoopRequest::Menu);
            request.or_else(|| {
                let NotedRequest { request, note } = command.take()?;
                notes.borrow_mut().push((request.id, note));
                Some(LoopRequest::Command(request))
            })
        });
        self.out.late = None;
        let mut out = OutWithNotes { out: &mut self.out, notes };
        self.core.advance(now, self.reader.readings(), requests, &mut out)
    }

    /// Copies the counts and the states of the buttons from the core into `health`. Makes an update if
    /// the faults have changed, and one if the record has numbered the game on the clock anew.
    fn report_faults(&mut self, now: Instant) {
        let (core, health) = (&self.core, &self.health);
        health.set_counts(core.counts());
        health.crossed.store(core.is_crossed(now), Ordering::Relaxed);
        health.set_rocker_in_menu(core.rocker_in_menu());
        for button in Button::ALL {
            health.set_stuck(button, core.is_stuck(button, now));
        }
        let faults = health.fault_set();
        if std::mem::replace(&mut self.published, faults) != faults {
            self.out.updates.put(&Update { at: now, ..core.update(Cause::Fault) });
        }
        if health.renumbered.load(Ordering::Relaxed)
            && health.renumbered.swap(false, Ordering::AcqRel)
        {
            self.out.updates.put(&Update { at: now, ..core.update(Cause::GameNumber) });
        }
    }

    /// Stops waiting for lines that are muted now, and waits again for lines that are no longer
    /// muted.
    fn mute_lines(&mut self, now: Instant) {
        let muted = Button::ALL.map(|button| self.core.is_muted(button, now));
        if std::mem::replace(&mut self.muted, muted) != muted
            && let Some(lines) = self.reader.lines()
        {
            self.poller.wait_for_edges(lines, &muted);
        }
    }

    /// Takes a board that was opened again, in place of the board that was given up.
    fn take_opened_board(&mut self) {
        self.opened_boards.clear_notification();
        while let Some(lines) = self.opened_boards.pop() {
            self.hand_out_board();
            let levels = self.reader.attach(lines);
            match levels.and_then(|levels| self.wait_for_lines().map(|()| levels)) {
                Ok(levels) => {
                    self.health.set_board_missing(false);
                    self.published = self.health.fault_set();
                    self.core.board_back(levels, monotonic_now(), &mut self.out);
                }
                // The board is gone again already, so the fault remains as it is.
                Err(_) => self.hand_out_board(),
            }
        }
    }

    fn wait_for_lines(&self) -> io::Result<()> {
        self.reader.lines().map_or(Ok(()), |lines| self.poller.add_lines(lines))
    }

    /// Gives the whole board up if one of its lines has hung up or cannot be read. A board can only
    /// be opened again as a whole, and only after it was closed. Returns whether the board was
    /// given up.
    fn give_up_board(&mut self, hung_up: [bool; LINES], failed: [bool; LINES]) -> bool {
        let broken = |button: &Button| hung_up[button.index()] || failed[button.index()];
        let mut broken = Button::ALL.into_iter().filter(broken);
        let Some(first) = broken.next() else { return false };
        self.health.set_broken(first, true);
        broken.for_each(|button| self.health.set_broken(button, true));
        // The update with the cause `BoardGone` publishes this fault.
        self.published = self.health.fault_set();
        self.hand_out_board();
        self.core.board_gone(first, monotonic_now());
        true
    }

    /// Sends the board to the task that closes it. Closing a board can block and frees memory, so
    /// it is done outside the loop.
    fn hand_out_board(&mut self) {
        let Some(lines) = self.reader.detach() else { return };
        self.poller.remove_lines(&*lines);
        self.muted = [false; LINES];
        // The ring always has room for the one board. If it had none, the board would be left open,
        // because closing it could block the loop.
        self.gone_boards.push(lines).unwrap_or_else(std::mem::forget);
        self.gone_boards.notify();
    }
}

#[cfg(test)]
mod tests;
