//! The phase of the game, as the status line names it.

use clock_dbus::{FaultCode, PausedBy, Phase, State, Who};
use clock_languages::{Face, Paused};

use super::super::{SECOND, Side, foreign, resumes_in, start_time};
use super::conditions::{changed_method, control};
use super::{Phrase, conditions};
use crate::rules::Rules;

pub(super) fn phase(shown: &State, rules: Rules, words: &'static Face) -> Phrase {
    let texts = &words.phases;
    if shown.adjourned != Who::Nobody {
        return Phrase::new(texts.adjourned, texts.adjourned);
    }
    match shown.phase {
        Phase::Running => Phrase { is_conditions: true, ..in_play(shown, words) },
        Phase::Ready => ready(shown, rules, words),
        // The announcement says more than who stopped the clocks.
        Phase::Paused if !shown.announcement.is_empty() => {
            let text = foreign(&shown.announcement);
            let paused = words.paused.paused;
            Phrase::of([format!("{paused}{}{text}", words.colon), text], paused)
        }
        Phase::Paused if !rules.has_arbiter => both_press(shown, &words.paused),
        Phase::Paused if shown.paused_by == PausedBy::SetBack => {
            Phrase::of(words.paused.to_note, words.paused.paused)
        }
        Phase::Paused => Phrase::new(paused(shown.paused_by, &words.paused), words.paused.paused),
        Phase::Ruling => ruling(shown, rules, words),
        Phase::Over => over(shown, rules, words),
    }
}

/// The game before its start: who or what starts White's clock, and before it the time control or the
/// rule profile, which are fixed before the start (clause S0 6.2a in `docs/laws.md`).
fn ready(shown: &State, rules: Rules, words: &'static Face) -> Phrase {
    let texts = &words.phases;
    let listed = |starts: &[&str]| starts.iter().map(|text| (*text).to_owned()).collect();
    // While the buttons are not connected, nobody can start a clock. So the text does not say who
    // starts it.
    if shown.faults.iter().any(|it| it.known() == Some(FaultCode::BoardGone)) {
        return Phrase::new(texts.ready, texts.ready);
    }
    let starts: Vec<String> = match (shown.start_at_realtime_nsec, rules.black_starts) {
        (Some(start), _) => {
            let time = start_time::shown(start);
            let left = start_time::countdown(start_time::left(start));
            let scheduled = texts.scheduled.map(|text| text.with([&time]));
            let with_left = left.iter().flat_map(|left| {
                scheduled.each_ref().map(|start| texts.countdown.with([start, left]))
            });
            with_left.chain(scheduled.clone()).collect()
        }
        (None, Some(true)) => listed(&texts.black_starts),
        (None, Some(false)) => listed(&texts.arbiter_starts),
        (None, None) => listed(&[texts.ready]),
    };
    let conditions = conditions(shown, rules, words).in_line;
    let with_conditions = conditions.into_iter().map(|text| format!("{text} - {}", starts[0]));
    Phrase::of(with_conditions.chain(starts.clone()), texts.ready)
}

/// A pause of a game without an arbiter: when the game goes on, or who still has to press before.
fn both_press(shown: &State, words: &'static Paused) -> Phrase {
    if let Some(left) = resumes_in(shown) {
        let seconds = left.div_ceil(SECOND);
        let left = format!("{seconds} s");
        return Phrase::new(words.goes_on_in.with([&left]), left);
    }
    match shown.resume_confirmed_by.side() {
        Some(Side::White) => Phrase::new(words.pressed.white, words.paused),
        Some(Side::Black) => Phrase::new(words.pressed.black, words.paused),
        None => Phrase::of(words.both_press, words.paused),
    }
}

/// The text of the phase `paused`, which names who or what stopped the clocks.
fn paused(by: PausedBy, words: &'static Paused) -> &'static str {
    match by {
        PausedBy::Nothing => words.paused,
        PausedBy::Arbiter => words.by_arbiter,
        PausedBy::White => words.by_player.white,
        PausedBy::Black => words.by_player.black,
        PausedBy::Button => words.by_button,
        PausedBy::BoardGone => words.board_gone,
        PausedBy::PowerCut => words.power_cut,
        PausedBy::SetBack => words.to_note[0],
    }
}

/// A final flag that has fallen, or another question, and who answers it: the arbiter, or the players
/// in the menu.
fn ruling(shown: &State, rules: Rules, words: &'static Face) -> Phrase {
    let texts = &words.phases;
    let is_up = match shown.first_flag.side() {
        Some(Side::White) => texts.time_is_up.white,
        Some(Side::Black) => texts.time_is_up.black,
        None if Side::BOTH.into_iter().all(|side| shown.side(side).out_of_time) => {
            texts.both_times_are_up
        }
        None => "",
    };
    if rules.has_arbiter {
        let [long, short] = texts.ruling;
        return match is_up {
            "" => Phrase::new(long, short),
            is_up => Phrase::of([&format!("{is_up}. {long}"), is_up, long], short),
        };
    }
    let before = if is_up.is_empty() { words.paused.paused } else { is_up };
    let with_hint = texts.enter_result.map(|text| text.with([&before]));
    Phrase::of(with_hint, before)
}

/// The result and, in a game without an arbiter, how the next game begins.
fn over(shown: &State, rules: Rules, words: &'static Face) -> Phrase {
    let texts = &words.phases;
    let result = foreign(&shown.result);
    let text = match shown.result.as_str() {
        "1-0" => texts.wins.white,
        "0-1" => texts.wins.black,
        "1/2-1/2" => texts.draw,
        _ => texts.result,
    };
    let said = [text.with([&result]), result.clone()]
        .map(|said| if lost_on_time(shown) { texts.on_time.with([&said]) } else { said });
    let hints = texts.next_game.into_iter().filter(|_| !rules.has_arbiter);
    let with_hint: Vec<String> = hints.map(|hint| hint.with([&said[0]])).collect();
    Phrase::of(with_hint.into_iter().chain(said), result)
}

/// The line while a clock runs: the place of the game in its event, or the time control if the game
/// has no such place. A method that was changed is named in both cases.
fn in_play(shown: &State, words: &'static Face) -> Phrase {
    let texts = &words.phases;
    let named = |value: &str| (!value.is_empty()).then(|| foreign(value));
    let places = [
        named(&shown.event),
        named(&shown.round).map(|name| texts.round.with([&name])),
        named(&shown.board).map(|name| texts.board.with([&name])),
    ];
    let places: Vec<String> = places.into_iter().flatten().collect();
    let changed = changed_method(shown, words);
    // The shorter texts leave out the event, and then the round.
    let mut lines: Vec<String> =
        (0..places.len()).map(|first| places[first..].join(" - ")).collect();
    match &changed {
        None if lines.is_empty() => lines.push(control(shown, words)),
        None => {}
        Some(changed) => {
            lines.iter_mut().for_each(|line| *line = format!("{line} - {changed}"));
            if lines.is_empty() {
                lines.push(control(shown, words));
            }
            lines.extend([changed.clone(), texts.changed.to_owned()]);
        }
    }
    let short = lines.last().cloned().unwrap_or_default();
    Phrase::of(lines, short)
}

/// Whether the loser's final flag has fallen, and not the winner's. An annulled flag does not count.
fn lost_on_time(shown: &State) -> bool {
    let loser = match shown.result.as_str() {
        "1-0" => Side::Black,
        "0-1" => Side::White,
        _ => return false,
    };
    Side::BOTH.into_iter().all(|side| shown.side(side).out_of_time == (side == loser))
}
