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
        .map(|answer| (answer.action(), answer.delta_ns, answer.phase, answer.outcome))
        .collect();
    let to_black = |black| PerSide { white: 0, black };
    let postpone = |award| Action::Rule { ruling: Ruling::Postpone, side: None, award };
    assert_eq!(
        answers,
        [
            (rule(Ruling::Reject), to_black(two), Phase::Paused, None),
            (postpone(None), to_black(0), Phase::Paused, None),
            (postpone(Some(minutes(2))), to_black(two), Phase::Paused, None),
            (rule(Ruling::Drawn), to_black(0), Phase::Over, Some(Outcome::Drawn)),
        ]
    );
    // `Game::answers` does not change the game.
    assert_eq!(game.phase(), Phase::Ruling);
}

#[test]
fn before_a_flag_is_called_the_game_is_not_decided_by_it() {
    let mut game = started(quickplay());
    game.handle_timeout(secs(190)).unwrap();
    let actions: Vec<_> = offered(&game, 190).iter().map(|answer| answer.action()).collect();
    let call = rule(Ruling::Call);
    let noted = [rule(Ruling::NotMade), rule(Ruling::NotEstablished)];
    assert_eq!(actions, [call, noted[0], noted[1]]);
    act(&mut game, call, 191).unwrap();
    let actions: Vec<_> = offered(&game, 191).iter().map(|answer| answer.action()).collect();
    assert_eq!(actions, [lost(Side::White), rule(Ruling::Drawn), noted[0], noted[1]]);
    // An answer that was given is not offered again.
    act(&mut game, noted[0], 192).unwrap();
    let actions: Vec<_> = offered(&game, 192).iter().map(|answer| answer.action()).collect();
    assert_eq!(actions, [lost(Side::White), rule(Ruling::Drawn), noted[1]]);
}

#[test]
fn s0_6_7_a_waived_lateness_is_settled() {
    let default = Action::rule_late;
    let mut game = started(Profile { default_after: Span::ZERO, ..Profile::default() });
    let (forfeit, waive) = (Ruling::Forfeit, Ruling::Waive);
    act(&mut game, default(LatePlayers::White, waive), 10).unwrap();
    let both = reason(act(&mut game, default(LatePlayers::Both, forfeit), 11));
    let (side, open) = (Side::White, Some(Side::Black));
    assert_eq!(both, Reason::LatenessWaived { side, open });
    act(&mut game, default(LatePlayers::Black, waive), 12).unwrap();
    game.handle_press(Side::White, secs(13)).unwrap();
    game.handle_press(Side::Black, secs(14)).unwrap();
    assert_eq!(game.questions().iter().count(), 0);
    for players in LatePlayers::ALL {
        for ruling in [forfeit, waive] {
            let refused = reason(act(&mut game, default(*players, ruling), 20));
            let side = players.side().unwrap_or(Side::White);
            assert_eq!(refused, Reason::LatenessWaived { side, open: None }, "{players}");
        }
    }
}

#[test]
fn the_first_press_of_a_late_player_closes_the_question_of_the_lateness() {
    let mut game = started(Profile { default_after: Span::ZERO, ..Profile::default() });
    game.handle_press(Side::White, secs(10)).unwrap();
    for ruling in [Ruling::Forfeit, Ruling::Waive] {
        let of_white = Action::rule_late(LatePlayers::White, ruling);
        assert_eq!(reason(act(&mut game, of_white, 11)), Reason::LatenessClosed(Side::White));
    }
    let of_black = Action::rule_late(LatePlayers::Black, Ruling::Forfeit);
    act(&mut game, of_black, 12).unwrap();
    assert_eq!(game.view(secs(12)).outcome, Some(Outcome::WhiteWins));
}

