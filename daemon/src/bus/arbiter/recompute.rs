//! The times for a change of the time control with `recompute`: the turns of the game are read from
//! the record and played again.

use super::{Arbiter, arguments, program};
use crate::bus::shared_state::SharedState;
use crate::game::Turns;
use clock_dbus::Error;
use clock_engine::{Control, Recompute, UnknownTurns};
use zbus::message::Header;

impl Arbiter {
    /// The times of the game of this caller for a change to `control`. The command has them, so the
    /// clock loop reads no record, and the entry of the command determines the state after it.
    ///
    /// A command with a stale `revision` has no such times: it is refused as stale, whether or not a
    /// record is kept, and nothing is read for it.
    pub(super) async fn recompute(
        &self,
        control: &Control,
        revision: u64,
        header: &Header<'_>,
    ) -> Result<Recompute, Error> {
        if self.present(header).state.revision != revision {
            return Ok(Recompute::Unknown(UnknownTurns::Changed));
        }
        let copied = self.dry_runs.as_deref().zip(program(header));
        let Some(dry_run) = copied.and_then(|(dry_runs, program)| dry_runs.dry_run(&program))
        else {
            return Ok(self.turns(u64::MAX).await?.recompute(control));
        };
        match dry_run.recompute_own(control) {
            Some(own) => Ok(own),
            None => {
                let turns = self.turns(dry_run.copied_after()).await?;
                Ok(dry_run.recompute(control, turns))
            }
        }
    }

    /// The turns of the present game, up to this entry or to the last one on record.
    async fn turns(&self, entry: u64) -> Result<Turns, Error> {
        let SharedState { commits, history, .. } = &*self.shared;
        if commits.is_kept() && !commits.up_to_date(self.shared.latest_entry()).await {
            return Err(unknown(
                "the record is not up to date, because the storage is slow or fails",
            ));
        }
        history.turns(entry).await.map_err(|error| match error {
            Error::NoRecord(why) => unknown(&why),
            other => other,
        })
    }
}

fn unknown(why: &str) -> Error {
    arguments::no_record(&format!(
        "the times cannot be recomputed, because the turns of the game cannot be read: {why}; change the time \
         control without recomputing, and set the times"
    ))
}
