//! Boards: one that is pulled out and put back, and one with a rocker.

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
    assert!(faults.iter().any(|fault| fault.contains("not connected")), "{faults:?}");
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
    assert!(!faults.iter().any(|fault| fault.contains("not connected")), "{faults:?}");
    assert_eq!(bench.status().unwrap()["phase"], "paused");
    assert!(bench.ctl(&["resume"]).unwrap().status.success());
    buttons.send("white up").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(40));
    buttons.press("white").unwrap();
    assert_eq!(bench.status().unwrap()["on_move"], "black");
}

#[test]
fn a_rocker_moved_while_paused_must_be_confirmed() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    std::fs::create_dir(bench.folder().join("boards")).unwrap();
    let board = "chip = 'x'\ninput = 'rocker'\nwhite.line = 1\nblack.line = 2\n";
    std::fs::write(bench.folder().join("boards/rocker.toml"), board).unwrap();
    bench.configure("board = 'rocker'\n").unwrap();
    let _clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let mut buttons = bench.buttons().unwrap();
    buttons.send("black down").unwrap();
    eventually("started", || (bench.status().ok()?["phase"] == "running").then_some(()));
    assert!(bench.ctl(&["pause"]).unwrap().status.success());
    buttons.send("black up").unwrap();
    buttons.send("white down").unwrap();
    eventually("moved", || bench.log().contains("press did nothing").then_some(()));
    let refused = bench.ctl(&["resume"]).unwrap();
    assert_eq!(refused.status.code(), Some(5));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("White's throw is down"), "{text}");
    assert!(text.contains("clockctl resume --side white"), "{text}");
    assert!(bench.ctl(&["resume", "--side", "black"]).unwrap().status.success());
    assert_eq!(bench.status().unwrap()["running"], "black");
}
