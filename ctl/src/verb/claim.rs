//! `clockctl claim`: enters the call of a flag, a draw claim, or a request for an increment.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use clap::{Subcommand, ValueEnum};
use clock_engine::rules::{Evidence, Ground};

use super::command::{self, Connected, Phrases};
use super::readings;
use crate::bus::Bus;
use crate::options::{self, Options, word, words};
use crate::{prompt, text};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    claim: Claim,
}

#[derive(Debug, Subcommand)]
enum Claim {
    /// Somebody calls a flag that is down
    Flag(FlagArgs),
    /// A player claims a draw
    Draw(DrawArgs),
    /// A player requests an increment for both (Guidelines III.4); it is a draw offer, too
    Increment(IncrementArgs),
}

#[derive(Debug, clap::Args)]
struct FlagArgs {
    /// Who calls the flag
    #[arg(long, value_enum, value_name = "WHO")]
    by: Claimant,
    /// What the call rests on: the clock's flag, or what a display shows
    #[arg(long, value_parser = words::<Evidence>(), value_name = "WHAT", default_value_t = Evidence::Flag)]
    evidence: Evidence,
}

#[derive(Debug, clap::Args)]
struct DrawArgs {
    /// What the claim rests on
    #[arg(value_parser = words::<Ground>(), value_name = "GROUND")]
    ground: Ground,
    /// The player who claims
    #[arg(long, value_enum, value_name = "WHO")]
    by: Claimant,
    /// The player lets the clocks run, where the rule profile leaves that choice
    #[arg(long)]
    no_stop: bool,
    /// The answer to the draw offer before the claim [default: asks where the rule profile wants an
    /// offer, if there is a terminal; otherwise none]
    #[arg(long, value_enum, value_name = "ANSWER")]
    offer: Option<Offer>,
}

#[derive(Debug, clap::Args)]
struct IncrementArgs {
    /// The player who requests it
    #[arg(long, value_enum, value_name = "WHO")]
    by: Claimant,
}

/// Who claims. The clock decides who may claim: it refuses a bystander, and names the clause.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Claimant {
    #[value(aliases = options::WHITE)]
    White,
    #[value(aliases = options::BLACK)]
    Black,
    Arbiter,
    Bystander,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Offer {
    Accepted,
    Refused,
    None,
}

impl Offer {
    /// The word on the bus; empty if no offer was made.
    fn as_str(self) -> &'static str {
        match self {
            Offer::Accepted => "accepted",
            Offer::Refused => "refused",
            Offer::None => "",
        }
    }

    fn from_answer(text: &str) -> Option<Offer> {
        match text {
            "a" | "accepted" => Some(Offer::Accepted),
            "r" | "refused" => Some(Offer::Refused),
            "n" | "none" => Some(Offer::None),
            _ => None,
        }
    }
}

/// Enters the claim. Prints the state after it, and every question that then awaits a ruling.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.claim {
        Claim::Flag(args) => call_flag(options, args.by, args.evidence).await,
        Claim::Draw(args) => claim_draw(options, args).await,
        Claim::Increment(args) => {
            let phrases = Phrases {
                wanted: "enter the request for an increment",
                done: "the request was entered",
            };
            let call =
                async |arbiter: &clock_dbus::ArbiterProxy<'static>, revision, reason: &str| {
                    arbiter.request_increment(&word(&args.by), revision, reason).await
                };
            command::run_and_say(options, phrases, call, readings::after_ruling).await
        }
    }
}

/// Calls a flag.
pub async fn call_flag(options: &Options, by: Claimant, evidence: Evidence) -> Result<()> {
    let phrases = Phrases { wanted: command::FLAG_CALL, done: "the flag was called" };
    let (by, evidence) = (word(&by), evidence.as_str());
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.claim_flag(&by, evidence, revision, reason).await,
        readings::after_ruling,
    )
    .await
}

async fn claim_draw(options: &Options, args: &DrawArgs) -> Result<()> {
    let phrases = Phrases { wanted: "enter the draw claim", done: "the draw claim was entered" };
    let connected = command::connect(options, phrases).await?;
    let offer = match args.offer {
        Some(offer) => Some(offer),
        None => offer_before_claim(options, &connected).await?,
    };
    let (by, ground, stop) = (word(&args.by), args.ground.as_str(), !args.no_stop);
    let completed = connected
        .send(options, async |arbiter, revision, reason| {
            let answer = offer.unwrap_or(Offer::None).as_str();
            arbiter.claim_draw(&by, ground, stop, answer, revision, reason).await
        })
        .await?;
    let is_read = !options.quiet && !options.json;
    let missing = offer.is_none() && is_read && wants_offer(&completed.bus).await;
    completed
        .show(options, |before, after| {
            let note = if missing { text::addressed(NO_OFFER) } else { String::new() };
            readings::after_ruling(before, after) + &note
        })
        .await
}

/// This note is printed if the profile wants a draw offer before the claim and nobody was asked
/// about the offer.
const NO_OFFER: &str = "the rules want a draw offer before a claim; to record its answer: clockctl record-attachment details \
                        \"draw offer refused\"\n";

/// Asks for the answer to the draw offer that the profile wants before a claim (the league's
/// preface to The Chess Organisers' Handbook). It asks only on a terminal, without `--json` and
/// `--quiet`, and only while both clocks stand: otherwise the claimant's clock could run until
/// somebody answers. Returns `None` if it has not asked.
async fn offer_before_claim(options: &Options, connected: &Connected) -> Result<Option<Offer>> {
    let asks = io::stdin().is_terminal() && io::stderr().is_terminal();
    let stands = connected.before.running == clock_dbus::Who::Nobody;
    if !asks || !stands || options.json || options.quiet || !wants_offer(&connected.bus).await {
        return Ok(None);
    }
    let question = "Was a draw offered before the claim? a: accepted, r: refused, n: no offer";
    loop {
        let answer = prompt::ask(question).context("cannot ask for the draw offer")?;
        if let Some(offer) = Offer::from_answer(&answer) {
            return Ok(Some(offer));
        }
    }
}

async fn wants_offer(bus: &Bus) -> bool {
    command::profile_in_use(bus).await.is_some_and(|profile| profile.offer_before_claim)
}
