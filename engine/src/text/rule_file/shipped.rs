//! The rule profiles shipped with the clock. They are compiled in, so that the clock has them
//! without their files.

use super::RuleFile;

/// A shipped rule file.
#[derive(Clone, Copy, Debug)]
pub struct RulePreset {
    /// The name on command lines and on the bus: the file name without its ending.
    pub name: &'static str,
    /// The text of the file.
    pub file: &'static str,
}

impl RulePreset {
    /// Parses the file and the shipped files that it inherits from.
    pub fn read(&self) -> RuleFile {
        RuleFile::parse(self.file, text_of).expect("the tests read every shipped rule file")
    }
}

pub(super) fn text_of(name: &str) -> Result<String, String> {
    let preset = rule_preset(name).ok_or_else(|| format!("no rule profile `{name}`"))?;
    Ok(preset.file.to_owned())
}

macro_rules! shipped {
    ($($name:literal)+) => {
        &[$( RulePreset {
            name: $name,
            file: include_str!(concat!("../../../../configs/rules/", $name, ".toml")),
        } ),+]
    };
}

static PRESETS: &[RulePreset] = shipped![
    "allegro-1996"
    "fide-2023"
    "fide-article-6"
    "guidelines-iii"
    "guidelines-iii-unsupervised"
    "handbook-county"
    "players-agree"
    "us-chess"
];

/// All shipped rule profiles, by name.
pub fn rule_presets() -> &'static [RulePreset] {
    PRESETS
}

/// The shipped rule profile of this name.
pub fn rule_preset(name: &str) -> Option<&'static RulePreset> {
    PRESETS.iter().find(|preset| preset.name == name)
}
