//! The events of a game as JSON.

use crate::json::EventJson;
use clock_engine::rules::{GameEvent, GameEventKind, Ground, PenaltyCause};
use clock_engine::text::points;
use clock_engine::{EventKind, Side};

/// The JSON of an event, as the answer to a line of the script contains it. `None` for an event
/// that answers leave out.
pub fn event_json(event: GameEvent) -> Option<EventJson> {
    let mut json = EventJson {
        at_ns: event.at.as_nanos(),
        kind: event.kind.as_str(),
        side: event.kind.side().map(Side::as_str),
        ..EventJson::default()
    };
    match event.kind {
        GameEventKind::Clock(EventKind::Flag { period, .. } | EventKind::Period { period, .. }) => {
            json.period = Some(period);
        }
        GameEventKind::Clock(EventKind::Press { accepted, .. }) => json.accepted = Some(accepted),
        // Scripts have no call button: `stop` and `pause` name the caller. The keys
        // `overtime_periods` and `overtime_moves` of a side show its overtime. An incident is the
        // line itself.
        GameEventKind::Clock(EventKind::Call { .. } | EventKind::Overtime { .. })
        | GameEventKind::Incident { .. } => return None,
        GameEventKind::Called { by } => (json.kind, json.by) = ("call", Some(by.as_str())),
        GameEventKind::Claim { by, ground } => {
            (json.by, json.ground) = (Some(by.as_str()), ground.map(Ground::as_str));
        }
        GameEventKind::Ruling { ruling, .. } => json.ruling = Some(ruling.as_str()),
        GameEventKind::Penalty(penalty) => {
            let (time, cause) = (penalty.time, penalty.cause);
            json.penalty = Some(penalty.kind.as_str());
            json.time_ns = (!time.is_zero()).then(|| time.as_nanos());
            json.points = penalty.kind.has_points().then(|| points(penalty.half_points));
            json.cause = cause.filter(|it| *it != PenaltyCause::Other).map(PenaltyCause::as_str);
        }
        GameEventKind::IllegalMove { number, .. } => {
            (json.kind, json.number) = ("illegal", Some(number));
        }
        // The kind and the side say it.
        GameEventKind::Clock(EventKind::Gong { .. })
        | GameEventKind::DefaultDue { .. }
        | GameEventKind::ScoreOff { .. }
        | GameEventKind::Hold { .. } => {}
    }
    Some(json)
}
