//! The certificate of the loopback test: how exactly the clock has stamped the presses that another
//! of its lines has made, and how fast it has decided them.

use clock_dbus::{TestedButton, TestedPress};
use serde::Serialize;

use super::buttons::name;
use clockctl::times::millis;

/// The clock is unfit if a stamp is more than this before or after the call that set the line.
const STAMP_LIMIT_NSEC: u64 = 1_000_000;

/// A press that the driver has made: the readings of `CLOCK_MONOTONIC` right before and right after
/// the call that set the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    pub before_nsec: u64,
    pub after_nsec: u64,
}

/// The distribution of a time. Of `n` sorted values, `p50` is the one with the number `n × 0.5`,
/// rounded up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Distribution {
    pub min_ns: u64,
    pub p50_ns: u64,
    pub p99_ns: u64,
    pub max_ns: u64,
}

impl Distribution {
    /// The distribution of these values; zeros if there are none.
    fn of(mut values: Vec<u64>) -> Distribution {
        values.sort_unstable();
        let rank = |percent: usize| {
            let rank = (values.len() * percent).div_ceil(100).max(1);
            values.get(rank - 1).copied().unwrap_or_default()
        };
        Distribution { min_ns: rank(0), p50_ns: rank(50), p99_ns: rank(99), max_ns: rank(100) }
    }

    fn shown(&self) -> String {
        let Distribution { p50_ns, p99_ns, max_ns, .. } = *self;
        format!("p50 {}  p99 {}  max {}", millis(p50_ns), millis(p99_ns), millis(max_ns))
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// How many presses were made.
    pub presses: usize,
    /// How many of them the clock did not see.
    pub lost: usize,
    /// How many presses the clock saw that the driver had not made, of any button.
    pub unexpected: usize,
    /// How many presses were stamped outside the call that set the line.
    pub stamped_outside: usize,
    /// How far a stamp is outside the call that set the line; 0 inside.
    pub stamp_error: Distribution,
    /// The time from the beginning of that call to the stamp. The stamp is later than the edge by
    /// no more than that.
    pub stamp_after_call: Distribution,
    /// How long the call took: the resolution of this measurement.
    pub call: Distribution,
    /// The time from the stamp to the decision, which includes the settle time of the debounce.
    pub decision_latency: Distribution,
}

impl Measured {
    /// Compares the presses that were made, in their order, with those that the clock saw.
    pub fn new(button: TestedButton, made: &[Made], seen: &[TestedPress]) -> Measured {
        let (mut errors, mut after_call, mut latencies) = (Vec::new(), Vec::new(), Vec::new());
        let (mut lost, mut expected) = (0, 0);
        let mut left = seen.to_vec();
        left.retain(|press| press.button == button);
        left.sort_unstable_by_key(|press| press.at_nsec);
        let mut left = left.into_iter().peekable();
        for (index, one) in made.iter().enumerate() {
            let from = one.before_nsec.saturating_sub(STAMP_LIMIT_NSEC);
            let to = made
                .get(index + 1)
                .map_or(u64::MAX, |next| next.before_nsec.saturating_sub(STAMP_LIMIT_NSEC));
            while left.next_if(|press| press.at_nsec < from).is_some() {}
            let Some(press) = left.next_if(|press| press.at_nsec < to) else {
                lost += 1;
                continue;
            };
            expected += 1;
            let late = press.at_nsec.saturating_sub(one.after_nsec);
            errors.push(late.max(one.before_nsec.saturating_sub(press.at_nsec)));
            after_call.push(press.at_nsec.saturating_sub(one.before_nsec));
            latencies.push(press.decided_nsec.saturating_sub(press.at_nsec));
        }
        Measured {
            presses: made.len(),
            lost,
            unexpected: seen.len() - expected,
            stamped_outside: errors.iter().filter(|error| **error > 0).count(),
            stamp_error: Distribution::of(errors),
            stamp_after_call: Distribution::of(after_call),
            call: Distribution::of(
                made.iter().map(|one| one.after_nsec.saturating_sub(one.before_nsec)).collect(),
            ),
            decision_latency: Distribution::of(latencies),
        }
    }

