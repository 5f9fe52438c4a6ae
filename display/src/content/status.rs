//! The status line of the face, which is about the game as a whole: faults, why the arbiter is
//! awaited, the phase of the game and the battery.

use clock_dbus::{ClaimState, FaultCode, PausedBy, Phase, QuestionKind, Who};

use super::{ShownState, Side, foreign, start_time};
use crate::battery::{Battery, Level};
use crate::rules::Rules;
use std::borrow::Cow;

/// The status line, in several lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The texts of the status line, from the longest to the shortest. The first that fits is
    /// shown.
    pub texts: Vec<String>,
    pub urgency: Urgency,
    /// The fault that the status line shows, in one or two words, for a display without room for
    /// this line.
    pub fault: Option<&'static str>,
    /// Whether the arbiter was called or must decide something.
    pub arbiter_awaited: bool,
    /// A small sign beside the line: how long a battery that is low lasts.
    pub battery: Option<String>,
}

/// How conspicuous the status line must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    Normal,
    /// The game is interrupted or over, or the battery is nearly empty. The line must be visible
    /// from far away.
    Notice,
    /// The arbiter is awaited. No other state has this colour.
    Call,
    /// The line shows a fault, or that no service answers.
    Fault,
}

/// One part of the line, in several lengths.
struct Phrase {
    long: String,
    /// Texts with lengths between `long` and `short`, from the longest to the shortest.
    medium: Vec<String>,
    short: String,
    /// Whether the texts only name the conditions of the game.
    is_conditions: bool,
}

impl Phrase {
    fn new(long: impl Into<String>, short: impl Into<String>) -> Phrase {
        Phrase { long: long.into(), medium: Vec::new(), short: short.into(), is_conditions: false }
    }
}

impl Status {
    /// The status line while no service answers, made from the last known state. If the game was
    /// interrupted or over, the longer texts also have the text of the phase, for example
    /// `RESULT 1-0`.
    pub(super) fn no_service(shown: &ShownState<'_>, rules: Rules) -> Status {
        let mut texts = Vec::new();
        if !matches!(shown.phase, Phase::Running | Phase::Ready) {
            let last = phase(shown, rules).long;
            texts.extend(
                [
                    "no clock service - FOR THE ARBITER - last known",
                    "no clock service - last known",
                    "last known",
                ]
                .map(|no| format!("{no}: {last}")),
            );
        }
        let others = [
            "no clock service - the times are the last known ones - FOR THE ARBITER",
            "no clock service - the times are the last known ones",
            "no clock service - FOR THE ARBITER",
            "no clock service",
            "no clock",
        ];
        texts.extend(others.map(str::to_owned));
        let fault = Some("no clock");
        Status { texts, urgency: Urgency::Fault, fault, arbiter_awaited: false, battery: None }
    }

    pub(super) fn of(shown: &ShownState<'_>, rules: Rules) -> Status {
        let fault = fault(shown);
        let signs = signs(shown);
        let phase = phase(shown, rules);
        let urgency = match (&fault, &signs[..], shown.phase) {
            (Some(_), _, _) => Urgency::Fault,
            (None, [], Phase::Running | Phase::Ready) => Urgency::Normal,
            (None, [], Phase::Paused | Phase::Over) => Urgency::Notice,
            (None, _, _) => Urgency::Call,
        };
        let short = fault.as_ref().map(|fault| fault.short);
        let arbiter_awaited = !signs.is_empty() || shown.phase == Phase::Ruling;
        let texts = texts(fault, signs, &phase);
        Status { texts, urgency, fault: short, arbiter_awaited, battery: None }
    }
}

impl Status {
    /// Adds the battery to the texts.
    ///
    /// If the battery is not low, it is added after each text. Where there is no room for both, the
    /// text is shown without the battery.
    ///
    /// If the battery is low, it is a small sign beside the line.
    ///
    /// If the battery is nearly empty, it is added before each text. If no text fits beside it, the
    /// urgency decides: with [`Urgency::Normal`] the battery is shown alone, otherwise the texts
    /// are shown without it. A battery that is nearly empty also changes [`Urgency::Normal`] to
    /// [`Urgency::Notice`].
    pub(super) fn add_battery(&mut self, battery: Battery) {
        let said = battery.text();
        let level = battery.level();
        if level == Level::Low {
            self.battery = Some(said);
            return;
        }
        let texts = std::mem::take(&mut self.texts);
        if level == Level::NearlyEmpty {
            self.texts.extend(texts.iter().map(|text| format!("{said} - {text}")));
            if self.urgency == Urgency::Normal {
                self.texts.push(said);
                self.urgency = Urgency::Notice;
            }
            self.texts.extend(texts);
        } else {
            self.texts
                .extend(texts.into_iter().flat_map(|text| [format!("{text} - {said}"), text]));
        }
    }
}

