//! What a killed process leaves: the latest snapshot, and the inputs after it.

use super::*;

/// The largest numbers of bytes that an input and a snapshot may need. clockd stores entries of up
/// to 12 KiB, and snapshots of up to 16 KiB.
const MAX_INPUT: usize = 12 * 1024;
const MAX_CLOCK: usize = 16 * 1024;

/// The snapshot as bytes, and the inputs after it.
pub struct Kept {
    snapshot: Vec<u8>,
    /// The inputs in the encoding of the retained memory, which is postcard.
    inputs: Vec<Vec<u8>>,
    /// The same inputs in the encoding of the record, which is JSON.
    rows: Vec<String>,
}

impl Kept {
    pub fn new(clock: &VersionedClock) -> Kept {
        let mut kept = Kept { snapshot: Vec::new(), inputs: Vec::new(), rows: Vec::new() };
        kept.take_snapshot(clock);
        kept
    }

    /// Stores an input before it is decided.
    pub fn add(&mut self, input: &loop_core::Input) {
        let mut buffer = [0; MAX_INPUT];
        let bytes = postcard::to_slice(input, &mut buffer).expect("there is room").to_vec();
        let read: loop_core::Input = postcard::from_bytes(&bytes).expect("it was just written");
        self.inputs.push(bytes);
        self.rows.push(serde_json::to_string(&read).unwrap());
    }

    pub fn take_snapshot(&mut self, clock: &VersionedClock) {
        let mut buffer = [0; MAX_CLOCK];
        self.snapshot = postcard::to_slice(clock, &mut buffer).expect("there is room").to_vec();
        self.inputs.clear();
        self.rows.clear();
    }

    /// Checks that the snapshot leads to exactly this clock, both with the inputs in postcard and
    /// with those in JSON.
    pub fn check(&self, clock: &VersionedClock) {
        let snapshot: VersionedClock = postcard::from_bytes(&self.snapshot).unwrap();
        let inputs = self.inputs.iter().map(|bytes| postcard::from_bytes(bytes).unwrap());
        let rows = self.rows.iter().map(|row| serde_json::from_str(row).unwrap());
        assert_eq!(replayed(snapshot.clone(), inputs), *clock);
        assert_eq!(replayed(snapshot, rows), *clock);
    }
}

fn replayed(
    mut clock: VersionedClock,
    inputs: impl Iterator<Item = loop_core::Input>,
) -> VersionedClock {
    for input in inputs {
        clock.handle(&input, &mut |_: Update| {});
    }
    clock
}

/// Receives the inputs and updates of the core. Stores the inputs, and the updates with the
/// instants at which they were published.
pub struct Tell<'a> {
    pub now: u64,
    pub told: &'a mut Vec<(u64, Told)>,
    pub kept: &'a mut Kept,
    pub checked: &'a mut Checked,
    pub seen: &'a mut Vec<Seen>,
}

/// An input or what the menu told, with the instant at which the core gave it out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// An input, with its stamp. `button` is `None` if it is no press.
    Input {
        now: u64,
        at: u64,
        button: Option<Button>,
        is_hold: bool,
    },
    Menu {
        now: u64,
        event: MenuEvent,
    },
}

impl Output for Tell<'_> {
    fn input(&mut self, clock: &VersionedClock, input: &loop_core::Input) {
        if let loop_core::Input::Request(request) = input {
            self.checked.check(clock, request);
        }
        self.kept.add(input);
        let button = match input {
            loop_core::Input::Press(button, _) => Some(*button),
            _ => None,
        };
        let is_hold = matches!(input, loop_core::Input::Hold(..));
        let at = input.at().as_nanos();
        self.seen.push(Seen::Input { now: self.now, at, button, is_hold });
    }

    fn menu(&mut self, event: MenuEvent) {
        self.seen.push(Seen::Menu { now: self.now, event });
    }

    fn update(&mut self, update: &Update) {
        self.told.push((self.now, Told::new(update)));
    }
}
