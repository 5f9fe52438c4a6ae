//! The state that all D-Bus interfaces share, and the commands that wait for their answer.

use super::convert::{self, GameInfo};
use super::publisher::{FurtherSignal, Publication};
use crate::clock::monotonic_now;
use crate::rt::channel::Sender;
use crate::rt::{Cause, Health, MAX_REQUESTS, Refusal, Request, Update};
use clock_controls::{CachedLibrary, Library};
use clock_dbus::{Error, State, Who};
use clock_engine::{Command, Instant};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long to wait for an answer of the clock loop. Clients wait a little longer than this.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// Shared by the interfaces and by the task that forwards updates. The lock is held only briefly
/// and never across an await.
pub struct SharedState {
    inner: Mutex<Inner>,
    /// The time controls that this clock knows.
    pub controls: CachedLibrary,
    /// What the clock loop reports about itself.
    pub health: Arc<Health>,
}

struct Inner {
    requests: Sender<Request>,
    state: State,
    /// When the faults of the state were noticed.
    faults_at_nsec: u64,
    game: GameInfo,
    waiting: HashMap<u64, Waiting>,
    next_id: u64,
}

/// A command that the clock loop has not answered yet.
struct Waiting {
    answer: oneshot::Sender<Result<u64, Refusal>>,
    /// The names that belong to a `New`; they take effect when it is carried out.
    game: Option<GameInfo>,
}

/// The answer to a command that was sent to the clock loop.
pub struct Answer(oneshot::Receiver<Result<u64, Refusal>>);

impl Answer {
    /// The new revision, or why the command was not carried out.
    pub async fn wait(self) -> Result<u64, Error> {
        match tokio::time::timeout(ANSWER_TIMEOUT, self.0).await {
            Ok(Ok(done)) => done.map_err(convert::error),
            // Only the caller gives up. The entry in `waiting` stays, because the command may still
            // be carried out, and its names must then take effect.
            Ok(Err(_)) | Err(_) => {
                Err(Error::TimedOut("the clock loop does not answer".to_owned()))
            }
        }
    }
}

impl SharedState {
    /// The state of a clock that has just been set up.
    pub fn new(
        requests: Sender<Request>,
        first: &Update,
        game: GameInfo,
        controls: Library,
        health: Arc<Health>,
    ) -> SharedState {
        let faults = convert::faults(health.fault_set(), first.press_before_flag);
        let state =
            State { sequence: 1, ..convert::state(&first.view, first.revision, &game, faults) };
        let inner = Inner {
            requests,
            state,
            faults_at_nsec: monotonic_now().as_nanos(),
            game,
            waiting: HashMap::new(),
            next_id: 1,
        };
        SharedState { inner: Mutex::new(inner), controls: CachedLibrary::new(controls), health }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nothing panics while it holds the lock")
    }

    /// The state at its last change.
    pub fn state(&self) -> State {
        self.lock().state.clone()
    }

    /// The state at its last change, and when its faults were noticed.
    pub fn state_and_faults_at(&self) -> (State, u64) {
        let inner = self.lock();
        (inner.state.clone(), inner.faults_at_nsec)
    }

    /// The game on the clock.
    pub fn game(&self) -> GameInfo {
        self.lock().game.clone()
    }

    /// Sends a command that arrived at `at` to the clock loop. [`Answer::wait`] waits for the answer.
    pub fn send(
        &self,
        at: Instant,
        command: Command,
        revision: u64,
        game: Option<GameInfo>,
    ) -> Result<Answer, Error> {
        let mut inner = self.lock();
        let id = inner.next_id;
        inner.next_id += 1;
        let request = Request { id, at, revision, command };
        // A loop that hangs does not answer, and its ring has no room for more requests than this.
        if inner.waiting.len() >= MAX_REQUESTS || inner.requests.push(request).is_err() {
            return Err(convert::error(Refusal::Busy));
        }
        inner.requests.notify();
        let (sender, receiver) = oneshot::channel();
        inner.waiting.insert(id, Waiting { answer: sender, game });
        Ok(Answer(receiver))
    }

