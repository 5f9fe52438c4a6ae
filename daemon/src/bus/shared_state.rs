//! The state that all D-Bus interfaces share.

use super::button_test::ButtonTest;
use super::commits::Commits;
use super::convert;
use super::history::History;
use super::publisher::Publication;
use crate::game::{Commands, GameInfo, IdentityKeeper, RecordStatus};
use clock_controls::{CachedLibrary, Library, NamedRules, RuleLibrary};
use clock_dbus::{Error, FurtherSignal, MenuProperties, State, TestedBoard, Who};
use clock_engine::EventKind;
use clock_engine::rules::{Claimant, GameEventKind, IncidentKind};
use clockd_core::MenuRequest;
use clockd_rt::channel::Sender;
use clockd_rt::clock::monotonic_now;
use clockd_rt::{Cause, Health, NotedRequest, Update, begins_game, sets_game};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::watch;

/// The state that all interfaces share with the task that forwards updates. The lock of `inner` is
/// held only briefly and never across an await.
pub struct SharedState {
    inner: Mutex<Inner>,
    /// Gives commands to the clock loop, and stores the names and texts of the game on the clock.
    pub commands: Commands,
    /// The time controls that have names.
    pub controls: CachedLibrary,
    /// The rule profiles that have names.
    pub rules: CachedLibrary<NamedRules>,
    /// The board of the configuration, which a new game has unless another one is given; `None` if
    /// the configuration names none.
    pub configured_board: Option<String>,
    /// The counters and faults of the clock loop.
    pub health: Arc<Health>,
    /// Tells which entries are on record.
    pub commits: Commits,
    /// Reads the games and entries on record.
    pub history: History,
    /// Stores in the retained memory what identifies the game on the clock.
    identity: IdentityKeeper,
    /// The state of the recorder, for the health interface.
    pub record_status: Arc<RecordStatus>,
    /// The page of the menu and the settings of the face.
    pub menu: watch::Sender<MenuProperties>,
    /// The test of the buttons.
    pub button_test: ButtonTest,
    /// Notifies of each change of the state. The value is the `sequence` of the state.
    pub changes: watch::Sender<u64>,
}

struct Inner {
    /// Shared with the publication of the state, because copying its texts would delay the signals.
    state: Arc<State>,
    /// When the list of faults last changed, in nanoseconds of CLOCK_MONOTONIC.
    faults_at_nsec: u64,
}

/// What the configuration gives to the games that commands set up.
pub struct Configured {
    /// The time controls that have names.
    pub controls: Library,
    /// The rule profiles that have names.
    pub rules: RuleLibrary,
    /// The number of the board, if the configuration names it.
    pub board: Option<String>,
}

/// The parts of the record that the bus uses.
pub struct Record {
    /// Tells which entries are on record.
    pub commits: Commits,
    /// Reads the games and entries on record.
    pub history: History,
    /// Stores in the retained memory what identifies the game on the clock.
    pub identity: IdentityKeeper,
    /// The state of the recorder, for the health interface.
    pub status: Arc<RecordStatus>,
}

impl Record {
    /// The parts for a service that keeps no record.
    #[cfg(test)]
    pub fn none() -> Record {
        let (commits, history) = (Commits::none(), History::none());
        Record { commits, history, identity: IdentityKeeper::none(), status: Arc::default() }
    }
}

impl SharedState {
    /// The state right after the service has been started. `first` is the update that has the state
    /// of the clock at that time.
    pub fn new(
        requests: (Sender<NotedRequest>, Sender<MenuRequest>),
        first: &Update,
        game: GameInfo,
        configured: Configured,
        health: Arc<Health>,
        record: Record,
    ) -> SharedState {
        let faults = convert::faults(&health, first);
        let game_number = record.status.game();
        let Record { commits, history, identity, status } = record;
        let commands = Commands::new(requests, first, game);
        // The commands have given the texts their version.
        let game = commands.game();
        let state = State { sequence: 1, game_number, ..convert::state(first, &game, faults) };
        let inner = Inner { state: Arc::new(state), faults_at_nsec: monotonic_now().as_nanos() };
        let Configured { controls, rules, board } = configured;
        identity.begin(&game, game_number);
        SharedState {
            inner: Mutex::new(inner),
            commands,
            controls: CachedLibrary::new(controls),
            rules: CachedLibrary::new(rules),
            configured_board: board,
            health,
            commits,
            history,
            identity,
            record_status: status,
            menu: watch::Sender::default(),
            button_test: ButtonTest::new(None, TestedBoard::default()),
            changes: watch::Sender::default(),
        }
    }

