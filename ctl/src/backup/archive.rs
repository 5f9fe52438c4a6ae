//! Writes and reads the tar file of a backup. All files that are read are checked against the manifest,
//! whatever program wrote it.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use clock_record::RecordFile;
use clock_record::hexadecimal;
use clockctl::input::json_words;
use rustix::fs::{Advice, fadvise};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tar::{Archive, Builder, Entry, EntryType, Header};

use super::place::Place;

/// The most files of a backup.
const FILES_LIMIT: usize = 100_000;
/// The most files of a backup but those of the record, and the most bytes of all of them.
const SETTINGS: usize = 2000;
const SETTINGS_LIMIT: u64 = 16 << 20;

/// The largest number of characters in the text of [`Unfit`]. That text can quote the backup, and a damaged
/// or hostile backup can have a text of a million characters in the place of a name or a number.
const REASON_LIMIT: usize = 300;

const CUT_OFF: &str = "it is cut off";
const NO_MANIFEST: &str = "it ends before its manifest";

/// Why a file is no backup that this program can load. The text says what is wrong with it.
#[derive(Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A newer version has made it.
    Newer(String),
    /// It is damaged, or is no backup.
    Damaged(String),
}

impl From<String> for Unfit {
    fn from(mut why: String) -> Unfit {
        if let Some((end, _)) = why.char_indices().nth(REASON_LIMIT) {
            why.truncate(end);
            why.push('…');
        }
        Unfit::Damaged(why)
    }
}

impl From<&str> for Unfit {
    fn from(why: &str) -> Unfit {
        Unfit::Damaged(why.to_owned())
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Newer(why) | Unfit::Damaged(why) => f.write_str(why),
        }
    }
}

/// Writes a backup.
pub struct Writer {
    builder: Builder<File>,
    mtime: u64,
    sum: Sha256,
}

impl Writer {
    /// Begins a backup in an empty file. `mtime` is the time of its files, in seconds since 1970.
    pub fn new(file: File, mtime: u64) -> Writer {
        Writer { builder: Builder::new(file), mtime, sum: Sha256::new() }
    }

    /// Adds a file of exactly `bytes` bytes.
    pub fn add(&mut self, place: &Place, from: impl Read, bytes: u64) -> io::Result<()> {
        let name = place.name();
        let mut sum = self.sum.clone();
        let mut from = Summed::new(from.take(bytes), &mut sum, &name, bytes);
        self.append(&name, place.mode(), &mut from, bytes)?;
        if from.bytes < bytes {
            let why = format!("{name} ends after {} of {bytes} bytes", from.bytes);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
        }
        self.sum = sum;
        Ok(())
    }

    /// The SHA-256 of the files that were added so far.
    pub fn sum(&self) -> String {
        hexadecimal(&self.sum.clone().finalize())
    }

    /// Ends the backup with its manifest, and waits until all of it is on the medium.
    pub fn finish(mut self, manifest: &Manifest) -> io::Result<File> {
        let text = serde_json::to_string_pretty(manifest).map_err(io::Error::other)?;
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        self.append(MANIFEST_NAME, 0o644, &mut text.as_bytes(), bytes)?;
        let file = self.builder.into_inner()?;
        file.sync_all()?;
        Ok(file)
    }

    fn append(&mut self, name: &str, mode: u32, from: &mut dyn Read, bytes: u64) -> io::Result<()> {
        let mut header = Header::new_ustar();
        header.set_path(name)?;
        header.set_mode(mode);
        header.set_size(bytes);
        header.set_mtime(self.mtime);
        header.set_uid(0);
        header.set_gid(0);
        header.set_cksum();
        self.builder.append(&header, from)
    }
}

/// A backup that was checked: its files are those of which the manifest has the SHA-256.
#[derive(Debug)]
pub struct Checked {
    pub manifest: Manifest,
    /// All files except those of the record, with their contents.
    pub files: Vec<(Place, Vec<u8>)>,
    /// The files of the record.
    pub record: Vec<InArchive>,
}

