//! Touches all memory that the clock loop will use, before the first game.
//!
//! A page of memory is locked only from its first use on, and its first use is a page fault.
//! Without this module, page faults would delay the first press or the first flag.

use super::channel::{UpdateQueue, channel};
use super::health::Health;
use clock_engine::rules::{
    Action, AgreedChange, Authority, Claimant, Evidence, GameCommand, Ground, Profile, Ruling,
    Session, Setup,
};
use clock_engine::{
    Caller, Command, Control, Correction, Instant, Method, Outcome, Overtime, Side, Span,
};
use clockd_core::MAX_CANDIDATE_AGE;
use clockd_core::{Button, Edge, LineReading};
use clockd_core::{Cause, LINES, LoopCore, MenuRequest, Request};
use std::hint::black_box;
use std::io;

/// The time that passes after each command: long enough for the command to be decided, and short
/// enough that no clock uses much time.
const SHORT: Span = Span::from_nanos(1_000_000);
/// The size of the part of the stack that is touched, in bytes: more than the deepest calls of the
/// loop need, which are 76 KB in a release build for x86-64.
const STACK: usize = 96 * 1024;

/// Touches `STACK` bytes of the stack below the caller's frame.
#[inline(never)]
pub(super) fn touch_stack() {
    black_box(&mut [0_u8; STACK]);
}

/// Plays short games on a copy of the core, and discards the updates. The games reach the code for
/// presses, commands, flags, overtime, gongs, calls of the arbiter, rulings, lost updates and a
/// board that is unplugged.
#[inline(never)]
pub(super) fn play(core: &LoopCore, from: Instant) -> io::Result<()> {
    // The ring is small and nobody reads it. So it is soon full, and the code for a full ring runs.
    let (updates, _nobody) = channel(4)?;
    let own = *core.control();
    let (updates, health) = (UpdateQueue::new(updates), Health::default());
    let mut dry_run = DryRun { core: core.clone(), updates, health, now: from };
    // Without a board no clock would start.
    dry_run.core.board_back([false; LINES], from, &mut |update| {
        black_box(update);
    });
    let second = Span::from_secs(1);
    let overtime = Overtime { periods: 2, time: second, moves: 1 };
    for control in [
        own,
        Control::single(Span::ZERO, Method::Overtime(overtime)),
        Control::single(Span::ZERO, Method::Gong(second)),
    ] {
        dry_run.game(control);
    }
    dry_run.game_under_rules();
    dry_run.game_by_agreement();
    dry_run.menu();
    dry_run.button_test();
    let at = dry_run.now;
    dry_run.core.board_gone(Button::Call, at);
    dry_run.wait(second);
    dry_run.core.board_back([true; LINES], at, &mut |update| {
        black_box(update);
    });
    black_box(dry_run.core.is_crossed(at));
    Ok(())
}

struct DryRun {
    core: LoopCore,
    updates: UpdateQueue,
    health: Health,
    now: Instant,
}

impl DryRun {
    fn game(&mut self, control: Control) {
        let pause = Command::Pause { by: Caller::Arbiter };
        for command in [
            Command::New { control, force: true },
            Command::Start,
            pause,
            Command::Set(Correction::default()),
            Command::Add { side: Side::White, delta_ns: 1 },
            Command::Resume { side: Some(Side::White) },
        ] {
            self.command(command);
        }
        self.press(Button::Player(Side::White));
        self.press(Button::Player(Side::Black));
        for command in [pause, Command::UndoPress, Command::Resume { side: None }] {
            self.command(command);
        }
        // The wait of 2,000 hours is more time than any clock can have, so every clock runs out,
        // except one with a gong.
        self.wait(Span::from_secs(2_000 * 3_600));
        self.press(Button::Call);
        for command in [Command::Finish(Outcome::Drawn), Command::Reopen] {
            self.command(command);
        }
    }

