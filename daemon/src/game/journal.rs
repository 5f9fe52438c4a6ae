//! Writes the clock's changes into the log, with fields that an arbiter can search for later.

use clock_engine::rules::GameEventKind;
use clock_engine::{EventKind, Side};
use clockd_core::Button;
use clockd_rt::{Cause, Health, Update};

// One MESSAGE_ID for each kind of log message, for `journalctl MESSAGE_ID=…`.
const PRESS: &str = "3d2f9f4c1a6b4c54a3f2f0d0a9b87e11";
const IGNORED: &str = "5b1e4f0e6c3d4b0f8f5a7d1c2e9a6b22";
const FLAG: &str = "8e7c6b5a4d3f4e2d9c1b0a9f8e7d6c33";
const PERIOD: &str = "4f0f4a3d5f9e4c0b9a6f2b8d7c1e3a66";
const OVERTIME: &str = "e2c7d91b8a3f4f6d9b5c0e4a7d186f77";
const GONG: &str = "70b93c5e1d284a7fb64e9f02c8d5a188";
const SET_BACK: &str = "b6a41f7c92e0483d8c5b3e6a0f7d2999";
const CHANGE: &str = "a1c3e5f7092b4d6f81a3c5e7f90b2d44";
const DEFAULT: &str = "2c6e0b5d7f314a8e9b1d4c3f5a7e6baa";
const SCORE: &str = "9d3f1a7c5b2e4608a4c6e8f0b1d2c3bb";
const HOLD: &str = "61f0e2d4c3b5498796a8b7c6d5e4f3cc";
const FAULT: &str = "c9b8a7f6e5d44c3ba2918f7e6d5c4b55";

/// Writes an update of the clock loop into the log, unless its cause is a refused command.
pub fn update(update: &Update, health: &Health) {
    let at_nsec = update.at.as_nanos();
    let view = &update.view;
    match update.cause {
        Cause::Event(GameEventKind::Clock(kind)) => of_clock(kind, update),
        Cause::Event(GameEventKind::DefaultDue { side }) => {
            of_side(DEFAULT, side, update, "later than the default time");
        }
        Cause::Event(GameEventKind::ScoreOff { side }) => {
            of_side(SCORE, side, update, "the duty to keep score ends");
        }
        Cause::Event(GameEventKind::Hold { side }) => {
            of_side(HOLD, side, update, "a button is held for too long");
        }
        Cause::Event(_) | Cause::Command(..) | Cause::Started | Cause::Missed => change(update),
        Cause::Late(button) => tracing::error!(
            message_id = FAULT,
            button = button.as_str(),
            at_nsec,
            counted_from_nsec = view.at.as_nanos(),
            "press arrived after something later was decided; it counts from there on, or the next entry \
             says that it completed no move"
        ),
        Cause::PressBeforeFlag(side) => press_before_flag(side, update),
        Cause::SetBack => set_back(update),
        Cause::BoardGone { button, paused } => board_gone(button, paused, update),
        Cause::BoardBack => {
            tracing::info!(message_id = FAULT, at_nsec, "the board is back; its buttons are read");
            faults(update, health);
        }
        Cause::Restarted => {
            let restart = update.restart.map(|restart| restart.to_string());
            let what = restart.as_deref().unwrap_or("the game that was on the clock is back");
            tracing::warn!(
                message_id = FAULT,
                at_nsec,
                phase = view.phase.as_str(),
                revision = update.revision,
                "{what}"
            );
        }
        Cause::Fault => faults(update, health),
        Cause::GameNumber => tracing::info!(
            message_id = CHANGE,
            at_nsec,
            "the record has given the game on the clock another number"
        ),
        Cause::Refused => {}
    }
}

/// Writes into the log why the button board could not be opened.
pub fn board_missing(reason: &str) {
    tracing::error!(
        message_id = FAULT,
        "the button board cannot be opened: {reason}; clockd waits for it, and no press is read"
    );
}

