//! `GameCommand::Rewind`: the clock is restored to an earlier state of the game (S0 6.14).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::*;
use crate::rules::SideNotes;
use crate::rules::action::{IncidentKind, Penalty, PenaltyCause};
use crate::rules::profile::PenaltyKind;
use crate::{AfterFlag, EarlierClock, Overtime, PausedBy, Period, Terms, View};

fn earlier(game: &Game) -> EarlierClock {
    EarlierClock::from(game)
}

fn rewind(game: &mut Game, earlier: EarlierClock, at: u64) -> Result<(), GameRefused> {
    game.handle_command(GameCommand::Rewind(earlier), secs(at))
}

fn pause(game: &mut Game, at: u64) {
    command(game, Command::Pause { by: Caller::Arbiter }, at).unwrap();
}

/// The game after `moves` presses. White's moves take 10 s each and Black's 20 s.
fn after(game: Game, moves: u64) -> Game {
    after_more(game, 0, moves)
}

/// Makes the presses with the numbers from `from` to `to` - 1.
fn after_more(mut game: Game, from: u64, to: u64) -> Game {
    for number in from..to {
        let (round, side) = (number / 2, Side::BOTH[usize::from(number % 2 == 1)]);
        let at = 30 * round + if side == Side::White { 10 } else { 30 };
        game.handle_press(side, secs(at)).unwrap();
    }
    events(&mut game);
    game
}

fn remaining(view: &View) -> PerSide<Span> {
    view.sides.map(|side| side.remaining)
}

#[test]
fn s0_6_14_the_clock_stands_as_it_did_right_after_an_earlier_move() {
    let mut game = after(started(Profile::default()), 3);
    let third = game.view(game.last());
    let state = earlier(&game);
    game = after_more(game, 3, 6);
    pause(&mut game, 200);
    rewind(&mut game, state, 210).unwrap();
    let view = game.view(secs(210));
    assert_eq!(view.sides, third.sides);
    assert_eq!((view.phase, view.on_move), (Phase::Paused, Side::Black));
    assert_eq!(view.paused_by, Some(PausedBy::Caller(Caller::Arbiter)));
    assert_eq!((game.last(), events(&mut game)), (secs(210), vec![]));
    // From there the clock goes on.
    command(&mut game, Command::Resume { side: None }, 300).unwrap();
    game.handle_press(Side::Black, secs(305)).unwrap();
    let black = game.view(secs(305)).sides.black;
    assert_eq!((black.remaining, black.moves), (Span::from_secs(155), 2));
}

#[test]
fn a_clock_that_ran_is_charged_to_the_instant_of_its_state() {
    let mut game = set_up(Profile::default(), minutes(3), Method::Delay(Span::from_secs(5)));
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_timeout(secs(2)).unwrap();
    let in_the_delay = earlier(&game);
    game.handle_timeout(secs(9)).unwrap();
    let beyond_it = earlier(&game);
    pause(&mut game, 100);
    rewind(&mut game, in_the_delay, 100).unwrap();
    let white = game.view(secs(100)).sides.white;
    assert_eq!((white.remaining, white.delay), (minutes(3), Span::from_secs(3)));
    rewind(&mut game, beyond_it, 100).unwrap();
    let white = game.view(secs(100)).sides.white;
    assert_eq!((white.remaining, white.delay), (Span::from_secs(176), Span::ZERO));
}

