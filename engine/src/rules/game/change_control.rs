//! A time control that was set up wrongly is replaced during the game.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::{Game, check_control};
use crate::rules::rate::rate_of_play;
use crate::rules::refused::{GameRefused, Reason};
use crate::{Control, Instant, Recompute};

impl Game {
    /// Replaces the time control (S0 6.2a, FIDE 6.10.2). The replacement is refused while a claim
    /// or a request is open, because the control decides whether the claim or the request is
    /// allowed. It is allowed after a flag or a stop, because a wrong control is often noticed only
    /// when a flag falls or the clocks are stopped. If an increment was agreed (S2 III.4), the
    /// present method stays; otherwise a method that the arbiter has set ends.
    pub(super) fn change_control(
        &mut self,
        control: &Control,
        recompute: &Recompute,
        schedule_suffers: bool,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.clock.check_standing()?;
        self.check_not_concluded()?;
        if let Some(profile) = &self.profile {
            check_control(profile, control)?;
        }
        if self.facts.claim.is_some() || self.facts.request.is_some() {
            return Err(self.refused(Reason::ClaimNeedsControl));
        }
        self.check_setting(schedule_suffers, at)?;
        let own_after_flag = control.terms().after_flag;
        let of_profile = self.profile.and_then(|profile| profile.after_flag);
        let in_force = control.with_after_flag(own_after_flag.or(of_profile));
        self.clock.change_control(in_force, recompute, self.facts.increment_agreed, at)?;
        self.use_agreed_correction()?;
        self.own_after_flag = own_after_flag;
        self.rate = rate_of_play(control);
        self.facts.asked.controls = self.facts.asked.controls.saturating_add(1);
        Ok(())
    }
}
