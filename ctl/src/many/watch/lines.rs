//! The lines of `watch` of all clocks, each with its board. Each clock has a process of its own; one
//! that ends is started again.

use std::{ffi::OsString, process::Stdio, sync::Arc, time::Duration};

use anyhow::Result;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    task::{AbortHandle, JoinSet},
    time::sleep,
};

use super::{
    super::finished::line_json,
    reload::{Reload, Reloaded},
};
use crate::{
    cli::Cli,
    hall::{
        Board, Hall,
        child::{self, Run},
    },
    out::{self, Reader},
    text::{padded, plain},
};

/// The pause before a process that has ended is started again.
const RETRY: Duration = Duration::from_secs(5);
/// The longest line, in bytes. A line of `watch --json` has some 3 KiB.
const LINE_LIMIT: u64 = 1024 * 1024;
/// How many lines can wait to be printed. Further ones wait in the processes.
const WAITING: usize = 256;

/// Prints the lines until the reader has gone or the process is ended.
pub async fn run(cli: &Cli, mut hall: Hall) -> Result<u8> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (lines, mut printed) = mpsc::channel(WAITING);
    let words = std::env::args_os().skip(1).collect();
    let mut running = Running { words, lines, tasks: JoinSet::new(), boards: Vec::new() };
    running.follow(&hall.boards);
    let mut reload = Reload::of(&cli.options);
    loop {
        let (board, line) = tokio::select! {
            _ = terminate.recv() => return Ok(0),
            _ = interrupt.recv() => return Ok(0),
            Some(line) = printed.recv() => line,
            reloaded = reload.next(&hall) => {
                let said = match reloaded {
                    Reloaded::Wrong(why) => Some(why),
                    Reloaded::Hall { hall: after, said } => {
                        hall = after;
                        running.follow(&hall.boards);
                        said
                    }
                };
                said.iter().for_each(|said| out::report(&format!("clockctl: {}\n", plain(said))));
                continue;
            }
        };
        let line = match (line, cli.options.json) {
            (Line::Message(text), _) => {
                out::report(&format!("clockctl: {}: {text}\n", board.name));
                continue;
            }
            (Line::Printed(text), true) => line_json(&board, 0, text)?,
            (Line::Printed(text), false) => {
                let names = hall.boards.iter().map(|board| board.name.chars().count());
                let width = names.max().unwrap_or(0);
                format!("{}  {text}\n", padded(&board.name, width))
            }
        };
        if out::print_while_read(&line)? == Reader::Gone {
            return Ok(0);
        }
    }
}

/// The boards that are followed.
struct Running {
    words: Vec<OsString>,
    lines: mpsc::Sender<(Arc<Board>, Line)>,
    /// Dropping this ends the processes.
    tasks: JoinSet<()>,
    boards: Vec<(Arc<Board>, AbortHandle)>,
}

impl Running {
    /// Follows these boards and no others. A board that is followed already and still has its clock
    /// keeps its process.
    fn follow(&mut self, boards: &[Board]) {
        let mut before = std::mem::take(&mut self.boards);
        for board in boards {
            let is_same = |(other, _): &(Arc<Board>, AbortHandle)| {
                other.name == board.name && other.target == board.target
            };
            let running = match before.iter().position(is_same) {
                Some(index) => before.swap_remove(index),
                None => {
                    let board = Arc::new(board.clone());
                    let run = follow(Arc::clone(&board), self.words.clone(), self.lines.clone());
                    (board, self.tasks.spawn(run))
                }
            };
            self.boards.push(running);
        }
        for (_, task) in before {
            task.abort();
        }
    }
}

enum Line {
    /// A line of standard output.
    Printed(String),
    /// Why a process has ended.
    Message(String),
}

async fn follow(board: Arc<Board>, words: Vec<OsString>, lines: mpsc::Sender<(Arc<Board>, Line)>) {
    let mut said = String::new();
    loop {
        let ended = follow_once(&board, &words, &lines).await;
        let why = ended.unwrap_or_else(|error| error.to_string());
        // A clock that cannot be reached is reported once.
        if !why.is_empty() && why != said {
            said.clone_from(&why);
            if lines.send((Arc::clone(&board), Line::Message(why))).await.is_err() {
                return;
            }
        }
        sleep(RETRY).await;
    }
}

/// Runs `watch` for the board to its end. Returns its messages.
async fn follow_once(
    board: &Arc<Board>,
    words: &[OsString],
    lines: &mpsc::Sender<(Arc<Board>, Line)>,
) -> std::io::Result<String> {
    let run = Run {
        words: words.to_vec(),
        // The lines of `watch` name no command.
        beginning: "clockctl".to_owned(),
        // It is not used: `watch` runs until it is ended.
        deadline: Duration::ZERO,
    };
    let mut command = child::command(board, &run)?;
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let print = async {
        let Some(stdout) = stdout else { return Ok(()) };
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        while (&mut stdout).take(LINE_LIMIT).read_until(b'\n', &mut line).await? > 0 {
            if line.pop() != Some(b'\n') {
                break;
            }
            let text = String::from_utf8_lossy(&line).into_owned();
            if lines.send((Arc::clone(board), Line::Printed(text))).await.is_err() {
                break;
            }
            line.clear();
        }
        Ok::<(), std::io::Error>(())
    };
    let read_messages = async {
        let mut text = Vec::new();
        if let Some(stderr) = stderr {
            stderr.take(LINE_LIMIT).read_to_end(&mut text).await?;
        }
        Ok::<_, std::io::Error>(text)
    };
    let (printed, messages) = tokio::join!(print, read_messages);
    printed?;
    let messages = plain(String::from_utf8_lossy(&messages?).trim());
    Ok(messages.strip_prefix("clockctl: ").unwrap_or(&messages).to_owned())
}
