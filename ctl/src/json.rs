//! The JSON objects that `clockctl --json` prints.
//!
//! Scripts depend on the names of the keys and on their order. The order of the fields here is the
//! order in the output.

mod questions;
mod state;
mod status;
mod watch;
mod word;

use clock_dbus::State;
use serde::Serialize;

pub use questions::{AnswerJson, QuestionJson};
pub use state::{ClaimJson, EventJson, OvertimeJson, RefusalJson, RulesJson, SideJson, StateJson};
pub use status::{FaultJson, LimitJson, OpenClaimJson, OutOfTimeJson, PlayersJson, StatusJson};
pub use watch::{NO_STATE_YET, Sent, WatchJson, WatchKind};

/// The answer to a command: the state after the command, whether the command is on record, what it
/// did, and both sides before it.
#[derive(Debug, Serialize)]
pub struct CommandJson {
    #[serde(flatten)]
    pub status: StatusJson,
    /// Whether the command is on record. If not, it was carried out all the same.
    pub recorded: bool,
    /// What the command did, in words.
    pub done: String,
    /// Both sides right before the command.
    pub before: SidesJson,
    /// Whether this is what the command would do, and nothing was done. Left out otherwise.
    #[serde(rename = "dry_run", skip_serializing_if = "is_false")]
    pub is_dry_run: bool,
    /// Whether the clock was as wanted before, so that no command was sent. Left out otherwise.
    #[serde(rename = "already", skip_serializing_if = "is_false")]
    pub is_already: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Both sides of a clock.
#[derive(Debug, Serialize)]
pub struct SidesJson {
    pub white: SideJson,
    pub black: SideJson,
}

impl CommandJson {
    /// The states before and after a command that did `done`.
    pub fn new(before: &State, after: &State, recorded: bool, done: String) -> CommandJson {
        let StateJson { white, black, .. } = StatusJson::from(before).state;
        let before = SidesJson { white, black };
        CommandJson {
            status: after.into(),
            recorded,
            done,
            before,
            is_dry_run: false,
            is_already: false,
        }
    }
}

/// The answer to `new`: the state of the new game, and the options that were not given.
#[derive(Debug, Serialize)]
pub struct NewGameJson {
    #[serde(flatten)]
    pub command: CommandJson,
    /// The options that were not given: some of `control`, `rules`, `event` and `board`. Their values are those of the game before; that of `board` can also come from the
    /// configuration.
    pub as_before: Vec<&'static str>,
    /// The options that were given for the game before and not for this one: `white`, `black`, `round`,
    /// `captain-plays`, `present-arbiter`. They hold for one game.
    pub dropped: Vec<&'static str>,
}

/// The output of a command that failed.
#[derive(Debug, Serialize)]
pub struct FailureJson<'a> {
    pub error: FailureBody<'a>,
}

/// What went wrong: a code for scripts, a message for people, and the exit code.
#[derive(Debug, Serialize)]
pub struct FailureBody<'a> {
    pub code: &'a str,
    pub message: &'a str,
    pub exit: u8,
}
