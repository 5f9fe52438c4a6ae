//! The last configuration that worked, kept as a whole in the state folder.
//!
//! It is used when the present configuration is refused, so that the clock still runs after a
//! mistake. The file has the texts of all files and the user ids of the captains, because a missing
//! file or a missing account can be the mistake.

use super::{Config, ConfigError, Configuration, WiringFile};
use crate::game::Captains;
use clock_controls::replace_file;
use clock_controls::{NamedControl, NamedRules, open_regular};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The name of the file in the state folder.
const NAME: &str = "last-configuration.json";
/// The largest size of the file that is read, in bytes. It has room for `clockd.toml`, a wiring
/// file, a rule file and the files that the rule file inherits, of 64 KiB each, and for a control
/// file of 16 KiB, with the escapes of JSON.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// The file with the last configuration that worked.
pub struct LastConfiguration {
    path: PathBuf,
}

/// Why the last configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NoLast {
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{}: {source}", path.display())]
    Json {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
    #[error("{}: the contents do not match their checksum", path.display())]
    Damaged { path: PathBuf },
    #[error("a kept text cannot be used: {0}")]
    Text(#[from] ConfigError),
}

/// The contents of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The [`Texts`] as JSON. The checksum is that of these bytes, so that another version of
    /// clockd, whose [`Texts`] has more or fewer fields, does not take the file for damaged.
    texts: String,
    /// The CRC-32 of `texts`. A damaged time could still be valid JSON.
    crc32: u32,
}

/// The texts from which the configuration is made again. Each error in a text names the file from
/// which the text was read.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Texts {
    config: Text,
    captains: Captains,
    /// The name and the text of the control file.
    control: Text,
    /// The name and the text of the rule file; `None` without a rule profile.
    rules: Option<Text>,
    /// The texts of the files that the rule file inherits, by their names.
    inherited: BTreeMap<String, String>,
    wiring: Option<Text>,
}

/// The path or the name of a file, and its text.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Text {
    from: String,
    text: String,
}

impl Text {
    fn new(from: impl Into<String>, text: &str) -> Text {
        Text { from: from.into(), text: text.to_owned() }
    }
}

impl LastConfiguration {
    /// The file in the folder `$STATE_DIRECTORY`; `None` if there is no such folder.
    pub fn of_state_folder(folder: Option<PathBuf>) -> Option<LastConfiguration> {
        folder.map(|folder| LastConfiguration { path: folder.join(NAME) })
    }

    /// Keeps this configuration. The file is replaced as a whole, and only if it changes.
    ///
    /// # Errors
    ///
    /// The file cannot be written. In that case the earlier file is still there.
    pub fn keep(&self, configuration: &Configuration) -> io::Result<()> {
        let texts = serde_json::to_string(&Texts::of(configuration)).map_err(io::Error::other)?;
        let crc32 = crc32fast::hash(texts.as_bytes());
        let json = serde_json::to_vec(&Kept { texts, crc32 }).map_err(io::Error::other)?;
        if self.read().is_ok_and(|kept| kept == json) {
            return Ok(());
        }
        // The configuration contains the arbiter's code of the menu, so only the owner reads it.
        replace_file(&self.path, &json)
    }

    /// The configuration that was kept. `control` is the time control of the command line.
    ///
    /// # Errors
    ///
    /// No configuration was kept, or this version cannot use the one that was kept.
    pub fn load(&self, control: Option<&NamedControl>) -> Result<Configuration, NoLast> {
        let path = || self.path.clone();
        let json = self.read().map_err(|source| NoLast::Io { path: path(), source })?;
        let wrong = |source| NoLast::Json { path: path(), source };
        let Kept { texts, crc32 } = serde_json::from_slice(&json).map_err(wrong)?;
        if crc32fast::hash(texts.as_bytes()) != crc32 {
            return Err(NoLast::Damaged { path: path() });
        }
        let texts: Texts = serde_json::from_str(&texts).map_err(wrong)?;
        Ok(texts.configuration(control)?)
    }

    /// Reads the file. The call never blocks, even if a pipe has the path of the file.
    fn read(&self) -> io::Result<Vec<u8>> {
        let mut json = Vec::new();
        open_regular(&self.path)?.take(MAX_BYTES + 1).read_to_end(&mut json)?;
        match u64::try_from(json.len()) {
            Ok(length) if length <= MAX_BYTES => Ok(json),
            _ => Err(io::Error::other("larger than 8 MiB")),
        }
    }
}

impl Texts {
    fn of(configuration: &Configuration) -> Texts {
        let Configuration { config, control, rules, wiring } = configuration;
        Texts {
            config: Text::new(config.path.to_string_lossy(), &config.text),
            captains: config.captains,
            control: Text::new(&control.name, &control.text),
            rules: rules.as_ref().map(|rules| Text::new(&rules.name, &rules.text)),
            inherited: rules.as_ref().map(|rules| rules.inherited.clone()).unwrap_or_default(),
            wiring: wiring
                .as_ref()
                .map(|wiring| Text::new(wiring.path.to_string_lossy(), &wiring.text)),
        }
    }

