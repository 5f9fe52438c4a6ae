//! Tests of what the scripts of `tests/laws` cannot show: for example, a session that starts at
//! another instant than the game, the effect of each answer, or a refusal that changes nothing.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

mod announcements;
mod answers;
mod arrivals;
mod change_control;
mod claims;
mod flags;
mod illegal_moves;
mod import;
mod in_one_step;
mod messages;
mod names;
mod owed;
mod power_cut;
mod profiles;
mod restore;
mod stops;

use super::{Game, QuestionKind};
use crate::rules::action::{
    Action, Claimant, Evidence, GameCommand, LatePlayers, OfferAnswer, Penalty, Ruling, Session,
    Setup,
};
use crate::rules::event::GameEventKind;
use crate::rules::profile::{
    Authority, BothAbsent, FlagCaller, Ground, LateFrom, PenaltyKind, Profile, RuleSource,
};
use crate::rules::refused::{GameRefused, Reason};
use crate::{Caller, Command, Control, Instant, Method, Outcome, PerSide, Phase, Side, Span};

fn secs(seconds: u64) -> Instant {
    Instant::from_nanos(seconds * 1_000_000_000)
}

fn minutes(minutes: u64) -> Span {
    Span::from_secs(60 * minutes)
}

/// A quickplay finish of S0: a player on move with less than two minutes can claim a draw before
/// the flag falls.
fn quickplay() -> Profile {
    Profile { claim_below: Some(minutes(2)), ..Profile::default() }
}

fn set_up(profile: Profile, time: Span, method: Method) -> Game {
    let control = Control::single(time, method);
    let profile = Some(profile);
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    Game::new(&setup, Instant::ZERO).unwrap()
}

/// A game of three minutes that has been started at 0.
fn started(profile: Profile) -> Game {
    let mut game = set_up(profile, minutes(3), Method::None);
    command(&mut game, Command::Start, 0).unwrap();
    game
}

fn command(game: &mut Game, command: Command, at: u64) -> Result<(), GameRefused> {
    game.handle_command(GameCommand::Clock(command), secs(at))
}

fn act(game: &mut Game, action: Action, at: u64) -> Result<(), GameRefused> {
    game.handle_command(GameCommand::Action(action), secs(at))
}

fn rule(decision: Ruling) -> Action {
    Action::rule(decision)
}

fn lost(side: Side) -> Action {
    Action::rule(Ruling::lost_by(side))
}

fn warning(side: Side) -> Action {
    let (time, half_points) = (Span::ZERO, 0);
    Action::Penalize(Penalty { side, kind: PenaltyKind::Warning, time, half_points, cause: None })
}

fn claim(by: Side) -> Action {
    let by = Claimant::Player(by);
    Action::ClaimDraw { by, ground: Ground::CannotWin, stop: true, offer: None }
}

fn reason(refused: Result<(), GameRefused>) -> Reason {
    match refused {
        Err(GameRefused::Rules(refused)) => refused.reason,
        other => panic!("{other:?}"),
    }
}

fn events(game: &mut Game) -> Vec<(u64, GameEventKind)> {
    core::iter::from_fn(|| game.poll_event())
        .map(|event| (event.at.as_nanos(), event.kind))
        .collect()
}

/// The kind of the most urgent question. Unlike with [`Game::question`], it can be a question that
/// can wait.
fn first_question(game: &Game) -> Option<QuestionKind> {
    game.questions().iter().next().map(|question| question.kind)
}
