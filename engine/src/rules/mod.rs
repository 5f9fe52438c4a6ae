//! The laws around the clock: rule profiles, claims, rulings, penalties.
//!
//! A game is a [`Clock`](crate::Clock) under a [`Profile`]. It decides no chess question: it keeps the
//! facts, offers the arbiter the rulings that the profile allows, does their arithmetic, and refuses
//! everything else with the clause as the reason. It acts on the clock only through the clock's commands.
//!
//! Like the clock it is a plain value without I/O and without allocation; instants are passed to every
//! call.

mod action;
mod profile;
mod words;

pub use action::{
    Action, Attachment, Claimant, Confirmation, Decision, DefaultRuling, Evidence, IncidentKind,
    OfferAnswer, Penalty, PenaltyCause, ResultGround, StopRuling,
};
pub use profile::{
    Authority, AwardChoice, BothAbsent, BothFlags, ClaimStops, DisplayClaims, FlagCaller,
    FlagDrawTest, Ground, HandlingPenalty, KnownOrder, LateFrom, PenaltyKind, PerRate, Profile,
    RateOfPlay, Referral, Set, Source,
};
