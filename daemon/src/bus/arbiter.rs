//! `org.chessclock.Clock1.Arbiter`: the arbiter's commands. The bus policy decides who may call them.

use super::arguments::{self, Dictionary};
use super::arrivals::Arrivals;
use super::command_log::LogEntry;
use super::convert::{self, GameInfo};
use super::shared_state::SharedState;
use crate::rt::{MAX_REQUESTS, Refusal};
use clock_controls::NamedControl;
use clock_dbus::Error;
use clock_engine::{Command, PerSide};
use std::sync::Arc;
use tokio::sync::{Mutex, Semaphore};
use zbus::interface;
use zbus::message::Header;

/// The interface of the group `arbiter`.
pub struct Arbiter {
    /// Sends the commands to the clock loop.
    shared: Arc<SharedState>,
    /// Who called, and when.
    arrivals: Arc<Arrivals>,
    /// Held from the arrival of a command until it is in the ring of the clock loop. Those who wait
    /// for it get it in the order in which they came.
    turn: Mutex<()>,
    /// How many more commands can wait, for their turn or for their answer.
    places: Arc<Semaphore>,
}

impl Arbiter {
    pub fn new(shared: Arc<SharedState>, arrivals: Arc<Arrivals>) -> Arbiter {
        let places = Arc::new(Semaphore::new(MAX_REQUESTS));
        Arbiter { shared, arrivals, turn: Mutex::new(()), places }
    }

    /// Carries out a command, and logs who gave it and why.
    ///
    /// A command is stamped with the instant at which it arrived. It is put into the ring after all
    /// commands that arrived before it, and, except for a pause, once it is known who gave it.
    /// Usually the bus has said so long before.
    async fn carry_out(
        &self,
        call: Call<'_>,
        command: Command,
        game: Option<GameInfo>,
    ) -> Result<u64, Error> {
        arguments::check_reason(call.reason)?;
        let Call { verb, revision, reason, header } = call;
        let (caller, at) = self.arrivals.of(header).ok_or_else(unknown_caller)?;
        let place = Arc::clone(&self.places).try_acquire_owned();
        let Ok(place) = place else {
            let busy = Err(convert::error(Refusal::Busy));
            LogEntry::new(verb, reason, header, &busy).write(caller.known_uid());
            return busy;
        };
        let turn = self.turn.lock().await;
        let is_known = matches!(command, Command::Pause { .. }) || caller.uid().await.is_some();
        let sent = if is_known {
            self.shared.send(at, command, revision, game)
        } else {
            Err(unknown_caller())
        };
        drop(turn);
        let done = match sent {
            Ok(answer) => answer.wait().await,
            Err(refused) => Err(refused),
        };
        let entry = LogEntry::new(verb, reason, header, &done);
        match caller.known_uid() {
            Some(uid) => entry.write(Some(uid)),
            // The caller of a pause is not kept waiting until the bus has said who it is.
            None => {
                tokio::spawn(async move {
                    entry.write(caller.uid().await);
                    drop(place);
                });
            }
        }
        done
    }

    fn game(&self, wanted: &Dictionary<'_>) -> Result<(Command, GameInfo), Error> {
        let wanted = arguments::game(wanted)?;
        let present = self.shared.game();
        let named = match (wanted.time_control, wanted.time_control_file) {
            (name, Some(text)) => {
                let name = name.unwrap_or("custom");
                let parsed = NamedControl::parse(name, text.to_owned(), &format!("{name}.toml"));
                parsed.map_err(|problem| problem.to_string())
            }
            (Some(name), None) => self.shared.controls.find(name),
            (None, None) => {
                let name = &present.control;
                let parsed = NamedControl::parse(name, present.control_text, name);
                parsed.map_err(|problem| problem.to_string())
            }
        };
        let named = named.map_err(|problem| arguments::invalid_control(&problem))?;
        let players = PerSide {
            white: wanted.white_player.map_or(present.players.white, str::to_owned),
            black: wanted.black_player.map_or(present.players.black, str::to_owned),
        };
        let game = GameInfo { control: named.name, control_text: named.text, players };
        Ok((Command::New { control: named.control, force: wanted.force }, game))
    }
}

fn unknown_caller() -> Error {
    let message = "the bus does not say who calls: the caller has left it; nothing was done";
    Error::UnknownCaller(message.to_owned())
}

/// A call of this interface: what is common to all methods.
struct Call<'a> {
    verb: &'static str,
    revision: u64,
    reason: &'a str,
    header: &'a Header<'a>,
}

#[interface(name = "org.chessclock.Clock1.Arbiter", introspection_docs = false)]
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
        by: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "pause", revision, reason, header: &header };
        self.carry_out(call, Command::Pause { by: arguments::stopped_by(by)? }, None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn resume(
        &self,
        side: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "resume", revision, reason, header: &header };
        self.carry_out(call, Command::Resume { side: arguments::side_to_resume(side)? }, None).await
    }

    #[zbus(name = "New", out_args("new_revision"))]
    async fn new_game(
        &self,
        game: Dictionary<'_>,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "new", revision, reason, header: &header };
        let (command, game) = self.game(&game)?;
        self.carry_out(call, command, Some(game)).await
    }

    #[zbus(out_args("new_revision"))]
    async fn set(
        &self,
        corrections: Dictionary<'_>,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let correction = convert::correction(&arguments::corrections(&corrections)?);
        let call = Call { verb: "set", revision, reason, header: &header };
        self.carry_out(call, Command::Correct(correction), None).await
    }

    #[zbus(out_args("new_revision"))]
    async fn add_time(
        &self,
        side: &str,
        delta_nsec: i64,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<u64, Error> {
        let call = Call { verb: "add", revision, reason, header: &header };
        let side = arguments::side("side", side)?;
        if delta_nsec == 0 {
            return Err(arguments::invalid("delta_nsec = 0: nothing to add"));
        }
        self.carry_out(call, Command::AddTime { side, delta_ns: delta_nsec }, None).await
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
        self.carry_out(call, Command::Finish(arguments::outcome(result)?), None).await
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
