//! What the core is asked, and what it reports: the requests and their refusals, and the updates
//! with their causes and the open questions.

use super::menu::MenuRequest;
use super::versioned_clock::Restart;
use crate::Button;
use clock_engine::rules::{
    Action, Answer, Game, GameCommand, GameEventKind, GameRefused, LatePlayers, Question,
    Questions, Ruling,
};
use clock_engine::{
    Command, EventKind, Instant, Outcome, PerSide, PeriodEnd, Phase, Side, Span, View,
};
use core::fmt;
use serde::{Deserialize, Serialize};

/// A command that is given to the core. The answer carries the same `id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The number by which the answer refers to the request.
    pub id: u64,
    /// When the command arrived, on CLOCK_MONOTONIC.
    pub at: Instant,
    /// The revision that the arbiter saw. If it is not the clock's revision, the command is
    /// refused.
    pub revision: u64,
    /// What to do.
    pub command: GameCommand,
}

/// What is given to the core from outside, in one order.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it at a time")]
pub enum LoopRequest {
    /// A command.
    Command(Request),
    /// A request of the program that shows the menu.
    Menu(MenuRequest),
}

impl From<Request> for LoopRequest {
    fn from(request: Request) -> LoopRequest {
        LoopRequest::Command(request)
    }
}

/// Why a request was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The clock or the rules refuse the command.
    Game(GameRefused),
    /// The clock has changed since the revision that the arbiter saw.
    Stale {
        /// The revision of the request.
        given: u64,
        /// The clock's revision.
        current: u64,
    },
    /// The rocker was moved while the clocks stood, so the command must name the side on move.
    ConfirmOnMove {
        /// The throw (the contact of one side of the rocker) that is down; `None` if both throws
        /// are down, or neither.
        down: Option<Side>,
    },
    /// The command would start a clock while the button board is gone, so that no press could be
    /// read.
    BoardGone,
    /// [`MAX_REQUESTS`](crate::MAX_REQUESTS) commands are already waiting for their answers.
    Busy,
}

/// The reason for an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An event of the game that was not caused by a command.
    Event(GameEventKind),
    /// A press of a player's button or of the call button that would have taken effect at its
    /// stamp, but arrived after a flag or an input with a later stamp had been decided. The late
    /// press takes effect at the instant of the latest decision, or not at all if the clock has
    /// been stopped in the meantime. So a player can lose time through a fault of the machine.
    /// [`Update::at`] is the stamp of the late press. A separate update for the press itself
    /// follows.
    Late(Button),
    /// A press of this side that arrived after the flag of this side had been decided, although its
    /// stamp is earlier than the flag and the side was on move at the stamp.
    /// [`Update::press_before_flag`] has both instants.
    PressBeforeFlag(Side),
    /// The press of the previous update completed a period and began the next one for both sides (a
    /// set-back), in a control that pauses the game at a set-back. Both clocks stand, so that the
    /// times shown can be noted.
    SetBack,
    /// A command with this name was carried out, and this is what it did under the rules, in addition
    /// to the change of the clock. If both players resume the game with their buttons, the cause is
    /// the command `resume`, but no request is answered.
    Command(&'static str, Option<GameEventKind>),
    /// A command was refused.
    Refused,
    /// The state of the clock when the daemon starts.
    Started,
    /// The list of faults has changed.
    Fault,
    /// The record has given the game on the clock another number than was published, without a command
    /// that begins a game. The main thread knows the number.
    GameNumber,
    /// The button board was unplugged or has failed.
    BoardGone {
        /// The first button whose line was found gone. If there is no board after a restart, it is
        /// the first of [`Button::ALL`].
        button: Button,
        /// Whether a clock was running; it is paused now.
        paused: bool,
    },
    /// The button board is back. A paused game remains paused.
    BoardBack,
    /// The daemon or the machine was started again, and the clock was restored.
    Restarted,
    /// The latest state. It replaces updates that were lost because the ring of updates was full.
    Missed,
}

