//! `clockctl backup load`: finds the files of the backup that differ from those on the clock, replaces
//! them and the record, and says what it has done.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::Result;
use clock_controls::StagedFile;
use clock_dbus::{Phase, State, Who};
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use super::record::NewRecord;
use super::target::{Target, wrong};
use crate::backup::{Checked, Place, System, Unfit, check};
use crate::bus::Bus;
use crate::failure::Failure;
use crate::verb::status;
use crate::{local_time::Zone, options::Options, out, text::plain};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Load {
    /// The backup, or the folder or the partition that has no other one [default: that of the one USB
    /// stick]
    #[arg(value_name = "SOURCE")]
    pub source: Option<PathBuf>,
    /// The root of the system; for another one than / nothing is stopped or started
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    pub root: PathBuf,
}

/// The systemd units that can show the face. After the settings were replaced, those of them that are
/// running are restarted, because the face reads its settings only at its start.
const FACES: [&str; 3] =
    ["clock-display.service", "clock-display-console.service", "clock-display-devices.service"];

pub async fn run(options: &Options, args: &Load) -> Result<()> {
    let system = System::new(&args.root);
    system.check_rights()?;
    let target = Target::open(args.source.as_deref(), false)?;
    let loaded = load(options, &system, &target).await?;
    drop(target);
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return out::print_json(&loaded);
    }
    out::print(&loaded.words())?;
    if options.dry_run || !system.is_this_machine() {
        return Ok(());
    }
    if let Err(error) = status::run(options, &status::Args::default()).await {
        // The backup was loaded, so this is no failure of the command.
        out::report(&format!(
            "clockctl: the backup is loaded, and the clock does not answer yet: {error}\n"
        ));
    }
    Ok(())
}

/// Checks the backup and loads it. With `--dry-run`, only checks it.
async fn load(options: &Options, system: &System, target: &Target) -> Result<LoadedJson, Failure> {
    let (path, mut file) = target.existing()?;
    let shown = target.shown_file(&path);
    let refused = |code, why: String| {
        let message = format!("{shown}: {why}; nothing was changed");
        Failure::NotLoaded { code, message }
    };
    let backup = check(&mut file).map_err(|unfit| match unfit {
        Unfit::Newer(why) => refused("newer-backup", why),
        Unfit::Damaged(why) => refused("damaged-backup", why),
    })?;
    check_no_game(options, system).await?;
    // The loaded clockd.toml decides where clockd expects the record.
    let text = backup.files.iter().find(|(place, _)| place.name() == "settings/clockd.toml");
    let text = match text {
        Some((_, text)) => Some(text.clone()),
        None => system.read(&Place::Setting("clockd.toml".to_owned())).map_err(unreadable)?,
    };
    let configured = system.configured(text.as_deref());
    let (_, record) = configured.map_err(|why| refused("damaged-backup", why))?;
    let new_record = match backup.games() {
        None => None,
        Some(_) => {
            Some(NewRecord::check(&record, &backup.record, &mut file).map_err(|failure| {
                match failure {
                    Failure::Usage(why) => refused("not-loaded", why),
                    other => other,
                }
            })?)
        }
    };
    let changes = Changes::of(system, &backup)?;
    let mut loaded = LoadedJson::new(&shown, &backup, &changes, options.dry_run);
    if !options.dry_run {
        // The check of the record can take minutes, and a game can have been started during that time.
        check_no_game(options, system).await?;
        carry_out(system, &changes, new_record, &mut loaded)?;
    }
    Ok(loaded)
}

