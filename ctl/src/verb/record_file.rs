//! A file that `clockctl export --format json` wrote, and the parts of games that were played on earlier
//! clocks, from such files.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clock_controls::open_regular;
use clockctl::record::Record;
use clockctl::record::file::{self, MAX_BYTES, RecordFile};
use clockctl::record::joined::put_before;

use crate::failure::Failure;
use crate::out;
use crate::text::plain;

/// Reads the file; `-` is standard input. Returns its text, and the same text parsed.
pub fn read(path: &Path) -> Result<(String, RecordFile), Failure> {
    let name = || {
        if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
    };
    let wrong = |what: String| Failure::Usage(format!("{}: {what}", name()));
    let bytes = bytes(path).map_err(|error| wrong(error.to_string()))?;
    let file = file::read(&bytes).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    Ok((text, file))
}

/// The bytes of the file, at most one more than `MAX_BYTES`. The path of a pipe is refused, because
/// opening it can block for ever. Standard input may be a pipe.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(MAX_BYTES).expect("40 MiB") + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        open_regular(path)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The files of `--earlier`.
pub struct Earlier {
    files: Vec<(PathBuf, RecordFile)>,
}

impl Earlier {
    /// Reads the files.
    pub fn read(paths: &[PathBuf]) -> Result<Earlier, Failure> {
        let read = |path: &PathBuf| Ok((path.clone(), read(path)?.1));
        Ok(Earlier { files: paths.iter().map(read).collect::<Result<_, Failure>>()? })
    }

    /// Puts each part before the game that was taken over from it.
    ///
    /// # Errors
    ///
    /// A file has no part of these games.
    pub fn join(self, records: &mut [&mut Record]) -> Result<(), Failure> {
        let mut files = self.files;
        loop {
            // The part of the first of three clocks can be put before that of the second one only
            // when this is in its place.
            let before = files.len();
            files.retain(|(_, file)| {
                !records.iter_mut().any(|record| put_before(record, &file.record))
            });
            if files.len() == before {
                break;
            }
        }
        match files.as_slice() {
            [] => Ok(()),
            [(path, file), ..] => Err(Failure::Usage(not_joined(path, file))),
        }
    }

    /// Warns of each file that may not be as it was exported. Returns whether there is one.
    pub fn warn_of_doubt(&self) -> bool {
        let mut is_in_doubt = false;
        for (path, file) in &self.files {
            if let Some(doubt) = file.doubt() {
                is_in_doubt = true;
                out::report(&format!(
                    "clockctl: {}\n",
                    plain(&format!("{}: {doubt}", path.display()))
                ));
            }
        }
        is_in_doubt
    }
}

fn not_joined(path: &Path, file: &RecordFile) -> String {
    let (path, game) = (path.display(), &file.record.game);
    format!(
        "{path}: no game here was taken over from it; it has game {} of the clock {} up to entry {}",
        game.game,
        game.machine,
        file.last().entry
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn a_pipe_is_refused_and_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.json");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR, 0).unwrap();
        let (read, is_read) = std::sync::mpsc::channel();
        let of_thread = path.clone();
        std::thread::spawn(move || read.send(super::read(&of_thread).map(drop)));
        let result = is_read.recv_timeout(std::time::Duration::from_secs(30)).unwrap();
        let Err(Failure::Usage(said)) = result else { panic!("{result:?}") };
        assert_eq!(said, format!("{}: not a regular file", path.display()));
    }
}
