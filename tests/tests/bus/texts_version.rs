//! `TextsVersion` tells a program when it must read the texts of the game again.

use super::rule_game::SECOND;
use super::*;

/// Two control files of the same name.
const RAPID: &str = "name = 'Club'\n[[period]]\ntime = '25m'\nincrement = '10s'\n";
const CORRECTED: &str = "name = 'Club'\n[[period]]\ntime = '45m'\nincrement = '15s'\n";

/// What the number stands for: the time control, the rules and the names.
type Texts = ([String; 3], (String, String), [String; 5]);

async fn texts(fixture: &Fixture) -> (u64, Texts) {
    let clock = fixture.clock().await;
    let (name, file, _changed_method, notation) = clock.get_time_control().await.unwrap();
    let State { texts_version, white, black, board, round, event, .. } = fixture.state().await;
    let rules = clock.get_rules().await.unwrap();
    let names = [white.player, black.player, board, round, event];
    (texts_version, ([name, file, notation], rules, names))
}

fn ctl(fixture: &Fixture, arguments: &[&str]) {
    let output = fixture.bench.ctl(arguments).unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

#[tokio::test]
async fn the_version_differs_after_everything_that_changes_a_text_and_after_nothing_else() {
    let bench = Bench::in_memory().unwrap();
    let record = bench.folder().join("games");
    let record = record.to_str().unwrap();
    let mut fixture = fixture_on(bench, &["--control", "blitz-3-2", "--record", record]).await;
    let [club, game] = ["club.toml", "game.json"].map(|name| fixture.bench.folder().join(name));
    std::fs::write(&club, RAPID).unwrap();
    let [file, game] = [&club, &game].map(|path| path.to_str().unwrap());
    let mut before = texts(&fixture).await;
    let same = [&["start"][..], &["pause"], &["change-method", "delay", "5s"]];
    let steps: [(&[&str], bool); 12] = [
        (&["new", file], true),
        (same[0], false),
        (same[1], false),
        // The arbiter corrects the file, which keeps its name.
        (&["change-time-control", file], true),
        (&["set-rules", "fide-2023"], true),
        (same[2], false),
        (&["set-names", "--white", "Vera Menchik"], true),
        // The time control, the rules and the names stay as they are.
        (&["rewind", "--to", "W0"], false),
        (&["export", "-o", game], false),
        (&["result", "1-0", "--reason", "mate"], false),
        (&["new", "blitz-5-3"], true),
        (&["import", game, "--yes"], true),
    ];
    for (step, (arguments, changes)) in steps.into_iter().enumerate() {
        if step == 3 {
            std::fs::write(&club, CORRECTED).unwrap();
        }
        ctl(&fixture, arguments);
        let after = texts(&fixture).await;
        assert_eq!(after.0 != before.0, changes, "{arguments:?}: the version");
        assert_eq!(after.1 != before.1, changes, "{arguments:?}: the texts {:?}", after.1);
        let property = fixture.clock().await.inner().get_property::<u64>("TextsVersion").await;
        assert_eq!(property.unwrap(), after.0);
        assert_eq!(fixture.bench.status().unwrap()["texts_version"], after.0);
        before = after;
    }
    fixture.clockd.kill().unwrap();
    fixture.clockd = fixture.bench.clockd(&["--record", record]).unwrap();
    let after = texts(&fixture).await;
    assert!(after.0 != before.0 && after.1 == before.1, "a restart: {after:?}");
}

#[tokio::test]
async fn a_dry_run_has_a_version_of_its_own_and_leaves_that_of_the_clock() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let before = fixture.state().await;
    assert_eq!(before.white.remaining_nsec, 182 * SECOND);
    let output = fixture.bench.ctl(&["new", "blitz-5-3", "--dry-run", "--json"]).unwrap();
    assert!(output.status.success(), "{output:?}");
    let tried: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_ne!(tried["texts_version"], before.texts_version);
    assert_eq!(fixture.state().await.texts_version, before.texts_version);
}
