//! Claims: the draw offer before them, the test for a draw, and what is proposed with a ruling.

use super::rule_game::{G90, SECOND, answer, game_under, question, rule};
use super::*;
use clock_dbus::QuestionKind;
use clock_dbus::commands::{Claimant, Evidence, Ground, OfferAnswer, Ruling, Side};

/// Corrections that leave White, who is on move, one minute.
fn one_minute() -> Corrections {
    Corrections { white_time_nsec: Some(60 * SECOND), ..Corrections::default() }
}

#[tokio::test]
async fn s0_preface_draw_offer_the_answer_before_a_claim_is_recorded() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    for (offer, recorded) in [(Some(OfferAnswer::Refused), true), (None, false)] {
        let game = NewGame { force: Some(true), ..game_under("handbook-county", G90) };
        let running = fixture.start_with(game, one_minute()).await;
        let rules = fixture.rule_file().await;
        assert_eq!(rules["offer_before_claim"].as_bool(), Some(true));
        let asks = rule(&rules, "guidance.claim");
        assert!(asks.contains("Was a draw offered"), "{asks}");
        let reason = format!("offer-{recorded}-before-the-claim");
        let (revision, by) = (running.revision, Claimant::Player(Side::White));
        arbiter.claim_draw(by, Ground::CannotWin, true, offer, revision, &reason).await.unwrap();
        let claimed = fixture.state().await;
        assert_eq!((claimed.phase, claimed.claim_by), (Phase::Ruling, Who::White));
        let line = fixture.logged(&reason);
        assert!(line.contains("White claims a draw (cannot-win)"), "{line}");
        assert_eq!(line.contains("the draw offer before it was refused"), recorded, "{line}");
    }
    // A draw offer that was accepted makes the claim unnecessary.
    let game = NewGame { force: Some(true), ..game_under("handbook-county", G90) };
    let running = fixture.start_with(game, one_minute()).await;
    let (by, accepted) = (Claimant::Player(Side::White), OfferAnswer::Accepted);
    arbiter.claim_draw(by, Ground::CannotWin, true, accepted, running.revision, "").await.unwrap();
    let drawn = fixture.state().await;
    assert_eq!((drawn.phase, drawn.result.as_str()), (Phase::Over, "1/2-1/2"));
    fixture.logged("the draw offer before it was accepted");
}

#[tokio::test]
async fn s0_6_10_the_question_names_the_test_for_a_draw() {
    for (rules, test, words) in [
        ("handbook-county", "any-series", "no series of legal moves"),
        ("allegro-1996", "mating-material", "enough material"),
    ] {
        let fixture = fixture(&[]).await;
        let nearly_out =
            Corrections { white_time_nsec: Some(SECOND / 20), ..Corrections::default() };
        fixture.start_with(game_under(rules, G90), nearly_out).await;
        let flagged = fixture.state_when("the flag", |s| s.white.out_of_time).await;
        let arbiter = fixture.arbiter().await;
        arbiter
            .claim_flag(Claimant::Player(Side::Black), Evidence::Flag, flagged.revision, "")
            .await
            .unwrap();
        let called = fixture.state().await;
        assert_eq!(called.phase, Phase::Ruling);
        let asked = question(&called, QuestionKind::Flag);
        assert_eq!((asked.side, answer(asked, "drawn").result.as_str()), (Who::White, "1/2-1/2"));
        assert_eq!(answer(asked, "white-loses").result, "0-1");
        // The text of the question is the guidance of the profile for a flag.
        let file = fixture.rule_file().await;
        assert_eq!(rule(&file, "flag_draw_test"), test);
        let text = rule(&file, "guidance.flag").replace('\n', " ");
        assert!(text.contains(words), "{rules}: {text}");
    }
}

#[tokio::test]
async fn s3_7_no_extra_time_is_proposed_with_a_postponed_claim() {
    for (rules, proposed, shown) in
        [("allegro-1996", 0, "0:00:00"), ("handbook-county", 120 * SECOND, "0:02:00")]
    {
        let fixture = fixture(&[]).await;
        let running = fixture.start_with(game_under(rules, G90), one_minute()).await;
        let arbiter = fixture.arbiter().await;
        fixture.claim_draw(Side::White, Ground::NoEffort, running.revision, "").await.unwrap();
        let claimed = fixture.state().await;
        let asked = question(&claimed, QuestionKind::Claim);
        assert_eq!(rule(&fixture.rule_file().await, "postpone_award"), shown);
        // Of the times that the answers `postpone` propose, the largest is the one that the profile
        // names.
        let postponed =
            asked.answers.iter().filter(|answer| answer.ruling == Some(Ruling::Postpone));
        let most = postponed.clone().map(|answer| answer.black_delta_nsec).max().unwrap();
        assert_eq!(u64::try_from(most).unwrap(), proposed, "{rules}: {asked:?}");
        // The ruling gives the time that is proposed.
        let chosen = postponed.max_by_key(|answer| answer.black_delta_nsec).unwrap();
        arbiter
            .rule(Ruling::Postpone, None, chosen.award_nsec, claimed.revision, "")
            .await
            .unwrap();
        let after = fixture.state().await;
        assert_eq!(after.black.remaining_nsec, claimed.black.remaining_nsec + proposed);
        assert_eq!(after.claim_state, clock_dbus::ClaimState::Pending);
    }
}
