//! Stops in unsupervised play and in an adjourned game.

use super::*;
use crate::EarlierClock;
use crate::rules::QuestionProgress;

#[test]
fn in_unsupervised_play_nobody_rules_but_the_players_confirm() {
    let mut game = started(Profile { authority: Authority::Nobody, ..quickplay() });
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 5).unwrap();
    let question = game.questions().iter().next().expect("the stop");
    assert_eq!(game.answers(&question, secs(6)).iter().count(), 0);
    let resume = Command::Resume { side: None };
    assert_eq!(reason(command(&mut game, resume, 6)), Reason::NotConfirmed);
    // Both press their buttons, and the game goes on.
    game.handle_press(Side::Black, secs(7)).unwrap();
    assert_eq!(game.phase(), Phase::Paused);
    game.handle_press(Side::White, secs(8)).unwrap();
    assert_eq!(game.view(secs(8)).running(), Some(Side::White));
    assert_eq!(game.question(), None);
}

#[test]
fn in_unsupervised_play_the_press_that_stops_the_clocks_confirms_nothing() {
    let period = |moves| crate::Period {
        moves,
        time: PerSide::both(minutes(6)),
        method: PerSide::both(Method::None),
    };
    let period_end = crate::PeriodEnd::BlackCompletes { pause: true };
    let terms = crate::Terms { period_end, ..crate::Terms::default() };
    let control = Control::new(&[period(Some(1)), period(None)], terms).unwrap();
    let profile = Some(Profile { authority: Authority::Nobody, ..Profile::default() });
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(1)).unwrap();
    game.handle_press(Side::Black, secs(2)).unwrap();
    game.handle_press(Side::White, secs(3)).unwrap();
    assert_eq!(game.phase(), Phase::Paused);
    game.handle_press(Side::Black, secs(4)).unwrap();
    assert_eq!(game.phase(), Phase::Running);
}

#[test]
fn a_call_in_an_adjourned_game_does_nothing() {
    let mut game = started(Profile::default());
    act(&mut game, Action::Adjourn { side: Side::White }, 10).unwrap();
    events(&mut game);
    game.handle_call(secs(20)).unwrap();
    let call = GameEventKind::Clock(crate::EventKind::Call { accepted: false });
    assert_eq!(events(&mut game), [(20_000_000_000, call)]);
    assert_eq!(game.view(secs(20)).called_by, None);
}

/// A game of two players without an arbiter, 1 s after its start.
fn friendly() -> Game {
    let mut game = started(Profile { authority: Authority::Nobody, ..quickplay() });
    game.handle_timeout(secs(1)).unwrap();
    game
}

fn progress(game: &Game) -> Option<(QuestionProgress, Instant)> {
    game.questions().iter().next().map(|question| (question.progress, question.since))
}

#[test]
fn in_unsupervised_play_a_second_call_resumes_the_game_after_a_countdown() {
    let mut game = friendly();
    game.handle_call(secs(5)).unwrap();
    let view = game.view(secs(5));
    assert_eq!((view.phase, view.called_by), (Phase::Paused, None), "nobody is called");
    game.handle_call(secs(10)).unwrap();
    assert_eq!(progress(&game), Some((QuestionProgress::Resuming, secs(10))));
    assert_eq!(game.poll_timeout(), Some(secs(13)));
    game.handle_timeout(secs(14)).unwrap();
    assert_eq!(game.view(secs(14)).running(), Some(Side::White));
    let left = game.view(secs(14)).sides.white.remaining;
    assert_eq!(view.sides.white.remaining.minus(left), Span::from_secs(1), "it runs from 13 s on");
    assert_eq!(progress(&game), None);
}

