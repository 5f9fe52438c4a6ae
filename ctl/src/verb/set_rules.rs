//! `clockctl set-rules`: changes the rule profile of the game.

use anyhow::Result;
use clock_dbus::State;

use super::command::{self, Phrases};
use crate::{options::Options, text};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The name of a rule profile that the clock knows (clockctl rules list)
    #[arg(value_name = "NAME")]
    rules: String,
}

/// Changes the profile. Both clocks have to stand.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases =
        Phrases { wanted: "change the rule profile", done: "the rule profile was changed" };
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.set_rules(&args.rules, revision, reason).await,
        say,
    )
    .await
}

fn say(before: &State, after: &State) -> String {
    let name = |state: &State| match state.rules.as_str() {
        "" => "none".to_owned(),
        rules => text::plain(rules),
    };
    format!("rules: {}, before: {}\n", name(after), name(before))
}
