//! Notes which entries are on record, for the value `recorded` in the answers to commands.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// The largest number of ranges in `OnRecord::gaps`. [`OnRecord::has`] is asked for an entry at
/// most 0.5 s after that entry was made, so only ranges from the latest 0.5 s matter. Even one in
/// that time is rare, so older ranges can be forgotten.
const GAPS: usize = 16;

/// The entries that are on record. Entries are added and never removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnRecord {
    latest: u64,
    /// The latest ranges of numbers whose entries are not on record. In the place of each range,
    /// the record has one entry with the complete state of the clock.
    gaps: VecDeque<RangeInclusive<u64>>,
}

impl OnRecord {
    /// A record that contains all entries up to the number `latest`.
    pub fn up_to(latest: u64) -> OnRecord {
        OnRecord { latest, gaps: VecDeque::new() }
    }

    /// The number of the latest entry; 0 if there is none.
    #[cfg(test)]
    pub fn latest(&self) -> u64 {
        self.latest
    }

    /// Whether the state of the clock after the entry with this number is on record. The entry
    /// itself can have been lost; then a later entry has the complete state.
    pub fn includes(&self, entry: u64) -> bool {
        self.latest >= entry
    }

    /// Whether this entry itself is on record.
    pub fn has(&self, entry: u64) -> bool {
        self.includes(entry) && !self.gaps.iter().any(|gap| gap.contains(&entry))
    }

    /// Adds the entry with the number `entry`, which has been written to the record. If `is_state`
    /// is `true`, the entry holds the complete state of the clock. It then stands in the place of
    /// all inputs after the previous entry on record, up to and including the number `entry`.
    /// [`OnRecord::has`] is `false` for these numbers.
    pub fn add(&mut self, entry: u64, is_state: bool) {
        if is_state {
            self.gaps.push_back(self.latest + 1..=entry);
            if self.gaps.len() > GAPS {
                self.gaps.pop_front();
            }
        }
        self.latest = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_stands_for_the_entries_since_the_one_before_it() {
        let mut record = OnRecord::up_to(7);
        record.add(8, false);
        record.add(12, true);
        record.add(13, false);
        assert_eq!(record.latest(), 13);
        let present: Vec<u64> = (6..=15).filter(|entry| record.has(*entry)).collect();
        assert_eq!(present, [6, 7, 8, 13]);
        assert!(record.includes(12) && record.includes(13) && !record.includes(14));
    }

    #[test]
    fn only_the_latest_gaps_are_kept() {
        let mut record = OnRecord::default();
        for entry in 1..=100 {
            record.add(entry * 2, true);
        }
        assert_eq!(record.gaps.len(), GAPS);
        assert!(!record.has(199) && !record.has(200));
    }
}
