//! The state of the clock, and the readings of the clocks of the machine that the service runs on.

use crate::absent::or_null;
use crate::properties::properties;
use crate::{
    ClaimState, Counting, Fault, Method, OvertimeLeft, PausedBy, Phase, Question, Side, Who,
};
use clock_engine::rules::Announcement;
use clock_engine::text::describe_method;
use clock_engine::{Instant, Outcome, SideView, Span, View};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};
use zbus::Type;

properties! {
    /// The clock at one instant: all properties of `org.chessclock.Clock1` except `Version`.
    ///
    /// Times are integer nanoseconds; instants are `CLOCK_MONOTONIC` of the machine the service
    /// runs on ([`Timebase`] relates it to wall time). The default is a state with no time, no
    /// flag, no overtime and nobody on move.
    ///
    /// A row with `from` says how the value follows from the engine's view. The service knows the
    /// other values and sets them.
    State from view: &View {
        /// The number of this state. It is 1 when the service starts, and each published change of
        /// the state has the next number. Two states with the same number are equal. After numbers
        /// were left out, because the service was too slow to send some signals, a Transition with
        /// the cause missed follows with the latest state; it can repeat the number of the
        /// Transition before.
        sequence: u64 = "Sequence",
        /// Counts the changes of the clock that an arbiter must have seen: commands, presses that
        /// start or resume the game, flags, periods that begin because time was used up, pauses at
        /// a set-back or by a fault, calls, a passed default time, restarts, and a press that was
        /// read after the flag of its side (press-before-flag). Completed moves, the slices of a
        /// gong and the periods of an overtime are not counted, so that a command is not refused
        /// because a player moved. A command names the revision that it was given for.
        revision: u64 = "Revision",
        /// The instant at which the times of the state were shown.
        #[serde(rename = "at_ns")]
        at_nsec: u64 = "AtNSec" from view.at.as_nanos(),
        /// Where the game stands:
        ///
        /// - "ready": the clock is set up, and White's clock has not started.
        /// - "running": one clock runs.
        /// - "paused": both clocks stand. `PausedBy` says why.
        /// - "ruling": both clocks stand until the arbiter has decided a question, such as a fallen
        ///   flag.
        /// - "over": a result stands.
        phase: Phase = "Phase" from view.phase,
        /// The side on move: "white" or "black".
        #[serde(with = "or_null")]
        on_move: Who = "OnMove" from view.on_move.into(),
        /// The side whose clock runs: "white" or "black"; "" in every phase except running.
        #[serde(with = "or_null")]
        running: Who = "Running" from view.running().into(),
        /// The side whose final flag fell first: "white" or "black"; "" while no final flag stands.
        #[serde(with = "or_null")]
        first_flag: Who = "FirstFlag" from view.first_flag.into(),
        /// Who called the arbiter and has not been answered yet:
        ///
        /// - "white": White, for whom an arbiter stopped the clocks.
        /// - "black": Black, for whom an arbiter stopped the clocks.
        /// - "button": the call button was pressed, which does not say by whom.
        /// - "": no call is open.
        #[serde(with = "or_null")]
        arbiter_called_by: Who = "ArbiterCalledBy" from view.called_by.into(),
        /// Why both clocks stand, from the instant they stopped until they are resumed:
        ///
        /// - "": the phase is not paused.
        /// - "arbiter": an arbiter stopped the clocks. This is also the value after a final flag
        ///   was annulled, after a set-back was taken back (UndoPress), and after a game was
        ///   reopened whose result had stopped a running clock.
        /// - "white": White called the arbiter.
        /// - "black": Black called the arbiter.
        /// - "button": the call button was pressed.
        /// - "board-gone": the button board was disconnected while a clock ran. This stays the
        ///   value once the board is back.
        /// - "power-cut": the power was cut, or the machine was restarted, while a clock ran.
        /// - "set-back": Black's press completed a period, and both readings are to be noted.
        #[serde(with = "or_null")]
        paused_by: PausedBy = "PausedBy" from view.paused_by.into(),
        /// What an arbiter tells the players during this pause, such as lunch until 14:00; empty if
        /// nothing was announced. It is emptied when a clock runs again, when the game ends, and
        /// when it is adjourned. It stays over a restart of the service and over a power cut.
        #[serde(with = "or_null")]
        announcement: String = "Announcement"
            from text(view.announcement.as_ref().map(Announcement::as_str)),
        /// What is wrong with the clock, the most serious first: for each fault a code and a text
        /// in words, with the remedy, of at most 200 bytes. The list is empty if nothing is wrong.
        /// With the faults of the record the game goes on, and its times are right.
        ///
        /// The players' display shows the first seven, and "press-before-flag", "memory-damaged",
        /// "configuration-refused", "record-mismatch", "record-lost", "storage" and "clock-rate".
        /// A client shows the text of a code that it does not know.
        ///
        /// The codes are:
        faults: Vec<Fault> = "Faults",
        /// The name of the time control in force: that of New, or of the last ChangeTimeControl.
        #[serde(rename = "control")]
        time_control: String = "TimeControl",
        /// The method that has replaced those of the time control for the rest of the game, in
        /// words, such as 30 s a move, 5 s delay a move, or no added time. Empty while those of the
        /// time control hold.
        #[serde(with = "or_null")]
        changed_method: String = "ChangedMethod"
            from view.changed_method.map(describe_method).unwrap_or_default(),
        /// How many periods the time control has; 0 if its last period repeats without end.
        #[serde(with = "or_null")]
        periods: u32 = "Periods" from view.last_period.unwrap_or(0),
        /// How the main numbers change while a clock runs:
        ///
        /// - "down": the running side's number falls.
        /// - "hourglass": the running side's number falls, and the other side's rises by as much.
        /// - "up": the running side's number rises. It is the time used.
        counting: Counting = "Counting" from view.counting,
        /// The number of the board, which is the table, such as 12 or A3; empty if it is not known.
        #[serde(with = "or_null")]
        board: String = "Board",
        /// The round of the event, such as 3; empty if it is not known.
        #[serde(with = "or_null")]
        round: String = "Round",
        /// The name of the event; empty if it is not known.
        #[serde(with = "or_null")]
        event: String = "Event",
        /// When the service starts White's clock, in nanoseconds of CLOCK_REALTIME. -1 if no start
        /// is scheduled, and after the phase ready.
        #[serde(rename = "start_at_realtime_ns")]
        start_at_realtime_nsec: Option<u64> = "StartAtRealtimeNSec" or -1,
        /// A number that changes with the texts of the game: with what GetTimeControl() (except the
        /// changed method) and GetRules() return, and with the names of the players, the event, the
        /// round and the board. It changes with New, Import, ResumeAdjourned for another game,
        /// SetRules, ChangeTimeControl and SetNames, also if the new texts have the same names as
        /// before, and with each start of the service. A program that keeps one of these texts
        /// reads it again when the number differs. Only whether two numbers are equal has a
        /// meaning.
        texts_version: u64 = "TextsVersion",
        /// The number of the game in the record, with which `History.GetGame()` returns it. A new
        /// game has the next number at once, also while nothing can be written, and keeps it if the
        /// service is killed meanwhile. If the record was lost or replaced in the meantime, the
        /// game gets another number there, which is published at once (the cause "game-number"). -1
        /// if no record is kept, and until the record was read for the first time.
        game_number: Option<u64> = "GameNumber" or -1,
        /// The result of the game:
        ///
        /// - "1-0": White won.
        /// - "0-1": Black won.
        /// - "1/2-1/2": drawn.
        /// - "0-0": lost by both.
        /// - "": there is no result.
        #[serde(with = "or_null")]
        result: String = "Result" from text(view.outcome.map(Outcome::as_str)),
        /// The name of the rule profile of the game; empty if it has none.
        #[serde(with = "or_null")]
        rules: String = "Rules",
        /// Whether the buttons are exchanged: White uses the button that is wired as Black's, and
        /// Black the other one. The names of the faults and of `Health:StuckButtons` are those of
        /// the wiring, whether the buttons are exchanged or not.
        buttons_exchanged: bool = "ButtonsExchanged" from view.buttons_exchanged,
        /// The player who has confirmed that a game without an arbiter goes on, while the game is
        /// paused and the other player has not: "white" or "black"; "" otherwise.
        #[serde(with = "or_null")]
        resume_confirmed_by: Who = "ResumeConfirmedBy" from view.resume_confirmed_by().into(),
        /// The side whose draw claim is open: "white" or "black"; "" if none is.
        #[serde(with = "or_null")]
        claim_by: Who = "ClaimBy" from view.claim.map(|claim| claim.by).into(),
        /// The ground of that claim:
        ///
        /// - "cannot-win": the opponent cannot win by normal means.
        /// - "no-effort": the opponent makes no effort to win by normal means.
        /// - "repetition": the same position has come, or comes, for the third time.
        /// - "fifty-moves": each player has made fifty moves without a capture and without moving a
        ///   pawn.
        /// - "": no claim is open.
        #[serde(with = "or_null")]
        claim_ground: String = "ClaimGround"
            from text(view.claim.map(|claim| claim.ground.as_str())),
        /// Whether a draw claim is open:
        ///
        /// - "": no.
        /// - "called": the clocks stand for it, and a ruling is awaited.
        /// - "pending": the game goes on with it. Its ruling is postponed, or it was made without a
        ///   stop of the clocks.
        #[serde(with = "or_null")]
        claim_state: ClaimState = "ClaimState" from view.claim.into(),
        /// While the game is adjourned, the side that has sealed its move: "white" or "black"; ""
        /// if the game is not adjourned.
        #[serde(with = "or_null")]
        adjourned: Who = "Adjourned" from view.adjourned.into(),
        /// What awaits an answer, the most urgent first. The list is empty without a rule profile,
        /// and when the game is over. Each question has:
        ///
        /// - kind: one of the words below.
        /// - side: the side that it is about. It is empty for the order of the flags, and for a
        ///   stop with the call button.
        /// - since_nsec: the instant since which it has been waiting.
        /// - progress: what has been done about it, one of the words below, or an empty text.
        /// - answers: the answers that the profile allows at the instant AtNSec, the usual one
        ///   first. Each has the fields below.
        ///
        /// The kinds are:
        ///
        /// - "illegal-move": the side made an illegal move that loses the game, or draws it if the
        ///   opponent cannot mate.
        /// - "claim": a draw claim.
        /// - "request": a request for an increment, which is a draw offer, too.
        /// - "flag-order": both final flags are down, and it is in doubt which fell first.
        /// - "moves-made": a flag is down in a period with a number of moves. Were they made?
        /// - "flag": the ruling on a flag is awaited: that question is answered, or all remaining
        ///   moves are due.
        /// - "stop": a player has stopped the clocks. Was there a reason?
        /// - "default": a player is later than the default time.
        /// - "postponed-claim": a draw claim whose ruling is postponed.
        ///
        /// The progress is:
        ///
        /// - "white-confirmed", "black-confirmed" or "both-confirmed": who has confirmed that the
        ///   game goes on, or that the order of the flags is unknown.
        /// - "resuming": the call button was pressed while a game without an arbiter was paused.
        ///   The game goes on 3 s after the since_nsec of the question.
        /// - "referred": the claim was sent to the designated arbiter.
        ///
        /// The fields of an answer are:
        ///
        /// - ruling, side, award_nsec: the arguments of `Rule()`, which gives it.
        /// - white_delta_nsec: by how much the number that White shows grows, in nanoseconds;
        ///   negative if it falls. While a clock runs beyond its flag, the growth by the ruling
        ///   that the moves were made falls with the time, and this ruling is refused once the
        ///   growth is 0.
        /// - black_delta_nsec: the same for Black.
        /// - phase: the phase after it.
        /// - result: the result after it, or an empty text.
        questions: Vec<Question> = "Questions",
    }
    /// The values of one side in a [`State`].
    for each side SideState from side: &SideView {
        /// The side's main number, in nanoseconds: the time left; in overtime that of the running
        /// overtime period, with a gong that of the slice. With the Bronstein method it includes
        /// the delay that is left of the turn. If `Counting` is up, it is the time used.
        #[serde(rename = "remaining_ns")]
        remaining_nsec: u64 = "RemainingNSec" from side.remaining.as_nanos(),
        /// How much time the side may use, in nanoseconds, if `Counting` is up and there is a
        /// limit; -1 otherwise. The flag falls when `RemainingNSec` reaches it.
        #[serde(rename = "limit_ns")]
        limit_nsec: Option<u64> = "LimitNSec" or -1 from side.limit.map(Span::as_nanos),
        /// The side's remaining delay, in nanoseconds. If the side is not on move: the delay that
        /// the side's next turn starts with. 0 with the Bronstein method, and for a side that is
        /// out of time.
        #[serde(rename = "delay_ns")]
        delay_nsec: u64 = "DelayNSec" from side.delay.as_nanos(),
        /// What the side's time gains by a move, in the side's present period, after a change by
        /// ChangeMethod that of the change:
        ///
        /// - "increment": a time is added with each completed move.
        /// - "delay": a time passes in each turn before the main number falls.
        /// - "bronstein": the same, shown as one number together with the main time.
        /// - "none": nothing is added. This is the value for overtime, an hourglass, a gong, and a
        ///   time that is counted up, too.
        method: Method = "Method" from side.method.into(),
        /// The increment or the delay of `Method`, in nanoseconds; 0 without one.
        #[serde(rename = "method_ns")]
        method_nsec: u64 = "MethodNSec" from side.method.amount().as_nanos(),
        /// The side's time is low if at most this much is left of it, in nanoseconds: a tenth of
        /// the time that the time control gives for the side's present period, in whole seconds,
        /// but at least 10 s, at most 5 minutes, and never more than half of that time. In overtime
        /// that time is one overtime period, with a gong the slice, and the limit of a time that is
        /// counted up; a period that gives no time counts as the latest one before it that does. 0
        /// if the time is counted up without a limit: it is never low.
        #[serde(rename = "low_ns")]
        low_nsec: u64 = "LowNSec" from side.low.as_nanos(),
        /// How many presses of the side completed a move. There can be fewer presses than moves (FIDE
        /// Laws 2023 6.2.1.2). After a correction by an arbiter it is the number that was set plus
        /// such presses since then.
        moves: u32 = "Moves" from side.moves,
        /// The side's period, from 1.
        period: u32 = "Period" from side.period,
        /// The instant of the side's latest flag, of whichever period; -1 if none has fallen. Annulled
        /// flags do not count.
        #[serde(rename = "flag_ns")]
        flag_nsec: Option<u64> = "FlagNSec" or -1 from side.flag.map(Instant::as_nanos),
        /// Whether the side's flag is final: no further period can come, and the overrun is
        /// counted.
        out_of_time: bool = "OutOfTime" from side.out_of_time,
        /// How long the side's clock has run after the final flag, in nanoseconds.
        #[serde(rename = "overrun_ns")]
        overrun_nsec: u64 = "OverrunNSec" from side.overrun.as_nanos(),
        /// The periods left of the side's overtime, including the running one; 0 after the flag, -1
        /// outside overtime.
        overtime_periods: Option<u32> = "OvertimePeriods" or -1
            from side.overtime.map(|left| left.periods),
        /// How many moves the side still has to make in the running period of overtime, which then
        /// starts again with its full time; -1 outside overtime.
        overtime_moves: Option<u32> = "OvertimeMoves" or -1
            from side.overtime.map(|left| left.moves),
        /// The time, in nanoseconds, that the side used of a set-back before UndoPress took the
        /// set-back back; 0 if none. (At a set-back, Black's press completes a period, and both sides
        /// get the time of the next one.) It is subtracted from the side's next set-back: main time from
        /// its main time, overtime from its overtime. A correction of the side's time settles it.
        #[serde(rename = "owed_ns")]
        owed_nsec: u64 = "OwedNSec" from side.owed.as_nanos(),
        /// How many illegal moves of the side were taken back.
        illegal_moves: u32 = "IllegalMoves" from side.notes.illegal_moves,
        /// How many warnings the side was given as a penalty.
        warnings: u32 = "Warnings" from side.notes.warnings,
        /// Whether a penalty of the side is due before the game goes on: after an incident, or
        /// after a stop that was obviously invalid. If the call button was used for it, it is
        /// unknown by whom: this is then true for both sides, until one of them is penalised.
        penalty_due: bool = "PenaltyDue" from side.notes.penalty_due,
        /// How many half points penalties have taken off the side. They are no part of `Result`.
        half_points_off: u32 = "HalfPointsOff" from side.notes.half_points_off,
        /// How many half points penalties of the opponent have given the side. They are no part of
        /// `Result`.
        half_points_given: u32 = "HalfPointsGiven" from side.notes.half_points_given,
        /// How late the side arrived or, if `Absent` is true, is at `AtNSec`, in nanoseconds from
        /// the start from which the rules count lateness: that of the session or that of the game.
        /// 0 if the side is not later than the default time.
        #[serde(rename = "late_ns")]
        late_nsec: u64 = "LateNSec" from side.lateness.map_or(0, |late| late.by.as_nanos()),
        /// Whether the side is later than the default time and has not arrived, so that `LateNSec`
        /// grows. It is false when the game is over or adjourned.
        absent: bool = "Absent" from side.lateness.is_some_and(|late| late.is_absent),
        /// The name of the side's player; empty if it is not known.
        player: String = "Player",
    }
}

