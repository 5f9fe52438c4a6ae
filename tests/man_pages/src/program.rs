//! The page of a program, from its command line.

use clap::{Command, builder::StyledStr};
use clap_mangen::Man;

use crate::roff::{head, item, literal, paragraph, section, see_also, subsection};

/// What the page says besides the command line.
pub struct Program<'a> {
    /// The section of the manual: `1` for everybody's commands, `8` for services.
    pub section: &'a str,
    /// The verbs by task; empty if the program has none.
    pub tasks: Vec<(&'a str, Vec<&'a str>)>,
    /// Files and environment variables, each with what it is for.
    pub files: &'a [(&'a str, &'a str)],
    pub environment: &'a [(&'a str, &'a str)],
    /// Other pages such as `clockd(8)`, and documents.
    pub see_also: &'a [&'a str],
}

/// The page.
///
/// # Panics
///
/// A verb of the tasks is not a verb of the program.
pub fn page(command: &Command, program: &Program<'_>) -> String {
    let name = command.get_name();
    let mut command = command.clone().disable_help_subcommand(true).subcommand_value_name("verb");
    command.build();
    let man = Man::new(command.clone());
    let about = text(command.get_about());
    let mut page = head(name, program.section, about.trim_end_matches('.'));
    page.push_str(&rendered(|out| man.render_synopsis_section(out)));
    page.push_str(&rendered(|out| man.render_description_section(out)));
    page.push_str(&rendered(|out| man.render_options_section(out)));
    for (task, verbs) in &program.tasks {
        page.push_str(&section(task));
        for verb in verbs {
            let verb = command.find_subcommand(verb).expect("a verb of the program");
            page.push_str(&of_verb(name, verb));
        }
    }
    page.push_str(&exit_status(&command));
    for (title, entries) in [("files", program.files), ("environment", program.environment)] {
        if !entries.is_empty() {
            page.push_str(&section(title));
        }
        page.extend(
            entries
                .iter()
                .map(|(term, what)| item(term, &format!("{}\n", crate::roff::marked(what)))),
        );
    }
    page + &see_also(program.see_also)
}

/// The verb with its own options; those of every verb are in a section of their own.
fn of_verb(program: &str, verb: &Command) -> String {
    let name = format!("{program} {}", verb.get_name());
    let mut page = String::new();
    let verbs: Vec<&Command> = verb.get_subcommands().filter(|it| !it.is_hide_set()).collect();
    if verbs.is_empty() {
        let man = Man::new(without_common_options(verb));
        page.push_str(&subsection(&name));
        page.push_str(&paragraph(&text(verb.get_about())));
        page.push_str(".PP\n");
        page.push_str(&without_heading(&rendered(|out| man.render_synopsis_section(out))));
        page.push_str(&without_heading(&rendered(|out| man.render_options_section(out))));
    }
    page.extend(verbs.iter().map(|inner| of_verb(&name, inner)));
    page + &after_help(verb)
}

/// The verb without the options of every verb, and without `--help`.
fn without_common_options(verb: &Command) -> Command {
    let arguments = verb.get_arguments();
    let common =
        arguments.filter(|argument| argument.is_global_set() || argument.get_id() == "help");
    let common: Vec<_> = common.map(|argument| argument.get_id().clone()).collect();
    let hide = |verb: Command, id: &clap::Id| verb.mut_arg(id, |argument| argument.hide(true));
    common.iter().fold(verb.clone(), hide)
}

/// What the help of the verb ends with: sentences, and indented lines such as the examples.
fn after_help(command: &Command) -> String {
    let help = text(command.get_after_help());
    let mut page = String::new();
    let mut indented: Vec<&str> = Vec::new();
    for line in help.lines().chain([""]) {
        if let Some(line) = line.strip_prefix("  ") {
            indented.push(line);
            continue;
        }
        if !indented.is_empty() {
            page.push_str(&literal(indented.drain(..)));
        }
        if !line.is_empty() {
            page.push_str(&paragraph(line));
        }
    }
    page
}

/// The exit codes, with which the help of the program ends.
fn exit_status(command: &Command) -> String {
    let help = text(command.get_after_help());
    let Some((_, codes)) = help.split_once(": ") else { return String::new() };
    section("exit status") + &paragraph(codes)
}

fn text(styled: Option<&StyledStr>) -> String {
    styled.map(StyledStr::to_string).unwrap_or_default()
}

fn rendered(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut roff = Vec::new();
    write(&mut roff).expect("memory can be written");
    let roff = String::from_utf8(roff).expect("the command line is text");
    // Each part that clap_mangen renders begins with the definition of a string for apostrophes.
    let lines = roff.lines().filter(|line| !line.starts_with(".ie ") && !line.starts_with(".el "));
    lines.map(|line| format!("{}\n", line.replace("\\*(Aq", "\\(aq"))).collect()
}

fn without_heading(roff: &str) -> String {
    roff.lines().filter(|line| !line.starts_with(".SH")).map(|line| format!("{line}\n")).collect()
}
