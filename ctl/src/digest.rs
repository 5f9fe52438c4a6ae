//! Digests as text.

/// The bytes as hexadecimal digits, two lower-case digits for each byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
