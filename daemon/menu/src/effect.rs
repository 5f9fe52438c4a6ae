//! What the menu asks its caller to do.

use clock_controls::NamedControl;
use clock_engine::Refused;
use clock_engine::rules::{GameCommand, GameRefused};
use clock_languages::Language;

/// What the caller does after a press or a timeout. While the menu is open, it also shows the page
/// again.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Nothing more.
    None,
    /// The menu is closed: presses go to the game again.
    Close,
    /// Give this command, and then call [`Menu::answered`](crate::Menu::answered).
    Give(Box<MenuCommand>),
    /// Keep this control as the first of the players' own. Only the first [`OWN_CONTROLS`] are kept.
    ///
    /// [`OWN_CONTROLS`]: crate::OWN_CONTROLS
    Store(Box<NamedControl>),
    /// Change a setting of the face.
    Set(Setting),
    /// Write a backup to the USB stick, and then call [`Menu::backed_up`](crate::Menu::backed_up).
    BackUp,
    /// A code was entered. The caller keeps the number of wrong codes for the next
    /// [`Menu::new`](crate::Menu::new). The log has an entry for each wrong code, but not its
    /// presses. The reason of the next command that is given with the right code contains the
    /// number of wrong ones.
    CodeEntered {
        /// How many codes were wrong since the last right one; 0 if this one was right.
        wrong_codes: u32,
    },
}

/// A command, with what it needs beside it.
///
/// Everything that one choice does is one command, so that a kill or a power cut leaves all of it or
/// nothing. The caller treats it as a command over D-Bus. It also refuses a command that an
/// adjourned game or a scheduled start forbids, and gives the refusal to
/// [`Menu::answered`](crate::Menu::answered).
#[derive(Clone, Debug, PartialEq)]
pub struct MenuCommand {
    /// The command.
    pub command: GameCommand,
    /// The revision that the players saw.
    pub revision: u64,
    /// The reason for the record.
    pub reason: String,
    /// What the new game is, with a [`GameCommand::New`] or [`GameCommand::NewExchanged`].
    pub new_game: Option<NewGame>,
}

/// A command, and in lines what it does, for the page on which both players agree to it.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub set: MenuCommand,
    pub what: Vec<String>,
}

/// The answer to a [`MenuCommand`]. It does not wait for the record: the face says so if the record
/// cannot be written.
pub type Answer = Result<(), Failure>;

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It was refused.
    Refused(Refusal),
    /// The clock has not answered. It is not known whether the command was carried out.
    NoAnswer,
}

/// A refusal. The sentences of the engine are in English only, so a page in another language shows
/// the class and the clause before the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of reason it is.
    pub class: RefusalClass,
    /// The clause that forbids the command, if there is one.
    pub clause: Option<&'static str>,
    /// The whole refusal, in English.
    pub text: String,
}

/// The kinds of reasons for a refusal. Each language has a sentence for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalClass {
    /// The clock has changed since the page was shown.
    ClockHasChanged,
    /// The command is allowed only while both clocks stand.
    OnlyWhileClocksStand,
    /// The command is allowed only before the start of the game.
    OnlyBeforeTheStart,
    /// The command is allowed only after the start of the game.
    OnlyAfterTheStart,
    /// The game has a result.
    GameIsOver,
    /// The game has no result.
    NoResultYet,
    /// A game is under way.
    GameIsUnderWay,
    /// The start of the game on the clock is scheduled.
    StartIsScheduled,
    /// The rocker does not match the side on move.
    Rocker,
    /// The button board is not connected.
    NoButtons,
    /// The rules or the time control forbid it.
    ByTheRules,
    /// The game has no rule profile.
    NoRules,
    /// No press can be taken back.
    NothingToTakeBack,
    /// A value is out of its range.
    ValueNotAccepted,
    /// Too many commands wait at once.
    TooMuchAtOnce,
    /// The one who gave the command may not do so at this board.
    NotByYou,
    /// A file that is needed cannot be read.
    FileUnreadable,
}

impl From<GameRefused> for RefusalClass {
    fn from(refused: GameRefused) -> RefusalClass {
        match refused {
            GameRefused::Clock { refused, .. } => refused.into(),
            GameRefused::Rules(_) => RefusalClass::ByTheRules,
            GameRefused::NoProfile => RefusalClass::NoRules,
        }
    }
}

impl From<Refused> for RefusalClass {
    fn from(refused: Refused) -> RefusalClass {
        match refused {
            Refused::NotReady(_) => RefusalClass::OnlyBeforeTheStart,
            Refused::NotRunning(_) => RefusalClass::OnlyAfterTheStart,
            Refused::NotPaused(_) => RefusalClass::OnlyWhileClocksStand,
            Refused::GameOver => RefusalClass::GameIsOver,
            Refused::NotOver(_) => RefusalClass::NoResultYet,
            Refused::GameUnderWay(..) => RefusalClass::GameIsUnderWay,
            Refused::WhiteBegins | Refused::MethodFixed | Refused::ControlUnfit(_) => {
                RefusalClass::ByTheRules
            }
            Refused::NothingToUndo | Refused::NoUndo => RefusalClass::NothingToTakeBack,
            Refused::Earlier { .. }
            | Refused::CutTooLarge { .. }
            | Refused::TooMuchTime
            | Refused::LimitReached { .. }
            | Refused::NoSuchPeriod { .. }
            | Refused::NoOvertime { .. }
            | Refused::NoSuchOvertime { .. }
            | Refused::OutOfTime
            | Refused::OtherControl => RefusalClass::ValueNotAccepted,
        }
    }
}

/// The new game that a command sets up.
#[derive(Clone, Debug, PartialEq)]
pub struct NewGame {
    /// The control with its name.
    pub control: NamedControl,
    /// The rules with which it is set up.
    pub rules: NewRules,
    /// Whether the players' names change sides. If so, the command also exchanges the buttons.
    pub exchange_sides: bool,
}

/// The rules of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewRules {
    /// The shipped profile `players-agree`.
    PlayersAgree,
    /// The profile of the configuration.
    Configured,
    /// The rules of the game before.
    AsBefore,
}

/// The result of a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupOutcome {
    /// It is on the stick, which was unmounted.
    Done {
        /// The name of the file.
        file: String,
        /// Its size.
        kibibytes: u64,
    },
    /// There is no backup.
    NotDone {
        /// The kind of the problem.
        problem: BackupProblem,
        /// What exactly is wrong, an English text. The page shows it only if `problem` is
        /// [`BackupProblem::Unusable`] or [`BackupProblem::Failed`]. For the other problems, the sentence in
        /// the language of the menu says enough.
        text: String,
    },
}

/// Why there is no backup. Each language has a sentence for each problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupProblem {
    /// No stick with a file system that can be used is connected.
    NoStick,
    /// Several sticks with such a file system are connected.
    SeveralSticks,
    /// The stick cannot be mounted.
    Unusable,
    /// The stick has not enough room.
    Full,
    /// The stick is read-only.
    ReadOnly,
    /// Another reason.
    Failed,
}

/// A setting of the face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Sound on or off.
    Sound(bool),
    /// The brightness in percent, 10 to 100; `None`: as the day's schedule says.
    Brightness(Option<u8>),
    /// The language of the pages and of the face.
    Language(Language),
}
