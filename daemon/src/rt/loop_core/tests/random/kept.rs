//! What a process that is killed leaves: the latest snapshot, and the entries after it.

use super::*;
use crate::rt::{Entry, MAX_ENTRY};

/// The snapshot and the entries, as bytes.
pub struct Kept {
    snapshot: Vec<u8>,
    entries: Vec<Vec<u8>>,
    /// The same entries as the record has them.
    rows: Vec<String>,
}

impl Kept {
    pub fn new(clock: &VersionedClock) -> Kept {
        let mut kept = Kept { snapshot: Vec::new(), entries: Vec::new(), rows: Vec::new() };
        kept.take_snapshot(clock);
        kept
    }

    /// An input is about to be decided.
    pub fn add(&mut self, input: &loop_core::Input) {
        let mut buffer = [0; MAX_ENTRY];
        let bytes = Entry::write_input(input, None, &mut buffer).expect("there is room");
        self.entries.push(bytes.to_vec());
        let entry = Entry::read(bytes).expect("it was just written");
        self.rows.push(serde_json::to_string(&entry).unwrap());
    }

    pub fn take_snapshot(&mut self, clock: &VersionedClock) {
        let mut buffer = [0; crate::retained::SNAPSHOT_BYTES];
        self.snapshot = postcard::to_slice(clock, &mut buffer).expect("there is room").to_vec();
        self.entries.clear();
        self.rows.clear();
    }

    /// What is kept, as bytes and as JSON, leads to this clock exactly.
    pub fn check(&self, clock: &VersionedClock) {
        let snapshot: VersionedClock = postcard::from_bytes(&self.snapshot).unwrap();
        let entries = self.entries.iter().map(|bytes| Entry::read(bytes).unwrap());
        let rows = self.rows.iter().map(|row| serde_json::from_str(row).unwrap());
        assert_eq!(replayed(snapshot.clone(), entries), *clock);
        assert_eq!(replayed(snapshot, rows), *clock);
    }
}

fn replayed(mut clock: VersionedClock, entries: impl Iterator<Item = Entry>) -> VersionedClock {
    for entry in entries {
        let Entry::Input { input, .. } = entry else { panic!("only inputs were kept") };
        clock.handle(&input, &mut |_: Update| {});
    }
    clock
}

/// Where the core puts what it decides: into what is kept, and into what was published when.
pub struct Tell<'a> {
    pub now: u64,
    pub told: &'a mut Vec<(u64, Told)>,
    pub kept: &'a mut Kept,
}

impl Output for Tell<'_> {
    fn input(&mut self, _clock: &VersionedClock, input: &loop_core::Input) {
        self.kept.add(input);
    }

    fn update(&mut self, update: Update) {
        self.told.push((self.now, Told::new(&update)));
    }
}
