//! Programs that a test writes, for example a script that takes the place of `ssh`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program, which everyone may run. Panics if it cannot be written.
///
/// Another process writes the file. If this one did, a process that another test forks at the same time
/// would have the file open for writing until its `exec`, and the kernel runs no program that anybody has
/// open for writing (`ETXTBSY`).
pub fn write_executable(path: &Path, text: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped());
    let mut install = install.spawn().expect("`install` is part of coreutils");
    let mut input = install.stdin.take().expect("its standard input is a pipe");
    input.write_all(text.as_bytes()).expect("`install` reads its standard input");
    drop(input);
    let ended = install.wait().expect("it was started");
    assert!(ended.success(), "{}: {ended}", path.display());
}
