//! The part of a clock's state that the face shows.

use clock_dbus::{
    ClaimState, Counting, Fault, Method, PausedBy, Phase, Question, QuestionProgress, SideState,
    State, Who,
};
use clock_languages::Face;

use super::{PlayedMethod, SECOND, Side, foreign};
use crate::texts::method_signs;

/// After the press of the call button, a game without an arbiter goes on after this time, in
/// nanoseconds.
const RESUMES_AFTER: u64 = 3 * SECOND;

/// The properties of a state from which the face makes its texts and marks.
///
/// [`ShownState::of`] destructures a [`State`] without `..`. If a property is added to `State`, the
/// crate does not compile until [`ShownState::of`] says whether the face shows the property. The
/// compiler also reports each field of `ShownState` that no code uses.
pub(crate) struct ShownState<'a> {
    pub at_nsec: u64,
    pub phase: Phase,
    pub on_move: Who,
    pub running: Who,
    pub first_flag: Who,
    pub arbiter_called_by: Who,
    pub paused_by: PausedBy,
    pub announcement: &'a str,
    pub faults: &'a [Fault],
    pub time_control: &'a str,
    changed_method: &'a str,
    pub periods: u32,
    pub counting: Counting,
    pub result: &'a str,
    pub rules: &'a str,
    pub claim_by: Who,
    pub claim_state: ClaimState,
    pub adjourned: Who,
    pub questions: &'a [Question],
    pub buttons_exchanged: bool,
    pub resume_confirmed_by: Who,
    pub start_at_realtime_nsec: Option<u64>,
    pub board: &'a str,
    pub round: &'a str,
    pub event: &'a str,
    white: &'a SideState,
    black: &'a SideState,
}

impl<'a> ShownState<'a> {
    pub fn of(state: &'a State) -> ShownState<'a> {
        let State {
            at_nsec,
            phase,
            on_move,
            running,
            first_flag,
            arbiter_called_by,
            paused_by,
            announcement,
            faults,
            time_control,
            changed_method,
            periods,
            counting,
            result,
            rules,
            claim_by,
            claim_state,
            adjourned,
            questions,
            buttons_exchanged,
            resume_confirmed_by,
            start_at_realtime_nsec,
            board,
            round,
            event,
            // These numbers order the states and the commands. They say nothing about the game.
            sequence: _,
            revision: _,
            white,
            black,
            // The face does not show these properties, because only the arbiter needs them.
            game_number: _,
            texts_version: _,
            // The face shows that a draw is claimed. The ground of the claim is for the arbiter.
            claim_ground: _,
        } = state;
        ShownState {
            at_nsec: *at_nsec,
            phase: *phase,
            on_move: *on_move,
            running: *running,
            first_flag: *first_flag,
            arbiter_called_by: *arbiter_called_by,
            paused_by: *paused_by,
            announcement,
            faults,
            time_control,
            changed_method,
            periods: *periods,
            counting: *counting,
            result,
            rules,
            claim_by: *claim_by,
            claim_state: *claim_state,
            adjourned: *adjourned,
            questions,
            buttons_exchanged: *buttons_exchanged,
            resume_confirmed_by: *resume_confirmed_by,
            start_at_realtime_nsec: *start_at_realtime_nsec,
            board,
            round,
            event,
            white,
            black,
        }
    }

    pub fn side(&self, side: Side) -> &'a SideState {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// In how many nanoseconds a paused game without an arbiter goes on by itself; `None` if no such
    /// countdown has begun.
    pub fn resumes_in(&self) -> Option<u64> {
        let resumes = |it: &&Question| it.progress == QuestionProgress::Resuming;
        let since = self.questions.iter().find(resumes)?.since_nsec;
        Some((since + RESUMES_AFTER).saturating_sub(self.at_nsec))
    }

    /// The name of the time control. If the methods of its periods have been replaced by a new
    /// method, the new method follows, as in `fide-classical, now +30`.
    pub fn control(&self, words: &Face) -> String {
        let control = foreign(self.time_control);
        match self.changed_method(words) {
            None => control,
            Some(method) => format!("{control}, {method}"),
        }
    }

    /// The method that has replaced those of the time control, with the signs of notations and not
    /// in the English words of the service; `None` if none has.
    pub fn changed_method(&self, words: &Face) -> Option<String> {
        let SideState { method, method_nsec: nsec, .. } = *self.white;
        let signs = match method {
            Method::None => "+0".to_owned(),
            method => method_signs(PlayedMethod { method, nsec })[0].clone(),
        };
        (!self.changed_method.is_empty()).then(|| words.phases.now.with([&signs]))
    }

    /// Whether this side's clock runs.
    pub fn runs(&self, side: Side) -> bool {
        self.phase == Phase::Running && self.running == Who::from(side)
    }
}
