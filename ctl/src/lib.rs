//! The part of `clockctl` that needs no bus, so that tests can play scripts without a process.

#![forbid(unsafe_code)]

pub mod json;
pub mod simulate;
