//! Every hold and release near 0.3, 1, 1.5 and 3 s, with both buttons in every order, in each phase,
//! under each shipped profile and with each wiring: a press of a running game is never lost to the
//! menu, and a press for the menu never reaches the game.
//!
//! The presses are made as contacts, and a naive [`model`] says what must become of them. With
//! `CLOCK_SEED=N`, other games are played.

mod found;
mod hands;
mod model;
mod played;
mod table;

use super::super::random::{Random, seed};
use super::*;
use clock_engine::rules::ResultGround;
use clock_engine::text::{RulePreset, rule_presets};
use hands::Hands;
use model::{Model, Press, Told, Wiring};
use played::{Played, shown};

/// The number of random games. `CLOCK_GESTURE_GAMES=N` plays others.
const GAMES: u64 = 2_500;
const CALL_LINE: usize = 2;
/// The hold of these clocks, which is the one that is shipped.
const HOLD: u64 = 1_500 * MS;
/// The hands of a random game begin.
const BEGIN: u64 = 14 * SECOND;

const WIRINGS: [Wiring; 3] = [Wiring::TwoAndCall, Wiring::TwoAlone, Wiring::RockerAndCall];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    Ready,
    Running,
    /// The call button has stopped a clock; with two buttons alone, a command or both players.
    Paused,
    Flag,
    Over,
}

const STARTS: [Start; 5] = [Start::Ready, Start::Running, Start::Paused, Start::Flag, Start::Over];

/// A clock that the tests press.
#[derive(Clone, Copy, Debug)]
struct Board {
    name: &'static str,
    profile: Profile,
    wiring: Wiring,
    start: Start,
}

impl Board {
    fn of(preset: &RulePreset, wiring: Wiring, start: Start) -> Board {
        // The games of the tests are short, and some profiles are only for longer ones. A held
        // button is noted in other tests.
        let mut profile = preset.read().profile;
        (profile.rates, profile.hold_warning) = (Profile::default().rates, None);
        Board { name: preset.name, profile, wiring, start }
    }

    fn nobody(&self) -> bool {
        self.profile.authority == Authority::Nobody
    }

    /// The clock at [`BEGIN`] at the latest.
    fn loop_at_start(&self) -> TimedLoop {
        let kind = match self.wiring {
            Wiring::RockerAndCall => InputKind::Rocker,
            Wiring::TwoAndCall | Wiring::TwoAlone => InputKind::Buttons,
        };
        let stop_together = self.wiring == Wiring::TwoAlone;
        let inputs = Inputs { kind, stop_together, ..Inputs::default() };
        let seconds = if self.start == Start::Flag { 10 } else { 3_600 };
        let control = Control::single(Span::from_secs(seconds), Method::None);
        let profile = Some(self.profile);
        let setup = Setup { control, profile, session: Session::Unknown, force: false };
        let mut test = of(&setup, inputs, Some(MenuOpening::default()));
        match (self.start, self.nobody()) {
            (Start::Ready, _) => {}
            (_, true) => test.tap(BLACK, SECOND),
            (_, false) => test.command(1, Command::Start, SECOND),
        }
        match self.start {
            Start::Ready | Start::Running => {}
            Start::Paused | Start::Over => self.stop(&mut test),
            Start::Flag => {
                test.run_to(12 * SECOND);
                if test.phase() == Phase::Running {
                    test.tap(CALL, 12 * SECOND + MS);
                }
            }
        }
        if self.start == Start::Over {
            let finish = Action::Result { outcome: Outcome::Drawn, ground: ResultGround::Game };
            test.command(3, finish, 8 * SECOND);
        }
        test.run_to(13 * SECOND);
        test.log = Log { phase: Some(test.phase()), ..Log::default() };
        test
    }

    /// Stops the clock with the buttons that the board has.
    fn stop(&self, test: &mut TimedLoop) {
        match (self.wiring, self.nobody()) {
            (Wiring::TwoAlone, true) => {
                test.down(WHITE, 5 * SECOND);
                test.down(BLACK, 5 * SECOND + MS);
                test.up(WHITE, 6 * SECOND + 2 * MS);
                test.up(BLACK, 6 * SECOND + 2 * MS);
            }
            (Wiring::TwoAlone, false) => {
                test.command(2, Command::Pause { by: Caller::Arbiter }, 5 * SECOND);
            }
            _ => test.tap(CALL, 5 * SECOND),
        }
    }
}

