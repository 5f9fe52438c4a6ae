//! Makes the engine's command from the arguments of a call, and where the arguments alone do not determine
//! it, from the record, the library and the names of the game.

use super::{Arbiter, Call, Made};
use crate::bus::convert;
use crate::bus::shared_state::{SharedState, not_up_to_date};
use crate::game::GameInfo;
use clock_controls::NamedControl;
use clock_dbus::argument::invalid;
use clock_dbus::commands::{ByService, Meaning};
use clock_dbus::{Completed, Error, Given, ImportedFrom, Proposal};
use clock_engine::rules::{Action, GameCommand, GameState, NotTakenOver, ResultGround};
use clock_engine::text::{Format, plain_message};
use clock_engine::{Command, EarlierClock, Outcome, Recompute};
use clockd_rt::clock::monotonic_now;
use zbus::message::Header;

impl Arbiter {
    /// Carries out a command.
    pub(super) async fn give(
        &self,
        given: Given,
        revision: u64,
        reason: &str,
        header: &Header<'_>,
    ) -> Result<Completed, Error> {
        let call = Call { revision, reason, header };
        let made = self.made(given, call).await?;
        self.carry_out(call, made).await
    }

    async fn made(&self, given: Given, call: Call<'_>) -> Result<Made, Error> {
        let Call { revision, header, .. } = call;
        let command = match given.meaning()? {
            Meaning::Determined(command) => return Ok(Made::new(command, None, text(given))),
            Meaning::ByService(command) => command,
        };
        let (command, game, text) = match command {
            ByService::New { game } => {
                let (setup, game) = self.game(game, header).await?;
                let text = game.described();
                (GameCommand::New(setup), Some(game), text)
            }
            ByService::Set { corrections } => {
                let correction = convert::correction(&corrections);
                (Command::Set(correction).into(), None, String::new())
            }
            ByService::Result { result } => {
                (self.result_command(result, call)?, None, String::new())
            }
            ByService::ResumeAdjourned { game } => {
                let (command, info) = self.adjourned(game, header).await?;
                let text = match info {
                    Some(_) => format!("game {game} of this record, which was adjourned"),
                    None => String::new(),
                };
                (command, info, text)
            }
            ByService::SetRules { rules } => {
                let named = self.rules(&rules.0)?;
                let command = GameCommand::SetRules(*named.profile());
                let present = self.present(header).game;
                let game = GameInfo { rules: Some(named), set_up_at_clock: false, ..present };
                (command, Some(game), rules.0)
            }
            ByService::ChangeTimeControl {
                time_control,
                time_control_file,
                recompute,
                schedule_suffers,
            } => {
                let name = Some(time_control.0.as_str());
                let (name, file) = match time_control_file.0 {
                    file if file.is_empty() => (name, None),
                    file => (name.filter(|name| !name.is_empty()), Some(file)),
                };
                let present = self.present(header).game;
                let NamedControl { name, text, control, .. } =
                    self.control(name, file, &present, header).await?;
                let recompute = match recompute {
                    true => self.recompute(&control, revision, header).await?,
                    false => Recompute::No,
                };
                let game = GameInfo {
                    control: name.clone(),
                    control_text: text,
                    set_up_at_clock: false,
                    ..present
                };
                let command =
                    GameCommand::ChangeTimeControl { control, recompute, schedule_suffers };
                (command, Some(game), name)
            }
            ByService::SetNames { names } => {
                let (game, text) = self.present(header).game.renamed(names);
                (GameCommand::SetNames, Some(game), text)
            }
            ByService::Rewind { entry } => {
                let earlier = self.earlier_clock(entry, header).await?;
                let text = format!(
                    "as it was after entry {entry}; time control, time method, rules and names stay as they are, and what was \
                     claimed or asked since is closed"
                );
                (GameCommand::Rewind(earlier), None, text)
            }
            ByService::Import { proposal } => self.imported(proposal, header).await?,
        };
        Ok(Made::new(command, game, text))
    }

    async fn imported(
        &self,
        mut proposal: Proposal,
        header: &Header<'_>,
    ) -> Result<(GameCommand, Option<GameInfo>, String), Error> {
        let begun = proposal.begun.ok_or_else(|| missing("Begun"))?;
        let source = proposal.source.take().ok_or_else(|| missing("Source"))?;
        let state = proposal.state.take().map(|text| state(&text)).transpose()?;
        if let Some(state) = &state
            && state.has_begun() != begun
        {
            let message = format!("Begun = {begun}, and the game of State says the opposite");
            return Err(invalid(message));
        }
        let state = state.map(GameState::for_another_clock);
        let (game, corrections) = proposal.into_parts();
        let (setup, game) = self.game(game, header).await?;
        if let Some(Err(NotTakenOver::State(problem))) =
            state.map(|state| state.game(&setup, monotonic_now()))
        {
            return Err(convert::invalid_state(problem));
        }
        let ImportedFrom { machine, game: number, .. } = &source;
        let text = format!("{}, game {number} of {machine}", game.described());
        let game = GameInfo { imported_from: Some(source), ..game };
        let correction = convert::correction(&corrections);
        Ok((GameCommand::Import { setup, state, correction, begun }, Some(game), text))
    }

    /// The clock as it was right after the entry with the number `entry` of the present game.
    ///
    /// If a record is kept, first waits until all entries up to the present state are on record,
    /// and refuses if `Commits::up_to_date` gives up waiting. Without this wait, the latest game on
    /// record could still be the game before the present one.
    async fn earlier_clock(&self, entry: u64, header: &Header<'_>) -> Result<EarlierClock, Error> {
        let SharedState { commits, history, .. } = &*self.shared;
        let of_clock = self.shared.read(|clock| clock.game_number);
        if self.copied(header).is_some_and(|copied| copied.state.game_number != of_clock) {
            let message = "the game was set up in a dry run, so nothing of it is on record";
            return Err(convert::no_record(message));
        }
        if commits.is_kept() && !commits.up_to_date(self.shared.latest_entry()).await {
            return Err(not_up_to_date());
        }
        history.clock_after(entry).await
    }

    /// The command that ends the game with this outcome. Under a rule profile, the reason must not
    /// be empty, because it states the ground of the result.
    fn result_command(&self, outcome: Outcome, call: Call<'_>) -> Result<GameCommand, Error> {
        let reason = call.reason;
        if self.present(call.header).game.rules.is_none() {
            return Ok(Command::Finish(outcome).into());
        }
        if reason.trim().is_empty() {
            let message = "the result needs its reason, such as mate, resignation, agreement";
            return Err(invalid(message));
        }
        let ground = ResultGround::from_reason(reason);
        Ok(Action::Result { outcome, ground }.into())
    }
}

/// The text that the record gets with a command whose arguments determine it.
fn text(given: Given) -> String {
    match given {
        Given::RecordAttachment { text, .. } => text.0,
        Given::Adjourn { sealed_move, .. } => sealed_move.0,
        Given::Announce { text } => text.0,
        _ => String::new(),
    }
}

fn missing(key: &str) -> Error {
    invalid(format!("proposal has no key {key}; expected Begun and Source"))
}

/// Reads the value of `State`.
fn state(text: &str) -> Result<GameState, Error> {
    let wrong = |error: serde_json::Error| plain_message(&error.to_string(), None, Format::Json);
    serde_json::from_str(text).map_err(|error| convert::invalid_state(&wrong(error)))
}
