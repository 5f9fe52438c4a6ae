//! Which module of clockd may use which: the modules stand on floors, and each uses only those on
//! lower floors. Code of tests is not looked at.

use std::path::{Path, PathBuf};

/// From the ground up. Modules of one floor do not use each other.
const FLOORS: [&[&str]; 8] = [
    &["clock", "counting", "log"],
    &["gpio", "retained"],
    &["rt"],
    &["game"],
    &["bus", "record"],
    &["args", "board_opener", "config", "notify", "rate_monitor", "storage_monitor"],
    &["service"],
    &["main"],
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

/// The modules of the crate's root that this source names, in paths that start with `crate::` or
/// that lead to the root with `super::`. `file` is the path in `daemon/src`.
fn named(file: &Path, source: &str) -> Vec<String> {
    let modules = file.iter().filter(|part| *part != "mod.rs").count();
    let code = source.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let paths = code.flat_map(|line| line.split(move |letter| !is_path(letter)));
    let of_root = paths.filter_map(|path| {
        let mut parts = path.split("::").peekable();
        let mut up = 0;
        while parts.next_if_eq(&"super").is_some() {
            up += 1;
        }
        let leads_to_root = if up == 0 { parts.next() == Some("crate") } else { up == modules };
        leads_to_root.then(|| parts.next()).flatten()
    });
    of_root.map(str::to_owned).collect()
}

/// What is wrong with the names in this source.
fn faults(file: &Path, source: &str) -> Vec<String> {
    let module = file.iter().next().and_then(|part| Path::new(part).file_stem()?.to_str());
    let module = module.expect("the path names a module");
    let Some(own) = floor(module) else {
        return vec![format!("{module} is missing in FLOORS")];
    };
    let is_wrong =
        |other: &String| other != module && floor(other).is_none_or(|floor| floor >= own);
    let wrong = named(file, source).into_iter().filter(is_wrong);
    wrong.map(|other| format!("{} uses `{other}`", file.display())).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn every_module_of_clockd_uses_only_lower_floors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../daemon/src");
    let mut found = Vec::new();
    let mut seen = 0;
    for path in sources(&root) {
        let file = path.strip_prefix(&root).expect("it is in the folder");
        if file.iter().any(|part| part == "tests" || part == "tests.rs") {
            continue;
        }
        found.extend(faults(file, &std::fs::read_to_string(&path).expect("it can be read")));
        seen += 1;
    }
    assert!(found.is_empty(), "these do not keep to FLOORS:\n{}", found.join("\n"));
    assert!(seen > 80, "only {seen} files");
}

#[test]
fn each_form_of_a_wrong_path_is_found() {
    for (file, source) in [
        ("gpio/v1.rs", "use crate::config::Wiring;"),
        ("bus/mod.rs", "use crate::record;"),
        ("bus/mod.rs", "    super::record::open()"),
        ("bus/convert.rs", "use super::super::record::Row;"),
        ("game/info.rs", "fn f(bus: &crate::bus::Bus) {}"),
        ("rt/mod.rs", "use crate::{game, gpio};"),
        ("service.rs", "use crate::Args;"),
        ("new.rs", ""),
    ] {
        assert_eq!(faults(Path::new(file), source).len(), 1, "{file}: {source}");
    }
    for (file, source) in [
        ("bus/mod.rs", "use crate::game::{Captains, journal};\nuse super::rt;"),
        ("bus/convert/questions.rs", "use super::{phase, who};\nuse super::super::arguments;"),
        ("gpio/v1.rs", "// use crate::config::Wiring;\n/// See [`crate::bus`].\nuse super::Lines;"),
        ("rt/mod.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::bus;\n}\n"),
    ] {
        assert_eq!(faults(Path::new(file), source), Vec::<String>::new(), "{source}");
    }
}
