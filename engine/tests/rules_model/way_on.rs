//! Checks that from every state some inputs lead to a result and, unless the game must end, some
//! inputs lead to a running clock. Also checks that the answers that are offered to the arbiter
//! have the effects that they show.

use crate::compare::{Compared, Difference, give};
use crate::model::Input;
use clock_engine::rules::{
    Action, Answer, Attachment, Authority, Confirmation, FlagCaller, Game, GameCommand, Penalty,
    PenaltyKind, Profile, QuestionKind, ResultGround, Ruling,
};
use clock_engine::{Caller, Command, Outcome, Phase, Side, Span};
use std::collections::HashSet;

/// The most inputs that are needed until a clock runs or the game has a result: two flags are
/// annulled, three penalties are applied, and the clock is started.
const LONGEST: u32 = 6;

const RESULTS: [Outcome; 4] =
    [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Drawn, Outcome::BothLose];

/// The inputs with which arbiters and players can reach a running clock or a result.
fn tools() -> Vec<Input> {
    let decisions = Ruling::ALL.iter().copied().filter(|ruling| {
        use Ruling::{Call, Forfeit, NotObvious, ObviouslyInvalid, Waive};
        !matches!(ruling, Call | Forfeit | NotObvious | ObviouslyInvalid | Waive)
    });
    let mut actions: Vec<Action> = decisions.map(Action::rule).collect();
    actions.extend([Action::ResumeAdjourned, Action::Refer]);
    for side in Side::BOTH {
        let kind = PenaltyKind::Warning;
        let cause = None;
        actions.push(Action::Penalize(Penalty {
            side,
            kind,
            time: Span::ZERO,
            half_points: 0,
            cause,
        }));
        // These penalties take points back, so that every result is possible.
        for kind in [PenaltyKind::PointsOff, PenaltyKind::OpponentPoints] {
            let (time, half_points) = (Span::ZERO, 0);
            actions.push(Action::Penalize(Penalty { side, kind, time, half_points, cause }));
        }
        actions.push(Action::RecordConfirmation { by: side, what: Some(Confirmation::Resume) });
        for kind in [Attachment::Position, Attachment::Scoresheet] {
            actions.push(Action::RecordAttachment { kind, verified_by: Some(side) });
        }
    }
    let result = Action::Result { outcome: Outcome::Drawn, ground: ResultGround::Game };
    let mut all = vec![
        Input::Action(result),
        Input::Command(Command::Resume { side: None }),
        Input::Command(Command::Start),
        // The clocks must be paused first, because points can be taken back only while the clocks
        // stand.
        Input::Command(Command::Pause { by: Caller::Arbiter }),
    ];
    for side in Side::BOTH {
        all.push(Input::Command(Command::Add { side, delta_ns: 60_000_000_000 }));
    }
    all.extend(actions.into_iter().map(Input::Action));
    all
}

/// Whether at most [`LONGEST`] of the tools lead to a game for which `wanted` returns `true`. If
/// the rules require that both players agree on a correction, they agree before each tool. Their
/// confirmations do not count as tools.
fn is_reachable(game: &Game, tools: &[Input], wanted: &dyn Fn(&Game) -> bool) -> bool {
    if wanted(game) {
        return true;
    }
    let (mut reached, mut known) = (vec![*game], HashSet::new());
    for _ in 0..LONGEST {
        let mut next = Vec::new();
        for game in &reached {
            for tool in tools {
                let mut after = *game;
                agree_to_correct(&mut after);
                if !give(&mut after, *tool, game.last()) {
                    continue;
                }
                if wanted(&after) {
                    return true;
                }
                if known.insert(format!("{after:?}")) {
                    next.push(after);
                }
            }
        }
        reached = next;
    }
    false
}

/// Lets both players agree on a correction, if the rules require this before each correction.
fn agree_to_correct(game: &mut Game) {
    let unsupervised = |profile: &Profile| profile.authority == Authority::Nobody;
    if !game.profile().is_some_and(unsupervised) {
        return;
    }
    for by in Side::BOTH {
        let confirm = Action::RecordConfirmation { by, what: Some(Confirmation::Correction) };
        // The confirmation is refused once a claim has concluded the game.
        let _ = game.handle_command(confirm.into(), game.last());
    }
}

impl Compared {
    pub fn check_the_way_on(&self) -> Result<(), Difference> {
        let tools = tools();
        if !is_reachable(&self.game, &tools, &|game| game.phase() == Phase::Over) {
            return Err("there is no way to a result".to_owned());
        }
        // A concluded game, and a game after an illegal move that loses it, do not go on. So they
        // need no way to a running clock.
        let ended = self.game.phase() == Phase::Over || self.model.must_end();
        if !ended && !is_reachable(&self.game, &tools, &|game| game.phase() == Phase::Running) {
            return Err("there is no way to a running clock".to_owned());
        }
        self.check_the_answers()
    }

    /// Checks that the arbiter is offered an answer to every question that cannot wait, and that
    /// each answer has the effect that it shows.
    fn check_the_answers(&self) -> Result<(), Difference> {
        let at = self.game.last();
        for question in self.game.questions().iter() {
            let answers: Vec<Answer> = self.game.answers(&question, at).iter().collect();
            // While the game is adjourned, everything waits. A flag that only players call waits
            // for their call. Before a result that points forbid, the points are taken back.
            let can_wait = question.kind == QuestionKind::PostponedClaim
                || self.game.adjourned().is_some()
                || !RESULTS.into_iter().all(|result| self.model.goes_with_points(result))
                || question.kind == QuestionKind::Flag
                    && self.model.profile.flag_caller == FlagCaller::Players;
            if answers.is_empty() && self.model.supervised() && !can_wait {
                return Err(format!("no answer to {:?}", question.kind));
            }
            for answer in answers {
                let mut next = self.game;
                let before = next.view(at);
                let given = next.handle_command(GameCommand::Action(answer.action()), at);
                let after = next.view(at);
                let shown = |side: Side| {
                    let shown = |view: &clock_engine::View| {
                        i128::from(view.sides[side].remaining.as_nanos())
                    };
                    shown(&after) - shown(&before) == i128::from(answer.delta_ns[side])
                };
                if given.is_err()
                    || after.phase != answer.phase
                    || after.outcome != answer.outcome
                    || !Side::BOTH.into_iter().all(shown)
                {
                    return Err(format!("{answer:?} does not do what it says"));
                }
            }
        }
        Ok(())
    }
}
