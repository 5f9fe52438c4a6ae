//! Runs a Python program of these tests, with the packages that `sh tests/setup.sh test` installs.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a program below `ctl/tests` with these arguments and with this standard input, in the root
/// of the repository. Returns what it prints.
pub fn run(program: &str, arguments: &[&str], input: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let python = root.join("target/python/bin/python");
    assert!(python.exists(), "no {}: `sh tests/setup.sh test` installs it", python.display());
    let mut child = Command::new(python)
        .arg(root.join("ctl/tests").join(program))
        .args(arguments)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The schema of what `clockctl --json` prints of a clock.
pub const CLOCKCTL: &str = "docs/schemas/clockctl.schema.json";
/// The schema of what it prints of the record.
#[allow(dead_code, reason = "tests/laws has no record")]
pub const RECORD: &str = "docs/schemas/record.schema.json";

/// Checks that each line fits the definition of the schema that is named with it, and that the
/// schema names each of its keys.
pub fn check_lines(schema: &str, lines: &[(&str, String)]) {
    let named = lines.iter().map(|(definition, line)| format!("{definition} {line}\n"));
    let said = run("schema/validate.py", &[schema, "--definitions"], &named.collect::<String>());
    let wrong: Vec<String> = said
        .lines()
        .filter_map(|line| {
            let number = line.strip_prefix("line ")?.split(',').next()?.parse::<usize>().ok()?;
            let (definition, text) = &lines[number - 1];
            Some(format!("{line}\n  {definition}: {text}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{schema}: {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(said.ends_with(&format!("{} lines\n", lines.len())), "{said}");
}
