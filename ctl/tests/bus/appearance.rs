//! What depends on the terminal: colours and the pager. Also the exit codes of `status`.

use clock_dbus::{Fault, FaultCode, Phase, State, Who};

use crate::fake::{Fake, game};
use crate::private_bus::PrivateBus;
use crate::program::{clockctl, finish, run};
use crate::terminal::Terminal;
use crate::verbs::{good, paused};

#[test]
fn status_says_the_phase_with_its_exit_code_if_that_is_wanted() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    let standing = |phase| State { phase, running: Who::Nobody, ..game() };
    for (state, exit) in [
        (game(), 0),
        (standing(Phase::Ready), 10),
        (standing(Phase::Paused), 11),
        (standing(Phase::Ruling), 12),
        (standing(Phase::Over), 13),
        (State { adjourned: Who::White, ..paused() }, 14),
    ] {
        fake.change(|present| *present = state);
        let ran = run(&bus, &["status", "--exit-code"]);
        assert_eq!((ran.exit, ran.err.as_str()), (exit, ""), "{ran:?}");
        let help = run(&bus, &["status", "--help"]);
        let is_documented = good(&help).split_whitespace().any(|word| word == exit.to_string());
        assert!(is_documented, "{exit} is not documented");
        good(&run(&bus, &["status"]));
        let ran = run(&bus, &["status", "--exit-code", "--quiet"]);
        assert_eq!((ran.exit, ran.out.as_str()), (exit, ""));
    }
}

#[test]
fn the_status_has_colours_on_a_terminal_or_if_they_are_wanted() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    fake.change(|state| state.faults = vec![Fault::new(FaultCode::BoardGone, "unplugged")]);
    let red = "\u{1b}[1;31mfault: unplugged\u{1b}[0m\n";
    assert!(good(&run(&bus, &["status", "--color", "always"])).contains(red));
    for args in [&["status"][..], &["status", "--color=never"], &["status", "--color=auto"]] {
        assert!(!good(&run(&bus, args)).contains('\u{1b}'), "{args:?}");
    }
    assert!(!good(&run(&bus, &["status", "--json", "--color", "always"])).contains('\u{1b}'));
    let wrong = run(&bus, &["status", "--color", "blue"]);
    assert_eq!(wrong.exit, 2, "{wrong:?}");
    let coloured = run(&bus, &["stauts", "--color=always"]);
    assert!(coloured.err.starts_with("\u{1b}[1;31mclockctl:\u{1b}[0m "), "{coloured:?}");

    let is_red = |terminal: &Terminal| terminal.colour_of("fault: ") == Some(vt100::Color::Idx(1));
    for (variables, arguments, expected) in [
        (&[][..], &["status"][..], true),
        (&[("NO_COLOR", "")], &["status"], true),
        (&[("NO_COLOR", "1")], &["status"], false),
        (&[("TERM", "dumb")], &["status"], false),
        (&[], &["status", "--color", "never"], false),
    ] {
        let terminal = Terminal::start_with_variables(&bus, arguments, variables);
        terminal.wait_for("revision");
        assert_eq!(is_red(&terminal), expected, "{variables:?} {arguments:?}");
    }
}

#[test]
fn long_text_goes_through_the_pager_on_a_terminal() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let sed = [("PAGER", "sed -u 's/^/paged: /'")];
    for (arguments, variables, expected) in [
        (&["time-control", "show", "3+2"][..], &sed[..], "paged: "),
        (&["rules", "show", "fide-2023"], &sed, "paged: "),
        (&["--help"], &sed, "paged: "),
        (&["time-control", "show", "3+2"], &[("PAGER", "")], "[[period]]"),
        (&["time-control", "show", "3+2"], &[("PAGER", "cat")], "[[period]]"),
        (&["time-control", "show", "3+2", "--no-pager"], &sed, "[[period]]"),
        (&["--help", "--no-pager"], &sed, "Exit codes: "),
        (&["status"], &sed, "revision"),
    ] {
        let terminal = Terminal::start_with_variables(&bus, arguments, variables);
        let screen = terminal.wait_for(expected);
        let is_paged = expected == "paged: ";
        assert_eq!(screen.contains("paged: "), is_paged, "{arguments:?} {variables:?}\n{screen}");
        assert_eq!(terminal.end(expected), 0, "{arguments:?}");
    }
    // Not a terminal.
    let mut command = clockctl();
    command.env("PAGER", "sed 's/^/paged: /'").args(["rules", "list", "--bus"]).arg(bus.address());
    assert!(!good(&finish(command)).contains("paged: "));
}

#[test]
fn a_message_comes_after_the_pager_has_ended() {
    let bus = PrivateBus::start();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/record/game.json");
    let text = std::fs::read_to_string(file).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let changed = folder.path().join("changed.json");
    std::fs::write(&changed, text.replacen("\"moves\":1", "\"moves\":2", 1)).unwrap();
    assert_ne!(std::fs::read_to_string(&changed).unwrap(), text);
    let pager = [("PAGER", "cat > /dev/null; echo end of the pager")];
    let arguments = ["export", "--format", "pgn", "--from", changed.to_str().unwrap()];
    let terminal = Terminal::start_with_variables(&bus, &arguments, &pager);
    let screen = terminal.wait_for("clockctl: ");
    let (before, _) = screen.split_once("clockctl: ").unwrap();
    assert!(before.contains("end of the pager"), "{screen}");
    assert_eq!(terminal.end("clockctl: "), 8);
}
