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

/// How long a press holds its button down, and for how long the button then stays released at
/// least. A terminal reports only that a key went down. The debounce needs 50 ms released (R).
const HOLD_TIME: Duration = Duration::from_millis(60);
/// How many presses of one button can wait.
const WAITING: usize = 8;
/// A socket that does not accept a line for this long is treated as closed.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);

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
    /// Starts one task a button, which times its presses, and one task that owns the socket.
    pub fn start(socket: PathBuf, notices: mpsc::Sender<Notice>) -> Buttons {
        let (edges, receiver) = mpsc::channel(1);
        tokio::spawn(hold_socket(socket, receiver, notices));
        let presses = [Button::White, Button::Black, Button::Call].map(|button| {
            let (sender, presses) = mpsc::channel(WAITING);
            tokio::spawn(press_button(button, presses, edges.clone()));
            sender
        });
        Buttons { presses }
    }

    /// Presses a button, after its presses that still wait. Returns `false` if too many wait.
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

/// A button that goes down or up. `written` signals its task that the line was written.
struct ButtonChange {
    button: Button,
    direction: Direction,
    written: oneshot::Sender<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

/// Times the presses of one button (down, held, up, released), however fast the keys are typed.
async fn press_button(
    button: Button,
    mut presses: mpsc::Receiver<()>,
    edges: mpsc::Sender<ButtonChange>,
) {
    while presses.recv().await.is_some() {
        for direction in [Direction::Down, Direction::Up] {
            let (written, done) = oneshot::channel();
            if edges.send(ButtonChange { button, direction, written }).await.is_err() {
                return;
            }
            // The time counts from the moment of writing, so that a slow socket does not shorten a
            // press.
            let _ = done.await;
            sleep(HOLD_TIME).await;
        }
    }
}

/// The connected socket.
struct Connection {
    writer: OwnedWriteHalf,
    answers: Lines<BufReader<OwnedReadHalf>>,
    /// The buttons that were pressed on this connection and are not released yet.
    held: Vec<Button>,
}

impl Connection {
    async fn connect(socket: &Path) -> io::Result<Connection> {
        let stream = timeout(WRITE_TIMEOUT, UnixStream::connect(socket)).await??;
        let (reader, writer) = stream.into_split();
        Ok(Connection { writer, answers: BufReader::new(reader).lines(), held: Vec::new() })
    }

    async fn write(&mut self, button: Button, direction: Direction) -> io::Result<()> {
        let word = match direction {
            Direction::Down => "down",
            Direction::Up if !self.held.contains(&button) => return Ok(()),
            Direction::Up => "up",
        };
        let line = format!("{} {word}\n", button.word());
        timeout(WRITE_TIMEOUT, self.writer.write_all(line.as_bytes())).await??;
        self.held.retain(|held| *held != button);
        if direction == Direction::Down {
            self.held.push(button);
        }
        Ok(())
    }
}

/// Owns the socket: writes edges and reads answers. After the socket was closed, the next press
/// connects again.
async fn hold_socket(
    socket: PathBuf,
    mut edges: mpsc::Receiver<ButtonChange>,
    notices: mpsc::Sender<Notice>,
) {
    let mut connection = Connection::connect(&socket).await.ok();
    loop {
        let there = connection.is_some();
        if notices.send(Notice::Buttons { there }).await.is_err() {
            return;
        }
        // Until the socket is connected or lost.
        while connection.is_some() == there {
            tokio::select! {
                edge = edges.recv() => {
                    let Some(edge) = edge else { return };
                    connection = write(connection, &socket, edge.button, edge.direction).await;
                    let _ = edge.written.send(());
                }
                answer = next_answer(&mut connection) => match answer {
                    Some(answer) => report_error(&answer, &notices).await,
                    None => connection = None,
                },
            }
        }
    }
}

/// Writes one edge. If the connection turns out to be closed, a press tries a new one; a release
/// does not, because the new connection holds no button.
async fn write(
    connection: Option<Connection>,
    socket: &Path,
    button: Button,
    direction: Direction,
) -> Option<Connection> {
    if let Some(mut connection) = connection
        && connection.write(button, direction).await.is_ok()
    {
        return Some(connection);
    }
    if direction == Direction::Up {
        return None;
    }
    let mut fresh = Connection::connect(socket).await.ok()?;
    fresh.write(button, direction).await.ok()?;
    Some(fresh)
}

/// The next answer; `None` once the socket is closed. Without a socket it waits for ever.
async fn next_answer(connection: &mut Option<Connection>) -> Option<String> {
    match connection {
        Some(connection) => connection.answers.next_line().await.ok().flatten(),
        None => std::future::pending().await,
    }
}

async fn report_error(answer: &str, notices: &mpsc::Sender<Notice>) {
    if let Some(error) = answer.strip_prefix("error") {
        let why = error.trim_start_matches([':', ' ']).to_owned();
        let _ = notices.send(Notice::Refused(why)).await;
    }
}
