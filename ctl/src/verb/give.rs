//! The verbs that only give the clock a command: their arguments, and the command.

mod amounts;

use anyhow::Result;
use clap::Subcommand;
use clock_dbus::commands::{
    Attachment, Claimant, Confirmation, Evidence, IncidentKind, Method, PenaltyCause, PenaltyKind,
    Side,
};
use clock_dbus::{Given, Names, Phase, SideState, State};
use clock_engine::rules::{Cited, Profile, Topic, clause};
use clock_engine::text::hms;

use self::amounts::{AMOUNTS, amounts, method_amount, penalty_kind};
use super::pause::text_or_nothing;
use super::{command, rule};
use crate::failure::Failure;
use crate::options::{Options, either, whole, words};

const ADJOURNED: &str = "\
clockctl log --games lists the adjourned games. A game that is taken up again after other games is a new game in the record, with the \
whole state of the adjourned one.";
const RUNNING_ALREADY: &str = "the clock was running already";

/// A command of the arbiter, as it is typed.
#[derive(Clone, Debug, Subcommand)]
#[command(defer = true)]
pub enum Give {
    /// Start White's clock
    Start,
    /// Show the players a text while both clocks stand
    Announce {
        /// What the players read, as "lunch until 14:00"; "" takes the announcement back
        #[arg(value_parser = text_or_nothing)]
        text: String,
    },
    /// Start a clock again
    #[command(alias = "unpause")]
    Resume {
        /// Whose clock is to run [default: that of the side on move]
        #[arg(long, value_parser = words::<Side>())]
        side: Option<Side>,
    },
    /// Take the last press back; that side is on move again, with its time at the press
    UndoPress,
    /// Take the result back
    Reopen,
    /// Call a flag that is down, for the arbiter
    Flag {
        /// Who calls the flag
        #[arg(long, value_parser = words::<Claimant>(), value_name = "WHO", default_value = "arbiter")]
        by: Claimant,
    },
    /// Apply a penalty
    #[command(alias = "penalty", after_help = AMOUNTS)]
    Penalize {
        /// The offender, also where the opponent gets something
        #[arg(value_parser = words::<Side>())]
        side: Side,
        /// warning, opponent-plus, offender-minus, loss, points-off, opponent-points, expulsion or fine
        #[arg(value_parser = penalty_kind)]
        kind: PenaltyKind,
        /// The time of opponent-plus and offender-minus, or the points of points-off and
        /// opponent-points
        #[arg(value_name = "TIME|POINTS")]
        amount: Option<String>,
        /// What the penalty answers [default: not named]
        #[arg(long, value_parser = words::<PenaltyCause>(), value_name = "WHY")]
        cause: Option<PenaltyCause>,
    },
    /// The last completed move was illegal: take it back and give the opponent time
    #[command(alias = "illegal")]
    IllegalMove {
        /// The player who made the illegal move
        #[arg(value_parser = words::<Side>())]
        side: Side,
        /// The opponent claims the extra time
        #[arg(long)]
        claimed: bool,
        /// The opponent's extra time, which can be 0 [default: what the rule profile says]
        #[arg(long, value_name = "T", value_parser = rule::award)]
        award: Option<u64>,
    },
    /// Record that a player has come to the board
    Arrive {
        /// The player
        #[arg(value_parser = words::<Side>())]
        side: Side,
    },
    /// Record what a player confirms
    RecordConfirmation {
        /// The player
        #[arg(value_parser = words::<Side>())]
        side: Side,
        /// What the player confirms [default: what both players can confirm now]
        #[arg(value_parser = words::<Confirmation>())]
        what: Option<Confirmation>,
    },
    /// Send a claim to the designated arbiter
    Refer,
    /// Attach a text, or a file's name and sum, to the record
    RecordAttachment {
        /// What it is
        #[arg(value_parser = words::<Attachment>())]
        kind: Attachment,
        /// The text itself; or @ and the path of a file, of which the name and the SHA-256 are attached
        #[arg(value_name = "TEXT|@FILE")]
        text: String,
        /// The player who has verified it
        #[arg(long, value_parser = words::<Side>(), value_name = "SIDE")]
        verified_by: Option<Side>,
    },
    /// Note an incident for the record
    Incident {
        /// The player whom it concerns
        #[arg(value_parser = words::<Side>())]
        side: Side,
        /// What happened
        #[arg(value_parser = words::<IncidentKind>())]
        kind: IncidentKind,
    },
    /// Record whether a player's assistant may press the clock
    SetAssistant {
        /// The player
        #[arg(value_parser = words::<Side>())]
        side: Side,
        /// Whether the arbiter accepts the assistant
        #[arg(value_parser = either(["yes", "no"], "yes"), action = clap::ArgAction::Set)]
        accepted: bool,
    },
    /// Adjourn the game with a sealed move
    Adjourn {
        /// The player who seals
        #[arg(value_parser = words::<Side>())]
        side: Side,
        /// The number of the sealed move, or what the arbiter writes on the envelope
        #[arg(value_name = "MOVE")]
        sealed_move: String,
    },
    /// Take up an adjourned game again
    #[command(after_help = ADJOURNED)]
    ResumeAdjourned {
        /// The number of an adjourned game on record [default: the game on the clock]
        #[arg(value_parser = whole::<u64>(1..=u64::MAX))]
        game: Option<u64>,
    },
    /// Correct the names of the players, the event, the round or the board, also while a clock runs
    SetNames {
        /// The player of the white pieces; '' for none
        #[arg(long, value_name = "NAME")]
        white: Option<String>,
        /// The player of the black pieces; '' for none
        #[arg(long, value_name = "NAME")]
        black: Option<String>,
        /// The number of the board (the table), such as 12 or A3; '' for none
        #[arg(long, value_name = "NUMBER")]
        board: Option<String>,
        /// The round of the event, such as 3; '' for none
        #[arg(long, value_name = "NUMBER")]
        round: Option<String>,
        /// The name of the event; '' for none
        #[arg(long, value_name = "NAME")]
        event: Option<String>,
    },
    /// Change the rule profile of the game
    SetRules {
        /// The name of a rule profile that the clock knows (clockctl rules list)
        #[arg(value_name = "NAME")]
        rules: String,
    },
    /// Set which button is White's: the clock can stand on either side of the board
    SetButtons {
        /// Each player uses the button that is wired as his, or that of the other
        #[arg(value_parser = either(["as-wired", "exchanged"], "exchanged"), action = clap::ArgAction::Set)]
        buttons: bool,
    },
    /// Change the increment or the delay for the rest of the game
    #[command(alias = "method")]
    ChangeMethod {
        /// What every move brings
        #[arg(value_parser = words::<Method>())]
        method: Method,
        /// How much, such as 30s
        #[arg(value_name = "TIME")]
        amount: Option<String>,
        /// The schedule of the event would suffer otherwise: the reason that FIDE Laws 2023 A.5.1.1 accepts
        #[arg(long)]
        schedule_suffers: bool,
    },
}

