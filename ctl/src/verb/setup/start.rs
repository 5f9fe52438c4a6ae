//! The game that the clock starts with after a set-up file: the keys `control` and `rules` of
//! `clockd.toml`.

use std::path::Path;

use clock_controls::{Library, LoadError, RuleLibrary};
use clock_engine::Instant;
use clock_engine::rules::{Game, Session, Setup};
use clock_wiring::SHARED;
use clockctl::setup::{Change, SetUp};
use toml::Spanned;

use super::files::{FOLDER, Refused};

/// The changes of `clockd.toml`, whose present text is `clockd`. They are refused if the clock does not
/// have such a control or profile, or if the profile does not allow the control.
pub(super) fn changes(
    set_up: &SetUp,
    clockd: &str,
    root: &Path,
) -> Result<[Option<Change<'static>>; 2], Refused> {
    let (control, rules) = (set_up.start_control(), set_up.start_rules());
    let Some(place) = rules.as_ref().or(control.as_ref()).map(Spanned::span) else {
        return Ok([None, None]);
    };
    let base = root.join(FOLDER);
    let folders = |kind| {
        let shared = root.join(SHARED.trim_start_matches('/'));
        vec![base.join(kind), shared.join(kind)]
    };
    let (controls, profiles) =
        (Library::new(folders("controls")), RuleLibrary::new(folders("rules")));
    let present: toml::Table = clockd.parse().unwrap_or_default();
    let game = (
        found(&control, &present, "control", |name| controls.resolve(name, &base))?,
        found(&rules, &present, "rules", |name| profiles.resolve(name, &base))?,
    );
    if let (Some(control), Some(rules)) = game {
        let setup = Setup {
            control: control.control,
            profile: Some(*rules.profile()),
            session: Session::Unknown,
            force: false,
        };
        Game::new(&setup, Instant::ZERO).map_err(|refused| {
            let message = format!("{} with {}: {}", rules.name, control.name, refused.cited());
            Refused::There(place, message)
        })?;
    }
    let change = |key, name: Option<Spanned<String>>| {
        name.map(|name| Change::new("", key, name.into_inner()))
    };
    Ok([change("control", control), change("rules", rules)])
}

/// The control or the profile that the set-up file gives, or else the one that the clock has. If the
/// latter cannot be used, `clockd` says so.
fn found<T>(
    given: &Option<Spanned<String>>,
    present: &toml::Table,
    key: &str,
    find: impl Fn(&str) -> Result<T, LoadError>,
) -> Result<Option<T>, Refused> {
    match given {
        Some(name) => find(name.get_ref())
            .map(Some)
            .map_err(|error| Refused::There(name.span(), error.to_string())),
        None => Ok(present.get(key).and_then(|name| find(name.as_str()?).ok())),
    }
}
