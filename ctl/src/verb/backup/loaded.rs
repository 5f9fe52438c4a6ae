//! What `clockctl backup load` has done, as JSON and in words.

use std::path::PathBuf;

use serde::Serialize;

use super::changes::Changes;
use crate::backup::Checked;
use crate::local_time::Zone;
use crate::text::plain;

/// The result of `clockctl backup load`, as it is printed with `--json`.
#[derive(Serialize)]
pub(super) struct LoadedJson {
    pub file: String,
    host: String,
    board: Option<String>,
    made_at_s: Option<u64>,
    /// The version of clockctl that made the backup.
    version: String,
    /// How many games the record of the backup has; null if it has none, so that the record stays.
    games: Option<u64>,
    /// The paths on the clock of the files that were replaced because their contents differed from
    /// those in the backup. The record is not in this list.
    changed: Vec<String>,
    /// The folder with copies of the replaced files; null if none of the files existed before, and with
    /// --dry-run.
    pub before: Option<PathBuf>,
    /// The new path of the replaced record; null if there was no record, and with --dry-run.
    pub record_before: Option<PathBuf>,
    /// `true` if nothing was done, because `--dry-run` was given. Left out otherwise.
    #[serde(rename = "dry_run", skip_serializing_if = "Option::is_none")]
    is_dry_run: Option<bool>,
}

impl LoadedJson {
    pub(super) fn new(
        file: &str,
        backup: &Checked,
        changes: &Changes,
        is_dry_run: bool,
    ) -> LoadedJson {
        let manifest = backup.manifest.clone();
        LoadedJson {
            file: file.to_owned(),
            host: manifest.host,
            board: manifest.board,
            made_at_s: manifest.made_at_s,
            version: manifest.version,
            games: backup.games(),
            changed: changes.files.iter().map(|change| change.place.shown()).collect(),
            before: None,
            record_before: None,
            is_dry_run: is_dry_run.then_some(true),
        }
    }

    /// The result as lines of text.
    pub(super) fn words(&self) -> String {
        let LoadedJson { file, host, board, made_at_s, games, .. } = self;
        let of = board.as_ref().map(|board| format!(", board {board}")).unwrap_or_default();
        let when = time(*made_at_s).map(|at| format!(", {at}")).unwrap_or_default();
        let mut said = format!("{file}: of {}{}{when}\n", plain(host), plain(&of));
        let is_dry_run = self.is_dry_run.is_some();
        let would = if is_dry_run { "would be " } else { "" };
        said += &match games {
            None => "the record stays: the backup has none\n".to_owned(),
            Some(1) => format!("record: {would}replaced by one with 1 game\n"),
            Some(games) => format!("record: {would}replaced by one with {games} games\n"),
        };
        for path in &self.changed {
            said += &format!("{}: {would}replaced\n", plain(path));
        }
        if self.changed.is_empty() {
            said += "settings: nothing is different\n";
        }
        for kept in [&self.before, &self.record_before].into_iter().flatten() {
            said += &format!("kept from before: {}\n", kept.display());
        }
        said
    }
}

/// A time in seconds since 1970, in the zone of this machine: `2026-11-22 19:30:05`.
pub(super) fn time(seconds: Option<u64>) -> Option<String> {
    let wall_ns = i64::try_from(seconds?).ok()?.checked_mul(1_000_000_000)?;
    Some(Zone::system().text(Some(wall_ns), 0))
}
