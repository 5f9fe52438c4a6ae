use super::{FileSum, MAX_BYTES, read, write};
use crate::record::chain::{Chain, with_sum};

const GAME: &str = include_str!("../../../tests/record/game.json");
/// The game of `GAME` in a file of an older version, which had no state and no sum.
const OLDER: &str = include_str!("../../../tests/record/older.json");

fn refused(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_file_is_read_with_its_chain() {
    let file = read(GAME.as_bytes()).unwrap();
    assert_eq!(file.chain, Chain::Intact);
    assert_eq!(file.record.game.black, "Graf, Sonja \u{202e}\\");
    assert_eq!(file.last().state.result, "1-0");
    let marked = format!("\u{feff}{GAME}");
    assert_eq!(read(marked.as_bytes()).unwrap(), file);
}

#[test]
fn what_is_written_is_what_was_read() {
    let (head, rest) = GAME.split_once(",\n\"entries\":[\n").unwrap();
    let game = head.split_once("\"game\":").unwrap().1;
    let (entries, rest) = rest.split_once("\n],\n\"state\":").unwrap();
    let entries: Vec<String> = entries.split(",\n").map(str::to_owned).collect();
    let state = rest.split_once(",\n\"sum\":").unwrap().0;
    let chain = &read(GAME.as_bytes()).unwrap().last().chain.clone();
    assert_eq!(write(game, &entries, chain, Some(state)), GAME);
}

/// The sum in `GAME` was computed with another program (Python's hashlib).
#[test]
fn the_sum_covers_control_players_rules_result_and_state() {
    let file = read(GAME.as_bytes()).unwrap();
    assert_eq!((file.chain, file.sum), (Chain::Intact, FileSum::Matches));
    for (from, to) in [
        ("increment = \\\"0:00:03\\\"", "increment = \\\"0:00:30\\\""),
        ("Menchik", "Menchick"),
        ("\"rules\":\"fide-2023\"", "\"rules\":\"us-chess\""),
        ("\"result\":\"1-0\",\"ended\"", "\"result\":\"0-1\",\"ended\""),
        ("\"illegal_moves\":1", "\"illegal_moves\":0"),
        ("\"after_flag\":\"run\"", "\"after_flag\":\"halt\""),
        ("\"sum\":\"", "\"sum\":\"0"),
    ] {
        let changed = GAME.replacen(from, to, 1);
        assert_ne!(changed, GAME, "{from}");
        let file = read(changed.as_bytes()).unwrap();
        assert_eq!((file.chain, file.sum), (Chain::Intact, FileSum::Differs), "{from}");
    }
    let spaced = GAME.replace(",\"", " ,\n \"");
    assert_eq!(read(spaced.as_bytes()).unwrap().sum, FileSum::Matches);
}

/// The chain ends with the last entry that is there, so it does not show that later ones are missing.
#[test]
fn missing_last_entries_are_noticed() {
    let more = GAME.replacen("\"entries\":31", "\"entries\":32", 1);
    let last = read(GAME.as_bytes()).unwrap().last().entry;
    assert_eq!(read(more.as_bytes()).unwrap().chain, Chain::Broken { entry: last + 1 });
    let fewer = GAME.replacen("\"entries\":31", "\"entries\":30", 1);
    assert_eq!(read(fewer.as_bytes()).unwrap().chain, Chain::Intact, "the game went on meanwhile");
}

/// The clock counts the entries that it has lost, too.
#[test]
fn a_game_with_lost_entries_is_intact() {
    let file = read(GAME.as_bytes()).unwrap();
    let [.., before, last] = file.record.entries.as_slice() else { panic!("two entries") };
    let line = GAME.lines().find(|line| line.starts_with("{\"entry\":70,")).unwrap();
    let moved = line.replacen("\"entry\":70,", "\"entry\":75,", 1);
    let moved = with_sum(&before.chain, &moved);
    assert_eq!((last.entry, with_sum(&before.chain, line).as_str()), (70, line));
    let text = GAME.replacen(line, &moved, 1);
    for (entries, chain) in [(36, Chain::Intact), (37, Chain::Broken { entry: 76 })] {
        let text = text.replacen("\"entries\":31", &format!("\"entries\":{entries}"), 1);
        assert_eq!(read(text.as_bytes()).unwrap().chain, chain, "{entries}");
    }
}

#[test]
fn a_file_of_an_older_version_has_no_state_and_no_sum() {
    let older = read(OLDER.as_bytes()).unwrap();
    assert_eq!((older.chain, older.sum, &older.state), (Chain::Intact, FileSum::Missing, &None));
    assert_eq!(older.record, read(GAME.as_bytes()).unwrap().record);
}

/// If the state in a file is wrong, the rest of the file is read all the same.
#[test]
fn a_wrong_state_is_named_and_a_missing_fact_is_listed() {
    let state = |from: &str, to: &str| {
        let changed = GAME.replacen(from, to, 1);
        assert_ne!(changed, GAME, "{from}");
        read(changed.as_bytes()).unwrap().state.unwrap()
    };
    for (from, to, expected) in [
        ("\"delay_left\":0", "\"delay_left\":-1", "`delay_left` is `-1`; expected"),
        ("\"delay_left\":0,", "", "missing key `delay_left`"),
        ("\"referred\":", "\"refered\":", "unknown key `refered`"),
        (
            "\"stop\":null",
            &format!("\"stop\":\"{}\"", "x".repeat(17_000)),
            "expected at most 16384",
        ),
    ] {
        let error = state(from, to).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let older = state("\"handling_penalty\":false,", "").unwrap();
    // The file is of a version without announcements and countdowns.
    let later = ["facts.announcement", "facts.countdown_since"];
    assert_eq!(older.missing[..2], later);
    assert_eq!(older.missing[2..], ["facts.sides.white.handling_penalty"]);
    let complete = state("\"illegal_moves\":1", "\"illegal_moves\":2").unwrap();
    assert_eq!(complete.missing, later);
}

#[test]
fn a_changed_file_is_read_and_known_to_be_changed() {
    let changed =
        GAME.replacen("\"remaining_ns\":310000000000", "\"remaining_ns\":910000000000", 1);
    assert_ne!(changed, GAME);
    assert_eq!(read(changed.as_bytes()).unwrap().chain, Chain::Broken { entry: 48 });
    let lines: Vec<&str> = GAME.lines().collect();
    let without: Vec<&str> =
        lines.iter().filter(|line| !line.starts_with("{\"entry\":50,")).copied().collect();
    assert_eq!(without.len() + 1, lines.len());
    let found = read(without.join("\n").as_bytes()).unwrap().chain;
    assert_eq!(found, Chain::Broken { entry: 51 });
}

/// Checks the error message for each of the wrong files below.
#[test]
fn a_wrong_file_is_refused_with_the_place() {
    let replaced = |from: &str, to: &str| {
        assert!(GAME.contains(from), "{from}");
        GAME.replacen(from, to, 1)
    };
    for (text, expected) in [
        (String::new(), "it is no JSON object"),
        ("[1, 2]".to_owned(), "it is no JSON object"),
        (
            "{}".to_owned(),
            "it has no key chess_clock_record; expected a file of clockctl export --format json",
        ),
        (
            "{\"chess_clock_record\":2}".to_owned(),
            "its version (chess_clock_record) is 2; this clockctl reads version 1",
        ),
        (
            "{\"chess_clock_record\":\"1\"}".to_owned(),
            "its version (chess_clock_record) is \"1\"; this clockctl reads version 1",
        ),
        ("{\"chess_clock_record\":1}".to_owned(), "line 1, column 24: missing key `game`"),
        (GAME[..GAME.len() / 2].to_owned(), "line 19, column "),
        (
            replaced("\"phase\":\"ready\"", "\"phase\":\"asleep\""),
            "line 4, column 414: `phase` is `asleep`; expected one of",
        ),
        (
            replaced("\"moves\":0", "\"moves\":-1"),
            "line 4, column 533: `moves` is `-1`; expected a whole number from 0 to 4294967295",
        ),
        (
            replaced("\"moves\":0", "\"moves\":4294967296"),
            "line 4, column 541: `moves` is `4294967296`; expected a whole number from 0",
        ),
        (
            replaced("\"remaining_ns\":300000000000", "\"remaining_ns\":1e3"),
            "line 4, column 500: `remaining_ns` is `1000.0`; expected a whole number of 0 or more",
        ),
        (
            replaced("\"remaining_ns\":300000000000,", ""),
            "line 4, column 612: missing key `remaining_ns`",
        ),
        (
            replaced("\"on_move\":\"white\"", "\"on_move\":\"white\",\"on_move\":\"black\""),
            "line 4, column 441: `on_move` is given twice",
        ),
        (
            replaced("\"entry\":41", "\"entry\":40"),
            "entry 40 follows entry 40; their numbers have to rise",
        ),
        (
            replaced("\"game\":3,\"boot\"", "\"game\":4,\"boot\""),
            "entry 40 is of game 4; expected game 3",
        ),
        (format!("{GAME}x"), "line 38, column 1: there is more text after the end"),
        (
            format!("{{\"chess_clock_record\":1,\"game\":{}}}", "[".repeat(1000)),
            "line 1, column 1032: no value; expected one",
        ),
    ] {
        let said = refused(&text);
        assert!(said.starts_with(expected), "{said:?} for {expected:?}");
    }
    let head = GAME.split_once("\"entries\":[").unwrap().0;
    assert_eq!(refused(&format!("{head}\"entries\":[]}}")), "it has no entries");
    assert_eq!(
        read(b"{\n\n\"\xff\"}").unwrap_err().to_string(),
        "line 3, column 2: it is not UTF-8 text"
    );
    assert_eq!(
        read(&vec![b' '; MAX_BYTES + 1]).unwrap_err().to_string(),
        "it has more than 40 MiB"
    );
    let long = format!("{{\"chess_clock_record\":\"{}\"}}", "é".repeat(1000));
    assert!(refused(&long).chars().count() < 300, "{}", refused(&long));
}
