//! Converts between the types of the engine and those of the D-Bus interface, and makes the errors for
//! arguments that name something which does not exist or cannot be read.

pub use crate::game::error_of;
use crate::game::{GameInfo, NotDone};
use clock_dbus::argument::{invalid, shortened};
use clock_dbus::{Corrections, Error, Fault, FaultCode, Question, State, TestedButton, Who};
use clock_engine::rules::Ground;
use clock_engine::{Correction, PerSide, Side, Span};
use clockd_core::Button;
use clockd_rt::{self as rt, Health, Restart, Update};

/// A button, by its wiring.
pub fn button(button: Button) -> TestedButton {
    match button {
        Button::Player(Side::White) => TestedButton::White,
        Button::Player(Side::Black) => TestedButton::Black,
        Button::Call => TestedButton::Call,
    }
}

/// The state as it is published. The caller sets `sequence` and `game_number`.
pub fn state(update: &Update, game: &GameInfo, faults: Vec<Fault>) -> State {
    let mut state = State {
        revision: update.revision,
        faults,
        time_control: game.control.clone(),
        board: game.board.clone(),
        round: game.round.clone(),
        event: game.event.clone(),
        start_at_realtime_nsec: game
            .start
            .filter(|start| start.is_awaited(update.view.phase))
            .map(|start| start.realtime_nsec),
        texts_version: game.texts_version,
        rules: game.rules.as_ref().map(|rules| rules.name.clone()).unwrap_or_default(),
        questions: update.questions.iter().map(|(asked, to)| Question::new(asked, to)).collect(),
        ..State::from(&update.view)
    };
    state.white.player.clone_from(&game.players.white);
    state.black.player.clone_from(&game.players.black);
    state
}

/// The word for the ground of a claim. It is empty for a request for an increment, which has no
/// ground.
pub fn ground(ground: Option<Ground>) -> &'static str {
    ground.map_or("", Ground::as_str)
}

/// All faults as a list, the most serious first: those of `health`, and those that `update`
/// carries.
pub fn faults(health: &Health, update: &Update) -> Vec<Fault> {
    let set = health.fault_set();
    let of_set = set.iter().map(|fault| (fault_code(fault), health.text_of(fault)));
    let press = update.press_before_flag;
    let press = press.map(|press| (FaultCode::PressBeforeFlag, press.to_string()));
    let restart = update.restart.map(|restart| {
        let code = match restart {
            Restart::WhileRunning { .. } => FaultCode::Restarted,
            Restart::PowerCut { .. } => FaultCode::PowerCut,
        };
        (code, restart.to_string())
    });
    let mut faults: Vec<_> = of_set.chain(press).chain(restart).collect();
    faults.sort_by_key(|(code, _)| *code);
    faults.into_iter().map(|(code, text)| Fault::new(code, text)).collect()
}

fn fault_code(fault: rt::Fault) -> FaultCode {
    match fault {
        rt::Fault::BoardGone => FaultCode::BoardGone,
        rt::Fault::Stuck(Button::Player(Side::White)) => FaultCode::StuckWhite,
        rt::Fault::Stuck(Button::Player(Side::Black)) => FaultCode::StuckBlack,
        rt::Fault::Stuck(Button::Call) => FaultCode::StuckCall,
        rt::Fault::RockerCrossed => FaultCode::RockerCrossed,
        rt::Fault::ConfigurationRefused => FaultCode::ConfigurationRefused,
        rt::Fault::LatePress(_) => FaultCode::LatePress,
        rt::Fault::ClockRate => FaultCode::ClockRate,
        rt::Fault::EdgesDropped(_) => FaultCode::EdgesDropped,
        rt::Fault::Noise(_) => FaultCode::Noise,
        rt::Fault::UpdatesLost(_) => FaultCode::UpdatesLost,
        rt::Fault::NoRealtime => FaultCode::NoRealtime,
        rt::Fault::NoRecord => FaultCode::NoRecord,
        rt::Fault::Storage => FaultCode::Storage,
        rt::Fault::RecordLost { .. } => FaultCode::RecordLost,
        rt::Fault::RecordMovedAside => FaultCode::RecordMovedAside,
        rt::Fault::MemoryDamaged => FaultCode::MemoryDamaged,
        rt::Fault::RecordMismatch => FaultCode::RecordMismatch,
    }
}

/// Converts a correction to the type of the engine.
pub fn correction(from: &Corrections) -> Correction {
    let time = |nsec: Option<u64>| nsec.map(Span::from_nanos);
    Correction {
        time: PerSide { white: time(from.white_time_nsec), black: time(from.black_time_nsec) },
        moves: PerSide { white: from.white_moves, black: from.black_moves },
        period: PerSide { white: from.white_period, black: from.black_period },
        overtime_periods: PerSide {
            white: from.white_overtime_periods,
            black: from.black_overtime_periods,
        },
        overtime_moves: PerSide {
            white: from.white_overtime_moves,
            black: from.black_overtime_moves,
        },
        on_move: from.on_move.and_then(Who::side),
    }
}

/// The named error of a command that was not carried out.
pub fn not_done(reason: NotDone) -> Error {
    match reason {
        NotDone::Refused(refusal) => error_of(refusal),
        NotDone::NotAllowed(message) => Error::RefusedByRules(message),
        NotDone::TimedOut => Error::TimedOut(reason.to_string()),
    }
}

/// The error for a time control that does not exist or cannot be read.
pub fn invalid_control(problem: &str) -> Error {
    Error::InvalidControl(shortened(problem))
}

/// The error for a rule profile that does not exist or cannot be read.
pub fn invalid_rules(problem: &str) -> Error {
    Error::InvalidRules(shortened(problem))
}

/// The error if the state in the key `State` of `Import` cannot be imported.
pub fn invalid_state(problem: &str) -> Error {
    invalid(shortened(&format!("State: {problem}")))
}

/// The error for a record that cannot be read.
pub fn no_record(problem: &str) -> Error {
    Error::NoRecord(shortened(problem))
}
