//! `clockctl doctor` with the real service.

use std::process::Output;

use clock_tests::Bench;

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn the_service_of_the_tests_is_looked_at() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let record = bench.folder().join("games");
    let clockd =
        bench.clockd(&["--control", "blitz-3-2", "--record", record.to_str().unwrap()]).unwrap();
    let output = bench.ctl(&["--bus", &bench.address(), "doctor"]).unwrap();
    let said = text(&output);
    // Without the rights for it, the loop runs without real-time priority: the clock is unfit then.
    let stat = std::fs::read_dir(format!("/proc/{}/task", clockd.id())).unwrap();
    let stats =
        stat.map(|task| std::fs::read_to_string(task.unwrap().path().join("stat")).unwrap());
    let clock_loop = stats.into_iter().find(|stat| stat.contains("(clock-loop)")).unwrap();
    let is_real_time = clock_loop.trim_end().split(' ').nth(40) == Some("1");
    let (verdict, exit) = if is_real_time { ("fit    ", 0) } else { ("unfit  ", 8) };
    assert!(said.contains(&format!("{verdict}  real-time")), "{said}\n{clock_loop}");
    assert_eq!(output.status.code(), Some(exit), "{said}");
    for line in
        ["fit      service         clockd 0.1.0 answers", "fit      record", "fit      buttons"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn a_caller_who_is_no_arbiter_is_told_so() {
    let bench = Bench::new().unwrap();
    let _bus =
        bench.bus_with(r#"<deny send_destination="org.chessclock.Clock1.Arbiter"/>"#).unwrap();
    let _clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let said = text(&bench.ctl(&["--bus", &bench.address(), "doctor"]).unwrap());
    assert!(said.contains("warning  permissions"), "{said}");
    assert!(said.contains("sudo usermod -aG arbiter"), "{said}");
}
