//! The set-up file of a card, `chessclock.toml`: what a clock is told before its first start.

mod change;
mod file;
mod hall_table;
mod host_name;
mod ssh_key;
mod start;
mod time_zone;
mod value;
mod wifi;

#[cfg(test)]
mod tests;

pub use change::{Change, changed};
pub use file::{ARRANGEMENTS, Arbiter, FILE_NAME, KEYS, ROTATIONS, SetUp, Wired, check_wiring};
pub use hall_table::{HallTable, Row};
pub use start::Use;
pub use wifi::{Secret, Wifi};
