//! The hint that names `clockctl`. With `clockctl` the user can give the arbiter's commands from
//! another terminal.

use std::path::{Path, PathBuf};

use zbus::Address;

/// The hint: the command `clockctl status` for the clock of this demonstration.
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
