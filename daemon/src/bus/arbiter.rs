//! `org.chessclock.Clock1.Arbiter`: the arbiter's commands. The bus policy decides who may call
//! them.

mod games;
mod interface;
mod made;

use super::callers::{Caller, Callers};
use super::command_log::LogEntry;
use super::convert;
use super::dry_runs::{DryRuns, Player, Present};
use super::guarded_socket::Calls;
use super::shared_state::SharedState;
use super::user_limits::UserLimits;
use crate::game::{Answer, Captains, CommandSource, Done, GameInfo, Given, NotDone, authority};
use clock_dbus::{Completed, Error, State, Who};
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Instant, Span};
use clockd_rt::clock::monotonic_now;
use clockd_rt::{MAX_REQUESTS, Refusal, Request, name_of_command};
use std::sync::{Arc, Mutex as StdMutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use zbus::message::Header;
use zbus::names::OwnedUniqueName;

/// How long a command waits for one of the [`Arbiter::places`] before it is refused as busy. A dry
/// run then waits that long for its turn, too.
const PLACE_TIMEOUT: Duration = Duration::from_millis(500);
/// How long a pause waits for its caller's user id.
const PAUSE_TIMEOUT: Duration = Duration::from_millis(100);
/// The longest delay of a command whose user has had very many commands refused. It is shorter than
/// the time for which `clockctl` waits for an answer.
const MOST_DELAY: Span = Span::from_secs(3);

/// The interface with the arbiter's commands. They are carried out or, at the object of the dry
/// runs, played on a copy.
pub struct Arbiter {
    /// The state that all interfaces share. `SharedState::commands` sends the commands to the clock
    /// loop.
    shared: Arc<SharedState>,
    /// Says who made a call, and when the call arrived.
    arrivals: Arc<Arrivals>,
    /// The user ids of the captains, and of the player whom they have designated to rule.
    captains: Captains,
    /// A command holds this lock while it waits for its caller's user id and until it is in the
    /// ring of the clock loop or, in a dry run, until it has been played. Commands that wait for
    /// the lock get it in the order of their arrival.
    turn: Mutex<()>,
    /// The places for commands; there are [`MAX_REQUESTS`]. A command takes a place before it waits
    /// for the lock `turn`, and holds it until the clock loop has answered and the answer is in the
    /// log. The object of the dry runs has places of its own.
    places: Arc<Semaphore>,
    /// Limits the commands of each user. Dry runs are limited by themselves, so they delay no
    /// command that is carried out.
    limits: StdMutex<UserLimits>,
    /// The copies on which the commands are played; `None` if they are carried out.
    dry_runs: Option<Arc<DryRuns>>,
}

/// The arguments that all calls of this interface share.
#[derive(Clone, Copy)]
struct Call<'a> {
    revision: u64,
    reason: &'a str,
    header: &'a Header<'a>,
}

/// The engine's command, and what the record gets with it.
struct Made {
    command: GameCommand,
    /// The game after the command, if the command changes what the bus says of it.
    game: Option<GameInfo>,
    /// A text in addition to the reason: an attachment, a sealed move, a description of what is set
    /// up, rewound or imported, the name of a rule profile or of a time control, or the names that
    /// change.
    text: String,
}

impl Made {
    fn new(command: impl Into<GameCommand>, game: Option<GameInfo>, text: String) -> Made {
        Made { command: command.into(), game, text }
    }
}

/// A call with its caller and the instant of its arrival.
struct Arrived<'a> {
    call: Call<'a>,
    caller: &'a Caller,
    at: Instant,
}

impl Arbiter {
    pub fn new(shared: Arc<SharedState>, arrivals: Arc<Arrivals>, captains: Captains) -> Arbiter {
        let places = Arc::new(Semaphore::new(MAX_REQUESTS));
        let limits = StdMutex::default();
        let (turn, dry_runs) = (Mutex::new(()), None);
        Arbiter { shared, arrivals, captains, turn, places, limits, dry_runs }
    }

    /// The interface at the object of the dry runs: its commands are played on these copies.
    #[must_use]
    pub fn played_on(self, dry_runs: Arc<DryRuns>) -> Arbiter {
        Arbiter { dry_runs: Some(dry_runs), ..self }
    }

    /// Waits for a place. `None` if no place becomes free in time, or if too many commands of the
    /// caller's user already wait for one or were refused.
    async fn place(&self, caller: &Caller) -> Option<OwnedSemaphorePermit> {
        if !self.wait_after_refusals(caller).await {
            return None;
        }
        let uid = caller.known_uid();
        if !self.limits().begin_waiting(uid) {
            return None;
        }
        let place = timeout(PLACE_TIMEOUT, Arc::clone(&self.places).acquire_owned()).await;
        self.limits().end_waiting(uid);
        place.ok()?.ok()
    }

