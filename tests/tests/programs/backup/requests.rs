//! The list of backups.

use super::*;

/// The JSON of `clockctl backup list`.
fn listed(clock: &Clock, words: &[&str]) -> Value {
    let output = clock.run(&[&["--json", "backup", "list"], words].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_backups_of_a_folder_are_listed_with_what_is_wrong_with_them() {
    let clock = Clock::set_up();
    let folder = clock.bench.folder().join("stick");
    fs::create_dir(&folder).unwrap();
    assert_eq!(listed(&clock, &["stick"])["backups"], Value::Array(vec![]));
    clock.save(&["stick/chess-clock-a.tar"]);
    let good = fs::read(folder.join("chess-clock-a.tar")).unwrap();
    let text = |bytes: &[u8], from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = bytes.windows(from.len()).position(|it| it == from.as_bytes()).unwrap();
        [&bytes[..at], to.as_bytes(), &bytes[at + to.len()..]].concat()
    };
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("chess-clock-older.tar", &text(&good, "\"made_at_s\": 17", "\"made_at_s\": 16"));
    write("chess-clock-cut.tar", &good[..1024]);
    write("chess-clock-newer.tar", &text(&good, "backup\": 2", "backup\": 3"));
    write("chess-clock-empty.tar", b"");
    let manifest = format!("{{\"chess_clock_backup\": \"{}\"}}", "x".repeat(60_000));
    write("manifest.json", manifest.as_bytes());
    tar(&folder, "--format=ustar -cf chess-clock-long.tar manifest.json");
    write("chess-clock-\u{1b}[2J.tar", &good);
    write("notes.txt", &good);
    symlink("/etc/shadow", folder.join("chess-clock-link.tar")).unwrap();
    fs::create_dir(folder.join("chess-clock-folder.tar")).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("chess-clock-pipe.tar")).status().unwrap();
    assert!(made.success());

    let list = listed(&clock, &["stick"]);
    let backups = list["backups"].as_array().unwrap();
    let names: Vec<&str> = backups.iter().map(|it| it["file"].as_str().unwrap()).collect();
    let (first, rest) = names.split_at(2);
    assert_eq!(first, ["chess-clock-a.tar", "chess-clock-older.tar"]);
    let one = &backups[0];
    assert_eq!((&one["host"], &one["board"]), (&"clock-12".into(), &"12".into()));
    assert_eq!((&one["bytes"], &one["games"]), (&good.len().into(), &Value::Null));
    assert!(one["made_at"].as_str().unwrap().starts_with("20"), "{one}");
    let why = |name: &str| {
        let found = backups.iter().find(|it| it["file"] == format!("chess-clock-{name}.tar"));
        found.unwrap()["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(rest.len(), 7, "{names:?}");
    assert!(why("long").contains("expected a") && why("long").len() < 310, "{}", why("long"));
    assert!(why("cut").contains("before its manifest"), "{}", why("cut"));
    assert!(why("newer").contains("has the version 3"));
    assert!(why("empty").contains("before its manifest"));
    assert!(why("link").contains("a symbolic link"));
    assert!(why("folder").contains("not a regular file"));
    assert!(why("pipe").contains("not a regular file"));
    let said = self::text(&clock.run(&["backup", "list", "stick"]));
    assert!(said.lines().count() == 10 && said.contains("cannot be loaded: "), "{said}");
    // A list changes nothing.
    assert_eq!(
        listed(&clock, &["stick/chess-clock-a.tar"])["backups"].as_array().unwrap().len(),
        1
    );
    assert_eq!(fs::read(folder.join("chess-clock-a.tar")).unwrap(), good);

    // Of very many files some are listed, and the others are counted.
    for number in 0..1200 {
        write(&format!("chess-clock-{number}.tar"), b"");
    }
    let list = listed(&clock, &["stick"]);
    assert_eq!(list["backups"].as_array().unwrap().len(), 100);
    assert_eq!(list["more"], 1209 - 100);
    let said = clock.refused(&["load", "../stick"], 2);
    assert!(said.contains("there is no such file"), "{said}");
    let said = clock.refused(&["load", "stick"], 2);
    assert!(said.contains(" and more") && said.len() < 2000, "{said}");
}
