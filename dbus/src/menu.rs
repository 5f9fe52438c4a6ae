//! The page of the menu at the clock, and the settings of the face that are made there.

use crate::absent::{or_empty, or_minus_1};
use crate::properties::properties;
use clock_engine::words;
use clock_languages::Language;
use serde::{Deserialize, Serialize};
use zbus::Type;

words! {
    /// Whether the menu is open.
    #[derive(Default)]
    MenuState {
        /// A button that can open the menu is held. The menu does not open if it is released now.
        Hold = "hold",
        /// The press that opens the menu has lasted long enough. The menu opens when the buttons
        /// are released.
        Release = "release",
        /// The menu is open.
        Open = "open",
        /// The menu is closed.
        #[default]
        #[serde(other)]
        Closed = "closed",
    }
}

words! {
    /// The button of a hint, and how it is pressed.
    MenuButton {
        /// The button that the player of the white pieces uses.
        White = "white",
        /// The button that the player of the black pieces uses.
        Black = "black",
        /// Each throw of the rocker.
        Rocker = "rocker",
        /// The call button.
        Call = "call",
        /// The call button, held for at least as long as opens the menu.
        CallHeld = "call-held",
        /// The buttons of both players, held for at least as long as opens the menu.
        BothHeld = "both-held",
    }
}

/// A button, and what it does on a page.
#[derive(Clone, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
#[zbus(signature = "(ss)")]
pub struct MenuHint {
    /// The button. It is `None` if the service sent a word that this version does not know.
    #[serde(with = "or_empty")]
    pub button: Option<MenuButton>,
    /// What the button does: a text of at most 12 characters, or of at most 28 on a page of tiles.
    /// Text in parentheses is the time until the button does something.
    pub action: String,
}

/// A page of the menu as every face shows it. The default is the page of a closed menu.
///
/// A page without lines and with several hints is one of tiles: each hint is a choice, and a face shows
/// it large over its button.
///
/// The service keeps to the limits that the fields name. A client that receives more lines, or
/// longer texts, shows only a part of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
#[zbus(signature = "(susasxbba(ss)(ss)(ss))")]
pub struct MenuPage {
    /// Whether the menu is open. Unless it is, the other fields have their default values.
    pub state: MenuState,
    /// The number of the page, from 1 to 99, for faces that show digits only; 0 if the menu is not
    /// open. In the state [`MenuState::Hold`], how much of the hold has passed, in percent.
    pub number: u32,
    /// The title, of at most 28 characters.
    pub title: String,
    /// The visible lines, at most 6, each of at most 28 characters.
    pub lines: Vec<String>,
    /// The index of the chosen line among `lines`; `None`, which is -1 on the wire, if no line is
    /// chosen.
    #[serde(with = "or_minus_1")]
    pub chosen: Option<u32>,
    /// Whether there are lines above the first one.
    pub more_above: bool,
    /// Whether there are lines below the last one.
    pub more_below: bool,
    /// The buttons and what they do on this page, at most 4.
    pub hints: Vec<MenuHint>,
    /// Two lines for seven-segment digits, each of at most 8 of the characters `0` to `9`, `-`, `.`
    /// and space.
    pub segments: (String, String),
    /// White's and Black's time with what is chosen, for the halves of the face: `3:02` or `1:30:00`,
    /// each of at most 12 characters. Empty if the page sets no time. The part that the buttons change
    /// is in brackets: `1:[30]:00`.
    pub times: (String, String),
}

impl MenuPage {
    /// Whether the page is one of tiles: it has no lines, and each hint is a choice.
    pub fn is_tiles(&self) -> bool {
        self.lines.is_empty() && self.hints.len() > 1
    }
}

/// What was set for the face in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
#[zbus(signature = "(bxxs)")]
pub struct MenuSettings {
    /// Whether the face may sound its buzzer.
    pub sound: bool,
    /// The brightness of the screen in percent, from 10 to 100; `None`, which is -1 on the wire, if
    /// the schedule of the face decides.
    #[serde(with = "or_minus_1")]
    pub brightness_percent: Option<u8>,
    /// When the brightness was set, in nanoseconds of `CLOCK_REALTIME`; `None`, which is -1 on the
    /// wire, if there is no brightness. The face obeys the brightness until the end of the local
    /// day on which it was set.
    #[serde(with = "or_minus_1")]
    pub set_at_realtime_nsec: Option<u64>,
    /// The language of the pages. The face has this language too, unless the configuration of the
    /// face names another one.
    pub language: Language,
}

