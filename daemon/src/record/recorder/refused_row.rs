//! The steps by which the recorder gets past a row that the record refuses.

/// Which step the recorder has reached. Without these steps, the recorder would try to write the
/// same row for ever, and no later row would be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedRow {
    /// No row is refused at present.
    None,
    /// Rows are written one by one, to find the one that is refused.
    Searched,
    /// A row with the state of the clock has taken the place of the refused row and of all
    /// unwritten rows after it. The row with the state is not on record yet.
    Replaced,
}
