//! `--demo`: keys that press the buttons (`buttons`), and a hint that names `clockctl`, with which the
//! user can give the arbiter's commands from another terminal.

mod buttons;

use std::path::{Path, PathBuf};
use std::time::Duration;

use buttons::{Button, Buttons, Length};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use zbus::Address;

use crate::content::Side;
use crate::link::Link;

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

/// The hint, which is the command `clockctl status` with the bus address of this demonstration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// The forms of the hint, the longest first: the command with a few words before it, the
    /// command alone and, if `clockctl` is below the present folder, the command with a relative
    /// path. Each form has the whole command.
    commands: Vec<String>,
}

impl Hint {
    /// The hint for the bus at this address, or for the system bus if `bus` is `None`. The command
    /// names the `clockctl` that is in the same folder as `clock-display`.
    pub fn new(bus: Option<&Address>) -> Hint {
        let clockctl = std::env::current_exe().map(|exe| exe.with_file_name("clockctl"));
        let here = std::env::current_dir().unwrap_or_default();
        Hint::with(&clockctl.unwrap_or_else(|_| PathBuf::from("clockctl")), &here, bus)
    }

    fn with(clockctl: &Path, here: &Path, bus: Option<&Address>) -> Hint {
        let bus =
            bus.map_or_else(String::new, |bus| format!(" --bus {}", quoted(&bus.to_string())));
        let command = |program: &Path| {
            let program = quoted(&program.display().to_string());
            format!("{program}{bus} status")
        };
        let whole = command(clockctl);
        let mut commands = vec![format!("From another terminal: {whole}"), whole];
        // The relative path works only in the folder in which the demonstration was started,
        // usually the folder of the project.
        commands.extend(clockctl.strip_prefix(here).ok().map(command));
        Hint { commands }
    }

    /// The lines of the hint in a terminal of this width: the longest form that fits on one line,
    /// or else the shortest form on several lines.
    pub fn lines(&self, width: u16) -> Vec<String> {
        let width = usize::from(width.max(1));
        let fits = |command: &&String| command.chars().count() < width;
        if let Some(command) = self.commands.iter().find(fits) {
            return vec![command.clone()];
        }
        let shortest: Vec<char> = self.commands.last().map_or("", String::as_str).chars().collect();
        shortest.chunks(width).map(|line| line.iter().collect()).collect()
    }
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:,@%+".contains(c);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(clockctl: &str, bus: &str) -> Hint {
        let bus: Address = bus.parse().unwrap();
        Hint::with(Path::new(clockctl), Path::new("/home/vera/chess-clock"), Some(&bus))
    }

    #[test]
    fn the_whole_command_is_there_at_any_width() {
        let hint =
            hint("/home/vera/chess-clock/target/release/clockctl", "unix:path=/tmp/demo-1/bus");
        let rest = "--bus unix:path=/tmp/demo-1/bus status";
        let whole = format!("/home/vera/chess-clock/target/release/clockctl {rest}");
        assert_eq!(hint.lines(120), [format!("From another terminal: {whole}")]);
        assert_eq!(hint.lines(100), [whole]);
        let relative = format!("target/release/clockctl {rest}");
        assert_eq!(hint.lines(80).join("\n"), relative);
        for width in 1..60 {
            assert_eq!(hint.lines(width).concat(), relative, "{width}");
        }
    }

    #[test]
    fn a_shell_takes_every_path_as_one_word() {
        let hint = hint("/it's here/clockctl", "unix:path=/tmp/a");
        assert_eq!(hint.lines(70), [r"'/it'\''s here/clockctl' --bus unix:path=/tmp/a status"]);
        let system = Hint::with(Path::new("/usr/bin/clockctl"), Path::new("/"), None);
        assert_eq!(system.lines(30), ["/usr/bin/clockctl status"]);
    }
}
