//! What is fixed before the start, the scheduled start, and from when lateness counts.

use super::rule_game::{G90, SECOND, fixture_with_rules, game_under, rule};
use super::*;
use clock_dbus::commands::Outcome;
use clock_dbus::commands::{Method, Span};
use clock_tests::{WALL_TIME, eventually};
use std::time::SystemTime;
use zbus::fdo::PropertiesProxy;

const BLITZ: &str = "name = '5+0'\n[[period]]\ntime = '5m'\n";
/// The tolerance for an instant. It is far longer than the time between two reads of a clock, and
/// far shorter than the differences that the tests look for.
const SLACK: u64 = SECOND / 4;

async fn control_and_profile_are_shown_before_the_start(rules: &str) {
    let fixture = fixture(&[]).await;
    let named = NewGame {
        time_control: Some("g90-0".into()),
        rules: Some(rules.into()),
        ..NewGame::default()
    };
    let ready = fixture.set_up(named).await;
    let properties = PropertiesProxy::builder(&fixture.connection)
        .destination(clock_dbus::SERVICE)
        .path(clock_dbus::PATH)
        .build()
        .await
        .unwrap();
    for (property, shown) in [("Phase", "ready"), ("Rules", rules), ("TimeControl", "g90-0")] {
        let interface = clock_dbus::CLOCK_INTERFACE.try_into().unwrap();
        let value = properties.get(interface, property).await.unwrap();
        assert_eq!(String::try_from(value).unwrap(), shown, "{property}");
    }
    let clock = fixture.clock().await;
    assert_eq!(clock.get_rules().await.unwrap().0, rules);
    assert_eq!(clock.get_time_control().await.unwrap().0, "g90-0");
    // Until the start both the time control and the rule profile can be changed.
    let arbiter = fixture.arbiter().await;
    let revision = arbiter.set_rules("fide-2023", ready.revision, "").await.unwrap().revision;
    let control = NewGame { time_control: Some("g90-15".into()), ..NewGame::default() };
    arbiter.new_game(control, revision, "").await.unwrap();
    let changed = fixture.state().await;
    assert_eq!((changed.rules.as_str(), changed.time_control.as_str()), ("fide-2023", "g90-15"));
}

async fn control_and_profile_stay_once_the_game_has_begun(rules: &str) {
    let fixture = fixture(&[]).await;
    let ready = fixture.set_up(game_under(rules, G90)).await;
    let arbiter = fixture.arbiter().await;
    arbiter.start(ready.revision, "").await.unwrap();
    for pause in [false, true] {
        let mut before = fixture.state().await;
        if pause {
            arbiter.pause(None, before.revision, "").await.unwrap();
            before = fixture.state().await;
        }
        let refused = arbiter.new_game(game_under("fide-2023", BLITZ), before.revision, "").await;
        assert!(matches!(&refused, Err(Error::GameUnderWay(_))), "{refused:?}");
        if !pause {
            let refused = arbiter.set_rules("fide-2023", before.revision, "").await;
            assert!(matches!(&refused, Err(Error::NotPaused(_))), "{refused:?}");
            let refused = arbiter
                .change_method(Method::Delay, Span::from_nanos(SECOND), true, before.revision, "")
                .await;
            assert!(matches!(&refused, Err(Error::NotPaused(_))), "{refused:?}");
        }
        assert_eq!(fixture.state().await, before);
        assert_eq!(before.rules, rules);
    }
}

#[tokio::test]
async fn s0_6_2a_control_and_profile_are_shown_before_the_start() {
    control_and_profile_are_shown_before_the_start("handbook-county").await;
}

#[tokio::test]
async fn s4_6_2a_control_and_profile_are_shown_before_the_start() {
    control_and_profile_are_shown_before_the_start("fide-article-6").await;
}

#[tokio::test]
async fn s0_6_2a_control_and_profile_stay_once_the_game_has_begun() {
    control_and_profile_stay_once_the_game_has_begun("handbook-county").await;
}

#[tokio::test]
async fn s4_6_2a_control_and_profile_stay_once_the_game_has_begun() {
    control_and_profile_stay_once_the_game_has_begun("fide-article-6").await;
}

