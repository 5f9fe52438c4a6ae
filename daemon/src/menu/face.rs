//! What the menu can set on the face of this clock. The service does not know the face, which can be any
//! program, so it looks where the shipped face looks.

use std::fs;
use std::path::PathBuf;
use toml::{Table, Value};

/// The environment variable with the path of the face's configuration. `clockd.service` sets it.
const CONFIGURATION: &str = "CHESS_CLOCK_FACE";
/// The environment variable with the folder in which the kernel has an entry for each backlight.
/// `clockd.service` sets it.
const BACKLIGHTS: &str = "CHESS_CLOCK_BACKLIGHTS";

/// Whether the face has a buzzer: `enabled = true` in the table `[buzzer]` of its configuration.
pub fn has_buzzer() -> bool {
    let text = path(CONFIGURATION).and_then(|path| fs::read_to_string(path).ok());
    let table = text.and_then(|text| text.parse::<Table>().ok());
    let enabled = table.as_ref().and_then(|table| table.get("buzzer")?.get("enabled"));
    enabled == Some(&Value::Boolean(true))
}

pub fn has_backlight() -> bool {
    let folder = path(BACKLIGHTS).and_then(|folder| fs::read_dir(folder).ok());
    folder.is_some_and(|mut entries| entries.next().is_some())
}

fn path(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}
