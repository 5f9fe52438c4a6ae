//! What a clock shows is the same text everywhere.

use super::*;

/// The time that White has, and how every text shows it.
const EXACT: &str = "0:03:02.250000001";
const SHOWN: &str = "0:03:02.3";

/// Checks that the text has the reading, and no other form of it apart from the exact one.
fn shows(text: &str) {
    assert!(text.contains(SHOWN), "{text}");
    let rest = text.replace(EXACT, "").replace(SHOWN, "");
    assert!(!rest.contains("0:03:02"), "{text}");
}

#[tokio::test]
async fn one_reading_has_one_form_everywhere() {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    let record = ["--control", "blitz-5-3", "--record", games.to_str().unwrap()];
    let fixture = fixture_on(bench, &record).await;
    let run = |arguments: &[&str]| {
        let output = fixture.bench.ctl(arguments).unwrap();
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), out, err)
    };
    let done = |arguments: &[&str]| {
        let (exit, out, err) = run(arguments);
        assert_eq!(exit, Some(0), "{arguments:?}: {err}");
        out
    };
    done(&["start"]);
    done(&["pause"]);
    let set = done(&["set", "white", EXACT, "--reason", "a-reading"]);
    assert!(set.contains(&format!("after   {SHOWN}")) && !set.contains(EXACT), "{set}");
    shows(&done(&["status"]));
    shows(&done(&["announce", "lunch"]));
    let log = done(&["log"]);
    let line = log.lines().find(|line| line.contains("Correction")).unwrap();
    shows(line);
    assert_eq!(line.matches(SHOWN).count(), 2, "in the column and in the report: {line}");
    shows(&fixture.logged("a-reading"));
    let (exit, _, refused) = run(&["new", "5+3"]);
    assert_eq!(exit, Some(5), "{refused}");
    shows(&refused);
    let file = fixture.bench.folder().join("game.json");
    let file = file.to_str().unwrap();
    done(&["export", "-o", file]);
    shows(&done(&["import", file, "--yes", "--force"]));
    let csv = done(&["export", "--from", file, "--format", "csv"]);
    assert!(csv.contains("182250000001"), "{csv}");
}
