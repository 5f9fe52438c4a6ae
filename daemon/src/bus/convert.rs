//! Conversion between the types of the engine and those of the wire.

mod questions;

use crate::game::refusal::{self, RefusalKind};
use crate::game::{GameInfo, ImportedFrom, NotDone};
use crate::rt::{self, FaultSet, Refusal, Restart, Update};
use clock_dbus::{
    ClaimState, Corrections, Counting, Error, Fault, FaultCode, PausedBy, Phase, State, Who,
};
use clock_engine::rules::Ground;
use clock_engine::{Caller, Correction, Instant, Outcome, PerSide, Side, Span};
use clockd_core::Button;

/// The origin of an imported game, as it is recorded.
pub fn imported_from(source: clock_dbus::ImportedFrom) -> ImportedFrom {
    let clock_dbus::ImportedFrom { machine, game, chain } = source;
    ImportedFrom { machine, game, chain }
}

/// The state as it is published. The caller adds the numbers of the state and of the game.
pub fn state(update: &Update, game: &GameInfo, faults: Vec<Fault>) -> State {
    let Update { view, revision, claim, adjourned, .. } = *update;
    let (white, black) = (&view.sides.white, &view.sides.black);
    State {
        sequence: 0,
        revision,
        at_nsec: view.at.as_nanos(),
        phase: phase(view.phase),
        on_move: who(Some(view.on_move)),
        running: who(view.running()),
        first_flag: who(view.first_flag),
        arbiter_called_by: view.called_by.map_or(Who::Nobody, caller),
        paused_by: view.paused_by.map_or(PausedBy::Nothing, paused_by),
        faults,
        time_control: game.control.clone(),
        periods: view.last_period.unwrap_or(0),
        counting: counting(view.counting),
        white_remaining_nsec: white.remaining.as_nanos(),
        white_limit_nsec: white.limit.map(Span::as_nanos),
        white_delay_nsec: white.delay.as_nanos(),
        white_moves: white.moves,
        white_period: white.period,
        white_flag_nsec: white.flag.map(Instant::as_nanos),
        white_out_of_time: white.out_of_time,
        white_overrun_nsec: white.overrun.as_nanos(),
        white_overtime_periods: white.overtime.map(|left| left.periods),
        white_overtime_moves: white.overtime.map(|left| left.moves),
        white_owed_nsec: white.owed.as_nanos(),
        black_remaining_nsec: black.remaining.as_nanos(),
        black_limit_nsec: black.limit.map(Span::as_nanos),
        black_delay_nsec: black.delay.as_nanos(),
        black_moves: black.moves,
        black_period: black.period,
        black_flag_nsec: black.flag.map(Instant::as_nanos),
        black_out_of_time: black.out_of_time,
        black_overrun_nsec: black.overrun.as_nanos(),
        black_overtime_periods: black.overtime.map(|left| left.periods),
        black_overtime_moves: black.overtime.map(|left| left.moves),
        black_owed_nsec: black.owed.as_nanos(),
        white_player: game.players.white.clone(),
        black_player: game.players.black.clone(),
        game_number: None,
        result: view.outcome.map_or("", Outcome::as_str).to_owned(),
        rules: game.rules.as_ref().map(|rules| rules.name.clone()).unwrap_or_default(),
        claim_by: who(claim.map(|claim| claim.by)),
        claim_ground: claim.map_or("", |claim| claim.ground.as_str()).to_owned(),
        claim_state: match claim {
            None => ClaimState::Nothing,
            Some(claim) if claim.pending => ClaimState::Pending,
            Some(_) => ClaimState::Called,
        },
        buttons_exchanged: update.buttons_exchanged,
        adjourned: who(adjourned),
        questions: questions::questions(&update.questions),
    }
}

fn phase(phase: clock_engine::Phase) -> Phase {
    match phase {
        clock_engine::Phase::Ready => Phase::Ready,
        clock_engine::Phase::Running => Phase::Running,
        clock_engine::Phase::Paused => Phase::Paused,
        clock_engine::Phase::Ruling => Phase::Ruling,
        clock_engine::Phase::Over => Phase::Over,
    }
}

fn counting(counting: clock_engine::Counting) -> Counting {
    match counting {
        clock_engine::Counting::Down => Counting::Down,
        clock_engine::Counting::Hourglass => Counting::Hourglass,
        clock_engine::Counting::Up => Counting::Up,
    }
}

