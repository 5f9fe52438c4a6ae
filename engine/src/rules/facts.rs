//! The facts of a game that the rules need and the clock does not keep.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::action::{Attachment, Claimant, OfferAnswer};
use super::announcement::Announcement;
use super::profile::Ground;
use super::signed_instant::SignedInstant;
use crate::clock::Asked;
use crate::{Instant, PerSide, Side, Span};
use serde::{Deserialize, Serialize};

/// The facts of one game. They stay when the game is over, because it can be reopened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Facts {
    pub sides: PerSide<SideFacts>,
    pub stop: Option<Stop>,
    pub claim: Option<ClaimFacts>,
    pub request: Option<Request>,
    /// Whether the increment that a player requested was introduced.
    pub increment_agreed: bool,
    /// The offender whose illegal move loses the game, and when it was noticed.
    pub losing_illegal_move: Option<(Side, Instant)>,
    /// Whether the clock was restored to a move to which there had been a reply, and no move was
    /// completed since.
    pub replied_to: bool,
    /// The counts of claims, requests, stops and the other items of [`Asked`] so far.
    pub asked: Asked,
    /// Whether the arbiter has ruled, or both players have confirmed in unsupervised play, that it
    /// is not established which flag fell first.
    pub order_unknown: bool,
    /// Whether a defect of the clock or a gap in the record was noted as an incident (S0 6.11).
    pub clock_in_doubt: bool,
    /// Whether that defect or gap was noted on the clock from which this game was taken over. Such
    /// a doubt is about the two final flags that fell there, and ends with them.
    pub doubt_of_earlier_clock: bool,
    /// [`Offender::Either`] while a penalty is due for an obviously invalid stop with the call button,
    /// because it is not known which player pressed it. If the player is known,
    /// [`SideFacts::stop_penalty`] is set instead. States of earlier versions have that player here.
    pub stop_penalty: Option<Offender>,
    pub attached: Attached,
    /// Whether a claim has concluded the game (S2 III.6.1).
    pub concluded: bool,
    pub referred: bool,
    /// Whether a final ruling on a claim has ended the game.
    pub final_ruling: bool,
    /// The side that sealed its move, while the game is adjourned.
    pub adjourned: Option<Side>,
    /// What the arbiter tells the players during this pause.
    pub announcement: Option<Announcement>,
    pub session_start: Option<SignedInstant>,
    /// Whether the session starts with the game.
    pub session_is_game: bool,
    pub game_start: Option<SignedInstant>,
    /// The press of the call button that began the countdown after which the game goes on, in
    /// unsupervised play. `None` if there is no countdown.
    pub countdown_since: Option<Instant>,
    /// The main time that White has been given so far. The time that White has used is this time
    /// minus `white_main` of the clock, which counts down under every method.
    pub white_given: Span,
}

/// Who stopped the clocks, and is to be penalised if the stop was obviously invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Offender {
    Player(Side),
    /// The call button was used, and it is unknown by whom.
    Either,
}

impl Offender {
    pub fn can_be(self, side: Side) -> bool {
        self == Offender::Player(side) || self == Offender::Either
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SideFacts {
    /// The latest flag of this side, until it is annulled.
    pub flag: Option<FlagFacts>,
    /// When the player arrived or first pressed, whichever was earlier.
    pub arrived: Option<SignedInstant>,
    /// The instant at which the default time passed and the player had not arrived. A press of the
    /// player, or a waiver of the default, sets it to `None`.
    pub default_due: Option<Instant>,
    pub default_waived: bool,
    pub illegal_moves: u32,
    /// Whether a penalty for improper handling of the clock is due.
    pub handling_penalty: bool,
    /// Whether a penalty for an obviously invalid stop by this player is due (S0 6.13d).
    pub stop_penalty: bool,
    /// How many warnings were applied as penalties.
    pub warnings: u32,
    /// Whether undue force on the clock was noted as an incident (S3 4.4).
    pub force_incident: bool,
    /// Whether a warning for undue force was applied as a penalty (S3 4.4).
    pub force_warning: bool,
    /// The half points that penalties have taken off this side.
    pub half_points_off: u32,
    /// The half points that this side was given by penalties of the opponent.
    pub half_points_given: u32,
    pub confirmed_resume: bool,
    pub confirmed_correction: bool,
    pub confirmed_order_unknown: bool,
}

/// A flag. Three facts are kept apart: it has fallen, somebody has called it, and the arbiter has
/// established whether the moves were made (S0 6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FlagFacts {
    pub at: Instant,
    /// Whether it is a final flag: the clock gives this side no more time.
    pub is_final: bool,
    pub called_by: Option<Claimant>,
    /// The answer to the question whether the moves were made.
    pub answer: Option<MovesMade>,
}

/// The answers after which the flag stays down. The answer that the moves were made annuls the
/// flag, so it needs no value here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MovesMade {
    No,
    NotEstablished,
}

