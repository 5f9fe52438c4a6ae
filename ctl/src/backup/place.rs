//! Which files belong to a backup: their names in it, and where they are on a clock.

use clock_controls::FILE_LIMIT;

/// The files directly in `/etc/chess-clock` that belong to a backup.
const FILES: [&str; 3] = ["clockd.toml", "display.toml", "chessclock.applied"];
/// The folders in `/etc/chess-clock` to which people add files. For each: its name, the ending that
/// the names of its files must have, and whether only root may read the files.
const FOLDERS: [(&str, &str, bool); 5] = [
    ("controls", ".toml", false),
    ("rules", ".toml", false),
    ("wiring", ".toml", false),
    ("authorized-keys", "", false),
    ("publish", "", true),
];
/// The largest file of the menu that `clockd` reads, in bytes.
const MENU_LIMIT: u64 = 1024 * 1024;
/// The largest record, in bytes: the largest database with pages of 4 KiB.
const RECORD_LIMIT: u64 = 1 << 36;
/// The longest name in a folder, in bytes. A longer one does not fit into the header of a tar file.
const NAME_LIMIT: usize = 80;

/// A file that belongs to a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The record of the games.
    Record,
    /// What the menu at the clock keeps: the players' own controls, and the settings of the face.
    Menu,
    /// A file of the configuration, by its path below the folder of the configuration.
    Setting(String),
}

impl Place {
    /// The place of the file that has this name in a backup; `None` if no backup contains such a file.
    pub fn of(name: &str) -> Option<Place> {
        match name {
            "record.sqlite3" => Some(Place::Record),
            "menu.json" => Some(Place::Menu),
            _ => Place::of_setting(name.strip_prefix("settings/")?),
        }
    }

    /// The place of the file at this path below `/etc/chess-clock`; `None` if no backup contains it.
    pub fn of_setting(path: &str) -> Option<Place> {
        let is_known = match path.split_once('/') {
            None => FILES.contains(&path),
            Some((folder, name)) => FOLDERS.iter().any(|(known, ending, _)| {
                *known == folder && name.ends_with(ending) && is_plain(name)
            }),
        };
        is_known.then(|| Place::Setting(path.to_owned()))
    }

    /// The folders in `/etc/chess-clock` whose files belong to a backup.
    pub fn folders() -> impl Iterator<Item = &'static str> {
        FOLDERS.iter().map(|(folder, ..)| *folder)
    }

    /// The files directly in `/etc/chess-clock` that belong to a backup.
    pub fn files() -> impl Iterator<Item = &'static str> {
        FILES.into_iter()
    }

    /// The name in a backup.
    pub fn name(&self) -> String {
        match self {
            Place::Record => "record.sqlite3".to_owned(),
            Place::Menu => "menu.json".to_owned(),
            Place::Setting(path) => format!("settings/{path}"),
        }
    }

    /// The path on a clock, for messages.
    pub fn shown(&self) -> String {
        match self {
            Place::Record | Place::Menu => format!("/var/lib/chess-clock/{}", self.name()),
            Place::Setting(path) => format!("/etc/chess-clock/{path}"),
        }
    }

    /// The most bytes of the file.
    pub fn limit(&self) -> u64 {
        match self {
            Place::Record => RECORD_LIMIT,
            Place::Menu => MENU_LIMIT,
            Place::Setting(_) => u64::try_from(FILE_LIMIT).unwrap_or(u64::MAX),
        }
    }

    /// Whether the file can have a password: that of a broker, or of a wireless network.
    pub fn can_have_password(&self) -> bool {
        match self {
            Place::Record | Place::Menu => false,
            Place::Setting(path) => {
                path == "chessclock.applied"
                    || is_secret(path.split('/').next().unwrap_or_default())
            }
        }
    }

    /// Whether the file gives access to this clock, or lets this clock into something else: the keys of
    /// the arbiters, and all files that can have a password.
    pub fn is_account(&self) -> bool {
        let is_keys = |path: &str| path.starts_with("authorized-keys/");
        self.can_have_password() || matches!(self, Place::Setting(path) if is_keys(path))
    }

    /// The permissions of the file if a backup creates it. A file that exists keeps its permissions.
    pub fn mode(&self) -> u32 {
        match self {
            Place::Record | Place::Menu => 0o600,
            Place::Setting(_) if self.can_have_password() => 0o600,
            Place::Setting(_) => 0o644,
        }
    }
}

/// Whether the files in this folder of `/etc/chess-clock` can contain passwords.
pub(super) fn is_secret(folder: &str) -> bool {
    FOLDERS.iter().any(|(known, _, secret)| *known == folder && *secret)
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
            "record.sqlite3",
            "menu.json",
            "settings/clockd.toml",
            "settings/chessclock.applied",
            "settings/controls/club evening.toml",
            "settings/publish/mqtt.example.org",
            "settings/authorized-keys/arbiter",
        ] {
            assert_eq!(Place::of(name).map(|place| place.name()).as_deref(), Some(name));
        }
        for name in [
            "",
            "manifest.json",
            "record.sqlite3-wal",
            "/etc/passwd",
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

    #[test]
    fn keys_and_passwords_are_accounts_and_nothing_else() {
        let is_account = |name: &str| Place::of(name).unwrap().is_account();
        for name in ["publish/broker", "chessclock.applied", "authorized-keys/arbiter"] {
            assert!(is_account(&format!("settings/{name}")), "{name}");
        }
        for name in ["record.sqlite3", "menu.json", "settings/clockd.toml", "settings/rules/a.toml"]
        {
            assert!(!is_account(name), "{name}");
        }
    }

    #[test]
    fn only_root_reads_a_file_with_a_password() {
        let mode = |name| Place::of(name).unwrap().mode();
        assert_eq!(mode("settings/publish/broker"), 0o600);
        assert_eq!(mode("settings/chessclock.applied"), 0o600);
        assert_eq!(mode("settings/clockd.toml"), 0o644);
        // sshd reads the keys as another user.
        assert_eq!(mode("settings/authorized-keys/arbiter"), 0o644);
    }
}
