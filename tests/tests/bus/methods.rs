//! What is published for overtime, a gong, an hourglass and counting up, for a changed method, for
//! a set-back, and for a flag after which play goes on.

use super::*;
use clock_dbus::commands::{Method, Span};

/// Starts a game with this control file. Returns all transitions up to the first one with the cause
/// `last`, each with its state.
async fn play_until(fixture: &Fixture, control: &str, last: &str) -> Vec<(String, State)> {
    let clock = fixture.clock().await;
    let mut transitions = clock.receive_transition().await.unwrap();
    // The game before may still be under way.
    let file = Some(control.into());
    let game = NewGame { time_control_file: file, force: Some(true), ..NewGame::default() };
    let arbiter = fixture.arbiter().await;
    let revision =
        arbiter.new_game(game, fixture.state().await.revision, "").await.unwrap().revision;
    arbiter.start(revision, "").await.unwrap();
    let mut published = Vec::new();
    while published.last().is_none_or(|(cause, _)| cause != last) {
        let transition = transitions.next().await.unwrap();
        let args = transition.args().unwrap();
        published.push((args.cause.to_owned(), args.state.clone()));
    }
    published
}

fn causes(published: &[(String, State)]) -> Vec<&str> {
    published.iter().map(|(cause, _)| cause.as_str()).collect()
}

#[tokio::test]
async fn overtime_is_published_period_by_period_and_ends_with_the_final_flag() {
    let fixture = fixture(&[]).await;
    let mut flags = fixture.clock().await.receive_flag_fell().await.unwrap();
    let control = "name = 'b'\n[[period]]\ntime = '30ms'\n\
                   overtime = { periods = 2, time = '40ms', moves = 1 }\n";
    let published = play_until(&fixture, control, "flag").await;
    assert_eq!(causes(&published), ["new", "start", "overtime", "overtime", "flag"]);
    let start = published[1].1.at_nsec;
    for ((_, state), (after, left)) in published[2..4].iter().zip([(30, 2), (70, 1)]) {
        assert_eq!(state.at_nsec, start + after * 1_000_000);
        assert_eq!(state.white.remaining_nsec, 40_000_000);
        assert_eq!(
            (state.white.overtime_periods, state.white.overtime_moves),
            (Some(left), Some(1))
        );
        assert_eq!((state.black.overtime_periods, state.white.flag_nsec), (None, None));
        assert_eq!((state.revision, state.white.out_of_time), (published[1].1.revision, false));
    }
    let end = &published[4].1;
    assert_eq!((end.phase, end.white.out_of_time), (Phase::Ruling, true));
    assert_eq!((end.white.overtime_periods, end.revision), (Some(0), published[1].1.revision + 1));
    let flag = flags.next().await.unwrap();
    let flag = flag.args().unwrap();
    assert_eq!((flag.side, flag.at_nsec, flag.first), (Who::White, start + 110_000_000, true));
    let status = fixture.bench.status().unwrap();
    assert_eq!(status["white"]["overtime_periods"], 0);
    assert_eq!(status["white"]["out_of_time"], true);
}

#[tokio::test]
async fn a_gong_is_published_and_makes_no_command_stale() {
    let fixture = fixture(&[]).await;
    let published = play_until(&fixture, "name = 'g'\n[[period]]\ngong = '50ms'\n", "gong").await;
    assert_eq!(causes(&published), ["new", "start", "gong"]);
    let (start, gong) = (&published[1].1, &published[2].1);
    assert_eq!(gong.at_nsec, start.at_nsec + 50_000_000);
    assert_eq!((gong.running, gong.revision), (Who::Black, start.revision));
    assert_eq!(gong.white.remaining_nsec, 50_000_000);
    let arbiter = fixture.arbiter().await;
    let revision = arbiter.pause(None, start.revision, "").await.unwrap().revision;
    let refused = arbiter.undo_press(revision, "").await;
    assert!(matches!(&refused, Err(Error::RefusedByRules(m)) if m.contains("gong")), "{refused:?}");
}

#[tokio::test]
async fn a_flag_after_which_play_goes_on_is_not_final() {
    let fixture = fixture(&[]).await;
    let mut flags = fixture.clock().await.receive_flag_fell().await.unwrap();
    let control = "name = 'z'\nperiod_end = 'zero'\n[[period]]\ntime = '30ms'\n\
                   [[period]]\ntime = '90m'\n";
    let published = play_until(&fixture, control, "period").await;
    assert_eq!(causes(&published), ["new", "start", "flag", "period"]);
    for (_, state) in &published[2..] {
        assert_eq!((state.phase, state.white.period, state.black.period), (Phase::Running, 2, 2));
        assert!(state.white.flag_nsec > Some(0) && !state.white.out_of_time);
        assert_eq!((state.first_flag, state.white.overrun_nsec), (Who::Nobody, 0));
        assert!(state.revision > published[1].1.revision);
    }
    let flag = flags.next().await.unwrap();
    assert_eq!((flag.args().unwrap().period, flag.args().unwrap().first), (1, false));
    // The time of the second period runs down, and no overrun is counted.
    let now = fixture.bench.status().unwrap();
    assert!(now["white"]["remaining_ns"].as_u64().unwrap() < 5_400_000_000_000);
    assert_eq!(now["white"]["overrun_ns"], 0);
    assert_eq!(now["white"]["out_of_time"], false);
    let text = fixture.bench.ctl(&["status"]).unwrap().stdout;
    assert!(String::from_utf8(text).unwrap().contains("earlier period"));
}