#[test]
fn periods_counters_and_overtime_are_restored() {
    let overtime = Method::Overtime(Overtime { periods: 3, time: Span::from_secs(10), moves: 2 });
    let period = |moves, method| Period {
        moves,
        time: PerSide::both(Span::from_secs(20)),
        method: PerSide::both(method),
    };
    let periods = [period(Some(1), Method::None), period(None, overtime)];
    let control = Control::new(&periods, Terms::default()).unwrap();
    let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    let begun = earlier(&game);
    game.handle_press(Side::White, secs(10)).unwrap();
    game.handle_press(Side::Black, secs(20)).unwrap();
    // White's 30 s are used up, and then the first period of overtime. The second one runs.
    game.handle_timeout(secs(65)).unwrap();
    let in_overtime = (earlier(&game), game.view(secs(65)));
    pause(&mut game, 66);
    rewind(&mut game, begun, 70).unwrap();
    let white = game.view(secs(70)).sides.white;
    assert_eq!((white.period, white.moves, white.overtime), (1, 0, None));
    rewind(&mut game, in_overtime.0, 71).unwrap();
    let view = game.view(secs(71));
    assert_eq!(view.sides, in_overtime.1.sides);
    assert!(view.sides.white.overtime.is_some());
}

#[test]
fn a_method_that_was_changed_later_stays() {
    let mut game = started(Profile::default());
    let state = earlier(&game);
    pause(&mut game, 10);
    let method = Method::Increment(Span::from_secs(5));
    act(&mut game, Action::ChangeMethod { method, schedule_suffers: true }, 10).unwrap();
    rewind(&mut game, state, 20).unwrap();
    command(&mut game, Command::Resume { side: None }, 20).unwrap();
    game.handle_press(Side::White, secs(30)).unwrap();
    assert_eq!(game.view(secs(30)).sides.white.remaining, Span::from_secs(175));
    // In the restored state another method was in force, so the turn has the whole delay of the
    // present method.
    let with_increment = earlier(&game);
    pause(&mut game, 30);
    let method = Method::Delay(Span::from_secs(7));
    act(&mut game, Action::ChangeMethod { method, schedule_suffers: true }, 30).unwrap();
    rewind(&mut game, with_increment, 31).unwrap();
    let black = game.view(secs(31)).sides.black;
    assert_eq!((black.remaining, black.delay), (minutes(3), Span::from_secs(7)));
    assert_eq!(command(&mut game, Command::UndoPress, 31).unwrap_err().code(), "nothing-to-undo");
}

#[test]
fn an_agreed_increment_stays_in_force_after_a_rewind() {
    let requested_increment = Some(Span::from_secs(5));
    let mut game = started(Profile { requested_increment, ..quickplay() });
    let request = Action::RequestIncrement { by: Claimant::Player(Side::White) };
    game.handle_timeout(secs(100)).unwrap();
    let before = earlier(&game);
    act(&mut game, request, 100).unwrap();
    act(&mut game, Action::rule(Ruling::DrawRefused), 101).unwrap();
    act(&mut game, rule(Ruling::IncrementAgreed), 102).unwrap();
    rewind(&mut game, before, 110).unwrap();
    command(&mut game, Command::Resume { side: None }, 120).unwrap();
    for action in [request, claim(Side::White)] {
        let refused = reason(act(&mut game, action, 121));
        assert!(matches!(refused, Reason::RequestAgreed { .. }), "{refused:?}");
    }
}

#[test]
fn a_flag_that_fell_later_is_annulled_and_the_question_is_gone() {
    for after_flag in [AfterFlag::Run, AfterFlag::Halt] {
        let profile = Profile { after_flag: Some(after_flag), ..Profile::default() };
        let mut game = started(profile);
        let state = earlier(&game);
        game.handle_timeout(secs(200)).unwrap();
        assert_eq!(first_question(&game), Some(QuestionKind::Flag));
        let _ = game.handle_command(Command::Pause { by: Caller::Arbiter }.into(), secs(200));
        rewind(&mut game, state, 210).unwrap();
        let view = game.view(secs(210));
        assert_eq!(
            (view.phase, view.first_flag, view.sides.white.flag),
            (Phase::Paused, None, None)
        );
        assert_eq!((remaining(&view), game.question()), (PerSide::both(minutes(3)), None));
    }
}

