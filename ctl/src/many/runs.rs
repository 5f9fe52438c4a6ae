//! Carries a verb out for each board. Each board has its own task with a deadline, so a board that hangs or
//! fails affects no other board.

use std::{rc::Rc, time::Duration};

use clock_engine::text::plain_system_errors;
use tokio::{
    sync::Semaphore,
    task::{JoinSet, spawn_local},
    time::timeout,
};

use crate::{
    failure::Failure,
    hall::{Board, beginning},
    one_of_many::OneOfMany,
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
    /// The revision for which a command was sent to the clock.
    sent_for: Option<u64>,
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

    fn late(deadline: u64, is_sent: bool) -> Failed {
        let doubt = match is_sent {
            true => ": the command was sent, and may have been carried out",
            false => "",
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
    /// revision is left out if the clock has certainly not carried the command out. `None` if the clock
    /// has another revision by now: then the user must look up whether it has carried the command out.
    pub fn again(&self) -> Option<String> {
        if self.failed.as_ref().is_some_and(|failed| failed.code == "stale-revision") {
            return None;
        }
        let in_doubt = self.sent_for.filter(|_| !REFUSED.contains(&self.exit()));
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
            // `work` has a task of its own. If it panics, this task goes on and knows the board.
            let mut task = spawn_local(Rc::clone(&one).scope(work(options, &board)));
            let ended = timeout(Duration::from_secs(deadline), &mut task).await;
            task.abort();
            let (mut printed, sent_for) = one.take();
            let (failed, done) = match ended {
                Ok(Ok(Ok(done))) => (None, Some(done)),
                Ok(Ok(Err(error))) => (Some(Failed::of(error, &board, one.beginning())), None),
                Ok(Err(panicked)) => (Some(Failed::new("failed", 1, panicked.to_string())), None),
                Err(_) => {
                    printed.clear();
                    (Some(Failed::late(deadline, sent_for.is_some())), None)
                }
            };
            (BoardFinished { index, board, printed, failed, sent_for }, done)
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
    fn a_board_that_hangs_panics_or_prints_too_much_affects_no_other() {
        let options = Cli::parse_from(["clockctl", "-H", "a,b", "--deadline", "1"]).options;
        let board = |name: &str| Board {
            revision: (name == "given").then_some(5),
            ..Board::new(name.to_owned(), Target::Host(name.parse().unwrap()))
        };
        let names = ["good", "hangs", "given", "panics", "prints", "refuses"];
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
                        "panics" => panic!("on purpose"),
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
            (all[number].exit(), message.unwrap_or_default(), all[number].again().unwrap())
        };
        assert_eq!(all[0].printed, "see clockctl -H good status\n");
        assert_eq!((shown(0).0, shown(0).1), (0, ""));
        let late = "no answer within 1 s: the command was sent, and may have been carried out";
        assert_eq!(shown(1), (6, late, "hangs@212".to_owned()));
        let lost = "the connection to the bus broke: at Some(5)";
        assert_eq!(shown(2), (7, lost, "given@5".to_owned()));
        assert_eq!((shown(3).0, shown(3).2), (1, "panics@212".to_owned()));
        assert!(shown(3).1.contains("panicked"), "{}", shown(3).1);
        let much = "cannot write the output: more than 33554432 bytes";
        assert_eq!(shown(4), (1, much, "prints@212".to_owned()));
        let denied = "denied: see clockctl -H refuses pause";
        assert_eq!(shown(5), (4, denied, "refuses".to_owned()));
    }
}
