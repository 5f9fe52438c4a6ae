//! The simulated buttons, which are pressed through the socket of `clockd --gpio sim:SOCKET`.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::Notice;

/// Each press holds its button down for this time. The button then stays released for at least
/// this time, because `clockd` accepts the next press of a button only after a release of 50 ms
/// (`release` in `clockd.toml`). The time is fixed, because a terminal reports no release of a key.
const SHORT: Duration = Duration::from_millis(60);
/// A press that opens the menu holds its button down for this time: longer than the 1.5 s of
/// the shipped configuration.
const LONG: Duration = Duration::from_millis(1900);
/// The largest number of presses of one button that can wait until earlier presses of this button
/// are done.
const WAITING: usize = 8;
/// If connecting or writing a line takes longer than this, the socket is treated as closed. If an
/// answer takes longer, it is not waited for.
const TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    White,
    Black,
    Call,
}

/// How long a press lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Short,
    /// Long enough to open the menu.
    Long,
}

/// The three buttons. A separate task presses each of them.
pub struct Buttons {
    presses: [mpsc::Sender<Length>; 3],
}

impl Buttons {
    /// Starts one task for each button, which times the presses of the button, and one task for the
    /// socket.
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

    /// Queues a press of a button. If [`WAITING`] presses of the button already wait, drops the new
    /// press and returns `false`.
    pub fn press(&self, button: Button, length: Length) -> bool {
        let [white, black, call] = &self.presses;
        let presses = match button {
            Button::White => white,
            Button::Black => black,
            Button::Call => call,
        };
        presses.try_send(length).is_ok()
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

/// A button that goes down or up. [`hold_socket`] writes a line for it to the socket. `answered`
/// tells the task of the button when `clockd` has answered, or no answer will come.
struct ButtonChange {
    button: Button,
    direction: Direction,
    answered: oneshot::Sender<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

/// Carries out the presses of one button one after the other, however fast the keys are typed:
/// down, [`SHORT`] or [`LONG`], up, [`SHORT`].
async fn press_button(
    button: Button,
    mut presses: mpsc::Receiver<Length>,
    edges: mpsc::Sender<ButtonChange>,
) {
    while let Some(length) = presses.recv().await {
        let down = match length {
            Length::Short => SHORT,
            Length::Long => LONG,
        };
        for (direction, wait) in [(Direction::Down, down), (Direction::Up, SHORT)] {
            let (answered, answer) = oneshot::channel();
            if edges.send(ButtonChange { button, direction, answered }).await.is_err() {
                return;
            }
            // `clockd` reads the time of an edge and then answers. The wait starts after the answer, so
            // that the times of two edges are at least this far apart, also on a busy machine.
            let _ = timeout(TIMEOUT, answer).await;
            sleep(wait).await;
        }
    }
}

/// A connection to the socket of the simulated buttons.
struct Connection {
    writer: OwnedWriteHalf,
    answers: Lines<BufReader<OwnedReadHalf>>,
    /// The buttons that were pressed on this connection and have not been released.
    held: Vec<Button>,
    /// The senders that are used when the answers arrive: one for each line that was written and not
    /// answered yet, in the order in which the lines were written.
    unanswered: VecDeque<oneshot::Sender<()>>,
}

impl Connection {
    async fn connect(socket: &Path) -> io::Result<Connection> {
        let stream = timeout(TIMEOUT, UnixStream::connect(socket)).await??;
        let (reader, writer) = stream.into_split();
        Ok(Connection {
            writer,
            answers: BufReader::new(reader).lines(),
            held: Vec::new(),
            unanswered: VecDeque::new(),
        })
    }

    /// Writes the line of a change. Returns whether there is one: a button that is not down on this
    /// connection is not released.
    async fn write(&mut self, button: Button, direction: Direction) -> io::Result<bool> {
        let word = match direction {
            Direction::Down => "down",
            Direction::Up if !self.held.contains(&button) => return Ok(false),
            Direction::Up => "up",
        };
        let line = format!("{} {word}\n", button.word());
        timeout(TIMEOUT, self.writer.write_all(line.as_bytes())).await??;
        self.held.retain(|held| *held != button);
        if direction == Direction::Down {
            self.held.push(button);
        }
        Ok(true)
    }

    /// The next answer of `clockd`; `None` once the socket is closed.
    async fn next_answer(&mut self) -> Option<String> {
        let answer = self.answers.next_line().await.ok().flatten()?;
        if let Some(answered) = self.unanswered.pop_front() {
            let _ = answered.send(());
        }
        Some(answer)
    }
}

/// Writes a line to the socket for each [`ButtonChange`], reads the answers, and reports whether
/// the socket is connected. If the socket was closed, the next press connects again.
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
        // This loop ends when the connection is made or lost.
        while connection.is_some() == there {
            tokio::select! {
                edge = edges.recv() => {
                    let Some(edge) = edge else { return };
                    connection = write(connection, &socket, edge).await;
                }
                answer = next_answer(&mut connection) => match answer {
                    Some(answer) => report_error(&answer, &notices).await,
                    None => connection = None,
                },
            }
        }
    }
}

/// Writes one line, and returns the connection if it is still open. If the connection is closed, a
/// press makes a new one. A release does not, because no button is down on a new connection.
async fn write(
    connection: Option<Connection>,
    socket: &Path,
    change: ButtonChange,
) -> Option<Connection> {
    let ButtonChange { button, direction, answered } = change;
    if let Some(mut connection) = connection
        && let Ok(is_written) = connection.write(button, direction).await
    {
        if is_written {
            connection.unanswered.push_back(answered);
        }
        return Some(connection);
    }
    if direction == Direction::Up {
        return None;
    }
    let mut fresh = Connection::connect(socket).await.ok()?;
    fresh.write(button, direction).await.ok()?;
    fresh.unanswered.push_back(answered);
    Some(fresh)
}

/// The next answer of `clockd` from the socket; `None` once the socket is closed. While there is no
/// connection, waits for ever.
async fn next_answer(connection: &mut Option<Connection>) -> Option<String> {
    match connection {
        Some(connection) => connection.next_answer().await,
        None => std::future::pending().await,
    }
}

async fn report_error(answer: &str, notices: &mpsc::Sender<Notice>) {
    if let Some(error) = answer.strip_prefix("error") {
        let why = error.trim_start_matches([':', ' ']).to_owned();
        let _ = notices.send(Notice::Refused(why)).await;
    }
}
