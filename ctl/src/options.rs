//! What the verbs take from the command line: the options of every verb, and the
//! words of the rules.

use std::{ops::RangeInclusive, path::PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, ValueEnum};
use clock_engine::Word;
use zbus::Address;

use crate::failure::{Failure, Place};
use crate::target::{Host, Target, parse_address};

/// The options of every verb.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "With every command")]
pub struct Options {
    /// Address of the bus the clock is on [default: the system bus]
    #[arg(long, global = true, value_name = "ADDRESS", value_parser = parse_address)]
    pub bus: Option<Address>,
    /// The clocks on these machines, through ssh: HOST, USER@HOST or ssh://USER@HOST:PORT
    #[arg(short = 'H', long = "host", global = true, value_name = "HOST", value_delimiter = ',')]
    pub hosts: Vec<Host>,
    /// The clocks of this hall file (clockctl hall init writes one) [default with --boards and with
    /// new --pairings: the file that CLOCKCTL_HALL names, otherwise ./hall.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub hall: Option<PathBuf>,
    /// Which boards of the hall, or which hosts, such as 1,3-5,A2; all for every board; 3@212 for a
    /// command that board 3 gets only if its clock still has the revision 212
    #[arg(long, global = true, value_name = "BOARDS")]
    pub boards: Option<String>,
    /// With many clocks: how many seconds each may take
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 15)]
    #[arg(value_parser = whole::<u64>(1..=600))]
    pub deadline: u64,
    /// Print JSON, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Print nothing but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Paint the text: auto does on a terminal, unless NO_COLOR has a value
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// Show long text without a pager; PAGER chooses the pager [default: less]
    #[arg(long, global = true)]
    pub no_pager: bool,
    /// The reason, for the clock's log
    #[arg(long, global = true, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
    /// Carry a command out only if the clock still has this revision (`status` shows it); for many
    /// clocks: --boards 3@212
    #[arg(long = "if-revision", global = true, value_name = "N")]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    pub revision: Option<u64>,
    /// Print what the command would do and both clocks after it, and do nothing
    #[arg(short = 'n', long, global = true)]
    pub dry_run: bool,
    /// The one clock of this run, if the options above have named several.
    #[arg(skip)]
    pub on_board: Option<OnBoard>,
    /// Whether `hall` is a default and was not typed.
    #[arg(skip)]
    pub is_hall_implied: bool,
}

impl Options {
    /// Refuses options that contradict each other. clap checks only options on the same side of the
    /// verb, and every option here can be on either side.
    pub fn check(&self) -> Result<(), Failure> {
        let (hosts, bus, hall) = (!self.hosts.is_empty(), self.bus.is_some(), self.hall.is_some());
        let pairs = [
            (hosts && bus, "--host", "--bus"),
            (hosts && hall, "--host", "--hall"),
            (bus && hall, "--bus", "--hall"),
            (bus && self.boards.is_some(), "--bus", "--boards"),
        ];
        match pairs.into_iter().find(|(both, ..)| *both) {
            Some((_, one, other)) => {
                Err(Failure::Usage(format!("{one} cannot be used with {other}: give one of them")))
            }
            None => Ok(()),
        }
    }

    /// Makes these the options of a run for this board alone.
    pub fn be_for(&mut self, board: OnBoard) {
        self.revision = self.revision.or(board.revision);
        self.on_board = Some(board);
    }

    /// Where the clock of this run is.
    pub fn target(&self) -> Target {
        match (&self.on_board, &self.bus) {
            (Some(board), _) => board.target.clone(),
            (None, Some(address)) => Target::Bus(address.clone()),
            (None, None) => Target::SystemBus,
        }
    }

    /// How a command for the clock of this run begins when it is typed.
    pub fn beginning(&self) -> String {
        match (&self.on_board, &self.bus) {
            (Some(board), _) => board.beginning.clone(),
            (None, Some(address)) => {
                format!("clockctl --bus {}", shell_word(&address.to_string()))
            }
            (None, None) => "clockctl".to_owned(),
        }
    }
}

/// One board of a command that is given to one or to many clocks.
#[derive(Clone, Debug)]
pub struct OnBoard {
    pub target: Target,
    /// How a command for this board begins when it is typed.
    pub beginning: String,
    /// The revision that `--boards` gives with the board.
    pub revision: Option<u64>,
}

/// Where a clock service is missing that was looked for at this target.
pub fn place_of(target: &Target) -> Place {
    match target {
        Target::SystemBus => Place::Here,
        Target::Bus(_) => Place::Bus,
        Target::Host(_) => Place::Host,
    }
}

/// Reads a whole number in this range from a command line. The message for another text names the
/// range.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match range.end() {
            &u64::MAX => format!("expected a whole number of {} or more", range.start()),
            most => format!("expected a whole number from {} to {most}", range.start()),
        })
    }
}

/// The text as one word of a shell.
pub fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "@%+=:,./-_".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// What `--color` says on this command line, for messages about a command line that cannot be parsed.
pub fn color_given() -> ColorChoice {
    let words = || {
        let words = std::env::args_os().skip(1).take_while(|word| word != "--");
        words.map(|word| word.to_string_lossy().into_owned())
    };
    let next = words().skip_while(|word| word != "--color").nth(1);
    let joined = words().find_map(|word| word.strip_prefix("--color=").map(str::to_owned));
    let given = joined.or(next).and_then(|word| word.parse().ok());
    given.unwrap_or(ColorChoice::Auto)
}

/// Other spellings of White and of Black on the command line.
pub const WHITE: [&str; 4] = ["w", "W", "White", "WHITE"];
pub const BLACK: [&str; 4] = ["b", "B", "Black", "BLACK"];

/// Reads a word of an enumeration of the rules. White and Black have other spellings, too.
pub fn words<T: Word + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let possible = |value: &T| match value.as_str() {
        "white" => PossibleValue::new("white").aliases(WHITE),
        "black" => PossibleValue::new("black").aliases(BLACK),
        word => PossibleValue::new(word).help(value.help()),
    };
    PossibleValuesParser::new(T::ALL.iter().map(possible)).map(move |given| {
        let is_given = |value: &&T| possible(value).matches(&given, false);
        *T::ALL.iter().find(is_given).expect("the parser accepts only these words")
    })
}

/// Reads one of two words: `true` for `yes`, `false` for the other.
pub fn either(words: [&'static str; 2], yes: &'static str) -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(words).map(move |given| given == yes)
}

/// The word of a value on the command line.
pub fn word(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value().expect("no value is hidden on the command line");
    value.get_name().to_owned()
}
