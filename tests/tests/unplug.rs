//! A board that is pulled out and put back.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use clock_dbus::HealthProxy;
use clock_tests::{Bench, eventually};
use zbus::connection;

#[tokio::test]
async fn a_board_pulled_out_pauses_the_game_and_is_found_again() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let address = bench.address();
    let connection = connection::Builder::address(address.as_str()).build().await.unwrap();
    let health = HealthProxy::new(&connection).await.unwrap();
    let mut buttons = bench.buttons().unwrap();
    buttons.press("black").unwrap();
    assert_eq!(bench.status().unwrap()["phase"], "running");

    let count = |buckets: Vec<(u64, u64)>| -> u64 { buckets.iter().map(|(_, count)| count).sum() };
    assert_eq!(count(health.decision_latency_nsec().await.unwrap()), 1);
    assert_eq!(count(health.edge_latency_nsec().await.unwrap()), 2, "down and up");
    let (worst, late) =
        (health.worst_lateness_nsec().await.unwrap(), health.wake_lateness_nsec().await.unwrap());
    assert!(worst > 0 && late.last().is_some_and(|(most, _)| *most >= worst), "{worst}: {late:?}");

    let gone = buttons.send("unplug").unwrap();
    let gone: u64 = gone.strip_prefix("ok ").unwrap().parse().unwrap();
    eventually("paused", || {
        bench.status().is_ok_and(|status| status["phase"] == "paused").then_some(())
    });
    let faults = health.faults().await.unwrap();
    assert!(faults.iter().any(|fault| fault.contains("the board is gone")), "{faults:?}");
    let log = bench.log();
    let line = log.lines().find(|line| line.contains("the board is gone: no button"));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    for field in ["button=white", "paused=true", "phase=paused", "on_move=white"] {
        assert!(line.contains(field), "{line}");
    }
    let at = line.split("at_nsec=").nth(1).unwrap().split(' ').next().unwrap();
    assert!(at.parse::<u64>().unwrap() > gone - 10_000_000, "{line}");

    // Pressed while it is away: nobody saw that, and it is held when the board comes back.
    buttons.send("white down").unwrap();
    buttons.send("plug").unwrap();
    eventually("back", || bench.log().contains("the board is back").then_some(()));
    let faults = health.faults().await.unwrap();
    assert!(!faults.iter().any(|fault| fault.contains("board")), "{faults:?}");
    assert_eq!(bench.status().unwrap()["phase"], "paused");
    assert!(bench.ctl(&["resume"]).unwrap().status.success());
    buttons.send("white up").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(40));
    buttons.press("white").unwrap();
    assert_eq!(bench.status().unwrap()["on_move"], "black");
}
