//! What an arbiter announces to the players during a pause: on the bus, in the log, and over an
//! export and an import.

use super::rule_game::{G90, game_under};
use super::*;

const LUNCH: &str = "lunch until 14:00";

async fn paused(fixture: &Fixture) -> u64 {
    let ready = fixture.set_up(game_under("fide-2023", G90)).await;
    let arbiter = fixture.arbiter().await;
    let revision = arbiter.start(ready.revision, "").await.unwrap().revision;
    let refused = arbiter.announce(LUNCH, revision, "").await;
    assert!(matches!(refused, Err(Error::NotPaused(_))), "{refused:?}");
    arbiter.pause(None, revision, "").await.unwrap().revision
}

#[tokio::test]
async fn an_announcement_stands_until_the_clocks_run_again() {
    let fixture = fixture(&[]).await;
    let mut revision = paused(&fixture).await;
    let arbiter = fixture.arbiter().await;
    for wrong in ["a\nb", "\u{202e}a", "a  b", &"x".repeat(65)] {
        let refused = arbiter.announce(wrong, revision, "").await;
        assert!(matches!(refused, Err(Error::InvalidArgument(_))), "{wrong:?}: {refused:?}");
    }
    revision = arbiter.announce(LUNCH, revision, "the-hall-closes").await.unwrap().revision;
    let line = fixture.logged("the-hall-closes");
    assert!(line.contains("The players are told: lunch until 14:00"), "{line}");
    assert_eq!(fixture.state().await.announcement, LUNCH);
    revision = arbiter.announce("", revision, "").await.unwrap().revision;
    assert_eq!(fixture.state().await.announcement, "");
    revision = arbiter.announce(LUNCH, revision, "").await.unwrap().revision;
    arbiter.resume(None, revision, "").await.unwrap();
    let running = fixture.state().await;
    assert_eq!((running.phase, running.announcement.as_str()), (Phase::Running, ""));
}

#[tokio::test]
async fn an_announcement_is_taken_over_with_the_game() {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    let fixture = fixture_on(bench, &["--record", games.to_str().unwrap()]).await;
    let revision = paused(&fixture).await;
    fixture.arbiter().await.announce(LUNCH, revision, "").await.unwrap();
    let file = fixture.bench.folder().join("game.json");
    let file = file.to_str().unwrap();
    let ctl = |arguments: &[&str]| {
        let output = fixture.bench.ctl(arguments).unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    ctl(&["export", "-o", file]);
    ctl(&["new", "--control", "blitz-5-3", "--force"]);
    assert_eq!(fixture.state().await.announcement, "");
    let imported = ctl(&["import", file, "--yes"]);
    assert!(imported.contains("announced to the players: lunch until 14:00"), "{imported}");
    assert_eq!(fixture.state().await.announcement, LUNCH);
}
