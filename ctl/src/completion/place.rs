//! Which part of the command line the last word is.

use clap::{Arg, ArgAction, Command};

/// The place of the last word, with what stands before it.
pub struct Place<'a> {
    pub command: &'a Command,
    /// The verb with its subcommand, such as `rules show`; empty before a verb.
    pub verb: String,
    /// The options that were given before, by their identifiers.
    pub options: Vec<&'a str>,
    /// The values of options that were given before, by the identifiers of the options.
    pub given: Vec<(&'a str, String)>,
    pub wanted: Wanted<'a>,
    /// The part of the last word that is to be completed.
    pub typed: String,
    /// The part of the last word before that, such as `--rules=` or `1,2,`.
    pub before: String,
}

/// What fits at the place.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// A value of this option or argument.
    Value(&'a Arg),
    /// The name of an option.
    Option,
    /// A verb, or a value of this argument.
    Word(Option<&'a Arg>),
}

impl<'a> Place<'a> {
    /// The place of the last word. `command` was built, so that its verbs have the options of every
    /// verb, too.
    pub fn of(command: &'a Command, words: &[String]) -> Place<'a> {
        let (last, before) = match words.split_last() {
            Some((last, before)) => (last.as_str(), before),
            None => ("", words),
        };
        let mut walk = Walk::new(command);
        before.iter().for_each(|word| walk.step(word));
        walk.end(last)
    }
}

/// The words before the last one, read from left to right.
struct Walk<'a> {
    command: &'a Command,
    verb: Vec<&'a str>,
    options: Vec<&'a str>,
    given: Vec<(&'a str, String)>,
    /// The option whose value comes next.
    open: Option<&'a Arg>,
    /// How many arguments without an option were given.
    arguments: usize,
    /// After `--` no word is an option.
    is_escaped: bool,
}

impl<'a> Walk<'a> {
    fn new(command: &'a Command) -> Walk<'a> {
        Walk {
            command,
            verb: Vec::new(),
            options: Vec::new(),
            given: Vec::new(),
            open: None,
            arguments: 0,
            is_escaped: false,
        }
    }

    fn step(&mut self, word: &str) {
        if let Some(option) = self.open.take() {
            self.given.push((option.get_id().as_str(), word.to_owned()));
        } else if self.is_escaped {
            self.arguments += 1;
        } else if word == "--" {
            self.is_escaped = true;
        } else if let Some(name) = word.strip_prefix("--") {
            let (name, value) = split_value(name);
            let option = self.long(name);
            self.option(option, value);
        } else if let Some((option, value)) = self.short(word) {
            self.option(Some(option), value);
        } else if let Some(verb) = self.command.find_subcommand(word) {
            self.command = verb;
            self.verb.push(verb.get_name());
            self.arguments = 0;
        } else {
            self.arguments += 1;
        }
    }

    fn option(&mut self, option: Option<&'a Arg>, value: Option<&str>) {
        let Some(option) = option else { return };
        let id = option.get_id().as_str();
        self.options.push(id);
        match value {
            Some(value) => self.given.push((id, value.to_owned())),
            None if takes_value(option) => self.open = Some(option),
            None => {}
        }
    }

    fn end(self, last: &str) -> Place<'a> {
        let (wanted, before, typed) = self.wanted(last);
        let (before, typed) = match wanted {
            Wanted::Value(argument) | Wanted::Word(Some(argument)) => {
                after_separator(argument, before, typed)
            }
            Wanted::Option | Wanted::Word(None) => (before.to_owned(), typed),
        };
        Place {
            command: self.command,
            verb: self.verb.join(" "),
            options: self.options,
            given: self.given,
            wanted,
            typed: typed.to_owned(),
            before,
        }
    }

    /// What is wanted, and the two parts of the last word: what stays, and what is completed.
    fn wanted<'w>(&self, last: &'w str) -> (Wanted<'a>, &'w str, &'w str) {
        if let Some(option) = self.open {
            return (Wanted::Value(option), "", last);
        }
        if !self.is_escaped
            && let Some(name) = last.strip_prefix("--")
            && let (name, Some(value)) = split_value(name)
            && let Some(option) = self.long(name)
        {
            let (before, _) = last.split_at(last.len() - value.len());
            return (Wanted::Value(option), before, value);
        }
        if !self.is_escaped && last.starts_with('-') {
            return (Wanted::Option, "", last);
        }
        (Wanted::Word(self.argument()), "", last)
    }

    /// The argument without an option that comes next.
    fn argument(&self) -> Option<&'a Arg> {
        let arguments: Vec<&Arg> = self.command.get_positionals().collect();
        let next = arguments.get(self.arguments).or(arguments.last())?;
        (self.arguments < arguments.len() || is_repeated(next)).then_some(*next)
    }

    fn long(&self, name: &str) -> Option<&'a Arg> {
        self.command.get_arguments().find(|argument| {
            let aliases = argument.get_all_aliases().unwrap_or_default();
            argument.get_long() == Some(name) || aliases.contains(&name)
        })
    }

    /// The last of the options in a word such as `-q`, `-qH` or `-oFILE`, with its value. `None` if
    /// the word is no option, such as `-30s`.
    fn short<'w>(&self, word: &'w str) -> Option<(&'a Arg, Option<&'w str>)> {
        let mut letters = word.strip_prefix('-')?.chars();
        let mut last = None;
        while let Some(letter) = letters.next() {
            let mut arguments = self.command.get_arguments();
            let option = arguments.find(|argument| argument.get_short() == Some(letter))?;
            if takes_value(option) {
                let value = letters.as_str();
                let value = value.strip_prefix('=').unwrap_or(value);
                return Some((option, (!value.is_empty()).then_some(value)));
            }
            last = Some(option);
        }
        last.map(|option| (option, None))
    }
}

