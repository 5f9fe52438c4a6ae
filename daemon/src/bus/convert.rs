//! Converts between the types of the engine and those of the D-Bus interface.

mod questions;

pub use crate::game::refusal::error;
use crate::game::{GameInfo, ImportedFrom, NotDone};
use clock_dbus::{
    ClaimState, Corrections, Error, Fault, FaultCode, PausedBy, SideState, State, TestedButton, Who,
};
use clock_engine::rules::{ClaimView, Ground, Lateness, SideNotes};
use clock_engine::text::describe_method;
use clock_engine::{
    Caller, Correction, Instant, Method, Outcome, PerSide, Side, SideView, Span, View,
};
use clockd_core::Button;
use clockd_rt::{self as rt, Health, Restart, Update};

/// Converts the origin of an imported game to the type that the record stores.
pub fn imported_from(source: clock_dbus::ImportedFrom) -> ImportedFrom {
    let clock_dbus::ImportedFrom { machine, game, chain } = source;
    ImportedFrom { machine, game, chain }
}

/// A button, by its wiring.
pub fn button(button: Button) -> TestedButton {
    match button {
        Button::Player(Side::White) => TestedButton::White,
        Button::Player(Side::Black) => TestedButton::Black,
        Button::Call => TestedButton::Call,
    }
}

/// The state as it is published. The caller sets `sequence` and `game_number`.
///
/// The patterns have no `..`, here and in the functions below. So if the engine gets a new field,
/// the code does not compile until this module says whether the bus publishes the field.
pub fn state(update: &Update, game: &GameInfo, faults: Vec<Fault>) -> State {
    let Update {
        view,
        revision,
        claim,
        adjourned,
        announcement,
        changed_method,
        methods,
        low_times,
        side_notes,
        lateness,
        buttons_exchanged,
        ref questions,
        // No property contains these two: `entry` is for the record, and `answer` is for the caller
        // of the command.
        entry: _,
        answer: _,
        // The signals contain these three.
        cause: _,
        at: _,
        noted: _,
        // faults() has converted these two to faults.
        press_before_flag: _,
        restart: _,
    } = *update;
    let GameInfo {
        control,
        players,
        board,
        round,
        event,
        rules,
        // `GetTimeControl` returns this text.
        control_text: _,
        // These two decide who may give commands. They are not part of the state of the clock.
        captain_plays: _,
        present_arbiter: _,
        start,
        // This goes into the record only.
        imported_from: _,
        texts_version,
        set_up_at_clock: _,
    } = game;
    let View {
        at,
        phase: phase_of_view,
        on_move,
        sides,
        first_flag,
        called_by,
        paused_by: reason,
        outcome,
        last_period,
        counting: counting_of_view,
    } = view;
    let of_side = |side: Side| {
        let notes = (side_notes[side], lateness[side]);
        side_state(sides[side], notes, (methods[side], low_times[side]), &players[side])
    };
    let (claim_by, claim_ground, claim_state) = match claim {
        None => (None, "", ClaimState::Nothing),
        Some(ClaimView { by, ground, pending, at: _ }) => {
            let state = if pending { ClaimState::Pending } else { ClaimState::Called };
            (Some(by), ground.as_str(), state)
        }
    };
    State {
        sequence: 0,
        revision,
        at_nsec: at.as_nanos(),
        phase: phase_of_view,
        on_move: on_move.into(),
        running: Who::from(view.running()),
        first_flag: Who::from(first_flag),
        arbiter_called_by: called_by.map_or(Who::Nobody, caller),
        paused_by: reason.map_or(PausedBy::Nothing, paused_by),
        announcement: announcement.map(|text| text.as_str().to_owned()).unwrap_or_default(),
        faults,
        time_control: control.clone(),
        changed_method: changed_method.map(describe_method).unwrap_or_default(),
        periods: last_period.unwrap_or(0),
        counting: counting_of_view,
        white: of_side(Side::White),
        black: of_side(Side::Black),
        board: board.clone(),
        round: round.clone(),
        event: event.clone(),
        start_at_realtime_nsec: start
            .filter(|start| start.is_awaited(phase_of_view))
            .map(|start| start.realtime_nsec),
        game_number: None,
        texts_version: *texts_version,
        result: outcome.map_or("", Outcome::as_str).to_owned(),
        rules: rules.as_ref().map(|rules| rules.name.clone()).unwrap_or_default(),
        claim_by: Who::from(claim_by),
        claim_ground: claim_ground.to_owned(),
        claim_state,
        buttons_exchanged,
        resume_confirmed_by: Who::from(resume_confirmed_by(phase_of_view, &side_notes)),
        adjourned: Who::from(adjourned),
        questions: questions::questions(questions),
    }
}

