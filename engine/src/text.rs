//! Control files, rule files, notations and durations, as people write them.

mod control_file;
mod describe;
mod duration;
mod file_error;
mod notation;
mod plain_words;
mod presets;
mod rule_file;
mod write;

pub use control_file::ControlFile;
pub use describe::{describe, describe_method};
pub use duration::{DurationError, hms, parse_duration};
pub use file_error::{FileError, Place};
pub use notation::{
    NotExpressible, NotationError, looks_like_notation, parse_notation, pgn, spoken,
};
pub use plain_words::{Format, key_at, plain_message, plain_system_errors};
pub use presets::{Preset, preset, presets};
pub use rule_file::{
    GUIDANCE_LIMIT, Guidance, MAX_INHERITED, Origin, Parameter, RuleFile, RulePreset, Situation,
    parse_points, points, rule_preset, rule_presets,
};
pub use write::to_toml;

use crate::{Control, Method, Side};

/// What is wrong with a control whose first period gives a side no main time, although its method
/// needs some. The flag of that side would fall in its first turn, before it gets any increment.
/// `None` if both sides have main time, or a method that needs none.
fn without_time(control: &Control) -> Option<String> {
    let first = control.periods().first()?;
    let needs_time = |side: Side| match first.method[side] {
        Method::None
        | Method::Increment(_)
        | Method::Delay(_)
        | Method::Bronstein(_)
        | Method::Hourglass => true,
        Method::Overtime(_) | Method::Gong(_) | Method::CountUp { .. } => false,
    };
    let side =
        Side::BOTH.into_iter().find(|&side| first.time[side].is_zero() && needs_time(side))?;
    Some(format!(
        "{side}'s first period has the time 0:00:00; expected more, except with `overtime`, `gong` \
         or `count_up`"
    ))
}
