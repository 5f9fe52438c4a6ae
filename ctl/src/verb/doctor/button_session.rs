//! Begins, reads and ends a test of the buttons on the clock.

use clock_dbus::{ButtonTestProxy, HealthProxy, TestEnd, TestReadings, TestedBoard, TestedButton};
use zbus::proxy::CacheProperties;

use crate::bus::{Bus, bounded};
use crate::failure::Failure;
use crate::target::Target;

/// The code for scripts when the clock has ended a test.
const ENDED: &str = "button-test-ended";

/// A test that has begun. The clock also ends it when this program leaves the bus.
pub struct ButtonSession {
    test: ButtonTestProxy<'static>,
    pub board: TestedBoard,
    /// How many edges and presses are missing, because they were not read in time.
    pub untraced: u64,
}

impl ButtonSession {
    /// Begins a test.
    ///
    /// # Errors
    ///
    /// A game is on the clock, the buttons are not free, or the caller may not test them.
    pub async fn begin(target: &Target) -> Result<ButtonSession, Failure> {
        let bus = Bus::connect(target).await?;
        let test = ButtonTestProxy::builder(&bus.connection)
            .cache_properties(CacheProperties::No)
            .build()
            .await?;
        let board = bounded(test.begin()).await.map_err(with_way_out)?;
        Ok(ButtonSession { test, board, untraced: 0 })
    }

    /// Returns the edges and presses since the last call. For the next `keep_nsec` nanoseconds, the
    /// clock keeps presses for the test, even if a command ends the test in the meantime.
    ///
    /// # Errors
    ///
    /// The clock has ended the test.
    pub async fn read(&mut self, keep_nsec: u64) -> Result<TestReadings, Failure> {
        let readings = bounded(self.test.read(keep_nsec)).await.map_err(of_a_restart)?;
        self.untraced = readings.untraced;
        match readings.ended {
            None => Ok(readings),
            Some(end) => Err(ended(end)),
        }
    }

    /// Whether the button has been down for so long that the clock reports it as stuck.
    pub async fn is_stuck(&self, button: TestedButton) -> Result<bool, Failure> {
        let health = HealthProxy::builder(self.test.inner().connection())
            .cache_properties(CacheProperties::No)
            .build()
            .await?;
        let stuck = bounded(health.stuck_buttons()).await?;
        Ok(stuck.iter().any(|stuck| stuck == button.as_str()))
    }

    pub async fn end(self) -> Result<(), Failure> {
        bounded(self.test.end()).await
    }
}

fn ended(end: TestEnd) -> Failure {
    let why = match end {
        TestEnd::Asked => "it was ended",
        TestEnd::Command => "a command was given to the clock",
        TestEnd::ClockRuns => "a clock was started",
        TestEnd::BoardGone => "the button board was unplugged",
        TestEnd::TimedOut => "it was not read for 30 s",
    };
    let message = format!("the test of the buttons has ended: {why}");
    Failure::Refused { code: ENDED.to_owned(), message }
}

/// If the service does not know the test, the service was restarted since the test began.
fn of_a_restart(failure: Failure) -> Failure {
    match failure {
        Failure::Refused { code, .. } if code == "not-found" => {
            let message = "the test of the buttons has ended: the clock service was restarted";
            Failure::Refused { code: ENDED.to_owned(), message: message.to_owned() }
        }
        other => other,
    }
}

/// Adds to the refusal the command that makes a test possible.
fn with_way_out(failure: Failure) -> Failure {
    match failure {
        Failure::Refused { code, message } if code == "game-under-way" => {
            let way = if message.contains("scheduled") {
                "clockctl new --force cancels the start"
            } else {
                "clockctl result RESULT REASON ends the game, clockctl new --force gives it up"
            };
            Failure::Refused { code, message: format!("{message}: {way}") }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_the_service_does_not_know_has_ended_with_the_service_before() {
        let refused = |code: &str| Failure::Refused { code: code.to_owned(), message: "x".into() };
        let said = of_a_restart(refused("not-found"));
        assert_eq!((said.code(), said.exit()), (ENDED, 5));
        assert!(said.to_string().ends_with("the clock service was restarted"), "{said}");
        assert_eq!(of_a_restart(refused("busy")).code(), "busy");
    }

    #[test]
    fn each_refusal_names_a_way_out() {
        let refused = |message: &str| Failure::Refused {
            code: "game-under-way".to_owned(),
            message: message.to_owned(),
        };
        for (message, way) in [
            ("a game is on the clock", "clockctl result RESULT REASON ends the game"),
            ("the start is scheduled", "clockctl new --force cancels the start"),
        ] {
            let said = with_way_out(refused(message)).to_string();
            assert!(said.contains(way), "{said}");
        }
    }
}
