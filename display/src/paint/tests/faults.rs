//! Faults on the players' face.

use super::*;
use clock_dbus::{Fault, FaultCode, PausedBy};

fn with_faults(state: State, codes: &[FaultCode]) -> State {
    let faults = codes.iter().map(|code| Fault::new(*code, "for the arbiter")).collect();
    State { faults, ..state }
}

fn board_gone() -> State {
    let state = State { paused_by: PausedBy::BoardGone, ..paused() };
    with_faults(state, &[FaultCode::BoardGone, FaultCode::NoRealtime])
}

#[test]
fn a_missing_board_is_shown_in_words_at_every_size() {
    for theme in [COLOURED, PLAIN] {
        for (width, height) in [(200, 60), (160, 24), (80, 24), (60, 12)] {
            let buffer = face(&board_gone(), width, height, theme);
            assert_says(&buffer, &["BUTTONS NOT CONNECTED: CHECK THE CABLE - Paused"]);
        }
        assert_says(&face(&board_gone(), 40, 10, theme), &["BUTTONS NOT CONNECTED - Paused"]);
        assert_says(&face(&board_gone(), 30, 5, theme), &["BUTTONS NOT CONNECTED - Paused"]);
        assert_says(&face(&board_gone(), 21, 3, theme), &["BUTTONS NOT CONNECTED"]);
        assert_says(&face(&board_gone(), 20, 3, theme), &["NO BUTTONS"]);
        // If there is no line for the fault, it is shown beside the time of the side on move.
        for height in 1..=2 {
            let rows = rows(&face(&board_gone(), 24, height, theme));
            assert!(
                rows[0].starts_with("W ") && rows[0].contains("1:29:58 NO BUTTONS"),
                "{rows:?}"
            );
            assert!(!rows.iter().any(|row| row.starts_with('B') && row.contains("NO")), "{rows:?}");
        }
    }
}

#[test]
fn a_board_that_is_missing_from_the_start_is_shown_with_the_remedy_and_no_start_is_promised() {
    let ready = State { phase: Phase::Ready, ..paused() };
    let state = with_faults(ready.clone(), &[FaultCode::BoardGone]);
    let buffer = face(&state, 160, 24, COLOURED);
    assert_says(&buffer, &["BUTTONS NOT CONNECTED: CHECK THE CABLE - Ready   "]);
    assert_says(&face(&state, 80, 24, PLAIN), &["CONNECTED: CHECK THE CABLE - Ready   "]);
    // If the board is connected, the face says before the start of a game who starts White's clock.
    assert_says(&face(&ready, 160, 24, COLOURED), &["Black's press starts White's clock"]);
}

#[test]
fn what_happened_to_the_clock_and_to_its_record_is_shown() {
    for (code, text) in [
        (FaultCode::MemoryDamaged, "THE MEMORY WAS DAMAGED: FOR THE ARBITER - Paused"),
        (FaultCode::PowerCut, "POWER CUT OR RESTART: FOR THE ARBITER - Paused"),
        (FaultCode::Restarted, "THE CLOCK WAS RESTARTED: FOR THE ARBITER - Paused"),
        (FaultCode::ConfigurationRefused, "THE CONFIGURATION IS WRONG: FOR THE ARBITER - Paused"),
        (FaultCode::Storage, "THE GAME IS NOT RECORDED: FOR THE ARBITER - Paused"),
        (FaultCode::RecordLost, "PART OF THE RECORD IS LOST: FOR THE ARBITER - Paused"),
        (FaultCode::RecordMismatch, "THE RECORD HAS A FAULT: FOR THE ARBITER - Paused"),
        (FaultCode::ClockRate, "THE CLOCK RUNS AT A WRONG RATE: FOR THE ARBITER - Paused"),
    ] {
        for theme in [COLOURED, PLAIN] {
            assert_says(&face(&with_faults(paused(), &[code]), 80, 24, theme), &[text]);
        }
    }
    // These faults are over: the record is continued in another file, and edges were dropped and
    // noise was seen in the past. The face does not show them.
    let past = [FaultCode::RecordMovedAside, FaultCode::EdgesDropped, FaultCode::Noise];
    let shown = face(&with_faults(paused(), &past), 80, 24, COLOURED);
    assert_eq!(shown, face(&paused(), 80, 24, COLOURED));
}

#[test]
fn a_mistake_in_the_configuration_is_shown_with_file_line_and_column() {
    let text = "the configuration is refused, the last one that worked is taken: \
                /etc/chess-clock/clockd.toml:12:1: unknown key `bord`, expected one of `control`";
    let refused = Fault::new(FaultCode::ConfigurationRefused, text);
    let state = State { faults: vec![refused], ..paused() };
    let expected = "THE CONFIGURATION IS WRONG: clockd.toml:12:1 - Paused";
    assert_says(&face(&state, 80, 24, COLOURED), &[expected]);
}

