//! The loop's thread allocates and frees nothing once it has started: an allocator may wait, and
//! its memory is not locked.

use super::*;
use crate::counting::calls;
use clock_engine::{Advance, Caller, Outcome, Overtime, PerSide, Period, Terms};

/// Short enough that hundreds of presses take no time; the states passed through are the same.
fn fast() -> Inputs {
    let span = Span::from_nanos(1000);
    let times = crate::rt::Times { settle: span, gap: span, release: span, stuck: Some(span) };
    Inputs { times, ..Inputs::default() }
}

fn minutes(minutes: u64) -> Control {
    Control::single(Span::from_secs(60 * minutes), Method::None)
}

/// A loop of which every round is watched; what brings it work is not.
struct Watched {
    stage: Stage,
    allocated: u64,
    seen: Vec<Cause>,
}

impl Watched {
    fn round(&mut self) {
        let before = calls();
        let round = self.stage.clock_loop.round();
        self.allocated += calls() - before;
        round.unwrap();
    }

    /// Plays rounds until what came is decided.
    fn rounds(&mut self) {
        self.stage.requests.ring_bell();
        loop {
            self.round();
            while let Some(update) = self.stage.updates.pop() {
                self.seen.push(update.cause);
            }
            if self.stage.is_settled() {
                return;
            }
        }
    }

    fn press(&mut self) {
        for active in [true, false] {
            self.stage.edge(monotonic_now(), active);
            self.stage.level(active);
            self.rounds();
        }
    }

    fn ask(&mut self, revision: u64, command: Command) {
        let request = Request { id: 1, at: monotonic_now(), revision, command };
        assert!(self.stage.requests.push(request).is_ok());
    }

    fn command(&mut self, command: Command) {
        let revision = self.stage.clock_loop.decider.update(Cause::Missed).revision;
        self.ask(revision, command);
        self.rounds();
    }

    /// More edges than the kernel keeps, the last of them lost.
    fn burst(&mut self) {
        for index in 0..2 * QUEUE {
            self.stage.edge(monotonic_now(), index % 2 == 0);
        }
        self.stage.level(true);
        self.rounds();
        self.stage.edge(monotonic_now(), false);
        self.stage.level(false);
        self.rounds();
    }

    /// A board pulled out, and the one that takes its place.
    fn replug(&mut self) {
        let (lines, edges, level) = pipe_board();
        self.stage.edges = edges;
        self.stage.level = level;
        self.rounds();
        assert!(self.stage.gone.pop().is_some());
        assert!(self.stage.fresh.push(lines).is_ok());
        self.rounds();
    }

    fn flag(&mut self) {
        let no_time = Control::single(Span::from_nanos(1_000_000), Method::None);
        self.command(Command::New { control: no_time, force: true });
        self.command(Command::Start);
        self.command(Command::Finish(Outcome::Drawn));
        self.command(Command::New { control: minutes(1), force: true });
    }

    /// Everything that happens by itself and is no final flag, a set-back, and a press taken back.
    fn by_itself(&mut self) {
        let brief = Span::from_nanos(1_000_000);
        let overtime = Overtime { periods: 3, time: brief, moves: 1 };
        let period = |moves| Period {
            moves,
            time: PerSide::both(brief),
            method: PerSide::both(Method::None),
        };
        let zero = Terms { advance: Advance::Zero, ..Terms::default() };
        for control in [
            Control::single(brief, Method::Overtime(overtime)),
            Control::new(&[period(None), period(None)], zero).unwrap(),
        ] {
            self.command(Command::New { control, force: true });
            self.command(Command::Start);
            self.command(Command::Finish(Outcome::Drawn));
        }
        self.command(Command::New {
            control: Control::single(Span::ZERO, Method::Gong(brief)),
            force: true,
        });
        self.start_and_watch(20);
        self.command(Command::Finish(Outcome::Drawn));
        self.set_back();
        self.command(Command::New { control: minutes(1), force: true });
    }

