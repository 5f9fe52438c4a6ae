//! Gives commands to the clock loop, and returns its answers.
//!
//! Arbiters give commands over D-Bus, the menu gives those of the clock's buttons, and the schedule
//! gives the command that starts a game. Each command comes with its source, which is recorded, and
//! with the revision of the clock that the source saw. [`Commands`] checks whether a user may give
//! the command, writes a note for the record, sends the command, and keeps the [`GameInfo`] of the
//! game on the clock. [`Answer::wait`] returns a report of what the command did.

use super::authority::{self, Capacity};
use super::info::{CommandNote, EntryNote, GameInfo, NotedGame};
use super::report::{error_of, report};
use super::scheduled_start::ScheduledStart;
use super::view_at::view_at;
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Instant, Phase, View};
use clockd_core::MenuRequest;
use clockd_rt::channel::Sender;
use clockd_rt::clock::monotonic_now;
use clockd_rt::{MAX_REQUESTS, Note, NotedRequest, Refusal, Request, Update, name_of_command};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use zbus::DBusError;

/// How long [`Answer::wait`] waits for the clock loop. The programs of this project wait longer for
/// an answer of the service (5 s, `clock_dbus::METHOD_TIMEOUT`), so they receive the error of
/// [`NotDone::TimedOut`]. In the unit tests it is 60 s, so that on a busy machine a command waits for
/// as long as a test does not answer it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(if cfg!(test) { 60 } else { 3 });
/// The word that the record has in the place of a capacity if the schedule started the game. The
/// entry of the command that set the game up names the arbiter who scheduled the start.
pub const SCHEDULE: &str = "schedule";
/// The word that the record has in the place of a capacity if a command was given in the menu, with
/// the buttons of the clock.
pub const BUTTONS: &str = "buttons";

/// Who gives a command.
#[derive(Clone, Debug)]
pub enum CommandSource {
    /// A user of this machine.
    User {
        /// The user id; `None` if the bus has not given it yet.
        uid: Option<u32>,
        /// The name of the caller's connection to the bus.
        sender: String,
        /// The capacity in which this user acts.
        capacity: Capacity,
    },
    /// The schedule, which starts White's clock at the scheduled time.
    Schedule,
    /// The menu, which is operated with the buttons of the clock. The menu has checked that the person at
    /// the clock may give the command. [`authority::check_at_the_clock`] then refuses the commands that
    /// nobody may give at the clock.
    Buttons,
}

/// A command for the clock loop, with its source and the reason for it.
#[derive(Debug)]
pub struct Given<'a> {
    /// Who gives the command.
    pub source: CommandSource,
    /// When the command arrived.
    pub at: Instant,
    /// The revision of the clock that the source saw.
    pub revision: u64,
    /// The reason, or empty.
    pub reason: &'a str,
    /// What the record keeps beside the reason: an attachment, a sealed move, the name of a rule
    /// profile or of a time control, a description of what is set up or rewound, or the names that
    /// change. Empty for other commands.
    pub text: &'a str,
    /// What to do.
    pub command: GameCommand,
    /// The [`GameInfo`] of the game after a `New`, an `Import`, a `SetRules`, a `ChangeTimeControl`
    /// or a `SetNames`; `None` for other commands. It replaces the present one when the command is
    /// carried out.
    pub game: Option<GameInfo>,
}

/// Why a command was not carried out.
#[derive(Clone, Debug)]
pub enum NotDone {
    /// The clock loop refused the command.
    Refused(Refusal),
    /// The source may not give the command at the board of this clock. The text says why.
    NotAllowed(String),
    /// The clock loop did not answer within 3 s. It is not known whether the command was carried
    /// out.
    TimedOut,
}

impl fmt::Display for NotDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotDone::Refused(refusal) => {
                f.write_str(error_of(*refusal).description().unwrap_or_default())
            }
            NotDone::NotAllowed(message) => f.write_str(message),
            NotDone::TimedOut => f.write_str("the clock loop does not answer"),
        }
    }
}

