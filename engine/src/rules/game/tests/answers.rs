//! The answers that are offered: only those that are allowed now, each with its effect.

use super::*;
use crate::rules::game::Answer;

fn offered(game: &Game, at: u64) -> Vec<Answer> {
    let question = game.questions().iter().next().expect("a question is open");
    game.answers(&question, secs(at)).iter().collect()
}

#[test]
fn a_claim_is_answered_by_what_the_profile_allows_with_its_effect_on_both_clocks() {
    let mut game = started(quickplay());
    act(&mut game, claim(Side::White), 100).unwrap();
    let two = i64::try_from(minutes(2).as_nanos()).unwrap();
    let answers: Vec<_> = offered(&game, 110)
        .into_iter()
        .map(|answer| (answer.action, answer.delta_ns, answer.phase, answer.outcome))
        .collect();
    let to_black = |black| PerSide { white: 0, black };
    let postpone = |award| Action::Rule { decision: Decision::Postpone, award };
    assert_eq!(
        answers,
        [
            (rule(Decision::Reject), to_black(two), Phase::Paused, None),
            (postpone(None), to_black(0), Phase::Paused, None),
            (postpone(Some(minutes(2))), to_black(two), Phase::Paused, None),
            (rule(Decision::Drawn), to_black(0), Phase::Over, Some(Outcome::Drawn)),
        ]
    );
    // `Game::answers` does not change the game.
    assert_eq!(game.phase(), Phase::Ruling);
}

#[test]
fn before_a_flag_is_called_the_game_is_not_decided_by_it() {
    let mut game = started(quickplay());
    game.handle_timeout(secs(190)).unwrap();
    let actions: Vec<_> = offered(&game, 190).iter().map(|answer| answer.action).collect();
    let call = Action::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag };
    assert_eq!(actions, [call, rule(Decision::NotMade), rule(Decision::NotEstablished)]);
    act(&mut game, call, 191).unwrap();
    let actions: Vec<_> = offered(&game, 191).iter().map(|answer| answer.action).collect();
    // In the last period the usual answer is the loss.
    assert_eq!(actions[..2], [Decision::Lost, Decision::Drawn].map(rule));
}

#[test]
fn s3_6_3_an_arbiter_who_must_announce_a_flag_is_offered_that_first() {
    let call = Action::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag };
    for (flag_caller, place) in [
        (FlagCaller::ArbiterMust, Some(0)),
        (FlagCaller::Arbiter, Some(3)),
        (FlagCaller::Players, None),
    ] {
        // In the first of two periods, the answers about the moves come before the call of the
        // flag, unless the arbiter is required to announce it.
        let period = |moves| crate::Period {
            moves,
            time: PerSide::both(minutes(3)),
            method: PerSide::both(Method::None),
        };
        let control = Control::new(&[period(Some(40)), period(None)], crate::Terms::default());
        let profile = Some(Profile { flag_caller, ..Profile::default() });
        let session = Session::WithGame;
        let setup = Setup { control: control.unwrap(), profile, session, force: false };
        let mut game = Game::new(&setup, Instant::ZERO).unwrap();
        command(&mut game, Command::Start, 0).unwrap();
        game.handle_timeout(secs(190)).unwrap();
        let found = offered(&game, 190).iter().position(|answer| answer.action == call);
        assert_eq!(found, place, "{flag_caller}");
    }
}

#[test]
fn a_postponement_that_gives_nothing_is_offered_once() {
    let mut game = started(Profile { postpone_award: Span::ZERO, ..quickplay() });
    act(&mut game, claim(Side::White), 100).unwrap();
    let postpone = Action::Rule { decision: Decision::Postpone, award: None };
    let actions: Vec<_> = offered(&game, 110).iter().map(|answer| answer.action).collect();
    assert_eq!(actions, [rule(Decision::Reject), postpone, rule(Decision::Drawn)]);
}

#[test]
fn once_a_flag_is_down_a_postponed_claim_offers_no_loss() {
    let profile = Profile { progress_wins: true, ..quickplay() };
    let mut game = started(profile);
    act(&mut game, claim(Side::White), 100).unwrap();
    act(&mut game, rule(Decision::Postpone), 101).unwrap();
    let of_claim = |game: &Game, at| -> Vec<Action> {
        let mut questions = game.questions().iter().collect::<Vec<_>>();
        questions.retain(|question| question.kind == QuestionKind::PostponedClaim);
        game.answers(&questions[0], secs(at)).iter().map(|answer| answer.action).collect()
    };
    assert!(of_claim(&game, 102).contains(&rule(Decision::Lost)), "for clear progress (S3 10.2)");
    // Black's flag falls: `lost` would be about Black now.
    command(&mut game, Command::Resume { side: Some(Side::Black) }, 102).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    assert!(game.view(secs(400)).sides.black.out_of_time);
    assert!(!of_claim(&game, 400).contains(&rule(Decision::Lost)));
}

#[test]
fn us_13c_nothing_is_offered_that_stops_the_clocks_before_a_player_calls_the_flag() {
    let mut game = started(Profile { flag_caller: FlagCaller::Players, ..Profile::default() });
    game.handle_timeout(secs(190)).unwrap();
    assert!(offered(&game, 190).iter().all(|answer| answer.phase == Phase::Running));
}
