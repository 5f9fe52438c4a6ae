//! Carries a verb out for each board. Each board has its own task with a deadline, so a board that hangs
//! affects no other board.

use std::{rc::Rc, time::Duration};

use clock_engine::text::plain_system_errors;
use tokio::{sync::Semaphore, task::JoinSet, time::timeout};

use crate::{
    failure::Failure,
    hall::{Board, beginning},
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
