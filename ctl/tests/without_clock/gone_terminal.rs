//! Standard error that cannot be written, as after the terminal has gone away.

use std::process::{Command, Stdio};

#[test]
fn an_error_that_nobody_can_read_keeps_its_exit_code() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    // No bus is at this address.
    for (arguments, exit) in [
        (&["--bus", "unix:path=/nonexistent", "rule"][..], 7),
        (&["rulings"], 2),
        (&["simulate", "--control", "nonsense"], 2),
    ] {
        let status = Command::new(env!("CARGO_BIN_EXE_clockctl"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(writer.try_clone().unwrap())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(exit), "{arguments:?}");
    }
}