/// A command that was carried out.
#[derive(Clone, Debug)]
pub struct Done {
    /// The revision of the clock after the command.
    pub revision: u64,
    /// The number of the command's entry in the record.
    pub entry: u64,
    /// A sentence that says what the command did.
    pub report: String,
}

/// The clock right before a command and right after it. Both views are of the instant of the
/// command.
struct CarriedOut {
    revision: u64,
    entry: u64,
    before: View,
    after: View,
}

type Outcome = Result<Box<CarriedOut>, Refusal>;

/// A command that was sent to the clock loop, and the receiver of the loop's answer.
pub struct Answer {
    command: GameCommand,
    text: String,
    outcome: oneshot::Receiver<Outcome>,
}

impl Answer {
    /// Waits for the answer.
    ///
    /// # Errors
    ///
    /// The clock loop refused the command, or has not answered within 3 s.
    pub async fn wait(self) -> Result<Done, NotDone> {
        match tokio::time::timeout(ANSWER_TIMEOUT, self.outcome).await {
            Ok(Ok(Ok(done))) => {
                let CarriedOut { revision, entry, before, after } = *done;
                let report = report(&self.command, &self.text, &before, &after);
                Ok(Done { revision, entry, report })
            }
            Ok(Ok(Err(refusal))) => Err(NotDone::Refused(refusal)),
            // The command stays in `Inner::waiting`, because the loop may still carry it out.
            // `Commands::take_update` must then apply the `game` of the command.
            Ok(Err(_)) | Err(_) => Err(NotDone::TimedOut),
        }
    }
}

/// A command that the clock loop has not answered yet.
struct Waiting {
    outcome: oneshot::Sender<Outcome>,
    /// The clock loop has it, too. It is kept here until the answer, so that the loop does not free it.
    _note: Arc<Note>,
    /// The [`GameInfo`] that replaces the present one if the command is carried out, as in
    /// [`Given::game`].
    game: Option<GameInfo>,
}

struct Inner {
    requests: Sender<NotedRequest>,
    menu_requests: Sender<MenuRequest>,
    game: GameInfo,
    /// The update of the latest change of the clock.
    latest: Update,
    waiting: HashMap<u64, Waiting>,
    next_id: u64,
    /// The number of the latest entry of which an update has come.
    entry: u64,
}

/// Whether the command sets up a game.
pub fn sets_up(command: &GameCommand) -> bool {
    matches!(
        command,
        GameCommand::New(_)
            | GameCommand::NewExchanged(_)
            | GameCommand::Import { .. }
            | GameCommand::Clock(Command::New { .. })
    )
}

/// A new identity for a game: 53 random bits, which every JSON reader keeps exactly.
pub fn random_id() -> u64 {
    let mut bytes = [0; 8];
    // The kernel fills so few bytes at once, also early in a boot.
    let _ = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
    (u64::from_le_bytes(bytes) >> 11).max(1)
}

/// Gives commands to the clock loop, and keeps the [`GameInfo`] of the game on the clock. The lock
/// is held only briefly and never across an `await`.
pub struct Commands {
    inner: Mutex<Inner>,
    /// Notified when a game with a scheduled start is set up.
    pub start_scheduled: Notify,
}

