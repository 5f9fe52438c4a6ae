//! Time that a side owes from a set-back that was taken back: a press and a ruling take it off the next
//! set-back, and only a correction by a person settles it.
//!
//! `docs/laws.md` explains S0 and FIDE, which are the sources of the cited clauses.

use super::*;
use crate::Correction;
use crate::rules::action::Penalty;
use crate::rules::profile::PenaltyKind;
use crate::{Overtime, Period, PeriodEnd, Terms};

/// One move in a minute, then all moves in 30 seconds, with set-back.
fn set_back(method: Method) -> Control {
    let period = |moves, time, method| Period {
        moves,
        time: PerSide::both(Span::from_secs(time)),
        method: PerSide::both(method),
    };
    let periods = [period(Some(1), 60, Method::None), period(None, 30, method)];
    let period_end = PeriodEnd::BlackCompletes { pause: false };
    Control::new(&periods, Terms { period_end, ..Terms::default() }).unwrap()
}

/// White has used 50 s, and then 30 s of the 40 s that it had after the set-back. Black's
/// press with the set-back was taken back, and Black's clock runs since 80 s.
fn owing(control: Control) -> Game {
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(50)).unwrap();
    game.handle_press(Side::Black, secs(50)).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 80).unwrap();
    command(&mut game, Command::UndoPress, 80).unwrap();
    assert_eq!(white(&game), (0, 20));
    command(&mut game, Command::Resume { side: None }, 80).unwrap();
    game
}

/// The seconds that White has and owes.
fn white(game: &Game) -> (u64, u64) {
    let white = game.view(game.last()).sides.white;
    (white.remaining.as_nanos() / 1_000_000_000, white.owed.as_nanos() / 1_000_000_000)
}

#[test]
fn s0_6_3_made_takes_what_is_owed_off_the_new_period_as_a_press_does() {
    let mut pressed = owing(set_back(Method::None));
    pressed.handle_press(Side::Black, secs(139)).unwrap();
    assert_eq!(white(&pressed), (10, 0));

    let mut made = owing(set_back(Method::None));
    made.handle_timeout(secs(141)).unwrap();
    act(&mut made, rule(Ruling::Made), 141).unwrap();
    assert_eq!(white(&made), (10, 0));
    // Black's flag fell at 140 s, so Black has used 1 s of the new period.
    let black = made.view(secs(141)).sides.black;
    assert_eq!((black.remaining, black.period, black.moves), (Span::from_secs(29), 2, 1));
}

/// White's flag falls while it owes time: the ruling gives White its own next period, less that time.
#[test]
fn s0_6_3_made_takes_what_the_flagged_side_owes_off_its_own_period() {
    let flagged = |at| {
        let mut game = owing(set_back(Method::None));
        command(&mut game, Command::Pause { by: Caller::Arbiter }, 80).unwrap();
        command(&mut game, Command::Resume { side: Some(Side::White) }, 80).unwrap();
        game.handle_timeout(secs(at)).unwrap();
        game
    };
    let mut game = flagged(84);
    act(&mut game, rule(Ruling::Made), 84).unwrap();
    assert_eq!(white(&game), (6, 0), "30 s less the 20 s owed and the 4 s overrun");
    // An overrun that is longer than what is left of the period is refused, and changes nothing.
    let mut game = flagged(90);
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 90).unwrap();
    let before = game.view(secs(90)).sides;
    let (overrun, time) = (Span::from_secs(10), Span::from_secs(10));
    let refused = act(&mut game, rule(Ruling::Made), 90);
    assert_eq!(reason(refused), Reason::OverrunTooLong { overrun, time });
    assert_eq!(game.view(secs(90)).sides, before);
}

#[test]
fn s0_6_3_made_restores_an_overtime_that_is_owed() {
    let overtime = Method::Overtime(Overtime { periods: 3, time: Span::from_secs(10), moves: 1 });
    let control = {
        let mut periods = *set_back(overtime).periods().first_chunk::<2>().unwrap();
        periods[1].time = PerSide { white: Span::ZERO, black: Span::from_secs(30) };
        Control::new(&periods, *set_back(overtime).terms()).unwrap()
    };
    let left = |press: bool| {
        let setup = Setup {
            control,
            profile: Some(Profile::default()),
            session: Session::WithGame,
            force: false,
        };
        let mut game = Game::new(&setup, Instant::ZERO).unwrap();
        command(&mut game, Command::Start, 0).unwrap();
        game.handle_press(Side::White, secs(50)).unwrap();
        game.handle_press(Side::Black, secs(50)).unwrap();
        // White uses its last 10 s and 12 s of its overtime.
        command(&mut game, Command::Pause { by: Caller::Arbiter }, 72).unwrap();
        command(&mut game, Command::UndoPress, 72).unwrap();
        assert_eq!(white(&game), (0, 12));
        command(&mut game, Command::Resume { side: None }, 72).unwrap();
        if press {
            game.handle_press(Side::Black, secs(100)).unwrap();
        } else {
            game.handle_timeout(secs(133)).unwrap();
            act(&mut game, rule(Ruling::Made), 133).unwrap();
        }
        let white = game.view(game.last()).sides.white;
        (white.remaining, white.overtime, white.owed)
    };
    assert_eq!(left(false), left(true));
    let two = crate::OvertimeLeft { periods: 2, moves: 1 };
    assert_eq!(left(true), (Span::from_secs(8), Some(two), Span::ZERO));
}

/// An award, a penalty and a claim's ruling change the time, and leave what is owed.
#[test]
fn s0_13_4_a_ruling_settles_nothing_and_a_person_does() {
    let standing = || {
        let mut game = owing(set_back(Method::None));
        command(&mut game, Command::Pause { by: Caller::Arbiter }, 90).unwrap();
        game
    };
    let penalty = |side, kind, seconds| {
        let time = Span::from_secs(seconds);
        Action::Penalize(Penalty { side, kind, time, half_points: 0, cause: None })
    };
    let mut game = standing();
    act(&mut game, penalty(Side::Black, PenaltyKind::OpponentPlus, 60), 90).unwrap();
    assert_eq!(white(&game), (60, 20), "an award");
    act(&mut game, penalty(Side::White, PenaltyKind::OffenderMinus, 10), 90).unwrap();
    assert_eq!(white(&game), (50, 20), "a cut");
    command(&mut game, Command::Resume { side: None }, 90).unwrap();
    game.handle_press(Side::Black, secs(95)).unwrap();
    assert_eq!(white(&game), (60, 0));

    let mut game = standing();
    command(&mut game, Command::Add { side: Side::White, delta_ns: 1_000_000_000 }, 90).unwrap();
    assert_eq!(white(&game), (1, 0), "add-time");
    let mut game = standing();
    let mut correction = Correction::default();
    correction.time.white = Some(Span::from_secs(5));
    command(&mut game, Command::Set(correction), 90).unwrap();
    assert_eq!(white(&game), (5, 0), "set-time");
}