/// Where in the tar file a file of the record is.
#[derive(Debug)]
pub struct InArchive {
    pub file: RecordFile,
    pub offset: u64,
    pub bytes: u64,
}

impl Checked {
    /// How many games the record has; `None` if the backup has no record.
    pub fn games(&self) -> Option<u64> {
        let is_game = |it: &&InArchive| matches!(it.file, RecordFile::Game(_));
        let games = self.record.iter().filter(is_game).count();
        (!self.record.is_empty()).then(|| u64::try_from(games).unwrap_or(u64::MAX))
    }
}

/// Reads a whole backup and checks it. Every file must have a name that a backup can contain, be a
/// regular file, be within its size limit and occur once. The manifest must have the SHA-256 of them. The
/// kernel's cached pages of the file are dropped first, so that the bytes come from the medium.
///
/// # Errors
///
/// The text names the file of the backup and says what is wrong with it.
pub fn check(file: &mut File) -> Result<Checked, Unfit> {
    // A backup that was just written is still in the kernel's cache.
    let _ = fadvise(&*file, 0, None, Advice::DontNeed);
    file.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
    let mut archive = Archive::new(&*file);
    let entries = archive.entries().map_err(not_tar)?.raw(true);
    let (mut files, mut record, mut manifest) = (Vec::new(), Vec::new(), None);
    let (mut names, mut sum, mut left) = (BTreeSet::new(), Sha256::new(), SETTINGS_LIMIT);
    for entry in entries {
        let mut entry = entry.map_err(not_tar)?;
        let Part { name, bytes, place } = Part::of(&entry)?;
        let shown = name.escape_debug();
        if manifest.is_some() {
            return Err(format!("`{shown}` is behind the manifest").into());
        }
        let Some(place) = place else {
            manifest = Some(parse(&read(&mut entry, &name, bytes, MANIFEST_LIMIT)?)?);
            continue;
        };
        if !names.insert(place.clone()) || names.len() > FILES_LIMIT || files.len() >= SETTINGS {
            return Err(format!("`{shown}` is there twice, or there are too many files").into());
        }
        let offset = entry.raw_file_position();
        let mut from = Summed::new(&mut entry, &mut sum, &name, bytes);
        if let Place::Record(file) = place {
            if io::copy(&mut from, &mut io::sink()).map_err(not_tar)? < bytes {
                return Err(CUT_OFF.into());
            }
            record.push(InArchive { file, offset, bytes });
        } else {
            let contents = read(&mut from, &name, bytes, place.limit().min(left))?;
            left = left.saturating_sub(bytes);
            files.push((place, contents));
        }
    }
    let manifest: Manifest = manifest.ok_or(NO_MANIFEST)?;
    if manifest.sha256 != hexadecimal(&sum.finalize()) {
        return Err("its files are not those of its manifest, or not in their order".into());
    }
    Ok(Checked { manifest, files, record })
}

/// Reads only the manifest of a backup. The contents of the other files are skipped and not checked.
pub fn manifest_of(file: &File) -> Result<Manifest, Unfit> {
    let mut archive = Archive::new(file);
    let entries = archive.entries_with_seek().map_err(not_tar)?.raw(true);
    for entry in entries.take(FILES_LIMIT + 1) {
        let mut entry = entry.map_err(not_tar)?;
        let Part { name, bytes, place } = Part::of(&entry)?;
        if place.is_none() {
            return parse(&read(&mut entry, &name, bytes, MANIFEST_LIMIT)?);
        }
    }
    Err(NO_MANIFEST.into())
}

/// The name and the size in the header of a file in a backup, and which file of a clock it is.
struct Part {
    name: String,
    bytes: u64,
    /// `None` for the manifest.
    place: Option<Place>,
}

