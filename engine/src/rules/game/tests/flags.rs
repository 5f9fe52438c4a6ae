//! Flags that are annulled or that forbid an award, the ruling that the moves were made, and
//! rulings on flags that are replaced, repeated or taken back.

use super::*;

/// A game in which both flags are down. Each side has six minutes for the first move. If Black had
/// completed that move in time, both sides would have got six minutes more.
fn set_back() -> Game {
    let period = |moves| crate::Period {
        moves,
        time: PerSide::both(minutes(6)),
        method: PerSide::both(Method::None),
    };
    let period_end = crate::PeriodEnd::BlackCompletes { pause: false };
    let terms = crate::Terms { period_end, ..crate::Terms::default() };
    let control = Control::new(&[period(Some(1)), period(None)], terms).unwrap();
    let session = Session::WithGame;
    let setup = Setup { control, profile: Some(Profile::default()), session, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    // White's flag falls at 360 s, and Black's at 560 s + 360 s.
    game.handle_press(Side::White, secs(560)).unwrap();
    game.handle_timeout(secs(1_000)).unwrap();
    game
}

#[test]
fn a_flag_that_the_arbiter_annulled_with_time_is_no_longer_in_question() {
    let mut game = set_back();
    let sides: Vec<_> = game.questions().iter().map(|question| question.side).collect();
    assert_eq!(sides, [Some(Side::White)]);
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 1_000).unwrap();
    let add = Command::Add { side: Side::White, delta_ns: 60_000_000_000 };
    command(&mut game, add, 1_001).unwrap();
    let sides: Vec<_> = game.questions().iter().map(|question| question.side).collect();
    assert_eq!(sides, [Some(Side::Black)]);
    act(&mut game, rule(Ruling::Made), 1_002).unwrap();
    let white = game.view(secs(1_002)).sides.white;
    assert_eq!(
        (white.period, white.remaining),
        (2, minutes(7)),
        "set back with Black's control move"
    );
    assert_eq!(game.question(), None);
}

#[test]
fn a_flagged_player_gets_no_award_for_an_illegal_move() {
    let mut game = set_back();
    game.handle_press(Side::Black, secs(1_010)).unwrap();
    let award = Some(minutes(1));
    let illegal = Action::IllegalMove { side: Side::Black, claimed: false, award };
    assert!(matches!(reason(act(&mut game, illegal, 1_011)), Reason::AwardToFlagged { .. }));
    assert!(game.view(secs(1_011)).sides.white.out_of_time);
}

#[test]
fn a_ruling_that_drew_the_game_for_an_unknown_order_can_be_taken_back() {
    let both_flags = crate::rules::BothFlags::Drawn;
    let mut game = started(Profile { both_flags, ..Profile::default() });
    game.handle_timeout(secs(181)).unwrap();
    game.handle_press(Side::White, secs(182)).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    let defect = crate::rules::IncidentKind::Defect;
    act(&mut game, Action::Incident { side: Side::White, kind: defect }, 401).unwrap();
    act(&mut game, rule(Ruling::OrderUnknown), 402).unwrap();
    assert_eq!(game.view(secs(402)).outcome, Some(Outcome::Drawn));
    command(&mut game, Command::Reopen, 403).unwrap();
    assert_eq!(game.question(), Some(QuestionKind::FlagOrder));
    assert_eq!(game.view(secs(403)).first_flag, Some(Side::White));
}

