//! Tests of the built program with a private bus and a fake clock service.

mod bus;
mod demo;
mod devices;
mod fake;
mod join;
mod log;
mod menu;
#[path = "../states/menu.rs"]
#[allow(dead_code)]
mod pages;
mod screen;
mod shot;

use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bus::{Bus, Folder};
use clock_dbus::{Fault, FaultCode, PausedBy, Phase, SideState, State, Who};
use fake::{FakeClock, paused};
use screen::{Face, PATIENCE};
use tokio::runtime::Handle;

const NO_SERVICE: &str = "no clock service";

/// A runtime in a thread of its own for the fake service, because the tests themselves block.
fn runtime() -> Handle {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let handle = runtime.handle().clone();
    thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
    handle
}

fn monotonic_now() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let nanoseconds = i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec);
    u64::try_from(nanoseconds).expect("CLOCK_MONOTONIC starts at zero")
}

fn white_runs(remaining_nsec: u64) -> State {
    State {
        at_nsec: monotonic_now(),
        phase: Phase::Running,
        running: Who::White,
        white: SideState { remaining_nsec, ..paused().white },
        ..paused()
    }
}

#[test]
fn the_face_follows_the_clock() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    let mut face = Face::start(&["--terminal", "--bus", &bus.address]);
    for text in ["Paused", "❚❚ White  Vera Menchik", "period 1/2   move 11"] {
        face.wait_for(text);
    }
    runtime.block_on(clock.transition("resume", white_runs(5_400_000_000_000)));
    face.wait_for("▶ White");
    face.wait_without("Paused");
    face.type_keys("q");
    assert_eq!(face.exit_code(), 0);
}

#[test]
fn an_unplugged_board_is_shown_until_it_is_back() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let running = white_runs(5_400_000_000_000);
    let clock = runtime.block_on(FakeClock::start(&bus.address, running));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("▶ White");
    let gone = State {
        paused_by: PausedBy::BoardGone,
        faults: vec![Fault::new(FaultCode::BoardGone, "check the cable")],
        ..paused()
    };
    runtime.block_on(clock.transition("fault", gone.clone()));
    face.wait_for("BUTTONS NOT CONNECTED: CHECK THE CABLE - Paused");
    face.resize(20, 5);
    face.wait_for("NO BUTTONS");
    face.resize(80, 24);
    runtime.block_on(clock.transition("fault", State { faults: Vec::new(), ..gone }));
    face.wait_without("BUTTONS");
    face.wait_for("Paused");
}

#[test]
#[cfg(feature = "window")]
fn without_a_window_system_the_window_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_clock-display"))
        .args(["--window", "--bus", "unix:path=/nonexistent"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("clock-display: no window: neither X11"), "{said}");
}

/// The times stay on the face, because a player or the arbiter may have to write them down.
#[test]
fn the_last_known_times_stay_and_are_marked_while_no_service_answers() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, white_runs(5_400_000_000_000)));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("▶ White");
    runtime.block_on(clock.leave());
    face.wait_for("no clock service - the times are the last known ones");
    face.wait_for("last known");
    face.wait_without("▶ White");
    let first = face.contents();
    assert!(first.contains("Vera Menchik") && first.contains("period 1/2"), "{first}");
    // Black's clock did not run, so Black's last known time is the time before the loss.
    face.resize(30, 5);
    face.wait_for("B   1:30:00 last known");
    // Without room for the words "last known", no time is shown.
    face.resize(30, 3);
    face.wait_for(NO_SERVICE);
    assert!(!face.contents().contains("1:"), "{}", face.contents());
    face.resize(7, 10);
    face.wait_for("none");
    assert!(!face.contents().contains("1:"), "{}", face.contents());
    face.resize(80, 24);
    let _clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    face.wait_without("last known");
    face.wait_for("Paused");
}

