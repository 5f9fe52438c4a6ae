//! Plays every stored input once, so that a fault that fuzzing has found cannot come back
//! unnoticed.

use clock_fuzz::{TARGETS, corpus};
use std::collections::BTreeSet;
use std::fs::{create_dir_all, read, read_dir, remove_dir_all, write};
use std::path::{Path, PathBuf};

/// The files of a folder. Git stores no empty folders, so a missing folder counts as empty.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// The file with the corpus of a target.
fn corpus_of(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(format!("{target}.txt"))
}

#[test]
fn every_kept_input_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, target) in TARGETS {
        // A panic does not name the input; the lines that are printed in a failed test do.
        let file = corpus_of(name);
        let inputs = corpus::read(&file).unwrap_or_else(|error| panic!("{error}"));
        for (line, input) in (1..).zip(inputs) {
            println!("{}:{line}", file.display());
            target(&input);
        }
        for input in inside(&root.join("named").join(name)) {
            println!("{}", input.display());
            target(&read(&input).expect("a file"));
        }
    }
}

#[test]
fn a_corpus_is_unpacked_for_the_fuzzer_and_packed_again() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-corpus");
    let _ = remove_dir_all(&scratch);
    for (name, _) in TARGETS {
        let stored = corpus_of(name);
        let (folder, file) = (scratch.join(name), scratch.join(format!("{name}.txt")));
        corpus::unpack(&stored, &folder).unwrap();
        assert_eq!(inside(&folder).len(), corpus::read(&stored).unwrap().len());
        // An input that is there twice is stored once, and a new input is added.
        write(folder.join("copy"), read(folder.join("0001")).expect("the first input")).unwrap();
        corpus::pack(&file, &folder).unwrap();
        assert_eq!(read(&file).unwrap(), read(&stored).unwrap(), "{name}");
        write(folder.join("new"), b"not stored so far").unwrap();
        corpus::pack(&file, &folder).unwrap();
        let mut expected = corpus::read(&stored).unwrap();
        assert!(expected.insert(b"not stored so far".to_vec()));
        assert_eq!(corpus::read(&file).as_ref(), Ok(&expected), "{name}");
    }
}

#[test]
fn a_missing_or_empty_corpus_is_an_error_and_an_empty_folder_replaces_none() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-fuzz-corpus");
    let _ = remove_dir_all(&scratch);
    let (folder, file) = (scratch.join("folder"), scratch.join("corpus.txt"));
    create_dir_all(&folder).unwrap();
    let error = corpus::read(&file).expect_err("there is no file");
    assert!(error.contains("corpus.txt: No such file"), "{error}");
    write(&file, "").unwrap();
    assert!(corpus::read(&file).expect_err("no input").ends_with("corpus.txt has no inputs"));
    write(&file, b"b\"a\"\n\xff\n").unwrap();
    let error = corpus::read(&file).expect_err("not UTF-8");
    assert!(error.contains("corpus.txt:2: not a byte string"), "{error}");
    assert!(corpus::pack(&file, &folder).expect_err("no files").contains("has no files"));
    assert_eq!(read(&file).unwrap(), b"b\"a\"\n\xff\n");
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
