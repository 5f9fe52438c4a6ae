//! Refuses the import of times and counters that are hardly ever meant.

use clock_dbus::{Corrections, Proposal, Side};
use clock_engine::Method;
use clock_engine::text::ControlFile;
use clockctl::record::file::RecordFile;
use clockctl::record::proposal::method;

use crate::failure::Failure;
use crate::verb::set::Values;
use crate::verb::usual;

/// Refuses a time of 0 at which a flag falls, a given time that is far above what the time control
/// gives, and more moves than a game has, as `set` does. The
/// values are those of the command line, and where it has none, those of the file. `has_state` says
/// whether the whole state of the file is taken over.
///
/// A flag that has fallen on the other clock is taken over with the whole state, so its time of 0 is
/// not refused.
pub fn check(
    values: &Values,
    file: &RecordFile,
    readings: &Proposal,
    has_state: bool,
) -> Result<(), Failure> {
    let given = Corrections::from(values);
    let text = readings.time_control_file.as_deref();
    let control = text.and_then(|text| ControlFile::parse(text).ok()).map(|file| file.control);
    let of_side = |side, time: Option<u64>, moves: Option<u32>| {
        let there = file.last().state.side(side);
        let falls = match method(control.as_ref(), there.period, side) {
            // 0 is the time used so far, or what is left until the next gong.
            Some(Method::CountUp { .. } | Method::Gong(_)) => false,
            _ => time.is_some() || !(has_state && there.out_of_time),
        };
        let time = Some(time.unwrap_or(there.remaining_ns)).filter(|_| falls);
        (time, Some(moves.unwrap_or(there.moves)))
    };
    let white = of_side(Side::White, given.white_time_nsec, given.white_moves);
    let black = of_side(Side::Black, given.black_time_nsec, given.black_moves);
    if let Some(control) = &control {
        let times = [(Side::White, given.white_time_nsec), (Side::Black, given.black_time_nsec)];
        for (side, time) in times {
            let there = file.last().state.side(side);
            if let Some(time) = time {
                usual::check_high(control, side, (there.moves, there.period), time)?;
            }
        }
    }
    usual::check([white.0, black.0], [white.1, black.1])
}
