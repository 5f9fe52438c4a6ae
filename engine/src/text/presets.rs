//! The time controls shipped with the clock. They are compiled in, so that the clock has them
//! without their files.

use super::ControlFile;

/// A shipped control file.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name on command lines and on the bus: the file name without its ending.
    pub name: &'static str,
    /// The text of the file.
    pub file: &'static str,
}

impl Preset {
    /// Parses the file.
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
    "allegro-35-105-set-back-15"
    "armageddon-10-7-1-from-41"
    "armageddon-4-3-2"
    "armageddon-5-4-3-from-61"
    "armageddon-6-5"
    "blitz-10-0"
    "blitz-3-2"
    "blitz-5-0"
    "blitz-5-3"
    "bundesliga"
    "byo-yomi-30-5x30"
    "canadian-30-20-in-5"
    "classical-36-90-30"
    "classical-36-90-repeat"
    "classical-40-120-20-60-15-30-from-61"
    "classical-40-120-20-60-30"
    "classical-40-120-20-60-repeat"
    "classical-40-120-30"
    "classical-40-120-30-30-from-41"
    "classical-40-120-60"
    "classical-40-90-30"
    "fide-40-90-15-30"
    "fide-long"
    "fide-standard"
    "g105-finish-after-black-40"
    "g120-10"
    "g60-30"
    "g70-10"
    "g75-10"
    "g75-15"
    "g80-15"
    "g90-0"
    "g90-15"
    "g90-30"
    "handicap-10-12"
    "handicap-5-10"
    "handicap-5-12"
    "handicap-5-7"
    "handicap-5-8"
    "handicap-7-10"
    "handicap-7-12"
    "handicap-7-8"
    "handicap-8-10"
    "handicap-8-12"
    "hourglass-1"
    "hourglass-3"
    "league-30-60-15-after-black-30"
    "league-30-60-20"
    "league-30-65-15"
    "league-30-75-15"
    "league-35-100-20-10"
    "league-35-75-15"
    "league-36-75-15"
    "league-36-90-set-back-15"
    "lightning-10"
    "norway-120-10-from-41"
    "rapid-10-10"
    "rapid-10-5"
    "rapid-15-10"
    "rapid-25-0"
    "rapid-25-10"
    "rapid-30-0"
    "scrabble-25"
    "up-count"
    "us-30-90-sd60-d5"
    "us-g25-d5"
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