#[test]
fn a_further_call_a_command_and_a_fault_end_the_countdown() {
    let mut counting = friendly();
    counting.handle_call(secs(5)).unwrap();
    counting.handle_call(secs(10)).unwrap();
    let stays_paused = |mut game: Game| {
        game.handle_timeout(secs(60)).unwrap();
        assert_eq!(game.phase(), Phase::Paused);
        assert_eq!(progress(&game).map(|(progress, _)| progress), Some(QuestionProgress::Nothing));
    };
    let mut game = counting;
    game.handle_call(secs(12)).unwrap();
    stays_paused(game);
    let mut game = counting;
    game.handle_command(GameCommand::SetButtons(true), secs(12)).unwrap();
    stays_paused(game);
    let mut game = counting;
    game.stop_countdown();
    stays_paused(game);
    // A third press begins a new countdown.
    let mut game = counting;
    game.handle_call(secs(12)).unwrap();
    game.handle_call(secs(20)).unwrap();
    assert_eq!(game.poll_timeout(), Some(secs(23)));
}

#[test]
fn in_unsupervised_play_nobody_is_called_while_the_clocks_stand() {
    let profile = Some(Profile { authority: Authority::Nobody, ..quickplay() });
    let control = Control::single(minutes(5), Method::None);
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    let before = game;
    assert!(!game.accepts_call());
    game.handle_call(secs(1)).unwrap();
    events(&mut game);
    assert_eq!(game.view(secs(1)).called_by, None);
    assert_eq!((game.phase(), game.poll_timeout()), (Phase::Ready, before.poll_timeout()));
}

#[test]
fn both_players_together_stop_the_clock_as_it_was_before_their_presses() {
    let mut game = friendly();
    game.handle_press(Side::White, secs(10)).unwrap();
    game.handle_timeout(secs(20)).unwrap();
    let before = EarlierClock::from(&game);
    let shown = game.view(secs(20));
    for (side, at) in [(Side::Black, 20), (Side::White, 21)] {
        game.handle_press(side, secs(at)).unwrap();
    }
    game.handle_stop_by_both(&before, secs(22)).unwrap();
    let view = game.view(secs(30));
    // Both have confirmed a correction since.
    let mut expected = shown.sides;
    for side in Side::BOTH {
        expected[side].notes = view.sides[side].notes;
    }
    assert_eq!((view.phase, view.on_move, view.sides), (Phase::Paused, Side::Black, expected));
    assert_eq!(view.paused_by, Some(crate::PausedBy::Caller(Caller::Button)));
    assert_eq!(progress(&game), Some((QuestionProgress::Nothing, secs(22))));
    game.handle_call(secs(40)).unwrap();
    game.handle_timeout(secs(43)).unwrap();
    assert_eq!(game.view(secs(43)).running(), Some(Side::Black));
}

#[test]
fn both_players_together_stop_no_clock_of_an_arbiter() {
    let mut game = started(quickplay());
    let before = EarlierClock::from(&game);
    game.handle_press(Side::White, secs(10)).unwrap();
    game.handle_stop_by_both(&before, secs(12)).unwrap();
    assert_eq!(game.view(secs(12)).running(), Some(Side::Black));
}

/// For a stop with the call button, a penalty of either player is enough. For a stop by White, only a
/// penalty of White is enough.
#[test]
fn s0_6_13d_a_ruling_on_the_call_button_does_not_take_the_penalty_of_a_player_away() {
    let mut game = started(Profile::default());
    let resume = Command::Resume { side: None };
    let invalid = rule(Ruling::ObviouslyInvalid);
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 10).unwrap();
    command(&mut game, resume, 20).unwrap();
    act(&mut game, invalid, 25).unwrap();
    game.handle_call(secs(30)).unwrap();
    act(&mut game, invalid, 31).unwrap();
    let due = |game: &Game| Side::BOTH.map(|side| game.side_notes(side).penalty_due);
    assert_eq!(due(&game), [true, true]);
    act(&mut game, warning(Side::Black), 32).unwrap();
    assert_eq!(due(&game), [true, false]);
    assert_eq!(reason(command(&mut game, resume, 33)), Reason::StopPenaltyDue);
    act(&mut game, warning(Side::White), 34).unwrap();
    command(&mut game, resume, 35).unwrap();
}
