//! What the face shows of claims, rulings, lateness, adjournment and the parameters of a rule
//! profile.

use clock_dbus::{ClaimState, PausedBy, Question, QuestionKind, QuestionProgress};

use super::*;

fn question(kind: QuestionKind, side: Who) -> Question {
    Question {
        kind: Some(kind),
        side,
        since_nsec: 5,
        progress: QuestionProgress::Nothing,
        answers: Vec::new(),
    }
}

fn claimed(by: Who, claim_state: ClaimState, state: State) -> State {
    State { claim_by: by, claim_ground: "no-effort".into(), claim_state, ..state }
}

fn late(sides: &[Who]) -> State {
    let questions = sides.iter().map(|side| question(QuestionKind::Default, *side)).collect();
    State { questions, ..running(Who::White) }
}

#[test]
fn each_sign_is_there_in_words_from_wide_to_narrow() {
    let ruling = State { phase: Phase::Ruling, ..paused() };
    let called = claimed(Who::White, ClaimState::Called, ruling.clone());
    let pending = claimed(Who::Black, ClaimState::Pending, running(Who::White));
    let adjourned = State { adjourned: Who::White, ..paused() };
    for (state, wide, narrow, tiny) in [
        (&called, "DRAW CLAIM (White) - The arbiter decides", "DRAW CLAIM (White)", "CLAIM"),
        (&pending, "DRAW CLAIM PENDING (Black)", "DRAW CLAIM PENDING (Black)", "CLAIM"),
        (&ruling, "The arbiter decides", "The arbiter decides", "The arbiter decides"),
        (
            &late(&[Who::Black]),
            "DEFAULT TIME PASSED (Black)",
            "DEFAULT TIME PASSED (Black)",
            "DEFAULT TIME",
        ),
        (
            &late(&[Who::White, Who::Black]),
            "DEFAULT TIME PASSED",
            "DEFAULT TIME PASSED",
            "DEFAULT TIME PASSED",
        ),
        (&adjourned, "Adjourned", "Adjourned", "Adjourned"),
    ] {
        for theme in [COLOURED, PLAIN] {
            assert_says(&face(state, 80, 24, theme), &[wide]);
            assert_says(&face(state, 40, 10, theme), &[narrow]);
            assert_says(&face(state, 20, 5, theme), &[tiny]);
        }
    }
    assert_silent(&face(&adjourned, 80, 24, COLOURED), &["Paused"]);
}

#[test]
fn a_sign_stands_out_while_a_clock_runs() {
    let status = |state: &State| {
        let buffer = face(state, 80, 24, COLOURED);
        grounds(&buffer, Layout::of(buffer.area, Glyphs::UNICODE).status)
    };
    assert_eq!(status(&running(Who::White)), [GROUND]);
    let pending = claimed(Who::White, ClaimState::Pending, running(Who::White));
    for state in [pending, late(&[Who::White])] {
        assert_eq!(status(&state), [CALL]);
        // The frames have the colour of the call above and below the times.
        let buffer = face(&state, 80, 24, COLOURED);
        for side in Layout::of(buffer.area, Glyphs::UNICODE).sides {
            for y in [side.top(), side.bottom() - 1] {
                assert_eq!(grounds(&buffer, Rect { y, height: 1, ..side }), [CALL]);
            }
        }
    }
}

#[test]
fn the_signs_stand_beside_each_other_and_the_call_comes_first() {
    let state = State { arbiter_called_by: Who::White, ..late(&[Who::Black]) };
    let state = claimed(Who::White, ClaimState::Pending, state);
    let all = "ARBITER CALLED (White) - DRAW CLAIM PENDING (White) - DEFAULT TIME PASSED (Black)";
    assert_says(&face(&state, 120, 24, COLOURED), &[all]);
    assert_says(&face(&state, 60, 24, COLOURED), &["ARBITER - CLAIM - DEFAULT TIME"]);
    assert_says(&face(&state, 22, 10, PLAIN), &["ARBITER CALLED (White)"]);
}

