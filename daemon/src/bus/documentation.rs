//! Tests that the XML of the D-Bus interfaces lists exactly the words that the daemon publishes and
//! has, and that it names every limit and every error. The crate `clock_dbus` tests the words
//! of its own types and of the arguments of commands.

use super::button_test::{LONGEST_KEEP, READINGS};
use super::guarded_socket::{HEADER_LIMIT, MESSAGE_LIMIT};
use super::history;
use crate::game::{BUTTONS, Capacity, SCHEDULE};
use clock_dbus::argument::{BOARD_LIMIT, ECHO_LIMIT, NAME_LIMIT, TEXT_LIMIT};
use clock_dbus::{COMMANDS, Error, INTERFACE_XML};
use clock_engine::rules::GameEventKind;
use clock_engine::text::ControlFile;
use clock_engine::{EventKind, Side};
use clockd_core::Button;
use clockd_rt::{Cause, TRACED};
use std::collections::BTreeSet;
use zbus::DBusError;

/// The comment in the XML right before the tag `tag`.
fn comment(tag: &str) -> &'static str {
    let (before, _) = INTERFACE_XML.split_once(tag).expect("the tag is in the XML");
    before.rsplit_once("<!--").expect("it has a comment").1
}

/// All words in double quotes in the comment right before this tag.
fn listed(tag: &str) -> BTreeSet<&'static str> {
    quoted(comment(tag))
}

fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

#[test]
fn the_xml_lists_every_cause_of_a_transition() {
    let (side, button, period) = (Side::White, Button::Call, 1);
    let events = [
        EventKind::Press { side, accepted: true }.into(),
        EventKind::Press { side, accepted: false }.into(),
        EventKind::Flag { side, period }.into(),
        EventKind::Period { side, period }.into(),
        EventKind::Overtime { side, periods_left: 1 }.into(),
        EventKind::Gong { side }.into(),
        EventKind::Call { accepted: true }.into(),
        GameEventKind::DefaultDue { side },
        GameEventKind::ScoreOff { side },
        GameEventKind::Hold { side },
    ];
    let others = [
        Cause::Late(button),
        Cause::PressBeforeFlag(side),
        Cause::SetBack,
        Cause::Refused,
        Cause::Started,
        Cause::Fault,
        Cause::GameNumber,
        Cause::BoardGone { button, paused: true },
        Cause::BoardBack,
        Cause::Restarted,
        Cause::Missed,
    ];
    let commands = COMMANDS.iter().map(|name| Cause::Command(name, None));
    let causes = events.map(Cause::from).into_iter().chain(others).chain(commands);
    let published: BTreeSet<&str> = causes.filter_map(Cause::published).collect();
    assert_eq!(listed("<signal name=\"Transition\">"), published);
    let of_number = Cause::GameNumber.published();
    assert_eq!(listed("<property name=\"GameNumber\""), of_number.into_iter().collect());
}

#[test]
fn the_xml_lists_every_button() {
    let buttons = Button::ALL.map(Button::as_str);
    assert_eq!(listed("<property name=\"StuckButtons\""), BTreeSet::from(buttons));
}

#[test]
fn the_xml_lists_every_capacity_in_which_a_command_is_given() {
    let comment = comment("<interface name=\"org.chessclock.Clock1.History\">");
    let (_, list) = comment.split_once("in which a command was given is:").expect("it is there");
    let captains = Side::BOTH.map(|side| Capacity::Captain(side).to_string());
    let others = [Capacity::Arbiter, Capacity::Designate].map(|capacity| capacity.to_string());
    let words: Vec<_> = captains.into_iter().chain(others).collect();
    let mut words: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    words.extend([SCHEDULE, BUTTONS]);
    assert_eq!(quoted(list), words);
}

#[test]
fn the_xml_has_every_limit_and_every_error() {
    let (_, text) = INTERFACE_XML.split_once("    Limits\n").expect("it has this section");
    let (text, _) = text.split_once("-->").expect("the comment ends");
    for limit in [
        format!("a person has at most {NAME_LIMIT} bytes"),
        format!("a round have at most {BOARD_LIMIT} bytes"),
        format!("a command has at most {TEXT_LIMIT} bytes"),
        format!("a sealed move have at most {TEXT_LIMIT} bytes"),
        format!("a control file has at most {} KiB", ControlFile::LIMIT / 1024),
        format!("name of a machine has at most {NAME_LIMIT} bytes"),
        format!("list of games has at most {} of them", history::GAMES.end()),
        format!("a list of entries at most {}", history::ENTRIES.end()),
        format!("games or entries has at most {} KiB", history::ANSWER_LIMIT / 1024),
        format!("A message has at most {} KiB", MESSAGE_LIMIT / 1024),
        format!("its header at most {} KiB", HEADER_LIMIT / 1024),
        format!("at most {READINGS} edges and presses, and at most {TRACED} wait"),
        format!("Presses are kept for it for at most {} s", LONGEST_KEEP.as_secs()),
        format!("repeats at most {ECHO_LIMIT} characters"),
    ] {
        assert!(text.contains(&limit), "{limit}");
    }
    let errors: [fn(String) -> Error; 18] = [
        Error::StaleRevision,
        Error::NotPaused,
        Error::NotReady,
        Error::NotRunning,
        Error::GameOver,
        Error::GameUnderWay,
        Error::ConfirmOnMove,
        Error::BoardGone,
        Error::RefusedByRules,
        Error::NoProfile,
        Error::InvalidControl,
        Error::InvalidRules,
        Error::InvalidArgument,
        Error::NoRecord,
        Error::NotFound,
        Error::Busy,
        Error::UnknownCaller,
        Error::TimedOut,
    ];
    for error in errors {
        let name = error(String::new()).name().to_string();
        let word = name.strip_prefix("org.chessclock.Clock1.Error.").expect("it is ours");
        assert!(text.contains(&format!("- {word}: ")), "{word}");
    }
}
