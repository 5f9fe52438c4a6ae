//! Games in virtual time: no daemon, no bus, no hardware.

mod events;
mod game;
mod line;

pub use game::Game;
