//! The named errors of the service.

/// An error of the service. Its D-Bus name is `org.chessclock.Clock1.Error.` followed by the name
/// of the variant.
///
/// The message says what was given and what is accepted. If a clause of the laws forbids the
/// command, the message names the clause and the title of its source.
#[derive(Debug, zbus::DBusError)]
#[zbus(prefix = "org.chessclock.Clock1.Error")]
pub enum Error {
    /// An error of the bus itself.
    #[zbus(error)]
    ZBus(zbus::Error),
    /// The clock has changed since the revision that was given with the command.
    StaleRevision(String),
    /// The command is allowed only while both clocks stand: in `ready`, `paused` and `ruling`. A
    /// resume is allowed only in `paused`.
    NotPaused(String),
    /// The command is allowed only before the start of the game.
    NotReady(String),
    /// The command is a pause and no clock runs, or the command is allowed only after the start of
    /// the game and the game has not started.
    NotRunning(String),
    /// A result stands. It must be taken back, or a new game must be set up, before the clock can
    /// be changed.
    GameOver(String),
    /// The command would destroy the game under way, or cancel a scheduled start. For a game under
    /// way, the message has the times of both sides. `Force` in the dictionary of `New` or `Import`
    /// allows the command all the same.
    GameUnderWay(String),
    /// The position of the rocker (the lever that both players press) does not match the side on
    /// move. `Resume` is then refused, unless its argument names the side that is to be on move.
    ConfirmOnMove(String),
    /// The button board is not connected: no press would be read, so no clock is started.
    BoardGone(String),
    /// A clause of the laws or the state of the game forbids the command: for example, there is no
    /// press to take back. The message names the clause, if there is one.
    RefusedByRules(String),
    /// The command needs a rule profile, and the game has none.
    NoProfile(String),
    /// The time control does not exist or cannot be read.
    InvalidControl(String),
    /// The rule profile does not exist or cannot be read.
    InvalidRules(String),
    /// An argument is none of the accepted values, is out of its range or too long, or changes
    /// nothing.
    InvalidArgument(String),
    /// The record cannot be read: there is none, or the storage fails or is too slow.
    NoRecord(String),
    /// The record has no such game, entry or move, or the caller has begun no test of the buttons.
    NotFound(String),
    /// Too many commands, or too many reads of the record, were waiting already, or another program
    /// or the menu has the buttons. This call was not carried out.
    Busy(String),
    /// The bus does not say who calls, because the caller has left the bus. The command was not
    /// carried out.
    UnknownCaller(String),
    /// The clock loop did not answer within 3 s. It is not known whether the command was carried
    /// out.
    TimedOut(String),
}

/// A result with the service's errors.
pub type Result<T> = std::result::Result<T, Error>;
