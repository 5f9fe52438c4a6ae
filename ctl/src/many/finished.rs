//! What the boards of a command answer, and how it is shown: when all have ended, a line for each board
//! in the order of the hall, and what failed where. JSON is printed as the boards answer.

use anyhow::Result;
use clock_dbus::State;
use clockctl::input::json_words;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    board_state,
    runs::{BoardFinished, Failed, Kind, Numbered},
};
use crate::{
    hall::{Board, again, beginning},
    json::{FailureBody, FailureJson},
    options::Options,
    out::{self, CLEAR_LINE},
    text::{padded, plain, with_beginning},
};

/// The exit code if some boards have failed in different ways.
pub const DIFFERENT: u8 = 9;
/// The progress line names at most this number of boards that have not answered.
const NAMED: usize = 3;

/// The answers so far.
pub struct Answers<'a> {
    options: &'a Options,
    progress: Progress,
    kind: Kind,
    /// The width of the longest name of a board.
    width: usize,
    states: Vec<(usize, String, Result<State, String>)>,
    /// The text of each board that is shown when all have ended, so that it is in order.
    lines: Vec<(usize, String, String)>,
    /// What `new` says of the options that were not given, of each board.
    not_given: Vec<(usize, String, String)>,
    failures: Vec<FailedBoard>,
    boards: usize,
}

/// A board on which the verb failed.
struct FailedBoard {
    index: usize,
    board: Board,
    exit: u8,
    /// Without the address of the board in the commands that it names.
    message: String,
    /// How `--boards` names the board if the command is given again; `None` if an arbiter must look at
    /// the clock first.
    again: Option<String>,
}

/// A line of the output of one board, with `--json`.
#[derive(Serialize)]
struct LineJson<'a> {
    board: &'a str,
    clock: String,
    exit: u8,
    answer: &'a RawValue,
}

/// What is read of the answer to a command.
#[derive(Deserialize)]
struct CommandAnswer {
    #[serde(flatten)]
    state: State,
    recorded: bool,
    done: String,
    #[serde(default)]
    dry_run: bool,
}

/// What is read of the answer to `new` besides that.
#[derive(Deserialize)]
struct NewGameAnswer {
    as_before: Vec<String>,
    dropped: Vec<String>,
}

