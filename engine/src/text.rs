//! Control files, rule files, notations and durations, as people write them.

mod control_file;
mod describe;
mod duration;
mod file_error;
mod notation;
mod presets;
mod rule_file;
mod write;

pub use control_file::ControlFile;
pub use describe::describe;
pub use duration::{DurationError, hms, parse_duration};
pub use file_error::{FileError, Place};
pub use notation::{
    NotExpressible, NotationError, looks_like_notation, parse_notation, pgn, spoken,
};
pub use presets::{Preset, preset, presets};
pub use rule_file::{
    GUIDANCE_LIMIT, Guidance, MAX_INHERITED, Origin, Parameter, RuleFile, RulePreset, Situation,
    parse_points, points, rule_preset, rule_presets,
};
pub use write::to_toml;
