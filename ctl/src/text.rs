//! The clock in words and tables.
//!
//! All text is plain, so that it reads the same in a terminal, in a mail and in a log; `colour` paints
//! it for a terminal.

mod address;
pub mod colour;
mod flag_call;
pub mod hint;
mod next;
pub mod questions;
mod status;
mod table;
mod watch;
mod words;

pub use address::{addressed, commands_begin_with, with_beginning};
pub use clockctl::times::clock;
pub use next::{Next, next, next_text};
pub use status::{brief, brief_and_questions, status};
pub use table::{Column, padded, table};
pub use watch::{fault_lines, watch_line};
pub use words::{name, overtime, period, plain};

#[cfg(test)]
mod tests;
