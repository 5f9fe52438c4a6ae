//! The D-Bus interfaces of a running `clockd`, called and observed by a client.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use clock_dbus::{ArbiterProxy, ClockProxy, Corrections, Error, NewGame, Phase, State, Who};
use clock_tests::{Bench, Program};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::time::Duration;
use zbus::message::Type;
use zbus::{Connection, MatchRule, MessageStream, OwnedVariant, connection};

/// A clock on a private bus, and a client of it.
struct Fixture {
    bench: Bench,
    bus: Program,
    _clockd: Program,
    connection: Connection,
}

async fn fixture(arguments: &[&str]) -> Fixture {
    fixture_on(Bench::new().unwrap(), arguments).await
}

async fn fixture_on(bench: Bench, arguments: &[&str]) -> Fixture {
    let bus = bench.bus().unwrap();
    let clockd = bench.clockd(arguments).unwrap();
    let connection = connection::Builder::address(bench.address().as_str())
        .method_timeout(Duration::from_secs(10))
        .build()
        .await
        .unwrap();
    Fixture { bench, bus, _clockd: clockd, connection }
}

impl Fixture {
    async fn clock(&self) -> ClockProxy<'_> {
        ClockProxy::new(&self.connection).await.unwrap()
    }

    async fn arbiter(&self) -> ArbiterProxy<'_> {
        ArbiterProxy::new(&self.connection).await.unwrap()
    }

    async fn state(&self) -> State {
        self.clock().await.get_state().await.unwrap()
    }
}

#[tokio::test]
async fn all_changes_come_in_one_properties_changed_then_the_transition() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let rule = MatchRule::builder().msg_type(Type::Signal).path(clock_dbus::PATH).build().unwrap();
    let mut signals = MessageStream::for_match_rule(rule, &fixture.connection, None).await.unwrap();
    let mut buttons = fixture.bench.buttons().unwrap();
    let start = buttons.press("black").unwrap();
    let press = buttons.press("white").unwrap();

    let mut names = Vec::new();
    let mut last = HashMap::<String, OwnedVariant>::new();
    for _ in 0..4 {
        let message = signals.next().await.unwrap().unwrap();
        let header = message.header();
        names.push(header.member().unwrap().to_string());
        if names.last().unwrap() == "PropertiesChanged" {
            let body = message.body();
            let (interface, changed, gone): (String, HashMap<String, OwnedVariant>, Vec<String>) =
                body.deserialize().unwrap();
            assert_eq!((interface.as_str(), gone.len()), (clock_dbus::CLOCK_INTERFACE, 0));
            last = changed;
        }
    }
    assert_eq!(names, ["PropertiesChanged", "Transition", "PropertiesChanged", "Transition"]);
    let mut changed: Vec<&str> = last.keys().map(String::as_str).collect();
    changed.sort_unstable();
    // A completed move does not change the revision, so that it makes no arbiter's command stale.
    let expected = ["AtNSec", "OnMove", "Running", "WhiteMoves", "WhiteRemainingNSec"];
    assert_eq!(changed, expected);
    let left: u64 = last["WhiteRemainingNSec"].clone().try_into().unwrap();
    assert_eq!(left, 182_000_000_000 - (press - start) + 2_000_000_000);
}

#[tokio::test]
async fn properties_and_get_state_are_the_same_thing() {
    let fixture = fixture(&["--control", "us-g60-d5"]).await;
    fixture.bench.buttons().unwrap().press("black").unwrap();
    let properties = zbus::fdo::PropertiesProxy::builder(&fixture.connection)
        .destination(clock_dbus::SERVICE)
        .path(clock_dbus::PATH)
        .build()
        .await
        .unwrap();
    let interface = clock_dbus::CLOCK_INTERFACE.try_into().unwrap();
    let mut all = properties.get_all(interface).await.unwrap();
    all.remove("Version");
    let state = fixture.connection.call_method(
        Some(clock_dbus::SERVICE),
        clock_dbus::PATH,
        Some(clock_dbus::CLOCK_INTERFACE),
        "GetState",
        &(),
    );
    let state: HashMap<String, OwnedVariant> = state.await.unwrap().body().deserialize().unwrap();
    assert_eq!(all, state);
    assert_eq!(fixture.state().await.white_delay_nsec, 5_000_000_000);
}

