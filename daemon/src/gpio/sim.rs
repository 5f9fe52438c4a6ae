//! A simulated board: buttons pressed over a Unix socket, for the demonstration and the tests.
//!
//! It exists only with `--gpio sim:PATH`, never in the shipped unit. A client writes lines such
//! as `white down` or `black up 1500000000` (a CLOCK_MONOTONIC stamp, in nanoseconds) and gets an
//! `ok STAMP` or an `error …` for each. Behind the socket each line has a pipe with the records
//! the kernel would write, so the clock loop runs the same code on both boards.

use super::{Button, Edge, GpioError, Lines, QUEUE, cdev};
use crate::clock::monotonic_now;
use clock_engine::Instant;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;

/// A longer line than this is garbage.
const LINE_LIMIT: u8 = 128;

/// More clients than this wait until others have gone.
const CLIENTS: usize = 64;
/// How long to wait where no client could be let in.
const RETRY: Duration = Duration::from_millis(100);

/// The reading ends, for the clock loop.
pub struct SimLines {
    pipes: [OwnedFd; Button::ALL.len()],
    /// As the edges read so far tell: a pipe loses none, and writing an edge and its level at one
    /// instant is not possible.
    levels: [bool; Button::ALL.len()],
    /// Up to here, in nanoseconds, the clock loop has taken the edges and may have decided.
    taken: Arc<AtomicU64>,
}

/// The writing ends and the socket.
pub struct SimBoard {
    listener: UnixListener,
    path: PathBuf,
    wires: Arc<Wires>,
}

struct Wires {
    pipes: [OwnedFd; Button::ALL.len()],
    taken: Arc<AtomicU64>,
    /// The stamp of each line's last edge; held while one is written, so that they stay in order.
    last: Mutex<[Instant; Button::ALL.len()]>,
}

/// Makes a board listening at `path`.
pub fn board(path: &Path) -> Result<(SimLines, SimBoard), GpioError> {
    let failed = |error: io::Error| GpioError::Socket {
        path: path.display().to_string(),
        hint: error.to_string(),
    };
    remove_stale(path)?;
    let listener = UnixListener::bind(path).map_err(failed)?;
    let make = || pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).map_err(io::Error::from);
    let [white, black, call] = [make(), make(), make()];
    let (white, black, call) =
        (white.map_err(failed)?, black.map_err(failed)?, call.map_err(failed)?);
    let taken = Arc::new(AtomicU64::new(0));
    let lines = SimLines {
        pipes: [white.0, black.0, call.0],
        levels: [false; Button::ALL.len()],
        taken: Arc::clone(&taken),
    };
    let wires = Wires {
        pipes: [white.1, black.1, call.1],
        taken,
        last: Mutex::new([Instant::ZERO; Button::ALL.len()]),
    };
    Ok((lines, SimBoard { listener, path: path.to_owned(), wires: Arc::new(wires) }))
}

/// A killed clockd leaves its socket behind; a living one, or a file of another kind, is not ours.
fn remove_stale(path: &Path) -> Result<(), GpioError> {
    let refuse = |hint: &str| {
        Err(GpioError::Socket { path: path.display().to_string(), hint: hint.to_owned() })
    };
    let Ok(found) = std::fs::symlink_metadata(path) else {
        return Ok(());
    };
    if !std::os::unix::fs::FileTypeExt::is_socket(&found.file_type()) {
        return refuse("a file is there that is not a socket");
    }
    if StdStream::connect(path).is_ok() {
        return refuse("another clockd listens there");
    }
    match std::fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) => refuse(&format!("the old socket cannot be removed: {error}")),
    }
}

impl Lines for SimLines {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        Some(self.pipes[button.index()].as_fd())
    }

    fn read(&mut self, button: Button, edges: &mut [Edge; QUEUE]) -> io::Result<usize> {
        // What is stamped earlier and written later would come behind its own decision.
        self.taken.store(monotonic_now().as_nanos(), Ordering::Release);
        let mut buffer = [0_u8; 16 * QUEUE];
        match rustix::io::read(&self.pipes[button.index()], &mut buffer) {
            Ok(len) => {
                let count = cdev::decode(&buffer[..len], edges);
                if let Some(last) = edges[..count].last() {
                    self.levels[button.index()] = last.active;
                }
                Ok(count)
            }
            Err(rustix::io::Errno::AGAIN) => Ok(0),
            Err(errno) => Err(errno.into()),
        }
    }

    fn level(&self, button: Button) -> io::Result<bool> {
        Ok(self.levels[button.index()])
    }
}

