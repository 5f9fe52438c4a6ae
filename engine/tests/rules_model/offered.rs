//! In every state of random games under every shipped profile, the rulings that are accepted are
//! those that are offered.

use crate::compare::give;
use crate::inputs::{NamedControl, controls, profiles};
use crate::model::Input;
use crate::random::{Start, Step, random_games, start, step};
use clock_engine::rules::{
    Action, Answer, Claimant, Decision, DefaultRuling, Evidence, Game, LatePlayers, Loser,
    OfferAnswer, Profile, Session, Setup, StopRuling,
};
use clock_engine::{
    Command, Control, Instant, Method, PerSide, Period, PeriodEnd, Side, Span, Terms,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The number of games, unless `CLOCK_RULES_GAMES` sets another.
const GAMES: u32 = 150;

/// A ruling without the amount of its award.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ruling {
    Decision(Decision, Loser),
    Stop(StopRuling),
    Default(DefaultRuling, LatePlayers),
    Offer(OfferAnswer),
    /// The arbiter's own call of a flag.
    Call,
}

impl Ruling {
    fn all() -> Vec<Ruling> {
        let mut all = vec![Ruling::Call];
        for &decision in Decision::GIVEN {
            all.push(Ruling::Decision(decision, Loser::Unnamed));
            all.extend([Loser::White, Loser::Black].map(|loser| Ruling::Decision(decision, loser)));
        }
        all.extend(StopRuling::ALL.iter().copied().map(Ruling::Stop));
        for &players in LatePlayers::ALL {
            all.extend(DefaultRuling::ALL.iter().map(|it| Ruling::Default(*it, players)));
        }
        all.extend(OfferAnswer::ALL.iter().copied().map(Ruling::Offer));
        all
    }

    /// The actions with which the ruling can be given: one for each amount that its award can have.
    fn actions(self, profile: &Profile) -> Vec<Action> {
        let minutes = |minutes: u64| Some(Span::from_secs(60 * minutes));
        match self {
            Ruling::Decision(decision, side) => {
                let award = |award| Action::Rule { decision, side, award };
                match decision {
                    Decision::Postpone | Decision::Reject => {
                        let profile = Some(profile.postpone_award);
                        [None, profile, minutes(0), minutes(1), minutes(2)].map(award).to_vec()
                    }
                    _ => vec![award(None)],
                }
            }
            Ruling::Stop(ruling) => vec![Action::RuleStop(ruling)],
            Ruling::Default(ruling, side) => vec![Action::RuleDefault { side, ruling }],
            Ruling::Offer(answer) => vec![Action::AnswerOffer(answer)],
            Ruling::Call => {
                vec![Action::ClaimFlag { by: Claimant::Arbiter, evidence: Evidence::Flag }]
            }
        }
    }

    /// Whether this ruling is offered as one of `answers`, the answers to all open questions.
    ///
    /// The list has each ruling once, so it leaves out what says the same in another form:
    /// - An award can have other amounts than the one that is shown, as the profile allows.
    /// - `lost` without a name means the only player who is offered as the loser.
    /// - `accept` is the accepted draw offer of a request.
    /// - A waiver of both players is a waiver of each.
    fn is_offered(self, answers: &[Action]) -> bool {
        let is = |wanted: Ruling| wanted.is_offered(answers);
        match self {
            Ruling::Decision(Decision::Lost, Loser::Unnamed) => {
                let losers = [Loser::White, Loser::Black];
                let lost = |loser: &&Loser| is(Ruling::Decision(Decision::Lost, **loser));
                losers.iter().filter(lost).count() == 1
            }
            Ruling::Decision(Decision::Accept, Loser::Unnamed) => {
                is(Ruling::Offer(OfferAnswer::Accepted))
            }
            Ruling::Default(DefaultRuling::Waive, LatePlayers::Both) => {
                let waived = |side: Side| is(Ruling::Default(DefaultRuling::Waive, side.into()));
                Side::BOTH.into_iter().all(waived)
            }
            Ruling::Decision(decision, loser) => answers.iter().any(|answer| {
                matches!(answer, Action::Rule { decision: offered, side, .. }
                    if (*offered, *side) == (decision, loser))
            }),
            Ruling::Stop(_) | Ruling::Default(..) | Ruling::Offer(_) | Ruling::Call => {
                let [action] = self.actions(&Profile::default())[..] else { return false };
                answers.contains(&action)
            }
        }
    }

