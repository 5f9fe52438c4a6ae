//! Presses around the hold under every shipped rule profile, in every state in which both clocks
//! stand.

use super::*;
use clock_engine::rules::ResultGround;
use clock_engine::text::{RulePreset, rule_presets};

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Ready,
    /// The call button stopped the clocks.
    Called,
    /// The arbiter stopped the clocks, or the only person who may: a player with the call button.
    Paused,
    /// White's flag fell, and the clocks were stopped then, by the flag itself if the rules say so.
    Flag,
    Adjourned,
    Over,
    /// The same after a flag.
    OverAfterFlag,
}

const STATES: [State; 7] = [
    State::Ready,
    State::Called,
    State::Paused,
    State::Flag,
    State::Adjourned,
    State::Over,
    State::OverAfterFlag,
];

/// A game under a shipped profile.
#[derive(Clone, Copy)]
struct Rules {
    name: &'static str,
    profile: Profile,
}

impl Rules {
    fn is_unsupervised(&self) -> bool {
        self.profile.authority == Authority::Nobody
    }

    /// Starts White's clock. Some profiles forbid that a press does it.
    fn start(&self, test: &mut TimedLoop) {
        if self.is_unsupervised() {
            test.tap(BLACK, SECOND);
            test.run_to(SECOND + TAP + R + WINDOW);
        } else {
            test.command(1, Command::Start, SECOND);
        }
        assert_eq!(test.phase(), Phase::Running, "{}", self.name);
    }

    fn pause(&self, test: &mut TimedLoop, nanos: u64) {
        if self.is_unsupervised() {
            test.tap(CALL, nanos);
        } else {
            test.command(2, Command::Pause { by: Caller::Arbiter }, nanos);
        }
    }

    /// Waits for White's flag, and stops the clocks if it has not.
    fn flag(test: &mut TimedLoop) {
        test.run_to(12 * SECOND);
        if test.phase() == Phase::Running {
            test.tap(CALL, 12 * SECOND + MS);
        }
    }

    fn finish(test: &mut TimedLoop) {
        let ground = ResultGround::Game;
        let finish = Action::Result { outcome: Outcome::BlackWins, ground };
        test.command(3, finish, 12 * SECOND + 500 * MS);
    }

    /// A loop in this state; `None` if these rules do not have it.
    fn standing(
        self,
        state: State,
        inputs: Inputs,
        menu: Option<MenuOpening>,
    ) -> Option<TimedLoop> {
        if state == State::Adjourned && self.is_unsupervised() {
            return None;
        }
        let mut test = of(&setup(Some(self.profile)), inputs, menu);
        if state != State::Ready {
            self.start(&mut test);
        }
        match state {
            State::Ready => {}
            State::Called => test.tap(CALL, 2 * SECOND),
            State::Paused => self.pause(&mut test, 2 * SECOND),
            State::Flag => Rules::flag(&mut test),
            State::Adjourned => {
                self.pause(&mut test, 2 * SECOND);
                test.command(3, Action::Adjourn { side: Side::White }, 3 * SECOND);
            }
            State::Over => {
                self.pause(&mut test, 2 * SECOND);
                Rules::finish(&mut test);
            }
            State::OverAfterFlag => {
                Rules::flag(&mut test);
                Rules::finish(&mut test);
            }
        }
        test.run_to(13 * SECOND);
        let is_flag = matches!(state, State::Flag | State::OverAfterFlag);
        let update = test.core.update(Cause::Missed);
        let found = (update.view.phase, update.view.first_flag.is_some());
        let say = format!("{}, {state:?}, {:?}", self.name, test.log.causes);
        let phases: &[Phase] = match state {
            State::Ready => &[Phase::Ready],
            State::Called | State::Paused | State::Adjourned => &[Phase::Paused],
            State::Flag => &[Phase::Paused, Phase::Ruling],
            State::Over | State::OverAfterFlag => &[Phase::Over],
        };
        assert!(phases.contains(&found.0) && found.1 == is_flag, "{found:?}: {say}");
        assert_eq!(update.view.adjourned.is_some(), state == State::Adjourned, "{say}");
        assert_eq!(test.events(), [], "{say}");
        test.log = Log::default();
        Some(test)
    }
}

/// Holds the press of the opener from [`T0`] to `up`.
fn held(mut test: TimedLoop, opener: Opener, up: u64) -> TimedLoop {
    opener.down(&mut test);
    opener.up(&mut test, up);
    test.run_to(up + 2 * SECOND);
    test
}

/// Calls `run` with every profile, state and opener. `run` gets a loop with a menu and one without.
fn each(run: impl Fn(&dyn Fn(Option<MenuOpening>) -> TimedLoop, Opener, &str)) {
    let mut states = 0;
    for preset in rule_presets() {
        let RulePreset { name, .. } = *preset;
        // The game of the tests is short, and some profiles are only for longer ones.
        let profile = Profile { rates: Profile::default().rates, ..preset.read().profile };
        let rules = Rules { name, profile };
        for state in STATES {
            for opener in OPENERS {
                let Some(_) = rules.standing(state, opener.inputs(), MENU) else { continue };
                let begin = |menu| rules.standing(state, opener.inputs(), menu).unwrap();
                run(&begin, opener, &format!("{name}, {state:?}, {opener:?}"));
                states += 1;
            }
        }
    }
    // Two of the eight profiles know no adjournment.
    assert_eq!(states, (8 * STATES.len() - 2) * OPENERS.len());
}

#[test]
fn under_every_profile_a_press_released_before_the_hold_is_the_same_input_or_nothing() {
    each(|begin, opener, say| {
        for lasts in [10 * MS, SHOWN - 1, HOLD / 2, HOLD - 1] {
            let mut plain = held(begin(None), opener, T0 + lasts);
            let mut found = held(begin(MENU), opener, T0 + lasts);
            if lasts >= SHOWN && plain.core.clock().game().is_unsupervised() {
                let is_press =
                    |input: &Input| matches!(input, Input::Press(_, on) if *on >= at(T0));
                assert!(!found.inputs().iter().any(is_press), "{say}");
                assert_eq!((found.phase(), found.events()), (begin(MENU).phase(), vec![]), "{say}");
                continue;
            }
            assert_eq!(found.inputs(), plain.inputs(), "{say}, {lasts}");
            assert_eq!(found.log.causes, plain.log.causes, "{say}, {lasts}");
            assert_eq!(found.core.clock(), plain.core.clock(), "{say}, {lasts}");
            assert_eq!((found.events(), found.core.is_menu_open()), (vec![], false), "{say}");
        }
    });
}

#[test]
fn under_every_profile_a_press_of_the_hold_opens_the_menu_and_changes_nothing() {
    each(|begin, opener, say| {
        for lasts in [HOLD, HOLD + 1, HOLD + WITHIN, HOLD + WITHIN + 1] {
            let mut test = begin(MENU);
            let before = test.core.clock().clone();
            test = held(test, opener, T0 + lasts);
            let opens = lasts <= HOLD + WITHIN;
            let late = at(T0 + HOLD + WITHIN + 1);
            let end = match opens {
                true => opener.opened(T0 + lasts),
                false => MenuEvent::Closed(MenuClosed::TimedOut, late),
            };
            assert_eq!(test.events(), [MenuEvent::Hold(at(T0 + HOLD)), end], "{say}, {lasts}");
            assert_eq!((test.inputs(), test.core.is_menu_open()), (vec![], opens), "{say}");
            assert_eq!(*test.core.clock(), before, "{say}, {lasts}");
        }
    });
}
