//! `clockctl undo`: takes the last press back.

use anyhow::Result;
use clock_dbus::{State, Who};

use super::{
    command::{self, Phrases},
    readings,
};
use crate::{options::Options, text};

/// Takes the last press back, says whose it was, and shows both readings.
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

/// Says whose press was taken back: the side whose counter is now lower by one.
fn taken_back(before: &State, after: &State) -> String {
    let fewer = |who: &Who| after.side(*who).moves < before.side(*who).moves;
    let Some(who) = [Who::White, Who::Black].into_iter().find(fewer) else {
        return String::new();
    };
    let (name, press) = (text::name(who), before.side(who).moves);
    format!("{name}'s press {press} is taken back\n")
}
