//! `clockctl rules`: lists, shows and checks rule profiles.

mod json;

use super::library::{self, Check, visible};
use crate::cli::Options;
use crate::out;
use crate::rules;
use crate::text::plain;
use anyhow::Result;
use clock_controls::NamedRules;
use clock_engine::text::{Origin, Parameter, RuleFile, Situation, rule_presets};
use json::{FoundJson, RulesJson};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// List the rule profiles every clock has
    List,
    /// Show one: each parameter with its meaning, and the file that sets it; and the texts for the arbiter
    Show {
        /// A rule profile every clock has, or a rule file
        #[arg(value_name = "NAME|FILE")]
        rules: String,
    },
    /// Check rule files
    Check {
        /// The files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<String>,
    },
}

/// How rule files are checked.
const CHECK: Check<NamedRules, FoundJson> =
    Check { files: "rule files", read: rules::file, summary, json: FoundJson::of };

/// Lists, shows or checks.
pub fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.what {
        What::List => list(options),
        What::Show { rules } => show(options, rules),
        What::Check { files } => CHECK.run(options, files),
    }
}

/// The compiled-in profiles.
fn list(options: &Options) -> Result<()> {
    let shipped = rule_presets().iter();
    library::list(
        options,
        shipped.map(|preset| (preset.name.to_owned(), preset.read().name)).collect(),
    )
}

fn show(options: &Options, argument: &str) -> Result<()> {
    let named = rules::local(argument)?;
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return out::print_json(&RulesJson::from(&named));
    }
    out::print(&visible(&description(&named)))
}

/// The title, each parameter with the file that sets it and with its meaning, and the texts for the
/// arbiter.
fn description(named: &NamedRules) -> String {
    let mut text = format!("{}\n", summary(named));
    for parameter in Parameter::ALL {
        let value = parameter.value(named.profile());
        let origin = origin(named, parameter);
        text.push_str(&format!("\n{} = {value}\n", parameter.key));
        text.push_str(&format!("    {}\n", parameter.meaning));
        text.push_str(&format!("    From {origin}; {}.\n", parameter.clauses));
    }
    let guidance = |situation: &Situation| {
        let text = named.rules.guidance.get(*situation)?;
        Some(format!("\nGuidance on {}:\n    {text}\n", situation.as_str()))
    };
    text.extend(Situation::ALL.iter().filter_map(guidance));
    text
}

/// The title, and the files that it inherits from.
fn summary(named: &NamedRules) -> String {
    let RuleFile { name, inherited, .. } = &named.rules;
    match inherited.as_slice() {
        [] => plain(name),
        inherited => plain(&format!("{name}, inherits {}", inherited.join(", "))),
    }
}

/// The file that sets a parameter.
fn origin<'a>(named: &'a NamedRules, parameter: &Parameter) -> &'a str {
    match named.rules.origin(parameter) {
        Origin::Own => &named.name,
        Origin::Inherited(name) => name,
        Origin::Default => "no file (the value that holds if none sets it)",
    }
}
