//! Rule files, good and bad.

mod docs;
mod shipped;

use super::*;
use crate::Span;
use crate::rules::{BothFlags, PenaltyKind, PerRate};

fn none(name: &str) -> Result<String, String> {
    Err(format!("no rule profile `{name}`"))
}

fn read(text: &str) -> RuleFile {
    RuleFile::parse(text, none).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Checks that the text is refused at this place, with a message that contains all parts.
fn refused(text: &str, place: (usize, usize), parts: &[&str]) {
    refused_with(text, none, place, parts);
}

fn refused_with(
    text: &str,
    find: impl Fn(&str) -> Result<String, String>,
    place: (usize, usize),
    parts: &[&str],
) {
    let error = RuleFile::parse(text, find).expect_err(text);
    assert_eq!((error.place.line, error.place.column), place, "{error}\n{text}");
    for part in parts {
        assert!(error.message.contains(part), "{part}: {error}\n{text}");
    }
    assert!(!error.message.contains('\n'), "{error}");
    assert_eq!(error.to_string(), format!("{}:{}: {}", place.0, place.1, error.message));
}

/// A file with a valid name and these lines.
fn file(lines: &str) -> String {
    format!("name = 'Test'\n{lines}\n")
}

#[test]
fn values_of_every_kind_are_read() {
    let profile = read(&file(
        "both_flags = 'drawn'\nafter_flag = 'run'\nblack_starts = false\ndefault_after = '30m'\n\
         hold_warning = 'never'\nclaim_below = '0:02:00'\nsetting_moves = 10\nillegal_loses_at = 0x3\n\
         penalties = ['fine', 'loss']\ngame_points = '1.5'\nillegal_award = '2m'\n\
         wrong_claim_award = { standard = '2m', rapid = '1m', blitz = '30s' }",
    ))
    .profile;
    let secs = Span::from_secs;
    let expected = Profile {
        both_flags: BothFlags::Drawn,
        after_flag: Some(crate::AfterFlag::Run),
        black_starts: false,
        default_after: secs(1800),
        hold_warning: None,
        claim_below: Some(secs(120)),
        setting_moves: Some(10),
        illegal_loses_at: 3,
        penalties: [PenaltyKind::Loss, PenaltyKind::Fine][..].into(),
        game_half_points: 3,
        illegal_award: PerRate::all(secs(120)),
        wrong_claim_award: PerRate { standard: secs(120), rapid: secs(60), blitz: secs(30) },
        ..Profile::default()
    };
    assert_eq!(profile, expected);
}

#[test]
fn a_file_with_a_name_only_is_article_6() {
    let file = read("name = 'Plain'");
    assert_eq!((file.profile, file.name.as_str()), (Profile::default(), "Plain"));
    assert_eq!(file.guidance, Guidance::default());
    assert!(Parameter::ALL.iter().all(|parameter| file.origin(parameter) == Origin::Default));
    read("\u{feff}name = 'Windows'\r\nshow_moves = true\r\n");
}

#[test]
fn a_wrong_value_is_refused_with_line_and_column_and_what_is_accepted() {
    for (line, column, parts) in [
        ("both_flags = 'both'", 14, &["`both_flags = 'both'`", "\"continue\"", "or \"drawn\""][..]),
        ("both_flags = 'Drawn'", 14, &["`both_flags = 'Drawn'`", "\"drawn\""]),
        ("both_flags = 1", 14, &["`both_flags = 1`", "\"drawn\""]),
        ("after_flag = 'never'", 14, &["\"default\", \"halt\" or \"run\""]),
        ("show_moves = 'yes'", 14, &["`show_moves = 'yes'`", "true or false"]),
        ("default_after = '-1h'", 17, &["`default_after`: `-1h` is negative", "\"0:02:00\""]),
        ("default_after = '0:31'", 17, &["0:31:00 or 0:00:31", "expected a duration"]),
        ("default_after = 'never'", 17, &["`never` is no duration", "expected a duration"]),
        ("default_after = 60", 17, &["`default_after = 60`", "expected a duration"]),
        ("default_after = 1:00:00", 17, &["without quotation marks"]),
        ("default_after = 01:00:00", 17, &["`default_after = 01:00:00`", "\"0:02:00\""]),
        ("default_after = '1001h'", 17, &["longer than the 1000:00:00"]),
        ("claim_below = '0s'", 15, &["`claim_below = '0s'`", "above 0", "\"never\""]),
        ("claim_below = 'nevre'", 15, &["`nevre` is no duration", "\"never\""]),
        ("setting_moves = -1", 17, &["from 0 to 10000", "\"never\""]),
        ("setting_moves = 10001", 17, &["`setting_moves = 10001`", "from 0 to 10000"]),
        ("illegal_loses_at = 2.5", 20, &["`illegal_loses_at = 2.5`", "from 0 to 10000"]),
        ("illegal_loses_at = 99999999999", 20, &["from 0 to 10000"]),
        ("game_points = 1", 15, &["`game_points = 1`", "\"0.5\"", "\"1000\""]),
        ("game_points = '0'", 15, &["\"0.5\""]),
        ("game_points = '0.25'", 15, &["steps of a half"]),
        ("game_points = '1000.5'", 15, &["\"1000\""]),
        (
            "penalties = []",
            13,
            &["`penalties = []`", "at least one of \"warning\"", "and \"fine\""],
        ),
        ("penalties = 'loss'", 13, &["a list of"]),
        ("penalties = ['loss', 'slap']", 22, &["'slap'", "\"opponent-plus\""]),
        ("penalties = ['loss', 'loss']", 22, &["`penalties`: \"loss\" is given twice"]),
        ("illegal_award = { standard = '2m' }", 17, &["`rapid` is missing", "blitz ="]),
        ("illegal_award = { standart = '2m' }", 19, &["unknown key `standart`", "standard ="]),
        (
            "illegal_award = { standard = '2m', rapid = '1x', blitz = '1m' }",
            44,
            &["`illegal_award`: `1x` is no duration"],
        ),
        ("shwo_moves = true", 1, &["unknown key `shwo_moves`", "`inherits`", "`show_moves`"]),
        ("game_half_points = 2", 1, &["unknown key", "`game_points`"]),
        ("name = 'Again'", 1, &["`name` is given twice"]),
        ("inherits = 7", 12, &["`inherits = 7`", "the name of a rule file"]),
        ("inherits = 'nothing'", 12, &["no rule profile `nothing`"]),
        ("guidance = 'read it'", 12, &["`guidance = 'read it'`", "[guidance]"]),
        ("guidance.flags = 'x'", 10, &["unknown key `flags`", "`flag`", "`flag-order`"]),
        ("guidance.flag = 7", 17, &["`flag = 7`", "1 to 1000 characters"]),
        // Columns are counted in characters, not in bytes.
        ("guidance = { flag = 'é⚑', stop = 7 }", 34, &["`stop = 7`"]),
        ("guidance.flag = ' '", 17, &["`flag` is empty"]),
        ("show_moves = true\u{7}", 14, &["neither true nor false"]),
    ] {
        refused(&file(line), (2, column), parts);
        refused(&file(&format!("# ⚑ é\n\n  {line}")), (4, column + 2), parts);
    }
    let long = "x".repeat(1001);
    refused(&file(&format!("guidance.stop = '{long}'")), (2, 17), &["`stop` has 1001 characters"]);
    refused(&file(&format!("both_flags = '{long}'")), (2, 14), &["x…`"]);
    refused(&file("é = 1"), (2, 1), &[]);
    refused(&file("\"é\\u001b\" = 1"), (2, 1), &["unknown key `é `"]);
}

#[test]
fn the_name_is_required() {
    refused("show_moves = true\n", (1, 1), &["no `name`", "\"County league\""]);
    refused("", (1, 1), &["no `name`"]);
    refused("\nname = ' '\n", (2, 8), &["`name` is empty"]);
    refused("name = 7", (1, 8), &["`name = 7`", "a title"]);
}

#[test]
fn parameters_that_leave_no_way_on_are_refused() {
    let unsupervised = "authority = 'nobody'\nclaim_below = '2m'";
    refused(&file(unsupervised), (2, 13), &["nobody could rule", "`claim_stops = \"concludes\"`"]);
    let concludes = format!("{unsupervised}\nclaim_stops = 'concludes'");
    refused(&file(&concludes), (4, 15), &["could not be referred", "\"verified\""]);
    read(&file(&format!("{concludes}\nreferral = 'verified'")));
    read(&file("authority = 'nobody'"));
    read(&file("penalties = ['warning']"));
}

#[test]
fn a_file_inherits_parameters_and_texts_and_overrides_them() {
    let find = |name: &str| match name {
        "b" => Ok("name = 'B'\ninherits = 'c'\nshow_moves = false\nhold_warning = '9s'\n\
                   guidance.flag = 'Flag of B'"
            .to_owned()),
        "c" => Ok("name = 'C'\nhold_warning = '8s'\nboth_flags = 'drawn'\n\
                   guidance.flag = 'Flag of C'\nguidance.stop = 'Stop of C'"
            .to_owned()),
        other => none(other),
    };
    let text = "name = 'A'\ninherits = 'b'\nhold_warning = '7s'\n[guidance]\nclaim = 'Claim of A'";
    let file = RuleFile::parse(text, find).unwrap();
    assert_eq!((file.name.as_str(), &file.inherited[..]), ("A", &["b".to_owned(), "c".into()][..]));
    assert_eq!(file.profile.hold_warning, Some(Span::from_secs(7)));
    let origin = |key: &str| {
        file.origin(Parameter::ALL.iter().find(|parameter| parameter.key == key).unwrap())
    };
    assert_eq!(origin("hold_warning"), Origin::Own);
    assert_eq!(origin("show_moves"), Origin::Inherited("b"));
    assert_eq!(origin("both_flags"), Origin::Inherited("c"));
    assert_eq!(origin("cites"), Origin::Default);
    let texts = [Situation::Flag, Situation::Stop, Situation::Claim, Situation::Penalty];
    let texts = texts.map(|situation| file.guidance.get(situation));
    assert_eq!(texts, [Some("Flag of B"), Some("Stop of C"), Some("Claim of A"), None]);
}

#[test]
fn cycles_and_long_chains_are_refused_at_the_key_that_inherits() {
    let text = |inherits: &str| format!("name = 'x'\ninherits = '{inherits}'\n");
    let same = |name: &str| Ok(text(name));
    refused_with(&text("a"), same, (2, 12), &["the inherited file `a`: 2:12: `a` inherits itself"]);
    let pair = |name: &str| Ok(text(if name == "a" { "b" } else { "a" }));
    refused_with(&text("a"), pair, (2, 12), &["file `b`: 2:12: `a` inherits itself"]);

    let chain = |length: usize| {
        move |name: &str| match name.parse::<usize>() {
            Ok(number) if number < length => Ok(text(&(number + 1).to_string())),
            _ => Ok("name = 'Last'".to_owned()),
        }
    };
    let file = RuleFile::parse(&text("1"), chain(8)).unwrap();
    assert_eq!(file.inherited.len(), 8);
    refused_with(&text("1"), chain(9), (2, 12), &["at most 8 files", "`inherits = \"9\"`"]);

    let wrong = |_: &str| Ok("name = 'x'\n\nshow_moves = 1\n".to_owned());
    refused_with(&text("a"), wrong, (2, 12), &["the inherited file `a`: 3:14: `show_moves = 1`"]);
}

#[test]
fn a_text_is_one_paragraph() {
    let file = read(&file("guidance.flag = \"\"\"\n  Two\n  lines.\n\"\"\""));
    assert_eq!(file.guidance.get(Situation::Flag), Some("Two lines."));
}

#[test]
fn points_are_halves() {
    for (text, half_points) in [("0", 0), ("0.5", 1), ("1", 2), ("1.0", 2), ("1.5", 3), ("10", 20)]
    {
        assert_eq!(parse_points(text), Some(half_points), "{text}");
    }
    for text in ["", ".5", "0.", "-1", "+1", "1.25", "1,5", "½", "1000.5", "99999", "1.50", " 1"] {
        assert_eq!(parse_points(text), None, "{text}");
    }
    assert_eq!([0, 1, 2, 3].map(points), ["0", "0.5", "1", "1.5"]);
}
