//! Tests that the loop's thread neither allocates nor frees memory once it has started. An
//! allocator can block, and the memory that it adds is not locked.

use super::*;
use crate::counting::calls;
use clock_engine::rules::{
    Action, Claimant, Evidence, Ground, Penalty, PenaltyCause, PenaltyKind, Profile, Ruling,
    Session, Setup,
};
use clock_engine::{Caller, Correction, Outcome, Overtime, PerSide, Period, PeriodEnd, Terms};
use clockd_core::{LineReading, MenuOpening, MenuRequest};

/// Debounce times of 1 µs, so that hundreds of presses take little time. The debounce passes
/// through the same states as with longer times.
fn fast() -> Inputs {
    let span = Span::from_nanos(1000);
    let times =
        crate::rt::Times { settle: span, longest_bounce: span, release: span, stuck: Some(span) };
    Inputs { times, ..Inputs::default() }
}

fn minutes(minutes: u64) -> Control {
    Control::single(Span::from_secs(60 * minutes), Method::None)
}

/// A loop whose iterations are checked for allocations. The code that prepares its inputs is not
/// checked.
struct Watched {
    test: TestLoop,
    allocated: u64,
    seen: Vec<Cause>,
    notes: Vec<Arc<Note>>,
}

impl Watched {
    fn round(&mut self) {
        let before = calls();
        let round = self.test.clock_loop.iterate();
        self.allocated += calls() - before;
        round.unwrap();
    }

    /// Runs iterations until all inputs are decided.
    fn rounds(&mut self) {
        self.test.requests.notify();
        loop {
            self.round();
            while let Some(update) = self.test.updates.pop() {
                self.seen.push(update.cause);
            }
            if self.test.is_settled() {
                return;
            }
        }
    }

    fn press(&mut self) {
        for active in [true, false] {
            self.test.edge(monotonic_now(), active);
            self.test.level(active);
            self.rounds();
        }
    }

    fn ask(&mut self, revision: u64, command: impl Into<GameCommand>) {
        let request = Request { id: 1, at: monotonic_now(), revision, command: command.into() };
        let note = Arc::new(Note { game: 1, bytes: Box::new([7; 99]) });
        // As `Commands`, this keeps the note until the command is answered.
        self.notes.push(Arc::clone(&note));
        assert!(self.test.requests.push(NotedRequest { request, note }).is_ok());
    }

    fn command(&mut self, command: impl Into<GameCommand>) {
        let revision = self.test.clock_loop.core.update(Cause::Missed).revision;
        self.ask(revision, command);
        self.rounds();
    }

    /// Writes more edges than the kernel queues, so that the last ones are lost.
    fn burst(&mut self) {
        for index in 0..2 * QUEUE {
            self.test.edge(monotonic_now(), index % 2 == 0);
        }
        self.test.level(true);
        self.rounds();
        self.test.edge(monotonic_now(), false);
        self.test.level(false);
        self.rounds();
    }

    /// Unplugs the board and plugs a new one in.
    fn replug(&mut self) {
        let (lines, edges, level) = pipe_board();
        self.test.edges = edges;
        self.test.level = level;
        self.rounds();
        assert!(self.test.gone.pop().is_some());
        assert!(self.test.opened.push(lines).is_ok());
        self.rounds();
    }

    fn flag(&mut self) {
        let no_time = Control::single(Span::from_nanos(1_000_000), Method::None);
        self.command(Command::New { control: no_time, force: true });
        self.command(Command::Start);
        self.command(Command::Finish(Outcome::Drawn));
        self.command(Command::New { control: minutes(1), force: true });
    }

