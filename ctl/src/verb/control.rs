//! `clockctl control`: the time controls a clock knows, and files that would be ones.

use crate::bus::{Bus, bounded};
use crate::cli::Options;
use crate::control::{self, Known};
use crate::failure::Failure;
use crate::out;
use crate::text::plain;
use anyhow::Result;
use clock_engine::text::{presets, words};
use clock_engine::{AfterFlag, Method, PerSide, Span};
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// List the time controls the clock knows
    List,
    /// Show one: what it says in words, and its file
    Show {
        /// A control the clock knows, or a control file
        #[arg(value_name = "NAME|FILE")]
        control: String,
    },
    /// Say whether control files are good
    Check {
        /// The files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<String>,
    },
}

/// Lists, shows or checks.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.what {
        What::List => list(options).await,
        What::Show { control } => show(options, control).await,
        What::Check { files } => check(options, files),
    }
}

#[derive(Serialize)]
struct NameJson {
    name: String,
    title: String,
}

/// What the clock knows; without a clock, what is shipped with it, and that is said.
async fn list(options: &Options) -> Result<()> {
    let names: Vec<(String, String)> = match of_the_clock(options).await? {
        Some(bus) => bounded(bus.clock.list_time_controls()).await?,
        None => {
            presets().iter().map(|preset| (preset.name.to_owned(), preset.read().name)).collect()
        }
    };
    let names: Vec<NameJson> =
        names.into_iter().map(|(name, title)| NameJson { name, title: plain(&title) }).collect();
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return names.iter().try_for_each(out::print_json);
    }
    let width = names.iter().map(|known| known.name.len()).max().unwrap_or(0);
    let lines = names.iter().map(|known| format!("{:width$}  {}\n", known.name, known.title));
    out::print(&lines.collect::<String>())
}

async fn show(options: &Options, argument: &str) -> Result<()> {
    control::refuse_notation(argument)?;
    let known = if control::is_file(argument) {
        control::file(argument)?
    } else {
        match of_the_clock(options).await? {
            Some(bus) => {
                let text = bounded(bus.clock.read_time_control(argument)).await?;
                control::parse(argument, text, argument)?
            }
            None => control::local(argument)?,
        }
    };
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return out::print_json(&ControlJson::from(&known));
    }
    let said = words(&known.control);
    let flag = match known.control.after_flag() {
        AfterFlag::Halt => "At the final flag both clocks stop.",
        AfterFlag::Run => "At the final flag the clocks run on.",
    };
    // A file may hold anything, and a terminal obeys some of it.
    let visible = |c: &char| !c.is_control() || ['\n', '\t'].contains(c);
    let file: String = known.text.chars().filter(visible).collect();
    out::print(&format!("{}: {said}. {flag}\n\n{file}", plain(&known.title)))
}

/// Every file is looked at, whatever is wrong with those before it.
fn check(options: &Options, files: &[String]) -> Result<()> {
    let mut wrong = 0;
    for path in files {
        let checked = control::file(path);
        if let Err(failure) = &checked {
            wrong += 1;
            eprintln!("clockctl: {}", plain(&failure.to_string()));
        }
        match checked {
            _ if options.quiet => {}
            checked if options.json => out::print_json(&CheckJson::of(path, &checked))?,
            Ok(known) => out::print(&format!("{path}: good: {}\n", words(&known.control)))?,
            Err(_) => {}
        }
    }
    match wrong {
        0 => Ok(()),
        _ => {
            let message = format!("{wrong} of {} control files cannot be used", files.len());
            Err(Failure::FilesWrong(message).into())
        }
    }
}

/// The clock, or none where no service runs: what every clock is shipped with is then shown, and
/// that is said. A bus that was named must be there.
async fn of_the_clock(options: &Options) -> Result<Option<Bus>, Failure> {
    let found = async {
        let bus = Bus::connect(options.bus.as_ref()).await?;
        bus.state().await?;
        Ok(bus)
    };
    match found.await {
        Ok(bus) => Ok(Some(bus)),
        Err(Failure::NoBus { .. } | Failure::NoService) if options.bus.is_none() => {
            eprintln!("clockctl: no clock service here; these are the controls every clock has");
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

#[derive(Serialize)]
struct ControlJson<'a> {
    name: &'a str,
    title: &'a str,
    words: String,
    after_flag: &'static str,
    first_move_increment: bool,
    periods: Vec<PeriodJson>,
}

/// A file that was checked: what it says, or what is wrong with it.
#[derive(Serialize)]
struct CheckJson<'a> {
    file: &'a str,
    control: Option<ControlJson<'a>>,
    error: Option<String>,
}

impl<'a> CheckJson<'a> {
    fn of(file: &'a str, checked: &'a Result<Known, Failure>) -> Self {
        CheckJson {
            file,
            control: checked.as_ref().ok().map(ControlJson::from),
            error: checked.as_ref().err().map(ToString::to_string),
        }
    }
}

#[derive(Serialize)]
struct PeriodJson {
    moves: Option<u32>,
    time_ns: PerSideJson<u64>,
    method: PerSideJson<&'static str>,
    amount_ns: PerSideJson<u64>,
}

#[derive(Serialize)]
struct PerSideJson<T> {
    white: T,
    black: T,
}

impl<T> From<PerSide<T>> for PerSideJson<T> {
    fn from(both: PerSide<T>) -> Self {
        PerSideJson { white: both.white, black: both.black }
    }
}

impl<'a> From<&'a Known> for ControlJson<'a> {
    fn from(known: &'a Known) -> Self {
        let periods = known.control.periods().iter().map(|period| PeriodJson {
            moves: period.moves,
            time_ns: period.time.map(Span::as_nanos).into(),
            method: period.method.map(|method| method_and_amount(method).0).into(),
            amount_ns: period.method.map(|method| method_and_amount(method).1.as_nanos()).into(),
        });
        ControlJson {
            name: &known.name,
            title: &known.title,
            words: words(&known.control),
            after_flag: match known.control.after_flag() {
                AfterFlag::Halt => "halt",
                AfterFlag::Run => "run",
            },
            first_move_increment: known.control.terms().first_move_increment,
            periods: periods.collect(),
        }
    }
}

fn method_and_amount(method: Method) -> (&'static str, Span) {
    match method {
        Method::None => ("none", Span::ZERO),
        Method::Increment(span) => ("increment", span),
        Method::Delay(span) => ("delay", span),
        Method::Bronstein(span) => ("bronstein", span),
        Method::Overtime(overtime) => ("overtime", overtime.time),
        Method::Hourglass => ("hourglass", Span::ZERO),
        Method::Gong(span) => ("gong", span),
        Method::CountUp { limit } => ("count_up", limit.unwrap_or_default()),
    }
}
