//! Runs a Python program of these tests, with the packages that `sh tests/setup.sh test` installs.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a program below `ctl/tests` with these files of the repository as its arguments and with
/// this standard input. Returns what it prints.
pub fn run(program: &str, files: &[&str], input: &str) -> String {
    let ctl = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = ctl.parent().unwrap();
    let python = root.join("target/python/bin/python");
    assert!(python.exists(), "no {}: `sh tests/setup.sh test` installs it", python.display());
    let mut child = Command::new(python)
        .arg(ctl.join("tests").join(program))
        .args(files.iter().map(|file| root.join(file)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