/// The word for the ground of a claim. It is empty for a request for an increment, which has none.
pub fn ground(ground: Option<Ground>) -> &'static str {
    ground.map_or("", Ground::as_str)
}

/// A side on the wire.
pub fn who(side: Option<Side>) -> Who {
    match side {
        None => Who::Nobody,
        Some(Side::White) => Who::White,
        Some(Side::Black) => Who::Black,
    }
}

/// A caller on the wire.
pub fn caller(caller: Caller) -> Who {
    match caller {
        Caller::Arbiter => Who::Arbiter,
        Caller::Player(side) => who(Some(side)),
        Caller::Button => Who::Button,
        // A fault stops the clocks but calls nobody.
        Caller::Fault | Caller::PowerCut => Who::Nobody,
    }
}

fn paused_by(reason: clock_engine::PausedBy) -> PausedBy {
    match reason {
        clock_engine::PausedBy::Caller(Caller::Arbiter) => PausedBy::Arbiter,
        clock_engine::PausedBy::Caller(Caller::Player(Side::White)) => PausedBy::White,
        clock_engine::PausedBy::Caller(Caller::Player(Side::Black)) => PausedBy::Black,
        clock_engine::PausedBy::Caller(Caller::Button) => PausedBy::Button,
        // Of all faults, only this one pauses a clock.
        clock_engine::PausedBy::Caller(Caller::Fault) => PausedBy::BoardGone,
        clock_engine::PausedBy::Caller(Caller::PowerCut) => PausedBy::PowerCut,
        clock_engine::PausedBy::SetBack => PausedBy::SetBack,
    }
}

/// The faults as a list, the most serious first.
pub fn faults(set: FaultSet, update: &Update) -> Vec<Fault> {
    let of_set = set.iter().map(|fault| (fault_code(fault), fault.to_string()));
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
        rt::Fault::LatePress(_) => FaultCode::LatePress,
        rt::Fault::ClockRate => FaultCode::ClockRate,
        rt::Fault::EdgesDropped(_) => FaultCode::EdgesDropped,
        rt::Fault::Noise(_) => FaultCode::Noise,
        rt::Fault::UpdatesLost(_) => FaultCode::UpdatesLost,
        rt::Fault::NoRealtime => FaultCode::NoRealtime,
        rt::Fault::Storage => FaultCode::Storage,
        rt::Fault::EntriesLost(_) => FaultCode::RecordLost,
        rt::Fault::RecordMovedAside => FaultCode::RecordMovedAside,
        rt::Fault::RecordMismatch => FaultCode::RecordMismatch,
    }
}

/// The correction in the type of the engine.
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
        on_move: from.on_move.and_then(side),
    }
}

/// The side of a player; `None` for everyone else.
pub fn side(who: Who) -> Option<Side> {
    who.side().map(|side| match side {
        clock_dbus::Side::White => Side::White,
        clock_dbus::Side::Black => Side::Black,
    })
}

/// The named error of a command that was not carried out.
pub fn not_done(reason: NotDone) -> Error {
    match reason {
        NotDone::Refused(refusal) => error(refusal),
        NotDone::NotAllowed(message) => Error::RefusedByRules(message),
        NotDone::TimedOut => Error::TimedOut(reason.to_string()),
    }
}

/// The named error of a refusal.
pub fn error(refusal: Refusal) -> Error {
    let (kind, message) = refusal::in_words(refusal);
    named(kind, message)
}

fn named(kind: RefusalKind, message: String) -> Error {
    match kind {
        RefusalKind::StaleRevision => Error::StaleRevision(message),
        RefusalKind::NotPaused => Error::NotPaused(message),
        RefusalKind::NotReady => Error::NotReady(message),
        RefusalKind::NotRunning => Error::NotRunning(message),
        RefusalKind::GameOver => Error::GameOver(message),
        RefusalKind::GameUnderWay => Error::GameUnderWay(message),
        RefusalKind::ConfirmOnMove => Error::ConfirmOnMove(message),
        RefusalKind::BoardGone => Error::BoardGone(message),
        RefusalKind::RefusedByRules => Error::RefusedByRules(message),
        RefusalKind::NoProfile => Error::NoProfile(message),
        RefusalKind::InvalidArgument => Error::InvalidArgument(message),
        RefusalKind::Busy => Error::Busy(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::DBusError;

    #[test]
    fn a_refusal_has_the_same_name_in_the_record_and_on_the_bus() {
        for kind in RefusalKind::ALL {
            assert_eq!(kind.name(), named(kind, String::new()).name().as_str());
        }
    }
}
