//! The contents of a set-up file, and how it is read.

use clock_engine::text::FileError;
use clock_languages::Language;
use clock_wiring::{WantedMode, WiringTable};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

use super::start::{self, Use, is_name};
use super::value::{Arbiters, WiringValue, Wrong, checked, one_of, spanned};
use super::wifi::{RawWifi, Wifi, wifi};
use super::{host_name, ssh_key, time_zone};
use crate::input::Text;

/// The name of the file on the boot partition.
pub const FILE_NAME: &str = "chessclock.toml";

/// The keys of the file.
pub const KEYS: [&str; 14] = [
    "host_name",
    "board",
    "language",
    "time_zone",
    "arrangement",
    "rotation",
    "screen_mode",
    "use",
    "control",
    "rules",
    "wiring",
    "call_button",
    "arbiters",
    "wifi",
];

/// The words of `arrangement`, which are those of `display.toml`.
pub const ARRANGEMENTS: [&str; 5] = ["side-by-side", "stacked", "facing", "auto", "largest"];
/// The angles of `rotation`, which are those of `display.toml`.
pub const ROTATIONS: [i64; 4] = [0, 90, 180, 270];
/// The longest number or name of a board in bytes, which is that of `clockd.toml`.
const BOARD_LIMIT: usize = 16;
/// The most arbiters.
const ARBITERS_LIMIT: usize = 100;
/// What the name of a wiring file ends with if it is for a board without a call button.
const TWO_BUTTONS: &str = "-two-buttons";
/// The longest name of an arbiter in bytes.
const NAME_LIMIT: usize = 100;

/// The contents of a set-up file. What it leaves out stays as it is on the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetUp {
    /// The name of the machine in the network.
    pub host_name: Option<String>,
    /// The number of the table.
    pub board: Option<String>,
    /// The language of the menu and of the face.
    pub language: Option<Language>,
    /// The time zone of the place, such as `Europe/Berlin`.
    pub time_zone: Option<Spanned<String>>,
    /// How the halves of the players lie on the screen.
    pub arrangement: Option<&'static str>,
    /// How far the picture is turned, in degrees.
    pub rotation: Option<i64>,
    /// The size and the rate of the picture.
    pub screen_mode: Option<WantedMode>,
    /// What the clock is used for.
    pub use_for: Option<Spanned<Use>>,
    /// The time control that the clock starts with, by name or notation.
    pub control: Option<Spanned<String>>,
    /// The name of the rule profile that the clock starts with.
    pub rules: Option<Spanned<String>>,
    /// How the buttons are wired.
    pub wiring: Option<Wired>,
    /// Whether the board has a call button.
    pub call_button: Option<Spanned<bool>>,
    /// Who may command the clock. `None` if the file has no table `[arbiters]`.
    pub arbiters: Option<Spanned<Vec<Arbiter>>>,
    /// The wireless network.
    pub wifi: Option<Spanned<Wifi>>,
}

/// How the buttons are wired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wired {
    /// The name of a wiring file, and its position in the text.
    Named(String, Range<usize>),
    /// The text of a wiring file.
    Written(String),
}

/// An arbiter: a name, and the public key with which he logs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arbiter {
    pub name: String,
    /// The type of the key and its base64, such as `ssh-ed25519 AAAA…`.
    pub key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct RawSetUp {
    host_name: Option<Spanned<String>>,
    board: Option<Spanned<Text>>,
    language: Option<Spanned<String>>,
    time_zone: Option<Spanned<String>>,
    arrangement: Option<Spanned<String>>,
    rotation: Option<Spanned<i64>>,
    screen_mode: Option<Spanned<String>>,
    #[serde(rename = "use")]
    use_for: Option<Spanned<String>>,
    control: Option<Spanned<String>>,
    rules: Option<Spanned<String>>,
    wiring: Option<Spanned<WiringValue>>,
    call_button: Option<Spanned<bool>>,
    arbiters: Option<Spanned<Arbiters>>,
    wifi: Option<Spanned<RawWifi>>,
}

