//! `org.chessclock.Clock1.ButtonTest`: the test of the buttons, for arbiters.

use super::{LONGEST_KEEP, READINGS, Stage};
use crate::bus::callers::Callers;
use crate::bus::shared_state::SharedState;
use clock_dbus::{
    Error, MenuState, Phase, TestEnd, TestReadings, TestedBoard, TestedButton, TestedEdge,
    TestedPress,
};
use clock_engine::{Instant, Span};
use clockd_core::MenuRequest;
use clockd_rt::clock::monotonic_now;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::task::AbortHandle;
use zbus::interface;
use zbus::message::Header;
use zbus::names::OwnedUniqueName;

/// How long the loop may take to begin a test. A contact that chatters delays it by 50 ms.
const ANSWER: Duration = Duration::from_secs(3);

/// The interface `org.chessclock.Clock1.ButtonTest`. The bus policy decides who may call it.
pub struct ButtonTestInterface {
    shared: Arc<SharedState>,
    callers: Arc<Callers>,
    /// How many edges and presses were missing before this test began. The counter is not reset.
    untraced_before: AtomicU64,
    /// Ends the test when its program leaves the bus.
    waiter: std::sync::Mutex<Option<AbortHandle>>,
}

// The tuples are the arguments in the introspection data, so they are written out: those of `Begin`
// are the fields of `TestedBoard`, those of `Read` the ones of `TestReadings`.
#[interface(name = "org.chessclock.Clock1.ButtonTest", introspection_docs = false)]
impl ButtonTestInterface {
    #[zbus(out_args("is_rocker", "buttons", "settle_nsec", "longest_bounce_nsec", "release_nsec"))]
    async fn begin(
        &self,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(bool, Vec<TestedButton>, u64, u64, u64), Error> {
        let program = program(&header)?;
        self.check()?;
        let test = &self.shared.button_test;
        if !test.take(&program) {
            let message = match test.is_of(&program) {
                true => "you test the buttons already",
                false => "another program tests the buttons; it ends when that program does",
            };
            return Err(Error::Busy(message.to_owned()));
        }
        let untraced = self.shared.health.untraced.load(Ordering::Relaxed);
        self.untraced_before.store(untraced, Ordering::Relaxed);
        let mut stage = test.stage.subscribe();
        // If the ring is full, the answer does not come in time.
        let _ = self.request(MenuRequest::Test(monotonic_now()));
        let answered = stage.wait_for(|stage| *stage != Stage::Asked);
        let answer = tokio::time::timeout(ANSWER, answered).await.map(|stage| stage.map(|s| *s));
        match answer {
            Ok(Ok(Stage::Refused)) => {
                // The state has changed since it was checked, or a button is held.
                self.check()?;
                let message = "the menu is open at the clock, or a button is held; release it";
                Err(Error::Busy(message.to_owned()))
            }
            Ok(_) => {
                self.end_when_left(program);
                let TestedBoard {
                    is_rocker,
                    buttons,
                    settle_nsec,
                    longest_bounce_nsec,
                    release_nsec,
                } = test.board.clone();
                Ok((is_rocker, buttons, settle_nsec, longest_bounce_nsec, release_nsec))
            }
            Err(_) => {
                // If the test begins later nevertheless, it ends by itself, because it is not
                // acknowledged.
                test.answered(false);
                Err(timed_out())
            }
        }
    }

    #[expect(clippy::type_complexity, reason = "the macro needs the tuple")]
    #[zbus(out_args("edges", "presses", "untraced", "ended"))]
    fn read(
        &self,
        #[zbus(header)] header: Header<'_>,
        keep_nsec: u64,
    ) -> Result<(Vec<TestedEdge>, Vec<TestedPress>, u64, &'static str), Error> {
        let until = kept_until(keep_nsec)?;
        self.check_owner(&header)?;
        let test = &self.shared.button_test;
        if test.is_on() {
            self.request(MenuRequest::Keep(until))?;
            self.request(MenuRequest::Acknowledge(monotonic_now()))?;
        }
        let untraced = self.shared.health.untraced.load(Ordering::Relaxed);
        let before = self.untraced_before.load(Ordering::Relaxed);
        let TestReadings { edges, presses, ended, .. } = test.readings(READINGS);
        let ended = ended.map_or("", TestEnd::as_str);
        Ok((edges, presses, untraced.saturating_sub(before), ended))
    }

    async fn end(&self, #[zbus(header)] header: Header<'_>) -> Result<(), Error> {
        self.check_owner(&header)?;
        // Also if a command has ended the test: the game then gets the presses again at once.
        self.request(MenuRequest::Keep(Instant::ZERO))?;
        if !self.shared.button_test.is_on() {
            // The request would close the menu, if a player has opened it in the meantime.
            return Ok(());
        }
        let mut stage = self.shared.button_test.stage.subscribe();
        self.request(MenuRequest::Close(monotonic_now()))?;
        let ended = stage.wait_for(|stage| *stage != Stage::On);
        match tokio::time::timeout(ANSWER, ended).await {
            Ok(_) => Ok(()),
            Err(_) => Err(timed_out()),
        }
    }
}

impl ButtonTestInterface {
    /// The interface. `callers` tells when a program leaves the bus.
    pub fn new(shared: Arc<SharedState>, callers: Arc<Callers>) -> ButtonTestInterface {
        let (untraced_before, waiter) = (AtomicU64::new(0), std::sync::Mutex::default());
        ButtonTestInterface { shared, callers, untraced_before, waiter }
    }

