//! How each verb is carried out on many clocks, and the run for each board. Each board has its own task
//! with a deadline, so a board that hangs affects no other board.

use std::{rc::Rc, time::Duration};

use clock_engine::text::plain_system_errors;
use tokio::{sync::Semaphore, task::JoinSet, time::timeout};

use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Board, Hall, beginning},
    one_of_many::{CommandSent, OneOfMany},
    options::{OnBoard, Options, place_of},
    text::with_beginning,
};

/// How many boards are asked at the same time. Each needs its own `ssh` process.
const AT_ONCE: usize = 100;

/// The exit code of a board that has not answered in time.
const LATE: u8 = 6;
/// The exit codes of a board that has refused the command, or whose bus has.
const REFUSED: [u8; 2] = [4, 5];

/// A board with its index in the command.
pub type Numbered = (usize, Board);

/// A board for which the verb has ended.
pub struct BoardFinished {
    pub index: usize,
    pub board: Board,
    /// What the verb has printed.
    pub printed: String,
    pub failed: Option<Failed>,
    command: CommandSent,
}

/// Why the verb failed on a board.
pub struct Failed {
    /// The code of the failure, such as `not-found`.
    pub code: String,
    pub exit: u8,
    pub message: String,
    /// Whether the verb has printed its whole answer before it failed ([`Failure::has_answer`]).
    pub has_answer: bool,
}

impl Failed {
    fn new(code: &str, exit: u8, message: String) -> Failed {
        Failed { code: code.to_owned(), exit, message, has_answer: false }
    }

    fn late(deadline: u64, command: CommandSent) -> Failed {
        let doubt = match command {
            CommandSent::Not => "",
            CommandSent::For(_) => ": the command was sent, and may have been carried out",
            CommandSent::CarriedOut => ": the command was carried out",
        };
        Failed::new("deadline", LATE, format!("no answer within {deadline} s{doubt}"))
    }

    /// The failure for this error. In its message, each command begins with `beginning`, such as
    /// `clockctl -H clock-12`.
    fn of(mut error: anyhow::Error, board: &Board, beginning: &str) -> Failed {
        Failure::look_at(&mut error, place_of(&board.target));
        let (code, exit) = Failure::codes_of(&error);
        let message = plain_system_errors(&with_beginning(&format!("{error:#}"), beginning));
        Failed { has_answer: Failure::has_answer(&error), ..Failed::new(code, exit, message) }
    }

    /// The reason in two or three words, for a table.
    pub fn short_reason(&self) -> &'static str {
        match &*self.code {
            "no-host" => "not reached",
            "no-bus" | "connection-lost" => "no connection",
            "no-service" | "service-gone" => "no clock service",
            "timeout" | "timed-out" | "bus-silent" | "deadline" => "no answer in time",
            "denied" => "access denied",
            "older-service" => "older clockd",
            _ => "failed",
        }
    }
}

impl BoardFinished {
    /// The exit code of the board.
    pub fn exit(&self) -> u8 {
        self.failed.as_ref().map_or(0, |failed| failed.exit)
    }

    /// The board as the option `--boards` names it in a command that is given again, such as `3@212`. The
    /// revision is left out if the clock has certainly not carried the command out. `None` if it has, or if
    /// it has another revision by now: then the user must look up whether it has.
    pub fn again(&self) -> Option<String> {
        if self.failed.as_ref().is_some_and(|failed| failed.code == "stale-revision") {
            return None;
        }
        let in_doubt = match self.command {
            CommandSent::CarriedOut => return None,
            CommandSent::For(revision) if !REFUSED.contains(&self.exit()) => Some(revision),
            CommandSent::For(_) | CommandSent::Not => None,
        };
        let name = &self.board.name;
        Some(match self.board.revision.or(in_doubt) {
            Some(revision) => format!("{name}@{revision}"),
            None => name.clone(),
        })
    }
}

