//! Gives the arbiter's commands over a real bus. The test takes the place of the clock loop, and so
//! decides when a command is answered.

use super::*;
use crate::game::{GameInfo, update};
use clock_controls::{Library, RuleLibrary};
use clock_dbus::{ARBITER_INTERFACE, ArbiterProxy, ClockProxy, Error};
use clock_engine::rules::{Game, GameCommand, Session, Setup};
use clock_engine::{Command, Control, Instant, Method, Span};
use clockd_rt::channel::{Receiver as Ring, channel};
use clockd_rt::retained::{RetainedMemory, SnapshotWriter};
use clockd_rt::{Cause, MAX_REQUESTS, NotedRequest, Request, VersionedClock};
use shared_state::{Configured, Record};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant as Moment;
use tracing::span::{Attributes, Id, Record as SpanRecord};
use zbus::message::Message;

/// The time within which a read must be answered: much longer than any read takes on a busy machine,
/// and shorter than the service waits for the clock loop in these tests (60 s).
const READ_WITHIN: Duration = Duration::from_secs(20);

/// Counts the log entries about refused commands.
#[derive(Clone, Default)]
struct Refusals(Arc<AtomicUsize>);

impl tracing::Subscriber for Refusals {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.is_event()
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &SpanRecord<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut is_refusal = false;
        let mut look = |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
            is_refusal |= field.name() == "message" && format!("{value:?}") == "command refused";
        };
        event.record(&mut look);
        self.0.fetch_add(usize::from(is_refusal), Ordering::Relaxed);
    }
}

pub(super) struct Fixture {
    _folder: tempfile::TempDir,
    bus: Child,
    address: String,
    pub(super) shared: Arc<SharedState>,
    requests: Ring<NotedRequest>,
    /// Writes the clock of which the dry runs are made. There is none at first.
    snapshots: SnapshotWriter,
    server: tokio::task::JoinHandle<Result<(), BusError>>,
    _publisher: PublicationSender,
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.server.abort();
        let _ = self.bus.kill();
        let _ = self.bus.wait();
    }
}

async fn fixture() -> Fixture {
    fixture_with(Record::none()).await
}

pub(super) async fn fixture_with(record: Record) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    let bus = clock_test_bus::start(&socket, "").unwrap();
    let address = clock_test_bus::address(&socket);
    let (sender, requests) = channel(MAX_REQUESTS).unwrap();
    let game = GameInfo::default();
    let (controls, rules) = (Library::default(), RuleLibrary::default());
    let library = Configured { controls, rules, board: None };
    let first = update(Cause::Started);
    let sender = (sender, channel(1).unwrap().0);
    let shared = SharedState::new(sender, &first, game, library, Arc::default(), record);
    let shared = Arc::new(shared);
    let parts = RetainedMemory::create(*b"0123456789abcdef", 1).unwrap().split().unwrap();
    let (snapshots, reader) = (parts.snapshot.0, parts.snapshots);
    let service =
        Bus::new(Some(address.clone()), Arc::clone(&shared), Captains::default(), reader).unwrap();
    let (publisher, publications) = publication_queue();
    let (is_ready, ready) = tokio::sync::oneshot::channel();
    let server = tokio::spawn(async move {
        service.serve(publications, || is_ready.send(()).expect("the test waits")).await
    });
    ready.await.unwrap();
    Fixture {
        _folder: folder,
        bus,
        address,
        shared,
        requests,
        snapshots,
        server,
        _publisher: publisher,
    }
}

impl Fixture {
    pub(super) async fn client(&self) -> Connection {
        let builder = Builder::address(self.address.as_str());
        builder.method_timeout(Duration::from_secs(30)).build().await.unwrap()
    }

