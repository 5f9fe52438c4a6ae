//! Computes the next instant at which a shown text, or the mark of a low time, changes. The main
//! loop sleeps until then.
//!
//! Remaining times and delays are rounded up, so that zero is shown only when the time is used up.
//! Passed times (an overrun, a time counted up) are rounded down. So each text changes when its
//! time crosses a whole second, or a whole tenth of a second if the text shows tenths.

use clock_dbus::{Counting, Phase, SideState, State};
use rustix::time::{ClockId, clock_gettime};

use crate::content::{TENTHS_FROM, countdown_change};

const SECOND: u64 = 1_000_000_000;
const TENTH: u64 = SECOND / 10;

/// The present instant in nanoseconds on `CLOCK_MONOTONIC`, which all instants on the bus use.
pub fn monotonic_now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(now.tv_sec).expect("CLOCK_MONOTONIC starts at zero");
    let nanoseconds = u64::try_from(now.tv_nsec).expect("a timespec's nanoseconds are positive");
    seconds * SECOND + nanoseconds
}

/// The next instant at which a text or a time level of `shown` changes without a signal of the
/// service.
///
/// Before a scheduled start, and before a paused game goes on by itself, this is the next change of
/// the countdown. The result is `None` while
/// no clock runs, and while the running side shows its last text: zero, or the limit of a time that
/// is counted up. The next change then comes with a signal of the service.
///
/// `shown` is the result of [`State::at`] for the present instant.
pub fn next_change(shown: &State) -> Option<u64> {
    if let Some(span) = countdown_change(shown) {
        return Some(shown.at_nsec.saturating_add(span));
    }
    // Otherwise, without a signal of the service, only the times change, and only while a clock runs.
    let side = shown.running.side().filter(|_| shown.phase == Phase::Running)?;
    let SideState {
        remaining_nsec,
        limit_nsec,
        delay_nsec,
        low_nsec: low,
        out_of_time,
        overrun_nsec,
        // The other properties change only with a signal of the service.
        ..
    } = *shown.side(side);
    let span = if out_of_time {
        overrun_change(overrun_nsec)
    } else if delay_nsec > 0 {
        delay_nsec - next_unit_below(delay_nsec, SECOND)
    } else {
        match shown.counting {
            Counting::Down => falling_change(remaining_nsec, low)?,
            Counting::Hourglass => {
                let other = shown.side(side.other());
                let growing = growing_change(other.remaining_nsec, other.low_nsec);
                falling_change(remaining_nsec, low)?.min(growing)
            }
            Counting::Up => counted_change(remaining_nsec, limit_nsec, low)?,
        }
    };
    Some(shown.at_nsec.saturating_add(span))
}

/// How long the text of an overrun stays the same. An overrun of 0 has no text. Its first text
/// appears after 1 ns.
fn overrun_change(overrun: u64) -> u64 {
    match overrun {
        0 => 1,
        running => SECOND - running % SECOND,
    }
}

/// How long the text and the level of a time that is counted down stay the same; `None` at zero. The
/// time is low from `low` on, which need not be a whole second.
fn falling_change(remaining: u64, low: u64) -> Option<u64> {
    if remaining == 0 {
        return None;
    }
    let next = if remaining <= TENTHS_FROM {
        next_unit_below(remaining, TENTH)
    } else {
        // "0:20" is the last text in whole seconds. The next one is "19.9", not "0:19".
        next_unit_below(remaining, SECOND).max(TENTHS_FROM)
    };
    let next = if low < remaining { next.max(low) } else { next };
    Some(remaining - next)
}

/// How long the text and the level of a growing time (in an hourglass) stay the same. The text is
/// rounded up, so it changes when the time is 1 ns above a whole second, or a whole tenth of a second
/// if the text shows tenths. The time is not low any more when it is 1 ns above `low`.
fn growing_change(remaining: u64, low: u64) -> u64 {
    let unit = if remaining <= TENTHS_FROM { TENTH } else { SECOND };
    let text = (unit - remaining % unit) % unit + 1;
    low.checked_sub(remaining).map_or(text, |to_low| text.min(to_low + 1))
}

/// How long the text and the level of a time that is counted up stay the same; `None` if neither of
/// them changes again up to the limit.
fn counted_change(used: u64, limit: Option<u64>, low: u64) -> Option<u64> {
    let second = SECOND - used % SECOND;
    let Some(left) = limit.map(|limit| limit.saturating_sub(used)) else { return Some(second) };
    // If the limit is not a whole number of seconds, the time becomes low between two changes of
    // the text.
    let low = left.saturating_sub(low);
    let span = if low > 0 { second.min(low) } else { second };
    (span <= left).then_some(span)
}

/// The largest multiple of `unit` that is smaller than `span`. `span` is above zero.
fn next_unit_below(span: u64, unit: u64) -> u64 {
    (span - 1) / unit * unit
}

#[cfg(test)]
mod tests {
    use crate::language::EN;
    use clock_dbus::{Phase, Question, QuestionKind, QuestionProgress, Who, face_text};

