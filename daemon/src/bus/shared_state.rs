//! The state that all D-Bus interfaces share, and the commands that wait for their answer.

use super::command_note::CommandNotes;
use super::commits::Commits;
use super::convert::{self, GameInfo};
use super::history::History;
use super::publisher::{FurtherSignal, Publication};
use crate::clock::monotonic_now;
use crate::recorder::RecordStatus;
use crate::rt::channel::Sender;
use crate::rt::{Cause, Health, MAX_REQUESTS, Noted, Refusal, Request, Update};
use clock_controls::{CachedLibrary, Library, NamedRules, RuleLibrary};
use clock_dbus::{Error, State, Who};
use clock_engine::Instant;
use clock_engine::rules::{Claimant, GameCommand, IncidentKind};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// How long to wait for an answer of the clock loop. Clients wait a little longer than this.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// Shared by the interfaces and by the task that forwards updates. The lock is held only briefly
/// and never across an await.
pub struct SharedState {
    inner: Mutex<Inner>,
    /// The time controls that this clock knows.
    pub controls: CachedLibrary,
    /// The rule profiles that this clock knows.
    pub rules: CachedLibrary<NamedRules>,
    /// What the clock loop reports about itself.
    pub health: Arc<Health>,
    /// Which entries of the record are written to the storage.
    pub commits: Commits,
    /// What reads the record.
    pub history: History,
    /// Where it is noted who gives a command.
    pub notes: CommandNotes,
    /// What the recorder reports about itself.
    pub record_status: Arc<RecordStatus>,
    /// Notified when a game is set up whose start is scheduled.
    pub start_scheduled: Notify,
}

struct Inner {
    requests: Sender<Request>,
    state: State,
    /// When the faults of the state were noticed.
    faults_at_nsec: u64,
    game: GameInfo,
    waiting: HashMap<u64, Waiting>,
    next_id: u64,
    /// The number of the latest entry of the record that the state includes.
    entry: u64,
}

/// The time controls and the rule profiles that have names.
pub struct Libraries {
    /// The time controls.
    pub controls: Library,
    /// The rule profiles.
    pub rules: RuleLibrary,
}

/// The record of the games, as the bus sees it.
pub struct Record {
    /// Which entries are written to the storage.
    pub commits: Commits,
    /// What reads it.
    pub history: History,
    /// Where it is noted who gives a command.
    pub notes: CommandNotes,
    /// What the recorder reports about itself.
    pub status: Arc<RecordStatus>,
}

impl Record {
    /// No record is kept.
    #[cfg(test)]
    pub fn none() -> Record {
        let (commits, history) = (Commits::none(), History::none());
        Record { commits, history, notes: CommandNotes::none(), status: Arc::default() }
    }
}

/// A command that was carried out.
#[derive(Clone, Debug)]
pub struct Done {
    /// The new revision.
    pub revision: u64,
    /// The number of its entry in the record.
    pub entry: u64,
    /// The state right before the command, at its instant.
    pub before: State,
    /// The state right after it.
    pub after: State,
}

/// A command that the clock loop has not answered yet.
struct Waiting {
    answer: oneshot::Sender<Result<Box<Done>, Refusal>>,
    /// What belongs to a `New` or `SetRules`; it takes effect when that is carried out.
    game: Option<GameInfo>,
}

/// The answer to a command that was sent to the clock loop.
pub struct Answer(oneshot::Receiver<Result<Box<Done>, Refusal>>);

