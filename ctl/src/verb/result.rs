//! `clockctl result`: ends the game.

use anyhow::{Context, Result};
use clock_dbus::Given;
use clock_engine::Outcome;

use super::command::{self, Connected};
use crate::{failure::Failure, options::Options, out, prompt};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// 1-0, 0-1, 1/2-1/2 or 0-0: White's score first
    #[arg(value_parser = result)]
    result: Outcome,
    /// Why, such as mate, resignation, agreement; the same as --reason. A game with a rule profile
    /// needs it, and a terminal asks for it
    #[arg(value_name = "REASON", conflicts_with = "reason")]
    why: Option<String>,
}

/// Reads a result. It is no `ValueEnum`, because clap would suggest the most similar result for a
/// mistyped one, and that is a different result.
fn result(text: &str) -> std::result::Result<Outcome, String> {
    if let Some(outcome) = Outcome::from_text(text) {
        return Ok(outcome);
    }
    match text.to_lowercase().as_str() {
        "1/2" | "½" | "½-½" | "½–½" | "1/2–1/2" | "draw" | "drawn" | "0.5-0.5" => Ok(Outcome::Drawn),
        "white" | "w" | "black" | "b" => Err(
            "this can be the player who has won or the one who has lost; expected 1-0 if White has won, \
             0-1 if Black has won"
                .to_owned(),
        ),
        _ => {
            let all = Outcome::ALL.map(Outcome::as_str).join(", ");
            Err(format!("a result is one of {all}"))
        }
    }
}

/// Ends the game. The times stay as they are.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let connected = command::connect(options, "enter the result").await?;
    let reason = match &args.why {
        Some(why) => why.clone(),
        None if asks(options, &connected) => ask_why().context("no reason")?,
        None => options.reason.clone(),
    };
    let given = Given::Result { result: args.result };
    let completed = connected.send_because(options, given, &reason).await?;
    completed.show(options, command::after_done).await
}

/// Asks until the answer is no command: one that was typed before the question was read would
/// become the reason.
fn ask_why() -> Result<String, Failure> {
    loop {
        let answer = prompt::ask("Why? mate, resignation, stalemate, agreement …")?;
        if answer.split_whitespace().next() != Some("clockctl") {
            return Ok(answer);
        }
        out::report("this is a command and no reason; it is not carried out\n");
    }
}

/// Whether to ask for the reason: the game has a rule profile, which needs one; `--reason` was not
/// given; and there is a terminal, without `--json` and `--quiet`.
fn asks(options: &Options, connected: &Connected) -> bool {
    let needed = options.reason.is_empty() && !connected.before.rules.is_empty();
    needed && prompt::asks(options)
}
