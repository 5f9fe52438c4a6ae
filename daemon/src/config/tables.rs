//! The tables `[menu]`, `[record]` and `[captains]` of `clockd.toml`.

use super::{ConfigError, Duration, Named};
use crate::game::Captains;
use clock_engine::{PerSide, Span};
use clock_languages::Language;
use clockd_core::{InputKind, MenuOpening};
use clockd_menu::{ArbiterCode, MAX_FAVOURITES, MenuConfig, When, favourite};
use serde::Deserialize;
use std::ops::Range;
use std::path::PathBuf;
use toml::Spanned;

#[derive(Clone, Debug)]
pub struct Menu {
    pub config: MenuConfig,
    /// What is wrong with the arbiter's code if the board has a rocker, with the position of the
    /// code. The name is empty, because the code appears in no message.
    on_rocker: Option<(Named, String)>,
}

impl Menu {
    /// Refuses an arbiter's code that cannot be entered with this kind of switch.
    pub(super) fn check_switch(&self, kind: InputKind) -> Result<(), ConfigError> {
        match &self.on_rocker {
            Some((place, message)) if kind == InputKind::Rocker => {
                Err(place.wrong(message.clone()))
            }
            _ => Ok(()),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [menu]")]
pub(super) struct RawMenu {
    when: Option<Spanned<String>>,
    controls: Option<Spanned<Vec<Spanned<String>>>>,
    arbiter_code: Option<Spanned<String>>,
    hold: Option<Spanned<Duration>>,
    language: Option<Spanned<String>>,
}

impl RawMenu {
    /// The values of the table `[menu]`, with defaults for missing keys. `place` gives the position
    /// of a text. The error is the position in the text and the message.
    pub(super) fn menu(
        self,
        place: impl Fn(Spanned<String>) -> Named,
    ) -> Result<Menu, (Range<usize>, String)> {
        let when = self.when.map(|when| {
            let expected = "expected \"off\", \"between-games\" or \"always\"";
            When::from_text(when.get_ref())
                .ok_or_else(|| (when.span(), format!("`{}`; {expected}", when.get_ref())))
        });
        let language = self.language.map(|code| {
            let codes = Language::ALL.map(|language| format!("\"{}\"", language.code()));
            let [others @ .., last] = &codes;
            let expected = format!("expected {} or {last}", others.join(", "));
            Language::from_code(code.get_ref())
                .ok_or_else(|| (code.span(), format!("`{}`; {expected}", code.get_ref())))
        });
        let parsed = |code: &Spanned<String>, rocker| {
            ArbiterCode::parse(code.get_ref(), rocker).map_err(|message| (code.span(), message))
        };
        let code = self.arbiter_code.as_ref().map(|code| parsed(code, false)).transpose()?;
        let on_rocker = self.arbiter_code.and_then(|code| {
            let (span, message) = parsed(&code, true).err()?;
            Some((place(Spanned::new(span, String::new())), message))
        });
        let mut config = MenuConfig { code, ..MenuConfig::default() };
        if let Some(controls) = self.controls {
            let (span, controls) = (controls.span(), controls.into_inner());
            let count = controls.len();
            if count > MAX_FAVOURITES {
                let expected = format!("expected {MAX_FAVOURITES} at most");
                return Err((span, format!("{count} time controls in the menu; {expected}")));
            }
            let read = |control: &Spanned<String>| {
                favourite(control.get_ref()).map_err(|error| (control.span(), error.to_string()))
            };
            config.favourites = controls.iter().map(read).collect::<Result<_, _>>()?;
        }
        if let Some(hold) = self.hold {
            let (span, hold) = (hold.span(), hold.into_inner().0);
            let (shortest, longest) = MenuOpening::HOLDS;
            config.opening = MenuOpening::new(hold).ok_or_else(|| {
                (span, format!("a hold of {hold}; expected {shortest} to {longest}"))
            })?;
        }
        config.when = when.transpose()?.unwrap_or_default();
        config.language = language.transpose()?.unwrap_or_default();
        Ok(Menu { config, on_rocker })
    }
}

/// How many games are kept, unless the configuration says otherwise. This number of games needs at
/// most about 230 MB.
const DEFAULT_GAMES: u32 = 2_000;
/// How often the time of a running clock is stored, unless the configuration says otherwise.
const DEFAULT_CHECKPOINT: Span = Span::from_secs(5);
/// The longest interval for `checkpoint`. With a longer interval, a power cut could lose more time
/// than a player can remember.
const LONGEST_CHECKPOINT: Span = Span::from_secs(60);
/// The shortest interval for `checkpoint`. A shorter one would wear out an SD card.
const SHORTEST_CHECKPOINT: Span = Span::from_secs(1);

/// How the record is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordConfig {
    /// The folder of the record; `None` if the configuration names none.
    pub path: Option<PathBuf>,
    /// How many games are kept.
    pub keep_games: u32,
    /// How often the time of a running clock is stored.
    pub checkpoint: Span,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [record]")]
pub(super) struct RawRecord {
    path: Option<Spanned<PathBuf>>,
    keep_games: Option<Spanned<u32>>,
    checkpoint: Option<Spanned<Duration>>,
}

impl RawRecord {
    /// The values of the table `[record]`, with defaults for missing keys. The error is the
    /// position in the text and the message.
    pub(super) fn record(self) -> Result<RecordConfig, (Range<usize>, String)> {
        let path = self.path.map(|path| {
            let text = path.get_ref().to_string_lossy();
            match path.get_ref().is_absolute() && !text.contains(char::is_control) {
                true => Ok(path.into_inner()),
                false => Err((
                    path.span(),
                    "expected an absolute path without control characters".to_owned(),
                )),
            }
        });
        let keep_games = self.keep_games.map(|count| match *count.get_ref() {
            0 => Err((count.span(), "expected at least 1".to_owned())),
            count => Ok(count),
        });
        let checkpoint = self.checkpoint.map(|span| {
            let allowed = SHORTEST_CHECKPOINT..=LONGEST_CHECKPOINT;
            match span.get_ref().0 {
                given if allowed.contains(&given) => Ok(given),
                _ => Err((span.span(), "expected 1 s to 60 s".to_owned())),
            }
        });
        Ok(RecordConfig {
            path: path.transpose()?,
            keep_games: keep_games.transpose()?.unwrap_or(DEFAULT_GAMES),
            checkpoint: checkpoint.transpose()?.unwrap_or(DEFAULT_CHECKPOINT),
        })
    }
}

/// The file that lists the users of this machine.
const USERS: &str = "/etc/passwd";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [captains]")]
pub(super) struct RawCaptains {
    white: Option<Spanned<String>>,
    black: Option<Spanned<String>>,
    designate: Option<Spanned<String>>,
}

impl RawCaptains {
    /// The user ids of the captains and of the designate. The list of users is read only if the
    /// table names a user. The error is the position in the text of the configuration and the
    /// message.
    pub fn captains(self) -> Result<Captains, (Range<usize>, String)> {
        let RawCaptains { white, black, designate } = self;
        let users = match (&white, &black, &designate) {
            (None, None, None) => String::new(),
            // A list that cannot be read counts as empty. Users can then be given by number only.
            _ => std::fs::read_to_string(USERS).unwrap_or_default(),
        };
        let uid = |user: Option<Spanned<String>>| user.map(|user| found(&users, user)).transpose();
        let captains = PerSide { white: uid(white)?, black: uid(black)? };
        Ok(Captains { captains, designate: uid(designate)? })
    }
}

fn found(users: &str, user: Spanned<String>) -> Result<u32, (Range<usize>, String)> {
    let (span, user) = (user.span(), user.into_inner());
    uid_of(users, &user).ok_or_else(|| {
        (span, format!("no user `{user}`; expected the name or the number of a user in {USERS}"))
    })
}

/// The id of a user who is given by number or by name.
fn uid_of(users: &str, user: &str) -> Option<u32> {
    if let Ok(uid) = user.parse() {
        return Some(uid);
    }
    let mut lines = users.lines().map(|line| line.split(':'));
    lines.find_map(|mut fields| (fields.next()? == user).then(|| fields.nth(1)?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use clock_languages::Language;
    use clockd_core::InputKind;
    use std::path::Path;

    fn parse(text: &str) -> Result<Menu, String> {
        let config = Config::parse(Path::new("clockd.toml"), text.to_owned(), None);
        config.map(|config| config.menu).map_err(|error| error.to_string())
    }

    const ALL_LANGUAGES: &str = "expected \"en\", \"de\", \"fr\", \"es\", \"nl\", \"pl\" or \"ga\"";

    #[test]
    fn the_language_is_english_unless_another_one_is_given() {
        let language = |text: &str| parse(text).unwrap().config.language;
        assert_eq!(language(""), Language::English);
        assert_eq!(language("[menu]\nlanguage = 'de'\n"), Language::German);
    }

    #[test]
    fn the_shipped_file_has_the_default_values() {
        let shipped = parse(include_str!("../../../configs/clockd.toml")).unwrap();
        assert_eq!(format!("{:?}", shipped.config), format!("{:?}", MenuConfig::default()));
    }

    #[test]
    fn mistakes_in_the_menu_are_named_with_their_line_and_never_show_the_code() {
        for (line, parts) in [
            ("when = 'never'", ["clockd.toml:2:8", "`never`", "\"between-games\""]),
            ("controls = ['3+2', '3+2+1']", ["clockd.toml:2:20", "3+2+1", "character 4"]),
            ("controls = 3", ["clockd.toml:2:", "3", "expected"]),
            ("hold = '500ms'", ["clockd.toml:2:8", "0:00:00.5", "expected 0:00:01 to 0:00:08"]),
            ("language = 'dk'", ["clockd.toml:2:12", "`dk`", ALL_LANGUAGES]),
            ("arbiter_code = 'wbx'", ["clockd.toml:2:16", "3 letters", "expected"]),
            ("code = 'wbbw'", ["clockd.toml:2:", "`code`", "expected one of"]),
        ] {
            let error = parse(&format!("[menu]\n{line}\n")).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{line}: {error}");
            }
            assert!(!error.contains("wbx"), "{error}");
        }
        let many = format!("[menu]\ncontrols = [{}]\n", "'3+2',".repeat(25));
        assert!(
            parse(&many).unwrap_err().starts_with("clockd.toml:2:12: `controls`: 25 time controls")
        );
    }

    #[test]
    fn a_code_with_a_repeated_letter_is_refused_on_a_rocker_only() {
        let repeated = parse("[menu]\narbiter_code = 'wbbw'\n").unwrap();
        assert!(repeated.check_switch(InputKind::Buttons).is_ok());
        let error = repeated.check_switch(InputKind::Rocker).unwrap_err().to_string();
        assert!(error.starts_with("clockd.toml:2:16: ") && !error.contains("wbbw"), "{error}");
        let alternating = parse("[menu]\narbiter_code = 'wbwb'\n").unwrap();
        assert!(alternating.check_switch(InputKind::Rocker).is_ok());
        assert!(!format!("{alternating:?}").contains("wbwb"));
    }

    #[test]
    fn a_user_is_given_by_name_or_by_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\nvera:x:1001:1001::/home/vera:/bin/sh\nbroken\n";
        for (user, uid) in [
            ("vera", Some(1001)),
            ("root", Some(0)),
            ("4000", Some(4000)),
            ("sonja", None),
            ("broken", None),
            ("", None),
            ("-1", None),
        ] {
            assert_eq!(uid_of(users, user), uid, "{user}");
        }
    }

    #[test]
    fn a_user_who_does_not_exist_is_named_with_the_place() {
        let raw: RawCaptains = toml::from_str("white = '7'\nblack = 'no body'\n").unwrap();
        let (span, message) = raw.captains().unwrap_err();
        assert_eq!(span, 20..29);
        assert!(message.contains("`no body`"), "{message}");
        assert_eq!(RawCaptains::default().captains().unwrap(), Captains::default());
    }
}