/// A player's stop of the clocks that awaits a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {
    pub at: Instant,
    pub by: Offender,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimFacts {
    pub at: Instant,
    pub by: Side,
    pub ground: Ground,
    /// Whether the claim stopped the clocks.
    pub stopped: bool,
    pub postponed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub at: Instant,
    pub by: Side,
    pub answer: Option<OfferAnswer>,
}

/// What is attached to the record, and who verified it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attached {
    kinds: [bool; Attachment::ALL.len()],
    verified: PerSide<[bool; Attachment::ALL.len()]>,
}

impl Attached {
    pub fn add(&mut self, kind: Attachment, verified_by: Option<Side>) {
        self.kinds[kind as usize] = true;
        if let Some(side) = verified_by {
            self.verified[side][kind as usize] = true;
        }
    }

    pub fn has(&self, kind: Attachment) -> bool {
        self.kinds[kind as usize]
    }

    pub fn is_verified_by(&self, kind: Attachment, side: Side) -> bool {
        self.verified[side][kind as usize]
    }
}

impl SideFacts {
    /// Every instant among the facts of a side.
    fn instants(&mut self) -> ([Option<&mut Instant>; 2], Option<&mut SignedInstant>) {
        let SideFacts {
            flag,
            arrived,
            default_due,
            // No instants.
            default_waived: _,
            illegal_moves: _,
            handling_penalty: _,
            stop_penalty: _,
            warnings: _,
            force_incident: _,
            force_warning: _,
            half_points_off: _,
            half_points_given: _,
            confirmed_resume: _,
            confirmed_correction: _,
            confirmed_order_unknown: _,
        } = self;
        let flag = flag.as_mut().map(|FlagFacts { at, is_final: _, called_by: _, answer: _ }| at);
        ([flag, default_due.as_mut()], arrived.as_mut())
    }
}

impl Facts {
    /// Calls `change` with every [`Instant`] that is kept.
    pub fn for_each_instant(&mut self, change: impl FnMut(&mut Instant)) {
        self.instants().0.into_iter().flatten().for_each(change);
    }

    /// Calls `change` with every [`SignedInstant`] that is kept.
    pub fn for_each_signed_instant(&mut self, change: impl FnMut(&mut SignedInstant)) {
        self.instants().1.into_iter().flatten().for_each(change);
    }

    /// Every instant among the facts. The facts are destructured without `..`, so that a new fact
    /// does not compile until it is listed here as holding an instant or not. An instant that is
    /// left out here would stay on the axis of the old boot after a power cut.
    fn instants(&mut self) -> ([Option<&mut Instant>; 9], [Option<&mut SignedInstant>; 4]) {
        let Facts {
            sides: PerSide { white, black },
            stop,
            claim,
            request,
            losing_illegal_move,
            session_start,
            game_start,
            countdown_since,
            // No instants.
            increment_agreed: _,
            order_unknown: _,
            replied_to: _,
            clock_in_doubt: _,
            doubt_of_earlier_clock: _,
            stop_penalty: _,
            attached: _,
            concluded: _,
            referred: _,
            final_ruling: _,
            adjourned: _,
            announcement: _,
            asked: _,
            session_is_game: _,
            white_given: _,
        } = self;
        let ([white_flag, white_due], white_arrived) = white.instants();
        let ([black_flag, black_due], black_arrived) = black.instants();
        let stop = stop.as_mut().map(|Stop { at, by: _ }| at);
        let claim =
            claim.as_mut().map(|ClaimFacts { at, by: _, ground: _, stopped: _, postponed: _ }| at);
        let request = request.as_mut().map(|Request { at, by: _, answer: _ }| at);
        let illegal_move = losing_illegal_move.as_mut().map(|(_, at)| at);
        let countdown_since = countdown_since.as_mut();
        (
            [
                white_flag,
                white_due,
                black_flag,
                black_due,
                stop,
                claim,
                request,
                illegal_move,
                countdown_since,
            ],
            [white_arrived, black_arrived, session_start.as_mut(), game_start.as_mut()],
        )
    }

    /// Whether a ruling must come before the clocks are resumed. If so,
    /// [`Game::phase`](super::Game::phase) turns the clock's `Paused` into `Ruling`.
    pub fn await_ruling(&self) -> bool {
        let called =
            |flag: &FlagFacts| flag.called_by.is_some() || flag.answer == Some(MovesMade::No);
        let flag =
            Side::BOTH.into_iter().any(|side| self.sides[side].flag.as_ref().is_some_and(called));
        (flag && !self.order_unknown)
            || self.claim.is_some_and(|claim| claim.stopped && !claim.postponed)
            || self.request.is_some()
            || self.losing_illegal_move.is_some()
    }

    /// The flag on which the game is decided: of the final flags the one that fell first or, if no
    /// final flag is down, the flag that fell first. Annulled flags do not count.
    pub fn first_open_flag(&self) -> Option<(Side, FlagFacts)> {
        let open = Side::BOTH.into_iter().filter_map(|side| Some((side, self.sides[side].flag?)));
        open.min_by_key(|(_, flag)| (!flag.is_final, flag.at))
    }
}
