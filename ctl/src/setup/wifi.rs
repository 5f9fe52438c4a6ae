//! The table `[wifi]` of the set-up file.

use super::value::{Passphrase, Wrong, checked};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

/// The wireless network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wifi {
    /// The country whose radio regulations apply: its two letters of ISO 3166.
    pub country: String,
    /// The name of the network.
    pub ssid: String,
    /// Its passphrase; `None` for an open network.
    pub passphrase: Option<Secret>,
}

/// A passphrase of the file, with its position. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    text: String,
    /// The bytes between the quotation marks.
    pub inside: Range<usize>,
}

impl Secret {
    /// The passphrase in the file. `None` if there are stars in its place. They stand for the
    /// passphrase that the clock has kept.
    pub fn given(&self) -> Option<&str> {
        (!is_masked(&self.text)).then_some(self.text.as_str())
    }

    /// The text of the file with stars in place of the passphrase. It has the same length.
    pub fn masked(&self, file: &str) -> String {
        let stars = "*".repeat(self.inside.len());
        format!("{}{stars}{}", &file[..self.inside.start], &file[self.inside.end..])
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [wifi]")]
pub(super) struct RawWifi {
    country: Spanned<String>,
    ssid: Spanned<String>,
    passphrase: Option<Spanned<Passphrase>>,
}

/// Reads the table `[wifi]` of the text `file`.
pub(super) fn wifi(table: Spanned<RawWifi>, file: &str) -> Result<Spanned<Wifi>, Wrong> {
    let span = table.span();
    let RawWifi { country, ssid, passphrase } = table.into_inner();
    let country = checked(Some(country), |country| {
        let is_good = country.len() == 2 && country.bytes().all(|it| it.is_ascii_uppercase());
        is_good.then(|| country.clone()).ok_or_else(|| {
            format!("`{country}`; expected two capital letters (ISO 3166) such as \"IE\"")
        })
    })?;
    let ssid = checked(Some(ssid), |ssid| {
        let is_good = !ssid.is_empty() && ssid.len() <= 32 && is_printable(&ssid);
        is_good.then(|| ssid.clone()).ok_or_else(|| {
            format!(
                "`{ssid}`; expected the name of a network in 1 to 32 printable ASCII characters"
            )
        })
    })?;
    let passphrase = passphrase.map(|passphrase| secret(passphrase, file)).transpose()?;
    let (country, ssid) = (country.unwrap_or_default(), ssid.unwrap_or_default());
    Ok(Spanned::new(span, Wifi { country, ssid, passphrase }))
}

fn is_masked(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'*')
}

fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// The error messages do not repeat the passphrase, because they are shown on the face.
fn secret(passphrase: Spanned<Passphrase>, file: &str) -> Result<Secret, Wrong> {
    let (span, Passphrase(text)) = (passphrase.span(), passphrase.into_inner());
    // With escape sequences, the passphrase takes more bytes in the file than it has.
    let is_masked = !text.is_empty() && is_masked(&text);
    if !is_masked && (!(8..=63).contains(&text.len()) || !is_printable(&text)) {
        let message = format!(
            "the passphrase has {} bytes; expected 8 to 63 printable ASCII characters, or no key `passphrase` for an open network",
            text.len()
        );
        return Err((span, message));
    }
    let quoted = &file[span.clone()];
    let marks = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
    Ok(Secret { text, inside: span.start + marks..span.end - marks })
}
