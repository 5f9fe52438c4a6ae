//! `clockctl setup apply`: sets the machine up at its first start.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use clock_controls::{ReadError, StagedFile, read_text};
use clock_engine::text::FileError;
use clock_record::hexadecimal;
use clockctl::setup::{Secret, SetUp};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::files::{NewFile, Refused, is_there, stage, wrong_at};
use super::settings::{Applied, LOCAL_TIME, Settings};
use super::wireless;
use crate::{failure::Failure, options::Options, out};

/// The files that are not needed if the root is read-only, so that an error is ignored there. The name of the machine is set at each start
/// (`rename_machine`). iwd tells the kernel's module the country, and a system with iwd and a
/// read-only root has the settings of its network already.
const NOT_ON_A_READ_ONLY_ROOT: [&str; 4] =
    ["etc/hostname", "etc/hosts", wireless::MODULE, wireless::NETWORK];

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Apply {
    /// The set-up file, which need not exist
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The root of the system that is set up
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    root: PathBuf,
    /// The file for the reason if the set-up file is refused; it is removed otherwise
    #[arg(long, value_name = "FILE")]
    refused: Option<PathBuf>,
}

/// What was done, for scripts.
#[derive(Serialize)]
struct DoneJson<'a> {
    file: &'a Path,
    done: Done,
    /// The files that were written, as paths of the system that was set up.
    written: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Done {
    /// The file was applied.
    Applied,
    /// The file was applied before.
    Unchanged,
    /// There is no file.
    NoFile,
}

pub fn run(options: &Options, args: &Apply) -> Result<()> {
    let applied = apply(args);
    if let Some(report) = &args.refused {
        report_refusal(report, applied.as_ref().err());
    }
    let (done, written) = applied?;
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return out::print_json(&DoneJson { file: &args.file, done, written });
    }
    let file = args.file.display();
    out::print(&match done {
        Done::Applied if written.is_empty() => format!("{file}: applied; nothing was different\n"),
        Done::Applied => format!("{file}: applied; written: {}\n", written.join(", ")),
        Done::Unchanged => format!("{file}: applied before\n"),
        Done::NoFile => format!("{file}: there is no such file\n"),
    })
}

/// Writes the reason of a refusal to the file `report`. clockd reads it and shows it on the face.
/// Without a refusal, the file of an earlier run is removed.
fn report_refusal(report: &Path, refused: Option<&Failure>) {
    let done = match refused {
        Some(refused) => fs::write(report, format!("{refused}\n")),
        None => fs::remove_file(report),
    };
    if let Err(error) = done
        && error.kind() != io::ErrorKind::NotFound
    {
        out::report(&format!("clockctl: {}: {error}\n", report.display()));
    }
}

/// What became of the set-up file.
struct Outcome {
    done: Done,
    /// The files that were written.
    written: Vec<String>,
    /// What is kept of the set-up file that is applied now.
    applied: Applied,
    /// The country of the wireless network, if one was set up.
    country: Option<String>,
}

fn apply(args: &Apply) -> Result<(Done, Vec<String>), Failure> {
    let is_this_machine = args.root == Path::new("/");
    let before = Applied::read(&args.root);
    let outcome = follow(args, &before);
    // If the set-up file is refused, the machine keeps the name that the one before gave it.
    let applied = outcome.as_ref().map_or(&before, |outcome| &outcome.applied);
    let renamed = match &applied.host_name {
        Some(name) if is_this_machine => rename_machine(name),
        _ => Ok(()),
    };
    let Outcome { done, written, country, .. } = outcome?;
    renamed?;
    if is_this_machine && let Some(country) = country {
        allow_wireless(&country);
    }
    Ok((done, written))
}

/// Applies the set-up file, unless that was done before.
fn follow(args: &Apply, before: &Applied) -> Result<Outcome, Failure> {
    let file = &args.file;
    let nothing =
        |done| Outcome { done, written: Vec::new(), applied: before.clone(), country: None };
    let text = match read_text(file) {
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            check_ending(file)?;
            return Ok(nothing(Done::NoFile));
        }
        Err(ReadError::Io(error)) => {
            return Err(Failure::Usage(format!("{}: {error}", file.display())));
        }
        Err(ReadError::NotText(error)) => return Err(wrong_at(file, &error)),
        Ok(text) if before.sha256 == sum(&text) => return Ok(nothing(Done::Unchanged)),
        Ok(text) => text,
    };
    let set_up = SetUp::parse(&text).map_err(|error| wrong_at(file, &error))?;
    let (written, applied) = apply_set_up(args, &text, &set_up, before)?;
    let country = set_up.wifi.map(|wifi| wifi.into_inner().country);
    Ok(Outcome { done: Done::Applied, written, applied, country })
}

/// Refuses `chessclock.toml.txt`. Some editors add the ending `.txt`, and Windows hides it.
fn check_ending(file: &Path) -> Result<(), Failure> {
    let found = PathBuf::from(format!("{}.txt", file.display()));
    let name = file.file_name().unwrap_or_default().display();
    match found.exists() {
        true => Err(Failure::Usage(format!("{}: rename it to {name}", found.display()))),
        false => Ok(()),
    }
}

