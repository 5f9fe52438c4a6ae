//! What is noted of a command before it is sent, so that a later run can find out whether the clock
//! has carried it out.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};

/// A command that was sent to one clock, or is about to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentCommand {
    /// The revision of the clock for which the command was sent. Any command that the clock carries
    /// out makes another revision, so the clock can carry out this one only once.
    pub revision: u64,
    /// The name of the connection on the bus of the clock. The record names the sender of each
    /// command by it.
    pub sender: String,
    /// The number of the game in the record; `None` if the clock kept no record.
    pub game: Option<u64>,
    /// The reason that was given with the command.
    pub reason: String,
    /// `None` until an answer has come.
    pub outcome: Option<SentOutcome>,
}

/// What the answer to a command said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SentOutcome {
    Done,
    /// The clock or the bus has refused it.
    NotDone,
}

impl SentCommand {
    /// Reads the file; `None` if no command was sent, or if the file cannot be understood.
    pub fn read(path: &Path) -> Option<SentCommand> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Writes the file in one step, and waits until it is on the disk.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let new = path.with_extension("new");
        let mut file = File::create(&new)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_data()?;
        std::fs::rename(&new, path)
    }
}
