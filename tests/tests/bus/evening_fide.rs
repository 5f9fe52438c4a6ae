//! Games under the FIDE Laws of 2023: illegal moves, a wrong claim of repetition, and a flag with
//! an increment, which stops both clocks.

use super::evening::{Evening, asked, assert_refused, assert_report, claim};
use super::rule_game::SECOND;
use super::*;
use clock_dbus::commands::{
    Claimant, Evidence, Ground, PenaltyCause, PenaltyKind, Ruling, Side, Span,
};
use clock_dbus::{ClaimState, OrMinus1, QuestionKind};

/// Standard chess with an increment.
const CONTROL: &str = "name = 'G/90, +30'\n[[period]]\ntime = '90m'\nincrement = '30s'\n";

#[tokio::test]
async fn illegal_moves_a_wrong_claim_and_the_first_flag_that_stops_both_clocks() {
    let mut evening = Evening::begin("fide-2023", CONTROL).await;
    evening.buttons.tap("black").unwrap();
    evening.moves(2);
    evening.buttons.tap("white").unwrap();
    let before = evening.state_when("White's third move", |state| state.white.moves == 3).await;
    let arbiter = evening.fixture.arbiter().await;

    // Only the last completed move can be taken back.
    assert_refused(
        arbiter.illegal_move(Side::Black, false, OrMinus1(None), before.revision, "").await,
        "FIDE 7.5.5",
    );
    let revision = arbiter
        .illegal_move(Side::White, false, OrMinus1(None), before.revision, "the king is in check")
        .await;
    let revision = revision.unwrap().revision;
    let illegal = evening.fixture.state().await;
    assert_eq!((illegal.phase, illegal.on_move), (Phase::Paused, Who::White));
    assert_eq!(illegal.white.moves, 2);
    assert_eq!(before.white.remaining_nsec - illegal.white.remaining_nsec, 30 * SECOND);
    // The time that Black's clock has used since White's press of the illegal move is not given
    // back. Two minutes are added to Black's time.
    let black_used = before.black.remaining_nsec + 120 * SECOND - illegal.black.remaining_nsec;
    assert!(black_used < 60 * SECOND, "{black_used}");
    assert!(illegal.questions.is_empty(), "{:?}", illegal.questions);

    // A wrong claim of repetition gives Black two minutes more; no other amount is allowed.
    let white = Claimant::Player(Side::White);
    let claimed = arbiter.claim_draw(white, Ground::Repetition, true, None, revision, "third time");
    let revision = claimed.await.unwrap().revision;
    let claimed = evening.fixture.state().await;
    assert_eq!(claim(&claimed), (Who::White, "repetition", ClaimState::Called));
    assert_eq!(asked(&claimed)[0].2[0], "reject");
    assert_eq!(claimed.questions[0].answers[0].black_delta_nsec, 120_000_000_000);
    assert_refused(
        arbiter.rule(Ruling::Reject, None, Some(60_000_000_000), revision, "").await,
        "FIDE 9.5",
    );
    let revision = arbiter
        .rule(Ruling::Reject, None, OrMinus1(None), revision, "only twice")
        .await
        .unwrap()
        .revision;
    let rejected = evening.fixture.state().await;
    assert_eq!(rejected.black.remaining_nsec, illegal.black.remaining_nsec + 120 * SECOND);
    assert_eq!((rejected.phase, rejected.claim_state), (Phase::Paused, ClaimState::Nothing));

    // White's flag falls first and stops both clocks, so Black's never falls.
    let nearly = Corrections {
        white_time_nsec: Some(1_000_000),
        black_time_nsec: Some(2_000_000),
        ..Corrections::default()
    };
    let revision = arbiter.set(nearly, revision, "set for the test").await.unwrap().revision;
    arbiter.resume(None, revision, "").await.unwrap();
    drop(arbiter);
    let flag = evening.state_when("White's flag", |state| state.white.out_of_time).await;
    assert_eq!(
        (flag.phase, flag.running, flag.first_flag),
        (Phase::Ruling, Who::Nobody, Who::White)
    );
    assert_eq!((flag.black.remaining_nsec, flag.black.out_of_time), (2_000_000, false));
    assert_eq!(asked(&flag)[0].0, QuestionKind::Flag);
    let arbiter = evening.fixture.arbiter().await;
    // The ruling on the flag is refused until the arbiter has called the flag.
    assert_refused(
        arbiter.rule(Ruling::Lost, None, OrMinus1(None), flag.revision, "").await,
        "FIDE 6.8",
    );
    let revision = arbiter
        .claim_flag(Claimant::Arbiter, Evidence::Flag, flag.revision, "")
        .await
        .unwrap()
        .revision;
    let revision = arbiter
        .rule(Ruling::WhiteLoses, None, OrMinus1(None), revision, "Black can mate")
        .await
        .unwrap()
        .revision;
    let over = evening.fixture.state().await;
    assert_eq!((over.phase, over.result.as_str()), (Phase::Over, "0-1"));
    // A fine can follow a game that is over.
    let cause = PenaltyCause::Other;
    arbiter
        .penalize(Side::White, PenaltyKind::Fine, Span::ZERO, 0_u32, cause, revision, "telephone")
        .await
        .unwrap();
    drop(arbiter);

    for signal in [
        "IllegalMoveNoted white 1",
        "ClaimMade white repetition",
        "RulingGiven reject white",
        "FlagFell white 1 true",
        "RulingGiven lost white",
        "PenaltyApplied white fine",
    ] {
        evening.signalled(signal).await;
    }
    assert_report(
        &evening.report("Penalty for White: fine"),
        &[
            "A new game is set up: custom under fide-2023, clocks at W # B #",
            "An illegal move of White, clocks stopped at W # B #, White # → #, Black # → #, \
             White's moves 3 → 2",
            "White claims a draw (repetition), clocks at W # B #",
            "Ruling: reject, Black # → #",
            "Correction, White # → #, Black # → #",
            "The game goes on, White's clock runs from W # B #",
            "The arbiter calls the flag (flag), clocks at W # B #",
            "Ruling: White has lost, clocks at W # B #, result 0-1",
            "Penalty for White: fine (cause other), clocks at W # B #",
        ],
    );
}

