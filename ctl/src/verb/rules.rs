//! `clockctl rules`: lists, shows and checks rule profiles.

mod json;

use super::library::{self, Check, of_the_clock};
use crate::bus::bounded;
use crate::options::Options;
use crate::rules::{self, FromClock};
use crate::text::plain;
use anyhow::Result;
use clock_controls::NamedRules;
use clock_dbus::ClockProxy;
use clock_engine::text::{Parameter, RuleFile, Situation, rule_presets};
use json::{FoundJson, RulesJson, Shown};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

impl Args {
    /// Whether the text can be longer than a screen. `check` reports files on standard error, too,
    /// so it has no pager.
    pub fn is_long(&self) -> bool {
        !matches!(self.what, What::Check { .. })
    }
}

#[derive(Clone, Debug, clap::Subcommand)]
enum What {
    /// List the rule profiles the clock knows
    List,
    /// Show one: each parameter with its meaning, and the file that sets it; and the texts for the
    /// arbiter
    Show {
        /// A rule profile the clock knows, or a rule file
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

/// Lists, shows or checks rule profiles.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.what {
        What::List => {
            let read = async |clock: &ClockProxy<'static>| clock.list_rules().await;
            library::list(options, "rule profiles", read, || {
                let shipped = rule_presets().iter();
                shipped.map(|preset| (preset.name.to_owned(), preset.read().name)).collect()
            })
            .await
        }
        What::Show { rules } => show(options, rules).await,
        What::Check { files } => CHECK.run(options, files),
    }
}

async fn show(options: &Options, argument: &str) -> Result<()> {
    let shown = if rules::is_file(argument) {
        Shown::with_files(rules::file(argument)?)
    } else {
        match of_the_clock(options, "rule profiles").await? {
            Some(bus) => {
                let text = bounded(bus.clock.read_rules(argument)).await?;
                match rules::of_the_clock(argument, text)? {
                    FromClock::Shipped(named) => Shown::with_files(named),
                    FromClock::Merged(named) => Shown { named, files_known: false },
                }
            }
            None => Shown::with_files(rules::local(argument)?),
        }
    };
    library::show(options, || RulesJson::new(&shown), || description(&shown))
}

/// The title, each parameter with the file that sets it and with its meaning, and the texts for the
/// arbiter.
fn description(shown: &Shown) -> String {
    let named = &shown.named;
    let mut text = format!("{}\n", summary(named));
    for parameter in Parameter::ALL {
        let value = parameter.value(named.profile());
        text.push_str(&format!("\n{} = {value}\n", parameter.key));
        text.push_str(&format!("    {}\n", parameter.meaning));
        let from = shown.origin(parameter).map(|file| format!("From {file}; ")).unwrap_or_default();
        text.push_str(&format!("    {from}{}.\n", parameter.citations()));
    }
    let guidance = |situation: &Situation| {
        let text = named.rules.guidance.get(*situation)?;
        Some(format!("\nGuidance on {}:\n    {text}\n", situation.as_str()))
    };
    text.extend(Situation::ALL.iter().filter_map(guidance));
    text
}

/// The title of the profile, and the files that the profile inherits from.
fn summary(named: &NamedRules) -> String {
    let RuleFile { name, inherited, .. } = &named.rules;
    match inherited.as_slice() {
        [] => plain(name),
        inherited => plain(&format!("{name}, inherits {}", inherited.join(", "))),
    }
}
