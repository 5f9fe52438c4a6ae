//! What the display says, without its appearance: the texts and marks for one state of the clock.
//!
//! Equal contents look the same, so the display is painted again only when its content changes.
//! Nothing here prompts a player (FIDE 12.6): there is no word about moves still to be made or
//! about a press that was forgotten. Moves left are shown in overtime only, where they bring the
//! full time of the overtime period again. Where the rule profile says so, no number of moves is
//! shown at all.

mod status;

use clock_dbus::{Counting, Phase, SideState, State, Who, face_text, one_line};

use crate::battery::Battery;
use crate::rules::Rules;

pub use status::{Status, Urgency};

const SECOND: u64 = 1_000_000_000;
/// From this time down `face_text` shows tenths: 20 s minus a tenth, because it rounds up.
pub const TENTHS_FROM: u64 = 20 * SECOND - SECOND / 10;
/// A time is low if at most so much of it is left. A time of 59 s is the first that is shown with
/// less than one minute.
pub const LOW_FROM: u64 = 59 * SECOND;

/// The most characters of a text of the service. Its own limit is 64 bytes for a name.
const LONGEST_TEXT: usize = 256;

/// A text of the service on one line, with a limit.
fn foreign(text: &str) -> String {
    let start: String = text.chars().take(LONGEST_TEXT).collect();
    one_line(&start)
}

/// A player's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    White,
    Black,
}

/// Everything the display says about the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// No service answers, and none has answered before.
    NoService,
    Game(Box<Game>),
}

/// The content while the service answers, or as it was last known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub white: SideDisplay,
    pub black: SideDisplay,
    pub status: Status,
}

/// What is shown of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideDisplay {
    pub side: Side,
    pub player: String,
    pub time: String,
    pub mark: TurnMark,
    pub time_level: TimeLevel,
    /// Seconds of the remaining delay, rounded up.
    pub delay: Option<u64>,
    /// What is left of the overtime; nothing after the final flag.
    pub overtime: Option<Overtime>,
    /// A flag fell in an earlier period, and play went on.
    pub earlier_flag: bool,
    /// `None` if `time` is the time left; otherwise `time` is the time used.
    pub used: Option<Used>,
    /// `1/2`, or only `3` if the last period repeats without end.
    pub period: String,
    /// The press counter, unless the rule profile keeps it off the display.
    pub moves: Option<u32>,
    /// What the game is played under, until it has started.
    pub conditions: Option<Conditions>,
    /// No service answers. This is what was last known, and may be wrong by now.
    pub stale: bool,
}

/// What the game is played under. It is fixed and shown before the start (S0 6.2a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The name of the time control.
    pub control: String,
    /// The name of the rule profile; empty without one.
    pub rules: String,
}

/// What is left of an overtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overtime {
    /// Periods left, including the running one.
    pub periods: u32,
    /// Moves left in the running period, unless the rule profile keeps them off the display.
    pub moves: Option<u32>,
}

/// What the face says beside a time that is counted up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The time used at which the flag falls.
    pub limit: Option<String>,
}

/// Whether it is this side's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnMark {
    Running,
    /// On move while both clocks stand.
    Stopped,
    Waiting,
}

/// How much time a side has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeLevel {
    Ample,
    Low,
    Flagged { first: bool, overrun: Option<String> },
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    pub fn who(self) -> Who {
        match self {
            Side::White => Who::White,
            Side::Black => Who::Black,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }

    pub fn letter(self) -> &'static str {
        match self {
            Side::White => "W",
            Side::Black => "B",
        }
    }
}

/// Whether this side's clock runs.
pub fn runs(state: &State, side: Side) -> bool {
    state.phase == Phase::Running && state.running == side.who()
}

impl Content {
    /// The content for `state`, which is the result of [`State::at`] for the present instant.
    pub fn of(state: &State, rules: Rules) -> Content {
        Content::Game(Box::new(Game {
            white: SideDisplay::of(state, rules, Side::White),
            black: SideDisplay::of(state, rules, Side::Black),
            status: Status::of(state, rules),
        }))
    }

