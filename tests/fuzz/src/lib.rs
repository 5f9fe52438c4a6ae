//! The fuzz targets as plain functions that take bytes and panic where a check fails.
//!
//! libFuzzer calls them from `libfuzzer/`. `tests/corpus.rs` calls them with every stored input.

#![forbid(unsafe_code)]

mod bytes;
mod command_stream;
mod control;
mod control_file;
pub mod corpus;
mod kept_game;
mod notations;
mod plain_words;
mod record_file;
mod rule_file;
mod script_lines;
mod written_control;

pub use command_stream::command_stream;
pub use control_file::control_file;
pub use kept_game::kept_game;
pub use notations::notations;
pub use record_file::record_file;
pub use rule_file::rule_file;
pub use script_lines::script_lines;
pub use written_control::written_control;

/// The name of a target and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, by name.
pub const TARGETS: [Target; 8] = [
    ("command_stream", command_stream),
    ("control_file", control_file),
    ("kept_game", kept_game),
    ("notations", notations),
    ("record_file", record_file),
    ("rule_file", rule_file),
    ("script_lines", script_lines),
    ("written_control", written_control),
];