impl Commands {
    /// Makes the `Commands` for the clock loop that receives the requests over these rings. `game`
    /// is the game on the clock, and `first` is the first update of the loop.
    pub fn new(
        (requests, menu_requests): (Sender<NotedRequest>, Sender<MenuRequest>),
        first: &Update,
        mut game: GameInfo,
    ) -> Commands {
        // No two requests or texts of a boot have the same number, also not those of another process.
        game.texts_version = monotonic_now().as_nanos();
        let next_id = game.texts_version + 1;
        let inner = Inner {
            requests,
            menu_requests,
            game,
            latest: *first,
            waiting: HashMap::new(),
            next_id,
            entry: first.entry,
        };
        Commands { inner: Mutex::new(inner), start_scheduled: Notify::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nothing panics while it holds the lock")
    }

    /// The game on the clock.
    pub fn game(&self) -> GameInfo {
        self.lock().game.clone()
    }

    /// The phase and the revision of the clock after its latest change.
    pub fn phase_and_revision(&self) -> (Phase, u64) {
        let inner = self.lock();
        (inner.latest.view.phase, inner.latest.revision)
    }

    /// The update of the latest change of the clock, and the game on the clock.
    pub fn latest(&self) -> (Update, GameInfo) {
        let inner = self.lock();
        (inner.latest, inner.game.clone())
    }

    /// The scheduled start at which the service must still start White's clock. `None` if no start is
    /// scheduled, if `ScheduledStart::starts_clock` is `false`, or if the game is not in the phase
    /// `Ready` any more.
    pub fn awaited_start(&self) -> Option<ScheduledStart> {
        let inner = self.lock();
        inner.game.start.filter(|start| start.is_awaited(inner.latest.view.phase))
    }

    /// Sends a request of the menu to the clock loop. Returns `false` if the loop has not taken
    /// earlier requests and has no room for it.
    pub fn menu_request(&self, request: MenuRequest) -> bool {
        let mut inner = self.lock();
        let is_sent = inner.menu_requests.push(request).is_ok();
        inner.requests.notify();
        is_sent
    }

    /// The number of the latest entry that the state of the clock includes.
    pub fn latest_entry(&self) -> u64 {
        self.lock().entry
    }

    /// Sends the command to the clock loop, with a note for the record that says who gives it.
    /// [`Answer::wait`] waits for the answer.
    ///
    /// # Errors
    ///
    /// The source may not give this command at the board of this clock, or [`MAX_REQUESTS`]
    /// commands already wait for their answers.
    pub fn give(&self, given: Given<'_>) -> Result<Answer, NotDone> {
        let Given { source, at, revision, reason, text, command, mut game } = given;
        let is_of_menu = matches!(source, CommandSource::Buttons);
        let (uid, sender, capacity) = match source {
            CommandSource::User { uid, sender, capacity } => {
                authority::check(capacity, &command, reason, &self.game())
                    .map_err(NotDone::NotAllowed)?;
                (uid, sender, capacity.to_string())
            }
            CommandSource::Schedule => (None, String::new(), SCHEDULE.to_owned()),
            CommandSource::Buttons => {
                let (latest, game) = self.latest();
                authority::check_at_the_clock(&command, &latest.view, &game)
                    .map_err(NotDone::NotAllowed)?;
                (None, String::new(), BUTTONS.to_owned())
            }
        };
        let id = self.next_request();
        let begins = sets_up(&command);
        if let Some(game) = &mut game {
            game.texts_version = id;
            game.id = if begins { random_id() } else { self.game().id };
        }
        let note = EntryNote::Command(CommandNote {
            verb: name_of_command(&command).to_owned(),
            uid,
            sender,
            capacity,
            reason: reason.to_owned(),
            text: text.to_owned(),
            game: game.as_ref().map(|game| Box::new(NotedGame::from(game))),
        });
        let note = note.encode(game.as_ref().filter(|_| begins).map_or(0, |game| game.id));
        let request =
            NotedRequest { request: Request { id, at, revision, command }, note: Arc::new(note) };
        let outcome = self.send(request, game, is_of_menu).map_err(NotDone::Refused)?;
        Ok(Answer { command, text: text.to_owned(), outcome })
    }

    /// The number for the next request.
    fn next_request(&self) -> u64 {
        let mut inner = self.lock();
        inner.next_id += 1;
        inner.next_id - 1
    }

    /// Sends the command, unless too many commands wait.
    fn send(
        &self,
        request: NotedRequest,
        game: Option<GameInfo>,
        is_of_menu: bool,
    ) -> Result<oneshot::Receiver<Outcome>, Refusal> {
        let mut inner = self.lock();
        // The clock loop keeps room for the answers to `MAX_REQUESTS` requests, so no more commands
        // may wait. The ring has room for the same number of requests, so it is not full even if
        // the loop hangs.
        if inner.waiting.len() >= MAX_REQUESTS {
            return Err(Refusal::Busy);
        }
        let (id, note) = (request.request.id, Arc::clone(&request.note));
        let of_menu = MenuRequest::Command(id);
        if is_of_menu && inner.menu_requests.push(of_menu).is_err() {
            return Err(Refusal::Busy);
        }
        inner.requests.push(request).map_err(|_| Refusal::Busy)?;
        inner.requests.notify();
        let (outcome, receiver) = oneshot::channel();
        inner.waiting.insert(id, Waiting { outcome, _note: note, game });
        Ok(receiver)
    }

    /// Applies an update of the clock loop, and answers the command to which the update belongs, if
    /// there is one.
    ///
    /// If the update changed the state, this calls `publish` with the cause of the update and with
    /// the [`GameInfo`] after the update, and returns the result of `publish`. Otherwise it returns
    /// `None`. The answer is sent only after `publish` has been called. So a client that has
    /// received its answer reads the new state.
    pub fn take_update<T>(
        &self,
        update: &Update,
        publish: impl FnOnce(&'static str, &GameInfo) -> T,
    ) -> Option<T> {
        let mut inner = self.lock();
        inner.entry = inner.entry.max(update.entry);
        let waiting = update
            .answer
            .and_then(|(id, done)| inner.waiting.remove(&id).map(|waiting| (waiting, done)));
        let Some(cause) = update.cause.published() else {
            if let Some((waiting, Err(refused))) = waiting {
                // Sending fails if the `Answer` was dropped, for example after 3 s.
                let _ = waiting.outcome.send(Err(refused));
            }
            return None;
        };
        let mut answer = None;
        if let Some((waiting, _)) = waiting {
            if let Some(game) = waiting.game {
                if game.start.is_some() {
                    self.start_scheduled.notify_one();
                }
                inner.game = game;
            }
            answer = Some(waiting.outcome);
        }
        let before = std::mem::replace(&mut inner.latest, *update).view;
        let published = publish(cause, &inner.game);
        if let Some(answer) = answer {
            let done = CarriedOut {
                revision: update.revision,
                entry: update.entry,
                before: view_at(&before, update.at),
                after: update.view,
            };
            // Sending fails if the `Answer` was dropped; the command was carried out all the same.
            let _ = answer.send(Ok(Box::new(done)));
        }
        Some(published)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::update;
    use clockd_rt::Cause;
    use clockd_rt::channel::channel;

    #[test]
    fn more_commands_than_can_wait_are_busy_until_one_is_answered() {
        let (requests, mut received) = channel(MAX_REQUESTS).unwrap();
        let (menu_requests, _menu) = channel(1).unwrap();
        let rings = (requests, menu_requests);
        let commands = Commands::new(rings, &update(Cause::Started), GameInfo::default());
        let send = || {
            commands.give(Given {
                source: CommandSource::Schedule,
                at: Instant::ZERO,
                revision: 1,
                reason: "",
                text: "",
                command: Command::Start.into(),
                game: None,
            })
        };
        let is_busy =
            |sent: Result<Answer, NotDone>| matches!(sent, Err(NotDone::Refused(Refusal::Busy)));
        let waiting: Vec<Answer> = (0..MAX_REQUESTS).map(|_| send().ok().unwrap()).collect();
        assert!(is_busy(send()));
        // The loop has taken the requests out of the ring, but has answered none. So all of them
        // still count as waiting.
        let first = received.pop().unwrap();
        while received.pop().is_some() {}
        assert!(is_busy(send()));
        let answer = Some((first.request.id, Err(Refusal::BoardGone)));
        let refused = Update { answer, ..update(Cause::Refused) };
        assert!(commands.take_update(&refused, |_, _| ()).is_none());
        assert!(send().is_ok());
        drop(waiting);
    }
}
