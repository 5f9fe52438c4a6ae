//! Measures how long a command takes until it is on record.

use crate::button::now;
use anyhow::{Result, ensure};
use clock_dbus::{ArbiterProxy, ClockProxy, Completed, METHOD_TIMEOUT};
use rustix::fs::fdatasync;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use zbus::connection::Builder;
use zbus::proxy::CacheProperties;

/// The size of an entry of a pause in the file of a game, in bytes.
const ENTRY: usize = 1100;

#[derive(clap::Args)]
pub struct Recording {
    /// A file on the disk of the record, which must not exist yet.
    file: PathBuf,
    /// How many pauses, and how many resumptions.
    #[arg(long, default_value_t = 50)]
    count: u32,
}

impl Recording {
    /// Pauses and resumes the clock, and between two commands appends as many bytes to `file` as an entry has
    /// and waits until they are on the disk. Prints a JSON object for each pair: the nanoseconds from the call
    /// to its answer, which the clock gives when the command is on record, and those of the append.
    pub async fn run(self) -> Result<()> {
        let bus = Builder::system().method_timeout(METHOD_TIMEOUT).build().await?;
        let clock = ClockProxy::builder(&bus).cache_properties(CacheProperties::No).build().await?;
        let arbiter = ArbiterProxy::new(&bus).await?;
        let mut file = File::create_new(&self.file)?;
        let mut revision = clock.get_state().await?.revision;
        for number in 0..2 * self.count {
            let called = now();
            let Completed { revision: next, recorded, .. } = match number % 2 {
                0 => arbiter.pause(None, revision, "").await?,
                _ => arbiter.resume(None, revision, "").await?,
            };
            let answered = now();
            ensure!(recorded, "the command {number} was not on record when it was answered");
            file.write_all(&[b'x'; ENTRY])?;
            fdatasync(&file)?;
            let line = serde_json::json!({"answer": answered - called, "append": now() - answered});
            println!("{line}");
            revision = next;
        }
        Ok(())
    }
}
