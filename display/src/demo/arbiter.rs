//! The keys of the demonstration that give the arbiter's commands. The commands are sent over
//! D-Bus.

use clock_dbus::{ArbiterProxy, Completed, Error, NewGame, Phase, Result, State, Who};
use tokio::sync::mpsc;
use zbus::DBusError;
use zbus::proxy::CacheProperties;

use super::Notice;
use crate::link::Up;

/// The reason that is recorded with each command.
const REASON: &str = "demonstration";

/// A command of the arbiter that a key of the demonstration gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Start,
    Pause,
    Resume,
    New,
}

/// The command for the space bar: `start`, `pause` or `resume`, according to the phase. In the
/// phases `ruling` and `over` the service refuses all three. `resume` is sent nevertheless, because
/// the message of the refusal tells the user why.
pub fn toggle(state: &State) -> Command {
    match state.phase {
        Phase::Ready => Command::Start,
        Phase::Running => Command::Pause,
        Phase::Paused | Phase::Ruling | Phase::Over => Command::Resume,
    }
}

/// Sends a command with the revision of the state that the user saw. If the command fails, sends
/// the reason to `notices`.
pub async fn send(command: Command, up: Box<Up>, notices: mpsc::Sender<Notice>) {
    if let Err(error) = call(command, &up).await {
        // Sending fails only while the program ends.
        let _ = notices.send(Notice::Refused(message(&error))).await;
    }
}

async fn call(command: Command, up: &Up) -> Result<Completed> {
    let arbiter =
        ArbiterProxy::builder(&up.connection).cache_properties(CacheProperties::No).build().await?;
    let revision = up.state.revision;
    match command {
        Command::Start => arbiter.start(revision, REASON).await,
        Command::Pause => arbiter.pause(Who::Arbiter, revision, REASON).await,
        Command::Resume => arbiter.resume(Who::Nobody, revision, REASON).await,
        Command::New => {
            // If `force` is not set, the service refuses the command during a game. `force` is not
            // set while a clock runs, so that the user cannot lose a running game.
            let force = Some(up.state.phase != Phase::Running);
            arbiter.new_game(NewGame { force, ..NewGame::default() }, revision, REASON).await
        }
    }
}

/// The text of an error for the user: its message without its D-Bus name. If the error has no
/// message, the text is the complete error.
fn message(error: &Error) -> String {
    match error.description() {
        Some(message) if !message.is_empty() => message.to_owned(),
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
        assert_eq!(message(&refusal), "the clock is at revision 7, not 6");
    }
}
