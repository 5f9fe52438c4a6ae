//! The arbiter's commands that change a game: new games, corrections, results, undone presses.

use super::*;
use clock_dbus::commands::{Outcome, Side};

#[tokio::test]
async fn new_takes_the_names_and_the_control_in_one_step() {
    let fixture = fixture(&[]).await;
    let game = NewGame {
        time_control: Some("blitz-5-3".into()),
        white_player: Some("Vera Menchik".into()),
        ..NewGame::default()
    };
    fixture.arbiter().await.new_game(game, 1, "round 1").await.unwrap();
    let state = fixture.state().await;
    assert_eq!(state.time_control, "blitz-5-3");
    assert_eq!(state.white.player, "Vera Menchik");
    // FIDE C.02, the standards for equipment, tests that 5+3 starts at 5:03.
    assert_eq!(state.white.remaining_nsec, 303_000_000_000);
    let (name, text, ..) = fixture.clock().await.get_time_control().await.unwrap();
    assert_eq!(name, "blitz-5-3");
    // The time control that is not given stays. A name that is not given is empty.
    let again = NewGame { black_player: Some("Sonja Graf".into()), ..NewGame::default() };
    fixture.arbiter().await.new_game(again, 2, "round 2").await.unwrap();
    let state = fixture.state().await;
    let names = (state.white.player.as_str(), state.black.player.as_str());
    assert_eq!(names, ("", "Sonja Graf"));
    assert_eq!(state.time_control, "blitz-5-3");
    assert!(text.contains("increment = \"3s\""), "{text}");
}

#[tokio::test]
async fn new_over_a_game_under_way_needs_force() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let arbiter = fixture.arbiter().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    // In the phase ready nothing has been played, so a new game replaces nothing.
    assert_eq!(arbiter.new_game(NewGame::default(), 1, "").await.unwrap().revision, 2);
    buttons.press("black").unwrap();
    buttons.press("white").unwrap();
    let running = arbiter.new_game(NewGame::default(), 3, "").await;
    assert!(matches!(&running, Err(Error::GameUnderWay(_))), "{running:?}");
    assert_eq!(arbiter.pause(None, 3, "").await.unwrap().revision, 4);
    let paused = fixture.state().await;
    for force in [None, Some(false)] {
        let game = NewGame { force, black_player: Some("Nobody".into()), ..NewGame::default() };
        let refused = arbiter.new_game(game, 4, "").await;
        assert!(
            matches!(&refused, Err(Error::GameUnderWay(m))
                if m.contains("White 1 move and 0:0") && m.contains("result first")),
            "{refused:?}"
        );
        assert_eq!(fixture.state().await, paused);
    }
    let game = NewGame { force: Some(true), ..NewGame::default() };
    assert_eq!(arbiter.new_game(game, 4, "wrong pairing").await.unwrap().revision, 5);
    let ready = fixture.state().await;
    assert_eq!((ready.phase, ready.white.moves), (Phase::Ready, 0));
    // After a result the game is over, so a new game replaces nothing.
    assert_eq!(arbiter.start(5, "").await.unwrap().revision, 6);
    assert_eq!(arbiter.result(Outcome::WhiteWins, 6, "").await.unwrap().revision, 7);
    assert_eq!(arbiter.new_game(NewGame::default(), 7, "").await.unwrap().revision, 8);
}

#[tokio::test]
async fn an_overtime_is_corrected_and_owed_time_is_published() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    let control = "name = 'x'\nperiod_end = 'black-completes'\n[[period]]\nmoves = 1\ntime = '1h'\n\
                   [[period]]\ntime = '1m'\n\
                   overtime = { periods = 3, time = '30s', moves = 2 }\n";
    let game = NewGame { time_control_file: Some(control.into()), ..NewGame::default() };
    assert_eq!(arbiter.new_game(game, 1, "").await.unwrap().revision, 2);
    let left = Corrections {
        white_period: Some(2),
        white_overtime_periods: Some(2),
        white_overtime_moves: Some(1),
        black_period: Some(2),
        black_overtime_moves: Some(1),
        ..Corrections::default()
    };
    assert_eq!(arbiter.set(left, 2, "").await.unwrap().revision, 3);
    let state = fixture.state().await;
    assert_eq!((state.white.overtime_periods, state.white.overtime_moves), (Some(2), Some(1)));
    assert_eq!((state.black.overtime_periods, state.black.overtime_moves), (Some(3), Some(1)));
    assert_eq!((state.white.owed_nsec, state.black.owed_nsec), (0, 0));
    for (period, periods, part) in
        [(None, Some(4), "1 to 3"), (Some(1), Some(1), "period 1 has no overtime")]
    {
        let wrong = Corrections {
            white_period: period,
            white_overtime_periods: periods,
            ..Corrections::default()
        };
        let refused = arbiter.set(wrong, 3, "").await;
        assert!(
            matches!(&refused, Err(Error::InvalidArgument(m)) if m.contains(part)),
            "{refused:?}"
        );
    }

    // White has only 1 ns left when Black's press sets both clocks back. Then the press is taken
    // back.
    let back =
        Corrections { white_period: Some(1), black_period: Some(1), ..Corrections::default() };
    assert_eq!(arbiter.set(back, 3, "").await.unwrap().revision, 4);
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    buttons.press("white").unwrap();
    assert_eq!(arbiter.pause(None, 5, "").await.unwrap().revision, 6);
    let time = Corrections { white_time_nsec: Some(1), ..Corrections::default() };
    assert_eq!(arbiter.set(time, 6, "").await.unwrap().revision, 7);
    assert_eq!(arbiter.resume(None, 7, "").await.unwrap().revision, 8);
    let press = buttons.press("black").unwrap();
    assert_eq!(arbiter.pause(None, 8, "").await.unwrap().revision, 9);
    let used = fixture.state().await.at_nsec - press;
    assert_eq!(arbiter.undo_press(9, "").await.unwrap().revision, 10);
    let state = fixture.state().await;
    assert_eq!((state.white.period, state.white.remaining_nsec), (1, 0));
    assert_eq!((state.white.owed_nsec, state.black.owed_nsec), (used - 1, 0));
    assert_eq!(arbiter.add(Side::White, 1, 10, "").await.unwrap().revision, 11);
    assert_eq!(fixture.state().await.white.owed_nsec, 0);
}

