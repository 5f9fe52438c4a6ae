//! Gives a game and the model the same inputs, compares both after each, and checks properties that
//! hold in every game.

use crate::model::flags::left_of;
use crate::model::{Effect, Input, Model};
use clock_engine::rules::{
    Action, Game, GameCommand, GameEventKind, PenaltyKind, Profile, Ruling, Session, Setup,
    rate_of_play,
};
use clock_engine::{Clock, Command, Control, EventKind, Instant, Method, Phase, Side, View};

#[derive(Clone)]
pub struct Compared {
    pub game: Game,
    pub model: Model,
}

/// The message about a difference between the game and the model, or about a property that does not
/// hold.
pub type Difference = String;

impl Compared {
    /// Returns `None` if the profile cannot be used with this control.
    pub fn new(profile: Profile, control: Control) -> Option<Compared> {
        let setup =
            Setup { control, profile: Some(profile), session: Session::WithGame, force: false };
        let game = Game::new(&setup, Instant::ZERO).ok()?;
        let increment = control.periods().iter().any(|period| {
            Side::BOTH.iter().any(|&side| {
                matches!(
                    period.method[side],
                    Method::Increment(_) | Method::Delay(_) | Method::Bronstein(_)
                )
            })
        });
        let model = Model::new(profile, rate_of_play(&control), increment);
        Some(Compared { game, model })
    }

    /// Gives the game and the model the same input. Returns whether the input was accepted.
    pub fn step(&mut self, input: Input) -> Result<bool, Difference> {
        let last = self.game.last();
        let at = match input {
            Input::Wait(span) => last.checked_add(span).expect("a short game"),
            _ => last,
        };
        let countdown = self.model.countdown(self.game.clock());
        if let Some(due) = countdown.filter(|due| *due > last && *due <= at) {
            self.end_countdown(due)?;
        }
        let (before, clock) = (self.game, *self.game.clock());
        let expected = self.model.judge(&clock, input, at);
        let accepted = give(&mut self.game, input, at);
        // In unsupervised play, a press during a pause confirms that the game goes on. The game
        // reports it as not accepted, because it completes no move.
        let confirms = matches!(input, Input::Press(_)) && clock.phase() == Phase::Paused;
        if accepted != expected.is_some() && !confirms {
            let word = |accepted| if accepted { "accepts" } else { "refuses" };
            let (game, model) = (word(accepted), word(expected.is_some()));
            return Err(format!("the game {game} it, the model {model} it"));
        }
        self.time_grows_only_by_a_ruling(&before, input, at)?;
        self.only_a_ruling_ends_the_game(&before, input)?;
        if let Input::Press(side) = input {
            self.model.see_press(at, side);
        }
        match expected {
            Some(effect) if !matches!(input, Input::Wait(_)) => {
                compare_clocks(self.game.clock(), &effect.clock, at)?;
                self.model.record(at, input, clock, &effect);
            }
            Some(_) => {}
            None => compare_clocks(self.game.clock(), &clock, at)?,
        }
        self.compare(at)?;
        Ok(accepted)
    }

    /// The countdown after a press of the call button ends at this instant.
    fn end_countdown(&mut self, at: Instant) -> Result<(), Difference> {
        let clock = *self.game.clock();
        let effect = self.model.go_on(&clock, at).unwrap_or(Effect { clock, result: None });
        self.game.handle_timeout(at).expect("in order");
        compare_clocks(self.game.clock(), &effect.clock, at)?;
        self.model.record(at, Input::Command(Command::Resume { side: None }), clock, &effect);
        self.compare(at)
    }

    fn compare(&self, at: Instant) -> Result<(), Difference> {
        let clock = self.game.clock();
        let view = self.game.view(at);
        same("phase", view.phase, self.model.phase(clock))?;
        same("result", view.outcome, self.model.result())?;
        let claim = self.game.claim().map(|claim| (claim.by, claim.ground, claim.pending));
        same("claim", claim, self.model.claim())?;
        same("question", self.game.question(), self.model.question(clock, at))
    }

