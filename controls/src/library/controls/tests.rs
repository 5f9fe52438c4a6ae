//! Names, files and notations are distinguished, and names never lead out of the folders.

use super::*;
use std::os::unix::fs::symlink;

const FIVE_MINUTES: &str = "name = 'Mine'\n[[period]]\ntime = '5m'\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn files_that_are_not_controls_are_neither_listed_nor_found() {
    let folder = folder(&[
        ("mine.toml", FIVE_MINUTES),
        ("bad.toml", "name = 'Bad'\n"),
        (".hidden.toml", FIVE_MINUTES),
        ("notes.txt", ""),
    ]);
    symlink("nowhere", folder.path().join(".#mine.toml")).unwrap();
    symlink("nowhere", folder.path().join("dangling.toml")).unwrap();
    std::fs::create_dir(folder.path().join("folder.toml")).unwrap();
    let library = Library::new(vec![folder.path().to_owned(), "/nowhere".into()]);
    let list = library.list();
    let own: Vec<&String> = list.keys().filter(|name| preset(name).is_none()).collect();
    assert_eq!(own, ["bad", "mine"]);
    assert_eq!(list["mine"], "Mine");
    assert!(list["bad"].starts_with("cannot be used: "), "{}", list["bad"]);
    for name in ["dangling", "folder", ".#mine", ".hidden", "", "\0"] {
        let error = library.find(name).expect_err(name).to_string();
        let all = format!("shows all {}", presets().len() + 2);
        assert!(error.contains(&all), "{error}");
    }
    let error = library.find("min").expect_err("not the whole name").to_string();
    assert!(error.contains("perhaps mine?"), "{error}");
}

#[test]
fn a_name_never_leads_out_of_the_folders() {
    let outer = folder(&[("outside.toml", FIVE_MINUTES)]);
    let inner = outer.path().join("controls");
    std::fs::create_dir(&inner).unwrap();
    std::fs::create_dir(inner.join("deeper")).unwrap();
    std::fs::write(inner.join("deeper/x.toml"), FIVE_MINUTES).unwrap();
    let library = Library::new(vec![inner]);
    let absolute = outer.path().join("outside");
    let with_ending = outer.path().join("outside.toml");
    for name in ["../outside", "../outside.toml", "./x", "deeper/x", "3+2", "..", "."] {
        let error = library.find(name).expect_err(name);
        assert!(matches!(error, LoadError::UnknownName { .. }), "{name}: {error}");
    }
    for path in [absolute, with_ending] {
        let error = library.find(path.to_str().unwrap()).expect_err("an absolute path");
        assert!(matches!(error, LoadError::UnknownName { .. }), "{error}");
    }
}

#[test]
fn a_file_of_a_folder_takes_the_place_of_the_compiled_in_control() {
    let first = folder(&[("blitz-3-2.toml", FIVE_MINUTES)]);
    let second = folder(&[("blitz-3-2.toml", "name = 'Second'\n[[period]]\ntime = '1m'\n")]);
    let library = Library::new(vec![first.path().to_owned(), second.path().to_owned()]);
    assert_eq!(library.find("blitz-3-2").unwrap().title, "Mine");
    assert_eq!(Library::default().find("blitz-3-2").unwrap().title, "Blitz 3+2");
}

#[test]
fn names_files_and_notations_are_told_apart() {
    let library = Library::default();
    let kind = |argument: &str| library.classify(argument, Path::new(""));
    for notation in [
        "40/90, G/30, +30",
        "40/90",
        "3+2",
        "G/60 d5",
        "g/60",
        "SD/30",
        "+30",
        "pgn:40/5400+30",
        "2h",
        "90m",
        "10v7",
        "G60",
        "sd60d5",
        "G/60\u{a0}d5",
        "40/90\nG/30",
    ] {
        assert_eq!(kind(notation), Argument::Notation, "{notation}");
    }
    for unread in ["G/60 x5", "90 min/40 blitz", "clubs/2024", "30/90, SD/1"] {
        assert_eq!(kind(unread), Argument::Notation, "{unread}");
    }
    for file in ["./x", "/x", "a/b", "x.toml", "40/x.toml", "../d5", "~/5", "./40/90"] {
        assert_eq!(kind(file), Argument::File, "{file}");
    }
    for name in ["blitz-3-2", "fide-standard", "x", "d5", "G", "2x", ""] {
        assert_eq!(kind(name), Argument::Name, "{name}");
    }
    for preset in presets() {
        assert!(!looks_like_notation(preset.name), "{}", preset.name);
    }
}

