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

/// What is wrong with a control that gives a side nothing for its first move: no main time in the
/// first period, and neither an increment at set-up nor a delay. The flag of that side would fall at
/// once. `None` if both sides have something for it.
fn without_time(control: &Control) -> Option<String> {
    let first = control.periods().first()?;
    let has_none = |side: Side| match first.method[side] {
        Method::Increment(_) => !control.terms().first_move_increment,
        Method::None | Method::Hourglass => true,
        Method::Delay(_)
        | Method::Bronstein(_)
        | Method::Overtime(_)
        | Method::Gong(_)
        | Method::CountUp { .. } => false,
    };
    let side = Side::BOTH.into_iter().find(|&side| first.time[side].is_zero() && has_none(side))?;
    Some(format!(
        "{side}'s first period has the time 0:00:00 and nothing for the first move; expected more, \
         or an `increment` that move 1 has, a `delay`, `bronstein`, `overtime`, `gong` or \
         `count_up`"
    ))
}
