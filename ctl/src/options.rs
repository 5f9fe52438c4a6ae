//! What the verbs take from the command line: the options of every verb, one side, the late
//! players, and the word of a value.

use clap::{Args, ColorChoice, ValueEnum};
use clock_dbus::Who;
use zbus::Address;

/// The options of every verb.
#[derive(Debug, Args)]
#[command(next_help_heading = "With every command")]
pub struct Options {
    /// Address of the bus the clock is on [default: the system bus]
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub bus: Option<Address>,
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
    /// Carry a command out only if the clock still has this revision (`status` shows it)
    #[arg(long = "if-revision", global = true, value_name = "N")]
    pub revision: Option<u64>,
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

/// One of the two sides, as an arbiter writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    #[value(aliases = WHITE)]
    White,
    #[value(aliases = BLACK)]
    Black,
}

/// Other spellings of White and of Black on the command line.
pub const WHITE: [&str; 4] = ["w", "W", "White", "WHITE"];
pub const BLACK: [&str; 4] = ["b", "B", "Black", "BLACK"];

impl From<Side> for clock_dbus::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::White => clock_dbus::Side::White,
            Side::Black => clock_dbus::Side::Black,
        }
    }
}

impl From<Side> for Who {
    fn from(side: Side) -> Self {
        clock_dbus::Side::from(side).who()
    }
}

/// The word of a value on the command line. The bus uses the same word.
pub fn word(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value().expect("no value is hidden on the command line");
    value.get_name().to_owned()
}

/// The late players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LateSide {
    #[value(aliases = WHITE)]
    White,
    #[value(aliases = BLACK)]
    Black,
    Both,
}

impl From<LateSide> for clock_dbus::AnswerSide {
    fn from(side: LateSide) -> Self {
        match side {
            LateSide::White => clock_dbus::AnswerSide::White,
            LateSide::Black => clock_dbus::AnswerSide::Black,
            LateSide::Both => clock_dbus::AnswerSide::Both,
        }
    }
}
