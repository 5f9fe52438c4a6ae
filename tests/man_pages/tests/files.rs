//! The pages of files are those that their sources give, and every reader of manual pages accepts
//! every page in `docs/man`.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::{fs, path::PathBuf, process::Command};

use clock_man_pages::{
    check,
    configuration::{self, Configuration},
    document, repository,
    roff::{head, see_also},
};

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A page from a configuration file: its name, what it is, the file and where it is installed, and
/// the references.
const CONFIGURATIONS: &[(&str, &str, &str, &str, &[&str])] = &[
    (
        "clockd.toml",
        "the configuration of the chess clock service",
        "configs/clockd.toml",
        "/etc/chess-clock/clockd.toml",
        &["clockd(8)", "chess-clock-controls(5)", "chess-clock-rules(5)", "chess-clock-wiring(5)"],
    ),
    (
        "display.toml",
        "the configuration of the face of the chess clock",
        "configs/display.toml",
        "/etc/chess-clock/display.toml",
        &["clock-display(1)", "chess-clock-wiring(5)", "docs/face.md", "docs/devices.md"],
    ),
    (
        "chessclock.toml",
        "the set-up file on the card of a chess clock",
        "examples/chessclock.toml",
        "/boot/firmware/chessclock.toml",
        &["clockctl(1)", "clockd.toml(5)", "chess-clock-wiring(5)", "docs/first-clock.md"],
    ),
    (
        "chess-clock-wiring",
        "how the buttons, lamps and buzzer of the chess clock are wired",
        "configs/wiring/raspberry-pi.toml",
        "/usr/share/chess-clock/wiring/raspberry-pi.toml",
        &["clockd.toml(5)", "display.toml(5)", "docs/wiring.md"],
    ),
];

/// A page from a document: its name, what it is, the document, and the references.
const DOCUMENTS: &[(&str, &str, &str, &[&str])] = &[
    (
        "chess-clock-controls",
        "time controls of the chess clock as files",
        "docs/controls.md",
        &["clockctl(1)", "clockd.toml(5)"],
    ),
    (
        "chess-clock-rules",
        "rule profiles of the chess clock as files",
        "docs/rules.md",
        &["clockctl(1)", "clockd.toml(5)", "docs/laws.md"],
    ),
    (
        "clockctl-simulate",
        "scripts of games that clockctl plays in virtual time",
        "docs/simulate.md",
        &["clockctl(1)", "chess-clock-rules(5)", "docs/timing.md"],
    ),
    (
        "clockctl-hall",
        "the file with the boards of a hall, and what clockctl does with many clocks",
        "docs/hall.md",
        &["clockctl(1)"],
    ),
];

#[test]
fn the_pages_of_files_are_up_to_date() {
    for (name, about, file, path, pages) in CONFIGURATIONS {
        let text = read(file);
        let body = configuration::sections(&Configuration { path, text: &text }).unwrap();
        check(&format!("{name}.5"), &(head(name, "5", about) + &body + &see_also(pages))).unwrap();
    }
    for (name, about, file, pages) in DOCUMENTS {
        let body = document::sections(&read(file)).unwrap_or_else(|why| panic!("{file}: {why}"));
        let references = [*pages, &[file]].concat();
        check(&format!("{name}.5"), &(head(name, "5", about) + &body + &see_also(&references)))
            .unwrap();
    }
}

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("docs/man")).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.sort_unstable();
    pages
}

/// Runs a reader of manual pages, which must say nothing.
fn reads(program: &str, arguments: &[&str]) -> String {
    let needed = format!("{program} is needed: `sh tests/setup.sh test` installs it");
    let output = Command::new(program).args(arguments).env("LC_ALL", "C.UTF-8").output();
    let output = output.expect(&needed);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    said + if output.status.success() { "" } else { "it failed" }
}

#[test]
fn every_reader_of_manual_pages_accepts_every_page() {
    let pages = pages();
    assert!(pages.len() >= 10, "{pages:?}");
    for page in pages {
        let page = page.to_str().unwrap();
        assert_eq!(
            reads("groff", &["-k", "-t", "-man", "-Tutf8", "-ww", "-z", page]),
            "",
            "{page}"
        );
        assert_eq!(reads("man", &["--warnings", "--local-file", page]), "", "{page}");
        // Style messages of mandoc are about dates and long lines, which do not matter here.
        assert_eq!(reads("mandoc", &["-T", "lint", "-W", "error", page]), "", "{page}");
    }
}

/// A reference to a page that does not exist would lead nowhere.
#[test]
fn every_reference_leads_to_a_page_or_a_document() {
    let names: Vec<String> =
        pages().iter().map(|page| page.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let mut found = 0;
    for name in &names {
        let page = read(&format!("docs/man/{name}"));
        let references = page.split_once(".SH \"SEE ALSO\"\n").unwrap().1.replace("\\-", "-");
        for reference in references.lines().map(|line| line.trim_end_matches(',')) {
            let plain = reference.replace("\\fB", "").replace("\\fR", "");
            match plain.split_once('(') {
                Some((page, section)) => {
                    let file = format!("{page}.{}", section.trim_end_matches(')'));
                    assert!(names.contains(&file), "{name}: {plain}");
                }
                None => assert!(repository().join(&plain).exists(), "{name}: {plain}"),
            }
            found += 1;
        }
    }
    assert!(found > names.len());
}
