//! `clockctl backup load`.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use clock_controls::open_regular;
use clock_dbus::{Phase, State, Who};
use serde::Serialize;

use super::args::Load;
use super::record::NewRecord;
use super::target::{Target, wrong};
use crate::backup::{Checked, Place, System, check};
use crate::bus::Bus;
use crate::failure::Failure;
use crate::local_time::Zone;
use crate::text::plain;
use crate::verb::status;
use crate::{options::Options, out};

/// The units of the face. Those that run are restarted after the settings were replaced.
const FACES: [&str; 3] =
    ["clock-display.service", "clock-display-console.service", "clock-display-devices.service"];

/// What was loaded, as JSON.
#[derive(Serialize)]
struct LoadedJson {
    file: String,
    host: String,
    board: Option<String>,
    made_at_s: Option<u64>,
    /// The version of clockctl that made the backup.
    version: String,
    /// How many games the record of the backup has; null if it has none, so that the record stays.
    games: Option<u64>,
    /// The files that were replaced because their contents differed, as paths on the clock. The record
    /// is not among them.
    changed: Vec<String>,
    /// The folder that keeps the replaced files; null if no file existed before, and with --dry-run.
    before: Option<PathBuf>,
    /// The new path of the replaced record; null if there was no record, and with --dry-run.
    record_before: Option<PathBuf>,
    /// `true` if nothing was done, because `--dry-run` was given. Left out otherwise.
    #[serde(rename = "dry_run", skip_serializing_if = "Option::is_none")]
    is_dry_run: Option<bool>,
}

pub async fn run(options: &Options, args: &Load) -> Result<()> {
    let system = System::new(&args.root);
    system.check_rights()?;
    let target = Target::open(args.source.as_deref(), false)?;
    let path = target.existing()?;
    let shown = target.shown_file(&path);
    let mut file = open_regular(&path).map_err(|error| wrong(&path, &error.to_string()))?;
    let refused = |why: String| Failure::Usage(format!("{shown}: {why}; nothing was changed"));
    let backup = check(&mut file).map_err(refused)?;
    check_no_game(options, &system).await?;
    // The loaded clockd.toml decides where clockd expects the record.
    let text = backup.files.iter().find(|(place, _)| place.name() == "settings/clockd.toml");
    let text = match text {
        Some((_, text)) => Some(text.clone()),
        None => system.read(&Place::Setting("clockd.toml".to_owned())).map_err(unreadable)?,
    };
    let (_, record) = system.configured(text.as_deref()).map_err(refused)?;
    let new_record = match backup.record_bytes() {
        None => None,
        Some(bytes) => Some(
            NewRecord::check(&record, bytes, |to| backup.write_record(&mut file, to))
                .map_err(|failure| with_file(&shown, failure))?,
        ),
    };
    let changes = Changes::of(&system, &backup)?;
    let mut loaded = loaded(&shown, &backup, &changes, options.dry_run);
    if !options.dry_run {
        carry_out(&system, &changes, new_record, &mut loaded)?;
    }
    drop(target);
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return out::print_json(&loaded);
    }
    out::print(&words(&loaded))?;
    if options.dry_run || !system.is_this_machine() {
        return Ok(());
    }
    status::run(options, &status::Args::default()).await.map(drop)
}

/// Returns an error while a game is on the clock: a clock runs, the clocks are paused, or the arbiter
/// has to decide. An update of the system is refused in the same phases. If no service runs, no game
/// is on the clock.
async fn check_no_game(options: &Options, system: &System) -> Result<(), Failure> {
    let state = match Bus::connect(&options.target()).await {
        Ok(bus) => bus.now().await,
        Err(failure) => Err(failure),
    };
    let state: State = match state {
        Ok(state) => state,
        // The service does not run. Loading a backup may be the repair.
        Err(Failure::NoService | Failure::NoBus { .. }) => return Ok(()),
        Err(_) if !system.is_this_machine() => return Ok(()),
        Err(failure) => return Err(failure),
    };
    let game = match state.phase {
        _ if state.adjourned != Who::Nobody => return Ok(()),
        Phase::Ready | Phase::Over => return Ok(()),
        Phase::Running => "a clock runs",
        Phase::Paused => "the clocks are paused",
        Phase::Ruling => "the arbiter has to decide",
    };
    let message = format!(
        "a game is on the clock ({game}): end it with clockctl result, or clockctl adjourn; nothing was changed"
    );
    Err(Failure::Refused { code: "game-under-way".to_owned(), message })
}

/// A file of a backup whose contents differ from those of the file on the clock.
struct Change<'a> {
    place: &'a Place,
    contents: &'a [u8],
    /// The contents of the file on the clock; `None` if it does not exist.
    before: Option<Vec<u8>>,
}

/// All files of a backup whose contents differ from those on the clock.
struct Changes<'a> {
    files: Vec<Change<'a>>,
}

