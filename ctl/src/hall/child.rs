//! Carries a verb out on one board of many: in a process of its own, with a deadline. So a board
//! that hangs, fails or answers too much affects no other board.

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    process::Stdio,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::Command,
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
/// How long the messages of a process are read after it was killed. They are already in the pipe, but
/// its `ssh` may keep the pipe open.
const LAST_MESSAGES: Duration = Duration::from_millis(100);
/// The beginning of the line by which a process tells that it is about to send a command.
const SENT: &str = "a command is sent for the revision ";

/// The content of the variable.
#[derive(Serialize, Deserialize)]
struct ForBoard {
    host: Option<String>,
    bus: Option<String>,
    beginning: String,
    revision: Option<u64>,
}

/// A run of `clockctl` for one board.
#[derive(Clone, Debug)]
pub struct Run {
    pub words: Vec<OsString>,
    /// How a command for the board begins where the messages of this run are read.
    pub beginning: String,
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
    let ForBoard { host, bus, beginning, revision } = for_board;
    let target = match (host, bus) {
        (Some(host), _) => Target::Host(host.parse::<Host>().ok()?),
        (None, Some(bus)) => Target::Bus(bus.parse::<Address>().ok()?),
        (None, None) => Target::SystemBus,
    };
    Some(OnBoard { target, beginning, revision, is_one_of_many: true })
}

/// Tells the parent process, another `clockctl`, that this process is about to send a command for this
/// revision. It does so before it sends the command, because the answer may never arrive.
pub fn tell_sent(revision: u64) {
    // Without a reader the message has no use.
    let _ = writeln!(io::stderr().lock(), "{SENT}{revision}");
}

/// Separates the lines of [`tell_sent`] from the messages of a process. Returns the revision, if there is
/// one, and the other messages.
fn take_sent(messages: &str) -> (Option<u64>, String) {
    let mut sent_for = None;
    let mut others = String::new();
    for line in messages.split_inclusive('\n') {
        match line.strip_prefix(SENT) {
            Some(revision) => sent_for = revision.trim_end().parse().ok(),
            None => others.push_str(line),
        }
    }
    (sent_for, others)
}

/// A process that carries the words out for the board.
pub fn command(board: &Board, run: &Run) -> io::Result<Command> {
    let (host, bus) = match &board.target {
        Target::SystemBus => (None, None),
        Target::Bus(address) => (None, Some(address.to_string())),
        Target::Host(host) => (Some(host.as_str().to_owned()), None),
    };
    let (beginning, revision) = (run.beginning.clone(), board.revision);
    let for_board = ForBoard { host, bus, beginning, revision };
    let mut command = Command::new(env::current_exe()?);
    command.args(&run.words);
    command.env(VARIABLE, serde_json::to_string(&for_board)?);
    command.stdin(Stdio::null()).kill_on_drop(true);
    Ok(command)
}

/// Runs the words for the board to their end, or to the deadline. Also returns the revision for which
/// the process has sent a command.
pub async fn run(board: &Board, run: &Run) -> (Finished, Option<u64>) {
    let started = command(board, run)
        .and_then(|mut command| command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn());
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return (Finished::Failed(error.to_string()), None),
    };
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let (mut out, mut messages) = (Vec::new(), Vec::new());
    let ends = async {
        tokio::try_join!(
            read(&mut stdout, OUTPUT_LIMIT, &mut out),
            read(&mut stderr, MESSAGE_LIMIT, &mut messages),
            child.wait(),
        )
    };
    let ended = timeout(run.deadline, ends).await;
    if !matches!(ended, Ok(Ok(_))) {
        // It can have sent a command until the end, and whether it has must be known.
        let last = async {
            child.kill().await?;
            read(&mut stderr, MESSAGE_LIMIT, &mut messages).await
        };
        let _ = timeout(LAST_MESSAGES, last).await;
    }
    let (sent_for, messages) = take_sent(&String::from_utf8_lossy(&messages));
    let finished = match ended {
        Err(_) => Finished::Late,
        Ok(Err(error)) => Finished::Failed(error.to_string()),
        Ok(Ok(((), (), status))) => match status.code().and_then(|code| u8::try_from(code).ok()) {
            Some(code) => {
                let out = String::from_utf8_lossy(&out).into_owned();
                Finished::Exit { code, out, messages }
            }
            None => Finished::Failed("ended by a signal".to_owned()),
        },
    };
    (finished, sent_for)
}

/// Reads a pipe to its end, or up to a limit. What was read so far is in `bytes` also if this is
/// cancelled.
async fn read(
    pipe: &mut Option<impl AsyncRead + Unpin>,
    limit: u64,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let Some(pipe) = pipe else { return Ok(()) };
    let mut pipe = pipe.take(limit + 1);
    while pipe.read_buf(bytes).await? > 0 {}
    match pipe.limit() {
        0 => Err(io::Error::other(format!("it printed more than {limit} bytes"))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::take_sent;

    #[test]
    fn the_revision_is_taken_off_the_messages() {
        let said =
            "clockctl: `3+2` means …\na command is sent for the revision 212\nclockctl: no\n";
        assert_eq!(
            take_sent(said),
            (Some(212), "clockctl: `3+2` means …\nclockctl: no\n".to_owned())
        );
        assert_eq!(take_sent("clockctl: no\n"), (None, "clockctl: no\n".to_owned()));
    }
}
