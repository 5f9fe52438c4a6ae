//! An evening that nobody supervises (FIDE Guidelines III.6): the players restart the clocks
//! together, a claim ends the game, and the designated arbiter decides it later.

use super::evening::{Evening, assert_refused, assert_report, claim};
use super::rule_game::SECOND;
use super::*;
use clock_dbus::commands::{Attachment, Ground, Outcome, Ruling, Side};
use clock_dbus::{ClaimState, OrMinus1};

const CONTROL: &str = "name = 'G/90'\n[[period]]\ntime = '90m'\n";

#[tokio::test]
async fn a_claim_concludes_the_game_and_the_designated_arbiter_enters_the_result() {
    let mut evening = Evening::begin("guidelines-iii-unsupervised", CONTROL).await;
    let arbiter = evening.fixture.arbiter().await;
    let low = Corrections { black_time_nsec: Some(110 * SECOND), ..Corrections::default() };
    arbiter.set(low, evening.state().await.revision, "set for the test").await.unwrap();
    drop(arbiter);
    evening.buttons.tap("black").unwrap();
    evening.moves(5);

    // A player stops the clocks. Both players must confirm before a clock runs again.
    evening.buttons.tap("call").unwrap();
    let stopped = evening.state_when("the stop", |state| state.phase == Phase::Paused).await;
    let arbiter = evening.fixture.arbiter().await;
    assert_refused(arbiter.resume(None, stopped.revision, "").await, "FIDE 6.11.3");
    assert_refused(
        arbiter.rule(Ruling::Drawn, None, OrMinus1(None), stopped.revision, "").await,
        "S2 III.6",
    );
    drop(arbiter);
    evening.buttons.tap("black").unwrap();
    assert_eq!(evening.state().await.phase, Phase::Paused);
    evening.buttons.tap("white").unwrap();
    let resumed =
        evening.state_when("both have confirmed", |state| state.phase == Phase::Running).await;
    assert_eq!((resumed.running, resumed.white.moves, resumed.black.moves), (Who::White, 5, 5));
    assert!(resumed.revision > stopped.revision);

    // White has plenty of time, so White's claim is refused. Black has less than two minutes, so
    // Black may claim.
    let arbiter = evening.fixture.arbiter().await;
    let early =
        evening.fixture.claim_draw(Side::White, Ground::NoEffort, resumed.revision, "").await;
    assert_refused(early, "S2 III.6.1");
    let claimed = evening.fixture.claim_draw(Side::Black, Ground::NoEffort, resumed.revision, "");
    let revision = claimed.await.unwrap().revision;
    let concluded = evening.fixture.state().await;
    assert_eq!((concluded.phase, concluded.running), (Phase::Ruling, Who::Nobody));
    assert_eq!(claim(&concluded), (Who::Black, "no-effort", ClaimState::Called));
    assert!(concluded.questions.iter().all(|question| question.answers.is_empty()));

    // The result has to wait for the referral. The referral has to wait for a scoresheet and a
    // position that the opponent has verified.
    assert_refused(arbiter.result(Outcome::Drawn, revision, "no effort").await, "S2 III.6.2");
    assert_refused(arbiter.refer(revision, "").await, "S2 III.6.1.2");
    let sheet = "scoresheet.jpg sha256 3f1a";
    let revision = arbiter
        .record_attachment(Attachment::Scoresheet, sheet, Side::White, revision, "")
        .await
        .unwrap()
        .revision;
    assert_refused(arbiter.refer(revision, "").await, "S2 III.6.1.2");
    let position = "8/8/4k3/8/8/4K3/4R3/8 b - - 0 61";
    // A position that the claimant has verified does not count.
    let revision = arbiter
        .record_attachment(Attachment::Position, position, Side::Black, revision, "")
        .await
        .unwrap()
        .revision;
    assert_refused(arbiter.refer(revision, "").await, "S2 III.6.1.2");
    let revision = arbiter
        .record_attachment(Attachment::Position, position, Side::White, revision, "")
        .await
        .unwrap()
        .revision;
    let revision =
        arbiter.refer(revision, "sent to the designated arbiter").await.unwrap().revision;
    let empty = arbiter.result(Outcome::Drawn, revision, " ").await;
    assert!(
        matches!(&empty, Err(Error::InvalidArgument(m)) if m.contains("mate, resignation, agreement")),
        "{empty:?}"
    );
    arbiter.result(Outcome::Drawn, revision, "no effort to win").await.unwrap();
    let over = evening.fixture.state().await;
    assert_eq!((over.phase, over.result.as_str()), (Phase::Over, "1/2-1/2"));
    drop(arbiter);

    evening.signalled("ClaimMade black no-effort").await;
    assert_report(
        &evening.report("The result is 1/2-1/2"),
        &[
            "A new game is set up: custom under guidelines-iii-unsupervised, White # → #, Black # → #",
            "Correction, Black # → #",
            "Black claims a draw (no-effort), the draw offer before it was refused, clocks stopped at \
             W # B #",
            "Attached to the record: scoresheet, verified by White: scoresheet.jpg sha256 3f1a, clocks at \
             W # B #",
            "Attached to the record: position, verified by Black: 8/8/4k3/8/8/4K3/4R3/8 b - - 0 61, clocks \
             at W # B #",
            "Attached to the record: position, verified by White: 8/8/4k3/8/8/4K3/4R3/8 b - - 0 61, clocks \
             at W # B #",
            "The claim is referred to the designated arbiter, clocks at W # B #",
            "The result is 1/2-1/2, clocks at W # B #, result 1/2-1/2",
        ],
    );
}
