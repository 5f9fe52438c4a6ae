//! Chooses the configuration to run with, and reads why the set-up file of the card was refused or a
//! backup was not loaded completely.

use super::{Configuration, LastConfiguration};
use crate::log::escaped;
use clock_controls::{NamedControl, read_text};
use std::path::Path;

/// The longest text of a fault on the bus, in bytes.
const FAULT_LIMIT: usize = 200;

/// The configuration to run with.
pub struct Chosen {
    /// The configuration.
    pub configuration: Configuration,
    /// If the present configuration is refused: the text of the fault, in at most 200 bytes. It
    /// says which configuration is taken instead, and names the mistake with its file, line and
    /// column. `None` if the present configuration is used.
    pub refused: Option<String>,
}

impl Chosen {
    /// Loads the present configuration. If it is refused, takes the last configuration that worked.
    /// If there is no such configuration, or if it cannot be used either, takes the shipped
    /// configuration. So a mistake in a file does not prevent the players from using the clock.
    ///
    /// # Errors
    ///
    /// Not even the shipped configuration can be used.
    pub fn load(
        named: Option<&Path>,
        control: Option<&NamedControl>,
        is_simulated: bool,
        last: Option<&LastConfiguration>,
    ) -> Result<Chosen, super::ConfigError> {
        let error = match Configuration::load(named, control, is_simulated) {
            Ok(configuration) => return Ok(Chosen { configuration, refused: None }),
            Err(error) => error,
        };
        let kept = last.and_then(|last| match last.load(control) {
            Ok(configuration) => Some(configuration),
            Err(reason) => {
                tracing::warn!(%reason, "there is no last configuration that worked");
                None
            }
        });
        let (configuration, taken) = match kept {
            Some(kept) => (kept, "the last one that worked is taken"),
            None => (Configuration::shipped(named, control)?, "the shipped one is taken"),
        };
        tracing::error!(taken = %configuration, "the configuration is refused, {taken}: {error}");
        let text = escaped(&format!("the configuration is refused, {taken}: {error}"));
        Ok(Chosen { configuration, refused: Some(cut(text)) })
    }
}

/// The text, cut to [`FAULT_LIMIT`] bytes.
fn cut(mut text: String) -> String {
    const CUT: &str = "...";
    if text.len() > FAULT_LIMIT {
        text.truncate(text.floor_char_boundary(FAULT_LIMIT - CUT.len()));
        text.push_str(CUT);
    }
    text
}

/// The environment variable with the path of the file that says why `clockctl setup apply`, which runs
/// before this service, has refused the set-up file of the card. clockd.service sets it.
const SET_UP_REFUSED: &str = "CHESS_CLOCK_SET_UP_REFUSED";
/// The beginning of the text of the fault; the reason follows. The face shows only what comes after
/// "is taken: ".
const REFUSED: &str = "the set-up file is refused, what was set before is taken: ";

/// The text of the fault, in at most 200 bytes: the mistake with its file, line and column. `None` if
/// the set-up file was not refused.
pub fn refused_set_up() -> Option<String> {
    reason_in(SET_UP_REFUSED, REFUSED)
}

/// The text of the fault whose reason is in the file that this environment variable names, in at most
/// 200 bytes. `None` if there is no such file, or no reason in it.
fn reason_in(variable: &str, before: &str) -> Option<String> {
    let path = std::env::var_os(variable).filter(|path| !path.is_empty())?;
    let reason = read_text(Path::new(&path)).ok()?;
    let text = fault(before, reason.trim())?;
    tracing::error!("{text}");
    Some(text)
}

fn fault(before: &str, reason: &str) -> Option<String> {
    (!reason.is_empty()).then(|| cut(escaped(&format!("{before}{reason}"))))
}

/// The environment variable with the path of the file that says why `clockctl backup load`, which stops
/// this service and starts it again, has failed in between. The next successful load removes the file.
/// clockd.service sets the variable.
const LOAD_FAILED: &str = "CHESS_CLOCK_LOAD_FAILED";

/// The text of the fault, in at most 200 bytes: the name of the backup and the reason. `None` if no load
/// has failed.
pub fn failed_load() -> Option<String> {
    reason_in(LOAD_FAILED, "the backup is not loaded wholly, what is there is taken: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_file_does_not_replace_the_last_configuration_that_worked() {
        let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = folder.path().join("clockd.toml");
        let last = LastConfiguration::of_state_folder(Some(state.path().to_owned())).unwrap();
        let wiring = "name = 'ours'\nchip = 'x'\nwhite.line = 1\nblack.line = 2\n";
        std::fs::write(folder.path().join("ours.toml"), wiring).unwrap();
        std::fs::write(&path, "control = '3+2'\nwiring = './ours.toml'\n").unwrap();
        last.keep(&Chosen::load(Some(&path), None, false, Some(&last)).unwrap().configuration)
            .unwrap();
        for text in ["", "# wiring = './ours.toml'\n"] {
            std::fs::write(&path, text).unwrap();
            let chosen = Chosen::load(Some(&path), None, false, Some(&last)).unwrap();
            assert!(chosen.refused.unwrap().contains("missing key `wiring`"), "{text}");
            assert_eq!(chosen.configuration.control.name, "3+2");
        }
    }

    #[test]
    fn a_fault_names_the_mistake_within_200_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clockd.toml");
        for text in ["bord\u{202e} = 'x'\n", &format!("control = '{}'\n", "ü".repeat(300))] {
            std::fs::write(&path, text).unwrap();
            let chosen = Chosen::load(Some(&path), None, true, None).unwrap();
            let refused = chosen.refused.unwrap();
            assert!(refused.len() <= 200, "{refused}");
            assert!(refused.contains(&format!("taken: {}:1:", path.display())), "{refused}");
            assert!(!refused.contains('\u{202e}'), "{refused}");
            assert_eq!(chosen.configuration.control.name, "5+3");
        }
    }

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