impl Part {
    /// # Errors
    ///
    /// It is no regular file, or no file of a clock.
    fn of<R: Read>(entry: &Entry<R>) -> Result<Part, String> {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let shown = name.escape_debug();
        if entry.header().entry_type() != EntryType::Regular {
            return Err(format!("`{shown}` is no regular file"));
        }
        let bytes = entry.header().entry_size().map_err(not_tar)?;
        let place = Place::of(&name);
        if place.is_none() && name != MANIFEST_NAME {
            return Err(format!("`{shown}` is no file of a clock"));
        }
        Ok(Part { name, bytes, place })
    }
}

/// The contents of a small file.
fn read(from: &mut impl Read, name: &str, bytes: u64, limit: u64) -> Result<Vec<u8>, String> {
    if bytes > limit {
        return Err(format!("`{}` has {bytes} bytes, more than {limit}", name.escape_debug()));
    }
    let mut contents = Vec::new();
    let read = from.read_to_end(&mut contents).map_err(not_tar)?;
    match u64::try_from(read) == Ok(bytes) {
        true => Ok(contents),
        false => Err(CUT_OFF.to_owned()),
    }
}

fn parse(text: &[u8]) -> Result<Manifest, Unfit> {
    #[derive(serde::Deserialize)]
    struct Form {
        chess_clock_backup: u32,
    }
    let wrong =
        |error: serde_json::Error| format!("its manifest cannot be read: {}", json_words(&error));
    let Form { chess_clock_backup: form } = serde_json::from_slice(text).map_err(wrong)?;
    if form != FORMAT {
        let why =
            format!("the backup has the version {form}; this program knows the version {FORMAT}");
        return Err(if form > FORMAT { Unfit::Newer(why) } else { Unfit::Damaged(why) });
    }
    let manifest: Manifest = serde_json::from_slice(text).map_err(wrong)?;
    let Manifest { host, board, version, .. } = &manifest;
    let bytes = [host.len(), board.as_ref().map_or(0, String::len), version.len()];
    let longest = bytes.into_iter().max().unwrap_or_default();
    if longest > TEXT_LIMIT {
        let what = "its manifest has a host, a board or a version";
        return Err(format!("{what} of {longest} bytes, more than {TEXT_LIMIT}").into());
    }
    Ok(manifest)
}

fn not_tar(error: io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => CUT_OFF.to_owned(),
        // For a header that is cut off, the crate `tar` returns an error of the kind `Other` with this text.
        _ if error.to_string() == "failed to read entire block" => CUT_OFF.to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}

/// Adds the name, the size and the contents of a file to a SHA-256 while the file is read.
struct Summed<'a, R> {
    from: R,
    sum: &'a mut Sha256,
    /// How many bytes were read.
    bytes: u64,
}

impl<'a, R: Read> Summed<'a, R> {
    fn new(from: R, sum: &'a mut Sha256, name: &str, bytes: u64) -> Summed<'a, R> {
        sum.update(format!("{name}\n{bytes}\n"));
        Summed { from, sum, bytes: 0 }
    }
}

impl<R: Read> Read for Summed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.sum.update(buffer.get(..read).unwrap_or_default());
        self.bytes += u64::try_from(read).unwrap_or_default();
        Ok(read)
    }
}

/// The version of the file format.
pub const FORMAT: u32 = 2;
/// The name of the manifest. It is the last file of a backup.
pub(super) const MANIFEST_NAME: &str = "manifest.json";
/// The largest manifest, in bytes.
pub(super) const MANIFEST_LIMIT: u64 = 64 * 1024;
/// The longest host, board or version, in bytes.
pub(super) const TEXT_LIMIT: usize = 256;

/// The contents of `manifest.json`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub chess_clock_backup: u32,
    /// The version of `clockctl` that made the backup.
    pub version: String,
    /// The name of the machine.
    pub host: String,
    /// The configured board, if there is one.
    pub board: Option<String>,
    /// When the backup was made, in seconds since 1970; `None` if the clock did not know the time.
    pub made_at_s: Option<u64>,
    /// How many games are on record; `None` if the clock had no record.
    pub games: Option<u64>,
    /// The SHA-256 of the names, the sizes and the contents of all files before the manifest.
    pub sha256: String,
}
