//! What was meant by a word of the command line that `clockctl` does not know: the word that it has
//! for the same thing, or a verb that is written almost like it.
//!
//! A word is answered with a verb of similar spelling only if that verb cannot change a game: whoever
//! types `resign` must not be led to `rewind`. Words with the same meaning are in a table instead.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{Cli, LOOKS};

/// Words, the verb after which they stand (empty for the verb itself, `*` for any place), and the
/// answer.
type Meant = (&'static str, &'static [&'static str], &'static str);

const TAKE_BACK: &str = "undo-press takes the last press back, and rewind sets the clock back to an \
                         earlier move";
const LATE: &str = "a late player who comes: clockctl arrive black; the ruling on a lateness: clockctl \
                    rule forfeit --side black, or clockctl rule waive --side black";
const RESULT: &str = "the verb is result, as in: clockctl result 1-0 mate";
const REPETITION: &str = "a claim of repetition is: clockctl claim draw repetition --by white";
const FIFTY_MOVES: &str = "a claim of fifty moves is: clockctl claim draw fifty-moves --by white";
const CLAIM_DRAW: &str = "a draw claim is: clockctl claim draw GROUND --by white, with one of the grounds \
                          cannot-win, no-effort, repetition, fifty-moves";
const SUBTRACT: &str = "the verb is add with a minus sign, as in: clockctl add white -30s";
const SET: &str = "the verb is set, as in: clockctl set white 31m";
const SET_MOVES: &str = "a move counter is an option of set, as in: clockctl set --white-moves 24";
const PENALTY: &str = "the verb is penalize, as in: clockctl penalize white warning";
const BUTTONS: &str = "the verb is set-buttons, as in: clockctl set-buttons exchanged";
const CHANGE_CONTROL: &str =
    "the verb is change-time-control, as in: clockctl change-time-control 60+30";
const PRESS: &str = "only the buttons of the clock complete a move; the side on move is set with: \
                     clockctl set --on-move black";
const START: &str = "the verb is start for a new game, and resume after a pause";
const FOLLOW: &str = "watch follows the clock without an option, until Ctrl-C";
const SIDE_FIRST: &str = "the side comes first, as in: clockctl add white 2m";

const TABLE: &[Meant] = &[
    ("", &["show", "info", "state", "list", "ls", "get", "display"], "the verb is status"),
    ("", &["version"], "the option is --version"),
    ("", &["history", "journal", "record", "moves"], "the verb is log"),
    ("", &["follow", "tail", "monitor"], "the verb is watch"),
    ("", &["check", "test", "diagnose", "health"], "the verb is doctor"),
    (
        "",
        &["dump", "download", "pgn", "save"],
        "the verb is export, as in: clockctl export game.pgn",
    ),
    ("", &["go", "play", "begin", "run"], START),
    ("", &["continue"], "the verb is resume, and resume-adjourned for an adjourned game"),
    ("", &["switch", "press", "move", "hit"], PRESS),
    ("", &["freeze", "hold", "interrupt"], "the verb is pause"),
    ("", &["reset", "init", "game"], "the verb is new, as in: clockctl new 90+30"),
    ("", &["attach"], "the verb is record-attachment"),
    ("", &["confirm"], "the verb is record-confirmation"),
    ("", &["decide", "decision", "reject", "forfeit-ruling"], "the verb is rule"),
    (
        "",
        &["control", "tc", "controls"],
        "the verb is time-control, and change-time-control changes it",
    ),
    ("", &["set-control", "change-control", "set-time-control"], CHANGE_CONTROL),
    ("", &["undo"], "the verb is undo-press"),
    ("", &["revert", "takeback", "take-back", "back"], TAKE_BACK),
    ("", &["correct", "edit", "fix"], "the verb is set, and set-names for names"),
    ("", &["set-time", "time"], SET),
    ("", &["set-moves", "set-move"], SET_MOVES),
    ("", &["sub", "subtract", "take", "remove", "minus"], SUBTRACT),
    ("", &["give", "plus", "award"], "the verb is add, as in: clockctl add white 2m"),
    ("", &["rename", "names", "name", "players", "set-name"], "the verb is set-names"),
    ("", &["end", "finish", "win", "lose", "loss", "mate", "checkmate"], RESULT),
    ("", &["stalemate"], "the verb is result, as in: clockctl result 1/2-1/2 stalemate"),
    (
        "",
        &["resign", "resigned", "resignation"],
        "the verb is result; if White resigns: clockctl result 0-1 resignation",
    ),
    (
        "",
        &["draw"],
        "the verb is result, as in: clockctl result 1/2-1/2; a player's claim is clockctl claim draw",
    ),
    ("", &["repetition", "threefold"], REPETITION),
    ("", &["fifty", "fifty-moves", "50-moves"], FIFTY_MOVES),
    ("", &["late", "absent", "forfeit", "default", "no-show", "walkover", "waive"], LATE),
    ("", &["arrived"], "the verb is arrive, as in: clockctl arrive black"),
    ("", &["call", "call-flag", "flagged", "timeout"], "the verb is flag"),
    ("", &["warn", "warning", "penalise", "penalties"], PENALTY),
    ("", &["illegalmove"], "the verb is illegal-move, as in: clockctl illegal-move white"),
    ("", &["seal", "adjournment"], "the verb is adjourn, as in: clockctl adjourn white 41"),
    ("", &["exchange", "swap", "flip", "sides", "buttons"], BUTTONS),
    ("", &["note", "incidents"], "the verb is incident, as in: clockctl incident white other"),
    ("", &["boards", "clocks"], "the clocks of a hall are an option: clockctl --hall FILE status"),
    (
        "",
        &["increment", "delay", "bronstein"],
        "the verb is change-method, as in: clockctl change-method increment 30s",
    ),
    ("claim", &["repetition", "threefold", "threefold-repetition"], REPETITION),
    ("claim", &["fifty", "fifty-moves", "50-moves", "50"], FIFTY_MOVES),
    (
        "claim",
        &["cannot-win", "no-effort", "white", "black", "position", "normal-means"],
        CLAIM_DRAW,
    ),
    ("time-control", &["set", "change"], CHANGE_CONTROL),
    ("set", &["control", "time-control"], CHANGE_CONTROL),
    ("set", &["moves", "move"], SET_MOVES),
    ("set", &["names", "name", "players"], "the verb is set-names"),
    ("set", &["rules"], "the verb is set-rules"),
    ("set", &["buttons"], BUTTONS),
    (
        "set",
        &["--white", "--black"],
        "the time is --white-time or --black-time, as in: clockctl set white 31m",
    ),
    ("add", &["both"], "one side at a time: clockctl add white 2m, then clockctl add black 2m"),
    ("log", &["-n", "--lines"], "the option is --last, as in: clockctl log --last 10"),
    ("watch", &["-f", "--follow"], FOLLOW),
    ("status", &["-f", "--follow"], "the verb is watch"),
    ("*", &["--tc", "--time-control"], "the option is --control"),
    ("*", &["--revision"], "the option is --if-revision"),
    (
        "*",
        &["--ground"],
        "the ground is given without an option, as in: clockctl claim draw fifty-moves --by white",
    ),
];

/// Which word was meant by the verb, the option or the value that clap does not know, after `verb`,
/// such as `clockctl claim`. `None` leaves clap's own message.
pub fn meant(error: &clap::Error, verb: &str) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(given)) => Some(given.as_str()),
        _ => None,
    };
    let after = verb.strip_prefix("clockctl").unwrap_or(verb).trim_start();
    if let Some(given) = word(ContextKind::InvalidSubcommand) {
        return known(after, given).or_else(|| Some(similar(after, given)));
    }
    match error.kind() {
        ErrorKind::InvalidValue => {
            return word(ContextKind::InvalidValue).and_then(|given| instead_of_word(after, given));
        }
        ErrorKind::ValueValidation => {
            return word(ContextKind::InvalidValue).and_then(|given| known(after, given));
        }
        _ => {}
    }
    match word(ContextKind::InvalidArg) {
        Some(side @ ("white" | "black")) if after == "resume" => {
            Some(format!("the side is an option, as in: clockctl resume --side {side}"))
        }
        Some(given) => known(after, given),
        None => missing_word(error, after),
    }
}