/// The texts of a fault, for the players or for an arbiter who passes by.
struct ShownFault {
    long: &'static str,
    /// The text after `long`: what the players can do about the fault (`CHECK THE CABLE`), or
    /// `FOR THE ARBITER`, or the mistake in a configuration that was refused.
    remedy: Cow<'static, str>,
    short: &'static str,
}

/// The texts of the status line, from the longest to the shortest. A sign is a reason why the
/// arbiter is awaited.
///
/// - the fault with its remedy, the signs and the phase: one text for each length of the phase;
/// - the fault without its remedy, the signs and the phase: one text for each length of the phase;
/// - only the fault and the signs, in full and then in their short forms;
/// - only the fault, or the first sign if there is no fault, in full and then in its short form.
///
/// A phase that only names the conditions of the game is not shown beside a fault or a sign, which
/// would become smaller. If there is neither a fault nor a sign, the shortest text is the first
/// word of the phase.
fn texts(fault: Option<ShownFault>, signs: Vec<Phrase>, phase: &Phrase) -> Vec<String> {
    let remedy = fault.as_ref().map(|fault| format!("{}: {}", fault.long, fault.remedy));
    let before: Vec<Phrase> =
        fault.map(|fault| Phrase::new(fault.long, fault.short)).into_iter().chain(signs).collect();
    let longs: Vec<&str> = before.iter().map(|phrase| phrase.long.as_str()).collect();
    let shorts: Vec<&str> = before.iter().map(|phrase| phrase.short.as_str()).collect();
    let join = |first: &[&str], last: &str| [first, &[last]].concat().join(" - ");
    let with_phase = |first: &[&str]| {
        // The name of the control would make a fault or a sign smaller.
        let shown = first.is_empty() || !phase.is_conditions;
        let phases = [&phase.long].into_iter().chain(&phase.medium).chain([&phase.short]);
        phases.filter(|_| shown).map(|phase| join(first, phase)).collect::<Vec<String>>()
    };
    let mut texts = Vec::new();
    if let Some(remedy) = &remedy {
        let first = [&[remedy.as_str()], &longs[1..]].concat();
        texts.extend(with_phase(&first));
        texts.extend(phase.is_conditions.then(|| first.join(" - ")));
    }
    texts.extend(with_phase(&longs));
    match before.first() {
        None => texts.extend(phase.short.split(' ').next().map(str::to_owned)),
        Some(first) => texts.extend([
            longs.join(" - "),
            shorts.join(" - "),
            first.long.clone(),
            first.short.clone(),
        ]),
    }
    texts
}

/// The most serious fault that concerns the players, a time, a flag or the record. Only `clockctl
/// health` shows the other faults: they are over, or nothing on the face is wrong because of them.
/// No text prompts a player (FIDE 12.6).
fn fault(shown: &ShownState<'_>) -> Option<ShownFault> {
    let mut codes: Vec<FaultCode> = shown.faults.iter().filter_map(|fault| fault.known()).collect();
    codes.sort_unstable();
    let exchanged = shown.buttons_exchanged;
    let mut found = codes.into_iter().find_map(|code| Some((code, shown_fault(code, exchanged)?)));
    if let Some((code @ FaultCode::ConfigurationRefused, found)) = &mut found {
        let text = shown.faults.iter().find(|fault| fault.known() == Some(*code));
        if let Some(mistake) = text.and_then(|fault| mistake(&fault.text)) {
            found.remedy = Cow::Owned(foreign(mistake));
        }
    }
    found.map(|(_, found)| found)
}

/// The part of the text of `configuration-refused` that names the mistake: the file without its
/// folder, the line, the column and the key, such as ``clockd.toml:3:1: unknown key `bord` ``.
/// `None` if the text has another form.
fn mistake(text: &str) -> Option<&str> {
    let (_, mistake) = text.split_once(" is taken: ")?;
    let path = mistake.split(':').next()?;
    let folder = path.rfind('/').map_or(0, |slash| slash + 1);
    mistake[folder..].split([',', ';']).next()
}

