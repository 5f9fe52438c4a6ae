//! The built `clockctl` on a private bus, against a clock service played by the tests.
#![allow(clippy::unwrap_used, reason = "what a test shares fails by panicking")]

mod failures;
mod fake;
mod private_bus;
mod program;
mod verbs;
mod watch;
