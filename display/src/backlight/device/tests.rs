use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

/// A folder like the one in sysfs. Each device is given by its name, type, brightness and highest
/// brightness.
fn sysfs(devices: &[(&str, &str, &str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, kind, brightness, highest) in devices {
        let device = folder.path().join(name);
        fs::create_dir(&device).unwrap();
        for (file, value) in
            [("type", kind), ("brightness", brightness), ("max_brightness", highest)]
        {
            fs::write(device.join(file), format!("{value}\n")).unwrap();
        }
    }
    folder
}

fn percent(value: i64) -> Percent {
    Percent::try_from(value).unwrap()
}

fn brightness(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name).join("brightness")).unwrap().trim().to_owned()
}

fn is_set(names: &str) -> Look {
    Look { message: format!("backlight: {names}"), failed: false }
}

fn failure(what: &str) -> Look {
    let message = format!("backlight: {what}; it is tried again every 2 s");
    Look { message, failed: true }
}

#[test]
fn the_level_is_a_part_of_the_highest_one_and_never_0() {
    for (highest, value, level) in [
        ("255", 100, "255"),
        ("255", 30, "77"),
        ("255", 1, "3"),
        ("31", 30, "10"),
        ("1", 100, "1"),
        ("1", 1, "1"),
        ("2147483647", 50, "1073741824"),
        ("4294967295", 100, "4294967295"),
    ] {
        let folder = sysfs(&[("panel", "raw", "0", highest)]);
        assert_eq!(set(folder.path(), percent(value)), is_set("panel is set"));
        assert_eq!(brightness(&folder, "panel"), level, "{value} % of {highest}");
    }
}

#[test]
fn the_firmware_is_preferred_then_the_platform() {
    let folder = sysfs(&[
        ("a", "raw", "5", "10"),
        ("b", "firmware", "5", "10"),
        ("c", "platform", "5", "10"),
        ("d", "firmware", "5", "20"),
        ("e", "other", "5", "20"),
    ]);
    let levels = || ["a", "b", "c", "d", "e"].map(|name| brightness(&folder, name));
    assert_eq!(set(folder.path(), percent(10)), is_set("b is set, d is set"));
    assert_eq!(levels(), ["5", "1", "5", "2", "5"]);
    for name in ["b", "d"] {
        fs::remove_dir_all(folder.path().join(name)).unwrap();
    }
    assert_eq!(set(folder.path(), percent(20)), is_set("c is set"));
    fs::remove_dir_all(folder.path().join("c")).unwrap();
    assert_eq!(set(folder.path(), percent(30)), is_set("a is set"));
    fs::remove_dir_all(folder.path().join("a")).unwrap();
    assert_eq!(set(folder.path(), percent(40)), is_set("e is set"));
}

#[test]
fn a_screen_without_a_backlight_is_no_failure() {
    let none = is_set("the screen has none whose brightness can be set");
    let folder = sysfs(&[]);
    assert_eq!(set(folder.path(), percent(50)), none);
    assert_eq!(set(&folder.path().join("none"), percent(50)), none);
}

#[test]
fn a_device_that_comes_and_goes_is_found_at_the_next_look() {
    let folder = sysfs(&[]);
    set(folder.path(), percent(50));
    let device = sysfs(&[("panel", "raw", "9", "10")]);
    let place = folder.path().join("panel");
    // In sysfs, the entry of a device is a symbolic link, as in this test.
    symlink(device.path().join("panel"), &place).unwrap();
    assert_eq!(set(folder.path(), percent(50)), is_set("panel is set"));
    assert_eq!(brightness(&folder, "panel"), "5");
    // When a device is removed, its files disappear before its symbolic link does.
    fs::remove_dir_all(device.path().join("panel")).unwrap();
    let gone = "panel: max_brightness: No such file or directory (os error 2)";
    assert_eq!(set(folder.path(), percent(50)), failure(gone));
    fs::remove_file(&place).unwrap();
    assert!(!set(folder.path(), percent(50)).failed);
}

#[test]
fn values_that_make_no_sense_are_named_and_nothing_is_written() {
    for (highest, what) in [
        ("0", "max_brightness is 0; expected 1 or more"),
        ("", "max_brightness is ``; expected a number"),
        ("much", "max_brightness is `much`; expected a number"),
        ("-1", "max_brightness is `-1`; expected a number"),
        ("4294967296", "max_brightness is `4294967296`; expected a number"),
    ] {
        let folder = sysfs(&[("panel", "raw", "7", highest)]);
        assert_eq!(set(folder.path(), percent(50)), failure(&format!("panel: {what}")));
        assert_eq!(brightness(&folder, "panel"), "7");
    }
}

#[test]
fn a_level_that_is_there_already_is_not_written() {
    let folder = sysfs(&[("panel", "raw", "5", "10")]);
    let file = folder.path().join("panel/brightness");
    assert_eq!(set(folder.path(), percent(50)), is_set("panel is set"));
    // The line break is still in the file. So `set` did not write the file, because `set` writes
    // the number without a line break.
    assert_eq!(fs::read_to_string(&file).unwrap(), "5\n");
    set(folder.path(), percent(60));
    assert_eq!(fs::read_to_string(&file).unwrap(), "6");
}

#[test]
fn a_device_that_may_not_be_written_is_named_and_the_others_are_set() {
    let folder = sysfs(&[("a", "raw", "5", "10"), ("b", "raw", "9", "10")]);
    let file = folder.path().join("a/brightness");
    fs::remove_file(&file).unwrap();
    // The link leads to a file that contains a number, and that not even root can write.
    symlink("/proc/sys/kernel/cap_last_cap", &file).unwrap();
    let look = set(folder.path(), percent(50));
    assert!(look.failed, "{look:?}");
    let message = look.message.as_str();
    assert!(message.starts_with("backlight: a: brightness cannot be set: "), "{message}");
    assert!(message.ends_with("; it is tried again every 2 s, b is set"), "{message}");
    assert_eq!(brightness(&folder, "b"), "5");
    // The same failure gives the same message, so the log has it only once.
    assert_eq!(set(folder.path(), percent(70)), look);
}