    use super::*;
    use crate::content::{Content, Game};
    use crate::rules::Rules;

    const MINUTE: u64 = 60 * SECOND;

    fn running(side: Who) -> State {
        State {
            at_nsec: 5 * SECOND,
            phase: Phase::Running,
            on_move: side,
            running: side,
            periods: 1,
            white: SideState {
                remaining_nsec: 90 * MINUTE,
                low_nsec: 59 * SECOND,
                flag_nsec: None,
                ..SideState::default()
            },
            black: SideState {
                remaining_nsec: 90 * MINUTE,
                low_nsec: 59 * SECOND,
                flag_nsec: None,
                ..SideState::default()
            },
            ..State::default()
        }
    }

    fn game(state: &State) -> Game {
        match Content::of(state, Rules::NONE, EN) {
            Content::Game(game) => *game,
            Content::Starting(_) | Content::NoService(_) => panic!("a state is a game"),
        }
    }

    #[test]
    fn the_seconds_until_a_paused_game_goes_on_are_counted() {
        let stop = Question {
            kind: Some(QuestionKind::Stop),
            side: Who::Nobody,
            since_nsec: 5 * SECOND,
            progress: QuestionProgress::Resuming,
            answers: Vec::new(),
        };
        let mut state = running(Who::White);
        (state.phase, state.running, state.questions) = (Phase::Paused, Who::Nobody, vec![stop]);
        let friends = Rules { has_arbiter: false, ..Rules::NONE };
        let text = |state: &State| match Content::of(state, friends, EN) {
            Content::Game(game) => game.status.texts[0].clone(),
            _ => panic!("a state is a game"),
        };
        for left in [3, 2, 1] {
            assert_eq!(text(&state), format!("The game goes on in {left} s"));
            assert_eq!(next_change(&state), Some(state.at_nsec + SECOND));
            assert_eq!(text(&state.at(state.at_nsec + SECOND - 1)), text(&state));
            state = state.at(state.at_nsec + SECOND);
        }
        assert_eq!(next_change(&state), None);
    }

    /// Asserts that the face changes exactly `want_span` ns after `state`, and not 1 ns earlier.
    fn assert_changes_exactly(state: &State, want_span: u64) {
        let change = next_change(state).unwrap();
        assert_eq!(change - state.at_nsec, want_span, "{state:?}");
        assert_eq!(game(&state.at(change - 1)), game(state));
        assert_ne!(game(&state.at(change)), game(state));
    }

    #[test]
    fn remaining_changes_exactly_at_its_unit() {
        for (remaining, before, after, span) in [
            (90 * MINUTE, "1:30:00", "1:29:59", SECOND),
            (60 * MINUTE, "1:00:00", "59:59", SECOND),
            (60 * MINUTE - 1, "1:00:00", "59:59", SECOND - 1),
            (60 * SECOND, "1:00", "0:59", SECOND),
            (299 * SECOND + 1, "5:00", "4:59", 1),
            (20 * SECOND + TENTH, "0:21", "0:20", TENTH),
            (20 * SECOND, "0:20", "19.9", TENTH),
            (20 * SECOND - 1, "0:20", "19.9", TENTH - 1),
            (TENTHS_FROM + 1, "0:20", "19.9", 1),
            (TENTHS_FROM, "19.9", "19.8", TENTH),
            (10 * SECOND, "10.0", "9.9", TENTH),
            (TENTH, "0.1", "0.0", TENTH),
            (1, "0.1", "0.0", 1),
        ] {
            assert_eq!(face_text(remaining), before);
            assert_eq!(face_text(remaining - (span - 1)), before, "{remaining}");
            assert_eq!(face_text(remaining - span), after, "{remaining}");
            let mut state = running(Who::Black);
            state.black.remaining_nsec = remaining;
            assert_changes_exactly(&state, span);
        }
    }

    #[test]
    fn every_text_of_the_last_minute_is_seen() {
        let mut state = running(Who::White);
        state.white.remaining_nsec = MINUTE;
        let mut texts = vec![game(&state).white.time];
        while let Some(change) = next_change(&state) {
            state = state.at(change);
            texts.push(game(&state).white.time);
        }
        // The texts are 1:00 to 0:20 in seconds, and 19.9 to 0.0 in tenths.
        assert_eq!(texts.len(), 41 + 200);
        assert_eq!(texts.last().unwrap(), "0.0");
    }

    #[test]
    fn the_delay_comes_before_the_main_time() {
        for (delay, span) in [(5 * SECOND, SECOND), (4 * SECOND + 1, 1), (SECOND, SECOND), (3, 3)] {
            let mut state = running(Who::White);
            state.white.delay_nsec = delay;
            assert_changes_exactly(&state, span);
        }
    }

