//! Counts latencies in fixed buckets. The values of one bucket, except the last bucket, differ by
//! at most 1/32 of the smallest value of that bucket.

use clock_engine::Span;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of buckets for each power of two.
const PARTS: usize = 32;
/// How many bits right after the highest set bit of a value select its bucket.
const BITS: u32 = PARTS.ilog2();
/// Values of 2^`LAST` ns (2.1 s) and more share the last bucket.
const LAST: u32 = 31;
/// The number of buckets: one for each value below `PARTS`, `PARTS` for each power of two from
/// there up to 2^`LAST`, and one for 2^`LAST` and all larger values.
const BUCKETS: usize = PARTS + (LAST - BITS) as usize * PARTS + 1;

/// Counts of durations by their size. One thread writes, any thread reads.
#[derive(Debug)]
pub struct Histogram {
    counts: [AtomicU64; BUCKETS],
    worst: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: [const { AtomicU64::new(0) }; BUCKETS], worst: AtomicU64::new(0) }
    }
}

impl Histogram {
    /// Counts a duration. A count that has reached its maximum stays there. Only one thread may
    /// call this.
    pub(super) fn record(&self, span: Span) {
        let nanos = span.as_nanos();
        let count = &self.counts[bucket(nanos)];
        count.store(count.load(Ordering::Relaxed).saturating_add(1), Ordering::Relaxed);
        self.worst.fetch_max(nanos, Ordering::Relaxed);
    }

    /// The longest duration that was counted, in nanoseconds; 0 if there is none.
    pub fn worst(&self) -> u64 {
        self.worst.load(Ordering::Relaxed)
    }

    /// The buckets that are not empty. For each: the longest duration that it can hold, in
    /// nanoseconds, and how many durations it holds.
    pub fn buckets(&self) -> Vec<(u64, u64)> {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed)).enumerate();
        counts.filter(|(_, count)| *count > 0).map(|(index, count)| (upper(index), count)).collect()
    }
}

fn bucket(nanos: u64) -> usize {
    let power = nanos.checked_ilog2().unwrap_or(0);
    if power >= LAST {
        return BUCKETS - 1;
    }
    let small = |value: u64| usize::try_from(value).expect("of a few bits");
    if power < BITS {
        return small(nanos);
    }
    let part = small(nanos >> (power - BITS)) % PARTS;
    (power - BITS + 1) as usize * PARTS + part
}

/// The largest value of a bucket.
fn upper(bucket: usize) -> u64 {
    if bucket == BUCKETS - 1 {
        return u64::MAX;
    }
    if bucket < PARTS {
        return bucket as u64;
    }
    let (power, part) = (bucket / PARTS - 1, bucket % PARTS);
    ((PARTS + part + 1) as u64) * (1 << power) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_the_bucket_that_begins_after_the_one_before() {
        let mut before = None;
        for index in 0..BUCKETS {
            let (least, most) = (before.map_or(0, |most: u64| most + 1), upper(index));
            assert_eq!((bucket(least), bucket(most)), (index, index), "{least} to {most}");
            if index < BUCKETS - 1 {
                assert!((most - least) * PARTS as u64 <= least, "{least} to {most} is too wide");
            }
            before = Some(most);
        }
        assert_eq!(before, Some(u64::MAX));
        assert!(upper(BUCKETS - 2) > 1_000_000_000, "a second has a bucket of its own");
    }

    #[test]
    fn what_is_counted_is_read_and_a_full_count_does_not_wrap() {
        let histogram = Histogram::default();
        assert_eq!((histogram.buckets(), histogram.worst()), (vec![], 0));
        for nanos in [3, 1000, 1001, u64::MAX] {
            histogram.record(Span::from_nanos(nanos));
        }
        assert_eq!(histogram.buckets(), [(3, 1), (1007, 2), (u64::MAX, 1)]);
        assert_eq!(histogram.worst(), u64::MAX);
        histogram.counts[3].store(u64::MAX, Ordering::Relaxed);
        histogram.record(Span::from_nanos(3));
        assert_eq!(histogram.buckets()[0], (3, u64::MAX));
    }
}
