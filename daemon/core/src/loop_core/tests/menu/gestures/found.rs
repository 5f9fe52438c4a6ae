//! Presses with which the loop once did something else than the model.

use super::model::{Phase, Press, Told, Wiring};
use super::*;

const T: u64 = 20 * SECOND;

/// A game of two players without an arbiter.
fn players(wiring: Wiring, start: Start) -> Board {
    let is_it = |preset: &&RulePreset| preset.name == "players-agree";
    Board::of(rule_presets().iter().find(is_it).unwrap(), wiring, start)
}

/// Presses of a line, with the first edge after [`T`] and the length, both in milliseconds. Returns
/// what became of the game and of the menu.
fn play(board: Board, presses: &[(usize, u64, u64)]) -> (Vec<Told>, Vec<Told>) {
    let press = |(line, down, lasts): &(usize, u64, u64)| {
        let down = T + down * MS;
        Press { line: *line, down, up: down + lasts * MS }
    };
    let presses: Vec<Press> = presses.iter().map(press).collect();
    let model = compare(board, &presses, &[], false, "");
    let phases = model.game.into_iter().filter(|told| !matches!(told, Told::Press(..)));
    (phases.collect(), model.menu)
}

const fn after(millis: u64) -> u64 {
    T + millis * MS
}

#[test]
fn any_press_during_the_countdown_counts_at_its_first_edge() {
    for wiring in [Wiring::TwoAndCall, Wiring::RockerAndCall] {
        let board = players(wiring, Start::Paused);
        // A call that is held ends the countdown and opens no menu.
        for lasts in [100, 1_000, 2_500] {
            let (game, menu) = play(board, &[(CALL_LINE, 0, 100), (CALL_LINE, 1_000, lasts)]);
            assert_eq!((game, menu), (vec![], vec![]), "{lasts}");
        }
        let (game, _) = play(board, &[(CALL_LINE, 0, 100), (CALL_LINE, 3_000, 100)]);
        let runs = Told::Phase(after(3_000), Phase::Running);
        assert_eq!(game, [runs, Told::Phase(after(3_000), Phase::Paused)], "a call at its end");
    }
    let both = [(CALL_LINE, 0, 100), (0, 500, 2_000), (1, 600, 2_000)];
    let found = play(players(Wiring::TwoAndCall, Start::Paused), &both);
    assert_eq!(found, (vec![Told::Phase(after(600), Phase::Running)], vec![]));
}

#[test]
fn an_answer_to_a_press_that_starts_or_resumes_the_game_counts_while_the_first_button_is_down() {
    for wiring in [Wiring::TwoAlone, Wiring::TwoAndCall] {
        for preset in rule_presets() {
            for gap in [600, 700, 1_000, 1_300, 1_450] {
                let board = Board::of(preset, wiring, Start::Ready);
                let presses = [(1, 0, gap + 500), (0, gap, 800)];
                let (game, menu) = play(board, &presses);
                let runs = [Told::Phase(T, Phase::Running)];
                assert_eq!((&game[..], &menu[..]), (&runs[..], &[][..]), "{gap}");
                for first in [0, 1] {
                    let presses = [(first, 0, gap + 500), (1 - first, gap, 800)];
                    let (game, menu) = play(players(wiring, Start::Paused), &presses);
                    let runs = [Told::Phase(after(gap), Phase::Running)];
                    assert_eq!((&game[..], &menu[..]), (&runs[..], &[][..]), "{gap}");
                }
            }
        }
    }
    // Within 600 ms the two presses are the beginning of the gesture that opens the menu.
    let (game, menu) =
        play(players(Wiring::TwoAlone, Start::Ready), &[(1, 0, 2_600), (0, 599, 2_000)]);
    assert_eq!((game, menu.contains(&Told::Opened(after(2_599), true))), (vec![], true));
}

#[test]
fn presses_that_start_or_resume_the_game_late_can_stop_it() {
    // White's button is still down when Black's press begins, so Black's press is decided later.
    for start in [Start::Ready, Start::Paused] {
        let presses = [(0, 0, 200), (1, 150, 2_000), (0, 300, 1_500)];
        let (game, menu) = play(players(Wiring::TwoAlone, start), &presses);
        let stop = after(1_300);
        let expected = [
            Told::Phase(after(150), Phase::Running),
            Told::Stop(stop),
            Told::Phase(stop, Phase::Paused),
        ];
        assert_eq!((&game[..], menu), (&expected[..], vec![]), "{start:?}");
    }
}

#[test]
fn two_presses_of_the_menu_that_do_nothing_leave_a_third_one_alone() {
    for board in STARTS.map(|start| players(Wiring::TwoAndCall, start)) {
        if board.start == Start::Running {
            continue;
        }
        // The call begins before the release of both is certain.
        let presses =
            [(CALL_LINE, 0, 1_500), (0, 2_000, 1_000), (1, 2_100, 900), (CALL_LINE, 3_010, 100)];
        let press = |(line, down, lasts): (usize, u64, u64)| {
            let down = after(down);
            Press { line, down, up: down + lasts * MS }
        };
        let played = Played::play(board.loop_at_start(), &presses.map(press), &[], false);
        let told = played.test.log.events.iter().filter_map(|event| match event {
            MenuEvent::Press(press) => Some((press.button, press.at)),
            _ => None,
        });
        assert_eq!(told.collect::<Vec<_>>(), [(CALL, at(after(3_010)))], "{:?}", board.start);
    }
}
