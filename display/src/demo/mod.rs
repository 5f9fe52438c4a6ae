//! `--demo`: keys that press the buttons (`buttons`), and a hint for the user (`hint`).

mod buttons;
mod hint;

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::content::Side;
use crate::link::Link;
use buttons::{Button, Buttons, Length};
pub use hint::Hint;

/// How long a refusal is shown, unless a key is pressed before that.
const REFUSAL_SHOWN: Duration = Duration::from_secs(6);
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
    /// A press was refused, for this reason.
    Refused(String),
}

/// The demonstration. It carries out the keys, and keeps what its line shows.
pub struct Demo {
    buttons: Buttons,
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
            buttons: Buttons::start(socket, sender),
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
    /// key, so `m` holds the call button, and `h` both players' buttons, White's first, for long
    /// enough to open the menu.
    pub fn key(&mut self, key: char, link: &Link) {
        self.line.refusal = None;
        match key {
            'w' => self.press(players_button(Side::White, link), Length::Short),
            'b' => self.press(players_button(Side::Black, link), Length::Short),
            'c' => self.press(Button::Call, Length::Short),
            'm' => self.press(Button::Call, Length::Long),
            'h' => {
                self.press(players_button(Side::White, link), Length::Long);
                self.press(players_button(Side::Black, link), Length::Long);
            }
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
