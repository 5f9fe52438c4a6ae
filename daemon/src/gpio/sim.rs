//! A simulated board: buttons pressed over a Unix socket, for the demonstration and the tests.
//!
//! It exists only with `--gpio sim:PATH`, never in the shipped unit. A client writes lines such
//! as `white down` or `black up 1500000000` (a CLOCK_MONOTONIC stamp, in nanoseconds) and gets an
//! `ok STAMP` or an `error …` for each. Behind the socket each line has a pipe with the records
//! the kernel would write, so the clock loop runs the same code on both boards. `unplug` pulls the
//! board out, as a chip on USB can be, and `plug` puts it back: buttons still go down and up
//! meanwhile, but nobody reads them.

use super::{Button, Edge, GpioError, Lines, QUEUE, cdev};
use crate::clock::monotonic_now;
use clock_engine::Instant;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
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

/// The socket, and behind it the writing ends.
pub struct SimBoard {
    listener: UnixListener,
    path: PathBuf,
    wires: Arc<Wires>,
}

struct Wires {
    taken: Arc<AtomicU64>,
    /// Held while an edge is written, so that they stay in order.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// None while the board is pulled out, or not opened yet.
    pipes: Option<[OwnedFd; Button::ALL.len()]>,
    unplugged: bool,
    levels: [bool; Button::ALL.len()],
    /// The stamp of each line's last edge.
    last: [Instant; Button::ALL.len()],
}

/// Opens the board, as often as it is pulled out.
#[derive(Clone)]
pub struct SimOpener {
    path: PathBuf,
    wires: Arc<Wires>,
}

impl SimOpener {
    /// Its lines; those opened before are then gone.
    pub fn open(&self) -> Result<SimLines, GpioError> {
        let path = || self.path.display().to_string();
        let mut state = self.wires.lock();
        if state.unplugged {
            return Err(GpioError::NoChip { wanted: path(), found: "none".to_owned() });
        }
        let make = || pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK);
        let made = || Ok([make()?, make()?, make()?]);
        let [white, black, call] = made().map_err(|errno: rustix::io::Errno| {
            GpioError::Socket { path: path(), hint: errno.to_string() }
        })?;
        state.pipes = Some([white.1, black.1, call.1]);
        Ok(SimLines {
            pipes: [white.0, black.0, call.0],
            levels: state.levels,
            taken: Arc::clone(&self.wires.taken),
        })
    }
}

/// Makes a board listening at `path`, and what opens it.
pub fn board(path: &Path) -> Result<(SimOpener, SimBoard), GpioError> {
    remove_stale(path)?;
    let listener = UnixListener::bind(path).map_err(|error| GpioError::Socket {
        path: path.display().to_string(),
        hint: error.to_string(),
    })?;
    let wires = Arc::new(Wires { taken: Arc::default(), state: Mutex::default() });
    let opener = SimOpener { path: path.to_owned(), wires: Arc::clone(&wires) };
    Ok((opener, SimBoard { listener, path: path.to_owned(), wires }))
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
    let done = match line {
        "unplug" => Ok(wires.plug(false)),
        "plug" => Ok(wires.plug(true)),
        _ => parse(line).and_then(|(button, active, at)| wires.edge(button, active, at)),
    };
    match done {
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
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while it holds the lock")
    }

    /// Puts the board in or pulls it out; when.
    fn plug(&self, there: bool) -> Instant {
        let mut state = self.lock();
        state.unplugged = !there;
        if !there {
            state.pipes = None;
        }
        monotonic_now()
    }

    fn edge(&self, button: Button, active: bool, at: Option<Instant>) -> Result<Instant, String> {
        let index = button.index();
        let mut state = self.lock();
        let now = monotonic_now();
        let taken = Instant::from_nanos(self.taken.load(Ordering::Acquire));
        let earliest = taken.max(state.last[index]);
        if at.is_some_and(|at| at > now || at < earliest) {
            return Err(format!(
                "stamp {} is not between {}, up to which the clock has decided, and now, {}",
                at.unwrap_or(now).as_nanos(),
                earliest.as_nanos(),
                now.as_nanos()
            ));
        }
        let at = at.unwrap_or(now);
        if let Some(pipes) = &state.pipes {
            rustix::io::write(&pipes[index], &cdev::encode(Edge { at, active }))
                .map_err(|errno| format!("the clock does not take edges now: {errno}"))?;
        }
        state.last[index] = at;
        state.levels[index] = active;
        Ok(at)
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
