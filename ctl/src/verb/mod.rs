//! The verbs, one module each.

pub mod add;
mod command;
pub mod control;
mod library;
pub mod new;
pub mod pause;
mod readings;
pub mod reopen;
pub mod result;
pub mod resume;
pub mod rules;
pub mod set;
pub mod simulate;
pub mod start;
pub mod status;
pub mod undo;
pub mod watch;
