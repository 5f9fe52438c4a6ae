//! Starts `clockd` to copy the record and to replace it. Only `clockd` knows the format of the record.
//! `daemon/src/backup.rs` describes the lines that both programs exchange.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::backup::RecordFacts;
use crate::failure::Failure;

/// The longest line that `clockd` answers, in bytes: a word and a path.
const LINE_LIMIT: u64 = 8 * 1024;

/// A process of `clockd` that copies or replaces the record.
struct Process {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    /// Starts the process as the user who owns the folder of the record. As root it could be led to other
    /// files by symbolic links in that folder.
    fn start(task: &str, record: &Path) -> Result<Process, Failure> {
        let mut command = Command::new("clockd");
        command.arg(task).arg(record).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C sends a signal to the process group of the terminal. This process is not in that group, so
        // Ctrl-C does not end it while it replaces the record.
        command.stderr(Stdio::null()).env("CLOCK_LOG", "error").process_group(0);
        let folder = record.parent().unwrap_or(Path::new("/"));
        let owner = std::fs::metadata(folder)
            .map_err(|error| Failure::Usage(format!("{}: {error}", folder.display())))?;
        if rustix::process::geteuid().is_root() {
            command.uid(owner.uid()).gid(owner.gid());
        }
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Usage(format!("clockd cannot be run: {error}")))?;
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Ok(Process { child, orders, answers })
    }

    /// Reads the next line of the answer. Returns its first word and the rest of the line.
    fn answer(&mut self) -> Result<(String, String), Failure> {
        let mut line = String::new();
        let read = Read::take(&mut self.answers, LINE_LIMIT).read_line(&mut line);
        if read.map_err(|error| protocol(&error.to_string()))? == 0 {
            return Err(protocol("it has ended"));
        }
        let line = line.trim_end_matches('\n');
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "error:" => Err(Failure::Usage(rest.to_owned())),
            word => Ok((word.to_owned(), rest.to_owned())),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process ends when its input is closed.
        self.orders = None;
        let _ = self.child.wait();
    }
}

/// A copy of the record that `clockd` has checked. Reading this value reads the copy.
pub(super) struct RecordCopy {
    process: Process,
    pub bytes: u64,
    pub facts: RecordFacts,
}

impl RecordCopy {
    /// Lets `clockd` copy the record; `None` if there is no record.
    pub(super) fn of(record: &Path) -> Result<Option<RecordCopy>, Failure> {
        if !record.exists() {
            return Ok(None);
        }
        let mut process = Process::start("--copy-record", record)?;
        match process.answer()? {
            (word, _) if word == "none" => Ok(None),
            (word, rest) if word == "record" => {
                let (bytes, facts) = facts(&rest)?;
                Ok(Some(RecordCopy { process, bytes, facts }))
            }
            (word, _) => Err(protocol(&word)),
        }
    }
}

impl Read for RecordCopy {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.process.answers.read(buffer)
    }
}

/// The record of a backup, which `clockd` has checked but not put in place yet. If the value is dropped,
/// nothing is changed.
pub(super) struct NewRecord {
    process: Process,
    path: PathBuf,
    /// The file that is at the path of the record.
    before: Option<(u64, u64)>,
}

impl NewRecord {
    /// Sends a record to `clockd` and waits until `clockd` has checked it. `write` must write exactly
    /// `bytes` bytes.
    pub(super) fn check(
        record: &Path,
        bytes: u64,
        write: impl FnOnce(&mut ChildStdin) -> io::Result<()>,
    ) -> Result<NewRecord, Failure> {
        let mut process = Process::start("--replace-record", record)?;
        let orders = process.orders.as_mut().expect("it is a pipe");
        let written = writeln!(orders, "{bytes}").and_then(|()| write(orders));
        if let Err(error) = written {
            // If clockd has ended early, its answer says why.
            process.orders = None;
            process.answer()?;
            return Err(protocol(&error.to_string()));
        }
        match process.answer()? {
            (word, _) if word == "checked" => {
                Ok(NewRecord { process, path: record.to_owned(), before: file_at(record) })
            }
            (word, _) => Err(protocol(&word)),
        }
    }

    /// Replaces the record of the clock. Returns the new path of the replaced record; `None` if there was
    /// none.
    ///
    /// # Errors
    ///
    /// The record is unchanged, or another file is at its path: [`Failure::Incomplete`].
    pub(super) fn replace(mut self) -> Result<Option<PathBuf>, Failure> {
        self.order().map_err(|failure| match file_at(&self.path) == self.before {
            true => failure,
            false => Failure::Incomplete {
                code: "partly-loaded",
                message: format!(
                    "{0} is not the earlier record any more, look for {0}.replaced-N: {failure}",
                    self.path.display()
                ),
            },
        })
    }

    fn order(&mut self) -> Result<Option<PathBuf>, Failure> {
        let orders = self.process.orders.as_mut().expect("it is a pipe");
        orders.write_all(b"replace\n").map_err(|error| protocol(&error.to_string()))?;
        match self.process.answer()? {
            (word, path) if word == "replaced" => Ok(Some(PathBuf::from(path))),
            (word, _) if word == "new" => Ok(None),
            (word, _) => Err(protocol(&word)),
        }
    }
}

/// The file system and the inode of the file at this path.
fn file_at(path: &Path) -> Option<(u64, u64)> {
    std::fs::symlink_metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

fn facts(words: &str) -> Result<(u64, RecordFacts), Failure> {
    let numbers: Vec<u64> = words.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [bytes, version, games] = numbers[..] else { return Err(protocol(words)) };
    let version = u32::try_from(version).map_err(|_| protocol(words))?;
    Ok((bytes, RecordFacts { version, games }))
}

fn protocol(said: &str) -> Failure {
    Failure::Protocol(format!("clockd and the record: {said}"))
}

#[cfg(test)]
mod tests {
    use super::Process;
    use crate::failure::Failure;

    /// Without its owner, the process would run as root in a folder that another user can fill.
    #[test]
    fn no_process_is_started_if_the_folder_of_the_record_cannot_be_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("gone/record.sqlite3");
        let Err(Failure::Usage(why)) = Process::start("--copy-record", &record) else {
            panic!("it was started, or failed in another way");
        };
        assert!(why.starts_with(&format!("{}: ", record.parent().unwrap().display())), "{why}");
    }
}
