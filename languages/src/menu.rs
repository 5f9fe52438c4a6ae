//! The words of the menu at the clock.

/// The words of the menu at the clock. A line of a page has at most 24 characters.
#[derive(Debug)]
pub struct Menu {
    /// The title of the first page before a game and after it.
    pub title: &'static str,
}
