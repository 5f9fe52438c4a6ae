//! The arbiter's keys: commands over D-Bus.

use clock_dbus::{ArbiterProxy, Error, NewGame, Phase, Result, State, Who};
use tokio::sync::mpsc;
use zbus::DBusError;
use zbus::proxy::CacheProperties;

use super::Notice;
use crate::link::Up;

/// What stands in the record as the reason.
const REASON: &str = "demonstration";

/// A command of the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Start,
    Pause,
    Resume,
    New,
}

/// What the space bar means now. Where it can mean nothing, resuming is asked for all the same:
/// the service's refusal says why better than this program could.
pub fn toggle(state: &State) -> Command {
    match state.phase {
        Phase::Ready => Command::Start,
        Phase::Running => Command::Pause,
        Phase::Paused | Phase::Ruling | Phase::Over => Command::Resume,
    }
}

/// Gives a command for the state the user saw; a refusal becomes a notice.
pub async fn give(command: Command, up: Box<Up>, notices: mpsc::Sender<Notice>) {
    if let Err(error) = call(command, &up).await {
        // A face that is closing has no use for it.
        let _ = notices.send(Notice::Refused(words(&error))).await;
    }
}

async fn call(command: Command, up: &Up) -> Result<u64> {
    let arbiter =
        ArbiterProxy::builder(&up.connection).cache_properties(CacheProperties::No).build().await?;
    let revision = up.state.revision;
    match command {
        Command::Start => arbiter.start(revision, REASON).await,
        Command::Pause => arbiter.pause(Who::Arbiter, revision, REASON).await,
        Command::Resume => arbiter.resume(Who::Nobody, revision, REASON).await,
        Command::New => {
            // Whoever has stopped the demonstration's clocks may begin again.
            let force = Some(up.state.phase != Phase::Running);
            arbiter.new_game(NewGame { force, ..NewGame::default() }, revision, REASON).await
        }
    }
}

/// The message alone: the error's name says nothing to a player that the message does not.
fn words(error: &Error) -> String {
    match error.description() {
        Some(words) if !words.is_empty() => words.to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_follows_the_phase() {
        for (phase, want) in [
            (Phase::Ready, Command::Start),
            (Phase::Running, Command::Pause),
            (Phase::Paused, Command::Resume),
            (Phase::Ruling, Command::Resume),
            (Phase::Over, Command::Resume),
        ] {
            let state = State { phase, ..State::default() };
            assert_eq!(toggle(&state), want, "{phase:?}");
        }
    }

    #[test]
    fn a_refusal_is_told_in_its_own_words() {
        let refusal = Error::StaleRevision("the clock is at revision 7, not 6".into());
        assert_eq!(words(&refusal), "the clock is at revision 7, not 6");
    }
}