    fn is_accepted(self, game: &Game) -> bool {
        let actions = self.actions(game.profile().expect("a profile"));
        actions
            .into_iter()
            .any(|action| give(&mut game.clone(), Input::Action(action), game.last()))
    }
}

/// The rulings that this state offers.
fn check(game: &Game) -> Result<Vec<Ruling>, String> {
    let at = game.last();
    let mut answers: Vec<Action> = Vec::new();
    for question in game.questions().iter() {
        answers.extend(game.answers(&question, at).iter().map(|answer: Answer| answer.action));
    }
    let mut offered = Ruling::all();
    for ruling in &offered {
        match (ruling.is_offered(&answers), ruling.is_accepted(game)) {
            (true, false) => return Err(format!("{ruling:?} is offered and refused")),
            (false, true) => return Err(format!("{ruling:?} is accepted and not offered")),
            (true, true) | (false, false) => {}
        }
    }
    offered.retain(|ruling| ruling.is_offered(&answers));
    Ok(offered)
}

/// The controls of the other tests, and one whose flags are not all final.
fn all_controls() -> Vec<NamedControl> {
    let period = |moves| Period {
        moves,
        time: PerSide::both(Span::from_secs(360)),
        method: PerSide::both(Method::None),
    };
    let terms = Terms { period_end: PeriodEnd::Zero, ..Terms::default() };
    let at_zero = Control::new(&[period(Some(1)), period(None)], terms).expect("a control");
    let mut all = controls();
    all.push(("1/6, G/6, at zero", at_zero));
    all
}

/// Games from all situations, and games in which White has requested an increment. Only some
/// profiles have requests, and only in the last two minutes, so few other games would have one.
fn starts(controls: &[NamedControl]) -> impl Strategy<Value = Start> + use<> {
    let single = controls.first().expect("a control of one period");
    let request = start(&[*single]).prop_map(|(rules, played, _)| {
        let by = Claimant::Player(Side::White);
        let wait = Input::Wait(Span::from_secs(570));
        let request = Input::Action(Action::RequestIncrement { by });
        (rules, played, vec![Input::Command(Command::Start), wait, request])
    });
    prop_oneof![2 => start(controls), 1 => request]
}

fn play(
    mut game: Game,
    before: Vec<Input>,
    steps: Vec<Step>,
    met: &mut dyn FnMut(Ruling),
) -> TestCaseResult {
    let mut given = Vec::new();
    for step in before.into_iter().map(Step::Input).chain(steps) {
        let input = step.input(&game);
        let at = match input {
            Input::Wait(span) => game.last().checked_add(span).expect("a short game"),
            _ => game.last(),
        };
        given.push(input);
        give(&mut game, input, at);
        let offered = check(&game)
            .map_err(|difference| TestCaseError::fail(format!("{difference} after {given:?}")))?;
        offered.into_iter().for_each(&mut *met);
    }
    Ok(())
}

#[test]
fn a_ruling_is_accepted_exactly_where_it_is_offered() {
    let (profiles, controls) = (profiles(), all_controls());
    let profile = |name| profiles.iter().find(|(other, _)| *other == name).expect("a profile").1;
    let control = |name| controls.iter().find(|(other, _)| *other == name).expect("a control").1;
    let met: RefCell<BTreeSet<String>> = RefCell::default();
    random_games(GAMES, starts(&controls), step(), |(rules, played, before), steps| {
        let (control, profile) = (control(played), Some(profile(rules)));
        let setup = Setup { control, profile, session: Session::WithGame, force: false };
        // The rules can refuse the control.
        let Ok(game) = Game::new(&setup, Instant::ZERO) else { return Ok(()) };
        play(game, before, steps, &mut |ruling| {
            met.borrow_mut().insert(format!("{ruling:?}"));
        })
    });
    let met = met.into_inner();
    println!("{} rulings were offered: {met:?}", met.len());
    // Only `lost` names a player.
    let named = |ruling: &Ruling| {
        matches!(ruling, Ruling::Decision(decision, Loser::White | Loser::Black)
            if *decision != Decision::Lost)
    };
    for ruling in Ruling::all().into_iter().filter(|ruling| !named(ruling)) {
        assert!(met.contains(&format!("{ruling:?}")), "no game offers {ruling:?}");
    }
}
