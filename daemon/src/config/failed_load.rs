//! Reads why a backup was not loaded completely before this start of the service.
//!
//! `clockctl backup load` stops this service and starts it again. If something fails in between, it
//! leaves the reason in a file, which the next successful load removes.

use super::set_up::reason_in;

/// The environment variable with the path of the file that has the reason. clockd.service sets it.
const VARIABLE: &str = "CHESS_CLOCK_LOAD_FAILED";

/// The text of the fault, in at most 200 bytes: the name of the backup and the reason. `None` if no load
/// has failed.
pub fn failed_load() -> Option<String> {
    reason_in(VARIABLE, "the backup is not loaded wholly, what is there is taken: ")
}
