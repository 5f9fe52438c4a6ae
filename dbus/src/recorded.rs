//! The events and the state of the clock that an entry of the record has.

use crate::{Phase, Side, Who};
use clock_engine::rules::{GameEvent, GameEventKind, Ground};
use clock_engine::{EventKind, Instant, Outcome, SideView, View};
use serde::{Deserialize, Serialize};

/// Defines a struct for JSON. The keys before the semicolon are always written. A key after it is
/// written only if it has a value.
#[doc(hidden)]
#[macro_export]
macro_rules! json_keys {
    ($(#[$doc:meta])* $name:ident {
        $($key:ident: $type:ty),+; $($(#[$of:meta])* $optional:ident: $value:ty,)+
    }) => {
        $(#[$doc])*
        pub struct $name {
            $(pub $key: $type,)+
            $(
                $(#[$of])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $optional: Option<$value>,
            )+
        }
    };
}

json_keys! {
    /// One event of an entry of the record, such as a press or a flag. Its kind decides which keys it
    /// has: docs/dbus.rst describes them.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    #[expect(missing_docs, reason = "docs/dbus.rst describes the keys")]
    RecordedEvent {
        kind: String, at_ns: u64;
        side: Who,
        accepted: bool,
        period: u32,
        periods_left: u32,
        first: bool,
        paused: bool,
        pressed_ns: u64,
        word: String,
        since_ns: u64,
        lost: u64,
        number: u32,
    }
}

impl RecordedEvent {
    /// An event of this kind without further keys.
    pub fn new(kind: &str, at: Instant) -> RecordedEvent {
        RecordedEvent { kind: kind.to_owned(), at_ns: at.as_nanos(), ..RecordedEvent::default() }
    }
}

impl From<GameEvent> for RecordedEvent {
    fn from(GameEvent { at, kind }: GameEvent) -> RecordedEvent {
        let side = kind.side().map(Who::from);
        let mut event = RecordedEvent { side, ..RecordedEvent::new(kind.as_str(), at) };
        let mut word = None;
        match kind {
            GameEventKind::Clock(kind) => match kind {
                EventKind::Press { accepted, .. } => event.accepted = Some(accepted),
                EventKind::Flag { period, .. } | EventKind::Period { period, .. } => {
                    event.period = Some(period);
                }
                EventKind::Overtime { periods_left, .. } => event.periods_left = Some(periods_left),
                EventKind::Gong { .. } | EventKind::Call { .. } => {}
            },
            // The word says who called, because the caller is not always a player.
            GameEventKind::Called { by } => (event.side, word) = (None, Some(by.as_str())),
            GameEventKind::Claim { ground, .. } => {
                word = Some(ground.map_or("increment", Ground::as_str));
            }
            GameEventKind::Ruling { ruling, .. } => word = Some(ruling.as_str()),
            GameEventKind::Penalty(penalty) => word = Some(penalty.kind.as_str()),
            GameEventKind::IllegalMove { number, .. } => event.number = Some(number),
            GameEventKind::Incident { kind, .. } => word = Some(kind.as_str()),
            GameEventKind::DefaultDue { .. }
            | GameEventKind::ScoreOff { .. }
            | GameEventKind::Hold { .. } => {}
        }
        event.word = word.map(str::to_owned);
        event
    }
}

/// The clock right after an entry of the record: the value of `state` in the JSON of an entry.
///
/// The other values of [`State`](crate::State) follow from the time control and from the entries up
/// to this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedState {
    /// The revision of the clock.
    pub revision: u64,
    /// The instant at which the clock showed the times. A file without it can be read, too.
    #[serde(default)]
    pub at_ns: u64,
    /// The phase of the game.
    pub phase: Phase,
    /// The side on move.
    pub on_move: Who,
    /// The side whose clock runs.
    pub running: Who,
    /// The side whose final flag fell first.
    pub first_flag: Who,
    /// The result, or empty.
    pub result: String,
    /// What the clock showed of White.
    pub white: RecordedSide,
    /// What the clock showed of Black.
    pub black: RecordedSide,
}

/// One side of a [`RecordedState`]. The fields are those of [`SideState`](crate::SideState).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "`SideState` has the documentation")]
pub struct RecordedSide {
    pub remaining_ns: u64,
    pub delay_ns: u64,
    pub moves: u32,
    pub period: u32,
    pub flag_ns: Option<u64>,
    pub out_of_time: bool,
    pub overrun_ns: u64,
    pub overtime_periods: Option<u32>,
    pub overtime_moves: Option<u32>,
}

impl RecordedState {
    /// The state that this view shows, with its revision.
    pub fn new(view: &View, revision: u64) -> RecordedState {
        RecordedState {
            revision,
            at_ns: view.at.as_nanos(),
            phase: view.phase,
            on_move: view.on_move.into(),
            running: view.running().into(),
            first_flag: view.first_flag.into(),
            result: view.outcome.map_or("", Outcome::as_str).to_owned(),
            white: RecordedSide::from(&view.sides.white),
            black: RecordedSide::from(&view.sides.black),
        }
    }

    /// What the clock showed of one side.
    pub fn side(&self, side: Side) -> &RecordedSide {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

impl From<&SideView> for RecordedSide {
    fn from(side: &SideView) -> RecordedSide {
        RecordedSide {
            remaining_ns: side.remaining.as_nanos(),
            delay_ns: side.delay.as_nanos(),
            moves: side.moves,
            period: side.period,
            flag_ns: side.flag.map(Instant::as_nanos),
            out_of_time: side.out_of_time,
            overrun_ns: side.overrun.as_nanos(),
            overtime_periods: side.overtime.map(|left| left.periods),
            overtime_moves: side.overtime.map(|left| left.moves),
        }
    }
}