impl<'a> Answers<'a> {
    pub fn new(options: &'a Options, kind: Kind, boards: &[Numbered]) -> Answers<'a> {
        let width = boards.iter().map(|(_, board)| board.name.chars().count()).max();
        Answers {
            options,
            progress: Progress::new(options, boards),
            kind,
            width: width.unwrap_or_default(),
            states: Vec::new(),
            lines: Vec::new(),
            not_given: Vec::new(),
            failures: Vec::new(),
            boards: boards.len(),
        }
    }

    /// Shows what the board has answered.
    pub fn add(&mut self, finished: BoardFinished) -> Result<()> {
        self.progress.answered(finished.index);
        if let Some(failed) = &finished.failed {
            // Boards with the same message have one line, so the commands that it names are given
            // the addresses of all of them at the end.
            let beginning = beginning(self.options, &[&finished.board]);
            let message = plain(&failed.message).replace(&plain(&beginning), "clockctl");
            // What cannot be done is said by the heading.
            let message = match self.kind {
                Kind::Status => message.trim_start_matches("cannot read the clock: ").to_owned(),
                _ => message,
            };
            self.failures.push(FailedBoard {
                index: finished.index,
                board: finished.board.clone(),
                exit: failed.exit,
                message,
                again: finished.again(),
            });
        }
        if self.options.quiet {
            return Ok(());
        }
        if self.options.json {
            return print_json(finished);
        }
        let BoardFinished { index, board, printed, failed, .. } = finished;
        match self.kind {
            Kind::Status => {
                let state = self.state(&board, &printed, failed);
                self.states.push((index, board.name, state));
            }
            Kind::Lines => self.lines.push((index, board.name, printed)),
            Kind::AllGames | Kind::New | Kind::OneGame if failed.is_none() => {
                let notes = not_given(&printed).into_iter();
                self.not_given.extend(notes.map(|note| (index, board.name.clone(), note)));
                self.lines.push((index, board.name, done(&printed)));
            }
            Kind::Watch | Kind::Games | Kind::AllGames | Kind::New | Kind::OneGame => {}
        }
        Ok(())
    }

    /// The state that the board has answered, or in a few words why there is none: the whole reason is
    /// below the table.
    fn state(&self, board: &Board, printed: &str, failed: Option<Failed>) -> Result<State, String> {
        if let Some(failed) = failed {
            return Err(failed.short_reason().to_owned());
        }
        let mut state: State = serde_json::from_str(printed).map_err(|error| json_words(&error))?;
        let beginning = beginning(self.options, &[board]);
        for fault in &mut state.faults {
            fault.text = with_beginning(&fault.text, &beginning);
        }
        Ok(state)
    }

    fn print_lines(&self, name: &str, text: &str) -> Result<()> {
        let name = padded(name, self.width);
        let lines: String = text.lines().map(|line| format!("{name}  {line}\n")).collect();
        out::print(&lines)
    }

    /// The options that were not given, boards with the same ones in one line.
    fn print_not_given(&self) -> Result<()> {
        for (note, names) in grouped(self.not_given.iter().map(|(_, name, note)| (note, &**name))) {
            out::print(&format!("{}: {note}\n", names.join(", ")))?;
        }
        Ok(())
    }

    /// The failures, boards with the same message in one line.
    fn failures_text(&self) -> String {
        let (failures, boards) = (&self.failures, self.boards);
        let mut text = format!("clockctl: failed on {} of {boards} boards\n", failures.len());
        for (message, same) in grouped(failures.iter().map(|it| (&it.message, &it.board))) {
            let names: Vec<&str> = same.iter().map(|board| board.name.as_str()).collect();
            let message = with_beginning(message, &beginning(self.options, &same));
            text.push_str(&format!("  {}: {message}\n", names.join(", ")));
        }
        text
    }

    /// The command line `words` for the boards on which it failed.
    fn again_text(&self, words: &[String]) -> String {
        let failed = self.failures.iter();
        let (names, boards): (Vec<&str>, Vec<&str>) = failed
            .filter_map(|failed| Some((failed.board.name.as_str(), failed.again.as_deref()?)))
            .unzip();
        if names.is_empty() {
            return String::new();
        }
        let command = again(self.options, words, &boards);
        format!("the command again, for {} only:\n  {command}\n", names.join(", "))
    }

    /// Shows the output for which all boards must have ended, and returns the exit code. `words` is the
    /// command line if the verb gives a command that can be given again; otherwise `None`.
    ///
    /// # Errors
    ///
    /// The output cannot be written. The boards that failed were named all the same.
    pub fn end(mut self, words: Option<&[String]>) -> Result<u8> {
        self.progress.end();
        let printed = self.print();
        self.failures.sort_by_key(|failed| failed.index);
        let Some(first) = self.failures.first() else { return printed.map(|()| 0) };
        let exit = first.exit;
        let is_same = self.failures.iter().all(|failed| failed.exit == exit);
        let again = words.map(|words| self.again_text(words)).unwrap_or_default();
        out::report(&(self.failures_text() + &again));
        printed.map(|()| if is_same { exit } else { DIFFERENT })
    }

    fn print(&mut self) -> Result<()> {
        if self.kind == Kind::Status && !self.states.is_empty() {
            out::print(&board_state::table_of(std::mem::take(&mut self.states)))?;
        }
        self.lines.sort_unstable();
        for (_, name, text) in &self.lines {
            self.print_lines(name, text)?;
        }
        self.not_given.sort_by_key(|(index, ..)| *index);
        self.print_not_given()
    }
}

/// Groups the items by their texts: each text once, with the items that have it.
fn grouped<'a, T>(texts: impl Iterator<Item = (&'a String, T)>) -> Vec<(&'a str, Vec<T>)> {
    let mut groups: Vec<(&str, Vec<T>)> = Vec::new();
    for (text, of) in texts {
        match groups.iter_mut().find(|(other, _)| other == text) {
            Some((_, all)) => all.push(of),
            None => groups.push((text, vec![of])),
        }
    }
    groups
}

