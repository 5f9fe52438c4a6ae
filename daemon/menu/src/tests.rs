//! The menu on a real game, in virtual time.

mod evening;
mod every_page;
mod presses;
mod random;
mod table;
