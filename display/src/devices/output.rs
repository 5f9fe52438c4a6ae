//! A pin that is set when its state changes, and otherwise again every 2 s.

use std::time::Duration;

use embedded_hal::digital::{OutputPin, PinState};

/// How often a pin is set even if its state does not change. Only an attempt to set the pin shows
/// that its chip is gone and must be opened again. If the loss of the chip were noticed only at the
/// next gong, the gong would not sound.
pub const REFRESH: Duration = Duration::from_secs(2);

/// A pin. `set` is the state to which the pin was last set, and the instant at which it was set;
/// `None` if the pin was never set, and after an error.
pub struct Output<P> {
    pin: P,
    set: Option<(bool, Duration)>,
}

impl<P: OutputPin> Output<P> {
    pub fn new(pin: P) -> Output<P> {
        Output { pin, set: None }
    }

    /// Sets the pin if it was never set, if its state changes, if it was last set [`REFRESH`] ago
    /// or earlier, or if the last attempt failed. Returns the instant at which it must be set
    /// again.
    pub fn set(&mut self, on: bool, now: Duration) -> Result<Duration, P::Error> {
        let at = match self.set.take() {
            Some((before, at)) if before == on && now < at + REFRESH => at,
            _ => {
                self.pin.set_state(PinState::from(on))?;
                now
            }
        };
        self.set = Some((on, at));
        Ok(at + REFRESH)
    }

    /// The state to which the pin was last set; `None` if that is not known.
    #[cfg(test)]
    pub fn is_on(&self) -> Option<bool> {
        self.set.map(|(on, _)| on)
    }
}

#[cfg(test)]
mod tests {
    use embedded_hal_mock::eh1::MockError;
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    use super::*;

    #[test]
    fn a_pin_is_set_when_it_changes_and_every_two_seconds_and_after_an_error() {
        let error = MockError::Io(std::io::ErrorKind::NotConnected);
        let set = Transaction::set;
        let mut pin = Mock::new(&[
            set(State::High),
            set(State::Low),
            set(State::Low),
            set(State::High).with_error(error.clone()),
            set(State::High),
        ]);
        let mut output = Output::new(pin.clone());
        for (at, on, again) in [
            (1000, true, Ok(3000)),
            (1500, true, Ok(3000)),
            (2000, false, Ok(4000)),
            (3999, false, Ok(4000)),
            (4000, false, Ok(6000)),
            (5000, true, Err(error)),
            (5001, true, Ok(7001)),
        ] {
            let again = again.map(Duration::from_millis);
            assert_eq!(output.set(on, Duration::from_millis(at)), again, "{at}");
        }
        pin.done();
    }
}
