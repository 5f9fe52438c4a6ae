//! Tests of the built program with a configuration whose devices do not exist or are wrong.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::bus::{Bus, Folder};
use super::fake::{FakeClock, paused};
use super::screen::Face;
use super::{run, runtime};

const MISSING: &str = "[segments]\ndevice = '/dev/nowhere0.0'\n[lamps]\nenabled = true\n";
const WIRING: &str = "chip = 'pinctrl-nowhere'\nlamp.white.line = 23\nlamp.black.line = 24\n";

fn configuration(folder: &Folder, text: &str) -> String {
    let file = folder.file("display.toml");
    fs::write(&file, format!("wiring = './wiring.toml'\n{text}")).expect("a file");
    fs::write(folder.file("wiring.toml"), WIRING).expect("a file");
    file.display().to_string()
}

#[test]
fn missing_devices_are_named_once_and_do_not_stop_the_face() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let _clock = runtime().block_on(FakeClock::start(&bus.address, paused()));
    let config = configuration(&folder, MISSING);
    let mut face = Face::start(&["--bus", &bus.address, "--config", &config]);
    face.wait_for("Paused");
    // The standard error output is the terminal that shows the face, so no message is written to
    // it.
    assert!(!face.contents().contains("nowhere"), "{}", face.contents());
    face.type_keys("q");
    assert_eq!(face.exit_code(), 0);
}

#[test]
fn without_a_picture_it_runs_on_missing_devices_until_a_signal() {
    let folder = Folder::new();
    let config = configuration(&folder, MISSING);
    let mut face = Command::new(env!("CARGO_BIN_EXE_clock-display"))
        .args(["--devices", "--bus", "unix:path=/nowhere/bus", "--config", &config])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = BufReader::new(face.stderr.take().expect("its messages")).lines();
    let mut line = || said.next().expect("a message").expect("text");
    let segments = "clock-display: seven segments: /dev/nowhere0.0: there is no such file";
    assert_eq!(line(), format!("{segments}; it is tried again every 2 s"));
    let lamps = "clock-display: lamps: no GPIO chip `pinctrl-nowhere`; this machine has ";
    let message = line();
    assert!(message.starts_with(lamps), "{message}");
    let ended = Command::new("kill").args(["-s", "TERM", &face.id().to_string()]).status();
    assert!(ended.expect("kill is there").success());
    assert_eq!(face.wait().expect("it ends").code(), Some(0));
    // No message was written a second time.
    assert!(said.next().is_none());
}

#[test]
fn wrong_configurations_are_errors_with_the_place() {
    let folder = Folder::new();
    for (text, arguments, code, words) in [
        (
            "[segments]\nbrightness = 16\n",
            vec![],
            2,
            "display.toml:3:14: `brightness`: a brightness of 16",
        ),
        ("[buzzer]\nenabled = true\n", vec![], 2, "wiring.toml:1:1: this wiring has no [buzzer]"),
        ("", vec!["--devices"], 1, "no device: "),
        (MISSING, vec!["--devices", "--terminal"], 2, "cannot be used with"),
    ] {
        let config = configuration(&folder, text);
        let arguments: Vec<&str> = ["--config", &config].into_iter().chain(arguments).collect();
        let (exit, said) = run(&arguments);
        assert_eq!(exit, Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