/// Carries `work` out for each board, for at most [`AT_ONCE`] of them at the same time. `work` gets the
/// options for that board alone. Its result is returned, too, unless it has failed.
pub fn on_each<T, F>(
    options: &Options,
    boards: Vec<Numbered>,
    work: impl Fn(Options, &Board) -> F + 'static,
) -> JoinSet<(BoardFinished, Option<T>)>
where
    T: 'static,
    F: Future<Output = anyhow::Result<T>> + 'static,
{
    let at_once = Rc::new(Semaphore::new(AT_ONCE));
    let shared = Rc::new((options.clone(), work));
    let mut running = JoinSet::new();
    for (index, board) in boards {
        let (at_once, shared) = (Rc::clone(&at_once), Rc::clone(&shared));
        running.spawn_local(async move {
            // The semaphore is never closed.
            let _turn = at_once.acquire().await;
            let (options, work) = &*shared;
            let deadline = options.deadline;
            let (options, one) = for_board(options, &board);
            let run = Rc::clone(&one).scope(work(options, &board));
            let ended = timeout(Duration::from_secs(deadline), run).await;
            let (mut printed, command) = one.take();
            let (failed, done) = match ended {
                Ok(Ok(done)) => (None, Some(done)),
                Ok(Err(error)) => (Some(Failed::of(error, &board, one.beginning())), None),
                Err(_) => {
                    printed.clear();
                    (Some(Failed::late(deadline, command)), None)
                }
            };
            (BoardFinished { index, board, printed, failed, command }, done)
        });
    }
    running
}

/// The options for this board alone, and the state of the run of a verb on it.
pub fn for_board(options: &Options, board: &Board) -> (Options, Rc<OneOfMany>) {
    let Board { target, revision, .. } = board.clone();
    let beginning = beginning(options, &[board]);
    let mut options = options.clone();
    options.be_for(OnBoard { target, beginning: beginning.clone(), revision });
    (options, OneOfMany::new(beginning))
}

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

#[cfg(test)]
mod tests {
    use std::future::pending;

    use clap::Parser;
    use tokio::{runtime::Builder, task::LocalSet};

    use super::on_each;
    use crate::{cli::Cli, failure::Failure, hall::Board, one_of_many, out, target::Target, text};

    #[test]
    fn a_board_that_hangs_or_prints_too_much_affects_no_other() {
        let options = Cli::parse_from(["clockctl", "-H", "a,b", "--deadline", "1"]).options;
        let board = |name: &str| Board {
            revision: (name == "given").then_some(5),
            ..Board::new(name.to_owned(), Target::Host(name.parse().unwrap()))
        };
        let names = ["good", "hangs", "given", "unread", "prints", "refuses"];
        let boards = names.map(board).into_iter().enumerate().collect();
        let finished = async {
            let mut running = on_each(&options, boards, |options, board| {
                let name = board.name.clone();
                async move {
                    out::print(&text::addressed("see clockctl status\n"))?;
                    one_of_many::note_sent(212);
                    match &*name {
                        "hangs" => pending().await,
                        "given" => Err(Failure::Lost(format!("at {:?}", options.revision)))?,
                        "unread" => {
                            one_of_many::note_carried_out();
                            Err(Failure::Denied("the clock cannot be read".to_owned()))?
                        }
                        "prints" => loop {
                            out::print(&"x".repeat(1 << 20))?;
                        },
                        "refuses" => Err(Failure::Denied("see clockctl pause".to_owned()))?,
                        _ => Ok(()),
                    }
                }
            });
            let mut all = Vec::new();
            while let Some(finished) = running.join_next().await {
                all.push(finished.unwrap().0);
            }
            all.sort_by_key(|finished| finished.index);
            all
        };
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let all = LocalSet::new().block_on(&runtime, finished);
        let shown = |number: usize| {
            let message = all[number].failed.as_ref().map(|failed| &*failed.message);
            (all[number].exit(), message.unwrap_or_default(), all[number].again())
        };
        assert_eq!(all[0].printed, "see clockctl -H good status\n");
        assert_eq!((shown(0).0, shown(0).1), (0, ""));
        let late = "no answer within 1 s: the command was sent, and may have been carried out";
        let again = |board: &str| Some(board.to_owned());
        assert_eq!(shown(1), (6, late, again("hangs@212")));
        let lost = "the connection to the bus broke: at Some(5)";
        assert_eq!(shown(2), (7, lost, again("given@5")));
        // The command was carried out, so it must not be given again.
        assert_eq!(shown(3), (4, "denied: the clock cannot be read", None));
        let much = "cannot write the output: more than 33554432 bytes";
        assert_eq!(shown(4), (1, much, again("prints@212")));
        let denied = "denied: see clockctl -H refuses pause";
        assert_eq!(shown(5), (4, denied, again("refuses")));
    }
}