impl Default for MenuSettings {
    /// The sound is on, the schedule of the face decides the brightness, and the language is
    /// English.
    fn default() -> MenuSettings {
        MenuSettings {
            sound: true,
            brightness_percent: None,
            set_at_realtime_nsec: None,
            language: Language::default(),
        }
    }
}

properties! {
    /// The properties of `org.chessclock.Clock1.Menu`.
    MenuProperties {
        /// The page that every face shows.
        page: MenuPage = "Page",
        /// What was set for the face in the menu.
        settings: MenuSettings = "Settings",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{INTERFACE_XML, MENU_INTERFACE};
    use zbus::wire::serialized::{Context, Data};
    use zbus::wire::{NATIVE_ENDIAN, to_bytes};

    fn page() -> MenuPage {
        let hint =
            |button, action: &str| MenuHint { button: Some(button), action: action.to_owned() };
        MenuPage {
            state: MenuState::Open,
            number: 3,
            title: "Time control".to_owned(),
            lines: vec!["3+2".to_owned(), "5+0".to_owned()],
            chosen: Some(1),
            more_above: false,
            more_below: true,
            hints: vec![hint(MenuButton::Black, "on"), hint(MenuButton::CallHeld, "leave")],
            segments: ("03".to_owned(), "5.0".to_owned()),
            times: ("3:02".to_owned(), "[3]:02".to_owned()),
        }
    }

    #[test]
    fn the_types_have_the_signatures_of_the_xml() {
        let (_, menu) = INTERFACE_XML.split_once(&format!("name=\"{MENU_INTERFACE}\"")).unwrap();
        let written: Vec<_> =
            menu.lines().filter_map(|line| line.split_once("<property ")).collect();
        let listed: Vec<_> = MenuProperties::PROPERTIES
            .iter()
            .map(|(name, signature)| {
                format!("name=\"{name}\" type=\"{signature}\" access=\"read\"/>")
            })
            .collect();
        assert_eq!(written.iter().map(|(_, rest)| *rest).collect::<Vec<_>>(), listed);
    }

    #[test]
    fn a_page_is_read_as_it_was_written() {
        for page in [page(), MenuPage::default()] {
            let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &page).unwrap();
            assert_eq!(encoded.deserialize::<MenuPage>().unwrap().0, page);
        }
    }

    #[test]
    fn a_word_of_a_later_service_is_read_as_nothing() {
        let read = |word: &[u8]| {
            let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &page()).unwrap();
            let mut bytes = encoded.to_vec();
            let at = bytes.windows(word.len()).position(|bytes| bytes == word).unwrap();
            bytes[at] = b'?';
            Data::new(bytes, encoded.context()).deserialize::<MenuPage>().unwrap().0
        };
        assert_eq!(read(b"open").state, MenuState::Closed);
        let hints = read(b"call-held").hints;
        let buttons: Vec<_> = hints.iter().map(|hint| hint.button).collect();
        assert_eq!(buttons, [Some(MenuButton::Black), None]);
    }

    /// The values on the wire that stand for an absent one, in the order of the fields.
    #[test]
    fn absent_numbers_are_minus_1_on_the_wire() {
        type Wire = (
            String,
            u32,
            String,
            Vec<String>,
            i64,
            bool,
            bool,
            Vec<(String, String)>,
            (String, String),
            (String, String),
        );
        let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &MenuPage::default()).unwrap();
        let wire: Wire = encoded.deserialize().unwrap().0;
        let closed: Wire = (
            "closed".into(),
            0,
            String::new(),
            vec![],
            -1,
            false,
            false,
            vec![],
            Default::default(),
            Default::default(),
        );
        assert_eq!(wire, closed);
        let settings = MenuSettings::default();
        let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &settings).unwrap();
        let wire = encoded.deserialize::<(bool, i64, i64, String)>().unwrap().0;
        assert_eq!(wire, (true, -1, -1, "en".to_owned()));
        assert_eq!(encoded.deserialize::<MenuSettings>().unwrap().0, settings);
    }
}
