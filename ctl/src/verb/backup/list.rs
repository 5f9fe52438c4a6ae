//! `clockctl backup list`.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Result;
use serde::Serialize;

use super::load::time;
use super::target::{Names, Target};
use crate::backup::{Manifest, manifest_of};
use crate::failure::Failure;
use crate::text::{Column, plain, table};
use crate::{options::Options, out};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct List {
    /// A folder, a backup, or a partition that is not mounted [default: the one USB stick]
    #[arg(value_name = "SOURCE")]
    pub source: Option<PathBuf>,
}

/// The largest number of backups that are listed.
const MOST: usize = 100;

/// The backups of a stick or a folder, as JSON.
#[derive(Serialize)]
struct ListedJson {
    /// The device of the stick, the folder, or the folder of the file.
    source: String,
    /// The newest first; those that cannot be loaded last.
    backups: Vec<BackupJson>,
    /// How many more there are.
    more: usize,
}

/// A backup, or a file that has the name of one.
#[derive(Serialize)]
struct BackupJson {
    file: String,
    bytes: u64,
    /// Why it cannot be loaded; null if nothing is wrong with its manifest. All further keys are null
    /// otherwise.
    error: Option<String>,
    host: Option<String>,
    board: Option<String>,
    made_at_s: Option<u64>,
    /// The same in the time zone of this machine: 2026-11-27 18:30:05.
    made_at: Option<String>,
    /// The version of the clockctl that made it.
    version: Option<String>,
    games: Option<u64>,
}

pub fn run(options: &Options, args: &List) -> Result<()> {
    if args.source.is_none() && !rustix::process::geteuid().is_root() {
        let why = "only root may mount the stick: use sudo, or give its folder";
        return Err(Failure::Denied(why.to_owned()).into());
    }
    let target = Target::open(args.source.as_deref(), false)?;
    let listed = ListedJson::of(&target)?;
    drop(target);
    if options.quiet {
        return Ok(());
    }
    match options.json {
        true => out::print_json(&listed),
        false => out::print(&listed.words()),
    }
}

impl ListedJson {
    /// Lists the backups of this place: at most [`MOST`], which are those with the latest time of change. Of
    /// each file, only the headers and the manifest are read.
    fn of(target: &Target) -> Result<ListedJson, Failure> {
        let Names { names, more } = target.names()?;
        let written = |name: &String| {
            let about = fs::symlink_metadata(target.folder.join(name));
            about.and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
        };
        let mut names: Vec<(SystemTime, String)> =
            names.into_iter().map(|name| (written(&name), name)).collect();
        names.sort();
        let more = more + names.len().saturating_sub(MOST);
        let newest = names.into_iter().rev().take(MOST);
        let mut backups: Vec<BackupJson> =
            newest.map(|(_, name)| BackupJson::of(target, name)).collect();
        backups.sort_by(|one, other| other.order().cmp(&one.order()));
        Ok(ListedJson { source: target.shown().display().to_string(), backups, more })
    }

    fn words(&self) -> String {
        let ListedJson { source, backups, more } = self;
        if backups.is_empty() {
            return format!("{source}: no backups\n");
        }
        let loadable: Vec<&BackupJson> = backups.iter().filter(|it| it.error.is_none()).collect();
        let cells = |text: fn(&BackupJson) -> Option<String>| {
            loadable.iter().map(|it| plain(&text(it).unwrap_or_default())).collect::<Vec<_>>()
        };
        let mut said = table(&[
            Column::left("made", cells(|it| it.made_at.clone())),
            Column::left("host", cells(|it| it.host.clone())),
            Column::left("board", cells(|it| it.board.clone())),
            Column::right("games", cells(|it| it.games.map(|games| games.to_string()))),
            Column::right("KiB", cells(|it| Some(it.bytes.div_ceil(1024).to_string()))),
            Column::left("version", cells(|it| it.version.clone())),
            Column::left("file", cells(|it| Some(it.file.clone()))),
        ]);
        for BackupJson { file, error, .. } in backups {
            if let Some(why) = error {
                said += &format!("{} cannot be loaded: {}\n", plain(file), plain(why));
            }
        }
        if *more > 0 {
            said += &format!("{more} more\n");
        }
        said
    }
}

impl BackupJson {
    fn of(target: &Target, name: String) -> BackupJson {
        let (bytes, manifest) = match target.found(&name) {
            Ok((_, file)) => {
                let bytes = file.metadata().map_or(0, |about| about.len());
                (bytes, manifest_of(&file).map_err(|unfit| unfit.to_string()))
            }
            Err(failure) => (0, Err(failure.to_string())),
        };
        let error = manifest.as_ref().err().cloned();
        let manifest = manifest.ok();
        let made_at_s = manifest.as_ref().and_then(|it| it.made_at_s);
        let games = manifest.as_ref().and_then(|it| it.games);
        let (host, board, version) = match manifest {
            Some(Manifest { host, board, version, .. }) => (Some(host), board, Some(version)),
            None => (None, None, None),
        };
        let made_at = time(made_at_s);
        BackupJson { file: name, bytes, error, host, board, made_at_s, made_at, version, games }
    }

    /// The key by which the backups are sorted. The backup with the greatest key comes first.
    fn order(&self) -> (bool, Option<u64>, &str) {
        (self.error.is_none(), self.made_at_s, &self.file)
    }
}
