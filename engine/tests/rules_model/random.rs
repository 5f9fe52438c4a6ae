//! Random games under every shipped profile.

use crate::compare::{Compared, give};
use crate::inputs::{NamedControl, controls, inputs, profiles, random_waits, situations};
use crate::model::Input;
use clock_engine::rules::{Action, Claimant, Confirmation, Evidence, Game, IncidentKind, Ruling};
use clock_engine::{Command, Phase, Side, Span};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngSeed, TestCaseResult, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A fixed seed, so that a commit always gives the same result. The nightly run uses new seeds.
const SEED: u64 = 64;

/// The number of games, unless `CLOCK_RULES_GAMES` sets another.
const GAMES: u32 = 300;

/// In the random games, at least one input of each of these kinds must be accepted. The enumeration
/// covers the rarer kinds.
const WANTED: [&str; 13] = [
    "Adjourn",
    "ClaimDraw",
    "ClaimFlag",
    "IllegalMove",
    "Penalize",
    "RecordConfirmation",
    "Reopen",
    "Rule made",
    "Rule not-made",
    "Rule postpone",
    "Rule reject",
    "Rule on a lateness",
    "Rule on a stop",
];

/// An input of a random game.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a few of them in a test")]
pub enum Step {
    /// The press of the side on move.
    Move,
    /// An input that the game accepts and that does not end it. The first index chooses the kind of
    /// the input, the second one an input of this kind.
    Accepted(Index, Index),
    Input(Input),
}

impl Step {
    pub fn input(self, game: &Game) -> Input {
        let at = game.last();
        match self {
            Step::Move => Input::Press(game.view(at).on_move),
            Step::Input(input) => input,
            Step::Accepted(of_kinds, of_inputs) => {
                let mut accepted: BTreeMap<String, Vec<Input>> = BTreeMap::new();
                for input in inputs() {
                    let mut after = *game;
                    let given = give(&mut after, input, at);
                    let ends = after.phase() == Phase::Over && game.phase() != Phase::Over;
                    if given && !ends {
                        accepted.entry(kind(input)).or_default().push(input);
                    }
                }
                // At least one input is accepted, because a wait is accepted in every state.
                let kinds: Vec<Vec<Input>> = accepted.into_values().collect();
                let of_kind: &Vec<Input> = of_kinds.get(&kinds);
                *of_inputs.get(of_kind)
            }
        }
    }
}

pub fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => Just(Step::Move),
        2 => select(random_waits()).prop_map(|span| Step::Input(Input::Wait(span))),
        8 => any::<(Index, Index)>().prop_map(|(kind, input)| Step::Accepted(kind, input)),
        4 => select(inputs()).prop_map(Step::Input),
    ]
}

/// The names of a profile and of a control, and the inputs of a situation.
pub type Start = (&'static str, &'static str, Vec<Input>);

/// The starts with one of these controls.
pub fn start(controls: &[NamedControl]) -> impl Strategy<Value = Start> + use<> {
    let profiles: Vec<_> = profiles().iter().map(|(name, _)| *name).collect();
    let controls: Vec<_> = controls.iter().map(|(name, _)| *name).collect();
    let before: Vec<_> = situations().into_iter().map(|(_, before)| before).collect();
    (select(profiles), select(controls), select(before))
}

fn play(
    mut compared: Compared,
    before: Vec<Input>,
    steps: Vec<Step>,
    met: &mut dyn FnMut(Input),
) -> TestCaseResult {
    let mut given = Vec::new();
    let before = before.into_iter().map(Step::Input);
    for step in before.chain(steps) {
        let input = step.input(&compared.game);
        given.push(input);
        match compared.step(input) {
            Ok(true) => met(input),
            Ok(false) => {}
            Err(difference) => {
                return Err(TestCaseError::fail(format!("{difference} after {given:?}")));
            }
        }
    }
    compared
        .check_the_way_on()
        .map_err(|problem| TestCaseError::fail(format!("{problem} after {given:?}")))
}

