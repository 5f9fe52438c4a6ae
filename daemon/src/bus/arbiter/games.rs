//! The games that `New`, `Import` and `Continue` set up, and the time controls and rules that they
//! and `ChangeTimeControl` ask for, and the times for a change of the time control with `recompute`.

use super::{Arbiter, program, unknown_caller};
use crate::bus::convert;
use crate::bus::dry_runs::Present;
use crate::bus::history::Adjourned;
use crate::bus::shared_state::SharedState;
use crate::game::scheduled_start::NotScheduled;
use crate::game::{GameInfo, GameText, ScheduledStart, Turns};
use clock_controls::{NamedControl, NamedRules};
use clock_dbus::argument::invalid;
use clock_dbus::{Error, NewGame, State};
use clock_engine::rules::{Action, GameCommand, GameState, Session, Setup};
use clock_engine::{Control, Correction, PerSide, Recompute, UnknownTurns};
use clockd_rt::Refusal;
use clockd_rt::clock::{ClockReadings, monotonic_now};
use std::sync::Arc;
use zbus::message::Header;

impl Arbiter {
    /// The game that `New` or `Import` sets up. The present game supplies the time control, the
    /// rules and the event that `wanted` does not contain. If `wanted` has no board,
    /// the configuration supplies it or, if the configuration names none, the present game.
    pub(super) async fn game(
        &self,
        wanted: NewGame,
        header: &Header<'_>,
    ) -> Result<(Setup, GameInfo), Error> {
        let Present { game: present, state } = self.present(header);
        if wanted.start_at_realtime_nsec.is_none() && wanted.force != Some(true) {
            check_no_start_scheduled(&state)?;
        }
        let configured = &self.shared.configured_board;
        let (name, file) = (wanted.time_control.as_deref(), wanted.time_control_file);
        let named = self.control(name, file, &present, header).await?;
        let rules = match wanted.rules.as_deref() {
            None => present.rules,
            Some("") => None,
            Some(name) => Some(self.rules(name)?),
        };
        let now = ClockReadings::read();
        let start = wanted.start_at_realtime_nsec.map(|at| scheduled(at, now)).transpose()?;
        // The names of the game before would get into the record and the PGN of two other players.
        let players = PerSide {
            white: wanted.white_player.unwrap_or_default(),
            black: wanted.black_player.unwrap_or_default(),
        };
        let setup = Setup {
            control: named.control,
            profile: rules.as_ref().map(|rules| *rules.profile()),
            session: start.map_or(Session::Unknown, |start| start.session(now)),
            force: wanted.force == Some(true) || self.keeps_adjourned(header).await?,
        };
        let game = GameInfo {
            control: named.name,
            control_text: named.text,
            players,
            board: wanted.board.unwrap_or_else(|| configured.clone().unwrap_or(present.board)),
            round: wanted.round.unwrap_or_default(),
            event: wanted.event.unwrap_or(present.event),
            rules,
            captain_plays: wanted.captain_plays.and_then(clock_dbus::Who::side),
            present_arbiter: wanted.present_arbiter.unwrap_or_default(),
            start,
            imported_from: None,
            // Both are set when the command is given.
            id: 0,
            texts_version: 0,
            set_up_at_clock: false,
        };
        Ok((setup, game))
    }

    /// Returns the time control that `New` or `Import` asks for. If `file` is given, it is the text
    /// of a control file, and `name` only names the result. If only `name` is given, the known time
    /// control with this name is returned. If both are `None`, it is the time control of `present`,
    /// the present game.
    pub(super) async fn control(
        &self,
        name: Option<&str>,
        file: Option<String>,
        present: &GameInfo,
        header: &Header<'_>,
    ) -> Result<NamedControl, Error> {
        let named = match (name, file) {
            (name, Some(text)) => {
                return self.parsed_control(name.unwrap_or("custom"), text, header).await;
            }
            (Some(name), None) => self.shared.controls.find(name),
            (None, None) => {
                let GameInfo { control, control_text, .. } = present;
                let parsed = NamedControl::parse(control, control_text.clone(), control);
                parsed.map_err(|problem| problem.to_string())
            }
        };
        named.map_err(|problem| convert::invalid_control(&problem))
    }

    /// Parses the text of a control file that the caller has sent. A text with a mistake counts as
    /// a refused command, because parsing a long one takes about a millisecond.
    async fn parsed_control(
        &self,
        name: &str,
        text: String,
        header: &Header<'_>,
    ) -> Result<NamedControl, Error> {
        let caller = self.arrivals.caller(header).ok_or_else(unknown_caller)?;
        if !self.wait_after_refusals(&caller).await {
            return Err(convert::error_of(Refusal::Busy));
        }
        let uid = caller.uid().await;
        NamedControl::parse(name, text, &format!("{name}.toml")).map_err(|problem| {
            self.limits().refused(uid, monotonic_now());
            convert::invalid_control(&problem.to_string())
        })
    }

