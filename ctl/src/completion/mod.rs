//! What the shells show when the user presses the tabulator key: the words that can follow on an
//! unfinished command line.
//!
//! The scripts in `ctl/completions` call `clockctl __complete WORD…`, with every word after
//! `clockctl` up to the cursor; the last one is the word at the cursor, and is empty after a space.
//! The first line of the answer is `files` if file names fit, too, and otherwise `words`. Each
//! further line is a candidate with a tab and its description.
//!
//! A command line is unfinished most of the time, so nothing here is an error: where nothing is
//! known, there is no candidate.

mod live;
mod place;

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command, ValueHint};

use self::live::{Source, source};
use self::place::{Place, Wanted};
use crate::{cli::Cli, out, text::plain};
use live::Candidate;

/// The first word of a command line that asks for candidates.
const VERB: &str = "__complete";

/// The unfinished command line of which this process is asked to complete the last word; `None` if
/// it is to carry out a verb.
pub fn asked() -> Option<Vec<String>> {
    let mut words = std::env::args_os().skip(1);
    (words.next()? == VERB)
        .then(|| words.map(|word: OsString| word.to_string_lossy().into()).collect())
}

/// Prints the candidates for the last of these words.
pub async fn run(words: &[String]) {
    // A shell that has gone away needs no candidates.
    let _ = out::print(&answer(&Cli::all_verbs(), words).await);
}

async fn answer(command: &Command, words: &[String]) -> String {
    let place = Place::of(command, words);
    let is_fitting = |candidate: &Candidate| {
        // A candidate is one line, and its word one word of a terminal.
        candidate.word.starts_with(&place.typed) && !candidate.word.chars().any(char::is_control)
    };
    let mut candidates = candidates(&place).await;
    candidates.retain(is_fitting);
    let mut answer = String::from(if takes_files(&place) { "files\n" } else { "words\n" });
    for Candidate { word, description } in candidates {
        answer.push_str(&format!("{}{word}\t{}\n", place.before, plain(&description)));
    }
    answer
}

async fn candidates(place: &Place<'_>) -> Vec<Candidate> {
    match place.wanted {
        Wanted::Value(argument) => values(place, argument).await,
        Wanted::Option => options(place),
        Wanted::Word(argument) => {
            let mut words = verbs(place.command);
            if let Some(argument) = argument {
                words.extend(values(place, argument).await);
            }
            words
        }
    }
}

/// Whether the value that is typed can be the path of a file.
fn takes_files(place: &Place<'_>) -> bool {
    let argument = match place.wanted {
        Wanted::Value(argument) | Wanted::Word(Some(argument)) => argument,
        Wanted::Word(None) | Wanted::Option => return false,
    };
    // A time control can be given as a file wherever it can be given.
    if source(&place.verb, argument.get_id().as_str()) == Some(Source::Controls) {
        return true;
    }
    let names = argument.get_value_names().unwrap_or_default();
    let is_named_so = names.iter().any(|name| name.split('|').any(|name| name.ends_with("FILE")));
    is_named_so || argument.get_value_hint() == ValueHint::AnyPath
}

async fn values(place: &Place<'_>, argument: &Arg) -> Vec<Candidate> {
    if let Some(source) = source(&place.verb, argument.get_id().as_str()) {
        return live::read(source, &place.given).await;
    }
    let possible = argument.get_possible_values();
    let shown = possible.iter().filter(|value| !value.is_hide_set());
    shown.map(|value| Candidate::new(value.get_name(), first_line(value.get_help()))).collect()
}

fn verbs(command: &Command) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    shown.map(|verb| Candidate::new(verb.get_name(), first_line(verb.get_about()))).collect()
}

/// The options that were not given yet.
fn options(place: &Place<'_>) -> Vec<Candidate> {
    let is_new = |argument: &&Arg| {
        let repeats = matches!(argument.get_action(), ArgAction::Append | ArgAction::Count);
        repeats || !place.options.contains(&argument.get_id().as_str())
    };
    let shown = place.command.get_arguments().filter(|argument| !argument.is_hide_set());
    let mut shown: Vec<&Arg> = shown.collect();
    shown.sort_by_key(|argument| argument.is_global_set());
    let named = shown.into_iter().filter(is_new).filter_map(|argument| {
        let name = format!("--{}", argument.get_long()?);
        Some(Candidate::new(name, first_line(argument.get_help())))
    });
    named.collect()
}

fn first_line(help: Option<&StyledStr>) -> String {
    let help = help.map(StyledStr::to_string).unwrap_or_default();
    help.lines().next().unwrap_or_default().to_owned()
}
