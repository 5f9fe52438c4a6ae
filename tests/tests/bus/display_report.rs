//! The face reports its screen to `Health`.

use super::*;
use clock_dbus::HealthProxy;
use std::time::Instant;

const WARNING: &str =
    "the digits on the screen are 12.0 mm high, readable from 2.4 m; 15 mm are needed for 3 m";

/// The connection of a program. The program leaves the bus when the connection is closed.
async fn program(fixture: &Fixture) -> Connection {
    let address = fixture.bench.address();
    connection::Builder::address(address.as_str()).build().await.unwrap()
}

async fn health(connection: &Connection) -> HealthProxy<'_> {
    HealthProxy::new(connection).await.unwrap()
}

async fn reported(fixture: &Fixture) -> (u32, Vec<String>) {
    let health = health(&fixture.connection).await;
    (health.digit_height().await.unwrap(), health.warnings().await.unwrap())
}

async fn wait_for(fixture: &Fixture, digit_height: u32) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while reported(fixture).await.0 != digit_height {
        assert!(Instant::now() < deadline, "{:?}", reported(fixture).await);
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_latest_report_counts_until_its_program_leaves_the_bus() {
    let fixture = fixture(&[]).await;
    assert_eq!(reported(&fixture).await, (0, vec![]));
    let (one, other) = (program(&fixture).await, program(&fixture).await);
    health(&one).await.report_display(12_000).await.unwrap();
    assert_eq!(reported(&fixture).await, (12_000, vec![WARNING.to_owned()]));
    health(&one).await.report_display(15_000).await.unwrap();
    assert_eq!(reported(&fixture).await, (15_000, vec![]));

    health(&other).await.report_display(12_000).await.unwrap();
    one.close().await.unwrap();
    // While these answers come, the service learns that the first program has left.
    for _ in 0..100 {
        assert_eq!(reported(&fixture).await, (12_000, vec![WARNING.to_owned()]));
    }
    other.close().await.unwrap();
    wait_for(&fixture, 0).await;
    assert_eq!(reported(&fixture).await, (0, vec![]));
}

#[tokio::test]
async fn a_screen_of_unknown_size_has_no_warning() {
    let fixture = fixture(&[]).await;
    let face = program(&fixture).await;
    health(&face).await.report_display(12_000).await.unwrap();
    health(&face).await.report_display(0).await.unwrap();
    assert_eq!(reported(&fixture).await, (0, vec![]));
    health(&face).await.report_display(10_000_000).await.unwrap();
    let refused = health(&face).await.report_display(10_000_001).await;
    let expected = "digit_height = 10000001; expected 0 to 10000000 micrometres";
    assert!(
        matches!(&refused, Err(Error::InvalidArgument(text)) if text == expected),
        "{refused:?}"
    );
    assert_eq!(reported(&fixture).await, (10_000_000, vec![]));
}

/// Two programs report in turn, each of them many times. If each report left a match rule on the
/// bus, the bus would soon refuse further ones, and the report of a third program would not stay.
#[tokio::test]
async fn reports_leave_no_match_rule_behind() {
    let fixture = fixture(&[]).await;
    let (one, other) = (program(&fixture).await, program(&fixture).await);
    for number in 0..600 {
        health(&one).await.report_display(1000 + number).await.unwrap();
        health(&other).await.report_display(2000 + number).await.unwrap();
    }
    let later = program(&fixture).await;
    health(&later).await.report_display(12_345).await.unwrap();
    for _ in 0..100 {
        assert_eq!(reported(&fixture).await.0, 12_345);
    }
}

/// Programs that report and leave the bus at once leave no report behind.
#[tokio::test]
async fn a_program_that_has_left_before_its_report_is_read_leaves_no_report() {
    let fixture = fixture(&[]).await;
    for _ in 0..100 {
        let hasty = program(&fixture).await;
        let call = zbus::Message::method_call(clock_dbus::PATH, "ReportDisplay");
        let call = call.destination(clock_dbus::SERVICE).interface(clock_dbus::HEALTH_INTERFACE);
        hasty.send(&call.build(&1000_u32).unwrap()).await.unwrap();
        hasty.close().await.unwrap();
    }
    wait_for(&fixture, 0).await;
}
