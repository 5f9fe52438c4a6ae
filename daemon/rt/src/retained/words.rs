//! Converts bytes to 64-bit words and back: 8 bytes in each word, with zeros after the last byte.

/// The bytes of one word.
pub const BYTES: usize = 8;

/// The words that hold these bytes.
pub fn from_bytes(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(BYTES).map(|chunk| {
        let mut word = [0; BYTES];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

/// Replaces the contents of `bytes` by the first `length` bytes of these words. There must be
/// enough words for `length`.
pub fn to_bytes(words: impl Iterator<Item = u64>, length: usize, bytes: &mut Vec<u8>) {
    bytes.clear();
    for word in words.take(length.div_ceil(BYTES)) {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.truncate(length);
}

/// Puts a length and a checksum into one word; `None` if the length exceeds 32 bits.
pub fn pack(length: usize, crc: u32) -> Option<u64> {
    Some(u64::from(u32::try_from(length).ok()?) | u64::from(crc) << 32)
}

/// The length and the checksum that [`pack`] put into this word.
pub fn unpack(word: u64) -> (usize, u32) {
    let half =
        |word: u64| u32::try_from(word & u64::from(u32::MAX)).expect("only 32 bits are left");
    (usize::try_from(half(word)).unwrap_or(usize::MAX), half(word >> 32))
}
