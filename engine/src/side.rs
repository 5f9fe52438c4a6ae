//! The two sides.

use crate::words::words_without_display;
use core::fmt;
use core::ops::{Index, IndexMut};
use serde::{Deserialize, Serialize};

words_without_display! {
    /// A side of the clock, which is that of the player of the white or of the black pieces.
    Side {
        /// The player of the white pieces, who is on move first.
        White = "white",
        /// The player of the black pieces.
        Black = "black",
    }
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The name of the side in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerSide<T> {
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl<T: Copy> PerSide<T> {
    /// The same value for both sides.
    pub const fn both(value: T) -> PerSide<T> {
        PerSide { white: value, black: value }
    }
}

impl<T> PerSide<T> {
    /// Applies a function to the value of each side.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> PerSide<U> {
        PerSide { white: f(self.white), black: f(self.black) }
    }
}

impl<T> Index<Side> for PerSide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Side> for PerSide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }
}