#[test]
fn after_the_result_no_claim_and_no_lateness_is_shown() {
    let state = claimed(Who::White, ClaimState::Pending, late(&[Who::Black]));
    let over = State { phase: Phase::Over, result: "1-0".into(), running: Who::Nobody, ..state };
    let buffer = face(&over, 80, 24, COLOURED);
    assert_says(&buffer, &["White wins 1-0"]);
    assert_silent(&buffer, &["CLAIM", "DEFAULT"]);
}

/// The face does not show which question the arbiter has to answer, because the question could tell
/// the players that their moves are counted. [`QuestionKind::Default`] is the exception.
#[test]
fn the_questions_to_the_arbiter_are_not_on_the_face() {
    for kind in QuestionKind::ALL {
        if *kind == QuestionKind::Default {
            continue;
        }
        let questions = vec![question(*kind, Who::White)];
        let asked = State { questions, ..white_flagged() };
        assert_eq!(
            Content::of(&asked, Rules::NONE, EN),
            Content::of(&white_flagged(), Rules::NONE, EN),
            "{kind:?}"
        );
    }
}

#[test]
fn a_profile_keeps_the_numbers_of_moves_off_the_face() {
    let hidden = Rules { show_moves: false, ..Rules::NONE };
    let state = State {
        white: SideState { moves: 7771, ..running(Who::White).white },
        black: SideState { moves: 8882, ..running(Who::White).black },
        ..running(Who::White)
    };
    for (width, height) in [(160, 24), (80, 24), (60, 12), (40, 10), (20, 5)] {
        let buffer = face_under(hidden, &state, width, height, COLOURED);
        assert_says(&buffer, &["1/2"]);
        assert_silent(&buffer, &["move", "7771", "8882"]);
    }
    assert_says(&face(&state, 160, 24, COLOURED), &["move 7771", "move 8882"]);
    let buffer = face_under(hidden, &in_overtime(), 160, 24, COLOURED);
    assert_says(&buffer, &["overtime 2×  ", "overtime 1×  "]);
    assert_silent(&buffer, &["move", "25"]);
    let small = rows(&face_under(hidden, &in_overtime(), 20, 5, COLOURED));
    assert_eq!(small[0], "W ▶ 0:28 2×  P1/2   ");
}

#[test]
fn a_start_that_black_cannot_give_is_not_announced() {
    let ready = State { phase: Phase::Ready, ..paused() };
    let rules = Rules { black_starts: Some(false), ..Rules::NONE };
    let buffer = face_under(rules, &ready, 160, 24, COLOURED);
    assert_says(&buffer, &["The arbiter starts White's clock"]);
    assert_silent(&buffer, &["press"]);
    // Until the rule profile has been read, the face does not say who starts White's clock.
    let buffer = face_under(Rules::UNKNOWN, &ready, 160, 24, COLOURED);
    assert_says(&buffer, &["Ready"]);
    assert_silent(&buffer, &["starts"]);
    assert_says(&face(&ready, 160, 24, COLOURED), &["Black's press starts White's clock"]);
}

/// Each short form says whose clock starts, who notes the times, or what is awaited. A period has
/// its letter, because `1/2 move 12` looks like a result.
#[test]
fn the_short_forms_say_what_they_are_about() {
    let status = |state: &State, rules| match Content::of(state, rules, EN) {
        Content::Game(game) => game.status.texts,
        Content::Starting(_) | Content::NoService(_) => panic!("a state is a game"),
    };
    let ready = State { phase: Phase::Ready, ..paused() };
    for black_starts in [true, false] {
        let rules = Rules { black_starts: Some(black_starts), ..Rules::NONE };
        for text in status(&ready, rules) {
            assert!(
                text == "Ready"
                    || text.contains("starts White's clock")
                    || text.contains("White's clock starts"),
                "{text}"
            );
        }
    }
    let noted = status(&State { paused_by: PausedBy::SetBack, ..paused() }, Rules::NONE);
    assert!(noted[..3].iter().all(|text| text.contains("the arbiter")), "{noted:?}");
    let ruling = status(&State { phase: Phase::Ruling, ..paused() }, Rules::NONE);
    assert_eq!(ruling, ["The arbiter decides", "Ruling"]);
    let Content::Game(game) = Content::of(&paused(), Rules::NONE, EN) else { panic!("a game") };
    let counts = crate::texts::counts(&game.white, Glyphs::UNICODE);
    assert!(counts.iter().all(|text| !text.starts_with(char::is_numeric)), "{counts:?}");
}

