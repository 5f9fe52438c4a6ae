//! What the commands of `clockctl` say that they did, on a running service.

use clock_tests::Bench;
use serde_json::Value;

#[test]
fn a_command_shows_both_clocks_before_and_after_it() {
    let bench = Bench::in_memory().unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&[]).unwrap();
    let ctl = |line: &str| {
        let output = bench.ctl(&line.split(' ').collect::<Vec<_>>()).unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let json =
        |line: &str| -> Value { serde_json::from_str(&ctl(&format!("{line} --json"))).unwrap() };
    let left = |object: &Value, side: &str| object[side]["remaining_ns"].as_u64().unwrap();
    ctl("new 5+3 --rules fide-2023");
    ctl("start");
    bench.buttons().unwrap().press("white").unwrap();

    // Black's clock runs, so `before` has the times at the instant of the command.
    let object = json("illegal-move white");
    let done = object["done"].as_str().unwrap();
    assert!(done.starts_with("An illegal move of White, clocks stopped at W "), "{done}");
    assert!(done.contains(", Black 0:0") && done.ends_with(", White's moves 1 → 0"), "{done}");
    let before = &object["before"];
    assert_eq!(left(&object, "black"), left(before, "black") + 60_000_000_000);
    // White loses the increment of the move that was taken back.
    assert_eq!(left(&object, "white"), left(before, "white") - 3_000_000_000);
    assert_eq!((&before["white"]["moves"], &object["white"]["moves"]), (&1.into(), &0.into()));

    let said = ctl("penalize white opponent-plus 1m");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("Penalty for White: opponent-plus of 0:01:00, "), "{said}");
    assert!(lines[2].starts_with("before") && lines[3].starts_with("after"), "{said}");
    for (line, report) in [
        ("penalize black warning", "Penalty for Black: warning, clocks at W "),
        ("change-method delay 5s", "The delay is 0:00:05 from now on, clocks at W "),
        ("incident white hold", "Incident of White: hold, clocks at W "),
    ] {
        let said = ctl(line);
        let (first, second) = said.split_once('\n').unwrap();
        assert!(first.starts_with(report) && second.starts_with("paused: "), "{said}");
    }
}
