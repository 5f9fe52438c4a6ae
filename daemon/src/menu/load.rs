//! Requests the list of the backups on the USB stick, or the load of one of them. It connects to a socket
//! of systemd, and systemd then starts `clockctl backup serve --json` as root. What that program prints
//! is the answer on the connection.
//!
//! A load stops this service, so its answer arrives only if nothing was loaded. If it fails after the
//! stop, the next start of this service shows the reason as a fault (`config/failed_load.rs`).

use super::backup;
use crate::log::escaped;
use clockd_menu::{Backup, Backups, LoadAnswer, LoadProblem};
use serde::Deserialize;
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::timeout;

/// The environment variable with the path of the socket. `clockd.service` sets it.
const VARIABLE: &str = "CHESS_CLOCK_LOAD";
/// How long to wait for the list. `clockctl` gives a stick up after a minute.
const LONGEST_LIST: Duration = Duration::from_secs(90);
/// How long to wait for the answer to a load. systemd ends the load after 10 minutes
/// (`TimeoutStartSec=`), so the answer comes before this time, or never.
const LONGEST_LOAD: Duration = Duration::from_secs(11 * 60);

/// The path of the socket; `None` if the system has none.
pub fn socket() -> Option<PathBuf> {
    backup::socket_in(VARIABLE)
}

/// A request to `clockctl backup serve`.
#[derive(Debug)]
pub enum Request {
    /// The backups of the stick.
    List,
    /// Load the backup of this name.
    Load(String),
}

/// The answer to a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    /// The backups of the stick.
    Listed(Backups),
    /// The backup was loaded. This service is mostly stopped before it can receive this answer.
    Loaded,
    /// Nothing was loaded. `code` is the code of the failure in the JSON of `clockctl`, such as `no-stick`,
    /// and `message` is the reason, an English text.
    NotLoaded { code: String, message: String },
}

/// The answer of `clockctl backup serve --json`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Listed { backups: Vec<Listed>, more: u64 },
    Loaded { changed: Vec<String> },
    Failed { error: Failed },
}

#[derive(Deserialize)]
struct Failed {
    code: String,
    message: String,
}

/// A backup in the list. The keys are described in `ctl/src/verb/backup/list.rs`.
#[derive(Deserialize)]
struct Listed {
    file: String,
    error: Option<String>,
    host: Option<String>,
    board: Option<String>,
    made_at: Option<String>,
    games: Option<u64>,
}

impl Reply {
    /// Sends the request, and waits until the answer has arrived.
    pub async fn of_request(socket: Option<PathBuf>, request: Request) -> Reply {
        let Some(socket) = socket else { return Reply::no_answer() };
        let (line, longest) = match request {
            Request::List => ("list\n".to_owned(), LONGEST_LIST),
            Request::Load(file) => (format!("load {file}\n"), LONGEST_LOAD),
        };
        let answer = timeout(longest, backup::answer(&socket, &line)).await;
        let answer = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let loaded = answer.and_then(|text| Reply::read(&text));
        let loaded = loaded.unwrap_or_else(|error| Reply::not_answered(&error.to_string()));
        if let Reply::NotLoaded { code, message } = &loaded {
            tracing::warn!(code, message, "no backup is loaded");
        }
        loaded
    }

    /// The answer if the socket was removed after the page was shown.
    pub fn no_answer() -> Reply {
        Reply::not_answered("chess-clock-load.socket does not run")
    }

    fn not_answered(why: &str) -> Reply {
        Reply::NotLoaded { code: "no-answer".to_owned(), message: why.to_owned() }
    }

    fn read(text: &str) -> io::Result<Reply> {
        Ok(match serde_json::from_str(text)? {
            Answer::Listed { backups, more } => {
                Reply::Listed(Backups { listed: backups.into_iter().map(shown).collect(), more })
            }
            Answer::Loaded { changed } => {
                tracing::info!(files = changed.len(), "a backup is loaded");
                Reply::Loaded
            }
            Answer::Failed { error: Failed { code, message } } => {
                Reply::NotLoaded { code, message: escaped(&message) }
            }
        })
    }

    /// The answer in the form that the pages of the menu need.
    pub fn as_answer(&self) -> LoadAnswer<'_> {
        match self {
            Reply::Listed(backups) => LoadAnswer::Listed(backups.clone()),
            Reply::Loaded => LoadAnswer::Loaded,
            Reply::NotLoaded { code, message } => {
                let problem = match code.as_str() {
                    "no-stick" => LoadProblem::NoStick,
                    "several-sticks" => LoadProblem::SeveralSticks,
                    "unusable-stick" => LoadProblem::Unusable,
                    "no-backup" => LoadProblem::NoBackup,
                    "damaged-backup" => LoadProblem::Damaged,
                    "newer-backup" => LoadProblem::Newer,
                    "game-under-way" => LoadProblem::GameOnTheClock,
                    "no-room" => LoadProblem::NoRoom,
                    _ => LoadProblem::Failed,
                };
                LoadAnswer::NotLoaded { problem, text: message }
            }
        }
    }
}