    /// Plays a game with a claim, a flag and rulings. Its updates contain questions with answers,
    /// which the core finds by trying them on copies of the game.
    fn game_under_rules(&mut self) {
        let rules = Profile { claim_below: Some(Span::from_secs(120)), ..Profile::default() };
        let control = Control::single(Span::from_secs(60), Method::None);
        let (profile, session) = (Some(rules), Session::WithGame);
        self.command(GameCommand::New(Setup { control, profile, session, force: true }));
        self.command(Command::Start);
        let [white, black] = Side::BOTH.map(Claimant::Player);
        let ground = Ground::CannotWin;
        self.command(Action::ClaimDraw { by: white, ground, stop: true, offer: None });
        self.command(Action::rule(Ruling::Postpone));
        self.command(Command::Resume { side: None });
        self.wait(Span::from_secs(61));
        self.command(Action::ClaimFlag { by: black, evidence: Evidence::Flag });
        self.command(Action::rule(Ruling::Drawn));
        self.command(GameCommand::ReplaceResult(Outcome::BlackWins));
    }

    /// Plays a game in which both players agree to each change, with the commands of several steps
    /// that the menu gives.
    fn game_by_agreement(&mut self) {
        let rules = Profile { authority: Authority::Nobody, ..Profile::default() };
        let control = Control::single(Span::from_secs(60), Method::None);
        let setup = |profile| Setup { control, profile, session: Session::Unknown, force: true };
        self.command(GameCommand::NewExchanged(setup(Some(rules))));
        self.command(Command::Start);
        // White uses the button that is wired as Black's.
        self.press(Button::Player(Side::Black));
        self.press(Button::Call);
        for change in [AgreedChange::Set(Correction::default()), AgreedChange::UndoPress] {
            self.command(GameCommand::Agreed(change));
        }
        self.command(Command::Finish(Outcome::Drawn));
        for change in [AgreedChange::ReplaceResult(Outcome::WhiteWins), AgreedChange::Reopen] {
            self.command(GameCommand::Agreed(change));
        }
        self.command(GameCommand::NewExchanged(setup(None)));
    }

    /// Opens the menu with a long press of the call button, and closes it.
    fn menu(&mut self) {
        self.core.menu_request(MenuRequest::MayOpen(true));
        for (active, span) in [(true, Span::from_secs(9)), (false, Span::from_secs(1))] {
            let mut readings = [const { LineReading::EMPTY }; LINES];
            readings[Button::Call.index()].add(&[Edge { at: self.now, active }]);
            readings[Button::Call.index()].level = Some(active);
            self.step(&readings, None);
            self.wait(span);
        }
        self.press(Button::Player(Side::White));
        self.core.menu_request(MenuRequest::Close(self.now));
        self.wait(SHORT);
    }

    /// Presses a button in a test of the buttons. No game has begun, so the test begins.
    fn button_test(&mut self) {
        self.core.menu_request(MenuRequest::Test(self.now));
        self.wait(SHORT);
        self.press(Button::Player(Side::White));
        self.core.menu_request(MenuRequest::Close(self.now));
        self.wait(SHORT);
    }

    /// Lets this much time pass, and lets the core decide.
    fn wait(&mut self, span: Span) {
        self.now = self.now.checked_add(span).unwrap_or(self.now);
        self.step(&[const { LineReading::EMPTY }; LINES], None);
    }

    fn step(&mut self, readings: &[LineReading; LINES], request: Option<Request>) {
        let updates = &mut self.updates;
        let deadline = self.core.step(self.now, readings, request.into_iter(), &mut |update| {
            updates.put(&update);
        });
        self.updates.send(&self.health);
        black_box(deadline);
    }

    fn command(&mut self, command: impl Into<GameCommand>) {
        let revision = self.core.update(Cause::Started).revision;
        let request = Request { id: 0, at: self.now, revision, command: command.into() };
        self.step(&[const { LineReading::EMPTY }; LINES], Some(request));
        self.wait(SHORT);
    }