    /// Makes a test of the buttons possible.
    #[must_use]
    pub fn with_button_test(self, button_test: ButtonTest) -> SharedState {
        SharedState { button_test, ..self }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nothing panics while it holds the lock")
    }

    /// Returns the state after its latest change.
    pub fn state(&self) -> Arc<State> {
        Arc::clone(&self.lock().state)
    }

    /// Calls `read` with the state after its latest change. The state is locked during the call.
    pub fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.lock().state)
    }

    /// The state after its latest change, and the instant at which its list of faults last changed.
    pub fn state_and_faults_at(&self) -> (Arc<State>, u64) {
        let inner = self.lock();
        (Arc::clone(&inner.state), inner.faults_at_nsec)
    }

    /// The game on the clock.
    pub fn game(&self) -> GameInfo {
        self.commands.game()
    }

    /// The number of the latest entry whose effects the state includes.
    pub fn latest_entry(&self) -> u64 {
        self.commands.latest_entry()
    }

    /// Whether a start of the game on the clock is scheduled. Another game would cancel it.
    pub fn is_start_scheduled(&self) -> bool {
        self.read(|state| state.start_at_realtime_nsec).is_some()
    }

    /// The number that the game on the clock has in the record. Commands need it.
    ///
    /// The recorder is asked, because the state that was published last can still have the number of
    /// an earlier record. Before that, this waits until the recorder has written the latest entry, for
    /// [`COMMIT_TIMEOUT`](super::commits::COMMIT_TIMEOUT) at most.
    pub async fn game_number(&self) -> Option<u64> {
        self.commits.up_to_date(self.latest_entry()).await;
        self.record_status.game()
    }

    /// Whether the game on the clock is adjourned and on record. Only then can another game be set
    /// up without losing the adjourned one.
    ///
    /// The recorder can go on writing into a record file that was deleted. Therefore the game is
    /// also read from the file that is at the record's path now.
    ///
    /// # Errors
    ///
    /// It could not be read whether the game is on record. The command is refused with this error.
    pub async fn keeps_adjourned(&self) -> Result<bool, Error> {
        let is_adjourned = self.read(|state| state.adjourned != Who::Nobody);
        if !is_adjourned || !self.commits.is_kept() {
            return Ok(false);
        }
        match self.read_adjourned().await {
            Ok(()) => Ok(true),
            Err(Error::NotFound(_)) => Ok(false),
            Err(Error::Busy(why)) => Err(Error::Busy(unread(&why))),
            Err(Error::NoRecord(why)) => Err(convert::no_record(&unread(&why))),
            Err(other) => Err(other),
        }
    }

    /// Reads the adjourned game on the clock from the record; [`Error::NotFound`] if the record does
    /// not have it.
    async fn read_adjourned(&self) -> Result<(), Error> {
        if !self.commits.up_to_date(self.latest_entry()).await {
            return Err(not_up_to_date());
        }
        let number = self.record_status.game().ok_or_else(not_up_to_date)?;
        self.history.adjourned(number).await.map(|_| ())
    }

    /// Applies an update of the clock loop. If a command caused the update, answers that command.
    /// Returns the publication, or `None` if the update is not published.
    pub fn apply(&self, update: &Update) -> Option<Publication> {
        let published =
            self.commands.take_update(update, |cause, game| self.publication(update, cause, game));
        published.flatten()
    }

    fn publication(
        &self,
        update: &Update,
        cause: &'static str,
        game: &GameInfo,
    ) -> Option<Publication> {
        if begins_game(update) {
            self.record_status.begin_game(update.entry);
        }
        let mut inner = self.lock();
        let game_number = self.record_status.game();
        if update.cause == Cause::GameNumber && game_number == inner.state.game_number {
            // An update before this one has published the number: the recorder can write the first
            // entry of a new game before the main thread has handled its update.
            return None;
        }
        let faults = convert::faults(&self.health, update);
        if faults != inner.state.faults {
            inner.faults_at_nsec = monotonic_now().as_nanos();
        }
        // The state changes only here, so no two states have the same `sequence`.
        let sequence = inner.state.sequence + 1;
        if sets_game(update) {
            self.identity.change(game, game_number);
        } else {
            self.identity.follow(game_number, update.view.phase);
        }
        let state = State { sequence, game_number, ..convert::state(update, game, faults) };
        let state = Arc::new(state);
        inner.state = Arc::clone(&state);
        let faults_at_nsec = inner.faults_at_nsec;
        self.changes.send_replace(sequence);
        let signals = further_signals(update, &state);
        Some(Publication { cause, signals, state, faults_at_nsec })
    }
}

