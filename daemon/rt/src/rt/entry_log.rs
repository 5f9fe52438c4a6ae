//! The entries of the record: the inputs and the state of the clock, which the clock loop writes into
//! the retained memory. That memory outlives the daemon.

use super::health::Health;
use crate::retained::{RingWriter, SnapshotWriter, Waker};
use clockd_core::{Input, VersionedClock};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The largest entry in bytes: the state of a clock, with room for what later versions add.
pub const MAX_ENTRY: usize = 12 * 1024;
/// The version of the encoding of an [`EntryFrame`], of a kept [`VersionedClock`], of a note and of the names
/// and texts of the game. It must change whenever one of these types changes, because the
/// encoded bytes contain no names or types.
pub const FORMAT: u64 = 19;

/// One entry of the record. Entries are numbered one after another, from 1 or, if the record could
/// not be read when the clock was set up, from the milliseconds since 1970. The number of the entry
/// of an input is the value of [`VersionedClock::entry`] after the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(
    clippy::large_enum_variant,
    reason = "at most 64 are in memory at once, and most are inputs"
)]
pub enum Entry {
    /// An input.
    Input {
        /// The input itself.
        input: Input,
        /// The checksum of the clock before the input; `None` if the loop had not computed it.
        before: Option<Checksum>,
    },
    /// The whole clock. It is added where the earlier entries do not lead to the state of the
    /// clock: when the daemon starts with a clock that is not on record, and after entries were
    /// lost. The recorder also asks for such an entry if the entries on record do not lead to the
    /// state.
    State {
        /// The clock. Its [`VersionedClock::entry`] is the number of this entry.
        clock: Box<VersionedClock>,
        /// How many entries were lost right before this one.
        lost: u64,
    },
}

/// The checksum of an encoded clock. An update of clockd during a game can change the encoding, and
/// the checksums before and after it cannot be compared. So the JSON of an entry, which is kept
/// longer than the retained memory, has the [`FORMAT`] of the encoding and then the checksum: `[8,
/// 3735928559]`. In the retained memory an entry has the checksum alone, because the memory has the
/// format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// The [`FORMAT`] of the encoding; `None` in the JSON of a version that did not write it.
    format: Option<u64>,
    sum: u32,
}

impl Checksum {
    /// The checksum as a number if it is of the present [`FORMAT`]; `None` if it cannot be compared
    /// with a checksum of this version.
    pub fn comparable(self) -> Option<u32> {
        (self.format == Some(FORMAT)).then_some(self.sum)
    }
}

impl From<u32> for Checksum {
    /// A checksum that this version has computed.
    fn from(sum: u32) -> Checksum {
        Checksum { format: Some(FORMAT), sum }
    }
}

/// A [`Checksum`] in JSON.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ChecksumJson {
    OfFormat(u64, u32),
    OfUnknownFormat(u32),
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Checksum { format, sum } = *self;
        if !serializer.is_human_readable() {
            return sum.serialize(serializer);
        }
        match format {
            Some(format) => ChecksumJson::OfFormat(format, sum),
            None => ChecksumJson::OfUnknownFormat(sum),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
        if !deserializer.is_human_readable() {
            return u32::deserialize(deserializer).map(Checksum::from);
        }
        Ok(match ChecksumJson::deserialize(deserializer)? {
            ChecksumJson::OfFormat(format, sum) => Checksum { format: Some(format), sum },
            ChecksumJson::OfUnknownFormat(sum) => Checksum { format: None, sum },
        })
    }
}

/// The form of an [`Entry`] that is encoded from references, without a copy.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum EntryRef<'a> {
    Input { input: &'a Input, before: Option<u32> },
    State { clock: &'a VersionedClock, lost: u64 },
}

impl Entry {
    /// Encodes an input as an entry. Neither allocates nor blocks. Returns `None` if the buffer is
    /// too small.
    pub(super) fn write_input<'a>(
        input: &Input,
        before: Option<u32>,
        buffer: &'a mut [u8],
    ) -> Option<&'a [u8]> {
        write(&EntryRef::Input { input, before }, buffer)
    }

    /// Encodes a clock as an entry. Neither allocates nor blocks. Returns `None` if the buffer is
    /// too small.
    pub fn write_state<'a>(
        clock: &VersionedClock,
        lost: u64,
        buffer: &'a mut [u8],
    ) -> Option<&'a [u8]> {
        write(&EntryRef::State { clock, lost }, buffer)
    }
}

