//! The fuzz targets as plain functions: bytes in, and a panic where something does not hold.
//!
//! libFuzzer calls them from `libfuzzer/`, and `tests/corpus.rs` with every input that is kept.

#![forbid(unsafe_code)]

mod bytes;
mod command_stream;
mod control;
mod control_file;
mod notations;
mod script_lines;
mod written_control;

pub use command_stream::command_stream;
pub use control_file::control_file;
pub use notations::notations;
pub use script_lines::script_lines;
pub use written_control::written_control;

/// A target: what it is called, and what it checks.
pub type Target = (&'static str, fn(&[u8]));

/// All of them, by name.
pub const TARGETS: [Target; 5] = [
    ("command_stream", command_stream),
    ("control_file", control_file),
    ("notations", notations),
    ("script_lines", script_lines),
    ("written_control", written_control),
];
