//! What `record` and `bus` both use: the names and texts of a game, the sentences for its
//! events, the commands to the clock loop and who may give them, dry runs of commands, the scheduled
//! start, and the rows and the state of the record.
//!
//! This module uses the types of the engine. `bus` converts them to the types of D-Bus, and
//! `record` to rows.

pub mod authority;
mod commands;
mod dry_run;
mod identity;
mod info;
pub mod journal;
mod read_record;
mod record_status;
mod report;
pub mod scheduled_start;
pub mod scheduler;
#[cfg(test)]
mod testing;
mod turns;
mod view_at;

pub use authority::{Capacity, Captains};
pub use commands::{Answer, CommandSource, Commands, Done, Given, NotDone, random_id, sets_up};
#[cfg(test)]
pub use commands::{BUTTONS, SCHEDULE};
pub use dry_run::DryRun;
pub use identity::{Identity, IdentityKeeper};
pub use info::{BOARD_LIMIT, CommandNote, EntryNote, GameInfo, GameText, NotedGame};
pub use read_record::{BetweenPages, Ended, Entries, EntryLine, Game, ReadError, ReadRecord, Row};
pub use record_status::{OnRecord, RecordStatus, watch_storage};
pub use report::{error_of, refusal_on_record, report};
pub use scheduled_start::ScheduledStart;
#[cfg(test)]
pub use testing::{FakeRecord, update};
pub use turns::Turns;
pub use view_at::view_at;
