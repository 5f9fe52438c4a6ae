//! The state of the clock, and the readings of the clocks of the machine that the service runs on.

use crate::properties::properties;
use crate::{
    ClaimState, Counting, Fault, Method, OvertimeLeft, PausedBy, Phase, Question, Side, Who,
};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};
use zbus::Type;

/// The values of one side in a [`State`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideState {
    /// The main number, in nanoseconds: the time left or, if the time is counted up, the time used.
    /// With Bronstein it includes the remaining delay.
    pub remaining_nsec: u64,
    /// The limit of the side's time, in nanoseconds, if its time is counted up and has a limit;
    /// otherwise `None`.
    pub limit_nsec: Option<u64>,
    /// The remaining delay or, if the side is not on move, the delay with which its next turn
    /// starts, in nanoseconds. With Bronstein it is 0.
    pub delay_nsec: u64,
    /// The method of the side in its present period.
    pub method: Method,
    /// The increment or the delay of the method, in nanoseconds; 0 without a method.
    pub method_nsec: u64,
    /// The time left at and below which the side's time is low, in nanoseconds; 0 if it never is.
    pub low_nsec: u64,
    /// The press counter: how many presses completed a move (FIDE Laws 2023 6.2.1.2: there can be fewer
    /// presses than moves). If the arbiter has set it, it is the number that was set plus such
    /// presses since then.
    pub moves: u32,
    /// The period, from 1.
    pub period: u32,
    /// The instant of the latest flag, in whichever period, in nanoseconds of `CLOCK_MONOTONIC` of
    /// the machine that the service runs on; `None` if none has fallen. Annulled flags do not
    /// count.
    pub flag_nsec: Option<u64>,
    /// Whether the flag at `flag_nsec` is final: no further period can come for this side.
    pub out_of_time: bool,
    /// How long the side's clock has run after the final flag, in nanoseconds.
    pub overrun_nsec: u64,
    /// What is left of the side's overtime; `None` outside overtime. In overtime `remaining_nsec`
    /// is the time of the running overtime period.
    pub overtime: Option<OvertimeLeft>,
    /// How much of the time of a set-back the side had used when `UndoPress` took the set-back
    /// back, in nanoseconds. (At a set-back, Black's press completes a period, and both sides get
    /// the time of the next one.) This amount is subtracted from the side's next set-back.
    pub owed_nsec: u64,
    /// How many illegal moves of the player were taken back.
    pub illegal_moves: u32,
    /// How many warnings the player was given as a penalty.
    pub warnings: u32,
    /// Whether a penalty for the player is due before the game goes on.
    pub penalty_due: bool,
    /// The half points that the player has lost by penalties. The result does not include them.
    pub half_points_off: u32,
    /// The half points that the player has got by penalties of the opponent. The result does not
    /// include them.
    pub half_points_given: u32,
    /// How late the player is, in nanoseconds: the time from the start from which the rules count
    /// lateness until the player arrived or, while `absent` is set, until the instant of the state.
    /// 0 if the player is not later than the default time.
    pub late_nsec: u64,
    /// Whether the player has not arrived, and the default time has passed. `late_nsec` grows then.
    pub absent: bool,
}

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
        at_nsec: u64 = "AtNSec",
        /// The phase of the game.
        phase: Phase = "Phase",
        /// The side on move.
        on_move: Who = "OnMove",
        /// The side whose clock runs; nobody if no clock runs.
        running: Who = "Running",
        /// The side whose final flag fell first; nobody if neither side's final flag has fallen.
        first_flag: Who = "FirstFlag",
        /// Who called the arbiter and has not been answered yet; nobody if no call is open.
        arbiter_called_by: Who = "ArbiterCalledBy",
        /// Why both clocks stand while the phase is paused; `Nothing` in the other phases.
        paused_by: PausedBy = "PausedBy",
        /// What the arbiter tells the players during this pause, or empty.
        announcement: String = "Announcement",
        /// What is wrong with the clock, the most serious first.
        faults: Vec<Fault> = "Faults",
        /// The name of the time control.
        time_control: String = "TimeControl",
        /// The method that has replaced the methods of the time control, in words; empty if none
        /// has.
        changed_method: String = "ChangedMethod",
        /// How many periods the time control has; 0 if its last period repeats without end.
        periods: u32 = "Periods",
        /// How the main numbers change while a clock runs.
        counting: Counting = "Counting",
        /// White's main number, in nanoseconds: the time left or, if the time is counted up, the
        /// time used. With Bronstein it includes the remaining delay.
        white_remaining_nsec: u64 = "WhiteRemainingNSec",
        /// The limit of White's time, if it is counted up and has a limit; otherwise `None`.
        white_limit_nsec: Option<u64> = "WhiteLimitNSec" or -1,
        /// White's remaining delay or, if White is not on move, the delay with which White's next
        /// turn starts. With Bronstein it is 0.
        white_delay_nsec: u64 = "WhiteDelayNSec",
        /// The method of White in White's present period.
        white_method: Method = "WhiteMethod",
        /// The increment or the delay of `white_method`; 0 without one.
        white_method_nsec: u64 = "WhiteMethodNSec",
        /// The time left at and below which White's time is low; 0 if it never is.
        white_low_nsec: u64 = "WhiteLowNSec",
        /// White's press counter (see [`SideState::moves`]).
        white_moves: u32 = "WhiteMoves",
        /// White's period, from 1.
        white_period: u32 = "WhitePeriod",
        /// The instant of White's latest flag, of whichever period; `None` if none has fallen.
        white_flag_nsec: Option<u64> = "WhiteFlagNSec" or -1,
        /// Whether White's flag is final: no further period can come, and the overrun is counted.
        white_out_of_time: bool = "WhiteOutOfTime",
        /// How long White's clock has run after the final flag.
        white_overrun_nsec: u64 = "WhiteOverrunNSec",
        /// The periods left of White's overtime, including the running one; 0 after the final flag,
        /// `None` outside overtime.
        white_overtime_periods: Option<u32> = "WhiteOvertimePeriods" or -1,
        /// How many moves White still has to make in the running period of overtime; `None` outside
        /// overtime.
        white_overtime_moves: Option<u32> = "WhiteOvertimeMoves" or -1,
        /// How much time of a set-back White had used when `UndoPress` took the set-back back; 0 if
        /// none. [`SideState::owed_nsec`] says what a set-back is. This amount is subtracted from
        /// White's next set-back.
        white_owed_nsec: u64 = "WhiteOwedNSec",
        /// How many illegal moves of White were taken back.
        white_illegal_moves: u32 = "WhiteIllegalMoves",
        /// How many warnings White was given as a penalty.
        white_warnings: u32 = "WhiteWarnings",
        /// Whether a penalty for White is due before the game goes on. If it is unknown which
        /// player stopped the clocks without a reason, this is `true` for both sides until one of
        /// them is penalized.
        white_penalty_due: bool = "WhitePenaltyDue",
        /// The half points that White has lost by penalties.
        white_half_points_off: u32 = "WhiteHalfPointsOff",
        /// The half points that White has got by penalties of Black.
        white_half_points_given: u32 = "WhiteHalfPointsGiven",
        /// How late White is: the time from the start from which the rules count lateness until White
        /// arrived or, while White is absent, until the instant of the state. 0 if White is not
        /// later than the default time.
        white_late_nsec: u64 = "WhiteLateNSec",
        /// Whether White has not arrived, and the default time has passed.
        white_absent: bool = "WhiteAbsent",
        /// Black's main number, in nanoseconds: the time left or, if the time is counted up, the
        /// time used. With Bronstein it includes the remaining delay.
        black_remaining_nsec: u64 = "BlackRemainingNSec",
        /// The limit of Black's time, if it is counted up and has a limit; otherwise `None`.
        black_limit_nsec: Option<u64> = "BlackLimitNSec" or -1,
        /// Black's remaining delay or, if Black is not on move, the delay with which Black's next
        /// turn starts. With Bronstein it is 0.
        black_delay_nsec: u64 = "BlackDelayNSec",
        /// The method of Black in Black's present period.
        black_method: Method = "BlackMethod",
        /// The increment or the delay of `black_method`; 0 without one.
        black_method_nsec: u64 = "BlackMethodNSec",
        /// The time left at and below which Black's time is low; 0 if it never is.
        black_low_nsec: u64 = "BlackLowNSec",
        /// Black's press counter (see [`SideState::moves`]).
        black_moves: u32 = "BlackMoves",
        /// Black's period, from 1.
        black_period: u32 = "BlackPeriod",
        /// The instant of Black's latest flag, of whichever period; `None` if none has fallen.
        black_flag_nsec: Option<u64> = "BlackFlagNSec" or -1,
        /// Whether Black's flag is final: no further period can come, and the overrun is counted.
        black_out_of_time: bool = "BlackOutOfTime",
        /// How long Black's clock has run after the final flag.
        black_overrun_nsec: u64 = "BlackOverrunNSec",
        /// The periods left of Black's overtime, including the running one; 0 after the final flag,
        /// `None` outside overtime.
        black_overtime_periods: Option<u32> = "BlackOvertimePeriods" or -1,
        /// How many moves Black still has to make in the running period of overtime; `None` outside
        /// overtime.
        black_overtime_moves: Option<u32> = "BlackOvertimeMoves" or -1,
        /// How much time of a set-back Black had used when `UndoPress` took the set-back back; 0 if
        /// none. [`SideState::owed_nsec`] says what a set-back is. This amount is subtracted from
        /// Black's next set-back.
        black_owed_nsec: u64 = "BlackOwedNSec",
        /// How many illegal moves of Black were taken back.
        black_illegal_moves: u32 = "BlackIllegalMoves",
        /// How many warnings Black was given as a penalty.
        black_warnings: u32 = "BlackWarnings",
        /// Whether a penalty for Black is due before the game goes on. If it is unknown which
        /// player stopped the clocks without a reason, this is `true` for both sides until one of
        /// them is penalized.
        black_penalty_due: bool = "BlackPenaltyDue",
        /// The half points that Black has lost by penalties.
        black_half_points_off: u32 = "BlackHalfPointsOff",
        /// The half points that Black has got by penalties of White.
        black_half_points_given: u32 = "BlackHalfPointsGiven",
        /// How late Black is: the time from the start from which the rules count lateness until Black
        /// arrived or, while Black is absent, until the instant of the state. 0 if Black is not
        /// later than the default time.
        black_late_nsec: u64 = "BlackLateNSec",
        /// Whether Black has not arrived, and the default time has passed.
        black_absent: bool = "BlackAbsent",
        /// The name of the player of the white pieces, or empty.
        white_player: String = "WhitePlayer",
        /// The name of the player of the black pieces, or empty.
        black_player: String = "BlackPlayer",
        /// The number of the board (the table), such as `12` or `A3`, or empty.
        board: String = "Board",
        /// The round of the event, such as `3`, or empty.
        round: String = "Round",
        /// The name of the event, or empty.
        event: String = "Event",
        /// When the service starts White's clock, in nanoseconds of `CLOCK_REALTIME`; `None` if no
        /// start is scheduled, or if the game is not in the phase `ready` any more.
        start_at_realtime_nsec: Option<u64> = "StartAtRealtimeNSec" or -1,
        /// Changes with the texts of the game: what `GetTimeControl` (except the changed method) and
        /// `GetRules` return, and the names. Only whether two numbers are equal has a meaning. A
        /// restart of the service changes it, too.
        texts_version: u64 = "TextsVersion",
        /// The number of the game in the record; `None` if no record is kept, and until the record
        /// has been read for the first time.
        game_number: Option<u64> = "GameNumber" or -1,
        /// The result: `1-0`, `0-1`, `1/2-1/2`, `0-0`, or empty while there is none.
        result: String = "Result",
        /// The name of the rule profile of the game, or empty.
        rules: String = "Rules",
        /// Whether White uses the button that is wired as Black's.
        buttons_exchanged: bool = "ButtonsExchanged",
        /// The player who has confirmed that a game without an arbiter goes on, while the game is
        /// paused and the other player has not; nobody otherwise.
        resume_confirmed_by: Who = "ResumeConfirmedBy",
        /// The side whose draw claim is open; nobody if none is.
        claim_by: Who = "ClaimBy",
        /// The ground of the open draw claim, or empty.
        claim_ground: String = "ClaimGround",
        /// Whether a draw claim is open, and whether the clocks stand for it or the game goes on.
        claim_state: ClaimState = "ClaimState",
        /// The side that sealed its move before the present adjournment; nobody if the game is not
        /// adjourned.
        adjourned: Who = "Adjourned",
        /// The open questions, the most urgent first, with the answers that the rules allow at
        /// `at_nsec`.
        questions: Vec<Question> = "Questions",
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
    pub fn side(&self, side: Side) -> SideState {
        match side {
            Side::White => SideState {
                remaining_nsec: self.white_remaining_nsec,
                limit_nsec: self.white_limit_nsec,
                delay_nsec: self.white_delay_nsec,
                method: self.white_method,
                method_nsec: self.white_method_nsec,
                low_nsec: self.white_low_nsec,
                moves: self.white_moves,
                period: self.white_period,
                flag_nsec: self.white_flag_nsec,
                out_of_time: self.white_out_of_time,
                overrun_nsec: self.white_overrun_nsec,
                overtime: overtime(self.white_overtime_periods, self.white_overtime_moves),
                owed_nsec: self.white_owed_nsec,
                illegal_moves: self.white_illegal_moves,
                warnings: self.white_warnings,
                penalty_due: self.white_penalty_due,
                half_points_off: self.white_half_points_off,
                half_points_given: self.white_half_points_given,
                late_nsec: self.white_late_nsec,
                absent: self.white_absent,
            },
            Side::Black => SideState {
                remaining_nsec: self.black_remaining_nsec,
                limit_nsec: self.black_limit_nsec,
                delay_nsec: self.black_delay_nsec,
                method: self.black_method,
                method_nsec: self.black_method_nsec,
                low_nsec: self.black_low_nsec,
                moves: self.black_moves,
                period: self.black_period,
                flag_nsec: self.black_flag_nsec,
                out_of_time: self.black_out_of_time,
                overrun_nsec: self.black_overrun_nsec,
                overtime: overtime(self.black_overtime_periods, self.black_overtime_moves),
                owed_nsec: self.black_owed_nsec,
                illegal_moves: self.black_illegal_moves,
                warnings: self.black_warnings,
                penalty_due: self.black_penalty_due,
                half_points_off: self.black_half_points_off,
                half_points_given: self.black_half_points_given,
                late_nsec: self.black_late_nsec,
                absent: self.black_absent,
            },
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
        let white = Running {
            remaining: &mut state.white_remaining_nsec,
            limit: self.white_limit_nsec,
            delay: &mut state.white_delay_nsec,
            overrun: &mut state.white_overrun_nsec,
            out_of_time: self.white_out_of_time,
        };
        let black = Running {
            remaining: &mut state.black_remaining_nsec,
            limit: self.black_limit_nsec,
            delay: &mut state.black_delay_nsec,
            overrun: &mut state.black_overrun_nsec,
            out_of_time: self.black_out_of_time,
        };
        match self.running.side() {
            Some(Side::White) => white.run(elapsed, self.counting, black.remaining),
            Some(Side::Black) => black.run(elapsed, self.counting, white.remaining),
            None => {}
        }
        for (late, is_absent) in [
            (&mut state.white_late_nsec, self.white_absent),
            (&mut state.black_late_nsec, self.black_absent),
        ] {
            *late = late.saturating_add(if is_absent { elapsed } else { 0 });
        }
        let side = self.running.side();
        if side.is_some_and(|side| self.side(side).out_of_time) {
            let questions = state.questions.iter_mut();
            questions.for_each(|question| question.charge_overrun(self.running, elapsed));
        }
        state
    }
}

