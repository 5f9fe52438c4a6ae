//! The time controls shipped with the clock, compiled in: a clock that has lost its files still
//! has them.

use super::ControlFile;

/// A shipped control file.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What it is called on command lines and on the bus: its file name without ending.
    pub name: &'static str,
    /// The text of the file.
    pub file: &'static str,
}

impl Preset {
    /// The file, read.
    pub fn read(&self) -> ControlFile {
        ControlFile::parse(self.file).expect("the tests read every shipped control")
    }
}

macro_rules! shipped {
    ($($name:literal)+) => {
        &[$( Preset {
            name: $name,
            file: include_str!(concat!("../../../configs/controls/", $name, ".toml")),
        } ),+]
    };
}

static PRESETS: &[Preset] = shipped![
    "blitz-10-0"
    "blitz-3-2"
    "blitz-5-0"
    "blitz-5-3"
    "classical-40-120-20-60-30"
    "fide-long"
    "fide-standard"
    "g60-30"
    "g90-30"
    "rapid-10-5"
    "rapid-15-10"
    "rapid-25-10"
    "us-g5-d0"
    "us-g60-d5"
];

/// All shipped controls, by name.
pub fn presets() -> &'static [Preset] {
    PRESETS
}

/// The shipped control of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_folder_and_the_list_agree_and_every_file_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/controls");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let listed: BTreeSet<String> =
            presets().iter().map(|preset| format!("{}.toml", preset.name)).collect();
        assert_eq!(files, listed);
        for preset in presets() {
            ControlFile::parse(preset.file).unwrap_or_else(|e| panic!("{}: {e}", preset.name));
        }
    }
}
