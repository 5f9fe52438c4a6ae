//! What stands beside a draw claim: the guidance for the arbiter, and the draw offer before it.

use super::*;
use clock_dbus::QuestionKind;
use clock_engine::text::{RuleFile, Situation};
use clock_tests::eventually;

const MINUTE: u64 = 60_000_000_000;

/// A running game under this rule profile, in which White has a minute left.
async fn in_the_last_minute(rules: &str) -> (Fixture, u64) {
    let fixture = fixture(&["--control", "rapid-25-0"]).await;
    let arbiter = fixture.arbiter().await;
    let game = NewGame { rules: Some(rules.to_owned()), ..NewGame::default() };
    let revision = arbiter.new_game(game, 1, "").await.unwrap();
    let low = Corrections { white_time_nsec: Some(MINUTE), ..Corrections::default() };
    let revision = arbiter.set(low, revision, "").await.unwrap();
    let revision = arbiter.start(revision, "").await.unwrap();
    drop(arbiter);
    (fixture, revision)
}

/// What the service's rule profile says to the arbiter about a claim.
async fn guidance_with_a_claim(fixture: &Fixture) -> String {
    let (_name, file) = fixture.clock().await.get_rules().await.unwrap();
    let resolved = |_: &str| Err("the text is resolved".to_owned());
    let file = RuleFile::parse(&file, resolved).unwrap();
    file.guidance.get(Situation::Claim).unwrap().to_owned()
}

#[tokio::test]
async fn s3_9_the_guidance_stands_with_the_claim() {
    let (fixture, revision) = in_the_last_minute("allegro-1996").await;
    let arbiter = fixture.arbiter().await;
    arbiter.claim_draw("white", "no-effort", true, "refused", revision, "").await.unwrap();
    let state = fixture.state().await;
    let open = state.questions.iter().find(|question| question.kind == QuestionKind::Claim);
    assert!(open.is_some_and(|question| question.side == Who::White), "{state:?}");
    // S3 10.1, 10.2: the arbiter can watch; an unclear position is played on; progress wins.
    let guidance = guidance_with_a_claim(&fixture).await;
    for part in ["watch some moves", "unclear", "Clear progress", "wins"] {
        assert!(guidance.contains(part), "{part}: {guidance}");
    }
}

#[tokio::test]
async fn s3_9_the_offer_and_its_answer_are_recorded_with_the_claim() {
    let (fixture, revision) = in_the_last_minute("allegro-1996").await;
    let arbiter = fixture.arbiter().await;
    arbiter.claim_draw("white", "no-effort", true, "refused", revision, "").await.unwrap();
    let record = "White claims a draw (no-effort), the draw offer before it was refused";
    eventually(record, || fixture.bench.log().contains(record).then_some(()));
}
