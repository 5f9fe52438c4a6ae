//! The verbs, one module each.

mod command;
pub mod control;
pub mod new;
pub mod pause;
pub mod result;
pub mod resume;
pub mod set;
pub mod simulate;
pub mod start;
pub mod status;
pub mod watch;
