//! The simulated buttons: lines on the socket of `clockd --gpio sim:SOCKET`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::Notice;

/// How long a press holds its button, and how long the button then stays released at least. A
/// terminal tells only that a key went down; the debounce wants 50 ms released.
const HELD: Duration = Duration::from_millis(60);
/// Presses of one button that wait for their turn.
const WAITING: usize = 8;
/// A socket that takes no line for this long is as good as none.
const PATIENCE: Duration = Duration::from_secs(1);

/// A button of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    White,
    Black,
    Call,
}

/// The three buttons, each pressed by a task of its own.
pub struct Buttons {
    presses: [mpsc::Sender<()>; 3],
}

impl Buttons {
    /// Starts the tasks: one a button, for its timing, and one that owns the socket.
    pub fn start(socket: PathBuf, notices: mpsc::Sender<Notice>) -> Buttons {
        let (edges, receiver) = mpsc::channel(1);
        tokio::spawn(hold_socket(socket, receiver, notices));
        let presses = [Button::White, Button::Black, Button::Call].map(|button| {
            let (sender, presses) = mpsc::channel(WAITING);
            tokio::spawn(work(button, presses, edges.clone()));
            sender
        });
        Buttons { presses }
    }

    /// Presses a button, after the presses of it that still wait; false if too many do.
    pub fn press(&self, button: Button) -> bool {
        let [white, black, call] = &self.presses;
        let presses = match button {
            Button::White => white,
            Button::Black => black,
            Button::Call => call,
        };
        presses.try_send(()).is_ok()
    }
}

impl Button {
    fn word(self) -> &'static str {
        match self {
            Button::White => "white",
            Button::Black => "black",
            Button::Call => "call",
        }
    }
}

/// A button going down or up; `written` tells its task that the line is on its way.
struct Edge {
    button: Button,
    way: Way,
    written: oneshot::Sender<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Down,
    Up,
}

/// Works one button: down, held, up, released, however fast the keys come.
async fn work(button: Button, mut presses: mpsc::Receiver<()>, edges: mpsc::Sender<Edge>) {
    while presses.recv().await.is_some() {
        for way in [Way::Down, Way::Up] {
            let (written, done) = oneshot::channel();
            if edges.send(Edge { button, way, written }).await.is_err() {
                return;
            }
            // Timed from the writing, not the asking: a slow socket must not squeeze a press.
            let _ = done.await;
            sleep(HELD).await;
        }
    }
}

/// The connected socket.
struct Wire {
    writer: OwnedWriteHalf,
    answers: Lines<BufReader<OwnedReadHalf>>,
    /// The buttons this connection holds down: another connection knows nothing of them.
    held: Vec<Button>,
}

impl Wire {
    async fn connect(socket: &Path) -> io::Result<Wire> {
        let stream = timeout(PATIENCE, UnixStream::connect(socket)).await??;
        let (reader, writer) = stream.into_split();
        Ok(Wire { writer, answers: BufReader::new(reader).lines(), held: Vec::new() })
    }

    async fn write(&mut self, button: Button, way: Way) -> io::Result<()> {
        let word = match way {
            Way::Down => "down",
            Way::Up if !self.held.contains(&button) => return Ok(()),
            Way::Up => "up",
        };
        let line = format!("{} {word}\n", button.word());
        timeout(PATIENCE, self.writer.write_all(line.as_bytes())).await??;
        self.held.retain(|held| *held != button);
        if way == Way::Down {
            self.held.push(button);
        }
        Ok(())
    }
}

/// Owns the socket: writes edges, drains answers, and connects again with the next press after
/// the socket went away.
async fn hold_socket(
    socket: PathBuf,
    mut edges: mpsc::Receiver<Edge>,
    notices: mpsc::Sender<Notice>,
) {
    let mut wire = Wire::connect(&socket).await.ok();
    loop {
        let there = wire.is_some();
        if notices.send(Notice::Buttons { there }).await.is_err() {
            return;
        }
        // Until the socket comes or goes.
        while wire.is_some() == there {
            tokio::select! {
                edge = edges.recv() => {
                    let Some(edge) = edge else { return };
                    wire = write(wire, &socket, edge.button, edge.way).await;
                    let _ = edge.written.send(());
                }
                answer = next_answer(&mut wire) => match answer {
                    Some(answer) => tell_error(&answer, &notices).await,
                    None => wire = None,
                },
            }
        }
    }
}

/// Writes one edge. A press tries a new connection if the old one turns out to be dead: nobody
/// may have been told yet that it is.
async fn write(wire: Option<Wire>, socket: &Path, button: Button, way: Way) -> Option<Wire> {
    if let Some(mut wire) = wire
        && wire.write(button, way).await.is_ok()
    {
        return Some(wire);
    }
    if way == Way::Up {
        return None;
    }
    let mut fresh = Wire::connect(socket).await.ok()?;
    fresh.write(button, way).await.ok()?;
    Some(fresh)
}

/// The next answer; `None` once the socket is gone. Without a socket there never is one.
async fn next_answer(wire: &mut Option<Wire>) -> Option<String> {
    match wire {
        Some(wire) => wire.answers.next_line().await.ok().flatten(),
        None => std::future::pending().await,
    }
}

async fn tell_error(answer: &str, notices: &mpsc::Sender<Notice>) {
    if let Some(error) = answer.strip_prefix("error") {
        let why = error.trim_start_matches([':', ' ']).to_owned();
        let _ = notices.send(Notice::Refused(why)).await;
    }
}