    fn configuration(self, control: Option<&NamedControl>) -> Result<Configuration, ConfigError> {
        let Texts { config, captains, control: of_config, rules, inherited, wiring } = self;
        let config = Config::parse(Path::new(&config.from), config.text, Some(captains))?;
        let control = match control {
            Some(control) => control.clone(),
            None => NamedControl::parse(&of_config.from, of_config.text, &of_config.from)?,
        };
        let rules = rules.map(|Text { from, text }| {
            NamedRules::parse_inheriting(&inherited, &from, text, &from)
        });
        let rules = rules.transpose()?;
        let wiring = wiring
            .map(|Text { from, text }| WiringFile::parse(Path::new(&from), &text))
            .transpose()?;
        Configuration { config, control, rules, wiring }.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Writes a configuration that names files in its own folder, and returns its path.
    fn configured(folder: &Path) -> PathBuf {
        for name in ["controls", "rules", "wiring"] {
            fs::create_dir(folder.join(name)).unwrap();
        }
        for (name, text) in [
            (
                "clockd.toml",
                "control = 'ours'\nrules = 'juniors'\nwiring = 'ours'\n[captains]\nwhite = '7'\n",
            ),
            ("controls/ours.toml", "name = 'Ours'\n[[period]]\ntime = '7m'\n"),
            ("rules/club.toml", "name = 'Club'\nhold_warning = '9s'\n"),
            ("rules/juniors.toml", "name = 'Juniors'\ninherits = 'club'\n"),
            ("wiring/ours.toml", "chip = 'x'\nwhite.line = 1\nblack.line = 2\n"),
        ] {
            fs::write(folder.join(name), text).unwrap();
        }
        folder.join("clockd.toml")
    }

    #[test]
    fn the_last_configuration_is_whole_without_the_files_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = configured(folder.path());
        let state = tempfile::tempdir().unwrap();
        let last = LastConfiguration::of_state_folder(Some(state.path().to_owned())).unwrap();
        assert!(matches!(last.load(None), Err(NoLast::Io { .. })));
        last.keep(&Configuration::load(Some(&path), None, false).unwrap()).unwrap();
        drop(folder);
        let kept = last.load(None).unwrap();
        assert_eq!((kept.control.name.as_str(), kept.control.title.as_str()), ("ours", "Ours"));
        let rules = kept.rules.as_ref().unwrap();
        assert_eq!(
            (rules.name.as_str(), &rules.rules.inherited[..]),
            ("juniors", &["club".into()][..])
        );
        assert!(rules.profile().hold_warning.is_some());
        assert_eq!(kept.wiring.as_ref().unwrap().wiring.chips, ["x"]);
        assert_eq!(kept.config.captains.captains.white, Some(7));
    }

    #[test]
    fn captains_are_kept_by_number_since_an_account_can_be_gone() {
        let config = Text::new("clockd.toml", "[captains]\nwhite = 'no body'\n");
        let captains = Captains { designate: Some(9), ..Captains::default() };
        let control = Text::new("blitz", "name = 'Blitz'\n[[period]]\ntime = '3m'\n");
        let (rules, inherited, wiring) = (None, BTreeMap::new(), None);
        let texts = Texts { config, captains, control, rules, inherited, wiring };
        assert_eq!(texts.configuration(None).unwrap().config.captains, captains);
    }

    #[test]
    fn a_damaged_file_is_no_configuration_and_is_replaced() {
        let state = tempfile::tempdir().unwrap();
        let last = LastConfiguration::of_state_folder(Some(state.path().to_owned())).unwrap();
        fs::write(state.path().join(NAME), "{\"config\":").unwrap();
        assert!(matches!(last.load(None), Err(NoLast::Json { .. })));
        let shipped = Configuration::shipped(None, None).unwrap();
        last.keep(&shipped).unwrap();
        assert_eq!(last.load(None).unwrap().control, shipped.control);
        let kept = fs::read_to_string(state.path().join(NAME)).unwrap();
        let changed = kept.replace("1ms", "2ms");
        assert_ne!(kept, changed);
        fs::write(state.path().join(NAME), changed).unwrap();
        assert!(matches!(last.load(None), Err(NoLast::Damaged { .. })));
    }

    #[test]
    fn a_pipe_at_the_path_does_not_block_and_is_replaced() {
        let state = tempfile::tempdir().unwrap();
        let last = LastConfiguration::of_state_folder(Some(state.path().to_owned())).unwrap();
        for name in [NAME, ".last-configuration.json.new"] {
            let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
            let (fifo, path) = (rustix::fs::FileType::Fifo, state.path().join(name));
            rustix::fs::mknodat(rustix::fs::CWD, &path, fifo, mode, 0).unwrap();
        }
        assert!(matches!(last.load(None), Err(NoLast::Io { .. })));
        let shipped = Configuration::shipped(None, None).unwrap();
        last.keep(&shipped).unwrap();
        assert_eq!(last.load(None).unwrap().control, shipped.control);
    }

    #[test]
    fn the_shipped_configuration_guesses_no_wiring() {
        let shipped = Configuration::shipped(None, None).unwrap();
        assert_eq!(shipped.control.name, "5+3");
        assert_eq!(shipped.rules.as_ref().unwrap().name, "players-agree");
        assert!(shipped.wiring.is_none());
        let fast = NamedControl::from_notation("3+2").unwrap();
        assert_eq!(Configuration::shipped(None, Some(&fast)).unwrap().control.name, "3+2");
    }
}
