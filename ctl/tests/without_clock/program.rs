//! Runs the built `clockctl` with a text as its standard input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub fn clockctl() -> Command {
    Command::new(env!("CARGO_BIN_EXE_clockctl"))
}

/// Runs the command to its end.
pub fn run_with_input(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A thread of its own writes the input. Otherwise a long input could block while the pipe of the
    // output is full. A program that refuses its command line ends without reading the input, so a
    // failed write is no error.
    let writing = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap();
    output
}