/// Plays the presses in the loop and in the model, and compares them.
fn compare(board: Board, presses: &[Press], commands: &[u64], is_hung: bool, say: &str) -> Model {
    let test = board.loop_at_start();
    let clock = shown(&test.core.update(Cause::Missed).view);
    let start = clock.phase;
    let mut model = Model::new(board.wiring, board.nobody(), is_hung, clock);
    let played = Played::play(test, presses, commands, is_hung);
    let say = format!("{say}\n{board:?}\n{:#?}", played.given);
    model.play(played.given.iter().copied().collect());
    let (inputs, phases) = played.game();
    let is_phase = |told: &Told| matches!(told, Told::Phase(..));
    let (of_phases, of_inputs): (Vec<_>, Vec<_>) =
        model.game.iter().partition(|told| is_phase(told));
    assert_eq!(played.menu(), model.menu, "menu; {say}");
    assert_eq!(inputs, of_inputs, "presses of the game; {say}");
    assert_eq!(phases, of_phases, "phases; {say}");
    played.check_presses(&model, &say);
    played.check_promises(start, presses, &say);
    let found = shown(&played.test.core.update(Cause::Missed).view);
    let expected = model.clock.at(found.since);
    assert_eq!(
        (found.phase, found.on_move, found.left, found.moves, found.called),
        (expected.phase, expected.on_move, expected.left, expected.moves, expected.called),
        "{say}"
    );
    model
}

#[test]
fn random_gestures_do_what_the_naive_model_says() {
    let presets = rule_presets().to_vec();
    let is_unsupervised =
        |preset: &RulePreset| preset.read().profile.authority == Authority::Nobody;
    let mut unsupervised = presets.clone();
    unsupervised.retain(is_unsupervised);
    let first = seed();
    let games = std::env::var("CLOCK_GESTURE_GAMES");
    let games = games.map_or(GAMES, |games| games.parse().expect("a number of games"));
    let mut seen = [0; 6];
    for number in 0..games {
        let mut random = Random(first.wrapping_mul(1_000_000) + number);
        // In half of the games, nobody has the arbiter's authority.
        let presets = if random.chance(2) { &unsupervised } else { &presets };
        let preset = presets[usize::try_from(random.below(presets.len() as u64)).unwrap()];
        let board = Board::of(&preset, random.pick(WIRINGS), random.pick(STARTS));
        let presses = Hands::play(&mut random, board.wiring, BEGIN);
        let commands = commands(&mut random, &board, &presses);
        let is_hung = random.chance(3);
        let say = format!("CLOCK_SEED={first}, gestures {number}");
        let model = compare(board, &presses, &commands, is_hung, &say);
        for told in model.menu.iter().chain(&model.game) {
            seen[match told {
                Told::BarEnded => 0,
                Told::Opened(_, false) => 1,
                Told::Opened(_, true) => 2,
                Told::Stop(_) => 3,
                Told::Phase(_, model::Phase::Running) => 4,
                _ => 5,
            }] += 1;
        }
    }
    assert!(games < GAMES || seen.iter().all(|count| *count > 100), "{seen:?}");
}

/// Commands of an arbiter: some between the presses, some while buttons are down. None comes so
/// soon after an edge that the loop has not decided it when the command is made.
fn commands(random: &mut Random, board: &Board, presses: &[Press]) -> Vec<u64> {
    if board.nobody() || matches!(board.start, Start::Flag | Start::Over) {
        return Vec::new();
    }
    let mut commands = Vec::new();
    for press in presses {
        let nanos = press.down + 3 * MS + random.below(3 * SECOND);
        let is_undecided = |other: &Press| {
            let released = other.up.saturating_add(R);
            [other.down, released]
                .iter()
                .any(|edge| (*edge..edge.saturating_add(3 * MS)).contains(&nanos))
        };
        if random.chance(3) && !presses.iter().any(is_undecided) {
            commands.push(nanos);
        }
    }
    commands.sort_unstable();
    commands.dedup_by(|next, before| *next < *before + MS);
    commands
}
