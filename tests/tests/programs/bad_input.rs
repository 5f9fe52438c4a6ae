//! Wrong input is refused with its place and with what is expected, and breaks nothing. Clients
//! that read nothing, too many clients, a full standard error and a limit on locked memory break
//! nothing either.

use clock_tests::{Bench, Buttons, eventually};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::process::Command;

/// Words of the compiler, of libraries and of the operating system that no message has.
const LIBRARY_WORDS: &str = include_str!("../../library_words.txt");

/// Runs `clockd` to its end. Returns its exit code and what it printed to standard error, with
/// `DIR` in place of the bench's folder.
fn clockd(bench: &Bench, command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let word = LIBRARY_WORDS.lines().find(|word| text.contains(word));
    assert_eq!(word, None, "a word of a library: {text}");
    let text = text.replace(&bench.folder().display().to_string(), "DIR");
    (output.status.code().unwrap(), text)
}

#[test]
fn a_level_of_the_log_that_does_not_exist_is_reported_and_costs_nobody_the_clock() {
    let bench = Bench::new().unwrap();
    let buttons = format!("--gpio=sim:{}/buttons", bench.folder().display());
    for (name, arguments, code) in [("clockd", &[&*buttons][..], 7), ("clock-display", &[], 1)] {
        let mut command = Command::new(clock_tests::program(name));
        // There is no bus and no terminal, so both programs end, but not because of the level.
        command.args(["--bus", "unix:path=/nonexistent"]).args(arguments);
        command.env("CLOCK_LOG", "verbose");
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let levels = "CLOCK_LOG is \"verbose\": expected error, warn, info, debug or trace; the";
        assert_eq!(output.status.code(), Some(code), "{name}: {text}");
        assert!(text.contains(levels), "{name}: {text}");
    }
}

#[test]
fn a_configuration_that_is_wrong_is_refused_with_file_line_and_column() {
    let bench = Bench::new().unwrap();
    std::fs::create_dir(bench.folder().join("controls")).unwrap();
    let control = "name = 'x'\n[[period]]\ntime = '-5m'\n";
    std::fs::write(bench.folder().join("controls/mine.toml"), control).unwrap();
    for (config, parts) in [
        ("contrl = 'x'\n", ["DIR/clockd.toml:1:1: ", "unknown key `contrl`", "expected one of"]),
        ("\n[debounce]\nsettle = '-1ms'\n", ["DIR/clockd.toml:3:10: ", "`-1ms` is negative", ""]),
        ("[debounce]\nsettle = '0:31'\n", ["DIR/clockd.toml:2:10: ", "0:31:00", "0:00:31"]),
        (
            "\ncontrol = 'nothing'\n",
            ["DIR/clockd.toml:2:11: ", "`nothing`", "clockctl time-control list"],
        ),
        ("control = '40/90'\n", ["DIR/clockd.toml:1:11: ", "no time for the moves after", "G/30"]),
        ("\ncontrol = '3+'\n", ["DIR/clockd.toml:2:11: ", "the time control 3+: ", "expected"]),
        ("\ncontrol = '5~3'\n", ["DIR/clockd.toml:2:11: ", "a notation such as 3+2", "`~3`"]),
        (
            "\n\ncontrol = 'x.toml'\n",
            ["DIR/clockd.toml:3:11: ", "DIR/x.toml: there is no such file", "`control`"],
        ),
        ("control = ''\n", ["DIR/clockd.toml:1:11: ", "no time control ``", ""]),
        ("rules = 'fide'\n", ["DIR/clockd.toml:1:9: ", "no rule profile `fide`", "rules list"]),
        (
            "control = '3+2'\nrules = 'guidelines-iii'\n",
            ["DIR/clockd.toml:2:9: ", "guidelines-iii with 3+2: ", "(FIDE Guidelines III.2.2)"],
        ),
        ("[captains]\nwhite = 'no body'\n", ["DIR/clockd.toml:2:9: ", "no user `no body`", ""]),
        ("[captains]\nred = '1'\n", ["DIR/clockd.toml:2:1: ", "red", "expected one of"]),
        ("debounce = 1\n", ["DIR/clockd.toml:1:12: ", "`debounce` is `1`", "[debounce]"]),
        ("[debounce]\nsettle = '60ms'\n", ["DIR/clockd.toml:2:10: ", "`settle`", "1us to 20ms"]),
        ("[debounce]\nstuck = '0s'\n", ["DIR/clockd.toml:2:9: ", "`stuck`", "1s to 1h"]),
        ("control = 'mine'\n", ["DIR/controls/mine.toml:3:8: ", "`-5m` is negative", ""]),
        ("control = \n", ["DIR/clockd.toml:1:", "", ""]),
        ("board = 12\n", ["DIR/clockd.toml:1:9: ", "`board` is `12`", "text in quotation marks"]),
        (
            "[record]\nkeep_games = -1\n",
            [
                "DIR/clockd.toml:2:14: ",
                "`keep_games` is `-1`",
                "a whole number from 0 to 4294967295",
            ],
        ),
        (
            "[record]\ncheckpoint = '0s'\n",
            ["DIR/clockd.toml:2:14: ", "`checkpoint`", "1 s to 60 s"],
        ),
        (
            "[record]\npath = 5\n",
            ["DIR/clockd.toml:2:8: ", "`path` is `5`", "text in quotation marks"],
        ),
        ("[record]\npath = 'x'\n", ["DIR/clockd.toml:2:8: ", "`path`", "an absolute path"]),
        ("\u{0}\n", ["DIR/clockd.toml:1:", "", ""]),
    ] {
        bench.configure(config).unwrap();
        let (code, text) = clockd(&bench, &mut bench.clockd_command(&["--check"]));
        assert_eq!(code, 2, "{config:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        for part in parts {
            assert!(text.contains(part), "{config:?}: {text}");
        }
    }
}

