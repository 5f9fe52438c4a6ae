//! A fake clock service, whose answers and signals each test chooses.

mod arbiter;
pub mod health;
pub mod history;

use std::{
    future::pending,
    sync::{Arc, Mutex, mpsc::channel},
    thread::{self, JoinHandle},
};

use clock_dbus::{
    ARBITER_SERVICE, CLOCK_INTERFACE, Completed, Error, PATH, Phase, Result, Ruling, SERVICE,
    SideState, State, Timebase, Who,
};
use clock_engine::text::rule_preset;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use zbus::{Connection, connection::Builder, fdo::DBusProxy, interface};

use self::arbiter::Arbiter;
use self::health::{Health, Vitals};
use self::history::{History, Record};
use crate::private_bus::PrivateBus;

pub const SECOND: u64 = 1_000_000_000;
/// What the fake says that a command did.
pub const DONE: &str = "The command is carried out";

/// How commands are answered.
#[derive(Clone, Copy)]
pub enum Answer {
    Obey,
    /// Commands are carried out, and their answers never come.
    ObeySilently,
    Refuse(fn(String) -> Error, &'static str),
    /// Commands are never answered. If the value is `true`, `GetState` is not answered either.
    Silence(bool),
    /// The service leaves the bus during the call.
    Leave,
}

/// A transition that the fake sends.
#[derive(Clone)]
pub struct Sent {
    pub cause: String,
    pub state: State,
}

/// One answer to `GetState`, and the signals before and after it.
#[derive(Clone)]
pub struct Reading {
    /// The transitions that are sent before the answer.
    pub before: Vec<Sent>,
    pub answer: State,
    /// The transitions that are sent after the answer to `GetState` and before the answer to
    /// `GetTimebase`.
    pub after: Vec<Sent>,
}

/// The state that the service shows, and the calls it has received.
pub struct Script {
    pub state: State,
    pub monotonic_nsec: u64,
    pub answer: Answer,
    /// Whether the commands are on record.
    pub recorded: bool,
    pub record: Record,
    pub vitals: Vitals,
    pub calls: Vec<String>,
    /// The text of the rule profile.
    pub rules_file: String,
    /// The next answer to `GetState`, with the signals around it. If it is `None`, `state` is the
    /// answer.
    pub reading: Option<Reading>,
    /// The transitions that are sent during the next call of `GetTimebase`. A client makes this
    /// call after it has the state.
    after: Vec<Sent>,
}

enum Order {
    Transition(String, Box<State>),
    Forge(Box<State>),
    Leave,
}

/// Serves until dropped.
pub struct Fake {
    pub script: Arc<Mutex<Script>>,
    orders: UnboundedSender<Order>,
    thread: Option<JoinHandle<()>>,
}

/// The control file that the fake returns.
const CONTROL: &str = "name = \"40/90, G/30\"\n[[period]]\nmoves = 40\ntime = \"1:30:00\"\n\
                       [[period]]\ntime = \"0:30:00\"\n";

/// The rule file that the fake returns if the state names a rule profile.
const RULES: &str = "name = \"County\"\noffer_before_claim = true\n[guidance]\n\
                     claim = \"Look for progress on the board.\"\n";

/// A game in which White's clock runs. At the instant 100 s, White has 1:29:58.25 left and 5 s of
/// delay.
pub fn game() -> State {
    State {
        sequence: 20,
        revision: 7,
        at_nsec: 100 * SECOND,
        phase: Phase::Running,
        on_move: Who::White,
        running: Who::White,
        time_control: "classical".to_owned(),
        periods: 2,
        white: SideState {
            remaining_nsec: 5398 * SECOND + SECOND / 4,
            delay_nsec: 5 * SECOND,
            moves: 12,
            period: 1,
            flag_nsec: None,
            player: "Anna".to_owned(),
            ..SideState::default()
        },
        black: SideState {
            remaining_nsec: 5400 * SECOND,
            delay_nsec: 5 * SECOND,
            moves: 12,
            period: 1,
            flag_nsec: None,
            player: "Bo".to_owned(),
            ..SideState::default()
        },
        ..State::default()
    }
}

impl Fake {
    pub fn start(bus: &PrivateBus, state: State) -> Self {
        let script = Script {
            monotonic_nsec: state.at_nsec,
            state,
            answer: Answer::Obey,
            recorded: true,
            record: Record::of_the_file(),
            vitals: Vitals::default(),
            calls: Vec::new(),
            rules_file: RULES.to_owned(),
            reading: None,
            after: Vec::new(),
        };
        let script = Arc::new(Mutex::new(script));
        let (orders, ordered) = unbounded_channel();
        let (ready, is_ready) = channel();
        let service = Service { script: Arc::clone(&script), orders: orders.clone() };
        let address = bus.address();
        let thread = thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let connection = serve(&address, service).await;
                ready.send(()).unwrap();
                obey(&address, &connection, ordered).await;
                // The bus may be gone already.
                let _ = connection.close().await;
            });
        });
        is_ready.recv_timeout(crate::program::DEADLINE).expect("the service starts");
        Fake { script, orders, thread: Some(thread) }
    }

    /// Starts with the state of [`game`], `elapsed` nanoseconds after its instant.
    pub fn with_game(bus: &PrivateBus, elapsed: u64) -> Self {
        let fake = Fake::start(bus, game());
        fake.pass(elapsed);
        fake
    }

    /// Lets the time of the clock's machine go on.
    pub fn pass(&self, elapsed: u64) {
        self.script.lock().unwrap().monotonic_nsec += elapsed;
    }

    pub fn answer(&self, answer: Answer) {
        self.script.lock().unwrap().answer = answer;
    }

    pub fn calls(&self) -> Vec<String> {
        self.script.lock().unwrap().calls.clone()
    }

    /// Changes the state and sends the signal.
    pub fn transition(&self, cause: &str, change: impl FnOnce(&mut State)) {
        self.change(change);
        let state = Box::new(self.script.lock().unwrap().state.clone());
        self.orders.send(Order::Transition(cause.to_owned(), state)).unwrap();
    }

    /// Changes the state and sends no signal, like a service that is too slow to send one.
    pub fn change(&self, change: impl FnOnce(&mut State)) {
        let mut script = self.script.lock().unwrap();
        change(&mut script.state);
        script.state.sequence += 1;
        script.monotonic_nsec = script.monotonic_nsec.max(script.state.at_nsec);
    }

    /// Lets another connection send a `Transition` to the unique name of each client. Match rules
    /// do not filter a signal that is sent to one name.
    pub fn forge(&self, state: State) {
        self.orders.send(Order::Forge(Box::new(state))).unwrap();
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Leave);
        let _ = self.thread.take().unwrap().join();
    }
}

