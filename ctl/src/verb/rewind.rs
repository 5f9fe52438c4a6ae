//! `clockctl rewind`: sets the clock back to an earlier move of this game.

use anyhow::Result;
use clock_dbus::{Given, Phase, State, Who};
use clockctl::record::Entry;

use super::command::{self, Connected};
use super::history::History;
use crate::failure::Failure;
use crate::local_time::Zone;
use crate::options::{Options, whole};
use crate::text;

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(flatten)]
    target: Target,
}

#[derive(Clone, Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// The same as --to
    #[arg(value_name = "MOVE", value_parser = Move::parse)]
    moved: Option<Move>,
    /// The side and the number of its move: W23 is right after White's press that completed move 23
    #[arg(long, value_name = "MOVE", value_parser = Move::parse)]
    to: Option<Move>,
    /// The number of an entry of the record (clockctl log): right after that entry
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    entry: Option<u64>,
}

const HELP: &str = "\
Stop the clocks first (clockctl pause); they stand afterwards, too. Both readings are shown before and after. What \
happened since stays on record, so a wrong rewind can itself be taken back with --entry.";

/// A move of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    side: Who,
    number: u32,
}

impl Move {
    fn parse(text: &str) -> Result<Move, String> {
        let expected =
            || "expected a side and a move, such as W23 or B7; W0 is the start".to_owned();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!(
                "a number alone can be that of a move or of an entry; expected W{text} or B{text} for the \
                 move, --entry {text} for the entry"
            ));
        }
        let (side, number) = text.split_at_checked(1).ok_or_else(expected)?;
        let side = match side {
            "W" | "w" => Who::White,
            "B" | "b" => Who::Black,
            _ => return Err(expected()),
        };
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.then(|| number.parse().ok()).flatten().ok_or_else(expected)?;
        Ok(Move { side, number })
    }
}

/// Rewinds. Shows the times of both sides before and after it, because an arbiter writes them down.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let wanted = "go back to an earlier move";
    let connected = command::connect(options, wanted).await?;
    let (number, entry) = match find(&connected, args).await {
        Ok(found) => found,
        Err(failure) => {
            let revision = connected.before.revision;
            return Err(command::not_completed(&connected.bus, failure, wanted, revision).await);
        }
    };
    let completed = connected.send(options, Given::Rewind { entry: number }).await?;
    completed
        .show(options, |before, after| {
            let table = command::readings_table(before, after);
            table + &when(&entry) + &text::brief_and_questions(after)
        })
        .await
}

/// The number of the entry that is meant, and the entry.
async fn find(connected: &Connected, args: &Args) -> Result<(u64, Entry), Failure> {
    ensure_stopped(&connected.before)?;
    let history = History::of(&connected.bus).await?;
    let number = match args.target {
        Target { entry: Some(entry), .. } => entry,
        Target { to: Some(Move { side, number }), .. }
        | Target { moved: Some(Move { side, number }), .. } => {
            history.find_move(side, number).await?
        }
        Target { .. } => return Err(Failure::Usage("give --to or --entry".to_owned())),
    };
    let game = history.game(None).await?.value.game;
    Ok((number, history.entry(game, number).await?.value))
}

/// Refuses to rewind while a clock runs or a result stands. The service refuses that, too, but only
/// after the record was read.
fn ensure_stopped(state: &State) -> Result<(), Failure> {
    let refused =
        |code: &str, message: String| Err(Failure::Refused { code: code.to_owned(), message });
    match state.phase {
        Phase::Running => {
            refused("not-paused", format!("{}'s clock runs", text::name(state.running)))
        }
        Phase::Over => refused("game-over", "a result stands".to_owned()),
        Phase::Ready | Phase::Paused | Phase::Ruling => Ok(()),
    }
}

/// When the entry was made to which the clock is set back.
fn when(entry: &Entry) -> String {
    let when = Zone::system().text(entry.wall_ns, entry.at_ns);
    format!("entry {} was made at {when}\n", entry.entry)
}

#[cfg(test)]
mod tests {
    use super::Move;
    use clock_dbus::Who;

    #[test]
    fn a_move_has_a_side_and_a_number() {
        for (text, expected) in [
            ("W23", Some((Who::White, 23))),
            ("b7", Some((Who::Black, 7))),
            ("W0", Some((Who::White, 0))),
            ("w4294967295", Some((Who::White, u32::MAX))),
            ("W4294967296", None),
            ("23W", None),
            ("W", None),
            ("", None),
            ("W-1", None),
            ("W+1", None),
            ("É7", None),
            ("W 3", None),
        ] {
            let found = Move::parse(text).ok().map(|found| (found.side, found.number));
            assert_eq!(found, expected, "{text}");
        }
    }
}