    /// With a gong something is always due soon.
    fn start_and_watch(&mut self, rounds: usize) {
        let revision = self.stage.clock_loop.decider.update(Cause::Missed).revision;
        self.ask(revision, Command::Start);
        self.stage.requests.ring_bell();
        for _ in 0..rounds {
            self.round();
        }
        let revision = self.stage.clock_loop.decider.update(Cause::Missed).revision;
        self.ask(revision, Command::Pause { by: Caller::Arbiter });
        self.rounds();
    }

    /// White's button is the only one here, so Black's move is made by hand.
    fn set_back(&mut self) {
        let period = |moves| Period {
            moves,
            time: PerSide::both(Span::from_secs(60)),
            method: PerSide::both(Method::None),
        };
        let advance = Advance::BlackCompletes { pause: true };
        let terms = Terms { advance, ..Terms::default() };
        let control = Control::new(&[period(Some(1)), period(None)], terms).unwrap();
        self.command(Command::New { control, force: true });
        self.command(Command::Start);
        self.press();
        let clock_loop = &mut self.stage.clock_loop;
        let (decider, outbox) = (&mut clock_loop.decider, &mut clock_loop.outbox);
        let before = calls();
        let now = monotonic_now();
        decider.edge(Button::Player(Side::Black), Edge { at: now, active: true });
        let later = now.checked_add(Span::from_nanos(2_000_000)).unwrap();
        decider.decide(later, &mut |update| outbox.put(update));
        decider.edge(Button::Player(Side::Black), Edge { at: later, active: false });
        self.allocated += calls() - before;
        while monotonic_now() < later {}
        self.command(Command::UndoPress);
    }

    /// More answers than there is room for, though some of the commands may still be waiting.
    fn overrun(&mut self) {
        for _ in 0..100 {
            self.ask(0, Command::Start);
            self.stage.requests.ring_bell();
            self.round();
        }
        self.rounds();
    }

    fn count(&self, wanted: fn(&Cause) -> bool) -> usize {
        self.seen.iter().filter(|cause| wanted(cause)).count()
    }
}

#[test]
fn the_loop_allocates_and_frees_nothing() {
    let mut stage = stage_of(64, fast());
    stage.clock_loop.rehearse().unwrap();
    let mut watched = Watched { stage, allocated: 0, seen: Vec::new() };
    for _ in 0..20 {
        watched.command(Command::Start);
        for _ in 0..10 {
            watched.press();
            watched.command(Command::Pause { by: Caller::Arbiter });
            watched.command(Command::Resume { side: Some(Side::White) });
        }
        watched.burst();
        watched.replug();
        watched.flag();
        watched.by_itself();
        watched.overrun();
    }
    assert_eq!(watched.allocated, 0);
    // And all of it has happened.
    assert!(watched.count(|cause| matches!(cause, Cause::Press(_))) >= 200);
    // One flag of a game without periods, one after overtime, two of a game with two periods.
    assert_eq!(watched.count(|cause| matches!(cause, Cause::Flag { .. })), 80);
    assert_eq!(watched.count(|cause| matches!(cause, Cause::Overtime { .. })), 60);
    assert_eq!(watched.count(|cause| matches!(cause, Cause::Period { .. })), 40);
    assert!(watched.count(|cause| matches!(cause, Cause::Gong(_))) >= 20);
    assert_eq!(watched.count(|cause| *cause == Cause::SetBack), 20);
    assert_eq!(watched.count(|cause| *cause == Cause::Command("undo")), 20);
    assert_eq!(watched.count(|cause| matches!(cause, Cause::Unplugged { paused: true, .. })), 20);
    assert_eq!(watched.count(|cause| *cause == Cause::Returned), 20);
    assert_eq!(watched.count(|cause| *cause == Cause::Missed), 20);
    assert!(watched.count(|cause| *cause == Cause::Refused) >= 20 * 64);
    assert!(watched.stage.lost_edges() >= 20);
}

#[test]
fn the_counter_counts_what_is_allocated_and_what_is_freed() {
    let before = calls();
    let block = std::hint::black_box(Box::new(1));
    let between = calls();
    drop(block);
    assert!(between > before && calls() > between);
}
