//! The methods of the interface `org.chessclock.Clock1.Arbiter`. Each method reads its arguments
//! and carries out one command.
//!
//! All methods are in one file, because zbus requires them in one `impl` block.

use super::{Arbiter, Call};
use crate::bus::arguments;
use crate::bus::convert;
use crate::bus::dictionaries::{self, Dictionary, ProposalArguments};
use crate::bus::rule_arguments::{self, one_of, one_or_none};
use crate::game::GameInfo;
use clock_controls::NamedControl;
use clock_dbus::{Error, ImportedFrom};
use clock_engine::rules::{Action, GameCommand, GameState, NotTakenOver, Penalty};
use clock_engine::{Command, Recompute};
use clockd_rt::clock::monotonic_now;
use zbus::interface;
use zbus::message::Header;

#[interface(name = "org.chessclock.Clock1.Arbiter", introspection_docs = false)]
impl Arbiter {
    #[zbus(out_args("new_revision", "recorded"))]
    async fn start(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Command::Start, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn pause(
        &self,
        by: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Command::Pause { by: arguments::stopped_by(by)? }, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn resume(
        &self,
        side: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Command::Resume { side: arguments::side_to_resume(side)? }, None).await
    }

    #[zbus(name = "New", out_args("new_revision", "recorded"))]
    async fn new_game(
        &self,
        game: Dictionary<'_>,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let (setup, game) = self.game(dictionaries::game(&game)?, &header).await?;
        let text = game.described();
        let call = Call { revision, reason, header: &header, text: &text };
        self.carry_out(call, GameCommand::New(setup), Some(game)).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn set(
        &self,
        corrections: Dictionary<'_>,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let correction = convert::correction(&dictionaries::corrections(&corrections)?);
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Command::Correct(correction), None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn add_time(
        &self,
        side: &str,
        delta_nsec: i64,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        let side = arguments::side("side", side)?;
        if delta_nsec == 0 {
            return Err(arguments::invalid("delta_nsec = 0: nothing to add"));
        }
        self.carry_out(call, Command::AddTime { side, delta_ns: delta_nsec }, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn undo_press(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Command::UndoPress, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn result(
        &self,
        result: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        let command = self.result_command(arguments::outcome(result)?, &call)?;
        self.carry_out(call, command, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn reopen(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Command::Reopen, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn claim_flag(
        &self,
        by: &str,
        evidence: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let by = rule_arguments::claimant(by)?;
        let action = Action::ClaimFlag { by, evidence: one_of("evidence", evidence)? };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    #[expect(clippy::too_many_arguments, reason = "a flat call, as the XML has it")]
    async fn claim_draw(
        &self,
        by: &str,
        ground: &str,
        stop: bool,
        offer: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let by = rule_arguments::claimant(by)?;
        let (ground, offer) = (one_of("ground", ground)?, one_or_none("offer", offer)?);
        let action = Action::ClaimDraw { by, ground, stop, offer };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn request_increment(
        &self,
        by: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let action = Action::RequestIncrement { by: rule_arguments::claimant(by)? };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn answer_offer(
        &self,
        answer: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let action = Action::AnswerOffer(one_of("answer", answer)?);
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn give_ruling(
        &self,
        decision: &str,
        side: &str,
        award_nsec: i64,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let decision = one_of("decision", decision)?;
        let side = rule_arguments::loser(side)?;
        let award = rule_arguments::award(award_nsec)?;
        let action = Action::Rule { decision, side, award };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn give_stop_ruling(
        &self,
        ruling: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let action = Action::RuleStop(one_of("ruling", ruling)?);
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn give_default_ruling(
        &self,
        side: &str,
        ruling: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let side = one_of("side", side)?;
        let action = Action::RuleDefault { side, ruling: one_of("ruling", ruling)? };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    #[expect(clippy::too_many_arguments, reason = "a flat call, as the XML has it")]
    async fn penalize(
        &self,
        side: &str,
        kind: &str,
        time_nsec: u64,
        half_points: u32,
        cause: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let kind = one_of("kind", kind)?;
        let penalty = Penalty {
            side: arguments::side("side", side)?,
            kind,
            time: rule_arguments::penalty_time(kind, time_nsec)?,
            half_points: rule_arguments::penalty_points(kind, half_points)?,
            cause: one_or_none("cause", cause)?,
        };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Action::Penalize(penalty), None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn illegal_move(
        &self,
        side: &str,
        claimed: bool,
        award_nsec: i64,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let side = arguments::side("side", side)?;
        let award = rule_arguments::award(award_nsec)?;
        let action = Action::IllegalMove { side, claimed, award };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn arrive(
        &self,
        side: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let action = Action::Arrive(arguments::side("side", side)?);
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn record_confirmation(
        &self,
        by: &str,
        what: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let by = arguments::side("by", by)?;
        let action = Action::Confirm { by, what: one_or_none("what", what)? };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn refer(
        &self,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, Action::Refer, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn record_attachment(
        &self,
        kind: &str,
        text: &str,
        verified_by: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let kind = one_of("kind", kind)?;
        if rule_arguments::record_text("text", text)?.trim().is_empty() {
            return Err(arguments::invalid("text is empty; expected what is attached"));
        }
        let verified_by = rule_arguments::verified_by(verified_by)?;
        let action = Action::Attach { kind, verified_by };
        let call = Call { revision, reason, header: &header, text };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn set_assistant(
        &self,
        side: &str,
        accepted: bool,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let side = arguments::side("side", side)?;
        let action = Action::Assistant { side, accepted };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn incident(
        &self,
        side: &str,
        kind: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let side = arguments::side("side", side)?;
        let action = Action::Incident { side, kind: one_of("kind", kind)? };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn adjourn(
        &self,
        side: &str,
        sealed_move: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let side = arguments::side("side", side)?;
        let text = rule_arguments::record_text("sealed_move", sealed_move)?;
        let call = Call { revision, reason, header: &header, text };
        self.carry_out(call, Action::Adjourn { side }, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn resume_adjourned(
        &self,
        game: u64,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        arguments::check_reason(reason)?;
        let (command, info) = self.adjourned(game, &header).await?;
        let text = match info {
            Some(_) => format!("game {game} of this record, which was adjourned"),
            None => String::new(),
        };
        let call = Call { revision, reason, header: &header, text: &text };
        self.carry_out(call, command, info).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn change_method(
        &self,
        method: &str,
        amount_nsec: u64,
        schedule_suffers: bool,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let method = rule_arguments::method(method, amount_nsec)?;
        let action = Action::ChangeMethod { method, schedule_suffers };
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, action, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn set_rules(
        &self,
        rules: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let named = self.rules(arguments::name("rules", rules)?)?;
        let command = GameCommand::ChangeProfile(*named.profile());
        let present = self.present(&header).game;
        let game = GameInfo { rules: Some(named), set_up_at_clock: false, ..present };
        let call = Call { revision, reason, header: &header, text: rules };
        self.carry_out(call, command, Some(game)).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    #[expect(clippy::too_many_arguments, reason = "a flat call, as the XML has it")]
    async fn change_time_control(
        &self,
        time_control: &str,
        time_control_file: &str,
        recompute: bool,
        schedule_suffers: bool,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let name = Some(arguments::name("time_control", time_control)?);
        let (name, file) = match arguments::control_file("time_control_file", time_control_file)? {
            "" => (name, None),
            file => (name.filter(|name| !name.is_empty()), Some(file.to_owned())),
        };
        let present = self.present(&header).game;
        let NamedControl { name, text, control, .. } =
            self.control(name, file, &present, &header).await?;
        let recompute = match recompute {
            true => self.recompute(&control, revision, &header).await?,
            false => Recompute::No,
        };
        let command = GameCommand::ChangeControl { control, recompute, schedule_suffers };
        let call = Call { revision, reason, header: &header, text: &name };
        let game = GameInfo {
            control: name.clone(),
            control_text: text,
            set_up_at_clock: false,
            ..present
        };
        self.carry_out(call, command, Some(game)).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn set_buttons(
        &self,
        exchanged: bool,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let call = Call { revision, reason, header: &header, text: "" };
        self.carry_out(call, GameCommand::ExchangeButtons(exchanged), None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn announce(
        &self,
        text: &str,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let command = GameCommand::Announce(arguments::announcement(text)?);
        let call = Call { revision, reason, header: &header, text };
        self.carry_out(call, command, None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn set_names(
        &self,
        names: Dictionary<'_>,
        revision: u64,
        reason: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let (game, text) = self.present(&header).game.renamed(dictionaries::names(&names)?);
        let call = Call { revision, reason, header: &header, text: &text };
        self.carry_out(call, GameCommand::ChangeNames, Some(game)).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn rewind(
        &self,
        revision: u64,
        reason: &str,
        entry: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let earlier = self.earlier_clock(reason, entry, &header).await?;
        let text = format!(
            "as it was after entry {entry}; time control, time method, rules and names stay as they are, and what was \
             claimed or asked since is closed"
        );
        let call = Call { revision, reason, header: &header, text: &text };
        self.carry_out(call, GameCommand::Restore(earlier), None).await
    }

    #[zbus(out_args("new_revision", "recorded"))]
    async fn import(
        &self,
        revision: u64,
        reason: &str,
        proposal: Dictionary<'_>,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(u64, bool), Error> {
        let ProposalArguments { begun, source, state, game, corrections } =
            dictionaries::proposal(&proposal)?;
        let state = state.map(GameState::for_another_clock);
        let (setup, game) = self.game(game, &header).await?;
        if let Some(Err(NotTakenOver::State(problem))) =
            state.map(|state| state.game(&setup, monotonic_now()))
        {
            return Err(arguments::invalid_state(problem));
        }
        let ImportedFrom { machine, game: number, .. } = &source;
        let text = format!("{}, game {number} of {machine}", game.described());
        let game = GameInfo { imported_from: Some(convert::imported_from(source)), ..game };
        let correction = convert::correction(&corrections);
        let command = GameCommand::Import { setup, state, correction, begun };
        let call = Call { revision, reason, header: &header, text: &text };
        self.carry_out(call, command, Some(game)).await
    }
}
