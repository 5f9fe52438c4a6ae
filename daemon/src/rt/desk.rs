//! The engine with what the daemon adds to it: revisions, and one update for each change.

use super::rocker::Rocker;
use crate::gpio::Button;
use clock_engine::{
    Advance, Caller, Clock, Command, Control, EventKind, Instant, MAX_EVENTS, Phase, Refused, Side,
    View,
};

/// A command with the number its answer carries.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// For the answer.
    pub id: u64,
    /// When it came in, on CLOCK_MONOTONIC.
    pub at: Instant,
    /// The revision its giver saw.
    pub revision: u64,
    /// What to do.
    pub command: Command,
}

/// Why a request was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The clock refuses.
    Clock(Refused),
    /// The clock has changed since.
    Stale {
        /// The revision of the request.
        given: u64,
        /// The clock's.
        current: u64,
    },
    /// The rocker does not stand as the clock has it, so it must be said who is on move.
    ConfirmOnMove {
        /// The throw that is down, if that can be told.
        down: Option<Side>,
    },
    /// Too many commands at once.
    Busy,
}

/// What an update is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A press that counted.
    Press(Side),
    /// A press that did nothing.
    IgnoredPress(Side),
    /// A press or a call stamped before something already decided. It counts from there on: the
    /// time between is the player's loss, and a fault of the machine.
    Late(Button),
    /// A flag.
    Flag {
        /// Whose.
        side: Side,
        /// In which period.
        period: u32,
    },
    /// A side came into its next period because time was used up, not by a press.
    Period {
        /// Who.
        side: Side,
        /// The period it is in now.
        period: u32,
    },
    /// A period of overtime began because time was used up.
    Overtime {
        /// Whose.
        side: Side,
        /// How many are left, this one among them.
        periods_left: u32,
    },
    /// The slice of this side began.
    Gong(Side),
    /// The press just told completed a period, and both clocks stand for the readings to be noted.
    SetBack,
    /// The call button.
    Call,
    /// A command was carried out.
    Command(&'static str),
    /// A command was refused.
    Refused,
    /// The clock as it is at the start.
    Started,
    /// A button got stuck or came free, or something else is wrong or right again.
    Fault,
    /// The board was pulled out, or broke.
    Unplugged {
        /// The first button whose line was found gone.
        button: Button,
        /// A clock was running, and stands now.
        paused: bool,
    },
    /// The board is back; nothing else has changed.
    Returned,
    /// The latest state, after updates that found no room.
    Missed,
}

/// A change, or an answer, on its way to the publisher.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// What happened.
    pub cause: Cause,
    /// The instant it happened.
    pub at: Instant,
    /// The clock right after.
    pub view: View,
    /// The clock's revision right after.
    pub revision: u64,
    /// The request this answers.
    pub answer: Option<(u64, Result<(), Refusal>)>,
}

impl Cause {
    /// Whether it makes a new revision, where it comes from the clock by itself. Completed moves,
    /// gongs and periods of overtime are the usual run of a game.
    fn revises(self) -> bool {
        matches!(self, Cause::Flag { .. } | Cause::Period { .. } | Cause::Call)
    }
}

impl Update {
    /// Whether the flag of this side and period, which this update is about, is final. After any
    /// other the side is in a later period.
    pub fn is_final(&self, side: Side, period: u32) -> bool {
        let half = &self.view.sides[side];
        half.out_of_time && half.period == period
    }

    /// Whether that flag is the final one that fell first.
    pub fn is_first(&self, side: Side, period: u32) -> bool {
        self.is_final(side, period) && self.view.first_flag == Some(side)
    }
}

/// What is due one by one before the rest is taken in one go: more never comes between two rounds
/// of a loop that lives, and one that was held up for long must not take longer still.
const MOST_DUE: usize = 64;

/// The clock and its revision.
#[derive(Clone, Debug)]
pub struct Desk {
    clock: Clock,
    /// Where the rocker is, where the players have one.
    rocker: Option<Rocker>,
    /// Counts every change but completed moves, so that an arbiter's command is not refused
    /// because a player moved while he typed.
    revision: u64,
}

