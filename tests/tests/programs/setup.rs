//! `tests/setup.sh`, which the commands of the Makefile run first.

use clock_tests::write_executable;
use std::process::Command;

const TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What `tests/setup.sh` says with this `cargo`, which is a shell script, and nothing else before it
/// in the path.
fn setup_with(cargo: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cargo");
    write_executable(&path, &format!("#!/bin/sh\n{cargo}\n"));
    let mut setup = Command::new("sh");
    setup.args([&format!("{TREE}/tests/setup.sh"), "no-packages"]);
    let output = setup.env("PATH", format!("{}:/usr/bin:/bin", folder.path().display())).output();
    String::from_utf8(output.unwrap().stderr).unwrap()
}

#[test]
fn a_rust_that_is_missing_or_too_old_is_named_with_the_commands_that_install_one() {
    for (cargo, found) in
        [("exit 127", "missing"), ("echo cargo 1.85.1 (d73d2caf9 2024-12-31)", "1.85.1")]
    {
        let cargo = cargo.replace('(', "'(").replace(')', ")'");
        let said = setup_with(&cargo);
        assert!(said.contains(&format!("cargo is {found}")), "{said}");
        assert!(
            said.contains("    sudo apt-get install rustup\n    rustup default stable\n"),
            "{said}"
        );
    }
    for enough in ["1.94.0", "1.94.1", "1.100.0", "2.0.0"] {
        assert_eq!(setup_with(&format!("echo cargo {enough} '(x)'")), "", "{enough}");
    }
}