#[tokio::test]
async fn a_result_is_taken_back_and_the_game_goes_on() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let arbiter = fixture.arbiter().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    let early = arbiter.reopen(2, "").await;
    assert!(
        matches!(&early, Err(Error::RefusedByRules(m)) if m.contains("Handbook 5.1")),
        "{early:?}"
    );
    assert_eq!(arbiter.result(Outcome::WhiteWins, 2, "wrong board").await.unwrap().revision, 3);
    let over = fixture.state().await;
    assert_eq!(arbiter.reopen(3, "it was board 7").await.unwrap().revision, 4);
    let open = fixture.state().await;
    assert_eq!((open.phase, open.result.as_str()), (Phase::Paused, ""));
    assert_eq!(open.white.remaining_nsec, over.white.remaining_nsec);
    assert_eq!(arbiter.resume(None, 4, "").await.unwrap().revision, 5);
    assert_eq!(fixture.state().await.running, Who::White);
}

#[tokio::test]
async fn time_is_added_and_presses_are_taken_back() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let arbiter = fixture.arbiter().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    let start = buttons.press("black").unwrap();
    let running = arbiter.add(Side::White, 1, 2, "").await;
    assert!(matches!(&running, Err(Error::NotPaused(_))), "{running:?}");
    let press = buttons.press("white").unwrap();
    assert_eq!(arbiter.pause(None, 2, "").await.unwrap().revision, 3);
    let paused = fixture.state().await;

    let stale = arbiter.undo_press(2, "").await;
    assert!(matches!(&stale, Err(Error::StaleRevision(_))), "{stale:?}");
    assert_eq!(fixture.state().await, paused);
    assert_eq!(arbiter.undo_press(3, "bumped").await.unwrap().revision, 4);
    let undone = fixture.state().await;
    assert_eq!((undone.phase, undone.on_move, undone.white.moves), (Phase::Paused, Who::White, 0));
    assert_eq!(undone.white.remaining_nsec, 182_000_000_000 - (press - start));
    // When the press is taken back, Black does not get back the time that was used since.
    assert_eq!(undone.black.remaining_nsec, paused.black.remaining_nsec);
    let again = arbiter.undo_press(4, "").await;
    assert!(matches!(&again, Err(Error::RefusedByRules(m)) if m.contains("last one")), "{again:?}");

    let stale = arbiter.add(Side::Black, 1, 3, "").await;
    assert!(matches!(&stale, Err(Error::StaleRevision(_))), "{stale:?}");
    assert_eq!(arbiter.add(Side::Black, 120_000_000_000, 4, "noise").await.unwrap().revision, 5);
    assert_eq!(arbiter.add(Side::White, -30_000_000_000, 5, "").await.unwrap().revision, 6);
    let added = fixture.state().await;
    assert_eq!(added.black.remaining_nsec, undone.black.remaining_nsec + 120_000_000_000);
    assert_eq!(added.white.remaining_nsec, undone.white.remaining_nsec - 30_000_000_000);
    let cut = arbiter.add(Side::White, -182_000_000_000, 6, "").await;
    assert!(
        matches!(&cut, Err(Error::RefusedByRules(m)) if m.contains("Handbook 13.4")),
        "{cut:?}"
    );
    for (side, delta) in [("", 1), ("arbiter", 1), ("white", 0), ("white", i64::MAX)] {
        let body = (side, delta, 6_u64, "");
        let refused =
            arbiter.inner().call::<_, _, Completed>("Add", &body).await.map_err(Error::from);
        assert!(
            matches!(&refused, Err(Error::InvalidArgument(_))),
            "{side:?} {delta}: {refused:?}"
        );
    }
    let smallest = arbiter.add(Side::White, i64::MIN, 6, "").await;
    assert!(matches!(&smallest, Err(Error::RefusedByRules(_))), "{smallest:?}");
    assert_eq!(fixture.state().await, added);
}

#[tokio::test]
async fn set_explains_the_number_that_bronstein_shows() {
    let bench = Bench::new().unwrap();
    let file = bench.folder().join("b.toml");
    std::fs::write(&file, "name = 'B'\n[[period]]\ntime = '5m'\nbronstein = '10s'\n").unwrap();
    let fixture = fixture_on(bench, &["--control", file.to_str().unwrap()]).await;
    let output = fixture.bench.ctl(&["set", "--white-time", "4m"]).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("White shows 0:04:10.0: 0:00:10.0 of the delay is in it"), "{text}");
}
