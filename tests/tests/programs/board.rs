//! Button boards: one that is unplugged and plugged in again, one that is missing at the start, and
//! one that has a rocker.

use clock_dbus::{ClockProxy, HealthProxy, PausedBy, Phase};
use clock_tests::{Bench, eventually};
use futures_util::StreamExt;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;
use zbus::connection;

/// The fault of a board that is not there, whether it was unplugged or never found.
const NOT_CONNECTED: &str = "the buttons are not connected: no press is read; check the cable of the \
                             button board, or look in the log for the reason";

#[tokio::test]
async fn an_unplugged_board_pauses_the_game_and_is_opened_again() {
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
    assert_eq!(count(health.decision_latency_nsec().await.unwrap()), 0, "no clock ran before it");
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
    let line = bench.logged("the board is gone: no button");
    for field in ["button=white", "paused=true", "phase=paused", "on_move=white"] {
        assert!(line.contains(field), "{line}");
    }
    let at = line.split("at_nsec=").nth(1).unwrap().split(' ').next().unwrap();
    assert!(at.parse::<u64>().unwrap() > gone - 10_000_000, "{line}");

    // White's button is pressed while the board is gone. No press is read; the button is still held
    // when the board is back.
    buttons.send("white down").unwrap();
    buttons.send("plug").unwrap();
    bench.logged("the board is back");
    let faults = health.faults().await.unwrap();
    assert!(!faults.iter().any(|fault| fault.contains("not connected")), "{faults:?}");
    assert_eq!(bench.status().unwrap()["phase"], "paused");
    assert!(bench.ctl(&["resume"]).unwrap().status.success());
    buttons.send("white up").unwrap();
    std::thread::sleep(Duration::from_millis(60));
    buttons.press("white").unwrap();
    assert_eq!(bench.status().unwrap()["on_move"], "black");
    assert_eq!(count(health.decision_latency_nsec().await.unwrap()), 1);
}

#[tokio::test]
async fn an_unplugged_board_is_a_fault_in_the_state() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let address = bench.address();
    let connection = connection::Builder::address(address.as_str()).build().await.unwrap();
    let clock = ClockProxy::new(&connection).await.unwrap();
    let health = HealthProxy::new(&connection).await.unwrap();
    let mut changes = clock.receive_fault_list_changed().await.unwrap();
    let mut buttons = bench.buttons().unwrap();
    buttons.press("black").unwrap();
    let before = clock.get_state().await.unwrap();
    assert_eq!((before.phase, before.paused_by), (Phase::Running, PausedBy::Nothing));
    // A missing right to real-time priority is a fault too, so the list may contain more.
    let is_gone = |fault: &clock_dbus::Fault| fault.code == "board-gone";
    assert!(!before.faults.iter().any(is_gone), "{before:?}");

    let unplugged = buttons.send("unplug").unwrap();
    let unplugged: u64 = unplugged.strip_prefix("ok ").unwrap().parse().unwrap();
    let change = tokio::time::timeout(Duration::from_secs(30), changes.next()).await;
    let change = change.expect("FaultListChanged is sent").unwrap();
    let args = change.args().unwrap();
    assert!(is_gone(&args.faults[0]) && args.faults[0].text == NOT_CONNECTED, "{:?}", args.faults);
    assert!(*args.at_nsec() >= unplugged, "{} {unplugged}", args.at_nsec());
    let state = clock.get_state().await.unwrap();
    assert_eq!((state.phase, state.paused_by), (Phase::Paused, PausedBy::BoardGone));
    assert_eq!(state.faults, args.faults);
    assert_eq!(health.faults().await.unwrap()[0], NOT_CONNECTED);

    let status = bench.status().unwrap();
    assert_eq!(status["paused_by"], "board-gone");
    assert_eq!(status["faults"][0]["code"], "board-gone");
    let shown = String::from_utf8(bench.ctl(&["status"]).unwrap().stdout).unwrap();
    assert!(shown.starts_with("paused because the buttons were disconnected: White"), "{shown}");
    assert!(shown.contains(&format!("\nfault: {NOT_CONNECTED}\n")), "{shown}");
    for verb in [&["resume"][..], &["resume", "--side", "black"]] {
        let refused = bench.ctl(verb).unwrap();
        assert_eq!(refused.status.code(), Some(5), "{refused:?}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains("the buttons are not connected, so no clock is started"), "{said}");
    }
    let refused = bench.ctl(&["resume", "--json"]).unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(answer["error"]["code"], "board-gone");

    buttons.send("plug").unwrap();
    let change = tokio::time::timeout(Duration::from_secs(30), changes.next()).await;
    let change = change.expect("FaultListChanged is sent").unwrap();
    assert!(!change.args().unwrap().faults.iter().any(is_gone));
    let state = clock.get_state().await.unwrap();
    // Plugging the board in does not change the reason of the pause.
    assert_eq!((state.phase, state.paused_by), (Phase::Paused, PausedBy::BoardGone));
    assert!(bench.ctl(&["resume"]).unwrap().status.success());
    let state = clock.get_state().await.unwrap();
    assert_eq!((state.phase, state.paused_by), (Phase::Running, PausedBy::Nothing));
}

