//! What the menu asks its caller to do.

use clock_controls::NamedControl;
use clock_engine::Refused;
use clock_engine::rules::{GameCommand, GameRefused};
use clock_languages::{Language, menu};

/// What the caller does after a press or a timeout. While the menu is open, it also shows the page
/// again.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    None,
    /// The menu is closed: presses go to the game again.
    Close,
    /// Give this command, and then call [`Menu::answered`](crate::Menu::answered).
    Give(Box<MenuCommand>),
    /// Keep this control as the first of the players' own. Only the first [`OWN_CONTROLS`] are kept.
    ///
    /// [`OWN_CONTROLS`]: crate::OWN_CONTROLS
    Store(Box<NamedControl>),
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
    pub command: GameCommand,
    /// The revision that the players saw.
    pub revision: u64,
    pub reason: String,
    /// What the new game is, with a [`GameCommand::New`] or [`GameCommand::NewExchanged`].
    pub new_game: Option<NewGame>,
}

/// A command, and in lines what it does, for the page on which both players agree to it.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub set: MenuCommand,
    /// The title, and below it the other lines.
    pub what: Vec<String>,
}

impl Proposal {
    pub fn new(title: &str, lines: Vec<String>, set: MenuCommand) -> Proposal {
        Proposal { set, what: [title.to_owned()].into_iter().chain(lines).collect() }
    }
}

/// The answer to a [`MenuCommand`]. It does not wait for the record: the face says so if the record
/// cannot be written.
pub type Answer = Result<(), Failure>;

/// Why a command was not carried out.
#[derive(Clone, Debug)]
pub enum Failure {
    Refused(Refusal),
    /// The clock has not answered. It is not known whether the command was carried out.
    NoAnswer,
}

/// A refusal. The sentences of the engine are in English only, so a page in another language shows
/// the sentence of that language and the clause before it.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The sentence about this kind of reason, of the language in which the page is.
    pub sentence: Sentence<menu::Refusal>,
    pub clause: Option<&'static str>,
    /// The whole refusal, in English.
    pub text: String,
}

/// Gives a sentence of a language from its words.
pub type Sentence<Words> = fn(&Words) -> &'static str;

impl From<GameRefused> for Refusal {
    fn from(refused: GameRefused) -> Refusal {
        let sentence = match refused {
            GameRefused::Clock { refused, .. } => sentence(refused),
            GameRefused::Rules(_) => |words: &menu::Refusal| words.by_the_rules,
            GameRefused::NoProfile => |words: &menu::Refusal| words.no_rules,
        };
        Refusal { sentence, clause: refused.clause(), text: refused.to_string() }
    }
}

fn sentence(refused: Refused) -> Sentence<menu::Refusal> {
    match refused {
        Refused::NotReady(_) => |words| words.only_before_the_start,
        Refused::NotRunning(_) => |words| words.only_after_the_start,
        Refused::NotPaused(_) => |words| words.only_while_clocks_stand,
        Refused::GameOver => |words| words.game_is_over,
        Refused::NotOver(_) => |words| words.no_result_yet,
        Refused::GameUnderWay(..) => |words| words.game_is_under_way,
        Refused::WhiteBegins | Refused::MethodFixed | Refused::ControlUnfit(_) => {
            |words| words.by_the_rules
        }
        Refused::NothingToUndo | Refused::NoUndo => |words| words.nothing_to_take_back,
        Refused::Earlier { .. }
        | Refused::CutTooLarge { .. }
        | Refused::TooMuchTime
        | Refused::LimitReached { .. }
        | Refused::NoSuchPeriod { .. }
        | Refused::NoOvertime { .. }
        | Refused::NoSuchOvertime { .. }
        | Refused::OutOfTime
        | Refused::OtherControl => |words| words.value_not_accepted,
    }
}

/// The new game that a command sets up.
#[derive(Clone, Debug, PartialEq)]
pub struct NewGame {
    pub control: NamedControl,
    pub rules: NewRules,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewRules {
    /// The shipped profile `players-agree`.
    PlayersAgree,
    Configured,
    /// The rules of the game before.
    AsBefore,
}

#[derive(Clone, Debug)]
pub enum BackupOutcome {
    /// It is on the stick, which was unmounted.
    Done { file: String, kibibytes: u64 },
    NotDone {
        sentence: Sentence<menu::Backup>,
        /// What exactly is wrong, in English; empty if the sentence says enough.
        text: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Sound(bool),
    /// The brightness in percent, 10 to 100; `None`: as the day's schedule says.
    Brightness(Option<u8>),
    Language(Language),
}
