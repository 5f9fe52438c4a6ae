//! Random games in which the power is cut and the clock is restored to an earlier state, on the
//! engine and on the naive model.
//!
//! On the model's axis a power cut takes no time. The engine's axis is moved by each cut.

use crate::games::{Action, When, any_played};
use crate::model::Naive;
use crate::{config, nanos};
use clock_engine::rules::{Game, GameCommand, GameEventKind, GameRefused, Session, Setup};
use clock_engine::{Caller, Command, Control, EarlierClock, Instant, Phase, Side, View};
use proptest::prelude::*;
use proptest::sample::Index;
use std::cell::Cell;

/// The instant of the engine at which each game begins. It is so late that the cuts cannot move an
/// instant before zero.
const BEGIN: u64 = 1_000_000_000_000_000;

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a few hundred of them in a test")]
enum Step {
    Play(When, Action),
    /// The power is cut `unknown` nanoseconds after the last step, and the engine's axis moves by
    /// `moved` nanoseconds.
    Cut {
        unknown: u64,
        moved: i64,
    },
    /// The clock is restored to its state after an earlier step of the game. If `pause` is set, the
    /// arbiter first pauses the clock.
    Restore {
        earlier: Index,
        pause: bool,
    },
}

fn restart() -> impl Strategy<Value = Step> {
    let most = 1_000_000_000_000_i64;
    prop_oneof![
        (0..100_u64, -most..most).prop_map(|(unknown, moved)| Step::Cut { unknown, moved }),
        (any::<Index>(), prop::bool::weighted(0.8))
            .prop_map(|(earlier, pause)| Step::Restore { earlier, pause }),
    ]
}

/// A random game with a few restarts in it.
fn games() -> impl Strategy<Value = (Control, Vec<Step>)> {
    let restarts = prop::collection::vec((any::<Index>(), restart()), 1..6);
    (any_played(), restarts).prop_map(|((control, game), restarts)| {
        let mut steps: Vec<Step> =
            game.into_iter().map(|(when, action)| Step::Play(when, action)).collect();
        for (place, restart) in restarts {
            steps.insert(place.index(steps.len() + 1), restart);
        }
        (control, steps)
    })
}

/// A state to which the clock can be restored.
struct Earlier {
    clock: EarlierClock,
    naive: Naive,
    /// The instant at which the state was taken, on the model's axis.
    taken: i128,
}

struct BothGames {
    game: Game,
    naive: Naive,
    /// The instant of the engine, in nanoseconds, that is zero on the model's axis.
    zero: i128,
    earlier: Vec<Earlier>,
}

impl BothGames {
    fn new(control: Control) -> BothGames {
        let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
        let game = Game::new(&setup, Instant::from_nanos(BEGIN)).expect("no profile refuses it");
        let zero = BEGIN.into();
        let mut both = BothGames { game, naive: Naive::new(control), zero, earlier: Vec::new() };
        both.keep();
        both
    }

    /// Converts an instant of the engine to one of the model.
    fn of_model(&self, at: Instant) -> i128 {
        nanos(at) - self.zero
    }

    fn of_engine(&self, at: i128) -> Instant {
        Instant::from_nanos(u64::try_from(at + self.zero).expect("the axis begins early enough"))
    }

    fn keep(&mut self) {
        self.earlier.push(Earlier {
            clock: EarlierClock::from(self.game.clock()),
            naive: self.naive.clone(),
            taken: self.of_model(self.game.last()),
        });
    }

    /// The view of the model, with its instants converted to those of the engine.
    fn expected(&self) -> View {
        let mut view = self.naive.view(self.of_model(self.game.last()));
        view.at = self.game.last();
        for side in Side::BOTH {
            let flag = &mut view.sides[side].flag;
            *flag = flag.map(|at| self.of_engine(nanos(at)));
            // The model has no rules, which note the arrival of a player.
            view.sides[side].notes = self.game.side_notes(side);
        }
        view
    }

