use super::{Arbiter, SetUp, Use, Wired};
use clock_languages::Language;
use toml::Spanned;

const KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

fn error(text: &str) -> String {
    SetUp::parse(text).expect_err(text).to_string()
}

#[test]
fn a_whole_file_is_read() {
    let text = format!(
        "host_name = 'clock-12'\nboard = 12\nlanguage = 'ga'\narrangement = 'facing'\nrotation = 90\n\
         [wiring]\nchip = 'x'\ninput = 'rocker'\nwhite.line = 1\nblack.line = 'B'\n\
         [arbiters]\n'Vera Menchik' = '{KEY} vera@home'\n\
         [wifi]\ncountry = 'IE'\nssid = 'Club'\npassphrase = '''sesame  '''\n"
    );
    let read = SetUp::parse(&text).unwrap();
    assert_eq!(read.host_name.as_deref(), Some("clock-12"));
    assert_eq!(read.board.as_deref(), Some("12"));
    assert_eq!((read.language, read.rotation), (Some(Language::Irish), Some(90)));
    assert_eq!(read.arrangement, Some("facing"));
    let Some(Wired::Written(wiring)) = &read.wiring else { panic!("{:?}", read.wiring) };
    super::check_wiring(wiring).unwrap();
    assert!(wiring.contains("input = \"rocker\"") && !wiring.contains("[wiring"), "{wiring}");
    let vera = Arbiter { name: "Vera Menchik".into(), key: KEY.into() };
    assert_eq!(read.arbiters.as_ref().unwrap().get_ref(), &[vera]);
    let wifi = read.wifi.as_ref().unwrap().get_ref();
    assert_eq!((wifi.country.as_str(), wifi.ssid.as_str()), ("IE", "Club"));
    let secret = wifi.passphrase.as_ref().unwrap();
    assert_eq!((secret.given(), &text[secret.inside.clone()]), (Some("sesame  "), "sesame  "));
    assert!(!format!("{read:?}").contains("sesame"));
    let masked = secret.masked(&text);
    assert_eq!(masked, text.replace("sesame  ", "********"));
    SetUp::parse(&masked).unwrap();
    assert_eq!(SetUp::parse("").unwrap(), SetUp::default());
}

#[test]
fn stars_stand_for_the_passphrase_that_the_clock_has() {
    let text = "[wifi]\ncountry = 'IE'\nssid = 'Club'\npassphrase = \"********\"\n";
    let wifi = SetUp::parse(text).unwrap().wifi.unwrap().into_inner();
    let secret = wifi.passphrase.unwrap();
    assert_eq!((secret.given(), &text[secret.inside.clone()]), (None, "********"));
    let open = SetUp::parse("wifi = { country = 'IE', ssid = 'Club' }").unwrap();
    assert_eq!(open.wifi.unwrap().into_inner().passphrase, None);
}

