//! The buzzer: an active one, which sounds while its pin is on.
//!
//! | occasion | sound |
//! |---|---|
//! | a gong | once, 0.6 s |
//! | a flag falls | three times 0.3 s |
//! | the arbiter is called | twice 0.15 s |
//! | the running side's time becomes low | once, 0.1 s |
//! | another page or another chosen line of the menu | once, 0.02 s |
//!
//! The table begins with the most important sound. A more important sound interrupts a less
//! important one, which is played again from its start afterwards. A less important sound waits for
//! the end of a more important one. Each sound waits at most once, even if it has several
//! occasions. A sound that comes again while it is played starts again.

use std::time::Duration;

use embedded_hal::digital::OutputPin;

use super::line::Output;

/// A sound, named by its occasion. The most important sound comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sound {
    Gong,
    Flag,
    Call,
    Low,
    Menu,
}

impl Sound {
    pub const ALL: [Sound; 5] = [Sound::Gong, Sound::Flag, Sound::Call, Sound::Low, Sound::Menu];

    /// How many milliseconds the buzzer is on, off, on and so on. The last number is the silence
    /// before the next waiting sound.
    fn pattern(self) -> &'static [u64] {
        match self {
            Sound::Gong => &[600, 300],
            Sound::Flag => &[300, 200, 300, 200, 300, 300],
            Sound::Call => &[150, 150, 150, 300],
            Sound::Low => &[100, 300],
            Sound::Menu => &[20, 80],
        }
    }

    /// Whether the buzzer is on when `elapsed` has passed since the start of the sound, and the
    /// elapsed time at which the next part of its pattern begins; `None` after the end of the
    /// sound.
    fn at(self, elapsed: Duration) -> Option<(bool, Duration)> {
        let mut end = Duration::ZERO;
        self.pattern().iter().enumerate().find_map(|(index, part)| {
            end += Duration::from_millis(*part);
            (elapsed < end).then_some((index % 2 == 0, end))
        })
    }
}

/// The buzzer on a pin.
pub struct Buzzer<P> {
    output: Output<P>,
    /// The current sound, and when it began.
    playing: Option<(Sound, Duration)>,
    /// For each sound, by `Sound as usize`: whether it is played after the current one.
    waiting: [bool; Sound::ALL.len()],
}

impl<P: OutputPin> Buzzer<P> {
    pub fn new(pin: P) -> Buzzer<P> {
        Buzzer { output: Output::new(pin), playing: None, waiting: [false; Sound::ALL.len()] }
    }

    /// Plays `sound` at once, unless the current sound is more important. In that case, `sound`
    /// waits until the current sound has ended.
    pub fn play(&mut self, sound: Sound, now: Duration) {
        match self.playing {
            Some((present, begun)) if present < sound && present.at(now - begun).is_some() => {
                self.waiting[sound as usize] = true;
            }
            present => {
                if let Some((other, begun)) = present.filter(|(other, _)| *other != sound)
                    && other.at(now - begun).is_some()
                {
                    self.waiting[other as usize] = true;
                }
                self.waiting[sound as usize] = false;
                self.playing = Some((sound, now));
            }
        }
    }

    /// Ends the current sound, and drops the waiting ones. The next [`Buzzer::update`] switches the
    /// buzzer off.
    pub fn silence(&mut self) {
        self.playing = None;
        self.waiting = [false; Sound::ALL.len()];
    }

    /// Sets the pin for the instant `now`. Returns the instant at which this function must be
    /// called again.
    pub fn update(&mut self, now: Duration) -> Result<Option<Duration>, P::Error> {
        let (on, change) = self.advance(now);
        let refresh = self.output.set(on, now)?;
        Ok(change.into_iter().chain([refresh]).min())
    }

