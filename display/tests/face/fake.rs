//! A fake clock service for the tests. Each test sets the state and the answers of the service.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use clock_dbus::{
    CLOCK_INTERFACE, METHOD_TIMEOUT, MenuPage, MenuProperties, MenuSettings, PATH, SERVICE,
};
use clock_dbus::{Phase, SideState, State, Timebase, Who};
use zbus::connection::Builder;
use zbus::{Connection, interface};

/// The data of the fake service, which all of its interfaces use.
#[derive(Default)]
struct Inside {
    state: State,
    menu: MenuProperties,
    /// The text of the rule profile of the game.
    rules_file: String,
    /// The notation of each time control, by its name.
    notations: HashMap<String, String>,
    /// The number that changes with the texts.
    texts_version: u64,
    /// How often the state was read.
    reads: usize,
    /// How often the rule profile was read.
    profile_reads: usize,
    /// The states to signal before the next answer to `GetState`, and the state of that answer.
    before_answer: Option<(Vec<State>, State)>,
    /// The states to signal after the answer to `GetState` and before the answer to `GetTimebase`.
    after_answer: Vec<State>,
}

type Shared = Arc<Mutex<Inside>>;

fn lock(shared: &Shared) -> MutexGuard<'_, Inside> {
    shared.lock().expect("nobody panics while holding it")
}

/// A service that stays on the bus until this value is dropped.
pub struct FakeClock {
    connection: Connection,
    inside: Shared,
}

impl FakeClock {
    /// Starts the service on the bus at `address`, and takes the service's name there.
    pub async fn start(address: &str, state: State) -> FakeClock {
        let inside = Shared::default();
        lock(&inside).state = state;
        let connection = Builder::address(address)
            .serve_at(PATH, FakeState(inside.clone()))
            .serve_at(PATH, FakeMenu(inside.clone()))
            .name(SERVICE)
            .method_timeout(METHOD_TIMEOUT)
            .build()
            .await
            .expect("the bus takes the service");
        FakeClock { connection, inside }
    }

    /// Changes the state to `state` with the next sequence number, and sends the signal
    /// `Transition` with it.
    pub async fn transition(&self, cause: &str, state: State) {
        let state = {
            let inside = &mut *lock(&self.inside);
            let names = |state: &State| (state.time_control.clone(), state.rules.clone());
            inside.texts_version += u64::from(names(&state) != names(&inside.state));
            let (sequence, texts_version) = (inside.state.sequence + 1, inside.texts_version);
            inside.state = State { sequence, texts_version, ..state };
            inside.state.clone()
        };
        send(&self.connection, cause, &state).await;
    }

    /// Changes the page and the settings of the menu, and signals both.
    pub async fn set_menu(&self, page: MenuPage, settings: MenuSettings) {
        lock(&self.inside).menu = MenuProperties { page, settings };
        let menu = self.connection.object_server().interface::<_, FakeMenu>(PATH).await;
        let menu = menu.expect("the menu is served");
        menu.get().await.page_changed(menu.signal_emitter()).await.expect("it is sent");
        menu.get().await.settings_changed(menu.signal_emitter()).await.expect("it is sent");
    }

    /// Signals a state with its own sequence number. `GetState` does not return this state.
    pub async fn signal(&self, state: &State) {
        send(&self.connection, "press", state).await;
    }

    /// Sets the state of the next answer to `GetState`, and the states to signal before and after
    /// that answer.
    pub fn around_the_next_reading(&self, before: Vec<State>, answer: State, after: Vec<State>) {
        let mut inside = lock(&self.inside);
        inside.before_answer = Some((before, answer));
        inside.after_answer = after;
    }

    /// Sets the text of the rule profile of the game.
    pub fn set_rules_file(&self, text: &str) {
        let inside = &mut *lock(&self.inside);
        inside.rules_file = text.to_owned();
        inside.texts_version += 1;
    }

    /// Sets the notation of the time control with this name. A control without one has none.
    pub fn set_notation(&self, control: &str, notation: &str) {
        let inside = &mut *lock(&self.inside);
        inside.notations.insert(control.to_owned(), notation.to_owned());
        inside.texts_version += 1;
    }

    /// How often the state was read.
    pub fn reads(&self) -> usize {
        lock(&self.inside).reads
    }

    /// How often the rule profile was read. The face reads it after it has shown the state.
    pub fn profile_reads(&self) -> usize {
        lock(&self.inside).profile_reads
    }

    /// Closes the connection to the bus. For the face, this is the same as a service that was
    /// killed.
    pub async fn leave(self) {
        self.connection.close().await.expect("the connection closes");
    }
}

struct FakeState(Shared);

async fn send(connection: &Connection, cause: &str, state: &State) {
    connection
        .emit_signal(None::<&str>, PATH, CLOCK_INTERFACE, "Transition", &(cause, state))
        .await
        .expect("the bus takes the signal");
}

#[interface(name = "org.chessclock.Clock1")]
impl FakeState {
    async fn get_state(&self, #[zbus(connection)] connection: &Connection) -> State {
        let (before, answer) = {
            let mut inside = lock(&self.0);
            inside.reads += 1;
            let state = inside.state.clone();
            inside.before_answer.take().unwrap_or((Vec::new(), state))
        };
        for state in before {
            send(connection, "press", &state).await;
        }
        answer
    }

    async fn get_time_control(&self) -> (String, String, String, String) {
        let inside = lock(&self.0);
        let name = inside.state.time_control.clone();
        let notation = inside.notations.get(&name).cloned().unwrap_or_default();
        (name, String::new(), String::new(), notation)
    }

    async fn get_rules(&self) -> (String, String) {
        let mut inside = lock(&self.0);
        inside.profile_reads += 1;
        (inside.state.rules.clone(), inside.rules_file.clone())
    }

    async fn get_timebase(&self, #[zbus(connection)] connection: &Connection) -> Timebase {
        let after = std::mem::take(&mut lock(&self.0).after_answer);
        for state in after {
            send(connection, "press", &state).await;
        }
        Timebase::default()
    }
}

struct FakeMenu(Shared);

#[interface(name = "org.chessclock.Clock1.Menu")]
impl FakeMenu {
    #[zbus(property)]
    fn page(&self) -> MenuPage {
        lock(&self.0).menu.page.clone()
    }

    #[zbus(property)]
    fn settings(&self) -> MenuSettings {
        lock(&self.0).menu.settings
    }
}

/// White is on move, each side has 1:30:00, and both clocks stand.
pub fn paused() -> State {
    State {
        sequence: 20,
        revision: 6,
        phase: Phase::Paused,
        on_move: Who::White,
        time_control: "fide-classical".into(),
        periods: 2,
        white: SideState {
            remaining_nsec: 5_400_000_000_000,
            moves: 12,
            period: 1,
            flag_nsec: None,
            player: "Vera Menchik".into(),
            ..SideState::default()
        },
        black: SideState {
            remaining_nsec: 5_400_000_000_000,
            moves: 11,
            period: 1,
            flag_nsec: None,
            player: "Efim Bogoljubow".into(),
            ..SideState::default()
        },
        ..State::default()
    }
}