#[tokio::test]
async fn a_set_back_pauses_after_its_press_and_notes_both_readings() {
    let fixture = fixture(&[]).await;
    let control = "name = 's'\nperiod_end = 'black-completes'\nset_back_pause = true\n\
                   [[period]]\nmoves = 1\ntime = '5m'\n[[period]]\ntime = '1m'\n";
    let published = play_until(&fixture, control, "start").await;
    let clock = fixture.clock().await;
    let mut transitions = clock.receive_transition().await.unwrap();
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("white").unwrap();
    buttons.press("black").unwrap();
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let transition = transitions.next().await.unwrap();
        let args = transition.args().unwrap();
        seen.push((args.cause.to_owned(), args.state.clone()));
    }
    assert_eq!(causes(&seen), ["press", "press", "set-back"]);
    let state = &seen[2].1;
    assert_eq!((state.phase, state.on_move), (Phase::Paused, Who::White));
    assert_eq!((state.white.period, state.black.period), (2, 2));
    assert_eq!(State { sequence: state.sequence, ..seen[1].1.clone() }, *state);
    assert_eq!(seen[1].1.sequence + 1, state.sequence);
    assert_eq!(state.revision, published.last().unwrap().1.revision + 1);
    let line = fixture.bench.logged("set back: both clocks stand");
    let readings = format!("white_nsec={}", state.white.remaining_nsec);
    assert!(line.contains(&readings), "{line}");
}

#[tokio::test]
async fn an_hourglass_and_a_count_up_say_how_their_numbers_change() {
    let fixture = fixture(&[]).await;
    let published =
        play_until(&fixture, "name = 'h'\n[[period]]\ntime = '3m'\nhourglass = true\n", "start");
    let state = published.await.pop().unwrap().1;
    assert_eq!(state.counting, clock_dbus::Counting::Hourglass);
    let now = fixture.bench.status().unwrap();
    let sides = ["white", "black"].map(|side| now[side]["remaining_ns"].as_u64().unwrap());
    assert!(sides[1] > 180_000_000_000, "{sides:?}");
    assert_eq!(sides[0] + sides[1], 360_000_000_000);
    let revision = state.revision;
    fixture.arbiter().await.pause(None, revision, "").await.unwrap();
    let published =
        play_until(&fixture, "name = 'u'\n[[period]]\ncount_up = true\n", "start").await;
    let state = &published.last().unwrap().1;
    assert_eq!((state.counting, state.white.limit_nsec), (clock_dbus::Counting::Up, None));
    assert!(fixture.bench.status().unwrap()["white"]["remaining_ns"].as_u64().unwrap() > 0);
    fixture.arbiter().await.pause(None, state.revision, "").await.unwrap();
    let limited = "name = 'l'\n[[period]]\ncount_up = true\nlimit = '2h'\n";
    let published = play_until(&fixture, limited, "start").await;
    let state = &published.last().unwrap().1;
    assert_eq!([state.white.limit_nsec, state.black.limit_nsec], [Some(7_200_000_000_000); 2]);
    let status = fixture.bench.status().unwrap();
    let limits = ["white", "black"].map(|side| &status[side]["limit_ns"]);
    assert_eq!(limits, [7_200_000_000_000_u64; 2]);
}

#[tokio::test]
async fn a_changed_method_is_published_with_the_control_that_the_game_began_with() {
    let fixture = fixture(&[]).await;
    let (clock, arbiter) = (fixture.clock().await, fixture.arbiter().await);
    let game = |force| NewGame {
        time_control: Some("blitz-3-2".into()),
        rules: Some("fide-2023".into()),
        force: Some(force),
        ..NewGame::default()
    };
    let revision = fixture.state().await.revision;
    let ready = arbiter.new_game(game(false), revision, "").await.unwrap().revision;
    assert_eq!(fixture.state().await.changed_method, "");
    for (revision, (method, nsec, words)) in (ready..).zip([
        (Method::Increment, 30_000_000_000, "30 s a move"),
        (Method::Delay, 5_000_000_000, "5 s delay a move"),
        (Method::None, 0, "no added time"),
    ]) {
        let amount = Span::from_nanos(nsec);
        arbiter.change_method(method, amount, false, revision, "").await.unwrap();
        let state = fixture.state().await;
        assert_eq!(
            (state.time_control.as_str(), state.changed_method.as_str()),
            ("blitz-3-2", words)
        );
        let (name, file, changed, notation) = clock.get_time_control().await.unwrap();
        assert_eq!((name.as_str(), changed.as_str()), ("blitz-3-2", words));
        assert_eq!(notation, "3+2", "as players write it");
        assert!(file.contains("2s"), "{file}");
        let status = fixture.bench.status().unwrap();
        assert_eq!(
            (&status["control"], &status["changed_method"]),
            (&"blitz-3-2".into(), &words.into())
        );
        let text = String::from_utf8(fixture.bench.ctl(&["status"]).unwrap().stdout).unwrap();
        assert!(text.contains(&format!("control   blitz-3-2, now {words}\n")), "{text}");
    }
    let revision = fixture.state().await.revision;
    arbiter.new_game(game(true), revision, "").await.unwrap();
    assert_eq!(fixture.state().await.changed_method, "");
}