/// The name of an option, and its value if it is in the same word.
fn split_value(word: &str) -> (&str, Option<&str>) {
    match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    }
}

/// What stays of the last word, and what is completed, for an argument that takes a list.
fn after_separator<'w>(argument: &Arg, before: &str, typed: &'w str) -> (String, &'w str) {
    // The type of `--boards` is text, and its list is read later.
    let is_list = argument.get_value_delimiter().is_some() || argument.get_id() == "boards";
    match typed.rfind(',') {
        Some(comma) if is_list => {
            let (stays, rest) = typed.split_at(comma + 1);
            (format!("{before}{stays}"), rest)
        }
        _ => (before.to_owned(), typed),
    }
}

fn takes_value(argument: &Arg) -> bool {
    argument.get_action().takes_values()
}

fn is_repeated(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
}

#[cfg(test)]
mod tests {
    use super::{Place, Wanted};
    use crate::cli::Cli;

    /// The verb, what is wanted, what stays of the last word and what is completed.
    fn place(line: &str) -> String {
        let command = Cli::all_verbs();
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let place = Place::of(&command, &words);
        let wanted = match place.wanted {
            Wanted::Value(argument) => format!("value of {}", argument.get_id()),
            Wanted::Option => "option".to_owned(),
            Wanted::Word(Some(argument)) => format!("argument {}", argument.get_id()),
            Wanted::Word(None) => "verb".to_owned(),
        };
        format!("[{}] {wanted} {:?} {:?}", place.verb, place.before, place.typed)
    }

    #[test]
    fn the_last_word_has_its_place_in_the_command_line() {
        for (line, expected) in [
            ("", "[] verb \"\" \"\""),
            ("sta", "[] verb \"\" \"sta\""),
            ("--json sta", "[] verb \"\" \"sta\""),
            ("--js", "[] option \"\" \"--js\""),
            ("add -", "[add] option \"\" \"-\""),
            ("add ", "[add] argument side \"\" \"\""),
            // A value is no verb, even if it has the name of one.
            ("--reason pause add ", "[add] argument side \"\" \"\""),
            ("--reason=pause add ", "[add] argument side \"\" \"\""),
            ("-H pause add ", "[add] argument side \"\" \"\""),
            ("-qHpause add ", "[add] argument side \"\" \"\""),
            ("-qH pause add ", "[add] argument side \"\" \"\""),
            ("--reason pa", "[] value of reason \"\" \"pa\""),
            // A negative time is no option.
            ("add white -30s ", "[add] verb \"\" \"\""),
            ("w", "[] verb \"\" \"w\""),
            ("stop --by ", "[pause] value of by \"\" \"\""),
            ("claim draw ", "[claim draw] argument ground \"\" \"\""),
            ("claim draw no-effort --by=w", "[claim draw] value of by \"--by=\" \"w\""),
            ("export --format p", "[export] value of format \"\" \"p\""),
            ("rules check a.toml b", "[rules check] argument files \"\" \"b\""),
            ("--hall h.toml --boards 1,3-5,A", "[] value of boards \"1,3-5,\" \"A\""),
            ("--boards=1,", "[] value of boards \"--boards=1,\" \"\""),
            ("adjourn white 41,e", "[adjourn] argument sealed_move \"\" \"41,e\""),
            ("simulate --control 3+2 -- -", "[simulate] argument script \"\" \"-\""),
            ("no-such-verb ", "[] verb \"\" \"\""),
            ("add --no-such=x ", "[add] argument side \"\" \"\""),
        ] {
            assert_eq!(place(line), expected, "{line}");
        }
    }
}