/// What the table says of this word after this verb.
fn known(after: &str, given: &str) -> Option<String> {
    let given = given.split('=').next().unwrap_or(given);
    let is_it = |(verb, words, _): &&Meant| {
        (*verb == after || *verb == "*") && words.contains(&given.to_lowercase().as_str())
    };
    TABLE.iter().find(is_it).map(|(.., meant)| (*meant).to_owned())
}

/// What was meant by a value that is none of the words that its argument takes.
fn instead_of_word(after: &str, given: &str) -> Option<String> {
    let is_time = given.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit());
    match after {
        "add" if is_time => Some(SIDE_FIRST.to_owned()),
        _ => known(after, given),
    }
}

/// The verbs that only look and differ from the word in one or two letters; for a verb with verbs of
/// its own, those that it has.
fn similar(after: &str, given: &str) -> String {
    let cli = Cli::all_verbs();
    if !after.is_empty() {
        let words: Vec<&str> = subcommand(&cli, after)
            .map(|command| command.get_subcommands().map(Command::get_name).collect())
            .unwrap_or_default();
        let words: Vec<&str> = words.into_iter().filter(|word| *word != "help").collect();
        return format!("{after} takes one of {}", words.join(", "));
    }
    let most = if given.chars().count() > 3 { 2 } else { 1 };
    let is_similar = |verb: &&str| distance(given, verb) <= most;
    match LOOKS.iter().copied().filter(is_similar).collect::<Vec<_>>().as_slice() {
        [] => "clockctl --help lists the verbs".to_owned(),
        several => format!("perhaps {}?", several.join(" or ")),
    }
}