/// If only the final flag of the loser has fallen, the result says that the game was lost on time.
#[test]
fn a_result_says_that_it_was_lost_on_time() {
    let over = |result: &str, flags: [bool; 2]| {
        let state = State {
            phase: Phase::Over,
            result: result.into(),
            white: SideState { out_of_time: flags[0], ..paused().white },
            black: SideState { out_of_time: flags[1], ..paused().black },
            ..paused()
        };
        match Content::of(&state, Rules::NONE, EN) {
            Content::Game(game) => game.status.texts[0].clone(),
            Content::Starting(_) | Content::NoService(_) => panic!("a state is a game"),
        }
    };
    assert_eq!(over("0-1", [true, false]), "Black wins 0-1 on time");
    assert_eq!(over("1-0", [false, true]), "White wins 1-0 on time");
    for flags in [[false, false], [true, false], [true, true]] {
        assert_eq!(over("1-0", flags), "White wins 1-0", "{flags:?}");
    }
    assert_eq!(over("1/2-1/2", [false, true]), "Draw 1/2-1/2");
}

#[test]
fn in_play_the_line_is_for_board_round_and_event() {
    let line = |changed: &str, event: &str, round: &str, board: &str| {
        let state = State {
            changed_method: changed.into(),
            white: SideState {
                method: Method::Delay,
                method_nsec: 5 * SECOND,
                ..running(Who::White).white
            },
            event: event.into(),
            round: round.into(),
            board: board.into(),
            ..running(Who::White)
        };
        match Content::of(&state, Rules::NONE, EN) {
            Content::Game(game) => game.status.texts,
            Content::Starting(_) | Content::NoService(_) => panic!("a state is a game"),
        }
    };
    let all = line("", "Open", "3", "12");
    assert_eq!(all[..3], ["Open - round 3 - board 12", "round 3 - board 12", "board 12"]);
    assert_eq!(line("", "", "", "12")[0], "board 12");
    assert_eq!(line("", "", "", "")[0], "fide-classical");
    assert_eq!(line("5 s delay a move", "", "", "12")[0], "board 12 - now d5");
    let changed = line("5 s delay a move", "", "", "");
    assert_eq!(changed[0], "fide-classical, now d5");
    assert_eq!(changed[1], "now d5");
}

#[test]
fn without_an_arbiter_the_sentence_says_what_the_players_do() {
    let rules = Rules { has_arbiter: false, ..Rules::NONE };
    let first = |state: &State| match Content::of(state, rules, EN) {
        Content::Game(game) => (game.status.texts[0].clone(), game.status.urgency),
        Content::Starting(_) | Content::NoService(_) => panic!("a state is a game"),
    };
    let by_button = State { arbiter_called_by: Who::Button, ..paused() };
    let pressed = |by| State { resume_confirmed_by: by, ..by_button.clone() };
    let over = State { phase: Phase::Over, result: "1/2-1/2".into(), ..paused() };
    let both = State {
        first_flag: Who::Nobody,
        black: SideState { out_of_time: true, ..white_flagged().black },
        ..white_flagged()
    };
    for (state, sentence) in [
        (&by_button, "Paused. Both press to go on"),
        (&pressed(Who::White), "White ✓  Black: press"),
        (&pressed(Who::Black), "Black ✓  White: press"),
        (&white_flagged(), "White's time is up. Hold call or both buttons: result"),
        (&both, "Both times are up. Hold call or both buttons: result"),
        (&over, "Draw 1/2-1/2. Hold call or both buttons: next game"),
    ] {
        assert_eq!(first(state), (sentence.to_owned(), Urgency::Notice));
    }
    // The rule profile says nothing to two players.
    let ready = State { phase: Phase::Ready, rules: "agreed".into(), ..paused() };
    assert_eq!(first(&ready).0, "fide-classical - Black's press starts White's clock");
    // A confirmation is shown only where the rules ask for it.
    let supervised = face(&pressed(Who::White), 80, 24, COLOURED);
    assert_silent(&supervised, &["✓"]);
}
