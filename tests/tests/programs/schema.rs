//! Compares JSON with the schemas of docs/schemas.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Fails unless each line is valid for the schema of this name.
pub fn validate(schema: &str, lines: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = root.join("target/python/bin/python");
    assert!(python.exists(), "no {}: `sh tests/setup.sh test` installs it", python.display());
    let mut child = Command::new(python)
        .arg(root.join("ctl/tests/schema/validate.py"))
        .arg(root.join(format!("docs/schemas/{schema}.schema.json")))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "{schema}: {lines}");
}