/// The size of what a frame in the retained memory has before its entry: the identity of the game, and
/// the length of the entry.
pub(super) const FRAME_HEADER: usize = 16;

/// What a frame in the retained memory has.
#[derive(Debug)]
pub struct EntryFrame<'a> {
    /// The identity of the game to which the clock belonged before the entry.
    pub game: u64,
    /// The entry.
    pub entry: Entry,
    /// What the program that gave the command, or that set the game up, notes for the record; empty if
    /// nothing.
    pub note: &'a [u8],
}

impl EntryFrame<'_> {
    /// Writes what stands before the entry into the first bytes of the buffer. The entry, of `length` bytes,
    /// begins at [`FRAME_HEADER`]. Returns how much of the buffer is the first part of the frame.
    pub(super) fn write_header(game: u64, length: usize, buffer: &mut [u8]) -> usize {
        buffer[..8].copy_from_slice(&game.to_le_bytes());
        buffer[8..FRAME_HEADER].copy_from_slice(&(length as u64).to_le_bytes());
        let padded = length.next_multiple_of(8);
        buffer[FRAME_HEADER + length..FRAME_HEADER + padded].fill(0);
        FRAME_HEADER + padded
    }

    /// Decodes the bytes of a frame.
    pub fn read(bytes: &[u8]) -> Result<EntryFrame<'_>, postcard::Error> {
        let end = || postcard::Error::DeserializeUnexpectedEnd;
        let (game, rest) = bytes.split_first_chunk::<8>().ok_or_else(end)?;
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(end)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| end())?;
        let entry = rest.get(..length).ok_or_else(end)?;
        let note = rest.get(length.next_multiple_of(8)..).unwrap_or_default();
        let entry = postcard::from_bytes(entry)?;
        Ok(EntryFrame { game: u64::from_le_bytes(*game), entry, note })
    }
}

fn write<'a>(entry: &EntryRef<'_>, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    postcard::to_slice(entry, buffer).ok().map(|written| &*written)
}

/// Why a snapshot is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// The latest snapshot does not include all entries. The others are in the ring, so replaying
    /// them gives the state.
    HasInputs,
    /// Entries were lost, or the recorder needs the whole clock.
    NeedsState,
}

/// Writes entries and snapshots. It allocates nothing and never blocks.
pub struct EntryLog {
    entries: RingWriter,
    snapshot: SnapshotWriter,
    recorder: Waker,
    health: Arc<Health>,
    buffer: Box<[u8; FRAME_HEADER + MAX_ENTRY]>,
    /// The identity of the game on the clock.
    game: u64,
    /// The number of the latest entry that the latest snapshot includes, and the checksum of that
    /// snapshot. The snapshot contains the clock as it was after this entry.
    sum: Option<(u64, u32)>,
    /// How many entries were lost since an entry last found room. The number includes the entries
    /// that an earlier process lost (`after_lost`).
    lost: u64,
    /// Whether the latest snapshot does not include the latest entry. That entry can have been
    /// lost.
    is_behind: bool,
}

impl EntryLog {
    /// A log that writes into these ends of the retained memory, and has lost no entry.
    pub fn new(
        entries: RingWriter,
        snapshot: SnapshotWriter,
        recorder: Waker,
        health: Arc<Health>,
    ) -> EntryLog {
        let buffer = Box::new([0xFF; FRAME_HEADER + MAX_ENTRY]);
        EntryLog {
            entries,
            snapshot,
            recorder,
            health,
            buffer,
            game: 0,
            sum: None,
            lost: 0,
            is_behind: false,
        }
    }

    /// Makes the log count `lost` entries, which an earlier process has lost. The next
    /// [`Entry::State`] contains this number.
    #[must_use]
    pub fn after_lost(self, lost: u64) -> EntryLog {
        EntryLog { lost, ..self }
    }

    /// Sets the identity of the game on the clock. All later frames and snapshots have it.
    pub fn set_game(&mut self, game: u64) {
        self.game = game;
        self.snapshot.set_game(game);
    }