/// Logs an event of one side that does not change the clock: the default time has passed, the duty
/// to keep score ends, or a button is held for too long.
fn of_side(message_id: &str, side: Side, update: &Update, what: &str) {
    let name = side.name();
    tracing::info!(
        message_id,
        side = side.as_str(),
        at_nsec = update.at.as_nanos(),
        remaining_nsec = update.view.sides[side].remaining.as_nanos(),
        revision = update.revision,
        "{name}: {what}"
    );
}

fn board_gone(button: Button, paused: bool, update: &Update) {
    let view = &update.view;
    tracing::error!(
        message_id = FAULT,
        button = button.as_str(),
        at_nsec = update.at.as_nanos(),
        paused,
        phase = view.phase.as_str(),
        on_move = view.on_move.as_str(),
        white_nsec = view.sides.white.remaining.as_nanos(),
        black_nsec = view.sides.black.remaining.as_nanos(),
        revision = update.revision,
        "the board is gone: no button is read until it is back"
    );
}

fn press_before_flag(side: Side, update: &Update) {
    let Some(press) = update.press_before_flag else { return };
    tracing::error!(
        message_id = FAULT,
        side = side.as_str(),
        pressed_nsec = press.pressed.as_nanos(),
        flag_nsec = press.flag.as_nanos(),
        revision = update.revision,
        "press was made before the flag but was read after the flag had been decided"
    );
}

fn faults(update: &Update, health: &Health) {
    let press = update.press_before_flag.map(|press| press.to_string());
    let faults: Vec<String> = health.faults().into_iter().chain(press).collect();
    let faults = faults.join("; ");
    if faults.is_empty() {
        tracing::info!(message_id = FAULT, "the clock has no fault any more");
    } else {
        tracing::warn!(message_id = FAULT, faults, "faults of the clock");
    }
}

fn of_clock(kind: EventKind, update: &Update) {
    let (at_nsec, view) = (update.at.as_nanos(), &update.view);
    match kind {
        EventKind::Press { side, accepted: true } => tracing::info!(
            message_id = PRESS,
            side = side.as_str(),
            at_nsec,
            remaining_nsec = view.sides[side].remaining.as_nanos(),
            moves = view.sides[side].moves,
            period = view.sides[side].period,
            "press"
        ),
        EventKind::Press { side, accepted: false } => tracing::info!(
            message_id = IGNORED,
            side = side.as_str(),
            at_nsec,
            phase = view.phase.as_str(),
            "press completed no move"
        ),
        EventKind::Flag { side, period } => tracing::info!(
            message_id = FLAG,
            side = side.as_str(),
            period,
            at_nsec,
            out_of_time = update.is_final(side, period),
            first = update.is_first(side, period),
            "flag"
        ),
        EventKind::Period { side, period } => tracing::info!(
            message_id = PERIOD,
            side = side.as_str(),
            period,
            at_nsec,
            remaining_nsec = view.sides[side].remaining.as_nanos(),
            "period"
        ),
        EventKind::Overtime { side, periods_left } => tracing::info!(
            message_id = OVERTIME,
            side = side.as_str(),
            periods_left,
            at_nsec,
            "overtime"
        ),
        EventKind::Gong { side } => {
            tracing::info!(message_id = GONG, side = side.as_str(), at_nsec, "gong");
        }
        EventKind::Call { .. } => change(update),
    }
}

/// Logs the times of both clocks, which the arbiter writes down when the clock is set back.
fn set_back(update: &Update) {
    let view = &update.view;
    tracing::info!(
        message_id = SET_BACK,
        at_nsec = update.at.as_nanos(),
        white_nsec = view.sides.white.remaining.as_nanos(),
        black_nsec = view.sides.black.remaining.as_nanos(),
        period = view.sides.black.period,
        moves = view.sides.black.moves,
        revision = update.revision,
        "set back: both clocks stand for the readings to be noted"
    );
}

fn change(update: &Update) {
    let sides = &update.view.sides;
    tracing::info!(
        message_id = CHANGE,
        what = update.cause.as_str(),
        at_nsec = update.at.as_nanos(),
        phase = update.view.phase.as_str(),
        on_move = update.view.on_move.as_str(),
        white_nsec = sides.white.remaining.as_nanos(),
        black_nsec = sides.black.remaining.as_nanos(),
        revision = update.revision,
        "clock"
    );
}
