//! What the face says, without how it looks: a state turned into texts and marks.
//!
//! Two equal views look the same, so the face is painted again only when its view differs.
//! Nothing here prompts a player (FIDE 12.6): no word about moves still to make or a press that
//! was forgotten. Only in overtime, where they bring its time afresh, are moves counted down.

mod status;

use clock_dbus::{Counting, OvertimeLeft, Phase, SideState, State, Who, face_text, one_line};

pub use status::{Status, Urgency};

const SECOND: u64 = 1_000_000_000;
/// From here down `face_text` shows tenths: 20 s less a tenth, since it rounds up.
pub const TENTHS_FROM: u64 = 20 * SECOND - SECOND / 10;
/// From here down a time is low: the shown text is below one minute.
const LOW_FROM: u64 = 59 * SECOND;

/// A player's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    White,
    Black,
}

/// The whole face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Nobody says what the clock shows. Old times would be mistaken for true ones.
    NoService,
    Game(Box<Game>),
}

/// A clock that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub white: Half,
    pub black: Half,
    pub status: Status,
}

/// One player's half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    pub side: Side,
    pub player: String,
    pub time: String,
    pub mark: Mark,
    pub pressure: Pressure,
    /// Seconds of delay still to run, rounded up.
    pub delay: Option<u64>,
    /// Where it stands in its overtime; nothing once its flag has fallen.
    pub overtime: Option<OvertimeLeft>,
    /// A flag fell, and play went on with a later period.
    pub earlier_flag: bool,
    /// The time is what was used, not what is left.
    pub used: bool,
    /// `1/2`, or only `3` where the last period repeats without end.
    pub period: String,
    pub moves: u32,
}

/// Whether it is this side's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Runs,
    /// On move while both clocks stand.
    Stopped,
    Waits,
}

/// How a side's time stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pressure {
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

/// Whether that side's clock runs.
pub fn runs(state: &State, side: Side) -> bool {
    state.phase == Phase::Running && state.running == side.who()
}

impl View {
    /// What the face says for `state`, which holds for now: the result of [`State::at`].
    pub fn of(state: &State) -> View {
        View::Game(Box::new(Game {
            white: Half::of(state, Side::White),
            black: Half::of(state, Side::Black),
            status: Status::of(state),
        }))
    }
}

impl Half {
    fn of(state: &State, side: Side) -> Half {
        let half = state.side(side.who());
        let player = match side {
            Side::White => &state.white_player,
            Side::Black => &state.black_player,
        };
        Half {
            side,
            player: one_line(player),
            time: match state.counting {
                Counting::Up => passed_text(half.remaining_nsec),
                Counting::Down | Counting::Hourglass => face_text(half.remaining_nsec),
            },
            mark: Mark::of(state, side),
            pressure: Pressure::of(&half, state, side),
            delay: (half.delay_nsec > 0).then(|| half.delay_nsec.div_ceil(SECOND)),
            overtime: half.overtime.filter(|_| !half.out_of_time),
            earlier_flag: half.flag_nsec >= 0 && !half.out_of_time,
            used: state.counting == Counting::Up,
            period: match state.periods {
                0 => half.period.to_string(),
                periods => format!("{}/{periods}", half.period),
            },
            moves: half.moves,
        }
    }
}

impl Mark {
    fn of(state: &State, side: Side) -> Mark {
        match state.phase {
            Phase::Running if runs(state, side) => Mark::Runs,
            Phase::Paused | Phase::Ruling if state.on_move == side.who() => Mark::Stopped,
            _ => Mark::Waits,
        }
    }
}

impl Pressure {
    fn of(half: &SideState, state: &State, side: Side) -> Pressure {
        if half.out_of_time {
            let overrun =
                (half.overrun_nsec > 0).then(|| format!("+{}", passed_text(half.overrun_nsec)));
            Pressure::Flagged { first: state.first_flag == side.who(), overrun }
        } else if half.remaining_nsec <= LOW_FROM && state.counting != Counting::Up {
            Pressure::Low
        } else {
            Pressure::Ample
        }
    }
}

/// `0:12`, `1:02:03`; rounded down, for it counts what has passed.
fn passed_text(nsec: u64) -> String {
    let seconds = nsec / SECOND;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