    /// Returns the command that takes the adjourned game `number` up again. If that game is on the
    /// clock, or if `number` is 0, the command is the action [`Action::ResumeAdjourned`]. Otherwise the
    /// game is read from the record. The command then imports its state after that action, and the
    /// `GameInfo` says what else the record knows of the game.
    pub(super) async fn adjourned(
        &self,
        number: u64,
        header: &Header<'_>,
    ) -> Result<(GameCommand, Option<GameInfo>), Error> {
        let Present { state, .. } = self.present(header);
        if number == 0 || self.game_number(header).await == Some(number) {
            return Ok((Action::ResumeAdjourned.into(), None));
        }
        check_no_start_scheduled(&state)?;
        let Adjourned { mut game, text, source } = self.shared.history.adjourned(number).await?;
        let at = game.last();
        game.handle_command(Action::ResumeAdjourned.into(), at)
            .map_err(|refused| convert::no_record(&refused.to_string()))?;
        let setup = Setup {
            control: *game.clock().control(),
            profile: game.profile().copied(),
            session: Session::Unknown,
            force: self.keeps_adjourned(header).await?,
        };
        let (state, correction) = (Some(GameState::from(&game)), Correction::default());
        let command = GameCommand::Import { setup, state, correction, begun: true };
        let text = GameText {
            start_realtime_ns: None,
            imported_from: Some(source),
            set_up_at_clock: false,
            ..text
        };
        let of_clock = (game.clock().control(), game.profile());
        let game = text.info(self.shared.rules.library(), 0, of_clock);
        Ok((command, Some(game)))
    }

    pub(super) fn rules(&self, name: &str) -> Result<Arc<NamedRules>, Error> {
        let known = self.shared.rules.find(name);
        known.map(Arc::new).map_err(|problem| convert::invalid_rules(&problem))
    }
}

/// Refuses to set up another game if a start is scheduled, because the other game would cancel that
/// start.
fn check_no_start_scheduled(present: &State) -> Result<(), Error> {
    if present.start_at_realtime_nsec.is_none() {
        return Ok(());
    }
    let message = "the start of the game on the clock is scheduled, and would be cancelled: clockctl new \
                   with --start-at gives a time, with --force it cancels the start";
    Err(Error::GameUnderWay(message.to_owned()))
}

fn scheduled(realtime_nsec: u64, now: ClockReadings) -> Result<ScheduledStart, Error> {
    ScheduledStart::new(realtime_nsec, now).map_err(|why| {
        invalid(match why {
            NotScheduled::TimeUnknown => format!(
                "StartAtRealtimeNSec = {realtime_nsec}; the machine of the clock does not know the time \
                 of day: no time service has set it, and there is no battery-backed clock"
            ),
            NotScheduled::OutOfRange { present } => format!(
                "StartAtRealtimeNSec = {realtime_nsec}; expected a time from a day ago to a week \
                 ahead, and it is {present} now"
            ),
        })
    })
}

impl Arbiter {
    /// The times of the game of this caller for a change to `control`: the turns of the game are read
    /// from the record and played again. The command has them, so the
    /// clock loop reads no record, and the entry of the command determines the state after it.
    ///
    /// A command with a stale `revision` has no such times: it is refused as stale, whether or not a
    /// record is kept, and nothing is read for it.
    pub(super) async fn recompute(
        &self,
        control: &Control,
        revision: u64,
        header: &Header<'_>,
    ) -> Result<Recompute, Error> {
        if self.present(header).state.revision != revision {
            return Ok(Recompute::Unknown(UnknownTurns::Changed));
        }
        let copied = self.dry_runs.as_deref().zip(program(header));
        let Some(dry_run) = copied.and_then(|(dry_runs, program)| dry_runs.dry_run(&program))
        else {
            return Ok(self.turns(u64::MAX).await?.recompute(control));
        };
        match dry_run.recompute_own(control) {
            Some(own) => Ok(own),
            None => {
                let turns = self.turns(dry_run.copied_after()).await?;
                Ok(dry_run.recompute(control, turns))
            }
        }
    }

    /// The turns of the present game, up to this entry or to the last one on record.
    async fn turns(&self, entry: u64) -> Result<Turns, Error> {
        let SharedState { commits, history, .. } = &*self.shared;
        if commits.is_kept() && !commits.up_to_date(self.shared.latest_entry()).await {
            return Err(unknown(
                "the record is not up to date, because the storage is slow or fails",
            ));
        }
        history.turns(entry).await.map_err(|error| match error {
            Error::NoRecord(why) => unknown(&why),
            other => other,
        })
    }
}

fn unknown(why: &str) -> Error {
    convert::no_record(&format!(
        "the times cannot be recomputed, because the turns of the game cannot be read: {why}; change the time \
         control without recomputing, and set the times"
    ))
}