    /// Waits for the next request in the ring.
    async fn request(&mut self) -> Request {
        let start = Moment::now();
        loop {
            if let Some(NotedRequest { request, .. }) = self.requests.pop() {
                return request;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "no request");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Writes a clock of 60 s for each side, which can be started, as the latest snapshot.
    fn write_snapshot(&mut self) {
        let control = Control::single(Span::from_secs(60), Method::None);
        let setup = Setup { control, profile: None, session: Session::Unknown, force: true };
        let game = Game::new(&setup, Instant::from_nanos(5)).unwrap();
        let clock = VersionedClock::new(game, None, false);
        let length = postcard::to_slice(&clock, self.snapshots.buffer()).unwrap().len();
        self.snapshots.commit(length, clock.entry());
    }

    fn answer(&self, request: &Request) {
        let answer = Some((request.id, Ok(())));
        self.shared.apply(&Update { answer, ..update(Cause::Command("start", None)) });
    }
}

#[tokio::test]
async fn a_loop_that_does_not_answer_keeps_nobody_from_reading_and_a_fifth_command_is_busy() {
    let refusals = Refusals::default();
    let _log = tracing::subscriber::set_default(refusals.clone());
    let mut fixture = fixture().await;
    let (arbiter, reader) = (fixture.client().await, fixture.client().await);
    let arbiter = ArbiterProxy::new(&arbiter).await.unwrap();
    let clock = ClockProxy::new(&reader).await.unwrap();
    let commands: Vec<_> = (0..MAX_REQUESTS)
        .map(|_| {
            let arbiter = arbiter.clone();
            tokio::spawn(async move { arbiter.start(1, "").await })
        })
        .collect();
    let mut waiting = Vec::new();
    while waiting.len() < MAX_REQUESTS {
        waiting.push(fixture.request().await);
    }
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let start = Moment::now();
        clock.get_state().await.unwrap();
        clock.list_time_controls().await.unwrap();
        slowest = slowest.max(start.elapsed());
    }
    assert!(slowest < READ_WITHIN, "{slowest:?}");
    println!("slowest of 20 reads while {MAX_REQUESTS} commands wait: {slowest:?}");
    for _ in 0..3 {
        let busy = tokio::time::timeout(READ_WITHIN, arbiter.pause(None, 1, "")).await;
        assert!(matches!(busy, Ok(Err(Error::Busy(_)))), "{busy:?}");
    }
    assert_eq!(refusals.0.load(Ordering::Relaxed), 3, "each is in the log");
    for request in &waiting {
        fixture.answer(request);
    }
    for command in commands {
        assert_eq!(command.await.unwrap().unwrap().revision, 1);
    }
}

#[tokio::test]
async fn commands_of_two_arbiters_are_in_the_ring_in_the_order_of_their_arrival() {
    let mut fixture = fixture().await;
    let clients = [fixture.client().await, fixture.client().await];
    let mut last = Instant::ZERO;
    for round in 0..50_u64 {
        let mut expected = Vec::new();
        for (place, client) in clients.iter().cycle().take(MAX_REQUESTS).enumerate() {
            let revision = round * 10 + u64::try_from(place).unwrap();
            expected.push(revision);
            // The last command of each round is a `Pause`. It does not wait for its caller's user
            // id, but must still come after the commands that arrived before it.
            let message = if place + 1 == MAX_REQUESTS {
                command("Pause", &("", revision, ""))
            } else {
                command("Start", &(revision, ""))
            };
            client.send(&message).await.unwrap();
            // Messages of the two connections can overtake each other. The answer to a ping shows
            // that the service has received the command.
            client.call_method(Some(SERVICE), PATH, Some(PEER), "Ping", &()).await.unwrap();
        }
        for revision in expected {
            let request = fixture.request().await;
            assert_eq!(request.revision, revision);
            assert!(request.at >= last, "{:?} {last:?}", request.at);
            last = request.at;
            fixture.answer(&request);
        }
    }
}

const PEER: &str = "org.freedesktop.DBus.Peer";

fn command<B: serde::Serialize + zbus::DynamicType>(method: &str, body: &B) -> Message {
    Message::method_call(PATH, method)
        .destination(SERVICE)
        .interface(ARBITER_INTERFACE)
        .build(body)
        .unwrap()
}

/// Sends a `Pause` right after a call that takes long. Returns two times: from the stamp of the
/// `Pause` until its request was taken from the ring, and the shortest time that the long call
/// takes.
async fn stop_behind_a_long_call() -> (Duration, Duration) {
    let mut fixture = fixture().await;
    let client = fixture.client().await;
    ClockProxy::new(&client).await.unwrap().get_state().await.unwrap();
    // The first call of `ListTimeControls` takes long, because all time controls are read and
    // parsed for it.
    let load = || {
        let start = Moment::now();
        clock_controls::CachedLibrary::new(Library::new(Vec::new())).list();
        start.elapsed()
    };
    let load = (0..5).map(|_| load()).min().unwrap();
    let list = Message::method_call(PATH, "ListTimeControls")
        .destination(SERVICE)
        .interface(clock_dbus::CLOCK_INTERFACE)
        .build(&())
        .unwrap();
    client.send_all(&[list, command("Pause", &("", 1_u64, ""))]).await.unwrap();
    let request = fixture.request().await;
    let taken = clockd_rt::clock::monotonic_now();
    assert!(matches!(request.command, GameCommand::Clock(Command::Pause { .. })));
    fixture.answer(&request);
    (Duration::from_nanos(taken.as_nanos() - request.at.as_nanos()), load)
}

#[tokio::test]
async fn a_stop_is_stamped_when_it_arrives_and_not_when_its_turn_comes() {
    // On a busy machine, the `Pause` can arrive when the long call is nearly done, so there are ten
    // tries. If a `Pause` were stamped only when its turn comes, all ten would fail.
    let mut tried = Vec::new();
    for _ in 0..10 {
        let (before, load) = stop_behind_a_long_call().await;
        if before > load / 2 {
            return;
        }
        tried.push((before, load));
    }
    panic!("stamped this long before its turn, which a list of the second time delayed: {tried:?}");
}

async fn dry_runs(fixture: &Fixture) -> ArbiterProxy<'static> {
    let client = fixture.client().await;
    ArbiterProxy::builder(&client).path(DRY_RUN_PATH).build().await.unwrap()
}

