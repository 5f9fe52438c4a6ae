//! What the live table shows, and what the keys do: a value without a terminal and a connection.

use std::time::Instant;

use clock_dbus::{Side, State};
use clockctl::times::{clock, passed};

use super::{
    feed::{FeedId, News},
    remote_clock::RemoteClock,
};
use crate::{
    hall::{Board, Hall},
    many::board_state::{self, Urgency},
    text::plain,
};

/// How many messages are kept.
const MESSAGES: usize = 20;
/// The longest text that can be typed, in characters.
const TYPED_LIMIT: usize = 1000;

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
    /// The size of the window has changed. The whole picture is drawn again.
    Resized,
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub board: String,
    pub state: String,
    pub white: String,
    pub white_name: String,
    pub black: String,
    pub black_name: String,
    pub moves: String,
    pub needs: String,
    pub urgency: Urgency,
    pub is_chosen: bool,
}

/// The table with all boards.
pub struct HallView {
    /// The event and the round of the hall file, or those of the latest state.
    event: String,
    round: String,
    boards: Vec<WatchedBoard>,
    /// The index of the chosen board. It stays chosen when the order of the rows changes.
    chosen: usize,
    /// The text of the filter. The table shows only the boards whose rows contain this text.
    filter: String,
    /// Whether the keys are added to the filter. If not, they move the choice in the table.
    is_typed: bool,
    /// The messages about the hall file, the latest last.
    messages: Vec<String>,
}

struct WatchedBoard {
    /// The number of its clock.
    id: FeedId,
    name: String,
    clock: RemoteClock,
    state: Option<Box<State>>,
    /// When something has come from the clock for the last time.
    heard: Option<Instant>,
    /// Why the clock cannot be followed now.
    lost: Option<String>,
}

impl WatchedBoard {
    fn new(id: FeedId, name: String) -> WatchedBoard {
        let clock = RemoteClock::default();
        WatchedBoard { id, name, clock, state: None, heard: None, lost: None }
    }

    /// The state at `now`; of a clock that does not answer, the last known one. Whether its time
    /// still runs is not known.
    fn state_at(&self, now: Instant) -> Option<State> {
        let state = self.state.as_ref()?;
        Some(match self.lost {
            None => state.at(self.clock.at(now)),
            Some(_) => (**state).clone(),
        })
    }

    fn needs(&self) -> (Urgency, String) {
        match (&self.lost, &self.state) {
            (Some(why), _) => (Urgency::Fault, why.clone()),
            (None, Some(state)) => board_state::needs(state),
            (None, None) => (Urgency::None, String::new()),
        }
    }

    /// What the arbiter is needed for, at `now`: of a clock that does not answer also how old the
    /// times are that are shown.
    fn needs_at(&self, now: Instant) -> String {
        let needs = self.needs().1;
        match (&self.lost, self.heard) {
            (Some(_), Some(heard)) => {
                let age = now.saturating_duration_since(heard).as_nanos();
                let age = passed(u64::try_from(age).unwrap_or(u64::MAX));
                format!("last heard {age} ago: {needs}")
            }
            _ => needs,
        }
    }

    fn note(&mut self, at_nsec: u64, arrived: Instant) {
        self.clock.note(at_nsec, arrived);
        self.heard = Some(arrived);
    }
}

impl HallView {
    /// The boards of the hall, each with the number of its clock.
    pub fn new(hall: &Hall, ids: &[FeedId]) -> HallView {
        let mut view = HallView {
            event: String::new(),
            round: String::new(),
            boards: Vec::new(),
            chosen: 0,
            filter: String::new(),
            is_typed: false,
            messages: Vec::new(),
        };
        view.replace(hall, ids);
        view
    }

    /// Shows the boards of this hall instead. What is known of a clock that was shown before is
    /// kept.
    pub fn replace(&mut self, hall: &Hall, ids: &[FeedId]) {
        let chosen = self.boards.get(self.chosen).map(|board| board.name.clone());
        let mut before = std::mem::take(&mut self.boards);
        for (Board { name, .. }, id) in hall.boards.iter().zip(ids) {
            let known = before.iter().position(|board| board.id == *id);
            let known = known.map(|index| before.swap_remove(index));
            self.boards.push(match known {
                Some(board) => WatchedBoard { name: name.clone(), ..board },
                None => WatchedBoard::new(*id, name.clone()),
            });
        }
        for (shown, of_file) in [(&mut self.event, &hall.event), (&mut self.round, &hall.round)] {
            if let Some(of_file) = of_file {
                shown.clone_from(of_file);
            }
        }
        let index = self.boards.iter().position(|board| Some(&board.name) == chosen.as_ref());
        self.chosen = index.unwrap_or(0);
    }

    /// Takes what has come from a clock. Returns whether its board now awaits the arbiter and did
    /// not before.
    pub fn take(&mut self, id: FeedId, news: News) -> bool {
        // A message of a clock that is not shown any more can still arrive.
        let board = self.boards.iter_mut().find(|board| board.id == id);
        let Some(board) = board else { return false };
        let awaited = board.needs().0 == Urgency::Awaited;
        match news {
            News::Connected => board.clock = RemoteClock::default(),
            News::Lost(why) => board.lost = Some(plain(&why)),
            News::Heartbeat { at_nsec, arrived } => board.note(at_nsec, arrived),
            News::State { state, at_nsec, arrived } => {
                board.note(at_nsec, arrived);
                board.lost = None;
                for (shown, of_clock) in
                    [(&mut self.event, &state.event), (&mut self.round, &state.round)]
                {
                    if !of_clock.is_empty() {
                        shown.clone_from(of_clock);
                    }
                }
                board.state = Some(state);
            }
        }
        !awaited && board.needs().0 == Urgency::Awaited
    }