    /// Returns whether the buzzer is on, and the instant at which that can change; `None` if no
    /// sound is played. After the end of a sound, starts the most important waiting sound.
    fn advance(&mut self, now: Duration) -> (bool, Option<Duration>) {
        if let Some((sound, begun)) = self.playing
            && let Some((on, change)) = sound.at(now - begun)
        {
            return (on, Some(begun + change));
        }
        self.playing = None;
        let Some(sound) = Sound::ALL.into_iter().find(|sound| self.waiting[*sound as usize]) else {
            return (false, None);
        };
        self.play(sound, now);
        self.advance(now)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use embedded_hal::digital::ErrorType;
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Plays each sound at its instant. Returns the instants within five seconds at which the
    /// buzzer goes on, off, on and so on. All instants are in milliseconds.
    fn heard(sounds: &[(u64, Sound)]) -> Vec<u64> {
        let mut changes = Vec::new();
        let mut buzzer = Buzzer::new(AnyPin);
        let mut wake = buzzer.update(Duration::ZERO).unwrap();
        let mut sounds = sounds.iter().copied().peekable();
        while let Some(now) = wake.into_iter().chain(sounds.peek().map(|(at, _)| millis(*at))).min()
            && now < millis(5000)
        {
            while let Some((_, sound)) = sounds.next_if(|(at, _)| millis(*at) <= now) {
                buzzer.play(sound, now);
            }
            let before = buzzer.output.is_on();
            wake = buzzer.update(now).unwrap();
            assert!(wake.is_some_and(|wake| wake > now), "{now:?}");
            let on = buzzer.output.is_on();
            if on != before {
                assert_eq!(on, Some(changes.len() % 2 == 0), "{now:?}");
                changes.push(u64::try_from(now.as_millis()).unwrap());
            }
        }
        assert_eq!(buzzer.output.is_on(), Some(false), "it is off in the end");
        changes
    }

    struct AnyPin;

    impl ErrorType for AnyPin {
        type Error = Infallible;
    }

    impl OutputPin for AnyPin {
        fn set_low(&mut self) -> Result<(), Infallible> {
            Ok(())
        }

        fn set_high(&mut self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    #[test]
    fn every_sound() {
        for (sound, changes) in [
            (Sound::Gong, vec![5, 605]),
            (Sound::Flag, vec![5, 305, 505, 805, 1005, 1305]),
            (Sound::Call, vec![5, 155, 305, 455]),
            (Sound::Low, vec![5, 105]),
            (Sound::Menu, vec![5, 25]),
        ] {
            assert_eq!(heard(&[(5, sound)]), changes, "{sound:?}");
        }
    }

    #[test]
    fn the_more_important_sound_is_heard_at_once_and_the_other_afterwards() {
        for (sounds, changes) in [
            // A gong during the first part of a call sounds at once, and the call is played again
            // after it.
            (vec![(0, Sound::Call), (100, Sound::Gong)], vec![0, 700, 1000, 1150, 1300, 1450]),
            // The sound for a low time waits, and is played once even if it has two occasions.
            (vec![(0, Sound::Gong), (1, Sound::Low), (2, Sound::Low)], vec![0, 600, 900, 1000]),
            // The most important one of the waiting sounds is played first.
            (
                vec![(0, Sound::Gong), (1, Sound::Low), (2, Sound::Call)],
                vec![0, 600, 900, 1050, 1200, 1350, 1650, 1750],
            ),
            // A second gong during the first one starts it again, so that the sound lasts longer.
            (vec![(0, Sound::Gong), (400, Sound::Gong)], vec![0, 1000]),
            // A sound that has ended before another sound begins is not played again.
            (vec![(0, Sound::Low), (400, Sound::Gong)], vec![0, 100, 400, 1000]),
            (vec![(0, Sound::Gong), (900, Sound::Low)], vec![0, 600, 900, 1000]),
        ] {
            assert_eq!(heard(&sounds), changes, "{sounds:?}");
        }
    }

    #[test]
    fn the_pin_is_off_before_the_first_sound() {
        let mut pin = Mock::new(&[Transaction::set(State::Low)]);
        let mut buzzer = Buzzer::new(pin.clone());
        assert_eq!(buzzer.update(millis(0)), Ok(Some(millis(2000))));
        assert_eq!(buzzer.update(millis(50)), Ok(Some(millis(2000))));
        pin.done();
    }
}
