//! How a failed run ends: a sentence on standard error, an object for scripts, an exit code.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory};
use clock_controls::suggest;
use clock_engine::text::plain_system_errors;

use crate::{
    cli::Cli,
    failure::Failure,
    json::{FailureBody, FailureJson},
    options::color_given,
    out, text,
};

/// Prints what went wrong and returns the exit code.
pub fn failure(error: &anyhow::Error, cli: &Cli) -> ExitCode {
    let options = &cli.options;
    let (code, exit) = Failure::codes_of(error);
    let message = plain_system_errors(&text::addressed(&format!("{error:#}")));
    say(&text::plain(&message));
    if cli.verb.is_none() {
        out::report("clockctl --help lists the verbs\n");
    }
    // Before the failures that are matched here, other output was printed: an answer for each line
    // of the script, the result for each checked file, or the health or the record that is not in
    // order. No error object may follow that output.
    let answered = matches!(
        error.downcast_ref(),
        Some(Failure::MalformedScript | Failure::FilesWrong(_) | Failure::NotInOrder(_))
    );
    if options.json && !options.quiet && !answered {
        report_json(code, &message, exit);
    }
    ExitCode::from(exit)
}

/// Prints what is wrong with the command line, or the help if that was asked for.
pub fn usage(error: &clap::Error) -> ExitCode {
    out::choose_colour(color_given());
    if error.kind() == ErrorKind::DisplayHelp {
        print_help(&error.render());
        return ExitCode::SUCCESS;
    }
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // If standard output or standard error is closed, there is nowhere to report it.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let message = usage_line(&error.render().to_string(), meant(error));
    say(&message);
    // clap has not parsed the options at this point, so this searches for `--json` itself.
    if std::env::args_os().skip(1).take_while(|arg| arg != "--").any(|arg| arg == "--json") {
        report_json("usage", &message, 2);
    }
    ExitCode::from(2)
}

/// Prints the help, through the pager if it is longer than the screen.
fn print_help(help: &StyledStr) {
    if !std::env::args_os().any(|word| word == "--no-pager") {
        out::page();
    }
    let text = match out::is_coloured(&io::stdout()) {
        true => help.ansi().to_string(),
        false => help.to_string(),
    };
    // If standard output is closed, there is nowhere to report it.
    let _ = out::print(&text);
    out::end_page();
}

/// Prints what is wrong on standard error.
fn say(message: &str) {
    let name = if out::is_coloured(&io::stderr()) {
        "\u{1b}[1;31mclockctl:\u{1b}[0m"
    } else {
        "clockctl:"
    };
    out::report(&format!("{name} {message}\n"));
}

/// Words of other programs, of the engine and of the rules, each with the word that `clockctl` has
/// for the same thing. clap would suggest only a word with a similar spelling.
const MEANT: &[(&str, &str)] = &[
    ("attach", "the verb is record-attachment"),
    ("confirm", "the verb is record-confirmation"),
    ("continue", "the verb is resume, and resume-adjourned for an adjourned game"),
    ("rule", "the verb is ruling"),
    ("control", "the verb is time-control"),
    ("undo", "the verb is undo-press"),
    ("correct", "the verb is set, and set-names for names"),
    ("rename", "the verb is set-names"),
    ("end", "the verb is result"),
    (
        "draw",
        "the verb is result, as in: clockctl result 1/2-1/2; a player's claim is clockctl claim draw",
    ),
    ("call", "the verb is flag"),
    ("warn", "the verb is penalty, as in: clockctl penalty white warning"),
    ("--revision", "the option is --if-revision"),
    (
        "--ground",
        "the ground is given without an option, as in: clockctl claim draw fifty-moves --by white",
    ),
];