#[test]
fn mistakes_are_named_with_line_and_column_and_what_is_expected() {
    let wifi = "[wifi]\ncountry = 'IE'\nssid = 'Club'\n";
    for (text, said) in [
        ("bord = 1\n", "1:1: unknown key `bord`, expected one of `host_name`"),
        ("board = 1\nboard = 2\n", "2:1: `board` is given twice"),
        (
            "\nhost_name = 'clock_1'\n",
            "2:13: `host_name`: the host name \"clock_1\": it has the character '_'",
        ),
        ("host_name = 12\n", "1:13: "),
        ("board = 0\n", "1:9: `board`: `0`; expected a number from 1 to 9999"),
        ("board = -1\n", "1:9: `board`: `-1`; expected a number from 1 to 9999"),
        ("board = 10000\n", "1:9: `board`: `10000`; expected"),
        ("board = ''\n", "1:9: `board`: ``; expected"),
        ("board = 'A 3'\n", "1:9: `board`: `A 3`; expected"),
        ("board = 1.5\n", "1:9: `board` is `1.5`; expected a number such as 12, or text"),
        (
            "language = 'dk'\n",
            "1:12: `language`: `dk`; expected \"en\", \"de\", \"fr\", \"es\", \"nl\", \"pl\" or \"ga\"",
        ),
        (
            "arrangement = 'round'\n",
            "1:15: `arrangement`: `round`; expected \"side-by-side\", \"stacked\", \"facing\", \"auto\" or \"largest\"",
        ),
        ("rotation = 45\n", "1:12: `rotation`: `45`; expected 0, 90, 180 or 270"),
        ("time_zone = 'Berlin'\n", "1:13: `time_zone`: `Berlin`; expected the name of a time zone"),
        (
            "screen_mode = 'big'\n",
            "1:15: `screen_mode`: `big`; expected \"auto\", or width, height and pictures",
        ),
        ("screen_mode = 1024\n", "1:15: `screen_mode` is `1024`; expected text in quotation marks"),
        ("use = 'home'\n", "1:7: `use`: `home`; expected \"club\" or \"tournament\""),
        ("\nuse = true\n", "2:7: `use` is `true`; expected text in quotation marks"),
        ("use = 'club'\nuse = 'club'\n", "2:1: `use` is given twice"),
        ("control = '3+'\n", "1:11: `control`: `3+`; "),
        ("control = './x.toml'\n", "1:11: `control`: `./x.toml`; expected the name of a time"),
        ("control = ''\n", "1:11: `control`: ``; expected the name of a time control"),
        ("rules = 'a b'\n", "1:9: `rules`: `a b`; expected the name of a rule profile such as"),
        ("call_button = 'no'\n", "1:15: `call_button` is \"no\"; expected true or false"),
        (
            "call_button = false\n[wiring]\nchip = 'x'\nwhite.line = 1\nblack.line = 2\ncall.line = 3\n",
            "1:15: `call_button`: `false`, but the table [wiring] has [wiring.call]; expected true",
        ),
        (
            "call_button = true\n[wiring]\nchip = 'x'\nwhite.line = 1\nblack.line = 2\n",
            "1:15: `call_button`: `true`, but the table [wiring] has no [wiring.call]; expected false",
        ),
        ("wiring = '../x'\n", "1:10: `wiring`: `../x`; expected the name of a wiring file"),
        ("wiring = 3\n", "1:10: `wiring` is `3`; expected the name of a wiring file"),
        ("[wiring]\nchip = 'x'\nwhite.line = 1\n", "missing key `black`"),
        (
            "[wiring]\nchip = 'x'\nwhite.line = 1\nblack.line = 1\n",
            "4:14: `line`: line 1 is used twice, by `white` and `black`",
        ),
        ("[wiring]\nchip = []\nwhite.line = 1\nblack.line = 2\n", "2:8: `chip` names no chip"),
        (
            "[wiring]\nchip = 'x'\ninput = 'lever'\nwhite.line = 1\nblack.line = 2\n",
            "3:9: `input` is `lever`; expected `buttons` or `rocker`",
        ),
        ("[wiring]\nchip = 'x'\nwite.line = 1\n", "3:1: unknown key `wite`"),
        ("arbiters = 'x'\n", "1:12: `arbiters` is \"x\"; expected a table of names with keys"),
        (
            "[arbiters]\nVera = 'ssh-dss AAAA'\n",
            "2:8: `Vera`: the key of Vera: it has the type `ssh-dss`",
        ),
        ("[arbiters]\n'' = 'x'\n", "2:6: ``: the arbiter \"\": expected a name"),
        ("[arbiters]\n\"a\\nb\" = 'x'\n", "2:10: `a\\nb`: the arbiter \"a\\nb\": expected a name"),
        ("[wifi]\nssid = 'Club'\n", "1:1: missing key `country`"),
        (
            "[wifi]\ncountry = 'ie'\nssid = 'x'\n",
            "2:11: `country`: `ie`; expected two capital letters",
        ),
        ("[wifi]\ncountry = 'IE'\nssid = ''\n", "3:8: `ssid`: ``; expected the name of a network"),
        ("[wifi]\ncountry = 'IE'\nssid = 'a'\nkey = 'x'\n", "4:1: unknown key `key`"),
        (&format!("{wifi}passphrase = 'sesame'\n"), "4:14: the passphrase has 6 bytes; expected 8"),
        (&format!("{wifi}passphrase = 'sesam\u{f6}ffne'\n"), "4:14: the passphrase has"),
        (
            &format!("{wifi}passphrase = 5353535353\n"),
            "4:14: `passphrase`: a passphrase without quotation marks",
        ),
        (
            &format!("{wifi}passphrase = 53.5353535\n"),
            "4:14: `passphrase`: a passphrase without quotation marks",
        ),
        (
            &format!("{wifi}passphrase = 2053-05-30\n"),
            "4:14: `passphrase`: a passphrase without quotation marks",
        ),
        (
            &format!("{wifi}passphrase = ['sesame 53']\n"),
            "4:14: `passphrase`: a passphrase without quotation",
        ),
        (
            &format!("{wifi}passphrase = sesame53\n"),
            "4:14: `passphrase`: text without quotation marks",
        ),
        (&format!("{wifi}passphrase = 'sesame53\n"), "4:"),
        (&format!("passphrase = 'sesame53'\n{wifi}"), "1:1: unknown key `passphrase`"),
    ] {
        let why = error(text);
        assert!(why.contains(said), "{text:?}: {why}");
        assert!(!why.contains("sesam") && !why.contains("53"), "{why}");
    }
}