impl Give {
    /// The command, or what is wrong with the arguments.
    fn given(&self) -> Result<Given, String> {
        Ok(match self {
            Give::Start => Given::Start {},
            Give::Announce { text } => Given::Announce { text: text.as_str().into() },
            Give::Resume { side } => Given::Resume { side: *side },
            Give::UndoPress => Given::UndoPress {},
            Give::Reopen => Given::Reopen {},
            Give::Flag { by } => Given::ClaimFlag { by: *by, evidence: Evidence::Flag },
            Give::Penalize { side, kind, amount, cause } => {
                let (time_nsec, half_points) = amounts(*kind, amount.as_deref())?;
                Given::Penalize { side: *side, kind: *kind, time_nsec, half_points, cause: *cause }
            }
            Give::IllegalMove { side, claimed, award } => {
                let (side, claimed, award_nsec) = (*side, *claimed, (*award).into());
                Given::IllegalMove { side, claimed, award_nsec }
            }
            Give::Arrive { side } => Given::Arrive { side: *side },
            Give::RecordConfirmation { side, what } => {
                Given::RecordConfirmation { by: *side, what: *what }
            }
            Give::Refer => Given::Refer {},
            Give::RecordAttachment { kind, text, verified_by } => {
                let text = amounts::attachment(text)?.as_str().into();
                Given::RecordAttachment { kind: *kind, text, verified_by: *verified_by }
            }
            Give::Incident { side, kind } => Given::Incident { side: *side, kind: *kind },
            Give::SetAssistant { side, accepted } => {
                Given::SetAssistant { side: *side, accepted: *accepted }
            }
            Give::Adjourn { side, sealed_move } => {
                Given::Adjourn { side: *side, sealed_move: sealed_move.as_str().into() }
            }
            // 0 is the game on the clock.
            Give::ResumeAdjourned { game } => {
                Given::ResumeAdjourned { game: game.unwrap_or_default() }
            }
            Give::SetNames { white, black, board, round, event } => {
                let names = Names {
                    white_player: white.clone(),
                    black_player: black.clone(),
                    board: board.clone(),
                    round: round.clone(),
                    event: event.clone(),
                };
                if names == Names::default() {
                    return Err("nothing to correct: give at least one of --white, --black, --board, --round, \
                                --event"
                        .to_owned());
                }
                Given::SetNames { names }
            }
            Give::SetRules { rules } => Given::SetRules { rules: rules.as_str().into() },
            Give::SetButtons { buttons } => Given::SetButtons { exchanged: *buttons },
            Give::ChangeMethod { method, amount, schedule_suffers } => {
                let amount_nsec = method_amount(*method, amount.as_deref())?;
                let schedule_suffers = *schedule_suffers;
                Given::ChangeMethod { method: *method, amount_nsec, schedule_suffers }
            }
        })
    }

