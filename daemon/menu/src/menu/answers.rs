//! What the menu shows when a command, a backup or a load has been answered.

use super::{Menu, OpenPage};
use crate::effect::{Answer, BackupOutcome, Effect, LoadAnswer, LoadProblem};
use crate::pages::{PageState, Report, backup, load};
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

    /// Shows the backups of the stick, or the result of a load. Does nothing if the menu has been closed
    /// in the meantime.
    pub fn load_answered(&mut self, answer: LoadAnswer<'_>, now: Instant, situation: &Situation) {
        let Some(at) = self.pages.iter().position(|page| page.state.awaits_load()) else { return };
        self.last_press = now;
        let context = self.context(now, situation);
        let report = match answer {
            LoadAnswer::Listed(backups) if backups.listed.is_empty() => {
                load::not_loaded(LoadProblem::NoBackup, "", &context)
            }
            LoadAnswer::Listed(backups) => {
                // Only the page that waits for the list is replaced. If the arbiter's code has expired in the
                // meantime, the page that asks for the code is above that page, and stays there.
                let state = PageState::Backups(backups);
                self.pages.splice(at..=at, [OpenPage { state, chosen: None }]);
                return;
            }
            LoadAnswer::Loaded => load::loaded(&context),
            LoadAnswer::NotLoaded { problem, text } => load::not_loaded(problem, text, &context),
        };
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