#[tokio::test]
async fn a_second_illegal_move_loses_unless_the_opponent_cannot_mate() {
    let mut evening = Evening::begin("fide-2023", CONTROL).await;
    evening.buttons.tap("black").unwrap();
    for number in [1, 2] {
        evening.buttons.tap("white").unwrap();
        let state = evening.state_when("White's move", |state| state.on_move == Who::Black).await;
        let arbiter = evening.fixture.arbiter().await;
        let revision = arbiter
            .illegal_move(Side::White, false, OrMinus1(None), state.revision, "")
            .await
            .unwrap()
            .revision;
        if number == 1 {
            arbiter.resume(None, revision, "").await.unwrap();
        }
    }
    let second = evening.state().await;
    assert_eq!(second.phase, Phase::Ruling);
    let expected = (QuestionKind::IllegalMove, Who::White, vec!["white-loses", "drawn"]);
    assert_eq!(asked(&second), [expected]);
    let results: Vec<&str> =
        second.questions[0].answers.iter().map(|answer| answer.result.as_str()).collect();
    assert_eq!(results, ["0-1", "1/2-1/2"]);
    let arbiter = evening.fixture.arbiter().await;
    let resumed = arbiter.resume(None, second.revision, "").await;
    assert!(matches!(&resumed, Err(Error::NotPaused(_))), "{resumed:?}");
    arbiter
        .rule(Ruling::Drawn, None, OrMinus1(None), second.revision, "a bare king")
        .await
        .unwrap();
    assert_eq!(evening.state().await.result, "1/2-1/2");
}