    /// Adds an input as an entry, before the clock handles it. `clock` is the clock before the
    /// input. If entries were lost before, or the recorder needs the whole clock, the whole clock
    /// is added first. If the ring has no room for the whole clock or for the input, the input is
    /// lost; older entries stay in the ring. `note` is what the program that gave a command notes for
    /// the record; empty for other inputs.
    pub fn input(&mut self, clock: &VersionedClock, input: &Input, note: &[u8]) {
        self.is_behind = true;
        let lost = self.lost;
        let is_wanted = self.health.state_wanted.swap(false, Ordering::Relaxed);
        if (lost > 0 || is_wanted)
            && !self.put(clock.entry(), &[], |buffer| Entry::write_state(clock, lost, buffer))
        {
            self.count_lost();
            return;
        }
        self.lost = 0;
        let sum = self.sum.filter(|(entry, _)| *entry == clock.entry()).map(|(_, sum)| sum);
        if !self.put(clock.entry() + 1, note, |buffer| Entry::write_input(input, sum, buffer)) {
            self.count_lost();
        }
    }

    /// Adds the whole clock as the entry with the number [`VersionedClock::entry`]. `note` is what the
    /// program that has set the game up notes for the record; empty if the clock is that of an earlier game.
    pub fn state(&mut self, clock: &VersionedClock, note: &[u8]) {
        self.is_behind = true;
        let lost = self.lost;
        if self.put(clock.entry(), note, |buffer| Entry::write_state(clock, lost, buffer)) {
            self.lost = 0;
        } else {
            self.count_lost();
        }
    }

    /// Why [`EntryLog::keep`] must be called; `None` if it would do nothing.
    pub(super) fn is_behind(&self) -> Option<Behind> {
        if self.lost > 0 || self.health.state_wanted.load(Ordering::Relaxed) {
            Some(Behind::NeedsState)
        } else {
            self.is_behind.then_some(Behind::HasInputs)
        }
    }

    /// If the latest snapshot does not include the latest entry, takes a snapshot and then wakes
    /// the recorder. The recorder may release an entry only when a snapshot includes it.
    ///
    /// If entries were lost, or the recorder needs the whole clock, the whole clock is added first,
    /// as soon as there is room.
    pub fn keep(&mut self, clock: &VersionedClock) {
        let is_wanted = self.health.state_wanted.swap(false, Ordering::Relaxed);
        let lost = self.lost;
        if lost > 0 || is_wanted {
            if self.put(clock.entry(), &[], |buffer| Entry::write_state(clock, lost, buffer)) {
                self.lost = 0;
                self.is_behind = true;
            } else if is_wanted {
                self.health.state_wanted.store(true, Ordering::Relaxed);
            }
        }
        if !std::mem::take(&mut self.is_behind) {
            return;
        }
        // The buffer has room for the largest clock; a test checks this.
        if let Ok(written) = postcard::to_slice(clock, self.snapshot.buffer()) {
            let length = written.len();
            self.sum = Some((clock.entry(), crc32fast::hash(written)));
            self.snapshot.commit(length, clock.entry());
        }
        self.recorder.wake();
    }

    /// Uses the memory and the code of the entry log once, so that no page fault delays a later
    /// input. The entries that are encoded here are not added; the snapshot is written as after an
    /// input.
    pub(super) fn prefault(&mut self, clock: &VersionedClock) {
        let buffer = self.buffer.as_mut_slice();
        std::hint::black_box(Entry::write_state(clock, 0, buffer).map(crc32fast::hash));
        let input = Input::Time(clock.last());
        std::hint::black_box(Entry::write_input(&input, None, buffer).map(crc32fast::hash));
        self.is_behind = true;
        self.keep(clock);
    }

    fn put(
        &mut self,
        number: u64,
        note: &[u8],
        write: impl FnOnce(&mut [u8]) -> Option<&[u8]>,
    ) -> bool {
        let buffer = self.buffer.as_mut_slice();
        let Some(length) = write(&mut buffer[FRAME_HEADER..]).map(<[u8]>::len) else {
            return false;
        };
        let first = EntryFrame::write_header(self.game, length, buffer);
        let is_added = self.entries.push_parts(number, [&buffer[..first], note]).is_ok();
        if is_added {
            self.health.latest_entry.store(number, Ordering::Release);
        }
        is_added
    }

