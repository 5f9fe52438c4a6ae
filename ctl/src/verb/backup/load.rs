//! `clockctl backup load`.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;
use clock_dbus::{Phase, State, Who};

use super::args::Load;
use super::changes::{Changes, unreadable};
use super::loaded::LoadedJson;
use super::menu_limits;
use super::record::NewRecord;
use super::target::Target;
use crate::backup::{Place, System, Unfit, check};
use crate::bus::Bus;
use crate::failure::Failure;
use crate::verb::status;
use crate::{options::Options, out};

/// The units of the face. Those that run are restarted after the settings were replaced.
const FACES: [&str; 3] =
    ["clock-display.service", "clock-display-console.service", "clock-display-devices.service"];

/// A backup that is to be loaded.
pub(super) struct Order<'a> {
    pub system: &'a System,
    pub target: &'a Target,
    /// Whether keys and passwords of the backup are left out.
    pub without_accounts: bool,
    /// Whether a player has chosen it at the clock. The limits of `menu_limits` then apply.
    pub is_from_menu: bool,
}

pub async fn run(options: &Options, args: &Load) -> Result<()> {
    let system = System::new(&args.root);
    system.check_rights()?;
    let target = Target::open(args.source.as_deref(), false)?;
    let (path, file) = target.existing()?;
    let (without_accounts, is_from_menu) = (args.without_accounts, false);
    let order = Order { system: &system, target: &target, without_accounts, is_from_menu };
    let loaded = load(options, &order, &path, file).await?;
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
    status::run(options, &status::Args::default()).await.map(drop)
}

/// Checks the backup in `file` and loads it. With `--dry-run`, only checks it.
pub(super) async fn load(
    options: &Options,
    order: &Order<'_>,
    path: &Path,
    mut file: File,
) -> Result<LoadedJson, Failure> {
    let Order { system, target, without_accounts, is_from_menu } = *order;
    let shown = target.shown_file(path);
    let refused = |code, why: String| {
        let message = format!("{shown}: {why}; nothing was changed");
        Failure::NotLoaded { code, message }
    };
    if is_from_menu {
        menu_limits::check_size(&file).map_err(|(code, why)| refused(code, why))?;
    }
    let mut backup = check(&mut file).map_err(|unfit| match unfit {
        Unfit::Newer(why) => refused("newer-backup", why),
        Unfit::Damaged(why) => refused("damaged-backup", why),
    })?;
    check_no_game(options, system).await?;
    let left_out = if without_accounts { backup.leave_out_accounts() } else { Vec::new() };
    // The loaded clockd.toml decides where clockd expects the record.
    let text = backup.files.iter().find(|(place, _)| place.name() == "settings/clockd.toml");
    let text = match text {
        Some((_, text)) => Some(text.clone()),
        None => system.read(&Place::Setting("clockd.toml".to_owned())).map_err(unreadable)?,
    };
    let configured = system.configured(text.as_deref());
    let (_, record) = configured.map_err(|why| refused("damaged-backup", why))?;
    if is_from_menu {
        let checked = menu_limits::check(system, &record, &backup);
        checked.map_err(|(code, why)| refused(code, why))?;
    }
    let new_record = match backup.record_bytes() {
        None => None,
        Some(bytes) => Some(
            NewRecord::check(&record, bytes, |to| backup.write_record(&mut file, to)).map_err(
                |failure| match failure {
                    Failure::Usage(why) => refused("not-loaded", why),
                    other => other,
                },
            )?,
        ),
    };
    let changes = Changes::of(system, &backup)?;
    let mut loaded = LoadedJson::new(&shown, &backup, &changes, left_out, options.dry_run);
    if !options.dry_run {
        // Somebody can have started a game during the check of the record, which can take minutes.
        check_no_game(options, system).await?;
        carry_out(system, &changes, new_record, &mut loaded)?;
    }
    Ok(loaded)
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

/// Stops the service, replaces the record and the settings, and starts the service again. The service
/// is also started if a replacement has failed; it then shows the reason.
fn carry_out(
    system: &System,
    changes: &Changes,
    record: Option<NewRecord>,
    loaded: &mut LoadedJson,
) -> Result<(), Failure> {
    if !system.is_this_machine() {
        return take_over(system, changes, record, loaded);
    }
    systemctl(&["stop", "clockd.service"])?;
    let done = take_over(system, changes, record, loaded);
    let name = loaded.file.rsplit('/').next().unwrap_or_default();
    let reason = done.as_ref().err().map(|failure| format!("{name}: {failure}\n"));
    // If the reason cannot be written, the journal still has it.
    let written = system.write_failed_load(reason.as_deref()).map_err(unreadable);
    let faces: Vec<&str> = ["try-restart"].into_iter().chain(FACES).collect();
    let started = systemctl(&["start", "clockd.service"]).and_then(|()| systemctl(&faces));
    done.and(started).and(written)
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
        let message = format!("not all files of the backup were taken over: {failure}{why}");
        Failure::Incomplete { code: "partly-loaded", message }
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
