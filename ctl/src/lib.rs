//! The part of `clockctl` that needs no bus. Tests and fuzzers call it in their own process to play
//! scripts, and to read exported games and set-up files.

#![forbid(unsafe_code)]

pub mod input;
pub mod json;
pub mod pairings;
pub mod record;
pub mod setup;
pub mod simulate;
pub mod times;
