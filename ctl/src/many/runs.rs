//! The processes of a command, one for each board, and how each has ended.

use std::sync::Arc;

use serde::Deserialize;
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    hall::{
        Board,
        child::{self, Finished, Run},
    },
    text::plain,
};

/// How many boards are asked at the same time. A process with its `ssh` takes some 12 MB.
const AT_ONCE: usize = 100;

/// A board with its index in the command.
pub type Numbered = (usize, Board);

/// The exit code of a board that has not answered in time.
const LATE: u8 = 6;

/// A board whose process has ended.
pub struct BoardFinished {
    pub index: usize,
    pub board: Board,
    pub finished: Finished,
}

/// The object of a failure.
#[derive(Deserialize)]
struct FailureAnswer {
    error: ErrorAnswer,
}

#[derive(Deserialize)]
struct ErrorAnswer {
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
            Finished::Exit { out, messages, .. } => {
                let last = out.lines().last().unwrap_or_default();
                match serde_json::from_str::<FailureAnswer>(last) {
                    Ok(answer) => plain(&answer.error.message),
                    Err(_) => {
                        let said = messages.trim();
                        plain(said.strip_prefix("clockctl: ").unwrap_or(said))
                    }
                }
            }
        }
    }

    /// What the board printed to standard output.
    pub fn output(&self) -> &str {
        match &self.finished {
            Finished::Exit { out, .. } => out,
            Finished::Late | Finished::Failed(_) => "",
        }
    }
}

/// Starts a run for each board; at most [`AT_ONCE`] of them run at the same time.
pub fn start_all(
    boards: Vec<Numbered>,
    run: impl Fn(usize, &Board) -> Run,
) -> JoinSet<BoardFinished> {
    let at_once = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    for (index, board) in boards {
        let run = run(index, &board);
        let at_once = Arc::clone(&at_once);
        running.spawn(async move {
            // The semaphore is never closed.
            let _turn = at_once.acquire().await;
            let finished = child::run(&board, &run).await;
            BoardFinished { index, board, finished }
        });
    }
    running
}