    fn press(&mut self, button: Button) {
        for active in [true, false, true, false] {
            self.wait(Span::from_nanos(MAX_CANDIDATE_AGE.as_nanos() / 3));
            let mut readings = [const { LineReading::EMPTY }; LINES];
            readings[button.index()].add(&[Edge { at: self.now, active }]);
            readings[button.index()].level = Some(active);
            self.step(&readings, None);
        }
        self.wait(MAX_CANDIDATE_AGE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residency;
    use clock_engine::EventKind;
    use rustix::mm::{Advice, madvise};
    use rustix::param::page_size;

    /// More than the calls in the test need of the stack, in bytes.
    const MARGIN: usize = 16 * 1024;

    #[test]
    fn a_stack_that_was_touched_is_in_memory() {
        let here = 0_u8;
        let here = std::ptr::from_ref(&here).expose_provenance();
        let below = here - STACK + MARGIN..here - MARGIN;
        let first = below.start.next_multiple_of(page_size());
        let length = (below.end - first) / page_size() * page_size();
        // SAFETY: the stack grows downwards, and the range ends more below this frame than the calls
        // below need. So nothing in the range is in use. The kernel supplies zeroed pages again.
        unsafe {
            let first = std::ptr::with_exposed_provenance_mut(first);
            madvise(first, length, Advice::LinuxDontNeed).unwrap();
        }
        let (pages, untouched) = residency::pages(below.clone());
        touch_stack();
        let (_, touched) = residency::pages(below);
        assert!(pages > 10);
        assert_eq!((untouched, touched), (0, pages));
    }

    #[test]
    fn the_prefault_games_reach_every_kind_of_update_and_end() {
        // `game` waits 2,000 hours. With a gong at the smallest interval (`MIN_SLICE`), that time
        // has too many gongs to be played one by one. `play` must end nevertheless.
        let gong = Control::single(Span::ZERO, Method::Gong(clock_engine::MIN_SLICE));
        let start = Instant::from_nanos(1_000_000_000);
        let core = LoopCore::new(
            crate::rt::game_without_rules(gong, start),
            crate::rt::Inputs::default(),
            Some([false; LINES]),
            start,
        );
        play(&core, start).unwrap();
        let (updates, mut seen) = channel(4096).unwrap();
        let (updates, health) = (UpdateQueue::new(updates), Health::default());
        let mut dry_run = DryRun { core, updates, health, now: start };
        let second = Span::from_secs(1);
        let overtime = Overtime { periods: 2, time: second, moves: 1 };
        dry_run.game(Control::single(Span::ZERO, Method::Overtime(overtime)));
        dry_run.game_under_rules();
        dry_run.menu();
        let mut causes =
            || -> Vec<Cause> { std::iter::from_fn(|| seen.pop()).map(|seen| seen.cause).collect() };
        let played = causes();
        for wanted in [
            EventKind::Press { side: Side::White, accepted: true },
            EventKind::Overtime { side: Side::Black, periods_left: 1 },
            EventKind::Flag { side: Side::Black, period: 1 },
            EventKind::Call { accepted: true },
        ] {
            assert!(played.contains(&wanted.into()), "{wanted:?}: {played:?}");
        }
        for wanted in ["add", "undo-press", "claim-draw", "claim-flag", "rule"] {
            let is_wanted =
                |cause: &Cause| matches!(*cause, Cause::Command(name, _) if name == wanted);
            assert!(played.iter().any(is_wanted), "{wanted}: {played:?}");
        }
        dry_run.game_by_agreement();
        let played = causes();
        let commands = ["new", "start", "set", "undo-press", "result", "result", "reopen", "new"];
        let is_command = |cause: &&Cause| matches!(cause, Cause::Command(..) | Cause::Refused);
        let found = played.iter().filter(is_command).map(|cause| cause.as_str());
        assert_eq!(found.collect::<Vec<_>>(), commands);
    }
}
