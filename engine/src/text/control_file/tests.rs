//! Control files, good and bad.

mod docs;
mod methods;
mod terms;

use super::*;
use crate::{Method, PerSide, Span};

fn read(text: &str) -> Control {
    ControlFile::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")).control
}

/// Checks that the text is refused at this line, with a message that contains all parts.
fn refused(text: &str, line: usize, parts: &[&str]) {
    let error = ControlFile::parse(text).expect_err(text);
    assert_eq!(error.place.line, line, "{error}\n{text}");
    for part in parts {
        assert!(error.message.contains(part), "{part}: {error}\n{text}");
    }
    for programmers_word in ["u32", "i64", "field", "sequence", "map", "a string", "$"] {
        assert!(!error.message.contains(programmers_word), "{error}");
    }
    assert!(!error.message.contains('\n'), "{error}");
    assert_eq!(error.to_string(), format!("{line}:{}: {}", error.place.column, error.message));
}

/// A file with a valid name and these lines.
fn file(lines: &str) -> String {
    format!("name = 'Test'\n{lines}\n")
}

/// A file with a single period that has a time and these lines. The first of these lines is line 4
/// of the file.
fn in_period(lines: &str) -> String {
    file(&format!("[[period]]\ntime = '5m'\n{lines}"))
}

fn secs(secs: u64) -> Span {
    Span::from_secs(secs)
}

#[test]
fn a_whole_control() {
    let text = "# Comments are for people.
name = 'Everything'
period_end = 'moves'
after_flag = 'run'
first_move_increment = false

[[period]]
moves = 40
time = '1:30:00'
increment = '30s'

[[period]]
moves = 20
time = { white = '30m', black = '25m' }
delay = { white = '5s', black = '0s' }

[[period]]
time = '0:15:00.5'
bronstein = '250ms'
";
    let file = ControlFile::parse(text).unwrap();
    assert_eq!(file.name, "Everything");
    let periods = [
        Period {
            moves: Some(40),
            time: PerSide::both(secs(5400)),
            method: PerSide::both(Method::Increment(secs(30))),
        },
        Period {
            moves: Some(20),
            time: PerSide { white: secs(1800), black: secs(1500) },
            method: PerSide { white: Method::Delay(secs(5)), black: Method::Delay(Span::ZERO) },
        },
        Period {
            moves: None,
            time: PerSide::both(Span::from_nanos(900_500_000_000)),
            method: PerSide::both(Method::Bronstein(Span::from_nanos(250_000_000))),
        },
    ];
    let expected = Control::new(
        &periods,
        Terms { after_flag: Some(AfterFlag::Run), first_move_increment: false, ..Terms::default() },
    )
    .unwrap();
    assert_eq!(file.control, expected);
}

#[test]
fn an_error_has_the_column_in_characters() {
    for (line, column) in [("increment = '5y'", 13), ("  colour = 1", 3), ("moves = 0", 9)] {
        let text = in_period(&format!("# ⚑ é\n{line}"));
        let error = ControlFile::parse(&text).expect_err(line);
        assert_eq!((error.place.line, error.place.column), (5, column), "{error}");
    }
    let error = ControlFile::parse("\u{feff}name = 7\n").expect_err("no title");
    assert_eq!((error.place.line, error.place.column), (1, 8), "{error}");
}

#[test]
fn omitted_keys_have_their_default() {
    let plain = read(&in_period(""));
    assert_eq!(plain, Control::single(secs(300), Method::None));
    assert!(plain.terms().first_move_increment);
    assert_eq!(plain.after_flag(), AfterFlag::Run);
    assert_eq!(read(&in_period("increment = '3s'")).after_flag(), AfterFlag::Halt);
}

#[test]
fn after_flag_is_as_written() {
    for (word, after) in [("halt", AfterFlag::Halt), ("run", AfterFlag::Run)] {
        let text = file(&format!("after_flag = '{word}'\n[[period]]\ntime = '5m'"));
        assert_eq!(read(&text).after_flag(), after);
    }
}

#[test]
fn the_longest_times_and_the_most_periods() {
    let many = "[[period]]\nmoves = 1\ntime = '1000h'\n".repeat(15);
    let control = read(&file(&format!("{many}[[period]]\ntime = '1000:00:00'")));
    assert_eq!(control.count(), 16);
    read(&in_period("increment = '0s'"));
}

