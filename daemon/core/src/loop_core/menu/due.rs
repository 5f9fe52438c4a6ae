//! What the menu does by itself, and when: the end of a deferral, the opening, the reports of
//! presses, and the closing.

use super::super::line::Line;
use super::deferral::{Deferred, LongPress, plus, was_down};
use super::state::{MenuState, Open, Stage, Tracked};
use super::{
    MENU_TIMEOUT, MenuClosed, MenuPress, PressLength, RELEASE_WITHIN, REPEATS, SHOWN_AFTER,
    TOGETHER,
};
use crate::debounce::PressState;
use crate::{Button, LINES};
use clock_engine::{Instant, Span};

/// What the menu does next.
#[derive(Clone, Copy)]
pub enum Due {
    /// The deferred press is decided as a short press.
    Decide,
    /// The deferred press has lasted for `SHOWN_AFTER`, so the face begins to show the hold. The
    /// instant is the stamp of the press.
    Show(Instant),
    /// The long press has lasted for `MenuOpening::hold`.
    Hold(LongPress),
    /// The menu opens with a release at this instant.
    Open(LongPress, Instant),
    /// A press in the menu is reported.
    Report(MenuPress),
    /// The press of this stamp is still down, and is repeated.
    Repeat(Button, Instant),
    /// A press in the menu is forgotten: it was reported and is released, or its line was not read.
    Forget(Button),
    /// The long press opens no menu, because `MenuRequest::MayOpen` has forbidden it in the
    /// meantime.
    Refuse(LongPress),
    /// The press of this button and that of the other player were meant together, and are not
    /// reported.
    DropBoth(Button),
    Test,
    Close(MenuClosed),
}

impl MenuState {
    /// What the menu does next, and at which instant; `None` if it does nothing before a press, a
    /// release or a request.
    pub fn next(&self, lines: &[Line; LINES]) -> Option<(Instant, Due)> {
        let test = self.test_at.map(|at| (at, Due::Test));
        let of_stage = self.next_of_stage(lines);
        test.into_iter().chain(of_stage).min_by_key(|(at, _)| *at)
    }

    fn next_of_stage(&self, lines: &[Line; LINES]) -> Option<(Instant, Due)> {
        match &self.stage {
            Stage::Closed => None,
            Stage::Deferred(deferred) => self.next_deferred(*deferred, lines),
            Stage::Held(press) => {
                let asked = self.close_at.map(|at| (at, Due::Close(MenuClosed::Asked)));
                let next = self.next_held(*press, lines);
                asked.into_iter().chain(next).min_by_key(|(at, _)| *at)
            }
            Stage::Open(open) => {
                let asked = self.close_at.map(|at| (at, Due::Close(MenuClosed::Asked)));
                let timed_out = plus(open.acknowledged, MENU_TIMEOUT);
                let timed_out = (timed_out, Due::Close(MenuClosed::TimedOut));
                let presses = Button::ALL.into_iter().flat_map(|button| {
                    [self.next_report(open, button, lines), self.next_repeat(open, button, lines)]
                });
                let all = asked.into_iter().chain([timed_out]).chain(presses.flatten());
                all.min_by_key(|(at, _)| *at)
            }
        }
    }

    fn next_deferred(&self, deferred: Deferred, lines: &[Line; LINES]) -> Option<(Instant, Due)> {
        let press = deferred.press;
        if !self.may_open {
            return Some((press.at, Due::Decide));
        }
        let wait = if press.opens() { self.hold } else { TOGETHER };
        let (shown, held) = (plus(press.at, SHOWN_AFTER), press.held_at(wait));
        let state = press.state(lines);
        if press.opens() && !deferred.is_shown && state.lasts_until(shown) {
            return Some((shown, Due::Show(press.at)));
        }
        match state {
            PressState::Unknown => Some((press.at, Due::Decide)),
            // No deadline is needed: the line wakes the loop when the press is released or down
            // again.
            PressState::Opened(up) if up < held => None,
            PressState::Released(release) if release.up < held => Some((release.over, Due::Decide)),
            _ if press.opens() => Some((held, Due::Hold(press))),
            _ => Some((held, Due::Decide)),
        }
    }

