//! The file `menu.json` in the state folder: what the menu keeps over a restart.

use clock_controls::replace_file;
use clock_controls::{NamedControl, open_regular};
use clock_languages::Language;
use clockd_menu::{OWN_CONTROLS, Settings};
use serde::{Deserialize, Serialize};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

const NAME: &str = "menu.json";
/// The largest size of the file that is read, in bytes: five control files with the escapes of JSON.
const MAX_BYTES: u64 = 1024 * 1024;

/// What the menu keeps over a restart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// The controls of the players' own, the latest one first.
    pub own: Vec<NamedControl>,
    pub settings: Settings,
    /// When the brightness was set, in nanoseconds of CLOCK_REALTIME; `None` if none was set.
    pub brightness_set_at: Option<u64>,
    /// How many arbiter's codes were wrong since the last right one.
    pub wrong_codes: u32,
}

impl Kept {
    /// Keeps a control as the first of the players' own, and only the latest [`OWN_CONTROLS`].
    pub fn keep(&mut self, control: NamedControl) {
        self.own.retain(|own| own.control != control.control);
        self.own.insert(0, control);
        self.own.truncate(OWN_CONTROLS);
    }
}

/// [`Kept`] in the form in which it is stored. A key that is missing, for example because an earlier
/// version wrote the file, has its default value.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Stored {
    /// An earlier version wrote `null` for a place without a control.
    own_controls: Vec<Option<StoredControl>>,
    silent: bool,
    brightness: Option<u64>,
    brightness_set_at_realtime_ns: Option<u64>,
    /// The code of ISO 639-1.
    language: Option<String>,
    wrong_codes: u32,
}

/// The name and the text of a control file.
#[derive(Serialize, Deserialize)]
struct StoredControl {
    name: String,
    text: String,
}

impl From<&Kept> for Stored {
    fn from(kept: &Kept) -> Stored {
        let control = |NamedControl { name, text, .. }: &NamedControl| {
            Some(StoredControl { name: name.clone(), text: text.clone() })
        };
        Stored {
            own_controls: kept.own.iter().map(control).collect(),
            silent: !kept.settings.sound,
            brightness: kept.settings.brightness.map(u64::from),
            brightness_set_at_realtime_ns: kept.brightness_set_at,
            language: kept.settings.language.map(|language| language.code().to_owned()),
            wrong_codes: kept.wrong_codes,
        }
    }
}

impl From<Stored> for Kept {
    /// A control that this version cannot read is left out, and so are a brightness outside its
    /// range and a language that this version does not have.
    fn from(stored: Stored) -> Kept {
        let read = |StoredControl { name, text }| NamedControl::parse(&name, text, NAME).ok();
        let own = stored.own_controls.into_iter().flatten().filter_map(read);
        let brightness = stored.brightness.and_then(|percent| u8::try_from(percent).ok());
        let brightness = brightness.filter(|percent| (10..=100).contains(percent));
        let language = stored.language.and_then(|code| Language::from_code(&code));
        let set_at = stored.brightness_set_at_realtime_ns;
        Kept {
            own: own.take(OWN_CONTROLS).collect(),
            settings: Settings { sound: !stored.silent, brightness, language },
            brightness_set_at: set_at.filter(|_| brightness.is_some()),
            wrong_codes: stored.wrong_codes,
        }
    }
}

#[derive(Clone)]
pub struct StateFile {
    path: PathBuf,
}

impl StateFile {
    pub fn in_folder(folder: &Path) -> StateFile {
        StateFile { path: folder.join(NAME) }
    }

    /// Reads the file. Returns the default if there is no file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is too large, or is not in the form that this version writes. It is
    /// then moved aside, to a name that ends with `.unreadable`, so that the next [`StateFile::store`]
    /// does not replace the controls in it.
    pub fn load(&self) -> io::Result<Kept> {
        self.read().map_err(|error| {
            let aside = self.path.with_extension("json.unreadable");
            match std::fs::rename(&self.path, &aside) {
                Ok(()) => io::Error::other(format!("{error}; it is now {}", aside.display())),
                Err(_) => error,
            }
        })
    }

    fn read(&self) -> io::Result<Kept> {
        let file = match open_regular(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
            file => file?,
        };
        let mut json = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut json)?;
        if u64::try_from(json.len()).map_or(true, |length| length > MAX_BYTES) {
            return Err(io::Error::other("larger than 1 MiB"));
        }
        let stored: Stored = serde_json::from_slice(&json).map_err(io::Error::other)?;
        Ok(Kept::from(stored))
    }

    /// Replaces the file as a whole. After a power cut at any instant, either the earlier or the new
    /// contents are there.
    ///
    /// # Errors
    ///
    /// The file cannot be written. In that case the earlier file is still there.
    pub fn store(&self, kept: &Kept) -> io::Result<()> {
        let json = serde_json::to_vec(&Stored::from(kept)).map_err(io::Error::other)?;
        replace_file(&self.path, &json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn kept() -> Kept {
        let mut kept = Kept { wrong_codes: 3, brightness_set_at: Some(7), ..Kept::default() };
        kept.keep(NamedControl::from_notation("7+4").unwrap());
        let (brightness, language) = (Some(30), Some(Language::Irish));
        kept.settings = Settings { sound: false, brightness, language };
        kept
    }

    #[test]
    fn what_is_stored_is_read_again_and_a_missing_file_is_the_default() {
        let folder = tempfile::tempdir().unwrap();
        let file = StateFile::in_folder(folder.path());
        assert_eq!(file.load().unwrap(), Kept::default());
        file.store(&kept()).unwrap();
        assert_eq!(file.load().unwrap(), kept());
        file.store(&Kept::default()).unwrap();
        assert_eq!(file.load().unwrap(), Kept::default());
    }

    #[test]
    fn the_latest_five_controls_are_kept_each_once() {
        let mut kept = Kept::default();
        for notation in ["1+0", "2+0", "3+0", "4+0", "5+0", "6+0", "3+0"] {
            kept.keep(NamedControl::from_notation(notation).unwrap());
        }
        let names: Vec<&str> = kept.own.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names, ["G/3", "G/6", "G/5", "G/4", "G/2"]);
    }

    #[test]
    fn a_damaged_file_is_an_error_and_a_wrong_value_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = StateFile::in_folder(folder.path());
        fs::write(folder.path().join(NAME), "{\"own_controls\":").unwrap();
        let said = file.load().unwrap_err().to_string();
        assert!(said.contains("; it is now ") && said.ends_with("/menu.json.unreadable"), "{said}");
        let aside = fs::read_to_string(folder.path().join("menu.json.unreadable")).unwrap();
        assert_eq!(aside, "{\"own_controls\":");
        assert_eq!(file.load().unwrap(), Kept::default(), "a new start");
        fs::write(
            folder.path().join(NAME),
            r#"{"own_controls":[{"name":"x","text":"y"},null],"brightness":300,
                "brightness_set_at_realtime_ns":1,"language":"xx"}"#,
        )
        .unwrap();
        assert_eq!(file.load().unwrap(), Kept::default());
        let large = " ".repeat(usize::try_from(MAX_BYTES).unwrap() + 1);
        fs::write(folder.path().join(NAME), large).unwrap();
        assert!(file.load().is_err());
    }
}
