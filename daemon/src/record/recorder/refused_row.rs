//! How far the search for a row that can never be written is.

/// What is being done about a row that the record refuses. Without this, the recorder would try to
/// write the same row for ever, and no later row would be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedRow {
    /// The record has refused no row.
    None,
    /// Rows are written one by one, to find the one that is refused.
    Searched,
    /// A row with the state of the clock has taken the place of the refused row. It is not on
    /// record yet.
    Replaced,
}
