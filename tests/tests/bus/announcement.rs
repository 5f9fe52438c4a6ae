//! The Guidelines III of the FIDE Laws hold only if they were announced before the start (clause S2
//! III.2.1 in `docs/laws.md`).

use super::rule_game::{G90, SECOND, game_under};
use super::*;
use clock_dbus::commands::{Claimant, Ground, Side};

#[tokio::test]
async fn s2_iii_2_1_the_profile_can_be_chosen_before_the_start() {
    let fixture = fixture(&[]).await;
    let ready = fixture.set_up(game_under("fide-2023", G90)).await;
    let arbiter = fixture.arbiter().await;
    let announced = arbiter.set_rules("guidelines-iii", ready.revision, "announced-by-the-arbiter");
    let revision = announced.await.unwrap().revision;
    assert_eq!(fixture.state().await.rules, "guidelines-iii");
    fixture.logged("announced-by-the-arbiter");
    let minute = Corrections { white_time_nsec: Some(60 * SECOND), ..Corrections::default() };
    let revision = arbiter.set(minute, revision, "").await.unwrap().revision;
    let revision = arbiter.start(revision, "").await.unwrap().revision;
    arbiter
        .claim_draw(Claimant::Player(Side::White), Ground::NoEffort, true, None, revision, "")
        .await
        .unwrap();
    let claimed = fixture.state().await;
    assert_eq!(
        (claimed.claim_by, claimed.claim_state),
        (Who::White, clock_dbus::ClaimState::Called)
    );
}

#[tokio::test]
async fn s2_iii_2_1_the_profile_cannot_be_switched_on_after_the_start() {
    let fixture = fixture(&[]).await;
    let ready = fixture.set_up(game_under("fide-2023", G90)).await;
    let arbiter = fixture.arbiter().await;
    let revision = arbiter.start(ready.revision, "").await.unwrap().revision;
    let running = fixture.state().await;
    let refused = arbiter.set_rules("guidelines-iii", revision, "").await;
    let message = fixture.assert_refused(refused, "S2 III.2.1", &running).await;
    assert!(message.contains("before the start"), "{message}");
    arbiter.pause(None, revision, "").await.unwrap();
    let paused = fixture.state().await;
    let refused = arbiter.set_rules("guidelines-iii", paused.revision, "").await;
    fixture.assert_refused(refused, "S2 III.2.1", &paused).await;
    assert_eq!(fixture.clock().await.get_rules().await.unwrap().0, "fide-2023");
    // Rules that need no announcement can be corrected while the clocks stand.
    arbiter.set_rules("fide-article-6", paused.revision, "").await.unwrap();
    assert_eq!(fixture.state().await.rules, "fide-article-6");
}