impl SetUp {
    /// Reads the text of a set-up file.
    ///
    /// # Errors
    ///
    /// The first mistake, with its line and column.
    pub fn parse(text: &str) -> Result<SetUp, FileError> {
        let raw: RawSetUp =
            toml::from_str(text).map_err(|error| FileError::of_toml(text, &error))?;
        raw.set_up(text).map_err(|(span, message)| FileError::of_value(text, span, &message))
    }

    /// The time control that the clock starts with. The key `control` has precedence over `use`.
    pub fn start_control(&self) -> Option<Spanned<String>> {
        self.control.clone().or_else(|| self.of_use(|(control, _)| control))
    }

    /// The rule profile that the clock starts with. The key `rules` has precedence over `use`.
    pub fn start_rules(&self) -> Option<Spanned<String>> {
        self.rules.clone().or_else(|| self.of_use(|(_, rules)| rules))
    }

    fn of_use(
        &self,
        part: fn((&'static str, &'static str)) -> &'static str,
    ) -> Option<Spanned<String>> {
        let use_for = self.use_for.as_ref()?;
        Some(Spanned::new(use_for.span(), part(use_for.get_ref().game()).to_owned()))
    }

    /// The name of the wiring file, with the position of the key that decides. `present` is the one that
    /// the clock has. With and without a call button, its names differ in the ending `-two-buttons`.
    pub fn wiring_name(&self, present: &str) -> Option<Spanned<String>> {
        let (name, span) = match &self.wiring {
            Some(Wired::Named(name, span)) => (name.as_str(), Some(span)),
            Some(Wired::Written(_)) => return None,
            None => (present, None),
        };
        let three = name.strip_suffix(TWO_BUTTONS).unwrap_or(name);
        match self.call_button.as_ref().map(|it| (*it.get_ref(), it.span())) {
            None => span.map(|span| Spanned::new(span.clone(), name.to_owned())),
            Some((true, span)) => Some(Spanned::new(span, three.to_owned())),
            Some((false, span)) => Some(Spanned::new(span, format!("{three}{TWO_BUTTONS}"))),
        }
    }
}

impl RawSetUp {
    fn set_up(self, text: &str) -> Result<SetUp, Wrong> {
        Ok(SetUp {
            host_name: checked(self.host_name, |name| {
                host_name::check(&name).map(|()| name.clone())
            })?,
            board: checked(self.board, |Text(board)| board_name(board))?,
            language: checked(self.language, |code| language(&code))?,
            time_zone: spanned(self.time_zone, |name| {
                time_zone::check(name).map(|()| name.to_owned())
            })?,
            arrangement: checked(self.arrangement, |word| {
                let known = ARRANGEMENTS.into_iter().find(|known| *known == word);
                let expected = ARRANGEMENTS.map(|word| format!("\"{word}\""));
                known.ok_or_else(|| format!("`{word}`; expected {}", one_of(&expected)))
            })?,
            rotation: checked(self.rotation, |degrees| {
                let expected = ROTATIONS.map(|degrees| degrees.to_string());
                let is_known = ROTATIONS.contains(&degrees);
                is_known.then_some(degrees).ok_or_else(|| {
                    format!("`{degrees}`; expected {}, in degrees clockwise", one_of(&expected))
                })
            })?,
            screen_mode: checked(self.screen_mode, |text| text.parse())?,
            use_for: spanned(self.use_for, start::use_for)?,
            control: spanned(self.control, start::control)?,
            rules: spanned(self.rules, start::rules)?,
            wiring: self.wiring.map(|value| wired(value, &self.call_button, text)).transpose()?,
            call_button: self.call_button,
            arbiters: self.arbiters.map(arbiters).transpose()?,
            wifi: self.wifi.map(|table| wifi(table, text)).transpose()?,
        })
    }
}

