//! Carries a verb out on one board of many: in a process of its own, with a deadline. So a board
//! that hangs, fails or answers too much affects no other board.

use std::{env, ffi::OsString, io, path::PathBuf, process::Stdio, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, Command},
    time::timeout,
};
use zbus::Address;

use super::board::Board;
use crate::{
    options::OnBoard,
    target::{Host, Target},
};

/// The environment variable that tells the process which board it is for, as JSON.
const VARIABLE: &str = "CLOCKCTL_ON_BOARD";
/// The longest output that is read of one board: the longest game of the record as text.
const OUTPUT_LIMIT: u64 = 32 * 1024 * 1024;
/// The longest text that is read of its messages.
const MESSAGE_LIMIT: u64 = 64 * 1024;

/// The content of the variable.
#[derive(Serialize, Deserialize)]
struct ForBoard {
    host: Option<String>,
    bus: Option<String>,
    beginning: String,
    sent_file: Option<PathBuf>,
}

/// A run of `clockctl` for one board.
#[derive(Clone, Debug)]
pub struct Run {
    pub words: Vec<OsString>,
    /// How a command for the board begins where the messages of this run are read.
    pub beginning: String,
    pub folder: PathBuf,
    pub sent_file: Option<PathBuf>,
    pub deadline: Duration,
}

/// How the run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finished {
    /// It ended by itself.
    Exit { code: u8, out: String, messages: String },
    /// It was ended at the deadline.
    Late,
    /// It could not be run or read, or a signal ended it.
    Failed(String),
}

/// The board of this process, if another `clockctl` has started it.
pub fn on_board() -> Option<OnBoard> {
    let for_board = serde_json::from_str(&env::var(VARIABLE).ok()?).ok()?;
    let ForBoard { host, bus, beginning, sent_file } = for_board;
    let target = match (host, bus) {
        (Some(host), _) => Target::Host(host.parse::<Host>().ok()?),
        (None, Some(bus)) => Target::Bus(bus.parse::<Address>().ok()?),
        (None, None) => Target::SystemBus,
    };
    Some(OnBoard { target, beginning, sent_file })
}

/// A process that carries the words out for the board.
pub fn command(board: &Board, run: &Run) -> io::Result<Command> {
    let (host, bus) = match &board.target {
        Target::SystemBus => (None, None),
        Target::Bus(address) => (None, Some(address.to_string())),
        Target::Host(host) => (Some(host.as_str().to_owned()), None),
    };
    let (beginning, sent_file) = (run.beginning.clone(), run.sent_file.clone());
    let for_board = ForBoard { host, bus, beginning, sent_file };
    let mut command = Command::new(env::current_exe()?);
    command.args(&run.words).current_dir(&run.folder);
    command.env(VARIABLE, serde_json::to_string(&for_board)?);
    command.stdin(Stdio::null()).kill_on_drop(true);
    Ok(command)
}

/// Runs the words for the board to their end, or to the deadline.
pub async fn run(board: &Board, run: &Run) -> Finished {
    let started = command(board, run)
        .and_then(|mut command| command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn());
    match started {
        Err(error) => Finished::Failed(error.to_string()),
        Ok(child) => match timeout(run.deadline, finish(child)).await {
            // Dropping the process has killed it.
            Err(_) => Finished::Late,
            Ok(Err(error)) => Finished::Failed(error.to_string()),
            Ok(Ok(finished)) => finished,
        },
    }
}

async fn finish(mut child: Child) -> io::Result<Finished> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let out = async { text(stdout, OUTPUT_LIMIT).await };
    let messages = async { text(stderr, MESSAGE_LIMIT).await };
    let (out, messages, status) = tokio::join!(out, messages, child.wait());
    let (out, messages) = (out?, messages?);
    Ok(match status?.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code) => Finished::Exit { code, out, messages },
        None => Finished::Failed("ended by a signal".to_owned()),
    })
}

/// The text of a pipe, up to a limit.
async fn text(pipe: Option<impl AsyncRead + Unpin>, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(limit + 1).read_to_end(&mut bytes).await?;
    }
    if u64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
        return Err(io::Error::other(format!("it printed more than {limit} bytes")));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
