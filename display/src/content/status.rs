//! The status line of the face, which is about the game as a whole: faults, why the arbiter is
//! awaited, the phase of the game and the battery. `faults` and `phase` have the texts of their parts.

mod conditions;
mod faults;
mod phase;

use clock_dbus::{ClaimState, Phase, QuestionKind, State, Who};
use clock_languages::{Face, Sign};

use crate::battery::{Battery, Level};
use crate::rules::Rules;
pub(super) use conditions::conditions;
use faults::{ShownFault, fault};
use phase::phase;

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
    /// Why the arbiter is awaited, because he was called or must decide something: complete texts
    /// from the longest to the shortest, and then a short one. It is empty if he is not awaited.
    pub call: Vec<String>,
    /// A small sign beside the line: how long a battery that is low lasts.
    pub battery: Option<String>,
    /// While a button that can open the menu is held: the part of the hold that has passed, in
    /// percent. A bar beside the line shows it.
    pub hold: Option<u32>,
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
        Phrase::of([long], short)
    }

    /// All texts, from the longest to the shortest.
    fn all(&self) -> Vec<String> {
        let texts = [&self.long].into_iter().chain(&self.medium).chain([&self.short]);
        texts.cloned().collect()
    }

    /// The longer texts, from the longest to the shortest, and the short text.
    fn of(longer: impl IntoIterator<Item = impl Into<String>>, short: impl Into<String>) -> Phrase {
        let mut medium: Vec<String> = longer.into_iter().map(Into::into).collect();
        let long = if medium.is_empty() { String::new() } else { medium.remove(0) };
        Phrase { long, medium, short: short.into(), is_conditions: false }
    }
}

impl Status {
    /// The status line while no service answers, made from the last known state. If the game was
    /// interrupted or over, the longer texts also have the text of the phase, for example
    /// `White wins 1-0`.
    pub(super) fn no_service(shown: &State, rules: Rules, words: &'static Face) -> Status {
        let [times, no_service, no_clock] = words.stale;
        let for_arbiter = rules.has_arbiter.then_some(words.for_arbiter);
        let mut texts = Vec::new();
        if !matches!(shown.phase, Phase::Running | Phase::Ready) {
            let last = phase(shown, rules, words).long;
            let [with_service, short] = words.stale_phase;
            texts.extend(
                for_arbiter
                    .map(|arbiter| format!("{no_service} - {arbiter} - {}", short.with([&last]))),
            );
            texts.extend([with_service, short].map(|text| text.with([&last])));
        }
        for text in [times, no_service] {
            texts.extend(for_arbiter.map(|arbiter| format!("{text} - {arbiter}")));
            texts.push(text.to_owned());
        }
        texts.push(no_clock.to_owned());
        Status {
            texts,
            urgency: Urgency::Fault,
            fault: Some(no_clock),
            call: Vec::new(),
            battery: None,
            hold: None,
        }
    }

    /// The status line while a player holds a button that can open the menu. `percent` is the part of
    /// the hold that has passed.
    pub(super) fn hold(percent: u32, words: &'static Face) -> Status {
        let (texts, hold) = (vec![words.hold.to_owned()], Some(percent.min(100)));
        let urgency = Urgency::Notice;
        Status { texts, urgency, fault: None, call: Vec::new(), battery: None, hold }
    }

    pub(super) fn of(shown: &State, rules: Rules, words: &'static Face) -> Status {
        let fault = fault(shown, rules, words);
        let signs = signs(shown, rules, words);
        let phase = phase(shown, rules, words);
        let of_ruling = Some(&phase).filter(|_| shown.phase == Phase::Ruling);
        let call = signs.first().or(of_ruling).filter(|_| rules.has_arbiter);
        let urgency = match (&fault, call, shown.phase) {
            (Some(_), _, _) => Urgency::Fault,
            (None, Some(_), _) => Urgency::Call,
            (None, None, Phase::Running | Phase::Ready) if signs.is_empty() => Urgency::Normal,
            (None, None, _) => Urgency::Notice,
        };
        let short = fault.as_ref().map(|fault| fault.short);
        let call = call.map(Phrase::all).unwrap_or_default();
        let texts = texts(fault, signs, &phase, words.colon);
        Status { texts, urgency, fault: short, call, battery: None, hold: None }
    }

