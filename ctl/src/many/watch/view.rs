//! What the live table shows, and what the keys do: a value without a terminal and a connection.

use std::time::Instant;

use clock_dbus::{Side, State};
use clockctl::times::{clock, passed};

use super::{
    feed::{FeedId, News},
    input::Key,
    remote_clock::RemoteClock,
};
use crate::{
    hall::{Board, Hall},
    many::board_state::{self, Urgency},
    text::plain,
};

/// How many lines of answers are kept.
const ANSWER_LINES: usize = 200;
/// The longest text that can be typed, in characters.
const TYPED_LIMIT: usize = 1000;

/// What the user does next.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    Nothing,
    Leave,
    /// Carry these words out on the clock of this board.
    Run {
        board: usize,
        words: Vec<String>,
    },
}

/// What the keys do.
#[derive(Debug, PartialEq, Eq)]
pub enum Mode {
    /// They move in the table.
    Table,
    /// They are the text that a board must have to be shown.
    Filter,
    /// They are the number of the board whose prompt is opened.
    Jump(String),
    /// They are a command for the chosen board.
    Command(String),
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
    filter: String,
    mode: Mode,
    /// The lines of the answers to commands, the latest last.
    answers: Vec<String>,
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
            mode: Mode::Table,
            answers: Vec::new(),
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
        if index.is_none() {
            // What is being typed is for a board that is not there any more.
            self.mode = Mode::Table;
        }
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

    /// Shows the answer to a command.
    pub fn say(&mut self, answer: &str) {
        // The columns of a table keep their blanks.
        let line = |line: &str| line.split(' ').map(plain).collect::<Vec<_>>().join(" ");
        self.answers.extend(answer.lines().map(line));
        let surplus = self.answers.len().saturating_sub(ANSWER_LINES);
        self.answers.drain(..surplus);
    }

    pub fn press(&mut self, key: Key) -> Action {
        match (&mut self.mode, key) {
            (_, Key::Interrupt) | (Mode::Table, Key::Char('q')) => return Action::Leave,
            (_, Key::Resized) => {}
            // What is typed is for the board that is named before it.
            (
                Mode::Command(_),
                Key::Up | Key::Down | Key::PageUp | Key::PageDown | Key::Home | Key::End,
            ) => {}
            // No letter chooses a board: a command that is typed without its prompt goes nowhere.
            (_, Key::Up) => self.choose(-1),
            (_, Key::Down) => self.choose(1),
            (_, Key::PageUp) => self.choose(-10),
            (_, Key::PageDown) => self.choose(10),
            (_, Key::Home) => self.choose(isize::MIN),
            (_, Key::End) => self.choose(isize::MAX),
            (Mode::Table, Key::Char('/')) => self.mode = Mode::Filter,
            (Mode::Table, Key::Enter | Key::Char(':')) => self.mode = Mode::Command(String::new()),
            (Mode::Table, Key::Char(digit)) if digit.is_ascii_digit() => self.jump(digit.into()),
            (Mode::Table, Key::Escape) => {
                self.filter.clear();
                self.answers.clear();
            }
            (Mode::Table, _) => {}
            (Mode::Command(_), Key::Enter) => return self.command(),
            (Mode::Jump(text), Key::Enter) => {
                let text = std::mem::take(text);
                self.open(&text);
            }
            (_, Key::Enter) => self.mode = Mode::Table,
            (mode, Key::Escape) => {
                if *mode == Mode::Filter {
                    self.filter.clear();
                }
                self.mode = Mode::Table;
            }
            (Mode::Filter, Key::Char(typed)) => push(&mut self.filter, typed),
            (Mode::Filter, Key::Backspace) => drop(self.filter.pop()),
            (Mode::Jump(text), Key::Char(typed)) => {
                let mut text = std::mem::take(text);
                push(&mut text, typed);
                self.jump(text);
            }
            (Mode::Jump(text), Key::Backspace) => drop(text.pop()),
            (Mode::Command(text), Key::Char(typed)) => push(text, typed),
            (Mode::Command(text), Key::Backspace) => drop(text.pop()),
        }
        Action::Nothing
    }

    /// Chooses the board with this number, if there is one.
    fn jump(&mut self, text: String) {
        if let Some(index) = self.board_of(&text) {
            self.chosen = index;
        }
        self.mode = Mode::Jump(text);
    }

    fn board_of(&self, text: &str) -> Option<usize> {
        self.boards.iter().position(|board| board.name.eq_ignore_ascii_case(text))
    }

    /// Opens the prompt of the board with this number. Without such a board none is opened: the chosen
    /// one is another.
    fn open(&mut self, text: &str) {
        self.mode = match self.board_of(text) {
            Some(index) => {
                self.chosen = index;
                Mode::Command(String::new())
            }
            None => {
                self.say(&format!("the hall has no board {text}"));
                Mode::Table
            }
        };
    }

    /// Chooses the board that is so many rows further down.
    fn choose(&mut self, rows: isize) {
        let order = self.order();
        let Some(last) = order.len().checked_sub(1) else { return };
        let row = order.iter().position(|index| *index == self.chosen).unwrap_or(0);
        let row = row.saturating_add_signed(rows).min(last);
        self.chosen = order[row];
    }

    /// Ends the typing of a command, and gives it.
    fn command(&mut self) -> Action {
        let Mode::Command(text) = std::mem::replace(&mut self.mode, Mode::Table) else {
            return Action::Nothing;
        };
        let words = match words(&text) {
            Ok(words) => words,
            Err(why) => {
                self.say(why);
                return Action::Nothing;
            }
        };
        if words.is_empty() {
            return Action::Nothing;
        }
        self.say(&format!("{}> {text}", self.boards[self.chosen].name));
        Action::Run { board: self.chosen, words }
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

    /// The line at the bottom: what is typed, or what the keys do.
    pub fn prompt(&self) -> String {
        let board = self.boards.get(self.chosen).map_or("", |board| &board.name);
        match &self.mode {
            Mode::Table if self.filter.is_empty() => {
                "a board's number and Enter: its prompt · ↑↓ choose · / filter · q leave".to_owned()
            }
            Mode::Table => format!("filter: {} · Esc shows all boards", self.filter),
            Mode::Filter => format!("/{}▏", self.filter),
            Mode::Jump(text) => format!("board {text}▏ · Enter opens its prompt · Esc"),
            Mode::Command(text) => format!("{}> clockctl {text}▏", plain(board)),
        }
    }

    /// The latest lines of the answers, at most so many. A line that is longer than `width`
    /// characters continues on the next one.
    pub fn answers(&self, most: usize, width: usize) -> Vec<String> {
        let wrapped = |line: &String| {
            let letters: Vec<char> = line.chars().collect();
            let lines = letters.chunks(width.max(1)).map(|part| part.iter().collect::<String>());
            lines.collect::<Vec<_>>()
        };
        let mut lines: Vec<String> = self.answers.iter().flat_map(wrapped).collect();
        lines.drain(..lines.len().saturating_sub(most));
        lines
    }
}

fn push(text: &mut String, typed: char) {
    if text.chars().count() < TYPED_LIMIT {
        text.push(typed);
    }
}

/// The words of a command. Words in quotes of either kind can have spaces; the name `clockctl` at
/// the beginning can be left out.
fn words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err("a quotation mark has no other one; use \"O'Kelly\" for a name with one");
    }
    words.extend(word);
    if words.first().is_some_and(|first| first == "clockctl") {
        words.remove(0);
    }
    Ok(words)
}

#[cfg(test)]
mod tests;
