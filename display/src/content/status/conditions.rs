//! The conditions of a game before its start: the time control and, if the rules have an arbiter, the
//! rule profile. Each is shown once, in the status line or in both halves.

use clock_dbus::{Counting, Method, Phase, SideState, State, face_text};
use clock_languages::Face;

use super::super::{PlayedMethod, SECOND, Side, foreign};
use crate::rules::Rules;
use crate::texts::method_signs;

/// Where the conditions are shown, from the longest text to the shortest.
#[derive(Default)]
pub struct Conditions {
    pub in_line: Vec<String>,
    pub in_halves: Vec<String>,
}

/// The conditions of a game that has not started; nothing of one that has. A time control that has
/// short words is shown in the halves, and any other one has its name in the line.
pub fn conditions(shown: &State, rules: Rules, words: &'static Face) -> Conditions {
    if shown.phase != Phase::Ready {
        return Conditions::default();
    }
    let profile = foreign(&shown.rules);
    let profile = match rules.has_arbiter && !profile.is_empty() {
        true => vec![words.notes.rules.with([&profile]), profile],
        false => Vec::new(),
    };
    match control_in_words(shown, words) {
        Some(control) => Conditions { in_line: profile, in_halves: control.into() },
        None => {
            let name = control(shown, words);
            let in_line = if name.is_empty() { Vec::new() } else { vec![name] };
            Conditions { in_line, in_halves: profile }
        }
    }
}

/// The texts of a time control with one period and the same increment for both sides: `3:00, and 2
/// seconds a move from the first`, the same without its end, and `3:00 +2`. Before the start a side has its time with the first
/// increment. So the increment applies from the first move if the rest is whole minutes.
fn control_in_words(shown: &State, words: &'static Face) -> Option<[String; 3]> {
    let [white, black] = Side::BOTH.map(|side| shown.side(side));
    let SideState { remaining_nsec, method: Method::Increment, method_nsec, .. } = *white else {
        return None;
    };
    let is_same = (remaining_nsec, white.method, method_nsec)
        == (black.remaining_nsec, black.method, black.method_nsec);
    let is_plain = shown.periods == 1 && shown.counting == Counting::Down;
    let is_changed = changed_method(shown, words).is_some();
    let time = remaining_nsec.checked_sub(method_nsec)?;
    let is_from_first = time.is_multiple_of(60 * SECOND) && method_nsec % (60 * SECOND) != 0;
    let is_whole = method_nsec.is_multiple_of(SECOND);
    if !(is_same && is_plain && is_from_first && is_whole) || is_changed {
        return None;
    }
    let (time, seconds) = (face_text(time), method_nsec / SECOND);
    let per_move = &words.notes.per_move;
    let text = if seconds == 1 { per_move.one } else { per_move.others };
    let said = text.with([&time, &seconds]);
    Some([words.notes.from_first.with([&said]), said, format!("{time} +{seconds}")])
}

/// The name of the time control. If the methods of its periods have been replaced by a new method,
/// the new method follows, as in `fide-classical, now +30`.
pub(super) fn control(shown: &State, words: &Face) -> String {
    let control = foreign(&shown.time_control);
    match changed_method(shown, words) {
        None => control,
        Some(method) => format!("{control}, {method}"),
    }
}

/// The method that has replaced those of the time control, with the signs of notations and not in
/// the English words of the service; `None` if none has.
pub(super) fn changed_method(shown: &State, words: &Face) -> Option<String> {
    let SideState { method, method_nsec: nsec, .. } = shown.white;
    let signs = match method {
        Method::None => "+0".to_owned(),
        method => method_signs(PlayedMethod { method, nsec })[0].clone(),
    };
    (!shown.changed_method.is_empty()).then(|| words.phases.now.with([&signs]))
}

#[cfg(test)]
mod tests {
    use clock_dbus::State;
    use clock_languages::Language;

    use super::*;

    fn ready(seconds: u64, increment: u64, time_control: &str) -> State {
        State {
            time_control: time_control.into(),
            rules: "FIDE Laws".into(),
            periods: 1,
            white: SideState {
                remaining_nsec: seconds * SECOND,
                method: Method::Increment,
                method_nsec: increment * SECOND,
                ..SideState::default()
            },
            black: SideState {
                remaining_nsec: seconds * SECOND,
                method: Method::Increment,
                method_nsec: increment * SECOND,
                ..SideState::default()
            },
            ..State::default()
        }
    }

    fn of(state: &State, language: Language) -> [Vec<String>; 2] {
        let conditions = conditions(state, Rules::NONE, language.face());
        [conditions.in_halves, conditions.in_line]
    }

    #[test]
    fn an_increment_is_said_in_every_language() {
        for (language, said) in [
            (Language::English, "3:00, and 2 seconds a move from the first"),
            (Language::German, "3:00, und 2 Sekunden je Zug ab dem ersten"),
            (Language::French, "3:00, et 2 secondes par coup dès le premier"),
            (Language::Spanish, "3:00, y 2 segundos por jugada desde la primera"),
            (Language::Dutch, "3:00, en 2 seconden per zet vanaf de eerste"),
            (Language::Polish, "3:00 i 2 s na ruch od pierwszego"),
            (Language::Irish, "3:00, agus 2 s sa bheart ón gcéad cheann"),
        ] {
            let [halves, line] = of(&ready(182, 2, "3+2"), language);
            assert_eq!((halves[0].as_str(), halves[2].as_str()), (said, "3:00 +2"));
            assert!(line[0].ends_with(" FIDE Laws"), "{line:?}");
        }
        let [halves, _] = of(&ready(3601, 1, "60+1"), Language::English);
        assert_eq!(halves[0], "1:00:00, and 1 second a move from the first");
    }

    /// Where the words would not say all of the time control, its name is in the line.
    #[test]
    fn any_other_time_control_has_its_name() {
        let state = ready(182, 2, "name");
        let others = [
            ready(180, 2, "name"),
            State { periods: 2, ..state.clone() },
            State {
                black: SideState { remaining_nsec: 242 * SECOND, ..state.clone().black },
                ..state.clone()
            },
            State { black: SideState { method_nsec: 0, ..state.clone().black }, ..state.clone() },
            State { counting: Counting::Up, ..state.clone() },
            State {
                white: SideState { method: Method::Delay, ..state.clone().white },
                black: SideState { method: Method::Delay, ..state.clone().black },
                ..state.clone()
            },
        ];
        for other in others {
            let [halves, line] = of(&other, Language::English);
            assert_eq!((line.concat().as_str(), halves.len()), ("name", 2), "{other:?}");
        }
        let running = State { phase: Phase::Running, ..state };
        assert_eq!(of(&running, Language::English), [Vec::<String>::new(), Vec::new()]);
    }
}