#[tokio::test]
async fn a_stale_revision_is_refused_and_changes_nothing() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    let before = fixture.state().await;
    let refused = arbiter.start(before.revision + 1, "").await;
    assert!(
        matches!(&refused, Err(Error::StaleRevision(m)) if m.contains("it is at 1 now")),
        "{refused:?}"
    );
    assert_eq!(fixture.state().await, before);
    assert_eq!(arbiter.start(before.revision, "").await.unwrap(), before.revision + 1);
}

#[tokio::test]
async fn every_refusal_has_its_name_and_its_clause() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    let refused = arbiter.resume(Who::Nobody, 1, "").await;
    assert!(matches!(&refused, Err(Error::NotPaused(m)) if m.contains("S4 6.13")), "{refused:?}");
    let refused = arbiter.pause(Who::Arbiter, 1, "").await;
    assert!(matches!(&refused, Err(Error::NotRunning(m)) if m.contains("S4 6.13")), "{refused:?}");
    let refused = arbiter.result("2-0", 1, "").await;
    assert!(
        matches!(&refused, Err(Error::InvalidArgument(m)) if m.contains("1/2-1/2")),
        "{refused:?}"
    );
    let nobody = Corrections { on_move: Some(Who::Nobody), ..Corrections::default() };
    for nothing in [Corrections::default(), nobody] {
        let refused = arbiter.set(nothing, 1, "").await;
        assert!(matches!(&refused, Err(Error::InvalidArgument(_))), "{refused:?}");
    }
    let black = Corrections { on_move: Some(Who::Black), ..Corrections::default() };
    let refused = arbiter.set(black, 1, "").await;
    assert!(
        matches!(&refused, Err(Error::RefusedByRules(m)) if m.contains("S4 6.5")),
        "{refused:?}"
    );
    let period = Corrections { white_period: Some(9), ..Corrections::default() };
    let refused = arbiter.set(period, 1, "").await;
    assert!(
        matches!(&refused, Err(Error::InvalidArgument(m)) if m.contains("1 to 2")),
        "{refused:?}"
    );
    let unknown = NewGame { time_control: Some("fide".into()), ..NewGame::default() };
    let refused = arbiter.new_game(unknown, 1, "").await;
    assert!(
        matches!(&refused, Err(Error::InvalidControl(m)) if m.contains("fide-standard")),
        "{refused:?}"
    );
    let broken = NewGame {
        time_control_file: Some("name = 'x'\n[[period]]\ntime = '-5m'\n".into()),
        ..NewGame::default()
    };
    let refused = arbiter.new_game(broken, 1, "").await;
    assert!(
        matches!(&refused, Err(Error::InvalidControl(m)) if m.contains(":3:") && m.contains("negative")),
        "{refused:?}"
    );
    assert_eq!(arbiter.start(1, "").await.unwrap(), 2);
    let refused = arbiter.start(2, "").await;
    assert!(matches!(&refused, Err(Error::NotReady(_))), "{refused:?}");
    let refused = arbiter.new_game(NewGame::default(), 2, "").await;
    assert!(matches!(&refused, Err(Error::GameUnderWay(_))), "{refused:?}");
    assert_eq!(arbiter.result("1-0", 2, "").await.unwrap(), 3);
    let refused = arbiter.resume(Who::Nobody, 3, "").await;
    assert!(matches!(&refused, Err(Error::GameOver(_))), "{refused:?}");
}

