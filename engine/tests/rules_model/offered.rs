//! In every state of random games under every shipped profile, the rulings that are accepted are
//! those that are offered.

use crate::compare::give;
use crate::inputs::{NamedControl, controls, profiles};
use crate::model::Input;
use crate::random::{Start, Step, random_games, start, step};
use clock_engine::rules::{
    Action, Claimant, Game, IncidentKind, LatePlayers, Profile, Ruling, Session, Setup,
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

/// A ruling and the late players it names, without the amount of its award.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Given(Ruling, Option<LatePlayers>);

impl Given {
    /// Every ruling without a name, and with each name that it can have.
    fn all() -> Vec<Given> {
        let with_names = |&ruling: &Ruling| match ruling {
            Ruling::Forfeit | Ruling::Waive => {
                LatePlayers::ALL.iter().map(|&late| Given(ruling, Some(late))).collect()
            }
            _ => vec![Given(ruling, None)],
        };
        Ruling::ALL.iter().flat_map(with_names).collect()
    }

    /// The actions with which the ruling can be given: one for each amount that its award can have.
    fn actions(self, profile: &Profile) -> Vec<Action> {
        let Given(ruling, side) = self;
        let minutes = |minutes: u64| Some(Span::from_secs(60 * minutes));
        let award = |award| Action::Rule { ruling, side, award };
        match ruling {
            Ruling::Postpone | Ruling::Reject => {
                let profile = Some(profile.postpone_award);
                [None, profile, minutes(0), minutes(1), minutes(2)].map(award).to_vec()
            }
            _ => vec![award(None)],
        }
    }

    /// Whether this ruling is offered as one of `answers`, the answers to all open questions.
    ///
    /// The list has each ruling once, so it leaves out what says the same in another form:
    /// - An award can have other amounts than the one that is shown, as the profile allows.
    /// - `lost` means the only player who is offered as the loser.
    /// - A waiver of both players is a waiver of each.
    fn is_offered(self, answers: &[Given]) -> bool {
        let is = |ruling, late| answers.contains(&Given(ruling, late));
        match self {
            Given(Ruling::Lost, _) => is(Ruling::WhiteLoses, None) != is(Ruling::BlackLoses, None),
            Given(ruling @ Ruling::Waive, Some(LatePlayers::Both)) => {
                Side::BOTH.into_iter().all(|side| is(ruling, Some(side.into())))
            }
            Given(ruling, late) => is(ruling, late),
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
fn check(game: &Game) -> Result<Vec<Given>, String> {
    let at = game.last();
    let mut answers: Vec<Given> = Vec::new();
    for question in game.questions().iter() {
        answers.extend(game.answers(&question, at).iter().map(|it| Given(it.ruling, it.side)));
    }
    let mut offered = Given::all();
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

/// Games from all situations, games in which White has requested an increment, and games in which both
/// flags are down and the clock is in doubt. Only some profiles have requests, and only in the last two
/// minutes, and a doubt needs a noted defect, so few other games would have these.
fn starts(controls: &[NamedControl]) -> impl Strategy<Value = Start> + use<> {
    let single = controls.first().expect("a control of one period");
    let request = start(&[*single]).prop_map(|(rules, played, _)| {
        let by = Claimant::Player(Side::White);
        let wait = Input::Wait(Span::from_secs(570));
        let request = Input::Action(Action::RequestIncrement { by });
        (rules, played, vec![Input::Command(Command::Start), wait, request])
    });
    let doubt = start(&[*single]).prop_map(|(rules, played, _)| {
        let wait = Input::Wait(Span::from_secs(700));
        let defect = Action::Incident { side: Side::White, kind: IncidentKind::Defect };
        let begin = [Input::Command(Command::Start), wait, Input::Press(Side::White), wait];
        (rules, played, begin.into_iter().chain([Input::Action(defect)]).collect())
    });
    prop_oneof![4 => start(controls), 2 => request, 1 => doubt]
}

fn play(
    mut game: Game,
    before: Vec<Input>,
    steps: Vec<Step>,
    met: &mut dyn FnMut(Given),
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
    for ruling in Given::all() {
        assert!(met.contains(&format!("{ruling:?}")), "no game offers {ruling:?}");
    }
}
