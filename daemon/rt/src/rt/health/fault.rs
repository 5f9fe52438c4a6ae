//! The faults of the clock, with texts that say what to do.

use super::bit;
use clock_engine::Side;
use clockd_core::Button;
use std::fmt;

/// All faults at one instant. Two sets are equal exactly if they give the same list of faults. So a
/// set that differs from the set that was last published must be published: a fault came, went, or
/// was counted once more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultSet {
    pub(super) board_gone: bool,
    /// One bit for each stuck button, at the position [`Button::index`].
    pub(super) stuck: u8,
    pub(super) rocker_crossed: bool,
    pub(super) configuration_refused: bool,
    pub(super) clock_rate: bool,
    pub(super) late_presses: u64,
    pub(super) edges_dropped: u64,
    pub(super) noise: u64,
    pub(super) updates_lost: u64,
    pub(super) no_realtime: bool,
    pub(super) no_record: bool,
    pub(super) storage: bool,
    pub(super) record_moved_aside: bool,
    pub(super) record_mismatch: bool,
    pub(super) memory_damaged: bool,
    pub(super) entries_lost: u64,
}

/// One fault. The number in a counted fault is how often it has occurred since the service started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The button board is not connected or cannot be read, so no press counts.
    BoardGone,
    /// A button has been down for at least `Times::stuck`.
    Stuck(Button),
    /// Both throws of the rocker (the contacts of its two sides) have been closed for the settle
    /// time.
    RockerCrossed,
    /// The configuration was refused at the start, and the last one that worked or the shipped one
    /// was taken.
    ConfigurationRefused,
    /// CLOCK_MONOTONIC runs too fast or too slow (`rate_monitor.rs` of `clockd`).
    ClockRate,
    /// A press of a player's button or of the call button was read too late: it would have taken
    /// effect at its own stamp, but an input or a flag with a later stamp had already been decided.
    /// A press for which the reorder buffer had no room is the same fault. In both cases the press
    /// counted from a later instant, or not at all.
    LatePress(u64),
    /// Edges were dropped because a queue of the kernel was full, or because one read of a line
    /// gave more edges than a `LineReading` holds.
    EdgesDropped(u64),
    /// One of these happened: a line did not become stable in time, so its candidate for a press
    /// was rejected; or a line had too many edges.
    Noise(u64),
    /// Updates were replaced by the latest state, because the main thread took them too slowly.
    UpdatesLost(u64),
    /// The clock loop has no real-time priority, or its memory is not locked.
    NoRealtime,
    /// No record is kept.
    NoRecord,
    /// The record cannot be written.
    Storage,
    /// Entries of the record are lost, for example because the retained memory had no room for them.
    RecordLost(u64),
    /// The file of the latest game on record was damaged, so it was moved aside.
    RecordMovedAside,
    /// Replaying the record gives another state than the clock has.
    RecordMismatch,
    /// The retained memory of the earlier process was damaged.
    MemoryDamaged,
}

impl FaultSet {
    /// Each fault of the set, the most serious first.
    pub fn iter(self) -> impl Iterator<Item = Fault> {
        let stuck = Button::ALL.into_iter().filter(move |button| self.stuck & bit(*button) != 0);
        let counted = |count: u64, fault: fn(u64) -> Fault| (count > 0).then(|| fault(count));
        self.board_gone
            .then_some(Fault::BoardGone)
            .into_iter()
            .chain(stuck.map(Fault::Stuck))
            .chain(self.rocker_crossed.then_some(Fault::RockerCrossed))
            .chain(self.configuration_refused.then_some(Fault::ConfigurationRefused))
            .chain(self.clock_rate.then_some(Fault::ClockRate))
            .chain(counted(self.late_presses, Fault::LatePress))
            .chain(counted(self.edges_dropped, Fault::EdgesDropped))
            .chain(counted(self.noise, Fault::Noise))
            .chain(counted(self.updates_lost, Fault::UpdatesLost))
            .chain(self.memory_damaged.then_some(Fault::MemoryDamaged))
            .chain(self.storage.then_some(Fault::Storage))
            .chain(self.no_record.then_some(Fault::NoRecord))
            .chain(counted(self.entries_lost, Fault::RecordLost))
            .chain(self.record_moved_aside.then_some(Fault::RecordMovedAside))
            .chain(self.record_mismatch.then_some(Fault::RecordMismatch))
            .chain(self.no_realtime.then_some(Fault::NoRealtime))
    }
}

