//! The actions of players and arbiters under a rule profile, and [`GameCommand`], which is either
//! such an action, a command of the clock, or a command that concerns the whole game. Presses of a
//! button are no actions and no commands.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::announcement::Announcement;
use super::game_state::GameState;
use super::profile::{Ground, PenaltyKind, Profile, RuleSource};
use crate::words::words;
use crate::{
    Command, Control, Correction, EarlierClock, Instant, Method, Outcome, Recompute, Side, Span,
    Word,
};
use serde::{Deserialize, Serialize};

words! {
    /// The evidence for the call of a flag.
    Evidence {
        /// The clock's flag, as a player or the arbiter observes it at the board.
        Flag = "flag",
        /// Only a screen, a monitor, a demonstration board or the clock's press counter.
        Display = "display",
        /// A display, and something else, such as the scoresheet.
        DisplayAndOther = "display-and-other",
    }
}

/// Who calls a flag or makes a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claimant {
    /// A player.
    Player(Side),
    /// The arbiter, or the person whom the rules put in the arbiter's place.
    Arbiter,
    /// Anyone else, who may neither call a flag nor claim (S0 6.9).
    Bystander,
}

impl Word for Claimant {
    const ALL: &'static [Claimant] = &[
        Claimant::Player(Side::White),
        Claimant::Player(Side::Black),
        Claimant::Arbiter,
        Claimant::Bystander,
    ];

    fn as_str(self) -> &'static str {
        Claimant::as_str(self)
    }
}

impl Claimant {
    /// `white`, `black`, `arbiter` or `bystander`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Claimant::Player(side) => side.as_str(),
            Claimant::Arbiter => "arbiter",
            Claimant::Bystander => "bystander",
        }
    }
}

words! {
    /// The opponent's answer to a draw offer. The offer is made before a draw claim, or by a
    /// request for an increment.
    OfferAnswer {
        /// The offer was accepted: the game is drawn.
        Accepted = "accepted",
        /// The offer was refused.
        Refused = "refused",
    }
}

words! {
    /// An answer to an open question: the arbiter's ruling, or the opponent's answer to the draw
    /// offer of a request. [`Action::Rule`] gives it.
    Ruling {
        Call = "call" => "The arbiter calls the flags that are down",
        WhiteLoses = "white-loses" => "White has lost",
        BlackLoses = "black-loses" => "Black has lost",
        /// The ruling is refused if either player could lose.
        Lost = "lost" => "The only player has lost whom a clause makes lose now",
        Drawn = "drawn" => "The game is drawn",
        Made = "made" => "The moves were made: the flag is annulled",
        NotMade = "not-made" => "The moves were not made",
        NotEstablished = "not-established" => "It cannot be established whether the moves were made",
        OrderUnknown = "order-unknown" => "It cannot be established which flag fell first",
        Postpone = "postpone" => "The decision on the claim is postponed",
        Reject = "reject" => "The claim is rejected",
        // The words for a request name the increment. A request is a draw offer, too, and the
        // arbiter must not enter a draw, which ends the game, by mistake.
        IncrementAgreed = "increment-agreed" => "The arbiter agrees to the request",
        IncrementRefused = "increment-refused" => "The arbiter does not agree to the request",
        DrawAccepted = "draw-accepted" => "The opponent has accepted the draw offer of the request",
        DrawRefused = "draw-refused" => "The opponent has refused the draw offer of the request",
        /// S0 6.13d.
        Valid = "valid" => "The player had a valid reason to stop the clocks",
        NotObvious = "not-obvious" =>
            "It is not obvious that the player had no valid reason to stop the clocks",
        ObviouslyInvalid = "obviously-invalid" =>
            "The player obviously had no valid reason to stop the clocks; a penalty is required",
        /// If both players are late, the result is 0-0 (S0 6.7).
        Forfeit = "forfeit" => "The late player has lost",
        Waive = "waive" => "The late player does not lose by default",
    }
}

impl Ruling {
    /// The ruling that this side has lost.
    pub const fn lost_by(side: Side) -> Ruling {
        match side {
            Side::White => Ruling::WhiteLoses,
            Side::Black => Ruling::BlackLoses,
        }
    }

    /// The player who has lost by the word of the ruling alone.
    pub const fn loser(self) -> Option<Side> {
        match self {
            Ruling::WhiteLoses => Some(Side::White),
            Ruling::BlackLoses => Some(Side::Black),
            _ => None,
        }
    }

    /// Whether this is a ruling on a late arrival, which names the late players.
    pub const fn is_on_lateness(self) -> bool {
        matches!(self, Ruling::Forfeit | Ruling::Waive)
    }