fn subcommand<'a>(cli: &'a Command, after: &str) -> Option<&'a Command> {
    after.split(' ').try_fold(cli, |level, name| level.find_subcommand(name))
}

/// The words that a missing argument can be, if there are some to choose from.
fn missing_word(error: &clap::Error, after: &str) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let cli = Cli::all_verbs();
    subcommand(&cli, after)?.get_positionals().find_map(|argument| {
        let name = argument.get_value_names()?.first()?;
        let values = argument.get_possible_values();
        let words: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
        let is_missing = missing.contains(&format!("<{name}>"));
        // That a side is white or black is known.
        (is_missing && words.len() > 2).then(|| format!("{name} is one of {}", words.join(", ")))
    })
}

/// How many letters must be added, left out, replaced or exchanged with their neighbour to make one
/// word of the other (the optimal string alignment distance).
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    // The rows of the table for the first letters of `one`: two before, one before, and this one.
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, with) in other.iter().enumerate() {
            let replaced = row[j] + usize::from(letter != with);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *with {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::{LOOKS, TABLE, distance, known, similar, subcommand};
    use crate::cli::Cli;

    #[test]
    fn an_exchange_of_neighbours_is_one_letter() {
        for (one, other, expected) in [
            ("", "", 0),
            ("log", "log", 0),
            ("stauts", "status", 1),
            ("lgo", "log", 1),
            ("resign", "rewind", 3),
            ("press", "undo-press", 5),
            ("docter", "doctor", 1),
            ("ab", "ba", 1),
            ("é", "e", 1),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }

    /// All words that differ from this one by one letter.
    fn misspelt(word: &str) -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        let joined = |letters: &[char]| letters.iter().collect::<String>();
        let mut words = Vec::new();
        for at in 0..letters.len() {
            let mut without = letters.clone();
            without.remove(at);
            let mut exchanged = letters.clone();
            exchanged.swap(at, (at + 1) % letters.len());
            let mut other = letters.clone();
            other[at] = 'x';
            words.extend([joined(&without), joined(&exchanged), joined(&other)]);
        }
        words
    }

    #[test]
    fn no_misspelt_word_is_answered_with_a_verb_that_changes_a_game() {
        let cli = Cli::command();
        let verbs: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
        let mut suggested = 0;
        for word in verbs.iter().flat_map(|verb| misspelt(verb)) {
            let said = similar("", &word);
            let Some(list) = said.strip_prefix("perhaps ").and_then(|it| it.strip_suffix('?'))
            else {
                assert_eq!(said, "clockctl --help lists the verbs");
                continue;
            };
            suggested += 1;
            for verb in list.split(" or ") {
                assert!(LOOKS.contains(&verb) && distance(&word, verb) <= 2, "{word}: {said}");
            }
        }
        assert!(suggested > 50, "{suggested}");
        for far in ["resign", "late", "subtract", "press", "xyzzy", "repetition", "go"] {
            assert_eq!(similar("", far), "clockctl --help lists the verbs", "{far}");
        }
    }

    #[test]
    fn every_word_of_the_table_is_unknown_to_clap_and_every_answer_can_be_typed() {
        let cli = Cli::all_verbs();
        for (after, words, meant) in TABLE {
            assert!(matches!(*after, "" | "*") || subcommand(&cli, after).is_some(), "{after}");
            for word in *words {
                let is_verb = after.is_empty() && cli.find_subcommand(word).is_some();
                assert!(!is_verb, "{word} is a verb, or another name of one");
                assert_eq!(
                    known(after, word).as_deref(),
                    Some(*meant),
                    "{after} {word} is there twice"
                );
            }
            for (before, command) in
                meant.match_indices("clockctl ").map(|(at, _)| meant.split_at(at))
            {
                let words = command.trim_start_matches("clockctl ").split([';', ',']);
                let line = words.into_iter().next().unwrap_or_default().trim();
                let line = line.replace("GROUND", "no-effort").replace("FILE", "hall.toml");
                let given = ["clockctl"].into_iter().chain(line.split(' '));
                // `clockctl claim draw` names a verb without its arguments.
                let parsed = Cli::command().try_get_matches_from(given);
                assert!(parsed.is_ok() || line == "claim draw", "{before}[{line}]: {parsed:?}");
            }
        }
    }
}