#[test]
fn a_missing_or_wrong_wiring_file_is_named() {
    let bench = Bench::new().unwrap();
    std::fs::create_dir(bench.folder().join("wiring")).unwrap();
    std::fs::write(
        bench.folder().join("wiring/mine.toml"),
        "# buttons\nchip = []\nwhite.line = 1\nblack.line = 2\n",
    )
    .unwrap();
    for (config, expected) in [
        ("wiring = 'mine'\n", "DIR/wiring/mine.toml:2:8: `chip` names no chip"),
        (
            "\nwiring = 'yours'\n",
            "DIR/clockd.toml:2:10: `wiring`: no wiring `yours`; looked for DIR/wiring/yours.toml and ",
        ),
        ("", "DIR/clockd.toml:1:1: missing key `wiring`"),
        (
            "board = 'mine'\n",
            "DIR/clockd.toml:1:9: `board` is the number of the table, such as \"12\"; the wiring of the buttons \
             is the key `wiring`: wiring = \"mine\"",
        ),
        ("board = '12345678901234567'\n", "DIR/clockd.toml:1:9: `board` has 17 bytes"),
        (
            "uapi = 'v3'\n",
            "DIR/clockd.toml:1:8: `uapi` is `v3`; expected one of `auto`, `v2`, `v1`",
        ),
    ] {
        bench.configure(config).unwrap();
        let (code, text) = clockd(&bench, bench.clockd_command_on_board().arg("--check"));
        assert_eq!(code, 2, "{config:?}: {text}");
        assert!(text.contains(expected), "{config:?}: {text}");
    }
}