    /// Whether the opponent can get time with this ruling.
    pub const fn has_award(self) -> bool {
        matches!(self, Ruling::Postpone | Ruling::Reject)
    }
}

words! {
    /// The players whose late arrival is ruled on.
    LatePlayers {
        /// White.
        White = "white",
        /// Black.
        Black = "black",
        /// Both players.
        Both = "both",
    }
}

impl LatePlayers {
    /// Whether the player `side` is one of the players.
    pub const fn has(self, side: Side) -> bool {
        match self {
            LatePlayers::White => matches!(side, Side::White),
            LatePlayers::Black => matches!(side, Side::Black),
            LatePlayers::Both => true,
        }
    }

    /// The only player; `None` for both.
    pub const fn side(self) -> Option<Side> {
        match self {
            LatePlayers::White => Some(Side::White),
            LatePlayers::Black => Some(Side::Black),
            LatePlayers::Both => None,
        }
    }
}

impl From<Side> for LatePlayers {
    fn from(side: Side) -> LatePlayers {
        match side {
            Side::White => LatePlayers::White,
            Side::Black => LatePlayers::Black,
        }
    }
}

words! {
    /// What a player confirms.
    Confirmation {
        Resume = "resume" => "That the game goes on",
        /// In unsupervised play, a correction can also take the result back.
        Correction = "correction" =>
            "That an illegal move is corrected although it was replied to; without an arbiter, that one \
             correction of any kind is made",
        OrderUnknown = "order-unknown" => "That it cannot be established which flag fell first",
    }
}

words! {
    /// What is attached to the record of a game.
    Attachment {
        Position = "position" => "The final position",
        Scoresheet = "scoresheet" => "A scoresheet; that of a captain will do",
        Details = "details" => "The details of a claim",
        Witness = "witness" => "What a witness has seen",
    }
}

words! {
    /// An incident that is noted for the record.
    IncidentKind {
        Force = "force" => "The clock was punched",
        Lift = "lift" => "The clock was picked up",
        Knock = "knock" => "The clock was knocked over",
        Hand = "hand" => "The clock was pressed with the other hand",
        Hold = "hold" => "A finger was kept on the button or hovered over it",
        Defect = "defect" => "The clock has an evident defect",
        Gap = "gap" => "The record has a gap",
        Other = "other" => "Anything else; --reason says what",
    }
}

impl IncidentKind {
    /// Whether the incident is improper handling of the clock, for which S0 6.8c has a penalty.
    pub const fn is_handling(self) -> bool {
        matches!(self, IncidentKind::Force | IncidentKind::Lift | IncidentKind::Knock)
    }

    /// Whether the order of the flags can be in doubt after the incident (S0 6.11).
    pub const fn puts_clock_in_doubt(self) -> bool {
        matches!(self, IncidentKind::Defect | IncidentKind::Gap)
    }
}

words! {
    /// What a penalty is for.
    PenaltyCause {
        Force = "force" => "Undue force on the clock",
        /// Anything else.
        Other = "other",
    }
}

/// A penalty of S0 13.4 or FIDE 12.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    /// The offender, even if the penalty gives something to the opponent (`opponent-plus`,
    /// `opponent-points`).
    pub side: Side,
    /// The penalty.
    pub kind: PenaltyKind,
    /// The time of `opponent-plus` and `offender-minus`; zero for every other penalty.
    pub time: Span,
    /// The points of `points-off` and `opponent-points`, in half points; 0 for every other penalty.
    /// If one of these two kinds has 0, it takes back all points of the earlier penalties of its
    /// kind for this side.
    pub half_points: u32,
    /// What the penalty is for; `None` if the arbiter has not named it.
    pub cause: Option<PenaltyCause>,
}

words! {
    /// The reason for a result.
    ResultGround {
        /// What happened on the board, or the players' agreement.
        Game = "game",
        /// The arbiter's own award of a draw without a claim (S3 8).
        ArbitersDraw = "arbiters-draw",
    }
}

impl ResultGround {
    /// Reads the ground from a reason in words. A reason that begins with the clause `Irish allegro
    /// rules 8`, or in short `S3 8`, gives [`ResultGround::ArbitersDraw`], every other reason gives
    /// [`ResultGround::Game`].
    pub fn from_reason(reason: &str) -> ResultGround {
        let source = [RuleSource::Allegro.title(), RuleSource::Allegro.as_str()];
        let after = source.iter().find_map(|source| reason.strip_prefix(source));
        let is_clause = after.and_then(|rest| rest.strip_prefix(" 8")).is_some_and(|rest| {
            !rest.starts_with(|next: char| next.is_alphanumeric() || next == '.')
        });
        if is_clause { ResultGround::ArbitersDraw } else { ResultGround::Game }
    }
}

