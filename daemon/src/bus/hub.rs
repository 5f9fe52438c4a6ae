//! Between the clock loop's rings and the bus: the present state, and who waits for which answer.

use super::convert::{self, Game};
use super::publish::{Extra, News};
use crate::clock::monotonic_now;
use crate::rt::channel::Sender;
use crate::rt::{Cause, Health, Refusal, Request, Update};
use clock_controls::Library;
use clock_dbus::{Error, State, Who};
use clock_engine::Command;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::oneshot;

/// A loop that has not answered by then never will; callers wait a little longer than this.
const ANSWER: Duration = Duration::from_secs(3);

/// Shared by the interfaces and the pump; locked for moments, never across an await.
pub struct Hub {
    inner: Mutex<Inner>,
    /// The time controls this clock knows.
    pub controls: Library,
    /// The clock loop's word about itself.
    pub health: Arc<Health>,
}

struct Inner {
    requests: Sender<Request>,
    state: State,
    game: Game,
    waiting: HashMap<u64, Waiting>,
    next_id: u64,
}

struct Waiting {
    answer: oneshot::Sender<Result<u64, Refusal>>,
    /// What the game is called once a `New` is carried out.
    game: Option<Game>,
}

/// The answer to a command under way.
pub struct Answer(oneshot::Receiver<Result<u64, Refusal>>);

impl Answer {
    /// The new revision, or why not.
    pub async fn wait(self) -> Result<u64, Error> {
        match tokio::time::timeout(ANSWER, self.0).await {
            Ok(Ok(done)) => done.map_err(convert::error),
            // Whoever waits gives up, but what the command brings with it is kept: it may still
            // be carried out.
            Ok(Err(_)) | Err(_) => {
                Err(Error::TimedOut("the clock loop does not answer".to_owned()))
            }
        }
    }
}

impl Hub {
    /// A hub for a clock that has just been set up.
    pub fn new(
        requests: Sender<Request>,
        first: &Update,
        game: Game,
        controls: Library,
        health: Arc<Health>,
    ) -> Hub {
        let state = convert::state(&first.view, first.revision, &game);
        let inner = Inner { requests, state, game, waiting: HashMap::new(), next_id: 1 };
        Hub { inner: Mutex::new(inner), controls, health }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nothing panics while it holds the lock")
    }

    /// The state at its last change.
    pub fn state(&self) -> State {
        self.lock().state.clone()
    }

    /// The game on the clock.
    pub fn game(&self) -> Game {
        self.lock().game.clone()
    }

    /// Hands a command to the clock loop, stamped with this instant; its answer is waited for with
    /// [`Answer::wait`].
    pub fn send(
        &self,
        command: Command,
        revision: u64,
        game: Option<Game>,
    ) -> Result<Answer, Error> {
        let mut inner = self.lock();
        let id = inner.next_id;
        inner.next_id += 1;
        let request = Request { id, at: monotonic_now(), revision, command };
        if inner.requests.push(request).is_err() {
            return Err(convert::error(Refusal::Busy));
        }
        inner.requests.ring_bell();
        let (sender, receiver) = oneshot::channel();
        inner.waiting.insert(id, Waiting { answer: sender, game });
        Ok(Answer(receiver))
    }

    /// Takes an update of the loop: answers who waits for it; what is news for the bus.
    pub fn take(&self, update: &Update) -> Option<News> {
        let mut inner = self.lock();
        if let Some((id, done)) = update.answer
            && let Some(waiting) = inner.waiting.remove(&id)
        {
            if let (Ok(()), Some(game)) = (done, waiting.game) {
                inner.game = game;
            }
            // The caller may have given up; the command stands all the same.
            let _ = waiting.answer.send(done.map(|()| update.revision));
        }
        let cause = cause(&update.cause)?;
        let state = convert::state(&update.view, update.revision, &inner.game);
        inner.state = state.clone();
        Some(News { cause, extra: extra(update, &state), state })
    }
}

/// The word for it on the bus; `None` where nothing changed.
fn cause(cause: &Cause) -> Option<&'static str> {
    match cause {
        Cause::Press(_) => Some("press"),
        Cause::Flag { .. } => Some("flag"),
        Cause::Period { .. } => Some("period"),
        Cause::Overtime { .. } => Some("overtime"),
        Cause::Gong(_) => Some("gong"),
        Cause::SetBack => Some("set-back"),
        Cause::Call => Some("call"),
        Cause::Command(name) => Some(name),
        Cause::Fault | Cause::Unplugged { .. } | Cause::Returned => Some("fault"),
        Cause::Missed => Some("missed"),
        Cause::IgnoredPress(_) | Cause::Late(_) | Cause::Refused | Cause::Started => None,
    }
}

fn extra(update: &Update, state: &State) -> Option<Extra> {
    let at_nsec = update.at.as_nanos();
    match update.cause {
        Cause::Flag { side, period } => Some(Extra::FlagFell {
            side: convert::who(Some(side)),
            period,
            at_nsec,
            first: update.is_first(side, period),
        }),
        Cause::Call | Cause::Command("pause") if state.arbiter_called_by != Who::Nobody => {
            Some(Extra::ArbiterCalled { by: state.arbiter_called_by, at_nsec })
        }
        _ => None,
    }
}
