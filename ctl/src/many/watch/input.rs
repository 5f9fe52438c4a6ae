//! The keys of the live table.

use std::{io, thread};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::sync::mpsc;

/// How many keys can wait.
const TYPED_AHEAD: usize = 32;

/// A key that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Enter,
    Escape,
    Backspace,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    /// Ctrl-C or Ctrl-D.
    Interrupt,
    /// The window has another size, so everything is shown anew.
    Resized,
}

/// Starts the thread that reads the keys. It ends only with the process, because reading a key
/// blocks.
pub fn read_keys() -> io::Result<mpsc::Receiver<Key>> {
    let (sender, receiver) = mpsc::channel(TYPED_AHEAD);
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        while let Ok(event) = event::read() {
            if let Some(key) = key_of(&event)
                && sender.blocking_send(key).is_err()
            {
                break;
            }
        }
    })?;
    Ok(receiver)
}

fn key_of(event: &Event) -> Option<Key> {
    match event {
        Event::Resize(..) => Some(Key::Resized),
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Key> {
    let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    Some(match key.code {
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Char('c' | 'd') if key.modifiers == KeyModifiers::CONTROL => Key::Interrupt,
        KeyCode::Char(typed) if plain => Key::Char(typed),
        _ => return None,
    })
}
