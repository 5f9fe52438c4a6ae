//! `--demo`: the keys for the buttons.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clock_dbus::{Phase, State};

use crate::bus::{Bus, Folder};
use crate::fake::{FakeClock, paused};
use crate::runtime;
use crate::screen::{Face, PATIENCE};

/// A line that the face wrote.
struct Line {
    text: String,
    read: Instant,
    answered: Instant,
}

/// The service's end of the socket of the simulated buttons. It answers each line, and stores it.
struct Buttons {
    lines: mpsc::Receiver<Line>,
    stream: UnixStream,
}

impl Buttons {
    /// Each line is answered after `delay`.
    fn accept(listener: &UnixListener, delay: Duration) -> Buttons {
        let (stream, _) = listener.accept().expect("the face connects");
        let mut answers = stream.try_clone().expect("a second handle");
        let reader = BufReader::new(stream.try_clone().expect("a third handle"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for text in reader.lines().map_while(Result::ok) {
                let read = Instant::now();
                thread::sleep(delay);
                let answered = Instant::now();
                let _ = answers.write_all(b"ok 1\n");
                let _ = sender.send(Line { text, read, answered });
            }
        });
        Buttons { lines, stream }
    }

    fn next(&self) -> Line {
        self.lines.recv_timeout(PATIENCE).expect("another line")
    }

    fn next_line(&self) -> String {
        self.next().text
    }
}

#[test]
fn keys_are_buttons() {
    let folder = Folder::new();
    let socket = folder.file("buttons");
    let listener = UnixListener::bind(&socket).unwrap();
    let path = socket.to_str().unwrap();
    let mut face = Face::start(&["--bus", "unix:path=/nowhere/bus", "--demo", path]);
    face.wait_for("w White  b Black  c call  m call held  h both held  q quit");
    let mut buttons = Buttons::accept(&listener, Duration::ZERO);
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
        let Line { text, read, .. } = buttons.next();
        assert_eq!(text, ["white down", "white up"][line % 2]);
        let after = read - typed;
        assert!(after >= Duration::from_millis(apart), "line {line} after {after:?}");
    }

    // The call button is held for longer than the 1.5 s after which the menu opens.
    face.type_keys("m");
    let (down, up) = (buttons.next(), buttons.next());
    assert_eq!([&*down.text, &*up.text], ["call down", "call up"]);
    let held = up.read - down.read;
    assert!(held > Duration::from_millis(1500), "{held:?}");

    // Both players' buttons are down together for longer than that.
    face.type_keys("h");
    let lines = [(); 4].map(|()| buttons.next());
    let order = |line: &Line| (line.text.ends_with(" up"), line.text.clone());
    let mut sorted: Vec<_> = lines.iter().map(order).collect();
    sorted.sort();
    assert_eq!(sorted.iter().filter(|(up, _)| *up).count(), 2, "{sorted:?}");
    assert!(lines[..2].iter().all(|line| line.text.ends_with("down")), "both are down first");
    let held = lines[2].read - lines[1].read;
    assert!(held > Duration::from_millis(1500), "{held:?}");

    buttons.stream.write_all(b"error: no such line\n").unwrap();
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
        let buttons = Buttons::accept(&listener, Duration::ZERO);
        assert_eq!(buttons.next_line(), "black down");
        assert_eq!(buttons.next_line(), "black up");
        face.wait_without("no buttons");
        buttons.stream.shutdown(std::net::Shutdown::Both).unwrap();
        drop((buttons, listener));
        std::fs::remove_file(&socket).unwrap();
        face.wait_for("no buttons");
    }
}

/// A busy service reads its clock for an edge some time after the line was written. The edges must be
/// apart on that clock, or it takes a press for contact bounce.
#[test]
fn edges_are_apart_where_the_service_answers_late() {
    let folder = Folder::new();
    let socket = folder.file("buttons");
    let listener = UnixListener::bind(&socket).unwrap();
    let path = socket.to_str().unwrap();
    let mut face = Face::start(&["--bus", "unix:path=/nowhere/bus", "--demo", path]);
    let buttons = Buttons::accept(&listener, Duration::from_millis(200));
    face.type_keys("bb");
    let lines = [(); 4].map(|()| buttons.next());
    for pair in lines.windows(2) {
        let apart = pair[1].read - pair[0].answered;
        assert!(apart >= Duration::from_millis(60), "{} {apart:?}", pair[1].text);
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
    face.wait_for("starts White's clock");
    let buttons = Buttons::accept(&listener, Duration::ZERO);
    for (key, wired) in [("w", "black"), ("b", "white"), ("c", "call")] {
        face.type_keys(key);
        assert_eq!(buttons.next_line(), format!("{wired} down"));
        assert_eq!(buttons.next_line(), format!("{wired} up"));
    }
    // White's player presses first, because before a game Black's press alone starts White's clock.
    face.type_keys("h");
    assert_eq!([(); 2].map(|()| buttons.next_line()), ["black down", "white down"]);
}
