//! What the engine costs: a press with each method, a view, and a whole game from its record.

use clock_engine::{
    Caller, Clock, Command, Control, Instant, Method, PerSide, Period, Refused, Side, Span, Terms,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const SECOND: u64 = 1_000_000_000;

/// The presses of a long game.
const PRESSES: u64 = 1_000;

fn methods() -> [(&'static str, Method); 4] {
    let span = Span::from_secs(30);
    [
        ("none", Method::None),
        ("increment", Method::Increment(span)),
        ("delay", Method::Delay(span)),
        ("bronstein", Method::Bronstein(span)),
    ]
}

/// 40 moves in 90 minutes, then 30 minutes.
fn control(method: Method) -> Control {
    let period = |moves, secs| Period {
        moves,
        time: PerSide::both(Span::from_secs(secs)),
        method: PerSide::both(method),
    };
    Control::new(&[period(Some(40), 5400), period(None, 1800)], Terms::default())
        .expect("a good control")
}

fn running(method: Method) -> Clock {
    let mut clock = Clock::new(control(method), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).expect("a clock that is ready starts");
    clock
}

/// As the clock loop drives it: the press, its events, and when to wake next.
fn press(clock: &mut Clock, side: Side, at: Instant) -> Result<(), Refused> {
    clock.handle_press(black_box(side), black_box(at))?;
    while let Some(event) = clock.poll_event() {
        black_box(event);
    }
    black_box(clock.poll_timeout());
    Ok(())
}

fn presses(c: &mut Criterion) {
    let mut group = c.benchmark_group("press");
    group.throughput(Throughput::Elements(PRESSES));
    for (name, method) in methods() {
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut clock = running(method);
                let mut side = Side::White;
                for number in 1..=PRESSES {
                    let at = Instant::from_nanos(number * 5 * SECOND);
                    press(&mut clock, side, at).expect("stamps in order");
                    side = side.other();
                }
                clock
            });
        });
    }
    group.finish();
}

/// What any clock pays for a stamp of its own, for comparison.
fn peer(c: &mut Criterion) {
    let mut group = c.benchmark_group("peer");
    group.throughput(Throughput::Elements(1));
    group.bench_function("one reading of CLOCK_MONOTONIC", |b| b.iter(std::time::Instant::now));
    group.finish();
}

fn view(c: &mut Criterion) {
    let mut group = c.benchmark_group("view");
    group.throughput(Throughput::Elements(1));
    for (name, method) in methods() {
        let clock = running(method);
        group.bench_function(name, |b| {
            b.iter(|| black_box(&clock).view(black_box(Instant::from_nanos(40 * SECOND))));
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

/// A recorded game of 600 events: moves, and now and then a pause and a resume.
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
    let control = control(Method::Increment(Span::from_secs(30)));
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

criterion_group!(benches, peer, presses, view, replay);
criterion_main!(benches);
