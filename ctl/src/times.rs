//! Times as `clockctl` writes them.

use clock_engine::Span;
use clock_engine::text::hms;

const TENTH: u64 = 100_000_000;
const MILLI: u64 = 1_000_000;

/// A time as `h:mm:ss.t`. Hours and tenths are always shown, so that columns keep their width.
pub fn clock(nsec: u64) -> String {
    let nsec = to_tenths(nsec);
    let tenth = nsec / TENTH % 10;
    format!("{}.{tenth}", hms(Span::from_nanos(nsec - tenth * TENTH)))
}

/// A time of the record as `h:mm:ss.mmm`, rounded down. The record is evidence, so it never shows
/// more time than a clock had. The times in the words that the record has for a command are rounded
/// down, too, to tenths.
pub fn exact(nsec: u64) -> String {
    let millis = nsec / MILLI;
    let whole = millis / 1000;
    format!("{}.{:03}", hms(Span::from_secs(whole)), millis % 1000)
}

/// A short time such as `0.080 ms`, rounded up to microseconds: the largest value stands for a time
/// beyond every bound.
pub fn millis(nsec: u64) -> String {
    if nsec == u64::MAX {
        return "more than any bound".to_owned();
    }
    let micros = nsec.div_ceil(1000);
    format!("{}.{:03} ms", micros / 1000, micros % 1000)
}

/// Rounds a time up to tenths of a second, as the players' display does. So zero is shown only when
/// the time is used up.
pub fn to_tenths(nsec: u64) -> u64 {
    nsec.div_ceil(TENTH).saturating_mul(TENTH) / TENTH * TENTH
}

#[cfg(test)]
mod tests {
    use super::{clock, exact, millis};

    #[test]
    fn short_times_are_rounded_towards_the_worse() {
        assert_eq!(
            (millis(0), millis(1), millis(80_001)),
            ("0.000 ms".into(), "0.001 ms".into(), "0.081 ms".into())
        );
    }

    #[test]
    fn exact_times_are_cut_off_and_the_others_are_rounded_up() {
        let shown = |nsec| (exact(nsec), clock(nsec));
        assert_eq!(shown(0), ("0:00:00.000".into(), "0:00:00.0".into()));
        assert_eq!(shown(184_999_999_999), ("0:03:04.999".into(), "0:03:05.0".into()));
        assert_eq!(shown(5_400_000_000_001), ("1:30:00.000".into(), "1:30:00.1".into()));
        assert_eq!(exact(u64::MAX), "5124095:34:33.709");
    }
}