async fn serve(address: &str, service: Service) -> Connection {
    let arbiter = Arbiter(service.clone());
    let (history, health) = (History(service.clone()), Health(service.clone()));
    let builder = Builder::address(address).serve_at(PATH, service).serve_at(PATH, arbiter);
    let builder = builder.serve_at(PATH, history).serve_at(PATH, health);
    builder.name(ARBITER_SERVICE).name(SERVICE).build().await.unwrap()
}

async fn send(connection: &Connection, cause: &str, state: &State) {
    let body = (cause, state);
    let sent =
        connection.emit_signal(None::<&str>, PATH, CLOCK_INTERFACE, "Transition", &body).await;
    sent.unwrap();
}

async fn obey(address: &str, connection: &Connection, mut orders: UnboundedReceiver<Order>) {
    while let Some(order) = orders.recv().await {
        match order {
            Order::Leave => return,
            Order::Forge(state) => forge(address, &state).await,
            Order::Transition(cause, state) => send(connection, &cause, &state).await,
        }
    }
}

async fn forge(address: &str, state: &State) {
    let forger = Builder::address(address).build().await.unwrap();
    let bus = DBusProxy::new(&forger).await.unwrap();
    for name in bus.list_names().await.unwrap() {
        if name.as_str().starts_with(':') {
            let body = ("forged", state);
            forger
                .emit_signal(Some(&name), PATH, CLOCK_INTERFACE, "Transition", &body)
                .await
                .unwrap();
        }
    }
    // The bus answers after it has handled everything that was sent before.
    bus.get_id().await.unwrap();
}

#[derive(Clone)]
struct Service {
    script: Arc<Mutex<Script>>,
    orders: UnboundedSender<Order>,
}

impl Service {
    fn note(&self, call: String) -> Answer {
        let mut script = self.script.lock().unwrap();
        script.calls.push(call);
        script.answer
    }

