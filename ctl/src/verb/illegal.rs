//! `clockctl illegal`: the last completed move was illegal.

use anyhow::Result;
use clock_dbus::{OrMinus1, Side, State};
use clock_engine::Span;
use clock_engine::rules::{Cited, Profile, Topic, clause};
use clock_engine::text::hms;

use super::{
    command::{self, Phrases},
    ruling,
};
use crate::options::{Options, words};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player who made the illegal move
    #[arg(value_parser = words::<Side>())]
    side: Side,
    /// The opponent claims the extra time
    #[arg(long)]
    claimed: bool,
    /// The opponent's extra time, which can be 0 [default: what the rule profile says]
    #[arg(long, value_name = "T", value_parser = ruling::award)]
    award: Option<u64>,
}

/// Takes the press back and gives the opponent the time. Shows the times of both sides before and
/// after that.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases =
        Phrases { wanted: "enter the illegal move", done: "the illegal move was entered" };
    let side = args.side.into();
    let completed = command::send(options, phrases, async |arbiter, revision, reason| {
        let award = OrMinus1(args.award);
        arbiter.illegal_move(side, args.claimed, award, revision, reason).await
    })
    .await?;
    let why = match args.claimed && args.award.is_none() {
        true => command::profile_in_use(&completed.bus).await.and_then(|rules| needs_less(&rules)),
        false => None,
    };
    completed.show_done(options, |before, after| done(args.side, before, after, why)).await
}

/// Why a claim of the extra time can bring none under these rules.
fn needs_less(rules: &Profile) -> Option<String> {
    let limit = rules.illegal_claim_below?;
    let needs = format!(": a claim needs less than {} on the clock", hms(limit));
    Some(Cited::new(needs, clause(Topic::IllegalMoveClaim, rules.cites)).to_string())
}

/// What the command did: the press that was taken back, and the time that the opponent got, or `why`
/// it got none.
fn done(side: Side, before: &State, after: &State, why: Option<String>) -> String {
    let name = side.name();
    let opponent = side.other();
    let count = after.side(side).illegal_moves;
    let got = after.side(opponent).remaining_nsec.checked_sub(before.side(opponent).remaining_nsec);
    let award = match got.filter(|got| *got > 0) {
        Some(got) => format!("{} got {}", opponent.name(), hms(Span::from_nanos(got))),
        None => format!("{} got no time{}", opponent.name(), why.unwrap_or_default()),
    };
    format!(
        "{name}'s illegal move is on record, {count} so far: the press was taken back, and {award}"
    )
}
