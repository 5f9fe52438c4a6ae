//! The backup from the menu at the clock: the players press, and `clockctl backup save` runs as it does
//! under `chess-clock-backup.socket`.

use super::menu::Table;
use clock_tests::program;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

/// Serves the socket as systemd does: each connection starts the program, and the output of the program
/// is the answer. The n-th connection saves to the n-th of `targets`.
fn serve(folder: &Path, targets: &'static [&'static str]) -> std::thread::JoinHandle<()> {
    let listener = UnixListener::bind(folder.join("backup.socket")).unwrap();
    let folder = folder.to_owned();
    std::thread::spawn(move || {
        for target in targets {
            let (connection, _) = listener.accept().unwrap();
            let mut command = Command::new(program("clockctl"));
            command.args(["backup", "save", target, "--json", "--root", "root"]);
            command.current_dir(&folder);
            // The machine of the tests may not know the time of day, which the name of the file has.
            command.env("CHESS_CLOCK_WALL_TIME", "known");
            let done = command.stdout(OwnedFd::from(connection)).status().unwrap();
            assert_eq!(done.success(), *target == "sticks");
        }
    })
}

#[tokio::test]
async fn players_save_a_backup_with_the_buttons_alone() {
    let mut table = Table::with("").await;
    let folder = table.fixture.bench.folder().to_owned();
    for path in ["root/etc/chess-clock", "sticks"] {
        fs::create_dir_all(folder.join(path)).unwrap();
    }
    fs::create_dir_all(folder.join("root/var/lib")).unwrap();
    std::os::unix::fs::symlink(folder.join("state"), folder.join("root/var/lib/chess-clock"))
        .unwrap();
    fs::write(folder.join("root/etc/hostname"), "clock-12\n").unwrap();
    // Without the socket there is no such page.
    table.open().await;
    table.choose("More").await;
    assert!(!table.lines().await.contains(&"Backup to USB stick".to_owned()));
    table.choose("Leave").await;
    table.closed().await;

    let server = serve(&folder, &["missing", "sticks"]);
    table.open().await;
    table.choose_all(&["Backup", "Yes"]).await;
    table.titled("There is no backup").await;
    let said = table.said().await;
    assert!(said.contains("missing: there is no such file"), "{said}");
    table.choose_all(&["Back", "Backup", "Yes"]).await;
    table.titled("Done").await;
    let lines = table.page.lines.clone();
    assert_eq!(lines[lines.len() - 2..], ["The stick can be pulled out.", "Back"]);
    table.choose_all(&["Back", "Leave"]).await;
    table.closed().await;
    server.join().unwrap();
    let saved: Vec<_> = fs::read_dir(folder.join("sticks")).unwrap().collect();
    let saved = saved.into_iter().next().unwrap().unwrap().path();
    let shown = lines.concat();
    assert!(shown.contains("chess-clock-clock-12-20"), "{shown}");
    // The backup has the record of this clock.
    let listed = Command::new("tar").arg("-tf").arg(&saved).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("games/000001.jsonl\n"), "{listed}");
    // While a game is on the clock there is no such page.
    table.play("black").await;
    table.play("call").await;
    table.open().await;
    table.choose("More").await;
    assert!(!table.lines().await.contains(&"Backup to USB stick".to_owned()));
}
