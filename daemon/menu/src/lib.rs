//! The menu of the clock, worked with its buttons, as a plain value.
//!
//! [`Menu`] turns the presses that belong to the menu into pages and commands. It has no I/O, no
//! thread and no clock: every instant is passed in, and so is the [`Situation`] of the clock. The
//! caller opens it ([`Menu::open`]), hands in each press ([`Menu::key`]), carries out the
//! [`Effect`], shows [`Menu::page`], and calls [`Menu::timeout`] at [`Menu::deadline`].
//!
//! The menu gives the commands of the engine ([`GameCommand`]). So the checks of authority, the
//! revisions, the refusals and the reports are those of the commands that come over the bus. The
//! menu itself decides only which pages are offered, whether the arbiter's code is asked, and
//! whether both players have to press. The caller checks what it checks for a command over D-Bus.
//!
//! The pages are in the language of [`Settings`], with the words of the crate `clock_languages`.
//!
//! All instants are nanoseconds of CLOCK_MONOTONIC. Every text of a page has at most
//! [`LINE_LENGTH`] characters, and a page has at most [`VISIBLE_LINES`] lines.
//!
//! [`GameCommand`]: clock_engine::rules::GameCommand

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod access;
mod agree;
mod code;
mod code_entry;
mod config;
mod context;
mod control_words;
mod digit_entry;
mod digits;
mod effect;
mod family;
mod form;
mod key;
mod list;
mod menu;
mod page;
mod pages;
mod situation;
#[cfg(test)]
mod tests;
mod words;

pub use code::{ArbiterCode, MAX_CODE_LENGTH, MIN_CODE_LENGTH};
pub use config::{MAX_FAVOURITES, MenuConfig, PLAYERS_AGREE, When, favourite};
pub use effect::{
    Answer, BackupOutcome, Effect, Failure, MenuCommand, NewGame, NewRules, Refusal, Sentence,
    Setting,
};
pub use key::{Keys, NO_MENU};
pub use menu::Menu;
pub use page::{LINE_LENGTH, SEGMENTS, VISIBLE_LINES};
pub use pages::settings::button_test_page;
pub use situation::{Machine, OWN_CONTROLS, Rules, Settings, Situation};