async fn whites_clock_starts_at_the_scheduled_time(rules: &str) {
    let fixture = fixture(&[]).await;
    let clock = fixture.clock().await;
    let mut transitions = clock.receive_transition().await.unwrap();
    let now = clock.get_timebase().await.unwrap();
    let ahead = SECOND / 2;
    let scheduled = NewGame {
        start_at_realtime_nsec: Some(now.realtime_nsec + ahead),
        ..game_under(rules, G90)
    };
    fixture.set_up(scheduled).await;
    let mut seen = Vec::new();
    while seen.len() < 2 {
        let transition = transitions.next().await.unwrap();
        let args = transition.args().unwrap();
        seen.push((args.cause.to_owned(), args.state.clone()));
    }
    assert_eq!((seen[0].0.as_str(), seen[1].0.as_str()), ("new", "start"));
    let started = &seen[1].1;
    assert_eq!((started.phase, started.running), (Phase::Running, Who::White));
    // The clock starts at the scheduled instant, even if the service has noticed the instant late.
    let expected = now.monotonic_nsec + ahead;
    assert!(started.at_nsec.abs_diff(expected) < SLACK, "{} {expected}", started.at_nsec);
    assert_eq!(started.white.remaining_nsec, 5400 * SECOND);
    fixture.logged("White's clock is started at the scheduled time");
}

#[tokio::test]
async fn s0_6_5_whites_clock_starts_at_the_scheduled_time() {
    whites_clock_starts_at_the_scheduled_time("handbook-county").await;
}

#[tokio::test]
async fn s4_6_5_whites_clock_starts_at_the_scheduled_time() {
    whites_clock_starts_at_the_scheduled_time("fide-article-6").await;
}

/// On a machine that has no battery-backed clock, as long as no time service has set the wall clock.
/// Its wall clock shows some time of this year all the same.
#[tokio::test]
async fn while_the_wall_time_is_not_known_no_start_is_scheduled_and_nothing_is_dated() {
    let bench = Bench::new().unwrap();
    let bus = bench.bus().unwrap();
    let record = bench.folder().join("games");
    let mut command = bench.clockd_command(&["--record", record.to_str().unwrap()]);
    command.env(WALL_TIME, "unknown");
    let clockd = bench.start(command).unwrap();
    let connection = connection::Builder::address(bench.address().as_str()).build().await;
    let fixture = Fixture { bench, bus, clockd, connection: connection.unwrap() };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let at = u64::try_from(now.as_nanos()).unwrap() + 3600 * SECOND;
    let clock = fixture.clock().await;
    assert_eq!(clock.get_timebase().await.unwrap().realtime_nsec, 0);
    let arbiter = fixture.arbiter().await;
    let revision = fixture.state().await.revision;
    let wanted = NewGame { start_at_realtime_nsec: Some(at), ..NewGame::default() };
    let refused = arbiter.new_game(wanted, revision, "").await;
    let Err(Error::InvalidArgument(why)) = &refused else { panic!("{refused:?}") };
    assert!(why.contains("does not know the time of day"), "{why}");
    arbiter.start(revision, "").await.unwrap();
    let entry = eventually("the entry of the start", || {
        let output = fixture.bench.ctl(&["export", "--format", "json"]).unwrap();
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
        record["entries"].as_array()?.iter().find(|it| it["kind"] == "command").cloned()
    });
    assert!(entry["wall_ns"].is_null(), "{entry}");
    let log = fixture.bench.ctl(&["log"]).unwrap();
    let log = String::from_utf8(log.stdout).unwrap();
    assert!(log.contains("boot +"), "{log}");
}

#[tokio::test]
async fn a_game_that_was_started_by_hand_or_replaced_is_not_started_again() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    let now = fixture.clock().await.get_timebase().await.unwrap();
    let scheduled = NewGame {
        start_at_realtime_nsec: Some(now.realtime_nsec + 4 * SECOND),
        ..game_under("fide-article-6", G90)
    };
    // Three games. The first one has a scheduled start, but Black's button starts it before that.
    // The second one has no scheduled start. The third one has the same scheduled start as the
    // first one.
    fixture.set_up(scheduled.clone()).await;
    fixture.bench.buttons().unwrap().press("black").unwrap();
    let running = fixture.state_when("the game is started", |s| s.phase == Phase::Running).await;
    arbiter.result(Outcome::Drawn, running.revision, "agreement").await.unwrap();
    fixture.set_up(game_under("fide-article-6", G90)).await;
    let before = fixture.set_up(scheduled).await;
    let started = fixture.state_when("the scheduled start", |s| s.phase == Phase::Running).await;
    // Nothing but this one start came after the set-up.
    assert_eq!(started.revision, before.revision + 1);
    assert!(started.at_nsec.abs_diff(now.monotonic_nsec + 4 * SECOND) < SLACK);
}

