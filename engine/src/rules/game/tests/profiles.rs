//! Games without a profile, changes of the profile, and what a profile says about the start. Also
//! refused actions, new games, changes of the method, exchanges of the buttons, and games that a
//! claim has concluded.

use super::*;
use crate::AfterFlag;
use crate::rules::action::Penalty;
use crate::rules::profile::{ClaimStops, PenaltyKind};

#[test]
fn without_a_profile_the_game_is_the_clock_alone() {
    let control = Control::single(minutes(3), Method::None);
    let setup = Setup { control, profile: None, session: Session::WithGame, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    assert_eq!(act(&mut game, claim(Side::White), 170), Err(GameRefused::NoProfile));
    game.handle_timeout(secs(200)).unwrap();
    assert_eq!((game.phase(), game.question()), (Phase::Running, None));
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 201).unwrap();
    command(&mut game, Command::Resume { side: None }, 202).unwrap();
    assert_eq!(game.questions().iter().count(), 0);
}

#[test]
fn s0_6_5_blacks_button_starts_whites_clock_only_where_the_profile_allows_it() {
    for black_starts in [true, false] {
        let profile = Profile { black_starts, ..Profile::default() };
        let mut game = set_up(profile, minutes(3), Method::None);
        game.handle_press(Side::Black, secs(1)).unwrap();
        assert_eq!(game.phase() == Phase::Running, black_starts);
        let pressed = crate::EventKind::Press { side: Side::Black, accepted: black_starts };
        assert_eq!(events(&mut game), [(1_000_000_000, GameEventKind::Clock(pressed))]);
    }
}

#[test]
fn s2_iii_2_1_rules_that_are_announced_before_the_start_cannot_be_switched_on_later() {
    let announced = Profile { announced_before_start: true, ..quickplay() };
    let mut game = set_up(Profile::default(), minutes(3), Method::None);
    game.handle_command(GameCommand::SetRules(announced), secs(0)).unwrap();
    game.handle_command(GameCommand::SetRules(quickplay()), secs(0)).unwrap();
    command(&mut game, Command::Start, 1).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 2).unwrap();
    let refused = game.handle_command(GameCommand::SetRules(announced), secs(3));
    assert_eq!(reason(refused), Reason::NotAnnounced);
    game.handle_command(GameCommand::SetRules(Profile::default()), secs(3)).unwrap();
    assert_eq!(game.profile(), Some(&Profile::default()));
}

/// Otherwise points on record could forbid every result, and no command would take them back.
#[test]
fn s0_13_4_rules_with_which_points_could_not_be_taken_back_are_refused_while_there_are_some() {
    let (side, kind) = (Side::White, PenaltyKind::PointsOff);
    let penalty = |half_points| {
        Action::Penalize(Penalty { side, kind, time: Span::ZERO, half_points, cause: None })
    };
    let listed = [PenaltyKind::PointsOff].as_slice().into();
    let arbiters = Profile { penalties: listed, ..quickplay() };
    let others = [
        Profile { authority: Authority::Nobody, ..arbiters },
        Profile { penalties: [PenaltyKind::Loss].as_slice().into(), ..arbiters },
    ];
    let mut game = started(arbiters);
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 2).unwrap();
    act(&mut game, penalty(1), 3).unwrap();
    for other in others {
        let mut game = game;
        let change = GameCommand::SetRules(other);
        let refused = game.handle_command(change, secs(4)).unwrap_err();
        assert!(refused.to_string().ends_with("first: clockctl penalize white points-off 0"));
        assert_eq!(reason(Err(refused)), Reason::PointsStay { kind, offender: side });
        act(&mut game, penalty(0), 5).unwrap();
        game.handle_command(change, secs(6)).unwrap();
    }
    game.handle_command(GameCommand::SetRules(arbiters), secs(4)).unwrap();
}

#[test]
fn a_profile_is_not_changed_while_a_clock_runs_or_when_the_game_is_over() {
    let mut game = started(Profile::default());
    let change = GameCommand::SetRules(quickplay());
    assert_eq!(game.handle_command(change, secs(1)).unwrap_err().code(), "not-paused");
    command(&mut game, Command::Finish(Outcome::Drawn), 2).unwrap();
    assert_eq!(game.handle_command(change, secs(3)).unwrap_err().code(), "game-over");
}

#[test]
fn a_refused_action_changes_nothing_even_if_its_first_step_was_possible() {
    // The refusal comes after `illegal_move` has stopped the clocks, so the stop must be undone.
    let mut game = set_up(Profile::default(), minutes(3), Method::Hourglass);
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(1)).unwrap();
    let before = game.view(secs(2));
    let illegal = Action::IllegalMove { side: Side::White, claimed: false, award: None };
    assert_eq!(act(&mut game, illegal, 2).unwrap_err().code(), "no-undo");
    assert_eq!(game.view(secs(2)), before);
    assert_eq!(game.phase(), Phase::Running);
}

#[test]
fn a_new_game_keeps_nothing_of_the_rulings_before() {
    let mut game = started(quickplay());
    act(&mut game, claim(Side::White), 100).unwrap();
    let control = Control::single(minutes(5), Method::None);
    command(&mut game, Command::New { control, force: true }, 101).unwrap();
    assert_eq!((game.phase(), game.claim(), game.question()), (Phase::Ready, None, None));
    assert_eq!(game.profile(), Some(&quickplay()));
}

