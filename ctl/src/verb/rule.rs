//! `clockctl rule`: sends the arbiter's ruling on a question that awaits one. If the command line
//! has no ruling and there is a terminal, it asks for the ruling.

mod ask;

use std::io::{self, IsTerminal};

use anyhow::Result;
use clock_dbus::{LatePlayers, Ruling, State};
use clock_engine::Span;
use clock_engine::text::parse_duration;

use super::command;
use crate::{
    options::{Options, words},
    out, prompt,
    rulings::{self, AllowedRuling},
    text,
};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = RULINGS)]
pub struct Args {
    /// The ruling, such as made, reject or valid [default: asks, if there is a terminal]
    #[arg(value_name = "RULING", value_parser = ruling)]
    ruling: Option<Ruling>,
    /// The time for the opponent with reject and postpone [default: what the rule profile proposes]
    #[arg(long, value_name = "T", value_parser = award, requires = "ruling")]
    award: Option<u64>,
    /// The late player, or both, with forfeit and waive [default: the one who is late]
    #[arg(long, value_parser = words::<LatePlayers>(), requires = "ruling")]
    side: Option<LatePlayers>,
}

impl Args {
    /// Whether the ruling is given, so that none is asked for.
    pub fn has_ruling(&self) -> bool {
        self.ruling.is_some()
    }
}

const RULINGS: &str = "\
On a flag: call, made, not-made, not-established, order-unknown, white-loses, black-loses, drawn.
On a draw claim: reject, postpone, drawn; under some profiles the loss of the claimant.
On a request for an increment: draw-accepted or draw-refused (the opponent's answer), then increment-agreed or increment-refused.
On a second illegal move: white-loses or black-loses, drawn.
On a stop of the clocks: valid, not-obvious, obviously-invalid.
On a late arrival: forfeit, waive.
clockctl status shows what awaits a ruling, and which rulings the rule profile allows now.";

/// Reads the word of a ruling. Completions ask the clock for the words that are allowed now, so the
/// definition of the argument has none.
fn ruling(text: &str) -> Result<Ruling, String> {
    // An arbiter names the loser.
    let all = || Ruling::ALL.iter().filter(|ruling| **ruling != Ruling::Lost);
    let words = || all().map(|ruling| ruling.as_str()).collect::<Vec<_>>().join(", ");
    let found = all().find(|ruling| ruling.as_str() == text);
    found.copied().ok_or_else(|| format!("a ruling is one of {}", words()))
}

/// Reads an award, which can be 0.
pub fn award(text: &str) -> Result<u64, String> {
    let time = parse_duration(text).map(Span::as_nanos).map_err(|error| error.to_string())?;
    let on_wire = i64::try_from(time).map_err(|_| "longer than a clock takes".to_owned())?;
    Ok(on_wire.unsigned_abs())
}

/// Gives the ruling, or asks for one.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    match args.ruling {
        Some(ruling) => give(options, args, ruling).await,
        None if prompt::asks(options) && io::stdout().is_terminal() => ask::ask(options).await,
        None => list(options).await,
    }
}

async fn give(options: &Options, args: &Args, ruling: Ruling) -> Result<()> {
    let connected = command::connect(options, command::RULING).await?;
    let given = rulings::given(ruling, args.side, args.award, &connected.before)
        .map_err(|message| connected.usage(message))?;
    connected.send(options, given).await?.show(options, command::after_done).await
}

/// Prints the rulings that are allowed and fails, because none was given.
async fn list(options: &Options) -> Result<()> {
    let connected = command::connect(options, command::RULING).await?;
    let state = connected.bus.now().await?;
    if !options.json && !options.quiet {
        out::print(&text::questions::list(&state, false))?;
    }
    Err(connected.usage(no_ruling(&state)))
}

/// The message for a command line without a ruling: the rulings that are allowed, or that there is
/// nothing to rule on.
fn no_ruling(state: &State) -> String {
    let allowed = rulings::allowed(state);
    if allowed.is_empty() {
        return rulings::nothing_to_rule(state);
    }
    let words = words_once(&allowed);
    let words: Vec<String> = words.iter().map(|word| format!("rule {word}")).collect();
    format!("no ruling is given; type: {}", words.join(" or "))
}

/// The words of these rulings, each once. If several players are late, a word has the sides with
/// which it is allowed, such as `waive --side white|black`.
fn words_once(allowed: &[AllowedRuling]) -> Vec<String> {
    let named = |allowed: &AllowedRuling| Some((allowed.ruling, allowed.answer.side?));
    let late: Vec<(Ruling, LatePlayers)> = allowed.iter().filter_map(named).collect();
    let is_ambiguous = late.windows(2).any(|two| two[0].1 != two[1].1);
    let mut words: Vec<String> = Vec::new();
    for ruling in allowed.iter().map(|allowed| allowed.ruling) {
        let word = if ruling.is_on_lateness() && is_ambiguous {
            let same = late.iter().filter(|(other, _)| *other == ruling);
            let sides: Vec<&str> = same.map(|(_, side)| side.as_str()).collect();
            format!("{ruling} --side {}", sides.join("|"))
        } else {
            ruling.to_string()
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words_once;
    use crate::rulings::{allowed, tests};

    #[test]
    fn the_words_of_the_rulings_are_named_once_with_the_sides_that_they_take() {
        let of = |state| words_once(&allowed(&state));
        assert_eq!(of(tests::both_late()), ["waive --side white|black", "forfeit --side both"]);
        assert_eq!(of(tests::claim()), ["reject", "postpone", "drawn"]);
        let mut one = tests::both_late();
        one.questions.truncate(1);
        one.questions[0].answers.truncate(1);
        assert_eq!(of(one), ["waive"]);
    }
}
