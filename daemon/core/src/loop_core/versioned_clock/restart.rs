//! How a restored clock continues after the daemon, or the whole machine, was started again.

use super::{Cause, Output, PressBeforeFlag, TurnHistory, VersionedClock};
use crate::loop_core::rocker::Rocker;
use crate::{Button, InputKind};
use clock_engine::{Instant, Phase, Span};
use core::fmt;
use serde::{Deserialize, Serialize};

/// What the arbiter must know after a restart. It is shown until the next command is carried out or,
/// in unsupervised play, both players have resumed the game with their presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// The daemon was started again while a clock ran. No press was read for `without_buttons`.
    WhileRunning {
        /// The time from the latest instant at which the buttons are known to have been read, to
        /// the first instant at which they were read again. If there were several restarts, it is
        /// the sum of their times.
        without_buttons: Span,
    },
    /// The machine was restarted during a game, by a power cut or by a shutdown.
    PowerCut {
        /// Whether a clock ran. If so, that clock is paused now. It has the time that it had at the
        /// latest stored entry or checkpoint.
        was_running: bool,
    },
}

/// Writes, in at most 200 bytes, what happened and what became of the times. If a running clock was
/// paused, also writes what the arbiter must do.
impl fmt::Display for Restart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Restart::WhileRunning { without_buttons } => {
                let millis = without_buttons.as_nanos().div_ceil(1_000_000);
                let (seconds, millis) = (millis / 1_000, millis % 1_000);
                write!(
                    f,
                    "the clock program was restarted: no press counted for {seconds}.{millis:03} s; the time \
                     ran on"
                )
            }
            Restart::PowerCut { was_running: true } => f.write_str(
                "the machine was restarted, perhaps after a power cut: both clocks stand, with the times that \
                 were stored last; check them, correct them with set, then resume",
            ),
            Restart::PowerCut { was_running: false } => {
                // A shutdown of the machine looks the same as a power cut, so the text says
                // "perhaps".
                f.write_str(
                    "the machine was restarted, perhaps after a power cut, while both clocks stood: their \
                     times are unchanged",
                )
            }
        }
    }
}

impl VersionedClock {
    /// Adapts a restored clock to the configured kind of switch, which may have changed.
    pub fn adapt(&mut self, kind: InputKind) {
        self.rocker = match kind {
            InputKind::Buttons => None,
            InputKind::Rocker => Some(self.rocker.unwrap_or_else(|| Rocker::new([false; 2]))),
        };
    }

    /// Handles a restart of the daemon. A running clock ran on, so everything that was due in the
    /// meantime is decided at its own instant.
    pub(super) fn restarted(
        &mut self,
        since: Instant,
        at: Instant,
        closed: Option<[bool; 2]>,
        out: &mut dyn Output,
    ) {
        let at = at.max(self.game.last());
        let was_running = self.game.phase() == Phase::Running;
        // Nobody can see the countdown during a restart, so it does not start a clock.
        self.game.stop_countdown();
        self.run_to(at, out);
        self.revision += 1;
        if was_running {
            // All restarts since the latest command count: the durations without buttons are added
            // up, because the arbiter may not have noticed the earlier restarts.
            let earlier = match self.restart {
                Some(Restart::WhileRunning { without_buttons }) => without_buttons,
                Some(Restart::PowerCut { .. }) | None => Span::ZERO,
            };
            let nanos = at.since(since.min(at)).as_nanos().saturating_add(earlier.as_nanos());
            let without_buttons = Span::from_nanos(nanos);
            self.restart = Some(Restart::WhileRunning { without_buttons });
        }
        out.update(&self.update(Cause::Restarted, at));
        self.find_board(closed, at, out);
    }

