//! `clockctl doctor`: says whether the clock is fit for play, and what helps where it is not.

mod args;
mod board;
mod button_session;
mod buttons;
mod driver;
mod loopback;
mod on_bus;
mod on_machine;
mod remedy;

pub use self::args::Args;
use self::remedy::remedy_for;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::{
    doctor::{
        facts::Facts,
        finding::{Finding, Verdict},
        findings, is_fit, overall, tester_report,
    },
    failure::Failure,
    one_of_many,
    options::Options,
    out,
    target::Target,
    text::{padded, plain},
};

/// The findings for scripts.
#[derive(Serialize)]
struct DoctorJson<'a> {
    /// The version of the form; `docs/schemas/doctor.schema.json` describes it.
    format: u32,
    /// Whether no finding is `unfit`.
    fit: bool,
    findings: &'a [Finding],
}

/// Looks at the clock and prints the findings. If one of them is `unfit`, the exit code is 8.
/// Nothing is changed.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    if args.buttons {
        return buttons::run(options).await;
    }
    if args.loopback {
        return loopback::run(options, args).await;
    }
    if args.report {
        return report(options).await;
    }
    let findings = findings(&facts(options).await?);
    let overall = overall(&findings);
    if !options.quiet {
        if options.json {
            out::print_json(&DoctorJson {
                format: 1,
                fit: is_fit(&findings),
                findings: &findings,
            })?;
        } else {
            // For one board of many, only what has to be done.
            out::print(&text(&findings, &overall, one_of_many::is_here()))?;
        }
    }
    match is_fit(&findings) {
        true => Ok(()),
        false => Err(Failure::NotInOrder(overall).into()),
    }
}

/// Prints what a tester can send to others. Whether the clock is fit does not decide the exit code.
async fn report(options: &Options) -> Result<()> {
    if options.json {
        let why = "--report is a text for people and takes no --json; clockctl doctor --json has the findings";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    let facts = facts(options).await?;
    let board = match facts.machine {
        Some(_) => board::read(Path::new("/")).await,
        None => tester_report::Board::default(),
    };
    let text = tester_report::text(&facts, &board);
    out::print(&text.lines().map(|line| format!("{}\n", plain(line))).collect::<String>())
}

/// Reads what the bus and the machine say. Where a bus of this machine has no service, the machine
/// is looked at all the same; a bus or a host that cannot be reached is an error.
async fn facts(options: &Options) -> Result<Facts> {
    let target = options.target();
    let mut read = on_bus::read(&target).await?;
    let machine = match target {
        Target::Host(_) => None,
        Target::SystemBus | Target::Bus(_) => {
            let is_system = target == Target::SystemBus;
            Some(on_machine::read(Path::new("/"), read.process, is_system).await)
        }
    };
    if machine.is_some() {
        // The kernel itself is asked where it can be: systemd-hostnamed need not be installed.
        let root = Path::new("/");
        let system = &mut read.system;
        system.kernel = on_machine::kernel(root).or(system.kernel.take());
        system.model = on_machine::model(root).or(system.model.take());
    }
    Ok(Facts { clock: read.clock, bus: read.bus, system: read.system, machine })
}

/// The overall line, and below it every finding with its remedy.
fn text(findings: &[Finding], overall: &str, only_what_to_do: bool) -> String {
    let is_shown = |finding: &&Finding| {
        !only_what_to_do || matches!(finding.verdict, Verdict::Unfit | Verdict::Warning)
    };
    let shown: Vec<&Finding> = findings.iter().filter(is_shown).collect();
    let width = shown.iter().map(|finding| finding.id.len()).max().unwrap_or_default();
    let mut text = format!("{}\n", plain(overall));
    for Finding { id, value, verdict, remedy, .. } in shown {
        let verdict = verdict.as_str();
        text.push_str(&format!("{verdict:7}  {}  {}\n", padded(id, width), plain(value)));
        if let Some(remedy) = remedy {
            text.push_str(&format!("{:7}  {}  → {}\n", "", padded("", width), remedy_for(remedy)));
        }
    }
    text
}
