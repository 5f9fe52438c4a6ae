//! `--demo`: the keys are the players' buttons and the arbiter's hand.

mod arbiter;
mod buttons;

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::link::Link;
use arbiter::Command;
use buttons::{Button, Buttons};

/// How long a refusal can be read, unless a key comes first.
const REFUSAL_SHOWN: Duration = Duration::from_secs(6);
/// Notices on their way to the face, which takes them at once.
const NOTICES: usize = 16;

/// What the line of the keys says beside the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub refusal: Option<String>,
    /// How the arbiter's tool reaches this bus; shown until the next key.
    pub arbiter: Option<String>,
    pub no_buttons: bool,
}

/// What the demo's tasks tell the face.
#[derive(Debug)]
enum Notice {
    /// The simulated buttons are there, or not.
    Buttons { there: bool },
    /// Something was refused, in its own words.
    Refused(String),
}

/// The demo's keys and what they led to.
pub struct Demo {
    buttons: Buttons,
    sender: mpsc::Sender<Notice>,
    notices: mpsc::Receiver<Notice>,
    line: Line,
    refused_at: Instant,
    bus: String,
}

impl Demo {
    /// Starts the tasks that hold the buttons. Nothing here can hold up the face: they wait for
    /// the socket, not it. `bus` is the address of the bus, for the arbiter's tool.
    pub fn start(socket: PathBuf, bus: String) -> Demo {
        let (sender, notices) = mpsc::channel(NOTICES);
        Demo {
            buttons: Buttons::start(socket, sender.clone()),
            sender,
            notices,
            line: Line::default(),
            refused_at: Instant::now(),
            bus,
        }
    }

    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Does what a key stands for.
    pub fn key(&mut self, key: char, link: &Link) {
        self.line.refusal = None;
        let arbiter_was_shown = self.line.arbiter.take().is_some();
        match key {
            'w' => self.press(Button::White),
            'b' => self.press(Button::Black),
            'c' => self.press(Button::Call),
            ' ' => self.command(link, arbiter::toggle),
            'n' => self.command(link, |_| Command::New),
            'a' if !arbiter_was_shown => {
                self.line.arbiter = Some(format!("clockctl --bus {} status", self.bus));
            }
            _ => {}
        }
    }

    /// Waits until the line has something else to say; safe to cancel.
    pub async fn changed(&mut self) {
        let fades_at = self.refused_at + REFUSAL_SHOWN;
        tokio::select! {
            Some(notice) = self.notices.recv() => match notice {
                Notice::Buttons { there } => self.line.no_buttons = !there,
                Notice::Refused(why) => self.refuse(why),
            },
            () = sleep_until(fades_at), if self.line.refusal.is_some() => self.line.refusal = None,
        }
    }

    fn press(&mut self, button: Button) {
        if !self.buttons.press(button) {
            self.refuse("too many presses at once".into());
        }
    }

    fn command(&mut self, link: &Link, choose: impl Fn(&clock_dbus::State) -> Command) {
        match link {
            Link::Up(up) => {
                tokio::spawn(arbiter::give(choose(&up.state), up.clone(), self.sender.clone()));
            }
            Link::Away => self.refuse("no clock service".into()),
        }
    }

    fn refuse(&mut self, why: String) {
        self.line.refusal = Some(why);
        self.refused_at = Instant::now();
    }
}