/// The only player who has confirmed that a paused game goes on; `None` if neither or both have.
fn resume_confirmed_by(phase: clock_engine::Phase, notes: &PerSide<SideNotes>) -> Option<Side> {
    let mut confirmed = Side::BOTH.into_iter().filter(|side| notes[*side].confirmed_resume);
    let only = confirmed.next().filter(|_| confirmed.next().is_none());
    only.filter(|_| phase == clock_engine::Phase::Paused)
}

/// The values of one side. The second argument is what the rules have noted of its player, and how
/// late he is. The third one is the side's method and the time left at which its time becomes low.
fn side_state(
    side: SideView,
    (notes, lateness): (SideNotes, Option<Lateness>),
    (method, low): (Method, Span),
    player: &str,
) -> SideState {
    let SideView {
        remaining,
        limit,
        delay,
        moves,
        period,
        flag,
        out_of_time,
        overrun,
        overtime,
        owed,
    } = side;
    let SideNotes {
        illegal_moves, warnings, penalty_due, half_points_off, half_points_given, ..
    } = notes;
    let (method, amount) = method_and_amount(method);
    SideState {
        remaining_nsec: remaining.as_nanos(),
        limit_nsec: limit.map(Span::as_nanos),
        delay_nsec: delay.as_nanos(),
        method,
        method_nsec: amount.as_nanos(),
        low_nsec: low.as_nanos(),
        moves,
        period,
        flag_nsec: flag.map(Instant::as_nanos),
        out_of_time,
        overrun_nsec: overrun.as_nanos(),
        overtime_periods: overtime.map(|left| left.periods),
        overtime_moves: overtime.map(|left| left.moves),
        owed_nsec: owed.as_nanos(),
        illegal_moves,
        warnings,
        penalty_due,
        half_points_off,
        half_points_given,
        late_nsec: lateness.map_or(0, |late| late.by.as_nanos()),
        absent: lateness.is_some_and(|late| late.is_absent),
        player: player.to_owned(),
    }
}

/// The word for a method, and its increment or delay.
fn method_and_amount(method: Method) -> (clock_dbus::Method, Span) {
    match method {
        Method::Increment(amount) => (clock_dbus::Method::Increment, amount),
        Method::Delay(amount) => (clock_dbus::Method::Delay, amount),
        Method::Bronstein(amount) => (clock_dbus::Method::Bronstein, amount),
        Method::None
        | Method::Overtime(_)
        | Method::Hourglass
        | Method::Gong(_)
        | Method::CountUp { .. } => (clock_dbus::Method::None, Span::ZERO),
    }
}

/// The word for the ground of a claim. It is empty for a request for an increment, which has no
/// ground.
pub fn ground(ground: Option<Ground>) -> &'static str {
    ground.map_or("", Ground::as_str)
}

/// Who has called the arbiter, as a word of the D-Bus interface.
pub fn caller(caller: Caller) -> Who {
    match caller {
        Caller::Arbiter => Who::Arbiter,
        Caller::Player(side) => side.into(),
        Caller::Button => Who::Button,
        // A fault or a power cut stops the clocks but calls nobody.
        Caller::Fault | Caller::PowerCut => Who::Nobody,
    }
}

fn paused_by(reason: clock_engine::PausedBy) -> PausedBy {
    match reason {
        clock_engine::PausedBy::Caller(Caller::Arbiter) => PausedBy::Arbiter,
        clock_engine::PausedBy::Caller(Caller::Player(Side::White)) => PausedBy::White,
        clock_engine::PausedBy::Caller(Caller::Player(Side::Black)) => PausedBy::Black,
        clock_engine::PausedBy::Caller(Caller::Button) => PausedBy::Button,
        // A button board that is gone is the only fault that pauses a clock.
        clock_engine::PausedBy::Caller(Caller::Fault) => PausedBy::BoardGone,
        clock_engine::PausedBy::Caller(Caller::PowerCut) => PausedBy::PowerCut,
        clock_engine::PausedBy::SetBack => PausedBy::SetBack,
    }
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
        NotDone::Refused(refusal) => error(refusal),
        NotDone::NotAllowed(message) => Error::RefusedByRules(message),
        NotDone::TimedOut => Error::TimedOut(reason.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Phase;

    #[test]
    fn one_player_who_has_confirmed_a_resume_is_named_while_the_game_is_paused() {
        let notes = |confirmed_resume| SideNotes { confirmed_resume, ..SideNotes::default() };
        let by = |phase, white, black| {
            let notes = PerSide { white: notes(white), black: notes(black) };
            resume_confirmed_by(phase, &notes)
        };
        assert_eq!(by(Phase::Paused, true, false), Some(Side::White));
        assert_eq!(by(Phase::Paused, false, true), Some(Side::Black));
        assert_eq!(by(Phase::Paused, true, true), None);
        assert_eq!(by(Phase::Paused, false, false), None);
        assert_eq!(by(Phase::Over, true, false), None);
    }
}
