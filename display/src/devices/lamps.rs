//! The two player lamps.
//!
//! | state of a side | its lamp |
//! |---|---|
//! | its clock runs, and its final flag has not fallen | on |
//! | its clock runs after its final flag | on, but off for 0.2 s in every second |
//! | its final flag has fallen, and its clock stands | a flash of 0.2 s every second |
//! | no clock runs, and the face shows a fault (`Status::fault`) | on and off for 1 s each |
//! | on move, and both clocks stand | a flash of 0.1 s every 2 s |
//! | anything else | off |
//!
//! The first row that applies counts. Without a clock service, both lamps are off, even after a
//! flag. While a clock runs, only the lamp of a side whose final flag has fallen blinks, so that
//! the running side is known at a glance. No lamp blinks more than once in a second.

use std::time::Duration;

use embedded_hal::digital::OutputPin;

use super::line::Output;
use crate::content::{Content, SideDisplay, TimeLevel, TurnMark};

/// The state of a lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    Off,
    On,
    /// The clock runs after the side's final flag.
    RunningAfterFlag,
    /// The side's final flag has fallen, and its clock stands.
    Flag,
    /// The side is on move, both clocks stand, its final flag has not fallen, and the face shows no
    /// fault.
    Stopped,
    /// No clock runs, the side's final flag has not fallen, and the face shows a fault.
    Fault,
}

impl Light {
    /// The states of the lamps that are wired as White's and as Black's.
    pub fn of(content: &Content) -> [Light; 2] {
        let game = match content {
            Content::Game(game) if !game.is_stale() => &**game,
            _ => return [Light::Off; 2],
        };
        let sides = game.in_wired_order();
        let runs = sides.iter().any(|side| side.mark == TurnMark::Running);
        let fault = !runs && game.status.fault.is_some();
        sides.map(|side| Light::of_side(side, fault))
    }

    fn of_side(side: &SideDisplay, fault: bool) -> Light {
        let SideDisplay {
            mark,
            time_level,
            // These fields have no effect on a lamp, which shows only the mark, a final flag and a
            // fault.
            side: _,
            player: _,
            time: _,
            delay: _,
            overtime: _,
            earlier_flag: _,
            used: _,
            period: _,
            moves: _,
            method: _,
            score: _,
            interrupted: _,
            conditions: _,
            words: _,
            // `Light::of` uses this field.
            stale: _,
        } = side;
        let flagged = matches!(time_level, TimeLevel::Flagged { .. });
        match mark {
            TurnMark::Running if flagged => Light::RunningAfterFlag,
            TurnMark::Running => Light::On,
            TurnMark::Stopped | TurnMark::Waiting if flagged => Light::Flag,
            TurnMark::Stopped | TurnMark::Waiting if fault => Light::Fault,
            TurnMark::Stopped => Light::Stopped,
            TurnMark::Waiting => Light::Off,
        }
    }

    /// How long a blinking lamp is on, and how long it is on and off together, in milliseconds;
    /// `None` for a lamp that does not blink.
    fn blinking(self) -> Option<(u64, u64)> {
        match self {
            Light::Off | Light::On => None,
            Light::RunningAfterFlag => Some((800, 1000)),
            Light::Flag => Some((200, 1000)),
            Light::Stopped => Some((100, 2000)),
            Light::Fault => Some((1000, 2000)),
        }
    }

    /// Whether the lamp is on at the instant `now`, and the next instant at which that changes;
    /// `None` if the lamp does not blink. All lamps of the same state blink together.
    fn at(self, now: Duration) -> (bool, Option<Duration>) {
        let Some((on, period)) = self.blinking() else { return (self == Light::On, None) };
        let [on, period] = [on, period].map(Duration::from_millis);
        let begun =
            Duration::from_nanos_u128(now.as_nanos() / period.as_nanos() * period.as_nanos());
        let off = begun + on;
        if now < off { (true, Some(off)) } else { (false, Some(begun + period)) }
    }
}

/// The lamps on two pins.
pub struct Lamps<P>([Output<P>; 2]);

impl<P: OutputPin> Lamps<P> {
    /// The lamps on the pins that are wired as White's and as Black's.
    pub fn new(pins: [P; 2]) -> Lamps<P> {
        Lamps(pins.map(Output::new))
    }