fn unread(why: &str) -> String {
    format!("whether the adjourned game is on record could not be read: {why}")
}

/// Why a command that depends on the record is refused while the record lacks the latest entries.
pub fn not_up_to_date() -> Error {
    let message = "the record is not up to date, because the storage is slow or fails";
    convert::no_record(message)
}

fn further_signals(update: &Update, state: &State) -> Vec<FurtherSignal> {
    let at_nsec = update.at.as_nanos();
    let called = called_by(update, state).map(|by| FurtherSignal::ArbiterCalled { by, at_nsec });
    called.into_iter().chain(update.cause.event().and_then(|kind| signal(kind, update))).collect()
}

/// Who calls the arbiter with this change: by the call button, a pause, a called flag or a claim.
/// `None` if nobody does.
fn called_by(update: &Update, state: &State) -> Option<Who> {
    match (update.cause, update.cause.event()) {
        (_, Some(GameEventKind::Called { by: Claimant::Player(side) })) => Some(side.into()),
        (Cause::Command("pause", _), _)
        | (_, Some(GameEventKind::Clock(EventKind::Call { .. }) | GameEventKind::Claim { .. })) => {
            Some(state.arbiter_called_by).filter(|by| *by != Who::Nobody)
        }
        _ => None,
    }
}

/// The signal of an event, besides that of a call.
fn signal(kind: GameEventKind, update: &Update) -> Option<FurtherSignal> {
    let at_nsec = update.at.as_nanos();
    let side = kind.side().into();
    Some(match kind {
        GameEventKind::Clock(EventKind::Flag { side: of, period }) => {
            FurtherSignal::FlagFell { side, period, at_nsec, first: update.is_first(of, period) }
        }
        GameEventKind::Claim { ground, .. } => {
            FurtherSignal::ClaimMade { by: side, ground: convert::ground(ground), at_nsec }
        }
        GameEventKind::Ruling { ruling, .. } => {
            FurtherSignal::RulingGiven { ruling: ruling.as_str(), side, at_nsec }
        }
        GameEventKind::Penalty(penalty) => {
            FurtherSignal::PenaltyApplied { side, kind: penalty.kind.as_str(), at_nsec }
        }
        GameEventKind::IllegalMove { number, .. } => {
            FurtherSignal::IllegalMoveNoted { side, number, at_nsec }
        }
        GameEventKind::DefaultDue { .. } => FurtherSignal::DefaultDue { side, at_nsec },
        GameEventKind::Hold { .. } => {
            FurtherSignal::IncidentNoted { side, kind: IncidentKind::Hold.as_str(), at_nsec }
        }
        GameEventKind::Incident { kind, .. } => {
            FurtherSignal::IncidentNoted { side, kind: kind.as_str(), at_nsec }
        }
        // The cause of the Transition says it.
        GameEventKind::Clock(_) | GameEventKind::Called { .. } | GameEventKind::ScoreOff { .. } => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{FakeRecord, OnRecord, ReadError, update};
    use clock_engine::{Instant, Side, View};
    use clockd_core::PressBeforeFlag;
    use clockd_rt::MAX_REQUESTS;
    use clockd_rt::channel::channel;

    fn shared_state(record: Record) -> (SharedState, clockd_rt::channel::Receiver<NotedRequest>) {
        let (requests, received) = channel(MAX_REQUESTS).unwrap();
        let (controls, rules) = (Library::default(), RuleLibrary::default());
        let library = Configured { controls, rules, board: None };
        let health = Arc::new(Health::default());
        let game = GameInfo::default();
        let requests = (requests, channel(1).unwrap().0);
        let first = update(Cause::Started);
        (SharedState::new(requests, &first, game, library, health, record), received)
    }

    /// A record that answers every read of a game with this error or, without one, has no game.
    fn failing(error: Option<fn() -> ReadError>) -> FakeRecord {
        let game = Box::new(move || error.map_or(Ok(None), |error| Err(error())));
        FakeRecord { game, ..FakeRecord::default() }
    }

    #[tokio::test]
    async fn a_record_that_cannot_be_read_is_not_a_record_without_the_adjourned_game() {
        let unreadable: fn() -> ReadError = || ReadError::Malformed("entry 7".to_owned());
        let keeps = async |record: FakeRecord, on_record: OnRecord, number: Option<u64>| {
            let status = Arc::new(RecordStatus::default());
            if let Some(number) = number {
                status.set_game(1, number);
            }
            let commits = Commits::new(watch::channel(on_record).1);
            let history = History::start(record).unwrap();
            let (shared, _received) =
                shared_state(Record { commits, history, status, ..Record::none() });
            let adjourned = Some(Side::White);
            let view = View { adjourned, ..update(Cause::Started).view };
            shared.apply(&Update { view, ..update(Cause::Command("adjourn", None)) });
            shared.keeps_adjourned().await
        };
        let all = || OnRecord::up_to(update(Cause::Started).entry);
        let not_found = keeps(failing(None), all(), Some(3)).await;
        assert!(matches!(not_found, Ok(false)), "{not_found:?}");
        for (record, on_record, number) in [
            (failing(Some(unreadable)), all(), Some(3)),
            // The record was never read, so the number of the game is not known.
            (failing(None), all(), None),
        ] {
            let unread = keeps(record, on_record, number).await;
            assert!(matches!(unread, Err(Error::NoRecord(_))), "{unread:?}");
        }
    }

    #[test]
    fn the_first_state_has_the_version_of_its_texts_and_a_press_keeps_it() {
        let (shared, _received) = shared_state(Record::none());
        let version = shared.state().texts_version;
        assert!(version > 0);
        assert_eq!(shared.game().texts_version, version);
        let press = EventKind::Press { side: Side::White, accepted: true };
        shared.apply(&update(press.into()));
        assert_eq!((shared.state().sequence, shared.state().texts_version), (2, version));
    }

    #[test]
    fn another_number_of_the_game_is_published_once() {
        let status = Arc::new(RecordStatus::default());
        status.set_kept_game(1, 3);
        let record = Record { status: Arc::clone(&status), ..Record::none() };
        let (shared, _received) = shared_state(record);
        assert_eq!(shared.state().game_number, Some(3));
        assert!(status.set_game(1, 1), "the recorder has begun another record");
        let renumbered = update(Cause::GameNumber);
        let published = shared.apply(&renumbered).expect("the number differs");
        assert_eq!((published.cause, published.state.game_number), ("game-number", Some(1)));
        assert!(!status.set_game(2, 1));
        assert!(shared.apply(&renumbered).is_none(), "it is published already");
        assert_eq!(shared.state().sequence, 2);
    }

    #[test]
    fn a_press_before_a_flag_is_a_fault_of_the_state_with_both_instants() {
        let (shared, _received) = shared_state(Record::none());
        let (pressed, flag) =
            (Instant::from_nanos(1_500_000_000), Instant::from_nanos(1_500_000_001));
        let press_before_flag = Some(PressBeforeFlag { side: Side::White, pressed, flag });
        let cause = Cause::PressBeforeFlag(Side::White);
        let published = shared.apply(&Update { press_before_flag, ..update(cause) });
        assert_eq!(published.map(|publication| publication.cause), Some("fault"));
        let faults = &shared.state().faults;
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert_eq!(fault.code, "press-before-flag");
        assert!(fault.text.contains("1.500000000 s") && fault.text.contains("1.500000001 s"));
        shared.apply(&update(Cause::Command("set", None)));
        assert_eq!(shared.state().faults, []);
    }
}
