//! Switch contacts for the chess clock's tests: what buttons do to a line, and what a clock must
//! make of it.
//!
//! [`trace`] makes, from a seed and an index, the edges of two players' buttons and everything that
//! a clock must find in them. Both come from a *mechanical script*, which says when contacts close
//! and open and what the author meant by it. No code here reads edges to find out what they mean,
//! and this crate knows nothing of the clock. The random numbers come from `SplitMix64`, which is
//! part of this crate, so that a seed means the same traces for ever.
//!
//! The expected answers follow what the clock promises:
//!
//! - a contact that stays closed for N = 1 ms ([`SETTLE`]) is a press, dated at the first contact;
//! - contacts less than G = 20 ms ([`GAP`]) apart are one; if the line stays open for G before any
//!   of them has lasted for N, there was no press;
//! - a button can be pressed again when it has been open for R = 50 ms ([`RELEASE`]) without a
//!   break;
//! - what is undecided after 50 ms ([`MAX_CANDIDATE_AGE`]) is noise: a fault, and no press of that
//!   date;
//! - a button that is down for longer than 10 s ([`STUCK`]) is a fault, and its press still counts.
//!
//! [`switches`] has models of switches, with which N, G and R can be chosen. The models do not
//! depend on these times.
//!
//! # Classes
//!
//! | class | what the contacts do | answer | source or reason |
//! |---|---|---|---|
//! | `clean` | close once | press at the contact | the promise |
//! | `chatter` | bounce for 0.2–20 ms while closing, gaps below G, then at least N closed | one press at the first contact | measured switches bounced for 1.6 ms on average, 6.2 ms at most (Ganssle, *A Guide to Debouncing*); 20 ms leaves room for worn ones |
//! | `release-chatter` | bounce within R of the opening, also for longer than N | one press | as above; N alone does not catch it |
//! | `glitch` | one to three contacts of up to 900 µs, at least G apart | each rejected | interference, nobody pressed |
//! | `light-touch` | bounce for less than N each, then stay open | rejected | nobody pressed it through |
//! | `double-make` | close, open for 1 ms or more but less than G, close | one press at the first contact | the two leaves of a switch |
//! | `early-return` | open for less than R after a press, then close again | one press | the player does not hold the button still, or the contact is lost |
//! | `second-press` | bounce at the release, stay open for R or longer, then a press | two presses | a second press |
//! | `burst` | 10 kHz for 1–25 ms | rejected | interference: no contact of it lasts for N |
//! | `long-burst` | 10 kHz for 51–150 ms | faults, no press | must not hold back a flag |
//! | `burst-while-held` | 10 kHz while the button is down | one press | as chatter |
//! | `stuck` | closed for more than 10 s | a press and a stuck button | an elbow, a coin |
//! | `two-at-once` | both lines close within 20 µs, both bounce | a press on each, each at its own first contact | who was first decides the flag |
//! | `exchange` | 2–8 presses in turn, as fast as possible, all bouncing | every press | a time scramble |
//! | `settle-short`, `settle-exact` | closed for N − 1 ns; for N | rejected; press | N is inclusive |
//! | `gap-short` | bounce, stay open for G − 1 ns, then a press | one press at the first bounce | still one contact |
//! | `gap-exact`, `gap-long` | the same with G, with G + 1 ns | the bounces rejected, a press of its own | an opening of G has decided |
//! | `release-short` | open for R − 1 ns | one press | still the same press |
//! | `release-exact`, `release-long` | open for R; for R + 1 ns | two presses | R is inclusive |
//! | `age-exact` | noise that becomes a press at exactly 50 ms | press at the first edge | only what is undecided *for longer* is noise |
//! | `age-long` | the same 1 ns later | fault, and a press at the contact that then stays closed | that contact is a press of its own |
//!
//! In the following classes no clock can know the truth from the edges, so the answer is chosen:
//!
//! | class | what the contacts do | chosen answer | reason |
//! |---|---|---|---|
//! | `glitch-before-press` | a glitch less than G before a press | press at the glitch | its edges are those of a bouncing press; an early date costs the player who pressed nothing, a late one may cost the game |
//! | `burst-before-press` | the same with up to 25 ms of 10 kHz | press at the first edge of the noise | the same |
//! | `press-in-long-burst` | a press less than G after more than 50 ms of noise | faults, and a press dated after the last cut of 50 ms | the date is wrong by less than 50 ms, the press is not lost, and the fault tells the arbiter |
//! | `glitch-after-release` | after a release, a glitch before R is over and a press within R of the glitch | no second press | the glitch may be the release's bounce; no player presses twice within 50 ms |
//!
//! The kernel merges edges (see [`kernel_records`]) and, when its queue is full, drops them. The
//! queue here is that of uAPI v1: 16 edges for a line, and the newest are dropped. Two edges of the
//! same direction can then follow each other:
//!
//! | class | what is missing | answer | reason |
//! |---|---|---|---|
//! | `merged` | the interrupt's thread runs 0–100 µs late, and the first contact is about that short | press at the first record, which may be an opening | at most the thread's delay after the first contact |
//! | `lost-opening` | an opening in the chatter | press at the first contact | nothing else is known |
//! | `lost-closing` | a closing in the chatter, neither the first nor the last | press at the first contact | the gap in the records stays below G |
//! | `lost-first` | the very first closing | press at the first opening | the first record; the line was closed before it |
//! | `lost-at-release` | any edge of a release's chatter but the last | one press | the gap in the records stays below R |
//! | `lost-release` | the whole release | chosen: no second press | it may have been a bounce; the clock reads the level after a full queue, so a loss alone is rare |
//! | `overflow` | all after 16 edges; the level is read within G | press at the first contact | still the same contact |
//! | `overflow-late` | the same, read after G or later | chosen: rejected, and a press when it was read | what happened without a record is unknown |
//!
//! The last closing of a press is never lost here: with uAPI v1 the kernel drops edges only while
//! 16 are waiting, and after that the clock reads the level.
//!
//! [`Pace::THREADED`] plays all classes but the `lost` and `overflow` ones through the kernel's
//! merging, with delays evenly distributed from 0 to 100 µs.
//!
//! # On a kernel
//!
//! [`playable`] gives traces that a program can play on `gpio-sim` (the binary of this crate does):
//! at least `spacing` (60 µs by default in the binary) between any two edges, away from N, G and R
//! by 30 %, interference of about 4 kHz with this default, and shorter than 200 ms.

mod class;
mod corpus;
mod interrupt;
mod rng;
mod script;
pub mod switches;
mod trace;

pub use class::Class;
pub use corpus::{Pace, playable, trace};
pub use interrupt::kernel_records;
pub use rng::Rng;
pub use trace::{Edge, LINES, Outcome, Trace, Verdict};

/// N, in nanoseconds: a contact that stays closed for this long is a press.
pub const SETTLE: u64 = 1_000_000;
/// G, in nanoseconds: if the line stays open for this long after a contact, the bouncing has ended.
pub const GAP: u64 = 20_000_000;
/// R, in nanoseconds: a button must be open for this long before it can be pressed again.
pub const RELEASE: u64 = 50_000_000;
/// In nanoseconds: edges that are still undecided after this time are noise.
pub const MAX_CANDIDATE_AGE: u64 = 50_000_000;
/// In nanoseconds: a button that is down for longer than this is stuck.
pub const STUCK: u64 = 10_000_000_000;
