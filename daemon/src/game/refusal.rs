//! The kinds of refusals with their names in the record, and the message of each refusal.

use clock_engine::rules::GameRefused;
use clock_engine::{Refused, Side};
use clockd_rt::Refusal;

/// The kind of a refusal. The bus has an error of the same name for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The clock has changed since the revision that was given.
    StaleRevision,
    /// The command is allowed only while both clocks stand, or it is a resume and the game is not
    /// paused.
    NotPaused,
    /// The command is allowed only before the start of the game.
    NotReady,
    /// The command is a pause and no clock runs, or it is allowed only after the start of the game.
    NotRunning,
    /// The game has a result.
    GameOver,
    /// A new game would destroy the game that is under way.
    GameUnderWay,
    /// The rocker does not match the side on move, so a resume must name the side on move.
    ConfirmOnMove,
    /// The button board is not connected.
    BoardGone,
    /// A clause of the rule profile forbids the command, or the state of the game does: for
    /// example, there is no press to take back.
    RefusedByRules,
    /// The command needs a rule profile, and the game has none.
    NoProfile,
    /// An argument is out of its range, or does not fit the time control.
    InvalidArgument,
    /// `MAX_REQUESTS` commands already wait for their answers.
    Busy,
}

impl RefusalKind {
    /// All kinds.
    #[cfg(test)]
    pub const ALL: [RefusalKind; 12] = [
        RefusalKind::StaleRevision,
        RefusalKind::NotPaused,
        RefusalKind::NotReady,
        RefusalKind::NotRunning,
        RefusalKind::GameOver,
        RefusalKind::GameUnderWay,
        RefusalKind::ConfirmOnMove,
        RefusalKind::BoardGone,
        RefusalKind::RefusedByRules,
        RefusalKind::NoProfile,
        RefusalKind::InvalidArgument,
        RefusalKind::Busy,
    ];

    /// The name of the kind in the record. It is the name of the D-Bus error, because records have
    /// always contained that name.
    pub fn name(self) -> &'static str {
        match self {
            RefusalKind::StaleRevision => "org.chessclock.Clock1.Error.StaleRevision",
            RefusalKind::NotPaused => "org.chessclock.Clock1.Error.NotPaused",
            RefusalKind::NotReady => "org.chessclock.Clock1.Error.NotReady",
            RefusalKind::NotRunning => "org.chessclock.Clock1.Error.NotRunning",
            RefusalKind::GameOver => "org.chessclock.Clock1.Error.GameOver",
            RefusalKind::GameUnderWay => "org.chessclock.Clock1.Error.GameUnderWay",
            RefusalKind::ConfirmOnMove => "org.chessclock.Clock1.Error.ConfirmOnMove",
            RefusalKind::BoardGone => "org.chessclock.Clock1.Error.BoardGone",
            RefusalKind::RefusedByRules => "org.chessclock.Clock1.Error.RefusedByRules",
            RefusalKind::NoProfile => "org.chessclock.Clock1.Error.NoProfile",
            RefusalKind::InvalidArgument => "org.chessclock.Clock1.Error.InvalidArgument",
            RefusalKind::Busy => "org.chessclock.Clock1.Error.Busy",
        }
    }
}

/// The kind of this refusal, and its message. If a clause of the laws forbids the command, the
/// message names the clause and its source.
pub fn in_words(refusal: Refusal) -> (RefusalKind, String) {
    match refusal {
        Refusal::Game(game) => {
            let kind = match game {
                GameRefused::Clock { refused, .. } => kind_of_clock(refused),
                GameRefused::Rules(_) => RefusalKind::RefusedByRules,
                GameRefused::NoProfile => RefusalKind::NoProfile,
            };
            (kind, game.cited().to_string())
        }
        Refusal::Stale { given, current } => (
            RefusalKind::StaleRevision,
            format!("the clock has changed: revision {given} was given, it is at {current} now"),
        ),
        Refusal::ConfirmOnMove { down } => {
            let throw = match down {
                Some(Side::White) => "White's throw is down",
                Some(Side::Black) => "Black's throw is down",
                None => "it is unknown which throw is down",
            };
            let message = format!(
                "the rocker does not match the side on move: {throw}; push it over, or name the side \
                 that is on move"
            );
            (RefusalKind::ConfirmOnMove, message)
        }
        Refusal::BoardGone => (
            RefusalKind::BoardGone,
            "the buttons are not connected, so no clock is started; check the cable, or look in the log \
             for the reason"
                .to_owned(),
        ),
        Refusal::Busy => (
            RefusalKind::Busy,
            "too many commands wait at once; nothing was done".to_owned(),
        ),
    }
}

/// The text for the record: the name of the refusal's kind, a colon, and the message.
pub fn on_record(refusal: Refusal) -> String {
    let (kind, message) = in_words(refusal);
    format!("{}: {message}", kind.name())
}

fn kind_of_clock(refused: Refused) -> RefusalKind {
    match refused {
        Refused::NotReady(_) => RefusalKind::NotReady,
        Refused::NotRunning(_) => RefusalKind::NotRunning,
        Refused::NotPaused(_) => RefusalKind::NotPaused,
        Refused::GameOver => RefusalKind::GameOver,
        Refused::GameUnderWay(..) => RefusalKind::GameUnderWay,
        Refused::WhiteBegins
        | Refused::NotOver(_)
        | Refused::CutTooLarge { .. }
        | Refused::OutOfTime
        | Refused::NothingToUndo
        | Refused::NoUndo
        | Refused::MethodFixed => RefusalKind::RefusedByRules,
        Refused::Earlier { .. }
        | Refused::TooMuchTime
        | Refused::LimitReached { .. }
        | Refused::NoSuchPeriod { .. }
        | Refused::NoOvertime { .. }
        | Refused::NoSuchOvertime { .. }
        | Refused::OtherControl
        | Refused::ControlUnfit(_) => RefusalKind::InvalidArgument,
    }
}
