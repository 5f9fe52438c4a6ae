//! `clockctl image set` and `show`.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::process::{Command, Stdio};

use super::{Folder, KEY};
use crate::program::run_with_input;
use crate::python::{CLOCKCTL, check_lines};

/// Where the partition of the card begins, in sectors of 512 bytes.
const START: u32 = 2048;

/// The program, which Debian has where not every user looks for it.
fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.env("PATH", format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap()));
    command.stdout(Stdio::null());
    command
}

impl Folder {
    /// Makes an image with an MBR, a Linux partition before the FAT partition, and these files on it.
    fn card(&self, name: &str, files: &[(&str, &str)]) {
        let path = self.path(name);
        let file = File::create(&path).unwrap();
        file.set_len(4 * 1024 * 1024).unwrap();
        let linux = [0, 0, 0, 0, 0x83, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0];
        let mut boot = [0, 0, 0, 0, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0];
        boot[8..12].copy_from_slice(&START.to_le_bytes());
        for (at, bytes) in [(446, &linux[..]), (462, &boot), (510, &[0x55, 0xaa])] {
            file.write_all_at(bytes, at).unwrap();
        }
        let mut make = program("mkfs.vfat");
        make.args(["--offset", &START.to_string()]).arg(&path).arg("2048");
        assert!(make.stderr(Stdio::null()).status().unwrap().success());
        for (name, text) in files {
            let image = format!("{}@@1M", path.display());
            let mut copy = Command::new("mcopy");
            copy.args(["-i", &image, "-", &format!("::/{name}")]);
            assert!(run_with_input(copy, text.as_bytes()).status.success());
        }
    }

    /// The contents of a file of the card, read without `clockctl`.
    fn on_card(&self, card: &str, name: &str) -> Vec<u8> {
        let mut read = Command::new("mtype");
        read.args(["-i", &format!("{}@@1M", self.path(card).display()), &format!("::/{name}")]);
        read.output().unwrap().stdout
    }
}

fn text() -> String {
    format!(
        "# The hall.\nlanguage = 'ga'\nrotation = 90\nuse = 'tournament'\nwiring = 'raspberry-pi'\n[arbiters]\n'Vera Menchik' = '{KEY}'\n\
         [wifi]\ncountry = 'IE'\nssid = 'Club'\npassphrase = 'sesame open'\n"
    )
}

#[test]
fn a_file_is_written_to_an_image_and_shown_without_the_passphrase() {
    let folder = Folder::new();
    folder.card("card.img", &[("config.txt", "disable_splash=1\n")]);
    folder.write("chessclock.toml", text());
    assert!(folder.refused("show card.img").contains("card.img: it has no chessclock.toml"));
    assert_eq!(folder.said("set chessclock.toml card.img"), "card.img\n");
    assert_eq!(folder.on_card("card.img", "chessclock.toml"), text().as_bytes());
    assert_eq!(folder.on_card("card.img", "config.txt"), b"disable_splash=1\n");
    let masked = text().replace("sesame open", "***********");
    assert_eq!(folder.said("show card.img"), masked);
    // A second file replaces the first one.
    folder.write("chessclock.toml", "board = 7\nhost_name = 'clock-7'\n");
    assert_eq!(folder.said("set chessclock.toml card.img"), "card.img: board 7, clock-7\n");
    assert_eq!(folder.said("show card.img"), "board = 7\nhost_name = 'clock-7'\n");
    let check =
        program("fsck.vfat").args(["-n", &format!("{}", partition(&folder).display())]).status();
    assert!(check.unwrap().success());
}

#[test]
fn a_file_of_a_card_that_is_too_large_is_not_read() {
    let folder = Folder::new();
    let large = "# too long\n".repeat(6000);
    folder.card("card.img", &[("config.txt", ""), ("chessclock.toml", &large)]);
    folder.write("config.txt", String::new());
    folder.write("chessclock.toml", large);
    for card in ["card.img", "."] {
        let said = folder.refused(&format!("show {card}"));
        assert!(said.contains("chessclock.toml is larger than 64 KiB"), "{said}");
    }
}

/// The partition of the card as a file of its own.
fn partition(folder: &Folder) -> std::path::PathBuf {
    let card = fs::read(folder.path("card.img")).unwrap();
    let path = folder.path("partition");
    fs::write(&path, &card[1024 * 1024..3 * 1024 * 1024]).unwrap();
    path
}

#[test]
fn a_file_is_written_to_a_mounted_card() {
    let folder = Folder::new();
    folder.write("boot/cmdline.txt", "quiet\n");
    folder.write("chessclock.toml", text());
    folder.said("set chessclock.toml boot");
    assert_eq!(folder.read("boot/chessclock.toml"), text());
    assert!(!folder.said("show boot").contains("sesame"));
}