impl Cause {
    /// The word of the cause in the record and in the log. If the cause is an event or a command, it
    /// is the word of the event or the name of the command.
    pub const fn as_str(self) -> &'static str {
        match self {
            Cause::Event(kind) => kind.as_str(),
            Cause::Command(name, _) => name,
            Cause::Late(_) => "late",
            Cause::PressBeforeFlag(_) => "press-before-flag",
            Cause::SetBack => "set-back",
            Cause::Refused => "refused",
            Cause::Started => "started",
            Cause::Fault => "fault",
            Cause::GameNumber => "game-number",
            Cause::BoardGone { .. } => "board-gone",
            Cause::BoardBack => "board-back",
            Cause::Restarted => "restarted",
            Cause::Missed => "missed",
        }
    }

    /// The word of the cause in the signal `Transition`. It is `None` for a cause that does not change
    /// the published state.
    pub const fn published(self) -> Option<&'static str> {
        match self {
            Cause::Event(GameEventKind::Clock(EventKind::Press { accepted: false, .. }))
            | Cause::Late(_)
            | Cause::Refused
            | Cause::Started => None,
            Cause::BoardGone { .. }
            | Cause::BoardBack
            | Cause::PressBeforeFlag(_)
            | Cause::Restarted => Some(Cause::Fault.as_str()),
            other => Some(other.as_str()),
        }
    }

    /// The event of the game: the cause itself, or what the command did under the rules.
    pub const fn event(self) -> Option<GameEventKind> {
        match self {
            Cause::Event(kind) => Some(kind),
            Cause::Command(_, kind) => kind,
            _ => None,
        }
    }
}

impl<T: Into<GameEventKind>> From<T> for Cause {
    fn from(kind: T) -> Cause {
        Cause::Event(kind.into())
    }
}

/// A press that was stamped before the flag of its side, but was read only after that flag had been
/// decided. The arbiter must judge whether it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressBeforeFlag {
    /// The side that pressed, and whose flag fell.
    pub side: Side,
    /// The stamp of the press.
    pub pressed: Instant,
    /// The instant of the flag; later than `pressed`.
    pub flag: Instant,
}

/// Writes both instants in seconds of CLOCK_MONOTONIC, and what the arbiter must do, in at most 200
/// bytes.
impl fmt::Display for PressBeforeFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side.name();
        let (pressed, flag) = (Seconds(self.pressed), Seconds(self.flag));
        write!(
            f,
            "{side} pressed at {pressed}, but the press was read after {side}'s flag at {flag} had \
             been decided; if the press counts, correct {side}'s time"
        )
    }
}

/// An instant in seconds with nine decimals.
struct Seconds(Instant);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        write!(f, "{}.{:09} s", nanos / 1_000_000_000, nanos % 1_000_000_000)
    }
}

/// A change or an answer that the core returns.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// The number of the latest entry whose effects the update includes.
    pub entry: u64,
    /// What happened.
    pub cause: Cause,
    /// When the change happened.
    pub at: Instant,
    /// The clock after the change, and after all changes that were made together with it.
    pub view: View,
    /// The revision of the clock in the state that `view` shows.
    pub revision: u64,
    /// The `id` of the answered request, and the result of its command; `None` if the update
    /// answers no request.
    pub answer: Option<(u64, Result<(), Refusal>)>,
    /// A press that the arbiter must judge. The field stays set until the flag that fell after the
    /// press is annulled or the game is replaced. If that flag is not final, a correction of times
    /// also clears the field.
    pub press_before_flag: Option<PressBeforeFlag>,
    /// The restart that the arbiter must know about. The field stays set until the next command is
    /// carried out or, in unsupervised play, both players have resumed the game with their presses.
    pub restart: Option<Restart>,
    /// The questions that await an answer of the arbiter, and the answers that the rules allow at
    /// the instant of the view. They are not in the view, because each answer is computed by
    /// playing it on a copy of the game.
    pub questions: OpenQuestions,
}

impl Update {
    /// An update without an answer and without open questions. Its other optional fields are
    /// `None`.
    pub fn new(cause: Cause, at: Instant, view: View, revision: u64) -> Update {
        Update {
            entry: 0,
            cause,
            at,
            view,
            revision,
            answer: None,
            press_before_flag: None,
            restart: None,
            questions: OpenQuestions::default(),
        }
    }

