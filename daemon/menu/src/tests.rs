//! The menu on a real game, in virtual time.

mod access;
mod agree;
mod answers;
mod backup;
mod codes;
mod evening;
mod every_page;
mod first;
mod golden;
mod languages;
mod pages;
mod played;
mod presses;
mod random;
mod reachable;
mod table;
mod tables;
mod tasks;
