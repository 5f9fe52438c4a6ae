//! `GameCommand::ChangeTimeControl`: a wrong time control is replaced during the game (S0 6.2a).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::*;
use crate::rules::profile::{ClaimStops, RateOfPlay};
use crate::rules::{Confirmation, GameState, Ruling};
use crate::{AfterFlag, EarlierClock, Overtime, Period, Recompute, Refused, Terms, TurnEvent};

/// Changes the time control, and keeps the times.
fn change(game: &mut Game, control: Control, at: u64) -> Result<(), GameRefused> {
    let recompute = Recompute::No;
    let command = GameCommand::ChangeTimeControl { control, recompute, schedule_suffers: false };
    game.handle_command(command, secs(at))
}

/// Changes the time control, and plays the turns so far again: White's clock ran for `ran` seconds.
fn recompute(game: &mut Game, control: Control, ran: u64, at: u64) -> Result<(), GameRefused> {
    let recompute = game.recompute(&control, [TurnEvent::Ran(Span::from_secs(ran))]);
    let command = GameCommand::ChangeTimeControl { control, recompute, schedule_suffers: false };
    game.handle_command(command, secs(at))
}

fn single(time: Span) -> Control {
    Control::single(time, Method::None)
}

fn pause(game: &mut Game, at: u64) {
    command(game, Command::Pause { by: Caller::Arbiter }, at).unwrap();
}

fn remaining(game: &Game) -> PerSide<Span> {
    game.view(game.last()).sides.map(|side| side.remaining)
}

#[test]
fn the_control_the_rate_and_the_end_at_the_flag_are_those_of_the_new_control() {
    let profile = Profile { after_flag: Some(AfterFlag::Halt), ..Profile::default() };
    let mut game = started(profile);
    assert_eq!(change(&mut game, single(minutes(90)), 5).unwrap_err().code(), "not-paused");
    pause(&mut game, 10);
    recompute(&mut game, single(minutes(90)), 10, 20).unwrap();
    assert_eq!(remaining(&game).white, Span::from_secs(90 * 60 - 10));
    assert_eq!(game.rate(), RateOfPlay::Standard);
    assert_eq!(game.clock().control().after_flag(), AfterFlag::Halt, "that of the profile");
    let terms = Terms { after_flag: Some(AfterFlag::Run), ..Terms::default() };
    let own = Control::new(single(minutes(90)).periods(), terms).unwrap();
    change(&mut game, own, 20).unwrap();
    assert_eq!(game.clock().control().after_flag(), AfterFlag::Run);
    command(&mut game, Command::Finish(Outcome::Drawn), 30).unwrap();
    assert_eq!(change(&mut game, own, 30).unwrap_err().code(), "game-over");
}

#[test]
fn without_a_profile_it_is_a_command_of_the_clock() {
    let setup = Setup {
        control: single(minutes(3)),
        profile: None,
        session: Session::WithGame,
        force: false,
    };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    recompute(&mut game, single(minutes(5)), 0, 0).unwrap();
    assert_eq!(remaining(&game), PerSide::both(minutes(5)));
}

#[test]
fn it_is_refused_while_a_claim_or_a_request_is_open_and_not_for_a_flag_or_a_stop() {
    let refused = Reason::ClaimNeedsControl;
    let mut game = started(quickplay());
    act(&mut game, claim(Side::White), 100).unwrap();
    assert_eq!(reason(change(&mut game, single(minutes(5)), 101)), refused);
    act(&mut game, rule(Ruling::Postpone), 102).unwrap();
    assert_eq!(reason(change(&mut game, single(minutes(5)), 103)), refused);
    act(&mut game, rule(Ruling::Reject), 104).unwrap();
    change(&mut game, single(minutes(5)), 105).unwrap();

    let mut game = started(Profile::default());
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 10).unwrap();
    assert_eq!(first_question(&game), Some(QuestionKind::Stop));
    change(&mut game, single(minutes(5)), 11).unwrap();
    act(&mut game, Action::rule(Ruling::Valid), 12).unwrap();

    let halts = Profile { after_flag: Some(AfterFlag::Halt), ..Profile::default() };
    let mut game = started(halts);
    game.handle_timeout(secs(200)).unwrap();
    let call = Action::ClaimFlag { by: Claimant::Player(Side::Black), evidence: Evidence::Flag };
    act(&mut game, call, 201).unwrap();
    recompute(&mut game, single(minutes(5)), 180, 202).unwrap();
    assert_eq!((game.phase(), first_question(&game)), (Phase::Paused, None));
    assert_eq!(remaining(&game).white, minutes(2));
}

