//! `org.chessclock.Clock1.Arbiter`: the arbiter's commands. The bus policy decides who may call them.

use super::convert::{self, GameInfo};
use super::shared_state::SharedState;
use clock_controls::{FILE_LIMIT, NamedControl};
use clock_dbus::{Corrections, Error, NewGame, Who};
use clock_engine::{Command, Correction, PerSide};
use std::sync::Arc;
use zbus::message::Header;
use zbus::{Connection, interface};

/// The most bytes of a name or a reason.
const TEXT_LIMIT: usize = 1000;

/// The interface of the group `arbiter`.
pub struct Arbiter {
    /// Sends the commands to the clock loop.
    pub shared: Arc<SharedState>,
    /// A second connection, used to ask the bus for the caller's user id. Calls of this interface
    /// are not spawned, so on the first connection the answer could wait behind later calls for
    /// ever.
    pub query_connection: Connection,
}

impl Arbiter {
    /// Carries out a command, and logs who gave it and why.
    async fn carry_out(
        &self,
        call: Call<'_>,
        command: Command,
        game: Option<GameInfo>,
    ) -> Result<u64, Error> {
        if call.reason.len() > TEXT_LIMIT {
            return Err(convert::invalid(&format!("a reason has at most {TEXT_LIMIT} bytes")));
        }
        let Call { verb, revision, reason, header } = call;
        // Sent before the bus is asked who called, so that a pause takes effect without that delay.
        let answer = self.shared.send(command, revision, game)?;
        let uid = self.caller_uid(header).await;
        let done = answer.wait().await;
        match &done {
            Ok(revision) => tracing::info!(verb, uid, reason, revision, "command carried out"),
            Err(Error::TimedOut(error)) => {
                tracing::error!(verb, uid, reason, error, "the outcome of a command is unknown");
            }
            Err(error) => tracing::warn!(verb, uid, reason, %error, "command refused"),
        }
        done
    }

    /// The caller's user id, as the bus knows it. Over SSH it is that of the login.
    async fn caller_uid(&self, header: &Header<'_>) -> Option<u32> {
        let sender = header.sender()?.to_owned();
        let bus = zbus::fdo::DBusProxy::new(&self.query_connection).await.ok()?;
        bus.get_connection_unix_user(sender.into()).await.ok()
    }

    fn game(&self, wanted: NewGame) -> Result<(Command, GameInfo), Error> {
        let present = self.shared.game();
        let named = match (wanted.time_control, wanted.time_control_file) {
            (name, Some(text)) => {
                let name = name.unwrap_or_else(|| "custom".to_owned());
                check_length("TimeControl", &name, TEXT_LIMIT)?;
                check_length("TimeControlFile", &text, FILE_LIMIT)?;
                NamedControl::parse(&name, text, &format!("{name}.toml"))
            }
            (Some(name), None) => {
                check_length("TimeControl", &name, TEXT_LIMIT)?;
                self.shared.controls.find(&name)
            }
            (None, None) => {
                NamedControl::parse(&present.control, present.control_text, &present.control)
            }
        };
        let named = named.map_err(|problem| Error::InvalidControl(problem.to_string()))?;
        let players = PerSide {
            white: wanted.white_player.unwrap_or(present.players.white),
            black: wanted.black_player.unwrap_or(present.players.black),
        };
        check_length("WhitePlayer", &players.white, TEXT_LIMIT)?;
        check_length("BlackPlayer", &players.black, TEXT_LIMIT)?;
        let game = GameInfo { control: named.name, control_text: named.text, players };
        let force = wanted.force.unwrap_or(false);
        Ok((Command::New { control: named.control, force }, game))
    }
}

/// A call of this interface: what is common to all methods.
struct Call<'a> {
    verb: &'static str,
    revision: u64,
    reason: &'a str,
    header: &'a Header<'a>,
}

/// Commands are carried out in the order they came in, so calls are not spawned.
#[interface(name = "org.chessclock.Clock1.Arbiter", spawn = false, introspection_docs = false)]
impl Arbiter {
    #[zbus(out_args("new_revision"))]
    async fn start(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "start", revision, reason, header: &header };
        self.carry_out(call, Command::Start, None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn pause(
        &self,
        by: Who,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "pause", revision, reason, header: &header };
        self.carry_out(call, Command::Pause { by: convert::stopped_by(by)? }, None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn resume(
        &self,
        side: Who,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "resume", revision, reason, header: &header };
        self.carry_out(call, Command::Resume { side: convert::side(side)? }, None).await
    }

    #[zbus(name = "New", out_args("new_revision"))]
    async fn new_game(
        &self,
        game: NewGame,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "new", revision, reason, header: &header };
        let (command, game) = self.game(game)?;
        self.carry_out(call, command, Some(game)).await
    }

    #[zbus(out_args("new_revision"))]
    async fn set(
        &self,
        corrections: Corrections,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let correction = convert::correction(&corrections)?;
        if correction == Correction::default() {
            return Err(convert::invalid("nothing to set; expected at least one correction"));
        }
        let call = Call { verb: "set", revision, reason, header: &header };
        self.carry_out(call, Command::Correct(correction), None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn add_time(
        &self,
        side: Who,
        delta_nsec: i64,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "add", revision, reason, header: &header };
        self.carry_out(call, convert::add_time(side, delta_nsec)?, None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn undo_press(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "undo", revision, reason, header: &header };
        self.carry_out(call, Command::UndoPress, None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn result(
        &self,
        result: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "result", revision, reason, header: &header };
        self.carry_out(call, Command::Finish(convert::outcome(result)?), None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn reopen(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "reopen", revision, reason, header: &header };
        self.carry_out(call, Command::Reopen, None).await
    }
}

fn check_length(what: &str, text: &str, limit: usize) -> Result<(), Error> {
    if text.len() <= limit {
        return Ok(());
    }
    let message = format!("{what} has {} bytes; expected {limit} at most", text.len());
    Err(convert::invalid(&message))
}