/// The texts of a fault; `None` if only `clockctl health` shows it. The code of a stuck button
/// names the side for which the button is wired, and the text names the side whose player uses the
/// button.
fn shown_fault(code: FaultCode, buttons_exchanged: bool) -> Option<ShownFault> {
    let code = match (code, buttons_exchanged) {
        (FaultCode::StuckWhite, true) => FaultCode::StuckBlack,
        (FaultCode::StuckBlack, true) => FaultCode::StuckWhite,
        (code, _) => code,
    };
    let (long, remedy, short) = match code {
        // The board can be missing from the start, so the text does not say that it was
        // disconnected.
        FaultCode::BoardGone => ("BUTTONS NOT CONNECTED", "CHECK THE CABLE", "NO BUTTONS"),
        FaultCode::StuckWhite => ("WHITE'S BUTTON IS STUCK", "CHECK THE BUTTON", "W STUCK"),
        FaultCode::StuckBlack => ("BLACK'S BUTTON IS STUCK", "CHECK THE BUTTON", "B STUCK"),
        FaultCode::StuckCall => ("THE CALL BUTTON IS STUCK", "CHECK THE BUTTON", "CALL STUCK"),
        FaultCode::RockerCrossed => ("THE ROCKER'S WIRING IS WRONG", "CHECK IT", "BAD ROCKER"),
        FaultCode::PowerCut => ("POWER CUT OR RESTART", "FOR THE ARBITER", "POWER CUT"),
        FaultCode::Restarted => ("THE CLOCK WAS RESTARTED", "FOR THE ARBITER", "RESTARTED"),
        // The text does not mention the press, because a text about a press would prompt the
        // players.
        FaultCode::PressBeforeFlag => ("CLOCK FAULT", "FOR THE ARBITER", "FAULT"),
        FaultCode::MemoryDamaged => ("THE MEMORY WAS DAMAGED", "FOR THE ARBITER", "DAMAGED"),
        FaultCode::ConfigurationRefused => {
            ("THE CONFIGURATION IS WRONG", "FOR THE ARBITER", "CONFIGURATION")
        }
        FaultCode::RecordMismatch => ("THE RECORD HAS A FAULT", "FOR THE ARBITER", "BAD RECORD"),
        FaultCode::RecordLost => ("PART OF THE RECORD IS LOST", "FOR THE ARBITER", "LOST RECORD"),
        FaultCode::Storage => ("THE GAME IS NOT RECORDED", "FOR THE ARBITER", "NO RECORD"),
        FaultCode::ClockRate => ("THE CLOCK RUNS AT A WRONG RATE", "FOR THE ARBITER", "WRONG RATE"),
        FaultCode::NoRecord
        | FaultCode::RecordMovedAside
        | FaultCode::LatePress
        | FaultCode::EdgesDropped
        | FaultCode::Noise
        | FaultCode::UpdatesLost
        | FaultCode::NoRealtime => return None,
    };
    Some(ShownFault { long, remedy: Cow::Borrowed(remedy), short })
}

/// The signs: the reasons why the arbiter is awaited. They are, in this order, a call, a draw claim
/// and a passed default time. The face shows no other question that the arbiter has to answer.
fn signs(shown: &ShownState<'_>) -> Vec<Phrase> {
    // A game that is over has a result, so the arbiter decides neither a claim nor a default time.
    // A call can still be open.
    if shown.phase == Phase::Over {
        return called(shown).into_iter().collect();
    }
    [called(shown), claim(shown), late(shown)].into_iter().flatten().collect()
}

fn claim(shown: &ShownState<'_>) -> Option<Phrase> {
    let long = match (shown.claim_state, shown.claim_by) {
        (ClaimState::Nothing, _) => return None,
        (ClaimState::Called, Who::White) => "DRAW CLAIM (White)",
        (ClaimState::Called, Who::Black) => "DRAW CLAIM (Black)",
        (ClaimState::Called, _) => "DRAW CLAIM",
        (ClaimState::Pending, Who::White) => "DRAW CLAIM PENDING (White)",
        (ClaimState::Pending, Who::Black) => "DRAW CLAIM PENDING (Black)",
        (ClaimState::Pending, _) => "DRAW CLAIM PENDING",
    };
    Some(Phrase::new(long, "CLAIM"))
}

/// The sign for players who are later than the default time; `None` if no player is.
fn late(shown: &ShownState<'_>) -> Option<Phrase> {
    let of_lateness = shown.questions.iter().filter(|it| it.kind == QuestionKind::Default);
    let late: Vec<Who> = of_lateness.map(|question| question.side).collect();
    let long = match late[..] {
        [] => return None,
        [Who::White] => "DEFAULT TIME PASSED (White)",
        [Who::Black] => "DEFAULT TIME PASSED (Black)",
        _ => "DEFAULT TIME PASSED",
    };
    Some(Phrase::new(long, "DEFAULT TIME"))
}

fn called(shown: &ShownState<'_>) -> Option<Phrase> {
    let long = match shown.arbiter_called_by {
        Who::Nobody => return None,
        Who::White => "ARBITER CALLED (White)",
        Who::Black => "ARBITER CALLED (Black)",
        Who::Arbiter | Who::Button => "ARBITER CALLED",
    };
    Some(Phrase::new(long, "ARBITER"))
}

/// How long the clocks stand after a set-back.
const NOTED: &str = "PAUSED until both readings are noted by the arbiter";

