// How long a text can be. `build.rs` checks the texts of the menu, and a test those of the card.

/// The most characters of a title or a line of the menu, and of each word of its longer texts.
pub const LINE_LENGTH: usize = 28;
/// The most characters of what a button does.
pub const ACTION_LENGTH: usize = 12;
/// The most letters of a row of the strip on the clock's foot.
pub const ROW_LENGTH: usize = 104;
/// The most rows that a line of the strip takes.
pub const ROWS: usize = 2;
