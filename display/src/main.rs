//! The face of the chess clock.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    clock_display::main()
}
