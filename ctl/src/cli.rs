//! The command line: the verbs with their arguments, and which module carries out which verb.
//!
//! This module depends on every verb. No verb depends on it: what the verbs need of the command
//! line is in `options.rs`.

use clap::{Command, CommandFactory, Parser, Subcommand};

use crate::failure::Failure;
use crate::options::Options;
use crate::{out, verb};

/// The arbiter's tool for the chess clock.
#[derive(Clone, Debug, Parser)]
#[command(version = clock_dbus::version(), after_help = EXIT_CODES)]
pub struct Cli {
    #[command(flatten)]
    pub options: Options,
    /// Without a verb, the state of the clock is shown with the commands that work now.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

impl Cli {
    /// The command line with the options of all verbs. `Cli::command` has only their names.
    pub fn all_verbs() -> Command {
        let mut command = Self::command();
        command.build();
        command
    }

    /// Whether the verb makes sense only with the boards of a hall.
    pub fn needs_hall(&self) -> bool {
        matches!(&self.verb, Some(Verb::New(args)) if args.pairings.is_some())
    }

    /// Refuses `--dry-run` for a verb that gives the clock no command. `log -n 3` is what `tail` and
    /// `journalctl` call the last three lines, so the answer names the option for them.
    pub fn check_dry_run(&self) -> Result<(), Failure> {
        let takes_it = self.verb.as_ref().is_some_and(|verb| match verb {
            Verb::Backup(args) => args.takes_dry_run(),
            verb => verb.gives_command(),
        });
        if !self.options.dry_run || takes_it {
            return Ok(());
        }
        let mut why =
            "--dry-run is for verbs that give the clock a command, and this one gives none"
                .to_owned();
        if let Some(Verb::Log(args)) = &self.verb
            && !args.chooses_entries()
        {
            let lines = args.game.unwrap_or(10);
            why = format!("-n is --dry-run; the last entries are: clockctl log --last {lines}");
        }
        Err(Failure::Usage(why))
    }

    /// Carries the verb out. Returns the exit code.
    pub async fn run(&self) -> anyhow::Result<u8> {
        let options = &self.options;
        let Some(verb) = &self.verb else {
            return verb::status::overview(options).await.map(|()| 0);
        };
        if verb.is_long() && !options.no_pager && !options.json && !options.quiet {
            out::page();
        }
        verb.run(options).await
    }
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 malformed script, a question that was answered with no, results that contradict the file of `--into`, or output that cannot be written (also to a file that exists), 2 usage, 3 no clock service, 4 denied, 5 refused, 6 no answer in time, \
7 no bus or connection lost, \
8 the clock or its record is not in order (doctor, export), \
9 several clocks have failed in different ways.";

/// The verbs. One that does more than to give a command has a module of its name.
///
/// The options of a verb are defined only when it is read (`defer`): to define those of all verbs takes
/// longer than the rest of the start of `clockctl`. What looks at all verbs uses [`Cli::all_verbs`].
#[derive(Clone, Debug, Subcommand)]
#[command(defer = true)]
pub enum Verb {
    /// Show the state of the clock
    Status(verb::status::Args),
    /// Show the clock, then every change, until interrupted
    Watch(verb::watch::Args),
    #[command(flatten)]
    Give(verb::give::Give),
    /// Stop both clocks
    #[command(aliases = ["stop", "halt"])]
    Pause(verb::pause::Args),
    /// Set the clock up for a new game; control, rules, event and board stay if not given
    New(verb::new::Args),
    /// Correct times, move counters, periods and the side on move, in one step
    Set(verb::set::Args),
    /// Give a player time, or take some
    Add(verb::add::Args),
    /// End the game
    Result(verb::result::Args),
    /// Enter a call of a flag, a draw claim, or a request for an increment
    Claim(verb::claim::Args),
    /// Rule on what awaits a ruling; without a ruling, asks for one
    #[command(alias = "ruling")]
    Rule(verb::rule::Args),
    /// Replace a time control that was set up wrongly
    ChangeTimeControl(verb::change_time_control::Args),
    /// Set the clock back to an earlier move of this game
    #[command(alias = "restore")]
    Rewind(verb::rewind::Args),
    /// Take over a game from the exported record of another clock
    Import(verb::import::Args),
    /// Say whether the clock is fit for play, and what helps; the exit code is 8 if it is not
    Doctor(verb::doctor::Args),
    /// Show the record: every press, flag and command with both times
    Log(verb::log::Args),
    /// Write the record of a game as JSON, PGN or CSV
    Export(verb::export::Args),
    /// Report penalties, incidents, corrections and claims of a game, or of a whole round
    Report(verb::report::Args),
    /// List, show or check time controls
    TimeControl(verb::time_control::Args),
    /// List, show or check rule profiles
    Rules(verb::rules::Args),
    /// Write or check the file that lists the boards of a hall
    Hall(verb::hall::Args),
    /// Check the set-up file of a card, or write one for each board
    Setup(verb::setup::Args),
    /// Save the record and settings of this clock to a USB stick, or load them from one
    Backup(verb::backup::Args),
    /// Play a script on a clock in virtual time, without a clock service
    Simulate(verb::simulate::Args),
}

/// The verbs that cannot change the game on a clock.
pub const LOOKS: [&str; 12] = [
    "status",
    "watch",
    "doctor",
    "log",
    "export",
    "report",
    "time-control",
    "rules",
    "hall",
    "setup",
    "backup",
    "simulate",
];

impl Verb {
    /// Whether the verb gives the clock a command. The others are listed: a verb that gives none and
    /// is missing here accepts `--dry-run`, which then has no effect.
    fn gives_command(&self) -> bool {
        !matches!(
            self,
            Verb::Status(_)
                | Verb::Watch(_)
                | Verb::Doctor(_)
                | Verb::Log(_)
                | Verb::Export(_)
                | Verb::Report(_)
                | Verb::TimeControl(_)
                | Verb::Rules(_)
                | Verb::Hall(_)
                | Verb::Setup(_)
                | Verb::Backup(_)
                | Verb::Simulate(_)
        )
    }

