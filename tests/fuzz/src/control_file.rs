//! Target: any text as a control file.

use crate::plain_words::assert_plain;
use clock_engine::text::{ControlFile, describe, to_toml};
use clock_engine::{Clock, Instant};

/// Checks that a text is read, or is refused with an error that names a place in the text. A
/// control that is read can be described, is the same after it is written and read again, and can
/// be played.
pub fn control_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match ControlFile::parse(text) {
        Ok(file) => {
            assert!(!file.name.trim().is_empty());
            assert!(!describe(&file.control).is_empty());
            let written = to_toml(&file.name, &file.control);
            assert_eq!(ControlFile::parse(&written).as_ref(), Ok(&file), "{written}");
            let mut clock = Clock::new(file.control, Instant::ZERO);
            clock.handle_timeout(Instant::from_nanos(u64::MAX)).expect("time went on");
        }
        Err(error) => {
            let line = text.split('\n').nth(error.place.line - 1).expect("a line of the text");
            assert!((1..=line.chars().count() + 1).contains(&error.place.column), "{error}");
            assert!(!error.message.is_empty());
            assert_plain(&error.message, data);
        }
    }
}