/// Applies the set-up file, whose text is `text`. Returns the files that were written.
fn apply_set_up(
    args: &Apply,
    text: &str,
    set_up: &SetUp,
    before: &Applied,
) -> Result<(Vec<String>, Applied), Failure> {
    let Apply { file, root, .. } = args;
    let settings = Settings::new(set_up, root, before).map_err(|refused| match refused {
        Refused::There(span, message) => wrong_at(file, &FileError::of_value(text, span, &message)),
        Refused::Other(why) => Failure::Usage(why),
    })?;
    let Settings { files, mut applied } = settings;
    let secret = set_up.wifi.as_ref().and_then(|wifi| wifi.get_ref().passphrase.as_ref());
    let secret = secret.filter(|secret| secret.given().is_some());
    applied.sha256 = sum(&secret.map_or(text.to_owned(), |secret| secret.masked(text)));
    let kept = applied.file().map_err(Failure::Usage)?;
    let written = write_all(root, &files, &kept)?;
    // The passphrase was kept before the stars are written. In the other order, a power cut in
    // between would lose it.
    if let Some(secret) = secret
        && let Err(error) = mask(file, secret)
    {
        let file = file.display();
        out::report(&format!("clockctl: {file}: the passphrase stays in the file: {error}\n"));
        applied.sha256 = sum(text);
        let kept = applied.file().map_err(Failure::Usage)?;
        if let Err(error) = stage(root, &kept).and_then(StagedFile::replace) {
            let why = format!("/{}: {error}; {file} is applied again at the next start", kept.path);
            out::report(&format!("clockctl: {why}\n"));
        }
    }
    Ok((written, applied))
}

/// Writes the files that differ, and at last the file `kept`. Returns the paths of those that differed.
/// All of them are on the disk under other names before the first one takes its place, so a full or
/// read-only disk changes nothing. The set-up file counts as applied only once `kept` is in its place, so
/// the next start of the machine applies it again after an error or a power cut.
fn write_all(root: &Path, files: &[NewFile], kept: &NewFile) -> Result<Vec<String>, Failure> {
    let path = |new: &NewFile| format!("/{}", new.path);
    let mut staged = Vec::new();
    for new in files.iter().filter(|new| !is_there(root, new)) {
        match stage(root, new) {
            Ok(file) => staged.push((path(new), file)),
            Err(error)
                if error.kind() == io::ErrorKind::ReadOnlyFilesystem
                    && NOT_ON_A_READ_ONLY_ROOT.contains(&new.path.as_str()) => {}
            // The rest of the file, such as the keys of the arbiters, matters more.
            Err(error)
                if error.kind() == io::ErrorKind::ReadOnlyFilesystem && new.path == LOCAL_TIME =>
            {
                let path = path(new);
                out::report(&format!("clockctl: {path}: {error}; the time zone stays as it is\n"));
            }
            Err(error) => return Err(failed(&path(new), &error, NOTHING)),
        }
    }
    let last = stage(root, kept).map_err(|error| failed(&path(kept), &error, NOTHING))?;
    staged.push((path(kept), last));
    let mut written: Vec<String> = Vec::new();
    let all = staged.len();
    for (path, file) in staged {
        file.replace().map_err(|error| {
            let before = written.join(", ");
            failed(
                &path,
                &error,
                &format!("{} of {all} files were changed before: {before}", written.len()),
            )
        })?;
        written.push(path);
    }
    written.pop();
    Ok(written)
}

/// What an error says if it has left every file as it was.
const NOTHING: &str = "nothing was changed";

/// A file that cannot be written, and what was changed by then. The face shows the beginning of the text.
fn failed(path: &str, error: &io::Error, state: &str) -> Failure {
    Failure::Incomplete { code: "not-applied", message: format!("{path}: {error}; {state}") }
}

fn sum(text: &str) -> String {
    hexadecimal(&Sha256::digest(text))
}

/// Overwrites the passphrase in the file with stars. Neither the size nor the place of the file
/// changes, so a power cut cannot damage the FAT file system.
fn mask(file: &Path, secret: &Secret) -> io::Result<()> {
    let mut file = File::options().write(true).open(file)?;
    let start = u64::try_from(secret.inside.start).map_err(io::Error::other)?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all("*".repeat(secret.inside.len()).as_bytes())?;
    file.sync_all()
}

/// Gives this machine its name, unless it has it.
fn rename_machine(name: &str) -> Result<(), Failure> {
    let present = rustix::system::uname();
    if present.nodename().to_bytes() == name.as_bytes() {
        return Ok(());
    }
    rustix::system::sethostname(name.as_bytes()).map_err(|error| {
        failed(&format!("the host name {name}"), &error.into(), "all files are written")
    })
}

/// Lets the radio send before the next start of the machine. Raspberry Pi OS blocks the radio until
/// a country is set, and the kernel's module, which reads the country when it is loaded, may be
/// loaded already. An error is ignored, because the next start does the same.
fn allow_wireless(country: &str) {
    let _ = Command::new("iw")
        .args(["reg", "set", country])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let Ok(switches) = fs::read_dir("/sys/class/rfkill") else { return };
    for switch in switches.flatten() {
        let is_wireless =
            fs::read(switch.path().join("type")).is_ok_and(|kind| kind.starts_with(b"wlan"));
        if is_wireless {
            let _ = fs::write(switch.path().join(OsStr::new("soft")), "0");
        }
    }
}
