//! The contents of a set-up file, and how it is read.

use clock_engine::text::FileError;
use clock_languages::Language;
use clock_wiring::WiringTable;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

use super::value::{Arbiters, WiringValue, Wrong, checked, one_of};
use super::wifi::{RawWifi, Wifi, wifi};
use super::{host_name, ssh_key};
use crate::input::Text;

/// The name of the file on the boot partition.
pub const FILE_NAME: &str = "chessclock.toml";

/// The words of `arrangement`, which are those of `display.toml`.
pub const ARRANGEMENTS: [&str; 5] = ["side-by-side", "stacked", "facing", "auto", "largest"];
/// The angles of `rotation`, which are those of `display.toml`.
pub const ROTATIONS: [i64; 4] = [0, 90, 180, 270];
/// The longest number or name of a board in bytes, which is that of `clockd.toml`.
const BOARD_LIMIT: usize = 16;
/// The most arbiters.
const ARBITERS_LIMIT: usize = 100;
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
    /// How the halves of the players lie on the screen.
    pub arrangement: Option<&'static str>,
    /// How far the picture is turned, in degrees.
    pub rotation: Option<i64>,
    /// How the buttons are wired.
    pub wiring: Option<Wired>,
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
    arrangement: Option<Spanned<String>>,
    rotation: Option<Spanned<i64>>,
    wiring: Option<Spanned<WiringValue>>,
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
}

impl RawSetUp {
    fn set_up(self, text: &str) -> Result<SetUp, Wrong> {
        Ok(SetUp {
            host_name: checked(self.host_name, |name| {
                host_name::check(&name).map(|()| name.clone())
            })?,
            board: checked(self.board, |Text(board)| board_name(board))?,
            language: checked(self.language, |code| language(&code))?,
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
            wiring: self.wiring.map(|value| wired(value, text)).transpose()?,
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

/// The value of `wiring`. A table is checked as `clockd` checks a wiring file.
fn wired(value: Spanned<WiringValue>, text: &str) -> Result<Wired, Wrong> {
    let span = value.span();
    match value.into_inner() {
        WiringValue::Named(name) => {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
            if name.is_empty() || name.len() > NAME_LIMIT || !name.chars().all(is_plain) {
                let message = format!(
                    "`{name}`; expected the name of a wiring file such as \"raspberry-pi\", or a table [wiring] as in one"
                );
                return Err((span, message));
            }
            Ok(Wired::Named(name, span))
        }
        WiringValue::Table(table) => {
            table.check()?;
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
