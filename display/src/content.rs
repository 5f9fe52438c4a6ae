//! The texts and marks of the display for one state of the clock, without their appearance.
//! `status` makes the texts of the status line. `menu` adds the page of the menu.
//!
//! Equal contents look the same, so the display is painted again only when its content changes.
//! Nothing here prompts a player (FIDE 12.6): no text names a press that was forgotten, or moves
//! still to be made. The only exception is the number of moves left in an overtime period: the
//! player who completes them gets the full time of the period again. If the rule profile has
//! `show_moves = false`, or is not known yet, no number of moves is shown at all.

mod menu;
mod start_time;
mod status;

use clock_dbus::{
    Counting, Method, OvertimeLeft, Phase, Question, QuestionProgress, SideState, State, Who,
    face_text, one_line,
};
use clock_languages::Face;

use crate::battery::Battery;
use crate::rules::Rules;

pub use clock_dbus::Side;
pub use menu::{Hint, Menu, Page, Placed};
pub use status::{Status, Urgency};

const SECOND: u64 = 1_000_000_000;
/// At this time and below, `face_text` shows tenths. It rounds up, so at any time above 19.9 s it
/// shows at least `0:20`.
pub const TENTHS_FROM: u64 = 20 * SECOND - SECOND / 10;

/// After the press of the call button, a game without an arbiter goes on after this time, in
/// nanoseconds.
const RESUMES_AFTER: u64 = 3 * SECOND;

/// The sign before the time of the side whose final flag fell first.
pub const FLAG_SIGN: char = '⚑';

/// The largest number of characters of a text from the service; a longer text is cut. The service
/// itself limits names to 64 bytes.
const LONGEST_TEXT: usize = 256;

/// A text from the service on one line, cut to [`LONGEST_TEXT`] characters.
fn foreign(text: &str) -> String {
    let start: String = text.chars().take(LONGEST_TEXT).collect();
    one_line(&start)
}

/// The complete content of the display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The machine was switched on less than 30 s ago, and no service has answered yet. The face shows
    /// that the clock is starting, in these words.
    Starting(&'static Face),
    /// No service answers, and none has answered before. The face says so in these words.
    NoService(&'static Face),
    Game(Box<Game>),
}

/// What the face shows of a game: the present state while the service answers, otherwise the last
/// known state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub white: SideDisplay,
    pub black: SideDisplay,
    pub status: Status,
    /// Whether the buttons are exchanged: White uses the button that is wired as Black's.
    pub buttons_exchanged: bool,
    pub menu: Menu,
    /// The words in which the face shows this.
    pub words: &'static Face,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideDisplay {
    pub side: Side,
    pub player: String,
    pub time: String,
    pub mark: TurnMark,
    pub time_level: TimeLevel,
    /// The remaining delay in seconds, rounded up; `None` if no delay is left.
    pub delay: Option<u64>,
    /// What is left of the overtime; `None` outside an overtime and after the final flag.
    pub overtime: Option<Overtime>,
    /// Whether a flag of this side fell in an earlier period and play went on.
    pub earlier_flag: bool,
    /// `Some` if `time` is the time that the side has used. `None` if `time` is the time that the
    /// side has left.
    pub used: Option<Used>,
    /// The period; `None` if the time control has only one, and before the game.
    pub period: Option<PlayedPeriod>,
    /// The press counter; `None` if the rule profile keeps it off the display, or if the profile is
    /// not known.
    pub moves: Option<u32>,
    /// The method in the present period of the side; `None` if no move adds time. It is also `None`
    /// before the game, when the status line names the time control, after the game, and after the
    /// final flag of the side, because the note about the flag needs the room.
    pub method: Option<PlayedMethod>,
    /// The points of the side, such as `1` or `1/2`; `None` until the game is over.
    pub score: Option<String>,
    /// Before the start: what the status line does not say of the time control and the rule profile, from
    /// the longest text to the shortest. Otherwise empty.
    pub conditions: Vec<String>,
    /// Whether the game has begun and is interrupted, so that both clocks stand.
    pub interrupted: bool,
    /// Whether no service answers. The content is then the last known one, and may be wrong by now.
    pub stale: bool,
    /// The words in which the face shows this.
    pub words: &'static Face,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedPeriod {
    /// The number of the period, from 1.
    pub number: u32,
    /// The number of all periods; `None` if the last one repeats without end.
    pub of: Option<u32>,
}

/// The method in the present period of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMethod {
    pub method: Method,
    /// The increment or the delay in nanoseconds.
    pub nsec: u64,
}

/// What is left of a side's overtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overtime {
    /// The number of overtime periods that are left, including the running one.
    pub periods: u32,
    /// The number of moves left in the running period; `None` if the rule profile keeps it off the
    /// display, or if the profile is not known.
    pub moves: Option<u32>,
}

/// What the face shows beside a time that is counted up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The limit: when this much time is used, the flag falls. `None` if there is no limit.
    pub limit: Option<String>,
}