impl Desk {
    /// A desk with a clock set up for this control.
    pub fn new(control: Control, rocker: Option<Rocker>, at: Instant) -> Desk {
        Desk { clock: Clock::new(control, at), rocker, revision: 1 }
    }

    /// The rocker was not watched for a while; these throws are closed now.
    pub fn rocker_found(&mut self, closed: [bool; 2]) {
        if let Some(rocker) = &mut self.rocker {
            rocker.found(closed);
            if self.clock.phase() == Phase::Running {
                rocker.note_running();
            }
        }
    }

    /// The time control.
    pub fn control(&self) -> &Control {
        self.clock.control()
    }

    /// When the clock next changes by itself: a flag, the next period, overtime, a gong.
    pub fn due(&self) -> Option<Instant> {
        self.clock.poll_timeout()
    }

    /// The latest instant that was decided.
    pub fn last(&self) -> Instant {
        self.clock.last()
    }

    /// The clock as it is at `at`.
    pub fn update(&self, cause: Cause, at: Instant) -> Update {
        Update { cause, at, view: self.clock.view(at), revision: self.revision, answer: None }
    }

    /// Lets happen what is due at `at`, each with an update of its own instant.
    pub fn run_to(&mut self, at: Instant, out: &mut impl FnMut(Update)) {
        for _ in 0..MOST_DUE {
            let Some(due) = self.clock.poll_timeout().filter(|due| *due <= at) else { return };
            // Due instants never lie behind what was handled, so this cannot be refused.
            let _ = self.clock.handle_timeout(due);
            self.settle(None, due, out);
        }
        let _ = self.clock.handle_timeout(at.max(self.clock.last()));
        self.settle(None, self.clock.last(), out);
    }

    /// A player's press.
    pub fn press(&mut self, side: Side, at: Instant, out: &mut impl FnMut(Update)) {
        let at = self.in_turn(Button::Player(side), at, out);
        self.run_to(at, out);
        if let Some(rocker) = &mut self.rocker {
            rocker.press(side);
            // Even if this press brings a flag that stops the clocks.
            if self.clock.phase() == Phase::Running {
                rocker.note_running();
            }
        }
        let before = self.clock.phase();
        // In its turn it is never refused.
        let _ = self.clock.handle_press(side, at);
        let after = self.clock.phase();
        let starts = before == Phase::Ready && after != Phase::Ready;
        // The one way in which a press stops the clocks without a flag.
        let set_back = before == Phase::Running && after == Phase::Paused;
        self.revision += u64::from(starts || set_back);
        self.settle(None, at, out);
        if set_back {
            out(self.update(Cause::SetBack, at));
        }
    }

    /// The call button.
    pub fn call(&mut self, at: Instant, out: &mut impl FnMut(Update)) {
        let at = self.in_turn(Button::Call, at, out);
        self.run_to(at, out);
        // In its turn it is never refused.
        let _ = self.clock.handle_call(at);
        self.settle(None, at, out);
    }

    /// The board is gone: no player could press any more, so no clock runs on.
    pub fn unplugged(&mut self, button: Button, at: Instant, out: &mut impl FnMut(Update)) {
        let at = at.max(self.clock.last());
        self.run_to(at, out);
        let pause = Command::Pause { by: Caller::Arbiter };
        // Only a running clock is paused: that is what the engine refuses otherwise.
        let paused = self.clock.handle_command(pause, at).is_ok();
        self.revision += u64::from(paused);
        self.settle(Some(self.update(Cause::Unplugged { button, paused }, at)), at, out);
    }

    /// The stamp, or the latest instant decided if that is later. What is decided stays decided,
    /// but no press is thrown away.
    fn in_turn(&self, button: Button, at: Instant, out: &mut impl FnMut(Update)) -> Instant {
        let last = self.clock.last();
        if at < last {
            let mut update = self.update(Cause::Late(button), last);
            update.at = at;
            out(update);
        }
        at.max(last)
    }

