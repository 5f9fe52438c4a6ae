//! What `record` and `bus` both use: the names and texts of a game, the sentences for its
//! events, the commands to the clock loop and who may give them, dry runs of commands, the scheduled
//! start, and the rows and the state of the record.
//!
//! This module uses the types of the engine. `bus` converts them to the types of D-Bus, and
//! `record` to rows.

pub mod authority;
mod command_note;
mod commands;
mod dry_run;
mod identity;
mod info;
pub mod journal;
mod on_record;
mod read_record;
mod record_status;
pub mod refusal;
mod report;
mod rows;
pub mod scheduled_start;
pub mod scheduler;
mod turns;
mod view_at;

pub use authority::{Capacity, Captains};
pub use command_note::{CommandNote, EntryNote, NotedGame};
pub use commands::{Answer, CommandSource, Commands, Done, Given, NotDone, random_id, sets_up};
#[cfg(test)]
pub use commands::{BUTTONS, SCHEDULE};
pub use dry_run::DryRun;
pub use identity::{Identity, IdentityKeeper};
pub use info::{BOARD_LIMIT, GameInfo, GameText};
pub use on_record::OnRecord;
pub use read_record::{BetweenPages, Entries, ReadError, ReadRecord};
pub use record_status::RecordStatus;
pub use report::report;
pub use rows::{Ended, EntryLine, Game, Row};
pub use scheduled_start::ScheduledStart;
pub use turns::Turns;
pub use view_at::view_at;
