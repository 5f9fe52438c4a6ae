//! Requests a backup to the USB stick. It connects to a socket of systemd, and systemd then starts
//! `clockctl backup save --json` as root. What that program prints is the answer on the connection.

use clock_languages::menu;
use clockd_menu::{BackupOutcome, Sentence};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;
use tokio::time::timeout;

/// The environment variable with the path of the socket. `clockd.service` sets it.
const VARIABLE: &str = "CHESS_CLOCK_BACKUP";
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

fn failed(message: String) -> BackupOutcome {
    not_done("failed", message)
}

fn read(text: &str) -> io::Result<BackupOutcome> {
    Ok(match serde_json::from_str(text)? {
        Answer::Done { file, bytes } => {
            tracing::info!(file, "a backup is on the stick");
            BackupOutcome::Done { file, kibibytes: bytes.div_ceil(1024) }
        }
        Answer::Failed { error: Failed { code, message } } => not_done(&code, message),
    })
}

/// The page shows the message only if the sentence of the code does not say enough.
fn not_done(code: &str, message: String) -> BackupOutcome {
    tracing::warn!(code, message, "there is no backup");
    let (sentence, text): (Sentence<menu::Backup>, String) = match code {
        "no-stick" => (|words| words.no_stick, String::new()),
        "several-sticks" => (|words| words.several_sticks, String::new()),
        "full" => (|words| words.full, String::new()),
        "read-only" => (|words| words.read_only, String::new()),
        "unusable-stick" => (|words| words.unusable, message),
        _ => (|words| words.failed, message),
    };
    BackupOutcome::NotDone { sentence, text }
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

    /// The English sentence on the page, and the message below it.
    fn said(outcome: BackupOutcome) -> (&'static str, String) {
        match outcome {
            BackupOutcome::NotDone { sentence, text } => (sentence(backup_words()), text),
            done => panic!("{done:?}"),
        }
    }

    fn backup_words() -> &'static menu::Backup {
        &clock_languages::Language::English.words().menu.backup
    }

    #[test]
    fn each_code_of_clockctl_has_a_sentence() {
        let words = backup_words();
        for (code, sentence, text) in [
            ("no-stick", words.no_stick, ""),
            ("several-sticks", words.several_sticks, ""),
            ("unusable-stick", words.unusable, "why"),
            ("full", words.full, ""),
            ("read-only", words.read_only, ""),
            ("not-saved", words.failed, "why"),
            ("usage", words.failed, "why"),
        ] {
            let answer = format!(r#"{{"error":{{"code":"{code}","message":"why","exit":1}}}}"#);
            assert_eq!(said(read(&answer).unwrap()), (sentence, text.to_owned()), "{code}");
        }
    }

    #[tokio::test]
    async fn no_socket_and_no_answer_are_failures() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let failed = |outcome| assert_eq!(said(outcome).0, backup_words().failed);
        failed(request(Some(path.clone())).await);
        // Another backup runs: systemd closes the connection.
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        let asked = request(Some(path.clone()));
        let (outcome, _) = tokio::join!(asked, async { drop(listener.accept().await) });
        failed(outcome);
    }
}
