//! How a remedy is shown.

use crate::text::{addressed, plain};

/// The remedy with the address of the clock in its commands, except in one that is typed on the
/// clock itself.
pub fn remedy_for(remedy: &str) -> String {
    let remedy = plain(remedy);
    if remedy.starts_with("on the clock itself") { remedy } else { addressed(&remedy) }
}
