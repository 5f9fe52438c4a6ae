//! Reports the height of the digits on the screen to the clock service. The `Health` interface of
//! the service then shows a warning if the digits are too small.

use std::time::Duration;

use clock_dbus::{DigitHeight, HealthProxy, Result};
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::sleep;
use zbus::proxy::CacheProperties;
use zbus::{Address, Connection};

use crate::link;

/// How long to wait before the next attempt, after a connection failed or was lost, or after a
/// report failed.
const AGAIN: Duration = Duration::from_secs(10);

/// Reports the height of the digits until the program ends: to each service that appears on the
/// bus, and again when the height changes. `digit_height` is `None` if there is no screen or if the
/// size of its panel is not known; the reported height is then 0.
///
/// Uses a separate connection, so that no state of the clock waits for the answer to a report.
pub async fn follow(address: Address, mut digit_height: watch::Receiver<Option<DigitHeight>>) {
    // The first value of `digit_height` is sent when the first picture is on a screen, or as `None`
    // when no screen is found.
    while digit_height.changed().await.is_ok() {
        if let Ok(connection) = link::connect(&address).await {
            // `report` returns when the connection is lost, or when the program ends.
            let _ = report(&connection, &mut digit_height).await;
        }
        sleep(AGAIN).await;
        digit_height.mark_changed();
    }
}

/// Reports the height until the connection is lost, or until the sender of `digit_height` is
/// dropped because the program ends. A report that fails is repeated after [`AGAIN`].
///
/// # Errors
///
/// The connection was lost before this function could subscribe to changes of the service's owner.
async fn report(
    connection: &Connection,
    digit_height: &mut watch::Receiver<Option<DigitHeight>>,
) -> Result<()> {
    let health = HealthProxy::builder(connection).cache_properties(CacheProperties::No);
    let health = health.build().await?;
    let mut owners = health.inner().receive_owner_changed().await?;
    loop {
        let height = digit_height.borrow_and_update().map_or(0, |height| height.micrometres);
        let taken = health.report_display(height).await.is_ok();
        tokio::select! {
            owner = owners.next() => if owner.is_none() { return Ok(()) },
            changed = digit_height.changed() => if changed.is_err() { return Ok(()) },
            // The report failed: the service was too slow, is not on the bus, or is too old to have
            // this method.
            () = sleep(AGAIN), if !taken => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clock_dbus::{PATH, SERVICE};
    use tokio::sync::mpsc;
    use tokio::time::timeout;
    use zbus::{connection, interface};

    use super::*;

    /// A service that passes each report to the test.
    struct FakeHealth(mpsc::UnboundedSender<u32>);

    #[interface(name = "org.chessclock.Clock1.Health")]
    impl FakeHealth {
        fn report_display(&self, digit_height: u32) {
            self.0.send(digit_height).unwrap();
        }
    }

    async fn service(address: &Address, reports: &mpsc::UnboundedSender<u32>) -> Connection {
        let builder = connection::Builder::address(address.clone());
        let builder = builder.serve_at(PATH, FakeHealth(reports.clone())).name(SERVICE);
        builder.build().await.unwrap()
    }

    #[tokio::test]
    async fn each_service_and_each_change_gets_one_report() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("bus");
        let mut bus = clock_test_bus::start(&socket, "").unwrap();
        let address: Address = clock_test_bus::address(&socket).parse().unwrap();
        let (sender, mut reports) = mpsc::unbounded_channel();
        let mut next = async || timeout(Duration::from_secs(60), reports.recv()).await.unwrap();
        let first = service(&address, &sender).await;

        let (height, reported) = watch::channel(None);
        tokio::spawn(follow(address.clone(), reported));
        height.send_replace(Some(DigitHeight { micrometres: 12_000 }));
        assert_eq!(next().await, Some(12_000));
        height.send_replace(None);
        assert_eq!(next().await, Some(0));
        height.send_replace(Some(DigitHeight { micrometres: 15_000 }));
        assert_eq!(next().await, Some(15_000));

        first.close().await.unwrap();
        let second = service(&address, &sender).await;
        assert_eq!(next().await, Some(15_000));
        height.send_replace(None);
        assert_eq!(next().await, Some(0), "and no other report before it");
        drop(second);
        bus.kill().unwrap();
        bus.wait().unwrap();
    }
}
