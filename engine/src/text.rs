//! Control files and durations, as people write them (TOML).

mod control_file;
mod duration;
mod file_error;
mod presets;
mod words;

pub use control_file::ControlFile;
pub use duration::{DurationError, hms, parse_duration};
pub use file_error::FileError;
pub use presets::{Preset, preset, presets};
pub use words::words;