#[test]
fn a_text_of_more_than_16_kib_is_refused_before_it_is_parsed() {
    let text = |size: usize| {
        let text = in_period("");
        format!("{text}#{}", "x".repeat(size - text.len() - 1))
    };
    assert!(ControlFile::parse(&text(ControlFile::LIMIT)).is_ok());
    let error = ControlFile::parse(&text(ControlFile::LIMIT + 1)).unwrap_err();
    assert_eq!(error.to_string(), "1:1: 16385 bytes; a control file has at most 16 KiB");
}

#[test]
fn sides_as_a_table_of_their_own() {
    let control = read(&in_period("[period.increment]\nwhite = '3s'\nblack = '2s'"));
    let method = control.periods()[0].method;
    assert_eq!(method.white, Method::Increment(secs(3)));
    assert_eq!(method.black, Method::Increment(secs(2)));
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_do_no_harm() {
    read("\u{feff}name = 'Test'\r\n[[period]]\r\ntime = '5m'\r\n");
    refused("name = 'Test'\r\n[[period]]\r\ntime = '5y'\r\n", 3, &["`5y`"]);
}

#[test]
fn an_unknown_key_is_refused_by_name_with_what_is_expected() {
    let top = ["`name`", "`period_end`", "`after_flag`", "`period`"];
    for key in ["colour", "Name", "periods", "afterflag"] {
        let text = file(&format!("{key} = 1\n[[period]]\ntime = '5m'"));
        refused(&text, 2, &[&format!("unknown key `{key}`"), "expected"]);
        refused(&text, 2, &top);
    }
    for key in ["increments", "name", "after_flag", "min"] {
        let text = in_period(&format!("{key} = '3s'"));
        refused(&text, 4, &[&format!("unknown key `{key}`"), "`time`", "`increment`"]);
    }
    let text = in_period("increment = { white = '3s', black = '2s', green = '1s' }");
    refused(&text, 4, &["unknown key `green`", "expected `white` or `black`"]);
    let text = in_period("[period.increment]\nwhite = '3s'\nblack = '2s'\n\nblue = '1s'");
    refused(&text, 8, &["unknown key `blue`"]);
}

#[test]
fn a_time_that_is_none() {
    for (value, parts) in [
        ("'-5m'", &["`-5m` is negative", "0 or more"][..]),
        ("'0:31'", &["0:31:00 or 0:00:31"]),
        ("'5 minutes'", &["`5 minutes`", "1:30:00", "90m"]),
        ("''", &["no duration", "1:30:00"]),
        ("'1001h'", &["`1001h`", "longer than", "1000:00:00"]),
        ("90", &["is `90`", "expected a duration", "1:30:00"]),
        ("-90", &["is `-90`", "expected a duration"]),
        ("1.5", &["`1.5`", "expected a duration"]),
        ("true", &["`true`", "expected a duration"]),
        ("['5m', '5m']", &["is a list", "expected a duration", "white"]),
        ("1:30:00", &["without quotation marks", "\"1:30:00\""]),
        ("01:30:00", &["without quotation marks", "\"1:30:00\""]),
        ("5m", &["without quotation marks"]),
        ("{ white = '5m', black = 4 }", &["is `4`", "expected a duration"]),
        ("{ white = '5m', black = '-4m' }", &["`-4m` is negative"]),
        ("{ white = '5m', white = '5m', black = '4m' }", &["`white` is given twice"]),
    ] {
        let text = file(&format!("[[period]]\n# The time:\ntime = {value}"));
        refused(&text, 4, parts);
        let text = in_period(&format!("increment = {value}"));
        refused(&text, 4, parts);
    }
}

#[test]
fn a_missing_time_is_asked_for_at_its_period() {
    let text = file("[[period]]\nmoves = 40\ntime = '5m'\n\n[[period]]\nincrement = '3s'");
    refused(&text, 6, &["needs `time`", "1:30:00"]);
    for method in ["hourglass = true", "overtime = { periods = 1, time = '30s', moves = 1 }"] {
        refused(&file(&format!("[[period]]\n{method}")), 2, &["needs `time`", "1:30:00"]);
    }
}

#[test]
fn a_time_for_one_side_only() {
    for (given, missing) in [("white = '5m'", "black"), ("black = '5m'", "white"), ("", "white")] {
        let text = file(&format!("[[period]]\n\ntime = {{ {given} }}"));
        refused(&text, 4, &[&format!("missing key `{missing}`"), "both sides"]);
    }
}

#[test]
fn the_moves_of_a_period() {
    let text = file("[[period]]\nmoves = 40\ntime = '5m'\n[[period]]\nmoves = 20\ntime = '5m'");
    refused(&text, 5, &["the last period has `moves`"]);
    let text = file("[[period]]\ntime = '5m'\n\n[[period]]\ntime = '5m'");
    refused(&text, 2, &["period 1", "no `moves`"]);
    for (value, found) in [
        ("0", "`0`"),
        ("-1", "`-1`"),
        ("4294967296", "`4294967296`"),
        ("'forty'", "\"forty\""),
        ("40.0", "`40.0`"),
    ] {
        let text =
            file(&format!("[[period]]\ntime = '5m'\nmoves = {value}\n[[period]]\ntime = '5m'"));
        refused(&text, 4, &["is", found, "expected a number of moves from 1"]);
    }
    let text = file(
        "[[period]]\nmoves = 4294967295\ntime = '5m'\n[[period]]\nmoves = 1\ntime = '5m'\n[[period]]\ntime = '5m'",
    );
    refused(&text, 8, &["moves of all periods together"]);
}

#[test]
fn no_periods_and_too_many() {
    refused("name = 'Test'\n", 1, &["no period", "[[period]]"]);
    refused(&file("period = []"), 2, &["0 periods", "1 to 16"]);
    let many = "[[period]]\nmoves = 1\ntime = '5m'\n".repeat(16);
    refused(&file(&format!("{many}[[period]]\ntime = '5m'")), 50, &["17 periods", "1 to 16"]);
    refused(&file("[period]\ntime = '5m'"), 2, &["[[period]]"]);
    refused(&file("period = '5m'"), 2, &["is \"5m\"", "expected a list"]);
}

#[test]
fn a_word_that_is_not_expected_is_refused() {
    let period = "[[period]]\ntime = '5m'";
    for (line, parts) in [
        (
            "period_end = 'sometimes'",
            &["sometimes", "\"moves\"", "\"zero\"", "\"moves-at-zero\"", "\"black-completes\""][..],
        ),
        ("period_end = 1", &["`1`", "text in quotation marks"]),
        ("after_flag = 'stop'", &["stop", "\"halt\"", "\"run\""]),
        ("after_flag = 'Halt'", &["Halt", "\"halt\"", "\"run\""]),
        ("after_flag = false", &["`false`", "text in quotation marks"]),
        ("first_move_increment = 'yes'", &["\"yes\"", "true or false"]),
        ("first_move_increment = 1", &["`1`", "true or false"]),
        ("draw_odds = 'both'", &["both", "\"white\" or \"black\""]),
        ("draw_odds = 'White'", &["White", "\"white\" or \"black\""]),
        ("draw_odds = true", &["`true`", "text in quotation marks"]),
        ("set_back_pause = 'yes'", &["\"yes\"", "true or false"]),
    ] {
        refused(&file(&format!("{line}\n{period}")), 2, parts);
    }
}

#[test]
fn the_name() {
    let period = "[[period]]\ntime = '5m'";
    refused(&format!("{period}\n"), 1, &["no `name`", "title"]);
    refused(&format!("\n\nname = ''\n{period}\n"), 3, &["`name` is empty", "title"]);
    for character in ["0000", "001b", "0085"] {
        let name = format!("\nname = \"a\\u{character}b\"\n{period}\n");
        refused(&name, 2, &["`name` has a control character", "title"]);
    }
    refused(&format!("name = '  '\n{period}\n"), 1, &["`name` is empty"]);
    refused(&format!("name = 7\n{period}\n"), 1, &["`7`", "text in quotation marks"]);
    refused(&format!("name = Blitz\n{period}\n"), 1, &["without quotation marks"]);
    refused("", 1, &["no `name`"]);
}

#[test]
fn keys_given_twice() {
    refused(&file("name = 'Again'\n[[period]]\ntime = '5m'"), 2, &["`name` is given twice"]);
    refused(&in_period("time = '6m'"), 4, &["`time` is given twice"]);
}

#[test]
fn what_is_no_toml() {
    refused("name\n", 1, &["expected `=`"]);
    refused(&file("[[period]\ntime = '5m'"), 2, &["`]`"]);
    refused(&file("[[period]]\ntime = '5m"), 3, &["`'`"]);
}
