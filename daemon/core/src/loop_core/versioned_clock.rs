//! The game with its revision, the placement of the buttons and the position of the rocker.
//! [`VersionedClock`] makes one update for each change, judges presses that arrive late, and
//! refuses a command that is stale or must first be confirmed.

mod restart;

pub use restart::Restart;

use super::input::{Input, Output};
use super::messages::{
    Cause, OpenQuestions, PressBeforeFlag, Publication, Refusal, Request, Update, name_of_command,
    publication,
};
use super::rocker::Rocker;
use super::turn_history::{Placement, TurnHistory};
use crate::Button;
use clock_engine::rules::{Action, AgreedChange, Confirmation, Game, GameCommand};
use clock_engine::{
    Caller, Command, Control, EarlierClock, EventKind, Instant, MAX_EVENTS, Phase, Side, Span, View,
};
use serde::{Deserialize, Serialize};

/// After a long delay of the loop, the first 64 timeouts (flags, gongs and other changes that need
/// no input) are handled and published one by one. All others are handled in one call, so that the
/// loop catches up in bounded time.
const MAX_TIMEOUTS: usize = 64;

/// The game, its revision, the placement of the buttons, the position of the rocker, and whether
/// the button board is gone.
///
/// Equal clocks that are given equal inputs remain equal. A clock that is serialized and
/// deserialized equals the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionedClock {
    /// The number of the latest entry: an input, or the whole clock. It is 0 before the first
    /// entry.
    entry: u64,
    game: Game,
    /// Which player uses which button.
    placement: Placement,
    /// The position of the rocker, if the players use one.
    rocker: Option<Rocker>,
    /// Counts the changes that an arbiter must have seen before a command. Completed moves, gongs
    /// and periods of overtime do not count. So a command is not refused because a player moved
    /// while the arbiter typed it.
    revision: u64,
    history: TurnHistory,
    press_before_flag: Option<PressBeforeFlag>,
    /// Whether the button board is gone, so that no press can be read.
    board_gone: bool,
    /// The latest restart; `None` if there was none, and after the next command that is carried
    /// out. Two presses with which both players resume the game count as that command.
    restart: Option<Restart>,
}

/// How an input was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// The input was decided in the order of the stamps, or it was a late press that has no effect.
    /// If it was a command, the command was carried out.
    InOrder,
    /// It was a press or a call that arrived after something with a later stamp was decided, and
    /// that would have taken effect at its own stamp. Its first update has the cause
    /// [`Cause::Late`].
    Late,
    /// It was a command that was refused.
    Refused,
}

impl VersionedClock {
    /// A clock with a game that is set up. `board_gone` is `true` if there is no button board yet.
    pub fn new(game: Game, rocker: Option<Rocker>, board_gone: bool) -> VersionedClock {
        let at = game.last();
        let history = TurnHistory::new(&game.view(at), at);
        let press_before_flag = None;
        let placement = Placement::new(game.buttons_exchanged());
        VersionedClock {
            entry: 0,
            game,
            placement,
            rocker,
            revision: 1,
            history,
            press_before_flag,
            board_gone,
            restart: None,
        }
    }

    /// Decides the next input. Inputs come in the order of their stamps, unless a press of a
    /// player's button or of the call button arrives after an input or a flag with a later stamp
    /// was decided.
    pub fn handle(&mut self, input: &Input, out: &mut dyn Output) -> Handled {
        self.entry += 1;
        let of_press = |is_late| if is_late { Handled::Late } else { Handled::InOrder };
        match *input {
            Input::Press(Button::Player(wired), at) => {
                return of_press(self.press(wired, at, out));
            }
            Input::Press(Button::Call, at) => return of_press(self.call(at, out)),
            Input::Request(ref request) => {
                if !self.request(request, out) {
                    return Handled::Refused;
                }
            }
            Input::Hold(wired, at) => self.hold(wired, at, out),
            Input::HeldTogether { ref before, at } => self.held_together(before, at, out),
            Input::BoardGone(button, at) => self.board_gone(button, at, out),
            Input::BoardBack { closed, at } => {
                self.take_board(closed);
                out.update(&Update { at, ..self.update(Cause::BoardBack, self.last()) });
            }
            Input::Time(at) => self.run_to(at, out),
            Input::Restarted { since, at, closed } => self.restarted(since, at, closed, out),
            Input::PowerCut { stopped, at, closed } => self.power_cut(stopped, at, closed, out),
            Input::RockerFound { closed, .. } => self.find_rocker(closed),
            Input::WrongCode(_) => {}
        }
        Handled::InOrder
    }