    fn obey(&self, change: impl FnOnce(&mut State)) -> Completed {
        let mut script = self.script.lock().unwrap();
        let elapsed_until = script.monotonic_nsec;
        script.state = script.state.at(elapsed_until);
        change(&mut script.state);
        script.state.revision += 1;
        let (revision, recorded) = (script.state.revision, script.recorded);
        Completed { revision, recorded, report: DONE.to_owned() }
    }

    async fn command(&self, call: String, change: impl FnOnce(&mut State)) -> Result<Completed> {
        match self.note(call) {
            Answer::Obey => Ok(self.obey(change)),
            Answer::ObeySilently => {
                self.obey(change);
                pending().await
            }
            Answer::Refuse(error, message) => Err(error(message.to_owned())),
            Answer::Silence(_) => pending().await,
            Answer::Leave => {
                self.orders.send(Order::Leave).unwrap();
                pending().await
            }
        }
    }
}

impl Service {
    /// A command that changes only the revision.
    async fn noted(&self, call: String) -> Result<Completed> {
        self.command(call, |_| {}).await
    }

    /// Answers an open question. The state changes as the question states for this answer, and no
    /// question is open afterwards.
    async fn answered(
        &self,
        call: String,
        ruling: &str,
        award_nsec: Option<u64>,
    ) -> Result<Completed> {
        let change = |state: &mut State| {
            let questions = std::mem::take(&mut state.questions);
            let mut answers = questions.into_iter().flat_map(|question| question.answers);
            let given = answers
                .find(|of| of.ruling == Ruling::from_word(ruling) && of.award_nsec == award_nsec);
            let Some(given) = given else { return };
            let [white, black] = [&mut state.white.remaining_nsec, &mut state.black.remaining_nsec];
            *white = white.saturating_add_signed(given.white_delta_nsec);
            *black = black.saturating_add_signed(given.black_delta_nsec);
            (state.phase, state.result) = (given.phase, given.result);
        };
        self.command(call, change).await
    }
}

#[interface(name = "org.chessclock.Clock1")]
impl Service {
    async fn get_state(&self, #[zbus(connection)] connection: &Connection) -> State {
        if matches!(self.note("get-state".to_owned()), Answer::Silence(true)) {
            return pending().await;
        }
        let reading = self.script.lock().unwrap().reading.take();
        let Some(Reading { before, answer, after }) = reading else {
            return self.script.lock().unwrap().state.clone();
        };
        for Sent { cause, state } in before {
            send(connection, &cause, &state).await;
        }
        self.script.lock().unwrap().after = after;
        answer
    }

    async fn get_time_control(&self) -> (String, String, String, String) {
        let State { time_control, changed_method, .. } = self.script.lock().unwrap().state.clone();
        (time_control, CONTROL.to_owned(), changed_method, String::new())
    }

    async fn get_rules(&self) -> (String, String) {
        let script = self.script.lock().unwrap();
        match script.state.rules.as_str() {
            "" => (String::new(), String::new()),
            name => (name.to_owned(), script.rules_file.clone()),
        }
    }

    /// Two profiles: `county`, which only this clock has, and the shipped profile `fide-2023`.
    async fn list_rules(&self) -> Vec<(String, String)> {
        let named = |name: &str, title: &str| (name.to_owned(), title.to_owned());
        vec![named("county", "County league"), named("fide-2023", "FIDE Laws of Chess 2023")]
    }

    async fn read_rules(&self, name: &str) -> Result<String> {
        match (name, rule_preset(name)) {
            ("county", _) => Ok("name = \"County league\"\nshow_moves = false\n".to_owned()),
            (_, Some(preset)) => Ok(preset.read().to_toml()),
            (_, None) => Err(Error::InvalidRules(format!("no rule profile `{name}`"))),
        }
    }

    async fn get_timebase(&self, #[zbus(connection)] connection: &Connection) -> Timebase {
        self.note("get-timebase".to_owned());
        let after = std::mem::take(&mut self.script.lock().unwrap().after);
        for Sent { cause, state } in after {
            send(connection, &cause, &state).await;
        }
        let monotonic_nsec = self.script.lock().unwrap().monotonic_nsec;
        let boot_id = "b3f1c2d4-0000-4000-8000-000000000002".to_owned();
        Timebase { monotonic_nsec, boot_id, ..Timebase::default() }
    }

    #[zbus(property)]
    fn version(&self) -> String {
        "0.1.0".to_owned()
    }
}