#[tokio::test]
async fn nothing_sent_over_the_bus_breaks_the_clock() {
    let fixture = fixture(&[]).await;
    let huge = "x".repeat(1 << 20);
    let call = |member: &'static str, body: zbus::Structure<'static>| {
        let connection = fixture.connection.clone();
        async move {
            let called = connection.call_method(
                Some(clock_dbus::SERVICE),
                clock_dbus::PATH,
                Some(clock_dbus::ARBITER_INTERFACE),
                member,
                &body,
            );
            called.await.expect_err("refused").to_string()
        }
    };
    call("Start", zbus::Structure::from((1_u64, huge.clone()))).await;
    call("Start", zbus::Structure::from((1_u32, 1_u32))).await;
    call("Start", zbus::Structure::from((u64::MAX, "\u{0001}\u{10FFFF}".to_owned()))).await;
    call("Pause", zbus::Structure::from(("nobody at all".to_owned(), 1_u64, String::new()))).await;
    call("Result", zbus::Structure::from((huge.clone(), 1_u64, String::new()))).await;
    call("Press", zbus::Structure::from(("white".to_owned(),))).await;
    let unknown: HashMap<String, zbus::Variant<'static>> =
        [("WhiteTime".to_owned(), zbus::Variant::from(5_u64))].into();
    let error = call("Set", zbus::Structure::from((unknown, 1_u64, String::new()))).await;
    assert!(error.contains("WhiteTime") && error.contains("WhiteTimeNSec"), "{error}");
    let game = NewGame { white_player: Some(huge), ..NewGame::default() };
    let refused = fixture.arbiter().await.new_game(game, 1, "").await;
    assert!(matches!(&refused, Err(Error::InvalidArgument(_))), "{refused:?}");
    let state = fixture.state().await;
    assert_eq!((state.revision, state.phase), (1, Phase::Ready));
}

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
    assert_eq!(state.white_player, "Vera Menchik");
    // FIDE C.02 tests that 5+3 starts at 5:03.
    assert_eq!(state.white_remaining_nsec, 303_000_000_000);
    let (name, text) = fixture.clock().await.get_time_control().await.unwrap();
    assert_eq!(name, "blitz-5-3");
    // Fields that are not given keep their values.
    let again = NewGame { black_player: Some("Sonja Graf".into()), ..NewGame::default() };
    fixture.arbiter().await.new_game(again, 2, "round 2").await.unwrap();
    let state = fixture.state().await;
    let names = (state.white_player.as_str(), state.black_player.as_str());
    assert_eq!(names, ("Vera Menchik", "Sonja Graf"));
    assert_eq!(state.time_control, "blitz-5-3");
    assert!(text.contains("increment = \"3s\""), "{text}");
}

#[tokio::test]
async fn new_over_a_game_under_way_needs_force() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let arbiter = fixture.arbiter().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    // Ready, with nothing played: nothing is lost.
    assert_eq!(arbiter.new_game(NewGame::default(), 1, "").await.unwrap(), 2);
    buttons.press("black").unwrap();
    buttons.press("white").unwrap();
    let running = arbiter.new_game(NewGame::default(), 3, "").await;
    assert!(matches!(&running, Err(Error::GameUnderWay(_))), "{running:?}");
    assert_eq!(arbiter.pause(Who::Arbiter, 3, "").await.unwrap(), 4);
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
    assert_eq!(arbiter.new_game(game, 4, "wrong pairing").await.unwrap(), 5);
    let ready = fixture.state().await;
    assert_eq!((ready.phase, ready.white_moves), (Phase::Ready, 0));
    // A result ends a game: nothing is lost by a new one.
    assert_eq!(arbiter.start(5, "").await.unwrap(), 6);
    assert_eq!(arbiter.result("1-0", 6, "").await.unwrap(), 7);
    assert_eq!(arbiter.new_game(NewGame::default(), 7, "").await.unwrap(), 8);
}