    /// Sets the lamps for the instant `now`. Returns the instant at which this function must be
    /// called again. After an error, the next call tries again to set the pin that could not be
    /// set.
    pub fn show(
        &mut self,
        lights: [Light; 2],
        now: Duration,
    ) -> Result<Option<Duration>, P::Error> {
        let mut next: Option<Duration> = None;
        for (lamp, light) in self.0.iter_mut().zip(lights) {
            let (on, change) = light.at(now);
            let refresh = lamp.set(on, now)?;
            next = next.into_iter().chain(change).chain([refresh]).min();
        }
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use crate::language::EN;
    use embedded_hal_mock::eh1::MockError;
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    use super::*;
    use crate::content::FlagOrder;
    use crate::devices::test_content::{SIDE, game, stale, with_fault};

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn the_lamps_of_every_state() {
        let running = SideDisplay { mark: TurnMark::Running, ..SIDE };
        let stopped = SideDisplay { mark: TurnMark::Stopped, ..SIDE };
        let flag = TimeLevel::Flagged { order: FlagOrder::Only, overrun: None };
        let flagged = |side: &SideDisplay| SideDisplay { time_level: flag.clone(), ..side.clone() };
        let lights = |white: &SideDisplay, black: &SideDisplay| {
            let game = game(white.clone(), black.clone());
            [Light::of(&game), Light::of(&with_fault(game))]
        };
        use Light::{Fault, Flag, Off, On, RunningAfterFlag, Stopped};
        for (white, black, sound, faulty) in [
            (&SIDE, &SIDE, [Off, Off], [Fault, Fault]),
            (&running, &SIDE, [On, Off], [On, Off]),
            (&SIDE, &running, [Off, On], [Off, On]),
            (&stopped, &SIDE, [Stopped, Off], [Fault, Fault]),
            (&SIDE, &stopped, [Off, Stopped], [Fault, Fault]),
            (&flagged(&SIDE), &running, [Flag, On], [Flag, On]),
            (&flagged(&running), &SIDE, [RunningAfterFlag, Off], [RunningAfterFlag, Off]),
            (&flagged(&stopped), &SIDE, [Flag, Off], [Flag, Fault]),
            (&flagged(&SIDE), &flagged(&stopped), [Flag, Flag], [Flag, Flag]),
        ] {
            assert_eq!(lights(white, black), [sound, faulty], "{white:?} {black:?}");
        }
        assert_eq!(Light::of(&Content::NoService(EN)), [Off, Off]);
        assert_eq!(Light::of(&stale(game(flagged(&SIDE), running.clone()))), [Off, Off]);
        let low = SideDisplay { time_level: TimeLevel::Low(500), ..running };
        assert_eq!(Light::of(&game(low, SIDE)), [On, Off]);
    }

    #[test]
    fn a_lamp_changes_at_its_instants_and_never_more_than_twice_in_a_second() {
        use Light::{Fault, Flag, Off, On, RunningAfterFlag, Stopped};
        for (light, changes) in [
            (Off, vec![]),
            (On, vec![]),
            (RunningAfterFlag, vec![0, 800, 1000, 1800, 2000, 2800, 3000, 3800]),
            (Flag, vec![0, 200, 1000, 1200, 2000, 2200, 3000, 3200]),
            (Stopped, vec![0, 100, 2000, 2100]),
            (Fault, vec![0, 1000, 2000, 3000]),
        ] {
            let mut seen = Vec::new();
            let (mut lit, mut now) = (false, Duration::ZERO);
            while now < millis(4000) {
                let (on, next) = light.at(now);
                if let Some(next) = next {
                    assert_eq!(light.at(next - Duration::from_nanos(1)).0, on, "{light:?} {now:?}");
                    assert_ne!(on, lit, "{light:?} {now:?}");
                    seen.push(u64::try_from(now.as_millis()).unwrap());
                }
                (lit, now) = (on, next.unwrap_or(Duration::MAX));
            }
            assert_eq!(lit, light == On || (light != Off && changes.len() % 2 == 1), "{light:?}");
            assert_eq!(seen, changes, "{light:?}");
            assert!(seen.windows(3).all(|three| three[2] - three[0] >= 500), "{light:?}");
        }
    }

    #[test]
    fn a_pin_is_set_only_when_its_lamp_changes() {
        use State::{High, Low};
        let set = |states: &[State]| {
            Mock::new(&states.iter().map(|state| Transaction::set(*state)).collect::<Vec<_>>())
        };
        let mut pins = [set(&[High, Low, High, Low]), set(&[Low, High])];
        let mut lamps = Lamps::new(pins.clone());
        for (lights, now, next) in [
            ([Light::On, Light::Off], 0, 2000),
            ([Light::On, Light::Off], 700, 2000),
            ([Light::Off, Light::On], 1000, 3000),
            ([Light::Flag, Light::On], 2000, 2200),
            ([Light::Flag, Light::On], 2199, 2200),
            ([Light::Flag, Light::On], 2200, 3000),
        ] {
            assert_eq!(lamps.show(lights, millis(now)), Ok(Some(millis(next))), "{now}");
        }
        pins.iter_mut().for_each(Mock::done);
    }

    #[test]
    fn the_next_change_is_that_of_the_lamp_that_changes_first() {
        let mut pins = [State::High, State::High].map(|on| Mock::new(&[Transaction::set(on)]));
        let mut lamps = Lamps::new(pins.clone());
        let next = lamps.show([Light::Fault, Light::Flag], millis(2000));
        assert_eq!(next, Ok(Some(millis(2200))));
        pins.iter_mut().for_each(Mock::done);
    }

    #[test]
    fn a_pin_that_failed_is_set_again() {
        let error = MockError::Io(std::io::ErrorKind::NotConnected);
        let mut white = Mock::new(&[
            Transaction::set(State::High).with_error(error.clone()),
            Transaction::set(State::High),
        ]);
        let mut black = Mock::new(&[Transaction::set(State::Low)]);
        let mut lamps = Lamps::new([white.clone(), black.clone()]);
        assert_eq!(lamps.show([Light::On, Light::Off], millis(0)), Err(error));
        assert_eq!(lamps.show([Light::On, Light::Off], millis(0)), Ok(Some(millis(2000))));
        [&mut white, &mut black].into_iter().for_each(Mock::done);
    }
}
