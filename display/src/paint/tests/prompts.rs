//! Tests of FIDE 12.6: no text on the face may tell a player that a number of moves was made, or
//! that a press was forgotten.

use std::collections::BTreeSet;

use clock_dbus::{ClaimState, Fault, FaultCode, Question, QuestionKind, QuestionProgress};

use super::*;
use crate::battery::Battery;

/// Every word that the face can show, except names, times and numbers. The words of a new text must
/// be added here, after a check that the text does not prompt a player.
const WORDS: &[&str] = &[
    // The sides, and the time control and the rule profile.
    "rules",
    "White",
    "Black",
    "W",
    "B",
    "period",
    "P",
    "move",
    "moves",
    "delay",
    "d",
    "overtime",
    "earlier",
    "FLAG",
    "F",
    "st",
    "nd",
    "used",
    // The phases.
    "Ready",
    "if",
    "this",
    "stays",
    "for",
    "a",
    "minute",
    "switch",
    "board",
    "round",
    "off",
    "on",
    "and",
    "after",
    "it",
    "clock",
    "starts",
    "press",
    "or",
    "the",
    "arbiter",
    "A",
    "Arbiter",
    "Paused",
    "Both",
    "to",
    "go",
    "decides",
    "Ruling",
    "time",
    "times",
    "is",
    "are",
    "up",
    "Hold",
    "call",
    "both",
    "buttons",
    "result",
    "next",
    "game",
    "wins",
    "Adjourned",
    "The",
    // The signs.
    "ARBITER",
    "CALLED",
    "DRAW",
    "CLAIM",
    "PENDING",
    "DEFAULT",
    "TIME",
    "PASSED",
    // The faults of the buttons.
    "BUTTONS",
    "NOT",
    "CONNECTED",
    "CHECK",
    "THE",
    "CABLE",
    "NO",
    "WHITE",
    "BLACK",
    "S",
    "s",
    "BUTTON",
    "IS",
    "STUCK",
    "CALL",
    "ROCKER",
    "WIRING",
    "WRONG",
    "IT",
    "BAD",
    // Restarts and power cuts.
    "POWER",
    "WAS",
    "OR",
    "CUT",
    "CLOCK",
    "RESTART",
    "RESTARTED",
    "FOR",
    "FAULT",
    "RUNS",
    "AT",
    "RATE",
    "RECORD",
    "HAS",
    "PART",
    "OF",
    "LOST",
    "GAME",
    "RECORDED",
    // The faults of the memory and of the configuration. The face quotes the mistake in a refused
    // configuration; the words of this quotation are not listed.
    "MEMORY",
    "DAMAGED",
    "CONFIGURATION",
    // A missing service, and the battery.
    "no",
    "service",
    "times",
    "are",
    "last",
    "known",
    "ones",
    "battery",
    "BATTERY",
    "h",
    "min",
    "LOW",
    // A face that is too small for digits.
    "enlarge",
    "to",
    "x",
];

/// Texts that would prompt a player. The face must not show them, even if all their words are in
/// `WORDS`.
const FORBIDDEN: &[&str] = &[
    "press the",
    "presses the",
    "PRESS",
    "forgot",
    "missing",
    "MOVES MADE",
    "moves made",
    "to move",
    "move made",
    "your",
    "YOUR",
    "moves left",
    "count",
    "COUNT",
    "CLAIM A",
    "claim a",
    "call the",
    "CALL THE",
    "the flag",
];

/// The name of the time control and of the rule profile in all states. It stands for any name.
const CONTROL: &str = "zzz";

fn question(kind: QuestionKind) -> Question {
    Question {
        kind: Some(kind),
        side: Who::White,
        since_nsec: 5,
        progress: QuestionProgress::Nothing,
        answers: Vec::new(),
    }
}

/// Every combination of phase, question, claim and flag.
fn states() -> Vec<State> {
    let mut states = Vec::new();
    for phase in [Phase::Ready, Phase::Running, Phase::Paused, Phase::Ruling, Phase::Over] {
        for asked in [None].into_iter().chain(QuestionKind::ALL.iter().copied().map(Some)) {
            for claim in [ClaimState::Nothing, ClaimState::Called, ClaimState::Pending] {
                for flags in 0..4 {
                    states.push(state(phase, asked, claim, flags));
                }
            }
        }
    }
    states.push(State {
        board: "12".into(),
        round: "3".into(),
        event: CONTROL.into(),
        ..state(Phase::Running, None, ClaimState::Nothing, 0)
    });
    states.push(State {
        white: SideState {
            remaining_nsec: 30 * SECOND,
            ..state(Phase::Running, None, ClaimState::Nothing, 0).white
        },
        ..state(Phase::Running, None, ClaimState::Nothing, 0)
    });
    states
}

/// `flags` selects the flags: 0 for none, 1 for White's final flag, 2 for both final flags, and 3
/// for a flag of White in an earlier period.
fn state(phase: Phase, asked: Option<QuestionKind>, claim: ClaimState, flags: u8) -> State {
    let runs = phase == Phase::Running;
    let down = flags == 1 || flags == 2;
    State {
        phase,
        running: if runs { Who::White } else { Who::Nobody },
        time_control: CONTROL.into(),
        rules: CONTROL.into(),
        result: if phase == Phase::Over { "1-0".into() } else { String::new() },
        white: SideState {
            player: String::new(),
            moves: 7771,
            flag_nsec: (flags != 0).then_some(9),
            out_of_time: down,
            overrun_nsec: if down { 3 * SECOND } else { 0 },
            ..paused().white
        },
        black: SideState {
            player: String::new(),
            moves: 8882,
            flag_nsec: (flags == 2).then_some(10),
            out_of_time: flags == 2,
            ..paused().black
        },
        first_flag: if down { Who::White } else { Who::Nobody },
        claim_by: if claim == ClaimState::Nothing { Who::Nobody } else { Who::Black },
        claim_state: claim,
        questions: asked.map(question).into_iter().collect(),
        ..paused()
    }
}