#[tokio::test]
async fn an_overtime_is_corrected_and_owed_time_is_published() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    let control = "name = 'x'\nadvance = 'black-completes'\n[[period]]\nmoves = 1\ntime = '1h'\n\
                   [[period]]\ntime = '1m'\n\
                   overtime = { periods = 3, time = '30s', moves = 2 }\n";
    let game = NewGame { time_control_file: Some(control.into()), ..NewGame::default() };
    assert_eq!(arbiter.new_game(game, 1, "").await.unwrap(), 2);
    let left = Corrections {
        white_period: Some(2),
        white_overtime_periods: Some(2),
        white_overtime_moves: Some(1),
        black_period: Some(2),
        black_overtime_moves: Some(1),
        ..Corrections::default()
    };
    assert_eq!(arbiter.set(left, 2, "").await.unwrap(), 3);
    let state = fixture.state().await;
    assert_eq!((state.white_overtime_periods, state.white_overtime_moves), (2, 1));
    assert_eq!((state.black_overtime_periods, state.black_overtime_moves), (3, 1));
    assert_eq!((state.white_owed_nsec, state.black_owed_nsec), (0, 0));
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

    // White has 1 ns of its own when Black's press sets both back, and the press is taken back.
    let back =
        Corrections { white_period: Some(1), black_period: Some(1), ..Corrections::default() };
    assert_eq!(arbiter.set(back, 3, "").await.unwrap(), 4);
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    buttons.press("white").unwrap();
    assert_eq!(arbiter.pause(Who::Arbiter, 5, "").await.unwrap(), 6);
    let time = Corrections { white_time_nsec: Some(1), ..Corrections::default() };
    assert_eq!(arbiter.set(time, 6, "").await.unwrap(), 7);
    assert_eq!(arbiter.resume(Who::Nobody, 7, "").await.unwrap(), 8);
    let press = buttons.press("black").unwrap();
    assert_eq!(arbiter.pause(Who::Arbiter, 8, "").await.unwrap(), 9);
    let used = fixture.state().await.at_nsec - press;
    assert_eq!(arbiter.undo_press(9, "").await.unwrap(), 10);
    let state = fixture.state().await;
    assert_eq!((state.white_period, state.white_remaining_nsec), (1, 0));
    assert_eq!((state.white_owed_nsec, state.black_owed_nsec), (used - 1, 0));
    assert_eq!(arbiter.add_time(Who::White, 1, 10, "").await.unwrap(), 11);
    assert_eq!(fixture.state().await.white_owed_nsec, 0);
}

#[tokio::test]
async fn a_result_is_taken_back_and_the_game_goes_on() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let arbiter = fixture.arbiter().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    let early = arbiter.reopen(2, "").await;
    assert!(matches!(&early, Err(Error::RefusedByRules(m)) if m.contains("S0 5.1")), "{early:?}");
    assert_eq!(arbiter.result("1-0", 2, "wrong board").await.unwrap(), 3);
    let over = fixture.state().await;
    assert_eq!(arbiter.reopen(3, "it was board 7").await.unwrap(), 4);
    let open = fixture.state().await;
    assert_eq!((open.phase, open.result.as_str()), (Phase::Paused, ""));
    assert_eq!(open.white_remaining_nsec, over.white_remaining_nsec);
    assert_eq!(arbiter.resume(Who::Nobody, 4, "").await.unwrap(), 5);
    assert_eq!(fixture.state().await.running, Who::White);
}

