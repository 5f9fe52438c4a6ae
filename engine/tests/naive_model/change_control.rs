//! Changes of the time control with recomputed times. The naive model plays the same turns under the
//! new control from the start.

use crate::config;
use crate::controls::{TICKS, control, nanos, side};
use crate::model::Naive;
use clock_engine::rules::{Game, GameCommand, Session, Setup};
use clock_engine::{
    AfterFlag, Caller, Command, Control, Instant, Method, Overtime, OvertimeLeft, PerSide, Period,
    PeriodEnd, Phase, Side, SideView, Span, Terms, TurnEvent, View,
};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use std::cell::Cell;

/// A part of a game that is to be played.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The side on move presses after this time.
    Turn(u64),
    /// After this time both clocks are stopped, a side gets time or loses it, and a clock goes on:
    /// that of the given side, if any.
    Stop(u64, Option<(Side, i64)>, Option<Side>),
    /// After this time both clocks are stopped, and the last press is taken back.
    Undo(u64),
}

/// What was done in the game.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a test has few of them")]
enum Done {
    Ran(u64),
    Press(Side),
    Command(Command),
}

/// A game on the engine, with what was done and the events that the engine made of it.
struct Played {
    game: Game,
    turns: Vec<TurnEvent>,
    done: Vec<Done>,
}

const PAUSE: Command = Command::Pause { by: Caller::Arbiter };

impl Played {
    fn start(control: Control) -> Played {
        let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
        let game = Game::new(&setup, Instant::ZERO).expect("there is no profile");
        let mut played = Played { game, turns: Vec::new(), done: Vec::new() };
        played.command(Command::Start);
        played
    }

    fn phase(&self) -> Phase {
        self.game.phase()
    }

    fn view(&self) -> View {
        self.game.view(self.game.last())
    }

    fn note(&mut self, before: Game, command: Option<&GameCommand>) {
        while self.game.poll_event().is_some() {}
        self.turns.extend(before.turn_events(command, &self.game, self.game.last()));
    }

    fn command(&mut self, command: Command) -> bool {
        let (before, at) = (self.game, self.game.last());
        let given = GameCommand::Clock(command);
        let done = self.game.handle_command(given, at).is_ok();
        self.note(before, Some(&given).filter(|_| done));
        if done {
            self.done.push(Done::Command(command));
        }
        done
    }

    /// Lets the clock run. With an hourglass it stops at a flag.
    fn run(&mut self, span: u64) {
        if self.phase() != Phase::Running {
            return;
        }
        let (before, last) = (self.game, self.game.last());
        let at = Instant::from_nanos(last.as_nanos() + span);
        self.game.handle_timeout(at).expect("time goes on");
        self.note(before, None);
        let view = self.view();
        let stopped = match view.phase {
            Phase::Running => at,
            _ => view.sides[view.on_move].flag.expect("only a flag stops the clock"),
        };
        self.done.push(Done::Ran(stopped.since(last).as_nanos()));
    }

    fn press(&mut self) {
        let (before, at, side) = (self.game, self.game.last(), self.view().on_move);
        self.game.handle_press(side, at).expect("time does not go back");
        self.note(before, None);
        self.done.push(Done::Press(side));
        if self.phase() == Phase::Paused {
            self.command(Command::Resume { side: None });
        }
    }

    fn play(&mut self, part: Part) {
        let (Part::Turn(span) | Part::Stop(span, ..) | Part::Undo(span)) = part;
        self.run(span);
        if self.phase() != Phase::Running {
            return;
        }
        let resumed = match part {
            Part::Turn(_) => return self.press(),
            Part::Stop(_, award, side) => {
                self.command(PAUSE);
                if let Some((side, delta_ns)) = award {
                    self.command(Command::Add { side, delta_ns });
                }
                side
            }
            Part::Undo(_) => {
                self.command(PAUSE);
                self.command(Command::UndoPress);
                None
            }
        };
        self.command(Command::Resume { side: resumed });
    }

    /// Stops both clocks and changes the control. Returns whether that was accepted.
    fn change(&mut self, new: Control) -> bool {
        self.command(PAUSE);
        let recompute = self.game.recompute(&new, self.turns.iter().copied());
        let command =
            GameCommand::ChangeTimeControl { control: new, recompute, schedule_suffers: false };
        let (before, at) = (self.game, self.game.last());
        let done = self.game.handle_command(command, at).is_ok();
        self.note(before, Some(&command).filter(|_| done));
        done
    }
}