#[test]
fn s0_preface_an_offer_that_was_accepted_before_the_claim_ends_the_game() {
    let mut game = started(quickplay());
    let by = Claimant::Player(Side::White);
    let offer = Some(OfferAnswer::Accepted);
    let action = Action::ClaimDraw { by, ground: Ground::CannotWin, stop: true, offer };
    act(&mut game, action, 100).unwrap();
    assert_eq!(game.view(secs(100)).outcome, Some(Outcome::Drawn));
    assert_eq!(game.claim(), None);
}

#[test]
fn fide_a_5_1_1_after_ten_moves_each_the_setting_changes_only_for_the_schedule() {
    let profile = Profile { setting_moves: Some(10), ..Profile::default() };
    for (time, is_rapid) in [(minutes(30), true), (minutes(60), false)] {
        let mut game = set_up(profile, time, Method::None);
        command(&mut game, Command::Start, 0).unwrap();
        for at in 1..=19 {
            let side = if at % 2 == 1 { Side::White } else { Side::Black };
            game.handle_press(side, secs(at)).unwrap();
        }
        let method = Method::Increment(Span::from_secs(5));
        let change = |schedule_suffers| Action::ChangeMethod { method, schedule_suffers };
        command(&mut game, Command::Pause { by: Caller::Arbiter }, 20).unwrap();
        act(&mut game, change(false), 20).unwrap();
        command(&mut game, Command::Resume { side: None }, 20).unwrap();
        game.handle_press(Side::Black, secs(21)).unwrap();
        command(&mut game, Command::Pause { by: Caller::Arbiter }, 22).unwrap();
        let changed = act(&mut game, change(false), 22);
        assert_eq!(changed.is_err(), is_rapid);
        if is_rapid {
            assert_eq!(reason(changed), Reason::SettingFixed(10));
            act(&mut game, change(true), 22).unwrap();
        }
    }
}

#[test]
fn s0_6_4_the_buttons_are_exchanged_only_while_the_clocks_stand() {
    let mut game = set_up(Profile::default(), minutes(3), Method::None);
    let exchange = |game: &mut Game, exchanged, at| {
        game.handle_command(GameCommand::SetButtons(exchanged), secs(at))
    };
    exchange(&mut game, true, 0).unwrap();
    command(&mut game, Command::Start, 1).unwrap();
    assert_eq!(reason(exchange(&mut game, false, 2)), Reason::ButtonsFixed);
    assert!(game.buttons_exchanged());
    let control = Control::single(minutes(5), Method::None);
    command(&mut game, Command::New { control, force: true }, 3).unwrap();
    assert!(game.buttons_exchanged(), "the clock stays where it is");
    exchange(&mut game, false, 4).unwrap();
    assert!(!game.buttons_exchanged());
}

#[test]
fn before_the_start_another_profile_brings_its_own_end_at_the_flag() {
    let after_flag = Some(AfterFlag::Run);
    let runs_on = Profile { after_flag, ..Profile::default() };
    // With an increment both clocks stop at the first flag, unless the profile says otherwise.
    let mut game = set_up(Profile::default(), minutes(3), Method::Increment(Span::from_secs(2)));
    game.handle_command(GameCommand::SetRules(runs_on), secs(0)).unwrap();
    assert_eq!(game.clock().control().after_flag(), AfterFlag::Run);
    game.handle_command(GameCommand::SetRules(Profile::default()), secs(0)).unwrap();
    assert_eq!(game.clock().control().after_flag(), AfterFlag::Halt);
    // The `after_flag` in the terms of a control takes precedence over that of the profile, so
    // `runs_on` does not change it.
    let terms = crate::Terms { after_flag: Some(AfterFlag::Halt), ..crate::Terms::default() };
    let control = Control::new(game.clock().control().periods(), terms).unwrap();
    command(&mut game, Command::New { control, force: false }, 1).unwrap();
    game.handle_command(GameCommand::SetRules(runs_on), secs(1)).unwrap();
    assert_eq!(game.clock().control().after_flag(), AfterFlag::Halt);
}

#[test]
fn a_claim_that_has_concluded_the_game_keeps_its_profile() {
    let concludes = Profile {
        claim_stops: ClaimStops::Concludes,
        referral: crate::rules::Referral::Verified,
        ..quickplay()
    };
    let mut game = started(concludes);
    act(&mut game, claim(Side::White), 100).unwrap();
    let change = GameCommand::SetRules(Profile::default());
    assert_eq!(reason(game.handle_command(change, secs(101))), Reason::Concluded);
}

#[test]
fn s2_iii_6_1_no_method_and_no_penalty_changes_a_concluded_game() {
    let unsupervised =
        Profile { authority: Authority::Nobody, claim_stops: ClaimStops::Concludes, ..quickplay() };
    let mut game = started(unsupervised);
    act(&mut game, claim(Side::White), 100).unwrap();
    // With this authority the arbiter could act, so only the concluded game can be the reason for a
    // refusal.
    game.profile = Some(Profile { authority: Authority::Arbiter, ..unsupervised });
    let method = Method::Increment(Span::from_secs(5));
    let change = Action::ChangeMethod { method, schedule_suffers: true };
    assert_eq!(reason(act(&mut game, change, 101)), Reason::Concluded);
    for kind in [PenaltyKind::OpponentPlus, PenaltyKind::OffenderMinus] {
        let time = Span::from_secs(60);
        let penalty = Penalty { side: Side::White, kind, time, half_points: 0, cause: None };
        assert_eq!(reason(act(&mut game, Action::Penalize(penalty), 101)), Reason::Concluded);
    }
}
