//! The record of a backup: `clockd`, which alone knows its form, copies it and puts it in its place.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::backup::RecordFacts;
use crate::failure::Failure;

/// The longest answer, in bytes: a word and a path.
const LINE_LIMIT: u64 = 8 * 1024;

/// A process of `clockd` for one task.
struct Process {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    /// Starts it as the user who owns the folder of the record, so that root follows no path in it.
    fn start(task: &str, record: &Path) -> Result<Process, Failure> {
        let mut command = Command::new("clockd");
        command.arg(task).arg(record).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null()).env("CLOCK_LOG", "error");
        let folder = record.parent().unwrap_or(Path::new("/"));
        if let Ok(owner) = std::fs::metadata(folder)
            && rustix::process::geteuid().is_root()
        {
            command.uid(owner.uid()).gid(owner.gid());
        }
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Usage(format!("clockd cannot be run: {error}")))?;
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Ok(Process { child, orders, answers })
    }

    /// Reads the next answer: its first word, and the rest.
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
        // The end of its input ends it.
        self.orders = None;
        let _ = self.child.wait();
    }
}

/// A checked copy of the record, which can be read.
pub(super) struct RecordCopy {
    process: Process,
    pub bytes: u64,
    pub facts: RecordFacts,
}

impl RecordCopy {
    /// Lets `clockd` copy the record; `None` if there is none.
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

/// The record of a backup, which `clockd` has checked and not put in its place yet. Nothing is changed if
/// the value is dropped.
pub(super) struct NewRecord {
    process: Process,
}

impl NewRecord {
    /// Gives `clockd` a record of `bytes` bytes, which `write` writes.
    pub(super) fn check(
        record: &Path,
        bytes: u64,
        write: impl FnOnce(&mut ChildStdin) -> io::Result<()>,
    ) -> Result<NewRecord, Failure> {
        let mut process = Process::start("--replace-record", record)?;
        let orders = process.orders.as_mut().expect("it is a pipe");
        let written = writeln!(orders, "{bytes}").and_then(|()| write(orders));
        if let Err(error) = written {
            // If it has ended, its answer says why.
            process.orders = None;
            process.answer()?;
            return Err(protocol(&error.to_string()));
        }
        match process.answer()? {
            (word, _) if word == "checked" => Ok(NewRecord { process }),
            (word, _) => Err(protocol(&word)),
        }
    }

    /// Puts the record in its place. Returns the new path of the earlier one.
    pub(super) fn replace(mut self) -> Result<Option<PathBuf>, Failure> {
        let orders = self.process.orders.as_mut().expect("it is a pipe");
        orders.write_all(b"replace\n").map_err(|error| protocol(&error.to_string()))?;
        match self.process.answer()? {
            (word, path) if word == "replaced" => Ok(Some(PathBuf::from(path))),
            (word, _) if word == "new" => Ok(None),
            (word, _) => Err(protocol(&word)),
        }
    }
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
