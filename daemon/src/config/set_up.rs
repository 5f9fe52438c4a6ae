//! The set-up file of the card, `chessclock.toml`, if it was refused at this start of the machine.
//!
//! `clockctl image apply` reads the set-up file before this service starts, and leaves the reason in a
//! file if it refuses the set-up file.

use super::chosen::cut;
use crate::log::escaped;
use clock_controls::read_text;
use std::path::Path;

/// The environment variable with the path of the file that has the reason. clockd.service sets it.
const VARIABLE: &str = "CHESS_CLOCK_SET_UP_REFUSED";

/// The text of the fault, in at most 200 bytes: the mistake with its file, line and column. `None` if
/// the set-up file was not refused.
pub fn refused_set_up() -> Option<String> {
    let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
    let reason = read_text(Path::new(&path)).ok()?;
    let text = fault(reason.trim())?;
    tracing::error!("{text}");
    Some(text)
}

/// The face shows what follows "is taken: ".
fn fault(reason: &str) -> Option<String> {
    let text = format!("the set-up file is refused, what was set before is taken: {reason}");
    (!reason.is_empty()).then(|| cut(escaped(&text)))
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn a_refused_set_up_file_is_a_fault_within_200_bytes() {
        assert_eq!(fault(""), None);
        let text =
            fault(&format!("/boot/firmware/chessclock.toml:3:1: {}", "\u{202e}ü".repeat(99)));
        let text = text.unwrap();
        assert!(text.len() <= 200 && !text.contains('\u{202e}'), "{text}");
        assert!(text.contains(" is taken: /boot/firmware/chessclock.toml:3:1: "), "{text}");
    }
}
