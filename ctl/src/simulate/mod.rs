//! Games in virtual time: no daemon, no bus, no hardware.

mod game;
mod line;

pub use game::Game;