/// The values of `use` are what docs/first-clock.md promises, and `control` and `rules` have precedence.
#[test]
fn a_use_is_a_time_control_and_rules_unless_they_are_given() {
    let start = |text: &str| {
        let set_up = SetUp::parse(text).unwrap();
        let inner = |it: Option<Spanned<String>>| it.map(Spanned::into_inner).unwrap_or_default();
        [inner(set_up.start_control()), inner(set_up.start_rules())]
    };
    for (text, expected) in [
        ("", ["", ""]),
        ("use = 'club'", ["5+3", "players-agree"]),
        ("use = 'tournament'", ["fide-standard", "fide-2023"]),
        ("use = 'tournament'\ncontrol = '40/90, G/30, +30'", ["40/90, G/30, +30", "fide-2023"]),
        ("rules = 'us-chess'\nuse = 'club'", ["5+3", "us-chess"]),
        ("control = 'blitz-3-2'", ["blitz-3-2", ""]),
    ] {
        assert_eq!(start(text), expected, "{text}");
    }
    let configs = include_str!("../../../configs/clockd.toml");
    let (control, rules) = Use::Club.game();
    for line in [format!("control = \"{control}\""), format!("rules = \"{rules}\"")] {
        assert!(configs.lines().any(|it| it == line), "a new card is a club's clock: {line}");
    }
}

#[test]
fn the_call_button_decides_between_two_names_of_a_wiring() {
    let name = |text: &str, present| {
        let name = SetUp::parse(text).unwrap().wiring_name(present);
        name.map(Spanned::into_inner).unwrap_or_default()
    };
    for (text, present, expected) in [
        ("", "ours", ""),
        ("call_button = false", "ours", "ours-two-buttons"),
        ("call_button = false", "ours-two-buttons", "ours-two-buttons"),
        ("call_button = true", "ours-two-buttons", "ours"),
        ("wiring = 'hall'\ncall_button = false", "ours", "hall-two-buttons"),
        ("wiring = 'hall-two-buttons'", "ours", "hall-two-buttons"),
        ("wiring = 'hall'\ncall_button = true", "ours-two-buttons", "hall"),
        ("call_button = false\n[wiring]\nchip = 'x'\nwhite.line = 1\nblack.line = 2", "ours", ""),
    ] {
        assert_eq!(name(text, present), expected, "{text}, {present}");
    }
}

/// Editors of Windows write a byte order mark and other line ends.
#[test]
fn a_file_of_windows_is_read_and_its_passphrase_is_found() {
    let text = "\u{feff}board = 1\r\n[wifi]\r\ncountry = 'IE'\r\nssid = 'a'\r\npassphrase = 'sesame53'\r\n";
    let secret = SetUp::parse(text).unwrap().wifi.unwrap().into_inner().passphrase.unwrap();
    assert_eq!(secret.masked(text), text.replace("sesame53", "********"));
    assert!(error("\u{feff}board = 1\r\nbord = 2\r\n").starts_with("2:1: "));
}

#[test]
fn two_arbiters_have_two_keys() {
    let why = error(&format!("[arbiters]\nVera = '{KEY}'\nSonja = '{KEY} other'\n"));
    assert_eq!(why, "3:9: `Sonja`: Sonja has the same key as Vera");
    let many: String = (0..101).map(|n| format!("a{n} = '{KEY}'\n")).collect();
    assert_eq!(error(&format!("[arbiters]\n{many}")), "1:1: 101 arbiters; at most 100");
}

/// The words are those of `display.toml`, whose comment lists them all.
#[test]
fn the_arrangements_and_rotations_are_those_of_the_face() {
    let shipped = include_str!("../../../configs/display.toml");
    let (_, first) = shipped.split_once("# How the halves of the players lie: ").unwrap();
    let first = first.split("\narrangement = ").next().unwrap();
    let words: Vec<&str> = first.split('"').skip(1).step_by(2).collect();
    assert_eq!(words, super::ARRANGEMENTS);
    let angles = "in degrees: 0, 90, 180 or 270.";
    assert!(shipped.contains(angles));
    assert_eq!(
        super::value::one_of(&super::ROTATIONS.map(|it| it.to_string())),
        &angles[12..angles.len() - 1]
    );
}
