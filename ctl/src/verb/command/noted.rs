//! A command of one board of many is noted before it is sent. If no answer comes, the next run
//! finds out from the clock whether it was carried out, and does not give it twice.

use std::path::Path;

use clock_dbus::State;

use super::super::history::History;
use crate::{
    bus::Bus,
    failure::Failure,
    hall::sent::{SentCommand, SentOutcome},
    options::Options,
};

/// What is to be done with a command.
pub enum Prepared<'a> {
    /// It is to be sent for this revision.
    Send { revision: u64, note: Option<Note<'a>> },
    /// An earlier run has sent it, and the clock has carried it out.
    DoneBefore,
}

/// The note of a command that is being sent.
pub struct Note<'a> {
    path: &'a Path,
    sent: SentCommand,
}

/// What the record says of a command that was sent.
enum Found {
    /// The clock has carried it out.
    CarriedOut,
    /// The clock has changed for another reason, so it has refused the command.
    Another,
    /// The record does not say.
    Nothing,
}

/// Notes the command, or finds out what became of it in an earlier run. `before` is the state before
/// the command.
pub async fn prepare<'a>(
    options: &'a Options,
    bus: &Bus,
    before: &State,
) -> Result<Prepared<'a>, Failure> {
    let revision = options.revision.unwrap_or(before.revision);
    let path = options.on_board.as_ref().and_then(|board| board.sent_file.as_deref());
    let Some(path) = path else { return Ok(Prepared::Send { revision, note: None }) };
    let earlier = SentCommand::read(path).filter(|sent| sent.outcome.is_none());
    let revision = match earlier {
        None => revision,
        // It has not been carried out so far. If it still arrives, only one of the two is.
        Some(earlier) if earlier.revision == before.revision => earlier.revision,
        Some(earlier) => match find(bus, &earlier).await? {
            Found::CarriedOut => {
                Note { path, sent: earlier }.ended(SentOutcome::Done)?;
                return Ok(Prepared::DoneBefore);
            }
            Found::Another => {
                Note { path, sent: earlier }.ended(SentOutcome::NotDone)?;
                return Err(changed_meanwhile());
            }
            Found::Nothing => return Err(unknown()),
        },
    };
    let sender = bus.connection.unique_name().map(ToString::to_string).unwrap_or_default();
    let sent = SentCommand {
        revision,
        sender,
        game: before.game_number,
        reason: options.reason.clone(),
        outcome: None,
    };
    let note = Note { path, sent };
    note.write()?;
    Ok(Prepared::Send { revision, note: Some(note) })
}

impl Note<'_> {
    /// Notes the outcome of an answer; without a clear answer nothing.
    pub fn answered(self, failure: Option<&Failure>) {
        let outcome = match failure {
            None => SentOutcome::Done,
            Some(failure) if failure.leaves_in_doubt() => return,
            Some(_) => SentOutcome::NotDone,
        };
        // The answer is shown in any case. If it cannot be noted, the next run asks the clock.
        let _ = self.ended(outcome);
    }

    fn ended(mut self, outcome: SentOutcome) -> Result<(), Failure> {
        self.sent.outcome = Some(outcome);
        self.write()
    }

    fn write(&self) -> Result<(), Failure> {
        let cannot = |error| format!("cannot note the command in {}: {error}", self.path.display());
        self.sent.write(self.path).map_err(|error| Failure::Usage(cannot(error)))
    }
}

fn changed_meanwhile() -> Failure {
    Failure::Refused {
        code: "stale-revision".to_owned(),
        message:
            "it was not done: another command has changed the clock first; look at the clock, \
                  and give the command again if it is still meant"
                .to_owned(),
    }
}

fn unknown() -> Failure {
    Failure::Refused {
        code: "unknown-outcome".to_owned(),
        message: "the clock has changed since the command was sent, and the record does not say \
                  whether by this command; look at the clock (clockctl log)"
            .to_owned(),
    }
}

fn not_read(why: &str) -> String {
    format!("whether an earlier run has carried the command out could not be read: {why}")
}

/// Searches the record for the first change after the revision for which the command was sent.
async fn find(bus: &Bus, sent: &SentCommand) -> Result<Found, Failure> {
    let Some(game) = sent.game else { return Ok(Found::Nothing) };
    let history = History::of(bus).await?;
    // `new` is the first entry of the game after it.
    for game in [game, game.saturating_add(1)] {
        let mut next = 0;
        loop {
            let entries = match history.entries(game, next).await {
                Ok(entries) => entries,
                Err(failure) if failure.is_not_found() => break,
                Err(Failure::Refused { code, message }) => {
                    return Err(Failure::Refused { code, message: not_read(&message) });
                }
                Err(failure) => return Err(failure),
            };
            let Some(last) = entries.last() else { break };
            next = last.value.entry.saturating_add(1);
            let changed = entries.iter().find(|entry| entry.value.state.revision > sent.revision);
            if let Some(changed) = changed {
                let command = changed.value.carried_out();
                let is_ours = command.is_some_and(|command| {
                    command.sender.as_deref() == Some(sent.sender.as_str())
                        && command.reason == sent.reason
                });
                return Ok(if is_ours { Found::CarriedOut } else { Found::Another });
            }
        }
    }
    Ok(Found::Nothing)
}
