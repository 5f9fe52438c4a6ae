//! The named errors of the service.

/// What the service answers when it refuses; the D-Bus name is
/// `org.chessclock.Clock1.Error.` and the variant.
///
/// The message names what was given, what is accepted and, where a rule forbids it, the clause.
#[derive(Debug, zbus::DBusError)]
#[zbus(prefix = "org.chessclock.Clock1.Error")]
pub enum Error {
    /// An error of the bus itself.
    #[zbus(error)]
    ZBus(zbus::Error),
    /// The clock has changed since the revision the caller saw.
    StaleRevision(String),
    /// Only while paused (for corrections: ready, paused or awaiting a ruling).
    NotPaused(String),
    /// Only before the start of the game.
    NotReady(String),
    /// Only while a clock runs.
    NotRunning(String),
    /// The result stands; only a new game changes the clock.
    GameOver(String),
    /// A game is under way, which a new game would destroy. The message names what would be lost;
    /// `Force` in the dictionary of `New` allows it.
    GameUnderWay(String),
    /// The rocker does not stand as the clock has it: a resume must name the side on move.
    ConfirmOnMove(String),
    /// The button board is not connected: no press would be read, so no clock is started.
    BoardGone(String),
    /// A rule forbids it; the message names the clause.
    RefusedByRules(String),
    /// The time control cannot be read or does not exist.
    InvalidControl(String),
    /// A value is out of its range.
    InvalidArgument(String),
    /// Too many commands wait at once; this one was not carried out.
    Busy(String),
    /// The clock loop did not answer in time; whether the command was carried out is not known.
    TimedOut(String),
}

/// A result with the service's errors.
pub type Result<T> = std::result::Result<T, Error>;
