//! The phase of the game, as the status line names it.

use clock_dbus::{FaultCode, PausedBy, Phase, Who};
use clock_languages::{Face, Paused};

use super::super::{ShownState, Side, foreign, start_time};
use super::Phrase;
use crate::rules::Rules;

pub(super) fn phase(shown: &ShownState<'_>, rules: Rules, words: &'static Face) -> Phrase {
    let texts = &words.phases;
    if shown.adjourned != Who::Nobody {
        return Phrase::new(texts.adjourned, texts.adjourned);
    }
    match shown.phase {
        Phase::Running => Phrase { is_conditions: true, ..in_play(shown, words) },
        // While the buttons are not connected, nobody can start a clock. So the text does not say
        // who starts it.
        Phase::Ready if shown.faults.iter().any(|it| it.known() == Some(FaultCode::BoardGone)) => {
            Phrase::new(texts.ready, texts.ready)
        }
        Phase::Ready if let Some(start) = shown.start_at_realtime_nsec => {
            let time = start_time::shown(start);
            let left = start_time::countdown(start_time::left(start));
            let left = left.map(|left| format!("{}{left}", texts.countdown)).unwrap_or_default();
            let with_left = texts.scheduled.iter().map(|before| format!("{before}{time}{left}"));
            let without = texts.scheduled_short.iter().map(|before| format!("{before}{time}"));
            Phrase::of(with_left.chain(without), texts.ready)
        }
        Phase::Ready => match rules.black_starts {
            Some(true) => Phrase::of(texts.black_starts, texts.ready),
            Some(false) => Phrase::of(texts.arbiter_starts, texts.ready),
            None => Phrase::new(texts.ready, texts.ready),
        },
        // The announcement says more than who stopped the clocks.
        Phase::Paused if !shown.announcement.is_empty() => {
            let text = foreign(shown.announcement);
            let paused = words.paused.paused;
            Phrase::of([format!("{paused}{}{text}", words.colon), text], paused)
        }
        Phase::Paused if shown.paused_by == PausedBy::SetBack => {
            Phrase::of(words.paused.to_note, words.paused.paused)
        }
        Phase::Paused => Phrase::new(paused(shown.paused_by, &words.paused), words.paused.paused),
        Phase::Ruling => Phrase::new(texts.ruling[0], texts.ruling[1]),
        Phase::Over => {
            let result = foreign(shown.result);
            let ground = if lost_on_time(shown) { texts.on_time } else { "" };
            let long = [texts.result, ""].map(|before| format!("{before}{result}{ground}"));
            Phrase::of(long, result)
        }
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

/// The line while a clock runs: the place of the game in its event, or the time control if the game
/// has no such place. A method that was changed is named in both cases.
fn in_play(shown: &ShownState<'_>, words: &'static Face) -> Phrase {
    let texts = &words.phases;
    let named =
        |word: &str, value: &str| (!value.is_empty()).then(|| format!("{word}{}", foreign(value)));
    let places =
        [named("", shown.event), named(texts.round, shown.round), named(texts.board, shown.board)];
    let places: Vec<String> = places.into_iter().flatten().collect();
    let changed = named(texts.now, shown.changed_method);
    // The shorter texts leave out the event, and then the round.
    let mut lines: Vec<String> =
        (0..places.len()).map(|first| places[first..].join(" - ")).collect();
    match &changed {
        None if lines.is_empty() => lines.push(shown.control(words)),
        None => {}
        Some(changed) => {
            lines.iter_mut().for_each(|line| *line = format!("{line} - {changed}"));
            if lines.is_empty() {
                lines.push(shown.control(words));
            }
            lines.extend([changed.clone(), texts.changed.to_owned()]);
        }
    }
    let short = lines.last().cloned().unwrap_or_default();
    Phrase::of(lines, short)
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
