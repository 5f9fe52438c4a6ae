//! When a command has failed on some boards, `clockctl` prints the same command for these boards. These
//! tests give the printed command.

use super::{FIVE_AND_TWO_MINUTES, Hall, Ran, command, ran};
use clock_tests::eventually;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The name of the method `Add` in a message on the bus, with its length before it.
const ADD: &[u8] = b"\x03\0\0\0Add\0";

/// What a relay does not hand over.
#[derive(Clone, Copy, PartialEq)]
enum Lost {
    /// The command and everything after it.
    Command,
    /// Everything that the bus says after the command.
    Answer,
}

/// A socket that hands everything over to a bus and back, until a client sends `Add`.
fn relay(folder: &Path, bus: PathBuf, lost: Lost) -> String {
    let path = folder.join(format!("relay-{}", lost as u8));
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        for client in listener.incoming() {
            let (Ok(client), Ok(server)) = (client, UnixStream::connect(&bus)) else { return };
            let is_cut = Arc::new(AtomicBool::new(false));
            let (to, from) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let is_cut_back = Arc::clone(&is_cut);
            thread::spawn(move || {
                hand_over(client, server, |bytes| {
                    if bytes.windows(ADD.len()).any(|part| part == ADD) {
                        is_cut.store(true, Ordering::SeqCst);
                    }
                    lost == Lost::Answer || !is_cut.load(Ordering::SeqCst)
                })
            });
            thread::spawn(move || hand_over(from, to, |_| !is_cut_back.load(Ordering::SeqCst)));
        }
    });
    format!("unix:path={}", path.display())
}

