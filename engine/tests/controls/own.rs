//! Properties of single shipped controls.

use crate::game::{Game, SECOND};
use clock_engine::text::presets;
use clock_engine::{OvertimeLeft, Phase, Side};

const MINUTE: u64 = 60 * SECOND;

/// The periods of overtime that White has left, and the moves left in the running one.
fn overtime(game: &Game) -> Option<(u32, u32)> {
    game.side(Side::White).overtime.map(|OvertimeLeft { periods, moves }| (periods, moves))
}

#[test]
fn a_draw_is_blacks_in_armageddon_and_nobodys_elsewhere() {
    for preset in presets() {
        let odds = preset.name.starts_with("armageddon").then_some(Side::Black);
        assert_eq!(preset.read().control.terms().draw_odds, odds, "{}", preset.name);
    }
}

#[test]
fn byo_yomi_a_move_in_time_leaves_the_period_whole() {
    let mut game = Game::started("byo-yomi-30-5x30");
    assert_eq!(overtime(&game), None);
    game.wait(30 * MINUTE);
    assert_eq!((game.readings(), overtime(&game)), ("0:00:30 0:30:00".into(), Some((5, 1))));
    assert!(game.press_after(29 * SECOND, Side::White));
    assert_eq!((game.readings(), overtime(&game)), ("0:00:30 0:30:00".into(), Some((5, 1))));
    assert!(game.press_after(10 * SECOND, Side::Black));
    // White uses 70 seconds for one move: two periods are used up, and the third is whole again.
    assert!(game.press_after(70 * SECOND, Side::White));
    assert_eq!((game.readings(), overtime(&game)), ("0:00:30 0:29:50".into(), Some((3, 1))));
    assert_eq!(game.take_events(), ["w-over-5", "w-over-4", "w-over-3"]);
    assert!(game.press_after(0, Side::Black));
    // Three periods of 30 seconds are left. A press at their very end is too late.
    assert!(!game.press_after(90 * SECOND, Side::White));
    assert_eq!(game.take_events(), ["w-over-2", "w-over-1", "w-flag"]);
    assert_eq!((game.phase(), overtime(&game)), (Phase::Ruling, Some((0, 1))));
}

#[test]
fn canadian_twenty_moves_bring_another_five_minutes() {
    let mut game = Game::started("canadian-30-20-in-5");
    game.wait(30 * MINUTE);
    assert_eq!((game.readings(), overtime(&game)), ("0:05:00 0:30:00".into(), Some((1, 20))));
    for _ in 1..20 {
        assert!(game.press_after(10 * SECOND, Side::White));
        assert!(game.press_after(0, Side::Black));
    }
    assert_eq!((game.readings(), overtime(&game)), ("0:01:50 0:30:00".into(), Some((1, 1))));
    assert!(game.press_after(10 * SECOND, Side::White));
    assert_eq!((game.readings(), overtime(&game)), ("0:05:00 0:30:00".into(), Some((1, 20))));
    assert!(game.press_after(0, Side::Black));
    assert!(!game.press_after(5 * MINUTE, Side::White));
    assert_eq!(
        (game.phase(), game.take_events()),
        (Phase::Ruling, ["w-over-1", "w-flag"].map(String::from).into())
    );
}

#[test]
fn lightning_the_gong_passes_the_turn_and_no_flag_ever_falls() {
    let mut game = Game::started("lightning-10");
    game.wait(10 * SECOND - 1);
    assert_eq!((game.running(), game.take_events()), (Some(Side::White), vec![]));
    game.wait(1);
    assert_eq!((game.running(), game.take_events()), (Some(Side::Black), vec!["gong-b".into()]));
    assert!(!game.press_after(3 * SECOND, Side::Black));
    assert_eq!((game.running(), game.readings()), (Some(Side::Black), "0:00:10 0:00:07".into()));
    game.wait(27 * SECOND);
    assert_eq!(game.take_events(), ["gong-w", "gong-b", "gong-w"]);
    game.wait(1000 * 60 * MINUTE);
    assert!(game.take_events().iter().all(|event| event.starts_with("gong")));
    assert_eq!((game.phase(), game.readings()), (Phase::Running, "0:00:10 0:00:10".into()));
}

#[test]
fn up_count_only_counts() {
    let mut game = Game::started("up-count");
    assert!(game.press_after(90 * SECOND, Side::White));
    assert!(game.press_after(MINUTE, Side::Black));
    assert!(game.press_after(15 * SECOND, Side::White));
    assert_eq!(game.readings(), "0:01:45 0:01:00");
    game.wait(500 * 60 * MINUTE);
    assert_eq!((game.readings(), game.take_events()), ("0:01:45 500:01:00".into(), vec![]));
    assert_eq!((game.running(), game.clock.poll_timeout()), (Some(Side::Black), None));
}

#[test]
fn hourglass_what_one_uses_the_other_gets() {
    let mut game = Game::started("hourglass-3");
    assert!(game.press_after(40 * SECOND, Side::White));
    assert!(game.press_after(70 * SECOND, Side::Black));
    assert_eq!(game.readings(), "0:03:30 0:02:30");
    assert!(!game.press_after(210 * SECOND, Side::White));
    assert_eq!((game.readings(), game.phase()), ("0:00:00 0:06:00".into(), Phase::Ruling));
    assert_eq!(game.take_events(), ["w-flag"]);
}

#[test]
fn scrabble_plays_on_after_both_flags_and_counts_the_overrun() {
    let mut game = Game::started("scrabble-25");
    assert!(game.press_after(26 * MINUTE, Side::White));
    assert!(game.press_after(25 * MINUTE + 30 * SECOND, Side::Black));
    game.wait(5 * SECOND);
    assert_eq!(game.take_events(), ["w-flag", "b-flag"]);
    assert_eq!((game.running(), game.readings()), (Some(Side::White), "0:00:00 0:00:00".into()));
    let overrun = Side::BOTH.map(|side| game.side(side).overrun.as_nanos() / SECOND);
    assert_eq!(overrun, [65, 30]);
}

#[test]
fn a_set_back_stops_both_clocks_until_the_arbiter_starts_whites() {
    for (name, moves, shown) in [
        ("allegro-35-105-set-back-15", 35, "2:00:00 2:00:00"),
        ("league-36-90-set-back-15", 36, "1:45:00 1:45:00"),
    ] {
        let mut game = Game::started(name);
        for _ in 0..moves {
            assert!(game.press_after(0, Side::White));
            assert!(game.press_after(0, Side::Black));
        }
        // Both clocks stand for ten minutes while the readings are noted.
        game.wait(10 * MINUTE);
        assert!(!game.press_after(0, Side::White));
        assert_eq!((game.phase(), game.readings()), (Phase::Paused, shown.into()));
        game.resume();
        assert_eq!(game.running(), Some(Side::White));
    }
}

#[test]
fn a_period_that_repeats_never_is_the_last_and_its_flag_is_final() {
    for (name, moves, hours, seconds) in
        [("classical-40-120-20-60-repeat", 80, 5, 0), ("classical-36-90-repeat", 72, 4, 1800)]
    {
        let mut game = Game::started(name);
        for _ in 0..moves {
            assert!(game.press_after(0, Side::White));
            assert!(game.press_after(0, Side::Black));
        }
        assert_eq!(game.clock.control().last(), None);
        game.take_events();
        let all = (hours * 3600 + seconds) * SECOND;
        game.wait(all - 1);
        assert_eq!(game.take_events(), [""; 0]);
        game.wait(1);
        assert_eq!(game.take_events(), ["w-flag"]);
        assert!(game.side(Side::White).out_of_time, "{name}");
    }
}
