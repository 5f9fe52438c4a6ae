//! Requests a backup to the USB stick. It connects to a socket of systemd, and systemd then starts
//! `clockctl backup save --json` as root. What that program prints is the answer on the connection.

use clockd_menu::{BackupOutcome, BackupProblem};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;
use tokio::time::timeout;

/// The environment variable with the path of the socket. `clockd.service` sets it.
const VARIABLE: &str = "CHESS_CLOCK_BACKUP";
/// The largest answer that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;
/// How long to wait for the answer. systemd ends the backup after 10 minutes (`TimeoutStartSec=`), so
/// the answer comes before this time, or never.
const LONGEST: Duration = Duration::from_secs(11 * 60);

/// The path of the socket; `None` if the system has none.
pub fn socket() -> Option<PathBuf> {
    let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
    Some(PathBuf::from(path)).filter(|path| path.exists())
}

/// The result of a backup.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The name of the file, and its size in bytes.
    Done { file: String, bytes: u64 },
    /// There is no backup. `code` is the code of the failure in the JSON of `clockctl`, such as `no-stick`,
    /// and `message` is the reason, an English text.
    NotDone { code: String, message: String },
}

/// The answer of `clockctl backup save --json`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Done { file: String, bytes: u64 },
    Failed { error: Failed },
}

#[derive(Deserialize)]
struct Failed {
    code: String,
    message: String,
}

impl Outcome {
    /// Makes a backup. Waits until it is on the stick, or has failed.
    pub async fn of_request(socket: Option<PathBuf>) -> Outcome {
        let Some(socket) = socket else { return Outcome::no_answer() };
        let answer = timeout(LONGEST, answer(&socket)).await;
        let answer = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let read = answer.and_then(|text| Outcome::read(&text));
        read.unwrap_or_else(|error| Outcome::not_answered(&error.to_string()))
    }

    /// The result if the socket was removed after the page was shown.
    pub fn no_answer() -> Outcome {
        Outcome::not_answered("chess-clock-backup.socket does not run")
    }

    fn not_answered(why: &str) -> Outcome {
        Outcome::NotDone { code: "no-answer".to_owned(), message: why.to_owned() }
    }

    fn read(text: &str) -> io::Result<Outcome> {
        Ok(match serde_json::from_str(text)? {
            Answer::Done { file, bytes } => Outcome::Done { file, bytes },
            Answer::Failed { error: Failed { code, message } } => {
                Outcome::NotDone { code, message }
            }
        })
    }

    /// The result in the form that the pages of the menu need.
    pub fn as_outcome(&self) -> BackupOutcome<'_> {
        match self {
            Outcome::Done { file, bytes } => {
                BackupOutcome::Done { file, kibibytes: bytes.div_ceil(1024) }
            }
            Outcome::NotDone { code, message } => {
                let problem = match code.as_str() {
                    "no-stick" => BackupProblem::NoStick,
                    "several-sticks" => BackupProblem::SeveralSticks,
                    "unusable-stick" => BackupProblem::Unusable,
                    "full" => BackupProblem::Full,
                    "read-only" => BackupProblem::ReadOnly,
                    _ => BackupProblem::Failed,
                };
                BackupOutcome::NotDone { problem, text: message }
            }
        }
    }
}

/// Connects to the socket, which is the request, and reads the answer.
async fn answer(socket: &Path) -> io::Result<String> {
    let stream = UnixStream::connect(socket).await?;
    let mut text = String::new();
    stream.take(MAX_BYTES).read_to_string(&mut text).await?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_of_clockctl_is_a_problem_with_a_sentence() {
        let problem = |code: &str| {
            let text = format!(r#"{{"error":{{"code":"{code}","message":"why","exit":1}}}}"#);
            match Outcome::read(&text).unwrap().as_outcome() {
                BackupOutcome::NotDone { problem, text: "why" } => problem,
                other => panic!("{other:?}"),
            }
        };
        for (code, expected) in [
            ("no-stick", BackupProblem::NoStick),
            ("several-sticks", BackupProblem::SeveralSticks),
            ("unusable-stick", BackupProblem::Unusable),
            ("full", BackupProblem::Full),
            ("read-only", BackupProblem::ReadOnly),
            ("not-saved", BackupProblem::Failed),
            ("usage", BackupProblem::Failed),
        ] {
            assert_eq!(problem(code), expected, "{code}");
        }
    }

    #[tokio::test]
    async fn no_socket_and_no_answer_are_failures() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let failed = |outcome: Outcome| match outcome {
            Outcome::NotDone { code, .. } => assert_eq!(code, "no-answer"),
            done => panic!("{done:?}"),
        };
        failed(Outcome::of_request(Some(path.clone())).await);
        // Another backup runs: systemd closes the connection.
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        let request = Outcome::of_request(Some(path.clone()));
        let (outcome, _) = tokio::join!(request, async { drop(listener.accept().await) });
        failed(outcome);
    }
}