/// An action of a player or of the arbiter under a rule profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Somebody calls a flag (S0 6.9). The clocks stop, and a ruling is awaited.
    ClaimFlag {
        /// Who calls the flag.
        by: Claimant,
        /// The evidence for the call.
        evidence: Evidence,
    },
    /// A player claims a draw (S0 10.2, S2 III.5, III.6, S3 7, FIDE 9.5).
    ClaimDraw {
        /// Who claims.
        by: Claimant,
        /// The ground of the claim.
        ground: Ground,
        /// Whether the player stops the clocks. It may be `false` only for the grounds `cannot-win`
        /// and `no-effort`, and only if the profile lets the player choose
        /// (`ClaimStops::Chosen`).
        stop: bool,
        /// The opponent's answer to the draw offer before the claim, if there was one (S0,
        /// preface).
        offer: Option<OfferAnswer>,
    },
    /// A player requests an increment for both sides (S2 III.4). The request is a draw offer, too.
    RequestIncrement {
        /// Who requests the increment.
        by: Claimant,
    },
    /// The arbiter rules on an open question, or the opponent answers the draw offer of a request.
    Rule {
        /// The ruling.
        ruling: Ruling,
        /// The late players of [`Ruling::Forfeit`] and [`Ruling::Waive`]; `None` means both. No
        /// other ruling accepts a side.
        side: Option<LatePlayers>,
        /// The time that the opponent gets with `postpone` or `reject`. `None` is no time with
        /// `postpone`, and the amount of the profile with `reject`. No other ruling accepts an
        /// award.
        award: Option<Span>,
    },
    /// A penalty.
    Penalize(Penalty),
    /// A move was illegal. If it is the last completed move, it is taken back, and time is awarded
    /// as the profile says. If the opponent has replied to it, both players must have confirmed the
    /// correction; then no time is awarded and the clocks are stopped.
    IllegalMove {
        /// The offender.
        side: Side,
        /// Whether the opponent claims the extra time (S3 5.2).
        claimed: bool,
        /// The arbiter's own award; `None` is the award of the profile.
        award: Option<Span>,
    },
    /// A player has arrived at the board.
    Arrive(Side),
    /// A player confirms something that takes effect once both players have confirmed it.
    RecordConfirmation {
        /// The player.
        by: Side,
        /// What is confirmed. `None` is [`Confirmation::OrderUnknown`] in unsupervised play if both
        /// final flags are down and a noted defect or gap puts their order in doubt, otherwise
        /// [`Confirmation::Resume`].
        what: Option<Confirmation>,
    },
    /// The open draw claim is sent to an arbiter who is not at the board (S0 preface, S2 III.6.2).
    Refer,
    /// Something is attached to the record.
    RecordAttachment {
        /// What is attached.
        kind: Attachment,
        /// The player who verified the attachment.
        verified_by: Option<Side>,
    },
    /// A player has an assistant who presses the clock (S0 6.8d).
    SetAssistant {
        /// The player.
        side: Side,
        /// Whether the arbiter accepts the assistant.
        accepted: bool,
    },
    /// An incident is noted.
    Incident {
        /// The player whom the incident concerns.
        side: Side,
        /// What happened.
        kind: IncidentKind,
    },
    /// The game is adjourned: the side on move has sealed its move, which completes it.
    Adjourn {
        /// The player who sealed.
        side: Side,
    },
    /// An adjourned game is taken up again.
    ResumeAdjourned,
    /// The arbiter changes the increment or the delay for the rest of the game (FIDE A.5.1.1).
    ChangeMethod {
        /// [`Method::None`], an increment, a delay or Bronstein.
        method: Method,
        /// Whether the schedule of the event would suffer without the change.
        schedule_suffers: bool,
    },
    /// The result of the game, with its ground (S0 5.1, 5.2).
    Result {
        /// The result.
        outcome: Outcome,
        /// The reason for the result.
        ground: ResultGround,
    },
}

impl Action {
    /// A ruling that needs neither a side nor an award.
    pub const fn rule(ruling: Ruling) -> Action {
        Action::Rule { ruling, side: None, award: None }
    }

    /// A ruling on the late arrival of these players.
    pub const fn rule_late(side: LatePlayers, ruling: Ruling) -> Action {
        Action::Rule { ruling, side: Some(side), award: None }
    }
}