#[test]
fn a_flag_that_was_down_then_is_down_again() {
    for after_flag in [AfterFlag::Run, AfterFlag::Halt] {
        let profile = Profile { after_flag: Some(after_flag), ..Profile::default() };
        let mut game = started(profile);
        game.handle_timeout(secs(200)).unwrap();
        let (state, then) = (earlier(&game), game.view(secs(200)));
        let _ = game.handle_command(Command::Pause { by: Caller::Arbiter }.into(), secs(200));
        let add = Command::Add { side: Side::White, delta_ns: 60_000_000_000 };
        command(&mut game, add, 210).unwrap();
        assert_eq!(game.question(), None);
        rewind(&mut game, state, 220).unwrap();
        let view = game.view(secs(220));
        assert_eq!((view.sides, view.first_flag), (then.sides, Some(Side::White)));
        // A clock that halts at the flag does not go on before a ruling.
        let phase = if after_flag == AfterFlag::Run { Phase::Paused } else { Phase::Ruling };
        assert_eq!((view.phase, first_question(&game)), (phase, Some(QuestionKind::Flag)));
        act(&mut game, Action::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag }, 230)
            .unwrap();
        act(&mut game, rule(Ruling::Lost), 231).unwrap();
    }
}

#[test]
fn what_was_said_of_a_flag_that_stands_stays() {
    let profile = Profile { after_flag: Some(AfterFlag::Run), ..Profile::default() };
    let mut game = started(profile);
    game.handle_timeout(secs(200)).unwrap();
    act(&mut game, Action::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag }, 210)
        .unwrap();
    let state = earlier(&game);
    rewind(&mut game, state, 220).unwrap();
    act(&mut game, rule(Ruling::Lost), 230).unwrap();
}

#[test]
fn s0_6_12_the_ruling_that_the_order_is_unknown_ends_with_the_second_flag() {
    let profile = Profile { after_flag: Some(AfterFlag::Run), ..Profile::default() };
    let mut game = started(profile);
    game.handle_timeout(secs(190)).unwrap();
    let one_flag = earlier(&game);
    game.handle_press(Side::White, secs(200)).unwrap();
    game.handle_timeout(secs(400)).unwrap();
    let kind = IncidentKind::Defect;
    act(&mut game, Action::Incident { side: Side::White, kind }, 410).unwrap();
    act(&mut game, rule(Ruling::OrderUnknown), 411).unwrap();
    pause(&mut game, 412);
    rewind(&mut game, one_flag, 420).unwrap();
    assert_eq!(game.view(secs(420)).first_flag, Some(Side::White));
    assert_eq!(first_question(&game), Some(QuestionKind::Flag));
}

#[test]
fn what_was_claimed_or_asked_later_is_closed_and_the_arrivals_stay() {
    let illegal_loses_at = 1;
    let requested_increment = Some(Span::from_secs(5));
    let profile = Profile { illegal_loses_at, requested_increment, ..quickplay() };
    let mut game = started(profile);
    act(&mut game, Action::Arrive(Side::White), 5).unwrap();
    game.handle_press(Side::White, secs(90)).unwrap();
    game.handle_press(Side::Black, secs(91)).unwrap();
    let state = earlier(&game);
    let request = Action::RequestIncrement { by: Claimant::Player(Side::White) };
    let illegal = Action::IllegalMove { side: Side::Black, claimed: false, award: None };
    let asked: [GameCommand; 4] = [
        claim(Side::White).into(),
        request.into(),
        illegal.into(),
        Command::Pause { by: Caller::Player(Side::White) }.into(),
    ];
    for asked in asked {
        let mut game = game;
        game.handle_command(asked, secs(100)).unwrap();
        assert!(game.question().is_some(), "{asked:?}");
        // If the question was already open in the restored state, it stays open.
        let mut since = game;
        rewind(&mut since, earlier(&game), 101).unwrap();
        assert_eq!(since.question(), game.question(), "{asked:?}");
        rewind(&mut game, state, 110).unwrap();
        assert_eq!((game.phase(), game.question()), (Phase::Paused, None), "{asked:?}");
        assert_eq!(game.view(secs(110)).sides.white.remaining, Span::from_secs(90));
        let again = act(&mut game, Action::Arrive(Side::White), 111);
        assert_eq!(reason(again), Reason::AlreadyArrived(Side::White));
    }
}