fn print_json(finished: BoardFinished) -> Result<()> {
    let exit = finished.exit();
    let BoardFinished { board, mut printed, failed, .. } = finished;
    if let Some(Failed { code, message, .. }) = failed.filter(|failed| !failed.has_answer) {
        let error = FailureBody { code: &code, message: &message, exit };
        printed.push_str(&out::json_line(&FailureJson { error })?);
    }
    let mut lines = printed.lines();
    lines.try_for_each(|line| out::print(&line_json(&board, exit, line.to_owned())?))
}

/// The JSON object of a line that a board has printed, with its line end.
pub fn line_json(board: &Board, exit: u8, line: String) -> Result<String> {
    let answer = RawValue::from_string(line)?;
    let clock = board.target.to_string();
    out::json_line(&LineJson { board: &board.name, clock, exit, answer: &answer })
}

/// What `new` says of the options that were not given; empty after another command.
fn not_given(answer: &str) -> Vec<String> {
    let Ok(NewGameAnswer { as_before, dropped }) = serde_json::from_str(answer) else {
        return Vec::new();
    };
    let note = |said: &str, keys: Vec<String>| match keys.is_empty() {
        true => None,
        false => Some(plain(&format!("{said}: {}", keys.join(", ")))),
    };
    let dropped = dropped.into_iter().map(|key| format!("--{key}")).collect();
    [
        note("not given, and so as before", as_before),
        note("not as before, give again if wanted", dropped),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What a command did, in one line, and a second one if it is not on record.
fn done(answer: &str) -> String {
    match serde_json::from_str::<CommandAnswer>(answer) {
        Ok(CommandAnswer { state, recorded, done, dry_run }) => {
            let mark = if dry_run { "dry run: " } else { "" };
            let note = if recorded || dry_run { "" } else { "\n(not on record yet)" };
            format!("{mark}{}; {}{note}", plain(&done), board_state::brief(&state))
        }
        // This cannot happen: the verb has printed the object from a state of the same type.
        Err(_) => "done".to_owned(),
    }
}

/// A line on the terminal that shows how many boards have answered. It is removed when all have.
struct Progress {
    missing: Vec<(usize, String)>,
    boards: usize,
    is_shown: bool,
}

impl Progress {
    /// Whether the line is shown. It is shown only on a terminal, because each answer replaces it.
    fn new(options: &Options, boards: &[Numbered]) -> Progress {
        let is_read = !options.quiet && !options.json;
        Progress {
            missing: boards.iter().map(|(index, board)| (*index, plain(&board.name))).collect(),
            boards: boards.len(),
            is_shown: is_read && out::can_clear_line() && boards.len() > 1,
        }
    }

    /// Notes that the board with this index has answered.
    fn answered(&mut self, index: usize) {
        self.missing.retain(|(missing, _)| *missing != index);
        if self.is_shown {
            out::report(&format!("{CLEAR_LINE}{}", self.text()));
        }
    }

    /// Clears the line.
    fn end(&mut self) {
        if std::mem::replace(&mut self.is_shown, false) {
            out::report(CLEAR_LINE);
        }
    }

    fn text(&self) -> String {
        let answered = format!("{} of {} boards", self.boards - self.missing.len(), self.boards);
        let names: Vec<&str> = self.missing.iter().map(|(_, name)| name.as_str()).collect();
        match names.len() {
            0 => answered,
            few if few <= NAMED => format!("{answered}; waiting for {}", names.join(", ")),
            _ => answered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn the_last_boards_are_named() {
        let missing = (0..5).map(|index| (index, format!("{}", index + 1))).collect();
        let mut progress = Progress { missing, boards: 5, is_shown: false };
        progress.answered(3);
        assert_eq!(progress.text(), "1 of 5 boards");
        progress.answered(0);
        progress.answered(4);
        assert_eq!(progress.text(), "3 of 5 boards; waiting for 2, 3");
        progress.answered(1);
        progress.answered(2);
        assert_eq!(progress.text(), "5 of 5 boards");
    }
}