#[tokio::test]
async fn time_is_added_and_presses_are_taken_back() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let arbiter = fixture.arbiter().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    let start = buttons.press("black").unwrap();
    let running = arbiter.add_time(Who::White, 1, 2, "").await;
    assert!(matches!(&running, Err(Error::NotPaused(_))), "{running:?}");
    let press = buttons.press("white").unwrap();
    assert_eq!(arbiter.pause(Who::Arbiter, 2, "").await.unwrap(), 3);
    let paused = fixture.state().await;

    let stale = arbiter.undo_press(2, "").await;
    assert!(matches!(&stale, Err(Error::StaleRevision(_))), "{stale:?}");
    assert_eq!(fixture.state().await, paused);
    assert_eq!(arbiter.undo_press(3, "bumped").await.unwrap(), 4);
    let undone = fixture.state().await;
    assert_eq!((undone.phase, undone.on_move, undone.white_moves), (Phase::Paused, Who::White, 0));
    assert_eq!(undone.white_remaining_nsec, 182_000_000_000 - (press - start));
    // Black does not get back the time that was used.
    assert_eq!(undone.black_remaining_nsec, paused.black_remaining_nsec);
    let again = arbiter.undo_press(4, "").await;
    assert!(matches!(&again, Err(Error::RefusedByRules(m)) if m.contains("last one")), "{again:?}");

    let stale = arbiter.add_time(Who::Black, 1, 3, "").await;
    assert!(matches!(&stale, Err(Error::StaleRevision(_))), "{stale:?}");
    assert_eq!(arbiter.add_time(Who::Black, 120_000_000_000, 4, "noise").await.unwrap(), 5);
    assert_eq!(arbiter.add_time(Who::White, -30_000_000_000, 5, "").await.unwrap(), 6);
    let added = fixture.state().await;
    assert_eq!(added.black_remaining_nsec, undone.black_remaining_nsec + 120_000_000_000);
    assert_eq!(added.white_remaining_nsec, undone.white_remaining_nsec - 30_000_000_000);
    let cut = arbiter.add_time(Who::White, -182_000_000_000, 6, "").await;
    assert!(matches!(&cut, Err(Error::RefusedByRules(m)) if m.contains("S0 13.4")), "{cut:?}");
    for (side, delta) in
        [(Who::Nobody, 1), (Who::Arbiter, 1), (Who::White, 0), (Who::White, i64::MAX)]
    {
        let refused = arbiter.add_time(side, delta, 6, "").await;
        assert!(
            matches!(&refused, Err(Error::InvalidArgument(_))),
            "{side:?} {delta}: {refused:?}"
        );
    }
    let smallest = arbiter.add_time(Who::White, i64::MIN, 6, "").await;
    assert!(matches!(&smallest, Err(Error::RefusedByRules(_))), "{smallest:?}");
    assert_eq!(fixture.state().await, added);
}

/// Starts a game with this control file. Returns all transitions up to the first one with the cause
/// `last`, each with its state.
async fn play_until(fixture: &Fixture, control: &str, last: &str) -> Vec<(String, State)> {
    let clock = fixture.clock().await;
    let mut transitions = clock.receive_transition().await.unwrap();
    // The game before may still be under way.
    let file = Some(control.into());
    let game = NewGame { time_control_file: file, force: Some(true), ..NewGame::default() };
    let arbiter = fixture.arbiter().await;
    let revision = arbiter.new_game(game, fixture.state().await.revision, "").await.unwrap();
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
        assert_eq!(state.white_remaining_nsec, 40_000_000);
        assert_eq!((state.white_overtime_periods, state.white_overtime_moves), (left, 1));
        assert_eq!((state.black_overtime_periods, state.white_flag_nsec), (-1, -1));
        assert_eq!((state.revision, state.white_out_of_time), (published[1].1.revision, false));
    }
    let end = &published[4].1;
    assert_eq!((end.phase, end.white_out_of_time), (Phase::Ruling, true));
    assert_eq!((end.white_overtime_periods, end.revision), (0, published[1].1.revision + 1));
    let flag = flags.next().await.unwrap();
    let flag = flag.args().unwrap();
    assert_eq!((flag.side, flag.at_nsec, flag.first), (Who::White, start + 110_000_000, true));
    let status = fixture.bench.status().unwrap();
    assert_eq!(status["white"]["overtime"]["periods_left"], 0);
    assert_eq!(status["out_of_time"]["white"], true);
}

#[tokio::test]
async fn a_gong_is_published_and_makes_no_command_stale() {
    let fixture = fixture(&[]).await;
    let published = play_until(&fixture, "name = 'g'\n[[period]]\ngong = '50ms'\n", "gong").await;
    assert_eq!(causes(&published), ["new", "start", "gong"]);
    let (start, gong) = (&published[1].1, &published[2].1);
    assert_eq!(gong.at_nsec, start.at_nsec + 50_000_000);
    assert_eq!((gong.running, gong.revision), (Who::Black, start.revision));
    assert_eq!(gong.white_remaining_nsec, 50_000_000);
    let arbiter = fixture.arbiter().await;
    let revision = arbiter.pause(Who::Arbiter, start.revision, "").await.unwrap();
    let refused = arbiter.undo_press(revision, "").await;
    assert!(matches!(&refused, Err(Error::RefusedByRules(m)) if m.contains("gong")), "{refused:?}");
}

