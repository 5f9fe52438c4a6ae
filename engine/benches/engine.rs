//! The cost of the engine: a press and a view with each method, a press with each `PeriodEnd`, a
//! press under a rule profile, and the replay of a whole game. One reading of the system's clock is
//! measured for comparison.

use clock_engine::rules::{Game, GameCommand, Profile, Session, Setup};
use clock_engine::{
    Caller, Clock, Command, Control, Instant, Method, Overtime, PerSide, Period, PeriodEnd,
    Refused, Side, Span, Terms,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const SECOND: u64 = 1_000_000_000;

/// The presses of a long game.
const PRESSES: u64 = 1_000;

/// The name of a case, its method, and the main time of its only period in seconds; `None` if the
/// case has two periods.
type Case = (&'static str, Method, Option<u64>);

fn methods() -> [Case; 9] {
    let span = Span::from_secs(30);
    let overtime = |periods, secs, moves| {
        Method::Overtime(Overtime { periods, time: Span::from_secs(secs), moves })
    };
    [
        ("none", Method::None, None),
        ("increment", Method::Increment(span), None),
        ("delay", Method::Delay(span), None),
        ("bronstein", Method::Bronstein(span), None),
        ("byo-yomi", overtime(5, 30, 1), Some(60)),
        ("canadian", overtime(1, 300, 20), Some(60)),
        ("hourglass", Method::Hourglass, Some(600)),
        // The slice is as long as the benchmark's moves, so that a gong comes with each press.
        ("gong", Method::Gong(Span::from_secs(5)), Some(0)),
        ("count up", Method::CountUp { limit: None }, Some(0)),
    ]
}

/// A control of 40 moves in 90 minutes and then 30 minutes. If `alone` is given, the control
/// instead has a single period of this many seconds.
fn control(method: Method, alone: Option<u64>) -> Control {
    let period = |moves, secs| Period {
        moves,
        time: PerSide::both(Span::from_secs(secs)),
        method: PerSide::both(method),
    };
    let list = match alone {
        Some(secs) => vec![period(None, secs)],
        None => vec![period(Some(40), 5400), period(None, 1800)],
    };
    Control::new(&list, Terms::default()).expect("a good control")
}

fn running(control: Control) -> Clock {
    let mut clock = Clock::new(control, Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).expect("a clock that is ready starts");
    clock
}

/// One press as the clock loop handles it: the press, its events, and the next timeout.
fn press(clock: &mut Clock, side: Side, at: Instant) -> Result<(), Refused> {
    clock.handle_press(black_box(side), black_box(at))?;
    while let Some(event) = clock.poll_event() {
        black_box(event);
    }
    black_box(clock.poll_timeout());
    Ok(())
}

/// A game of 1,000 presses, one every five seconds.
fn played(control: Control) -> Clock {
    let mut clock = running(control);
    let mut side = Side::White;
    for number in 1..=PRESSES {
        let at = Instant::from_nanos(number * 5 * SECOND);
        press(&mut clock, side, at).expect("stamps in order");
        side = side.other();
    }
    clock
}

fn presses(c: &mut Criterion) {
    let mut group = c.benchmark_group("press");
    group.throughput(Throughput::Elements(PRESSES));
    for (name, method, alone) in methods() {
        let control = control(method, alone);
        group.bench_function(name, |b| {
            b.iter(|| played(control));
        });
    }
    group.finish();
}

/// A press with each `PeriodEnd` except `PeriodEnd::Moves`, which the other benchmarks have. Both
/// sides enter the next period after about 40 moves.
fn advances(c: &mut Criterion) {
    let mut group = c.benchmark_group("period_end");
    group.throughput(Throughput::Elements(PRESSES));
    let all = [PeriodEnd::Zero, PeriodEnd::MovesAtZero, PeriodEnd::BlackCompletes { pause: false }];
    for period_end in all {
        let period = |moves, secs| Period {
            moves,
            time: PerSide::both(Span::from_secs(secs)),
            method: PerSide::both(Method::None),
        };
        let terms = Terms { period_end, ..Terms::default() };
        let control = Control::new(&[period(Some(40), 201), period(None, 5400)], terms)
            .expect("a good control");
        group.bench_function(period_end.as_str(), |b| b.iter(|| played(control)));
    }
    group.finish();
}

/// The time of a press in a game with a rule profile, and in a game without one. The difference is
/// the cost of the rules.
fn rules(c: &mut Criterion) {
    let mut group = c.benchmark_group("press under rules");
    group.throughput(Throughput::Elements(PRESSES));
    let control = control(Method::Increment(Span::from_secs(30)), None);
    // The profile has every rule that is checked at each press: flags, the default time and the end
    // of the duty to keep score.
    let profile = Profile { score_off_below: Some(Span::from_secs(300)), ..Profile::default() };
    for (name, profile) in [("without a profile", None), ("with a profile", Some(profile))] {
        let setup = Setup { control, profile, session: Session::WithGame, force: false };
        let game = Game::new(&setup, Instant::ZERO).expect("the profile holds for every control");
        group.bench_function(name, |b| b.iter(|| played_under_rules(game)));
    }
    group.finish();
}

fn played_under_rules(mut game: Game) -> Game {
    let start = GameCommand::Clock(Command::Start);
    game.handle_command(start, Instant::ZERO).expect("a game that is ready starts");
    let mut side = Side::White;
    for number in 1..=PRESSES {
        let at = Instant::from_nanos(number * 5 * SECOND);
        game.handle_press(black_box(side), black_box(at)).expect("stamps in order");
        while let Some(event) = game.poll_event() {
            black_box(event);
        }
        black_box(game.poll_timeout());
        side = side.other();
    }
    game
}

/// The cost of reading the system's clock, for comparison.
fn peer(c: &mut Criterion) {
    let mut group = c.benchmark_group("peer");
    group.throughput(Throughput::Elements(1));
    group.bench_function("one reading of CLOCK_MONOTONIC", |b| b.iter(std::time::Instant::now));
    group.finish();
}

fn view(c: &mut Criterion) {
    let mut group = c.benchmark_group("view");
    group.throughput(Throughput::Elements(1));
    for (name, method, alone) in methods() {
        let clock = running(control(method, alone));
        group.bench_function(name, |b| {
            b.iter(|| black_box(&clock).view(black_box(Instant::from_nanos(3 * SECOND))));
        });
    }
    group.finish();
}

#[derive(Clone, Copy)]
enum Recorded {
    Start,
    Press(Side),
    Pause,
    Resume,
}

/// A recorded game of 600 events: moves, with a few pauses and resumes.
fn record() -> Vec<(Instant, Recorded)> {
    let mut list = vec![(Instant::ZERO, Recorded::Start)];
    let mut side = Side::White;
    while list.len() < 600 {
        let at = Instant::from_nanos(list.len() as u64 * 10 * SECOND);
        let what = match list.len() % 50 {
            48 => Recorded::Pause,
            49 => Recorded::Resume,
            _ => {
                side = side.other();
                Recorded::Press(side.other())
            }
        };
        list.push((at, what));
    }
    list
}

fn replay(c: &mut Criterion) {
    let mut group = c.benchmark_group("replay");
    let record = record();
    group.throughput(Throughput::Elements(record.len() as u64));
    let control = control(Method::Increment(Span::from_secs(30)), None);
    group.bench_function("game of 600 events", |b| {
        b.iter(|| {
            let mut clock = Clock::new(control, Instant::ZERO);
            for (at, what) in &record {
                let by = Caller::Arbiter;
                match *what {
                    Recorded::Press(side) => clock.handle_press(side, *at),
                    Recorded::Start => clock.handle_command(Command::Start, *at),
                    Recorded::Pause => clock.handle_command(Command::Pause { by }, *at),
                    Recorded::Resume => clock.handle_command(Command::Resume { side: None }, *at),
                }
                .expect("nothing in the record was refused");
                while let Some(event) = clock.poll_event() {
                    black_box(event);
                }
            }
            clock
        });
    });
    group.finish();
}

criterion_group!(benches, peer, presses, rules, advances, view, replay);
criterion_main!(benches);
