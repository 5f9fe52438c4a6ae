//! Times as `clockctl` writes them.

use clock_engine::Span;
use clock_engine::text::hms;

const TENTH: u64 = 100_000_000;

/// `h:mm:ss.t`, always with hours and tenths, so that columns keep their width.
pub fn clock(nsec: u64) -> String {
    let nsec = to_tenths(nsec);
    let tenth = nsec / TENTH % 10;
    format!("{}.{tenth}", hms(Span::from_nanos(nsec - tenth * TENTH)))
}

/// Rounded up as on the players' display, so that zero is shown only when the time is used up.
pub fn to_tenths(nsec: u64) -> u64 {
    nsec.div_ceil(TENTH).saturating_mul(TENTH) / TENTH * TENTH
}
