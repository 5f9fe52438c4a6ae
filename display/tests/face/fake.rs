//! A fake clock service for the tests. A test sets its state and its answers.

use std::sync::{Arc, Mutex, MutexGuard};

use clock_dbus::{
    ARBITER_INTERFACE, CLOCK_INTERFACE, Error, METHOD_TIMEOUT, NewGame, PATH, Result, SERVICE,
};
use clock_dbus::{Phase, State, Who};
use zbus::connection::Builder;
use zbus::{Connection, interface};

/// What the interfaces share.
#[derive(Default)]
struct Inside {
    state: State,
    commands: Vec<String>,
    refusal: Option<String>,
}

type Shared = Arc<Mutex<Inside>>;

fn lock(shared: &Shared) -> MutexGuard<'_, Inside> {
    shared.lock().expect("nobody panics while holding it")
}

/// A service on the bus until it is dropped.
pub struct FakeClock {
    connection: Connection,
    inside: Shared,
}

impl FakeClock {
    /// Takes the name on the bus at `address`.
    pub async fn start(address: &str, state: State) -> FakeClock {
        let inside = Shared::default();
        lock(&inside).state = state;
        let connection = Builder::address(address)
            .serve_at(PATH, FakeState(inside.clone()))
            .serve_at(PATH, FakeArbiter(inside.clone()))
            .name(SERVICE)
            .method_timeout(METHOD_TIMEOUT)
            .build()
            .await
            .expect("the bus takes the service");
        FakeClock { connection, inside }
    }

    /// Changes the state and sends the signals for it.
    pub async fn transition(&self, cause: &str, state: State) {
        lock(&self.inside).state = state.clone();
        self.connection
            .emit_signal(None::<&str>, PATH, CLOCK_INTERFACE, "Transition", &(cause, state))
            .await
            .expect("the bus takes the signal");
    }

    /// The calls of the arbiter's interface, oldest first.
    pub fn commands(&self) -> Vec<String> {
        lock(&self.inside).commands.clone()
    }

    /// Refuses every later command with this text.
    pub fn refuse(&self, words: &str) {
        lock(&self.inside).refusal = Some(words.to_owned());
    }

    /// Leaves the bus as a killed service does.
    pub async fn leave(self) {
        self.connection.close().await.expect("the connection closes");
    }
}

struct FakeState(Shared);

#[interface(name = "org.chessclock.Clock1")]
impl FakeState {
    fn get_state(&self) -> State {
        lock(&self.0).state.clone()
    }
}

struct FakeArbiter(Shared);

impl FakeArbiter {
    fn take(&self, command: &str, revision: u64, reason: &str) -> Result<u64> {
        let mut inside = lock(&self.0);
        inside.commands.push(format!("{command} at {revision}: {reason}"));
        match &inside.refusal {
            Some(words) => Err(Error::RefusedByRules(words.clone())),
            None => Ok(revision + 1),
        }
    }
}

#[interface(name = "org.chessclock.Clock1.Arbiter")]
impl FakeArbiter {
    fn start(&self, revision: u64, reason: &str) -> Result<u64> {
        self.take("start", revision, reason)
    }

    fn pause(&self, by: Who, revision: u64, reason: &str) -> Result<u64> {
        self.take(&format!("pause by {}", by.as_str()), revision, reason)
    }

    fn resume(&self, side: Who, revision: u64, reason: &str) -> Result<u64> {
        self.take(&format!("resume '{}'", side.as_str()), revision, reason)
    }

    #[zbus(name = "New")]
    fn new_game(&self, game: NewGame, revision: u64, reason: &str) -> Result<u64> {
        // The clocks stand, so the game under way may be lost.
        let again = NewGame { force: Some(true), ..NewGame::default() };
        assert_eq!(game, again, "{ARBITER_INTERFACE}: the same control again");
        self.take("new", revision, reason)
    }
}

/// White to move, 1:30:00 each, and both clocks stand.
pub fn paused() -> State {
    State {
        revision: 6,
        phase: Phase::Paused,
        on_move: Who::White,
        time_control: "fide-classical".into(),
        periods: 2,
        white_remaining_nsec: 5_400_000_000_000,
        white_moves: 12,
        white_period: 1,
        white_flag_nsec: -1,
        black_remaining_nsec: 5_400_000_000_000,
        black_moves: 11,
        black_period: 1,
        black_flag_nsec: -1,
        white_player: "Vera Menchik".into(),
        black_player: "Efim Bogoljubow".into(),
        ..State::default()
    }
}
