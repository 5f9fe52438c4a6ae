//! The JSON of the record: the changes that an entry made, and its command (docs/record.md).
//! [`RecordedState`](clock_dbus::RecordedState) is the state right after it.

use super::replay::Replayed;
use crate::game::{CommandNote, refusal_on_record, report, view_at};
use clock_dbus::RecordedEvent;
use clock_engine::rules::{GameCommand, GameEvent, GameEventKind};
use clock_engine::{EventKind, Instant};
use clockd_rt::{Cause, Entry, Input, Update, name_of_command};
use serde::Serialize;
use std::iter;

/// Who gave a command, why, and with which result.
#[derive(Debug, Default, Serialize)]
pub struct CommandJson {
    verb: String,
    uid: Option<u32>,
    sender: String,
    capacity: String,
    reason: String,
    text: String,
    report: String,
    refused: Option<String>,
}

impl CommandJson {
    /// `note` is `None` if nothing was noted. `replayed` is the entry of the command.
    pub fn new(command: &GameCommand, note: Option<&CommandNote>, replayed: &Replayed) -> Self {
        let mut json =
            CommandJson { verb: name_of_command(command).to_owned(), ..CommandJson::default() };
        if let Some(CommandNote { verb, uid, sender, capacity, reason, text, .. }) = note {
            json.verb.clone_from(verb);
            json.uid = *uid;
            json.sender.clone_from(sender);
            json.capacity.clone_from(capacity);
            json.reason.clone_from(reason);
            json.text.clone_from(text);
        }
        let answer = replayed.updates.iter().find_map(|update| Some((update, update.answer?.1)));
        match answer {
            Some((update, Ok(()))) => {
                let before = replayed.before.as_ref().unwrap_or(update);
                let before = view_at(&before.view, update.at);
                json.report = report(command, &json.text, &before, &update.view);
            }
            Some((_, Err(refusal))) => json.refused = Some(refusal_on_record(refusal)),
            None => {}
        }
        json
    }
}

/// The JSON text of a value.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and arrays can be written as JSON")
}

/// The changes that the entry made, in their order. A command that was carried out is an event with
/// the name of the command as its kind; a refused command is the event `refused`.
pub fn events(entry: &Entry, updates: &[Update]) -> Vec<RecordedEvent> {
    let restart = |kind, at, since: Instant| RecordedEvent {
        since_ns: Some(since.as_nanos()),
        ..RecordedEvent::new(kind, at)
    };
    let first = match entry {
        Entry::State { clock, lost } => {
            Some(RecordedEvent { lost: Some(*lost), ..RecordedEvent::new("state", clock.last()) })
        }
        Entry::Input { input: Input::Restarted { since, at, .. }, .. } => {
            Some(restart("restarted", *at, *since))
        }
        Entry::Input { input: Input::PowerCut { stopped, at, .. }, .. } => {
            Some(restart("power-cut", *at, *stopped))
        }
        Entry::Input { .. } => None,
    };
    // `first` is already the event of a restart or of a power cut.
    let updates = updates.iter().filter(|update| update.cause != Cause::Restarted);
    first.into_iter().chain(updates.flat_map(of_update)).collect()
}

fn of_update(update: &Update) -> impl Iterator<Item = RecordedEvent> {
    let of_game = |kind| RecordedEvent::from(GameEvent { at: update.at, kind });
    let mut event = RecordedEvent::new(update.cause.as_str(), update.at);
    let mut of_command = None;
    match update.cause {
        Cause::Event(kind) => {
            event = of_game(kind);
            match kind {
                GameEventKind::Clock(EventKind::Flag { side, period }) => {
                    event.first = Some(update.is_first(side, period));
                }
                // The press called nobody: in unsupervised play, or if it took a call back.
                GameEventKind::Clock(EventKind::Call { .. }) if update.view.called_by.is_none() => {
                    event.accepted = Some(false);
                }
                _ => {}
            }
        }
        Cause::Command(_, kind) => of_command = kind.map(of_game),
        Cause::Late(button) => event.word = Some(button.as_str().to_owned()),
        Cause::PressBeforeFlag(side) => {
            event.side = Some(side.into());
            event.pressed_ns = update.press_before_flag.map(|press| press.pressed.as_nanos());
        }
        Cause::BoardGone { button, paused } => {
            event.word = Some(button.as_str().to_owned());
            event.paused = Some(paused);
        }
        _ => {}
    }
    iter::once(event).chain(of_command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::rules::{
        Claimant, Ground, IncidentKind, Penalty, PenaltyCause, PenaltyKind, Ruling,
    };
    use clock_engine::{Side, Span};

    /// The chain of a record is computed from these texts, so the order of the keys must not change.
    #[test]
    fn an_event_has_the_keys_of_its_kind() {
        let side = Side::White;
        let (time, cause) = (Span::from_secs(1), Some(PenaltyCause::Other));
        let kind = PenaltyKind::OffenderMinus;
        let penalty = Penalty { side, kind, time, half_points: 0, cause };
        let by = Claimant::Arbiter;
        for (kind, keys) in [
            (EventKind::Flag { side, period: 2 }.into(), r#""side":"white","period":2"#),
            (EventKind::Period { side, period: 2 }.into(), r#""side":"white","period":2"#),
            (EventKind::Gong { side }.into(), r#""side":"white""#),
            (
                EventKind::Overtime { side, periods_left: 1 }.into(),
                r#""side":"white","periods_left":1"#,
            ),
            (
                EventKind::Press { side, accepted: false }.into(),
                r#""side":"white","accepted":false"#,
            ),
            (EventKind::Call { accepted: true }.into(), ""),
            (GameEventKind::Called { by }, r#""word":"arbiter""#),
            (GameEventKind::Called { by: Claimant::Player(side) }, r#""word":"white""#),
            (
                GameEventKind::Claim { by: side, ground: Some(Ground::NoEffort) },
                r#""side":"white","word":"no-effort""#,
            ),
            (
                GameEventKind::Claim { by: side, ground: None },
                r#""side":"white","word":"increment""#,
            ),
            (GameEventKind::Ruling { ruling: Ruling::Drawn, side: None }, r#""word":"drawn""#),
            (GameEventKind::Penalty(penalty), r#""side":"white","word":"offender-minus""#),
            (GameEventKind::IllegalMove { side, number: 1 }, r#""side":"white","number":1"#),
            (GameEventKind::DefaultDue { side }, r#""side":"white""#),
            (GameEventKind::ScoreOff { side }, r#""side":"white""#),
            (GameEventKind::Hold { side }, r#""side":"white""#),
            (
                GameEventKind::Incident { side, kind: IncidentKind::Defect },
                r#""side":"white","word":"defect""#,
            ),
        ] {
            let event = RecordedEvent::from(GameEvent { at: Instant::from_nanos(5), kind });
            let comma = if keys.is_empty() { "" } else { "," };
            let expected = format!(r#"{{"kind":"{}","at_ns":5{comma}{keys}}}"#, kind.as_str());
            let text = json(&event);
            assert_eq!(text, expected);
            assert_eq!(serde_json::from_str::<RecordedEvent>(&text).unwrap(), event);
        }
    }
}
