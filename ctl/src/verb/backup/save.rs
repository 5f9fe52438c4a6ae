//! `clockctl backup save`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clockctl::record::wall_time::WallTime;
use serde::Serialize;

use super::args::Save;
use super::part::Part;
use super::record::copy_record;
use super::target::{BEGINNING, ENDING, Target};
use crate::backup::{FORMAT, Manifest, Place, System, Writer, check};
use crate::failure::Failure;
use crate::local_time::Zone;
use crate::{options::Options, out};

/// What was saved, as JSON.
#[derive(Serialize)]
struct SavedJson {
    /// The path of the backup; only its name if it is on a stick, which is unmounted.
    file: String,
    bytes: u64,
    /// The device of the stick, which was unmounted; null for a folder or a file.
    stick: Option<PathBuf>,
    host: String,
    board: Option<String>,
    /// How many games the record has; null without a record.
    games: Option<u64>,
}

pub fn run(options: &Options, args: &Save) -> Result<()> {
    let system = System::new(&args.root);
    system.check_rights()?;
    let target = Target::open(args.target.as_deref(), true)?;
    let (path, manifest) = save(&system, &target)?;
    let (file, bytes) = (target.shown_file(&path), fs::metadata(&path).map_or(0, |it| it.len()));
    let stick = match target.stick {
        None => None,
        Some((stick, device)) => {
            stick.unmount().map_err(|error| not_saved(&device.display().to_string(), &error))?;
            Some(device)
        }
    };
    if options.quiet {
        return Ok(());
    }
    let Manifest { host, board, games, .. } = manifest;
    if options.json {
        return out::print_json(&SavedJson { file, bytes, stick, host, board, games });
    }
    let games = match games {
        None => "no record".to_owned(),
        Some(1) => "1 game".to_owned(),
        Some(games) => format!("{games} games"),
    };
    let mut said = format!("{file}: {} KiB, {games}\n", bytes.div_ceil(1024));
    if let Some(stick) = stick {
        said += &format!("the stick {} can be pulled out\n", stick.display());
    }
    out::print(&said)
}

/// Writes the backup to a temporary file, reads that file again to check it, and then renames it. So
/// a file with the name of a backup is always complete.
fn save(system: &System, target: &Target) -> Result<(PathBuf, Manifest), Failure> {
    let shown = target.shown().display().to_string();
    let failed = |error: io::Error| not_saved(&shown, &error);
    let clockd = Place::Setting("clockd.toml".to_owned());
    let text = system.read(&clockd).map_err(unreadable)?;
    let (board, record) = system.configured(text.as_deref()).map_err(Failure::Usage)?;
    let host = system.host();
    let made_at_s = now();
    let path = match &target.name {
        Some(name) => target.folder.join(name),
        None => free_name(&target.folder, &base_name(&host, board.as_deref(), made_at_s)),
    };
    let part = Part::create(&path).map_err(failed)?;
    // As long as the temporary file is locked, no other process makes a backup of this name.
    if path.symlink_metadata().is_ok() {
        return Err(out::exists_already(&path));
    }
    let (places, left_out) = system.files().map_err(unreadable)?;
    for path in left_out {
        out::report(&format!("clockctl: left out: /etc/chess-clock/{path}\n"));
    }
    let mut writer = Writer::new(part.file().map_err(failed)?, made_at_s.unwrap_or_default());
    let games = copy_record(&record, |file, from, bytes| {
        writer.add(&Place::Record(file), from, bytes).map_err(failed)
    })?;
    for place in places {
        let Some(contents) = system.read(&place).map_err(unreadable)? else { continue };
        let bytes = u64::try_from(contents.len()).unwrap_or(u64::MAX);
        writer.add(&place, contents.as_slice(), bytes).map_err(failed)?;
    }
    let manifest = Manifest {
        chess_clock_backup: FORMAT,
        version: clock_dbus::version().to_owned(),
        host,
        board,
        made_at_s,
        games,
        sha256: writer.sum(),
    };
    let mut file = writer.finish(&manifest).map_err(failed)?;
    match check(&mut file) {
        Ok(read) if read.manifest == manifest => {}
        Ok(_) => return Err(failed(io::Error::other("another backup was read back"))),
        Err(why) => return Err(failed(io::Error::other(format!("what was read back: {why}")))),
    }
    drop(file);
    part.rename(&path).map_err(failed)?;
    Ok((path, manifest))
}

/// The seconds since 1970; `None` on a machine that does not know the time.
fn now() -> Option<u64> {
    let now = clock_wall_time::is_known().then(SystemTime::now)?;
    Some(now.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

/// The name without its ending: `chess-clock-HOST-BOARD-DATE`. A part that is not known is left out.
/// The name has only letters, digits, dots and hyphens, which every file system accepts.
fn base_name(host: &str, board: Option<&str>, made_at_s: Option<u64>) -> String {
    let wall_ns = made_at_s.and_then(|it| i64::try_from(it).ok()?.checked_mul(1_000_000_000));
    let date = WallTime::new(wall_ns, Zone::system().offset(wall_ns)).map(|it| {
        let WallTime { year, month, day, hour, minute, .. } = it;
        format!("{year}-{month:02}-{day:02}-{hour:02}{minute:02}")
    });
    let word = |text: &str| {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '-';
        let letters = text.chars().map(|it| if is_plain(it) { it } else { '-' });
        letters.take(64).collect::<String>()
    };
    let words = [Some(word(host)), board.map(word), date];
    let words: Vec<String> = words.into_iter().flatten().filter(|it| !it.is_empty()).collect();
    format!("{BEGINNING}{}", words.join("-"))
}

/// The first path that does not exist: `BASE.tar`, `BASE-2.tar`, `BASE-3.tar` and so on.
fn free_name(folder: &Path, base: &str) -> PathBuf {
    let names = (1_u32..).map(|number| match number {
        1 => format!("{base}{ENDING}"),
        number => format!("{base}-{number}{ENDING}"),
    });
    let mut paths = names.map(|name| folder.join(name));
    paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_default()
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// The failure if a backup cannot be written to this place.
fn not_saved(place: &str, error: &io::Error) -> Failure {
    let (code, why) = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ("full", "it has no room for the backup".to_owned())
        }
        io::ErrorKind::FileTooLarge => {
            ("full", "its file system has no files as large as the backup".to_owned())
        }
        io::ErrorKind::ReadOnlyFilesystem => ("read-only", "it cannot be written".to_owned()),
        _ => ("not-saved", error.to_string()),
    };
    Failure::Incomplete { code, message: format!("{place}: {why}; there is no backup") }
}
