//! `clockctl image show`.

use std::path::Path;

use anyhow::Result;
use clock_engine::text::FileError;
use clockctl::setup::{FILE_NAME, SetUp, Wired};
use serde::Serialize;
use toml::Spanned;

use super::files::wrong_at;
use crate::{card::Card, failure::Failure, options::Options, out, text::plain};

/// The settings of a card, for scripts. A key that the file leaves out is null.
#[derive(Serialize)]
struct SettingsJson<'a> {
    card: &'a Path,
    host_name: Option<String>,
    board: Option<String>,
    language: Option<&'static str>,
    arrangement: Option<&'static str>,
    rotation: Option<i64>,
    #[serde(rename = "use")]
    use_for: Option<&'static str>,
    control: Option<String>,
    rules: Option<String>,
    wiring: Option<WiringJson>,
    call_button: Option<bool>,
    arbiters: Option<Vec<ArbiterJson>>,
    wifi: Option<WifiJson>,
}

/// How the buttons are wired: one of the two is null.
#[derive(Serialize)]
struct WiringJson {
    name: Option<String>,
    text: Option<String>,
}

#[derive(Serialize)]
struct ArbiterJson {
    name: String,
    key: String,
}

#[derive(Serialize)]
struct WifiJson {
    country: String,
    ssid: String,
    has_passphrase: bool,
}

pub fn run(options: &Options, path: &Path) -> Result<()> {
    let bytes = Card::open(path)?.read(FILE_NAME)?.ok_or_else(|| {
        Failure::Usage(format!(
            "{}: it has no {FILE_NAME}; clockctl image set writes one",
            path.display()
        ))
    })?;
    let wrong = |error: FileError| wrong_at(&path.join(FILE_NAME), &error);
    let text = FileError::text(bytes).map_err(wrong)?;
    let set_up = SetUp::parse(&text).map_err(wrong)?;
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return out::print_json(&json(path, set_up));
    }
    let passphrase = set_up.wifi.and_then(|wifi| wifi.into_inner().passphrase);
    let shown = passphrase.map_or(text.clone(), |secret| secret.masked(&text));
    let lines = shown.lines().map(|line| format!("{}\n", plain(line)));
    out::print(&lines.collect::<String>())
}

fn json(card: &Path, set_up: SetUp) -> SettingsJson<'_> {
    let wiring = set_up.wiring.map(|wired| match wired {
        Wired::Named(name, _) => WiringJson { name: Some(name), text: None },
        Wired::Written(text) => WiringJson { name: None, text: Some(text) },
    });
    let arbiters = set_up.arbiters.map(|arbiters| {
        let each = |it: clockctl::setup::Arbiter| ArbiterJson { name: it.name, key: it.key };
        arbiters.into_inner().into_iter().map(each).collect()
    });
    let wifi = set_up.wifi.map(|wifi| {
        let wifi = wifi.into_inner();
        let has_passphrase = wifi.passphrase.is_some();
        WifiJson { country: wifi.country, ssid: wifi.ssid, has_passphrase }
    });
    SettingsJson {
        card,
        host_name: set_up.host_name,
        board: set_up.board,
        language: set_up.language.map(|language| language.code()),
        arrangement: set_up.arrangement,
        rotation: set_up.rotation,
        use_for: set_up.use_for.map(|it| it.into_inner().word()),
        control: set_up.control.map(Spanned::into_inner),
        rules: set_up.rules.map(Spanned::into_inner),
        wiring,
        call_button: set_up.call_button.map(Spanned::into_inner),
        arbiters,
        wifi,
    }
}