fn board_name(board: String) -> Result<String, String> {
    const EXPECTED: &str = "expected a number from 1 to 9999, or a name such as \"A3\" of at most 16 letters and digits";
    let is_number = board.bytes().all(|byte| byte.is_ascii_digit());
    let is_good = match is_number {
        true => board.parse().is_ok_and(|number: u32| (1..=9999).contains(&number)),
        false => {
            board.len() <= BOARD_LIMIT && board.chars().all(|letter| letter.is_ascii_alphanumeric())
        }
    };
    is_good.then(|| board.clone()).ok_or_else(|| format!("`{board}`; {EXPECTED}"))
}

fn language(code: &str) -> Result<Language, String> {
    let codes = Language::ALL.map(|known| format!("\"{}\"", known.code()));
    Language::from_code(code).ok_or_else(|| format!("`{code}`; expected {}", one_of(&codes)))
}

/// The value of `wiring`. A table is checked as `clockd` checks a wiring file. It has the call button that
/// `call_button` says, if that key is given.
fn wired(
    value: Spanned<WiringValue>,
    call_button: &Option<Spanned<bool>>,
    text: &str,
) -> Result<Wired, Wrong> {
    let span = value.span();
    match value.into_inner() {
        WiringValue::Named(name) => {
            if !is_name(&name) {
                let message = format!(
                    "`{name}`; expected the name of a wiring file such as \"raspberry-pi\", or a table [wiring] as in one"
                );
                return Err((span, message));
            }
            Ok(Wired::Named(name, span))
        }
        WiringValue::Table(table) => {
            table.check()?;
            if let Some(given) = call_button
                && *given.get_ref() != table.call.is_some()
            {
                let message = match given.get_ref() {
                    true => "`true`, but the table [wiring] has no [wiring.call]; expected false",
                    false => "`false`, but the table [wiring] has [wiring.call]; expected true",
                };
                return Err((given.span(), message.to_owned()));
            }
            let whole: toml::Table =
                toml::from_str(text).map_err(|error| (span.clone(), error.to_string()))?;
            let written = whole.get("wiring").map(toml::to_string).transpose();
            let written = written.map_err(|error| (span, error.to_string()))?;
            Ok(Wired::Written(written.unwrap_or_default()))
        }
    }
}

fn arbiters(table: Spanned<Arbiters>) -> Result<Spanned<Vec<Arbiter>>, Wrong> {
    let whole = table.span();
    let Arbiters(entries) = table.into_inner();
    if entries.len() > ARBITERS_LIMIT {
        let message = format!("{} arbiters; at most {ARBITERS_LIMIT}", entries.len());
        return Err((whole, message));
    }
    let mut found: Vec<Arbiter> = Vec::new();
    for (name, key) in entries {
        let span = key.span();
        let wrong = |why: String| (span.clone(), why);
        if name.trim().is_empty() || name.len() > NAME_LIMIT || name.chars().any(char::is_control) {
            return Err(wrong(format!(
                "the arbiter {name:?}: expected a name without control characters, in at most {NAME_LIMIT} bytes"
            )));
        }
        let key = ssh_key::parse(key.get_ref())
            .map_err(|why| wrong(format!("the key of {name}: {why}")))?;
        if let Some(same) = found.iter().find(|other| other.key == key) {
            return Err(wrong(format!("{name} has the same key as {}", same.name)));
        }
        found.push(Arbiter { name, key });
    }
    Ok(Spanned::new(whole, found))
}

/// Checks the text of a wiring file as `clockd` does.
///
/// # Errors
///
/// The first mistake, with its line and column.
pub fn check_wiring(text: &str) -> Result<(), FileError> {
    let table: WiringTable =
        toml::from_str(text).map_err(|error| FileError::of_toml(text, &error))?;
    table.check().map_err(|(span, message)| FileError::of_value(text, span, &message))
}
