//! The state of the clock, and the readings of the clocks of the machine that the service runs on.

use crate::or_null;
use crate::properties::properties;
use crate::{
    ClaimState, Counting, Fault, Method, OvertimeLeft, PausedBy, Phase, Question, Side, Who,
};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};
use zbus::Type;

properties! {
    /// The clock at one instant: all properties of `org.chessclock.Clock1` except `Version`.
    ///
    /// Times are integer nanoseconds; instants are `CLOCK_MONOTONIC` of the machine the service
    /// runs on ([`Timebase`] relates it to wall time). The default is a state with no time, no
    /// flag, no overtime and nobody on move.
    State {
        /// The number of this state, from 1. Every published change of the state has the next
        /// number; only a state that is not from a service has 0. Two states of one run of the
        /// service with the same number are equal.
        sequence: u64 = "Sequence",
        /// Counts the changes that an arbiter must have seen: commands, presses that start or
        /// resume the game, flags, periods that begin because time was used up, pauses at a
        /// set-back or by a fault, calls, a passed default time, restarts, and a press that was
        /// read after the flag of its side. Other presses, the slices of a gong and the periods of
        /// an overtime are not counted. A command names the revision that it was given for.
        revision: u64 = "Revision",
        /// The instant at which the clock showed the times of this state.
        #[serde(rename = "at_ns")]
        at_nsec: u64 = "AtNSec",
        /// The phase of the game.
        phase: Phase = "Phase",
        /// The side on move.
        #[serde(with = "or_null")]
        on_move: Who = "OnMove",
        /// The side whose clock runs; nobody if no clock runs.
        #[serde(with = "or_null")]
        running: Who = "Running",
        /// The side whose final flag fell first; nobody if neither side's final flag has fallen.
        #[serde(with = "or_null")]
        first_flag: Who = "FirstFlag",
        /// Who called the arbiter and has not been answered yet; nobody if no call is open.
        #[serde(with = "or_null")]
        arbiter_called_by: Who = "ArbiterCalledBy",
        /// Why both clocks stand while the phase is paused; `Nothing` in the other phases.
        #[serde(with = "or_null")]
        paused_by: PausedBy = "PausedBy",
        /// What the arbiter tells the players during this pause, or empty.
        #[serde(with = "or_null")]
        announcement: String = "Announcement",
        /// What is wrong with the clock, the most serious first.
        faults: Vec<Fault> = "Faults",
        /// The name of the time control.
        #[serde(rename = "control")]
        time_control: String = "TimeControl",
        /// The method that has replaced the methods of the time control, in words; empty if none
        /// has.
        #[serde(with = "or_null")]
        changed_method: String = "ChangedMethod",
        /// How many periods the time control has; 0 if its last period repeats without end.
        #[serde(with = "or_null")]
        periods: u32 = "Periods",
        /// How the main numbers change while a clock runs.
        counting: Counting = "Counting",
        /// The number of the board (the table), such as `12` or `A3`, or empty.
        #[serde(with = "or_null")]
        board: String = "Board",
        /// The round of the event, such as `3`, or empty.
        #[serde(with = "or_null")]
        round: String = "Round",
        /// The name of the event, or empty.
        #[serde(with = "or_null")]
        event: String = "Event",
        /// When the service starts White's clock, in nanoseconds of `CLOCK_REALTIME`; `None` if no
        /// start is scheduled, or if the game is not in the phase `ready` any more.
        #[serde(rename = "start_at_realtime_ns")]
        start_at_realtime_nsec: Option<u64> = "StartAtRealtimeNSec" or -1,
        /// Changes with the texts of the game: what `GetTimeControl` (except the changed method) and
        /// `GetRules` return, and the names. Only whether two numbers are equal has a meaning. A
        /// restart of the service changes it, too.
        texts_version: u64 = "TextsVersion",
        /// The number of the game in the record; `None` if no record is kept, and until the record
        /// has been read for the first time.
        game_number: Option<u64> = "GameNumber" or -1,
        /// The result: `1-0`, `0-1`, `1/2-1/2`, `0-0`, or empty while there is none.
        #[serde(with = "or_null")]
        result: String = "Result",
        /// The name of the rule profile of the game, or empty.
        #[serde(with = "or_null")]
        rules: String = "Rules",
        /// Whether White uses the button that is wired as Black's.
        buttons_exchanged: bool = "ButtonsExchanged",
        /// The player who has confirmed that a game without an arbiter goes on, while the game is
        /// paused and the other player has not; nobody otherwise.
        #[serde(with = "or_null")]
        resume_confirmed_by: Who = "ResumeConfirmedBy",
        /// The side whose draw claim is open; nobody if none is.
        #[serde(with = "or_null")]
        claim_by: Who = "ClaimBy",
        /// The ground of the open draw claim, or empty.
        #[serde(with = "or_null")]
        claim_ground: String = "ClaimGround",
        /// Whether a draw claim is open, and whether the clocks stand for it or the game goes on.
        #[serde(with = "or_null")]
        claim_state: ClaimState = "ClaimState",
        /// The side that sealed its move before the present adjournment; nobody if the game is not
        /// adjourned.
        #[serde(with = "or_null")]
        adjourned: Who = "Adjourned",
        /// The open questions, the most urgent first, with the answers that the rules allow at
        /// `at_nsec`.
        questions: Vec<Question> = "Questions",
    }
    /// The values of one side in a [`State`].
    for each side SideState {
        /// The main number, in nanoseconds: the time left or, if the time is counted up, the time
        /// used. With Bronstein it includes the remaining delay.
        #[serde(rename = "remaining_ns")]
        remaining_nsec: u64 = "RemainingNSec",
        /// The limit of the side's time, in nanoseconds, if its time is counted up and has a limit;
        /// otherwise `None`.
        #[serde(rename = "limit_ns")]
        limit_nsec: Option<u64> = "LimitNSec" or -1,
        /// The remaining delay or, if the side is not on move, the delay with which its next turn
        /// starts, in nanoseconds. With Bronstein it is 0.
        #[serde(rename = "delay_ns")]
        delay_nsec: u64 = "DelayNSec",
        /// The method of the side in its present period.
        method: Method = "Method",
        /// The increment or the delay of the method, in nanoseconds; 0 without a method.
        #[serde(rename = "method_ns")]
        method_nsec: u64 = "MethodNSec",
        /// The time left at and below which the side's time is low, in nanoseconds; 0 if it never
        /// is.
        #[serde(rename = "low_ns")]
        low_nsec: u64 = "LowNSec",
        /// The press counter: how many presses completed a move (FIDE Laws 2023 6.2.1.2: there can
        /// be fewer presses than moves). If the arbiter has set it, it is the number that was set
        /// plus such presses since then.
        moves: u32 = "Moves",
        /// The period, from 1.
        period: u32 = "Period",
        /// The instant of the latest flag, in whichever period, in nanoseconds of `CLOCK_MONOTONIC`
        /// of the machine that the service runs on; `None` if none has fallen. Annulled flags do
        /// not count.
        #[serde(rename = "flag_ns")]
        flag_nsec: Option<u64> = "FlagNSec" or -1,
        /// Whether the flag at `flag_nsec` is final: no further period can come for this side.
        out_of_time: bool = "OutOfTime",
        /// How long the side's clock has run after the final flag, in nanoseconds.
        #[serde(rename = "overrun_ns")]
        overrun_nsec: u64 = "OverrunNSec",
        /// The periods left of the side's overtime, including the running one; 0 after the final
        /// flag, `None` outside overtime. In overtime `remaining_nsec` is the time of the running
        /// overtime period.
        overtime_periods: Option<u32> = "OvertimePeriods" or -1,
        /// How many moves the side still has to make in the running period of overtime; `None`
        /// outside overtime.
        overtime_moves: Option<u32> = "OvertimeMoves" or -1,
        /// How much of the time of a set-back the side had used when `UndoPress` took the set-back
        /// back, in nanoseconds. (At a set-back, Black's press completes a period, and both sides
        /// get the time of the next one.) This amount is subtracted from the side's next set-back.
        #[serde(rename = "owed_ns")]
        owed_nsec: u64 = "OwedNSec",
        /// How many illegal moves of the player were taken back.
        illegal_moves: u32 = "IllegalMoves",
        /// How many warnings the player was given as a penalty.
        warnings: u32 = "Warnings",
        /// Whether a penalty for the player is due before the game goes on. If it is unknown which
        /// player stopped the clocks without a reason, this is `true` for both sides until one of
        /// them is penalized.
        penalty_due: bool = "PenaltyDue",
        /// The half points that the player has lost by penalties. The result does not include them.
        half_points_off: u32 = "HalfPointsOff",
        /// The half points that the player has got by penalties of the opponent. The result does not
        /// include them.
        half_points_given: u32 = "HalfPointsGiven",
        /// How late the player is, in nanoseconds: the time from the start from which the rules
        /// count lateness until the player arrived or, while `absent` is set, until the instant of
        /// the state. 0 if the player is not later than the default time.
        #[serde(rename = "late_ns")]
        late_nsec: u64 = "LateNSec",
        /// Whether the player has not arrived, and the default time has passed. `late_nsec` grows
        /// then.
        absent: bool = "Absent",
        /// The name of the player, or empty.
        player: String = "Player",
    }
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
            ruling,
            side: None,
            award_nsec: None,
            white_delta_nsec,
            black_delta_nsec: 0,
            phase: Phase::Paused,
            result: String::new(),
        };
        let question = Question {
            kind: crate::QuestionKind::MovesMade,
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
            answers.map(|answer| (answer.ruling, answer.white_delta_nsec)).collect()
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
