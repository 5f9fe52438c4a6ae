//! The words of the card (`make card`): five lines for the clock's foot, and a page with pictures.

/// The most letters of a row of the strip on the clock's foot.
pub const ROW_LENGTH: usize = 104;
/// The most rows that a line of the strip takes.
pub const ROWS: usize = 2;

/// The words of the card.
#[derive(Debug)]
pub struct Card {
    /// The title of the page.
    pub title: &'static str,
    /// To start and play, to stop and go on, to set up, to choose from a list, and the flag.
    pub lines: [Line; 5],
}

/// A line of the card.
#[derive(Debug)]
pub struct Line {
    /// What it is about.
    pub about: &'static str,
    /// What to do. Texts of the menu stand between `**`.
    pub text: &'static str,
}
