//! The clock in words and tables.
//!
//! All text is plain and without colours, so that it reads the same in a terminal, in a mail and in
//! a log.

pub mod hint;
pub mod questions;
mod status;
mod table;
mod watch;
mod words;

pub use clockctl::times::clock;
pub use status::{brief, brief_and_questions, status};
pub use table::{Column, table};
pub use watch::{fault_lines, watch_line};
pub use words::{name, overtime, period, plain};

#[cfg(test)]
mod tests;