/// Every command to a game. Presses of a button, also of the call button, are not commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(
    clippy::large_enum_variant,
    reason = "boxing a variant would allocate, and there is no allocator"
)]
pub enum GameCommand {
    /// A command of the clock. [`Command::New`] keeps the profile.
    Clock(Command),
    /// An action under the profile.
    Action(Action),
    /// Set up for a new game.
    New(Setup),
    /// The arbiter changes the profile of the game (S0 6.2a). The command is refused while a claim,
    /// a request or a question is open.
    SetRules(Profile),
    /// The arbiter decides which button is White's (S0 6.4): `true` exchanges the two buttons. The
    /// exchange holds for later games, too.
    SetButtons(bool),
    /// The arbiter restores the clock to an earlier state of this game (S0 6.14). Both clocks then
    /// stand. A flag that was not down in that state is annulled. A claim, a request, a stop, or
    /// the question about an illegal move that loses the game, is closed if it came up after that
    /// state. The time control, the method, the profile, the counts of illegal moves, penalties and
    /// everything else that the rules remember stay as they are.
    Rewind(EarlierClock),
    /// This clock takes over the state of another clock that has a defect (S0 6.11), or the state
    /// of an adjourned game on record. If one of the steps (set up, start, pause, correction) is
    /// refused, the whole command is refused and has no effect.
    Import {
        /// What the new game is set up with.
        setup: Setup,
        /// The whole state of the game. If it is `None`, only the times, counters and periods in
        /// `correction` are known, and the game begins anew with them.
        #[serde(default)]
        state: Option<GameState>,
        /// The times, counters and periods of the other clock if `state` is `None`; otherwise
        /// corrections of `state`.
        correction: Correction,
        /// Whether the game had begun. If so, White's clock is started and at once stopped again.
        /// If `state` is `Some`, this field is ignored.
        begun: bool,
    },
    /// The arbiter replaces a time control that was set up wrongly (S0 6.2a, FIDE 6.10.2). Both
    /// clocks must stand. The command is refused while a claim or a request is open.
    ChangeTimeControl {
        /// The time control from now on.
        control: Control,
        /// Whether the times stay, or each side gets what it would have if the new control had held
        /// from the start.
        recompute: Recompute,
        /// Whether the schedule of the event would suffer without the change (FIDE A.5.1.1).
        schedule_suffers: bool,
    },
    /// The arbiter tells the players something while both clocks stand, such as how long the pause
    /// lasts. `None` takes the announcement back. The announcement also ends when a clock runs
    /// again, when the game ends, and when the game is adjourned.
    Announce(Option<Announcement>),
    /// Like [`GameCommand::New`]. The two buttons are exchanged, too.
    NewExchanged(Setup),
    /// The result is taken back, and this one is entered on the ground [`ResultGround::Game`]. If
    /// either step is refused, the whole command is refused and has no effect.
    ReplaceResult(Outcome),
    /// Both players confirm a correction in unsupervised play, and it is carried out. If a step is
    /// refused, the whole command is refused, and neither player has confirmed anything.
    Agreed(AgreedChange),
    /// The arbiter corrects names: of the players, the event, the round or the board. The caller
    /// keeps the names, and nothing changes here, so it is possible in every phase, also in an
    /// adjourned game.
    SetNames,
}

/// What both players have agreed to change, with [`GameCommand::Agreed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum AgreedChange {
    /// [`Command::Set`].
    Set(Correction),
    /// [`Command::UndoPress`].
    UndoPress,
    /// [`Command::Reopen`].
    Reopen,
    /// [`GameCommand::ReplaceResult`].
    ReplaceResult(Outcome),
}

impl From<AgreedChange> for GameCommand {
    /// The command that is carried out after both players have confirmed.
    fn from(change: AgreedChange) -> GameCommand {
        match change {
            AgreedChange::Set(correction) => Command::Set(correction).into(),
            AgreedChange::UndoPress => Command::UndoPress.into(),
            AgreedChange::Reopen => Command::Reopen.into(),
            AgreedChange::ReplaceResult(outcome) => GameCommand::ReplaceResult(outcome),
        }
    }
}

impl From<Command> for GameCommand {
    fn from(command: Command) -> GameCommand {
        GameCommand::Clock(command)
    }
}

impl From<Action> for GameCommand {
    fn from(action: Action) -> GameCommand {
        GameCommand::Action(action)
    }
}

/// What a new game is set up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The time control.
    pub control: Control,
    /// The profile, or none.
    pub profile: Option<Profile>,
    /// When the session starts.
    pub session: Session,
    /// Whether a game under way may be lost.
    pub force: bool,
}

/// When the session starts. Under `LateFrom::Session` lateness is counted from it (S0 6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Session {
    /// The start is not known, so nobody is late under `LateFrom::Session`.
    Unknown,
    /// With the start of the game.
    WithGame,
    /// At this instant.
    At(Instant),
    /// This long before the zero of the clock's axis, for example before the machine was started.
    BeforeZero(Span),
}
