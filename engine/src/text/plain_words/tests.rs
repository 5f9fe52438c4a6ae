use super::{Format, key_at, of_toml, plain_message, plain_system_errors};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the messages of the parser are looked at")]
struct Everything {
    small: Option<u8>,
    count: Option<u32>,
    large: Option<u64>,
    signed: Option<i64>,
    path: Option<PathBuf>,
    text: Option<String>,
    letter: Option<char>,
    switch: Option<bool>,
    ratio: Option<f64>,
    list: Option<Vec<u32>>,
    pair: Option<[u32; 2]>,
    word: Option<Word>,
    names: Option<BTreeMap<String, u32>>,
    inner: Option<Inner>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    One,
    Two,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the messages of the parser are looked at")]
struct Inner {
    must: u32,
}

const KEYS: [&str; 14] = [
    "small", "count", "large", "signed", "path", "text", "letter", "switch", "ratio", "list",
    "pair", "word", "names", "inner",
];

/// Each key with a value of each kind: the message names the key, and no type of a compiler.
#[test]
fn no_wrong_value_is_answered_with_the_words_of_a_compiler() {
    let toml = |text: &str| match toml::from_str::<Everything>(text) {
        Ok(_) => None,
        Err(error) => Some(of_toml(text, error.span().unwrap_or(0..0), error.message())),
    };
    let json = |text: &str| match serde_json::from_str::<Everything>(text) {
        Ok(_) => None,
        Err(error) => {
            let message = error.to_string();
            let (message, _) = message.rsplit_once(" at line ").unwrap();
            Some(plain_message(message, None, Format::Json))
        }
    };
    let values = [
        "-1",
        "256",
        "4294967296",
        "18446744073709551616",
        "-9223372036854775809",
        "1.5",
        "true",
        "\"text\"",
        "[]",
        "[1, 2, 3]",
        "[\"x\"]",
        "{}",
        "{ x = 1 }",
        "{ must = -1 }",
        "1979-05-27",
        "07:32:00",
        "text",
        "",
        "nan",
        "0x",
    ];
    let mut count = 0;
    for key in KEYS {
        for value in values {
            let text = format!("{key} = {value}\n");
            if let Some(said) = toml(&text) {
                count += 1;
                assert_plain(&said, &text);
                let named =
                    ["`must`", "`x`", &format!("`{key}`")].iter().any(|it| said.contains(*it));
                assert!(named, "{text}: {said}");
            }
            let value =
                value.replace(" = ", ": ").replace("x:", "\"x\":").replace("must:", "\"must\":");
            let text = format!("{{\"{key}\": {value}}}");
            if let Some(said) = json(&text) {
                assert_plain(&said, &text);
            }
        }
    }
    assert!(count > 150, "{count}");
}

fn assert_plain(said: &str, text: &str) {
    for word in [
        "invalid type",
        "invalid value",
        "expected u",
        "expected i",
        "expected f",
        "integer",
        "i128",
        "struct",
        "variant",
        "field",
        "sequence",
        "map",
        "tuple",
        "EOF",
        "path string",
        "boolean",
        "floating point",
        "ident",
    ] {
        assert!(!said.contains(word) || text.contains(word), "{text}: {said}");
    }
}

#[test]
fn a_message_says_what_is_given_and_what_is_accepted() {
    for (message, expected) in [
        (
            "invalid value: integer `-1`, expected u8",
            "`x` is `-1`; expected a whole number from 0 to 255",
        ),
        ("invalid value: integer `1` as i128, expected i64", "`x` is `1`; expected a whole number"),
        (
            "invalid type: map, expected path string",
            "`x` is a table; expected text in quotation marks",
        ),
        (
            "invalid length 3, expected an array of length 2",
            "`x` is a list of 3 values; expected a list of 2 values",
        ),
        ("unknown variant `v3`, expected `v1` or `v2`", "`x` is `v3`; expected `v1` or `v2`"),
        ("unknown field `y`, expected `x`", "unknown key `y`, expected `x`"),
        ("duplicate field `y`", "`y` is given twice"),
        ("expected 1 s to 60 s", "`x`: expected 1 s to 60 s"),
        ("`x` is out of its range", "`x` is out of its range"),
    ] {
        assert_eq!(plain_message(message, Some("x"), Format::Toml), expected);
    }
    let long = format!("invalid type: string \"{}\", expected u32", "é".repeat(100));
    assert!(plain_message(&long, None, Format::Json).chars().count() < 120);
}

#[test]
fn the_key_of_a_value_is_found() {
    let text = "a = 1\n[b]\nc = [1, { d = 2 }]\n[[e]]\nf.g = 'x'\n";
    for (value, key) in [("1\n", "a"), ("1,", "c"), ("2", "d"), ("'x'", "g")] {
        assert_eq!(key_at(text, text.find(value).unwrap()).as_deref(), Some(key), "{value}");
    }
    assert_eq!(key_at(text, 0), None);
    for header in ["[b]", "[[e]]"] {
        assert_eq!(key_at(text, text.find(header).unwrap()), None, "{header}");
    }
    let odd = "\"a\\nb\" = 1\nlist = [\n  1,\n  { x = 2 },\n]\n";
    assert_eq!(key_at(odd, odd.find("1").unwrap()).as_deref(), Some("a\\nb"));
    assert_eq!(key_at(odd, odd.find("1,").unwrap()).as_deref(), Some("list"));
    let wrong = "a = 1\ncontrol = x\n";
    assert_eq!(key_at(wrong, wrong.find('x').unwrap()).as_deref(), Some("control"));
    assert_eq!(key_at(wrong, wrong.find("control").unwrap()), None);
}

#[test]
fn errors_of_the_system_are_found_in_a_text() {
    let of = |number| std::io::Error::from_raw_os_error(number).to_string();
    for (text, expected) in [
        (format!("x: {}", of(2)), "x: there is no such file"),
        (
            format!("x: {}; y: {}!", of(13), of(28)),
            "x: permission denied; y: no space is left on the storage!",
        ),
        (of(30), "Read-only file system"),
        ("no (os error 2)".to_owned(), "no (os error 2)"),
        ("x (os error ".to_owned(), "x (os error "),
        ("x (os error 99999999999)".to_owned(), "x (os error 99999999999)"),
        ("plain".to_owned(), "plain"),
    ] {
        assert_eq!(plain_system_errors(&text), expected);
    }
}
