//! A bus that hangs, is killed or restarted, subscribers that do not read, and many subscribers:
//! the presses are timed exactly meanwhile.

use super::*;
use anyhow::ensure;
use clock_test_bus::RawClient;
use clock_test_bus::raw_client::{Received, Value};
use clock_tests::{FAST_DEBOUNCE, FastGame, eventually_ok};
use rustix::process::Signal;

async fn fast_fixture() -> Fixture {
    let bench = Bench::new().unwrap();
    bench.configure(FAST_DEBOUNCE).unwrap();
    fixture_on(bench, &["--control", "blitz-3-2"]).await
}

fn play(game: &mut FastGame, moves: u64) {
    for _ in 0..moves {
        game.play_move().unwrap();
    }
}

/// Whether this is the state after the last press of the game. If it is, asserts that every press
/// was timed exactly.
fn is_last(state: &State, game: &FastGame) -> bool {
    if state.at_nsec < game.last {
        return false;
    }
    let seen = (state.at_nsec, u64::from(state.black.moves), state.black.remaining_nsec);
    assert_eq!(seen, (game.last, game.moves, game.black_left()), "{:?}", state.faults);
    true
}

/// Asks for the status until the status is that after the last press, and asserts that Black's time
/// is exact. The first attempts can fail, because the bus may have just been started.
fn has_all_moves(fixture: &Fixture, game: &FastGame) {
    let status = eventually_ok("the state after the last press", || {
        let status = fixture.bench.status()?;
        ensure!(status["black"]["moves"] == game.moves, "{} moves: {status}", game.moves);
        Ok(status)
    });
    assert_eq!(status["black"]["remaining_ns"], game.black_left(), "{status}");
}

#[tokio::test]
async fn a_bus_that_hangs_does_not_stop_the_clock_and_catches_up() {
    let fixture = fast_fixture().await;
    let clock = fixture.clock().await;
    let mut transitions = clock.receive_transition().await.unwrap();
    let mut game = FastGame::start(&fixture.bench).unwrap();
    fixture.bus.signal(Signal::STOP).unwrap();
    // These moves make far more signals than the socket of the bus and the queue of the service can
    // hold.
    play(&mut game, 1000);
    fixture.bus.signal(Signal::CONT).unwrap();
    let (mut signalled, mut sequence, mut missed) = (0, 1, 0);
    // The last press may be decided only now. Its signal then follows the signal `missed`, which
    // stands for the signals that were dropped.
    let last = loop {
        let transition = transitions.next().await.unwrap();
        let args = transition.args().unwrap();
        signalled += 1;
        missed += u32::from(args.cause == "missed");
        assert!(args.state.sequence > sequence, "{sequence}: {:?}", args.state);
        sequence = args.state.sequence;
        if is_last(&args.state, &game) {
            break args.state.clone();
        }
    };
    // The numbers that are left out are those of the signals that were dropped.
    assert!(missed > 0 && sequence > signalled + 1, "{missed} {signalled} {sequence}");
    assert_eq!(last, fixture.state().await);
}

#[tokio::test]
async fn a_bus_that_is_killed_and_restarted_again_and_again_costs_no_press() {
    let mut fixture = fast_fixture().await;
    let mut game = FastGame::start(&fixture.bench).unwrap();
    for _ in 0..3 {
        play(&mut game, 100);
        fixture.bus.kill().unwrap();
        play(&mut game, 100);
        fixture.bus = fixture.bench.bus().unwrap();
        play(&mut game, 100);
        has_all_moves(&fixture, &game);
    }
}

/// A client that has asked for all signals of the clock.
fn subscriber(fixture: &Fixture) -> RawClient {
    let socket = std::os::unix::net::UnixStream::connect(fixture.bench.folder().join("bus"));
    let uid = rustix::process::geteuid().as_raw();
    let mut client = RawClient::new(socket.unwrap(), uid).unwrap();
    let rule = format!("type='signal',path='{}'", clock_dbus::PATH);
    client.ask_bus("AddMatch", vec![Value::text(rule)]).unwrap();
    client
}

/// How many of the messages are transitions.
fn transitions(received: &[Received]) -> u64 {
    let is_one = |message: &&Received| message.member == "Transition";
    received.iter().filter(is_one).count().try_into().unwrap()
}

#[tokio::test]
async fn a_subscriber_that_never_reads_holds_up_neither_the_clock_nor_the_others() {
    let bench = Bench::new().unwrap();
    bench.configure(FAST_DEBOUNCE).unwrap();
    // The bus keeps at most this many bytes for one client (127 MiB on a system bus).
    let limit = "</policy><limit name=\"max_outgoing_bytes\">1000000</limit>\
                 <policy context=\"mandatory\">";
    let bus = bench.bus_with(limit).unwrap();
    let fixture = fixture_with(bench, bus, &["--control", "blitz-3-2"]).await;
    let (silent, mut other) = (subscriber(&fixture), subscriber(&fixture));
    let mut game = FastGame::start(&fixture.bench).unwrap();
    let mut signalled = 0;
    // The signals of these moves take several times as many bytes as the limit.
    for _ in 0..20 {
        play(&mut game, 50);
        has_all_moves(&fixture, &game);
        other.synchronize().unwrap();
        signalled += transitions(&other.received());
    }
    assert_eq!(signalled, 1 + 2 * game.moves);
    drop(silent);
}

#[tokio::test]
async fn two_hundred_subscribers_receive_every_press() {
    let fixture = fast_fixture().await;
    let mut subscribers: Vec<RawClient> = (0..200).map(|_| subscriber(&fixture)).collect();
    let mut game = FastGame::start(&fixture.bench).unwrap();
    for _ in 0..20 {
        play(&mut game, 1);
        // The test waits after each move, because the queue of the service holds only 256 signals.
        has_all_moves(&fixture, &game);
    }
    for subscriber in &mut subscribers {
        subscriber.synchronize().unwrap();
        assert_eq!(transitions(&subscriber.received()), 1 + 2 * game.moves);
    }
}
