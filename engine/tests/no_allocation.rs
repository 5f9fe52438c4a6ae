//! The engine neither allocates nor frees memory while a game runs, because the clock loop must not
//! wait for an allocator.

mod counting;

use clock_engine::rules::{
    Action, Claimant, Evidence, Game, GameCommand, GameState, Ground, Penalty, PenaltyCause,
    PenaltyKind, Profile, Ruling, Session, Setup,
};
use clock_engine::{
    AfterFlag, Caller, Clock, Command, Control, Correction, EarlierClock, Instant, Method, Outcome,
    Overtime, PerSide, Period, PeriodEnd, Side, Span, Terms,
};
use counting::calls;

/// How many times this thread allocates, reallocates or frees memory during `work`.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = calls();
    work();
    calls() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1_u8; 100]))), 2);
}

const ADVANCES: [PeriodEnd; 5] = [
    PeriodEnd::Moves,
    PeriodEnd::Zero,
    PeriodEnd::MovesAtZero,
    PeriodEnd::BlackCompletes { pause: false },
    PeriodEnd::BlackCompletes { pause: true },
];

/// Controls with every method, each with every `period_end` and every `after_flag` that the
/// method can have.
fn controls() -> Vec<Control> {
    let span = Span::from_secs(5);
    let overtime = Method::Overtime(Overtime { periods: 3, time: span, moves: 2 });
    let limit = Some(Span::from_secs(90));
    let period = |moves, secs, method| Period {
        moves,
        time: PerSide::both(Span::from_secs(secs)),
        method: PerSide::both(method),
    };
    let control =
        |list: &[Period], terms: Terms| Control::new(list, terms).expect("a good control");
    let mut all = vec![
        control(&[period(None, 90, Method::Hourglass)], Terms::default()),
        control(&[period(None, 0, Method::Gong(span))], Terms::default()),
        control(&[period(None, 0, Method::CountUp { limit: None })], Terms::default()),
        control(&[period(None, 0, Method::CountUp { limit })], Terms::default()),
    ];
    for method in
        [Method::None, Method::Increment(span), Method::Delay(span), Method::Bronstein(span)]
    {
        for after_flag in [Some(AfterFlag::Halt), Some(AfterFlag::Run)] {
            for period_end in ADVANCES {
                let terms = Terms { period_end, after_flag, ..Terms::default() };
                let first = period(Some(40), 90, method);
                all.push(control(&[first, period(None, 60, method)], terms));
                all.push(control(&[first, period(None, 60, overtime)], terms));
            }
            let terms = Terms { repeat: true, after_flag, ..Terms::default() };
            all.push(control(&[period(Some(20), 90, method)], terms));
        }
    }
    all
}

#[test]
fn a_game_allocates_nothing() {
    for control in controls() {
        assert_eq!(allocations(|| game(control)), 0, "{control:?}");
    }
}

fn command(clock: &mut Clock, command: Command, now: u64) -> bool {
    let done = clock.handle_command(command, Instant::from_nanos(now));
    take(clock);
    done.is_ok()
}

/// Moves of one second each, with presses of both sides. A clock that stops is resumed.
fn moves(clock: &mut Clock, now: &mut u64) {
    for _ in 0..60 {
        for _ in Side::BOTH {
            *now += 1_000_000_000;
            let at = Instant::from_nanos(*now);
            let on_move = clock.view(at).on_move;
            for side in [on_move.other(), on_move] {
                clock.handle_press(side, at).expect("in order");
                take(clock);
            }
            command(clock, Command::Resume { side: None }, *now);
        }
    }
}

/// A game through all periods, with every command, with refusals and, if the control has flags,
/// with at least one flag.
fn game(control: Control) {
    let mut clock = Clock::new(control, Instant::ZERO);
    let mut now = 0;
    assert!(command(&mut clock, Command::Start, now));
    moves(&mut clock, &mut now);
    let by = Caller::Arbiter;
    let last = control.count();
    let correction = |secs, period| Correction {
        time: PerSide::both(Some(Span::from_secs(secs))),
        moves: PerSide::both(Some(60)),
        period: PerSide::both(Some(period)),
        on_move: Some(Side::Black),
        ..Correction::default()
    };
    let (side, delta_ns) = (Side::White, -1);
    command(&mut clock, Command::Pause { by }, now);
    assert!(command(&mut clock, Command::Set(correction(60, 1)), now));
    assert!(command(&mut clock, Command::Add { side, delta_ns }, now));
    assert!(command(&mut clock, Command::Resume { side: None }, now));
    assert!(!command(&mut clock, Command::Set(correction(0, 1)), now));
    clock.handle_call(Instant::from_nanos(now)).expect("in order");
    assert!(command(&mut clock, Command::Resume { side: None }, now));
    let on_move = clock.view(Instant::from_nanos(now)).on_move;
    clock.handle_press(on_move, Instant::from_nanos(now)).expect("in order");
    command(&mut clock, Command::Pause { by }, now);
    let can = !matches!(control.periods()[0].method.white, Method::Hourglass | Method::Gong(_));
    assert_eq!(command(&mut clock, Command::UndoPress, now), can);
    assert!(!command(&mut clock, Command::UndoPress, now));
    assert!(command(&mut clock, Command::Set(correction(9, last)), now));
    let left = PerSide::both(Some(1));
    let overtime =
        Correction { overtime_periods: left, overtime_moves: left, ..Correction::default() };
    let last_method = control.periods()[control.periods().len() - 1].method.white;
    let has_overtime = matches!(last_method, Method::Overtime(_));
    assert_eq!(command(&mut clock, Command::Set(overtime), now), has_overtime);
    assert!(command(&mut clock, Command::Resume { side: Some(Side::White) }, now));
    // Each wait is longer than all time left, so both flags fall if play runs on after a flag.
    for _ in Side::BOTH {
        now += 100_000_000_000;
        let at = Instant::from_nanos(now);
        clock.handle_timeout(at).expect("in order");
        take(&mut clock);
        clock.handle_press(clock.view(at).on_move, at).expect("in order");
        take(&mut clock);
    }
    let never = match control.periods()[0].method.white {
        Method::Gong(_) | Method::CountUp { limit: None } => true,
        _ => control.terms().repeat,
    };
    assert!(never || clock.view(Instant::from_nanos(now)).first_flag.is_some());
    assert!(command(&mut clock, Command::Finish(Outcome::Drawn), now));
    assert!(command(&mut clock, Command::Reopen, now));
    assert!(command(&mut clock, Command::New { control, force: true }, now));
}

