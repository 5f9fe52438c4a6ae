//! Runs the built programs together: a private bus, a clock with simulated buttons, a face in a
//! pseudo-terminal. `clockd` is started as a program, as its users start it, and never linked.

mod buttons;
mod executable;
mod face;
mod fast_game;
mod programs;
mod supervisor;
pub mod system_bus;
mod wait;

pub use buttons::Buttons;
pub use executable::write_executable;
pub use face::Face;
pub use fast_game::{FAST_DEBOUNCE, FastGame};
pub use programs::{Bench, Program, WALL_TIME, child_processes, processor_time, program};
pub use supervisor::{End, Supervisor};
pub use wait::{DEADLINE, eventually, eventually_ok};
