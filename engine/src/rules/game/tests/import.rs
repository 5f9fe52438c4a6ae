//! `GameCommand::Import`: this clock takes over the state of another clock (S0 6.11).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::*;
use crate::rules::{GameState, IncidentKind, NotTakenOver};
use crate::{Correction, PausedBy};

fn setup(profile: Option<Profile>, force: bool) -> Setup {
    let control = Control::single(minutes(5), Method::Delay(Span::from_secs(3)));
    Setup { control, profile, session: Session::Unknown, force }
}

/// White has 1:10 and 12 moves, Black 2:20 and 11 moves; Black is on move.
fn readings() -> Correction {
    Correction {
        time: PerSide { white: Some(Span::from_secs(70)), black: Some(Span::from_secs(140)) },
        moves: PerSide { white: Some(12), black: Some(11) },
        on_move: Some(Side::Black),
        ..Correction::default()
    }
}

fn import(
    game: &mut Game,
    setup: Setup,
    correction: Correction,
    begun: bool,
) -> Result<(), GameRefused> {
    game.handle_command(GameCommand::Import { setup, state: None, correction, begun }, secs(10))
}

#[test]
fn s0_6_11_a_game_that_had_begun_is_paused_with_the_readings_of_the_other_clock() {
    let unsupervised = Profile { authority: Authority::Nobody, ..Profile::default() };
    for profile in [None, Some(Profile::default()), Some(unsupervised)] {
        let mut game = set_up(Profile::default(), minutes(3), Method::None);
        import(&mut game, setup(profile, false), readings(), true).unwrap();
        let view = game.view(secs(10));
        assert_eq!((view.phase, view.on_move), (Phase::Paused, Side::Black));
        assert_eq!(view.paused_by, Some(PausedBy::Caller(Caller::Arbiter)));
        let shown = view.sides.map(|side| (side.remaining, side.moves, side.delay));
        let three = Span::from_secs(3);
        let [white, black] =
            [(70, 12), (140, 11)].map(|(time, moves)| (Span::from_secs(time), moves, three));
        assert_eq!(shown, PerSide { white, black });
        assert_eq!(game.profile(), profile.as_ref());
        assert_eq!(events(&mut game), []);
    }
}

#[test]
fn an_import_is_the_commands_one_after_another() {
    let mut imported = set_up(Profile::default(), minutes(3), Method::None);
    let mut single = imported;
    let setup = Setup { session: Session::WithGame, ..setup(Some(quickplay()), false) };
    import(&mut imported, setup, readings(), true).unwrap();
    single.handle_command(GameCommand::New(setup), secs(10)).unwrap();
    command(&mut single, Command::Start, 10).unwrap();
    command(&mut single, Command::Pause { by: Caller::Arbiter }, 10).unwrap();
    command(&mut single, Command::Set(readings()), 10).unwrap();
    assert_eq!(imported, single);
}

#[test]
fn a_game_that_had_not_begun_waits_for_its_start() {
    let mut game = set_up(Profile::default(), minutes(3), Method::None);
    let correction = Correction { on_move: None, ..readings() };
    import(&mut game, setup(None, false), correction, false).unwrap();
    assert_eq!(game.phase(), Phase::Ready);
    assert_eq!(game.view(secs(10)).sides.white.remaining, Span::from_secs(70));
}

#[test]
fn a_refused_import_changes_nothing() {
    let no_increment = Profile { increments_allowed: false, ..Profile::default() };
    let wrong_period = {
        let mut correction = readings();
        correction.period.white = Some(2);
        correction
    };
    let fresh = set_up(Profile::default(), minutes(3), Method::None);
    let under_way = started(Profile::default());
    let cases = [
        (under_way, setup(None, false), readings(), true, "game-under-way"),
        (fresh, setup(Some(no_increment), false), readings(), true, "refused-by-rules"),
        (under_way, setup(None, true), wrong_period, true, "no-such-period"),
        (fresh, setup(None, false), readings(), false, "white-begins"),
    ];
    for (mut game, setup, correction, begun, code) in cases {
        game.handle_timeout(secs(10)).unwrap();
        let before = game;
        let refused = import(&mut game, setup, correction, begun).unwrap_err();
        assert_eq!(refused.code(), code);
        assert_eq!(game, before);
    }
}

#[test]
fn a_forced_import_replaces_the_game_under_way() {
    let mut game = started(Profile::default());
    import(&mut game, setup(None, true), readings(), true).unwrap();
    assert_eq!(game.view(secs(10)).sides.black.moves, 11);
}