#[tokio::test]
async fn a_scheduled_start_is_shown_and_no_other_game_cancels_it_unnoticed() {
    let fixture = fixture(&[]).await;
    let arbiter = fixture.arbiter().await;
    let now = fixture.clock().await.get_timebase().await.unwrap();
    let start = now.realtime_nsec + 3600 * SECOND;
    let at = |start| NewGame {
        start_at_realtime_nsec: Some(start),
        ..game_under("fide-article-6", G90)
    };
    let ready = fixture.set_up(at(start)).await;
    assert_eq!(ready.start_at_realtime_nsec, Some(start));
    assert_eq!(fixture.bench.status().unwrap()["start_at_realtime_ns"], start);
    let status = fixture.bench.ctl(&["status"]).unwrap().stdout;
    let status = String::from_utf8(status).unwrap();
    assert!(status.contains("\nstart     White's clock starts at 20"), "{status}");
    // Without `force`, New, Import and ResumeAdjourned are refused, because the scheduled start
    // would be lost.
    let refused = arbiter.new_game(game_under("", G90), ready.revision, "").await;
    let Err(Error::GameUnderWay(message)) = &refused else { panic!("{refused:?}") };
    assert!(message.contains("--start-at") && message.contains("--force"), "{message}");
    let source = clock_dbus::ImportedFrom { machine: "x".into(), game: 1, chain: "0".repeat(64) };
    let begun =
        clock_dbus::Proposal::new(true, source, game_under("", G90), Corrections::default());
    let refused = arbiter.import(begun, ready.revision, "").await;
    assert!(matches!(&refused, Err(Error::GameUnderWay(_))), "{refused:?}");
    let refused = arbiter.resume_adjourned(7_u64, ready.revision, "").await;
    assert!(matches!(&refused, Err(Error::GameUnderWay(_))), "{refused:?}");
    let said = fixture.bench.ctl(&["new"]).unwrap();
    assert_eq!(said.status.code(), Some(5), "{said:?}");
    assert_eq!(fixture.state().await, ready);
    // A new game with another scheduled start is accepted. A new game with `--force` is accepted,
    // too.
    let later = fixture.set_up(at(start + SECOND)).await;
    assert_eq!(later.start_at_realtime_nsec, Some(start + SECOND));
    let said = fixture.bench.ctl(&["new", "--force"]).unwrap();
    assert!(said.status.success(), "{said:?}");
    assert_eq!(fixture.state().await.start_at_realtime_nsec, None);
    // A clock that runs has no scheduled start any more.
    let ready = fixture.set_up(at(start)).await;
    arbiter.start(ready.revision, "").await.unwrap();
    let running = fixture.state().await;
    assert_eq!(running.start_at_realtime_nsec, None);
    arbiter.result(Outcome::Drawn, running.revision, "agreement").await.unwrap();
    let began = fixture.set_up(at(now.realtime_nsec - SECOND)).await;
    assert_eq!(began.start_at_realtime_nsec, None);
    fixture.set_up(game_under("fide-article-6", G90)).await;
}

/// While the board is unplugged, nobody could press. So White's clock starts only when the board is
/// back, and not at the scheduled instant.
#[tokio::test]
async fn a_start_that_comes_while_the_board_is_unplugged_is_made_when_it_is_back() {
    let fixture = fixture(&[]).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    let clock = fixture.clock().await;
    let now = clock.get_timebase().await.unwrap();
    let scheduled = NewGame {
        start_at_realtime_nsec: Some(now.realtime_nsec + SECOND),
        ..game_under("fide-article-6", G90)
    };
    fixture.set_up(scheduled).await;
    buttons.send("unplug").unwrap();
    let is_late = || fixture.bench.log().contains("is started when the button board is back");
    eventually("the start is due", || is_late().then_some(()));
    assert_eq!(fixture.state().await.phase, Phase::Ready);
    let back = clock.get_timebase().await.unwrap().monotonic_nsec;
    buttons.send("plug").unwrap();
    let started = fixture.state_when("the late start", |s| s.phase == Phase::Running).await;
    assert!(started.at_nsec >= back, "{} {back}", started.at_nsec);
    assert_eq!(fixture.bench.log().matches("is started when the button board is back").count(), 1);
}

