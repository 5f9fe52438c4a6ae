//! The contacts on three lines, and the records that the kernel makes of them.

use super::{LINES, MS, Random};
use std::collections::VecDeque;

/// How the kernel and the contacts of a game behave: how late the kernel runs the thread of an
/// interrupt after a change, whether the contacts bounce, and which changes are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// The interrupt's thread runs within the delivery window.
    Prompt,
    /// The interrupt's thread runs after up to 40 ms. The contacts do not bounce, because the
    /// kernel would not record every bounce within such a delay.
    Slow,
    /// The interrupt's thread runs after up to 40 ms, and the contacts bounce.
    Merging,
    /// The interrupt's thread runs after up to 40 ms, the contacts do not bounce, and some changes
    /// make no interrupt.
    Lossy,
}

impl Kernel {
    pub fn most_delay(self) -> u64 {
        if self == Kernel::Prompt { 0 } else { 40 * MS }
    }
}

/// How often and for how long the buttons are pressed.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// The longest pauses between two presses of a player's button, and of the call button.
    pub pauses: [u64; 2],
    /// One of this many presses is long.
    pub long: u64,
    /// The longest duration of a long press.
    pub longest: u64,
}

impl Habits {
    pub const PLAYING: Habits =
        Habits { pauses: [600 * MS, 4000 * MS], long: 40, longest: 12_000 * MS };
}

/// A press that a player made.
#[derive(Clone, Copy, Debug)]
pub struct Press {
    pub line: usize,
    /// The instant of the first contact.
    pub first: u64,
    /// The stamp of the first record that the kernel made of the press.
    pub stamp: u64,
    /// When the contact opened for the last time in this press.
    pub over: u64,
}

/// A record of the kernel: its stamp, the level that the interrupt's thread read, and when the
/// record enters the queue.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    pub stamp: u64,
    pub active: bool,
    pub queued: u64,
}

#[derive(Debug, Default)]
pub struct Line {
    /// All changes of the contact, in order.
    changes: Vec<(u64, bool)>,
    pub records: VecDeque<Record>,
}

/// The first and the last instant of the time in which the board is away; `None` if it is never
/// away.
pub type Absence = Option<(u64, u64)>;

#[derive(Debug)]
pub struct Truth {
    pub lines: [Line; LINES],
    pub presses: Vec<Press>,
    /// Contacts that are too short to be presses.
    pub glitches: Vec<Press>,
    pub absence: Absence,
}

impl Truth {
    /// Random contacts from `start` to `end`.
    pub fn new(random: &mut Random, kernel: Kernel, habits: Habits, start: u64, end: u64) -> Truth {
        let absence = random.chance(3).then(|| {
            let gone = start + 200 * MS + random.below(end - start);
            (gone, gone + 500 * MS + random.below(1000 * MS))
        });
        let mut truth =
            Truth { lines: Default::default(), presses: Vec::new(), glitches: Vec::new(), absence };
        for line in 0..LINES {
            // No stamp of one line equals a stamp of another line, so that the order is certain.
            truth.add_contacts(random, kernel, habits, line, (start, end));
            truth.record(random, kernel, line);
        }
        truth.presses.sort_by_key(|press| press.stamp);
        truth
    }

    fn add_contacts(
        &mut self,
        random: &mut Random,
        kernel: Kernel,
        habits: Habits,
        line: usize,
        (start, end): (u64, u64),
    ) {
        let pause = habits.pauses[usize::from(line == 2)];
        let mut now = start;
        loop {
            now += 60 * MS + random.below(pause);
            let first = now;
            let mut changes = Vec::new();
            let is_glitch = random.chance(5);
            if is_glitch {
                changes.extend([(now, true), (now + 2000 + random.below(900_000), false)]);
            } else {
                bounce(random, kernel, &mut now, true, &mut changes);
                now += 60 * MS;
                let most = if random.chance(habits.long) { habits.longest } else { 300 * MS };
                now += random.below(most);
                bounce(random, kernel, &mut now, false, &mut changes);
            }
            // The stamps of line 0 are 0 modulo 8, those of line 1 are 2, and those of line 2 are
            // 4. The stamps of commands are odd.
            changes.iter_mut().for_each(|(at, _)| *at = *at / 8 * 8 + 2 * line as u64);
            changes.dedup_by_key(|(at, _)| *at);
            let over = changes.last().map_or(now, |(at, _)| *at);
            if over > end {
                return;
            }
            now = over;
            if changes.iter().any(|(at, _)| self.is_near_plugging(*at)) {
                continue;
            }
            self.lines[line].changes.extend(changes);
            let first = first / 8 * 8 + 2 * line as u64;
            let contacts = if is_glitch { &mut self.glitches } else { &mut self.presses };
            contacts.push(Press { line, first, stamp: 0, over });
        }
    }

    /// Whether the board is unplugged or plugged in so near `at` that it is uncertain whether a
    /// press at `at` is read.
    pub fn is_near_plugging(&self, at: u64) -> bool {
        self.absence.is_some_and(|(gone, back)| {
            (gone - 120 * MS..gone + 10 * MS).contains(&at)
                || (back - 120 * MS..back + 60 * MS).contains(&at)
        })
    }

    fn record(&mut self, random: &mut Random, kernel: Kernel, line: usize) {
        let Line { changes, records } = &mut self.lines[line];
        let mut covered = Vec::new();
        for (at, active) in changes.iter().copied() {
            if kernel == Kernel::Lossy && random.chance(100) {
                continue;
            }
            match records.back_mut() {
                // The interrupt's thread has not run since the previous change. The kernel makes
                // only one record of both changes, with the stamp of the latest one.
                Some(record) if at < record.queued => (record.stamp, record.active) = (at, active),
                _ => {
                    let queued = at + delay(random, kernel);
                    records.push_back(Record { stamp: at, active, queued });
                }
            }
            covered.push((at, records.len() - 1));
        }
        for press in self.presses.iter_mut().filter(|press| press.line == line) {
            let first = covered.iter().find(|(at, _)| (press.first..=press.over).contains(at));
            press.stamp = first.map_or(press.first, |(_, record)| records[*record].stamp);
        }
    }

    pub fn level(&self, line: usize, at: u64) -> bool {
        let changes = &self.lines[line].changes;
        let count = changes.partition_point(|(change, _)| *change <= at);
        count.checked_sub(1).is_some_and(|latest| changes[latest].1)
    }
}

/// Appends to `changes` that a contact gets the level `active` at `now`. Then appends up to four
/// bounces, unless the contacts of this kernel do not bounce, and moves `now` past them.
fn bounce(
    random: &mut Random,
    kernel: Kernel,
    now: &mut u64,
    active: bool,
    changes: &mut Vec<(u64, bool)>,
) {
    changes.push((*now, active));
    let is_clean = matches!(kernel, Kernel::Slow | Kernel::Lossy);
    let bounces = if is_clean { 0 } else { random.below(5) };
    for _ in 0..bounces {
        let (short, long) = (10_000 + random.below(1_500_000), 10_000 + random.below(8 * MS));
        *now += if active { short } else { long };
        changes.push((*now, !active));
        *now += if active { long } else { short };
        changes.push((*now, active));
    }
    *now += 2 * MS;
}

fn delay(random: &mut Random, kernel: Kernel) -> u64 {
    match (kernel, random.below(10)) {
        (Kernel::Prompt, _) | (_, 0..5) => 5000 + random.below(85_000),
        (_, 5..8) => random.below(5 * MS),
        _ => random.below(kernel.most_delay()),
    }
}
