//! The help: the verbs by task, two examples for each verb, and the pages as clap shows them.

use clap::Command;
use clap::builder::StyledStr;

use crate::cli::Cli;

#[cfg(test)]
mod man_page;

/// The tasks: the title of a task, then two examples for each of its verbs. A verb is named by the word
/// after `clockctl` in its first example.
const TASKS: &str = r#"Play
clockctl new 5+3 --white Anand --black Carlsen
clockctl new fide-standard --rules fide-2023 --board 12
clockctl start
clockctl start --reason "White is not here yet"
clockctl pause
clockctl pause --announce "lunch until 14:00"
clockctl announce "the game goes on at 14:00"
clockctl announce ""  # takes the announcement back
clockctl resume
clockctl resume --side black
clockctl result 1-0 mate
clockctl result 1/2-1/2 agreement
clockctl reopen
clockctl reopen --reason "wrong board"
clockctl adjourn white 41
clockctl adjourn black "41, envelope 7"
clockctl resume-adjourned
clockctl resume-adjourned 2  # game 2 of clockctl log --games

Correct
clockctl set white 31m
clockctl set --black-time 0:12:30 --black-moves 40 --black-period 2
clockctl add black 2m
clockctl add white -30s --reason "set wrongly"
clockctl undo-press
clockctl undo-press --reason "pressed by accident"
clockctl rewind W2  # right after White's move 2
clockctl rewind --to B1
clockctl set-names --white "Vera Menchik"
clockctl set-names --board 12 --round 3 --event "City Open"
clockctl change-method increment 30s
clockctl change-method none
clockctl change-time-control "40/90, G/30, +30"
clockctl change-time-control fide-standard --recompute
clockctl import game.json --yes
clockctl import game.json --white-time 31m --yes

Rule
clockctl flag
clockctl flag --by black
clockctl claim draw no-effort --by white
clockctl claim flag --by black
clockctl rule valid  # the reason for which a player stopped the clocks
clockctl rule reject --award 2m
clockctl penalize white warning
clockctl penalize black opponent-plus 2m
clockctl illegal-move white
clockctl illegal-move white --reason "castled through check"
clockctl arrive white
clockctl arrive black --reason "seen at 14:21"
clockctl incident white hold
clockctl incident black other --reason "a telephone rang"
clockctl refer
clockctl refer --reason "sent at 17:40"
clockctl record-confirmation white
clockctl record-confirmation black resume
clockctl record-attachment position "Kh1 Ra1 - Kg8" --verified-by black
clockctl record-attachment scoresheet @scoresheet.jpg
clockctl set-assistant white yes
clockctl set-assistant white no

Look
clockctl status
clockctl status --exit-code --quiet || echo "code $?"
clockctl watch
clockctl watch --json --heartbeat 2
clockctl doctor
clockctl doctor --json

Record
clockctl log --last 10
clockctl log --games
clockctl export -o game.pgn
clockctl export 1 -o game-1.json
clockctl report
clockctl report -o report.html

Many clocks
clockctl hall init arbiter@clock-[01-40] -o hall.toml
clockctl hall check hall.toml

Set up
clockctl set-rules fide-2023
clockctl set-rules handbook-county
clockctl set-buttons exchanged
clockctl set-buttons as-wired
clockctl time-control list
clockctl time-control show "40/90, G/30, +30"
clockctl rules list
clockctl rules show fide-2023
clockctl setup check chessclock.toml
clockctl setup boards chessclock.toml hall.csv cards
sudo clockctl backup save .
sudo clockctl backup load chess-clock-12.tar
clockctl simulate --control 3+2 script.jsonl
echo '{"at_ns": 0, "event": "start"}' | clockctl simulate --control 3+2"#;

/// A verb with two examples of its use.
type Verb = (&'static str, [&'static str; 2]);

/// The titles of the tasks, each with its verbs.
fn tasks() -> Vec<(&'static str, Vec<Verb>)> {
    let tasks = TASKS.split("\n\n").map(|task| {
        let (title, examples) = task.split_once('\n').expect("a task has verbs");
        let examples: Vec<&str> = examples.lines().collect();
        let (pairs, rest) = examples.as_chunks::<2>();
        assert!(rest.is_empty(), "{title}: a verb has one example");
        (title, pairs.iter().map(|pair| (verb_of(pair[0]), *pair)).collect())
    });
    tasks.collect()
}

/// The verb of an example.
fn verb_of(example: &str) -> &str {
    let (_, words) = example.split_once("clockctl ").expect("an example is a command line");
    words.split(' ').next().unwrap_or(words)
}

/// The command line with its help: the verbs by task instead of in one list, and examples below the
/// help of each verb.
pub fn command() -> Command {
    with_tasks(Cli::all_verbs())
}

/// Puts the tasks and the examples into the help of the command line.
fn with_tasks(command: Command) -> Command {
    let tasks = tasks();
    let verbs = by_task(&command, &tasks);
    let header = *command.get_styles().get_header();
    // In one pass: changing one verb of a command moves all of them.
    let command = command.mut_subcommands(|verb| {
        let mut listed = tasks.iter().flat_map(|(_, task)| task);
        match listed.find(|(name, _)| *name == verb.get_name()) {
            Some((_, examples)) => with_examples(verb, examples),
            None => verb,
        }
    });
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{verbs}{header}With every verb:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// The verbs with their descriptions, under the titles of the tasks.
fn by_task(command: &Command, tasks: &[(&str, Vec<Verb>)]) -> String {
    let styles = command.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let width = tasks.iter().flat_map(|(_, task)| task).map(|(verb, _)| verb.len()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for (title, task) in tasks {
        text.push_str(&format!("{header}{title}:{header:#}\n"));
        for (verb, _) in task {
            let about = command.find_subcommand(verb).and_then(Command::get_about);
            let about = about.map(StyledStr::to_string).unwrap_or_default();
            text.push_str(&format!("  {literal}{verb:width$}{literal:#}  {about}\n"));
        }
        text.push('\n');
    }
    text
}

/// The verb with its examples above what its help ends with.
fn with_examples(verb: Command, examples: &[&str]) -> Command {
    let header = *verb.get_styles().get_header();
    let mut text = format!("{header}Examples:{header:#}\n");
    text.extend(examples.iter().map(|example| format!("  {example}\n")));
    let after = verb.get_after_help().map(|after| format!("\n{}", after.ansi()));
    verb.after_help(text + &after.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::tasks;
    use crate::cli::Cli;

    #[test]
    fn every_verb_belongs_to_one_task_and_is_in_both_of_its_examples() {
        let verbs: Vec<_> = tasks().into_iter().flat_map(|(_, task)| task).collect();
        let listed: BTreeSet<String> = verbs.iter().map(|(verb, _)| (*verb).to_owned()).collect();
        let known: BTreeSet<String> =
            Cli::command().get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        assert_eq!(listed, known);
        assert_eq!(verbs.len(), known.len(), "a verb is listed twice");
        for (verb, examples) in verbs {
            for example in examples {
                assert!(example.contains(&format!("clockctl {verb}")), "{verb}: {example}");
            }
        }
    }
}