    /// Delays a command whose user has had very many commands refused. Returns `false` if the user
    /// would have to wait longer than [`MOST_DELAY`].
    async fn wait_after_refusals(&self, caller: &Caller) -> bool {
        let delay = |uid| self.limits().delay(uid, monotonic_now());
        // Otherwise a program could avoid the delay with a new connection for each command.
        let may_be_delayed = match caller.known_uid() {
            None => self.limits().delays_anyone(monotonic_now()),
            known => !delay(known).is_zero(),
        };
        if !may_be_delayed {
            return true;
        }
        let uid = caller.uid().await;
        sleep(Duration::from_nanos(delay(uid).min(MOST_DELAY).as_nanos())).await;
        delay(uid).is_zero()
    }

    fn limits(&self) -> MutexGuard<'_, UserLimits> {
        // The lock is poisoned if another thread panicked while it held the lock. The limits can
        // still be used, because each of their functions leaves them valid.
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the command is carried out only if its caller's user id is known. A pause is given by
    /// everybody who may call this interface, so it waits for nothing. But a captain may not always
    /// give one.
    fn needs_user(&self, command: &GameCommand) -> bool {
        let is_pause = matches!(command, GameCommand::Clock(Command::Pause { .. }));
        !is_pause || self.captains != Captains::default()
    }

    /// Carries out a command, and logs who gave it and why.
    ///
    /// A command is stamped with the instant of its arrival, and is put into the ring after all
    /// commands that arrived before it. A pause waits for its caller's user id for [`PAUSE_TIMEOUT`] at
    /// most, unless the configuration names captains ([`Arbiter::needs_user`]). Every other command is put
    /// into the ring only when the id is known. Usually the bus has given the id
    /// long before. If the id stays unknown, such a command is refused.
    ///
    /// The reply to the caller waits until the command is on record, for a limited time
    /// (`Commits::recorded`). During that wait, neither the lock nor a place is held, so a slow
    /// storage delays no other command.
    async fn carry_out(&self, call: Call<'_>, made: Made) -> Result<Completed, Error> {
        if let Some(dry_runs) = &self.dry_runs {
            return self.play(dry_runs, call, made).await;
        }
        let Call { reason, header, .. } = call;
        let verb = name_of_command(&made.command);
        let (caller, at) = self.arrivals.of(header).ok_or_else(unknown_caller)?;
        let Some(place) = self.place(&caller).await else {
            let busy = convert::error_of(Refusal::Busy);
            let (uid, now) = (caller.known_uid(), monotonic_now());
            // If the user still has to wait, the command is not logged. Otherwise a program that repeats a
            // command would fill the log.
            if self.limits().delay(uid, now).is_zero() {
                self.limits().refused(uid, now);
                let entry = LogEntry::new(verb, reason, header, Err(&busy));
                entry.write(uid, self.captains.capacity(uid));
            }
            return Err(busy);
        };
        let turn = self.turn.lock().await;
        let is_allowed = if self.needs_user(&made.command) {
            caller.uid().await.is_some()
        } else {
            // If the bus takes longer than this, the record does not have the caller.
            let _ = timeout(PAUSE_TIMEOUT, caller.uid()).await;
            true
        };
        let sent = if is_allowed {
            self.send(Arrived { call, caller: &caller, at }, made)
        } else {
            Err(unknown_caller())
        };
        drop(turn);
        let done = match sent {
            Ok(answer) => answer.wait().await.map_err(convert::not_done),
            Err(refused) => Err(refused),
        };
        if done.is_err() {
            self.limits().refused(caller.known_uid(), monotonic_now());
        }
        let entry = LogEntry::new(verb, reason, header, done.as_ref().map(Done::clone));
        match caller.known_uid() {
            Some(uid) => {
                entry.write(Some(uid), self.captains.capacity(Some(uid)));
                drop(place);
            }
            // The user id is not known yet, because a pause does not wait for it, or the bus does
            // not give it.
            None => {
                let captains = self.captains;
                tokio::spawn(async move {
                    let uid = caller.uid().await;
                    entry.write(uid, captains.capacity(uid));
                    drop(place);
                });
            }
        }
        let Done { revision, entry, report } = done?;
        Ok(Completed { revision, recorded: self.shared.commits.recorded(entry).await, report })
    }