/// What a side has: the time, the delay, the moves, the period, the overtime, what it owes, and the
/// overrun if its final flag is down.
type Times = (Span, Span, u32, u32, Option<OvertimeLeft>, Span, Option<Span>);

fn times(view: &View) -> (Side, PerSide<Times>) {
    let of = |side: SideView| {
        let overrun = side.out_of_time.then_some(side.overrun);
        let SideView { remaining, delay, moves, period, overtime, owed, .. } = side;
        (remaining, delay, moves, period, overtime, owed, overrun)
    };
    (view.on_move, view.sides.map(of))
}

/// The times of a game in which the same was done, under this control from the start. `None` if it
/// could not have been done, or if the clock would have halted.
fn from_the_start(control: Control, done: &[Done]) -> Option<(Side, PerSide<Times>)> {
    let mut naive = Naive::new(control);
    let mut at = 0;
    for &done in done {
        let view = naive.view(at);
        match done {
            Done::Command(Command::Resume { side }) => {
                // The clock may go on already, because only the other control stopped it.
                let other = side.filter(|side| *side != view.on_move);
                if view.phase != Phase::Paused && other.is_some() {
                    naive.command(PAUSE, at).ok()?;
                }
                if view.phase == Phase::Paused || other.is_some() {
                    naive.command(Command::Resume { side }, at).ok()?;
                }
            }
            Done::Command(Command::Pause { .. }) if view.phase == Phase::Paused => {}
            Done::Command(command) => naive.command(command, at).ok()?,
            Done::Ran(_) | Done::Press(_) if view.phase == Phase::Paused => {
                naive.command(Command::Resume { side: None }, at).ok()?;
            }
            Done::Ran(_) | Done::Press(_) => {}
        }
        match done {
            Done::Ran(span) => {
                at += i128::from(span);
                naive.until(at);
            }
            Done::Press(side) => naive.press(side, at),
            Done::Command(_) => {}
        }
        if naive.view(at).phase == Phase::Ruling {
            return None;
        }
    }
    Some(times(&naive.view(at)))
}

/// The control, with clocks that run on after the flag if the control allows that.
fn running_on(control: &Control) -> Control {
    let terms = Terms { after_flag: Some(AfterFlag::Run), ..*control.terms() };
    Control::new(control.periods(), terms).unwrap_or(*control)
}

/// Changes the control of a game to each of `news` in turn. Returns how often that was accepted.
fn compare(mut played: Played, news: &[Control]) -> Result<u32, TestCaseError> {
    let mut accepted = 0;
    for &new in news {
        if played.phase() == Phase::Running {
            played.command(PAUSE);
        }
        let out = played.view().sides.map(|side| side.out_of_time);
        let expected = from_the_start(running_on(&new), &played.done);
        let would_fall = expected.is_none_or(|(_, sides)| {
            Side::BOTH.iter().any(|&side| sides[side].6.is_some() && !out[side])
        });
        let is_accepted = played.change(new);
        let before = format!("{new:?} after {:?}", played.done);
        if out == PerSide::both(false) || expected.is_some() {
            prop_assert_eq!(is_accepted, !would_fall, "{}", before);
        }
        if let Some(expected) = expected.filter(|_| is_accepted) {
            prop_assert_eq!(times(&played.view()), expected, "{}", before);
            accepted += 1;
        }
    }
    Ok(accepted)
}

fn is_gong(control: &Control) -> bool {
    matches!(control.periods()[0].method.white, Method::Gong(_))
}

fn part(tick: u64) -> BoxedStrategy<Part> {
    let span = prop_oneof![3 => (0..20_u64).prop_map(move |ticks| ticks * tick), 1 => nanos(tick)];
    let delta = i64::try_from(tick).expect("a tick is short");
    let award = (side(), -20..40_i64).prop_map(move |(side, ticks)| (side, ticks * delta));
    let stop = (span.clone(), prop::option::of(award), prop::option::weighted(0.2, side()));
    prop_oneof![
        8 => span.clone().prop_map(Part::Turn),
        1 => stop.prop_map(|(span, award, side)| Part::Stop(span, award, side)),
        1 => span.prop_map(Part::Undo),
    ]
    .boxed()
}