    /// Whether the clock has seen every press, nothing else, and no stamp is wrong by more than a
    /// millisecond.
    pub fn is_fit(&self) -> bool {
        let is_exact = self.stamp_error.max_ns <= STAMP_LIMIT_NSEC;
        self.lost == 0 && self.unexpected == 0 && is_exact
    }
}

/// What was measured, with what it was measured on.
#[derive(Clone, Debug, Serialize)]
pub struct Certificate {
    /// The version of the form; `docs/schemas/doctor-loopback.schema.json` describes it.
    pub format: u32,
    pub fit: bool,
    /// The end of the test, in UTC; `None` if the machine does not know the wall time.
    pub date: Option<String>,
    pub machine: Option<String>,
    pub kernel: Option<String>,
    pub clockd: String,
    pub clockctl: &'static str,
    /// Whether the clock loop had real-time priority and locked memory.
    pub real_time: bool,
    pub button: TestedButton,
    pub line: String,
    /// The seed of the random numbers from which the times of the presses are computed.
    pub seed: u64,
    /// The settle time of the debounce.
    pub settle_ns: u64,
    #[serde(flatten)]
    pub measured: Measured,
}

impl Certificate {
    /// The certificate in text, one line for each thing.
    pub fn text(&self) -> String {
        let Measured { presses, lost, unexpected, stamped_outside, .. } = self.measured;
        let verdict = if self.fit { "fit" } else { "NOT fit" };
        let unknown = || "not known".to_owned();
        let real_time = if self.real_time { "" } else { ", without real-time priority" };
        let rows = [
            ("date", self.date.clone().unwrap_or_else(unknown)),
            ("machine", self.machine.clone().unwrap_or_else(unknown)),
            ("kernel", self.kernel.clone().unwrap_or_else(unknown)),
            ("clock", format!("clockd {}{real_time}; clockctl {}", self.clockd, self.clockctl)),
            ("wire", format!("{} to {}, seed {}", self.line, name(self.button), self.seed)),
            ("presses", format!("{presses} made, {lost} lost, {unexpected} that nobody made")),
            ("stamp error", self.measured.stamp_error.shown()),
            (
                "",
                format!(
                    "how far stamps are outside the call that set the line: {stamped_outside} of {} are",
                    presses - lost
                ),
            ),
            ("stamp", self.measured.stamp_after_call.shown()),
            (
                "",
                "from the beginning of that call: no stamp is later than the edge by more"
                    .to_owned(),
            ),
            ("call", self.measured.call.shown()),
            ("decision", self.measured.decision_latency.shown()),
            ("", format!("from the stamp, with the settle time of {}", millis(self.settle_ns))),
        ];
        let mut text = format!("Loopback test of a chess clock: {verdict} for play\n");
        for (name, value) in rows {
            text.push_str(&format!("{name:11}  {value}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const BLACK: TestedButton = TestedButton::Black;

    fn made(count: u64) -> Vec<Made> {
        (1..=count)
            .map(|number| number * 100 * MS)
            .map(|at| Made { before_nsec: at, after_nsec: at + 20_000 })
            .collect()
    }

    fn seen(made: &[Made], after: u64) -> Vec<TestedPress> {
        let press = |made: &Made| TestedPress {
            button: BLACK,
            at_nsec: made.before_nsec + after,
            decided_nsec: made.before_nsec + after + 1_100_000,
        };
        made.iter().map(press).collect()
    }

    #[test]
    fn stamps_inside_the_call_have_no_error() {
        let made = made(1000);
        let measured = Measured::new(BLACK, &made, &seen(&made, 15_000));
        let all = |ns| Distribution { min_ns: ns, p50_ns: ns, p99_ns: ns, max_ns: ns };
        let expected = Measured {
            presses: 1000,
            lost: 0,
            unexpected: 0,
            stamped_outside: 0,
            stamp_error: all(0),
            stamp_after_call: all(15_000),
            call: all(20_000),
            decision_latency: all(1_100_000),
        };
        assert_eq!(measured, expected);
        assert!(measured.is_fit());
    }

    #[test]
    fn the_error_is_the_distance_from_the_call_on_either_side() {
        let made = made(3);
        let mut presses = seen(&made, 0);
        presses[0].at_nsec -= 7_000;
        presses[1].at_nsec += 29_000;
        let measured = Measured::new(BLACK, &made, &presses);
        let error = Distribution { min_ns: 0, p50_ns: 7_000, p99_ns: 9_000, max_ns: 9_000 };
        assert_eq!((measured.stamp_error, measured.stamped_outside), (error, 2));
        assert!(measured.is_fit());
        presses[1].at_nsec = made[1].after_nsec + STAMP_LIMIT_NSEC + 1;
        assert!(!Measured::new(BLACK, &made, &presses).is_fit());
    }

    #[test]
    fn lost_presses_and_those_that_nobody_made_are_counted() {
        let made = made(5);
        let mut presses = seen(&made, 10_000);
        presses.remove(2);
        let measured = Measured::new(BLACK, &made, &presses);
        assert_eq!((measured.lost, measured.unexpected), (1, 0));
        assert!(!measured.is_fit());
        let mut presses = seen(&made, 10_000);
        presses.push(TestedPress { at_nsec: presses[1].at_nsec + 60 * MS, ..presses[1] });
        presses.push(TestedPress { button: TestedButton::White, ..presses[1] });
        let measured = Measured::new(BLACK, &made, &presses);
        assert_eq!((measured.lost, measured.unexpected), (0, 2));
        assert!(!measured.is_fit());
    }

    #[test]
    fn a_percentile_is_the_value_of_its_rank() {
        let distribution = Distribution::of((1..=1000).rev().collect());
        let expected = Distribution { min_ns: 1, p50_ns: 500, p99_ns: 990, max_ns: 1000 };
        assert_eq!(distribution, expected);
        assert_eq!(Distribution::of(Vec::new()), Distribution::default());
    }
}