#[tokio::test]
async fn a_board_that_is_missing_at_the_start_is_a_fault_and_is_waited_for() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    std::fs::create_dir(bench.folder().join("wiring")).unwrap();
    let board = "# a board\nchip = ['pinctrl-nowhere', 'pinctrl-elsewhere']\nwhite.line = 1\nblack.line = 2\n";
    std::fs::write(bench.folder().join("wiring/mine.toml"), board).unwrap();
    bench.configure("wiring = 'mine'\n").unwrap();
    let mut clockd = bench.start(bench.clockd_command_on_board()).unwrap();
    let address = bench.address();
    let connection = connection::Builder::address(address.as_str()).build().await.unwrap();
    let clock = ClockProxy::new(&connection).await.unwrap();
    let state = clock.get_state().await.unwrap();
    assert_eq!(state.phase, Phase::Ready);
    assert_eq!(state.faults[0].code, "board-gone");
    let shown = String::from_utf8(bench.ctl(&["status"]).unwrap().stdout).unwrap();
    let expected = format!("ready: White begins\nfault: {NOT_CONNECTED}\n");
    assert!(shown.starts_with(&expected), "{shown}");
    let mut watch = bench.clockctl(&["watch"]).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(watch.stdout.take().unwrap()).lines().take(2);
    let shown: Vec<String> = lines.map(Result::unwrap).collect();
    watch.kill().unwrap();
    watch.wait().unwrap();
    assert!(shown[0].contains("now       ready "), "{shown:?}");
    assert_eq!(shown[1].trim(), format!("fault     {NOT_CONNECTED}"));
    let refused = bench.ctl(&["start"]).unwrap();
    assert_eq!(refused.status.code(), Some(5), "{refused:?}");
    // `clockd` tries twice a second to open the board, and logs only once why that fails.
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert!(clockd.runs());
    let log = bench.log();
    let reason = "wiring/mine.toml:2:8: no GPIO chip `pinctrl-nowhere` or `pinctrl-elsewhere`; this machine has ";
    assert_eq!(log.matches(reason).count(), 1, "{log}");
}

#[test]
fn a_rocker_moved_while_paused_must_be_confirmed() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    std::fs::create_dir(bench.folder().join("wiring")).unwrap();
    let board = "chip = 'x'\ninput = 'rocker'\nwhite.line = 1\nblack.line = 2\n";
    std::fs::write(bench.folder().join("wiring/rocker.toml"), board).unwrap();
    bench.configure("wiring = 'rocker'\n").unwrap();
    let _clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let mut buttons = bench.buttons().unwrap();
    buttons.send("black down").unwrap();
    eventually("started", || (bench.status().ok()?["phase"] == "running").then_some(()));
    assert!(bench.ctl(&["pause"]).unwrap().status.success());
    buttons.send("black up").unwrap();
    buttons.send("white down").unwrap();
    bench.logged("press completed no move");
    let refused = bench.ctl(&["resume"]).unwrap();
    assert_eq!(refused.status.code(), Some(5));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("White's throw is down"), "{text}");
    assert!(text.contains("clockctl resume --side white"), "{text}");
    assert!(bench.ctl(&["resume", "--side", "black"]).unwrap().status.success());
    assert_eq!(bench.status().unwrap()["running"], "black");
}
