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
