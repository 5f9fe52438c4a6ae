//! `clockctl method`: changes the increment or the delay for the rest of the game.

use anyhow::Result;
use clap::ValueEnum;
use clock_dbus::State;
use clock_engine::Span;
use clock_engine::text::{hms, parse_duration};

use super::command::{self, Phrases};
use crate::failure::Failure;
use crate::options::{Options, word};
use crate::text;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// What every move brings
    #[arg(value_enum)]
    method: Method,
    /// How much, such as 30s
    #[arg(value_name = "TIME")]
    amount: Option<String>,
    /// The schedule of the event would suffer otherwise: the reason that FIDE Laws 2023 A.5.1.1 accepts
    #[arg(long)]
    schedule_suffers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    None,
    Increment,
    Delay,
    Bronstein,
}

/// The amount in nanoseconds; 0 for no method.
fn amount_nsec(method: Method, amount: Option<&str>) -> Result<u64, String> {
    match (method, amount) {
        (Method::None, None) => Ok(0),
        (Method::None, Some(amount)) => Err(format!("none takes no time, such as `{amount}`")),
        (method, None) => Err(format!("{} needs a time, such as 30s", word(&method))),
        (_, Some(amount)) => {
            parse_duration(amount).map(Span::as_nanos).map_err(|error| error.to_string())
        }
    }
}

/// Changes the method. Both clocks have to stand.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "change the method", done: "the method was changed" };
    let nsec = amount_nsec(args.method, args.amount.as_deref()).map_err(Failure::Usage)?;
    command::run_and_say_done(
        options,
        phrases,
        async |arbiter, revision, reason| {
            let (method, suffers) = (word(&args.method), args.schedule_suffers);
            arbiter.change_method(&method, nsec, suffers, revision, reason).await
        },
        |before, _| done(args.method, nsec, before),
    )
    .await
}

/// What the command did: the method from now on, and the one before.
fn done(method: Method, nsec: u64, before: &State) -> String {
    let now = match method {
        Method::None => word(&method),
        _ => format!("{} {} a move", word(&method), hms(Span::from_nanos(nsec))),
    };
    let was = match before.changed_method.as_str() {
        "" => format!("that of {}", text::plain(&before.time_control)),
        changed => text::plain(changed),
    };
    format!("method from now on: {now}, before: {was}")
}
