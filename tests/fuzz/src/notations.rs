//! Target: any text as a time control in the spoken notation or in PGN's.

use crate::plain_words::assert_plain;
use clock_engine::Control;
use clock_engine::text::{describe, looks_like_notation, parse_notation, pgn, spoken};

/// Checks that a text is read, or is refused with a message. A control that is read can be printed
/// in at least one of the two notations, and is the same after it is printed and read again.
pub fn notations(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    looks_like_notation(text);
    let control = match parse_notation(text) {
        Ok(control) => control,
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty());
            return assert_plain(&message, data);
        }
    };
    assert!(!describe(&control).is_empty());
    assert!(said_and_read(&control), "{text:?} is of no notation: {control:?}");
}

/// Checks that a printed control is read as the same control. Returns whether it could be printed.
pub fn said_and_read(control: &Control) -> bool {
    let pgn = pgn(control).map(|tag| format!("pgn:{tag}"));
    let said: Vec<String> = [spoken(control), pgn].into_iter().flatten().collect();
    for text in &said {
        // If this were false, `clockctl` would take the text for a control's name.
        assert!(looks_like_notation(text), "{text}");
        match parse_notation(text) {
            Err(error) if is_refused_without_time(control, &error.to_string()) => {}
            read => assert_eq!(read.as_ref(), Ok(control), "{text}"),
        }
    }
    !said.is_empty()
}

/// Whether `error` says that the first period has no time, and `control` has such a first period.
/// Only a program can make such a control.
pub fn is_refused_without_time(control: &Control, error: &str) -> bool {
    let time = control.periods()[0].time;
    let has_none = time.white.is_zero() || time.black.is_zero();
    has_none && error.contains("first period has the time 0:00:00")
}
