//! The tag `Termination` of PGN: how a game ended.

use crate::record::{Entry, Record};
use clock_dbus::RecordedEvent as Event;
use clock_dbus::{RecordedState, Side, one_line};

/// How a reason begins that names the clause of the default time, in small letters, with the title
/// of the source or with its abbreviation.
const DEFAULT_TIME: [&str; 7] = [
    "fide 6.7",
    "fide laws 6.7",
    "fide laws 2023 6.7",
    "old fide laws 6.7",
    "chess organisers' handbook 6.7",
    "s0 6.7",
    "s4 6.7",
];

/// As [`DEFAULT_TIME`], for a forfeit in the arbiter's own words.
const FORFEIT: [&str; 4] = ["forfeit", "no-show", "no show", "absent"];

/// As [`DEFAULT_TIME`], for the clause of the arbiter's own award of a draw.
const ARBITERS_DRAW: [&str; 2] = ["irish allegro rules 8", "s3 8"];

/// How the game ended, in the words of the PGN standard (9.8.1).
pub fn termination(record: &Record) -> &'static str {
    if last_result(record).is_empty() {
        // Another game was set up, and this one can never be ended any more.
        return if record.game.ended.as_deref() == Some("replaced") {
            "abandoned"
        } else {
            "unterminated"
        };
    }
    given(record).map_or("normal", |given| by(given, record))
}

/// Whether the game was not played because a player did not come in time: the arbiter gave the
/// ruling on that, or a result with such a reason.
pub fn is_forfeit(record: &Record) -> bool {
    let Some(given) = given(record) else { return false };
    let Some(command) = given.carried_out() else { return false };
    let reason = one_line(&command.reason).to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| reason.starts_with(word));
    !last_result(record).is_empty()
        && match command.verb.as_str() {
            "rule" => is_default(given),
            "result" => begins(&DEFAULT_TIME) || begins(&FORFEIT),
            _ => false,
        }
}

fn last_result(record: &Record) -> &str {
    record.entries.last().map_or("", |last| last.state.result.as_str())
}

/// The entry that gave the result that stands.
fn given(record: &Record) -> Option<&Entry> {
    let mut before: Option<&Entry> = None;
    let mut given: Option<&Entry> = None;
    for entry in &record.entries {
        if before.is_none_or(|before| before.state.result != entry.state.result) {
            given = Some(entry);
        }
        before = Some(entry);
    }
    given
}

/// How the entry that gave the result ended the game.
fn by(given: &Entry, record: &Record) -> &'static str {
    let Some(command) = given.carried_out() else { return "normal" };
    let is_flag = loser(&given.state).is_some_and(|side| given.state.side(side).out_of_time);
    match command.verb.as_str() {
        "penalize" | "illegal-move" => "rules infraction",
        "rule" if is_default(given) || has_open_illegal_move(given, record) => "rules infraction",
        "rule" if is_flag => "time forfeit",
        // A draw claim: the arbiter has judged the position or the play.
        "rule" if is_judged(given, record) => "adjudication",
        "result" => by_reason(&one_line(&command.reason).to_lowercase(), is_flag, record),
        _ => "normal",
    }
}

/// The reason of a result is free text; these are the forms that the arbiter's page gives.
fn by_reason(reason: &str, is_flag: bool, record: &Record) -> &'static str {
    let is_referred = record.entries.iter().any(|entry| carried_out(entry, "refer"));
    let begins = |words: &[&str]| words.iter().any(|word| reason.starts_with(word));
    match reason {
        _ if begins(&["time", "flag"]) => "time forfeit",
        _ if begins(&DEFAULT_TIME) => "rules infraction",
        _ if is_referred || begins(&ARBITERS_DRAW) => "adjudication",
        "" if is_flag => "time forfeit",
        _ => "normal",
    }
}

/// Whether the ruling of this entry is that a late player has lost.
fn is_default(given: &Entry) -> bool {
    let word = |event: &Event| event.kind == "ruling" && event.word.as_deref() == Some("forfeit");
    given.events.iter().any(word)
}

fn carried_out(entry: &Entry, verb: &str) -> bool {
    entry.carried_out().is_some_and(|command| command.verb == verb)
}

fn loser(state: &RecordedState) -> Option<Side> {
    match state.result.as_str() {
        "1-0" => Some(Side::Black),
        "0-1" => Some(Side::White),
        _ => None,
    }
}

/// Whether the ruling answers an illegal move: nothing but questions comes between the two.
fn has_open_illegal_move(given: &Entry, record: &Record) -> bool {
    let mut earlier = record.entries.iter().rev().skip_while(|entry| entry.entry >= given.entry);
    let last = earlier.find(|entry| entry.carried_out().is_some());
    last.is_some_and(|entry| carried_out(entry, "illegal-move"))
}

/// Whether the ruling is about a claim that the arbiter judges, and not about a repetition or about
/// fifty moves, which the scoresheets show.
fn is_judged(given: &Entry, record: &Record) -> bool {
    let mut earlier = record.entries.iter().rev().skip_while(|entry| entry.entry >= given.entry);
    let claim = earlier.find_map(|entry| entry.events.iter().find(|event| event.kind == "claim"));
    let ground = claim.and_then(|claim| claim.word.as_deref());
    matches!(ground, Some("cannot-win" | "no-effort"))
}