#[test]
fn each_board_of_a_table_gets_its_own_card() {
    let folder = Folder::new();
    folder.card("card.img", &[("config.txt", "")]);
    folder.write("chessclock.toml", text());
    folder.write("hall.csv", "board;host_name;language\n7;clock-07;\nA8;clock-08;de\n");
    let said = folder.said("set chessclock.toml card.img --csv hall.csv --board 7");
    let next = "next: clockctl image set chessclock.toml card.img --csv hall.csv --board A8\n";
    assert_eq!(said, format!("card.img: board 7, clock-07\n{next}"));
    let shown = folder.said("show card.img");
    for part in ["board = \"7\"\n", "host_name = \"clock-07\"\n", "language = 'ga'\n"] {
        assert!(shown.contains(part), "{shown}");
    }
    let words = next.trim_end().split_once("image ").unwrap().1;
    assert_eq!(folder.said(words), "card.img: board A8, clock-08\n");
    assert!(folder.said("show card.img").contains("language = \"de\"\n"));
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
fn wrong_input_is_refused_and_changes_no_card() {
    let folder = Folder::new();
    folder.card("card.img", &[("config.txt", ""), ("chessclock.toml", "board = 1\n")]);
    folder.card("other.img", &[("photo.jpg", "")]);
    folder.write("stick/photo.jpg", "");
    folder.write("good.toml", "board = 2\n");
    folder.write("wrong.toml", "board = 2\nlanguage = 'dk'\n");
    folder.write("bytes.toml", b"board = 2\n\xff\n");
    folder.write("large.toml", "#".repeat(64 * 1024 + 1));
    folder.write("hall.csv", "board\n7\n");
    folder.write("wrong.csv", "board,name\n7,x\n");
    folder.write("zero.img", vec![0; 4096]);
    folder.write("card.img.zst", [b"\x28\xb5\x2f\xfd".as_slice(), &[0; 600]].concat());
    folder.write("huge-passphrase.toml", text().replace("sesame", &"sesame".repeat(20)));
    for (words, said) in [
        ("set wrong.toml card.img", "wrong.toml:2:12: `language`: `dk`; expected \"en\""),
        ("set bytes.toml card.img", "bytes.toml:2:1: not UTF-8 text"),
        ("set large.toml card.img", "large.toml: larger than 64 KiB"),
        ("set missing.toml card.img", "missing.toml: there is no such file"),
        ("set . card.img", ".: not a regular file"),
        ("set good.toml missing.img", "missing.img: there is no such file"),
        ("set good.toml zero.img", "zero.img: it has no partition table; expected a card"),
        ("set good.toml card.img.zst", "it is compressed; unpack it first, with zstd -d"),
        ("set good.toml other.img", "other.img: it has no config.txt and no cmdline.txt"),
        ("set good.toml stick", "stick: it has no config.txt and no cmdline.txt"),
        ("set good.toml card.img --csv hall.csv --board 8", "hall.csv: no board 8; it has only"),
        (
            "set good.toml card.img --csv wrong.csv --board 7",
            "wrong.csv: line 1, column 7: the column `name`",
        ),
        ("set wrong.toml card.img --csv hall.csv --board 7", "wrong.toml:2:12: `language`: `dk`"),
        ("set good.toml card.img --board 7", "--csv"),
        ("set huge-passphrase.toml card.img", "huge-passphrase.toml:11:14: the passphrase has 125"),
        ("show other.img", "no config.txt"),
    ] {
        let error = folder.refused(words);
        assert!(error.contains(said), "{words}: {error}");
        assert!(!error.contains("sesame"), "{error}");
    }
    assert_eq!(folder.on_card("card.img", "chessclock.toml"), b"board = 1\n");
    assert_eq!(folder.on_card("other.img", "chessclock.toml"), b"");
    folder.card("card.img", &[("config.txt", ""), ("chessclock.toml", "\nbord = 1\n")]);
    let error = folder.refused("show card.img");
    assert!(error.contains("card.img/chessclock.toml:2:1: unknown key `bord`"), "{error}");
}

#[test]
fn a_card_that_is_full_keeps_its_file() {
    let folder = Folder::new();
    let full = "x".repeat(1990 * 1024);
    folder.card(
        "card.img",
        &[("config.txt", ""), ("chessclock.toml", "board = 1\n"), ("full", &full)],
    );
    folder.write("chessclock.toml", format!("board = 2\n{}", "# more\n".repeat(9000)));
    let (code, _, error) = folder.image("set chessclock.toml card.img");
    assert_eq!(code, 1, "{error}");
    assert!(error.contains("card.img: ") && error.contains("No space left"), "{error}");
    assert_eq!(folder.on_card("card.img", "chessclock.toml"), b"board = 1\n");
    assert_eq!(folder.on_card("card.img", "chessclock.new"), b"");
}

#[test]
fn the_json_fits_its_definitions() {
    let folder = Folder::new();
    folder.card("card.img", &[("config.txt", "")]);
    folder.write("hall.csv", "board,host_name\n7,clock-07\n8,clock-08\n");
    let mut all = Vec::new();
    let line = |words: &str| folder.said(words).trim_end().to_owned();
    for (file, wiring) in [
        (text(), "\"name\":\"raspberry-pi\""),
        ("[wiring]\nchip = 'x'\nwhite.line = 1\nblack.line = 2\n".to_owned(), "\"text\":\"chip"),
        (String::new(), "\"wiring\":null"),
    ] {
        folder.write("chessclock.toml", file);
        all.push(("image-written", line("set chessclock.toml card.img --json")));
        let shown = line("show card.img --json");
        assert!(shown.contains(wiring) && !shown.contains("sesame"), "{shown}");
        all.push(("image-settings", shown));
    }
    let of_board = "set chessclock.toml card.img --csv hall.csv --board 7 --json";
    all.push(("image-written", line(of_board)));
    let (_, failure, _) = folder.image("show nowhere --json");
    all.push(("failure", failure.trim_end().to_owned()));
    folder.write("root/etc/chess-clock/clockd.toml", "");
    let apply = "apply chessclock.toml --root root --json";
    all.extend((0..2).map(|_| ("image-applied", line(apply))));
    all.push(("image-applied", line("apply nowhere.toml --root root --json")));
    assert_eq!(all.len(), 11);
    check_lines(CLOCKCTL, &all);
}