/// A game with one minute for five moves and then three minutes. Both sides have entered the second
/// period, because White's first minute is used up (`PeriodEnd::Zero`).
fn at_zero() -> Game {
    let period = |moves, time| crate::Period {
        moves,
        time: PerSide::both(minutes(time)),
        method: PerSide::both(Method::None),
    };
    let terms = crate::Terms { period_end: crate::PeriodEnd::Zero, ..crate::Terms::default() };
    let control = Control::new(&[period(Some(5), 1), period(None, 3)], terms).unwrap();
    let session = Session::WithGame;
    let setup = Setup { control, profile: Some(Profile::default()), session, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_timeout(secs(70)).unwrap();
    game
}

fn call(by: Side) -> Action {
    Action::ClaimFlag { by: Claimant::Player(by), evidence: Evidence::Flag }
}

#[test]
fn the_final_flag_decides_though_the_flag_of_an_earlier_period_was_never_answered() {
    let mut game = at_zero();
    game.handle_press(Side::White, secs(71)).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    assert_eq!(game.view(secs(400)).first_flag, Some(Side::Black));
    act(&mut game, call(Side::White), 401).unwrap();
    act(&mut game, rule(Ruling::Lost), 402).unwrap();
    assert_eq!(game.view(secs(402)).outcome, Some(Outcome::WhiteWins));
}

#[test]
fn made_annuls_a_flag_after_which_play_went_on_and_keeps_the_period() {
    let mut game = at_zero();
    act(&mut game, rule(Ruling::Made), 70).unwrap();
    let view = game.view(secs(70));
    assert_eq!((view.phase, view.sides.white.flag), (Phase::Paused, None));
    assert_eq!((view.sides.white.period, view.sides.white.remaining), (2, Span::from_secs(170)));
    assert_eq!(game.question(), None);
}

#[test]
fn an_answer_about_the_moves_can_be_replaced_by_another_one() {
    let mut game = at_zero();
    act(&mut game, call(Side::Black), 70).unwrap();
    act(&mut game, rule(Ruling::NotEstablished), 71).unwrap();
    let again = act(&mut game, rule(Ruling::NotEstablished), 72);
    assert_eq!(reason(again), Reason::FlagAnswered);
    act(&mut game, rule(Ruling::NotMade), 73).unwrap();
    assert_eq!(game.phase(), Phase::Ruling);
    act(&mut game, rule(Ruling::Made), 74).unwrap();
    assert_eq!(game.phase(), Phase::Paused);
    command(&mut game, Command::Resume { side: None }, 75).unwrap();
}

#[test]
fn an_order_that_is_ruled_unknown_is_not_ruled_on_again() {
    let mut game = started(Profile::default());
    game.handle_timeout(secs(181)).unwrap();
    game.handle_press(Side::White, secs(182)).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    let defect = crate::rules::IncidentKind::Defect;
    act(&mut game, Action::Incident { side: Side::White, kind: defect }, 401).unwrap();
    act(&mut game, rule(Ruling::OrderUnknown), 402).unwrap();
    let again = act(&mut game, rule(Ruling::OrderUnknown), 403);
    assert_eq!(reason(again), Reason::OrderUnknown);
}

/// Both flags have fallen in the first of two periods, and it is ruled that their order is unknown.
/// White gets the time of the second period, and only then Black.
#[test]
fn s4_6_12_a_flag_of_an_unknown_order_decides_nothing_after_the_other_one_was_annulled() {
    let control = Control::new(
        &[period(Some(2), 1, 0), period(None, 1, 0)],
        crate::Terms { after_flag: Some(crate::AfterFlag::Run), ..crate::Terms::default() },
    )
    .unwrap();
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::Unknown, force: true };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    let time_for = |side| {
        let mut correction = crate::Correction::default();
        correction.period[side] = Some(2);
        correction.time[side] = Some(minutes(1));
        Command::Set(correction)
    };
    let resume = Command::Resume { side: None };
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(70)).unwrap();
    let defect = crate::rules::IncidentKind::Defect;
    act(&mut game, Action::Incident { side: Side::White, kind: defect }, 131).unwrap();
    act(&mut game, rule(Ruling::OrderUnknown), 132).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 133).unwrap();
    command(&mut game, time_for(Side::White), 134).unwrap();
    // Another clock takes the ruling over, too.
    let state = crate::rules::GameState::from(&game).for_another_clock();
    for mut game in [game, state.game(&setup, secs(134)).unwrap()] {
        let lacks = Reason::NextPeriodNotGiven(Side::Black);
        assert_eq!(reason(command(&mut game, resume, 135)), lacks);
        assert_eq!(reason(act(&mut game, call(Side::White), 135)), Reason::NoFlag);
        command(&mut game, time_for(Side::Black), 136).unwrap();
        command(&mut game, resume, 137).unwrap();
        game.handle_press(Side::Black, secs(138)).unwrap();
        // White's second minute is used up.
        act(&mut game, call(Side::Black), 199).unwrap();
        assert_eq!(game.view(secs(199)).first_flag, Some(Side::White));
        assert_eq!(game.phase(), Phase::Ruling);
    }
}