/// A backup for the pages. The texts come from the stick, so characters that are not visible, or that
/// change the direction of writing, are escaped. A file whose name has one is not loaded, because the
/// page would not show the name that is requested.
fn shown(listed: Listed) -> Backup {
    let text = |text: Option<String>| escaped(&text.unwrap_or_default());
    let file = escaped(&listed.file);
    let unshown =
        (file != listed.file).then(|| "its name has characters that are not shown".into());
    Backup {
        error: listed.error.map(|why| escaped(&why)).or(unshown),
        host: text(listed.host),
        board: text(listed.board),
        // The first 16 characters are the date and the time without the seconds.
        made_at: listed.made_at.and_then(|at| Some(escaped(at.get(..16)?))),
        games: listed.games,
        file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    const NAME: &str = "chess-clock-clock-12.tar";

    fn listed(file: &str, host: &str) -> String {
        let one = serde_json::json!({
            "file": file, "bytes": 1, "error": null, "host": host, "board": null, "made_at_s": 7,
            "made_at": "2026-11-27 18:30:05", "version": "1.0.0", "games": 3,
        });
        serde_json::json!({ "source": "/dev/sda1", "backups": [one], "more": 2 }).to_string()
    }

    fn one(text: &str) -> Backup {
        match Reply::read(text).unwrap() {
            Reply::Listed(Backups { listed, more: 2 }) => listed.into_iter().next().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_code_of_clockctl_is_a_problem_with_a_sentence() {
        for (code, expected) in [
            ("no-stick", LoadProblem::NoStick),
            ("several-sticks", LoadProblem::SeveralSticks),
            ("unusable-stick", LoadProblem::Unusable),
            ("no-backup", LoadProblem::NoBackup),
            ("damaged-backup", LoadProblem::Damaged),
            ("newer-backup", LoadProblem::Newer),
            ("game-under-way", LoadProblem::GameOnTheClock),
            ("no-room", LoadProblem::NoRoom),
            ("too-large", LoadProblem::Failed),
            ("record-elsewhere", LoadProblem::Failed),
            ("not-loaded", LoadProblem::Failed),
        ] {
            let text = format!(r#"{{"error":{{"code":"{code}","message":"why","exit":2}}}}"#);
            let expected = LoadAnswer::NotLoaded { problem: expected, text: "why" };
            assert_eq!(Reply::read(&text).unwrap().as_answer(), expected, "{code}");
        }
    }

    #[test]
    fn a_listed_backup_has_no_invisible_characters() {
        let backup = one(&listed(NAME, "clock-12"));
        assert_eq!((backup.file.as_str(), backup.host.as_str()), (NAME, "clock-12"));
        assert_eq!((backup.made_at.as_deref(), backup.error), (Some("2026-11-27 18:30"), None));
        let hostile = one(&listed("chess-clock-\u{202e}rat.tar", "a\u{1b}[2J\u{200b}"));
        assert_eq!(hostile.host, "a\\u{1b}[2J\\u{200b}");
        assert_eq!(hostile.file, "chess-clock-\\u{202e}rat.tar");
        assert!(hostile.error.unwrap().contains("characters that are not shown"));
    }

    #[tokio::test]
    async fn the_request_is_a_line_and_no_answer_is_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let failed = |loaded: Reply| match loaded {
            Reply::NotLoaded { code, .. } => assert_eq!(code, "no-answer"),
            other => panic!("{other:?}"),
        };
        failed(Reply::of_request(Some(path.clone()), Request::List).await);
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        // Another request is being carried out: systemd closes the connection.
        let request = Reply::of_request(Some(path.clone()), Request::List);
        let (loaded, _) = tokio::join!(request, async { drop(listener.accept().await) });
        failed(loaded);
        let load = Request::Load(NAME.to_owned());
        let (loaded, line) = tokio::join!(Reply::of_request(Some(path.clone()), load), async {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut line = String::new();
            // The end of the request is its end of line, and the end of the file.
            connection.read_to_string(&mut line).await.unwrap();
            connection.write_all(br#"{"changed":[]}"#).await.unwrap();
            line
        });
        assert_eq!((loaded, line), (Reply::Loaded, format!("load {NAME}\n")));
    }
}
