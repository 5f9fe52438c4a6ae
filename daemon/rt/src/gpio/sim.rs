//! A simulated button board for the demonstration and the tests: buttons are pressed over a Unix
//! socket.
//!
//! It exists only with `--gpio sim:PATH`, never in the shipped unit. A client writes lines such as
//! `white down` or `black up 1500000000` (a CLOCK_MONOTONIC stamp in nanoseconds) and receives `ok
//! STAMP` or `error: …` for each. `white down up down` is a contact that bounces: three edges with the
//! same stamp, and the clock loop reads none of them before the last one is written. Each button has a pipe, which carries records in the kernel's
//! format (uAPI v1), so the clock loop runs the same code as with a real board. `unplug`
//! disconnects the board and `plug` connects it again. While the board is unplugged, a button still
//! changes its level, but its edges are lost.

use super::{GpioError, Lines, v1};
use crate::clock::monotonic_now;
use clock_engine::Instant;
use clockd_core::{Button, Edge, LINES, LineReading, QUEUE};
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;

/// The largest length of a line of the protocol, in bytes, including the line break.
const LINE_LIMIT: u8 = 128;

/// The maximum number of clients at a time; further clients wait.
const CLIENTS: usize = 64;
/// How many edges of a line can wait for the clock loop before the next edge is held back. The loop
/// has room for 16 presses. That is enough for presses of people, but a test that presses every
/// 100 µs could exceed it while the loop is delayed.
const UNREAD: usize = 16;
/// The longest time for which an edge is held back. The limit is needed because the loop does not
/// read a noisy line, so its edges stay unread.
const HELD_BACK: Duration = Duration::from_secs(1);
/// While an edge is held back, `wait_for_room` checks at this interval whether the loop has read.
const LOOK: Duration = Duration::from_millis(1);
/// How long to wait after a client could not be accepted.
const RETRY: Duration = Duration::from_millis(100);

/// The reading ends of the pipes, for the clock loop.
pub struct SimLines {
    pipes: [OwnedFd; LINES],
    /// The level of each line after the last edge that was read. `BoardState::levels` is not used
    /// instead, because an edge could be written after the edges are read and before the levels are
    /// read. A level would then differ from the edges that were read.
    levels: [bool; LINES],
    shared: Arc<SharedLines>,
}

/// The socket, and the writing ends of the pipes.
pub struct SimBoard {
    listener: UnixListener,
    path: PathBuf,
    shared: Arc<SharedLines>,
}

struct SharedLines {
    /// The lock is held from the stamp of an edge until the edge is written, and while the clock
    /// loop reads. The kernel stamps and queues an edge within microseconds. Here the thread that
    /// writes an edge can be preempted between the stamp and the write. Without the lock, the loop
    /// could then decide without that edge. The loop waits for a lock only in this simulation.
    state: Mutex<BoardState>,
}

#[derive(Default)]
struct BoardState {
    /// `None` while the board is unplugged, and until it is opened for the first time.
    pipes: Option<[OwnedFd; LINES]>,
    unplugged: bool,
    levels: [bool; LINES],
    /// The stamp of each line's last edge.
    last: [Instant; LINES],
    /// How many edges of each line the clock loop has not read.
    unread: [usize; LINES],
    /// When the clock loop last read. The loop may have decided everything before that instant.
    taken: Instant,
}

/// Opens the board at the start, and again after it was unplugged.
#[derive(Clone)]
pub struct SimOpener {
    path: PathBuf,
    shared: Arc<SharedLines>,
}

