//! Two seven-segment modules with a MAX7219 each, connected in series to one SPI device.
//!
//! The data input of the near module is connected to the SPI device, and the data input of the far
//! module to the data output of the near one. Both have the same clock and load lines. In one
//! transaction each module takes two bytes: a register and its value. The bytes for the far module
//! are sent first.

use std::time::Duration;

use embedded_hal::spi::SpiDevice;

use super::segments::Digits;

/// How often all registers are written again. The chips cannot be read, so the program does not
/// notice when a module has lost its power or its settings, for example through a loose plug or an
/// electrostatic discharge. Such a module works again after at most this time.
pub const REFRESH: Duration = Duration::from_secs(5);

/// The register of the leftmost digit. The registers of the digits are 1 to 8.
const LEFT_DIGIT: u8 = 8;
const DECODE_MODE: u8 = 0x09;
const INTENSITY: u8 = 0x0a;
const SCAN_LIMIT: u8 = 0x0b;
const SHUTDOWN: u8 = 0x0c;
const DISPLAY_TEST: u8 = 0x0f;

/// The two modules. Only digits that have changed are written.
pub struct Modules<S> {
    spi: S,
    brightness: u8,
    /// What the near module and the far module show, and when all registers were last written;
    /// `None` before the first write and after an error.
    written: Option<([Digits; 2], Duration)>,
}

impl<S: SpiDevice> Modules<S> {
    /// The modules on an SPI device, with a brightness from 0 to 15.
    pub fn new(spi: S, brightness: u8) -> Modules<S> {
        Modules { spi, brightness, written: None }
    }

    /// Shows `digits` on the modules: the first element on the near module, the second on the far
    /// one. After an error, the next call writes all registers, because it is not known what the
    /// modules then show.
    pub fn show(&mut self, digits: [Digits; 2], now: Duration) -> Result<(), S::Error> {
        match self.written.take() {
            Some((before, at)) if now < at + REFRESH => {
                self.write_digits(digits, Some(before))?;
                self.written = Some((digits, at));
            }
            _ => {
                self.write_everything(digits)?;
                self.written = Some((digits, now));
            }
        }
        Ok(())
    }

    /// When all registers must be written again; `None` before the first write and after an error.
    pub fn next_refresh(&self) -> Option<Duration> {
        self.written.map(|(_, at)| at + REFRESH)
    }

    fn write_everything(&mut self, digits: [Digits; 2]) -> Result<(), S::Error> {
        for (register, value) in [
            (DISPLAY_TEST, 0),
            // Scan limit 7 is all eight digits. Decode mode 0 gives each segment its own bit.
            (SCAN_LIMIT, 7),
            (DECODE_MODE, 0),
            (INTENSITY, self.brightness),
        ] {
            self.write(register, [value; 2])?;
        }
        self.write_digits(digits, None)?;
        // The shutdown mode ends last, so that a module lights up with the right digits.
        self.write(SHUTDOWN, [1; 2])
    }