    /// Handles a restart of the machine. A running clock is paused at `stopped`, and all instants
    /// are moved to the clock of the new boot.
    pub(super) fn power_cut(
        &mut self,
        stopped: Instant,
        at: Instant,
        closed: Option<[bool; 2]>,
        out: &mut dyn Output,
    ) {
        let before = self.game.phase();
        self.game.stop_countdown();
        self.game.handle_power_cut(stopped, at);
        self.revision += 1;
        if matches!(before, Phase::Running | Phase::Paused | Phase::Ruling) {
            // If the power is cut a second time before a command is carried out, `was_running`
            // stays set, because the clock still shows the times that were stored before the first
            // cut.
            let was_cut_before = self.restart == Some(Restart::PowerCut { was_running: true });
            let was_running = before == Phase::Running || was_cut_before;
            self.restart = Some(Restart::PowerCut { was_running });
        }
        self.history = TurnHistory::new(&self.game.view(at), at);
        self.placement.begin();
        self.press_before_flag = self.press_before_flag.and_then(|press| {
            let flag = self.game.view(at).sides[press.side].flag?;
            let early = press.flag.since(press.pressed.min(press.flag));
            let pressed = flag.as_nanos().saturating_sub(early.as_nanos());
            Some(PressBeforeFlag { pressed: Instant::from_nanos(pressed), flag, ..press })
        });
        let restarted = self.update(Cause::Restarted, at);
        self.settle(Some(restarted), at, out);
        self.find_board(closed, at, out);
    }

    /// Takes over the button board that was found at the start. Without a board, a running clock is
    /// paused.
    fn find_board(&mut self, closed: Option<[bool; 2]>, at: Instant, out: &mut dyn Output) {
        match closed {
            Some(closed) => self.take_board(closed),
            None if !self.board_gone => self.board_gone(Button::ALL[0], at, out),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_core::{Input, Update};
    use clock_engine::{Control, Method, Side};

    const BOARD: Option<[bool; 2]> = Some([false; 2]);

    fn running_clock() -> VersionedClock {
        let control = Control::single(Span::from_secs(300), Method::None);
        let game = crate::game_without_rules(control, Instant::from_nanos(1));
        let mut clock = VersionedClock::new(game, None, false);
        let press = Input::Press(Button::Player(Side::Black), Instant::from_nanos(2));
        clock.handle(&press, &mut |_: Update| {});
        assert_eq!(clock.game().phase(), Phase::Running);
        clock
    }

    #[test]
    fn times_stay_those_that_were_stored_last_when_the_power_is_cut_twice() {
        let mut clock = running_clock();
        for at in [10, 20] {
            let (stopped, at) = (Instant::from_nanos(at), Instant::from_nanos(at));
            clock.handle(&Input::PowerCut { stopped, at, closed: BOARD }, &mut |_: Update| {});
            assert_eq!(clock.restart, Some(Restart::PowerCut { was_running: true }));
        }
    }

    #[test]
    fn the_times_without_buttons_of_several_restarts_are_added_up() {
        let mut clock = running_clock();
        for (since, at) in [(10, 30), (40, 45)] {
            let (since, at) = (Instant::from_nanos(since), Instant::from_nanos(at));
            clock.handle(&Input::Restarted { since, at, closed: BOARD }, &mut |_: Update| {});
        }
        let without_buttons = Span::from_nanos(25);
        assert_eq!(clock.restart, Some(Restart::WhileRunning { without_buttons }));
    }

    #[test]
    fn each_restart_is_described_in_200_bytes() {
        let gap = |nanos| Restart::WhileRunning { without_buttons: Span::from_nanos(nanos) };
        assert!(gap(310_000_001).to_string().contains("for 0.311 s"), "{}", gap(310_000_001));
        for restart in [
            gap(u64::MAX),
            Restart::PowerCut { was_running: true },
            Restart::PowerCut { was_running: false },
        ] {
            let text = restart.to_string();
            assert!(text.len() <= 200, "{} bytes: {text}", text.len());
            // The text must be true after a shutdown, too, which looks the same as a power cut.
            assert!(!text.contains("the power was cut"), "{text}");
        }
    }
}