#[test]
fn both_players_confirm_an_unknown_order_again_after_a_flag_was_annulled() {
    let mut game = started(Profile { authority: Authority::Nobody, ..Profile::default() });
    let confirm = |by| {
        let what = Some(crate::rules::Confirmation::OrderUnknown);
        Action::RecordConfirmation { by, what }
    };
    game.handle_timeout(secs(181)).unwrap();
    game.handle_press(Side::White, secs(182)).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    let defect = crate::rules::IncidentKind::Defect;
    act(&mut game, Action::Incident { side: Side::White, kind: defect }, 401).unwrap();
    act(&mut game, confirm(Side::White), 402).unwrap();
    // Black gets a minute, which annuls Black's flag. Later the flag falls again.
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 403).unwrap();
    for by in Side::BOTH {
        let what = Some(crate::rules::Confirmation::Correction);
        act(&mut game, Action::RecordConfirmation { by, what }, 404).unwrap();
    }
    let add = Command::Add { side: Side::Black, delta_ns: 60_000_000_000 };
    command(&mut game, add, 404).unwrap();
    game.handle_press(Side::White, secs(405)).unwrap();
    game.handle_press(Side::Black, secs(405)).unwrap();
    game.handle_timeout(secs(500)).unwrap();
    act(&mut game, confirm(Side::Black), 501).unwrap();
    assert_eq!(game.question(), Some(QuestionKind::FlagOrder), "White has not confirmed it yet");
    act(&mut game, confirm(Side::White), 502).unwrap();
    assert_eq!(game.question(), None);
}

/// A period with a time in minutes and an increment in seconds.
fn period(moves: Option<u32>, time: u64, increment: u64) -> crate::Period {
    let method = match increment {
        0 => Method::None,
        _ => Method::Increment(Span::from_secs(increment)),
    };
    let (time, method) = (PerSide::both(minutes(time)), PerSide::both(method));
    crate::Period { moves, time, method }
}

/// Rules at 500 s that the moves of the first period (6 minutes) were made. White has pressed once
/// before its flag and `presses_after_flag` times after it. `increments` has the increment of each
/// of the two periods, in seconds. Returns White's time left.
fn left_after_made(
    moves_due: u32,
    presses_after_flag: u32,
    increments: [u64; 2],
    period_end: crate::PeriodEnd,
) -> Span {
    let first = period(Some(moves_due), 6, increments[0]);
    let last = period(None, 6, increments[1]);
    let after_flag = Some(crate::AfterFlag::Run);
    let terms = crate::Terms { after_flag, period_end, ..crate::Terms::default() };
    let control = Control::new(&[first, last], terms).unwrap();
    let session = Session::WithGame;
    let setup = Setup { control, profile: Some(Profile::default()), session, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    for at in [240, 240] {
        game.handle_press(game.view(secs(at)).on_move, secs(at)).unwrap();
    }
    // White's flag falls at 380 s if the first increment is 10 s, and at 360 s if it is 0.
    for _ in 0..presses_after_flag {
        game.handle_press(Side::White, secs(500)).unwrap();
        game.handle_press(Side::Black, secs(500)).unwrap();
    }
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 500).unwrap();
    let before = game;
    act(&mut game, rule(Ruling::Made), 500).unwrap();
    let made = GameCommand::from(rule(Ruling::Made));
    let events: Vec<_> = before.turn_events(Some(&made), &game, secs(500)).into_iter().collect();
    let ruled = crate::TurnEvent::Unknown(crate::UnknownTurns::Ruled);
    assert_eq!(events, [ruled], "the period was not given by a turn");
    game.view(secs(500)).sides.white.remaining
}

#[test]
fn made_gives_the_increment_of_the_move_that_completes_the_period() {
    let left = Span::from_secs(6 * 60 + 10 - 120);
    for (moves_due, presses_after_flag) in [(2, 0), (2, 1), (2, 3), (5, 0), (5, 1)] {
        let end = crate::PeriodEnd::Moves;
        assert_eq!(left_after_made(moves_due, presses_after_flag, [10, 10], end), left);
    }
    // White's flag falls at 360 s.
    let left = Span::from_secs(6 * 60 + 10 - 140);
    assert_eq!(left_after_made(5, 0, [0, 10], crate::PeriodEnd::Moves), left);
}

#[test]
fn made_gives_no_increment_if_the_time_is_added_in_the_middle_of_a_turn() {
    let left = Span::from_secs(6 * 60 - 120);
    for moves_due in [2, 5] {
        let end = crate::PeriodEnd::MovesAtZero;
        assert_eq!(left_after_made(moves_due, 0, [10, 10], end), left);
    }
}

#[test]
fn the_moves_of_the_largest_period_can_be_made() {
    let period = crate::Period {
        moves: Some(40),
        time: PerSide::both(minutes(3)),
        method: PerSide::both(Method::None),
    };
    let terms = crate::Terms { repeat: true, ..crate::Terms::default() };
    let control = Control::new(&[period], terms).unwrap();
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    let mut correction = crate::Correction::default();
    correction.period.white = Some(u32::MAX);
    command(&mut game, Command::Set(correction), 0).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_timeout(secs(181)).unwrap();
    act(&mut game, rule(Ruling::Made), 182).unwrap();
    assert_eq!(game.view(secs(182)).sides.white.period, u32::MAX);
}