    /// An arbiter's command. It takes effect when it is decided, never before what already was.
    pub fn request(&mut self, request: &Request, out: &mut impl FnMut(Update)) {
        let at = request.at.max(self.clock.last());
        self.run_to(at, out);
        let done = if request.revision != self.revision {
            Err(Refusal::Stale { given: request.revision, current: self.revision })
        } else if let Some(down) = self.unconfirmed(&request.command) {
            Err(Refusal::ConfirmOnMove { down })
        } else {
            let before = self.clock.view(at).on_move;
            let done = self.clock.handle_command(request.command, at).map_err(Refusal::Clock);
            let on_move = self.clock.view(at).on_move;
            if let Some(rocker) = self.rocker.as_mut().filter(|_| on_move != before) {
                rocker.note_on_move(on_move);
            }
            done
        };
        let cause = match done {
            Ok(()) => Cause::Command(name(&request.command)),
            Err(_) => Cause::Refused,
        };
        self.revision += u64::from(done.is_ok());
        let mut update = self.update(cause, at);
        update.answer = Some((request.id, done));
        self.settle(Some(update), at, out);
    }

    /// The throw that is down, where the rocker does not stand as the clock has it and the
    /// command does not say who is on move: the rocker may be right, or the clock.
    fn unconfirmed(&self, command: &Command) -> Option<Option<Side>> {
        let unnamed = matches!(command, Command::Resume { side: None });
        let paused = self.clock.phase() == Phase::Paused;
        self.rocker.filter(|_| unnamed && paused).and_then(|rocker| rocker.moved())
    }

    /// Gives out what the last call brought: the update of a command first, then one an event.
    ///
    /// All of them carry the state, and so the revision, after the whole of it: a clock resumed at
    /// 0:00 has its flag at once.
    fn settle(&mut self, command: Option<Update>, at: Instant, out: &mut impl FnMut(Update)) {
        if let (Some(rocker), Phase::Running) = (&mut self.rocker, self.clock.phase()) {
            rocker.note_running();
        }
        let advance = self.clock.control().terms().advance;
        let mut causes = [None; MAX_EVENTS];
        for slot in &mut causes {
            let Some(event) = self.clock.poll_event() else { break };
            *slot = cause(event.kind, advance).map(|cause| (cause, event.at));
            self.revision += u64::from(slot.is_some_and(|(cause, _)| cause.revises()));
        }
        if let Some(update) = command {
            out(Update { revision: self.revision, ..update });
        }
        for (cause, happened) in causes.into_iter().flatten() {
            out(Update { at: happened, ..self.update(cause, at) });
        }
    }
}

/// What an event is to the bus and the log; none where it is part of another.
fn cause(kind: EventKind, advance: Advance) -> Option<Cause> {
    match kind {
        EventKind::Press { side, accepted: true } => Some(Cause::Press(side)),
        EventKind::Press { side, accepted: false } => Some(Cause::IgnoredPress(side)),
        EventKind::Flag { side, period } => Some(Cause::Flag { side, period }),
        EventKind::Call { accepted: true } => Some(Cause::Call),
        EventKind::Gong { side } => Some(Cause::Gong(side)),
        EventKind::Overtime { side, periods_left } => Some(Cause::Overtime { side, periods_left }),
        EventKind::Period { side, period } => match advance {
            Advance::Zero | Advance::MovesAtZero => Some(Cause::Period { side, period }),
            // The next period is part of the press that brought it.
            Advance::Moves | Advance::BlackCompletes { .. } => None,
        },
        EventKind::Call { accepted: false } => None,
    }
}

fn name(command: &Command) -> &'static str {
    match command {
        Command::Start => "start",
        Command::Pause { .. } => "pause",
        Command::Resume { .. } => "resume",
        Command::Correct(_) => "set",
        Command::AddTime { .. } => "add",
        Command::UndoPress => "undo",
        Command::Finish(_) => "result",
        Command::Reopen => "reopen",
        Command::New { .. } => "new",
    }
}
