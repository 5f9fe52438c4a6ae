//! The events of claims, rulings and incidents: the actions under a rule profile.

use super::fields::Fields;
use clock_engine::rules::{
    Action, Attachment, Confirmation, Decision, DefaultRuling, Evidence, Ground, IncidentKind,
    LatePlayers, OfferAnswer, Penalty, PenaltyCause, PenaltyKind, ResultGround, StopRuling,
};
use clock_engine::{Method, Span};
use serde_json::Value;

/// The events that are actions under a rule profile.
pub const NAMES: [&str; 19] = [
    "claim-flag",
    "claim-draw",
    "request-increment",
    "offer-answer",
    "rule",
    "stop-ruling",
    "default-ruling",
    "illegal-move",
    "penalty",
    "arrive",
    "confirm",
    "attach",
    "refer",
    "assistant",
    "incident",
    "adjourn",
    "continue",
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
            evidence: fields
                .optional("evidence", |fields, name| {
                    fields.one_of(name, Evidence::ALL, Evidence::as_str)
                })?
                .unwrap_or(Evidence::Flag),
        },
        "claim-draw" => Action::ClaimDraw {
            by: fields.claimant()?,
            ground: fields.one_of("ground", Ground::ALL, Ground::as_str)?,
            stop: fields.optional("stop", Fields::yes_or_no)?.unwrap_or(true),
            offer: None,
        },
        "request-increment" => Action::RequestIncrement { by: fields.claimant()? },
        "offer-answer" => {
            Action::AnswerOffer(fields.one_of("answer", OfferAnswer::ALL, OfferAnswer::as_str)?)
        }
        "confirm" => Action::Confirm {
            by: fields.side("by")?,
            what: fields.optional("what", |fields, name| {
                fields.one_of(name, Confirmation::ALL, Confirmation::as_str)
            })?,
        },
        _ => return Ok(None),
    }))
}

/// What the arbiter decides.
fn ruling(event: &str, fields: &mut Fields) -> Result<Option<Action>, String> {
    Ok(Some(match event {
        "rule" => Action::Rule {
            decision: fields.one_of("decision", Decision::GIVEN, Decision::as_str)?,
            side: fields.optional("side", Fields::side)?.into(),
            award: fields.optional("award_ns", Fields::span)?,
        },
        "stop-ruling" => {
            Action::RuleStop(fields.one_of("ruling", StopRuling::ALL, StopRuling::as_str)?)
        }
        "default-ruling" => Action::RuleDefault {
            side: fields.one_of("side", LatePlayers::ALL, LatePlayers::as_str)?,
            ruling: fields.one_of("ruling", DefaultRuling::ALL, DefaultRuling::as_str)?,
        },
        "illegal-move" => Action::IllegalMove {
            side: fields.side("side")?,
            claimed: fields.optional("claimed", Fields::yes_or_no)?.unwrap_or(false),
            award: fields.optional("award_ns", Fields::span)?,
        },
        "penalty" => Action::Penalize(penalty(fields)?),
        "change-method" => Action::ChangeMethod {
            method: method(fields)?,
            schedule_suffers: fields
                .optional("schedule_suffers", Fields::yes_or_no)?
                .unwrap_or(false),
        },
        "result" => Action::Result {
            outcome: fields.outcome()?,
            ground: ResultGround::from_reason(&fields.words("reason")?),
        },
        _ => return Ok(None),
    }))
}

/// Arrivals, incidents, attachments, adjournments.
fn around_the_game(event: &str, fields: &mut Fields) -> Result<Option<Action>, String> {
    Ok(Some(match event {
        "arrive" => Action::Arrive(fields.side("side")?),
        "attach" => {
            let kind = fields.one_of("kind", Attachment::ALL, Attachment::as_str)?;
            fields.words("text")?;
            Action::Attach { kind, verified_by: fields.optional("verified_by", Fields::side)? }
        }
        "refer" => Action::Refer,
        "assistant" => Action::Assistant {
            side: fields.side("side")?,
            accepted: fields.yes_or_no("accepted")?,
        },
        "incident" => Action::Incident {
            side: fields.side("side")?,
            kind: fields.one_of("kind", IncidentKind::ALL, IncidentKind::as_str)?,
        },
        "adjourn" => {
            let side = fields.side("side")?;
            // The number of the sealed move, or the move itself; it is for the record only.
            fields.take("move", "a number or a text", |value: &Value| {
                (value.is_u64() || value.as_str().is_some_and(|text| !text.trim().is_empty()))
                    .then_some(())
            })?;
            Action::Adjourn { side }
        }
        "continue" => Action::Continue,
        _ => return Ok(None),
    }))
}

fn penalty(fields: &mut Fields) -> Result<Penalty, String> {
    let kind = fields.one_of("kind", PenaltyKind::ALL, PenaltyKind::as_str)?;
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
    let cause = fields.optional("cause", |fields, name| {
        fields.one_of(name, PenaltyCause::ALL, PenaltyCause::as_str)
    })?;
    Ok(Penalty {
        side: fields.side("side")?,
        kind,
        time: time.unwrap_or(Span::ZERO),
        half_points: half_points.unwrap_or(0),
        cause,
    })
}

/// Reads the time method of an event: an increment, a delay, or none.
fn method(fields: &mut Fields) -> Result<Method, String> {
    type New = fn(Span) -> Method;
    const METHODS: [(&str, New); 3] = [
        ("increment", Method::Increment),
        ("delay", Method::Delay),
        ("bronstein", Method::Bronstein),
    ];
    let expected = "one of \"none\", \"increment\", \"delay\", \"bronstein\"";
    let new = fields.take("method", expected, |value: &Value| match value.as_str()? {
        "none" => Some(None),
        word => METHODS.iter().find(|(name, _)| *name == word).map(|(_, new)| Some(*new)),
    })?;
    new.map_or(Ok(Method::None), |new| fields.span("amount_ns").map(new))
}
