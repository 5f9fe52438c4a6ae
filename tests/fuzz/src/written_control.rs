//! Target: any control, also one that no text can express, written as text.

use crate::bytes::Bytes;
use crate::control::control;
use crate::notations::{is_refused_without_time, said_and_read};
use clock_engine::text::{ControlFile, describe, to_toml};
use clock_engine::{Control, Method};

/// Checks that a control can be described, and that its file and its notations are read as the same
/// control.
pub fn written_control(data: &[u8]) {
    let Ok(control) = control(&mut Bytes::new(data)) else { return };
    assert!(!describe(&control).is_empty());
    said_and_read(&control);
    if !two_limits(&control) {
        let written = to_toml("x", &control);
        let file = ControlFile { name: "x".to_owned(), control };
        match ControlFile::parse(&written) {
            Err(error) if is_refused_without_time(&file.control, &error.to_string()) => {}
            read => assert_eq!(read, Ok(file), "{written}"),
        }
    }
}

/// Whether time is counted up with different limits for White and Black. Only a program can make
/// such a control.
fn two_limits(control: &Control) -> bool {
    let method = control.periods()[0].method;
    matches!(method.white, Method::CountUp { .. }) && method.white != method.black
}
