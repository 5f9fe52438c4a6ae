//! The entries of the record, as the clock loop writes them into the retained memory.

use clockd_core::{Input, VersionedClock};
use serde::{Deserialize, Serialize};

/// The largest entry in bytes: the state of a clock, with room for what later versions add.
pub const MAX_ENTRY: usize = 12 * 1024;
/// The version of the encoding of [`Entry`], of a kept [`VersionedClock`], of a note on a command
/// and of what identifies the game. It must change whenever one of these types changes, because the
/// encoded bytes contain no names or types.
pub const FORMAT: u64 = 9;

/// One entry of the record. Entries are numbered from 1. The number of the entry of an input is the
/// value of [`VersionedClock::entry`] after the input.
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
        before: Option<u32>,
    },
    /// The whole clock. It is added where the earlier entries do not lead to the state of the
    /// clock: at the beginning of a record, and after entries were lost. The recorder also asks for
    /// such an entry if the entries on record do not lead to the state.
    State {
        /// The clock. Its [`VersionedClock::entry`] is the number of this entry.
        clock: Box<VersionedClock>,
        /// How many entries were lost right before this one.
        lost: u64,
    },
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
    pub fn write_input<'a>(
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

    /// Decodes an entry.
    pub fn read(bytes: &[u8]) -> Result<Entry, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

fn write<'a>(entry: &EntryRef<'_>, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    postcard::to_slice(entry, buffer).ok().map(|written| &*written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::{Control, Instant, Method, Span};
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
            (input, Entry::Input { input: Input::Time(at), before: Some(5) }),
            (state, Entry::State { clock: Box::new(clock.clone()), lost: 3 }),
        ] {
            let read = Entry::read(bytes).unwrap();
            assert_eq!(read, expected);
            let text = serde_json::to_string(&read).unwrap();
            assert_eq!(serde_json::from_str::<Entry>(&text).unwrap(), expected);
        }
    }
}