    fn compare(&mut self, step: &Step) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.game.view(self.game.last()), self.expected(), "{:?}", step);
        let events = std::iter::from_fn(|| self.game.poll_event());
        let events: Vec<_> = events
            .map(|event| match event.kind {
                GameEventKind::Clock(kind) => (nanos(event.at) - self.zero, kind),
                other => panic!("{other:?} without a profile"),
            })
            .collect();
        prop_assert_eq!(events, self.naive.take_events(), "{:?}", step);
        let due = self.game.poll_timeout().map(|at| self.of_model(at));
        prop_assert_eq!(due, self.naive.due(), "{:?}", step);
        Ok(())
    }

    /// Carries out a step on the engine and on the model, and compares both. Returns whether the
    /// step was carried out.
    fn step(&mut self, step: &Step) -> Result<bool, TestCaseError> {
        let done = match step {
            Step::Play(when, action) => self.play(*when, *action),
            Step::Cut { unknown, moved } => self.cut(*unknown, *moved),
            Step::Restore { earlier, pause } => self.restore(*earlier, *pause),
        }?;
        self.compare(step)?;
        self.keep();
        Ok(done)
    }

    fn play(&mut self, when: When, action: Action) -> Result<bool, TestCaseError> {
        let at = when.resolve(self.game.clock());
        let now = self.of_model(at);
        let action = action.settled(self.game.clock(), at);
        let (done, expected) = match action {
            Action::Move => unreachable!("a move is settled to be a side's press"),
            Action::Press(side) => {
                self.naive.press(side, now);
                (self.game.handle_press(side, at).map_err(GameRefused::from), Ok(()))
            }
            Action::Call => {
                self.naive.call(now);
                (self.game.handle_call(at).map_err(GameRefused::from), Ok(()))
            }
            Action::Timeout => {
                self.naive.until(now);
                (self.game.handle_timeout(at).map_err(GameRefused::from), Ok(()))
            }
            Action::Command(command) => {
                let done = self.game.handle_command(command.into(), at);
                if let (Command::New { .. }, Ok(())) = (command, done) {
                    self.earlier.clear();
                }
                (done, self.naive.command(command, now))
            }
        };
        let done = done.map_err(GameRefused::code);
        prop_assert_eq!(done, expected);
        Ok(done.is_ok())
    }

    fn cut(&mut self, unknown: u64, moved: i64) -> Result<bool, TestCaseError> {
        let stopped = Instant::from_nanos(self.game.last().as_nanos() + unknown);
        let at = Instant::from_nanos(stopped.as_nanos().saturating_add_signed(moved));
        self.naive.until(self.of_model(stopped));
        let ran = self.game.poll_timeout().is_some();
        let pause = Command::Pause { by: Caller::PowerCut };
        let paused = self.naive.command(pause, self.of_model(stopped)).is_ok();
        self.game.handle_power_cut(stopped, at);
        prop_assert!(paused || !ran || self.game.phase() == Phase::Ruling);
        self.zero += i128::from(moved);
        for earlier in &mut self.earlier {
            earlier.clock.handle_power_cut(stopped, at);
        }
        Ok(paused)
    }

    fn restore(&mut self, earlier: Index, pause: bool) -> Result<bool, TestCaseError> {
        let at = self.game.last();
        let now = self.of_model(at);
        if pause {
            let pause = Command::Pause { by: Caller::Arbiter };
            let done = self.game.handle_command(pause.into(), at).map_err(GameRefused::code);
            prop_assert_eq!(done, self.naive.command(pause, now));
        }
        let Earlier { clock, naive, taken } = earlier.get(&self.earlier);
        let done = self.game.handle_command(GameCommand::Rewind(*clock), at);
        let done = done.map_err(GameRefused::code);
        prop_assert_eq!(done, self.naive.restore(naive, *taken, now));
        Ok(done.is_ok())
    }
}

#[test]
fn games_with_power_cuts_and_restored_clocks_agree_with_the_naive_model() {
    let (cuts, restored) = (Cell::new(0_u32), Cell::new(0_u32));
    let result =
        proptest::test_runner::TestRunner::new(config()).run(&games(), |(control, steps)| {
            let mut both = BothGames::new(control);
            for step in &steps {
                let done = both.step(step)?;
                match step {
                    Step::Cut { .. } => cuts.set(cuts.get() + u32::from(done)),
                    Step::Restore { .. } => restored.set(restored.get() + u32::from(done)),
                    Step::Play(..) => {}
                }
            }
            Ok(())
        });
    if let Err(error) = result {
        panic!("{error}");
    }
    let counts = (cuts.get(), restored.get());
    assert!(counts.0 > 20 && counts.1 > 20, "{counts:?} running clocks cut, clocks restored");
}