/// The state `of`, and states that differ from it in one property or in a few.
fn variations(of: &State) -> Vec<State> {
    let mut all = vec![of.clone()];
    for called in [Who::White, Who::Black, Who::Arbiter, Who::Button] {
        all.push(State { arbiter_called_by: called, ..of.clone() });
    }
    for adjourned in [Who::White, Who::Black] {
        all.push(State { adjourned, ..of.clone() });
    }
    for &code in FaultCode::ALL {
        all.push(State { faults: vec![Fault::new(code, "for the arbiter")], ..of.clone() });
    }
    all.push(State {
        white: SideState { delay_nsec: 4 * SECOND, ..of.clone().white },
        ..of.clone()
    });
    all.push(State { counting: Counting::Up, ..of.clone() });
    // If White also has an earlier flag (`flags` is 3), the notes about the delay and the overtime
    // fill White's line, so that the short forms of the notes are shown.
    all.push(State {
        white: SideState {
            delay_nsec: 4 * SECOND,
            overtime_periods: Some(2),
            overtime_moves: Some(25),
            ..of.clone().white
        },
        ..of.clone()
    });
    for black_overtime_moves in [Some(1), Some(25)] {
        all.push(State {
            black: SideState {
                overtime_periods: Some(2),
                overtime_moves: black_overtime_moves,
                ..of.clone().black
            },
            ..of.clone()
        });
    }
    all
}

const PROFILES: [Rules; 5] = [
    Rules::NONE,
    Rules::UNKNOWN,
    Rules { show_moves: false, ..Rules::NONE },
    Rules { has_arbiter: false, ..Rules::NONE },
    Rules { black_starts: Some(false), ..Rules::NONE },
];

/// The words of a text. Every character that is not a letter separates words, even an apostrophe.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty())
}

fn check(text: &str, rules: Rules, state: &State) {
    for word in words(text) {
        let is_known = WORDS.contains(&word) || word == CONTROL;
        assert!(is_known, "'{word}' is a new word on the face:\n{text}\n{state:?}");
    }
    for forbidden in FORBIDDEN {
        assert!(!text.contains(forbidden), "'{forbidden}' prompts a player:\n{text}\n{state:?}");
    }
    // A press is mentioned only before the start of the game, when no press can be forgotten, and in a
    // pause of a game without an arbiter, where both players have to press.
    let may_ask = match state.phase {
        Phase::Ready => true,
        Phase::Paused => !rules.has_arbiter,
        _ => false,
    };
    if !may_ask {
        assert!(!text.contains("press"), "{text}\n{state:?}");
    }
    if !rules.show_moves {
        for hidden in ["move", "7771", "8882"] {
            assert!(!text.contains(hidden), "'{hidden}' is shown:\n{text}\n{state:?}");
        }
    }
}

/// All texts of the status line, including those that no display has room for.
fn texts(content: &Content) -> Vec<String> {
    let Content::Game(game) = content else { return Vec::new() };
    let mut texts = game.status.texts.clone();
    texts.extend(game.status.fault.map(str::to_owned));
    texts
}

/// The contents of a variation of a state: while a service answers, as the last known state, and if
/// no service has answered. Variation 0, the state itself, is also shown with a battery of each
/// level: the sign of the battery depends on nothing else.
fn contents(state: &State, variation: usize, rules: Rules) -> Vec<Content> {
    let content = Content::of(state, rules, EN);
    let battery =
        |(percent, minutes)| content.clone().with_battery(Some(Battery { percent, minutes }));
    let levels = [(9, None), (80, None), (80, Some(90)), (80, Some(300))];
    let levels = if variation == 0 { &levels[..] } else { &[] };
    let mut contents: Vec<Content> = levels.iter().copied().map(battery).collect();
    contents.extend([content, Content::last_known(state, rules, EN), Content::NoService(EN)]);
    contents
}

/// The sizes in which a variation of a state is painted. Variation 0, the state itself, has more
/// sizes than the other variations. The smallest size is one line of three columns.
fn sizes(variation: usize) -> &'static [(u16, u16)] {
    if variation == 0 { &[(160, 24), (40, 10), (20, 5), (3, 1)] } else { &[(44, 10), (20, 2)] }
}

#[test]
fn fide_12_6_nothing_on_the_face_prompts_the_players() {
    let mut seen = BTreeSet::new();
    let mut checked = BTreeSet::new();
    for state in states() {
        for (index, varied) in variations(&state).iter().enumerate() {
            for rules in PROFILES {
                for content in contents(varied, index, rules) {
                    let screen = Screen { content, demo: None };
                    // Equal contents look the same, so each content is painted only once for each
                    // profile, on which `check` depends.
                    if !checked.insert(format!("{rules:?} {screen:?}")) {
                        continue;
                    }
                    let mut shown_texts = texts(&screen.content);
                    for (width, height) in sizes(index) {
                        shown_texts.extend(rows(&shown(&screen, *width, *height, COLOURED)));
                    }
                    for text in shown_texts {
                        check(&text, rules, varied);
                        seen.extend(words(&text).map(str::to_owned));
                    }
                }
            }
        }
    }
    // Every word in `WORDS` has been shown at least once.
    let never: Vec<&&str> = WORDS.iter().filter(|word| !seen.contains(**word)).collect();
    assert!(never.is_empty(), "the face never shows {never:?}");
}
