//! What the menu shows when a command or a backup has been answered.

use super::Menu;
use crate::effect::{Answer, BackupOutcome, Effect};
use crate::pages::{PageState, Report, backup};
use crate::situation::Situation;
use clock_engine::{Instant, Phase};

impl Menu {
    /// Closes the menu, because the face shows what comes next, or starts White's clock in the game that
    /// was set up. Shows a page only if the command was not carried out, or is not on record. The
    /// arbiter's code is no longer valid.
    pub fn answered(&mut self, answer: Answer<'_>, now: Instant, situation: &Situation) -> Effect {
        // The menu can have been closed and opened again since the command was given. Then no
        // page waits for this answer.
        let awaited = self.pages.iter().find_map(|page| match page.state {
            PageState::Waiting(then_start) => Some(then_start),
            _ => None,
        });
        let Some(then_start) = awaited else { return Effect::None };
        self.last_press = now;
        let is_done = answer.outcome.is_ok() && !answer.not_on_record;
        if is_done && then_start && situation.phase() == Phase::Ready {
            return self.start(now, situation);
        }
        if is_done || self.check_phase(situation.phase()).is_err() {
            self.close();
            return Effect::Close;
        }
        let report = Report::new(answer, self.context(now, situation).words);
        self.reported(report);
        Effect::None
    }

    /// Shows the result of the backup. Does nothing if the menu has been closed in the meantime.
    pub fn backed_up(&mut self, outcome: BackupOutcome<'_>, now: Instant, situation: &Situation) {
        if !self.pages.iter().any(|page| matches!(page.state, PageState::BackingUp)) {
            return;
        }
        self.last_press = now;
        let report = backup::report(outcome, &self.context(now, situation));
        self.reported(report);
    }

    /// Shows a report above the first page. The arbiter's code is no longer valid.
    fn reported(&mut self, report: Report) {
        self.unlocked_until = None;
        self.pages.clear();
        self.push(PageState::First);
        self.push(PageState::Report(report));
    }
}
