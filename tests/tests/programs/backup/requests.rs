//! The list of backups, and the requests of the menu at the clock.

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
    write("chess-clock-newer.tar", &text(&good, "backup\": 1", "backup\": 2"));
    write("chess-clock-empty.tar", b"");
    let manifest = format!("{{\"chess_clock_backup\": \"{}\"}}", "x".repeat(1_000_000));
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
    assert!(why("newer").contains("has the version 2"));
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

#[test]
fn a_backup_is_loaded_without_its_accounts() {
    let clock = Clock::set_up();
    clock.save(&["a.tar"]);
    let mut others = Vec::new();
    for path in ["publish/broker", "authorized-keys/arbiter", "chessclock.applied", "display.toml"]
    {
        let path = format!("etc/chess-clock/{path}");
        clock.write(&path, "");
        others.push(path);
    }
    let output = clock.backup(&["load", "a.tar", "--without-accounts", "--json"]);
    let loaded: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (display, accounts) = others.split_last().unwrap();
    assert!(accounts.iter().all(|path| clock.read(path).is_empty()), "{loaded}");
    assert!(!clock.read(display).is_empty());
    assert_eq!(loaded["left_out"].as_array().unwrap().len(), 3, "{loaded}");
    assert_eq!(loaded["changed"], serde_json::json!(["/etc/chess-clock/display.toml"]));
}

/// The answer to a request of the menu, and the exit code.
fn served(clock: &Clock, request: &str) -> (Value, Option<i32>) {
    let words = ["--json", "backup", "serve", "stick", "--root", "root"];
    let mut command = clock.bench.clockctl(&words);
    let programs = program("clockd").parent().unwrap().display().to_string();
    command.env("PATH", programs).current_dir(clock.bench.folder()).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // A program that has refused a request that is too long does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(request.as_bytes());
    let output = child.wait_with_output().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code())
}

#[test]
fn a_request_of_the_menu_lists_the_backups_and_loads_one_of_them() {
    let mut clock = Clock::set_up();
    fs::create_dir(clock.bench.folder().join("stick")).unwrap();
    for number in 0..25 {
        clock.save(&[&format!("stick/chess-clock-{number}.tar")]);
    }
    let (list, exit) = served(&clock, "list\n");
    assert_eq!((list["backups"].as_array().unwrap().len(), exit), (20, Some(0)));
    assert_eq!(list["more"], 5);
    clock.write("etc/chess-clock/clockd.toml", "board = 1\n");
    clock.write("etc/chess-clock/publish/broker", "ours");
    let before = clock.everything();
    let refused = |request: &str, code: &str| {
        let (said, exit) = served(&clock, request);
        assert_eq!((&said["error"]["code"], exit), (&code.into(), Some(2)), "{request}: {said}");
        assert_eq!(clock.everything(), before);
        said["error"]["message"].as_str().unwrap().to_owned()
    };
    let outside = clock.bench.folder().join("chess-clock-outside.tar");
    fs::copy(clock.bench.folder().join("stick/chess-clock-1.tar"), &outside).unwrap();
    for request in [
        "load ../chess-clock-outside.tar\n",
        &format!("load {}\n", outside.display()),
        "load chess-clock-../../x.tar\n",
        "save\n",
        "list",
        &format!("load chess-clock-{}.tar\n", "x".repeat(300)),
        &"x".repeat(1 << 20),
    ] {
        assert!(refused(request, "usage").starts_with("the request: "));
    }
    refused("load chess-clock-outside.tar\n", "no-backup");
    let link = clock.bench.folder().join("stick/chess-clock-link.tar");
    symlink("../chess-clock-outside.tar", link).unwrap();
    assert!(refused("load chess-clock-link.tar\n", "damaged-backup").contains("symbolic link"));

    let (loaded, exit) = served(&clock, "load chess-clock-1.tar\n");
    assert_eq!((&loaded["file"], exit), (&"stick/chess-clock-1.tar".into(), Some(0)), "{loaded}");
    assert_eq!(clock.read("etc/chess-clock/clockd.toml"), "board = 12\ncontrol = '3+2'\n");
    assert_eq!(clock.read("etc/chess-clock/publish/broker"), "ours");
    clock.start();
    clock.done(&["new", "3+2"]);
    clock.done(&["start"]);
    let (said, exit) = served(&clock, "load chess-clock-1.tar\n");
    assert_eq!((&said["error"]["code"], exit), (&"game-under-way".into(), Some(5)));
}

/// The menu reads all time controls, and a load removes none.
#[test]
fn a_backup_for_the_menu_does_not_fill_a_folder_of_settings() {
    let clock = Clock::set_up();
    fs::create_dir(clock.bench.folder().join("stick")).unwrap();
    clock.save(&["stick/chess-clock-a.tar"]);
    fs::remove_file(clock.path("etc/chess-clock/controls/club evening.toml")).unwrap();
    for number in 0..300 {
        clock.write(&format!("etc/chess-clock/controls/{number}.toml"), OWN);
    }
    let load = || served(&clock, "load chess-clock-a.tar\n").0;
    let said = load();
    assert_eq!(said["error"]["code"], "no-room", "{said}");
    let why = said["error"]["message"].as_str().unwrap();
    assert!(why.contains("/etc/chess-clock/controls would have 301 files, more than 300"), "{why}");
    fs::remove_file(clock.path("etc/chess-clock/controls/0.toml")).unwrap();
    assert_eq!(load()["error"], Value::Null);
}

#[test]
fn a_backup_for_the_menu_has_its_record_in_the_folder_of_the_record() {
    let clock = Clock::set_up();
    fs::create_dir(clock.bench.folder().join("stick")).unwrap();
    let text = clock.read("etc/chess-clock/clockd.toml");
    let load = |path: &str| {
        clock.write("etc/chess-clock/clockd.toml", &format!("{text}[record]\npath = '{path}'\n"));
        clock.save(&["stick/chess-clock-a.tar"]);
        clock.write("etc/chess-clock/clockd.toml", &text);
        let (said, _) = served(&clock, "load chess-clock-a.tar\n");
        fs::remove_file(clock.bench.folder().join("stick/chess-clock-a.tar")).unwrap();
        said["error"]["code"].as_str().map(str::to_owned)
    };
    for path in [
        "/home/vera/record.sqlite3",
        "/var/lib/chess-clock/../../../etc/record.sqlite3",
        "/var/lib/chess-clock/more/record.sqlite3",
        "/var/lib/chess-clock/other.json",
        "/var/lib/chess-clock.sqlite3",
        "record.sqlite3",
    ] {
        assert_eq!(load(path).as_deref(), Some("record-elsewhere"), "{path}");
    }
    assert_eq!(load("/var/lib/chess-clock/games.sqlite3"), None);
}
