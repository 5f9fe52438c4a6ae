//! The manual page of `clockctl`, `docs/man/clockctl.1`.

use clap::CommandFactory;
use clock_man_pages::{
    check,
    program::{Program, page},
};

use super::{tasks, with_tasks};
use crate::cli::Cli;

const FILES: &[(&str, &str)] = &[
    (
        "/etc/chess-clock/chessclock.applied",
        "what `setup apply` keeps of the set-up file; only root reads it",
    ),
    ("/usr/share/doc/chess-clock", "the documents, the JSON Schemas and the examples"),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("CLOCKCTL_SSH", "the program that is run instead of `ssh`"),
    ("DBUS_SYSTEM_BUS_ADDRESS", "the address of the system bus"),
    ("NO_COLOR", "with any value, no text is painted unless `--color` asks for it"),
    ("PAGER", "the program that shows long text; `less` if it is not set"),
    ("XDG_RUNTIME_DIR", "the folder of the connections that `-H` and `--hall` share"),
];

#[test]
fn the_manual_page_is_up_to_date() {
    let of_task = |verbs: Vec<super::Verb>| verbs.iter().map(|(verb, _)| *verb).collect();
    let program = Program {
        section: "1",
        tasks: tasks().into_iter().map(|(task, verbs)| (task, of_task(verbs))).collect(),
        files: FILES,
        environment: ENVIRONMENT,
        see_also: &[
            "chessclock.toml(5)",
            "clockctl-hall(5)",
            "clockctl-simulate(5)",
            "chess-clock-controls(5)",
            "chess-clock-rules(5)",
            "clockd(8)",
            "docs/arbiter.md",
        ],
    };
    // The page has no subcommands `help`, which `build` would add.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let page = page(&with_tasks(command.clone()), &program);
    check("clockctl.1", &page).unwrap();
    let page = page.replace("\\-", "-");
    let mut missing = Vec::new();
    of_command(&command, "clockctl", &page, &mut missing);
    assert_eq!(missing, [""; 0]);
}

/// Notes the verbs and options that the page does not have.
fn of_command(command: &clap::Command, name: &str, page: &str, missing: &mut Vec<String>) {
    let part = page.split_once(&format!(".SS \"{name}\"\n")).map(|(_, after)| after);
    let part =
        part.and_then(|after| after.split(".SS ").next()).or((name == "clockctl").then_some(page));
    let has_verbs = command.get_subcommands().next().is_some();
    if part.is_none() && !has_verbs {
        missing.push(name.to_owned());
    }
    // The options of every verb and `--help` are in the part of `clockctl`.
    let is_own = |argument: &&clap::Arg| {
        name == "clockctl" || !(argument.is_global_set() || argument.get_id() == "help")
    };
    for argument in command.get_arguments().filter(is_own) {
        let Some(long) = argument.get_long() else { continue };
        if !part.is_some_and(|part| part.contains(&format!("--{long}\\fR"))) {
            missing.push(format!("{name} --{long}"));
        }
    }
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        of_command(verb, &format!("{name} {}", verb.get_name()), page, missing);
    }
}
