//! The built `clockctl` on a private bus, with a fake clock service.
#![allow(clippy::unwrap_used, reason = "what a test shares fails by panicking")]

mod already;
mod appearance;
mod common_words;
mod completion;
mod doctor;
mod exit_codes;
mod failures;
mod fake;
mod hall_options;
mod import;
mod json_schemas;
mod older_service;
mod private_bus;
mod program;
#[path = "../python/mod.rs"]
mod python;
mod record;
mod rule;
mod rule_profiles;
mod rules;
mod terminal;
mod verbs;
mod watch;
mod watch_json;
