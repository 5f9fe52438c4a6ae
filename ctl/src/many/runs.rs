//! The processes of a command, one for each board, or the readings of their states, and how each has
//! ended.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use tokio::{sync::Semaphore, task::JoinSet, time::timeout};

use crate::{
    cli::Cli,
    failure::Failure,
    hall::{
        Board, beginning,
        child::{self, Finished, Run},
    },
    json::{FailureBody, FailureJson},
    options::place_of,
    out,
    text::{plain, with_beginning},
    verb::status,
};

/// How many boards are asked at the same time. A process with its `ssh` takes some 12 MB.
const AT_ONCE: usize = 100;

/// A board with its index in the command.
pub type Numbered = (usize, Board);

/// The exit code of a board that has not answered in time.
const LATE: u8 = 6;
/// The exit codes of a board that has refused the command, or whose bus has.
const REFUSED: [u8; 2] = [4, 5];

/// A board whose process or reading has ended.
pub struct BoardFinished {
    pub index: usize,
    pub board: Board,
    pub finished: Finished,
    /// The revision for which a command was sent to the clock.
    sent_for: Option<u64>,
}

/// The object of a failure.
#[derive(Deserialize)]
struct FailureAnswer {
    error: ErrorAnswer,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    code: String,
    message: String,
}

impl BoardFinished {
    /// The exit code of the board.
    pub fn exit(&self) -> u8 {
        match &self.finished {
            Finished::Exit { code, .. } => *code,
            Finished::Late => LATE,
            Finished::Failed(_) => 1,
        }
    }

    /// Why the verb failed on the board.
    pub fn message(&self, deadline: u64) -> String {
        match &self.finished {
            Finished::Late => format!("no answer within {deadline} s"),
            Finished::Failed(why) => why.clone(),
            Finished::Exit { messages, .. } => match self.failure() {
                Some(failure) => plain(&failure.message),
                None => {
                    let said = messages.trim();
                    plain(said.strip_prefix("clockctl: ").unwrap_or(said))
                }
            },
        }
    }

    /// The board as `--boards` names it to give it a command again, such as `3@212`. It has a revision
    /// unless the clock has certainly not carried the command out. `None` if the clock has left the
    /// revision: whether it has carried the command out has to be looked up.
    pub fn again(&self) -> Option<String> {
        if self.failure_code().as_deref() == Some("stale-revision") {
            return None;
        }
        let in_doubt = self.sent_for.filter(|_| !REFUSED.contains(&self.exit()));
        let name = &self.board.name;
        Some(match self.board.revision.or(in_doubt) {
            Some(revision) => format!("{name}@{revision}"),
            None => name.clone(),
        })
    }

    /// Why the verb failed on the board, in two or three words for a table.
    pub fn short_reason(&self) -> &'static str {
        let code = match &self.finished {
            Finished::Late => return "no answer in time",
            Finished::Failed(_) => return "failed",
            Finished::Exit { .. } => self.failure_code().unwrap_or_default(),
        };
        match code.as_str() {
            "no-host" => "not reached",
            "no-bus" | "connection-lost" => "no connection",
            "no-service" | "service-gone" => "no clock service",
            "timeout" | "timed-out" | "bus-silent" => "no answer in time",
            "denied" => "access denied",
            "older-service" => "older clockd",
            _ => "failed",
        }
    }

    /// The code of the failure, such as `not-found`, if the verb was asked for JSON.
    pub fn failure_code(&self) -> Option<String> {
        self.failure().map(|failure| failure.code)
    }

    /// The failure, which is the last line of a verb that was asked for JSON.
    fn failure(&self) -> Option<ErrorAnswer> {
        let last = self.output().lines().last()?;
        serde_json::from_str::<FailureAnswer>(last).ok().map(|answer| answer.error)
    }

    /// What the board printed to standard output.
    pub fn output(&self) -> &str {
        match &self.finished {
            Finished::Exit { out, .. } => out,
            Finished::Late | Finished::Failed(_) => "",
        }
    }
}

/// Starts a process for each board; at most [`AT_ONCE`] of them run at the same time.
pub fn start_all(
    boards: Vec<Numbered>,
    run: impl Fn(usize, &Board) -> Run,
) -> JoinSet<BoardFinished> {
    start(boards, |index, board| {
        let (board, run) = (board.clone(), run(index, board));
        async move { child::run(&board, &run).await }
    })
}

/// Reads the state of each board; at most [`AT_ONCE`] at the same time. This needs no process for
/// each board, as a command does, which is about to change a clock: a board that hangs is late, and
/// nothing is in doubt then.
pub fn read_all(cli: &Cli, boards: Vec<Numbered>) -> JoinSet<BoardFinished> {
    let deadline = Duration::from_secs(cli.options.deadline);
    let is_overview = cli.verb.is_none();
    start(boards, |_, board| {
        let (target, beginning) = (board.target.clone(), beginning(&cli.options, &[board]));
        async move {
            let line = status::line_of_board(&target, &beginning, is_overview);
            let (code, out) = match timeout(deadline, line).await {
                Err(_) => return (Finished::Late, None),
                Ok(Err(mut error)) => {
                    Failure::look_at(&mut error, place_of(&target));
                    failure_line(&error, &beginning)
                }
                Ok(Ok(line)) => (0, line),
            };
            (Finished::Exit { code, out, messages: String::new() }, None)
        }
    })
}

/// The exit code for the failure on a board, and the line that `--json` prints for it. Each command
/// that the message names begins with `beginning`, such as `clockctl -H clock-12`.
fn failure_line(error: &anyhow::Error, beginning: &str) -> (u8, String) {
    let (code, exit) = Failure::codes_of(error);
    let message = with_beginning(&format!("{error:#}"), beginning);
    let object = FailureJson { error: FailureBody { code, message: &message, exit } };
    // Serializing two texts and a number cannot fail.
    (exit, out::json_line(&object).unwrap_or_default())
}

fn start<F>(boards: Vec<Numbered>, carry_out: impl Fn(usize, &Board) -> F) -> JoinSet<BoardFinished>
where
    F: Future<Output = (Finished, Option<u64>)> + Send + 'static,
{
    let at_once = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    for (index, board) in boards {
        let finished = carry_out(index, &board);
        let at_once = Arc::clone(&at_once);
        running.spawn(async move {
            // The semaphore is never closed.
            let _turn = at_once.acquire().await;
            let (finished, sent_for) = finished.await;
            BoardFinished { index, board, finished, sent_for }
        });
    }
    running
}