    /// Writes the digits that differ from `before`. If `before` is `None`, writes all digits. One
    /// transaction writes the digit at the same place on both modules.
    fn write_digits(
        &mut self,
        [near, far]: [Digits; 2],
        before: Option<[Digits; 2]>,
    ) -> Result<(), S::Error> {
        for (register, place) in (1..=LEFT_DIGIT).rev().zip(0..) {
            let digits = [near[place], far[place]];
            if before.is_none_or(|[near, far]| [near[place], far[place]] != digits) {
                self.write(register, digits)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, register: u8, [near, far]: [u8; 2]) -> Result<(), S::Error> {
        self.spi.write(&[register, far, register, near])
    }
}

#[cfg(test)]
mod tests {
    use embedded_hal::spi::{ErrorKind, ErrorType, Operation};
    use embedded_hal_mock::eh1::spi::{Mock, Transaction};

    use super::*;

    const NEAR: Digits = [1, 2, 3, 4, 5, 6, 7, 8];
    const FAR: Digits = [11, 12, 13, 14, 15, 16, 17, 18];
    const SECOND: Duration = Duration::from_secs(1);

    /// The transactions of these writes.
    fn writes(writes: &[[u8; 4]]) -> Vec<Transaction<u8>> {
        let transaction = |bytes: &[u8; 4]| {
            let write = Transaction::write_vec(bytes.to_vec());
            [Transaction::transaction_start(), write, Transaction::transaction_end()]
        };
        writes.iter().flat_map(transaction).collect()
    }

    /// The writes to all registers: the settings, the digits from left to right, the end of the
    /// shutdown.
    fn everything(brightness: u8) -> Vec<Transaction<u8>> {
        let mut all = vec![
            [0x0f, 0, 0x0f, 0],
            [0x0b, 7, 0x0b, 7],
            [0x09, 0, 0x09, 0],
            [0x0a, brightness, 0x0a, brightness],
        ];
        all.extend((0..8_u8).map(|place| [8 - place, 11 + place, 8 - place, 1 + place]));
        all.push([0x0c, 1, 0x0c, 1]);
        writes(&all)
    }

    #[test]
    fn the_far_module_is_sent_first_and_only_changed_digits_are_written() {
        let mut expected = everything(9);
        // The last digit of the near module changes, and the first digit of the far one.
        expected.extend(writes(&[[1, 18, 1, 88], [8, 111, 8, 1]]));
        let mut spi = Mock::new(&expected);
        let mut modules = Modules::new(spi.clone(), 9);
        let near = [1, 2, 3, 4, 5, 6, 7, 88];
        let far = [111, 12, 13, 14, 15, 16, 17, 18];
        for digits in [[NEAR, FAR], [NEAR, FAR], [near, FAR], [near, far], [near, far]] {
            modules.show(digits, SECOND).unwrap();
        }
        spi.done();
    }

    #[test]
    fn everything_is_written_again_after_five_seconds() {
        let mut spi = Mock::new(&[everything(0), everything(0)].concat());
        let mut modules = Modules::new(spi.clone(), 0);
        assert_eq!(modules.next_refresh(), None);
        for (now, refresh) in [(1000, 6000), (5999, 6000), (6000, 11_000), (6001, 11_000)] {
            modules.show([NEAR, FAR], Duration::from_millis(now)).unwrap();
            assert_eq!(modules.next_refresh(), Some(Duration::from_millis(refresh)));
        }
        spi.done();
    }

    /// An SPI device that records what is written. A write fails if its number, counted from 1, is
    /// in `fails`.
    struct Failing {
        fails: Vec<usize>,
        written: Vec<Vec<u8>>,
    }

    impl ErrorType for Failing {
        type Error = ErrorKind;
    }

    impl SpiDevice for Failing {
        fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
            let [Operation::Write(bytes)] = operations else { panic!("only writes") };
            self.written.push(bytes.to_vec());
            if self.fails.contains(&self.written.len()) { Err(ErrorKind::Other) } else { Ok(()) }
        }
    }

    #[test]
    fn everything_is_written_after_an_error() {
        // The first call of `show` writes all registers with 13 writes. So the fourteenth write,
        // which fails, is the first one of the second call.
        let spi = Failing { fails: vec![14], written: Vec::new() };
        let mut modules = Modules::new(spi, 15);
        assert_eq!(modules.show([NEAR, FAR], SECOND), Ok(()));
        let changed = [99, 2, 3, 4, 5, 6, 7, 98];
        assert_eq!(modules.show([changed, FAR], SECOND), Err(ErrorKind::Other));
        assert_eq!(modules.next_refresh(), None);
        assert_eq!(modules.show([NEAR, FAR], SECOND), Ok(()));
        let written = &modules.spi.written;
        assert_eq!(written.len(), 13 + 1 + 13);
        assert_eq!(written[13], [8, 11, 8, 99]);
        assert_eq!(written[..13], written[14..]);
    }
}