    /// Checks that the sum of the times of both sides grows only by an award, a correction, an
    /// increment or a period.
    fn time_grows_only_by_a_ruling(
        &self,
        before: &Game,
        input: Input,
        at: Instant,
    ) -> Result<(), Difference> {
        let gives_time = match input {
            Input::Press(_) | Input::Command(_) => true,
            Input::Action(action) => {
                matches!(
                    action,
                    Action::IllegalMove { .. }
                        | Action::Adjourn { .. }
                        | Action::Rule {
                            ruling: Ruling::Made
                                | Ruling::Postpone
                                | Ruling::Reject
                                | Ruling::IncrementAgreed,
                            ..
                        }
                ) || matches!(action, Action::Penalize(penalty) if penalty.kind == PenaltyKind::OpponentPlus)
            }
            Input::Call | Input::Wait(_) => false,
        };
        let total = |game: &Game| -> u64 {
            let view = game.view(at.max(game.last()));
            Side::BOTH.iter().map(|&side| left_of(&view.sides[side]).as_nanos()).sum()
        };
        // Both games are viewed at `at`, although `before` has not handled the wait.
        let (was, is) = (total(before), total(&self.game));
        if is > was && !gives_time {
            return Err(format!("the clocks had {was} ns and have {is} ns"));
        }
        Ok(())
    }

    /// Checks that only a ruling, a result, a penalty or an agreement of the players ends the game.
    fn only_a_ruling_ends_the_game(&self, before: &Game, input: Input) -> Result<(), Difference> {
        let decides = match input {
            Input::Action(action) => match action {
                Action::Result { .. } => true,
                Action::Penalize(penalty) => {
                    matches!(penalty.kind, PenaltyKind::Loss | PenaltyKind::Expulsion)
                }
                Action::Rule { ruling, .. } => matches!(
                    ruling,
                    Ruling::WhiteLoses
                        | Ruling::BlackLoses
                        | Ruling::Lost
                        | Ruling::Drawn
                        | Ruling::DrawAccepted
                        | Ruling::OrderUnknown
                        | Ruling::Forfeit
                ),
                // In unsupervised play both players decide in place of an arbiter.
                Action::RecordConfirmation { .. } => true,
                _ => false,
            },
            _ => false,
        };
        if self.game.phase() == Phase::Over && before.phase() != Phase::Over && !decides {
            return Err("the game is over without a decision".to_owned());
        }
        Ok(())
    }
}

/// Gives the game an input. Returns whether it was accepted.
pub fn give(game: &mut Game, input: Input, at: Instant) -> bool {
    while game.poll_event().is_some() {}
    let accepted = match input {
        Input::Wait(_) => game.handle_timeout(at).is_ok(),
        Input::Press(side) => game.handle_press(side, at).is_ok(),
        Input::Call => game.handle_call(at).is_ok(),
        Input::Command(command) => game.handle_command(GameCommand::Clock(command), at).is_ok(),
        Input::Action(action) => game.handle_command(GameCommand::Action(action), at).is_ok(),
    };
    let did_nothing = std::iter::from_fn(|| game.poll_event()).any(|event| {
        matches!(
            event.kind,
            GameEventKind::Clock(
                EventKind::Press { accepted: false, .. } | EventKind::Call { accepted: false }
            )
        )
    });
    accepted && !did_nothing
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, game: T, model: T) -> Result<(), Difference> {
    if game == model {
        return Ok(());
    }
    Err(format!("{what}: {game:?} in the game, {model:?} in the model"))
}

/// Compares everything that the two clocks show, except the result, the phase, and who stopped the
/// clocks or called the arbiter.
fn compare_clocks(game: &Clock, model: &Clock, at: Instant) -> Result<(), Difference> {
    let (game, model) = (game.view(at), model.view(at));
    same("running", game.running(), model.running())?;
    let View {
        // Not compared: both views are of the same instant.
        at: _,
        on_move,
        sides,
        first_flag,
        last_period,
        counting,
        // The model keeps the result in its list and not in its clock. `compare` compares the
        // result and the phase.
        outcome: _,
        phase: _,
        // The model always stops its clock with the arbiter as the reason, even if a player stopped
        // the clock of the game.
        called_by: _,
        paused_by: _,
        changed_method,
        // These four are of the rules. A clock has none of them.
        buttons_exchanged: _,
        claim: _,
        adjourned: _,
        announcement: _,
    } = game;
    same("on move", on_move, model.on_move)?;
    for side in Side::BOTH {
        same(side.as_str(), sides[side], model.sides[side])?;
    }
    same("first flag", first_flag, model.first_flag)?;
    same("last period", last_period, model.last_period)?;
    same("changed method", changed_method, model.changed_method)?;
    same("counting", counting, model.counting)
}
