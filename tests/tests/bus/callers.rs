//! Who gave a command: the log has the user id, even if the caller leaves at once. If the bus does
//! not say who the caller was, the command is refused, unless it is a stop.

use super::*;
use clock_dbus::{ARBITER_INTERFACE, PATH, SERVICE};
use zbus::message::{Flags, Message};

/// A command that asks for no answer.
pub fn command(method: &str, body: impl Into<zbus::Structure<'static>>) -> Message {
    Message::method_call(PATH, method)
        .destination(SERVICE)
        .interface(ARBITER_INTERFACE)
        .with_flags(Flags::NO_REPLY_EXPECTED)
        .build(&body.into())
        .unwrap()
}

pub async fn connect(fixture: &Fixture) -> Connection {
    let address = fixture.bench.address();
    connection::Builder::address(address.as_str()).build().await.unwrap()
}

fn own_uid() -> String {
    format!("uid={}", rustix::process::getuid().as_raw())
}

#[tokio::test]
async fn a_caller_who_sends_a_command_and_leaves_at_once_is_logged_with_the_user_id() {
    let fixture = fixture(&[]).await;
    for round in 0..20 {
        let connection = connect(&fixture).await;
        let revision =
            ClockProxy::new(&connection).await.unwrap().get_state().await.unwrap().revision;
        let reason = format!("round-{round}-of-20");
        connection.send(&command("Add", ("white", 1_i64, revision, reason.clone()))).await.unwrap();
        connection.close().await.unwrap();
        let line = fixture.bench.logged(&reason);
        assert!(
            line.contains("White gets 0:00:00.000000001") && line.contains(&own_uid()),
            "{line}"
        );
    }
    assert_eq!(fixture.state().await.revision, 21);
}

#[tokio::test]
async fn a_command_of_a_caller_whom_nobody_knows_is_not_carried_out_unless_it_is_a_stop() {
    let fixture = fixture(&["--control", "blitz-3-2"]).await;
    let mut revision = 1;
    for round in 0..20 {
        // The caller sends nothing but the command. So it may be gone before the service can ask
        // the bus who it was.
        let connection = connect(&fixture).await;
        let reason = format!("round-{round}-of-20");
        connection.send(&command("Add", ("white", 1_i64, revision, reason.clone()))).await.unwrap();
        connection.close().await.unwrap();
        let line = fixture.bench.logged(&reason);
        let carried_out = line.contains("White gets 0:00:00.000000001");
        assert_eq!(carried_out, line.contains(&own_uid()), "{line}");
        assert!(carried_out || line.contains("the bus does not say who calls"), "{line}");
        revision += u64::from(carried_out);
        assert_eq!(fixture.state().await.revision, revision, "{line}");
    }
    revision = fixture.arbiter().await.start(revision, "").await.unwrap().revision;
    let connection = connect(&fixture).await;
    connection.send(&command("Pause", ("", revision, "stop-at-once"))).await.unwrap();
    connection.close().await.unwrap();
    let line = fixture.bench.logged("stop-at-once");
    assert!(line.contains("The arbiter stops the clocks, clocks stopped at W "), "{line}");
    assert_eq!(fixture.state().await.phase, Phase::Paused);
}