    /// A phrase for the command, for errors.
    fn wanted(&self) -> &'static str {
        match self {
            Give::Start => "start White's clock",
            Give::Announce { .. } => "announce this",
            Give::Resume { .. } => command::RESUME,
            Give::UndoPress => "take the last press back",
            Give::Reopen => "reopen the game",
            Give::Flag { .. } => command::FLAG_CALL,
            Give::Penalize { .. } => "apply the penalty",
            Give::IllegalMove { .. } => "enter the illegal move",
            Give::Arrive { .. } => "record the arrival",
            Give::RecordConfirmation { .. } => "record the confirmation",
            Give::Refer => "refer the claim",
            Give::RecordAttachment { .. } => "attach it",
            Give::Incident { .. } => "note the incident",
            Give::SetAssistant { .. } => "record the assistant",
            Give::Adjourn { .. } => "adjourn the game",
            Give::ResumeAdjourned { .. } => "take up the adjourned game",
            Give::SetNames { .. } => "correct the names",
            Give::SetRules { .. } => "change the rule profile",
            Give::SetButtons { .. } => "set which button is White's",
            Give::ChangeMethod { .. } => "change the method",
        }
    }

    /// Why a clock in this state needs no command.
    fn already(&self, state: &State) -> Option<&'static str> {
        let Give::Resume { side } = self else { return None };
        let runs = side.is_none_or(|side| Some(side) == state.running.side());
        (state.phase == Phase::Running && runs).then_some(RUNNING_ALREADY)
    }

    /// Whether the verb concerns one game; otherwise all boards of a round need it at once.
    pub fn is_of_one_game(&self) -> bool {
        !matches!(
            self,
            Give::Start
                | Give::Announce { .. }
                | Give::Resume { .. }
                | Give::SetRules { .. }
                | Give::SetButtons { .. }
        )
    }
}

/// Gives the command. Prints what the clock says that it did, and the state and the questions after it.
pub async fn run(options: &Options, give: &Give) -> Result<()> {
    let wanted = give.wanted();
    let given = give.given().map_err(Failure::Usage)?;
    let connected = command::connect(options, wanted).await?;
    if give.already(&connected.before).is_some() {
        return connected.show_already(options, RUNNING_ALREADY).await;
    }
    let completed = connected.send(options, given).await?;
    let needs = match give {
        Give::IllegalMove { claimed: true, award: None, .. } => {
            command::profile_in_use(&completed.bus).await.and_then(|rules| needs_less(&rules))
        }
        _ => None,
    };
    completed
        .show(options, |before, after| {
            let note = needs.and_then(|needs| without_time(give, &needs, before, after));
            note.unwrap_or_default() + &command::after_done(before, after)
        })
        .await
}

/// What a claim of the extra time for an illegal move needs under these rules.
fn needs_less(rules: &Profile) -> Option<String> {
    let limit = rules.illegal_claim_below?;
    let needs = format!("a claim needs less than {} left", hms(limit));
    Some(Cited::new(needs, clause(Topic::IllegalMoveClaim, rules.cites)).to_string())
}

/// Says that a claim of the extra time has brought none, because of what it `needs`.
fn without_time(give: &Give, needs: &str, before: &State, after: &State) -> Option<String> {
    let Give::IllegalMove { side, .. } = give else { return None };
    let opponent = side.other();
    let left = |state: &State| {
        let SideState { remaining_nsec, limit_nsec, .. } = *state.side(opponent);
        limit_nsec.map_or(remaining_nsec, |limit| limit.saturating_sub(remaining_nsec))
    };
    (left(after) <= left(before)).then(|| format!("{} got no time: {needs}\n", opponent.name()))
}