#[test]
fn s2_iii_2_2_a_control_that_the_profile_forbids_is_refused() {
    let profile = Profile { increments_allowed: false, ..Profile::default() };
    let mut game = set_up(profile, minutes(60), Method::None);
    let with = Control::single(minutes(60), Method::Increment(Span::from_secs(30)));
    assert_eq!(reason(change(&mut game, with, 1)), Reason::WithIncrement);
    assert_eq!(game.clock().control(), &single(minutes(60)));
}

#[test]
fn fide_a_5_1_1_it_is_a_change_of_the_setting() {
    let mut game =
        set_up(Profile { setting_moves: Some(1), ..Profile::default() }, minutes(30), Method::None);
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(1)).unwrap();
    game.handle_press(Side::Black, secs(2)).unwrap();
    pause(&mut game, 3);
    let refused = change(&mut game, single(minutes(60)), 3);
    assert_eq!(reason(refused), Reason::SettingFixed(1));
    let control = single(minutes(60));
    let command = GameCommand::ChangeTimeControl {
        control,
        recompute: Recompute::No,
        schedule_suffers: true,
    };
    game.handle_command(command, secs(3)).unwrap();
}

#[test]
fn s2_iii_6_1_without_an_arbiter_it_needs_both_players_until_a_claim_concludes_the_game() {
    let unsupervised =
        Profile { authority: Authority::Nobody, claim_stops: ClaimStops::Concludes, ..quickplay() };
    let mut game = started(unsupervised);
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 10).unwrap();
    let refused = change(&mut game, single(minutes(5)), 10);
    assert_eq!(reason(refused), Reason::CorrectionNotConfirmed);
    let confirm = |by| Action::RecordConfirmation { by, what: Some(Confirmation::Correction) };
    act(&mut game, confirm(Side::White), 11).unwrap();
    act(&mut game, confirm(Side::Black), 11).unwrap();
    recompute(&mut game, single(minutes(4)), 10, 12).unwrap();
    let refused = change(&mut game, single(minutes(3)), 12);
    assert_eq!(reason(refused), Reason::CorrectionNotConfirmed, "for one correction");
    for by in Side::BOTH {
        act(&mut game, Action::RecordConfirmation { by, what: Some(Confirmation::Resume) }, 13)
            .unwrap();
    }
    command(&mut game, Command::Resume { side: None }, 13).unwrap();
    act(&mut game, claim(Side::White), 200).unwrap();
    assert_eq!(reason(change(&mut game, single(minutes(5)), 201)), Reason::Concluded);
}

#[test]
fn while_the_game_is_adjourned_it_is_refused() {
    let mut game = started(Profile { adjournment: true, ..Profile::default() });
    act(&mut game, Action::Adjourn { side: Side::White }, 10).unwrap();
    assert_eq!(reason(change(&mut game, single(minutes(5)), 11)), Reason::Adjourned);
    act(&mut game, Action::ResumeAdjourned, 12).unwrap();
    change(&mut game, single(minutes(5)), 13).unwrap();
}

#[test]
fn s2_iii_4_an_agreed_increment_stays_and_a_method_of_the_arbiter_ends() {
    let requests = Profile { requested_increment: Some(Span::from_secs(5)), ..quickplay() };
    let mut game = started(requests);
    act(&mut game, Action::RequestIncrement { by: Claimant::Player(Side::White) }, 100).unwrap();
    act(&mut game, Action::rule(Ruling::DrawRefused), 101).unwrap();
    act(&mut game, rule(Ruling::IncrementAgreed), 102).unwrap();
    change(&mut game, single(minutes(5)), 103).unwrap();
    assert_eq!(game.clock().changed_method(), Some(Method::Increment(Span::from_secs(5))));
    assert!(game.increment_agreed());

    let mut game = started(Profile::default());
    pause(&mut game, 10);
    let method = Method::Delay(Span::from_secs(5));
    act(&mut game, Action::ChangeMethod { method, schedule_suffers: false }, 11).unwrap();
    change(&mut game, single(minutes(5)), 12).unwrap();
    assert_eq!(game.clock().changed_method(), None);
}