type Drawn = (Control, Vec<Part>, Vec<Control>);

fn drawn(tick: u64) -> BoxedStrategy<Drawn> {
    let control = control(tick).prop_filter("no gong", |control| !is_gong(control)).boxed();
    let news = prop::collection::vec(control.clone(), 1..4);
    (control, prop::collection::vec(part(tick), 1..40), news).boxed()
}

#[test]
fn the_recomputed_times_are_those_of_the_same_turns_under_the_new_control() {
    let [short, long] = TICKS.map(drawn);
    let accepted = Cell::new(0);
    let test = |(control, parts, news): Drawn| -> TestCaseResult {
        let mut played = Played::start(running_on(&control));
        parts.into_iter().for_each(|part| played.play(part));
        accepted.set(accepted.get() + compare(played, &news)?);
        Ok(())
    };
    if let Err(error) = TestRunner::new(config()).run(&prop_oneof![short, long], test) {
        panic!("{error}");
    }
    assert!(accepted.get() > 100, "only {} controls were changed", accepted.get());
}

fn seconds(seconds: u64) -> Span {
    Span::from_secs(seconds)
}

/// Controls of one period and of two, with each of the methods.
fn of_each_method() -> Vec<Control> {
    let overtime = Overtime { periods: 5, time: seconds(30), moves: 3 };
    let different =
        PerSide { white: Method::Increment(seconds(8)), black: Method::Bronstein(seconds(3)) };
    let methods = [
        PerSide::both(Method::None),
        PerSide::both(Method::Increment(seconds(5))),
        PerSide::both(Method::Increment(seconds(10))),
        PerSide::both(Method::Delay(seconds(5))),
        PerSide::both(Method::Delay(seconds(10))),
        PerSide::both(Method::Bronstein(seconds(5))),
        PerSide::both(Method::Overtime(overtime)),
        different,
    ];
    let period = |moves, minutes: u64, method| Period {
        moves,
        time: PerSide { white: seconds(60 * minutes), black: seconds(60 * minutes + 30) },
        method,
    };
    let ends = [
        PeriodEnd::Moves,
        PeriodEnd::Zero,
        PeriodEnd::MovesAtZero,
        PeriodEnd::BlackCompletes { pause: true },
    ];
    let mut controls = Vec::new();
    for method in methods {
        let single = Control::new(&[period(None, 9, method)], Terms::default());
        controls.push(single.expect("a control of one period"));
        for period_end in ends {
            let first = PerSide::both(Method::Delay(seconds(2)));
            let periods = [period(Some(7), 3, first), period(None, 6, method)];
            let terms = Terms { period_end, ..Terms::default() };
            controls.push(Control::new(&periods, terms).expect("a control of two periods"));
        }
    }
    let up = Method::CountUp { limit: Some(seconds(500)) };
    for (time, method) in [(400, Method::Hourglass), (0, up)] {
        controls.push(Control::single(seconds(time), method));
    }
    controls
}

/// Every pair of the methods. The numbers of moves are 1 to 40, and the turns take up to 20 s, so that
/// some are shorter than the delays and some games use up the time.
#[test]
fn every_pair_of_methods_gives_the_times_of_the_naive_model() {
    let controls = of_each_method();
    let accepted = Cell::new(0);
    let turns = prop::collection::vec(0..20_000_000_000_u64, 1..=80);
    let test = |(turns, rest): (Vec<u64>, u64)| -> TestCaseResult {
        for old in &controls {
            let mut played = Played::start(running_on(old));
            turns.iter().for_each(|turn| played.play(Part::Turn(*turn)));
            played.run(rest);
            accepted.set(accepted.get() + compare(played, &controls)?);
        }
        Ok(())
    };
    let config = ProptestConfig { cases: 16, ..config() };
    if let Err(error) = TestRunner::new(config).run(&(turns, 0..15_000_000_000_u64), test) {
        panic!("{error}");
    }
    assert!(accepted.get() > 10_000, "only {} controls were changed", accepted.get());
}