#[test]
fn a_fault_and_a_call_are_shown_beside_each_other() {
    let state = State { arbiter_called_by: Who::White, ..board_gone() };
    let all = "BUTTONS NOT CONNECTED: CHECK THE CABLE - ARBITER CALLED (White) - Paused";
    assert_says(&face(&state, 80, 24, COLOURED), &[all]);
    assert_says(&face(&state, 50, 10, COLOURED), &["CONNECTED - ARBITER CALLED (White)  "]);
    assert_says(&face(&state, 40, 10, COLOURED), &["NO BUTTONS - ARBITER"]);
    assert_says(&face(&state, 20, 5, COLOURED), &["NO BUTTONS - ARBITER"]);
}

#[test]
fn a_fault_has_a_colour_of_its_own_and_words_without_colours() {
    for (state, ground) in [(board_gone(), LOW), (paused(), Color::Rgb(0xC8, 0xCC, 0xD0))] {
        let buffer = face(&state, 80, 24, COLOURED);
        let status = Layout::of(buffer.area, Glyphs::UNICODE).status;
        assert_eq!(grounds(&buffer, status), [ground]);
    }
    let buffer = face(&board_gone(), 80, 24, PLAIN);
    let status = Layout::of(buffer.area, Glyphs::ASCII).status;
    assert!(status.positions().all(|at| buffer[at].modifier.contains(Modifier::REVERSED)));
}

/// The faults that only `clockctl doctor` shows.
const UNSEEN: [FaultCode; 7] = [
    FaultCode::NoRecord,
    FaultCode::RecordMovedAside,
    FaultCode::LatePress,
    FaultCode::EdgesDropped,
    FaultCode::Noise,
    FaultCode::UpdatesLost,
    FaultCode::NoRealtime,
];

#[test]
fn every_fault_that_concerns_the_game_is_on_the_face_and_the_most_serious_first() {
    let mut texts = Vec::new();
    for &code in FaultCode::ALL {
        let state = with_faults(running(Who::White), &[FaultCode::NoRealtime, code]);
        let (Content::Game(with), Content::Game(without)) = (
            Content::of(&state, Rules::NONE, EN),
            Content::of(&running(Who::White), Rules::NONE, EN),
        ) else {
            panic!("two games")
        };
        if with.status == without.status {
            // The status is the same as without this fault. Only the faults in `UNSEEN` may have no
            // effect on it.
            assert!(UNSEEN.contains(&code), "{code:?}");
            continue;
        }
        assert!(!UNSEEN.contains(&code), "{code:?}");
        let buffer = face(&state, 80, 24, COLOURED);
        let full = with.status.texts[0].clone();
        let is_for_the_arbiter = code >= FaultCode::PowerCut;
        let remedy = if is_for_the_arbiter { ": FOR THE ARBITER" } else { ": CHECK " };
        assert!(full.contains(remedy) && !full.contains("fide-classical"), "{full}");
        assert_says(&buffer, &[&full]);
        // Nothing prompts about a move or a press (FIDE 12.6).
        for word in ["MOVE", "PRESS"] {
            assert!(!full.contains(word), "{full}");
        }
        assert!(!texts.contains(&full));
        texts.push(full);
    }
    assert_eq!(texts.len() + UNSEEN.len(), FaultCode::ALL.len());
    let state = with_faults(
        paused(),
        &[FaultCode::Noise, FaultCode::StuckCall, FaultCode::StuckBlack, FaultCode::RockerCrossed],
    );
    assert_says(
        &face(&state, 80, 24, COLOURED),
        &["BLACK'S BUTTON IS STUCK: CHECK THE BUTTON - Paused"],
    );
}

#[test]
fn a_fault_that_this_face_does_not_know_is_left_to_the_arbiter() {
    let unknown = Fault { code: "on-fire".into(), text: "the clock is on fire".into() };
    let state = State { faults: vec![unknown], ..paused() };
    assert_eq!(Content::of(&state, Rules::NONE, EN), Content::of(&paused(), Rules::NONE, EN));
}

#[test]
fn with_exchanged_buttons_the_player_of_a_stuck_button_is_named_and_not_its_wiring() {
    for (code, name, short) in [
        (FaultCode::StuckBlack, "WHITE'S BUTTON IS STUCK", "W STUCK"),
        (FaultCode::StuckWhite, "BLACK'S BUTTON IS STUCK", "B STUCK"),
        (FaultCode::StuckCall, "THE CALL BUTTON IS STUCK", "CALL STUCK"),
    ] {
        let exchanged = State { buttons_exchanged: true, ..paused() };
        let state = with_faults(exchanged, &[code]);
        assert_says(&face(&state, 80, 24, COLOURED), &[name]);
        assert_says(&face(&state, 24, 1, PLAIN), &[short]);
    }
}
