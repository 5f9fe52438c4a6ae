//! The loop in virtual time, with all its inputs.

use super::*;

/// How late the loop may wake up, in nanoseconds.
pub const MAX_OVERSLEEP: u64 = 2 * MS;
/// The longest time that the loop takes to read the lines, in nanoseconds.
pub const MAX_READING: u64 = 20_000;

/// A game, and what happened in it.
pub struct Game {
    random: Random,
    pub truth: Truth,
    pub core: LoopCore,
    queues: [VecDeque<Record>; LINES],
    board: Board,
    /// A command on its way to the loop, and the instant at which it reaches the loop.
    underway: Option<(u64, Request)>,
    next_command: u64,
    /// Every input that the core must decide, with its stamp. [`Game::inputs`] adds the presses.
    pub inputs: Vec<(u64, Input)>,
    /// The updates, and when they were published.
    pub told: Vec<(u64, Told)>,
    /// What would be left if the process were killed now: a snapshot, and the inputs after it.
    kept: Kept,
    /// The commands of several steps.
    pub checked: Checked,
    menu: WithMenu,
    /// The inputs, and what the menu told.
    pub seen: Vec<Seen>,
    /// How many steps in a row returned a deadline that was not later than the step.
    steps_again: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Board {
    There,
    /// The board is unplugged, and the core was told so by [`LoopCore::board_gone`].
    Gone,
}

/// Whether a game has a menu.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WithMenu {
    No,
    /// There is a menu, and it may never open.
    Closed,
    /// The menu may open at random, and it sends commands and leaves at random.
    Random,
}

impl Game {
    pub fn new(seed: u64, kernel: Kernel) -> (Game, Control) {
        let inputs = Inputs::default();
        Game::with(seed, kernel, WithMenu::No, Habits::PLAYING, |control, _| {
            LoopCore::new(
                crate::game_without_rules(control, at(START)),
                inputs,
                Some([false; LINES]),
                at(START),
            )
        })
    }

    /// A game on the core that `core` makes.
    pub fn with(
        seed: u64,
        kernel: Kernel,
        menu: WithMenu,
        habits: Habits,
        core: impl Fn(Control, &mut Random) -> LoopCore,
    ) -> (Game, Control) {
        let mut random = Random(seed);
        let control = arbiter::control(&mut random);
        let truth = Truth::new(&mut random, kernel, habits, START, END);
        let core = core(control, &mut random);
        let kept = Kept::new(core.clock());
        let game = Game {
            kept,
            checked: Checked::default(),
            random,
            truth,
            core,
            queues: Default::default(),
            board: Board::There,
            underway: None,
            next_command: START + 1,
            inputs: Vec::new(),
            told: Vec::new(),
            menu,
            seen: Vec::new(),
            steps_again: 0,
        };
        (game, control)
    }

    pub fn play(&mut self) {
        let (mut now, mut deadline) = (START, None);
        // 200 ms are enough to decide all inputs that still wait at the end.
        while now < END + 200 * MS {
            let wake = self.next_arrival().into_iter().chain(deadline).min();
            let Some(wake) = wake.filter(|wake| *wake < END + 200 * MS) else { return };
            now = now.max(wake) + self.oversleep();
            // No input has the instant of a step as its stamp: steps are at 6 modulo 8, while
            // stamps of commands are odd and those of contacts are 0, 2 or 4 modulo 8.
            now = now / 8 * 8 + 6;
            self.give_command(now);
            self.queue_records(now);
            self.plug_in(now);
            if self.menu == WithMenu::Random {
                self.ask_menu(now);
            }
            deadline = self.step(now);
            let runs = self.core.clock().game().phase() == Phase::Running;
            assert!(!(runs && self.core.is_menu_open()), "open while a clock runs at {now}");
            let again = deadline.is_some_and(|deadline| deadline <= now);
            self.steps_again = if again { self.steps_again + 1 } else { 0 };
            assert!(self.steps_again < 3, "the loop spins at {now}");
            if self.unplug(now) {
                deadline = Some(now);
            }
        }
    }