/// Returns an error while a game is on the clock: a clock runs, the clocks are paused, or the arbiter
/// has to decide. An update of the system is refused in the same phases. If no service runs, no game
/// is on the clock. If the service runs but cannot be reached over the bus, this is also an error.
async fn check_no_game(options: &Options, system: &System) -> Result<(), Failure> {
    let state = match Bus::connect(&options.target()).await {
        Ok(bus) => bus.now().await,
        Err(failure) => Err(failure),
    };
    let state: State = match state {
        Ok(state) => state,
        Err(_) if !system.is_this_machine() => return Ok(()),
        // The service does not run. Loading a backup may be the repair.
        Err(Failure::NoService(_) | Failure::NoBus { .. }) if is_stopped("clockd.service") => {
            return Ok(());
        }
        Err(failure @ (Failure::NoService(_) | Failure::NoBus { .. })) => {
            let message = format!(
                "clockd runs or is about to be started, and whether a game is on the clock is not known: {failure}; \
                 if there is none, systemctl stop clockd; nothing was changed"
            );
            return Err(Failure::Refused { code: "game-not-known".to_owned(), message });
        }
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

/// Stops the service, replaces the record and the settings, and starts the service again. The service
/// is also started if a replacement has failed; it then shows the reason. Ctrl-C and a lost connection do
/// not end this, because the clock would stay stopped.
fn carry_out(
    system: &System,
    changes: &Changes,
    record: Option<NewRecord>,
    loaded: &mut LoadedJson,
) -> Result<(), Failure> {
    if !system.is_this_machine() {
        return take_over(system, changes, record, loaded);
    }
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        // Once a listener for a signal was created, tokio never restores the default action of that signal.
        // So the signal does not end this process any more.
        drop(signal(kind).map_err(Failure::Output)?);
    }
    let name = loaded.file.rsplit('/').next().unwrap_or_default().to_owned();
    // If this process is killed, the face shows this after the next start of the service.
    let interrupted = format!("{name}: the load was interrupted, load it again\n");
    let _ = system.write_failed_load(Some(&interrupted));
    if let Err(failure) = systemctl(&["stop", "clockd.service"]) {
        let _ = system.write_failed_load(None);
        return Err(failure);
    }
    let done = take_over(system, changes, record, loaded);
    let reason = done.as_ref().err().map(|failure| format!("{name}: {failure}\n"));
    // If this file cannot be written, the reason is still in the journal.
    let written = system.write_failed_load(reason.as_deref()).map_err(unreadable);
    let faces: Vec<&str> = ["try-restart"].into_iter().chain(FACES).collect();
    let started = systemctl(&["start", "clockd.service"]).and_then(|()| systemctl(&faces));
    let started = started.map_err(|failure| partly(loaded, "the backup was loaded", &failure));
    done.and(started).and(written)
}

/// First copies the settings that will be replaced, and writes the new ones beside them. Then replaces the
/// record, and then the settings. If a service still has the record open, the replacement of the record
/// fails, and the settings have not been changed yet. If the settings cannot be written, as on a full or
/// read-only file system, nothing is changed.
fn take_over(
    system: &System,
    changes: &Changes,
    record: Option<NewRecord>,
    loaded: &mut LoadedJson,
) -> Result<(), Failure> {
    loaded.before = changes.keep(system)?;
    let replaced = changes.stage(system).and_then(|staged| {
        let before = record.map_or(Ok(None), NewRecord::replace)?;
        Ok((staged, before))
    });
    let staged = match replaced {
        Ok((staged, before)) => {
            loaded.record_before = before;
            staged
        }
        Err(failure @ Failure::Incomplete { .. }) => {
            return Err(partly(loaded, "the settings were not taken over", &failure));
        }
        Err(failure) => {
            // The record and the settings are unchanged, so the copies are not needed.
            let _ = loaded.before.take().map(fs::remove_dir_all);
            return Err(failure);
        }
    };
    for (path, file) in staged {
        file.replace().map_err(|error| {
            let failure = Failure::Usage(format!("{path}: {error}"));
            partly(loaded, "not all files of the backup were taken over", &failure)
        })?;
    }
    Ok(())
}

/// Returns the failure for an error that occurs after the record or a setting was already replaced. `what`
/// says which part of the backup was not loaded. The message also names the copies of the replaced files.
fn partly(loaded: &LoadedJson, what: &str, failure: &Failure) -> Failure {
    let kept = [&loaded.before, &loaded.record_before].into_iter().flatten();
    let kept = kept.map(|path| format!("; kept from before: {}", path.display()));
    let message = format!("{what}: {failure}{}", kept.collect::<String>());
    Failure::Incomplete { code: "partly-loaded", message }
}

/// Whether systemd says that this unit is stopped, and keeps nothing of it. A unit that waits for its
/// restart is `activating`, and systemd keeps the memory with the running game for it; stopping the
/// unit would lose that game. If systemd cannot be asked, the unit does not count as stopped.
fn is_stopped(unit: &str) -> bool {
    run_systemctl(&["is-active", unit]).is_ok_and(|output| {
        let state = String::from_utf8_lossy(&output.stdout);
        matches!(state.trim(), "inactive" | "failed" | "unknown")
    })
}

fn run_systemctl(words: &[&str]) -> io::Result<Output> {
    // Ctrl-C sends a signal to the process group of the terminal. This process is not in that group.
    Command::new("systemctl").args(words).stdin(Stdio::null()).process_group(0).output()
}

fn systemctl(words: &[&str]) -> Result<(), Failure> {
    let failed = |why: String| {
        let why = format!("systemctl {}: {why}", words.join(" "));
        Failure::Output(io::Error::other(why))
    };
    let output = run_systemctl(words).map_err(|error| failed(error.to_string()))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
    }
}

/// A file of a backup whose contents differ from those of the file on the clock.
struct Change<'a> {
    pub place: &'a Place,
    contents: &'a [u8],
    /// The contents of the file on the clock; `None` if it does not exist.
    before: Option<Vec<u8>>,
}

/// All files of a backup whose contents differ from those on the clock.
struct Changes<'a> {
    pub files: Vec<Change<'a>>,
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
        let kept = self.keep_in(&folder).and_then(|()| {
            sync(&folder).and_then(|()| sync(&system.configuration_folder())).map_err(unreadable)
        });
        match kept {
            Ok(()) => Ok(Some(folder)),
            Err(failure) => {
                // Nothing will be replaced, so a part of the copies would only take room.
                let _ = fs::remove_dir_all(folder);
                Err(failure)
            }
        }
    }

    fn keep_in(&self, folder: &Path) -> Result<(), Failure> {
        for Change { place, before, .. } in &self.files {
            let Some(before) = before else { continue };
            let path = folder.join(place.name());
            write_new(&path, before).map_err(|error| wrong(&path, &error.to_string()))?;
        }
        Ok(())
    }

    /// Writes the new versions of all files, which do not take their places yet. Returns them with their
    /// paths.
    fn stage(&self, system: &System) -> Result<Vec<(String, StagedFile)>, Failure> {
        let staged = self.files.iter().map(|Change { place, contents, .. }| {
            system.stage(place, contents).map(|staged| (place.shown(), staged))
        });
        let staged = staged.collect::<io::Result<_>>();
        staged.map_err(|error| Failure::Usage(format!("{error}; nothing was changed")))
    }
}

/// Writes a file that does not exist yet and that only root can read.
fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    io::copy(&mut &*contents, &mut file)?;
    file.sync_all()?;
    sync(path.parent().unwrap_or(path))
}

/// Waits until the names in a folder are on the medium.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// The result of `clockctl backup load`, as it is printed with `--json`.
#[derive(Serialize)]
struct LoadedJson {
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
    fn new(file: &str, backup: &Checked, changes: &Changes, is_dry_run: bool) -> LoadedJson {
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
    fn words(&self) -> String {
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
