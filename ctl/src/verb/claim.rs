//! `clockctl claim`: enters the call of a flag, a draw claim, or a request for an increment.

use anyhow::{Context, Result};
use clap::{Subcommand, ValueEnum};
use clock_dbus::Given;
use clock_engine::rules::{Claimant, Evidence, Ground, OfferAnswer};

use super::command::{self, Connected};
use crate::bus::Bus;
use crate::options::{Options, words};
use crate::{prompt, text};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    claim: Claim,
}

#[derive(Clone, Debug, Subcommand)]
enum Claim {
    /// Somebody calls a flag that is down
    Flag(FlagArgs),
    /// A player claims a draw
    Draw(DrawArgs),
    /// A player requests an increment for both (Guidelines III.4); it is a draw offer, too
    Increment(IncrementArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct FlagArgs {
    /// Who calls the flag
    #[arg(long, value_parser = words::<Claimant>(), value_name = "WHO")]
    by: Claimant,
    /// What the call rests on: the clock's flag, or what a display shows
    #[arg(long, value_parser = words::<Evidence>(), value_name = "WHAT", default_value_t = Evidence::Flag)]
    evidence: Evidence,
}

#[derive(Clone, Debug, clap::Args)]
struct DrawArgs {
    /// What the claim rests on
    #[arg(value_parser = words::<Ground>(), value_name = "GROUND")]
    ground: Ground,
    /// The player who claims
    #[arg(long, value_parser = words::<Claimant>(), value_name = "WHO")]
    by: Claimant,
    /// The player lets the clocks run, where the rule profile leaves that choice
    #[arg(long)]
    no_stop: bool,
    /// The answer to the draw offer before the claim [default: asks where the rule profile wants an
    /// offer, if there is a terminal; otherwise none]
    #[arg(long, value_enum, value_name = "ANSWER")]
    offer: Option<Offer>,
}

#[derive(Clone, Debug, clap::Args)]
struct IncrementArgs {
    /// The player who requests it
    #[arg(long, value_parser = words::<Claimant>(), value_name = "WHO")]
    by: Claimant,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Offer {
    Accepted,
    Refused,
    None,
}

impl Offer {
    /// The answer; `None` if no offer was made.
    fn answer(self) -> Option<OfferAnswer> {
        match self {
            Offer::Accepted => Some(OfferAnswer::Accepted),
            Offer::Refused => Some(OfferAnswer::Refused),
            Offer::None => None,
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
    let (wanted, given) = match &args.claim {
        Claim::Draw(args) => return claim_draw(options, args).await,
        Claim::Flag(FlagArgs { by, evidence }) => {
            (command::FLAG_CALL, Given::ClaimFlag { by: *by, evidence: *evidence })
        }
        Claim::Increment(IncrementArgs { by }) => {
            ("enter the request for an increment", Given::RequestIncrement { by: *by })
        }
    };
    let connected = command::connect(options, wanted).await?;
    connected.send(options, given).await?.show(options, command::after_done).await
}

async fn claim_draw(options: &Options, args: &DrawArgs) -> Result<()> {
    let connected = command::connect(options, "enter the draw claim").await?;
    let offer = match args.offer {
        Some(offer) => Some(offer),
        None => offer_before_claim(options, &connected).await?,
    };
    let given = Given::ClaimDraw {
        by: args.by,
        ground: args.ground,
        stop: !args.no_stop,
        offer: offer.and_then(Offer::answer),
    };
    let completed = connected.send(options, given).await?;
    let is_read = !options.quiet && !options.json;
    let missing = offer.is_none() && is_read && wants_offer(&completed.bus).await;
    completed
        .show(options, |before, after| {
            let note = if missing { text::addressed(NO_OFFER) } else { String::new() };
            command::after_done(before, after) + &note
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
    let stands = connected.before.running == clock_dbus::Who::Nobody;
    if !prompt::asks(options) || !stands || !wants_offer(&connected.bus).await {
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
