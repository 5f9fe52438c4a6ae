//! The D-Bus interfaces of a running `clockd`, called and observed by a client.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use clock_dbus::commands::Outcome;
use clock_dbus::{
    ArbiterProxy, ClockProxy, Completed, Corrections, Error, NewGame, Phase, State, Who,
};
use clock_tests::{Bench, Program};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::time::Duration;
use zbus::message::Type;
use zbus::{Connection, MatchRule, MessageStream, OwnedVariant, connection};

mod announcement;
mod backup_load;
mod board_and_event;
mod button_test;
mod callers;
mod captains;
mod change_time_control;
mod claims;
mod connections;
mod controls;
mod corrections;
mod display_report;
mod dry_run;
mod evening;
mod evening_county;
mod evening_fide;
mod evening_unsupervised;
mod every_call;
mod guidance;
mod handling;
mod interruptions;
mod load;
mod menu;
mod menu_backup;
mod menu_boards;
mod menu_closing;
mod menu_counts;
mod menu_evening;
mod menu_killed;
mod methods;
mod names;
mod one_reading;
mod pause_announcement;
mod placement;
mod read_flood;
mod record;
mod rule_game;
mod sequence;
mod start_of_game;
mod take_over;
mod texts_version;

/// A clock on a private bus, and a client of it.
struct Fixture {
    bench: Bench,
    bus: Program,
    clockd: Program,
    connection: Connection,
}

async fn fixture(arguments: &[&str]) -> Fixture {
    fixture_on(Bench::new().unwrap(), arguments).await
}

async fn fixture_on(bench: Bench, arguments: &[&str]) -> Fixture {
    let bus = bench.bus().unwrap();
    fixture_with(bench, bus, arguments).await
}

async fn fixture_with(bench: Bench, bus: Program, arguments: &[&str]) -> Fixture {
    let clockd = bench.clockd(arguments).unwrap();
    let connection = connection::Builder::address(bench.address().as_str())
        .method_timeout(Duration::from_secs(10))
        .build()
        .await
        .unwrap();
    Fixture { bench, bus, clockd, connection }
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
    let expected = ["AtNSec", "OnMove", "Running", "Sequence", "WhiteMoves", "WhiteRemainingNSec"];
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
    assert_eq!(fixture.state().await.white.delay_nsec, 5_000_000_000);
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
    assert_eq!(arbiter.start(before.revision, "").await.unwrap().revision, before.revision + 1);
}

#[tokio::test]
async fn every_refusal_has_its_name_and_its_clause() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    let refused = arbiter.resume(None, 1, "").await;
    assert!(
        matches!(&refused, Err(Error::NotPaused(m)) if m.ends_with("(old FIDE Laws 6.13)")),
        "{refused:?}"
    );
    let refused = arbiter.pause(None, 1, "").await;
    assert!(
        matches!(&refused, Err(Error::NotRunning(m)) if m.ends_with("(old FIDE Laws 6.13)")),
        "{refused:?}"
    );
    let body = ("2-0", 1_u64, "");
    let refused =
        arbiter.inner().call::<_, _, Completed>("Result", &body).await.map_err(Error::from);
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
        matches!(&refused, Err(Error::RefusedByRules(m)) if m.ends_with("(old FIDE Laws 6.5)")),
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
    assert_eq!(arbiter.start(1, "").await.unwrap().revision, 2);
    let refused = arbiter.start(2, "").await;
    assert!(matches!(&refused, Err(Error::NotReady(_))), "{refused:?}");
    let refused = arbiter.new_game(NewGame::default(), 2, "").await;
    assert!(matches!(&refused, Err(Error::GameUnderWay(_))), "{refused:?}");
    assert_eq!(arbiter.result(Outcome::WhiteWins, 2, "").await.unwrap().revision, 3);
    let refused = arbiter.resume(None, 3, "").await;
    assert!(matches!(&refused, Err(Error::GameOver(_))), "{refused:?}");
    // Under a profile the clause is that of the profile's own source, or there is none.
    for (rules, end) in [
        ("handbook-county", "the clock is ready (Chess Organisers' Handbook 6.13)"),
        ("us-chess", "the clock is ready"),
    ] {
        let revision = fixture.state().await.revision;
        let new = NewGame { rules: Some(rules.into()), ..NewGame::default() };
        let revision = arbiter.new_game(new, revision, "").await.unwrap().revision;
        let refused = arbiter.resume(None, revision, "").await;
        assert!(matches!(&refused, Err(Error::NotPaused(m)) if m.ends_with(end)), "{refused:?}");
    }
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
    fixture.arbiter().await.resume(None, seen.revision, "").await.unwrap();
}
