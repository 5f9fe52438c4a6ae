//! What the menu shows when a command or a backup has been answered.

use super::{Menu, OpenPage};
use crate::effect::{Answer, BackupOutcome, Effect};
use crate::list::{Awaited, PageState};
use crate::pages::{backup, first, report};
use crate::situation::Situation;
use clock_engine::{Command, Instant, Phase};

impl Menu {
    /// Closes the menu, because the face shows what comes next, or starts White's clock in the game that
    /// was set up. Shows a page only if the command was not carried out. The arbiter's code is no longer
    /// valid.
    pub fn answered(&mut self, answer: Answer, now: Instant, situation: &Situation) -> Effect {
        // The menu can have been closed and opened again since the command was given. Then no
        // page waits for this answer.
        let awaited = self.pages.iter().find_map(|page| match page.state {
            PageState::Waiting(Awaited::Command { then_start }) => Some(then_start),
            _ => None,
        });
        let Some(then_start) = awaited else { return Effect::None };
        self.last_press = now;
        match answer {
            Ok(()) if then_start && situation.phase() == Phase::Ready => {
                let set = self.context(now, situation).command(Command::Start.into());
                self.give(set, false)
            }
            Err(failure) if self.may_be_open(situation.phase()) => {
                let page = report::page(failure, self.context(now, situation).words);
                self.reported(page);
                Effect::None
            }
            _ => {
                self.close();
                Effect::Close
            }
        }
    }

    /// Shows the result of the backup. Does nothing if the menu has been closed in the meantime.
    pub fn backed_up(
        &mut self,
        outcome: BackupOutcome,
        now: Instant,
        situation: &Situation,
    ) -> Effect {
        let waits = |page: &OpenPage| matches!(page.state, PageState::Waiting(Awaited::Backup));
        if self.pages.iter().any(waits) {
            self.last_press = now;
            let page = backup::report(outcome, &self.context(now, situation));
            self.reported(page);
        }
        Effect::None
    }

    /// Shows a report above the first page. The arbiter's code is no longer valid.
    fn reported(&mut self, report: PageState) {
        self.unlocked_until = None;
        self.pages.clear();
        self.push(PageState::list(first::list));
        self.push(report);
    }
}
