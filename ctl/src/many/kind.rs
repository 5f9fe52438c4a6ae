//! How each verb is carried out on many clocks.

use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::Hall,
};

/// How a verb is carried out on many clocks, and how its output is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A table of all clocks.
    Status,
    /// All clocks, until interrupted.
    Watch,
    /// The output of each clock, each line with the board before it.
    Lines,
    /// One file of the present games of all clocks, or one report of them.
    Games,
    /// A command that a round needs on all boards at once, such as `start`.
    AllGames,
    /// As `AllGames`: a new game, with the names of each board.
    New,
    /// A command about one game, such as `result`. The boards must be named.
    OneGame,
}

impl Kind {
    /// Whether commands are sent to the clocks.
    pub fn gives_commands(self) -> bool {
        matches!(self, Kind::AllGames | Kind::New | Kind::OneGame)
    }

    /// Whether the text is made from the JSON of each clock.
    pub fn needs_json(self) -> bool {
        !matches!(self, Kind::Watch | Kind::Lines | Kind::Games)
    }
}

/// How the verb is carried out on many clocks, or why that makes no sense.
fn kind(verb: Option<&Verb>) -> Result<Kind, String> {
    let Some(verb) = verb else { return Ok(Kind::Status) };
    match verb {
        Verb::Status(args) if args.has_exit_code() => {
            Err("status --exit-code is for one clock: choose one with --boards".to_owned())
        }
        Verb::Status(_) => Ok(Kind::Status),
        Verb::Doctor(args) => match args.for_one_clock() {
            Some(option) => {
                Err(format!("doctor {option} is for one clock: choose one with --boards"))
            }
            None => Ok(Kind::Lines),
        },
        Verb::Log(args) if args.follow => {
            Err("log --follow is for one clock: choose one with --boards".to_owned())
        }
        Verb::Log(_) => Ok(Kind::Lines),
        Verb::Pause(args) if args.announces() => {
            // These are two commands, of which only one could be given again.
            Err("on many clocks pause takes no --announce: clockctl pause, then clockctl announce"
                .to_owned())
        }
        Verb::Pause(_) => Ok(Kind::AllGames),
        Verb::Give(give) if !give.is_of_one_game() => Ok(Kind::AllGames),
        Verb::New(_) => Ok(Kind::New),
        Verb::Rule(args) if !args.has_ruling() => {
            Err("on many clocks a ruling must be given, such as clockctl rule made".to_owned())
        }
        Verb::Give(_)
        | Verb::Set(_)
        | Verb::Add(_)
        | Verb::Result(_)
        | Verb::Claim(_)
        | Verb::Rule(_)
        | Verb::ChangeTimeControl(_)
        | Verb::Rewind(_) => Ok(Kind::OneGame),
        Verb::Watch(_) => Ok(Kind::Watch),
        Verb::Import(_) => Err("import is for one clock: choose one with --boards".to_owned()),
        Verb::Report(args) => args.check_for_many().map(|()| Kind::Games),
        Verb::Export(args) => args.check_for_many().map(|()| Kind::Games),
        Verb::TimeControl(_) => {
            Err("time-control looks at one clock: choose one with --boards".to_owned())
        }
        Verb::Rules(_) => Err("rules looks at one clock: choose one with --boards".to_owned()),
        Verb::Simulate(_) => Err("simulate uses no clock".to_owned()),
        Verb::Hall(_) => Err("hall uses no clock".to_owned()),
        Verb::Setup(_) => Err("setup uses no clock".to_owned()),
        Verb::Backup(_) => Err("backup is for the clock of this machine".to_owned()),
    }
}

/// How the verb is carried out on the boards of this hall. `words` is the command line. Fails if the verb
/// cannot be carried out on many boards.
pub fn allowed(cli: &Cli, hall: &Hall, words: &[String]) -> Result<Kind, Failure> {
    let kind = kind(cli.verb.as_ref()).map_err(Failure::Usage)?;
    if kind == Kind::OneGame && !hall.are_chosen {
        return Err(Failure::Usage(format!(
            "this concerns single games, and the hall has {} boards: say which ones, such as \
             --boards {}, or --boards all",
            hall.boards.len(),
            hall.boards.first().map_or("7", |board| &board.name)
        )));
    }
    if words.iter().any(|word| word == "--") {
        return Err(Failure::Usage("-- cannot be used with many clocks".to_owned()));
    }
    if cli.options.revision.is_some() {
        return Err(Failure::Usage(
            "--if-revision is the revision of one clock: give each board its own, such as --boards \
             3@212,4@97"
                .to_owned(),
        ));
    }
    Ok(kind)
}
