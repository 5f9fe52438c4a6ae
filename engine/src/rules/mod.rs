//! The laws around the clock: rule profiles, claims, rulings, penalties.
//!
//! [`Game`] is a [`Clock`](crate::Clock) under a [`Profile`]. It decides no chess question: it
//! keeps the facts, offers the arbiter the rulings that the profile allows, computes the times that
//! follow from a ruling, and refuses everything else with the clause as the reason. It acts on the
//! clock only through the clock's commands.
//!
//! Like the clock it is a plain value without I/O and without allocation; instants are passed to
//! every call.
//!
//! Comments cite clauses as `S0 6.9`: the source, a space and the article. `docs/laws.md` says what
//! the sources S0 to S4, FIDE and US are, and what the clock does for each clause.

mod action;
mod announcement;
mod clause;
mod event;
mod facts;
mod game;
mod game_state;
mod profile;
mod rate;
mod refused;
mod signed_instant;

pub use action::{
    Action, AgreedChange, Attachment, Claimant, Confirmation, Evidence, GameCommand, IncidentKind,
    LatePlayers, OfferAnswer, Penalty, PenaltyCause, ResultGround, Ruling, Session, Setup,
};
pub use announcement::Announcement;
pub use clause::{Citation, Cited, Topic, citation, clause};
pub use event::{GameEvent, GameEventKind};
pub use game::{
    Answer, Answers, ClaimView, Game, Lateness, MAX_ANSWERS, MAX_QUESTIONS, Question, QuestionKind,
    QuestionProgress, Questions, RESUMES_AFTER, SideNotes,
};
pub use game_state::{GameState, NotTakenOver};
pub use profile::{
    Authority, AwardChoice, BothAbsent, BothFlags, BothFlagsOrderKnown, ClaimStops, DisplayClaims,
    FlagCaller, FlagDrawTest, Ground, LateFrom, PenaltyAmount, PenaltyKind, PerRate, Profile,
    RateOfPlay, Referral, RuleSource, Set,
};
pub use rate::rate_of_play;
pub use refused::{GameRefused, Reason, RuleRefused};
