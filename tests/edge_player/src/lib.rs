//! A mechanical finger for the chess clock's tests: what buttons do to a wire, and what a clock
//! must make of it.
//!
//! [`trace`] makes, from a seed and a number, the edges of two players' buttons, and with them
//! everything a clock must find there. Both come from a *mechanical script* (when metal touches,
//! and what the hand that wrote it meant), never from code that reads edges: this crate knows
//! nothing of the clock. The numbers come from `SplitMix64`, kept here, so that a seed means the
//! same traces for ever.
//!
//! The clock's promise, which the expected answers follow:
//!
//! - a button down for N = 1 ms ([`SETTLE`]) is pressed, and the press is dated at the first
//!   contact;
//! - contacts less than G = 20 ms ([`GAP`]) apart are one; a silence of G or longer ends them, and if
//!   none of them lasted for N they were no press;
//! - a button is pressed again only after R = 50 ms ([`RELEASE`]) open without interruption;
//! - what is undecided after 50 ms ([`LONGEST`]) is noise: a fault, and no press of that date;
//! - down for longer than 10 s ([`STUCK`]) is a fault, and the press still counts.
//!
//! # Classes
//!
//! | class | mechanically | answer | source or reason |
//! |---|---|---|---|
//! | `clean` | a perfect contact | press at the contact | the promise |
//! | `chatter` | bounces for 0.2–20 ms while closing, gaps below G, then at least N closed | one press at the first contact | 16 switches bounced for 1.6 ms on average, 6.2 ms at most (Ganssle, *A Guide to Debouncing*); 20 ms leaves room for worn ones |
//! | `release-chatter` | bounces within R of the opening, also longer than N | one press | as above; N alone does not catch it |
//! | `glitch` | one to three contacts of up to 900 µs, at least G apart | each rejected | a spike on the wire, not a finger |
//! | `light-touch` | bounces below N, then nothing | rejected | nobody pressed it through |
//! | `double-make` | closes, opens for 1 ms or more but less than G, closes | one press at the first contact | the two leaves of a switch |
//! | `early-return` | a release shorter than R, then closed again | one press | a finger that trembles |
//! | `return` | chatter at the release, then open for R or longer, then a press | two presses | a second press |
//! | `burst` | 10 kHz for 1–25 ms | rejected | interference: no contact of it lasts for N |
//! | `long-burst` | 10 kHz for 51–150 ms | faults, no press | must not hold up a flag |
//! | `burst-while-held` | 10 kHz while a finger is down | one press | as chatter |
//! | `overlong` | down for more than 10 s | a press and a stuck button | an elbow, a coin |
//! | `two-at-once` | both lines within 20 µs, both chatter | a press on each, each at its own first contact | who was first decides the flag |
//! | `exchange` | 2–8 presses in turn, as fast as can be, chatter everywhere | every press | a time scramble |
//! | `settle-short`, `settle-exact` | N − 1 ns; N | rejected; press | N is inclusive |
//! | `gap-short` | bounces, a gap of G − 1 ns, a press | one press at the first bounce | still one contact |
//! | `gap-exact`, `gap-long` | the same with G, G + 1 ns | bounces rejected, a press of its own | silence of G has decided |
//! | `release-short` | a release of R − 1 ns | one press | still the same press |
//! | `release-exact`, `release-long` | R; R + 1 ns | two presses | R is inclusive |
//! | `longest-exact` | noise that becomes a press at 50 ms sharp | press at the first edge | undecided *for longer* is noise |
//! | `longest-long` | the same 1 ns later | fault, and a press at the contact that then stays closed | that contact is a press of its own |
//!
//! What no clock can tell from the edges, so that the answer is chosen:
//!
//! | class | mechanically | chosen answer | reason |
//! |---|---|---|---|
//! | `glitch-before-press` | a glitch less than G before a press | press at the glitch | edge for edge it is a chattering press; an early date never costs the player who pressed anything, a late one may cost the game |
//! | `burst-before-press` | the same with up to 40 ms of 10 kHz | press at the first edge of the noise | the same |
//! | `press-in-long-burst` | a press less than G after more than 50 ms of noise | faults, and a press dated after the last cut of 50 ms | the date is wrong by less than 50 ms, the press is not lost, and the fault tells the arbiter |
//! | `glitch-after-release` | after a release, a glitch before R is over and a press within R of the glitch | no second press | the glitch may be the release's bounce; nobody presses twice in 50 ms and means it |
//!
//! Where the kernel loses edges (its queue of 16 is full) or makes one of several (an interrupt
//! thread that comes late reads the level then, and the last stamp), two edges of the same direction
//! can follow each other:
//!
//! | class | lost | answer | reason |
//! |---|---|---|---|
//! | `lost-opening` | an opening in the chatter | press at the first contact | nothing else is known |
//! | `lost-closing` | a closing in the chatter, neither first nor last | press at the first contact | what is seen as a gap is below G |
//! | `lost-first` | the very first closing | chosen: press at the next closing | the earliest contact told with its time |
//! | `lost-at-release` | any edge of a release's chatter but the last | one press | what is seen stays below R |
//! | `lost-release` | the whole release | chosen: no second press | it may have been a bounce; with a full queue the clock looks at the level, so a loss alone is rare |
//! | `merged` | a first bounce within 100 µs, and of one more only the opening is told | chosen: press at the first edge told | late by as much as the interrupt thread |
//! | `overflow` | all after 16 edges; the level is read within G | press at the first contact | still the same contact |
//! | `overflow-late` | the same, read after G or later | chosen: rejected, and a press when it was read | what the silence hid is unknown |
//!
//! The last closing of a press is never lost here: the kernel drops the newest edges only while 16
//! are waiting, and after that the clock reads the level.
//!
//! # On a kernel
//!
//! [`playable`] gives traces that a program can play on `gpio-sim` (the binary of this crate does):
//! at least 60 µs between any two edges, away from N, G and R by 30 %, interference no faster than
//! 4 kHz, and below 200 ms.

mod class;
mod corpus;
mod interrupt;
mod rng;
mod script;
pub mod switches;
mod trace;

pub use class::Class;
pub use corpus::{Pace, playable, trace};
pub use interrupt::told_by_kernel;
pub use trace::{Edge, LINES, Outcome, Trace, Verdict};

/// N: how long a button stays down to be pressed, in nanoseconds.
pub const SETTLE: u64 = 1_000_000;
/// G: silence that ends a bouncing contact, in nanoseconds.
pub const GAP: u64 = 20_000_000;
/// R: how long a button stays up before it can be pressed again, in nanoseconds.
pub const RELEASE: u64 = 50_000_000;
/// Undecided for longer is noise, in nanoseconds.
pub const LONGEST: u64 = 50_000_000;
/// Down for longer is stuck, in nanoseconds.
pub const STUCK: u64 = 10_000_000_000;
