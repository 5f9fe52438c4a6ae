//! Tests of the built program with a standard error output that nobody reads.

use std::io::{PipeReader, Write, pipe};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clock_dbus::State;
use tokio::runtime::Handle;

use super::bus::{Bus, Folder};
use super::fake::{FakeClock, paused};
use super::screen::PATIENCE;
use super::{output_of, runtime, send};

/// Starts the program with a full pipe as its standard error output. A write to it blocks until the
/// returned reader is dropped.
fn start(arguments: &[&str]) -> (Child, PipeReader) {
    let (reader, mut writer) = pipe().expect("a pipe");
    let room = rustix::pipe::fcntl_getpipe_size(&writer).expect("the size of the pipe");
    writer.write_all(&vec![b'.'; room]).expect("so much fits");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clock-display"));
    command.args(arguments).stdout(Stdio::null()).stderr(writer);
    (command.spawn().expect("the program starts"), reader)
}

/// Starts a clock service, and waits until the face has read its state and its rule profile.
fn followed_clock(runtime: &Handle, bus: &Bus) -> FakeClock {
    let state = State { rules: "fide-2023".into(), ..paused() };
    let clock = runtime.block_on(FakeClock::start(&bus.address, state));
    let deadline = Instant::now() + PATIENCE;
    while clock.profile_reads() == 0 {
        assert!(Instant::now() < deadline, "the rule profile was not read");
        thread::sleep(Duration::from_millis(5));
    }
    clock
}

/// The thread that paints and follows the clock also reports that there is no screen, once the
/// service has answered. If that report blocked, the face would not read the state of the second
/// service.
#[test]
fn a_log_that_is_not_read_stops_neither_the_face_on_a_screen_nor_its_end() {
    if Path::new("/dev/dri").exists() {
        println!("skipped: the face would take the screen of this machine");
        return;
    }
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let (face, _log) = start(&["--screen", "--config", "/dev/null", "--bus", &bus.address]);
    runtime.block_on(followed_clock(&runtime, &bus).leave());
    let _clock = followed_clock(&runtime, &bus);
    send("TERM", &face);
    assert_eq!(output_of(face).status.code(), Some(0));
}

#[test]
fn a_log_that_is_not_read_does_not_stop_the_end_by_an_error() {
    let (face, _log) = start(&["--devices", "--config", "/nowhere/display.toml"]);
    assert_eq!(output_of(face).status.code(), Some(2));
}