fn hand_over(mut from: UnixStream, mut to: UnixStream, mut is_passed: impl FnMut(&[u8]) -> bool) {
    let mut bytes = [0; 65536];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if is_passed(&bytes[..count]) && to.write_all(&bytes[..count]).is_err() {
            return;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}

impl Hall {
    /// Gives the command that a run has named, as a shell does.
    fn again(&self, failed: &Ran) -> Ran {
        let named = failed.err.lines().last().unwrap();
        let words = named.strip_prefix("  clockctl ").unwrap_or_else(|| panic!("{failed:?}"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("\"$0\" {words}")]).arg(clock_tests::program("clockctl"));
        shell.current_dir(self.folder.path()).stdin(std::process::Stdio::null());
        ran(shell)
    }

    fn revision(&self, index: usize) -> u64 {
        self.clocks[index].bench.status().unwrap()["revision"].as_u64().unwrap()
    }
}

/// Boards 1 and 2 are lost after the state of the clock was read: board 1 after the command was carried
/// out, board 2 before it has arrived. The command that is named is given to board 2 alone.
#[test]
fn a_board_that_was_lost_after_the_command_was_carried_out_does_not_get_it_twice() {
    let hall = Hall::start(3);
    assert_eq!(hall.run(&["new", "5+0"]).exit, 0);
    let [first, second] = [0, 1].map(|index| hall.revision(index));
    let path = hall.folder.path().join("hall.toml");
    let file = std::fs::read_to_string(&path).unwrap();
    let mut lossy = file.clone();
    for (clock, lost) in hall.clocks.iter().zip([Lost::Answer, Lost::Command]) {
        let relay = relay(hall.folder.path(), clock.bench.folder().join("bus"), lost);
        lossy = lossy.replace(&clock.bench.address(), &relay);
    }
    std::fs::write(&path, lossy).unwrap();
    let words = ["add", "white", "2m", "--reason", "it's late"];
    let add = hall.run(&[&["--boards", "1-3", "--deadline", "2"], &words[..]].concat());
    assert_eq!((add.exit, add.out.lines().count()), (6, 1), "{add:?}");
    let named = format!(
        "  1, 2: no answer within 2 s: the command was sent, and may have been carried out\n\
         the command again, for 1, 2 only:\n  clockctl --hall hall.toml \
         --boards 1@{first},2@{second} --deadline 2 add white 2m --reason 'it'\\''s late'\n"
    );
    assert!(add.err.ends_with(&named), "{add:?}");
    eventually("board 1 has carried the command out", || {
        (hall.clocks[0].white_nsec() == FIVE_AND_TWO_MINUTES).then_some(())
    });
    assert_eq!(hall.revision(1), second);

    std::fs::write(&path, file).unwrap();
    let again = hall.again(&add);
    assert_eq!((again.exit, again.out.lines().count()), (5, 1), "{again:?}");
    assert!(again.out.starts_with("2  White gets 0:02:00, "), "{again:?}");
    let changed = format!(
        "1: cannot add time: refused: the clock has changed since: revision {first} was given, it is at \
         {} now (see what was done before you give it again: clockctl --hall hall.toml --boards 1 log)\n",
        first + 1
    );
    // It would be refused each time, so it is not named again.
    assert!(again.err.ends_with(&changed), "{again:?}");
    for clock in &hall.clocks {
        assert_eq!(clock.white_nsec(), FIVE_AND_TWO_MINUTES);
    }

    let quiet =
        hall.run(&["--boards", &format!("1@{first},2@{second}"), "-q", "add", "white", "2m"]);
    assert!(quiet.exit == 5 && quiet.err.ends_with("--boards 1,2 log)\n"), "{quiet:?}");

    // One board alone is refused in the same way, also where the verb itself would refuse it first.
    let one = format!("1@{first}");
    for time in ["2m", "20h"] {
        let one = hall.run(&["--boards", &one, "add", "white", time]);
        assert!(one.exit == 5 && one.err.contains("the clock has changed since"), "{one:?}");
    }
    let wanted = ["--boards", &one, "--if-revision", "3", "add", "white", "2m"];
    assert_eq!(hall.run(&wanted).exit, 2);
    assert_eq!(hall.clocks[0].white_nsec(), FIVE_AND_TWO_MINUTES);
}

/// A clock that was not reached and one that has refused have not carried the command out, so their
/// boards have no revision.
#[test]
fn boards_that_have_certainly_not_carried_it_out_are_named_without_a_revision() {
    let hall = Hall::start(3);
    assert_eq!(hall.run(&["new", "5+0"]).exit, 0);
    assert_eq!(hall.run(&["--boards", "2", "start"]).exit, 0);
    hall.clocks[0].signal(rustix::process::Signal::STOP);
    let add = hall.run(&["--boards", "all", "--deadline", "2", "add", "white", "2m"]);
    assert_eq!((add.exit, add.out.lines().count()), (9, 1), "{add:?}");
    assert!(add.out.starts_with("3  White gets 0:02:00, "), "{add:?}");
    let named = "the command again, for 1, 2 only:\n  \
                 clockctl --hall hall.toml --boards 1,2 --deadline 2 add white 2m\n";
    assert!(add.err.ends_with(named), "{add:?}");
    hall.clocks[0].signal(rustix::process::Signal::CONT);
    eventually("the service answers", || hall.clocks[0].bench.status().ok());
    assert_eq!(hall.run(&["--boards", "2", "pause"]).exit, 0);
    let before = hall.revision(0);
    let again = hall.again(&add);
    assert_eq!((again.exit, again.err.as_str()), (0, ""), "{again:?}");
    assert_eq!(hall.revision(0), before + 1);
    for index in [0, 2] {
        assert_eq!(hall.clocks[index].white_nsec(), FIVE_AND_TWO_MINUTES);
    }
}

/// The hall file, the pairings and the control file are read again.
#[test]
fn a_set_up_that_is_given_again_reads_the_files_that_its_words_name() {
    let hall = Hall::start(2);
    let folder = hall.folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("round.csv", "board,white,black\n1,Anna,Bert\n2,Cora,Dirk\n");
    write("club.toml", "name = 'Club'\n[[period]]\ntime = '7m'\n");
    let file = std::fs::read_to_string(folder.join("hall.toml")).unwrap();
    // The hall file has a wrong address for board 2.
    write("hall.toml", &file.replace(&hall.clocks[1].bench.address(), "unix:path=/nowhere"));
    let new = ["new", "./club.toml", "--round", "4", "--pairings", "round.csv", "--yes"];
    // The hall file is that of the folder.
    let first = ran(command(folder, &new));
    assert_eq!(first.exit, 7, "{first:?}");
    assert_eq!(hall.players(), ["Anna - Bert", " - "], "{first:?}");

    write("hall.toml", &file);
    write("round.csv", "board,white,black\n1,Anna,Bert\n2,Cora,Erik\n");
    let revision = hall.revision(0);
    let again = hall.again(&first);
    assert_eq!(again.exit, 0, "{again:?}");
    assert_eq!(hall.players(), ["Anna - Bert", "Cora - Erik"]);
    assert_eq!(hall.revision(0), revision);
    let state = hall.clocks[1].bench.status().unwrap();
    assert_eq!((&state["event"], &state["round"]), (&"Open".into(), &"4".into()));
    assert_eq!((&state["board"], &state["control"]), (&"2".into(), &"club".into()));
}

/// Standard output is a disk without room. All boards get the command, and the one that failed is named
/// with the command for it.
#[test]
fn an_output_that_cannot_be_written_stops_no_board_and_hides_no_failure() {
    let hall = Hall::start(3);
    for json in [&[][..], &["--json"]] {
        assert_eq!(hall.run(&["new", "5+0", "--force"]).exit, 0);
        assert_eq!(hall.run(&["start"]).exit, 0);
        hall.clocks[1].signal(rustix::process::Signal::STOP);
        let words = [&["--hall", "hall.toml", "--deadline", "2", "pause"][..], json].concat();
        let mut pause = hall.command(&words);
        pause.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
        let pause = ran(pause);
        hall.clocks[1].signal(rustix::process::Signal::CONT);
        assert_eq!(pause.exit, 1, "{pause:?}");
        for said in ["2: no answer within 2 s", "--boards 2", "cannot write the output"] {
            assert!(pause.err.contains(said), "{said}: {pause:?}");
        }
        for index in [0, 2] {
            assert_eq!(hall.clocks[index].bench.status().unwrap()["phase"], "paused");
        }
        eventually("the stopped service answers", || hall.clocks[1].bench.status().ok());
    }
}
