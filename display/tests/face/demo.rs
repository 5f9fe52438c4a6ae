//! `--demo`: the keys for the buttons, and the keys for the arbiter's commands.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clock_dbus::{Phase, State};

use crate::bus::{Bus, Folder};
use crate::fake::{FakeClock, paused};
use crate::screen::{Face, PATIENCE};
use crate::{runtime, white_runs};

/// The service's end of the socket of the simulated buttons. It stores each line that the face
/// writes, with the instant at which the line arrived.
struct Buttons {
    lines: mpsc::Receiver<(String, Instant)>,
    stream: UnixStream,
}

impl Buttons {
    fn accept(listener: &UnixListener) -> Buttons {
        let (stream, _) = listener.accept().expect("the face connects");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in reader.lines().map_while(Result::ok) {
                let _ = sender.send((line, Instant::now()));
            }
        });
        Buttons { lines, stream }
    }

    fn next(&self) -> (String, Instant) {
        self.lines.recv_timeout(PATIENCE).expect("another line")
    }

    fn next_line(&self) -> String {
        self.next().0
    }
}

#[test]
fn keys_are_buttons() {
    let folder = Folder::new();
    let socket = folder.file("buttons");
    let listener = UnixListener::bind(&socket).unwrap();
    let path = socket.to_str().unwrap();
    let mut face = Face::start(&["--bus", "unix:path=/nowhere/bus", "--demo", path]);
    face.wait_for("w White  b Black  c call  m menu  space start/pause/resume  n new  q quit");
    let mut buttons = Buttons::accept(&listener);
    for (key, word) in [("w", "white"), ("b", "black"), ("c", "call")] {
        face.type_keys(key);
        assert_eq!(buttons.next_line(), format!("{word} down"));
        assert_eq!(buttons.next_line(), format!("{word} up"));
    }

    // Three keys at once are three presses, each long enough for the debounce. The time until each
    // line is measured from the typing and not from the line before, because on a slow machine the
    // time from the typing can only be longer.
    let typed = Instant::now();
    face.type_keys("www");
    for (line, apart) in (0..6).zip((0..).step_by(60)) {
        let (said, at) = buttons.next();
        assert_eq!(said, ["white down", "white up"][line % 2]);
        let after = at - typed;
        assert!(after >= Duration::from_millis(apart), "line {line} after {after:?}");
    }

    // The call button is held for longer than the 3 s after which the menu opens.
    face.type_keys("m");
    let (down, pressed) = buttons.next();
    let (up, released) = buttons.next();
    assert_eq!([down, up], ["call down", "call up"]);
    assert!(released - pressed > Duration::from_secs(3), "{:?}", released - pressed);

    buttons.stream.write_all(b"ok\nerror: no such line\n").unwrap();
    face.wait_for("no such line");
    face.type_keys("x");
    face.wait_without("no such line");
}

#[test]
fn buttons_that_go_and_come_back() {
    let folder = Folder::new();
    let socket = folder.file("buttons");
    let path = socket.to_str().unwrap();
    let mut face = Face::start(&["--bus", "unix:path=/nowhere/bus", "--demo", path]);
    face.wait_for("no buttons");
    for _ in 0..2 {
        let listener = UnixListener::bind(&socket).unwrap();
        face.type_keys("b");
        let buttons = Buttons::accept(&listener);
        assert_eq!(buttons.next_line(), "black down");
        assert_eq!(buttons.next_line(), "black up");
        face.wait_without("no buttons");
        buttons.stream.shutdown(std::net::Shutdown::Both).unwrap();
        drop((buttons, listener));
        std::fs::remove_file(&socket).unwrap();
        face.wait_for("no buttons");
    }
}

#[test]
fn space_and_n_are_the_arbiters() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let ready = State { phase: Phase::Ready, ..paused() };
    let clock = runtime.block_on(FakeClock::start(&bus.address, ready));
    let socket = folder.file("buttons");
    let _listener = UnixListener::bind(&socket).unwrap();
    let path = socket.to_str().unwrap();
    let mut face = Face::start(&["--bus", &bus.address, "--demo", path]);
    let deadline = Instant::now() + PATIENCE;
    let until_asked = |want: &[&str]| {
        while clock.commands() != want {
            assert!(Instant::now() < deadline, "{:?}, not {want:?}", clock.commands());
            thread::sleep(Duration::from_millis(5));
        }
    };
    face.wait_for("READY");
    face.type_keys(" ");
    until_asked(&["start at 6: demonstration"]);
    let running = State { revision: 7, ..white_runs(60_000_000_000) };
    runtime.block_on(clock.transition("start", running));
    face.wait_for("▶ White");
    face.type_keys(" ");
    until_asked(&["start at 6: demonstration", "pause by arbiter at 7: demonstration"]);
    runtime.block_on(clock.transition("pause", paused()));
    face.wait_for("PAUSED");
    clock.refuse("not now");
    face.type_keys("n ");
    face.wait_for("not now");
    // The commands `new` and `resume` are sent in any order, and the refusal of the first one can
    // be shown before the second one is sent.
    let both_asked = || {
        let mut commands = clock.commands().split_off(2);
        commands.sort();
        commands == ["new at 6: demonstration", "resume '' at 6: demonstration"]
    };
    while !both_asked() {
        assert!(Instant::now() < deadline, "{:?}", clock.commands());
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_key_presses_the_button_that_its_player_uses() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let exchanged = State { buttons_exchanged: true, phase: Phase::Ready, ..paused() };
    let _clock = runtime.block_on(FakeClock::start(&bus.address, exchanged));
    let socket = folder.file("buttons");
    let listener = UnixListener::bind(&socket).unwrap();
    let path = socket.to_str().unwrap();
    let mut face = Face::start(&["--bus", &bus.address, "--demo", path]);
    face.wait_for("READY");
    let buttons = Buttons::accept(&listener);
    for (key, wired) in [("w", "black"), ("b", "white"), ("c", "call")] {
        face.type_keys(key);
        assert_eq!(buttons.next_line(), format!("{wired} down"));
        assert_eq!(buttons.next_line(), format!("{wired} up"));
    }
}