impl SimOpener {
    /// Opens the lines. The lines that an earlier call has opened hang up. While the board is
    /// unplugged, returns an error.
    pub fn open(&self) -> Result<SimLines, GpioError> {
        let path = || self.path.display().to_string();
        let mut state = self.shared.lock();
        if state.unplugged {
            return Err(GpioError::NoChip { wanted: path(), found: "none".to_owned() });
        }
        let make = || pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK);
        let made = || Ok([make()?, make()?, make()?]);
        let [white, black, call] = made().map_err(|errno: rustix::io::Errno| {
            GpioError::Socket { path: path(), hint: errno.to_string() }
        })?;
        state.pipes = Some([white.1, black.1, call.1]);
        state.unread = [0; LINES];
        Ok(SimLines {
            pipes: [white.0, black.0, call.0],
            levels: state.levels,
            shared: Arc::clone(&self.shared),
        })
    }
}

/// Creates a board that listens at `path`, and its opener.
pub fn board(path: &Path) -> Result<(SimOpener, SimBoard), GpioError> {
    remove_stale(path)?;
    let listener = UnixListener::bind(path).map_err(|error| GpioError::Socket {
        path: path.display().to_string(),
        hint: error.to_string(),
    })?;
    let shared = Arc::new(SharedLines { state: Mutex::default() });
    let opener = SimOpener { path: path.to_owned(), shared: Arc::clone(&shared) };
    Ok((opener, SimBoard { listener, path: path.to_owned(), shared }))
}

/// Removes the socket that a killed clockd has left behind. Returns an error if another clockd
/// still listens on the socket, or if the file is not a socket.
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

    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) -> [bool; LINES] {
        // From now on, `edge` refuses a stamp that is earlier than `taken`, because the loop may
        // already have decided everything before `taken`.
        let mut state = self.shared.lock();
        state.taken = monotonic_now();
        v1::read_queues(wanted, readings, |button, edges| {
            let mut buffer = [0_u8; 16 * QUEUE];
            match rustix::io::read(&self.pipes[button.index()], &mut buffer) {
                Ok(len) => {
                    let count = v1::decode(&buffer[..len], edges);
                    let unread = &mut state.unread[button.index()];
                    *unread = unread.saturating_sub(count);
                    if let Some(last) = edges[..count].last() {
                        self.levels[button.index()] = last.active;
                    }
                    Ok(count)
                }
                Err(rustix::io::Errno::AGAIN) => Ok(0),
                Err(errno) => Err(errno.into()),
            }
        })
    }

    fn read_levels(&self, wanted: &[bool; LINES], readings: &mut [LineReading; LINES]) {
        for button in Button::ALL.into_iter().filter(|button| wanted[button.index()]) {
            readings[button.index()].level = Some(self.levels[button.index()]);
        }
    }
}

impl SimBoard {
    /// Serves the socket for ever, with one task for each client.
    pub async fn serve(&self) -> io::Result<()> {
        let places = Arc::new(Semaphore::new(CLIENTS));
        loop {
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let shared = Arc::clone(&self.shared);
                    tokio::spawn(async move {
                        serve_client(stream, shared).await;
                        drop(place);
                    });
                }
                // The connection cannot be accepted, for example because no descriptor is left. A
                // client may close its connection soon, so accepting is tried again.
                Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    }
}

impl Drop for SimBoard {
    fn drop(&mut self) {
        // An error is ignored: the socket may have been removed already.
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn serve_client(stream: UnixStream, shared: Arc<SharedLines>) {
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
            Ok(text) => answer(&shared, text.trim()).await,
            Err(_) => "error: a line is text\n".to_owned(),
        };
        if write.write_all(answer.as_bytes()).await.is_err() || !whole {
            return;
        }
    }
}

async fn answer(shared: &SharedLines, line: &str) -> String {
    let done = match line {
        "unplug" => Ok(shared.plug(false)),
        "plug" => Ok(shared.plug(true)),
        _ => match parse(line) {
            Ok((button, levels, at)) => {
                shared.wait_for_room(button).await;
                shared.edges(button, &levels, at)
            }
            Err(message) => Err(message),
        },
    };
    match done {
        Ok(at) => format!("ok {}\n", at.as_nanos()),
        Err(message) => format!("error: {message}\n"),
    }
}

