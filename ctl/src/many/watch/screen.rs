//! The terminal: shows the live table, and reads the keys.

use std::{
    io::{self, Stdout, Write},
    thread,
    time::Instant,
};

use crossterm::{
    cursor::Show,
    event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    execute,
    terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
};
use ratatui::{
    Frame, Terminal,
    backend::CrosstermBackend,
    layout::{Constraint, Layout, Rect},
    style::{Color, Modifier, Style},
    text::Line,
    widgets::{Cell, Paragraph, Table, TableState},
};
use tokio::sync::mpsc;

use super::view::{HallView, Key, Row};
use crate::many::board_state::Urgency;

/// A terminal with fewer columns has no room for the state.
const NARROW: u16 = 45;

/// The largest number of lines of messages that are shown.
const MESSAGE_LINES: usize = 8;

/// How many keys can wait.
const TYPED_AHEAD: usize = 32;

/// The terminal while it shows the table on its alternate screen. Dropping this value restores the
/// terminal.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    is_coloured: bool,
    /// Which rows are shown.
    rows: TableState,
}

impl Screen {
    pub fn open(is_coloured: bool) -> io::Result<Screen> {
        enable_raw_mode()?;
        let opened = execute!(io::stdout(), EnterAlternateScreen)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match opened {
            Ok(terminal) => Ok(Screen { terminal, is_coloured, rows: TableState::new() }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    pub fn show(&mut self, view: &HallView, now: Instant) -> io::Result<()> {
        let (rows, is_coloured) = (&mut self.rows, self.is_coloured);
        self.terminal.draw(|frame| draw(frame, view, now, is_coloured, rows)).map(|_| ())
    }

    /// Rings the bell of the terminal.
    pub fn ring(&mut self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(b"\x07")?;
        stdout.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // If the terminal has gone, there is nothing to restore.
    let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

/// Draws the title, the table, the messages and the prompt, from top to bottom.
pub(super) fn draw(
    frame: &mut Frame,
    view: &HallView,
    now: Instant,
    is_coloured: bool,
    state: &mut TableState,
) {
    let Rect { width, height, .. } = frame.area();
    let most = MESSAGE_LINES.min(usize::from(height) / 3);
    let messages = view.messages(most, usize::from(width));
    let height = u16::try_from(messages.len()).unwrap_or(0);
    let parts = [
        Constraint::Length(1),
        Constraint::Min(2),
        Constraint::Length(height),
        Constraint::Length(1),
    ];
    let [title, table, said, prompt] = Layout::vertical(parts).areas(frame.area());
    let bold = Style::new().add_modifier(Modifier::BOLD);
    frame.render_widget(Paragraph::new(view.title()).style(bold), title);
    draw_table(frame, table, &view.rows(now), is_coloured, state);
    let lines: Vec<Line> = messages.iter().map(|line| Line::raw(line.as_str())).collect();
    frame.render_widget(Paragraph::new(lines), said);
    let reversed = Style::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(view.prompt()).style(reversed), prompt);
}

fn draw_table(
    frame: &mut Frame,
    area: Rect,
    rows: &[Row],
    is_coloured: bool,
    state: &mut TableState,
) {
    let columns = columns(rows, area.width);
    let titles = columns.iter().map(|column| Cell::new(column.title));
    let lines = rows.iter().map(|row| {
        let cells =
            columns.iter().map(|column| Cell::new(shortened((column.cell)(row), column.width)));
        ratatui::widgets::Row::new(cells).style(style(row, is_coloured))
    });
    let width = |column: &Column| u16::try_from(column.width).unwrap_or(u16::MAX);
    let widths = columns.iter().map(|column| Constraint::Length(width(column)));
    let table = Table::new(lines, widths)
        .header(ratatui::widgets::Row::new(titles).style(Style::new().add_modifier(Modifier::DIM)))
        .column_spacing(spacing(area.width));
    state.select(rows.iter().position(|row| row.is_chosen));
    frame.render_stateful_widget(table, area, state);
}

/// A board that needs the arbiter is bold; with colours it is also yellow, or red for a fault. The
/// chosen board is reversed.
fn style(row: &Row, is_coloured: bool) -> Style {
    let (colour, modifier) = match row.urgency {
        Urgency::Awaited => (Some(Color::Yellow), Modifier::BOLD),
        Urgency::Fault => (Some(Color::Red), Modifier::BOLD),
        Urgency::Notice => (Some(Color::Cyan), Modifier::empty()),
        Urgency::None => (None, Modifier::empty()),
    };
    let mut style = Style::new().add_modifier(modifier);
    style.fg = colour.filter(|_| is_coloured);
    if row.is_chosen { style.add_modifier(Modifier::REVERSED) } else { style }
}

struct Column {
    title: &'static str,
    /// The width in characters.
    width: usize,
    cell: fn(&Row) -> &str,
}

/// The columns that fit into this width. On a narrow terminal the names are left out first, then
/// the moves, then the state. What the arbiter is needed for has the rest, at least ten characters.
fn columns(rows: &[Row], width: u16) -> Vec<Column> {
    let column = |title: &'static str, cell: fn(&Row) -> &str, most: usize| {
        let longest = rows.iter().map(|row| cell(row).chars().count()).max().unwrap_or(0);
        Column { title, width: longest.max(title.len()).min(most), cell }
    };
    let needs = column("for the arbiter", |row| &row.needs, usize::MAX);
    let mut columns = vec![column("board", |row| &row.board, 12)];
    if width >= NARROW {
        columns.push(column("state", |row| &row.state, 24));
    }
    columns.push(column("White", |row| &row.white, 13));
    columns.push(column("Black", |row| &row.black, 13));
    if width >= 60 {
        columns.push(column("moves", |row| &row.moves, 5));
    }
    let taken = |columns: &[Column]| -> usize {
        columns.iter().map(|column| column.width + usize::from(spacing(width))).sum()
    };
    let free = |columns: &[Column]| usize::from(width).saturating_sub(taken(columns));
    if width >= 80 {
        let names = (free(&columns).saturating_sub(needs.width) / 2).max(12) - 2;
        columns.insert(4, column("", |row| &row.black_name, names));
        columns.insert(3, column("", |row| &row.white_name, names));
    }
    let width = free(&columns).max(10);
    columns.push(Column { width, ..needs });
    columns
}

/// How many blanks are between two columns.
fn spacing(width: u16) -> u16 {
    if width < NARROW { 1 } else { 2 }
}

/// The text, cut to so many characters, the last one then a sign that something is missing.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
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
