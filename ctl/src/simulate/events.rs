//! The events of a game as JSON.

use crate::json::EventJson;
use clock_engine::EventKind;
use clock_engine::rules::{Claimant, GameEvent, GameEventKind, Ground, Penalty, PenaltyCause};
use clock_engine::text::points;

/// The JSON of an event, as the answer to a line of the script contains it. `None` for an event
/// that answers leave out.
pub fn event_json(event: GameEvent) -> Option<EventJson> {
    let json = match event.kind {
        GameEventKind::Clock(kind) => return of_the_clock(event, kind),
        GameEventKind::Call { by } => by_claimant("call", by),
        GameEventKind::Claim { by, ground } => EventJson {
            ground: ground.map(Ground::as_str),
            ..by_claimant("claim", Claimant::Player(by))
        },
        GameEventKind::Ruling { ruling, side } => EventJson {
            side: side.map(|side| side.as_str()),
            ruling: Some(ruling.as_str()),
            ..EventJson::new("ruling")
        },
        GameEventKind::Penalty(applied) => penalty(&applied),
        GameEventKind::Illegal { side, number } => EventJson {
            side: Some(side.as_str()),
            number: Some(number),
            ..EventJson::new("illegal")
        },
        GameEventKind::DefaultDue { side } => of_side("default-due", side),
        GameEventKind::ScoreOff { side } => of_side("score-off", side),
        GameEventKind::Hold { side } => of_side("hold", side),
    };
    Some(EventJson { at_ns: event.at.as_nanos(), ..json })
}

fn of_the_clock(event: GameEvent, kind: EventKind) -> Option<EventJson> {
    let (kind, side, period, accepted) = match kind {
        EventKind::Flag { side, period } => ("flag", side, Some(period), None),
        EventKind::Period { side, period } => ("period", side, Some(period), None),
        EventKind::Press { side, accepted } => ("press", side, None, Some(accepted)),
        EventKind::Gong { side } => ("gong", side, None, None),
        // Answers leave these events out. Scripts have no call button: `stop` and `pause` name the
        // caller. The keys `overtime_periods` and `overtime_moves` of a side show its overtime.
        EventKind::Call { .. } | EventKind::Overtime { .. } => return None,
    };
    Some(EventJson { at_ns: event.at.as_nanos(), period, accepted, ..of_side(kind, side) })
}

fn of_side(kind: &'static str, side: clock_engine::Side) -> EventJson {
    EventJson { side: Some(side.as_str()), ..EventJson::new(kind) }
}

/// An event that `by` has caused. If `by` is a player, the event also has the side of that player.
fn by_claimant(kind: &'static str, by: Claimant) -> EventJson {
    let side = match by {
        Claimant::Player(side) => Some(side.as_str()),
        Claimant::Arbiter | Claimant::Bystander => None,
    };
    EventJson { side, by: Some(by.as_str()), ..EventJson::new(kind) }
}

fn penalty(applied: &Penalty) -> EventJson {
    let Penalty { side, kind, time, half_points, cause } = *applied;
    EventJson {
        penalty: Some(kind.as_str()),
        time_ns: (!time.is_zero()).then(|| time.as_nanos()),
        points: kind.has_points().then(|| points(half_points)),
        cause: cause.filter(|cause| *cause != PenaltyCause::Other).map(PenaltyCause::as_str),
        ..of_side("penalty", side)
    }
}
