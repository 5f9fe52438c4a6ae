//! Runs the built programs against each other: a private bus, a clock with simulated buttons, a
//! face in a pseudo-terminal.
//!
//! Nothing here links the daemon: it is run as its users run it.

mod buttons;
mod face;
mod programs;
mod wait;

pub use buttons::Buttons;
pub use face::Face;
pub use programs::{Bench, Program, child_processes, program};
pub use wait::{DEADLINE, eventually};