/// The mark that shows whether a side is on move. A side is [`TurnMark::Waiting`] if the other side
/// is on move, if the game has not started or is over, or if no service answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnMark {
    Running,
    /// The side is on move, and both clocks stand, because the game is paused or awaits a ruling.
    Stopped,
    Waiting,
}

/// Whether a side is low on time (at most [`SideState::low_nsec`] left), or its final flag has
/// fallen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeLevel {
    Ample,
    /// The time left, in thousandths of the time from which it is low. It changes only together with
    /// the shown time, because both are rounded up to whole seconds.
    Low(u16),
    Flagged {
        order: FlagOrder,
        overrun: Option<String>,
    },
}

/// When the final flag of a side fell, compared with that of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagOrder {
    /// The other side's final flag has not fallen.
    Only,
    First,
    Second,
    /// Both final flags have fallen, and the service does not say which fell first.
    Unknown,
}

impl FlagOrder {
    fn of(shown: &State, side: Side) -> FlagOrder {
        let both = Side::BOTH.into_iter().all(|each| shown.side(each).out_of_time);
        match (shown.first_flag == Who::from(side), both, shown.first_flag) {
            (true, false, _) => FlagOrder::Only,
            (true, true, _) => FlagOrder::First,
            (false, _, Who::Nobody) => FlagOrder::Unknown,
            (false, _, _) => FlagOrder::Second,
        }
    }

    /// Whether no other final flag fell before this one.
    pub fn is_first(self) -> bool {
        matches!(self, FlagOrder::Only | FlagOrder::First)
    }
}

impl Content {
    /// The content for `state`. The caller passes the result of [`State::at`] for the present
    /// instant.
    pub fn of(state: &State, rules: Rules, words: &'static Face) -> Content {
        Content::Game(Box::new(Game {
            white: SideDisplay::of(state, rules, Side::White, words),
            black: SideDisplay::of(state, rules, Side::Black, words),
            status: Status::of(state, rules, words),
            buttons_exchanged: state.buttons_exchanged,
            menu: Menu::Closed,
            words,
        }))
    }

    /// The content while no service answers, made from the last known state. The times stay, so
    /// that a player or an arbiter can write them down. No side is marked as running or low on
    /// time, because the game may have gone on.
    pub fn last_known(state: &State, rules: Rules, words: &'static Face) -> Content {
        let stale = |side| {
            let display = SideDisplay::of(state, rules, side, words);
            let time_level = match display.time_level {
                TimeLevel::Low(_) => TimeLevel::Ample,
                level => level,
            };
            SideDisplay { mark: TurnMark::Waiting, time_level, stale: true, ..display }
        };
        Content::Game(Box::new(Game {
            white: stale(Side::White),
            black: stale(Side::Black),
            status: Status::no_service(state, rules, words),
            buttons_exchanged: state.buttons_exchanged,
            menu: Menu::Closed,
            words,
        }))
    }
}

/// In how many nanoseconds a paused game without an arbiter goes on by itself; `None` if no such
/// countdown has begun.
fn resumes_in(shown: &State) -> Option<u64> {
    let resumes = |it: &&Question| it.progress == QuestionProgress::Resuming;
    let since = shown.questions.iter().find(resumes)?.since_nsec;
    Some((since + RESUMES_AFTER).saturating_sub(shown.at_nsec))
}

/// How long the countdown to a scheduled start, or until a paused game goes on, stays the same, in
/// nanoseconds; `None` if none is shown.
pub(crate) fn countdown_change(shown: &State) -> Option<u64> {
    if let Some(left) = resumes_in(shown) {
        return start_time::countdown_change(left);
    }
    let start = shown.start_at_realtime_nsec.filter(|_| shown.phase == Phase::Ready)?;
    start_time::countdown_change(start_time::left(start))
}

impl Content {
    /// Adds `battery` to the status of a game, if the clock runs on a battery.
    /// Contents without a game are returned unchanged.
    pub fn with_battery(mut self, battery: Option<Battery>) -> Content {
        if let (Content::Game(game), Some(battery)) = (&mut self, battery) {
            game.status.add_battery(battery, game.words);
        }
        self
    }
}

impl SideDisplay {
    /// The large sign that is shown together with the time: the points of this side, or ⚑ if the first
    /// final flag is that of this side. `None` if there is neither.
    pub fn sign(&self) -> Option<String> {
        match (&self.score, &self.time_level) {
            (Some(score), _) => Some(score.clone()),
            (None, TimeLevel::Flagged { order, .. }) if order.is_first() => {
                Some(FLAG_SIGN.to_string())
            }
            _ => None,
        }
    }
}

impl Game {
    /// The side whose player uses the button that is wired as White's, and the other side. A side's
    /// half of the picture, line in the terminal, seven-segment module and lamp are at the button
    /// of its player. So they change their places when the buttons are exchanged.
    pub fn in_wired_order(&self) -> [&SideDisplay; 2] {
        match self.buttons_exchanged {
            false => [&self.white, &self.black],
            true => [&self.black, &self.white],
        }
    }

