//! Reads the keys of the terminal, and the changes of its size.

use std::io;
use std::thread;

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::sync::mpsc;

/// An input of the user in the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// `q` or Ctrl-C.
    Quit,
    /// The terminal has a new size.
    Resize,
    /// Any other character key.
    Key(char),
}

/// How many inputs can wait while the main loop is busy.
const TYPED_AHEAD: usize = 32;

/// Starts the thread that reads the keys.
///
/// This is a thread and no task of the runtime, because `event::read` blocks until the next key,
/// even while the program ends. The thread ends with the process. If the terminal cannot be read,
/// the thread ends immediately, and the display works without keys.
pub fn read_inputs() -> io::Result<mpsc::Receiver<Input>> {
    let (sender, receiver) = mpsc::channel(TYPED_AHEAD);
    thread::Builder::new().name("keys".into()).spawn(move || {
        while let Ok(event) = event::read() {
            if let Some(input) = input_of(&event)
                && sender.blocking_send(input).is_err()
            {
                break;
            }
        }
    })?;
    Ok(receiver)
}

fn input_of(event: &Event) -> Option<Input> {
    match event {
        Event::Resize(..) => Some(Input::Resize),
        Event::Key(key) if key.kind == KeyEventKind::Press => input_of_key(key),
        _ => None,
    }
}

fn input_of_key(key: &KeyEvent) -> Option<Input> {
    let KeyCode::Char(typed) = key.code else {
        return None;
    };
    // The keys work with Caps Lock too.
    let typed = typed.to_ascii_lowercase();
    match key.modifiers.difference(KeyModifiers::SHIFT) {
        KeyModifiers::CONTROL if typed == 'c' => Some(Input::Quit),
        KeyModifiers::NONE if typed == 'q' => Some(Input::Quit),
        KeyModifiers::NONE => Some(Input::Key(typed)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(code: KeyCode, modifiers: KeyModifiers) -> Option<Input> {
        input_of(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn keys_mean_what_the_help_says() {
        let none = KeyModifiers::NONE;
        for (code, modifiers, want) in [
            (KeyCode::Char('q'), none, Some(Input::Quit)),
            (KeyCode::Char('Q'), KeyModifiers::SHIFT, Some(Input::Quit)),
            (KeyCode::Char('c'), KeyModifiers::CONTROL, Some(Input::Quit)),
            (KeyCode::Char('c'), none, Some(Input::Key('c'))),
            (KeyCode::Char('W'), KeyModifiers::SHIFT, Some(Input::Key('w'))),
            (KeyCode::Char('w'), KeyModifiers::ALT, None),
            (KeyCode::Char('b'), KeyModifiers::CONTROL, None),
            (KeyCode::Down, none, None),
        ] {
            assert_eq!(typed(code, modifiers), want, "{code:?} {modifiers:?}");
        }
    }
}