    /// Plays a command on the copy of its caller. The caller needs the same authority as for a
    /// command that is carried out. Nothing is logged, and what is played is never on record.
    ///
    /// One command at a time is played, in the order of arrival, so that two commands of a program
    /// are played one after the other, and only one of them waits for a snapshot of the clock.
    async fn play(
        &self,
        dry_runs: &DryRuns,
        call: Call<'_>,
        Made { command, game, text }: Made,
    ) -> Result<Completed, Error> {
        let Call { revision, reason, header, .. } = call;
        let (caller, at) = self.arrivals.of(header).ok_or_else(unknown_caller)?;
        let program = program(header).ok_or_else(unknown_caller)?;
        let busy = || convert::error_of(Refusal::Busy);
        let _place = self.place(&caller).await.ok_or_else(busy)?;
        let _turn = timeout(PLACE_TIMEOUT, self.turn.lock()).await.map_err(|_| busy())?;
        if self.needs_user(&command) && caller.uid().await.is_none() {
            return Err(unknown_caller());
        }
        let uid = caller.known_uid();
        let request = Request { id: 0, at, revision, command };
        let allowed = authority::check(
            self.captains.capacity(uid),
            &command,
            reason,
            &self.present(header).game,
        )
        .map_err(|message| convert::not_done(NotDone::NotAllowed(message)));
        let played = match allowed {
            Ok(()) => {
                let player = Player { program, uid };
                dry_runs.give(&self.shared, player, request, &text, game).await
            }
            Err(refused) => Err(refused),
        };
        if played.is_err() {
            self.limits().refused(uid, monotonic_now());
        }
        let (revision, report) = played?;
        Ok(Completed { revision, recorded: false, report })
    }

    /// The game and the state on which the commands of this caller work: those of the caller's copy
    /// at the object of the dry runs if there is one, otherwise the present ones.
    fn present(&self, header: &Header<'_>) -> Present {
        let present = || Present { game: self.shared.game(), state: self.shared.state() };
        self.copied(header).unwrap_or_else(present)
    }

    /// The caller's copy; `None` if there is none, or if the commands are carried out.
    fn copied(&self, header: &Header<'_>) -> Option<Present> {
        self.dry_runs.as_deref()?.present(&program(header)?)
    }

    /// The number in the record of the game on which the commands of this caller work. That of the
    /// game on the clock comes from the recorder.
    async fn game_number(&self, header: &Header<'_>) -> Option<u64> {
        match self.copied(header) {
            Some(Present { state, .. }) => state.game_number,
            None => self.shared.game_number().await,
        }
    }

    /// Whether the game on which the commands of this caller work is adjourned and on record, so
    /// that another game can be set up without losing it. A game that only the caller's copy has
    /// adjourned would be on record if a record is kept.
    ///
    /// # Errors
    ///
    /// It could not be read whether the game is on record. The command is refused with this error.
    async fn keeps_adjourned(&self, header: &Header<'_>) -> Result<bool, Error> {
        let Some(Present { state: copied, .. }) = self.copied(header) else {
            return self.shared.keeps_adjourned().await;
        };
        let is_adjourned = |state: &State| state.adjourned != Who::Nobody;
        let is_same = |clock: &State| clock.game_number == copied.game_number;
        if self.shared.read(|clock| is_adjourned(clock) && is_same(clock)) {
            return Ok(is_adjourned(&copied) && self.shared.keeps_adjourned().await?);
        }
        Ok(is_adjourned(&copied) && self.shared.commits.is_kept())
    }

    /// Gives a command to the clock loop.
    fn send(
        &self,
        Arrived { call, caller, at }: Arrived<'_>,
        Made { command, game, text }: Made,
    ) -> Result<Answer, Error> {
        let uid = caller.known_uid();
        let sender = call.header.sender().map(ToString::to_string).unwrap_or_default();
        let source = CommandSource::User { uid, sender, capacity: self.captains.capacity(uid) };
        let Call { revision, reason, .. } = call;
        let given = Given { source, at, revision, reason, text: &text, command, game };
        self.shared.commands.give(given).map_err(convert::not_done)
    }
}

/// The unique name of the program that made a call.
fn program(header: &Header<'_>) -> Option<OwnedUniqueName> {
    header.sender().map(|sender| OwnedUniqueName::from(sender.to_owned()))
}

fn unknown_caller() -> Error {
    let message = "the bus does not say who calls: the caller has left it; nothing was done";
    Error::UnknownCaller(message.to_owned())
}

/// Finds out which program has made a call, and when the call arrived. `calls` has the calls in progress of
/// each connection on which the interfaces are served.
pub struct Arrivals {
    pub callers: Arc<Callers>,
    pub calls: [Arc<StdMutex<Calls>>; 2],
}

impl Arrivals {
    /// The caller and the instant of arrival of the call with this header; `None` if the header has
    /// no sender. If the instant is not known, because a connection is not guarded, the present
    /// instant is returned.
    pub fn of(&self, header: &Header<'_>) -> Option<(Caller, Instant)> {
        let arrived_at = |calls: &Arc<StdMutex<Calls>>| {
            calls.lock().expect("nothing panics while it holds the lock").arrived_at(header)
        };
        let at = self.calls.iter().find_map(arrived_at);
        Some((self.caller(header)?, at.unwrap_or_else(monotonic_now)))
    }

    /// The caller of the call with this header; `None` if the header has no sender.
    pub fn caller(&self, header: &Header<'_>) -> Option<Caller> {
        let sender = OwnedUniqueName::from(header.sender()?.to_owned());
        Some(self.callers.find(&sender))
    }
}
