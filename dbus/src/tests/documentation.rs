//! The XML documents every member, and lists exactly the values that the types have.

use crate::commands::*;
use crate::{
    ARBITER_INTERFACE, BUTTON_TEST_INTERFACE, CLOCK_INTERFACE, ClaimState, Counting, Error,
    FaultCode, HEALTH_INTERFACE, HISTORY_INTERFACE, INTERFACE_XML, Language, MENU_INTERFACE,
    MenuButton, MenuProperties, MenuState, PausedBy, Phase, QuestionKind, QuestionProgress,
    TestEnd, TestedButton, Who, with_commands,
};
use std::collections::BTreeMap;
use zbus::Type;
use zbus::wire::serialized::Context;
use zbus::wire::{NATIVE_ENDIAN, to_bytes};

/// An interface, or a member of one.
struct Element {
    interface: &'static str,
    kind: &'static str,
    name: &'static str,
    args: Vec<&'static str>,
    comment: Comment,
}

/// The comment directly before an element: `Name:`, a line `@argument: text` for each argument, an
/// empty line, and the description.
#[derive(Default)]
struct Comment {
    name: &'static str,
    args: BTreeMap<&'static str, &'static str>,
    text: Vec<&'static str>,
}

impl Comment {
    fn of(lines: &[&'static str]) -> Comment {
        let mut lines = lines.iter().copied();
        let name = lines.next().and_then(|line| line.strip_suffix(':')).unwrap_or("");
        let text = lines.clone().skip_while(|line| line.starts_with('@')).collect();
        let args = lines.map_while(|line| line.strip_prefix('@')?.split_once(": ")).collect();
        Comment { name, args, text }
    }
}

/// The value of the attribute `name` of the tag on this line.
fn attribute(line: &'static str, name: &str) -> Option<&'static str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

/// All elements in the order of the XML. Each tag, and each start and end of a comment, must be on
/// a line of its own.
fn elements() -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let (mut interface, mut comment, mut in_comment) = ("", Vec::new(), false);
    for line in INTERFACE_XML.lines().map(str::trim) {
        match line {
            "<!--" => (comment, in_comment) = (Vec::new(), true),
            "-->" => in_comment = false,
            line if in_comment => comment.push(line),
            line if line.starts_with("<arg ") => {
                elements.last_mut().unwrap().args.push(attribute(line, "name").unwrap());
            }
            line => {
                let kinds = ["interface", "method", "signal", "property"];
                let kind = kinds.into_iter().find(|kind| line.starts_with(&format!("<{kind} ")));
                let Some(kind) = kind else { continue };
                let name = attribute(line, "name").unwrap();
                if kind == "interface" {
                    interface = name;
                }
                let comment = Comment::of(&std::mem::take(&mut comment));
                elements.push(Element { interface, kind, name, args: Vec::new(), comment });
            }
        }
    }
    elements
}

#[test]
fn every_interface_member_and_argument_is_described() {
    let elements = elements();
    let count = |kind| elements.iter().filter(|element| element.kind == kind).count();
    let tags = |kind| INTERFACE_XML.matches(&format!("<{kind} ")).count();
    for kind in ["interface", "method", "signal", "property"] {
        assert!(count(kind) > 2 && count(kind) == tags(kind), "{kind}: {}", count(kind));
    }
    for Element { interface, kind, name, args, comment } in &elements {
        let at = format!("{kind} {name} of {interface}");
        assert_eq!(comment.name, *name, "{at}: the comment before it is of another element");
        assert!(comment.text.iter().any(|line| !line.is_empty()), "{at} is not described");
        let expected = if *kind == "interface" { &vec!["short_description"] } else { args };
        let mut described: Vec<_> = comment.args.keys().copied().collect();
        let mut expected = expected.clone();
        expected.sort_unstable();
        described.sort_unstable();
        // The comment of a member describes all arguments and nothing else. The comment of an
        // interface describes no argument; it has a `short_description`.
        assert_eq!(described, expected, "{at}: its arguments");
        for (arg, text) in &comment.args {
            assert!(!text.trim().is_empty(), "{at}: the argument {arg} is not described");
        }
    }
}

#[test]
fn the_members_of_the_menu_are_in_the_xml() {
    let elements = elements();
    let of_menu = elements.iter().filter(|element| element.interface == MENU_INTERFACE);
    let members: Vec<_> = of_menu.skip(1).map(|member| (member.kind, member.name)).collect();
    let listed = MenuProperties::PROPERTIES.iter().map(|(name, _)| ("property", *name));
    assert_eq!(members, listed.collect::<Vec<_>>());
}

/// zbus generates `receive_faults_changed` for a property `Faults` and for a signal
/// `FaultsChanged`, so a client of both could not be compiled.
#[test]
fn no_signal_has_the_name_of_the_change_of_a_property() {
    let elements = elements();
    let of = |kind| elements.iter().filter(move |element| element.kind == kind);
    for property in of("property") {
        let change = format!("{}Changed", property.name);
        assert!(of("signal").all(|signal| signal.name != change), "{change}");
    }
}

/// The words of all variants. If the list lacks a variant, the macro does not compile.
macro_rules! words {
    ($type:ident { $($variant:ident),+ $(,)? }) => {{
        let _all_are_here = |value: $type| match value { $($type::$variant => (),)+ };
        vec![$($type::$variant.as_str()),+]
    }};
}

/// The texts in double quotes in `text`.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The words that an argument accepts, as the error for another word lists them; `None` if it is no word.
pub fn accepted<T: Argument>() -> Option<Vec<String>> {
    if <T::Wire<'_> as Type>::SIGNATURE != "s" {
        return None;
    }
    let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), "nobody").unwrap();
    let Err(Error::InvalidArgument(message)) = T::read("it", encoded.deserialize().unwrap().0)
    else {
        return None;
    };
    let (_, words) = message.split_once("; expected ").unwrap();
    Some(quoted(words))
}

