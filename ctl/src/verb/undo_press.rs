//! `clockctl undo-press`: takes the last press back.

use anyhow::Result;
use clock_dbus::{Side, State};

use super::{
    command::{self, Phrases},
    readings,
};
use crate::options::Options;

/// Takes the last press back, says whose it was, and shows the times of both sides before and after
/// that.
pub async fn run(options: &Options) -> Result<()> {
    let phrases =
        Phrases { wanted: "take the last press back", done: "the last press was taken back" };
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.undo_press(revision, reason).await,
        |before, after| taken_back(before, after) + &readings::table(before, after),
    )
    .await
}

/// Says that a press of the side whose counter is now lower was taken back. The text is empty if no
/// counter is lower.
fn taken_back(before: &State, after: &State) -> String {
    let fewer = |side: &Side| after.side(*side).moves < before.side(*side).moves;
    let Some(side) = Side::BOTH.into_iter().find(fewer) else {
        return String::new();
    };
    let (name, press) = (side.name(), before.side(side).moves);
    format!("{name}'s press {press} is taken back\n")
}
