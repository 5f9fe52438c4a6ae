//! `clock-display shot`: the built program writes a picture.

use std::fs::File;
use std::io::BufReader;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::fs::{FileType, Mode};

use super::bus::{Bus, Folder};
use super::fake::FakeClock;
use super::{output_of, runtime, white_runs};

fn shot(out: &Path, arguments: &[&str]) -> Output {
    shot_with(&[], out, arguments)
}

/// Runs `shot` with the options `before` before the command and `arguments` after it.
fn shot_with(before: &[&str], out: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clock-display"));
    command.args(before).args(["shot", "--out"]).arg(out).args(arguments);
    command.output().expect("the program starts")
}

/// The size of a PNG file, and the colour of one of its pixels.
fn pixel(file: &Path, (x, y): (usize, usize)) -> ((u32, u32), [u8; 3]) {
    let decoder = png::Decoder::new(BufReader::new(File::open(file).expect("a file")));
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it fits the memory")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    let at = (y * info.width as usize + x) * 3;
    ((info.width, info.height), [bytes[at], bytes[at + 1], bytes[at + 2]])
}

#[test]
fn the_half_whose_clock_runs_is_yellow_in_every_arrangement() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let _clock = runtime().block_on(FakeClock::start(&bus.address, white_runs(5_400_000_000_000)));
    let file = folder.file("face.png");
    for (arrangement, turn, white, black) in [
        ("stacked", "0", (200, 4), (200, 112)),
        ("side-by-side", "0", (10, 180), (390, 180)),
        // White's half is the near one, below Black's.
        ("facing", "0", (200, 136), (200, 104)),
        // After the turn, the upper edge of the picture is on the right.
        ("stacked", "90", (396, 100), (208, 100)),
    ] {
        let arguments = [
            "--bus",
            &bus.address,
            "--size",
            "400x240",
            "--arrangement",
            arrangement,
            "--rotation",
            turn,
        ];
        let output = shot(&file, &arguments);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(pixel(&file, white), ((400, 240), [0xF0, 0xE4, 0x42]), "{arrangement} {turn}");
        assert_eq!(pixel(&file, black), ((400, 240), [0x10, 0x14, 0x18]), "{arrangement} {turn}");
    }
}

#[test]
fn a_picture_that_cannot_be_written_and_wrong_arguments_are_errors_with_the_reason() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let output = shot(&folder.file("missing/face.png"), &["--bus", &bus.address]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing/face.png"), "{output:?}");
    for wrong in
        [["--size", "800"], ["--size", "9000x480"], ["--rotation", "45"], ["--theme", "blue"]]
    {
        let output = shot(&folder.file("face.png"), &wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {output:?}");
    }
    assert!(!folder.file("face.png").exists());
}

/// A FIFO must be refused before it is opened: without a reader, opening it would block for ever.
#[test]
fn what_is_no_file_is_refused_with_what_is_accepted() {
    let folder = Folder::new();
    let fifo = folder.file("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
        .expect("a FIFO");
    let socket = folder.file("socket");
    let _listener = UnixListener::bind(&socket).expect("a socket");
    for (out, kind) in [
        (fifo, "FIFO"),
        (socket, "socket"),
        (folder.file("."), "directory"),
        ("/dev/null".into(), "device"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clock-display"));
        command.args(["shot", "--bus", "unix:path=/nowhere/bus", "--out"]).arg(&out);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = output_of(command.spawn().expect("the program starts"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{kind}: {said}");
        let words = format!("this is a {kind}; a picture is written to a new file, a regular file");
        for words in [&words, "--out <FILE>", &*out.to_string_lossy()] {
            assert!(said.contains(words), "{said}");
        }
    }
}

#[test]
fn the_standard_output_is_written_to_whatever_it_is() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let _clock = runtime().block_on(FakeClock::start(&bus.address, white_runs(5_400_000_000_000)));
    let piped = shot(Path::new("/dev/stdout"), &["--bus", &bus.address]);
    assert!(piped.status.success(), "{piped:?}");
    assert!(
        piped.stdout.starts_with(b"\x89PNG") && piped.stdout.ends_with(b"IEND\xAE\x42\x60\x82")
    );
}

#[test]
fn the_bus_can_be_named_before_the_command_and_nothing_else() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let _clock = runtime().block_on(FakeClock::start(&bus.address, white_runs(5_400_000_000_000)));
    let file = folder.file("face.png");
    assert!(shot_with(&["--bus", &bus.address], &file, &[]).status.success());
    for wrong in [&["--screen"][..], &["--window"], &["--config", "/dev/null"], &["--devices"]] {
        let output = shot_with(wrong, &file, &[]);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("only --bus can be used"), "{said}");
    }
}