#[test]
fn a_press_that_does_nothing_leaves_the_ruling_on_a_lateness_to_the_arbiter() {
    let of_black = Action::rule_late(LatePlayers::Black, Ruling::Forfeit);
    for paused in [false, true] {
        let mut game = started(Profile { default_after: minutes(1), ..Profile::default() });
        act(&mut game, Action::Arrive(Side::White), 2).unwrap();
        if paused {
            command(&mut game, Command::Pause { by: Caller::Arbiter }, 61).unwrap();
        }
        // White is on move and Black is absent, so this press of Black's button does nothing.
        game.handle_press(Side::Black, secs(62)).unwrap();
        assert_eq!(first_question(&game), Some(QuestionKind::Default));
        act(&mut game, of_black, 63).unwrap();
        assert_eq!(game.view(secs(63)).outcome, Some(Outcome::WhiteWins));
    }
}

#[test]
fn s3_6_3_an_arbiter_who_must_announce_a_flag_is_offered_that_first() {
    let call = rule(Ruling::Call);
    for (flag_caller, place) in [
        (FlagCaller::ArbiterMust, Some(0)),
        (FlagCaller::Arbiter, Some(3)),
        (FlagCaller::Players, None),
    ] {
        // In the first of two periods, three answers about the moves are offered. The call of the
        // flag comes after them or, if the arbiter is required to announce the flag, before them.
        // If only the players call flags, no call is offered.
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
        let found = offered(&game, 190).iter().position(|answer| answer.action() == call);
        assert_eq!(found, place, "{flag_caller}");
    }
}

#[test]
fn a_postponement_that_gives_nothing_is_offered_once() {
    let mut game = started(Profile { postpone_award: Span::ZERO, ..quickplay() });
    act(&mut game, claim(Side::White), 100).unwrap();
    let postpone = rule(Ruling::Postpone);
    let actions: Vec<_> = offered(&game, 110).iter().map(|answer| answer.action()).collect();
    assert_eq!(actions, [rule(Ruling::Reject), postpone, rule(Ruling::Drawn)]);
}

#[test]
fn s3_10_2_a_postponed_claim_offers_the_loss_of_its_claimant_and_a_flag_that_of_its_side() {
    let profile = Profile { progress_wins: true, ..quickplay() };
    let mut game = started(profile);
    act(&mut game, claim(Side::White), 100).unwrap();
    act(&mut game, rule(Ruling::Postpone), 101).unwrap();
    let losses = |game: &Game, at, kind| -> Vec<Action> {
        let mut questions = game.questions().iter().collect::<Vec<_>>();
        questions.retain(|question| (question.kind == QuestionKind::PostponedClaim) == kind);
        let answers = questions.iter().flat_map(|question| {
            game.answers(question, secs(at))
                .iter()
                .map(|answer| answer.action())
                .collect::<Vec<_>>()
        });
        let is_lost = |action: &Action| Side::BOTH.map(lost).contains(action);
        answers.filter(is_lost).collect()
    };
    assert_eq!(losses(&game, 102, true), [lost(Side::White)], "for clear progress");
    // Black's flag falls.
    command(&mut game, Command::Resume { side: Some(Side::Black) }, 102).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    assert!(game.view(secs(400)).sides.black.out_of_time);
    assert_eq!(losses(&game, 400, true), [lost(Side::White)]);
    assert_eq!(losses(&game, 400, false), [lost(Side::Black)]);
    let unnamed = reason(act(&mut game, rule(Ruling::Lost), 400));
    assert!(matches!(unnamed, Reason::LoserNotNamed { .. }), "{unnamed:?}");
    let mut of_claim = game;
    act(&mut of_claim, lost(Side::White), 400).unwrap();
    assert_eq!(of_claim.view(secs(400)).outcome, Some(Outcome::BlackWins));
    act(&mut game, lost(Side::Black), 400).unwrap();
    assert_eq!(game.view(secs(400)).outcome, Some(Outcome::WhiteWins));
}