/// The fields of one side that [`State::at`] needs or changes if this side's clock runs.
struct Running<'a> {
    remaining: &'a mut u64,
    limit: Option<u64>,
    delay: &'a mut u64,
    overrun: &'a mut u64,
    out_of_time: bool,
}

impl Running<'_> {
    /// Changes the fields as if this side's clock had run for `elapsed` nanoseconds. `other` is the
    /// main number of the other side, which rises with an hourglass.
    fn run(self, elapsed: u64, counting: Counting, other: &mut u64) {
        if self.out_of_time {
            *self.overrun = self.overrun.saturating_add(elapsed);
            return;
        }
        let of_main = elapsed.saturating_sub(*self.delay);
        *self.delay = self.delay.saturating_sub(elapsed);
        if counting == Counting::Up {
            let used = self.remaining.saturating_add(of_main);
            *self.remaining = used.min(self.limit.unwrap_or(u64::MAX));
            return;
        }
        let used = of_main.min(*self.remaining);
        *self.remaining -= used;
        if counting == Counting::Hourglass {
            *other = other.saturating_add(used);
        }
    }
}

fn overtime(periods: Option<u32>, moves: Option<u32>) -> Option<OvertimeLeft> {
    Some(OvertimeLeft { periods: periods?, moves: moves? })
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

    const SECOND: u64 = 1_000_000_000;

    /// White's clock has run since the instant 5 s. White's main number was then 10 s, and Black's
    /// was 20 s.
    fn white_runs(counting: Counting) -> State {
        State {
            at_nsec: 5 * SECOND,
            phase: Phase::Running,
            running: Who::White,
            counting,
            white_remaining_nsec: 10 * SECOND,
            black_remaining_nsec: 20 * SECOND,
            ..State::default()
        }
    }

    fn numbers(state: &State) -> [u64; 3] {
        [state.white_remaining_nsec, state.black_remaining_nsec, state.white_overrun_nsec]
    }

    #[test]
    fn the_overrun_is_charged_to_the_time_that_made_gives() {
        let answer = |word: &str, white_delta_nsec| crate::Answer {
            method: crate::AnswerMethod::GiveRuling,
            word: word.to_owned(),
            side: crate::AnswerSide::Nobody,
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
            answers: vec![answer("made", 30_000_000_000), answer("drawn", 0)],
        };
        let state = State {
            white_remaining_nsec: 0,
            white_out_of_time: true,
            questions: vec![question],
            ..white_runs(Counting::Down)
        };
        let answers = |state: &State| -> Vec<(String, i64)> {
            let answers = state.questions[0].answers.iter();
            answers.map(|answer| (answer.word.clone(), answer.white_delta_nsec)).collect()
        };
        let drawn = ("drawn".to_owned(), 0);
        let made = |delta| ("made".to_owned(), delta);
        assert_eq!(answers(&state.at(14 * SECOND)), [made(21_000_000_000), drawn.clone()]);
        assert_eq!(answers(&state.at(35 * SECOND - 1)), [made(1), drawn.clone()]);
        assert_eq!(answers(&state.at(35 * SECOND)), vec![drawn.clone()]);
        for standing in [
            State { running: Who::Nobody, ..state.clone() },
            State { running: Who::Black, ..state.clone() },
            State { white_out_of_time: false, ..state },
        ] {
            assert_eq!(answers(&standing.at(99 * SECOND)), [made(30_000_000_000), drawn.clone()]);
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
        let limited = State { white_limit_nsec: Some(12_000_000_000), ..white_runs(Counting::Up) };
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
            state.white_remaining_nsec = 0;
            state.white_flag_nsec = Some(1);
            state.white_out_of_time = true;
            assert_eq!(numbers(&state.at(8 * SECOND)), [0, 20 * SECOND, 3 * SECOND]);
        }
        // The flag fell in an earlier period, so the time of the present period falls.
        let mut state = white_runs(Counting::Down);
        state.white_flag_nsec = Some(1);
        assert_eq!(numbers(&state.at(8 * SECOND)), [7 * SECOND, 20 * SECOND, 0]);
    }

    #[test]
    fn nothing_is_no_flag_and_no_overtime() {
        let nothing = State::default().side(Side::Black);
        assert_eq!((nothing.flag_nsec, nothing.overtime), (None, None));
        let state = State {
            black_overtime_periods: Some(0),
            black_overtime_moves: Some(1),
            ..State::default()
        };
        let left = Some(OvertimeLeft { periods: 0, moves: 1 });
        assert_eq!(state.side(Side::Black).overtime, left);
        assert_eq!(state.side(Side::White).overtime, None);
    }
}
