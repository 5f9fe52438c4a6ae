//! How a command is typed that is to reach the clock of this run: with the hall and the board, the
//! host or the bus that the command line names.

use std::sync::OnceLock;

use crate::one_of_many;

/// The name of the program, in the commands that the texts of this program name.
const PROGRAM: &str = "clockctl";

/// How every command for this clock begins. It is set once, at the start.
static BEGINNING: OnceLock<String> = OnceLock::new();

/// Stores how the commands for the clock of this process begin, such as `clockctl -H clock-12`. A run on
/// one board of many has its own beginning instead ([`one_of_many`]).
pub fn commands_begin_with(beginning: String) {
    // A second call would be for the same command line.
    let _ = BEGINNING.set(beginning);
}

/// The text with the address of the clock in each command that it names, so that the command works
/// as it is printed: `stop the clocks first: clockctl --hall hall.toml --boards 3 pause`.
pub fn addressed(text: &str) -> String {
    match one_of_many::beginning().as_ref().or(BEGINNING.get()) {
        Some(beginning) if beginning != PROGRAM => with_beginning(text, beginning),
        _ => text.to_owned(),
    }
}

/// As [`addressed`], for commands that begin with `beginning`. A command that has an address already
/// stays as it is: no verb follows the name of the program there.
pub fn with_beginning(text: &str, beginning: &str) -> String {
    let mut parts = text.split(PROGRAM);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for rest in parts {
        let word = rest.strip_prefix(' ').unwrap_or_default();
        let is_verb = word.starts_with(|letter: char| letter.is_ascii_lowercase());
        replaced.push_str(if is_verb { beginning } else { PROGRAM });
        replaced.push_str(rest);
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::with_beginning;

    #[test]
    fn every_command_gets_the_address_once() {
        let of = |text| with_beginning(text, "clockctl -H c12");
        let text = "first: clockctl pause; clockctl --help lists all (clockctl set white TIME)";
        let expected = "first: clockctl -H c12 pause; clockctl --help lists all (clockctl -H c12 set white TIME)";
        assert_eq!(of(text), expected);
        assert_eq!(of(expected), expected);
        assert_eq!(of("clockctl"), "clockctl");
    }
}
