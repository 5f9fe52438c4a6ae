//! The lines of `watch` of all clocks, each with its board. Each clock has a process of its own; one
//! that ends is started again.

use std::{ffi::OsString, process::Stdio, time::Duration};

use anyhow::Result;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    task::JoinSet,
    time::sleep,
};

use super::super::finished::line_json;
use crate::{
    cli::Cli,
    hall::{
        Board, Hall,
        child::{self, Run},
    },
    out::{self, Reader},
    text::plain,
};

/// The pause before a process that has ended is started again.
const RETRY: Duration = Duration::from_secs(5);
/// The longest line, in bytes. A line of `watch --json` has some 3 KiB.
const LINE_LIMIT: u64 = 1024 * 1024;
/// How many lines can wait to be printed. Further ones wait in the processes.
const WAITING: usize = 256;

/// Prints the lines until the reader has gone or the process is ended.
pub async fn run(cli: &Cli, hall: &Hall) -> Result<u8> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (sender, mut lines) = mpsc::channel(WAITING);
    // Dropping this ends the processes.
    let mut running = JoinSet::new();
    for (index, board) in hall.boards.iter().cloned().enumerate() {
        running.spawn(follow(index, board, words.clone(), sender.clone()));
    }
    let width = hall.boards.iter().map(|board| board.name.chars().count()).max().unwrap_or(0);
    loop {
        let (index, line) = tokio::select! {
            _ = terminate.recv() => return Ok(0),
            _ = interrupt.recv() => return Ok(0),
            Some(line) = lines.recv() => line,
        };
        let board = &hall.boards[index];
        let line = match (line, cli.options.json) {
            (Line::Message(text), _) => {
                out::report(&format!("clockctl: {}: {text}\n", board.name));
                continue;
            }
            (Line::Printed(text), true) => line_json(board, 0, text)?,
            (Line::Printed(text), false) => format!("{:<width$}  {text}\n", board.name),
        };
        if out::print_while_read(&line)? == Reader::Gone {
            return Ok(0);
        }
    }
}

enum Line {
    /// A line of standard output.
    Printed(String),
    /// Why a process has ended.
    Message(String),
}

async fn follow(
    index: usize,
    board: Board,
    words: Vec<OsString>,
    lines: mpsc::Sender<(usize, Line)>,
) {
    let mut said = String::new();
    loop {
        let ended = follow_once(index, &board, &words, &lines).await;
        let why = ended.unwrap_or_else(|error| error.to_string());
        // A clock that cannot be reached is reported once.
        if !why.is_empty() && why != said {
            said.clone_from(&why);
            if lines.send((index, Line::Message(why))).await.is_err() {
                return;
            }
        }
        sleep(RETRY).await;
    }
}

/// Runs `watch` for the board to its end. Returns its messages.
async fn follow_once(
    index: usize,
    board: &Board,
    words: &[OsString],
    lines: &mpsc::Sender<(usize, Line)>,
) -> std::io::Result<String> {
    let run = Run {
        words: words.to_vec(),
        folder: ".".into(),
        sent_file: None,
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
            if lines.send((index, Line::Printed(text))).await.is_err() {
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
