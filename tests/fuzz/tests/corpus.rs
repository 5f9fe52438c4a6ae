//! Plays every stored input once, so that a fault that fuzzing has found cannot come back
//! unnoticed.

use clock_fuzz::TARGETS;
use std::collections::BTreeSet;
use std::fs::{read, read_dir};
use std::path::{Path, PathBuf};

/// The files of a folder. Git stores no empty folders, so a missing folder counts as empty.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn every_kept_input_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, target) in TARGETS {
        let corpus = inside(&root.join("corpus").join(name));
        assert!(!corpus.is_empty(), "{name} has no corpus");
        for input in corpus.into_iter().chain(inside(&root.join("named").join(name))) {
            // A panic does not name the input; this line in the output of a failed test does.
            println!("{}", input.display());
            target(&read(&input).expect("a file"));
        }
    }
}

#[test]
fn every_folder_and_every_program_is_of_a_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let targets: BTreeSet<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let found = |folder: &str| -> BTreeSet<String> {
        let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
        inside(&root.join(folder)).into_iter().map(stem).collect()
    };
    assert_eq!(found("corpus"), targets);
    assert_eq!(found("libfuzzer/fuzz_targets"), targets);
    assert!(found("named").is_subset(&targets));
}