fn parse(line: &str) -> Result<(Button, Vec<bool>, Option<Instant>), String> {
    let expected = "expected `white`, `black` or `call`, then `down` or `up` once or more often, \
                    then if wanted a stamp in nanoseconds";
    let wrong = || format!("`{}`; {expected}", line.escape_debug());
    let mut words = line.split_whitespace().peekable();
    let button = words.next().and_then(Button::from_text).ok_or_else(wrong)?;
    let level = |word: &str| ["up", "down"].iter().position(|name| *name == word);
    let mut levels = Vec::new();
    while let Some(down) = words.peek().copied().and_then(level) {
        levels.push(down == 1);
        words.next();
    }
    let stamp = words.next().map(|word| word.parse().map(Instant::from_nanos)).transpose();
    match (stamp, words.next()) {
        (Ok(stamp), None) if !levels.is_empty() => Ok((button, levels, stamp)),
        _ => Err(wrong()),
    }
}

impl SharedLines {
    fn lock(&self) -> MutexGuard<'_, BoardState> {
        self.state.lock().expect("nothing panics while it holds the lock")
    }

    /// Connects or disconnects the board; returns the instant at which that was done.
    fn plug(&self, there: bool) -> Instant {
        let mut state = self.lock();
        state.unplugged = !there;
        if !there {
            state.pipes = None;
        }
        monotonic_now()
    }

    /// Waits until fewer than [`UNREAD`] edges of this line are unread, for at most [`HELD_BACK`].
    async fn wait_for_room(&self, button: Button) {
        let is_full = || self.lock().unread[button.index()] >= UNREAD;
        let _ = tokio::time::timeout(HELD_BACK, async {
            while is_full() {
                tokio::time::sleep(LOOK).await;
            }
        })
        .await;
    }

    /// Moves the line to each of the levels in turn, at `at` or now; returns that instant.
    fn edges(
        &self,
        button: Button,
        levels: &[bool],
        at: Option<Instant>,
    ) -> Result<Instant, String> {
        let index = button.index();
        let mut state = self.lock();
        let now = monotonic_now();
        let earliest = state.taken.max(state.last[index]);
        if at.is_some_and(|at| at > now || at < earliest) {
            return Err(format!(
                "stamp {} is not between {}, up to which the clock has decided, and now, {}",
                at.unwrap_or(now).as_nanos(),
                earliest.as_nanos(),
                now.as_nanos()
            ));
        }
        let at = at.unwrap_or(now);
        for &active in levels {
            if let Some(pipes) = &state.pipes {
                rustix::io::write(&pipes[index], &v1::encode(Edge { at, active }))
                    .map_err(|errno| format!("the clock does not take edges now: {errno}"))?;
                state.unread[index] += 1;
            }
            state.last[index] = at;
            state.levels[index] = active;
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_edge_waits_while_the_clock_has_many_to_read() {
        let folder = tempfile::tempdir().unwrap();
        let (opener, board) = board(&folder.path().join("board")).unwrap();
        let mut lines = opener.open().unwrap();
        for edge in 0..UNREAD {
            let line = if edge % 2 == 0 { "white down" } else { "white up" };
            assert!(answer(&board.shared, line).await.starts_with("ok "));
        }
        assert!(answer(&board.shared, "black down").await.starts_with("ok "));
        let waiting = answer(&board.shared, "white down");
        tokio::pin!(waiting);
        tokio::select! {
            biased;
            said = &mut waiting => panic!("{said}"),
            () = tokio::task::yield_now() => {}
        }
        lines.read_edges(&[true; LINES], &mut [LineReading::EMPTY; LINES]);
        assert!(waiting.await.starts_with("ok "));
    }

    #[test]
    fn lines_of_the_socket() {
        assert_eq!(
            parse("white down"),
            Ok((Button::Player(clock_engine::Side::White), vec![true], None))
        );
        assert_eq!(
            parse("call up down 17"),
            Ok((Button::Call, vec![false, true], Some(Instant::from_nanos(17))))
        );
        for garbage in [
            "",
            "white",
            "white 17",
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
