//! `--demo`: keys that press the players' buttons (`buttons`) and give the arbiter's commands
//! (`arbiter`), and a hint for the user (`hint`).

mod arbiter;
mod buttons;
mod hint;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

use crate::content::Side;
use crate::link::Link;
use arbiter::Command;
use buttons::{Button, Buttons, Length};
pub use hint::Hint;

/// How long a refusal is shown, unless a key is pressed before that.
const REFUSAL_SHOWN: Duration = Duration::from_secs(6);
/// The largest number of commands that can wait for an answer. No user gives more at once.
const UNANSWERED: usize = 16;
/// The largest number of notices that can wait for the main loop, which reads each one immediately.
const NOTICES: usize = 16;

/// What the demonstration shows besides its keys: a refusal, whether the simulated buttons are
/// missing, and the hint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DemoLine {
    pub refusal: Option<String>,
    pub no_buttons: bool,
    pub hint: Hint,
}

/// A message from the tasks of the demonstration to the main loop.
#[derive(Debug)]
enum Notice {
    /// Whether the socket of the simulated buttons is connected.
    Buttons { there: bool },
    /// A press or a command was refused, for this reason.
    Refused(String),
}

/// The demonstration. It carries out the keys, and keeps what its line shows.
pub struct Demo {
    buttons: Buttons,
    sender: mpsc::Sender<Notice>,
    /// One permit for each command that can still be sent. A command returns its permit when it has
    /// its answer.
    unanswered: Arc<Semaphore>,
    notices: mpsc::Receiver<Notice>,
    line: DemoLine,
    refused_at: Instant,
}

impl Demo {
    /// Starts the tasks that press the buttons. Only these tasks wait for the socket, never the
    /// main loop.
    pub fn start(socket: PathBuf, hint: Hint) -> Demo {
        let (sender, notices) = mpsc::channel(NOTICES);
        Demo {
            buttons: Buttons::start(socket, sender.clone()),
            sender,
            unanswered: Arc::new(Semaphore::new(UNANSWERED)),
            notices,
            line: DemoLine { hint, ..DemoLine::default() },
            refused_at: Instant::now(),
        }
    }

    pub fn line(&self) -> &DemoLine {
        &self.line
    }

    /// Carries out the action of a key. `w` presses the button that White uses, even while the
    /// buttons are exchanged, and `b` the one that Black uses. A terminal reports no release of a
    /// key, so `m` holds the call button for long enough to open the menu.
    pub fn key(&mut self, key: char, link: &Link) {
        self.line.refusal = None;
        match key {
            'w' => self.press(players_button(Side::White, link), Length::Short),
            'b' => self.press(players_button(Side::Black, link), Length::Short),
            'c' => self.press(Button::Call, Length::Short),
            'm' => self.press(Button::Call, Length::Long),
            ' ' => self.command(link, arbiter::toggle),
            'n' => self.command(link, |_| Command::New),
            _ => {}
        }
    }

    /// Waits for the next change of what the demonstration shows, and applies the change. Can be
    /// cancelled at any time.
    pub async fn changed(&mut self) {
        let hidden_at = self.refused_at + REFUSAL_SHOWN;
        tokio::select! {
            Some(notice) = self.notices.recv() => match notice {
                Notice::Buttons { there } => self.line.no_buttons = !there,
                Notice::Refused(why) => self.refuse(why),
            },
            () = sleep_until(hidden_at), if self.line.refusal.is_some() => self.line.refusal = None,
        }
    }

    fn press(&mut self, button: Button, length: Length) {
        if !self.buttons.press(button, length) {
            self.refuse("too many presses at once".into());
        }
    }

    fn command(&mut self, link: &Link, choose: impl Fn(&clock_dbus::State) -> Command) {
        let Ok(permit) = Arc::clone(&self.unanswered).try_acquire_owned() else {
            return self.refuse("too many commands at once".into());
        };
        match link {
            Link::Up(up) => {
                let command = arbiter::send(choose(&up.state), up.clone(), self.sender.clone());
                tokio::spawn(async move {
                    command.await;
                    drop(permit);
                });
            }
            Link::Down(_) => self.refuse("no clock service".into()),
        }
    }

    fn refuse(&mut self, why: String) {
        self.line.refusal = Some(why);
        self.refused_at = Instant::now();
    }
}

/// The button that this player uses.
fn players_button(player: Side, link: &Link) -> Button {
    let exchanged = match link {
        Link::Up(up) => up.state.buttons_exchanged,
        Link::Down(last) => last.as_ref().is_some_and(|last| last.state.buttons_exchanged),
    };
    match (player, exchanged) {
        (Side::White, false) | (Side::Black, true) => Button::White,
        (Side::Black, false) | (Side::White, true) => Button::Black,
    }
}
