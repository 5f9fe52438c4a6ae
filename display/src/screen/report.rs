//! The height of the digits in millimetres, which decides from which distance they can be read.
//! Reports it to the clock service. The `Health` interface of
//! the service then shows a warning if the digits are too small.

use std::time::Duration;

use clock_dbus::{DigitHeight, HealthProxy, Result};
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::sleep;
use zbus::proxy::CacheProperties;
use zbus::{Address, Connection};

use crate::link;
use crate::pixels::Painter;

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

/// A message for the log about the height of the digits. It is a warning if they are too small. If
/// the size of the panel is not known, `height` is `None`, and the message says so.
pub fn describe(height: Option<DigitHeight>) -> String {
    match height {
        Some(height) => height.warning().unwrap_or_else(|| format!("the digits on the screen are {height}")),
        None => "the panel does not tell its size; with panel_mm in display.toml, the height of the digits is checked"
            .to_owned(),
    }
}

/// The height of the digits on a panel of this width and height in millimetres. If the picture is
/// turned by a quarter or three quarters, the height of the digits lies along the width of the
/// panel. The result is at most [`DigitHeight::LARGEST`].
pub fn digit_height((width, height): (u32, u32), painter: &Painter) -> DigitHeight {
    let setup = painter.setup();
    let ((_, across), (_, pixels)) =
        (setup.rotation.size((width, height)), setup.rotation.size(setup.size));
    let micrometres =
        u64::from(painter.digit_height()) * u64::from(across) * 1000 / u64::from(pixels.max(1));
    let micrometres = u32::try_from(micrometres).unwrap_or(u32::MAX);
    DigitHeight { micrometres }.min(DigitHeight::LARGEST)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clock_dbus::{PATH, SERVICE};
    use tokio::sync::mpsc;
    use tokio::time::timeout;
    use zbus::{connection, interface};

    use super::*;
    use crate::pixels::{Arrangement, Rotation, Setup, Theme};

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

    fn setup(size: (u32, u32), rotation: Rotation) -> Setup {
        Setup { size, rotation, arrangement: None, theme: Theme::DARK }
    }

    fn described(setup: Setup, panel: (u32, u32)) -> String {
        describe(Some(digit_height(panel, &Painter::new(setup))))
    }

    #[test]
    fn the_height_of_the_digits_follows_from_the_panel() {
        let upright = setup((800, 480), Rotation::None);
        let wanted = "the digits on the screen are 19.1 mm high, readable from 3.8 m";
        assert_eq!(described(upright, (154, 86)), wanted);
        // With a quarter turn, the digits are as high as on an upright panel of 480 × 800 pixels.
        let quarter = described(setup((800, 480), Rotation::Quarter), (154, 86));
        assert_eq!(quarter, described(setup((480, 800), Rotation::None), (86, 154)));
        assert_ne!(quarter, wanted);
    }

    #[test]
    fn the_document_names_the_heights_on_usual_panels() {
        let mut missing = String::new();
        let document = include_str!("../../../docs/face.md");
        for (panel, millimetres, size) in [
            ("7 inches", (154, 86), (800, 480)),
            ("7 inches", (154, 86), (1024, 600)),
            ("10.1 inches", (217, 136), (1280, 800)),
            ("7.9 inches, a bar", (190, 60), (1280, 400)),
            ("15.6 inches", (344, 194), (1920, 1080)),
            ("24 inches", (531, 299), (1920, 1080)),
        ] {
            let cell = |arrangement| {
                let painter = Painter::new(Setup {
                    arrangement: Some(arrangement),
                    ..setup(size, Rotation::None)
                });
                digit_height(millimetres, &painter)
                    .to_string()
                    .replace(" high, readable from ", ", ")
            };
            let row = format!(
                "| {panel}, {} × {} mm | {} × {} | {} | {} |",
                millimetres.0,
                millimetres.1,
                size.0,
                size.1,
                cell(Arrangement::SideBySide),
                cell(Arrangement::Stacked)
            );
            if !document.contains(&row) {
                missing += &format!("{row}\n");
            }
        }
        assert!(missing.is_empty(), "docs/face.md lacks:\n{missing}");
    }

    #[test]
    fn digits_that_are_too_small_are_told() {
        let said = described(setup((800, 480), Rotation::None), (77, 43));
        assert!(said.ends_with("; 15 mm are needed for 3 m"), "{said}");
    }
}
