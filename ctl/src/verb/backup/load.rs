//! `clockctl backup load`.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};

use anyhow::Result;
use clock_dbus::{Phase, State, Who};
use tokio::signal::unix::{SignalKind, signal};

use super::args::Load;
use super::changes::{Changes, unreadable};
use super::loaded::LoadedJson;
use super::record::NewRecord;
use super::target::Target;
use crate::backup::{Place, System, Unfit, check};
use crate::bus::Bus;
use crate::failure::Failure;
use crate::verb::status;
use crate::{options::Options, out};

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