    fn count_lost(&mut self) {
        self.lost += 1;
        self.health.lost_entries.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::rules::*;
    use clock_engine::{Caller, Command, Control, Instant, Method, Outcome, Side, Span, Word};
    use clockd_core::Input;

    #[test]
    fn an_entry_is_read_as_it_was_written_in_both_encodings() {
        let at = Instant::from_nanos(7);
        let control = Control::single(Span::from_secs(60), Method::None);
        let game = crate::rt::game_without_rules(control, at);
        let clock = VersionedClock::new(game, None, false);
        let (mut first, mut second) = ([0; MAX_ENTRY], [0; MAX_ENTRY]);
        let input = Entry::write_input(&Input::Time(at), Some(5), &mut first).unwrap();
        let state = Entry::write_state(&clock, 3, &mut second).unwrap();
        for (bytes, expected) in [
            (input, Entry::Input { input: Input::Time(at), before: Some(5.into()) }),
            (state, Entry::State { clock: Box::new(clock.clone()), lost: 3 }),
        ] {
            let read: Entry = postcard::from_bytes(bytes).unwrap();
            assert_eq!(read, expected);
            let text = serde_json::to_string(&read).unwrap();
            assert_eq!(serde_json::from_str::<Entry>(&text).unwrap(), expected);
        }
    }

    /// If this test fails, the encoding of a clock or of a command has changed. Then raise `FORMAT`
    /// by one, and put the new numbers here.
    #[test]
    fn each_encoding_of_a_clock_and_of_a_command_has_a_format_of_its_own() {
        let control = Control::single(Span::from_secs(60), Method::None);
        let game = crate::rt::game_without_rules(control, Instant::from_nanos(7));
        let mut buffer = [0; MAX_ENTRY];
        let clock = VersionedClock::new(game, None, false);
        let encoded = postcard::to_slice(&clock, &mut buffer).unwrap();
        assert_eq!((FORMAT, encoded.len(), crc32fast::hash(encoded)), (19, 213, 3_117_292_392));
        // The last variants of the enumerations that have no words. These numbers change if a variant
        // before them is added, removed or moved. A variant after them changes no encoding: an
        // earlier process has never written it.
        let (outcome, ground) = (Outcome::BothLose, ResultGround::Game);
        let method = Method::CountUp { limit: None };
        let commands: [GameCommand; 8] = [
            Command::Pause { by: Caller::PowerCut }.into(),
            Command::Reopen.into(),
            Action::ClaimFlag { by: Claimant::Bystander, evidence: Evidence::Flag }.into(),
            Action::Arrive(Side::Black).into(),
            Action::ChangeMethod { method, schedule_suffers: false }.into(),
            Action::Result { outcome, ground }.into(),
            GameCommand::Agreed(AgreedChange::ReplaceResult(outcome)),
            GameCommand::SetNames,
        ];
        let encoded = postcard::to_slice(&commands, &mut buffer).unwrap();
        assert_eq!(
            encoded,
            [0, 1, 4, 0, 7, 1, 0, 2, 0, 1, 6, 1, 1, 14, 7, 0, 0, 1, 15, 3, 0, 11, 3, 3, 12]
        );
        // A word is encoded as its position in the list of its enumeration, so all lists are
        // compared as a whole.
        let lists = [
            words::<Attachment>(),
            words::<Confirmation>(),
            words::<Evidence>(),
            words::<Ground>(),
            words::<IncidentKind>(),
            words::<LatePlayers>(),
            words::<OfferAnswer>(),
            words::<PenaltyCause>(),
            words::<PenaltyKind>(),
            words::<ResultGround>(),
            words::<Ruling>(),
            // The lists of a rule profile.
            words::<Authority>(),
            words::<AwardChoice>(),
            words::<BothAbsent>(),
            words::<BothFlags>(),
            words::<BothFlagsOrderKnown>(),
            words::<ClaimStops>(),
            words::<DisplayClaims>(),
            words::<FlagCaller>(),
            words::<FlagDrawTest>(),
            words::<LateFrom>(),
            words::<RateOfPlay>(),
            words::<Referral>(),
            words::<RuleSource>(),
        ];
        assert_eq!(crc32fast::hash(lists.concat().as_bytes()), 2_201_199_156);
    }

    /// The words of an enumeration, in the order of the encoding.
    fn words<T: Word>() -> String {
        T::ALL.iter().map(|value| value.as_str().to_owned() + " ").collect()
    }
}