/// The keys of a state in JSON whose values are instants. The other ones that end in `_ns` are spans.
pub const INSTANTS: [&str; 4] = ["at_ns", "flag_ns", "since_ns", "start_at_realtime_ns"];

/// The text, or the empty string.
fn text(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

/// The properties in which a state differs from an earlier one, by their D-Bus names. Serializing
/// writes the values directly into the message, without a copy.
#[derive(Clone, Copy, Debug, Type)]
#[zbus(signature = "a{sv}")]
pub struct Changes<'a> {
    state: &'a State,
    before: &'a State,
}

impl Changes<'_> {
    /// Whether no property differs.
    pub fn is_empty(&self) -> bool {
        self.state == self.before
    }
}

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.state.write(Some(self.before), &mut map)?;
        map.end()
    }
}

impl State {
    /// The properties that differ from `before`: the dictionary of one `PropertiesChanged`.
    pub fn changed_since<'a>(&'a self, before: &'a State) -> Changes<'a> {
        Changes { state: self, before }
    }

    /// The values of one side.
    pub fn side(&self, side: Side) -> &SideState {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    fn side_mut(&mut self, side: Side) -> &mut SideState {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// The state as the clock shows it at `now_nsec` (`CLOCK_MONOTONIC` of the machine that the
    /// service runs on).
    ///
    /// If `now_nsec` is before `at_nsec`, the state is returned unchanged. Otherwise `at_nsec`
    /// becomes `now_nsec`. If a clock runs, the numbers of its side change and, with an hourglass,
    /// the main number of the other side. The lateness of an absent player grows. A side whose time
    /// is used up shows 0, or its limit if the time is counted up, until the service signals what
    /// followed: a flag, a gong, overtime or the next period. The answers are those that the rules
    /// allow at `now_nsec`.
    #[must_use]
    pub fn at(&self, now_nsec: u64) -> State {
        let mut state = self.clone();
        let elapsed = now_nsec.saturating_sub(self.at_nsec);
        state.at_nsec = self.at_nsec.max(now_nsec);
        for side in [&mut state.white, &mut state.black] {
            let later = if side.absent { elapsed } else { 0 };
            side.late_nsec = side.late_nsec.saturating_add(later);
        }
        if let Some(side) = self.running.side() {
            state.run(side, elapsed);
        }
        state
    }

    /// Changes the numbers as if the clock of this side had run for `elapsed` nanoseconds.
    fn run(&mut self, side: Side, elapsed: u64) {
        let counting = self.counting;
        let running = self.side_mut(side);
        if running.out_of_time {
            running.overrun_nsec = running.overrun_nsec.saturating_add(elapsed);
            let questions = self.questions.iter_mut();
            return questions.for_each(|question| question.charge_overrun(side, elapsed));
        }
        let of_main = elapsed.saturating_sub(running.delay_nsec);
        running.delay_nsec = running.delay_nsec.saturating_sub(elapsed);
        if counting == Counting::Up {
            let used = running.remaining_nsec.saturating_add(of_main);
            running.remaining_nsec = used.min(running.limit_nsec.unwrap_or(u64::MAX));
            return;
        }
        let used = of_main.min(running.remaining_nsec);
        running.remaining_nsec -= used;
        if counting == Counting::Hourglass {
            let other = self.side_mut(side.other());
            other.remaining_nsec = other.remaining_nsec.saturating_add(used);
        }
    }
}

impl SideState {
    /// What is left of the side's overtime; `None` outside overtime.
    pub fn overtime(&self) -> Option<OvertimeLeft> {
        Some(OvertimeLeft { periods: self.overtime_periods?, moves: self.overtime_moves? })
    }
}

/// Readings of the clocks of the machine that the service runs on, all taken together. A client on
/// another machine needs them to compute what the chess clock shows now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct Timebase {
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    pub monotonic_nsec: u64,
    /// `CLOCK_REALTIME`, in nanoseconds since 1970: for people only. 0 while the machine does not
    /// know the wall time.
    pub realtime_nsec: u64,
    /// The kernel's boot id: instants of different boots cannot be compared.
    pub boot_id: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ruling;

    const SECOND: u64 = 1_000_000_000;

    /// White's clock has run since the instant 5 s. White's main number was then 10 s, and Black's
    /// was 20 s.
    fn white_runs(counting: Counting) -> State {
        State {
            at_nsec: 5 * SECOND,
            phase: Phase::Running,
            running: Who::White,
            counting,
            white: SideState { remaining_nsec: 10 * SECOND, ..SideState::default() },
            black: SideState { remaining_nsec: 20 * SECOND, ..SideState::default() },
            ..State::default()
        }
    }

    fn numbers(state: &State) -> [u64; 3] {
        [state.white.remaining_nsec, state.black.remaining_nsec, state.white.overrun_nsec]
    }

    #[test]
    fn the_overrun_is_charged_to_the_time_that_made_gives() {
        let answer = |ruling, white_delta_nsec| crate::Answer {
            ruling: Some(ruling),
            side: None,
            award_nsec: None,
            white_delta_nsec,
            black_delta_nsec: 0,
            phase: Phase::Paused,
            result: String::new(),
        };
        let question = Question {
            kind: Some(crate::QuestionKind::MovesMade),
            side: Who::White,
            since_nsec: 5 * SECOND,
            progress: crate::QuestionProgress::Nothing,
            answers: vec![answer(Ruling::Made, 30_000_000_000), answer(Ruling::Drawn, 0)],
        };
        let state = State {
            white: SideState {
                remaining_nsec: 0,
                out_of_time: true,
                ..white_runs(Counting::Down).white
            },
            questions: vec![question],
            ..white_runs(Counting::Down)
        };
        let answers = |state: &State| -> Vec<(Ruling, i64)> {
            let answers = state.questions[0].answers.iter();
            answers.map(|answer| (answer.ruling.unwrap(), answer.white_delta_nsec)).collect()
        };
        let drawn = (Ruling::Drawn, 0);
        let made = |delta| (Ruling::Made, delta);
        assert_eq!(answers(&state.at(14 * SECOND)), [made(21_000_000_000), drawn]);
        assert_eq!(answers(&state.at(35 * SECOND - 1)), [made(1), drawn]);
        assert_eq!(answers(&state.at(35 * SECOND)), vec![drawn]);
        for standing in [
            State { running: Who::Nobody, ..state.clone() },
            State { running: Who::Black, ..state.clone() },
            State { white: SideState { out_of_time: false, ..state.white }, ..state },
        ] {
            assert_eq!(answers(&standing.at(99 * SECOND)), [made(30_000_000_000), drawn]);
        }
    }

    #[test]
    fn numbers_change_as_the_counting_says() {
        for (counting, elapsed, shown) in [
            (Counting::Down, 3, [7, 20, 0]),
            (Counting::Down, 99, [0, 20, 0]),
            (Counting::Hourglass, 3, [7, 23, 0]),
            // With an hourglass the other side gets no more time than the running side had.
            (Counting::Hourglass, 99, [0, 30, 0]),
            (Counting::Up, 3, [13, 20, 0]),
            (Counting::Up, 99, [109, 20, 0]),
        ] {
            let state = white_runs(counting).at((5 + elapsed) * SECOND);
            assert_eq!(numbers(&state), shown.map(|secs| secs * SECOND), "{counting:?}");
            let standing = State { running: Who::Nobody, ..white_runs(counting) };
            assert_eq!(numbers(&standing.at(99 * SECOND)), [10 * SECOND, 20 * SECOND, 0]);
        }
        let limited = State {
            white: SideState { limit_nsec: Some(12_000_000_000), ..white_runs(Counting::Up).white },
            ..white_runs(Counting::Up)
        };
        for (elapsed, shown) in [(1, 11), (2, 12), (99, 12)] {
            let state = limited.at((5 + elapsed) * SECOND);
            assert_eq!(numbers(&state), [shown * SECOND, 20 * SECOND, 0]);
        }
        let mut black = white_runs(Counting::Hourglass);
        black.running = Who::Black;
        assert_eq!(numbers(&black.at(9 * SECOND)), [14 * SECOND, 16 * SECOND, 0]);
    }

    #[test]
    fn a_final_flag_alone_makes_the_overrun_run() {
        for counting in [Counting::Down, Counting::Hourglass, Counting::Up] {
            let mut state = white_runs(counting);
            state.white.remaining_nsec = 0;
            state.white.flag_nsec = Some(1);
            state.white.out_of_time = true;
            assert_eq!(numbers(&state.at(8 * SECOND)), [0, 20 * SECOND, 3 * SECOND]);
        }
        // The flag fell in an earlier period, so the time of the present period falls.
        let mut state = white_runs(Counting::Down);
        state.white.flag_nsec = Some(1);
        assert_eq!(numbers(&state.at(8 * SECOND)), [7 * SECOND, 20 * SECOND, 0]);
    }

    #[test]
    fn nothing_is_no_flag_and_no_overtime() {
        let nothing = SideState::default();
        assert_eq!((nothing.flag_nsec, nothing.overtime()), (None, None));
        let state = State {
            black: SideState {
                overtime_periods: Some(0),
                overtime_moves: Some(1),
                ..SideState::default()
            },
            ..State::default()
        };
        let left = Some(OvertimeLeft { periods: 0, moves: 1 });
        assert_eq!(state.side(Side::Black).overtime(), left);
        assert_eq!(state.side(Side::White).overtime(), None);
    }
}