/// FIDE 12.6: under a profile with `show_moves = false` no picture shows the press counters, not
/// even the first picture.
#[test]
fn the_rule_profile_decides_whether_the_press_counters_are_shown() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let under = |rules: &str| State { rules: rules.into(), ..paused() };
    let clock = runtime.block_on(FakeClock::start(&bus.address, under("fide-2023")));
    clock.set_rules_file("show_moves = false\nblack_starts = true\n");
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("Paused");
    assert!(!face.contents().contains("move "), "{}", face.contents());
    clock.set_rules_file("show_moves = true\nblack_starts = true\n");
    runtime.block_on(clock.transition("set-rules", under("us-chess")));
    face.wait_for("move 11");
    // The profile of the new game has the same name, but another text.
    clock.set_rules_file("show_moves = false\nblack_starts = true\n");
    runtime.block_on(clock.transition("new", under("us-chess")));
    face.wait_without("move ");
    // The text can also change under the same name when the profile of the game is set again
    // (`set-rules`), and when the game of another clock is imported (`import`).
    for cause in ["set-rules", "import"] {
        clock.set_rules_file("show_moves = true\nblack_starts = true\n");
        runtime.block_on(clock.transition("set-rules", under("us-chess")));
        face.wait_for("move 11");
        clock.set_rules_file("show_moves = false\nblack_starts = true\n");
        runtime.block_on(clock.transition(cause, under("us-chess")));
        face.wait_without("move ");
    }
    runtime.block_on(clock.transition("new", under("")));
    face.wait_for("move 11");
}

/// No signal is sent while a clock runs, and the face counts down nevertheless. It also follows the
/// size of its terminal.
#[test]
fn the_face_counts_down_by_itself_at_any_size() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let state = white_runs(3_600_000_000_000);
    let _clock = runtime.block_on(FakeClock::start(&bus.address, state));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("▶ White");
    face.resize(20, 5);
    face.wait_for("enlarge to 40x10");
    // The service sends no new state, and the shown time must change three times nevertheless.
    for _ in 0..3 {
        let before = face.contents();
        face.wait_until("another text", |screen| screen.contents() != before);
        assert!(face.contents().contains("W ▶ 59:"), "{}", face.contents());
    }
    face.resize(160, 40);
    face.wait_for("Black  Efim Bogoljubow");
}

#[test]
fn a_service_that_goes_and_comes_back() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for(NO_SERVICE);
    let runtime = runtime();
    for _ in 0..3 {
        let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
        face.wait_for("Paused");
        face.wait_without(NO_SERVICE);
        runtime.block_on(clock.leave());
        face.wait_for("no clock service - FOR THE ARBITER - last known: Paused");
    }
}

/// While the bus hangs, the signal of the next press would not arrive, so the face must not show a
/// running clock.
#[test]
fn a_bus_that_hangs_while_a_clock_runs() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, white_runs(5_400_000_000_000)));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("▶ White");
    bus.signal("STOP");
    face.wait_for("no clock service - the times are the last known ones");
    face.wait_without("▶ White");
    bus.signal("CONT");
    face.wait_for("▶ White");
    runtime.block_on(clock.leave());
}

#[test]
fn a_bus_that_is_killed_and_started_again() {
    let folder = Folder::new();
    let socket = folder.file("bus");
    let bus = Bus::start(&socket);
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("Paused");
    drop(bus);
    face.wait_for(NO_SERVICE);
    drop(clock);
    let bus = Bus::start(&socket);
    let _clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    face.wait_for("Paused");
    face.wait_without(NO_SERVICE);
}

#[test]
fn a_bus_that_is_not_there_yet() {
    let folder = Folder::new();
    let socket = folder.file("bus");
    let face = Face::start(&["--bus", &format!("unix:path={}", socket.display())]);
    face.wait_for(NO_SERVICE);
    let bus = Bus::start(&socket);
    let runtime = runtime();
    let _clock = runtime.block_on(FakeClock::start(&bus.address, paused()));
    face.wait_for("Paused");
}

#[test]
fn signals_and_keys_end_it_and_restore_the_terminal() {
    for end in ["TERM", "HUP", "INT", "ctrl-c", "q"] {
        let mut face = Face::start(&["--bus", "unix:path=/nowhere/bus"]);
        face.wait_until("the alternate screen", vt100::Screen::alternate_screen);
        face.wait_for(NO_SERVICE);
        match end {
            "q" => face.type_keys("q"),
            "ctrl-c" => face.type_keys("\u{3}"),
            signal => face.signal(signal),
        }
        assert_eq!(face.exit_code(), 0, "{end}");
        face.wait_until("the normal screen", |screen| {
            !screen.alternate_screen() && !screen.hide_cursor()
        });
        assert_eq!(face.contents().trim(), "", "{end}");
    }
}

