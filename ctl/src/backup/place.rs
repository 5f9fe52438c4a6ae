//! Which files belong to a backup: their names in it, and where they are on a clock.

use clock_controls::FILE_LIMIT;
use clock_record::RecordFile;

/// The files directly in `/etc/chess-clock` that belong to a backup.
pub(super) const FILES: [&str; 2] = ["clockd.toml", "display.toml"];
/// The folders in `/etc/chess-clock` to which people add files, whose names must end with `.toml`.
pub(super) const FOLDERS: [&str; 3] = ["controls", "rules", "wiring"];
/// The largest file of the menu that `clockd` reads, in bytes.
const MENU_LIMIT: u64 = 1024 * 1024;
/// The longest name in a folder, in bytes. A longer one does not fit into the header of a tar file.
const NAME_LIMIT: usize = 80;

/// The folder of the record in a backup, and on a clock whose `clockd.toml` names no other.
pub(super) const RECORD: &str = "games";

/// A file that belongs to a backup.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A file of the record.
    Record(RecordFile),
    /// What the menu at the clock keeps: the players' own controls, and the settings of the face.
    Menu,
    /// A file of the configuration, by its path below the folder of the configuration.
    Setting(String),
}

impl Place {
    /// The place of the file that has this name in a backup; `None` if no backup contains such a file.
    pub fn of(name: &str) -> Option<Place> {
        match name.split_once('/') {
            None => (name == "menu.json").then_some(Place::Menu),
            Some((RECORD, file)) => RecordFile::of(file).map(Place::Record),
            Some(("settings", path)) => Place::of_setting(path),
            Some(_) => None,
        }
    }

    /// The place of the file at this path below `/etc/chess-clock`; `None` if no backup contains it.
    pub fn of_setting(path: &str) -> Option<Place> {
        let is_known = match path.split_once('/') {
            None => FILES.contains(&path),
            Some((folder, name)) => {
                FOLDERS.contains(&folder) && name.ends_with(".toml") && is_plain(name)
            }
        };
        is_known.then(|| Place::Setting(path.to_owned()))
    }

    /// The name in a backup.
    pub fn name(&self) -> String {
        match self {
            Place::Record(file) => format!("{RECORD}/{file}"),
            Place::Menu => "menu.json".to_owned(),
            Place::Setting(path) => format!("settings/{path}"),
        }
    }

    /// The path on a clock, for messages.
    pub fn shown(&self) -> String {
        match self {
            Place::Record(_) | Place::Menu => format!("/var/lib/chess-clock/{}", self.name()),
            Place::Setting(path) => format!("/etc/chess-clock/{path}"),
        }
    }

    /// The most bytes of the file. A file of the record is not read into memory.
    pub fn limit(&self) -> u64 {
        match self {
            Place::Record(_) => u64::MAX,
            Place::Menu => MENU_LIMIT,
            Place::Setting(_) => u64::try_from(FILE_LIMIT).unwrap_or(u64::MAX),
        }
    }

    /// The permissions of the file if a backup creates it. A file that exists keeps its permissions.
    pub fn mode(&self) -> u32 {
        match self {
            Place::Menu => 0o600,
            Place::Record(_) | Place::Setting(_) => 0o644,
        }
    }
}

/// Whether a file with this name can belong to a backup: 1 to 80 bytes, no `/`, no control character,
/// no dot at the beginning.
fn is_plain(name: &str) -> bool {
    let is_short = (1..=NAME_LIMIT).contains(&name.len());
    is_short && !name.starts_with('.') && !name.contains(|it: char| it == '/' || it.is_control())
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn only_the_files_of_a_clock_have_a_place_and_a_name_leads_back_to_it() {
        for name in [
            "games/checkpoint.json",
            "games/000123.jsonl",
            "games/000123.jsonl.damaged-1",
            "menu.json",
            "settings/clockd.toml",
            "settings/controls/club evening.toml",
        ] {
            assert_eq!(Place::of(name).map(|place| place.name()).as_deref(), Some(name));
        }
        for name in [
            "",
            "manifest.json",
            "games",
            "games/",
            "games/menu.json",
            "games/../000123.jsonl",
            "games/games/000123.jsonl",
            "/games/000123.jsonl",
            "/etc/passwd",
            "settings/publish/broker",
            "settings/authorized-keys/arbiter",
            "settings/chessclock.applied",
            "settings/../passwd",
            "settings/controls/../clockd.toml",
            "settings/controls/",
            "settings/controls/.hidden.toml",
            "settings/controls/a/b.toml",
            "settings/controls/x.txt",
            "settings/controls/x\n.toml",
            "settings/before-load-1/clockd.toml",
            "settings//clockd.toml",
            "./menu.json",
        ] {
            assert_eq!(Place::of(name), None, "{name}");
        }
        assert_eq!(Place::of(&format!("settings/rules/{}.toml", "x".repeat(80))), None);
    }
}