    /// Applies an update of the clock loop and answers the command that it belongs to. Returns what
    /// is to be published, if the state changed.
    pub fn apply(&self, update: &Update) -> Option<Publication> {
        let mut inner = self.lock();
        if let Some((id, done)) = update.answer
            && let Some(waiting) = inner.waiting.remove(&id)
        {
            if let (Ok(()), Some(game)) = (done, waiting.game) {
                inner.game = game;
            }
            // Sending fails if the caller has given up. The command was carried out nevertheless.
            let _ = waiting.answer.send(done.map(|()| update.revision));
        }
        let cause = cause(&update.cause)?;
        let faults = convert::faults(self.health.fault_set(), update.press_before_flag);
        if faults != inner.state.faults {
            inner.faults_at_nsec = monotonic_now().as_nanos();
        }
        // The only place where the state changes, so that no two states have the same number.
        let state = State {
            sequence: inner.state.sequence + 1,
            ..convert::state(&update.view, update.revision, &inner.game, faults)
        };
        inner.state = state.clone();
        let faults_at_nsec = inner.faults_at_nsec;
        Some(Publication { cause, signal: further_signal(update, &state), state, faults_at_nsec })
    }
}

/// The cause of a `Transition` as it is named on the bus; `None` if the state did not change.
pub(super) fn cause(cause: &Cause) -> Option<&'static str> {
    match cause {
        Cause::Press(_) => Some("press"),
        Cause::Flag { .. } => Some("flag"),
        Cause::Period { .. } => Some("period"),
        Cause::Overtime { .. } => Some("overtime"),
        Cause::Gong(_) => Some("gong"),
        Cause::SetBack => Some("set-back"),
        Cause::Call => Some("call"),
        Cause::Command(name) => Some(name),
        Cause::Fault | Cause::BoardGone { .. } | Cause::BoardBack | Cause::PressBeforeFlag(_) => {
            Some("fault")
        }
        Cause::Missed => Some("missed"),
        Cause::IgnoredPress(_) | Cause::Late(_) | Cause::Refused | Cause::Started => None,
    }
}

fn further_signal(update: &Update, state: &State) -> Option<FurtherSignal> {
    let at_nsec = update.at.as_nanos();
    match update.cause {
        Cause::Flag { side, period } => Some(FurtherSignal::FlagFell {
            side: convert::who(Some(side)),
            period,
            at_nsec,
            first: update.is_first(side, period),
        }),
        Cause::Call | Cause::Command("pause") if state.arbiter_called_by != Who::Nobody => {
            Some(FurtherSignal::ArbiterCalled { by: state.arbiter_called_by, at_nsec })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::PressBeforeFlag;
    use crate::rt::channel::channel;
    use clock_engine::{Clock, Control, Method, Side, Span};

    fn update() -> Update {
        let at = Instant::from_nanos(5);
        let clock = Clock::new(Control::single(Span::from_secs(60), Method::None), at);
        let (cause, view) = (Cause::Started, clock.view(at));
        Update { cause, at, view, revision: 1, answer: None, press_before_flag: None }
    }

    fn shared_state() -> (SharedState, crate::rt::channel::Receiver<Request>) {
        let (requests, received) = channel(MAX_REQUESTS).unwrap();
        let library = Library::new(Vec::new());
        let health = Arc::new(Health::default());
        (SharedState::new(requests, &update(), GameInfo::default(), library, health), received)
    }

    #[test]
    fn more_commands_than_can_wait_are_busy_until_one_is_answered() {
        let (shared, mut received) = shared_state();
        let send = || shared.send(Instant::ZERO, Command::Start, 1, None);
        let waiting: Vec<Answer> = (0..MAX_REQUESTS).map(|_| send().ok().unwrap()).collect();
        assert!(matches!(send(), Err(Error::Busy(_))));
        // A request that the loop has received still needs room for its answer, so it still counts.
        let first = received.pop().unwrap();
        while received.pop().is_some() {}
        assert!(matches!(send(), Err(Error::Busy(_))));
        let answer = Some((first.id, Err(Refusal::BoardGone)));
        assert!(shared.apply(&Update { cause: Cause::Refused, answer, ..update() }).is_none());
        assert!(send().is_ok());
        drop(waiting);
    }

    #[test]
    fn a_press_before_a_flag_is_a_fault_of_the_state_with_both_instants() {
        let (shared, _received) = shared_state();
        let (pressed, flag) =
            (Instant::from_nanos(1_500_000_000), Instant::from_nanos(1_500_000_001));
        let press_before_flag = Some(PressBeforeFlag { side: Side::White, pressed, flag });
        let cause = Cause::PressBeforeFlag(Side::White);
        let published = shared.apply(&Update { cause, press_before_flag, ..update() });
        assert_eq!(published.map(|publication| publication.cause), Some("fault"));
        let faults = shared.state().faults;
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert_eq!(fault.code, "press-before-flag");
        assert!(fault.text.contains("1.500000000 s") && fault.text.contains("1.500000001 s"));
        shared.apply(&Update { cause: Cause::Command("set"), ..update() });
        assert_eq!(shared.state().faults, []);
    }
}