    /// Whether the flag of this side in this period is final: the side has no further time. After a
    /// flag that is not final, the side is in a later period.
    pub fn is_final(&self, side: Side, period: u32) -> bool {
        let state = &self.view.sides[side];
        state.out_of_time && state.period == period
    }

    /// Whether the flag of this side in this period is final and fell before the final flag of the
    /// other side.
    pub fn is_first(&self, side: Side, period: u32) -> bool {
        self.is_final(side, period) && self.view.first_flag == Some(side)
    }
}

/// How an event is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publication {
    /// Not at all: a use of the call button that has no effect, and a period that begins with a press,
    /// because the press itself is published.
    Never,
    /// In the update of the command that caused it.
    OfCommand,
    /// In an update of its own.
    Alone,
    /// In an update of its own, with a new revision. Completed moves, gongs and periods of overtime
    /// make none, because they happen regularly in a game. Events that change no clock do not either.
    /// A command, and a press that starts, pauses or resumes the game, also make a new revision, which
    /// the caller counts.
    Revision,
}

/// How an event is published under a time control whose periods end like this.
pub fn publication(kind: GameEventKind, period_end: PeriodEnd) -> Publication {
    use GameEventKind as Of;
    match kind {
        Of::Clock(EventKind::Period { .. })
            if !matches!(period_end, PeriodEnd::Zero | PeriodEnd::MovesAtZero) =>
        {
            Publication::Never
        }
        Of::Clock(EventKind::Call { accepted: false }) => Publication::Never,
        Of::Clock(EventKind::Flag { .. } | EventKind::Period { .. } | EventKind::Call { .. })
        | Of::DefaultDue { .. } => Publication::Revision,
        Of::Clock(
            EventKind::Press { .. } | EventKind::Gong { .. } | EventKind::Overtime { .. },
        )
        | Of::ScoreOff { .. }
        | Of::Hold { .. } => Publication::Alone,
        Of::Called { .. }
        | Of::Claim { .. }
        | Of::Ruling { .. }
        | Of::Penalty(_)
        | Of::IllegalMove { .. }
        | Of::Incident { .. } => Publication::OfCommand,
    }
}

/// The name of a command on the bus. The cause of its update, the log and the record contain the
/// same name. A test of the service compares the names with the methods of the bus.
pub fn name_of_command(command: &GameCommand) -> &'static str {
    match command {
        GameCommand::Clock(command) => name_of_clock_command(command),
        GameCommand::Action(action) => name_of_action(action),
        GameCommand::New(_) | GameCommand::NewExchanged(_) => "new",
        GameCommand::ReplaceResult(_) => "result",
        GameCommand::Agreed(change) => name_of_command(&GameCommand::from(*change)),
        GameCommand::SetRules(_) => "set-rules",
        GameCommand::ChangeTimeControl { .. } => "change-time-control",
        GameCommand::SetButtons(_) => "set-buttons",
        GameCommand::Announce(_) => "announce",
        GameCommand::SetNames => "set-names",
        GameCommand::Rewind(_) => "rewind",
        GameCommand::Import { .. } => "import",
    }
}

fn name_of_clock_command(command: &Command) -> &'static str {
    match command {
        Command::Start => "start",
        Command::Pause { .. } => "pause",
        Command::Resume { .. } => "resume",
        Command::Set(_) => "set",
        Command::Add { .. } => "add",
        Command::UndoPress => "undo-press",
        Command::Finish(_) => "result",
        Command::Reopen => "reopen",
        Command::New { .. } => "new",
    }
}