impl SimBoard {
    /// Serves the socket for ever, one task a client.
    pub async fn serve(&self) -> io::Result<()> {
        let places = Arc::new(Semaphore::new(CLIENTS));
        loop {
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let wires = Arc::clone(&self.wires);
                    tokio::spawn(async move {
                        serve_client(stream, wires).await;
                        drop(place);
                    });
                }
                // Out of descriptors, say: the clients there are may go.
                Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    }
}

impl Drop for SimBoard {
    fn drop(&mut self) {
        // Nothing can be done about a socket that somebody else removed.
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn serve_client(stream: UnixStream, wires: Arc<Wires>) {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read);
    let mut line = Vec::new();
    loop {
        line.clear();
        let len = (&mut lines).take(LINE_LIMIT.into()).read_until(b'\n', &mut line).await;
        if !len.is_ok_and(|len| len > 0) {
            return;
        }
        let whole = line.ends_with(b"\n") || line.len() < usize::from(LINE_LIMIT);
        let answer = match std::str::from_utf8(&line) {
            _ if !whole => format!("error: a line has at most {LINE_LIMIT} bytes\n"),
            Ok(text) => answer(&wires, text.trim()),
            Err(_) => "error: a line is text\n".to_owned(),
        };
        if write.write_all(answer.as_bytes()).await.is_err() || !whole {
            return;
        }
    }
}

fn answer(wires: &Wires, line: &str) -> String {
    match parse(line).and_then(|(button, active, at)| wires.edge(button, active, at)) {
        Ok(at) => format!("ok {}\n", at.as_nanos()),
        Err(message) => format!("error: {message}\n"),
    }
}

fn parse(line: &str) -> Result<(Button, bool, Option<Instant>), String> {
    let expected = "expected `white`, `black` or `call`, then `down` or `up`, then if wanted a \
                    stamp in nanoseconds";
    let wrong = || format!("`{}`; {expected}", line.escape_debug());
    let mut words = line.split_whitespace();
    let button = words.next().and_then(Button::from_text).ok_or_else(wrong)?;
    let active = match words.next() {
        Some("down") => true,
        Some("up") => false,
        _ => return Err(wrong()),
    };
    let stamp = words.next().map(|word| word.parse().map(Instant::from_nanos)).transpose();
    match (stamp, words.next()) {
        (Ok(stamp), None) => Ok((button, active, stamp)),
        _ => Err(wrong()),
    }
}

impl Wires {
    fn edge(&self, button: Button, active: bool, at: Option<Instant>) -> Result<Instant, String> {
        let index = button.index();
        let mut last = self.last.lock().expect("nothing panics while it holds the lock");
        let now = monotonic_now();
        let taken = Instant::from_nanos(self.taken.load(Ordering::Acquire));
        let earliest = taken.max(last[index]);
        if at.is_some_and(|at| at > now || at < earliest) {
            return Err(format!(
                "stamp {} is not between {}, up to which the clock has decided, and now, {}",
                at.unwrap_or(now).as_nanos(),
                earliest.as_nanos(),
                now.as_nanos()
            ));
        }
        let at = at.unwrap_or(now);
        match rustix::io::write(&self.pipes[index], &cdev::encode(Edge { at, active })) {
            Ok(_) => {
                last[index] = at;
                Ok(at)
            }
            Err(errno) => Err(format!("the clock does not take edges now: {errno}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_board() {
        assert_eq!(
            parse("white down"),
            Ok((Button::Player(clock_engine::Side::White), true, None))
        );
        assert_eq!(parse("call up 17"), Ok((Button::Call, false, Some(Instant::from_nanos(17)))));
        for garbage in [
            "",
            "white",
            "white sideways",
            "green down",
            "white down -1",
            "white down 1 2",
            "\u{0}",
        ] {
            let error = parse(garbage).expect_err(garbage);
            assert!(error.contains("expected `white`"), "{error}");
        }
    }
}