impl Changes<'_> {
    fn of<'a>(system: &System, backup: &'a Checked) -> Result<Changes<'a>, Failure> {
        let mut files = Vec::new();
        for (place, contents) in &backup.files {
            let before = system.read(place).map_err(unreadable)?;
            if before.as_ref() != Some(contents) {
                files.push(Change { place, contents, before });
            }
        }
        Ok(Changes { files })
    }

    /// Copies the files on the clock that will be replaced into a new folder. Returns the folder; `None`
    /// if none of them exists.
    fn keep(&self, system: &System) -> Result<Option<PathBuf>, Failure> {
        if self.files.iter().all(|change| change.before.is_none()) {
            return Ok(None);
        }
        let folder = system.make_folder_before().map_err(unreadable)?;
        for Change { place, before, .. } in &self.files {
            let Some(before) = before else { continue };
            let path = folder.join(place.name());
            write_new(&path, before).map_err(|error| wrong(&path, &error.to_string()))?;
        }
        Ok(Some(folder))
    }

    fn write(&self, system: &System) -> Result<(), Failure> {
        self.files
            .iter()
            .try_for_each(|change| system.write(change.place, change.contents))
            .map_err(Failure::Output)
    }
}

/// Writes a file that does not exist yet and that only root can read.
fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    io::copy(&mut &*contents, &mut file)?;
    file.sync_all()
}

/// Stops the service, replaces the record and the settings, and starts the service again. The service
/// is also started if a replacement has failed.
fn carry_out(
    system: &System,
    changes: &Changes,
    record: Option<NewRecord>,
    loaded: &mut LoadedJson,
) -> Result<(), Failure> {
    if system.is_this_machine() {
        systemctl(&["stop", "clockd.service"])?;
    }
    let done = take_over(system, changes, record, loaded);
    if system.is_this_machine() {
        let faces: Vec<&str> = ["try-restart"].into_iter().chain(FACES).collect();
        let started = systemctl(&["start", "clockd.service"]).and_then(|()| systemctl(&faces));
        return done.and(started);
    }
    done
}

/// Replaces the record, then the settings. The record is first, because its replacement is refused if
/// a service still has the record open; the settings are then unchanged.
fn take_over(
    system: &System,
    changes: &Changes,
    record: Option<NewRecord>,
    loaded: &mut LoadedJson,
) -> Result<(), Failure> {
    if let Some(record) = record {
        loaded.record_before = record.replace()?;
    }
    let written = changes.keep(system).and_then(|before| {
        loaded.before = before;
        changes.write(system)
    });
    written.map_err(|failure| {
        let kept = [&loaded.before, &loaded.record_before].into_iter().flatten();
        let kept = kept.map(|path| format!("; kept from before: {}", path.display()));
        let why = kept.collect::<String>();
        let why = format!("not all files of the backup were taken over: {failure}{why}");
        Failure::Output(io::Error::other(why))
    })
}

fn systemctl(words: &[&str]) -> Result<(), Failure> {
    let failed = |why: String| {
        let why = format!("systemctl {}: {why}", words.join(" "));
        Failure::Output(io::Error::other(why))
    };
    let mut command = Command::new("systemctl");
    let output = command.args(words).stdin(Stdio::null()).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
    }
}

fn loaded(file: &str, backup: &Checked, changes: &Changes, is_dry_run: bool) -> LoadedJson {
    let manifest = backup.manifest.clone();
    LoadedJson {
        file: file.to_owned(),
        host: manifest.host,
        board: manifest.board,
        made_at_s: manifest.made_at_s,
        version: manifest.version,
        games: manifest.record.map(|record| record.games),
        changed: changes.files.iter().map(|change| change.place.shown()).collect(),
        before: None,
        record_before: None,
        is_dry_run: is_dry_run.then_some(true),
    }
}

fn words(loaded: &LoadedJson) -> String {
    let LoadedJson { file, host, board, made_at_s, games, .. } = loaded;
    let at = made_at_s.and_then(|it| i64::try_from(it).ok()?.checked_mul(1_000_000_000));
    let of = board.as_ref().map(|board| format!(", board {board}")).unwrap_or_default();
    let when = at.map(|at| format!(", {}", Zone::system().text(Some(at), 0))).unwrap_or_default();
    let mut said = format!("{file}: of {}{}{when}\n", plain(host), plain(&of));
    let is_dry_run = loaded.is_dry_run.is_some();
    let would = if is_dry_run { "would be " } else { "" };
    said += &match games {
        None => "the record stays: the backup has none\n".to_owned(),
        Some(1) => format!("record: {would}replaced by one with 1 game\n"),
        Some(games) => format!("record: {would}replaced by one with {games} games\n"),
    };
    for path in &loaded.changed {
        said += &format!("{}: {would}replaced\n", plain(path));
    }
    if loaded.changed.is_empty() {
        said += "settings: nothing is different\n";
    }
    for kept in [&loaded.before, &loaded.record_before].into_iter().flatten() {
        said += &format!("kept from before: {}\n", kept.display());
    }
    said
}

/// Adds the name of the backup to a failure that is about its record.
fn with_file(file: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Usage(why) => Failure::Usage(format!("{file}: {why}; nothing was changed")),
        other => other,
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Usage(error.to_string())
}