fn name_of_action(action: &Action) -> &'static str {
    match action {
        Action::ClaimFlag { .. } => "claim-flag",
        Action::ClaimDraw { .. } => "claim-draw",
        Action::RequestIncrement { .. } => "request-increment",
        Action::Rule { .. } => "rule",
        Action::Penalize(_) => "penalize",
        Action::IllegalMove { .. } => "illegal-move",
        Action::Arrive(_) => "arrive",
        Action::RecordConfirmation { .. } => "record-confirmation",
        Action::Refer => "refer",
        Action::RecordAttachment { .. } => "record-attachment",
        Action::SetAssistant { .. } => "set-assistant",
        Action::Incident { .. } => "incident",
        Action::Adjourn { .. } => "adjourn",
        Action::ResumeAdjourned => "resume-adjourned",
        Action::ChangeMethod { .. } => "change-method",
        Action::Result { .. } => "result",
    }
}

/// The largest number of answers to all questions together: 2 to an illegal move, 4 to a claim, 4
/// to a request, 3 to the order of the flags, 6 to the moves made, 3 to a stop, 2 to each late
/// player.
const MAX_ANSWERS: usize = 26;

/// An [`Answer`] in 32 bytes, with the index of its question among the open questions.
#[derive(Clone, Copy, Debug)]
struct Packed {
    question: u8,
    ruling: Ruling,
    side: Option<LatePlayers>,
    phase: Phase,
    outcome: Option<Outcome>,
    /// The award in nanoseconds; -1 without an award. With an `Option`, `Packed` would take more than
    /// 32 bytes.
    award_ns: i64,
    delta_ns: PerSide<i64>,
}

impl Packed {
    fn new(question: u8, answer: &Answer) -> Packed {
        let Answer { ruling, side, award, phase, outcome, delta_ns } = *answer;
        let in_ns = |award: Span| i64::try_from(award.as_nanos()).unwrap_or(i64::MAX);
        Packed {
            question,
            ruling,
            side,
            phase,
            outcome,
            award_ns: award.map_or(-1, in_ns),
            delta_ns,
        }
    }

    fn answer(self) -> Answer {
        let Packed { question: _, ruling, side, phase, outcome, award_ns, delta_ns } = self;
        let award = u64::try_from(award_ns).ok().map(Span::from_nanos);
        Answer { ruling, side, award, phase, outcome, delta_ns }
    }
}

/// The open questions with their answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenQuestions {
    questions: Questions,
    answers: [Option<Packed>; MAX_ANSWERS],
}

impl OpenQuestions {
    /// The open questions of this game at `at`.
    pub fn of(game: &Game, at: Instant) -> OpenQuestions {
        let mut open = OpenQuestions { questions: game.questions(), answers: [None; MAX_ANSWERS] };
        let mut places = open.answers.iter_mut();
        for (number, question) in (0..).zip(open.questions.iter()) {
            let answers = game.answers(&question, at);
            let offered = answers.iter().map(|answer| Packed::new(number, &answer));
            for (place, answer) in places.by_ref().zip(offered) {
                *place = Some(answer);
            }
        }
        open
    }

    /// The questions, the most urgent first. Each comes with its answers.
    pub fn iter(&self) -> impl Iterator<Item = (Question, impl Iterator<Item = Answer>)> {
        (0..).zip(self.questions.iter()).map(|(number, question)| {
            let of_this = move |answer: &Packed| answer.question == number;
            let answers = self.answers.iter().copied().flatten().filter(of_this);
            (question, answers.map(Packed::answer))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_has_at_most_1584_bytes() {
        assert!(size_of::<Update>() <= 1_584, "{}", size_of::<Update>());
    }

    #[test]
    fn a_press_before_a_flag_is_described_with_both_instants_in_200_bytes() {
        let at = Instant::from_nanos;
        let press = |pressed, flag| PressBeforeFlag {
            side: Side::White,
            pressed: at(pressed),
            flag: at(flag),
        };
        let text = press(12_999_999_999, 13_000_000_001).to_string();
        assert!(text.starts_with("White pressed at 12.999999999 s"), "{text}");
        assert!(text.contains("White's flag at 13.000000001 s"), "{text}");
        let longest = press(u64::MAX - 1, u64::MAX).to_string();
        assert!(longest.len() <= 200, "{} bytes: {longest}", longest.len());
    }

    #[test]
    fn an_answer_has_32_bytes() {
        assert_eq!(size_of::<Option<Packed>>(), 32);
    }
}
