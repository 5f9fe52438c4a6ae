//! The test of the buttons: between games, an arbiter's program sees every edge and every press of
//! the buttons, and no press reaches the game.
//!
//! The clock loop gives the buttons to the test, as it gives them to the menu
//! (`clockd_core`, `loop_core/menu.rs`). So a test leaves nothing in the record, and a restart ends
//! it.

pub mod interface;

use crate::bus::convert;
use clock_dbus::{TestEnd, TestReadings, TestedBoard, TestedEdge, TestedPress};
use clockd_core::{Button, InputKind, MenuClosed};
use clockd_rt::channel::Receiver;
use clockd_rt::{Times, Traced};
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::watch;
use zbus::names::OwnedUniqueName;

/// How many edges, and how many presses, one answer has at most. The others are in the next one.
pub const READINGS: usize = 512;
/// The longest time after a call of `Read` for which the clock keeps presses for the test.
pub const LONGEST_KEEP: Duration = Duration::from_secs(2);

/// The state of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// There was no test since the start, or the last one has ended for this reason.
    Ended(TestEnd),
    /// The loop was asked for a test and has not answered.
    Asked,
    /// The loop has refused the test.
    Refused,
    /// The buttons belong to the test.
    On,
}

/// The state of the test, the program that began it, and what it shows.
pub struct ButtonTest {
    pub stage: watch::Sender<Stage>,
    /// The edges and presses that the loop has seen. Only the program [`ButtonTest::owner`] reads
    /// them.
    traced: Mutex<Option<Receiver<Traced>>>,
    /// The program that began the last test.
    owner: Mutex<Option<OwnedUniqueName>>,
    board: TestedBoard,
}

impl ButtonTest {
    /// No test. `traced` is the ring of the loop.
    pub fn new(traced: Option<Receiver<Traced>>, board: TestedBoard) -> ButtonTest {
        let stage = watch::Sender::new(Stage::Ended(TestEnd::Asked));
        ButtonTest { stage, traced: Mutex::new(traced), owner: Mutex::default(), board }
    }

    /// Whether the buttons belong to the test.
    pub fn is_on(&self) -> bool {
        *self.stage.borrow() == Stage::On
    }

    /// Notes the answer of the loop. A refusal that comes too late, after another request has begun
    /// a test, changes nothing.
    pub fn answered(&self, begins: bool) {
        self.stage.send_if_modified(|stage| {
            let changes = begins || *stage == Stage::Asked;
            if changes {
                *stage = if begins { Stage::On } else { Stage::Refused };
            }
            changes
        });
    }

    /// Notes that the loop has closed the menu, which ends a test.
    pub fn closed(&self, why: MenuClosed) {
        let end = match why {
            MenuClosed::Asked | MenuClosed::OtherPress => TestEnd::Asked,
            MenuClosed::TimedOut => TestEnd::TimedOut,
            MenuClosed::Command => TestEnd::Command,
            MenuClosed::ClockRuns => TestEnd::ClockRuns,
            MenuClosed::BoardGone => TestEnd::BoardGone,
        };
        self.stage.send_if_modified(|stage| {
            let was_on = *stage == Stage::On;
            if was_on {
                *stage = Stage::Ended(end);
            }
            was_on
        });
    }

    /// Makes this program the owner of the test. Returns `false` if another test is on.
    fn take(&self, program: &OwnedUniqueName) -> bool {
        let mut owner = self.owner.lock().expect("nothing panics while it holds the lock");
        let is_free = !matches!(*self.stage.borrow(), Stage::On | Stage::Asked);
        if is_free {
            *owner = Some(program.clone());
            self.stage.send_replace(Stage::Asked);
            self.readings(usize::MAX);
        }
        is_free
    }

    /// Whether the last test is that of this program.
    fn is_of(&self, program: &OwnedUniqueName) -> bool {
        let owner = self.owner.lock().expect("nothing panics while it holds the lock");
        owner.as_ref() == Some(program)
    }

    /// Takes up to `most` edges and presses from the ring.
    fn readings(&self, most: usize) -> TestReadings {
        let mut readings = TestReadings::default();
        // The loop reports the end after the last edge and press. So the end is read before the
        // ring: no reading is missing then.
        if let Stage::Ended(end) = *self.stage.borrow() {
            readings.ended = Some(end);
        }
        let mut traced = self.traced.lock().expect("nothing panics while it holds the lock");
        let Some(ring) = &mut *traced else { return readings };
        for _ in 0..most {
            match ring.pop() {
                None => break,
                Some(Traced::Edge(button, edge)) => readings.edges.push(TestedEdge {
                    button: convert::button(button),
                    at_nsec: edge.at.as_nanos(),
                    closed: edge.active,
                }),
                Some(Traced::Press { button, at, decided }) => readings.presses.push(TestedPress {
                    button: convert::button(button),
                    at_nsec: at.as_nanos(),
                    decided_nsec: decided.as_nanos(),
                }),
            }
        }
        readings
    }
}

/// The board of the configuration, as the test describes it.
pub fn board(kind: InputKind, has_call: bool, times: Times) -> TestedBoard {
    let buttons = Button::ALL.into_iter().filter(|button| has_call || *button != Button::Call);
    TestedBoard {
        is_rocker: kind == InputKind::Rocker,
        buttons: buttons.map(convert::button).collect(),
        settle_nsec: times.settle.as_nanos(),
        longest_bounce_nsec: times.longest_bounce.as_nanos(),
        release_nsec: times.release.as_nanos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_counts_only_while_an_answer_is_awaited() {
        let test = ButtonTest::new(None, TestedBoard::default());
        let (one, other): (OwnedUniqueName, OwnedUniqueName) =
            (":1.1".try_into().unwrap(), ":1.2".try_into().unwrap());
        assert!(test.take(&one) && !test.take(&other));
        test.answered(false);
        assert!(!test.is_on() && test.take(&other));
        test.answered(true);
        test.answered(false);
        assert!(test.is_on() && test.is_of(&other) && !test.is_of(&one));
        test.closed(MenuClosed::BoardGone);
        assert_eq!(test.readings(READINGS).ended, Some(TestEnd::BoardGone));
        assert!(test.take(&one));
    }
}
