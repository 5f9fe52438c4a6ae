//! The table `[menu]` of `clockd.toml`.

use super::{ConfigError, Duration, Named};
use clock_languages::Language;
use clockd_core::{InputKind, MenuOpening};
use clockd_menu::{ArbiterCode, MAX_FAVOURITES, MenuConfig, When, favourite};
use serde::Deserialize;
use std::ops::Range;
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

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use clock_languages::Language;
    use clockd_core::InputKind;
    use std::path::Path;

    fn parse(text: &str) -> Result<super::Menu, String> {
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
        assert_eq!(format!("{:?}", shipped.config), format!("{:?}", super::MenuConfig::default()));
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
}