/// A power cut, a restoration to an earlier state and an import from another clock allocate
/// nothing.
#[test]
fn a_power_cut_and_a_restoration_allocate_nothing() {
    for control in controls() {
        let setup = Setup { control, profile: None, session: Session::Unknown, force: true };
        let count = allocations(|| {
            let mut game = Game::new(&setup, Instant::ZERO).expect("no profile refuses it");
            let [start, late] = [1_000_000_000, 30_000_000_000].map(Instant::from_nanos);
            game.handle_command(Command::Start.into(), start).expect("it starts");
            let earlier = EarlierClock::from(game.clock());
            game.handle_timeout(late).expect("in order");
            game.handle_power_cut(late, start);
            game.handle_command(GameCommand::Rewind(earlier), late).expect("it stands");
            let correction = Correction::default();
            for state in [None, Some(GameState::from(&game))] {
                let import = GameCommand::Import { setup, state, correction, begun: true };
                game.handle_command(import, late).expect("it is forced");
            }
        });
        assert_eq!(count, 0, "{control:?}");
    }
}

/// The clock loop writes the state of the game into a buffer that it has allocated before. So
/// writing must not allocate, and reading does not either.
#[test]
fn a_game_is_written_and_read_without_an_allocation() {
    let profile = Some(Profile::default());
    for control in controls() {
        let setup = Setup { control, profile, session: Session::WithGame, force: true };
        let game = Game::new(&setup, Instant::ZERO).expect("the profile holds for it");
        let mut buffer = [0; 4096];
        let count = allocations(|| {
            let bytes = postcard::to_slice(&game, &mut buffer).expect("it fits");
            let read: Game = postcard::from_bytes(bytes).expect("it was written");
            assert!(read == game);
        });
        assert_eq!(count, 0, "{control:?}");
    }
}

fn take(clock: &mut Clock) {
    while clock.poll_event().is_some() {}
}

/// A game with a claim, a postponement, a stop, a penalty, a called flag and a ruling on it, under
/// a profile that allows them. One command is refused. After each command, the answers to the open
/// questions are computed.
#[test]
fn claims_and_rulings_allocate_nothing() {
    let profile = Profile { claim_below: Some(Span::from_secs(120)), ..Profile::default() };
    let control = Control::single(Span::from_secs(180), Method::None);
    let session = Session::WithGame;
    let setup = Setup { control, profile: Some(profile), session, force: false };
    let mut refused = 0;
    let count = allocations(|| {
        let mut game = Game::new(&setup, Instant::ZERO).expect("the profile holds for it");
        for (seconds, command) in evening() {
            let at = Instant::from_nanos(seconds * 1_000_000_000);
            refused += u32::from(game.handle_command(command, at).is_err());
            for question in game.questions().iter() {
                assert!(game.answers(&question, at).iter().count() > 0);
            }
            while game.poll_event().is_some() {}
        }
        assert_eq!(game.view(Instant::from_nanos(400_000_000_000)).outcome, Some(Outcome::Drawn));
    });
    assert_eq!((count, refused), (0, 1));
}

/// Commands with their instants in seconds; one of them is refused.
fn evening() -> [(u64, GameCommand); 11] {
    let [white, black] = Side::BOTH.map(Claimant::Player);
    let clock = GameCommand::Clock;
    let act = GameCommand::Action;
    let claim = Action::ClaimDraw { by: white, ground: Ground::CannotWin, stop: true, offer: None };
    let rule = |decision| act(Action::rule(decision));
    let warning = Penalty {
        side: Side::White,
        kind: PenaltyKind::Warning,
        time: Span::ZERO,
        half_points: 0,
        cause: Some(PenaltyCause::Other),
    };
    [
        (0, clock(Command::Start)),
        (10, act(claim)),
        (100, act(claim)),
        (110, rule(Ruling::Postpone)),
        (120, clock(Command::Resume { side: None })),
        (130, clock(Command::Pause { by: Caller::Player(Side::White) })),
        (131, act(Action::rule(Ruling::ObviouslyInvalid))),
        (132, act(Action::Penalize(warning))),
        (133, clock(Command::Resume { side: None })),
        (300, act(Action::ClaimFlag { by: black, evidence: Evidence::Flag })),
        (310, rule(Ruling::Drawn)),
    ]
}
