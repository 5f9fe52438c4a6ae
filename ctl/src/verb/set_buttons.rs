//! `clockctl set-buttons`: which button is White's.

use anyhow::Result;
use clap::ValueEnum;

use super::command::{self, Phrases};
use crate::options::Options;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Each player uses the button that is wired as his, or that of the other
    #[arg(value_enum)]
    buttons: Buttons,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Buttons {
    AsWired,
    Exchanged,
}

/// Sets which button is White's, because the clock can stand on either side of the board. This is
/// possible before the start and while both clocks stand.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "set which button is White's", done: "the buttons were set" };
    let exchanged = args.buttons == Buttons::Exchanged;
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.set_buttons(exchanged, revision, reason).await,
        |_, after| match after.buttons_exchanged {
            true => "White uses the button that is wired as Black's, and Black the other one\n"
                .to_owned(),
            false => "each player uses the button that is wired as that player's\n".to_owned(),
        },
    )
    .await
}
