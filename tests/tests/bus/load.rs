//! A bus that hangs, and a flood of calls.

use super::*;

/// A debounce so short that presses can follow each other every 100 µs.
const FAST: &str = "[debounce]\nsettle = '10us'\ngap = '10us'\nrelease = '10us'\n";

#[tokio::test]
async fn a_bus_that_hangs_does_not_stop_the_clock_and_catches_up() {
    let bench = Bench::new().unwrap();
    bench.configure(FAST).unwrap();
    let fixture = fixture_on(bench, &["--control", "blitz-3-2"]).await;
    let clock = fixture.clock().await;
    let mut transitions = clock.receive_transition().await.unwrap();
    let mut buttons = fixture.bench.buttons().unwrap();
    let mut stamp = buttons.tap("black").unwrap();
    fixture.bus.signal(rustix::process::Signal::STOP).unwrap();
    // Far more signals than the socket of the bus and the queue can hold.
    let mut charged = 0;
    for _ in 0..1000 {
        let white = buttons.tap("white").unwrap();
        stamp = buttons.tap("black").unwrap();
        charged += stamp - white;
    }
    fixture.bus.signal(rustix::process::Signal::CONT).unwrap();
    let mut signalled = 1;
    let seen = loop {
        let transition = transitions.next().await.unwrap();
        let args = transition.args().unwrap();
        if args.cause == "missed" {
            break args.state.clone();
        }
        signalled += 1;
        assert!(args.state.sequence >= signalled, "{signalled}: {:?}", args.state);
    };
    // The numbers that are left out are those of the signals that were dropped.
    assert!(seen.sequence > signalled + 1, "{signalled} {}", seen.sequence);
    assert_eq!(seen, fixture.state().await);
    assert_eq!((seen.black_moves, seen.at_nsec), (1000, stamp));
    assert_eq!(seen.black_remaining_nsec, 182_000_000_000 - charged + 1000 * 2_000_000_000);
}

#[tokio::test]
async fn a_flood_of_calls_is_answered_and_blocks_no_client() {
    let fixture = fixture(&[]).await;
    // More calls than the 64 that a connection queues.
    let arbiter = fixture.arbiter().await;
    let calls = (0..120).map(|_| arbiter.start(99, "flood"));
    let answers = futures_util::future::join_all(calls).await;
    let stale = |answer: &&clock_dbus::Result<u64>| {
        matches!(answer, Err(Error::StaleRevision(_) | Error::Busy(_)))
    };
    let other = answers.iter().find(|answer| !stale(answer));
    assert!(other.is_none(), "{other:?}");
    assert_eq!(fixture.state().await.revision, 1);
}