#[cfg(test)]
mod tests {
    use super::{is_forfeit, termination};
    use crate::record::{Record, file::read};
    use serde_json::{Value, json};

    /// A game whose last entries have these commands, the last of which gives the result.
    fn game(result: &str, out_of_time: &str, entries: Value) -> Record {
        let mut record = read(include_bytes!("../../../tests/record/game.json")).unwrap().record;
        let template = record.entries[1].clone();
        let given = entries.as_array().unwrap();
        record.entries.truncate(1);
        for (index, given_entry) in given.iter().enumerate() {
            let mut entry = template.clone();
            entry.entry += u64::try_from(index).unwrap();
            entry.command = serde_json::from_value(given_entry["command"].clone()).unwrap();
            entry.events = serde_json::from_value(given_entry["events"].clone()).unwrap();
            let last = index + 1 == given.len();
            entry.state.result = if last { result.to_owned() } else { String::new() };
            entry.state.white.out_of_time = out_of_time == "white";
            record.entries.push(entry);
        }
        record.game.ended = None;
        record
    }

    fn entry(verb: &str, reason: &str, event: &str, word: &str) -> Value {
        json!({"command": {"verb": verb, "uid": 1, "reason": reason, "refused": null},
            "events": [{"kind": event, "word": word}]})
    }

    #[test]
    fn every_end_has_its_word() {
        let resume = || entry("resume", "", "resume", "");
        let claim = |ground| entry("claim-draw", "", "claim", ground);
        let result = |reason| entry("result", reason, "result", "");
        let ruling = || entry("rule", "", "ruling", "lost");
        for (score, flagged, entries, expected) in [
            ("0-1", "", json!([result("mate")]), "normal"),
            ("1-0", "white", json!([result("resignation")]), "normal"),
            ("0-1", "white", json!([result("")]), "time forfeit"),
            ("0-1", "white", json!([result("Time")]), "time forfeit"),
            ("1-0", "", json!([result("FIDE 6.7")]), "rules infraction"),
            ("1/2-1/2", "", json!([result("S3 8: only a king")]), "adjudication"),
            ("1/2-1/2", "", json!([result("Irish allegro rules 8: only a king")]), "adjudication"),
            ("1-0", "", json!([result("FIDE Laws 6.7: not there")]), "rules infraction"),
            ("1-0", "", json!([result("FIDE Laws 2023 6.7: not there")]), "rules infraction"),
            (
                "1/2-1/2",
                "",
                json!([entry("refer", "", "refer", ""), result("III.5")]),
                "adjudication",
            ),
            ("0-1", "white", json!([ruling()]), "time forfeit"),
            ("1/2-1/2", "white", json!([ruling()]), "normal"),
            ("1/2-1/2", "", json!([claim("no-effort"), resume(), ruling()]), "adjudication"),
            ("1/2-1/2", "", json!([claim("repetition"), ruling()]), "normal"),
            (
                "0-1",
                "white",
                json!([entry("illegal-move", "", "illegal-move", ""), ruling()]),
                "rules infraction",
            ),
            ("0-1", "", json!([entry("penalize", "", "penalty", "loss")]), "rules infraction"),
            ("0-0", "", json!([entry("rule", "", "ruling", "forfeit")]), "rules infraction"),
            ("1/2-1/2", "", json!([entry("rule", "", "ruling", "draw-accepted")]), "normal"),
            ("", "white", json!([resume()]), "unterminated"),
        ] {
            let record = game(score, flagged, entries.clone());
            assert_eq!(termination(&record), expected, "{score} {entries}");
        }
        let mut given_up = game("", "", json!([resume()]));
        given_up.game.ended = Some("replaced".to_owned());
        assert_eq!(termination(&given_up), "abandoned");
    }

    #[test]
    fn a_game_that_was_not_played_is_a_forfeit() {
        let result = |reason| entry("result", reason, "result", "");
        for (given, expected) in [
            (entry("rule", "", "ruling", "forfeit"), true),
            (result("FIDE 6.7"), true),
            (result("Forfeit"), true),
            (result("forfeited on time"), true),
            (result("time forfeit"), false),
            (result("mate"), false),
            (entry("penalize", "", "penalty", "loss"), false),
        ] {
            assert_eq!(is_forfeit(&game("1-0", "", json!([given]))), expected, "{given}");
        }
        // The forfeit was taken back, and the game was played.
        let played = json!([
            entry("rule", "", "ruling", "forfeit"),
            entry("reopen", "", "reopen", ""),
            result("mate")
        ]);
        let mut record = game("1-0", "", played);
        record.entries[1].state.result = "1-0".to_owned();
        assert!(!is_forfeit(&record));
        assert!(!is_forfeit(&game("", "", json!([entry("reopen", "", "reopen", "")]))));
    }

    #[test]
    fn a_result_that_was_taken_back_does_not_count() {
        let given = json!([
            entry("penalize", "", "penalty", "loss"),
            entry("reopen", "", "reopen", ""),
            entry("result", "mate", "result", "")
        ]);
        let mut record = game("1-0", "", given);
        record.entries[1].state.result = "0-1".to_owned();
        assert_eq!(termination(&record), "normal");
    }
}