    /// Whether the arbiter was called or must decide something.
    pub fn arbiter_awaited(&self) -> bool {
        !self.call.is_empty()
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
    pub(super) fn add_battery(&mut self, battery: Battery, words: &Face) {
        let said = battery.text(words);
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

/// The texts of the status line, from the longest to the shortest. A sign is a reason why the
/// arbiter is awaited.
///
/// - the fault with its remedy, the signs and the phase: one text for each length of the phase;
/// - the fault without its remedy, the signs and the phase: one text for each length of the phase;
/// - only the fault and the signs, in full and then in their short forms;
/// - only the fault, or the first sign if there is no fault, in full and then in its short form.
///
/// A phase that only names the conditions of the game is not shown beside a fault or a sign, which
/// would become smaller. If there is neither a fault nor a sign, the shortest text of such a phase is
/// its first word.
fn texts(
    fault: Option<ShownFault>,
    signs: Vec<Phrase>,
    phase: &Phrase,
    colon: &str,
) -> Vec<String> {
    let with_remedy = fault.as_ref().filter(|fault| !fault.remedy.is_empty());
    let remedy = with_remedy.map(|fault| format!("{}{colon}{}", fault.long, fault.remedy));
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
        None if phase.is_conditions => {
            texts.extend(phase.short.split(' ').next().map(str::to_owned));
        }
        None => {}
        Some(first) => texts.extend([
            longs.join(" - "),
            shorts.join(" - "),
            first.long.clone(),
            first.short.clone(),
        ]),
    }
    texts
}

/// The signs: the reasons why the arbiter is awaited. They are, in this order, a call, a draw claim
/// and a passed default time. The face shows no other question that the arbiter has to answer.
///
/// In a game without an arbiter nobody can be called.
fn signs(shown: &State, rules: Rules, words: &'static Face) -> Vec<Phrase> {
    let called =
        called(shown).filter(|_| rules.has_arbiter).map(|by| phrase(&words.signs.called, by));
    // A game that is over has a result, so the arbiter decides neither a claim nor a default time.
    // A call can still be open.
    if shown.phase == Phase::Over {
        return called.into_iter().collect();
    }
    let claim = match shown.claim_state {
        ClaimState::Nothing => None,
        ClaimState::Called => Some(phrase(&words.signs.claim, shown.claim_by)),
        ClaimState::Pending => Some(phrase(&words.signs.claim_pending, shown.claim_by)),
    };
    let late = late(shown).map(|side| phrase(&words.signs.late, side));
    [called, claim, late].into_iter().flatten().collect()
}

/// The texts of a sign. If `by` is a player, the longest one names the side.
fn phrase(sign: &'static Sign, by: Who) -> Phrase {
    let of_side = match by {
        Who::White => Some(sign.white),
        Who::Black => Some(sign.black),
        Who::Nobody | Who::Arbiter | Who::Button => None,
    };
    Phrase::of(of_side.into_iter().chain([sign.nobody]), sign.short)
}

/// Who called the arbiter; `None` if nobody did.
fn called(shown: &State) -> Option<Who> {
    Some(shown.arbiter_called_by).filter(|by| *by != Who::Nobody)
}

/// The player who is later than the default time, or `Nobody` if both are; `None` if no player is.
fn late(shown: &State) -> Option<Who> {
    let of_lateness = shown.questions.iter().filter(|it| it.kind == Some(QuestionKind::Default));
    let late: Vec<Who> = of_lateness.map(|question| question.side).collect();
    match late[..] {
        [] => None,
        [side] => Some(side),
        _ => Some(Who::Nobody),
    }
}
