//! How a failed run ends: a sentence on standard error, an object for scripts, an exit code.

mod meant;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory};
use clock_engine::text::plain_system_errors;

use crate::{
    cli::Cli,
    failure::Failure,
    json::{FailureBody, FailureJson},
    options::{color_given, place_of},
    out, text,
};

/// Prints what went wrong and returns the exit code.
pub fn failure(mut error: anyhow::Error, cli: &Cli) -> ExitCode {
    let options = &cli.options;
    Failure::look_at(&mut error, place_of(&options.target()));
    let (code, exit) = Failure::codes_of(&error);
    let message = plain_system_errors(&text::addressed(&format!("{error:#}")));
    say(&text::plain(&message));
    if cli.verb.is_none() {
        out::report("clockctl --help lists the verbs\n");
    }
    if options.json && !options.quiet && !Failure::has_answer(&error) {
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
    let message = usage_line(&error.render().to_string(), meant::meant(error, &given_verb()));
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

/// The verb of the command line of this run.
fn given_verb() -> String {
    verb(std::env::args_os())
}

/// clap's message on one line, without the usage, which `--help` shows. `meant` replaces clap's
/// tips.
fn usage_line(rendered: &str, meant: Option<String>) -> String {
    let paragraphs = rendered.trim_start_matches("error: ").split("\n\n");
    let hidden = ["Usage:", "For more information"];
    let has_meant = meant.is_some();
    let is_shown = |part: &&str| {
        let tip = part.trim_start().strip_prefix("tip: ");
        // That an unknown option can be a value is hardly ever what was meant.
        let is_replaced = tip.is_some_and(|tip| has_meant || tip.starts_with("to pass "));
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