    /// Plays overtime, the end of a period, gongs, a set-back, and a press that is taken back.
    fn by_itself(&mut self) {
        let brief = Span::from_nanos(1_000_000);
        let overtime = Overtime { periods: 3, time: brief, moves: 1 };
        let period = |moves| Period {
            moves,
            time: PerSide::both(brief),
            method: PerSide::both(Method::None),
        };
        let zero = Terms { period_end: PeriodEnd::Zero, ..Terms::default() };
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

    /// Starts a clock with a gong, runs `rounds` iterations, and pauses the clock. The method
    /// `Self::rounds` would not end while the clock runs, because the next gong always comes within
    /// a second.
    fn start_and_watch(&mut self, rounds: usize) {
        let revision = self.test.clock_loop.core.update(Cause::Missed).revision;
        self.ask(revision, Command::Start);
        self.test.requests.notify();
        for _ in 0..rounds {
            self.round();
        }
        let revision = self.test.clock_loop.core.update(Cause::Missed).revision;
        self.ask(revision, Command::Pause { by: Caller::Arbiter });
        self.rounds();
    }

    /// Plays a set-back after Black's move, and takes Black's press back. The board has only
    /// White's button, so the edges of Black's button are given to the core directly.
    fn set_back(&mut self) {
        let period = |moves| Period {
            moves,
            time: PerSide::both(Span::from_secs(60)),
            method: PerSide::both(Method::None),
        };
        let period_end = PeriodEnd::BlackCompletes { pause: true };
        let terms = Terms { period_end, ..Terms::default() };
        let control = Control::new(&[period(Some(1)), period(None)], terms).unwrap();
        self.command(Command::New { control, force: true });
        self.command(Command::Start);
        self.press();
        let ClockLoop { core, out, .. } = &mut self.test.clock_loop;
        let mut step = |now: Instant, active: Option<bool>| {
            let mut readings = [const { LineReading::EMPTY }; 3];
            for reading in &mut readings {
                reading.level = Some(false);
            }
            let black = &mut readings[Button::Player(Side::Black).index()];
            active.iter().for_each(|active| black.add(&[Edge { at: now, active: *active }]));
            black.level = Some(active != Some(false));
            let before = calls();
            core.step(now, &readings, std::iter::empty::<Request>(), out);
            self.allocated += calls() - before;
        };
        let now = monotonic_now();
        let later = now.checked_add(Span::from_nanos(2_000_000)).unwrap();
        step(now, Some(true));
        step(later, None);
        step(later, Some(false));
        while monotonic_now() < later {}
        self.command(Command::UndoPress);
    }

    /// Opens the menu with a long press of the call button, presses in it and closes it, on a copy
    /// of the core. The board has only White's button, so the edges are given to the core directly.
    fn menu(&mut self) {
        let ClockLoop { core, out, .. } = &mut self.test.clock_loop;
        let mut core = core.clone().with_menu(MenuOpening::default());
        let mut now = core.clock().last();
        let mut opened = false;
        for (millis, active, request) in [
            (1, None, Some(MenuRequest::MayOpen(true))),
            (1, Some(true), None),
            (3_100, None, None),
            (100, Some(false), None),
            (200, None, None),
            (100, Some(true), None),
            (100, Some(false), None),
            (200, None, Some(MenuRequest::Acknowledge(now))),
            (100, None, Some(MenuRequest::Close(now))),
        ] {
            now = now.checked_add(Span::from_nanos(millis * 1_000_000)).unwrap();
            let mut readings = [const { LineReading::EMPTY }; 3];
            readings.iter_mut().for_each(|reading| reading.level = Some(false));
            let call = &mut readings[Button::Call.index()];
            active.iter().for_each(|active| call.add(&[Edge { at: now, active: *active }]));
            call.level = active.or(Some(millis == 3_100));
            let before = calls();
            let request = request.map(LoopRequest::Menu);
            core.step(now, &readings, request.into_iter(), out);
            self.allocated += calls() - before;
            opened |= core.is_menu_open();
        }
        assert!(opened);
    }

    /// Presses the call button in a test of the buttons, on a copy of the core.
    fn button_test(&mut self) {
        let ClockLoop { core, out, .. } = &mut self.test.clock_loop;
        let mut core = core.clone();
        let mut now = core.clock().last();
        for (active, begins) in [(false, true), (true, false), (true, false), (false, false)] {
            let mut readings = [const { LineReading::EMPTY }; 3];
            readings.iter_mut().for_each(|reading| reading.level = Some(false));
            readings[Button::Call.index()].add(&[Edge { at: now, active }]);
            readings[Button::Call.index()].level = Some(active);
            let before = calls();
            let request = begins.then_some(LoopRequest::Menu(MenuRequest::Test(now)));
            now = now.checked_add(Span::from_nanos(60_000_000)).unwrap();
            core.step(now, &readings, request.into_iter(), out);
            out.trace.edges(&readings);
            self.allocated += calls() - before;
            assert!(core.is_test());
        }
    }

    /// Makes more updates than the ring has room for while none is read, and then gives commands
    /// whose answers find no room.
    fn fill_updates(&mut self) {
        let mut active = false;
        while !self.test.clock_loop.out.updates.is_behind() {
            active = !active;
            self.test.edge(monotonic_now(), active);
            self.test.level(active);
            self.test.requests.notify();
            self.round();
            while !self.test.is_settled() && !self.test.clock_loop.out.updates.is_behind() {
                self.round();
            }
        }
        self.test.level(false);
        self.test.edge(monotonic_now(), false);
        for _ in 0..MAX_REQUESTS {
            self.ask(0, Command::Start);
        }
        self.test.requests.notify();
        self.round();
        while !self.test.clock_loop.out.updates.holds(MAX_REQUESTS) {
            self.round();
        }
        self.rounds();
    }

    /// Plays a game under a rule profile: a claim of a draw, a claim of a flag, a ruling on each, a
    /// penalty, and a draw as the last ruling. Each update contains the open questions with all
    /// their answers, which the core finds by trying them.
    fn under_rules(&mut self) {
        let rules = Profile { claim_below: Some(Span::from_secs(120)), ..Profile::default() };
        let control = Control::single(Span::from_secs(100), Method::None);
        let session = Session::WithGame;
        self.command(GameCommand::New(Setup {
            control,
            profile: Some(rules),
            session,
            force: true,
        }));
        self.command(Command::Start);
        let white = Claimant::Player(Side::White);
        let rule = |decision| Action::rule(decision);
        self.command(Action::ClaimDraw {
            by: white,
            ground: Ground::CannotWin,
            stop: true,
            offer: None,
        });
        self.command(rule(Ruling::Postpone));
        let mut nearly = Correction::default();
        nearly.time.white = Some(Span::from_nanos(1_000_000));
        self.command(Command::Set(nearly));
        // `command` iterates until nothing is due soon, so the flag falls during this call.
        self.command(Command::Resume { side: None });
        self.command(Action::ClaimFlag {
            by: Claimant::Player(Side::Black),
            evidence: Evidence::Flag,
        });
        self.command(rule(Ruling::NotMade));
        self.command(Action::Penalize(Penalty {
            side: Side::White,
            kind: PenaltyKind::Warning,
            time: Span::ZERO,
            half_points: 0,
            cause: Some(PenaltyCause::Other),
        }));
        self.command(rule(Ruling::Drawn));
        self.command(GameCommand::New(Setup {
            control: minutes(1),
            profile: None,
            session: Session::Unknown,
            force: true,
        }));
    }

    fn count(&self, wanted: fn(&Cause) -> bool) -> usize {
        self.seen.iter().filter(|cause| wanted(cause)).count()
    }
}

#[test]
fn the_loop_allocates_and_frees_nothing() {
    let mut test = test_loop_with(64, fast());
    test.clock_loop.prefault().unwrap();
    let mut watched = Watched { test, allocated: 0, seen: Vec::new(), notes: Vec::new() };
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
        watched.under_rules();
        watched.menu();
        watched.button_test();
        watched.fill_updates();
    }
    assert_eq!(watched.allocated, 0);
    // Checks that each kind of change has happened often enough.
    let is_press = |cause: &Cause| *cause == pressed(Side::White) || *cause == pressed(Side::Black);
    assert!(watched.count(is_press) >= 200);
    // In each of the 20 rounds: one flag in a game without periods, one after overtime, two in a
    // game with two periods, and one in a game under a rule profile.
    assert_eq!(watched.count(|cause| cause.as_str() == "flag"), 100);
    for (command, times) in [("claim-draw", 20), ("claim-flag", 20), ("penalize", 20), ("rule", 60)]
    {
        let seen = watched.seen.iter().filter(|cause| cause.as_str() == command);
        assert_eq!(seen.count(), times, "{command}");
    }
    assert_eq!(watched.count(|cause| cause.as_str() == "overtime"), 60);
    assert_eq!(watched.count(|cause| cause.as_str() == "period"), 40);
    assert!(watched.count(|cause| cause.as_str() == "gong") >= 20);
    assert_eq!(watched.count(|cause| *cause == Cause::SetBack), 20);
    assert_eq!(watched.count(|cause| cause.as_str() == "undo-press"), 20);
    assert_eq!(watched.count(|cause| matches!(cause, Cause::BoardGone { paused: true, .. })), 20);
    assert_eq!(watched.count(|cause| *cause == Cause::BoardBack), 20);
    // There can be more than 20 updates with the cause `Missed`. After a stall of the machine, more
    // gongs are due at once than the ring has room for.
    assert!(watched.count(|cause| *cause == Cause::Missed) >= 20);
    assert!(watched.count(|cause| *cause == Cause::Refused) == 20 * MAX_REQUESTS);
    assert!(watched.test.lost_edges() >= 20);
}

#[test]
fn the_counter_counts_what_is_allocated_and_what_is_freed() {
    let before = calls();
    let block = std::hint::black_box(Box::new(1));
    let between = calls();
    drop(block);
    assert!(between > before && calls() > between);
}
