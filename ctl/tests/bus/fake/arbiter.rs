//! The arbiter's interface of the fake clock service.

use clock_dbus::{Completed, Corrections, Names, NewGame, Phase, Proposal, Result, State, Who};
use zbus::interface;

use super::{SECOND, Service};

pub struct Arbiter(pub Service);

#[interface(name = "org.chessclock.Clock1.Arbiter")]
impl Arbiter {
    async fn start(&self, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.phase = Phase::Running;
            state.running = Who::White;
        };
        self.0.command(format!("start {revision} {reason:?}"), change).await
    }

    async fn pause(&self, by: Who, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.phase = Phase::Paused;
            state.running = Who::Nobody;
            state.arbiter_called_by = if by == Who::Arbiter { Who::Nobody } else { by };
        };
        self.0.command(format!("pause {by:?} {revision} {reason:?}"), change).await
    }

    async fn resume(&self, side: Who, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.phase = Phase::Running;
            state.running = if side == Who::Nobody { state.on_move } else { side };
            state.on_move = state.running;
        };
        self.0.command(format!("resume {side:?} {revision} {reason:?}"), change).await
    }

    #[zbus(name = "New")]
    async fn new_game(&self, game: NewGame, revision: u64, reason: &str) -> Result<Completed> {
        let call = format!("new {game:?} {revision} {reason:?}");
        let change = |state: &mut State| {
            state.phase = Phase::Ready;
            state.running = Who::Nobody;
            state.time_control = game.time_control.unwrap_or_default();
        };
        self.0.command(call, change).await
    }

    async fn set(
        &self,
        corrections: Corrections,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let call = format!("set {corrections:?} {revision} {reason:?}");
        let change = |state: &mut State| {
            let keep = state.clone();
            state.white.remaining_nsec =
                corrections.white_time_nsec.unwrap_or(keep.white.remaining_nsec);
            state.black.moves = corrections.black_moves.unwrap_or(keep.black.moves);
            state.on_move = corrections.on_move.unwrap_or(keep.on_move);
        };
        self.0.command(call, change).await
    }

    async fn add(
        &self,
        side: Who,
        delta_nsec: i64,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let change = |state: &mut State| {
            let time = match side {
                Who::Black => &mut state.black.remaining_nsec,
                _ => &mut state.white.remaining_nsec,
            };
            *time = time.saturating_add_signed(delta_nsec);
        };
        let call = format!("add {side:?} {delta_nsec} {revision} {reason:?}");
        self.0.command(call, change).await
    }

    async fn undo_press(&self, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.on_move = Who::Black;
            state.black.moves -= 1;
        };
        self.0.command(format!("undo-press {revision} {reason:?}"), change).await
    }

    async fn result(&self, result: &str, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.phase = Phase::Over;
            state.running = Who::Nobody;
            state.result = result.to_owned();
        };
        self.0.command(format!("result {result} {revision} {reason:?}"), change).await
    }

    async fn reopen(&self, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.phase = Phase::Paused;
            state.result.clear();
        };
        self.0.command(format!("reopen {revision} {reason:?}"), change).await
    }

    async fn claim_flag(
        &self,
        by: &str,
        evidence: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let call = format!("claim-flag {by} {evidence} {revision} {reason:?}");
        self.0.answered(call, "call", None).await
    }

    async fn claim_draw(
        &self,
        by: &str,
        ground: &str,
        stop: bool,
        offer: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        self.0
            .noted(format!("claim-draw {by} {ground} {stop} {offer:?} {revision} {reason:?}"))
            .await
    }

    async fn request_increment(&self, by: &str, revision: u64, reason: &str) -> Result<Completed> {
        self.0.noted(format!("request-increment {by} {revision} {reason:?}")).await
    }

    async fn rule(
        &self,
        ruling: &str,
        side: &str,
        award_nsec: i64,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let call = format!("rule {ruling} {side:?} {award_nsec} {revision} {reason:?}");
        self.0.answered(call, ruling, u64::try_from(award_nsec).ok()).await
    }

    #[allow(clippy::too_many_arguments, reason = "a flat call, as the XML has it")]
    async fn penalize(
        &self,
        side: Who,
        kind: &str,
        time_nsec: u64,
        half_points: u32,
        cause: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let call = format!(
            "penalize {side:?} {kind} {time_nsec} {half_points} {cause} {revision} {reason:?}"
        );
        self.0.noted(call).await
    }

    async fn illegal_move(
        &self,
        side: Who,
        claimed: bool,
        award_nsec: i64,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        self.0
            .noted(format!("illegal-move {side:?} {claimed} {award_nsec} {revision} {reason:?}"))
            .await
    }

    async fn arrive(&self, side: Who, revision: u64, reason: &str) -> Result<Completed> {
        self.0.noted(format!("arrive {side:?} {revision} {reason:?}")).await
    }

    async fn record_confirmation(
        &self,
        by: Who,
        what: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        self.0.noted(format!("record-confirmation {by:?} {what:?} {revision} {reason:?}")).await
    }

    async fn refer(&self, revision: u64, reason: &str) -> Result<Completed> {
        self.0.noted(format!("refer {revision} {reason:?}")).await
    }

    async fn record_attachment(
        &self,
        kind: &str,
        text: &str,
        verified_by: Who,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        self.0
            .noted(format!(
                "record-attachment {kind} {text:?} {verified_by:?} {revision} {reason:?}"
            ))
            .await
    }

    async fn set_assistant(
        &self,
        side: Who,
        accepted: bool,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        self.0.noted(format!("set-assistant {side:?} {accepted} {revision} {reason:?}")).await
    }

    async fn incident(
        &self,
        side: Who,
        kind: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        self.0.noted(format!("incident {side:?} {kind} {revision} {reason:?}")).await
    }

    async fn adjourn(
        &self,
        side: Who,
        sealed_move: &str,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let change = |state: &mut State| {
            (state.phase, state.running) = (Phase::Paused, Who::Nobody);
            state.adjourned = side;
        };
        self.0
            .command(format!("adjourn {side:?} {sealed_move:?} {revision} {reason:?}"), change)
            .await
    }

    async fn resume_adjourned(&self, game: u64, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.adjourned = Who::Nobody;
            if game > 0 {
                state.game_number = Some(game + 1);
            }
        };
        self.0.command(format!("resume-adjourned {game} {revision} {reason:?}"), change).await
    }

    async fn change_method(
        &self,
        method: &str,
        amount_nsec: u64,
        schedule_suffers: bool,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let call = format!(
            "change-method {method} {amount_nsec} {schedule_suffers} {revision} {reason:?}"
        );
        self.0.noted(call).await
    }

    async fn set_buttons(&self, exchanged: bool, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| state.buttons_exchanged = exchanged;
        self.0.command(format!("set-buttons {exchanged} {revision} {reason:?}"), change).await
    }

    async fn announce(&self, text: &str, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| state.announcement = text.to_owned();
        self.0.command(format!("announce {text:?} {revision} {reason:?}"), change).await
    }

    async fn set_rules(&self, rules: &str, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| state.rules = rules.to_owned();
        self.0.command(format!("set-rules {rules} {revision} {reason:?}"), change).await
    }

    async fn set_names(&self, names: Names, revision: u64, reason: &str) -> Result<Completed> {
        let call = format!("set-names {names:?} {revision} {reason:?}");
        let change = |state: &mut State| {
            let Names { white_player, black_player, board, round, event } = names;
            for (name, given) in [
                (&mut state.white.player, white_player),
                (&mut state.black.player, black_player),
                (&mut state.board, board),
                (&mut state.round, round),
                (&mut state.event, event),
            ] {
                *name = given.unwrap_or_else(|| std::mem::take(name));
            }
        };
        self.0.command(call, change).await
    }

    async fn change_time_control(
        &self,
        time_control: &str,
        time_control_file: &str,
        recompute: bool,
        schedule_suffers: bool,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let change = |state: &mut State| {
            state.time_control = time_control.to_owned();
            state.white.remaining_nsec = 305 * SECOND;
        };
        let file = time_control_file.len();
        let call = format!(
            "change-time-control {time_control} {file} {recompute} {schedule_suffers} {revision} {reason:?}"
        );
        self.0.command(call, change).await
    }

    async fn rewind(&self, entry: u64, revision: u64, reason: &str) -> Result<Completed> {
        let change = |state: &mut State| {
            state.white.remaining_nsec = 305 * SECOND;
            (state.white.moves, state.black.moves) = (3, 2);
            state.on_move = Who::Black;
        };
        self.0.command(format!("rewind {entry} {revision} {reason:?}"), change).await
    }

    async fn import(&self, proposal: Proposal, revision: u64, reason: &str) -> Result<Completed> {
        let call = format!("import {proposal:?} {revision} {reason:?}");
        let change = |state: &mut State| {
            (state.phase, state.running) = (Phase::Paused, Who::Nobody);
            state.white.player = proposal.white_player.unwrap_or_default();
            state.white.remaining_nsec = proposal.white_time_nsec.unwrap_or_default();
            state.on_move = proposal.on_move.unwrap_or_default();
        };
        self.0.command(call, change).await
    }
}