/// Which word was meant by the verb or the option that clap does not know: what [`MEANT`] says, or
/// the most similar verb. `None` leaves clap's own tip, which is good for options only: for `stauts`
/// it is `pause`.
fn meant(error: &clap::Error) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(given)) => Some(given.as_str()),
        _ => None,
    };
    let known = |given| MEANT.iter().find(|(word, _)| *word == given);
    let known = |given| known(given).map(|(_, meant)| (*meant).to_owned());
    match (word(ContextKind::InvalidSubcommand), word(ContextKind::InvalidArg)) {
        (Some(given), _) => known(given).or_else(|| Some(similar_verb(given))),
        (None, Some(side @ ("white" | "black"))) if given_verb() == "clockctl resume" => {
            Some(format!("the side is an option, as in: clockctl resume --side {side}"))
        }
        (None, Some(given)) => known(given),
        (None, None) => missing_word(error),
    }
}

/// The words that a missing argument can be, if there are some to choose from.
fn missing_word(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let mut command = Cli::all_verbs();
    for name in given_verb().split(' ').skip(1) {
        command = command.find_subcommand(name)?.clone();
    }
    command.get_positionals().find_map(|argument| {
        let name = argument.get_value_names()?.first()?;
        let values = argument.get_possible_values();
        let words: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
        let is_missing = missing.contains(&format!("<{name}>"));
        // That a side is white or black is known.
        (is_missing && words.len() > 2).then(|| format!("{name} is one of {}", words.join(", ")))
    })
}

/// The verb of the command line of this run.
fn given_verb() -> String {
    verb(std::env::args_os())
}

/// The verbs that are similar to a word, or where all verbs are listed.
fn similar_verb(given: &str) -> String {
    let cli = Cli::command();
    let verbs: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    match suggest(given, &verbs).as_slice() {
        [] => "clockctl --help lists the verbs".to_owned(),
        several => format!("perhaps {}?", several.join(" or ")),
    }
}

/// clap's message on one line, without the usage, which `--help` shows. `meant` replaces clap's
/// tips.
fn usage_line(rendered: &str, meant: Option<String>) -> String {
    let paragraphs = rendered.trim_start_matches("error: ").split("\n\n");
    let hidden = ["Usage:", "For more information"];
    let has_meant = meant.is_some();
    let is_shown = |part: &&str| {
        let is_replaced = has_meant && part.trim_start().starts_with("tip: ");
        !is_replaced && !hidden.iter().any(|start| part.starts_with(start))
    };
    let message: Vec<String> = paragraphs.filter(is_shown).map(text::plain).chain(meant).collect();
    format!("{} (see {} --help)", message.join("; "), given_verb())
}

/// Returns `clockctl` and the verb of the command line, with its subcommand if it has one. An
/// unknown word is left out.
fn verb(arguments: impl Iterator<Item = OsString>) -> String {
    let mut words = vec!["clockctl"];
    let matches = Cli::command().ignore_errors(true).try_get_matches_from(arguments).ok();
    let mut level = matches.as_ref();
    while let Some((name, inner)) = level.and_then(ArgMatches::subcommand) {
        words.push(name);
        level = Some(inner);
    }
    words.join(" ")
}

fn report_json(code: &str, message: &str, exit: u8) {
    let object = FailureJson { error: FailureBody { code, message, exit } };
    // Standard error has the same message already.
    let _ = out::print_json(&object);
}

#[cfg(test)]
mod tests {
    use super::verb;

    #[test]
    fn the_hint_names_the_help_of_the_verb_that_was_given() {
        for (line, expected) in [
            ("clockctl", "clockctl"),
            ("clockctl clam", "clockctl"),
            ("clockctl --json --reason pause add red 5m", "clockctl add"),
            ("clockctl set --white-time 0:31", "clockctl set"),
            ("clockctl time-control show", "clockctl time-control show"),
            ("clockctl time-control no", "clockctl time-control"),
            ("clockctl status --no-such-option", "clockctl status"),
        ] {
            assert_eq!(verb(line.split(' ').map(Into::into)), expected, "{line}");
        }
    }
}
