//! Control files and durations, as people write them (TOML).

mod control_file;
mod duration;
mod presets;
mod words;

pub use control_file::{ControlFile, FileError};
pub use duration::{DurationError, parse_duration};
pub use presets::{Preset, preset, presets};
pub use words::words;