#[test]
fn no_time_used_is_restored_as_time_left_and_no_time_left_as_time_used() {
    let up = Control::new(
        &[Period {
            moves: None,
            time: PerSide::default(),
            method: PerSide::both(Method::CountUp { limit: None }),
        }],
        Terms::default(),
    )
    .unwrap();
    for (first, second) in [(up, single(minutes(10))), (single(minutes(10)), up)] {
        let setup =
            Setup { control: first, profile: None, session: Session::WithGame, force: false };
        let mut game = Game::new(&setup, Instant::ZERO).unwrap();
        command(&mut game, Command::Start, 0).unwrap();
        game.handle_press(Side::White, secs(15)).unwrap();
        let then = EarlierClock::from(&game);
        pause(&mut game, 30);
        let ran = TurnEvent::Ran(Span::from_secs(15));
        let recompute = game.recompute(&second, [ran, TurnEvent::Completed, ran]);
        let command =
            GameCommand::ChangeTimeControl { control: second, recompute, schedule_suffers: false };
        game.handle_command(command, secs(30)).unwrap();
        let before = game.view(secs(40));
        let refused = game.handle_command(GameCommand::Rewind(then), secs(40));
        assert_eq!(refused, Err(Refused::OtherControl.into()));
        assert_eq!(game.view(secs(40)), before);
    }
}

#[test]
fn a_restore_to_a_move_before_the_change_keeps_the_new_control() {
    let two = |first| {
        let period = |moves, time, method| Period {
            moves,
            time: PerSide::both(time),
            method: PerSide::both(method),
        };
        let delay = Method::Delay(Span::from_secs(5));
        let periods = [period(Some(1), first, delay), period(None, minutes(1), delay)];
        Control::new(&periods, Terms::default()).unwrap()
    };
    let setup = Setup {
        control: two(minutes(10)),
        profile: Some(Profile::default()),
        session: Session::WithGame,
        force: false,
    };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(15)).unwrap();
    game.handle_press(Side::Black, secs(22)).unwrap();
    game.handle_timeout(secs(24)).unwrap();
    let then = EarlierClock::from(&game);
    pause(&mut game, 30);
    change(&mut game, single(minutes(20)), 30).unwrap();
    game.handle_command(GameCommand::Rewind(then), secs(40)).unwrap();
    assert_eq!(game.clock().control(), &single(minutes(20)));
    let view = game.view(secs(40));
    let white = (view.sides.white.remaining, view.sides.white.period, view.sides.white.delay);
    // White has the time of the earlier state, in which the former control held. No delay is left,
    // because the new control has none.
    assert_eq!(white, (Span::from_secs(11 * 60 - 10), 1, Span::ZERO));
    assert_eq!(command(&mut game, Command::UndoPress, 40).unwrap_err().code(), "nothing-to-undo");

    // An overtime that has begun does not fit a control with fewer periods of overtime. It fits one
    // with more periods, and the state before that change can be restored.
    let overtime = Method::Overtime(Overtime { periods: 3, time: minutes(1), moves: 1 });
    let mut game = set_up(Profile::default(), Span::ZERO, overtime);
    let then = EarlierClock::from(&game);
    let shorter = Method::Overtime(Overtime { periods: 2, time: minutes(1), moves: 1 });
    assert_eq!(
        change(&mut game, Control::single(Span::ZERO, shorter), 1).unwrap_err().code(),
        "control-unfit"
    );
    let longer = Method::Overtime(Overtime { periods: 5, time: minutes(1), moves: 1 });
    change(&mut game, Control::single(Span::ZERO, longer), 1).unwrap();
    game.handle_command(GameCommand::Rewind(then), secs(2)).unwrap();
}

#[test]
fn s0_6_11_the_state_after_a_change_is_taken_over() {
    let delay = Control::single(minutes(3), Method::Delay(Span::from_secs(9)));
    let profile = Some(Profile::default());
    let setup = |control| Setup { control, profile, session: Session::WithGame, force: true };
    let mut game = Game::new(&setup(delay), Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    pause(&mut game, 2);
    change(&mut game, single(minutes(5)), 3).unwrap();
    let state = GameState::from(&game);
    let taken = state.game(&setup(single(minutes(5))), secs(3)).unwrap();
    assert_eq!(taken.view(secs(3)), game.view(secs(3)));
    assert_eq!(GameState::from(&taken), state);
}
