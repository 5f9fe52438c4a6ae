//! `clockctl time-control`: lists, shows and checks time controls.

use super::library::{self, Check, of_the_clock};
use crate::bus::bounded;
use crate::control;
use crate::failure::Failure;
use crate::options::Options;
use crate::text::plain;
use anyhow::Result;
use clock_controls::NamedControl;
use clock_dbus::ClockProxy;
use clock_engine::text::{pgn, presets, spoken};
use clock_engine::{AfterFlag, Control, Method, Overtime, PerSide, PeriodEnd, Side, Span};
use serde::Serialize;

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
    /// List the time controls the clock knows
    List,
    /// Show one: in words, in notations, and as a file
    #[command(after_help = NOTATIONS)]
    Show {
        /// A control the clock knows; a control file; or a notation: 3+2, '40/90, G/30, +30',
        /// 'G/60 d5', pgn:40/5400+30:1800+30
        #[arg(value_name = "NAME|FILE|NOTATION")]
        control: String,
    },
    /// Check control files
    Check {
        /// The files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<String>,
    },
}

const NOTATIONS: &str = "\
Notations, in minutes, their parts with commas or spaces between them:
  40/90          40 moves in 90 minutes
  G/30, SD/30    all the rest in 30 minutes; G30, SD30 too
  3+2            all moves in 3 minutes, 2 seconds a move
  +30, inc/30    30 seconds a move, from move 1; +30 from 61: from move 61
  30 + 5x30s     then 5 periods of 30 seconds for one move each
  d5, b5         5 seconds delay, Bronstein delay a move; d/5 too
  0+5, G/0 d5    no main time: only the increment or delay
  10 v 7         instead of any time or amount: White's and Black's
  repeat         the last period again and again: 40/120, 20/60 repeat
  draw Black     a draw wins for Black
Times can have units: G/90s, G/1:30:00, 90 min + 30 sec; then they can stand before the moves: \
90 min/40 moves + 30 min + 30 s/move. Usual words of announcements are understood: 90'/40 + 30'/end with incr. 30\"/move, \
90 Min./40 Züge + 30 Min./Rest, 2h 40 coups 1h KO. A number that people also use for hours (40/2, SD/1), for seconds (300+3) \
or for a second period (90+900) needs its unit: 40/2h, SD/1h. In seconds, as PGN's TimeControl, with the prefix pgn: \
pgn:40/5400+30:1800+30, pgn:75+0.6, pgn:*180 (hourglass).";

/// Lists, shows or checks time controls.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.what {
        What::List => {
            let read = async |clock: &ClockProxy<'static>| clock.list_time_controls().await;
            library::list(options, "controls", read, || {
                presets()
                    .iter()
                    .map(|preset| (preset.name.to_owned(), preset.read().name))
                    .collect()
            })
            .await
        }
        What::Show { control } => show(options, control).await,
        What::Check { files } => CHECK.run(options, files),
    }
}

/// How control files are checked.
const CHECK: Check<NamedControl, FoundJson> = Check {
    files: "control files",
    read: control::file,
    summary: NamedControl::describe,
    json: FoundJson::of,
};

async fn show(options: &Options, argument: &str) -> Result<()> {
    let named = if control::is_notation(argument) {
        control::notation(options, argument)?
    } else if control::is_file(argument) {
        control::file(argument)?
    } else {
        match of_the_clock(options, "controls").await? {
            Some(bus) => {
                let text = bounded(bus.clock.read_time_control(argument)).await?;
                NamedControl::parse(argument, text, argument).map_err(Failure::from)?
            }
            None => control::local(argument)?,
        }
    };
    let text = || format!("{}: {}\n{}", plain(&named.title), description(&named), named.text);
    library::show(options, || ControlJson::from(&named), text)
}

/// Describes a control in words and in both notations. If a notation cannot express it, the text
/// says why.
fn description(named: &NamedControl) -> String {
    let (words, control) = (named.describe(), &named.control);
    let flag = flag_words(control);
    let [spoken, pgn] = [spoken(control), pgn(control)]
        .map(|said| said.unwrap_or_else(|why| format!("cannot be said: {why}")));
    format!("{words}. {flag}\nSpoken: {spoken}\nPGN: {pgn}\n")
}

fn flag_words(control: &Control) -> &'static str {
    // A control with a gong, or one that counts up, has one period and the same method for both
    // sides. So White's method in the first period is enough here.
    match (control.periods()[0].method.white, control.after_flag()) {
        (Method::Gong(_) | Method::CountUp { limit: None }, _) => "No flag falls.",
        (_, AfterFlag::Halt) => "At the final flag both clocks stop.",
        (_, AfterFlag::Run) => "At the final flag the clocks run on.",
    }
}

/// A time control.
#[derive(Serialize)]
pub struct ControlJson {
    name: String,
    title: String,
    words: String,
    /// The control in spoken notation; `None` if that notation cannot express it. The same applies
    /// to `pgn`.
    spoken: Option<String>,
    pgn: Option<String>,
    period_end: &'static str,
    set_back_pause: bool,
    repeat: bool,
    after_flag: &'static str,
    first_move_increment: bool,
    draw_odds: Option<&'static str>,
    periods: Vec<PeriodJson>,
}

/// The control of a file that was checked; `None` if the file is wrong.
#[derive(Serialize)]
pub struct FoundJson {
    control: Option<ControlJson>,
}

impl FoundJson {
    pub fn of(named: Option<&NamedControl>) -> FoundJson {
        FoundJson { control: named.map(ControlJson::from) }
    }
}

#[derive(Serialize)]
struct PeriodJson {
    moves: Option<u32>,
    time_ns: PerSideJson<u64>,
    method: PerSideJson<&'static str>,
    /// The amount of the method, such as the increment or the delay; for overtime the time of one
    /// of its periods; 0 if the method has no amount.
    amount_ns: PerSideJson<u64>,
    overtime: PerSideJson<Option<OvertimeJson>>,
}

#[derive(Serialize)]
struct OvertimeJson {
    periods: u32,
    time_ns: u64,
    moves: u32,
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

impl From<&NamedControl> for ControlJson {
    fn from(named: &NamedControl) -> Self {
        let terms = named.control.terms();
        let periods = named.control.periods().iter().map(|period| PeriodJson {
            moves: period.moves,
            time_ns: period.time.map(Span::as_nanos).into(),
            method: period.method.map(|method| method_and_amount(method).0).into(),
            amount_ns: period.method.map(|method| method_and_amount(method).1.as_nanos()).into(),
            overtime: period.method.map(overtime).into(),
        });
        ControlJson {
            name: named.name.clone(),
            title: named.title.clone(),
            words: named.describe(),
            spoken: spoken(&named.control).ok(),
            pgn: pgn(&named.control).ok(),
            period_end: terms.period_end.as_str(),
            set_back_pause: terms.period_end == PeriodEnd::BlackCompletes { pause: true },
            repeat: terms.repeat,
            after_flag: named.control.after_flag().as_str(),
            first_move_increment: terms.first_move_increment,
            draw_odds: terms.draw_odds.map(Side::as_str),
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

fn overtime(method: Method) -> Option<OvertimeJson> {
    match method {
        Method::Overtime(Overtime { periods, time, moves }) => {
            Some(OvertimeJson { periods, time_ns: time.as_nanos(), moves })
        }
        _ => None,
    }
}