/// The text of the phase `paused`, which names who or what stopped the clocks.
fn paused(by: PausedBy) -> &'static str {
    match by {
        PausedBy::Nothing => "PAUSED",
        PausedBy::Arbiter => "PAUSED by the arbiter",
        PausedBy::White => "PAUSED by White",
        PausedBy::Black => "PAUSED by Black",
        PausedBy::Button => "PAUSED by the call button",
        PausedBy::BoardGone => "PAUSED since the buttons were disconnected",
        PausedBy::PowerCut => "PAUSED since the power cut or restart",
        PausedBy::SetBack => NOTED,
    }
}

/// The line while a clock runs: the place of the game in its event, or the time control if the game
/// has no such place. A method that was changed is named in both cases.
fn in_play(shown: &ShownState<'_>) -> Phrase {
    let named =
        |word: &str, value: &str| (!value.is_empty()).then(|| format!("{word}{}", foreign(value)));
    let places =
        [named("", shown.event), named("round ", shown.round), named("board ", shown.board)];
    let places: Vec<String> = places.into_iter().flatten().collect();
    let changed = named("now ", shown.changed_method);
    // The shorter texts leave out the event, and then the round.
    let mut texts: Vec<String> =
        (0..places.len()).map(|first| places[first..].join(" - ")).collect();
    match &changed {
        None if texts.is_empty() => texts.push(shown.control()),
        None => {}
        Some(changed) => {
            texts.iter_mut().for_each(|text| *text = format!("{text} - {changed}"));
            if texts.is_empty() {
                texts.push(shown.control());
            }
            texts.extend([changed.clone(), "changed".to_owned()]);
        }
    }
    let short = texts.last().cloned().unwrap_or_default();
    let long = texts.remove(0);
    Phrase { medium: texts, ..Phrase::new(long, short) }
}

/// Whether the loser's final flag has fallen, and not the winner's. An annulled flag does not count.
fn lost_on_time(shown: &ShownState<'_>) -> bool {
    let loser = match shown.result {
        "1-0" => Side::Black,
        "0-1" => Side::White,
        _ => return false,
    };
    Side::BOTH.into_iter().all(|side| shown.side(side).out_of_time == (side == loser))
}

fn phase(shown: &ShownState<'_>, rules: Rules) -> Phrase {
    if shown.adjourned != Who::Nobody {
        return Phrase::new("ADJOURNED", "ADJOURNED");
    }
    match shown.phase {
        Phase::Running => Phrase { is_conditions: true, ..in_play(shown) },
        // While the buttons are not connected, nobody can start a clock. So the text does not say
        // who starts it.
        Phase::Ready if shown.faults.iter().any(|it| it.known() == Some(FaultCode::BoardGone)) => {
            Phrase::new("READY", "READY")
        }
        Phase::Ready if let Some(start) = shown.start_at_realtime_nsec => {
            let time = start_time::shown(start);
            let left = start_time::countdown(start_time::left(start));
            let left = left.map(|left| format!(", in {left}")).unwrap_or_default();
            Phrase {
                long: format!("READY - White's clock starts at {time}{left}"),
                medium: vec![
                    format!("White's clock starts at {time}{left}"),
                    format!("White's clock starts at {time}"),
                    format!("White starts at {time}"),
                ],
                ..Phrase::new("", "READY")
            }
        }
        Phase::Ready => match rules.black_starts {
            Some(true) => Phrase {
                long: "READY - White's clock starts when Black presses or the arbiter starts"
                    .into(),
                medium: vec![
                    "READY - Black's press starts White's clock".into(),
                    "Black's press starts White's clock".into(),
                    "Black starts White's clock".into(),
                ],
                ..Phrase::new("", "READY")
            },
            Some(false) => Phrase {
                long: "READY - the arbiter starts White's clock".into(),
                medium: vec!["the arbiter starts White's clock".into()],
                ..Phrase::new("", "READY")
            },
            None => Phrase::new("READY", "READY"),
        },
        // The announcement says more than who stopped the clocks.
        Phase::Paused if !shown.announcement.is_empty() => {
            let text = foreign(shown.announcement);
            Phrase {
                medium: vec![text.clone()],
                ..Phrase::new(format!("PAUSED: {text}"), "PAUSED")
            }
        }
        Phase::Paused if shown.paused_by == PausedBy::SetBack => Phrase {
            medium: vec![
                "PAUSED - both readings noted by the arbiter".into(),
                "readings noted by the arbiter".into(),
            ],
            ..Phrase::new(NOTED, "PAUSED")
        },
        Phase::Paused => Phrase::new(paused(shown.paused_by), "PAUSED"),
        Phase::Ruling => Phrase::new("AWAITING A RULING", "RULING"),
        Phase::Over => {
            let result = foreign(shown.result);
            let ground = if lost_on_time(shown) { ", time" } else { "" };
            Phrase {
                medium: vec![format!("{result}{ground}")],
                ..Phrase::new(format!("RESULT {result}{ground}"), result)
            }
        }
    }
}
