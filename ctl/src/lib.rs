//! The part of `clockctl` that needs no bus. Tests and fuzzers play scripts and read records with
//! it in their own process.

#![forbid(unsafe_code)]

pub mod json;
pub mod record;
pub mod simulate;
pub mod times;
