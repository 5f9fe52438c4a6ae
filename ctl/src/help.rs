//! The help: the verbs by task, two examples for each verb, and the pages as clap shows them.

use clap::Command;
use clap::builder::StyledStr;

use crate::cli::Cli;

#[cfg(test)]
mod man_page;

/// A verb with two examples of its use.
type Verb = (&'static str, [&'static str; 2]);

/// The verbs by task.
pub const TASKS: &[(&str, &[Verb])] = &[
    (
        "Play",
        &[
            (
                "new",
                [
                    "clockctl new 5+3 --white Anand --black Carlsen",
                    "clockctl new fide-standard --rules fide-2023 --board 12",
                ],
            ),
            ("start", ["clockctl start", "clockctl start --reason \"White is not here yet\""]),
            ("pause", ["clockctl pause", "clockctl pause --announce \"lunch until 14:00\""]),
            (
                "announce",
                [
                    "clockctl announce \"the game goes on at 14:00\"",
                    "clockctl announce \"\"  # takes the announcement back",
                ],
            ),
            ("resume", ["clockctl resume", "clockctl resume --side black"]),
            ("result", ["clockctl result 1-0 mate", "clockctl result 1/2-1/2 agreement"]),
            ("reopen", ["clockctl reopen", "clockctl reopen --reason \"wrong board\""]),
            ("adjourn", ["clockctl adjourn white 41", "clockctl adjourn black \"41, envelope 7\""]),
            (
                "resume-adjourned",
                [
                    "clockctl resume-adjourned",
                    "clockctl resume-adjourned 2  # game 2 of clockctl log --games",
                ],
            ),
        ],
    ),
    (
        "Correct",
        &[
            (
                "set",
                [
                    "clockctl set white 31m",
                    "clockctl set --black-time 0:12:30 --black-moves 40 --black-period 2",
                ],
            ),
            ("add", ["clockctl add black 2m", "clockctl add white -30s --reason \"set wrongly\""]),
            (
                "undo-press",
                ["clockctl undo-press", "clockctl undo-press --reason \"pressed by accident\""],
            ),
            (
                "rewind",
                ["clockctl rewind W2  # right after White's move 2", "clockctl rewind --to B1"],
            ),
            (
                "set-names",
                [
                    "clockctl set-names --white \"Vera Menchik\"",
                    "clockctl set-names --board 12 --round 3 --event \"City Open\"",
                ],
            ),
            (
                "change-method",
                ["clockctl change-method increment 30s", "clockctl change-method none"],
            ),
            (
                "change-time-control",
                [
                    "clockctl change-time-control \"40/90, G/30, +30\"",
                    "clockctl change-time-control fide-standard --recompute",
                ],
            ),
            (
                "import",
                [
                    "clockctl import game.json --yes",
                    "clockctl import game.json --white-time 31m --yes",
                ],
            ),
        ],
    ),
    (
        "Rule",
        &[
            ("flag", ["clockctl flag", "clockctl flag --by black"]),
            (
                "claim",
                ["clockctl claim draw no-effort --by white", "clockctl claim flag --by black"],
            ),
            (
                "rule",
                [
                    "clockctl rule valid  # the reason for which a player stopped the clocks",
                    "clockctl rule reject --award 2m",
                ],
            ),
            (
                "penalize",
                ["clockctl penalize white warning", "clockctl penalize black opponent-plus 2m"],
            ),
            (
                "illegal-move",
                [
                    "clockctl illegal-move white",
                    "clockctl illegal-move white --reason \"castled through check\"",
                ],
            ),
            (
                "arrive",
                ["clockctl arrive white", "clockctl arrive black --reason \"seen at 14:21\""],
            ),
            (
                "incident",
                [
                    "clockctl incident white hold",
                    "clockctl incident black other --reason \"a telephone rang\"",
                ],
            ),
            ("refer", ["clockctl refer", "clockctl refer --reason \"sent at 17:40\""]),
            (
                "record-confirmation",
                ["clockctl record-confirmation white", "clockctl record-confirmation black resume"],
            ),
            (
                "record-attachment",
                [
                    "clockctl record-attachment position \"Kh1 Ra1 - Kg8\" --verified-by black",
                    "clockctl record-attachment scoresheet @scoresheet.jpg",
                ],
            ),
            (
                "set-assistant",
                ["clockctl set-assistant white yes", "clockctl set-assistant white no"],
            ),
        ],
    ),
    (
        "Look",
        &[
            (
                "status",
                ["clockctl status", "clockctl status --exit-code --quiet || echo \"code $?\""],
            ),
            ("watch", ["clockctl watch", "clockctl watch --json --heartbeat 2"]),
            ("doctor", ["clockctl doctor", "clockctl doctor --json"]),
        ],
    ),
    (
        "Record",
        &[
            ("log", ["clockctl log --last 10", "clockctl log --games"]),
            ("export", ["clockctl export -o game.pgn", "clockctl export 1 -o game-1.json"]),
            ("report", ["clockctl report", "clockctl report -o report.html"]),
        ],
    ),
    (
        "Many clocks",
        &[(
            "hall",
            [
                "clockctl hall init arbiter@clock-[01-40] -o hall.toml",
                "clockctl hall check hall.toml",
            ],
        )],
    ),
    (
        "Set up",
        &[
            ("set-rules", ["clockctl set-rules fide-2023", "clockctl set-rules handbook-county"]),
            ("set-buttons", ["clockctl set-buttons exchanged", "clockctl set-buttons as-wired"]),
            (
                "time-control",
                ["clockctl time-control list", "clockctl time-control show \"40/90, G/30, +30\""],
            ),
            ("rules", ["clockctl rules list", "clockctl rules show fide-2023"]),
            (
                "setup",
                [
                    "clockctl setup check chessclock.toml",
                    "clockctl setup boards chessclock.toml hall.csv cards",
                ],
            ),
            (
                "backup",
                ["sudo clockctl backup save .", "sudo clockctl backup load chess-clock-12.tar"],
            ),
            (
                "simulate",
                [
                    "clockctl simulate --control 3+2 script.jsonl",
                    "echo '{\"at_ns\": 0, \"event\": \"start\"}' | clockctl simulate --control 3+2",
                ],
            ),
        ],
    ),
];