    /// Whether the text of the verb can be longer than a screen.
    fn is_long(&self) -> bool {
        match self {
            Verb::Log(args) => !args.follow,
            Verb::Export(args) => args.is_long(),
            Verb::Report(args) => args.is_long(),
            Verb::TimeControl(args) => args.is_long(),
            Verb::Rules(args) => args.is_long(),
            _ => false,
        }
    }

    /// Returns the exit code.
    async fn run(&self, options: &Options) -> anyhow::Result<u8> {
        let done = match self {
            Verb::Status(args) => return verb::status::run(options, args).await,
            Verb::Watch(args) => verb::watch::run(options, args).await,
            Verb::Give(give) => verb::give::run(options, give).await,
            Verb::Pause(args) => verb::pause::run(options, args).await,
            Verb::New(args) => verb::new::run(options, args).await,
            Verb::Set(args) => verb::set::run(options, args).await,
            Verb::Add(args) => verb::add::run(options, args).await,
            Verb::Result(args) => verb::result::run(options, args).await,
            Verb::Claim(args) => verb::claim::run(options, args).await,
            Verb::Rule(args) => verb::rule::run(options, args).await,
            Verb::ChangeTimeControl(args) => verb::change_time_control::run(options, args).await,
            Verb::Rewind(args) => verb::rewind::run(options, args).await,
            Verb::Import(args) => verb::import::run(options, args).await,
            Verb::Doctor(args) => verb::doctor::run(options, args).await,
            Verb::Log(args) => verb::log::run(options, args).await,
            Verb::Export(args) => verb::export::run(options, args).await,
            Verb::Report(args) => verb::report::run(options, args).await,
            Verb::TimeControl(args) => verb::time_control::run(options, args).await,
            Verb::Rules(args) => verb::rules::run(options, args).await,
            Verb::Hall(args) => verb::hall::run(options, args),
            Verb::Setup(args) => verb::setup::run(options, args),
            Verb::Backup(args) => verb::backup::run(options, args).await,
            Verb::Simulate(args) => verb::simulate::run(options, args),
        };
        done.map(|()| 0)
    }
}

#[cfg(test)]
mod tests {
    use clock_engine::rules::{
        Attachment, Confirmation, Evidence, Ground, IncidentKind, PenaltyCause,
    };

    use super::Cli;

    /// The values that an argument accepts. `command` is a verb, or a verb with its subcommand such
    /// as `claim draw`.
    fn values(command: &str, argument: &str) -> Vec<String> {
        let cli = Cli::all_verbs();
        let find = |level: &clap::Command, name| level.find_subcommand(name).cloned();
        let command = command.split(' ').try_fold(cli, |level, name| find(&level, name));
        let command = command.expect("the command exists");
        let argument = command.get_arguments().find(|given| given.get_id() == argument);
        let values = argument.expect("it has the argument").get_possible_values();
        values.iter().map(|value| value.get_name().to_owned()).collect()
    }

    #[test]
    fn the_words_of_the_rules_are_those_of_the_engine() {
        fn words<T>(all: &[T], word: fn(&T) -> &str) -> Vec<String> {
            all.iter().map(|value| word(value).to_owned()).collect()
        }
        for (command, argument, expected) in [
            ("claim draw", "ground", words(Ground::ALL, |it| it.as_str())),
            ("claim flag", "evidence", words(Evidence::ALL, |it| it.as_str())),
            ("record-attachment", "kind", words(Attachment::ALL, |it| it.as_str())),
            ("record-confirmation", "what", words(Confirmation::ALL, |it| it.as_str())),
            ("incident", "kind", words(IncidentKind::ALL, |it| it.as_str())),
            ("penalize", "cause", words(PenaltyCause::ALL, |it| it.as_str())),
        ] {
            assert_eq!(values(command, argument), expected, "{command} {argument}");
        }
    }

    #[test]
    fn a_verb_has_the_name_of_its_command() {
        let cli = Cli::all_verbs();
        let claims =
            [("claim-flag", "flag"), ("claim-draw", "draw"), ("request-increment", "increment")];
        for name in clock_dbus::COMMANDS {
            let claim = claims.iter().find(|(claim, _)| claim == name);
            let (level, verb) = match claim {
                Some((_, kind)) => (cli.find_subcommand("claim").unwrap(), *kind),
                None => (&cli, *name),
            };
            let verbs = level.get_subcommands();
            assert!(verbs.into_iter().any(|given| given.get_name() == verb), "{name}");
        }
    }

    #[test]
    fn the_command_line_contradicts_itself_nowhere() {
        Cli::all_verbs().debug_assert();
    }
}