#[test]
fn counts_of_illegal_moves_warnings_and_penalties_stay() {
    let mut game = started(Profile { illegal_loses_at: 3, ..Profile::default() });
    let state = earlier(&game);
    game.handle_press(Side::White, secs(10)).unwrap();
    let illegal = Action::IllegalMove { side: Side::White, claimed: false, award: None };
    act(&mut game, illegal, 15).unwrap();
    let penalty = |side, kind, half_points| {
        let (time, cause) = (Span::ZERO, Some(PenaltyCause::Force));
        Action::Penalize(Penalty { side, kind, time, half_points, cause })
    };
    for action in [
        Action::Incident { side: Side::White, kind: IncidentKind::Force },
        penalty(Side::White, PenaltyKind::Warning, 0),
        penalty(Side::White, PenaltyKind::OpponentPoints, 1),
        penalty(Side::Black, PenaltyKind::PointsOff, 2),
        Action::Incident { side: Side::Black, kind: IncidentKind::Lift },
    ] {
        act(&mut game, action, 20).unwrap();
    }
    let expected = PerSide {
        white: SideNotes {
            illegal_moves: 1,
            warnings: 1,
            force_warning: true,
            arrived: true,
            ..SideNotes::default()
        },
        black: SideNotes {
            penalty_due: true,
            half_points_off: 2,
            half_points_given: 1,
            ..SideNotes::default()
        },
    };
    let notes = |game: &Game| PerSide {
        white: game.side_notes(Side::White),
        black: game.side_notes(Side::Black),
    };
    assert_eq!(notes(&game), expected);
    rewind(&mut game, state, 30).unwrap();
    assert_eq!(notes(&game), expected);
}

#[test]
fn a_press_before_that_state_is_taken_back_with_a_claim_made_since() {
    let mut game = started(quickplay());
    game.handle_press(Side::White, secs(70)).unwrap();
    game.handle_press(Side::Black, secs(80)).unwrap();
    act(&mut game, claim(Side::White), 90).unwrap();
    act(&mut game, rule(Ruling::Postpone), 91).unwrap();
    let state = earlier(&game);
    command(&mut game, Command::Resume { side: None }, 92).unwrap();
    game.handle_press(Side::White, secs(95)).unwrap();
    pause(&mut game, 96);
    // The claim was made after Black's press and before White's last press. So it stays if White's press
    // is taken back, and is closed if Black's press is.
    let mut of_white = game;
    command(&mut of_white, Command::UndoPress, 97).unwrap();
    assert!(of_white.claim().is_some());
    rewind(&mut game, state, 97).unwrap();
    assert!(game.claim().is_some());
    command(&mut game, Command::UndoPress, 98).unwrap();
    assert_eq!((game.claim(), game.phase()), (None, Phase::Paused));
}

#[test]
fn s0_6_14_a_flag_call_and_an_answer_that_came_later_are_dropped() {
    let mut game = started(Profile { after_flag: Some(AfterFlag::Run), ..Profile::default() });
    game.handle_timeout(secs(190)).unwrap();
    let fallen = earlier(&game);
    let by = Claimant::Player(Side::Black);
    act(&mut game, Action::ClaimFlag { by, evidence: Evidence::Flag }, 191).unwrap();
    let called = earlier(&game);
    assert_eq!(game.phase(), Phase::Ruling);
    act(&mut game, rule(Ruling::NotMade), 192).unwrap();
    let answered = earlier(&game);
    let answer = |game: &Game| game.facts.sides.white.flag.map(|flag| flag.answer.is_some());
    for (state, phase, is_answered) in [
        (answered, Phase::Ruling, true),
        (called, Phase::Ruling, false),
        (fallen, Phase::Paused, false),
    ] {
        rewind(&mut game, state, 200).unwrap();
        assert_eq!((game.phase(), answer(&game)), (phase, Some(is_answered)));
    }
    act(&mut game, Action::ClaimFlag { by, evidence: Evidence::Flag }, 201).unwrap();
}