    /// Gives the core random requests of the program that shows the menu.
    fn ask_menu(&mut self, now: u64) {
        let may_open = now > START + 200 * MS && !self.random.chance(400);
        self.core.menu_request(MenuRequest::MayOpen(may_open));
        if self.core.is_menu_open() && self.random.chance(4) {
            self.core.menu_request(MenuRequest::Acknowledge(at(now)));
        }
        if self.core.is_menu_open() && self.random.chance(40) {
            self.core.menu_request(MenuRequest::Close(at(now)));
        }
        let request = self.underway.as_ref().map(|(_, request)| request.id);
        if let Some(id) = request.filter(|_| self.random.chance(2)) {
            self.core.menu_request(MenuRequest::Command(id));
        }
    }

    fn oversleep(&mut self) -> u64 {
        let most = if self.random.chance(10) { MAX_OVERSLEEP } else { 60_000 };
        self.random.below(most - 8)
    }

    /// The instant at which a record of the kernel, the board or a command wakes the loop next.
    fn next_arrival(&self) -> Option<u64> {
        let there = self.board == Board::There;
        let records = self.truth.lines.iter().filter_map(|line| line.records.front());
        let records = records.map(|record| record.queued).filter(|_| there);
        let plugging = self.truth.absence.map(|(gone, back)| if there { gone } else { back });
        let command = self.underway.as_ref().map_or(self.next_command, |(arrives, _)| *arrives);
        records.chain(plugging).chain(Some(command).filter(|at| *at < END)).min()
    }

    /// Queues the kernel's records whose `queued` is not later than `now`. A record is dropped if
    /// the queue is full (16 records) or the board is gone.
    fn queue_records(&mut self, now: u64) {
        for (line, queue) in self.truth.lines.iter_mut().zip(&mut self.queues) {
            while let Some(record) = line.records.pop_front_if(|record| record.queued <= now) {
                if self.board == Board::There && queue.len() < crate::QUEUE {
                    queue.push_back(record);
                }
            }
        }
    }

    /// If it is time for the next command, makes it and stamps it. The command reaches the loop up
    /// to 50 µs after its stamp.
    fn give_command(&mut self, now: u64) {
        if self.underway.is_none() && self.next_command <= now && self.next_command < END {
            let stamp = self.next_command;
            let shown = self.core.update(Cause::Missed);
            let stale = self.random.chance(12);
            let profile = self.core.clock().game().profile().copied();
            let command = arbiter::command(&mut self.random, &shown.view, profile);
            let revision = shown.revision - u64::from(stale);
            let request = Request { id: stamp, at: at(stamp), revision, command };
            self.underway = Some((stamp + self.random.below(50_000), request));
            // Most commands end the deferral of a press, so there are few of them with a menu.
            let often = match (shown.view.phase, self.menu) {
                (Phase::Running, _) => 2500 * MS,
                (_, WithMenu::Random) => 9000 * MS,
                _ => 300 * MS,
            };
            let mut next = stamp + MS + self.random.below(often);
            while self.truth.is_near_plugging(next) {
                next += MS;
            }
            self.next_command = next.max(now + MS) | 1;
        }
    }

    fn step(&mut self, now: u64) -> Option<u64> {
        let mut readings = [const { LineReading::EMPTY }; LINES];
        let looked = now + self.random.below(MAX_READING);
        for (line, reading) in readings.iter_mut().enumerate() {
            if self.board == Board::There {
                let edges: Vec<Edge> = self.queues[line]
                    .drain(..)
                    .map(|record| Edge { at: at(record.stamp), active: record.active })
                    .collect();
                reading.add(&edges);
                reading.level = Some(self.truth.level(line, looked));
            }
        }
        let request = self.underway.take_if(|(arrives, _)| *arrives <= now);
        let requests = request.map(|(_, request)| request).into_iter();
        self.inputs.extend(
            requests.clone().map(|request| (request.at.as_nanos(), Input::Request(request))),
        );
        let Game { told, kept, checked, seen, .. } = self;
        let mut out = Tell { now, told, kept, checked, seen };
        let deadline = self.core.step(at(now), &readings, requests, &mut out);
        self.check_kept();
        self.check_deadline(now, deadline, &readings);
        deadline.map(Instant::as_nanos)
    }