    /// Whether the sides have bands in the colour of a call, because the arbiter is awaited. A side
    /// whose flag has fallen is seen from far away without them.
    pub fn has_call_bands(&self) -> bool {
        let is_flagged = |side: &SideDisplay| {
            matches!(side.time_level, TimeLevel::Flagged { .. }) && side.score.is_none()
        };
        let flagged = self.in_wired_order().into_iter().any(is_flagged);
        self.status.arbiter_awaited() && !flagged
    }

    /// Whether this is the last known content, because no service answers.
    pub fn is_stale(&self) -> bool {
        self.white.stale || self.black.stale
    }
}

impl SideDisplay {
    fn of(shown: &State, rules: Rules, side: Side, words: &'static Face) -> SideDisplay {
        let values = shown.side(side);
        let SideState {
            remaining_nsec,
            limit_nsec,
            delay_nsec,
            moves,
            period,
            flag_nsec,
            out_of_time,
            method,
            method_nsec,
            ref player,
            ..
        } = *values;
        SideDisplay {
            side,
            player: foreign(player),
            time: match shown.counting {
                Counting::Up => passed_text(remaining_nsec),
                Counting::Down | Counting::Hourglass => face_text(remaining_nsec),
            },
            mark: TurnMark::of(shown, side),
            time_level: TimeLevel::of(shown, side),
            delay: (delay_nsec > 0).then(|| delay_nsec.div_ceil(SECOND)),
            overtime: values.overtime().filter(|_| !out_of_time).map(
                |OvertimeLeft { periods, moves }| Overtime {
                    periods,
                    moves: rules.show_moves.then_some(moves),
                },
            ),
            earlier_flag: flag_nsec.is_some() && !out_of_time,
            used: (shown.counting == Counting::Up)
                .then(|| Used { limit: limit_nsec.map(passed_text) }),
            period: (shown.periods != 1 && shown.phase != Phase::Ready).then(|| PlayedPeriod {
                number: period,
                of: Some(shown.periods).filter(|periods| *periods > 0),
            }),
            moves: rules.show_moves.then_some(moves),
            method: (method != Method::None && is_in_play(shown.phase) && !out_of_time)
                .then_some(PlayedMethod { method, nsec: method_nsec }),
            score: score(shown, side),
            conditions: status::conditions(shown, rules, words).in_halves,
            interrupted: matches!(shown.phase, Phase::Paused | Phase::Ruling),
            stale: false,
            words,
        }
    }
}

/// The points of a side: its part of a result such as `1/2-1/2`.
fn score(shown: &State, side: Side) -> Option<String> {
    let (white, black) = shown.result.split_once('-').filter(|_| shown.phase == Phase::Over)?;
    let points = if side == Side::White { white } else { black };
    Some(foreign(points))
}

fn is_in_play(phase: Phase) -> bool {
    matches!(phase, Phase::Running | Phase::Paused | Phase::Ruling)
}

impl TurnMark {
    fn of(shown: &State, side: Side) -> TurnMark {
        match shown.phase {
            Phase::Running if shown.running == Who::from(side) => TurnMark::Running,
            Phase::Paused | Phase::Ruling if shown.on_move == Who::from(side) => TurnMark::Stopped,
            _ => TurnMark::Waiting,
        }
    }
}

impl TimeLevel {
    fn of(shown: &State, side: Side) -> TimeLevel {
        let values = shown.side(side);
        if values.out_of_time {
            let overrun =
                (values.overrun_nsec > 0).then(|| format!("+{}", passed_text(values.overrun_nsec)));
            TimeLevel::Flagged { order: FlagOrder::of(shown, side), overrun }
        } else {
            match left(values, shown.counting).filter(|left| *left <= values.low_nsec) {
                Some(_) => TimeLevel::Low(share(values, shown.counting)),
                None => TimeLevel::Ample,
            }
        }
    }
}

/// The time left in thousandths of the time from which it is low. Both are in whole seconds, rounded
/// as the shown time is.
fn share(values: &SideState, counting: Counting) -> u16 {
    let SideState { remaining_nsec, limit_nsec, low_nsec, .. } = *values;
    let left = match (counting, limit_nsec) {
        (Counting::Up, Some(limit)) => {
            limit.div_ceil(SECOND).saturating_sub(remaining_nsec / SECOND)
        }
        _ => remaining_nsec.div_ceil(SECOND),
    };
    let thousandths = left.saturating_mul(1000) / low_nsec.div_ceil(SECOND).max(1);
    u16::try_from(thousandths.min(1000)).unwrap_or(1000)
}

/// The time that a side has left; `None` if its time is counted up without a limit.
fn left(values: &SideState, counting: Counting) -> Option<u64> {
    match counting {
        Counting::Up => values.limit_nsec.map(|limit| limit.saturating_sub(values.remaining_nsec)),
        Counting::Down | Counting::Hourglass => Some(values.remaining_nsec),
    }
}

/// The text of a time that has passed, as `0:12` or `1:02:03`. Such a time is rounded down.
fn passed_text(nsec: u64) -> String {
    let seconds = nsec / SECOND;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
