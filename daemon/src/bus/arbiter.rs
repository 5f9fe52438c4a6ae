//! `org.chessclock.Clock1.Arbiter`. Who may call it is the bus policy's business.

use super::convert::{self, Game};
use super::hub::Hub;
use clock_controls::{FILE_LIMIT, NamedControl};
use clock_dbus::{Corrections, Error, NewGame, Who};
use clock_engine::{Command, Correction, PerSide};
use std::sync::Arc;
use zbus::message::Header;
use zbus::{Connection, interface};

/// A name or a reason longer than this is no name and no reason.
const TEXT_LIMIT: usize = 1000;

/// The arbiter's commands.
pub struct Arbiter {
    /// Where commands go.
    pub hub: Arc<Hub>,
    /// A connection of its own, to ask the bus who calls: calls of this interface are not
    /// spawned, so an answer on their own connection could wait behind the next calls for ever.
    pub asking: Connection,
}

impl Arbiter {
    /// Carries a command out and says in the log who gave it and why.
    async fn give(
        &self,
        order: Order<'_>,
        command: Command,
        game: Option<Game>,
    ) -> Result<u64, Error> {
        if order.reason.len() > TEXT_LIMIT {
            return Err(convert::invalid(&format!("a reason has at most {TEXT_LIMIT} bytes")));
        }
        let Order { verb, revision, reason, header } = order;
        // First of all: a clock that is to be stopped stops now, not after a question to the bus.
        let answer = self.hub.send(command, revision, game)?;
        let uid = self.caller_uid(header).await;
        let done = answer.wait().await;
        match &done {
            Ok(revision) => tracing::info!(verb, uid, reason, revision, "command carried out"),
            Err(Error::TimedOut(error)) => {
                tracing::error!(verb, uid, reason, error, "what became of a command is not known");
            }
            Err(error) => tracing::warn!(verb, uid, reason, %error, "command refused"),
        }
        done
    }

    /// The caller's user id as the bus knows it; over SSH that is the login.
    async fn caller_uid(&self, header: &Header<'_>) -> Option<u32> {
        let sender = header.sender()?.to_owned();
        let bus = zbus::fdo::DBusProxy::new(&self.asking).await.ok()?;
        bus.get_connection_unix_user(sender.into()).await.ok()
    }

    fn game(&self, wanted: NewGame) -> Result<(Command, Game), Error> {
        let present = self.hub.game();
        let known = match (wanted.time_control, wanted.time_control_file) {
            (name, Some(text)) => {
                let name = name.unwrap_or_else(|| "custom".to_owned());
                short("TimeControl", &name, TEXT_LIMIT)?;
                short("TimeControlFile", &text, FILE_LIMIT)?;
                NamedControl::parse(&name, text, &format!("{name}.toml"))
            }
            (Some(name), None) => {
                short("TimeControl", &name, TEXT_LIMIT)?;
                self.hub.controls.find(&name)
            }
            (None, None) => {
                NamedControl::parse(&present.control, present.control_text, &present.control)
            }
        };
        let known = known.map_err(|problem| Error::InvalidControl(problem.to_string()))?;
        let players = PerSide {
            white: wanted.white_player.unwrap_or(present.players.white),
            black: wanted.black_player.unwrap_or(present.players.black),
        };
        short("WhitePlayer", &players.white, TEXT_LIMIT)?;
        short("BlackPlayer", &players.black, TEXT_LIMIT)?;
        let game = Game { control: known.name, control_text: known.text, players };
        Ok((Command::New(known.control), game))
    }
}

/// Where a command comes from and why.
struct Order<'a> {
    verb: &'static str,
    revision: u64,
    reason: &'a str,
    header: &'a Header<'a>,
}

/// Commands are carried out in the order they came in, so calls are not spawned.
#[interface(name = "org.chessclock.Clock1.Arbiter", spawn = false, introspection_docs = false)]
impl Arbiter {
    #[zbus(out_args("revision"))]
    async fn start(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "start", revision, reason, header: &header };
        self.give(order, Command::Start, None).await
    }

    #[zbus(out_args("revision"))]
    async fn pause(
        &self,
        by: Who,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "pause", revision, reason, header: &header };
        self.give(order, Command::Pause { by: convert::stopped_by(by)? }, None).await
    }

    #[zbus(out_args("revision"))]
    async fn resume(
        &self,
        side: Who,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "resume", revision, reason, header: &header };
        self.give(order, Command::Resume { side: convert::side(side)? }, None).await
    }

    #[zbus(name = "New", out_args("revision"))]
    async fn new_game(
        &self,
        game: NewGame,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "new", revision, reason, header: &header };
        let (command, game) = self.game(game)?;
        self.give(order, command, Some(game)).await
    }

    #[zbus(out_args("revision"))]
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
        let order = Order { verb: "set", revision, reason, header: &header };
        self.give(order, Command::Correct(correction), None).await
    }

    #[zbus(out_args("revision"))]
    async fn add_time(
        &self,
        side: Who,
        delta_nsec: i64,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "add", revision, reason, header: &header };
        self.give(order, convert::add_time(side, delta_nsec)?, None).await
    }

    #[zbus(out_args("revision"))]
    async fn undo_press(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "undo", revision, reason, header: &header };
        self.give(order, Command::UndoPress, None).await
    }

    #[zbus(out_args("revision"))]
    async fn result(
        &self,
        result: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "result", revision, reason, header: &header };
        self.give(order, Command::Finish(convert::outcome(result)?), None).await
    }

    #[zbus(out_args("revision"))]
    async fn reopen(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let order = Order { verb: "reopen", revision, reason, header: &header };
        self.give(order, Command::Reopen, None).await
    }
}

fn short(what: &str, text: &str, limit: usize) -> Result<(), Error> {
    if text.len() <= limit {
        return Ok(());
    }
    let message = format!("{what} has {} bytes; expected {limit} at most", text.len());
    Err(convert::invalid(&message))
}
