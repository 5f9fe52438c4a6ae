//! A command of several steps does what its steps do one after the other, or nothing.

use super::*;
use clock_engine::Outcome;
use clock_engine::rules::{
    self, Action, AgreedChange, Authority, Confirmation, GameCommand, GameRefused, Reason,
    ResultGround, RuleRefused,
};

/// How many commands of several steps were carried out, and how many were refused: a new game with
/// the buttons exchanged, another result, what both players agree to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    pub done: [u32; 3],
    pub refused: [u32; 3],
}

impl Checked {
    /// If the request's command has several steps, compares its effect on this clock with that of
    /// the steps.
    pub fn check(&mut self, clock: &VersionedClock, request: &Request) {
        let Some((kind, steps)) = steps(clock.game(), &request.command) else { return };
        let (mut whole, mut answer) = (clock.clone(), None);
        whole.handle(&loop_core::Input::Request(*request), &mut |update: Update| {
            answer = answer.or(update.answer.map(|(_, answer)| answer));
        });
        let answer = answer.expect("each request is answered");
        let counts = if answer.is_ok() { &mut self.done } else { &mut self.refused };
        counts[kind] += 1;
        let time = request.at.max(clock.last());
        let mut before = clock.clone();
        before.handle(&loop_core::Input::Time(time), &mut |_: Update| {});
        if let Err(Refusal::Stale { .. }) = answer {
            assert_eq!(whole.game(), before.game(), "{request:?}");
            return;
        }
        let time = time.max(before.last());
        let by_steps = may_agree(before.game(), &request.command)
            .and_then(|()| carried_out(before.game(), &steps, time));
        let expected_answer = by_steps.map(|_| ()).map_err(Refusal::Game);
        assert_eq!(answer, expected_answer, "{request:?}");
        let (expected, was_ready) = by_steps.unwrap_or_else(|_| {
            let mut unchanged = *before.game();
            unchanged.handle_timeout(time).unwrap();
            (without_events(unchanged), false)
        });
        // Before the start, a correction needs no agreement, so the last step uses up none, while
        // the whole command leaves none.
        if was_ready && matches!(request.command, GameCommand::Agreed(_)) {
            assert_eq!(whole.game().clock(), expected.clock(), "{request:?}");
        } else {
            assert_eq!(*whole.game(), expected, "{request:?}");
        }
    }

    pub fn add(&mut self, other: &Checked) {
        for (mine, other) in [(&mut self.done, other.done), (&mut self.refused, other.refused)] {
            mine.iter_mut().zip(other).for_each(|(sum, more)| *sum += more);
        }
    }

    /// Whether at least `least` commands of each kind were carried out, and as many refused.
    pub fn has(&self, least: u32) -> bool {
        self.done.iter().chain(&self.refused).all(|count| *count >= least)
    }
}

/// The kind of a command of several steps, and the steps; `None` if it has only one step.
fn steps(game: &rules::Game, command: &GameCommand) -> Option<(usize, Vec<GameCommand>)> {
    let replace = |outcome: Outcome| {
        let ground = ResultGround::Game;
        let result = match game.profile() {
            Some(_) => Action::Result { outcome, ground }.into(),
            None => Command::Finish(outcome).into(),
        };
        vec![Command::Reopen.into(), result]
    };
    match *command {
        GameCommand::NewExchanged(setup) => {
            let exchange = GameCommand::SetButtons(!game.buttons_exchanged());
            Some((0, vec![GameCommand::New(setup), exchange]))
        }
        GameCommand::ReplaceResult(outcome) => Some((1, replace(outcome))),
        GameCommand::Agreed(change) => {
            let what = Some(Confirmation::Correction);
            let mut steps =
                Side::BOTH.map(|by| Action::RecordConfirmation { by, what }.into()).to_vec();
            match change {
                AgreedChange::ReplaceResult(outcome) => steps.extend(replace(outcome)),
                change => steps.push(change.into()),
            }
            Some((2, steps))
        }
        _ => None,
    }
}

/// Whether the players of this game may agree to something: only without an arbiter.
fn may_agree(game: &rules::Game, command: &GameCommand) -> Result<(), GameRefused> {
    match (command, game.profile()) {
        (GameCommand::Agreed(_), Some(profile)) if profile.authority != Authority::Nobody => {
            let reason = Reason::NothingToConfirm(Confirmation::Correction);
            Err(RuleRefused { reason, source: profile.cites }.into())
        }
        _ => Ok(()),
    }
}

/// The game after these steps, and whether it had not begun before or after one of them.
fn carried_out(
    game: &rules::Game,
    steps: &[GameCommand],
    time: Instant,
) -> Result<(rules::Game, bool), GameRefused> {
    let (mut game, mut was_ready) = (*game, game.phase() == Phase::Ready);
    for step in steps {
        game.handle_command(*step, time)?;
        game = without_events(game);
        was_ready |= game.phase() == Phase::Ready;
    }
    Ok((game, was_ready))
}

/// The game after its events were taken, as the loop takes them after each input.
fn without_events(mut game: rules::Game) -> rules::Game {
    while game.poll_event().is_some() {}
    game
}
