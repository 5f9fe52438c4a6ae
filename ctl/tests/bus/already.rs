//! `pause` while the clocks are paused and `resume` while a clock runs are done: nothing is sent.

use std::fs;

use serde_json::Value;

use crate::{
    fake::{Fake, game},
    private_bus::PrivateBus,
    program::{clockctl, finish, run},
    verbs::{good, json, paused},
};

/// The calls that change a clock.
fn commands(fake: &Fake) -> Vec<String> {
    let reads = |call: &String| call.starts_with("get-") || call.starts_with("list-games");
    fake.calls().into_iter().filter(|call| !reads(call)).collect()
}

#[test]
fn what_is_so_already_is_done_with_a_note_and_nothing_is_sent() {
    for (state, verb, side, note) in [
        (paused(), "pause", None, "the clocks were paused already; no command was sent\n"),
        (game(), "resume", None, "the clock was running already; no command was sent\n"),
        (game(), "resume", Some("white"), "the clock was running already; no command was sent\n"),
    ] {
        let bus = PrivateBus::start();
        let fake = Fake::start(&bus, state);
        let mut words = vec![verb];
        words.extend(side.map(|side| ["--side", side]).into_iter().flatten());
        let ran = run(&bus, &words);
        assert!(good(&ran).starts_with(note) && ran.out.contains("White 1:29:58.3"), "{ran:?}");
        assert_eq!(good(&run(&bus, &[&words[..], &["-q"]].concat())), "");
        let object = json(&run(&bus, &[&words[..], &["--json"]].concat()));
        assert_eq!((&object["already"], &object["done"]), (&true.into(), &note.trim_end().into()));
        assert_eq!(commands(&fake), [""; 0]);
    }
}

#[test]
fn what_is_not_so_is_sent() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    // It is sent although the clocks stand: a pause by a player asks the arbiter for a ruling.
    run(&bus, &["pause", "--by", "white"]);
    assert_eq!(commands(&fake), [r#"pause White 7 """#]);
    let earlier = run(&bus, &["pause", "--if-revision", "5"]);
    assert!(earlier.exit == 5 && earlier.err.contains("revision 5 was given"), "{earlier:?}");

    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let object = json(&run(&bus, &["resume", "--side", "black", "--json"]));
    assert_eq!(
        (commands(&fake), &object["already"]),
        (vec![r#"resume Black 7 """#.to_owned()], &Value::Null)
    );
}

#[test]
fn of_paused_clocks_only_the_text_for_the_players_is_sent() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = run(&bus, &["pause", "--announce", "lunch"]);
    let said = good(&ran);
    assert!(
        !said.contains("no command") && said.starts_with("the clocks were paused already. "),
        "{said}"
    );
    let sent = commands(&fake);
    assert!(sent.len() == 1 && sent[0].starts_with("announce"), "{sent:?}");
}

#[test]
fn with_many_boards_the_command_goes_to_those_that_need_it() {
    let buses = [PrivateBus::start(), PrivateBus::start()];
    let fakes = [Fake::start(&buses[0], paused()), Fake::start(&buses[1], game())];
    let hall = buses[0].folder().join("hall.toml");
    let board = |(number, bus): (usize, &PrivateBus)| {
        format!("[[board]]\nboard = \"{}\"\nbus = \"{}\"\n", number + 1, bus.address())
    };
    fs::write(&hall, buses.iter().enumerate().map(board).collect::<String>()).unwrap();
    let mut command = clockctl();
    command.args(["--hall", hall.to_str().unwrap(), "pause"]);
    let ran = finish(command);
    let lines: Vec<&str> = good(&ran).lines().collect();
    assert!(
        lines[0].starts_with("1  the clocks were paused already; no command was sent; paused:"),
        "{ran:?}"
    );
    assert!(lines[1].starts_with("2  The command is carried out; paused:"), "{ran:?}");
    assert_eq!((commands(&fakes[0]).len(), commands(&fakes[1]).len()), (0, 1));
}
