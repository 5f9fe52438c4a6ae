//! The error of each refusal, with its message.

use clock_dbus::Error;
use clock_engine::rules::GameRefused;
use clock_engine::{Refused, Side};
use clockd_rt::Refusal;
use zbus::DBusError;

/// The error for this refusal. If a clause of the laws forbids the command, its message names the
/// clause and its source.
pub fn error(refusal: Refusal) -> Error {
    match refusal {
        Refusal::Game(game) => {
            let named = match game {
                GameRefused::Clock { refused, .. } => of_the_clock(refused),
                GameRefused::Rules(_) => Error::RefusedByRules,
                GameRefused::NoProfile => Error::NoProfile,
            };
            named(game.cited().to_string())
        }
        Refusal::Stale { given, current } => Error::StaleRevision(format!(
            "the clock has changed: revision {given} was given, it is at {current} now"
        )),
        Refusal::ConfirmOnMove { down } => {
            let throw = match down {
                Some(Side::White) => "White's throw is down",
                Some(Side::Black) => "Black's throw is down",
                None => "it is unknown which throw is down",
            };
            Error::ConfirmOnMove(format!(
                "the rocker does not match the side on move: {throw}; push it over, or name the side \
                 that is on move"
            ))
        }
        Refusal::BoardGone => Error::BoardGone(
            "the buttons are not connected, so no clock is started; check the cable, or look in the log \
             for the reason"
                .to_owned(),
        ),
        Refusal::Busy => {
            Error::Busy("too many commands wait at once; nothing was done".to_owned())
        }
    }
}

/// The text for the record: the name of the error, a colon, and the message.
pub fn on_record(refusal: Refusal) -> String {
    let error = error(refusal);
    format!("{}: {}", error.name(), error.description().unwrap_or_default())
}

fn of_the_clock(refused: Refused) -> fn(String) -> Error {
    match refused {
        Refused::NotReady(_) => Error::NotReady,
        Refused::NotRunning(_) => Error::NotRunning,
        Refused::NotPaused(_) => Error::NotPaused,
        Refused::GameOver => Error::GameOver,
        Refused::GameUnderWay(..) => Error::GameUnderWay,
        Refused::WhiteBegins
        | Refused::NotOver(_)
        | Refused::CutTooLarge { .. }
        | Refused::OutOfTime
        | Refused::NothingToUndo
        | Refused::NoUndo
        | Refused::MethodFixed => Error::RefusedByRules,
        Refused::Earlier { .. }
        | Refused::TooMuchTime
        | Refused::LimitReached { .. }
        | Refused::NoSuchPeriod { .. }
        | Refused::NoOvertime { .. }
        | Refused::NoSuchOvertime { .. }
        | Refused::OtherControl
        | Refused::ControlUnfit(_) => Error::InvalidArgument,
    }
}
