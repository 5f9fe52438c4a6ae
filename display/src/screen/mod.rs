//! The face on a screen without a window system, by kernel mode setting.
//!
//! [`card`] drives the graphics card, [`mode`] chooses the mode, and [`hotplug`] waits for the kernel's messages that a screen
//! was connected or disconnected. A missing screen is no fault: the program waits for one.
//! `card` also keeps the last picture on the screen while the face is restarted.
//! [`mod@report`] computes the height of the digits and sends it to the service.

mod card;
mod hotplug;
mod mode;
mod report;

use std::time::Duration;

use anyhow::Context;
use clock_dbus::DigitHeight;
use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};
use zbus::Address;

use crate::app::{StopSignals, block_on};
use crate::backlight;
use crate::config::{Config, PanelSize};
use crate::devices::Devices;
use crate::link::{self, Link};
use crate::messages::report;
use crate::pixels::Painter;
use crate::presenter::{Presenter, machine_starts};
use card::{Found, NOT_SET, OpenCard, Target};
use hotplug::Hotplug;
use mode::is_of_mode;

/// How often the cards or the shown screen are checked without a message from the kernel. While
/// another program uses a card, for example at the start of the machine, the face cannot use it.
/// The kernel sends no message when that program closes the card.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// The shortest time between two calls that make a driver read its connectors. A loose plug causes
/// many messages in a row, and for each of them a driver can take some 100 ms, during which nothing
/// is painted.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(500);
/// The longest time that the program waits for the first answer of the clock service before it
/// paints the first picture. If it did not wait, a face that is started during a game would first
/// show that there is no clock.
const FIRST_ANSWER: Duration = Duration::from_millis(500);
/// As [`FIRST_ANSWER`], for a machine that was just switched on, where the face and the clock service are
/// started at the same time. If the service takes longer, the first picture says that the clock is
/// starting.
const FIRST_ANSWER_AT_START: Duration = Duration::from_secs(1);

/// The card that an earlier process of the face had open. From then on, the screen goes black if
/// this process ends.
pub fn take_kept_card() -> Option<OpenCard> {
    let kept = card::take_kept();
    let kept = kept.inspect_err(|error| report(&format!("no card of an earlier process: {error}")));
    kept.ok().flatten().map(OpenCard::new)
}

/// Shows the clock on the connected screen until one of the `StopSignals` arrives.
/// `kept` is the card that an earlier process had open ([`take_kept_card`]).
pub fn run(config: &Config, kept: Option<OpenCard>, address: Address) -> anyhow::Result<()> {
    block_on(async {
        let (sender, link) = watch::channel(Link::Down(None));
        tokio::spawn(link::follow(address.clone(), sender));
        let mut stop = StopSignals::new().context("no signal handlers")?;
        let (digit_height, reported) = watch::channel(None);
        tokio::spawn(report::follow(address, reported));
        let _devices = Devices::start(config, link.clone(), report)?;
        backlight::start(config, link.clone());
        tokio::select! {
            () = stop.recv() => Ok(()),
            outcome = show(config, kept, Presenter::new(link, config.language, config.low_time), &digit_height) => outcome,
        }
    })
}

/// Shows the face on the first connected screen, and looks for a screen again when that one is
/// disconnected. After an error, or if there is no screen, it waits for a message of the kernel
/// before it looks again, but no longer than [`LOOK_AGAIN`]. `open` is the card that an earlier
/// process had open.
async fn show(
    config: &Config,
    mut open: Option<OpenCard>,
    mut presenter: Presenter,
    digit_height: &watch::Sender<Option<DigitHeight>>,
) -> anyhow::Result<()> {
    let hotplug = Hotplug::new().inspect_err(|error| {
        report(&format!("no messages about screens ({error}); looking every {LOOK_AGAIN:?}"));
    });
    let hotplug = hotplug.ok();
    let patience = if machine_starts() { FIRST_ANSWER_AT_START } else { FIRST_ANSWER };
    let _ = timeout(patience, presenter.answered()).await;
    let mut said = String::new();
    let mut readiness = Readiness::default();
    loop {
        match card::find(open.as_ref(), config.screen.mode.0) {
            Ok(Found::Screen(mut target)) => {
                open = Some(target.open_card());
                let description = target.description();
                say(&mut said, &description);
                let mut refused = None;
                let ended = loop {
                    let shown = show_on(
                        &mut target,
                        config,
                        &mut presenter,
                        digit_height,
                        hotplug.as_ref(),
                        &mut readiness,
                    );
                    match shown.await {
                        Ok(Ended::Refused(error)) if target.use_next_mode() => {
                            refused.get_or_insert(error);
                        }
                        ended => break ended,
                    }
                };
                let why = match ended {
                    Ok(Ended::Disconnected) => {
                        say(&mut said, &format!("{description}: disconnected"));
                        continue;
                    }
                    Ok(Ended::Refused(error)) | Err(error) => error,
                };
                close(&mut open);
                say(&mut said, &format!("{description}: {}", not_shown(refused.as_ref(), &why)));
            }
            Ok(Found::WithoutMode(connector)) => say(&mut said, &without_mode(&connector)),
            Ok(Found::Nothing) => say(&mut said, "no screen is connected"),
            Err(error) => {
                close(&mut open);
                say(&mut said, &error.to_string());
            }
        }
        digit_height.send_replace(None);
        // Nobody knows when a screen will be connected, so systemd does not wait for it.
        readiness.reached();
        tokio::select! {
            () = changed(hotplug.as_ref()) => {}
            () = sleep(LOOK_AGAIN) => {}
        }
    }
}

