//! Captains with the arbiter's authority (clause "S0 preface, roles" in `docs/laws.md`). All
//! commands come from one user. The configuration makes this user a captain, the person whom a
//! captain has designated to rule in his place, or an arbiter.

use super::rule_game::{G90, game_under};
use super::*;
use clock_dbus::OrMinus1;
use clock_dbus::commands::{Caller, IncidentKind, Ruling, Side};

/// A clock with a running game under handbook-county. `role` is a line for the table `[captains]` of
/// the configuration; `UID` in it stands for this user.
async fn running_game(role: &str, game: NewGame) -> Fixture {
    let bench = Bench::new().unwrap();
    let uid = rustix::process::getuid().as_raw();
    let role = role.replace("UID", &format!("'{uid}'"));
    bench.configure(&format!("[captains]\n{role}\n")).unwrap();
    let fixture = fixture_on(bench, &[]).await;
    fixture.set_up(game).await;
    fixture.bench.buttons().unwrap().press("black").unwrap();
    fixture.state_when("the game is started", |s| s.phase == Phase::Running).await;
    fixture
}

/// A clock with a game that a player has stopped.
async fn stopped_game(role: &str, game: NewGame) -> Fixture {
    let fixture = running_game(role, game).await;
    let revision = fixture.state().await.revision;
    fixture.arbiter().await.pause(Caller::Player(Side::White), revision, "").await.unwrap();
    fixture
}

fn game() -> NewGame {
    game_under("handbook-county", G90)
}

#[tokio::test]
async fn s0_preface_roles_captains_rule_where_the_profile_names_them() {
    let fixture = stopped_game("white = UID", game()).await;
    let stopped = fixture.state().await;
    let arbiter = fixture.arbiter().await;
    arbiter
        .rule(Ruling::Valid, None, OrMinus1(None), stopped.revision, "an-illegal-position")
        .await
        .unwrap();
    assert!(fixture.state().await.questions.is_empty());
    let line = fixture.logged("an-illegal-position");
    assert!(line.contains("Ruling on the stop") && line.contains("White's captain"), "{line}");
}

#[tokio::test]
async fn s0_preface_roles_captain_refused_at_his_own_board() {
    for (role, side) in [("white = UID", Who::White), ("black = UID", Who::Black)] {
        let here = NewGame { captain_plays: Some(side), ..game() };
        let fixture = stopped_game(role, here).await;
        let stopped = fixture.state().await;
        let arbiter = fixture.arbiter().await;
        let refused = arbiter.rule(Ruling::Valid, None, OrMinus1(None), stopped.revision, "").await;
        let message = fixture.assert_refused(refused, "S0 preface", &stopped).await;
        assert!(message.contains("designated player"), "{message}");
        let refused = arbiter.resume(None, stopped.revision, "").await;
        fixture.assert_refused(refused, "S0 preface", &stopped).await;
        // The captain may do what every player may do.
        arbiter.incident(Side::White, IncidentKind::Other, stopped.revision, "").await.unwrap();
    }
    // White's captain may rule, because it is Black's captain who plays at this board.
    let here = NewGame { captain_plays: Some(Who::Black), ..game() };
    let fixture = stopped_game("white = UID", here).await;
    let revision = fixture.state().await.revision;
    fixture.arbiter().await.rule(Ruling::Valid, None, OrMinus1(None), revision, "").await.unwrap();
}

#[tokio::test]
async fn a_captain_whom_the_bus_has_not_named_yet_does_not_stop_his_own_game() {
    let here = NewGame { captain_plays: Some(Who::White), ..game() };
    let fixture = running_game("white = UID", here).await;
    let revision = fixture.state().await.revision;
    for round in 0..20 {
        // The command is the first message of the connection, so the bus has not named the caller.
        let connection = callers::connect(&fixture).await;
        let reason = format!("round-{round}-of-20");
        let pause = callers::command("Pause", ("", revision, reason.clone()));
        connection.send(&pause).await.unwrap();
        connection.close().await.unwrap();
        let line = fixture.bench.logged(&reason);
        assert_eq!(fixture.state().await.phase, Phase::Running, "{line}");
    }
}

#[tokio::test]
async fn s0_preface_roles_a_designate_rules_in_the_captains_place() {
    let here = NewGame { captain_plays: Some(Who::White), ..game() };
    let fixture = stopped_game("designate = UID", here).await;
    let revision = fixture.state().await.revision;
    let arbiter = fixture.arbiter().await;
    arbiter
        .rule(Ruling::NotObvious, None, OrMinus1(None), revision, "in-the-captains-place")
        .await
        .unwrap();
    assert!(fixture.state().await.questions.is_empty());
    let line = fixture.logged("in-the-captains-place");
    assert!(line.contains("designate"), "{line}");
}

#[tokio::test]
async fn s0_preface_roles_a_present_arbiter_is_consulted_and_recorded() {
    let present = NewGame { present_arbiter: Some("Maria Novak".into()), ..game() };
    let fixture = stopped_game("white = UID", present).await;
    let stopped = fixture.state().await;
    let arbiter = fixture.arbiter().await;
    let refused = arbiter.rule(Ruling::Valid, None, OrMinus1(None), stopped.revision, "").await;
    let message = fixture.assert_refused(refused, "S0 preface", &stopped).await;
    assert!(message.contains("Maria Novak"), "{message}");
    let reason = "consulted Maria Novak: the queen was missing";
    arbiter.rule(Ruling::Valid, None, OrMinus1(None), stopped.revision, reason).await.unwrap();
    let line = fixture.logged(reason);
    assert!(line.contains("White's captain"), "{line}");
}
