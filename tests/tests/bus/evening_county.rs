//! An evening in the county league: 36 moves, a set-back at Black's 36th, a quickplay finish with
//! claims and a flag, under the Organisers' Handbook.

use super::evening::{Evening, asked, assert_refused, assert_report, claim};
use super::rule_game::SECOND;
use super::*;
use clock_dbus::commands::{Claimant, Evidence, Ground, Ruling, Side};
use clock_dbus::{ClaimState, OrMinus1, QuestionKind};

/// 36 moves in 75 minutes. When Black has completed 36 moves, both clocks are set back: each player
/// gets 15 more minutes for the rest of the game.
const CONTROL: &str = "name = '36/75, set back 15'\nperiod_end = 'black-completes'\nset_back_pause = true\n\
                       [[period]]\nmoves = 36\ntime = '75m'\n[[period]]\ntime = '15m'\n";

#[tokio::test]
async fn thirty_six_moves_a_set_back_two_claims_a_flag_and_a_ruling() {
    let mut evening = Evening::begin("handbook-county", CONTROL).await;
    let ready = evening.state().await;
    assert_eq!((ready.rules.as_str(), ready.questions.len()), ("handbook-county", 0));
    evening.buttons.tap("black").unwrap();
    evening.moves(36);
    let set_back = evening.state_when("the set-back", |state| state.phase == Phase::Paused).await;
    assert_eq!((set_back.white.moves, set_back.black.moves), (36, 36));
    assert_eq!((set_back.white.period, set_back.black.period), (2, 2));
    assert!(set_back.white.remaining_nsec > 89 * 60 * SECOND, "{set_back:?}");

    let fixture = &evening.fixture;
    let arbiter = fixture.arbiter().await;
    // A claim of a player who has more than two minutes left is refused and changes nothing.
    let early = fixture.claim_draw(Side::White, Ground::CannotWin, set_back.revision, "").await;
    assert_refused(early, "S0 10.2");
    assert_eq!(fixture.state().await, set_back);
    // Both players are in the last two minutes.
    let late = Corrections {
        white_time_nsec: Some(100 * SECOND),
        black_time_nsec: Some(90 * SECOND),
        ..Corrections::default()
    };
    let revision = arbiter.set(late, set_back.revision, "set for the test").await.unwrap().revision;
    let revision = arbiter.resume(None, revision, "").await.unwrap().revision;
    let display =
        arbiter.claim_flag(Claimant::Player(Side::Black), Evidence::Display, revision, "").await;
    assert_refused(display, "S0 6.15");

    let revision =
        fixture.claim_draw(Side::White, Ground::NoEffort, revision, "").await.unwrap().revision;
    let claimed = fixture.state().await;
    assert_eq!((claimed.phase, claimed.running), (Phase::Ruling, Who::Nobody));
    assert_eq!(claim(&claimed), (Who::White, "no-effort", ClaimState::Called));
    let answers = ["reject", "postpone", "postpone"];
    let [(kind, side, words), ..] = &asked(&claimed)[..] else { panic!("{claimed:?}") };
    assert_eq!((*kind, *side), (QuestionKind::Claim, Who::White));
    assert_eq!(words[..3], answers);
    // The ruling does what the answer states: it gives Black two minutes.
    let question = &claimed.questions[0];
    let with_award = question.answers.iter().find(|answer| answer.award_nsec > Some(0)).unwrap();
    assert_eq!((with_award.white_delta_nsec, with_award.black_delta_nsec), (0, 120_000_000_000));
    let award = with_award.award_nsec;
    let revision = arbiter
        .rule(Ruling::Postpone, None, award, revision, "I shall watch")
        .await
        .unwrap()
        .revision;
    let postponed = fixture.state().await;
    assert_eq!(postponed.phase, Phase::Paused);
    assert_eq!(claim(&postponed), (Who::White, "no-effort", ClaimState::Pending));
    assert_eq!(postponed.black.remaining_nsec, claimed.black.remaining_nsec + 120 * SECOND);

    // A second claim has to wait for the ruling on the first one.
    let revision = arbiter.resume(None, revision, "").await.unwrap().revision;
    let again = fixture.claim_draw(Side::White, Ground::CannotWin, revision, "").await;
    assert_refused(again, "S0 10.2");
    let revision = arbiter
        .rule(Ruling::Reject, None, OrMinus1(None), revision, "White makes progress")
        .await
        .unwrap()
        .revision;
    let rejected = fixture.state().await;
    assert_eq!((rejected.claim_state, rejected.phase), (ClaimState::Nothing, Phase::Running));
    let revision =
        fixture.claim_draw(Side::White, Ground::CannotWin, revision, "").await.unwrap().revision;
    let revision =
        arbiter.rule(Ruling::Postpone, None, OrMinus1(None), revision, "").await.unwrap().revision;

    // White's flag falls, and the game runs on until it is called.
    let nearly = Corrections { white_time_nsec: Some(1_000_000), ..Corrections::default() };
    let revision = arbiter.set(nearly, revision, "set for the test").await.unwrap().revision;
    arbiter.resume(None, revision, "").await.unwrap();
    drop(arbiter);
    let flag = evening.state_when("White's flag", |state| state.white.out_of_time).await;
    assert_eq!((flag.phase, flag.first_flag), (Phase::Running, Who::White));
    assert_eq!(flag.questions[0].kind, Some(QuestionKind::Flag));
    let arbiter = evening.fixture.arbiter().await;
    let revision = arbiter
        .claim_flag(Claimant::Player(Side::Black), Evidence::Flag, flag.revision, "")
        .await
        .unwrap()
        .revision;
    let called = evening.fixture.state().await;
    assert_eq!((called.phase, called.running), (Phase::Ruling, Who::Nobody));
    let revision = arbiter
        .rule(Ruling::Drawn, None, OrMinus1(None), revision, "Black made no effort")
        .await
        .unwrap()
        .revision;
    let over = evening.fixture.state().await;
    assert_eq!((over.phase, over.result.as_str()), (Phase::Over, "1/2-1/2"));
    assert!(over.questions.is_empty());
    // The ruling on the claim is final.
    assert_refused(arbiter.reopen(revision, "").await, "S0 10.2d");
    drop(arbiter);

    for signal in [
        "ArbiterCalled white",
        "ClaimMade white no-effort",
        "RulingGiven postpone white",
        "RulingGiven reject white",
        "ClaimMade white cannot-win",
        "RulingGiven postpone white",
        "FlagFell white 2 true",
        "ArbiterCalled black",
        "RulingGiven drawn white",
    ] {
        evening.signalled(signal).await;
    }
    assert_report(
        &evening.report("result 1/2-1/2"),
        &[
            "A new game is set up: custom under handbook-county, White # → #, Black # → #",
            "Correction, White # → #, Black # → #",
            "The game goes on, White's clock runs from W # B #",
            "White claims a draw (no-effort), the draw offer before it was refused, clocks stopped at \
             W # B #",
            "Ruling: postpone, award 0:02:00, Black # → #",
            "The game goes on, White's clock runs from W # B #",
            "Ruling: reject, Black # → #",
            "White claims a draw (cannot-win), the draw offer before it was refused, clocks stopped at \
             W # B #",
            "Ruling: postpone, clocks at W # B #",
            "Correction, White # → #",
            "The game goes on, White's clock runs from W # B #",
            "Black calls the flag (flag), clocks stopped at W +# B #",
            "Ruling: drawn, clocks at W +# B #, result 1/2-1/2",
        ],
    );
}