    #[test]
    fn the_overrun_counts_whole_seconds() {
        for (overrun, span) in
            [(0, 1), (1, SECOND - 1), (SECOND, SECOND), (12 * SECOND + 5, SECOND - 5)]
        {
            let mut state = running(Who::White);
            state.white.remaining_nsec = 0;
            state.white.flag_nsec = Some(1);
            state.white.out_of_time = true;
            state.white.overrun_nsec = overrun;
            assert_changes_exactly(&state, span);
        }
    }

    #[test]
    fn an_hourglass_changes_with_either_side() {
        for (white, black, span) in [
            // In the first case White's falling time changes first, in the next two cases Black's
            // growing time does, and in the fourth case both change at the same instant.
            (MINUTE + SECOND / 2, MINUTE + SECOND / 4, SECOND / 2),
            (MINUTE + SECOND / 2, MINUTE + SECOND * 3 / 4, SECOND / 4 + 1),
            (MINUTE, MINUTE, 1),
            (MINUTE, MINUTE + 1, SECOND),
            // A growing time shows tenths up to 19.9 s, too.
            (MINUTE, 10 * SECOND + TENTH / 2, TENTH / 2 + 1),
            (MINUTE, TENTHS_FROM, 1),
            (MINUTE, TENTHS_FROM + 1, TENTH),
            (MINUTE, 0, 1),
        ] {
            let mut state = running(Who::White);
            state.counting = Counting::Hourglass;
            state.white.remaining_nsec = white;
            state.black.remaining_nsec = black;
            assert_changes_exactly(&state, span);
        }
        let mut used_up = running(Who::White);
        used_up.counting = Counting::Hourglass;
        used_up.white.remaining_nsec = 0;
        assert_eq!(next_change(&used_up), None);
    }

    #[test]
    fn a_time_counted_up_counts_whole_seconds() {
        for (used, text, span) in [
            (0, "0:00", SECOND),
            (SECOND - 1, "0:00", 1),
            (SECOND, "0:01", SECOND),
            (59 * SECOND + SECOND / 4, "0:59", SECOND * 3 / 4),
            (3600 * SECOND + 1, "1:00:00", SECOND - 1),
        ] {
            let mut state = running(Who::Black);
            state.counting = Counting::Up;
            state.black.remaining_nsec = used;
            assert_eq!(game(&state).black.time, text);
            assert_changes_exactly(&state, span);
        }
        // The time is low when at most 59 s are left to the limit.
        let mut limited = running(Who::Black);
        limited.counting = Counting::Up;
        limited.black.limit_nsec = Some(MINUTE + SECOND / 4);
        for (used, span) in
            [(SECOND, SECOND / 4), (SECOND + SECOND / 4, SECOND * 3 / 4), (59 * SECOND, SECOND)]
        {
            limited.black.remaining_nsec = used;
            assert_changes_exactly(&limited, span);
        }
        limited.black.remaining_nsec = MINUTE;
        assert_eq!(next_change(&limited), None);
    }

    #[test]
    fn the_face_changes_when_a_time_becomes_low_between_two_seconds() {
        let mut state = running(Who::White);
        (state.white.low_nsec, state.black.low_nsec) = (MINUTE + 7, MINUTE + 9);
        state.white.remaining_nsec = MINUTE + 10;
        assert_changes_exactly(&state, 3);
        state.white.remaining_nsec = MINUTE + 7;
        assert_changes_exactly(&state, 7);
        state.counting = Counting::Hourglass;
        (state.white.remaining_nsec, state.black.remaining_nsec) = (MINUTE * 2, MINUTE + 5);
        assert_changes_exactly(&state, 5);
        (state.white.remaining_nsec, state.black.remaining_nsec) = (MINUTE * 2, MINUTE + 10);
        assert_changes_exactly(&state, SECOND - 9);
    }

    #[test]
    fn the_flag_of_an_earlier_period_leaves_the_time_falling() {
        let mut state = running(Who::White);
        state.white.flag_nsec = Some(1);
        assert_changes_exactly(&state, SECOND);
    }

    #[test]
    fn the_countdown_to_a_scheduled_start_wakes_the_face() {
        let before = monotonic_now();
        let starts = |realtime| State {
            at_nsec: before,
            start_at_realtime_nsec: realtime,
            ..State::default()
        };
        let change = next_change(&starts(Some(u64::MAX))).unwrap();
        assert!(change > before && change <= before + MINUTE);
        assert_eq!(next_change(&starts(Some(1))), None);
        assert_eq!(next_change(&starts(None)), None);
    }

    #[test]
    fn nothing_wakes_the_face_while_nothing_can_change() {
        let mut paused = running(Who::Nobody);
        paused.phase = Phase::Paused;
        assert_eq!(next_change(&paused), None);
        let mut waits_for_flag = running(Who::White);
        waits_for_flag.white.remaining_nsec = 0;
        assert_eq!(next_change(&waits_for_flag), None);
    }

    #[test]
    fn now_advances() {
        let before = monotonic_now();
        assert!(before > 0);
        assert!(monotonic_now() >= before);
    }
}