#[test]
fn a_rule_file_that_is_wrong_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let rules = |name: &str| folder.path().join(name).display().to_string();
    let large = format!("name = 'x'\n#{}", " ".repeat(64 * 1024));
    for (name, text) in [
        ("large.toml", large.as_bytes()),
        ("latin.toml", b"name = 'x'\n# \xe9\n"),
        ("key.toml", b"name = 'x'\n\n  clain_below = '2m'\n"),
        ("value.toml", b"name = 'x'\nclaim_below = '0:31'\n"),
        ("base.toml", b"name = 'x'\ninherits = 'value'\n"),
        ("loop.toml", b"name = 'x'\ninherits = 'loop'\n"),
        ("out.toml", b"name = 'x'\ninherits = '../etc/passwd'\n"),
        ("none.toml", b""),
    ] {
        std::fs::write(rules(name), text).unwrap();
    }
    for (name, parts) in [
        ("large.toml", ["the rule file ", "large.toml: larger than 64 KiB"]),
        ("latin.toml", ["latin.toml:2:3: ", "not UTF-8"]),
        ("key.toml", ["key.toml:3:3: unknown key `clain_below`", "`claim_below`"]),
        ("value.toml", ["value.toml:2:15: `claim_below`: ", "0:31:00 or 0:00:31"]),
        ("base.toml", ["base.toml:2:12: the inherited file `value`: 2:15: ", "0:31:00"]),
        ("loop.toml", ["loop.toml:2:12: ", "`loop` inherits itself"]),
        ("out.toml", ["out.toml:2:12: no rule profile `../etc/passwd`", ""]),
        ("none.toml", ["none.toml:1:1: no `name`", ""]),
        ("missing.toml", ["the rule file ", "missing.toml: there is no such file"]),
        ("", ["the rule file ", "not a regular file"]),
    ] {
        let path = format!("{}/{name}", folder.path().display());
        let simulate = ["simulate", "--control", "G/90", "--rules", &path];
        for arguments in [&["rules", "check", &path][..], &["rules", "show", &path], &simulate] {
            let mut command = Command::new(clock_tests::program("clockctl"));
            let output = command.args(arguments).output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
            assert_eq!(output.stdout.len(), 0, "{arguments:?}");
            for part in parts {
                assert!(text.contains(part), "{arguments:?}: {text}");
            }
        }
    }
}

#[test]
fn a_missing_bus_an_owned_name_and_a_wrong_command_line() {
    let bench = Bench::new().unwrap();
    let (code, text) = clockd(&bench, &mut bench.clockd_command(&[]));
    assert_eq!(code, 7, "{text}");
    assert!(text.contains("cannot reach the bus unix:path=DIR/bus"), "{text}");
    assert!(!bench.socket().exists(), "a clock that has ended leaves no socket");

    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&[]).unwrap();
    let second = Bench::new().unwrap();
    let command = second.clockd_command(&[]);
    let mut other = Command::new(command.get_program());
    let arguments: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
    other.args(["--bus", &bench.address()]).args(&arguments[2..]);
    let (code, text) = clockd(&bench, &mut other);
    assert_eq!(code, 5, "{text}");
    assert!(text.contains("org.chessclock.Clock1 is owned"), "{text}");

    // The running clock keeps its socket.
    let (code, text) = clockd(&bench, &mut bench.clockd_command(&[]));
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("another clockd listens there"), "{text}");
    bench.buttons().unwrap().press("black").unwrap();

    let wrong = Command::new(command.get_program()).args(["--gpio", "gpiochip0"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("expected sim:PATH"));
}

#[test]
fn a_malformed_bus_address_is_refused() {
    let bench = Bench::new().unwrap();
    let mut command = Command::new(clock_tests::program("clockd"));
    command.args(["--bus", "here", "--gpio"]).arg(format!("sim:{}", bench.socket().display()));
    command.arg("--config").arg(bench.folder().join("clockd.toml"));
    let (code, text) = clockd(&bench, &mut command);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("`here` is no D-Bus address; expected one such as unix:path="), "{text}");
}

#[test]
fn garbage_on_the_button_socket_is_answered_and_changes_nothing() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let mut clockd = bench.clockd(&[]).unwrap();
    let mut buttons = bench.buttons().unwrap();
    for garbage in
        ["", "white", "white DOWN", "red down", "white down soon", "white down 1 2", "\u{7}"]
    {
        let answer = buttons.send(garbage).unwrap();
        assert!(answer.starts_with("error: "), "{garbage:?}: {answer}");
        assert!(answer.contains("expected `white`, `black` or `call`"), "{garbage:?}: {answer}");
    }
    // A timestamp in the future is refused, and so is a number that is too large for a timestamp.
    let answer = buttons.send("white down 18446744073709551615").unwrap();
    assert!(answer.starts_with("error: stamp 18446744073709551615 is not between"), "{answer}");
    let answer = buttons.send(&format!("white down {}", "9".repeat(40))).unwrap();
    assert!(answer.starts_with("error: "), "{answer}");

    for bytes in [&[0xff, 0xfe, b'\n'][..], &[b'x'; 4096], &[0; 200]] {
        let mut socket = UnixStream::connect(bench.socket()).unwrap();
        socket.write_all(bytes).unwrap();
        socket.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        // A failed read is no error: the clock may close the connection before it has read every byte.
        let _ = socket.read_to_string(&mut answer);
        assert!(answer.is_empty() || answer.starts_with("error: "), "{answer}");
    }
    assert!(clockd.runs());
    let status = bench.status().unwrap();
    assert_eq!((&status["phase"], &status["revision"]), (&"ready".into(), &1.into()));
    buttons.press("black").unwrap();
    eventually("the clock runs", || (bench.status().unwrap()["phase"] == "running").then_some(()));
}

