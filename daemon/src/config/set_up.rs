//! The set-up file of the card, `chessclock.toml`, if it was refused at this start of the machine.
//!
//! `clockctl setup apply` reads the set-up file before this service starts, and leaves the reason in a
//! file if it refuses the set-up file.

use super::chosen::cut;
use crate::log::escaped;
use clock_controls::read_text;
use std::path::Path;

/// The environment variable with the path of the file that has the reason. clockd.service sets it.
const VARIABLE: &str = "CHESS_CLOCK_SET_UP_REFUSED";
/// The beginning of the text of the fault; the reason follows. The face shows only what comes after
/// "is taken: ".
const REFUSED: &str = "the set-up file is refused, what was set before is taken: ";

/// The text of the fault, in at most 200 bytes: the mistake with its file, line and column. `None` if
/// the set-up file was not refused.
pub fn refused_set_up() -> Option<String> {
    reason_in(VARIABLE, REFUSED)
}

/// The text of the fault whose reason is in the file that this environment variable names, in at most
/// 200 bytes. `None` if there is no such file, or no reason in it.
pub(super) fn reason_in(variable: &str, before: &str) -> Option<String> {
    let path = std::env::var_os(variable).filter(|path| !path.is_empty())?;
    let reason = read_text(Path::new(&path)).ok()?;
    let text = fault(before, reason.trim())?;
    tracing::error!("{text}");
    Some(text)
}

fn fault(before: &str, reason: &str) -> Option<String> {
    (!reason.is_empty()).then(|| cut(escaped(&format!("{before}{reason}"))))
}

#[cfg(test)]
mod tests {
    use super::{REFUSED, fault};

    #[test]
    fn a_refused_set_up_file_is_a_fault_within_200_bytes() {
        assert_eq!(fault(REFUSED, ""), None);
        let text = fault(
            REFUSED,
            &format!("/boot/firmware/chessclock.toml:3:1: {}", "\u{202e}ü".repeat(99)),
        );
        let text = text.unwrap();
        assert!(text.len() <= 200 && !text.contains('\u{202e}'), "{text}");
        assert!(text.contains(" is taken: /boot/firmware/chessclock.toml:3:1: "), "{text}");
    }
}