/// Says what is wrong and, for most faults, what to do; at most 200 bytes.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::BoardGone => f.write_str(
                "the buttons are not connected: no press is read; check the cable of the button \
                 board, or look in the log for the reason",
            ),
            Fault::Stuck(button) => write!(
                f,
                "{} is held down or stuck: it is not read until it comes up; check the button",
                name(button)
            ),
            Fault::RockerCrossed => {
                f.write_str("both throws of the rocker are closed at once: check its wiring")
            }
            Fault::ConfigurationRefused => {
                f.write_str("the configuration is refused: clockd --check names the mistake")
            }
            Fault::ClockRate => f.write_str(
                "the system clock is slewed by more than 200 ppm, which makes turns shorter or longer; \
                 use chrony with chess-clock.conf, or stop the time service during games",
            ),
            Fault::LatePress(count) => write!(
                f,
                "{}: read late, and counted from a later instant or not at all; look in the log, and \
                 correct the times",
                times(count, "press", "presses")
            ),
            Fault::EdgesDropped(count) => write!(
                f,
                "the kernel dropped edges of a button line {}; check the button and its cable",
                often(count)
            ),
            Fault::Noise(count) => write!(
                f,
                "a button line did not come to rest {}: a press on it can be late or missing; check \
                 the button and its cable",
                often(count)
            ),
            Fault::UpdatesLost(count) => write!(
                f,
                "changes could not be published at once {}; the times are right, the computer is \
                 overloaded",
                often(count)
            ),
            Fault::NoRecord => f.write_str(
                "no record is kept: a power cut loses the game, and nothing can be exported; start clockd \
                 without --record none, and with a folder for its record",
            ),
            Fault::Storage => f.write_str(
                "the record cannot be written: the clock goes on, and what happens is stored later; \
                 see clockctl doctor for the reason",
            ),
            Fault::RecordLost(entries) => write!(
                f,
                "{} could not be kept for the record: the times are right, note what happens by hand",
                times(entries, "entry", "entries")
            ),
            Fault::RecordMovedAside => f.write_str(
                "the latest game on record is damaged; its file was kept under another name, which the log \
                 has, and the game on the clock is recorded as another one",
            ),
            Fault::RecordMismatch => f.write_str(
                "the record gives another game or state than the clock has: the clock counts; note the times \
                 by hand",
            ),
            Fault::MemoryDamaged => f.write_str(
                "the memory with the running game was damaged at the restart: presses or commands can be \
                 missing; compare both times and the moves, and correct them",
            ),
            Fault::NoRealtime => f.write_str(
                "the clock loop has no real-time priority or locked memory: decisions can be late; \
                 check LimitRTPRIO and LimitMEMLOCK of clockd.service",
            ),
        }
    }
}

fn name(button: Button) -> &'static str {
    match button {
        Button::Player(Side::White) => "the button wired as White's",
        Button::Player(Side::Black) => "the button wired as Black's",
        Button::Call => "the call button",
    }
}

/// A text such as `2 presses since the service started`.
fn times(count: u64, one: &str, several: &str) -> String {
    let word = if count == 1 { one } else { several };
    format!("{count} {word} since the service started")
}

/// A text such as `3 times since the service started`.
fn often(count: u64) -> String {
    match count {
        1 => "once since the service started".to_owned(),
        count => format!("{count} times since the service started"),
    }
}