/// A game of 60 minutes in which both times were corrected to 1 s. White's flag falls, then Black's
/// flag falls, and Black calls the flags.
fn both_flags_and_a_call() -> (Setup, Game) {
    let control = Control::single(minutes(60), Method::None);
    let setup =
        Setup { control, profile: Some(quickplay()), session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    let second = Some(Span::from_secs(1));
    let time = PerSide { white: second, black: second };
    let correction = Correction { time, ..Correction::default() };
    command(&mut game, Command::Set(correction), 0).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_timeout(secs(2)).unwrap();
    game.handle_press(Side::White, secs(2)).unwrap();
    game.handle_timeout(secs(4)).unwrap();
    let by = Claimant::Player(Side::Black);
    act(&mut game, Action::ClaimFlag { by, evidence: Evidence::Flag }, 5).unwrap();
    (setup, game)
}

/// What a game shows, without its instants, which are on an axis of their own.
fn shown(game: &Game) -> impl PartialEq + std::fmt::Debug + use<> {
    let view = game.view(game.last());
    let kinds: Vec<_> =
        game.questions().iter().map(|question| (question.kind, question.side)).collect();
    let sides = view.sides.map(|side| {
        (side.remaining, side.delay, side.moves, side.period, side.out_of_time, side.overrun)
    });
    (view.phase, view.on_move, sides, view.first_flag, view.called_by, kinds, game.adjourned())
}

#[test]
fn s0_6_11_the_flag_that_fell_first_stays_the_first_one() {
    let (setup, game) = both_flags_and_a_call();
    let before = shown(&game);
    assert_eq!(game.view(game.last()).first_flag, Some(Side::White));
    let mut other = set_up(Profile::default(), minutes(3), Method::None);
    let state = Some(GameState::from(&game));
    let correction = Correction::default();
    let import = GameCommand::Import { setup, state, correction, begun: true };
    other.handle_command(import, secs(1_000)).unwrap();
    assert_eq!(shown(&other), before);
    assert_eq!((other.phase(), other.last()), (Phase::Ruling, secs(1_000)));
}

/// A game on another clock that has taken over this one at 1000 s.
fn on_another_clock(setup: Setup, game: &Game) -> Game {
    let mut other = set_up(Profile::default(), minutes(3), Method::None);
    let state = Some(GameState::from(game).for_another_clock());
    let correction = Correction::default();
    let import = GameCommand::Import { setup, state, correction, begun: true };
    other.handle_command(import, secs(1_000)).unwrap();
    other
}

fn defect() -> Action {
    Action::Incident { side: Side::White, kind: IncidentKind::Defect }
}

#[test]
fn s0_6_11_the_defect_of_a_replaced_clock_is_no_defect_of_the_new_one() {
    let profile = Some(Profile::default());
    let control = Control::single(minutes(3), Method::None);
    let setup = Setup { control, profile, session: Session::Unknown, force: false };
    let mut old = Game::new(&setup, secs(0)).unwrap();
    command(&mut old, Command::Start, 0).unwrap();
    command(&mut old, Command::Pause { by: Caller::Arbiter }, 1).unwrap();
    act(&mut old, defect(), 2).unwrap();
    let mut new = on_another_clock(setup, &old);
    assert!(!new.clock_in_doubt());
    // Both flags fall on the new clock.
    command(&mut new, Command::Resume { side: None }, 1_000).unwrap();
    new.handle_press(Side::White, secs(1_200)).unwrap();
    let by = Claimant::Player(Side::Black);
    act(&mut new, Action::ClaimFlag { by, evidence: Evidence::Flag }, 1_400).unwrap();
    let refused = act(&mut new, rule(Ruling::OrderUnknown), 1_401);
    assert_eq!(reason(refused), Reason::OrderKnown);
    act(&mut new, defect(), 1_402).unwrap();
    act(&mut new, rule(Ruling::OrderUnknown), 1_403).unwrap();
}

/// The doubt about two flags that fell on the old clock is taken over, and ends with them.
#[test]
fn s0_6_11_the_order_of_two_flags_stays_in_doubt_on_the_new_clock() {
    let (setup, mut old) = both_flags_and_a_call();
    act(&mut old, defect(), 6).unwrap();
    let mut new = on_another_clock(setup, &old);
    assert_eq!(new.question(), Some(QuestionKind::FlagOrder));
    let mut ruled = new;
    act(&mut ruled, rule(Ruling::OrderUnknown), 1_001).unwrap();
    let time = PerSide::both(Some(minutes(1)));
    let correction = Correction { time, ..Correction::default() };
    command(&mut new, Command::Set(correction), 1_002).unwrap();
    assert!(!new.clock_in_doubt());
    act(&mut ruled, defect(), 1_003).unwrap();
    command(&mut ruled, Command::Set(correction), 1_004).unwrap();
    assert!(ruled.clock_in_doubt(), "this defect is one of the new clock");
}

#[test]
fn s0_6_11_a_state_is_refused_that_no_game_of_the_setup_can_have() {
    let (setup, game) = both_flags_and_a_call();
    let state = GameState::from(&game);
    let why = |setup: Setup, state: GameState| match state.game(&setup, secs(9)) {
        Err(NotTakenOver::State(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        why(Setup { profile: None, ..setup }, state),
        "something is open that only a rule profile has, and there is no profile"
    );
    let mut other = set_up(Profile::default(), minutes(3), Method::None);
    other.handle_timeout(secs(10)).unwrap();
    let before = other;
    let (setup, state) = (Setup { profile: None, ..setup }, Some(state));
    let import =
        GameCommand::Import { setup, state, correction: Correction::default(), begun: true };
    let refused = other.handle_command(import, secs(10)).unwrap_err();
    assert_eq!((refused.code(), other), ("other-control", before));
}

/// The state after the commands of each case is taken over: at the same instant, the other clock
/// has the same game.
#[test]
fn s0_6_11_everything_that_the_rules_remember_is_taken_over() {
    let control = Control::single(minutes(3), Method::Delay(Span::from_secs(5)));
    let without = Control::single(minutes(3), Method::None);
    let white = Claimant::Player(Side::White);
    let pause = |by| GameCommand::Clock(Command::Pause { by });
    let request = GameCommand::Action(Action::RequestIncrement { by: white });
    let refuse = GameCommand::Action(Action::rule(Ruling::DrawRefused));
    let decide = |decision| GameCommand::Action(rule(decision));
    let illegal = Action::IllegalMove { side: Side::White, claimed: false, award: None };
    let incident = |kind| GameCommand::Action(Action::Incident { side: Side::White, kind });
    let method = Method::Increment(Span::from_secs(7));
    let method = Action::ChangeMethod { method, schedule_suffers: false };
    let rules = Profile { requested_increment: Some(Span::from_secs(5)), ..quickplay() };
    let cases: Vec<(&str, Control, Vec<GameCommand>)> = vec![
        ("delay left", control, vec![pause(Caller::Arbiter)]),
        ("a stop", control, vec![pause(Caller::Player(Side::White))]),
        ("a claim", without, vec![GameCommand::Action(claim(Side::White))]),
        (
            "a postponed claim",
            without,
            vec![GameCommand::Action(claim(Side::White)), decide(Ruling::Postpone)],
        ),
        ("a request", without, vec![request]),
        ("an agreed increment", without, vec![request, refuse, decide(Ruling::IncrementAgreed)]),
        ("a method", control, vec![pause(Caller::Arbiter), GameCommand::Action(method)]),
        ("a count", without, vec![GameCommand::Action(illegal)]),
        ("a due penalty", without, vec![pause(Caller::Arbiter), incident(IncidentKind::Knock)]),
        ("a defect", without, vec![pause(Caller::Arbiter), incident(IncidentKind::Defect)]),
        (
            "an adjournment",
            without,
            vec![GameCommand::Action(Action::Adjourn { side: Side::Black })],
        ),
    ];
    for (what, control, commands) in cases {
        let profile = Some(rules);
        let setup = Setup { control, profile, session: Session::WithGame, force: true };
        let mut game = Game::new(&setup, secs(0)).unwrap();
        command(&mut game, Command::Start, 0).unwrap();
        game.handle_press(Side::White, secs(2)).unwrap();
        // At 3 s, Black is on move. At 63 s, White is on move and, without a delay, has less than
        // two minutes.
        let early = matches!(what, "delay left" | "an adjournment" | "a count");
        let now = if early { 3 } else { 63 };
        if !early {
            game.handle_press(Side::Black, secs(4)).unwrap();
        }
        let before = {
            let mut paused = game;
            paused.handle_command(pause(Caller::Arbiter), secs(now)).unwrap();
            GameState::from(&paused)
        };
        for given in commands {
            game.handle_command(given, secs(now)).unwrap_or_else(|error| panic!("{what}: {error}"));
        }
        events(&mut game);
        let state = GameState::from(&game);
        let mut other = set_up(Profile::default(), minutes(1), Method::None);
        let correction = Correction::default();
        let import = GameCommand::Import { setup, state: Some(state), correction, begun: true };
        other.handle_command(import, secs(now)).unwrap();
        assert_eq!(other, game, "{what}");
        assert!(state != before || what == "delay left", "{what}");
    }
}

#[test]
fn s0_6_11_a_correction_leaves_the_opponent_of_the_sealer_on_move() {
    let control = Control::single(minutes(3), Method::None);
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::WithGame, force: true };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    act(&mut game, Action::Adjourn { side: Side::White }, 2).unwrap();
    let state = Some(GameState::from(&game));
    let mut other = set_up(Profile::default(), minutes(1), Method::None);
    other.handle_timeout(secs(9)).unwrap();
    for (side, allowed) in [(Side::White, false), (Side::Black, true)] {
        let before = other;
        let correction = Correction { on_move: Some(side), ..Correction::default() };
        let import = GameCommand::Import { setup, state, correction, begun: true };
        let done = other.handle_command(import, secs(9));
        match allowed {
            true => assert_eq!((done.is_ok(), other.adjourned()), (true, Some(Side::White))),
            false => assert_eq!((reason(done), other), (Reason::Adjourned, before)),
        }
    }
}

#[test]
fn s0_6_11_a_state_that_contradicts_itself_is_refused() {
    let control = Control::single(minutes(3), Method::Delay(Span::from_secs(5)));
    let setup = Setup {
        control,
        profile: Some(Profile::default()),
        session: Session::WithGame,
        force: true,
    };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(2)).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 3).unwrap();
    let good = serde_json::to_string(&GameState::from(&game)).unwrap();
    let game_of =
        |text: &str| serde_json::from_str::<GameState>(text).unwrap().game(&setup, secs(9));
    assert_eq!(game_of(&good).unwrap().clock().phase(), Phase::Paused);
    for (from, to, expected) in [
        ("\"order_unknown\":false", "\"order_unknown\":true", "order_unknown without"),
        ("\"concluded\":false", "\"concluded\":true", "concluded without a claim"),
        ("\"delay_left\":4000000000", "\"delay_left\":5000000001", "the delay left of a turn"),
        ("\"delay_left\":3000000000", "\"delay_left\":5000000001", "the delay left of a turn"),
        ("\"overrun\":0", "\"overrun\":1", "an overrun of a side"),
    ] {
        assert!(good.contains(from), "{from}: {good}");
        // In the first text the value of the present state is changed; in the second text, if there
        // is one, the value of the state before the last completed move.
        for changed in [good.replacen(from, to, 1), replace_last(&good, from, to)] {
            let refused = game_of(&changed);
            let Err(NotTakenOver::State(why)) = refused else { panic!("{to}: {refused:?}") };
            assert!(why.starts_with(expected), "{why}");
        }
    }
    let over = good.replacen("\"final_ruling\":false", "\"final_ruling\":true", 1);
    assert_eq!(game_of(&over).unwrap(), game_of(&good).unwrap());
}

