//! The events of claims, rulings and incidents: the actions under a rule profile.

use super::fields::Fields;
use clock_engine::rules::{
    Action, Evidence, LatePlayers, Penalty, PenaltyKind, ResultGround, Ruling,
};
use clock_engine::{Method, Span};
use serde_json::Value;

/// The events that are actions under a rule profile.
pub const NAMES: [&str; 16] = [
    "claim-flag",
    "claim-draw",
    "request-increment",
    "rule",
    "illegal-move",
    "penalize",
    "arrive",
    "record-confirmation",
    "record-attachment",
    "refer",
    "set-assistant",
    "incident",
    "adjourn",
    "resume-adjourned",
    "change-method",
    "result",
];

/// Reads the action of this event; `None` if the event is not an action under a rule profile.
pub fn action(event: &str, fields: &mut Fields) -> Result<Option<Action>, String> {
    if let Some(action) = claim(event, fields)? {
        return Ok(Some(action));
    }
    if let Some(action) = ruling(event, fields)? {
        return Ok(Some(action));
    }
    around_the_game(event, fields)
}

/// Claims, requests, and the answers of players.
fn claim(event: &str, fields: &mut Fields) -> Result<Option<Action>, String> {
    Ok(Some(match event {
        "claim-flag" => Action::ClaimFlag {
            by: fields.claimant()?,
            evidence: fields.optional("evidence", Fields::word)?.unwrap_or(Evidence::Flag),
        },
        "claim-draw" => Action::ClaimDraw {
            by: fields.claimant()?,
            ground: fields.word("ground")?,
            stop: fields.optional("stop", Fields::yes_or_no)?.unwrap_or(true),
            offer: None,
        },
        "request-increment" => Action::RequestIncrement { by: fields.claimant()? },
        "record-confirmation" => {
            Action::Confirm { by: fields.word("by")?, what: fields.optional("what", Fields::word)? }
        }
        _ => return Ok(None),
    }))
}

/// What the arbiter decides.
fn ruling(event: &str, fields: &mut Fields) -> Result<Option<Action>, String> {
    Ok(Some(match event {
        "rule" => rule(fields)?,
        "illegal-move" => Action::IllegalMove {
            side: fields.word("side")?,
            claimed: fields.flag("claimed")?,
            award: fields.optional("award_ns", Fields::span)?,
        },
        "penalize" => Action::Penalize(penalty(fields)?),
        "change-method" => Action::ChangeMethod {
            method: method(fields)?,
            schedule_suffers: fields.flag("schedule_suffers")?,
        },
        "result" => Action::Result {
            outcome: fields.word("result")?,
            ground: ResultGround::from_reason(&fields.words("reason")?),
        },
        _ => return Ok(None),
    }))
}

/// Words of rulings that earlier scripts have, and the words now.
const EARLIER_WORDS: [(&str, &str); 5] = [
    ("accept", "draw-accepted"),
    ("accepted", "draw-accepted"),
    ("agree", "increment-agreed"),
    ("refuse", "increment-refused"),
    ("refused", "draw-refused"),
];

/// Reads a ruling. In earlier scripts `lost` has the side of the loser, and the ruling is the field
/// `decision` or `answer`.
fn rule(fields: &mut Fields) -> Result<Action, String> {
    for earlier in ["decision", "answer"] {
        fields.rename(earlier, "ruling", &EARLIER_WORDS);
    }
    let ruling: Ruling = fields.word("ruling")?;
    let side: Option<LatePlayers> = match ruling.is_on_lateness() {
        true => Some(fields.word("side")?),
        false => fields.optional("side", Fields::word)?,
    };
    let award = fields.optional("award_ns", Fields::span)?;
    Ok(match (ruling, side.and_then(LatePlayers::side)) {
        (Ruling::Lost, Some(loser)) => {
            Action::Rule { ruling: Ruling::lost_by(loser), side: None, award }
        }
        _ => Action::Rule { ruling, side, award },
    })
}

/// Arrivals, incidents, attachments, adjournments.
fn around_the_game(event: &str, fields: &mut Fields) -> Result<Option<Action>, String> {
    Ok(Some(match event {
        "arrive" => Action::Arrive(fields.word("side")?),
        "record-attachment" => {
            let kind = fields.word("kind")?;
            fields.words("text")?;
            Action::Attach { kind, verified_by: fields.optional("verified_by", Fields::word)? }
        }
        "refer" => Action::Refer,
        "set-assistant" => Action::Assistant {
            side: fields.word("side")?,
            accepted: fields.yes_or_no("accepted")?,
        },
        "incident" => Action::Incident { side: fields.word("side")?, kind: fields.word("kind")? },
        "adjourn" => {
            let side = fields.word("side")?;
            // The number of the sealed move, or the move itself; it is for the record only.
            fields.take("move", "a number or a text", |value: &Value| {
                (value.is_u64() || value.as_str().is_some_and(|text| !text.trim().is_empty()))
                    .then_some(())
            })?;
            Action::Adjourn { side }
        }
        "resume-adjourned" => Action::Continue,
        _ => return Ok(None),
    }))
}

fn penalty(fields: &mut Fields) -> Result<Penalty, String> {
    let kind = fields.word("kind")?;
    let (mut time, mut half_points) = (None, None);
    // Fields of another penalty are refused as fields that do not belong to the event.
    match kind {
        PenaltyKind::OpponentPlus | PenaltyKind::OffenderMinus => {
            time = fields.optional("time_ns", Fields::span)?;
        }
        PenaltyKind::PointsOff | PenaltyKind::OpponentPoints => {
            half_points = fields.optional("points", Fields::half_points)?;
        }
        _ => {}
    }
    let cause = fields.optional("cause", Fields::word)?;
    Ok(Penalty {
        side: fields.word("side")?,
        kind,
        time: time.unwrap_or(Span::ZERO),
        half_points: half_points.unwrap_or(0),
        cause,
    })
}

/// Reads the time method of an event: an increment, a delay, or none.
fn method(fields: &mut Fields) -> Result<Method, String> {
    let new = match fields.word("method")? {
        clock_dbus::Method::None => return Ok(Method::None),
        clock_dbus::Method::Increment => Method::Increment,
        clock_dbus::Method::Delay => Method::Delay,
        clock_dbus::Method::Bronstein => Method::Bronstein,
    };
    fields.span("amount_ns").map(new)
}
