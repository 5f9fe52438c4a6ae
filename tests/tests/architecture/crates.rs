//! Which crate may use which, and which version of Rust the dependencies need, checked with cargo's
//! own metadata. Also checks that the tests exist that `docs/timing.md` names.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

fn metadata(arguments: &[&str]) -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs the tests, so it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("metadata is JSON")
}

fn packages(metadata: &Value) -> &Vec<Value> {
    metadata["packages"].as_array().expect("a list of packages")
}

#[test]
fn dependencies_point_one_way() {
    let metadata = metadata(&["--no-deps"]);
    let ours: BTreeSet<&str> =
        packages(&metadata).iter().filter_map(|package| package["name"].as_str()).collect();
    for package in packages(&metadata) {
        let name = package["name"].as_str().expect("a name");
        let used: BTreeSet<&str> = package["dependencies"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|dependency| !(dependency["kind"] == "dev" && is_tool_for_tests(dependency)))
            .filter_map(|dependency| dependency["name"].as_str())
            .filter(|dependency| ours.contains(dependency))
            .collect();
        let allowed: &[&str] = match name {
            "clock-dbus" | "clock-engine" | "clock-languages" | "clock-man-pages"
            | "clock-test-bus" | "clock-wiring" | "edge-player" | "storage-faults" => &[],
            "clock-controls" | "clockd-core" => &["clock-engine"],
            "clockd-menu" => &["clock-controls", "clock-engine", "clock-languages", "clockd-core"],
            "clockd-rt" => &["clock-engine", "clock-wiring", "clockd-core"],
            "clockd" => &[
                "clock-controls",
                "clock-dbus",
                "clock-engine",
                "clock-languages",
                "clock-wiring",
                "clockd-core",
                "clockd-menu",
                "clockd-rt",
            ],
            "clockctl" => &["clock-controls", "clock-dbus", "clock-engine"],
            "clock-loom" => &["clock-engine"],
            "clock-fuzz" => &["clock-engine", "clockctl"],
            "clock-display" => &["clock-dbus", "clock-languages", "clock-wiring"],
            "clock-bus-policy" => &["clock-dbus", "clock-test-bus"],
            "clock-guest" => &["clock-bus-policy", "clock-dbus", "edge-player"],
            "clock-tests" => &[
                "clock-bus-policy",
                "clock-controls",
                "clock-dbus",
                "clock-engine",
                "clock-test-bus",
                "clockctl",
            ],
            other => panic!("{other} is missing here: name the crates that it may use"),
        };
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        assert!(used.is_subset(&allowed), "{name} uses {used:?}, but may use {allowed:?} only");
    }
}

/// Whether a dependency is a tool for tests that knows nothing of the clock. Every crate may use
/// such a tool in its tests.
fn is_tool_for_tests(dependency: &Value) -> bool {
    ["edge-player", "clock-man-pages", "clock-test-bus", "storage-faults"]
        .iter()
        .any(|tool| dependency["name"] == *tool)
}

#[test]
fn every_dependency_builds_with_the_rust_we_ship_on() {
    let metadata = metadata(&["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let too_new: Vec<String> = packages(&metadata)
        .iter()
        .filter(|package| {
            package["rust_version"].as_str().is_some_and(|version| parts(version) > (1, 94))
        })
        .map(|package| format!("{} {}", package["name"], package["rust_version"]))
        .collect();
    assert!(too_new.is_empty(), "need a newer Rust than 1.94: {too_new:?}");
}

fn parts(version: &str) -> (u32, u32) {
    let mut parts = version.split('.').map(|part| part.parse().expect("a number"));
    (parts.next().expect("major"), parts.next().unwrap_or(0))
}

/// Every test that `docs/timing.md` names must exist.
#[test]
fn every_test_that_the_document_of_exact_time_names_is_there() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).expect(path);
    let document = read("docs/timing.md");
    let mut named = 0;
    for (module, test) in document.split('`').filter_map(|word| word.split_once("::")) {
        let source = read(&format!("engine/src/clock/tests/{module}.rs"));
        assert!(source.contains(&format!("fn {test}() {{")), "{module}::{test}");
        named += 1;
    }
    assert!(named > 60, "{named}");
}