#[tokio::test]
async fn a_flag_after_which_play_goes_on_is_not_final() {
    let fixture = fixture(&[]).await;
    let mut flags = fixture.clock().await.receive_flag_fell().await.unwrap();
    let control = "name = 'z'\nadvance = 'zero'\n[[period]]\ntime = '30ms'\n\
                   [[period]]\ntime = '90m'\n";
    let published = play_until(&fixture, control, "period").await;
    assert_eq!(causes(&published), ["new", "start", "flag", "period"]);
    for (_, state) in &published[2..] {
        assert_eq!((state.phase, state.white_period, state.black_period), (Phase::Running, 2, 2));
        assert!(state.white_flag_nsec > 0 && !state.white_out_of_time);
        assert_eq!((state.first_flag, state.white_overrun_nsec), (Who::Nobody, 0));
        assert!(state.revision > published[1].1.revision);
    }
    let flag = flags.next().await.unwrap();
    assert_eq!((flag.args().unwrap().period, flag.args().unwrap().first), (1, false));
    // The time of the second period runs down, and no overrun is counted.
    let now = fixture.bench.status().unwrap();
    assert!(now["white"]["remaining_ns"].as_u64().unwrap() < 5_400_000_000_000);
    assert_eq!(now["white"]["overrun_ns"], 0);
    assert_eq!(now["out_of_time"]["white"], false);
    let text = fixture.bench.ctl(&["status"]).unwrap().stdout;
    assert!(String::from_utf8(text).unwrap().contains("earlier period"));
}

#[tokio::test]
async fn a_set_back_pauses_after_its_press_and_notes_both_readings() {
    let fixture = fixture(&[]).await;
    let control = "name = 's'\nadvance = 'black-completes'\nset_back_pause = true\n\
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
    assert_eq!((state.white_period, state.black_period), (2, 2));
    assert_eq!(seen[1].1, *state);
    assert_eq!(state.revision, published.last().unwrap().1.revision + 1);
    let log = fixture.bench.log();
    let readings = format!("white_nsec={}", state.white_remaining_nsec);
    assert!(log.contains("set back") && log.contains(&readings), "{log}");
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
    fixture.arbiter().await.pause(Who::Arbiter, revision, "").await.unwrap();
    let published =
        play_until(&fixture, "name = 'u'\n[[period]]\ncount_up = true\n", "start").await;
    assert_eq!(published.last().unwrap().1.counting, clock_dbus::Counting::Up);
    assert!(fixture.bench.status().unwrap()["white"]["remaining_ns"].as_u64().unwrap() > 0);
}

/// A debounce so short that presses can follow each other every 100 µs.
const FAST: &str = "[debounce]\nsettle = '10us'\ngap = '10us'\nrelease = '10us'\n";

#[tokio::test]
async fn a_bus_that_hangs_does_not_stop_the_clock_and_catches_up() {
    let bench = Bench::new().unwrap();
    bench.configure(FAST).unwrap();
    let fixture = fixture_on(bench, &["--control", "blitz-3-2"]).await;
    let clock = fixture.clock().await;
    let mut transitions = clock.receive_transition().await.unwrap();
    let mut buttons = fixture.bench.buttons().unwrap();
    let mut stamp = buttons.tap("black").unwrap();
    fixture.bus.signal(rustix::process::Signal::STOP).unwrap();
    // Far more signals than the socket of the bus and the queue can hold.
    let mut charged = 0;
    for _ in 0..1000 {
        let white = buttons.tap("white").unwrap();
        stamp = buttons.tap("black").unwrap();
        charged += stamp - white;
    }
    fixture.bus.signal(rustix::process::Signal::CONT).unwrap();
    let seen = loop {
        let transition = transitions.next().await.unwrap();
        let args = transition.args().unwrap();
        if args.cause == "missed" {
            break args.state.clone();
        }
    };
    assert_eq!(seen, fixture.state().await);
    assert_eq!((seen.black_moves, seen.at_nsec), (1000, stamp));
    assert_eq!(seen.black_remaining_nsec, 182_000_000_000 - charged + 1000 * 2_000_000_000);
}

