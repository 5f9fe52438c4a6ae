//! How a remedy is shown.

use crate::text::{addressed, plain};

/// Adds the address of the clock to the commands in a remedy. A command that must be typed on the
/// clock itself stays as it is.
pub fn remedy_for(remedy: &str) -> String {
    let remedy = plain(remedy);
    if remedy.starts_with("on the clock itself") { remedy } else { addressed(&remedy) }
}
