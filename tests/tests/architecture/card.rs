//! What the firmware of a Raspberry Pi does before Linux, on the card of Yocto. That of Debian packages has the settings of the
//! package chess-clock (tests/programs/boot_settings.rs).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const CONFIG: &str =
    "yocto/meta-chessclock/dynamic-layers/raspberrypi/recipes-bsp/bootfiles/files/config.txt";

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of the header that the wiring file of the images gives to the buttons.
fn wired() -> BTreeSet<u32> {
    let wiring: toml::Table =
        toml::from_str(&read("configs/wiring/raspberry-pi.toml")).expect("a wiring file");
    let line = |button: &str| wiring[button]["line"].as_integer().expect("a number");
    ["white", "black", "call"].map(|b| line(b).try_into().expect("a line")).into()
}

/// The lines to which `config.txt` gives these settings.
fn lines_with(config: &str, settings: &str) -> BTreeSet<u32> {
    let values = config.lines().filter_map(|line| line.strip_prefix("gpio="));
    let wanted = values.filter_map(|value| value.strip_suffix(settings)?.strip_suffix('='));
    wanted.flat_map(|lines| lines.split(',')).map(|n| n.parse().expect("a line")).collect()
}

#[test]
fn the_firmware_pulls_up_the_lines_of_the_buttons() {
    assert_eq!(lines_with(&read(CONFIG), "ip,pu"), wired());
}

/// It ignores the rest of a longer line.
#[test]
fn no_line_is_too_long_for_the_firmware() {
    for line in read(CONFIG).lines() {
        assert!(line.len() <= 80, "{line}");
    }
}