/// The name of the kind of an input, such as `ClaimDraw`, without the values of the input.
fn kind(input: Input) -> String {
    let text = match input {
        Input::Action(Action::Rule { ruling, .. }) => {
            return match ruling {
                Ruling::Forfeit | Ruling::Waive => "Rule on a lateness".to_owned(),
                Ruling::Valid | Ruling::NotObvious | Ruling::ObviouslyInvalid => {
                    "Rule on a stop".to_owned()
                }
                _ => format!("Rule {ruling}"),
            };
        }
        Input::Action(action) => format!("{action:?}"),
        Input::Command(command) => format!("{command:?}"),
        other => format!("{other:?}"),
    };
    let end = text.find([' ', '(']).unwrap_or(text.len());
    text[..end].to_owned()
}

/// Plays random games, `games` of them unless `CLOCK_RULES_GAMES` sets another number.
///
/// # Panics
///
/// `play` has failed. The message has a short game with which it fails.
pub fn random_games(
    games: u32,
    start: impl Strategy<Value = Start>,
    step: impl Strategy<Value = Step>,
    play: impl Fn(Start, Vec<Step>) -> TestCaseResult,
) {
    let wanted = std::env::var("CLOCK_RULES_GAMES");
    let cases = wanted.map_or(games, |text| text.parse().expect("a number of games"));
    let config = ProptestConfig {
        failure_persistence: None,
        // A failing game is shortened for at most this many milliseconds, so the reported game may
        // be longer than necessary.
        max_shrink_time: 20_000,
        cases,
        ..ProptestConfig::default()
    };
    let seed = match config.rng_seed {
        RngSeed::Random => SEED,
        RngSeed::Fixed(seed) => seed,
    };
    println!("PROPTEST_RNG_SEED={seed} CLOCK_RULES_GAMES={cases}");
    let config = ProptestConfig { rng_seed: RngSeed::Fixed(seed), ..config };
    let games = (start, prop::collection::vec(step, 1..60));
    let result = TestRunner::new(config).run(&games, |(start, steps)| play(start, steps));
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn random_games_agree() {
    let met: RefCell<BTreeMap<String, u64>> = RefCell::default();
    let (profiles, controls) = (profiles(), controls());
    let profile = |name| profiles.iter().find(|(other, _)| *other == name).expect("a profile").1;
    let control = |name| controls.iter().find(|(other, _)| *other == name).expect("a control").1;
    random_games(GAMES, start(&controls), step(), |(rules, played, before), steps| {
        match Compared::new(profile(rules), control(played)) {
            Some(compared) => play(compared, before, steps, &mut |input| {
                *met.borrow_mut().entry(kind(input)).or_default() += 1;
            }),
            // The profile cannot be used with this control.
            None => Ok(()),
        }
    });
    let met = met.into_inner();
    println!("{} accepted inputs: {met:#?}", met.values().sum::<u64>());
    for kind in WANTED {
        assert!(met.contains_key(kind), "no game accepts {kind}");
    }
}

/// In unsupervised play both players confirm that the game goes on although a player with another
/// period has got no time for it: the clocks stay still (S0 6.12). A random game found that the
/// model let a clock run.
#[test]
fn a_press_starts_no_clock_that_lacks_the_time_of_its_next_period() {
    let (profiles, controls) = (profiles(), controls());
    let named = |(name, _): &&NamedControl| *name == "1/6, G/6";
    let control = controls.iter().find(named).expect("a control").1;
    let profile = profiles.iter().find(|(name, _)| *name == "guidelines-iii-unsupervised");
    let compared = Compared::new(profile.expect("a profile").1, control).expect("they fit");
    let (white, black) = (Side::White, Side::Black);
    let confirm = |by, what| Action::RecordConfirmation { by, what: Some(what) };
    let by = Claimant::Player(white);
    let actions = [
        Action::ClaimFlag { by, evidence: Evidence::Flag },
        Action::Incident { side: white, kind: IncidentKind::Defect },
        confirm(white, Confirmation::OrderUnknown),
        confirm(black, Confirmation::OrderUnknown),
        confirm(black, Confirmation::Resume),
    ];
    let played = [
        Input::Command(Command::Start),
        Input::Wait(Span::from_secs(560)),
        Input::Press(white),
        Input::Wait(Span::from_secs(570)),
        Input::Press(black),
        Input::Wait(Span::from_secs(10)),
    ];
    let game = played.into_iter().chain(actions.map(Input::Action)).chain([Input::Press(white)]);
    let mut accepted = 0;
    play(compared, game.collect(), Vec::new(), &mut |_| accepted += 1).expect("they agree");
    assert!(accepted >= 11, "{accepted}");
}