    fn next_held(&self, press: LongPress, lines: &[Line; LINES]) -> Option<(Instant, Due)> {
        let limit = press.limit(self.hold);
        let expired = (plus(limit, Span::from_nanos(1)), Due::Close(MenuClosed::TimedOut));
        if !self.may_open {
            return Some((press.held_at(self.hold), Due::Refuse(press)));
        }
        match press.state(lines) {
            PressState::Unknown => {
                Some((press.held_at(self.hold), Due::Close(MenuClosed::TimedOut)))
            }
            PressState::Opened(up) if up <= limit => None,
            PressState::Released(release) if release.up <= limit => {
                Some((release.over, Due::Open(press, release.up)))
            }
            _ => Some(expired),
        }
    }

    fn next_report(
        &self,
        open: &Open,
        button: Button,
        lines: &[Line; LINES],
    ) -> Option<(Instant, Due)> {
        let Tracked { at, is_reported, is_dropped, .. } = open.presses[button.index()]?;
        let report =
            |when, end, length| Some((when, Due::Report(MenuPress { button, at, end, length })));
        if self.is_throw(button) {
            return report(at, at, PressLength::Short);
        }
        let held = plus(at, self.hold);
        match lines[button.index()].debounce().press_state(at) {
            PressState::Unknown => Some((at, Due::Forget(button))),
            PressState::Released(release) if is_reported || is_dropped => {
                Some((release.over, Due::Forget(button)))
            }
            _ if is_dropped => None,
            PressState::Released(release)
                if release.up < held && self.overlaps(open, button, release.up, lines) =>
            {
                Some((release.over, Due::DropBoth(button)))
            }
            PressState::Released(release) if release.up < held => {
                report(release.over, release.up, PressLength::Short)
            }
            PressState::Opened(up) if up < held => None,
            _ if is_reported => None,
            _ => {
                let together = self.is_together(open, button, at, lines);
                let long = if together { PressLength::LongTogether } else { PressLength::Long };
                report(held, held, long)
            }
        }
    }

    /// The next repetition of a player's button that is held.
    fn next_repeat(
        &self,
        open: &Open,
        button: Button,
        lines: &[Line; LINES],
    ) -> Option<(Instant, Due)> {
        let Tracked { at, repeats, is_alone, .. } = open.presses[button.index()]?;
        if button == Button::Call || self.is_throw(button) || !is_alone {
            return None;
        }
        let (first, each) = REPEATS;
        let spans = u64::from(repeats).saturating_mul(each.as_nanos());
        let due = plus(at, first.plus(Span::from_nanos(spans)));
        let lasts = due <= plus(at, RELEASE_WITHIN) && was_down(&lines[button.index()], at, due);
        lasts.then_some((due, Due::Repeat(button, at)))
    }

    /// Whether this press, which was released at `up`, overlaps the press of the other player so
    /// long that both were meant together.
    fn overlaps(&self, open: &Open, button: Button, up: Instant, lines: &[Line; LINES]) -> bool {
        let Some(Tracked { at, .. }) = open.presses[button.index()] else { return false };
        let of_other = |other: Tracked, line: &Line| {
            let until = plus(at.max(other.at), TOGETHER);
            until <= up && was_down(line, other.at, until)
        };
        self.by_players && !self.is_test() && with_other(open, button, lines, of_other)
    }

    /// Whether the other player's button was down for the whole hold of this press, with a press
    /// that counts in the menu and that began earlier.
    fn is_together(&self, open: &Open, button: Button, at: Instant, lines: &[Line; LINES]) -> bool {
        with_other(open, button, lines, |other, line| {
            let is_earlier = other.at < at || (other.at == at && other.is_reported);
            is_earlier && was_down(line, other.at, plus(at, self.hold))
        })
    }
}

/// Whether `is` returns `true` for the press of the other player in the menu and its line. `false` if
/// there is no such press.
fn with_other(
    open: &Open,
    button: Button,
    lines: &[Line; LINES],
    is: impl Fn(Tracked, &Line) -> bool,
) -> bool {
    let Button::Player(side) = button else { return false };
    let other = Button::Player(side.other()).index();
    open.presses[other].is_some_and(|press| is(press, &lines[other]))
}
