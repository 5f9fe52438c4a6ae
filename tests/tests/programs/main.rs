//! The built programs, started as a user starts them: their input, their files, their documents,
//! and what happens when one of them ends. The commands and signals of `clockd` are in `bus/`.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod arbiter_page;
mod backup;
mod bad_input;
mod board;
mod boot_settings;
mod bus_policy;
mod card;
mod configuration;
mod controls;
mod demo;
mod doctor;
mod doctor_buttons;
mod doctor_loopback;
mod done;
mod dry_run;
mod hall;
mod help;
mod hints;
mod install;
mod introspection;
mod json_schemas;
mod last_start;
mod promises;
#[path = "../../../ctl/tests/python/mod.rs"]
mod python;
mod readme;
mod restarts;
mod restore_time;
mod rules;
mod setup;
mod silent_reader;
mod supervisor;
mod watchdog;
mod way_on;
