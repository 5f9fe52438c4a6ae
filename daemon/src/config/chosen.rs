//! Chooses the configuration to run with.

use super::{Configuration, LastConfiguration};
use crate::log::escaped;
use clock_controls::NamedControl;
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
pub(super) fn cut(mut text: String) -> String {
    const CUT: &str = "...";
    if text.len() > FAULT_LIMIT {
        text.truncate(text.floor_char_boundary(FAULT_LIMIT - CUT.len()));
        text.push_str(CUT);
    }
    text
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
}
