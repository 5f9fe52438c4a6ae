//! Which crate may use which, and which version of Rust the dependencies need, checked with cargo's
//! own metadata. Also checks the list of crates of the Yocto recipe, and that the tests exist that
//! `docs/timing.md` names.

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
            "clock-engine" | "clock-languages" | "clock-man-pages" | "clock-record"
            | "clock-test-bus" | "clock-wall-time" | "clock-wiring" | "edge-player" => &[],
            "clock-dbus" => &["clock-engine", "clock-languages"],
            "clock-controls" | "clockd-core" => &["clock-engine"],
            "clockd-menu" => {
                &["clock-controls", "clock-dbus", "clock-engine", "clock-languages", "clockd-core"]
            }
            "clockd-rt" => &["clock-engine", "clock-wall-time", "clock-wiring", "clockd-core"],
            "clockd" => &[
                "clock-controls",
                "clock-dbus",
                "clock-engine",
                "clock-languages",
                "clock-record",
                "clock-wiring",
                "clockd-core",
                "clockd-menu",
                "clockd-rt",
            ],
            "clockctl" => &[
                "clock-controls",
                "clock-dbus",
                "clock-engine",
                "clock-languages",
                "clock-record",
                "clock-wall-time",
                "clock-wiring",
            ],
            "clock-loom" => &["clock-engine"],
            "clock-fuzz" => &["clock-engine", "clockctl"],
            "clock-display" => &[
                "clock-dbus",
                "clock-engine",
                "clock-languages",
                "clock-wall-time",
                "clock-wiring",
            ],
            "clock-bus-policy" => &["clock-dbus", "clock-test-bus"],
            "clock-guest" => &["clock-bus-policy", "clock-dbus", "edge-player"],
            "clock-tests" => &[
                "clock-bus-policy",
                "clock-controls",
                "clock-dbus",
                "clock-engine",
                "clock-languages",
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
    ["edge-player", "clock-man-pages", "clock-test-bus"]
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

/// Runs `yocto/update-crates --check` on a list. On failure, returns what it prints.
fn check_crates_of_the_recipe(list: &str) -> Result<(), String> {
    let output = Command::new("python3")
        .args([
            concat!(env!("CARGO_MANIFEST_DIR"), "/../yocto/update-crates"),
            "--check",
            "--list",
            list,
        ])
        .output()
        .expect("python3 is installed by tests/setup.sh");
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

const CRATES_OF_THE_RECIPE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../yocto/meta-chessclock/recipes-clock/chess-clock/chess-clock-crates.inc"
);

/// The recipe downloads exactly the crates of `Cargo.lock`.
#[test]
fn the_crates_of_the_recipe_are_those_of_cargo_lock() {
    check_crates_of_the_recipe(CRATES_OF_THE_RECIPE).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_list_of_crates_that_is_not_in_step_is_refused_with_the_differences() {
    let text = std::fs::read_to_string(CRATES_OF_THE_RECIPE).expect("the list is there");
    let address = text.lines().find(|line| line.contains("/anyhow/")).expect("clockctl uses it");
    let version = address.rsplit('/').next().expect("a version").trim_end_matches(" \\");
    let list = std::env::temp_dir().join(format!("crates-{}.inc", std::process::id()));
    for (was, is, difference) in [
        (format!("{address}\n"), String::new(), format!("missing: anyhow {version}")),
        (
            address.to_string(),
            format!("    crate://crates.io/left-pad/1.0.0 \\\n{address}"),
            "not in Cargo.lock: left-pad 1.0.0".to_string(),
        ),
        (
            format!("SRC_URI[anyhow-{version}.sha256sum]"),
            "SRC_URI[none.sha256sum]".to_string(),
            format!("other checksum: anyhow {version}"),
        ),
        ("PV = \"".to_string(), "PV = \"9".to_string(), "version of the clock: 9".to_string()),
        (
            "NOTICES.txt;md5=".to_string(),
            "NOTICES.txt;md5=0".to_string(),
            "other checksum: THIRD-PARTY-NOTICES.txt".to_string(),
        ),
        ("# Written".to_string(), "#  Written".to_string(), "in another form".to_string()),
    ] {
        assert!(text.contains(&was), "{was}");
        std::fs::write(&list, text.replace(&was, &is)).expect("the temporary folder is writable");
        let error = check_crates_of_the_recipe(list.to_str().expect("a path of text"))
            .expect_err("the list differs");
        assert!(error.contains(&difference), "{difference}: {error}");
        assert!(error.contains("Run yocto/update-crates."), "{error}");
    }
    std::fs::remove_file(&list).expect("it was written");
}
