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

/// Makes a backup. Waits until it is on the stick, or has failed.
pub async fn request(socket: Option<PathBuf>) -> BackupOutcome {
    let Some(socket) = socket else { return no_answer() };
    let answer = timeout(LONGEST, answer(&socket)).await;
    let answer = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    answer.and_then(|text| read(&text)).unwrap_or_else(|error| failed(error.to_string()))
}

/// The result if the socket was removed after the page was shown.
pub fn no_answer() -> BackupOutcome {
    failed("chess-clock-backup.socket does not run".to_owned())
}

fn failed(text: String) -> BackupOutcome {
    BackupOutcome::NotDone { problem: BackupProblem::Failed, text }
}

fn read(text: &str) -> io::Result<BackupOutcome> {
    let Failed { code, message: text } = match serde_json::from_str(text)? {
        Answer::Done { file, bytes } => {
            return Ok(BackupOutcome::Done { file, kibibytes: bytes.div_ceil(1024) });
        }
        Answer::Failed { error } => error,
    };
    let problem = match code.as_str() {
        "no-stick" => BackupProblem::NoStick,
        "several-sticks" => BackupProblem::SeveralSticks,
        "unusable-stick" => BackupProblem::Unusable,
        "full" => BackupProblem::Full,
        "read-only" => BackupProblem::ReadOnly,
        _ => BackupProblem::Failed,
    };
    Ok(BackupOutcome::NotDone { problem, text })
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
            match read(&text).unwrap() {
                BackupOutcome::NotDone { problem, text } if text == "why" => problem,
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
        let failed = |outcome: BackupOutcome| match outcome {
            BackupOutcome::NotDone { problem, .. } => assert_eq!(problem, BackupProblem::Failed),
            done => panic!("{done:?}"),
        };
        failed(request(Some(path.clone())).await);
        // Another backup runs: systemd closes the connection.
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        let asked = request(Some(path.clone()));
        let (outcome, _) = tokio::join!(asked, async { drop(listener.accept().await) });
        failed(outcome);
    }
}