impl Answer {
    /// What was done, or why the command was not carried out.
    pub async fn wait(self) -> Result<Box<Done>, Error> {
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
        libraries: Libraries,
        health: Arc<Health>,
        record: Record,
    ) -> SharedState {
        let faults = convert::faults(health.fault_set(), first);
        let state = State { sequence: 1, ..convert::state(first, &game, faults) };
        let inner = Inner {
            requests,
            state,
            faults_at_nsec: monotonic_now().as_nanos(),
            game,
            waiting: HashMap::new(),
            // Higher than the numbers of the requests of a process before, which the record may still have
            // to match with their notes.
            next_id: monotonic_now().as_nanos(),
            entry: first.entry,
        };
        let Libraries { controls, rules } = libraries;
        let Record { commits, history, notes, status } = record;
        SharedState {
            inner: Mutex::new(inner),
            controls: CachedLibrary::new(controls),
            rules: CachedLibrary::new(rules),
            health,
            commits,
            history,
            notes,
            record_status: status,
            start_scheduled: Notify::new(),
        }
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

    /// The number of the latest entry of the record that the state includes.
    pub fn latest_entry(&self) -> u64 {
        self.lock().entry
    }

    /// A number for the next request. What the record has to know of it is noted with this number before it
    /// is sent.
    pub fn next_request(&self) -> u64 {
        let mut inner = self.lock();
        inner.next_id += 1;
        inner.next_id - 1
    }

    /// Sends a command that arrived at `at` to the clock loop, with a number of
    /// [`SharedState::next_request`]. [`Answer::wait`] waits for the answer.
    pub fn send(
        &self,
        id: u64,
        at: Instant,
        command: GameCommand,
        revision: u64,
        game: Option<GameInfo>,
    ) -> Result<Answer, Error> {
        let mut inner = self.lock();
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
        inner.entry = inner.entry.max(update.entry);
        let waiting = update
            .answer
            .and_then(|(id, done)| inner.waiting.remove(&id).map(|waiting| (waiting, done)));
        let Some(cause) = cause(&update.cause) else {
            if let Some((waiting, Err(refused))) = waiting {
                // Sending fails if the caller has given up.
                let _ = waiting.answer.send(Err(refused));
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
            answer = Some(waiting.answer);
        }
        let faults = convert::faults(self.health.fault_set(), update);
        if faults != inner.state.faults {
            inner.faults_at_nsec = monotonic_now().as_nanos();
        }
        // The only place where the state changes, so that no two states have the same number.
        let state = State {
            sequence: inner.state.sequence + 1,
            ..convert::state(update, &inner.game, faults)
        };
        let before = std::mem::replace(&mut inner.state, state.clone());
        if let Some(answer) = answer {
            let done = Done {
                revision: update.revision,
                entry: update.entry,
                before: before.at(update.at.as_nanos()),
                after: state.clone(),
            };
            // This fails if the caller has given up. The command was carried out nevertheless.
            let _ = answer.send(Ok(Box::new(done)));
        }
        let faults_at_nsec = inner.faults_at_nsec;
        Some(Publication { cause, signals: further_signals(update, &state), state, faults_at_nsec })
    }
}

/// The cause of a `Transition` as it is named on the bus; `None` if the state did not change.
pub fn cause(cause: &Cause) -> Option<&'static str> {
    match cause {
        Cause::Press(_) => Some("press"),
        Cause::Flag { .. } => Some("flag"),
        Cause::Period { .. } => Some("period"),
        Cause::Overtime { .. } => Some("overtime"),
        Cause::Gong(_) => Some("gong"),
        Cause::SetBack => Some("set-back"),
        Cause::Call => Some("call"),
        Cause::Command(name) => Some(name),
        Cause::Fault
        | Cause::BoardGone { .. }
        | Cause::BoardBack
        | Cause::PressBeforeFlag(_)
        | Cause::Restarted => Some("fault"),
        Cause::Missed => Some("missed"),
        Cause::DefaultDue(_) => Some("default-due"),
        Cause::ScoreOff(_) => Some("score-off"),
        Cause::Hold(_) => Some("hold"),
        Cause::IgnoredPress(_) | Cause::Late(_) | Cause::Refused | Cause::Started => None,
    }
}

fn further_signals(update: &Update, state: &State) -> Vec<FurtherSignal> {
    let at_nsec = update.at.as_nanos();
    let mut signals = Vec::new();
    match update.cause {
        Cause::Flag { side, period } => signals.push(FurtherSignal::FlagFell {
            side: convert::who(Some(side)),
            period,
            at_nsec,
            first: update.is_first(side, period),
        }),
        Cause::DefaultDue(side) => {
            signals.push(FurtherSignal::DefaultDue { side: convert::who(Some(side)), at_nsec });
        }
        Cause::Hold(side) => {
            let (side, kind) = (convert::who(Some(side)), IncidentKind::Hold.as_str());
            signals.push(FurtherSignal::IncidentNoted { side, kind, at_nsec });
        }
        _ => {}
    }
    if let Some(by) = called_by(update, state) {
        signals.push(FurtherSignal::ArbiterCalled { by, at_nsec });
    }
    signals.extend(update.noted.and_then(|noted| of_noted(noted, at_nsec)));
    signals
}

/// Who calls the arbiter with this change: with the call button, with a stop, with a flag or a claim.
fn called_by(update: &Update, state: &State) -> Option<Who> {
    match (update.cause, update.noted) {
        (_, Some(Noted::Call(Claimant::Player(side)))) => Some(convert::who(Some(side))),
        (Cause::Call | Cause::Command("pause"), _) | (_, Some(Noted::Claim { .. })) => {
            Some(state.arbiter_called_by).filter(|by| *by != Who::Nobody)
        }
        _ => None,
    }
}

fn of_noted(noted: Noted, at_nsec: u64) -> Option<FurtherSignal> {
    let who = |side| convert::who(Some(side));
    Some(match noted {
        Noted::Call(_) => return None,
        Noted::Claim { by, ground } => {
            FurtherSignal::ClaimMade { by: who(by), ground: convert::ground(ground), at_nsec }
        }
        Noted::Ruling { decision, side } => {
            FurtherSignal::RulingGiven { decision, side: convert::who(side), at_nsec }
        }
        Noted::Penalty { side, kind } => {
            FurtherSignal::PenaltyApplied { side: who(side), kind: kind.as_str(), at_nsec }
        }
        Noted::IllegalMove { side, number } => {
            FurtherSignal::IllegalMoveNoted { side: who(side), number, at_nsec }
        }
        Noted::Incident { side, kind } => {
            FurtherSignal::IncidentNoted { side: who(side), kind: kind.as_str(), at_nsec }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::PressBeforeFlag;
    use crate::rt::channel::channel;
    use clock_engine::{Clock, Command, Control, Method, Side, Span};

    fn update() -> Update {
        let at = Instant::from_nanos(5);
        let clock = Clock::new(Control::single(Span::from_secs(60), Method::None), at);
        let (cause, view) = (Cause::Started, clock.view(at));
        Update::new(cause, at, view, 1)
    }

    fn shared_state() -> (SharedState, crate::rt::channel::Receiver<Request>) {
        let (requests, received) = channel(MAX_REQUESTS).unwrap();
        let library = Libraries { controls: Library::default(), rules: RuleLibrary::default() };
        let health = Arc::new(Health::default());
        let game = GameInfo::default();
        (SharedState::new(requests, &update(), game, library, health, Record::none()), received)
    }

    #[test]
    fn more_commands_than_can_wait_are_busy_until_one_is_answered() {
        let (shared, mut received) = shared_state();
        let send =
            || shared.send(shared.next_request(), Instant::ZERO, Command::Start.into(), 1, None);
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