    /// The content while no service answers, for the state in which it was lost. The times stay, so
    /// that a player or an arbiter who has to write them down can. No side is marked as running,
    /// since nobody knows.
    pub fn last_known(state: &State, rules: Rules) -> Content {
        let stale = |side| {
            let display = SideDisplay::of(state, rules, side);
            let time_level = match display.time_level {
                TimeLevel::Low => TimeLevel::Ample,
                level => level,
            };
            SideDisplay { mark: TurnMark::Waiting, time_level, stale: true, ..display }
        };
        Content::Game(Box::new(Game {
            white: stale(Side::White),
            black: stale(Side::Black),
            status: Status::no_service(state, rules),
        }))
    }
}

impl Content {
    /// The same with the battery of the clock, if it runs on one.
    pub fn with_battery(mut self, battery: Option<Battery>) -> Content {
        if let (Content::Game(game), Some(battery)) = (&mut self, battery) {
            game.status.add_battery(battery);
        }
        self
    }
}

impl Game {
    /// Whether this is only what was last known.
    pub fn is_stale(&self) -> bool {
        self.white.stale || self.black.stale
    }
}

impl SideDisplay {
    fn of(state: &State, rules: Rules, side: Side) -> SideDisplay {
        let values = state.side(side.who());
        let player = match side {
            Side::White => &state.white_player,
            Side::Black => &state.black_player,
        };
        SideDisplay {
            side,
            player: foreign(player),
            time: match state.counting {
                Counting::Up => passed_text(values.remaining_nsec),
                Counting::Down | Counting::Hourglass => face_text(values.remaining_nsec),
            },
            mark: TurnMark::of(state, side),
            time_level: TimeLevel::of(&values, state, side),
            delay: (values.delay_nsec > 0).then(|| values.delay_nsec.div_ceil(SECOND)),
            overtime: values.overtime.filter(|_| !values.out_of_time).map(|left| Overtime {
                periods: left.periods,
                moves: rules.show_moves.then_some(left.moves),
            }),
            earlier_flag: values.flag_nsec >= 0 && !values.out_of_time,
            used: (state.counting == Counting::Up)
                .then(|| Used { limit: values.limit_nsec.map(passed_text) }),
            period: match state.periods {
                0 => values.period.to_string(),
                periods => format!("{}/{periods}", values.period),
            },
            moves: rules.show_moves.then_some(values.moves),
            conditions: (state.phase == Phase::Ready).then(|| Conditions {
                control: foreign(&state.time_control),
                rules: foreign(&state.rules),
            }),
            stale: false,
        }
    }
}

impl TurnMark {
    fn of(state: &State, side: Side) -> TurnMark {
        match state.phase {
            Phase::Running if runs(state, side) => TurnMark::Running,
            Phase::Paused | Phase::Ruling if state.on_move == side.who() => TurnMark::Stopped,
            _ => TurnMark::Waiting,
        }
    }
}

impl TimeLevel {
    fn of(values: &SideState, state: &State, side: Side) -> TimeLevel {
        if values.out_of_time {
            let overrun =
                (values.overrun_nsec > 0).then(|| format!("+{}", passed_text(values.overrun_nsec)));
            TimeLevel::Flagged { first: state.first_flag == side.who(), overrun }
        } else if left(values, state).is_some_and(|left| left <= LOW_FROM) {
            TimeLevel::Low
        } else {
            TimeLevel::Ample
        }
    }
}

/// How much time a side has left; `None` if its time is counted up without a limit.
fn left(values: &SideState, state: &State) -> Option<u64> {
    match state.counting {
        Counting::Up => values.limit_nsec.map(|limit| limit.saturating_sub(values.remaining_nsec)),
        Counting::Down | Counting::Hourglass => Some(values.remaining_nsec),
    }
}

/// `0:12`, `1:02:03`; rounded down, because it counts time that has passed.
fn passed_text(nsec: u64) -> String {
    let seconds = nsec / SECOND;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