/// The command line with its help: the verbs by task instead of in one list, and examples below the
/// help of each verb.
pub fn command() -> Command {
    with_tasks(Cli::all_verbs())
}

/// Puts the tasks and the examples into the help of the command line.
fn with_tasks(command: Command) -> Command {
    let verbs = by_task(&command);
    let header = *command.get_styles().get_header();
    // In one pass: changing one verb of a command moves all of them.
    let command = command.mut_subcommands(|verb| {
        let mut listed = TASKS.iter().flat_map(|(_, task)| *task);
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
fn by_task(command: &Command) -> String {
    let styles = command.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let width = TASKS.iter().flat_map(|(_, task)| *task).map(|(verb, _)| verb.len()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for (title, task) in TASKS {
        text.push_str(&format!("{header}{title}:{header:#}\n"));
        for (verb, _) in *task {
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

    use super::TASKS;
    use crate::cli::Cli;

    #[test]
    fn every_verb_belongs_to_one_task_and_is_in_both_of_its_examples() {
        let listed: Vec<&str> =
            TASKS.iter().flat_map(|(_, task)| *task).map(|(verb, _)| *verb).collect();
        let known: BTreeSet<String> =
            Cli::command().get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        assert_eq!(listed.iter().map(|verb| (*verb).to_owned()).collect::<BTreeSet<_>>(), known);
        assert_eq!(listed.len(), known.len(), "a verb is listed twice");
        for (verb, examples) in TASKS.iter().flat_map(|(_, task)| *task) {
            for example in examples {
                assert!(example.contains(&format!("clockctl {verb}")), "{verb}: {example}");
            }
        }
    }
}