#[test]
fn only_a_player_whom_a_clause_makes_lose_is_ruled_to_have_lost() {
    let call = Action::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag };
    let mut game = started(quickplay());
    game.handle_timeout(secs(190)).unwrap();
    let uncalled = reason(act(&mut game, lost(Side::White), 190));
    assert!(matches!(uncalled, Reason::NotCalled(_)), "{uncalled:?}");
    act(&mut game, call, 191).unwrap();
    let black = reason(act(&mut game, lost(Side::Black), 192));
    assert!(matches!(black, Reason::NotTheLoser { side: Side::Black, .. }), "{black:?}");
    let named = Action::rule_late(LatePlayers::White, Ruling::Drawn);
    assert_eq!(reason(act(&mut game, named, 192)), Reason::SideNotHere(Ruling::Drawn));
    for ruling in [Ruling::Valid, Ruling::Call, Ruling::WhiteLoses] {
        let award = Some(minutes(1));
        let refused = act(&mut game, Action::Rule { ruling, side: None, award }, 192);
        assert_eq!(reason(refused), Reason::AwardNotHere(ruling));
    }
    act(&mut game, rule(Ruling::Lost), 193).unwrap();
    assert_eq!(game.view(secs(193)).outcome, Some(Outcome::BlackWins));
}

#[test]
fn us_13c_nothing_is_offered_that_stops_the_clocks_before_a_player_calls_the_flag() {
    let mut game = started(Profile { flag_caller: FlagCaller::Players, ..Profile::default() });
    game.handle_timeout(secs(190)).unwrap();
    assert!(offered(&game, 190).iter().all(|answer| answer.phase == Phase::Running));
}

#[test]
fn s0_6_3_the_moves_are_asked_about_where_a_number_of_moves_is_due() {
    let period = |moves| crate::Period {
        moves,
        time: PerSide::both(minutes(3)),
        method: PerSide::both(Method::None),
    };
    let control = Control::new(&[period(Some(1)), period(None)], crate::Terms::default());
    let profile = Some(Profile::default());
    let session = Session::WithGame;
    let setup = Setup { control: control.unwrap(), profile, session, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    let mut first = game;
    first.handle_timeout(secs(190)).unwrap();
    assert_eq!(first_question(&first), Some(QuestionKind::MovesMade));
    game.handle_press(Side::White, secs(10)).unwrap();
    game.handle_press(Side::Black, secs(20)).unwrap();
    game.handle_timeout(secs(1_000)).unwrap();
    assert_eq!(first_question(&game), Some(QuestionKind::Flag));
    assert_eq!(game.question(), Some(QuestionKind::MovesMade), "the word of scripts");
}

#[test]
fn s2_iii_6_what_was_referred_or_confirmed_is_noted_with_the_question() {
    use crate::rules::action::{Attachment, Confirmation};
    use crate::rules::game::QuestionProgress;
    use crate::rules::profile::{ClaimStops, Referral};
    let (authority, claim_stops) = (Authority::Nobody, ClaimStops::Concludes);
    let profile = Profile { authority, claim_stops, referral: Referral::Details, ..quickplay() };
    let mut game = started(profile);
    let progress = |game: &Game| game.questions().iter().next().unwrap().progress;
    let mut stopped = game;
    command(&mut stopped, Command::Pause { by: Caller::Player(Side::White) }, 10).unwrap();
    assert_eq!(progress(&stopped), QuestionProgress::Nothing);
    for (by, expected) in
        [(Side::Black, QuestionProgress::Black), (Side::White, QuestionProgress::Both)]
    {
        let what = Some(Confirmation::Resume);
        act(&mut stopped, Action::RecordConfirmation { by, what }, 11).unwrap();
        assert_eq!(progress(&stopped), expected);
    }
    act(&mut game, claim(Side::White), 100).unwrap();
    for kind in [Attachment::Details, Attachment::Scoresheet] {
        act(&mut game, Action::RecordAttachment { kind, verified_by: None }, 101).unwrap();
    }
    assert_eq!(progress(&game), QuestionProgress::Nothing);
    act(&mut game, Action::Refer, 102).unwrap();
    assert_eq!(progress(&game), QuestionProgress::Referred);
}
