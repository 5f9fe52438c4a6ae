//! 1,000 connections at once, while a game is played.

use super::arguments::{Method, methods, random_call};
use super::fixture::{self, Fixture};
use super::{GROWTH, Rng};
use clock_dbus::{PATH, SERVICE};
use clock_test_bus::RawClient;
use clock_test_bus::raw_client::{Outgoing, Value};
use clock_tests::{DEADLINE, FAST_DEBOUNCE, FastGame};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CONNECTIONS: u64 = 1000;
/// Every fourth connection never reads its answers.
const SILENT: u64 = 4;
/// The service lets calls of 2 MiB wait, and adds 512 bytes to the size of each. Further calls are refused,
/// and only some of the refused calls are answered. If the call of each of the [`CONNECTIONS`] has at most
/// this number of bytes, all of them have room, so the service must answer each.
const ALWAYS_ACCEPTED: usize = 1536;

/// Plays a move, then waits for 2 ms. Each move adds an increment of 2 s. Without the wait, many
/// more moves would be played while the storm lasts, and the times would grow too much.
fn play_move(game: &mut FastGame) {
    game.play_move().unwrap();
    std::thread::sleep(Duration::from_millis(2));
}

#[test]
fn a_thousand_connections_change_no_press() {
    let calls = fixture::number_from("CLOCK_FUZZ_CALLS", 2000).max(CONNECTIONS);
    let mut rng = Rng::new(fixture::seed());
    // The test has a socket for each connection, and the usual limit is 1024 open files. So the
    // limit is raised.
    let mut limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.current = limit.maximum;
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).unwrap();
    let fixture = Fixture::new(FAST_DEBOUNCE, &["--control", "blitz-3-2"]);
    let methods = methods(&fixture.introspection());
    let service = fixture.owner();
    let mut game = FastGame::start(&fixture.bench).unwrap();
    let (before, files) = (fixture.memory("VmRSS:"), fixture.open_files());
    for _ in 0..100 {
        play_move(&mut game);
    }
    let calm = Latencies::read(&fixture);
    let over = AtomicBool::new(false);
    let answered = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Acquire) {
                play_move(&mut game);
            }
        });
        // `over` is also set if `storm` panics. Otherwise the scope would wait for the player's
        // thread for ever.
        let _over = SetOnDrop(&over);
        storm(&fixture, &mut rng, &methods, calls)
    });
    let (most, moves) = (fixture.memory("VmHWM:"), game.moves);
    println!(
        "{calls} calls from {CONNECTIONS} connections, {answered} answers awaited, {moves} moves"
    );
    println!("memory of the service: {before} KiB before, {most} KiB at most");
    println!("stamp to decision, calm:  {}", calm.summary());
    println!("stamp to decision, storm: {}", Latencies::read(&fixture).since(&calm).summary());
    assert!(most < before + GROWTH, "{before} KiB, then {most} KiB");
    fixture.is_sound(before, files);
    assert_eq!(fixture.owner(), service, "the service has lost its connection");
    // Every press is decided by now, as the latencies say. The state that can be read follows the
    // decisions as soon as the service has time for it.
    let deadline = Instant::now() + DEADLINE;
    let moves_shown = || fixture.bench.status().unwrap()["black"]["moves"].clone();
    while moves_shown() != moves && Instant::now() < deadline {}
    assert_eq!(moves_shown(), moves);
    let property = |name| fixture::property(&mut fixture.client(), name);
    // What is left to Black depends on the stamps of all presses. The state can be later than the
    // last press: on a busy machine a fault begins or ends.
    assert_eq!(property("BlackRemainingNSec"), game.black_left());
    assert!(property("AtNSec") >= game.last);
}

/// Sets the `AtomicBool` when this value is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Makes random calls from many connections, and closes no connection before the end. Waits only
/// for the answers that the service owes: the answer to the first call of a connection, if the call
/// has at most [`ALWAYS_ACCEPTED`] bytes. Returns how many answers were awaited.
fn storm(fixture: &Fixture, rng: &mut Rng, methods: &[Method], calls: u64) -> usize {
    let mut clients: Vec<RawClient> = (0..CONNECTIONS).map(|_| fixture.client()).collect();
    let mut waiting = Vec::new();
    for number in 0..calls {
        // The revision of a clock is never 0, so no command with the revision 0 is accepted.
        let call = random_call(rng, methods, 0);
        if call.is_invalid || call.has_file {
            continue;
        }
        let index = usize::try_from(number % CONNECTIONS).unwrap();
        let serial = clients[index].send(&call.message).unwrap();
        let is_owed = number < CONNECTIONS && call.message.bytes(serial).len() <= ALWAYS_ACCEPTED;
        if call.wants_answer && is_owed && number % SILENT != 0 {
            waiting.push((index, serial));
        }
    }
    for (index, serial) in &waiting {
        clients[*index].answer(*serial).unwrap();
    }
    waiting.len()
}

/// The histogram of the times from a press's stamp to its decision: the count of each bucket, by
/// its upper bound.
struct Latencies(BTreeMap<u64, u64>);

impl Latencies {
    fn read(fixture: &Fixture) -> Latencies {
        let interface = "org.freedesktop.DBus.Properties";
        let body =
            vec![Value::text(clock_dbus::HEALTH_INTERFACE), Value::text("DecisionLatencyNSec")];
        let call = Outgoing::call(SERVICE, PATH, interface, "Get").body(body);
        let answer = fixture.client().call(&call).unwrap();
        // The body is a variant `a(tt)`: its signature, the length in bytes, and then pairs at
        // multiples of eight.
        let numbers = answer.body[16..].chunks_exact(8);
        let numbers: Vec<u64> =
            numbers.map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
        Latencies(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
    }

    fn since(mut self, before: &Latencies) -> Latencies {
        for (bound, count) in &mut self.0 {
            *count -= before.0.get(bound).unwrap_or(&0);
        }
        self
    }

    /// The bound that is not exceeded by `thousandths` out of 1,000 presses, in microseconds.
    fn quantile(&self, thousandths: u64) -> u64 {
        let count: u64 = self.0.values().sum();
        let mut seen = 0;
        let reached = |(_, in_bucket): &(&u64, &u64)| {
            seen += **in_bucket;
            seen * 1000 >= thousandths * count
        };
        let mut filled = self.0.iter().filter(|(_, count)| **count > 0);
        filled.find(reached).map_or(0, |(bound, _)| bound / 1000)
    }

    fn summary(&self) -> String {
        let count: u64 = self.0.values().sum();
        let [median, p99, most] = [500, 990, 1000].map(|part| self.quantile(part));
        format!("{count} decisions, p50 {median} µs, p99 {p99} µs, max {most} µs")
    }
}