/// Why the face is not shown. `refused` is the error of the first mode that the card refused, if another one
/// was tried after it.
fn not_shown(refused: Option<&anyhow::Error>, why: &anyhow::Error) -> String {
    let refused = refused.map(|error| format!("{error:#}; with another mode: "));
    format!("{}{why:#}", refused.unwrap_or_default())
}

/// A message for the log: a screen is connected, and stays black.
fn without_mode(connector: &str) -> String {
    format!(
        "{connector}: a screen is connected, but the graphics card can show none of its modes; \
         give one in display.toml, such as mode = \"1024x600@60\", or as screen_mode in chessclock.toml \
         (docs/face.md, \"A screen that stays black\")"
    )
}

/// Whether systemd was told that the face is ready (`READY=1`). The face is ready when its first picture
/// is on the screen, or when no screen is connected. On an image that is nothing but a clock, the
/// services that the clock does not need are started only then.
#[derive(Default)]
struct Readiness {
    is_known: bool,
}

impl Readiness {
    /// Tells systemd that the face is ready. Does nothing at a second call, or without systemd.
    fn reached(&mut self) {
        if !std::mem::replace(&mut self.is_known, true)
            && let Err(error) = sd_notify::notify(&[NotifyState::Ready])
        {
            report(&format!("systemd does not learn that the face is started: {error}"));
        }
    }
}

/// Closes a card with which something is wrong, so that it is opened again the next time. systemd
/// must close it, too, or the new open file could not set modes.
fn close(open: &mut Option<OpenCard>) {
    if open.take().is_some()
        && let Err(error) = card::release_kept()
    {
        report(&format!("systemd keeps a card open: {error}"));
    }
}

/// Logs a message, unless it is equal to the last logged one, which `said` holds.
fn say(said: &mut String, message: &str) {
    if said != message {
        report(message);
        message.clone_into(said);
    }
}

/// Waits for a message of the kernel about graphics; for ever if messages cannot be received.
async fn changed(hotplug: Option<&Hotplug>) {
    match hotplug {
        Some(hotplug) if hotplug.changed().await.is_ok() => {}
        _ => std::future::pending().await,
    }
}

/// Waits until `instant`, and then for a message of the kernel about graphics.
async fn changed_after(instant: Instant, hotplug: Option<&Hotplug>) {
    sleep_until(instant).await;
    changed(hotplug).await;
}

/// Why the face is not shown on a screen any more.
enum Ended {
    /// The screen is disconnected, or the best mode of its connector has changed.
    Disconnected,
    /// The card cannot show the mode.
    Refused(anyhow::Error),
}

/// Shows the face on this screen until the screen is disconnected, or until the best mode of its
/// connector has changed, for example because another screen has replaced it.
async fn show_on(
    target: &mut Target,
    config: &Config,
    presenter: &mut Presenter,
    digit_height: &watch::Sender<Option<DigitHeight>>,
    hotplug: Option<&Hotplug>,
    readiness: &mut Readiness,
) -> anyhow::Result<Ended> {
    let mut buffer = target.buffer()?;
    let target = &*target;
    let mut screen = target.screen(&mut buffer)?;
    let mut painter = Painter::new(config.screen.setup(target.size()));
    // The first picture is complete before the screen shows it.
    painter.paint(&presenter.content(), &mut |area, pixels| screen.put(area, pixels));
    if let Err(error) = screen.set_mode() {
        let is_refused = is_of_mode(&error);
        let error = anyhow::Error::from(error).context(NOT_SET);
        drop(screen);
        target.free(buffer);
        return if is_refused { Ok(Ended::Refused(error)) } else { Err(error) };
    }
    if target.is_second_choice() {
        report(&format!("the card cannot show a better mode; {}", target.description()));
    }
    readiness.reached();
    screen.free_earlier();
    if let Err(error) = card::keep(&target.open_card()) {
        report(&format!("the screen will be black while the face is restarted: {error}"));
    }
    let height = panel(target, config).map(|panel| report::digit_height(panel, &painter));
    // The height is logged only when the face is on the screen. So the time of this log entry tells
    // how long the start took.
    report(&report::describe(height));
    digit_height.send_replace(height);
    let mut look = interval(LOOK_AGAIN);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut next_question = Instant::now();
    loop {
        let content = presenter.content();
        let damage = painter.paint(&content, &mut |area, pixels| screen.put(area, pixels));
        if !damage.is_empty() {
            screen.flush(&damage)?;
        }
        let connected = tokio::select! {
            changed = presenter.changed() => changed.map(|()| true)?,
            () = changed_after(next_question, hotplug) => {
                next_question = Instant::now() + BETWEEN_QUESTIONS;
                screen.check(true)?
            }
            _ = look.tick() => screen.check(false)?,
        };
        if !connected {
            return Ok(Ended::Disconnected);
        }
    }
}

/// The size of the panel in millimetres: the configured one, or else the one that the panel
/// reports.
fn panel(target: &Target, config: &Config) -> Option<(u32, u32)> {
    let configured =
        config.screen.panel_mm.map(|PanelSize(width, height)| (width.into(), height.into()));
    configured.or(target.panel_mm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn a_lack_of_memory_does_not_hide_that_the_card_refused_a_mode() {
        let (refused, memory) = (anyhow!("EINVAL").context(NOT_SET), anyhow!("no buffer"));
        let both = "the mode cannot be set: EINVAL; with another mode: no buffer";
        assert_eq!(not_shown(Some(&refused), &memory), both);
        assert_eq!(not_shown(None, &memory), "no buffer");
    }
}
