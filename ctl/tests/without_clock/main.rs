//! `clockctl` where there is no clock: controls, rules, exported games, and simulated games.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod control;
mod gone_terminal;
mod json_schemas;
mod pairings;
mod plain_words;
mod program;
#[path = "../python/mod.rs"]
mod python;
mod record;
mod rules;
mod setup;
mod simulate;
mod simulate_methods;
mod simulate_rules;
