//! Claims that are sent to an arbiter who is not at the board (S0 preface, S2 III.6).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::Attachment;
use crate::rules::facts::ClaimFacts;
use crate::rules::profile::{Ground, Referral};
use crate::rules::refused::{GameRefused, Reason};

impl Game {
    /// Sends the claim to the designated arbiter.
    pub(super) fn refer(&mut self) -> Result<(), GameRefused> {
        self.check_not_over()?;
        let missing = match (self.rules().referral, self.facts.claim) {
            (Referral::Refused, _) => Some(Reason::NoReferral),
            (_, None) => Some(Reason::NothingToRefer),
            _ if self.facts.referred => Some(Reason::AlreadyReferred),
            (Referral::Details, Some(_)) => self.missing_details(),
            (Referral::Verified, Some(claim)) => self.missing_verification(claim),
        };
        if let Some(reason) = missing {
            return Err(self.refused(reason));
        }
        self.facts.referred = true;
        Ok(())
    }

    fn missing_details(&self) -> Option<Reason> {
        let attached = self.facts.attached;
        let complete = attached.has(Attachment::Details) && attached.has(Attachment::Scoresheet);
        (!complete).then_some(Reason::ReferralNeedsDetails)
    }

    fn missing_verification(&self, claim: ClaimFacts) -> Option<Reason> {
        let opponent = claim.by.other();
        let verified = |kind| self.facts.attached.is_verified_by(kind, opponent);
        let position = verified(Attachment::Position);
        match claim.ground {
            Ground::NoEffort if !(position && verified(Attachment::Scoresheet)) => {
                Some(Reason::ReferralNeedsBoth)
            }
            _ => (!position).then_some(Reason::ReferralNeedsPosition),
        }
    }
}