/// No answer has the words of the operating system or of a library.
#[test]
fn a_text_that_is_no_file_is_not_answered_with_the_words_of_the_system() {
    let folder = folder(&[("file", FIVE_MINUTES)]);
    symlink("circle.toml", folder.path().join("circle.toml")).unwrap();
    let library = Library::default();
    let long = format!("./{}", "x".repeat(300));
    for argument in [
        "90’/40 blitz",
        "G/90; blitz/30",
        "40/2, SD/30, d10",
        "controls/blitz",
        "./missing",
        "missing.toml",
        "./file/x.toml",
        "./circle.toml",
        "./\0",
        "~/x",
        &long,
    ] {
        let error = library.resolve(argument, folder.path()).expect_err(argument).to_string();
        for word in ["os error", "No such file", "Not a directory", "unexpected", "File name"] {
            assert!(!error.contains(word), "{argument}: {error}");
        }
    }
}

#[test]
fn a_control_of_the_library_comes_before_the_notation_of_the_same_text() {
    let folder = folder(&[("2h.toml", FIVE_MINUTES), ("3+2.toml", FIVE_MINUTES)]);
    let library = Library::new(vec![folder.path().to_owned()]);
    for name in ["2h", "3+2"] {
        assert_eq!(library.resolve(name, Path::new("")).unwrap().title, "Mine");
        // A file in the base folder is found only by its path.
        let elsewhere = Library::default();
        assert_eq!(elsewhere.classify(name, folder.path()), Argument::Notation);
        let path = format!("./{name}.toml");
        assert_eq!(elsewhere.resolve(&path, folder.path()).unwrap().title, "Mine");
    }
}

#[test]
fn an_existing_path_that_is_also_a_notation_is_the_file() {
    let folder = folder(&[]);
    std::fs::create_dir(folder.path().join("G")).unwrap();
    std::fs::write(folder.path().join("G/60 min"), FIVE_MINUTES).unwrap();
    let library = Library::default();
    let kind = |base: &Path| library.classify("./G/60 min", base);
    assert_eq!(kind(folder.path()), Argument::File);
    assert_eq!(library.resolve("./G/60 min", folder.path()).unwrap().title, "Mine");
}

#[test]
fn what_cannot_be_resolved_is_refused_with_all_that_is_accepted() {
    let library = Library::default();
    for (argument, parts) in [
        ("40/90", &["the time control 40/90: ", "no time for the moves after move 40", "G/30"][..]),
        ("pgn:?", &["the time control pgn:?: ", "not known"]),
        (
            "fide-standart",
            &["no time control `fide-standart`; perhaps fide-standard? ", "(*.toml)", "3+2"],
        ),
        ("5~3", &["no time control `5~3`; ", "nor is it a notation: `~3` (character 2)"]),
        ("G/60 x5", &["the time control G/60 x5: `x5` (character 6): not understood"]),
        ("90 min/40 blitz", &["the time control 90 min/40 blitz: `blitz` (character 11)"]),
    ] {
        let error = library.resolve(argument, Path::new("/")).expect_err(argument).to_string();
        for part in parts {
            assert!(error.contains(part), "{argument}: {error}");
        }
    }
    // For an argument that is clearly a path, the message has no hint at notations.
    for argument in ["./40/90", "/40/90", "40.toml", "dir/notes"] {
        let error = library.resolve(argument, Path::new("/nowhere")).unwrap_err().to_string();
        assert!(error.ends_with(": there is no such file"), "{error}");
    }
}
