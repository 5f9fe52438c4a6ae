//! The laws around the clock: rule profiles, claims, rulings, penalties.
//!
//! [`Game`] is a [`Clock`](crate::Clock) under a [`Profile`]. It decides no chess question: it
//! keeps the facts, offers the arbiter the rulings that the profile allows, does their arithmetic,
//! and refuses everything else with the clause as the reason. It acts on the clock only through the
//! clock's commands.
//!
//! Like the clock it is a plain value without I/O and without allocation; instants are passed to
//! every call.

mod action;
mod clause;
mod event;
mod facts;
mod game;
mod profile;
mod rate;
mod refused;
mod signed_instant;
mod words;

pub use action::{
    Action, Attachment, Claimant, Confirmation, Decision, DefaultRuling, Evidence, GameCommand,
    IncidentKind, LatePlayers, Loser, OfferAnswer, Penalty, PenaltyCause, ResultGround, Session,
    Setup, StopRuling,
};
pub use clause::{Citation, Topic, citation, clause};
pub use event::{GameEvent, GameEventKind};
pub use game::{
    Answer, Answers, ClaimView, Game, MAX_ANSWERS, MAX_QUESTIONS, Question, QuestionKind,
    QuestionProgress, Questions,
};
pub use profile::{
    Authority, AwardChoice, BothAbsent, BothFlags, ClaimStops, DisplayClaims, FlagCaller,
    FlagDrawTest, Ground, KnownOrder, LateFrom, PenaltyKind, PerRate, Profile, RateOfPlay,
    Referral, RuleSource, Set,
};
pub use rate::rate_of_play;
pub use refused::{GameRefused, Reason, RuleRefused};