    /// In one of 16 steps on average, checks that `kept` leads to the state after the step, and
    /// then takes a new snapshot.
    fn check_kept(&mut self) {
        if self.random.chance(16) {
            self.kept.check(self.core.clock());
            self.kept.take_snapshot(self.core.clock());
        }
    }

    /// Checks that the deadline is at most [`EDGE_DELIVERY_WINDOW`] after the next change of the
    /// clock, unless the clock has no next change or a line delays decisions. In some cases, also
    /// checks that a step one nanosecond before the deadline (an hour after `now` if there is no
    /// deadline) would publish nothing. This is not checked while a level differs from the latest
    /// edge.
    fn check_deadline(
        &mut self,
        now: u64,
        deadline: Option<Instant>,
        readings: &[LineReading; LINES],
    ) {
        if self.core.holds_back().is_none()
            && let Some(due) = self.core.clock.due()
        {
            let due = due.checked_add(EDGE_DELIVERY_WINDOW);
            assert!(deadline.is_some() && deadline <= due, "{deadline:?} for {due:?} at {now}");
        }
        let before = deadline.map_or(now + 3_600_000 * MS, |at| at.as_nanos() - 1);
        // While a level differs from the latest edge, the deadline is at most 1 ms after `now`. An
        // earlier step could decide what the difference delays, so no earlier step is tried.
        let differs = (0..LINES).any(|line| {
            let level = readings[line].level;
            level.is_some_and(|level| level != self.core.lines[line].debounce().is_active())
        });
        if differs || before <= now || !self.random.chance(8) {
            return;
        }
        let mut readings = readings.clone();
        for reading in &mut readings {
            let level = reading.level;
            reading.clear();
            reading.level = level;
        }
        let mut core = self.core.clone();
        let say = format!("at {now} the deadline was {deadline:?}, but more was due before");
        core.step(at(before), &readings, std::iter::empty::<Request>(), &mut Nothing(say));
    }

    fn unplug(&mut self, now: u64) -> bool {
        let due = self.truth.absence.is_some_and(|(gone, _)| gone <= now);
        if !due || self.board == Board::Gone {
            return false;
        }
        self.board = Board::Gone;
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.core.board_gone(WHITE, at(now));
        self.inputs.push((now, Input::BoardGone));
        true
    }

    fn plug_in(&mut self, now: u64) {
        let due = self.truth.absence.is_some_and(|(_, back)| back <= now);
        if !due || self.board == Board::There {
            return;
        }
        self.board = Board::There;
        self.truth.absence = None;
        let levels = std::array::from_fn(|line| self.truth.level(line, now));
        let Game { told, kept, checked, seen, .. } = self;
        self.core.board_back(levels, at(now), &mut Tell { now, told, kept, checked, seen });
        self.inputs.push((now, Input::BoardBack));
    }

    /// All inputs in the order of their stamps, including the presses that were made while the
    /// board was there.
    pub fn inputs(&mut self) -> Vec<(u64, Input)> {
        let mut inputs = std::mem::take(&mut self.inputs);
        let stamp = |is: fn(&Input) -> bool| {
            inputs.iter().find(|(_, input)| is(input)).map_or(u64::MAX, |(at, _)| *at)
        };
        let gone = stamp(|input| matches!(input, Input::BoardGone));
        let back = stamp(|input| matches!(input, Input::BoardBack));
        for press in &self.truth.presses {
            if !(gone..back).contains(&press.stamp) {
                inputs.push((press.stamp, Input::Press(press.line)));
            }
        }
        inputs.sort_by_key(|(at, _)| *at);
        inputs
    }
}

/// An output that must receive nothing.
struct Nothing(String);

impl Output for Nothing {
    fn update(&mut self, update: &Update) {
        panic!("{}: {:?}", self.0, update.cause);
    }

    fn menu(&mut self, event: MenuEvent) {
        panic!("{}: {event:?}", self.0);
    }
}
