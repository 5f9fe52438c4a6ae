//! `--hall` and `--boards` on either side of the verb, and the hall file that is implied.

use std::{fs, path::Path, process::Command};

use crate::{
    fake::{Fake, game},
    private_bus::PrivateBus,
    program::{Ran, clockctl, finish},
};

/// Two boards, and a clock on this machine that is on no board.
struct Place {
    buses: [PrivateBus; 3],
    fakes: [Fake; 3],
}

impl Place {
    fn start() -> Place {
        let buses = [PrivateBus::start(), PrivateBus::start(), PrivateBus::start()];
        let fakes = [0, 1, 2].map(|at| Fake::start(&buses[at], game()));
        let board = |(number, bus): (usize, &PrivateBus)| {
            format!("[[board]]\nboard = \"{}\"\nbus = \"{}\"\n", number + 1, bus.address())
        };
        let text: String = buses[..2].iter().enumerate().map(board).collect();
        for name in ["hall.toml", "other.toml"] {
            fs::write(buses[0].folder().join(name), &text).unwrap();
        }
        Place { buses, fakes }
    }

    fn folder(&self) -> &Path {
        self.buses[0].folder()
    }

    /// A run in the folder of the hall file, on a machine with a clock of its own.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = clockctl();
        command.env("DBUS_SYSTEM_BUS_ADDRESS", self.buses[2].address());
        command.env_remove("CLOCKCTL_HALL");
        command.current_dir(self.folder()).args(words);
        command
    }

    fn run(&self, words: &[&str]) -> Ran {
        finish(self.command(words))
    }

    /// The clocks that have received a pause since the last call, such as `13`. `1` and `2` are the
    /// clocks of the boards, `3` is the clock of this machine.
    fn paused(&self) -> String {
        let mut which = String::new();
        for (name, fake) in ["1", "2", "3"].iter().zip(&self.fakes) {
            let mut script = fake.script.lock().unwrap();
            if script.calls.iter().any(|call| call.starts_with("pause")) {
                which.push_str(name);
            }
            script.calls.clear();
            script.state = game();
        }
        which
    }
}

#[test]
fn the_hall_and_the_boards_are_named_on_either_side_of_the_verb() {
    let place = Place::start();
    let hall = ["--hall", "other.toml"];
    let boards = ["--boards", "2"];
    for words in [
        [&hall[..], &boards[..], &["pause"]].concat(),
        [&hall[..], &["pause"], &boards[..]].concat(),
        [&boards[..], &["pause"], &hall[..]].concat(),
        [&["pause"], &hall[..], &boards[..]].concat(),
        [&["pause"], &boards[..], &hall[..]].concat(),
    ] {
        let ran = place.run(&words);
        assert_eq!((ran.exit, place.paused().as_str()), (0, "2"), "{words:?}: {ran:?}");
    }
    let bus = format!("--bus={}", place.buses[1].address());
    assert_eq!((place.run(&["pause", &bus]).exit, place.paused().as_str()), (0, "2"));
    assert_eq!((place.run(&[&bus, "pause"]).exit, place.paused().as_str()), (0, "2"));
    for words in [["--hall", "other.toml", "pause", &bus], [&bus, "pause", "--hall", "other.toml"]]
    {
        let ran = place.run(&words);
        assert_eq!((ran.exit, place.paused().as_str()), (2, ""), "{words:?}: {ran:?}");
        assert!(ran.err.contains("--bus cannot be used with --hall"), "{ran:?}");
    }
}

#[test]
fn a_hall_file_is_implied_only_where_boards_are_named() {
    let place = Place::start();
    // Beside a hall file, and with the variable, a verb without boards is for the clock of this machine.
    assert_eq!((place.run(&["pause"]).exit, place.paused().as_str()), (0, "3"));
    let mut with_variable = place.command(&["pause"]);
    with_variable.env("CLOCKCTL_HALL", "other.toml");
    assert_eq!((finish(with_variable).exit, place.paused().as_str()), (0, "3"));

    assert_eq!((place.run(&["pause", "--boards", "2"]).exit, place.paused().as_str()), (0, "2"));
    assert_eq!((place.run(&["pause", "--boards", "all"]).exit, place.paused().as_str()), (0, "12"));

    // The variable comes first, and the commands that are named have the file.
    fs::write(place.folder().join("hall.toml"), "no hall file").unwrap();
    let mut with_variable = place.command(&["set", "white", "31m", "--boards", "2"]);
    with_variable.env("CLOCKCTL_HALL", "other.toml");
    place.fakes[1].answer(crate::fake::Answer::Refuse(clock_dbus::Error::NotPaused, "only now"));
    let ran = finish(with_variable);
    assert!(ran.err.contains("clockctl --hall other.toml --boards 2 pause"), "{ran:?}");

    // A command that is given again names the file, too.
    let mut all = place.command(&["pause", "--boards", "all"]);
    all.env("CLOCKCTL_HALL", "other.toml");
    let ran = finish(all);
    let again = "the command again, for 2 only:\n  clockctl --hall other.toml pause --boards 2\n";
    assert!(ran.exit == 5 && ran.err.ends_with(again), "{ran:?}");
    assert_eq!(place.paused(), "12");

    // Without any hall file the answer says how one is named.
    fs::remove_file(place.folder().join("hall.toml")).unwrap();
    let ran = place.run(&["pause", "--boards", "2"]);
    assert_eq!((ran.exit, place.paused().as_str()), (2, ""), "{ran:?}");
    assert!(ran.err.contains("give --hall FILE, set CLOCKCTL_HALL"), "{ran:?}");
}
