//! What a clock shows, as `clockctl` writes it. `docs/timing.md` says which text has which form.

use clock_engine::Span;

/// A time that is left, in nanoseconds, as `h:mm:ss.t`, rounded up.
pub fn clock(nsec: u64) -> String {
    Span::from_nanos(nsec).left().to_string()
}

/// A time that has passed, in nanoseconds, as `h:mm:ss.t`, rounded down.
pub fn passed(nsec: u64) -> String {
    Span::from_nanos(nsec).passed().to_string()
}

/// A short time such as `0.080 ms`, rounded up to microseconds; the largest value stands for a time
/// beyond every bound.
pub fn millis(nsec: u64) -> String {
    if nsec == u64::MAX {
        return "more than any bound".to_owned();
    }
    let micros = nsec.div_ceil(1000);
    format!("{}.{:03} ms", micros / 1000, micros % 1000)
}

#[cfg(test)]
mod tests {
    use super::millis;

    #[test]
    fn short_times_are_rounded_towards_the_worse() {
        assert_eq!(
            (millis(0), millis(1), millis(80_001)),
            ("0.000 ms".into(), "0.001 ms".into(), "0.081 ms".into())
        );
    }
}
