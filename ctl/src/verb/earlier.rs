//! The parts of games that were played on earlier clocks, from the files that were exported there.

use std::path::{Path, PathBuf};

use clockctl::record::{Record, file::RecordFile, joined::put_before};

use super::record_file;
use crate::{failure::Failure, out, text::plain};

/// The files of `--earlier`.
pub struct Earlier {
    files: Vec<(PathBuf, RecordFile)>,
}

impl Earlier {
    /// Reads the files.
    pub fn read(paths: &[PathBuf]) -> Result<Earlier, Failure> {
        let read = |path: &PathBuf| Ok((path.clone(), record_file::read(path)?.1));
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