/// Calls `Start` and, without waiting for the answer, `Pause` at the object of the dry runs. The clock
/// is stored only when both have arrived.
async fn start_and_pause() -> [Result<u64, Error>; 2] {
    let mut fixture = fixture().await;
    let arbiter = dry_runs(&fixture).await;
    let store = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        fixture.write_snapshot();
    };
    let calls = (arbiter.start(1, ""), arbiter.pause(None, 2, ""));
    let (start, pause, ()) = tokio::join!(calls.0, calls.1, store);
    [start, pause].map(|answer| answer.map(|done| done.revision))
}

#[tokio::test]
async fn two_dry_runs_of_a_program_are_played_one_after_the_other() {
    // On a busy machine, the clock can be stored so late that the calls have given up.
    for _ in 0..10 {
        match start_and_pause().await {
            [Err(Error::Busy(_)), _] | [_, Err(Error::Busy(_))] => {}
            [start, pause] => return assert_eq!((start.unwrap(), pause.unwrap()), (2, 3)),
        }
    }
    panic!("busy ten times");
}

#[tokio::test]
async fn dry_runs_that_wait_for_the_clock_end_in_time() {
    let mut fixture = fixture().await;
    let mut waiting = Vec::new();
    for _ in 0..2 * MAX_REQUESTS {
        let arbiter = dry_runs(&fixture).await;
        waiting.push(tokio::spawn(async move {
            let begun = Moment::now();
            (arbiter.start(1, "").await, begun.elapsed())
        }));
    }
    let command = ArbiterProxy::new(&fixture.client().await).await.unwrap();
    let command = tokio::spawn(async move { command.start(1, "").await });
    let request = fixture.request().await;
    fixture.answer(&request);
    command.await.unwrap().unwrap();
    for dry_run in waiting {
        let (answer, time) = dry_run.await.unwrap();
        assert!(matches!(answer, Err(Error::Busy(_))), "{answer:?}");
        assert!(time < Duration::from_secs(3), "{time:?}");
    }
}

/// Gives a command that is refused again and again, and asserts that never more of them have been
/// refused than one for each 100 ms since the first, and 1000 more, and the first one after them.
/// Ends when ten of them have been as many as that, so a slow machine needs more commands.
async fn assert_limited(mut give_refused: impl AsyncFnMut()) {
    // At an instant between these two, the service begins to count.
    let before = Moment::now();
    give_refused().await;
    let after = Moment::now();
    let most = |since: Moment| 1001 + since.elapsed().as_millis() / 100;
    let mut at_the_limit = 0;
    for count in 2..10_000 {
        give_refused().await;
        assert!(count <= most(before), "{count} in {:?}", before.elapsed());
        at_the_limit += u32::from(count >= most(after));
        if at_the_limit == 10 {
            return;
        }
    }
    panic!("the limit is not reached in {:?}", before.elapsed());
}

#[tokio::test]
async fn after_1000_refused_dry_runs_a_user_waits_100_ms_for_each() {
    let mut fixture = fixture().await;
    fixture.write_snapshot();
    let arbiter = dry_runs(&fixture).await;
    assert_limited(async || {
        let refused = arbiter.start(7, "").await;
        assert!(matches!(refused, Err(Error::StaleRevision(_))), "{refused:?}");
    })
    .await;
    assert!(fixture.requests.pop().is_none());
}

#[tokio::test]
async fn after_1000_control_files_with_a_mistake_a_user_waits_100_ms_for_each() {
    let mut fixture = fixture().await;
    let arbiter = ArbiterProxy::new(&fixture.client().await).await.unwrap();
    assert_limited(async || {
        let refused = arbiter.change_time_control("x", "no control", false, false, 1, "").await;
        assert!(matches!(refused, Err(Error::InvalidControl(_))), "{refused:?}");
    })
    .await;
    assert!(fixture.requests.pop().is_none());
}