    /// Refuses a test that the loop would refuse, and says why.
    fn check(&self) -> Result<(), Error> {
        if self.shared.health.is_board_missing() {
            return Err(Error::BoardGone("the button board is not connected".to_owned()));
        }
        let (phase, start) = self.shared.read(|state| (state.phase, state.start_at_realtime_nsec));
        let message = match (phase, start) {
            (Phase::Ready, Some(_)) => "the start of the game on the clock is scheduled",
            (Phase::Ready | Phase::Over, _) => {
                let is_closed = self.shared.menu.borrow().page.state == MenuState::Closed;
                if is_closed || self.shared.button_test.is_on() {
                    return Ok(());
                }
                let message = "the menu is open at the clock; leave it, then test the buttons";
                return Err(Error::Busy(message.to_owned()));
            }
            _ => "a game is on the clock",
        };
        Err(Error::GameUnderWay(format!("{message}; the buttons are tested between games")))
    }

    fn check_owner(&self, header: &Header<'_>) -> Result<(), Error> {
        match self.shared.button_test.is_of(&program(header)?) {
            true => Ok(()),
            false => Err(Error::NotFound("you have not begun a test of the buttons".to_owned())),
        }
    }

    /// Sends a request to the loop. The ring of the requests is full only if the loop hangs. A test
    /// without acknowledgements ends by itself.
    fn request(&self, request: MenuRequest) -> Result<(), Error> {
        match self.shared.commands.menu_request(request) {
            true => Ok(()),
            false => Err(Error::Busy("the clock takes no more requests".to_owned())),
        }
    }

    fn end_when_left(&self, program: OwnedUniqueName) {
        let (shared, callers) = (Arc::clone(&self.shared), Arc::clone(&self.callers));
        let waiter = tokio::spawn(async move {
            let uid = callers.find(&program).uid().await;
            tracing::info!(?uid, "the test of the buttons begins");
            callers.left(&program).await;
            if shared.button_test.is_on() && shared.button_test.is_of(&program) {
                shared.commands.menu_request(MenuRequest::Close(monotonic_now()));
            }
        });
        let mut before = self.waiter.lock().expect("nothing panics while it holds the lock");
        if let Some(before) = before.replace(waiter.abort_handle()) {
            before.abort();
        }
    }
}

impl Drop for ButtonTestInterface {
    /// Ends the task that waits until the program leaves the bus. If the bus is gone, nothing tells
    /// the task. The loop then ends the test, because it is not acknowledged.
    fn drop(&mut self) {
        if let Some(waiter) = self.waiter.lock().ok().and_then(|mut waiter| waiter.take()) {
            waiter.abort();
        }
    }
}

/// Until when presses are kept for the test.
fn kept_until(keep_nsec: u64) -> Result<Instant, Error> {
    if u128::from(keep_nsec) > LONGEST_KEEP.as_nanos() {
        let most = LONGEST_KEEP.as_secs();
        let message = format!("keep_nsec: {keep_nsec}; expected at most {most} s");
        return Err(Error::InvalidArgument(message));
    }
    let now = monotonic_now();
    Ok(now.checked_add(Span::from_nanos(keep_nsec)).unwrap_or(now))
}

fn timed_out() -> Error {
    Error::TimedOut("the clock did not answer within 3 s".to_owned())
}

fn program(header: &Header<'_>) -> Result<OwnedUniqueName, Error> {
    // Only a message on a connection without a bus has no sender.
    let sender = header.sender().ok_or_else(|| Error::UnknownCaller("no sender".to_owned()))?;
    Ok(sender.to_owned().into())
}