/// Earlier versions stored a due penalty in `Facts::stop_penalty` also if the player was known.
#[test]
fn s0_6_13d_a_penalty_that_is_due_in_a_state_of_an_earlier_version_stays_due() {
    let control = Control::single(minutes(3), Method::None);
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::WithGame, force: true };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 3).unwrap();
    let text = serde_json::to_string(&GameState::from(&game)).unwrap();
    let earlier = text
        .replace("\"stop_penalty\":false,", "")
        .replace("\"stop_penalty\":null", "\"stop_penalty\":{\"player\":\"white\"}");
    assert_eq!(earlier.matches("stop_penalty").count(), 1, "{earlier}");
    let mut game =
        serde_json::from_str::<GameState>(&earlier).unwrap().game(&setup, secs(9)).unwrap();
    let due = PerSide { white: Side::White, black: Side::Black };
    let due = due.map(|side| game.side_notes(side).penalty_due);
    assert_eq!(due, PerSide { white: true, black: false });
    let resume = Command::Resume { side: None };
    assert_eq!(reason(command(&mut game, resume, 10)), Reason::StopPenaltyDue);
    act(&mut game, warning(Side::Black), 11).unwrap();
    assert_eq!(reason(command(&mut game, resume, 12)), Reason::StopPenaltyDue);
    act(&mut game, warning(Side::White), 13).unwrap();
    command(&mut game, resume, 14).unwrap();
}

fn replace_last(text: &str, from: &str, to: &str) -> String {
    let (before, after) = text.rsplit_once(from).unwrap();
    format!("{before}{to}{after}")
}
