//! `clockctl setup check` and `boards`.

use super::{Folder, KEY};
use crate::python::{CLOCKCTL, check_lines};

fn text() -> String {
    format!(
        "# The hall.\nlanguage = 'ga'\nrotation = 90\nuse = 'tournament'\nwiring = 'raspberry-pi'\n[arbiters]\n'Vera Menchik' = '{KEY}'\n\
         [wifi]\ncountry = 'IE'\nssid = 'Club'\npassphrase = 'sesame open'\n"
    )
}

#[test]
fn a_file_is_shown_without_its_passphrase_and_with_the_keys_that_it_lacks() {
    let folder = Folder::new();
    folder.write("chessclock.toml", text());
    let expected = format!(
        "language = \"ga\"\nrotation = 90\nuse = \"tournament\"\nwiring = \"raspberry-pi\"\n\n\
         [arbiters]\n\"Vera Menchik\" = \"{KEY}\"\n\n\
         [wifi]\ncountry = \"IE\"\nssid = \"Club\"\npassphrase = \"***********\"\n\
         # stays as it is on the clock: host_name, board, time_zone, arrangement, screen_mode, control, rules, call_button\n"
    );
    assert_eq!(folder.said("check chessclock.toml"), expected);
    folder.write("chessclock.toml", "");
    let said = folder.said("check chessclock.toml");
    assert!(said.starts_with("# stays as it is on the clock: host_name, board, "), "{said}");
}

#[test]
fn each_board_of_a_table_gets_a_file_and_no_file_is_overwritten() {
    let folder = Folder::new();
    folder.write("chessclock.toml", text());
    folder.write("hall.csv", "board;host_name;language\n7;clock-07;\nA8;clock-08;de\n");
    let words = "boards chessclock.toml hall.csv cards";
    assert_eq!(folder.said(words), "cards: 2 boards\n");
    let first = folder.read("cards/board-7/chessclock.toml");
    for part in ["board = \"7\"\n", "host_name = \"clock-07\"\n", "language = 'ga'\n", "sesame"] {
        assert!(first.contains(part), "{first}");
    }
    let second = folder.read("cards/board-A8/chessclock.toml");
    assert!(second.contains("board = \"A8\"\n") && second.contains("language = \"de\"\n"));
    let (code, out, error) = folder.setup(words);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(error.contains("cards: it exists already"), "{error}");
    let (code, out, error) = folder.run("hall init hall.csv");
    assert_eq!(code, 0, "{error}");
    let expected = "[[board]]\nboard = \"7\"\nhost = \"arbiter@clock-07\"\n\n\
                    [[board]]\nboard = \"A8\"\nhost = \"arbiter@clock-08\"\n";
    assert_eq!(out, expected);
    folder.write("hall.csv", "board,host_name\n1,clock-1\n2,\n");
    let (code, _, error) = folder.run("hall init hall.csv");
    assert_eq!(code, 2);
    assert!(error.contains("hall.csv: line 3: board 2 has no host_name"), "{error}");
}

#[test]
fn wrong_input_is_refused_and_writes_nothing() {
    let folder = Folder::new();
    folder.write("good.toml", "board = 2\n");
    folder.write("wrong.toml", "board = 2\nlanguage = 'dk'\n");
    folder.write("bytes.toml", b"board = 2\n\xff\n");
    folder.write("large.toml", "#".repeat(64 * 1024 + 1));
    folder.write("hall.csv", "board\n7\n");
    folder.write("wrong.csv", "board,name\n7,x\n");
    folder.write("huge-passphrase.toml", text().replace("sesame", &"sesame".repeat(20)));
    for (words, said) in [
        ("check wrong.toml", "wrong.toml:2:12: `language`: `dk`; expected \"en\""),
        ("check bytes.toml", "bytes.toml:2:1: not UTF-8 text"),
        ("check large.toml", "large.toml: larger than 64 KiB"),
        ("check missing.toml", "missing.toml: there is no such file"),
        ("check .", ".: not a regular file"),
        ("check huge-passphrase.toml", "huge-passphrase.toml:11:14: the passphrase has 125"),
        ("boards good.toml wrong.csv cards", "wrong.csv: line 1, column 7: the column `name`"),
        ("boards good.toml missing.csv cards", "missing.csv: there is no such file"),
        ("boards wrong.toml hall.csv cards", "wrong.toml:2:12: `language`: `dk`"),
    ] {
        let error = folder.refused(words);
        assert!(error.contains(said), "{words}: {error}");
        assert!(!error.contains("sesame"), "{error}");
    }
    assert!(!folder.path("cards").exists());
}

#[test]
fn the_json_fits_its_definitions() {
    let folder = Folder::new();
    let line = |words: &str| folder.said(words).trim_end().to_owned();
    let mut all = Vec::new();
    for file in
        [text(), "[wiring]\nchip = 'x'\nwhite.line = 1\nblack.line = 2\n".to_owned(), String::new()]
    {
        folder.write("chessclock.toml", file);
        let checked = line("check chessclock.toml --json");
        assert!(!checked.contains("sesame"), "{checked}");
        all.push(("setup-checked", checked));
    }
    folder.write("hall.csv", "board,host_name\n7,clock-07\n8,clock-08\n");
    all.push(("setup-boards", line("boards chessclock.toml hall.csv cards --json")));
    let (_, failure, _) = folder.setup("check nowhere --json");
    all.push(("failure", failure.trim_end().to_owned()));
    folder.write("root/etc/chess-clock/clockd.toml", "");
    let apply = "apply chessclock.toml --root root --json";
    all.extend((0..2).map(|_| ("setup-applied", line(apply))));
    all.push(("setup-applied", line("apply nowhere.toml --root root --json")));
    assert_eq!(all.len(), 8);
    check_lines(CLOCKCTL, &all);
}
