//! The guidance that stands with a question: texts of the rule profile, by the kind of the
//! question. Also the draw offer that is recorded with a claim.

use super::rule_game::{G90, SECOND, game_under, question, rule};
use super::*;
use clock_dbus::commands::{Claimant, Evidence, Ground, Side};
use clock_dbus::{QuestionKind, Ruling};

/// A control with two periods. If a flag falls in the first period, the question is whether the
/// moves were made.
const FORTY_MOVES: &str =
    "name = '40/90, G/30'\n[[period]]\nmoves = 40\ntime = '90m'\n[[period]]\ntime = '30m'\n";

#[tokio::test]
async fn s3_9_the_guidance_stands_with_the_claim() {
    let fixture = fixture(&[]).await;
    let minute = Corrections { white_time_nsec: Some(60 * SECOND), ..Corrections::default() };
    let running = fixture.start_with(game_under("allegro-1996", G90), minute).await;
    fixture.claim_draw(Side::White, Ground::CannotWin, running.revision, "").await.unwrap();
    let claimed = fixture.state().await;
    let kind = question(&claimed, QuestionKind::Claim).kind.unwrap();
    let file = fixture.rule_file().await;
    let guidance = rule(&file, &format!("guidance.{}", kind.as_str())).replace('\n', " ");
    // The clauses S3 9 to 10.2 (`docs/laws.md`) advise the arbiter to watch some moves, and to let
    // the game be played on if the claim is unclear. If the opponent makes clear progress before
    // the flag falls, the opponent wins.
    for advice in ["watch some moves", "unclear", "played on", "progress", "before the flag wins"] {
        assert!(guidance.contains(advice), "{advice}: {guidance}");
    }
}

#[tokio::test]
async fn s3_9_the_offer_and_its_answer_are_recorded_with_the_claim() {
    let fixture = fixture(&[]).await;
    let minute = Corrections { white_time_nsec: Some(60 * SECOND), ..Corrections::default() };
    let running = fixture.start_with(game_under("allegro-1996", G90), minute).await;
    let arbiter = fixture.arbiter().await;
    let words = ("white", "cannot-win", true, "declined", running.revision, "");
    let wrong = arbiter.inner().call::<_, _, Completed>("ClaimDraw", &words);
    let wrong = wrong.await.map_err(Error::from);
    assert!(matches!(&wrong, Err(Error::InvalidArgument(m)) if m.contains("refused")), "{wrong:?}");
    assert_eq!(fixture.state().await, running);
    fixture
        .claim_draw(Side::White, Ground::CannotWin, running.revision, "after-move-41")
        .await
        .unwrap();
    let line = fixture.logged("after-move-41");
    assert!(line.contains("the draw offer before it was refused"), "{line}");
}

#[tokio::test]
async fn s3_6_3_the_arbiter_is_told_to_announce_the_flag() {
    for (rules, must) in [("allegro-1996", true), ("fide-article-6", false)] {
        let fixture = fixture(&[]).await;
        let nearly_out =
            Corrections { white_time_nsec: Some(SECOND / 20), ..Corrections::default() };
        fixture.start_with(game_under(rules, FORTY_MOVES), nearly_out).await;
        let flagged = fixture.state_when("the flag", |s| s.white.out_of_time).await;
        let asked = question(&flagged, QuestionKind::MovesMade);
        // The first answer is what the arbiter usually does. If the profile says that the arbiter
        // must call flags, the first answer calls the flag; otherwise it decides the question.
        let usual = &asked.answers[0];
        assert_eq!(usual.ruling == Some(Ruling::Call), must, "{rules}: {asked:?}");
        let file = fixture.rule_file().await;
        assert_eq!(rule(&file, "flag_caller") == "arbiter-must", must);
        let text = rule(&file, "guidance.flag").replace('\n', " ");
        assert_eq!(text.contains("You have to announce"), must, "{text}");
        // After the call of the flag, the answer that calls it is not offered any more.
        let arbiter = fixture.arbiter().await;
        arbiter.claim_flag(Claimant::Arbiter, Evidence::Flag, flagged.revision, "").await.unwrap();
        let called = fixture.state().await;
        let asked = question(&called, QuestionKind::MovesMade);
        let calls = asked.answers.iter().any(|answer| answer.ruling == Some(Ruling::Call));
        assert!(!calls, "{asked:?}");
    }
}