    /// Adds a message about the hall file.
    pub fn say(&mut self, message: &str) {
        self.messages.push(plain(message));
        let surplus = self.messages.len().saturating_sub(MESSAGES);
        self.messages.drain(..surplus);
    }

    /// Handles a key. Returns `false` if the user leaves the table.
    pub fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Interrupt => return false,
            Key::Char('q') if !self.is_typed => return false,
            Key::Up => self.choose(-1),
            Key::Down => self.choose(1),
            Key::PageUp => self.choose(-10),
            Key::PageDown => self.choose(10),
            Key::Home => self.choose(isize::MIN),
            Key::End => self.choose(isize::MAX),
            Key::Enter => self.is_typed = false,
            Key::Escape => {
                self.filter.clear();
                self.is_typed = false;
                self.messages.clear();
            }
            Key::Char(typed) if self.is_typed => {
                if self.filter.chars().count() < TYPED_LIMIT {
                    self.filter.push(typed);
                }
            }
            Key::Backspace if self.is_typed => drop(self.filter.pop()),
            Key::Char('/') => self.is_typed = true,
            Key::Char(_) | Key::Backspace | Key::Resized => {}
        }
        true
    }

    /// Chooses the board that is so many rows further down.
    fn choose(&mut self, rows: isize) {
        let order = self.order();
        let Some(last) = order.len().checked_sub(1) else { return };
        let row = order.iter().position(|index| *index == self.chosen).unwrap_or(0);
        let row = row.saturating_add_signed(rows).min(last);
        self.chosen = order[row];
    }

    /// The indices of the shown boards: those that need the arbiter first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> =
            (0..self.boards.len()).filter(|index| self.is_shown(*index)).collect();
        order.sort_by_key(|index| (self.boards[*index].needs().0, *index));
        order
    }

    fn is_shown(&self, index: usize) -> bool {
        let board = &self.boards[index];
        let wanted = self.filter.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        has(&board.name)
            || has(&board.needs().1)
            || board.state.as_ref().is_some_and(|state| {
                has(&board_state::headline(state))
                    || Side::BOTH.into_iter().any(|side| has(&state.side(side).player))
            })
    }

    /// The rows of the table, with the times at `now`.
    pub fn rows(&self, now: Instant) -> Vec<Row> {
        self.order().into_iter().map(|index| self.row(index, now)).collect()
    }

    fn row(&self, index: usize, now: Instant) -> Row {
        let board = &self.boards[index];
        let (urgency, needs) = (board.needs().0, board.needs_at(now));
        let state = board.state_at(now);
        let time = |side: Side| {
            state.as_ref().map_or_else(String::new, |state| {
                let mark = match (&board.lost, state.running.side() == Some(side)) {
                    (Some(_), _) => "? ",
                    (None, true) => "▶ ",
                    (None, false) => "  ",
                };
                format!("{mark}{}", clock(state.side(side).remaining_nsec))
            })
        };
        let (white_name, black_name) = state.as_ref().map_or_else(Default::default, |state| {
            (plain(&state.white.player), plain(&state.black.player))
        });
        let moves = |state: &State| {
            let [white, black] = Side::BOTH.map(|side| state.side(side).moves);
            white.max(black).to_string()
        };
        Row {
            board: plain(&board.name),
            state: match (&board.lost, &board.state) {
                (Some(_), _) => "no answer".to_owned(),
                (None, Some(state)) => plain(&board_state::headline(state)),
                (None, None) => "…".to_owned(),
            },
            white: time(Side::White),
            white_name,
            black: time(Side::Black),
            black_name,
            moves: state.as_ref().map(moves).unwrap_or_default(),
            needs: plain(&needs),
            urgency,
            is_chosen: index == self.chosen,
        }
    }

    /// The event and the round, and how many boards there are and need the arbiter.
    pub fn title(&self) -> String {
        let count = |urgency: Urgency| {
            self.boards.iter().filter(|board| board.needs().0 == urgency).count()
        };
        let shown = match (self.order().len(), self.boards.len()) {
            (shown, all) if shown == all => format!("{all} boards"),
            (shown, all) => format!("{shown} of {all} boards"),
        };
        let counts = [(Urgency::Awaited, "need you"), (Urgency::Fault, "with a fault")];
        let counts = counts.map(|(urgency, what)| match count(urgency) {
            0 => String::new(),
            count => format!("{count} {what}"),
        });
        let round = match &*self.round {
            "" => String::new(),
            round => format!("round {}", plain(round)),
        };
        let parts = [plain(&self.event), round, shown].into_iter().chain(counts);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// The line at the bottom: the filter while it is typed, otherwise a list of the keys.
    pub fn prompt(&self) -> String {
        match (self.is_typed, &*self.filter) {
            (true, filter) => format!("/{filter}▏"),
            (false, "") => "↑↓ move · / filter · q leave".to_owned(),
            (false, filter) => format!("filter: {filter} · Esc shows all boards"),
        }
    }

    /// The latest lines of the messages, at most `most` of them. A line that is longer than `width`
    /// characters continues on the next one.
    pub fn messages(&self, most: usize, width: usize) -> Vec<String> {
        let wrapped = |line: &String| {
            let letters: Vec<char> = line.chars().collect();
            let lines = letters.chunks(width.max(1)).map(|part| part.iter().collect::<String>());
            lines.collect::<Vec<_>>()
        };
        let mut lines: Vec<String> = self.messages.iter().flat_map(wrapped).collect();
        lines.drain(..lines.len().saturating_sub(most));
        lines
    }
}

#[cfg(test)]
mod tests;
