//! Runs the program `clockctl` that cargo has built, and returns what it prints.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// `clockctl` with a system bus that does not exist, so that it does not ask a clock of this machine.
pub fn clockctl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clockctl"));
    command.env("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/bus");
    command
}

/// What the program printed to standard output.
pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What the program printed to standard error.
pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
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
