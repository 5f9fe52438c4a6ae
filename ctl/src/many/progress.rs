//! Shows on the terminal how many boards have answered, until all have.

use super::runs::Numbered;
use crate::{
    options::Options,
    out::{self, CLEAR_LINE},
    text::plain,
};

/// So many boards at most are named that have not answered.
const NAMED: usize = 3;

/// The boards that have not answered yet.
pub struct Progress {
    missing: Vec<(usize, String)>,
    boards: usize,
    is_shown: bool,
}

impl Progress {
    /// Shown on a terminal only, because the line is replaced with every answer.
    pub fn new(options: &Options, boards: &[Numbered]) -> Progress {
        let is_read = !options.quiet && !options.json;
        Progress {
            missing: boards.iter().map(|(index, board)| (*index, plain(&board.name))).collect(),
            boards: boards.len(),
            is_shown: is_read && out::can_clear_line() && boards.len() > 1,
        }
    }

    /// Notes that the board with this index has answered.
    pub fn answered(&mut self, index: usize) {
        self.missing.retain(|(missing, _)| *missing != index);
        if self.is_shown {
            out::report(&format!("{CLEAR_LINE}{}", self.text()));
        }
    }

    /// Clears the line.
    pub fn end(&mut self) {
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
