//! What the face says, without how it looks: a state turned into texts and marks.
//!
//! Two equal views look the same, so the face is painted again only when its view differs.
//! Nothing here prompts a player (FIDE 12.6): no word about moves still to make or a press that
//! was forgotten.

use clock_dbus::{Phase, SideState, State, Who, face_text};

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

/// The line about the game as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Calm(String),
    /// Both clocks stand: to be seen from afar.
    Stands(String),
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
    pub period: u32,
    pub periods: u32,
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
            player: player.chars().filter(|c| !c.is_control()).collect(),
            time: face_text(half.remaining_nsec),
            mark: Mark::of(state, side),
            pressure: Pressure::of(&half, state.first_flag == side.who()),
            delay: (half.delay_nsec > 0).then(|| half.delay_nsec.div_ceil(SECOND)),
            period: half.period,
            periods: state.periods,
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
    fn of(half: &SideState, first: bool) -> Pressure {
        if half.flag_nsec >= 0 {
            let overrun = (half.overrun_nsec > 0).then(|| overrun_text(half.overrun_nsec));
            Pressure::Flagged { first, overrun }
        } else if half.remaining_nsec <= LOW_FROM {
            Pressure::Low
        } else {
            Pressure::Ample
        }
    }
}

impl Status {
    fn of(state: &State) -> Status {
        let phase = match state.phase {
            Phase::Running => state.time_control.clone(),
            Phase::Ready => {
                "READY - White's clock starts when Black presses or the arbiter starts".into()
            }
            Phase::Paused => "PAUSED".into(),
            Phase::Ruling => "AWAITING A RULING".into(),
            Phase::Over => format!("RESULT {}", state.result),
        };
        match (called(state), state.phase) {
            (Some(call), _) => Status::Stands(format!("{call} - {phase}")),
            (None, Phase::Running | Phase::Ready) => Status::Calm(phase),
            (None, _) => Status::Stands(phase),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Status::Calm(text) | Status::Stands(text) => text,
        }
    }
}

fn called(state: &State) -> Option<String> {
    match state.arbiter_called_by {
        Who::Nobody => None,
        Who::White => Some("ARBITER CALLED (White)".into()),
        Who::Black => Some("ARBITER CALLED (Black)".into()),
        Who::Arbiter | Who::Button => Some("ARBITER CALLED".into()),
    }
}

/// `+0:12`, `+1:02:03`; rounded down, for it counts what has passed.
fn overrun_text(nsec: u64) -> String {
    let seconds = nsec / SECOND;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("+{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("+{minutes}:{seconds:02}")
    }
}
