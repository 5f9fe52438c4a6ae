//! Time controls by name, and the files in the clock's folders.

use super::*;

#[tokio::test]
async fn files_that_are_not_controls_do_not_break_the_list() {
    let bench = Bench::new().unwrap();
    let folder = bench.folder().join("controls");
    std::fs::create_dir_all(folder.join("folder.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.join(".#mine.toml")).unwrap();
    let fixture = fixture_on(bench, &[]).await;
    let controls = fixture.clock().await.list_time_controls().await.unwrap();
    assert!(controls.iter().any(|(name, title)| name == "blitz-3-2" && title == "Blitz 3+2"));
    assert!(!controls.iter().any(|(name, _)| name.contains("mine") || name == "folder"));
}

#[tokio::test]
async fn a_name_from_the_bus_opens_no_file_outside_the_folders_and_is_never_a_notation() {
    let bench = Bench::new().unwrap();
    let outside = bench.folder().join("outside.toml");
    std::fs::write(&outside, "name = 'x'\n[[period]]\ntime = '5m'\n").unwrap();
    std::fs::create_dir(bench.folder().join("controls")).unwrap();
    let fixture = fixture_on(bench, &["--control", "blitz-3-2"]).await;
    let (clock, arbiter) = (fixture.clock().await, fixture.arbiter().await);
    let path = outside.display().to_string();
    let without_ending = path.trim_end_matches(".toml");
    for name in [&path, without_ending, "../outside", "../outside.toml", "3+2", "G/60", ""] {
        let read = clock.read_time_control(name).await;
        assert!(matches!(&read, Err(Error::InvalidControl(_))), "{name}: {read:?}");
        let game = NewGame { time_control: Some(name.to_owned()), ..NewGame::default() };
        let set_up = arbiter.new_game(game, 1, "").await;
        let expected = format!("no time control `{name}`");
        assert!(
            matches!(&set_up, Err(Error::InvalidControl(why)) if why.starts_with(&expected)),
            "{name}: {set_up:?}"
        );
    }
    assert_eq!(fixture.state().await.revision, 1);
}
