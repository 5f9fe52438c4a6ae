//! `clockctl pause`: stops both clocks.

use anyhow::Result;
use clock_dbus::commands::Caller;
use clock_dbus::{Completed, Given, Phase, one_line};
use clock_engine::rules::Announcement;

use super::command::{self, CompletedCommand, Connected};
use crate::bus::bounded;
use crate::options::{Options, words};

const PAUSED_ALREADY: &str = "the clocks were paused already";

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Who stops the clocks: the arbiter, or the player he does it for
    #[arg(long, value_parser = words::<Caller>(), value_name = "WHO", default_value = "arbiter")]
    by: Caller,
    /// Show the players this text during the pause, as "lunch until 14:00"; --reason is for the record
    #[arg(long, value_name = "TEXT", value_parser = announcement)]
    announce: Option<String>,
}

impl Args {
    /// Whether the players are shown a text.
    pub fn announces(&self) -> bool {
        self.announce.is_some()
    }
}

/// Stops both clocks. Clocks that are paused already need no command: a player's stop is one, because
/// it asks for a ruling.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let connected = command::connect(options, command::PAUSE).await?;
    let is_already = args.by == Caller::Arbiter && connected.before.phase == Phase::Paused;
    let paused = match (is_already, &args.announce) {
        (true, None) => return connected.show_already(options, PAUSED_ALREADY).await,
        (true, Some(_)) => {
            let Connected { bus, before, .. } = connected;
            CompletedCommand::unsent(bus, PAUSED_ALREADY, before)
        }
        (false, _) => connected.send(options, Given::Pause { by: Some(args.by) }).await?,
    };
    let done = match &args.announce {
        Some(text) => announce(options, paused, text).await?,
        None => paused,
    };
    done.show(options, command::after_done).await
}

/// Announces a text after the pause. These are two commands, because nothing may delay the pause.
async fn announce(
    options: &Options,
    paused: CompletedCommand,
    text: &str,
) -> Result<CompletedCommand> {
    let CompletedCommand { bus, before, answer: Completed { revision, report, .. }, .. } = paused;
    let announced = bounded(bus.arbiter.announce(text, revision, &options.reason)).await;
    let wanted = "announce the text; the clocks are paused";
    match announced {
        Ok(done) => {
            let report = format!("{report}. {}", done.report);
            Ok(CompletedCommand::new(bus, before, Completed { report, ..done }))
        }
        Err(failure) => Err(command::not_completed(&bus, failure, wanted, revision).await),
    }
}

/// Reads a text for the players; the empty one takes an announcement back.
pub fn text_or_nothing(text: &str) -> Result<String, String> {
    if text.is_empty() { Ok(String::new()) } else { announcement(text) }
}

/// Checks a text before a command is sent, so that `pause` does not stop the clocks for a text that
/// the service then refuses.
pub fn announcement(text: &str) -> Result<String, String> {
    let is_one_line = one_line(text) == text;
    Announcement::new(text).filter(|_| is_one_line).map(|_| text.to_owned()).ok_or_else(|| {
        format!(
            "{} bytes; expected one line of 1 to {} bytes, with single blanks and without control characters",
            text.len(),
            Announcement::LIMIT
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_the_service_would_refuse_is_refused() {
        for text in ["lunch until 14:00", &"ö".repeat(32)] {
            assert_eq!(announcement(text).as_deref(), Ok(text));
        }
        for text in ["", &"x".repeat(65), "a\nb", "a  b", " a", "\u{202e}a", "\u{1b}[31m"] {
            assert!(announcement(text).unwrap_err().contains("expected one line"), "{text:?}");
        }
        assert_eq!(text_or_nothing("").as_deref(), Ok(""));
    }
}