/// The size of the terminal can change and change back before the face reads it. In between, the
/// terminal may have lost a part of the picture, so the face must paint everything.
#[test]
fn a_change_of_size_paints_everything_anew_even_if_the_size_is_the_same() {
    let face = Face::start(&["--bus", "unix:path=/nowhere/bus"]);
    face.wait_for(NO_SERVICE);
    face.wait_for_window_handler();
    face.lose_picture();
    face.signal("WINCH");
    face.wait_for(NO_SERVICE);
}

/// On an SSH connection whose peer is gone, nobody reads the terminal, so that every write to it
/// blocks.
#[test]
fn signals_and_keys_end_it_while_the_terminal_does_not_read() {
    for end in ["TERM", "HUP", "INT", "q"] {
        let mut face = Face::start(&["--bus", "unix:path=/nowhere/bus"]);
        face.wait_for(NO_SERVICE);
        let raw = face.mode();
        face.stop_reading();
        // A picture is being written when the signal or the key comes.
        face.resize(100, 30);
        match end {
            "q" => face.type_keys("q"),
            signal => face.signal(signal),
        }
        assert_eq!(face.exit_code(), 0, "{end}");
        assert_ne!(face.mode(), raw, "{end}: the mode is that of a shell again");
    }
}

/// Waits until the program ends, and returns its output. Fails if the program has not ended after
/// [`PATIENCE`].
fn output_of(mut program: Child) -> Output {
    let deadline = Instant::now() + PATIENCE;
    while program.try_wait().expect("the program can be waited for").is_none() {
        if Instant::now() > deadline {
            let _ = program.kill();
            panic!("it did not end: {:?}", program.wait_with_output());
        }
        thread::sleep(Duration::from_millis(5));
    }
    program.wait_with_output().expect("its output")
}

fn send(signal: &str, program: &Child) {
    let status = Command::new("kill").args(["-s", signal, &program.id().to_string()]).status();
    assert!(status.expect("kill is there").success());
}

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    run_with(arguments, &[])
}

fn run_with(arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_clock-display"))
        .args(arguments)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the face can be run");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn exit_codes_name_what_is_wrong() {
    for (arguments, code, words) in [
        (vec!["--bus", "unix:path=/nowhere/bus"], 1, "not a terminal"),
        (vec!["--bus", "nonsense"], 2, "'nonsense' for '--bus <ADDRESS>'"),
        (vec!["--buss"], 2, "--buss"),
    ] {
        let (exit, said) = run(&arguments);
        assert_eq!(exit, Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    // The user can also set the address in the environment. A wrong address there is an error, too.
    let (exit, said) = run_with(&[], &[("DBUS_SYSTEM_BUS_ADDRESS", "nonsense")]);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("DBUS_SYSTEM_BUS_ADDRESS cannot be read"), "{said}");
}

/// The face shows the time control as players write it, and not the name of a file. A control that
/// has no notation has its name.
#[test]
fn the_notation_of_the_time_control_is_shown() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let under = |control: &str| State {
        phase: Phase::Ready,
        paused_by: PausedBy::Nothing,
        time_control: control.into(),
        ..paused()
    };
    let clock = runtime.block_on(FakeClock::start(&bus.address, under("fide-standard")));
    clock.set_notation("fide-standard", "40/90, G/30, +30");
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("40/90, G/30, +30");
    runtime.block_on(clock.transition("new", under("hourglass-60")));
    face.wait_for("hourglass-60");
    face.wait_without("40/90");
    runtime.block_on(clock.transition("change-time-control", under("fide-standard")));
    face.wait_for("40/90, G/30, +30");
    // The arbiter has corrected the file, which has the same name.
    clock.set_notation("fide-standard", "45+15");
    runtime.block_on(clock.transition("change-time-control", under("fide-standard")));
    face.wait_for("45+15");
    face.wait_without("40/90");
}

/// A state without another version of the texts makes no request.
#[test]
fn the_texts_are_read_only_when_their_version_differs() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let state = |moves| State {
        rules: "fide-2023".into(),
        white: SideState { moves, ..paused().white },
        ..paused()
    };
    let clock = runtime.block_on(FakeClock::start(&bus.address, state(1)));
    clock.set_rules_file("show_moves = true\n");
    let face = Face::start(&["--bus", &bus.address]);
    face.wait_for("move 1");
    let reads = clock.profile_reads();
    for moves in [62, 63, 64] {
        runtime.block_on(clock.transition("new", state(moves)));
        face.wait_for(&format!("move {moves}"));
    }
    assert_eq!(clock.profile_reads(), reads + 1, "the first transition has a number");
}
