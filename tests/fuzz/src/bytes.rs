//! A source of choices that is read from the bytes of an input. After the end of the bytes every
//! choice is 0, so that a shortened input is still an input.

use clock_engine::{MAX_GIVEN, MIN_SLICE, Side, Span};

pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes(data)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// The lowest `N` bits of one byte.
    pub fn flags<const N: usize>(&mut self) -> [bool; N] {
        let byte = self.byte();
        std::array::from_fn(|bit| byte >> bit & 1 == 1)
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.byte()) % choices.len()]
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A small number, or one of the largest.
    pub fn number(&mut self) -> u32 {
        let near = u32::from(self.byte());
        if near < 240 { near } else { u32::MAX - (near - 240) }
    }

    pub fn side(&mut self) -> Side {
        self.pick(&Side::BOTH)
    }

    /// A short span, a long span, a span next to a limit, or any span.
    pub fn span(&mut self) -> Span {
        let (unit, n) = (self.byte(), u64::from(self.byte()));
        let (longest, slice) = (MAX_GIVEN.as_nanos(), MIN_SLICE.as_nanos());
        Span::from_nanos(match unit % 10 {
            0 => 0,
            1 => n,
            2 => n * 1_000_000,
            3 => n * 1_000_000_000,
            4 => n * 60_000_000_000,
            5 => longest - n,
            6 => longest + n,
            7 => slice - 1 + n,
            8 => u64::MAX - n,
            _ => self.u64(),
        })
    }
}