/// Starts a game now under the rule file `file`, with a session that began `ago` nanoseconds before
/// now. Returns the session's start, the game's start, and the instants at which White and Black
/// became late.
async fn late_players(file: &str, ago: u64) -> (u64, u64, [u64; 2]) {
    let fixture = fixture_with_rules(&[("late", file)]).await;
    let clock = fixture.clock().await;
    let mut due = clock.receive_default_due().await.unwrap();
    let now = clock.get_timebase().await.unwrap();
    let session = NewGame {
        start_at_realtime_nsec: Some(now.realtime_nsec - ago),
        ..game_under("late", G90)
    };
    let ready = fixture.set_up(session).await;
    fixture.arbiter().await.start(ready.revision, "").await.unwrap();
    let start = fixture.state().await.at_nsec;
    let mut late = [0; 2];
    for (place, expected) in late.iter_mut().zip([Who::White, Who::Black]) {
        let signal = due.next().await.unwrap();
        let args = signal.args().unwrap();
        assert_eq!(args.side, expected);
        *place = args.at_nsec;
    }
    let state = fixture.state().await;
    let kinds: Vec<_> = state.questions.iter().map(|question| question.kind).collect();
    assert_eq!(kinds, [Some(clock_dbus::QuestionKind::Default); 2]);
    lateness_is_shown(&fixture, &state).await;
    (now.monotonic_nsec - ago, start, late)
}

/// How late the players are is on the bus, in the JSON and in the text. `late` is the state in which
/// both are late and absent.
async fn lateness_is_shown(fixture: &Fixture, late: &State) {
    assert!(late.white.absent && late.black.absent);
    let json = fixture.bench.status().unwrap()["black"].clone();
    let absent_for = json["late_ns"].as_u64().unwrap();
    assert!(json["absent"].as_bool().unwrap() && absent_for > late.black.late_nsec, "{json}");
    let arrived = fixture.bench.ctl(&["arrive", "white"]).unwrap();
    assert!(arrived.status.success(), "{arrived:?}");
    let state = fixture.state().await;
    let white = (state.white.late_nsec, state.white.absent);
    assert!(white.0 >= absent_for && !white.1, "{white:?} {absent_for}");
    // The lateness of an absent player grows, and that of a player who is there does not.
    let later = state.at(state.at_nsec + SECOND);
    assert_eq!((later.white.late_nsec, later.white.absent), white);
    let black = (state.black.late_nsec + SECOND, true);
    assert_eq!((later.black.late_nsec, later.black.absent), black);
    let text = String::from_utf8(fixture.bench.ctl(&["status"]).unwrap().stdout).unwrap();
    assert!(text.lines().any(|line| line.ends_with(" late")), "{text}");
}

async fn lateness_counts_from_the_start_of_the_session(rules: &str) {
    let shipped = fixture(&[]).await;
    let shipped = shipped.clock().await.read_rules(rules).await.unwrap().parse().unwrap();
    assert_eq!(
        (rule(&shipped, "default_after"), rule(&shipped, "late_from")),
        ("1:00:00", "session")
    );
    // The game is played under the shipped profile with a default time of 6 s instead of an hour.
    let file = format!("name = 'late'\ninherits = '{rules}'\ndefault_after = '6s'\n");
    let (session, start, late) = late_players(&file, 5 * SECOND).await;
    assert!(start - session >= 5 * SECOND);
    for at in late {
        assert!(at.abs_diff(session + 6 * SECOND) < SLACK, "{at} {session} {start}");
    }
}

#[tokio::test]
async fn s0_6_7_lateness_counts_from_the_start_of_the_session() {
    lateness_counts_from_the_start_of_the_session("handbook-county").await;
}

#[tokio::test]
async fn s4_6_7_lateness_counts_from_the_start_of_the_session() {
    lateness_counts_from_the_start_of_the_session("fide-article-6").await;
}

#[tokio::test]
async fn s1_p3_lateness_counts_from_the_start_of_the_game() {
    let file =
        "name = 'late'\ninherits = 'handbook-county'\ndefault_after = '1s'\nlate_from = 'game'\n";
    let (session, start, late) = late_players(file, 5 * SECOND).await;
    assert!(start - session >= 5 * SECOND);
    // A player is late when strictly more than one second has passed since the game's own start.
    assert_eq!(late, [start + SECOND + 1; 2]);
}

#[tokio::test]
async fn where_the_start_of_the_session_is_not_known_nobody_is_late() {
    let file = "name = 'late'\ninherits = 'fide-article-6'\ndefault_after = '0s'\n";
    let fixture = fixture_with_rules(&[("late", file)]).await;
    let ready = fixture.set_up(game_under("late", G90)).await;
    fixture.arbiter().await.start(ready.revision, "").await.unwrap();
    fixture.bench.buttons().unwrap().press("white").unwrap();
    let moved = fixture.state_when("White's move", |s| s.white.moves == 1).await;
    // Black has pressed nothing, and still is not late.
    assert_eq!((moved.questions.len(), moved.revision), (0, ready.revision + 1));
}