    /// Whether the clock is still as it was set up: nothing has made a new revision.
    pub fn is_new(&self) -> bool {
        self.revision == 1 && self.game.phase() == Phase::Ready
    }

    /// The number of the latest change that an arbiter must have seen before a command.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The number of the latest entry.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Sets the number of the latest entry.
    pub fn set_entry(&mut self, entry: u64) {
        self.entry = entry;
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Takes over a button board that is connected. `closed` says which throws of a rocker (the
    /// contacts of its two sides) are closed, first the one that is wired as White's.
    fn take_board(&mut self, closed: [bool; 2]) {
        self.board_gone = false;
        self.find_rocker(closed);
    }

    /// Sets the position of the rocker, if there is one, after a time in which its throws were no
    /// inputs. `closed` says which throws are closed, first the one that is wired as White's.
    fn find_rocker(&mut self, closed: [bool; 2]) {
        if let Some(rocker) = &mut self.rocker {
            let [first, second] = closed;
            let exchanged = self.placement.is_exchanged();
            rocker.found(if exchanged { [second, first] } else { closed });
            if self.game.phase() == Phase::Running {
                rocker.note_running();
            }
        }
    }

    /// The time control.
    pub fn control(&self) -> &Control {
        self.game.clock().control()
    }

    /// How long a button can be held before an incident is noted; `None` without a limit.
    pub fn hold_warning(&self) -> Option<Span> {
        self.game.profile()?.hold_warning
    }

    /// The instant of the next change that needs no input: a flag, the next period, overtime, a
    /// gong, the default time, or the end of the duty to keep score. `None` if no such change will
    /// come.
    pub fn due(&self) -> Option<Instant> {
        self.game.poll_timeout()
    }

    /// The latest instant that the game has handled: that of an input, or of a change such as a
    /// flag.
    pub fn last(&self) -> Instant {
        self.game.last()
    }

    /// The clock as it is at `at`, as an update with this cause.
    pub fn update(&self, cause: Cause, at: Instant) -> Update {
        self.update_with(cause, at, &self.game.view(at))
    }

    /// The game as `view` shows it, as an update with this cause, which happened at `at`.
    fn update_with(&self, cause: Cause, at: Instant, view: &View) -> Update {
        Update {
            entry: self.entry,
            cause,
            at,
            view: *view,
            revision: self.revision,
            answer: None,
            press_before_flag: self.press_before_flag,
            restart: self.restart,
            questions: OpenQuestions::of(&self.game, view.at),
        }
    }

    /// Handles all timeouts up to `at`: the first [`MAX_TIMEOUTS`] each at its own instant, the
    /// others together at `at`. If nothing is due, the game does not advance, so that a press
    /// stamped before `at` can still be decided in its order.
    fn run_to(&mut self, at: Instant, out: &mut dyn Output) {
        for _ in 0..MAX_TIMEOUTS {
            let Some(due) = self.game.poll_timeout().filter(|due| *due <= at) else { return };
            let before = self.game.phase();
            // No instant later than `due` has been handled, so the engine does not refuse the call.
            let _ = self.game.handle_timeout(due);
            // In unsupervised play, the game goes on at the end of the countdown.
            let resumed = (before == Phase::Paused && self.game.phase() != Phase::Paused)
                .then(|| self.carried_out(&Command::Resume { side: None }.into()));
            self.settle(None, due, out);
            if let Some(cause) = resumed {
                out.update(&self.update(cause, due));
            }
        }
        if self.game.poll_timeout().is_some_and(|due| due <= at) {
            let _ = self.game.handle_timeout(at);
            self.settle(None, at, out);
        }
    }

    /// Handles a press, stamped `at`, of the button that is wired as the button of `wired`. Returns
    /// whether the press was late and would have taken effect at `at`.
    fn press(&mut self, wired: Side, at: Instant, out: &mut dyn Output) -> bool {
        let last = self.game.last();
        let side = self.placement.player(wired, at);
        let is_late = at < last && self.history.would_count(side, at);
        if is_late {
            let mut late = self.update(Cause::Late(Button::Player(wired)), last);
            late.at = at;
            out.update(&late);
            self.note_press_before_flag(side, at, out);
        }
        // If both clocks stand by now, a late press completes no move any more. The engine never
        // gets it: in unsupervised play it would take the press for a confirmation that the game
        // goes on, although the press was made before the game was stopped.
        let counts = is_late && matches!(self.game.phase(), Phase::Ready | Phase::Running);
        if counts || at >= last {
            self.press_in_turn(side, at.max(last), out);
        } else {
            // The press has no effect: it would have had none at its own stamp, or the clocks have
            // been stopped since. Only the position of the rocker has changed.
            if let Some(rocker) = &mut self.rocker {
                rocker.press(side);
            }
            let at = if is_late { last } else { at };
            out.update(&Update {
                at,
                ..self.update(EventKind::Press { side, accepted: false }.into(), last)
            });
        }
        is_late
    }

    fn press_in_turn(&mut self, side: Side, at: Instant, out: &mut dyn Output) {
        self.run_to(at, out);
        if let Some(rocker) = &mut self.rocker {
            rocker.press(side);
            // The clock ran until this press, so the position of the rocker is noted here. `settle`
            // does not note it if the press starts a clock that has no time left, because the flag
            // of that clock stops both clocks at once.
            if self.game.phase() == Phase::Running {
                rocker.note_running();
            }
        }
        let before = self.game.phase();
        let had_confirmed = self.game.side_notes(side).confirmed_resume;
        // No instant later than `at` has been handled, so the engine does not refuse the call.
        let _ = self.game.handle_press(side, at);
        let after = self.game.phase();
        let starts = before == Phase::Ready && after != Phase::Ready;
        // If a press leads from `Phase::Running` to `Phase::Paused`, the cause is a set-back: the
        // press began the next period for both sides. A flag that stops the clocks leads to
        // `Phase::Ruling`.
        let set_back = before == Phase::Running && after == Phase::Paused;
        // In unsupervised play, the game is resumed by one press of each player. If the side on
        // move has no time left, its flag stops the clocks again at once. The first of the two
        // presses is published, too, so that both players see that it counts.
        let resumed = before == Phase::Paused && after != Phase::Paused;
        let confirms = !had_confirmed && self.game.side_notes(side).confirmed_resume;
        let done = if resumed {
            Some(self.carried_out(&Command::Resume { side: None }.into()))
        } else if confirms {
            self.revision += 1;
            let what = Some(Confirmation::Resume);
            Some(Cause::Command(
                name_of_command(&Action::RecordConfirmation { by: side, what }.into()),
                None,
            ))
        } else {
            None
        };
        self.revision += u64::from(starts || set_back);
        self.settle(None, at, out);
        if set_back {
            out.update(&self.update(Cause::SetBack, at));
        }
        if let Some(cause) = done {
            out.update(&self.update(cause, at));
        }
    }

    /// Notes that this command was carried out: at an arbiter's request or, in unsupervised play, by
    /// the players with their buttons, if it is a pause or a resume. Returns the cause of its update.
    fn carried_out(&mut self, command: &GameCommand) -> Cause {
        self.revision += 1;
        self.restart = None;
        Cause::Command(name_of_command(command), None)
    }

    /// Reports a late press whose stamp is before the flag of its side, if that side has such a
    /// flag. The flag is not taken back; the arbiter judges the press.
    fn note_press_before_flag(&mut self, side: Side, pressed: Instant, out: &mut dyn Output) {
        let last = self.game.last();
        let Some(flag) = self.game.view(last).sides[side].flag.filter(|flag| *flag > pressed)
        else {
            return;
        };
        self.press_before_flag = Some(PressBeforeFlag { side, pressed, flag });
        self.revision += 1;
        out.update(&self.update(Cause::PressBeforeFlag(side), last));
    }

    /// Handles a press, stamped `at`, of the call button. Returns whether it was late and still
    /// took effect.
    fn call(&mut self, at: Instant, out: &mut dyn Output) -> bool {
        let last = self.game.last();
        if at < self.history.set_up() {
            // The button was pressed in the previous game or before a restart of the machine, so
            // the call must not stop this game.
            return false;
        }
        // A press that stops no clock and calls nobody is not reported as late, because nobody waits
        // longer.
        let takes_back = self.game.view(last).called_by.is_some();
        let is_late = at < last && self.game.accepts_call() && !takes_back;
        if is_late {
            out.update(&Update { at, ..self.update(Cause::Late(Button::Call), last) });
        }
        let at = at.max(last);
        self.run_to(at, out);
        // No instant later than `at` has been handled, so the engine does not refuse the call.
        let _ = self.game.handle_call(at);
        self.settle(None, at, out);
        is_late
    }

    /// Notes that a player has held a button for longer than the rules allow: the button that is
    /// wired as the button of `wired`. `at` is the end of the time that the rules allow.
    fn hold(&mut self, wired: Side, at: Instant, out: &mut dyn Output) {
        let side = self.placement.player(wired, at);
        let at = at.max(self.game.last());
        self.run_to(at, out);
        // No instant later than `at` has been handled, so the engine does not refuse the call.
        let _ = self.game.handle_hold(side, at);
        self.settle(None, at, out);
    }

    /// Stops the clocks, because both players have held their buttons together. `before` is the
    /// clock before the first of these presses.
    fn held_together(&mut self, before: &EarlierClock, at: Instant, out: &mut dyn Output) {
        let at = at.max(self.game.last());
        self.run_to(at, out);
        let ran = self.game.phase() == Phase::Running;
        // No instant later than `at` has been handled, so the engine does not refuse the call.
        let _ = self.game.handle_stop_by_both(before, at);
        let stopped = (ran && self.game.phase() != Phase::Running)
            .then(|| self.carried_out(&Command::Pause { by: Caller::Button }.into()));
        let update = stopped.map(|cause| self.update(cause, at));
        self.settle(update, at, out);
    }

    /// Handles the loss of the button board. A running clock is paused, because no player can press
    /// any more.
    fn board_gone(&mut self, button: Button, at: Instant, out: &mut dyn Output) {
        let at = at.max(self.game.last());
        self.run_to(at, out);
        self.board_gone = true;
        self.game.stop_countdown();
        let pause = GameCommand::Clock(Command::Pause { by: Caller::Fault });
        // The engine accepts the pause only while a clock runs, so `paused` says whether one ran.
        let paused = self.game.handle_command(pause, at).is_ok();
        self.revision += u64::from(paused);
        self.settle(Some(self.update(Cause::BoardGone { button, paused }, at)), at, out);
    }

    /// Carries out an arbiter's command. It takes effect at its own stamp, or at the latest instant
    /// that the game has handled, if that instant is later. Returns whether it was carried out.
    fn request(&mut self, request: &Request, out: &mut dyn Output) -> bool {
        let at = request.at.max(self.game.last());
        self.run_to(at, out);
        let done = if request.revision != self.revision {
            Err(Refusal::Stale { given: request.revision, current: self.revision })
        } else if self.board_gone && self.would_run(&request.command) {
            Err(Refusal::BoardGone)
        } else if let Some(down) = self.unconfirmed(&request.command) {
            Err(Refusal::ConfirmOnMove { down })
        } else {
            let before = self.game.view(at).on_move;
            let done = self.game.handle_command(request.command, at).map_err(Refusal::Game);
            let on_move = self.game.view(at).on_move;
            let is_new = matches!(
                request.command,
                GameCommand::New(_)
                    | GameCommand::NewExchanged(_)
                    | GameCommand::Import { .. }
                    | GameCommand::Clock(Command::New { .. })
            );
            if done.is_ok() && is_new {
                // Presses with earlier stamps belong to the previous game.
                self.history = TurnHistory::new(&self.game.view(at), at);
            }
            if let Some(rocker) = self.rocker.as_mut().filter(|_| on_move != before) {
                rocker.note_on_move(on_move);
            }
            let was_exchanged = self.placement.set(self.game.buttons_exchanged(), at);
            if let Some(rocker) = self.rocker.as_mut().filter(|_| was_exchanged) {
                rocker.exchange();
            }
            done
        };
        let cause = match done {
            Ok(()) => self.carried_out(&request.command),
            Err(_) => Cause::Refused,
        };
        self.forget_press_before_flag(&request.command, done.is_ok(), at);
        let mut update = self.update(cause, at);
        update.answer = Some((request.id, done));
        self.settle(Some(update), at, out);
        done.is_ok()
    }

    /// Whether this command starts a clock, provided that the engine accepts it.
    fn would_run(&self, command: &GameCommand) -> bool {
        match command {
            GameCommand::Clock(Command::Start) => self.game.phase() == Phase::Ready,
            GameCommand::Clock(Command::Resume { .. }) => self.game.phase() == Phase::Paused,
            _ => false,
        }
    }

    /// Clears `press_before_flag` once the flag that fell after the press is annulled or the game
    /// is replaced. A flag that is not final cannot be annulled, so after such a flag a correction
    /// of times also clears `press_before_flag`.
    fn forget_press_before_flag(&mut self, command: &GameCommand, done: bool, at: Instant) {
        let view = self.game.view(at);
        let corrects = matches!(
            command,
            GameCommand::Clock(Command::Set(_) | Command::Add { .. })
                | GameCommand::Agreed(AgreedChange::Set(_))
        );
        self.press_before_flag = self.press_before_flag.filter(|press| {
            let side = &view.sides[press.side];
            side.flag == Some(press.flag) && (side.out_of_time || !(done && corrects))
        });
    }

    /// Returns `Some` with the throw that is down (`Some(None)` if it is unknown) if the command
    /// must be confirmed: it is a resume that does not name the side on move, and the rocker was
    /// moved while the clocks stood. It is then unknown whether the rocker or the clock is right.
    /// Otherwise returns `None`.
    fn unconfirmed(&self, command: &GameCommand) -> Option<Option<Side>> {
        let unnamed = matches!(command, GameCommand::Clock(Command::Resume { side: None }));
        let paused = self.game.phase() == Phase::Paused;
        self.rocker.filter(|_| unnamed && paused).and_then(|rocker| rocker.moved())
    }

    /// Publishes the updates of the last call of the engine: first `command`, the update of the
    /// input itself, then one update for each event that is no part of a command.
    ///
    /// All these updates contain the state and the revision after the whole call of the engine. For
    /// example, a clock that is resumed at 0:00 has its flag at once, so the answer to `resume`
    /// shows the flag.
    fn settle(&mut self, command: Option<Update>, at: Instant, out: &mut dyn Output) {
        if let (Some(rocker), Phase::Running) = (&mut self.rocker, self.game.phase()) {
            rocker.note_running();
        }
        let view = self.game.view(at);
        self.history.note(&view, at);
        let period_end = self.control().terms().period_end;
        // The array is large, so it is neither moved nor read beyond the events that it contains.
        let (mut events, mut count, mut of_command) = ([None; MAX_EVENTS], 0, None);
        while let Some(event) = self.game.poll_event() {
            match publication(event.kind, period_end) {
                Publication::Never => continue,
                Publication::OfCommand => {
                    of_command = Some(event.kind);
                    continue;
                }
                Publication::Alone => {}
                Publication::Revision => self.revision += 1,
            }
            // `events` has room for all events of one call.
            if let Some(place) = events.get_mut(count) {
                *place = Some(event);
                count += 1;
            }
        }
        if let Some(mut update) = command {
            if let Cause::Command(_, event) = &mut update.cause {
                *event = of_command;
            }
            out.update(&Update { revision: self.revision, ..update });
        }
        for event in events[..count].iter().flatten() {
            out.update(&self.update_with(event.kind.into(), event.at, &view));
        }
    }
}
