//! What the boards of a command answer, and how it is shown: a line for each board as it ends, and
//! at the end what failed where.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    runs::{BoardFinished, Numbered},
    status,
    verbs::Kind,
};
use crate::{
    hall::{Board, board_state::BoardState, child::Finished},
    json::{FailureBody, FailureJson},
    options::Options,
    out,
    text::plain,
};

/// The exit code if some boards have failed in different ways.
const DIFFERENT: u8 = 9;
/// The answers so far.
pub struct Answers<'a> {
    options: &'a Options,
    kind: Kind,
    /// The width of the longest name of a board.
    width: usize,
    states: Vec<(usize, String, Option<BoardState>)>,
    /// The text of each board that is shown when all have ended, so that it is in order.
    lines: Vec<(usize, String, String)>,
    failures: Vec<FailedBoard>,
    boards: usize,
}

/// A board on which the verb failed.
struct FailedBoard {
    index: usize,
    name: String,
    exit: u8,
    message: String,
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
    state: BoardState,
    recorded: bool,
    done: String,
    #[serde(default)]
    dry_run: bool,
}

impl<'a> Answers<'a> {
    pub fn new(options: &'a Options, kind: Kind, boards: &[Numbered]) -> Answers<'a> {
        let width = boards.iter().map(|(_, board)| board.name.chars().count()).max();
        Answers {
            options,
            kind,
            width: width.unwrap_or_default(),
            states: Vec::new(),
            lines: Vec::new(),
            failures: Vec::new(),
            boards: boards.len(),
        }
    }

    /// Shows what the board has answered.
    pub fn add(&mut self, finished: BoardFinished) -> Result<()> {
        let exit = finished.exit();
        if exit != 0 {
            self.failures.push(FailedBoard {
                index: finished.index,
                name: finished.board.name.clone(),
                exit,
                message: finished.message(self.options.deadline),
            });
        }
        if self.options.quiet {
            return Ok(());
        }
        if self.options.json {
            return self.print_json(&finished);
        }
        match self.kind {
            Kind::Status => {
                let state = serde_json::from_str(finished.output()).ok();
                self.states.push((finished.index, finished.board.name, state));
                Ok(())
            }
            Kind::Lines => {
                let lines = (finished.index, finished.board.name.clone(), finished.output().into());
                self.lines.push(lines);
                Ok(())
            }
            Kind::AllGames | Kind::New | Kind::OneGame if exit == 0 => {
                self.print_lines(&finished.board.name, &done(finished.output()))
            }
            Kind::Watch | Kind::Games | Kind::AllGames | Kind::New | Kind::OneGame => Ok(()),
        }
    }

    fn print_lines(&self, name: &str, text: &str) -> Result<()> {
        let width = self.width;
        let lines: String = text.lines().map(|line| format!("{name:<width$}  {line}\n")).collect();
        out::print(&lines)
    }

    fn print_json(&self, finished: &BoardFinished) -> Result<()> {
        let exit = finished.exit();
        let mut lines: Vec<String> = finished.output().lines().map(str::to_owned).collect();
        if lines.is_empty() {
            let message = finished.message(self.options.deadline);
            let code = if finished.finished == Finished::Late { "deadline" } else { "failed" };
            let error = FailureJson { error: FailureBody { code, message: &message, exit } };
            lines.push(serde_json::to_string(&error)?);
        }
        for line in lines {
            out::print(&line_json(&finished.board, exit, line)?)?;
        }
        Ok(())
    }

    /// Shows what is shown only when all boards have ended. Returns the exit code.
    pub fn end(mut self, can_retry: bool) -> Result<u8> {
        if self.kind == Kind::Status && !self.states.is_empty() {
            out::print(&status::table_of(std::mem::take(&mut self.states)))?;
        }
        self.lines.sort_unstable();
        for (_, name, text) in &self.lines {
            self.print_lines(name, text)?;
        }
        self.failures.sort_by_key(|failed| failed.index);
        let Some(first) = self.failures.first() else { return Ok(0) };
        let exit = first.exit;
        let is_same = self.failures.iter().all(|failed| failed.exit == exit);
        out::report(&failures(&self.failures, self.boards, can_retry));
        Ok(if is_same { exit } else { DIFFERENT })
    }
}

/// The JSON object of a line that a board has printed, with its line end.
pub fn line_json(board: &Board, exit: u8, line: String) -> Result<String> {
    let answer = RawValue::from_string(line)?;
    let clock = board.target.to_string();
    out::json_line(&LineJson { board: &board.name, clock, exit, answer: &answer })
}

/// What a command did, in one line, and a second one if it is not on record.
fn done(answer: &str) -> String {
    match serde_json::from_str::<CommandAnswer>(answer) {
        Ok(CommandAnswer { state, recorded, done, dry_run }) => {
            let mark = if dry_run { "dry run: " } else { "" };
            let note = if recorded || dry_run { "" } else { "\n(not on record yet)" };
            format!("{mark}{}; {}{note}", plain(&done), state.brief())
        }
        // The process has checked its own output; a later version may print another.
        Err(_) => "done".to_owned(),
    }
}

/// The failures, boards with the same message in one line.
fn failures(failures: &[FailedBoard], boards: usize, can_retry: bool) -> String {
    let mut text = format!("clockctl: failed on {} of {boards} boards\n", failures.len());
    let mut told: Vec<&str> = Vec::new();
    for FailedBoard { message, .. } in failures {
        if told.contains(&message.as_str()) {
            continue;
        }
        told.push(message);
        let same = failures.iter().filter(|failed| failed.message == *message);
        let names: Vec<&str> = same.map(|failed| failed.name.as_str()).collect();
        text.push_str(&format!("  {}: {message}\n", names.join(", ")));
    }
    if can_retry {
        text.push_str("clockctl --retry gives the command again to these boards only\n");
    }
    text
}