/// Every argument of a command that is a word, and the words that it accepts.
fn words_of_arguments() -> Vec<((&'static str, &'static str), Vec<String>)> {
    macro_rules! words_of {
        ($(
            $(#[$doc:meta])*
            $method:ident $name:literal $function:ident($(
                $(#[$arg_doc:meta])* $arg:ident: $type:ty,
            )*) $(= $made:expr)?;
        )+) => {
            [$($( ((stringify!($method), stringify!($arg)), accepted::<$type>()), )*)+]
        };
    }
    let all = with_commands!(words_of);
    all.into_iter().filter_map(|(at, words)| Some((at, words?))).collect()
}

#[test]
fn the_values_in_the_descriptions_are_those_of_the_code() {
    let who = words!(Who { Nobody, White, Black, Arbiter, Button });
    let without = |left_out: &[Who]| -> Vec<&str> {
        let left_out: Vec<_> = left_out.iter().map(|who| who.as_str()).collect();
        who.iter().copied().filter(|word| !left_out.contains(word)).collect()
    };
    let sides = without(&[Who::Nobody, Who::Arbiter, Who::Button]);
    let side_or_none = without(&[Who::Arbiter, Who::Button]);
    let results = vec!["1-0", "0-1", "1/2-1/2", "0-0"];
    let grounds = vec!["cannot-win", "no-effort", "repetition", "fifty-moves"];
    let kinds = QuestionKind::ALL.iter().map(|kind| kind.as_str());
    let progress = QuestionProgress::ALL.iter().map(|progress| progress.as_str());
    let progress = progress.filter(|word| !word.is_empty());
    let menu_states = MenuState::ALL.iter().map(|state| state.as_str());
    let menu_buttons = MenuButton::ALL.iter().map(|button| button.as_str());
    let tested_buttons = TestedButton::ALL.iter().map(|button| button.as_str());
    let test_ends = TestEnd::ALL.iter().map(|end| end.as_str());
    let languages = Language::ALL.iter().map(|language| language.code());
    // `None` means that the daemon defines the words of this element, and that a test of the daemon
    // compares them with the XML.
    let mut expected = BTreeMap::from([
        (("Phase", ""), Some(words!(Phase { Ready, Running, Paused, Ruling, Over }))),
        (("Counting", ""), Some(words!(Counting { Down, Hourglass, Up }))),
        (("WhiteMethod", ""), Some(words!(Method { None, Increment, Delay, Bronstein }))),
        (("BlackMethod", ""), Some(words!(Method { None, Increment, Delay, Bronstein }))),
        (
            ("PausedBy", ""),
            Some(words!(PausedBy {
                Nothing,
                Arbiter,
                White,
                Black,
                Button,
                BoardGone,
                PowerCut,
                SetBack
            })),
        ),
        (("Faults", ""), Some(FaultCode::ALL.iter().map(|code| code.as_str()).collect())),
        (("OnMove", ""), Some(sides.clone())),
        (("Running", ""), Some(side_or_none.clone())),
        (("FirstFlag", ""), Some(side_or_none.clone())),
        (("ResumeConfirmedBy", ""), Some(side_or_none.clone())),
        (("ArbiterCalledBy", ""), Some(without(&[Who::Arbiter]))),
        (("Result", ""), Some([results.as_slice(), &[""]].concat())),
        (("FlagFell", "side"), Some(sides.clone())),
        (("ArbiterCalled", "by"), Some(without(&[Who::Arbiter, Who::Nobody]))),
        // The words of the key `OnMove` of `Set`.
        (("Set", ""), Some(sides.clone())),
        (("ClaimBy", ""), Some(side_or_none.clone())),
        (("ClaimGround", ""), Some([grounds.as_slice(), &[""]].concat())),
        (("ClaimState", ""), Some(ClaimState::ALL.iter().map(|state| state.as_str()).collect())),
        (("Adjourned", ""), Some(side_or_none.clone())),
        (("Questions", ""), Some(kinds.chain(progress).collect())),
        (("ClaimMade", "by"), Some(sides.clone())),
        (("ClaimMade", "ground"), Some([grounds.as_slice(), &[""]].concat())),
        (("RulingGiven", "side"), Some(side_or_none.clone())),
        (("PenaltyApplied", "side"), Some(sides.clone())),
        (("IllegalMoveNoted", "side"), Some(sides.clone())),
        (("DefaultDue", "side"), Some(sides.clone())),
        (("IncidentNoted", "side"), Some(sides.clone())),
        (("Transition", ""), None),
        // A cause of `Transition`.
        (("GameNumber", ""), None),
        (("StuckButtons", ""), None),
        (("Page", ""), Some(menu_states.chain(menu_buttons).collect())),
        (("Settings", ""), Some(languages.collect())),
        (("FindMove", "side"), Some(sides.clone())),
        (("Begin", "buttons"), Some(tested_buttons.collect())),
        (("Read", "ended"), Some(test_ends.collect())),
        (("org.chessclock.Clock1.History", ""), None),
    ]);
    let of_arguments = words_of_arguments();
    for (at, words) in &of_arguments {
        expected.insert(*at, Some(words.iter().map(String::as_str).collect()));
    }
    let described = elements().into_iter().flat_map(|element| {
        let text = (element.name, "", element.comment.text.join("\n"));
        let args = element.comment.args.iter();
        let args = args.map(|(arg, text)| (element.name, *arg, (*text).to_owned()));
        args.chain([text]).collect::<Vec<_>>()
    });
    for (name, arg, text) in described {
        let mut words = quoted(&text);
        if words.is_empty() {
            continue;
        }
        let expected = expected.remove(&(name, arg));
        let expected = expected.unwrap_or_else(|| panic!("{name} {arg}: unknown: {words:?}"));
        let Some(mut expected) = expected else { continue };
        expected.sort_unstable();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words, expected, "{name} {arg}");
    }
    assert!(expected.is_empty(), "not listed: {expected:?}");
}

/// The names before the colons in the list below this heading.
fn items_below(heading: &str) -> Vec<&'static str> {
    let elements = elements();
    let text = &elements.first().unwrap().comment.text;
    let lines = text.iter().skip_while(|line| **line != heading).skip(2);
    let section = lines.take_while(|line| !line.starts_with('^'));
    section.filter_map(|line| Some(line.strip_prefix("- ")?.split_once(':')?.0)).collect()
}

#[test]
fn every_error_of_the_service_is_listed() {
    // The errors of the service are the variants with a text, `(String)`. They are read from the
    // source, because `Error` has no list of its variants.
    let source = include_str!("../error.rs").lines();
    let mut sent: Vec<_> =
        source.filter_map(|line| line.trim().strip_suffix("(String),")).collect();
    let mut listed = items_below("Errors of the service");
    sent.sort_unstable();
    listed.sort_unstable();
    assert!(sent.len() > 10, "{sent:?}");
    assert_eq!(listed, sent);
}

#[test]
fn the_interfaces_have_the_names_of_the_crate() {
    let elements = elements();
    let interfaces = elements.iter().filter(|element| element.kind == "interface");
    let names: Vec<_> = interfaces.map(|interface| interface.name).collect();
    let listed = [
        CLOCK_INTERFACE,
        ARBITER_INTERFACE,
        HISTORY_INTERFACE,
        HEALTH_INTERFACE,
        MENU_INTERFACE,
        BUTTON_TEST_INTERFACE,
    ];
    assert_eq!(names, listed);
}