#[test]
fn a_client_that_never_reads_its_answers_blocks_nobody() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&[]).unwrap();
    let mut deaf = UnixStream::connect(bench.socket()).unwrap();
    deaf.set_nonblocking(true).unwrap();
    while deaf.write(&b"nonsense\n".repeat(100)).is_ok() {}
    Buttons::open(&bench.socket()).unwrap().press("black").unwrap();
    assert_eq!(bench.status().unwrap()["phase"], "running");
}

#[test]
fn a_full_standard_error_does_not_change_the_exit_code() {
    let bench = Bench::new().unwrap();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = bench.clockd_command(&[]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(7));
}

#[test]
fn clockd_starts_with_any_limit_on_locked_memory() {
    for megabytes in [0, 2, 4, 8, 12, 16, 24, 64] {
        let bench = Bench::new().unwrap();
        let (code, text) = clockd(&bench, &mut with_memlock_limit(&bench, megabytes << 20));
        // `clockd` starts and then fails because there is no bus.
        assert_eq!(code, 7, "{megabytes} MB: {text}");
    }
}

/// The command for `clockd` with a limit on locked memory. The limit does not hold for root. So if
/// this process is root, `clockd` runs as the user nobody.
fn with_memlock_limit(bench: &Bench, limit: u64) -> Command {
    use rustix::process::{Resource, Rlimit, Uid, getrlimit, setrlimit};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    // The user nobody must be able to start the copy of `clockd` in this folder.
    let all = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(bench.folder(), all).unwrap();
    let copy = bench.folder().join("clockd");
    // This process does not write the copy itself. Otherwise a child of another test could have the
    // copy open for writing, and the kernel would refuse to run it.
    let copied = Command::new("cp").arg(clock_tests::program("clockd")).arg(&copy).status();
    assert!(copied.unwrap().success());
    let mut command = Command::new(copy);
    command.args(bench.clockd_command(&[]).get_args());
    // SAFETY: the closure makes system calls only, which are allowed between fork and exec.
    unsafe {
        command.pre_exec(move || {
            let most = getrlimit(Resource::Memlock).maximum.unwrap_or(u64::MAX);
            let limit = Some(limit.min(most));
            setrlimit(Resource::Memlock, Rlimit { current: limit, maximum: limit })?;
            // This call is needed only if this process is root. Otherwise the call fails, which
            // does not matter.
            let _ = rustix::thread::set_thread_uid(Uid::from_raw(65534));
            Ok(())
        });
    }
    command
}

#[test]
fn more_clients_than_there_are_descriptors_do_not_end_the_clock() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let mut clockd = bench.clockd(&[]).unwrap();
    let crowd: Vec<_> = (0..900).map_while(|_| UnixStream::connect(bench.socket()).ok()).collect();
    assert!(crowd.len() > 64, "{}", crowd.len());
    assert_eq!(bench.status().unwrap()["phase"], "ready");
    drop(crowd);
    bench.buttons().unwrap().press("black").unwrap();
    assert!(clockd.runs());
}

#[test]
fn a_reason_cannot_forge_a_line_of_the_log() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&[]).unwrap();
    let forged = "x\nclockd: press side=white at_nsec=1";
    bench.ctl(&["start", "--reason", forged]).unwrap();
    bench.logged("verb=start");
    assert!(!bench.log().lines().any(|line| line == "clockd: press side=white at_nsec=1"));
}