#[tokio::test]
async fn a_flood_of_calls_is_answered_and_blocks_no_client() {
    let fixture = fixture(&[]).await;
    // More calls than the 64 that a connection queues.
    let arbiter = fixture.arbiter().await;
    let calls = (0..120).map(|_| arbiter.start(99, "flood"));
    let answers = futures_util::future::join_all(calls).await;
    let stale = |answer: &&clock_dbus::Result<u64>| {
        matches!(answer, Err(Error::StaleRevision(_) | Error::Busy(_)))
    };
    let other = answers.iter().find(|answer| !stale(answer));
    assert!(other.is_none(), "{other:?}");
    assert_eq!(fixture.state().await.revision, 1);
}

#[tokio::test]
async fn files_that_are_not_controls_do_not_break_the_list() {
    let bench = Bench::new().unwrap();
    let folder = bench.folder().join("controls");
    std::fs::create_dir_all(folder.join("folder.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.join(".#mine.toml")).unwrap();
    let fixture = fixture_on(bench, &[]).await;
    let controls = fixture.clock().await.list_time_controls().await.unwrap();
    assert!(controls.iter().any(|(name, title)| name == "blitz-3-2" && title == "Blitz 3+2"));
    assert!(!controls.iter().any(|(name, _)| name.contains("mine") || name == "folder"));
}

#[tokio::test]
async fn a_call_pressed_again_and_again_makes_no_command_stale() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    buttons.press("call").unwrap();
    let seen = fixture.state().await;
    assert_eq!((seen.phase, seen.arbiter_called_by), (Phase::Paused, Who::Button));
    for _ in 0..3 {
        buttons.press("call").unwrap();
    }
    fixture.arbiter().await.resume(Who::Nobody, seen.revision, "").await.unwrap();
}

#[tokio::test]
async fn set_explains_the_number_that_bronstein_shows() {
    let bench = Bench::new().unwrap();
    let file = bench.folder().join("b.toml");
    std::fs::write(&file, "name = 'B'\n[[period]]\ntime = '5m'\nbronstein = '10s'\n").unwrap();
    let fixture = fixture_on(bench, &["--control", file.to_str().unwrap()]).await;
    let output = fixture.bench.ctl(&["set", "--white-time", "4m"]).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("White shows 0:04:10: 0:00:10 of the delay is in it"), "{text}");
}

#[tokio::test]
async fn a_name_from_the_bus_opens_no_file_outside_the_folders_and_is_never_a_notation() {
    let bench = Bench::new().unwrap();
    let outside = bench.folder().join("outside.toml");
    std::fs::write(&outside, "name = 'x'\n[[period]]\ntime = '5m'\n").unwrap();
    std::fs::create_dir(bench.folder().join("controls")).unwrap();
    let fixture = fixture_on(bench, &["--control", "blitz-3-2"]).await;
    let (clock, arbiter) = (fixture.clock().await, fixture.arbiter().await);
    let path = outside.display().to_string();
    let without_ending = path.trim_end_matches(".toml");
    for name in [&path, without_ending, "../outside", "../outside.toml", "3+2", "G/60", ""] {
        let read = clock.read_time_control(name).await;
        assert!(matches!(&read, Err(Error::InvalidControl(_))), "{name}: {read:?}");
        let game = NewGame { time_control: Some(name.to_owned()), ..NewGame::default() };
        let set_up = arbiter.new_game(game, 1, "").await;
        let expected = format!("no time control `{name}`");
        assert!(
            matches!(&set_up, Err(Error::InvalidControl(why)) if why.starts_with(&expected)),
            "{name}: {set_up:?}"
        );
    }
    assert_eq!(fixture.state().await.revision, 1);
}