#[test]
fn the_press_before_that_state_can_be_taken_back() {
    let mut game = after(started(Profile::default()), 1);
    let state = earlier(&game);
    game = after_more(game, 1, 4);
    pause(&mut game, 100);
    rewind(&mut game, state, 100).unwrap();
    command(&mut game, Command::UndoPress, 101).unwrap();
    let view = game.view(secs(101));
    assert_eq!((view.on_move, view.sides.white.moves), (Side::White, 0));
    assert_eq!(command(&mut game, Command::UndoPress, 102).unwrap_err().code(), "nothing-to-undo");
}

#[test]
fn it_is_refused_where_a_correction_is() {
    let ready = set_up(Profile::default(), minutes(3), Method::None);
    let state = earlier(&started(Profile::default()));
    let running = started(Profile::default());
    let mut over = running;
    command(&mut over, Command::Finish(Outcome::Drawn), 10).unwrap();
    let mut adjourned = running;
    act(&mut adjourned, Action::Adjourn { side: Side::White }, 10).unwrap();
    let correction = GameCommand::Clock(Command::Set(crate::Correction::default()));
    for (mut game, expected) in [
        (ready, None),
        (running, Some("not-paused")),
        (over, Some("game-over")),
        (adjourned, Some("refused-by-rules")),
    ] {
        game.handle_timeout(secs(20)).unwrap();
        let before = game;
        let refused = rewind(&mut game, state, 20).map_err(GameRefused::code);
        assert_eq!(refused.err(), expected);
        if expected.is_some() {
            assert_eq!(game, before);
        }
        let mut corrected = before;
        let of_correction =
            corrected.handle_command(correction, secs(20)).map_err(GameRefused::code);
        assert_eq!(of_correction.err(), expected);
    }
}

#[test]
fn a_state_of_another_control_is_refused() {
    let period = |moves| Period {
        moves,
        time: PerSide::both(minutes(1)),
        method: PerSide::both(Method::None),
    };
    let terms = Terms { period_end: crate::PeriodEnd::Zero, ..Terms::default() };
    let control = Control::new(&[period(Some(40)), period(None)], terms).unwrap();
    let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
    let mut other = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut other, Command::Start, 0).unwrap();
    other.handle_timeout(secs(70)).unwrap();
    let mut game = set_up(Profile::default(), minutes(3), Method::None);
    let before = game;
    assert_eq!(rewind(&mut game, earlier(&other), 0).unwrap_err().code(), "other-control");
    assert_eq!(game, before);
}

#[test]
fn an_instant_of_the_future_becomes_the_latest_possible() {
    let profile = Profile { after_flag: Some(AfterFlag::Run), ..Profile::default() };
    let mut game = started(profile);
    game.handle_press(Side::White, secs(10)).unwrap();
    game.handle_timeout(secs(200)).unwrap();
    game.handle_press(Side::Black, secs(210)).unwrap();
    game.handle_timeout(secs(500)).unwrap();
    events(&mut game);
    let state = earlier(&game);
    game.handle_power_cut(secs(600), secs(30));
    let mut moved = (state, game);
    moved.0.handle_power_cut(secs(600), secs(30));
    rewind(&mut moved.1, moved.0, 40).unwrap();
    let flags = |game: &Game| game.view(game.last()).sides.map(|side| side.flag);
    assert_eq!(flags(&moved.1), flags(&game));
    // `state` was not moved to the axis of the new boot, so its instants are later than the latest
    // instant of the game.
    rewind(&mut game, state, 40).unwrap();
    let [white, black] = [flags(&game).white, flags(&game).black].map(Option::unwrap);
    assert_eq!((black, white), (Instant::from_nanos(secs(40).as_nanos() - 1), secs(40)));
    assert_eq!(game.view(secs(40)).first_flag, Some(Side::Black));
}
