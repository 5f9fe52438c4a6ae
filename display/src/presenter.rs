//! What the face says now, and when it says something else. Each output has a presenter of its own.

use std::time::Duration;

use anyhow::Context;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::content::Content;
use crate::link::Link;
use crate::next_change::{monotonic_now, next_change};

/// Turns what is known of the clock into what an output shows.
pub struct Presenter {
    link: watch::Receiver<Link>,
    /// When the content that was returned last changes by itself, on `CLOCK_MONOTONIC` in nanoseconds.
    change: Option<u64>,
}

impl Presenter {
    pub fn new(link: watch::Receiver<Link>) -> Presenter {
        Presenter { link, change: None }
    }

    /// What is known of the clock.
    pub fn link(&self) -> watch::Ref<'_, Link> {
        self.link.borrow()
    }

    /// What the face says now.
    pub fn content(&mut self) -> Content {
        let (content, change) = match &*self.link.borrow_and_update() {
            Link::Down(None) => (Content::NoService, None),
            Link::Down(Some(last)) => (Content::last_known(&last.state, last.rules), None),
            Link::Up(up) => {
                let shown = up.state.at(monotonic_now());
                (Content::of(&shown, up.rules), next_change(&shown))
            }
        };
        self.change = change;
        content
    }

    /// Waits until the face may say something else than the content that was returned last.
    pub async fn changed(&mut self) -> anyhow::Result<()> {
        tokio::select! {
            link = self.link.changed() => link.context("the bus is no longer followed"),
            () = sleep_until(self.change) => Ok(()),
        }
    }
}

/// Sleeps until an instant of `CLOCK_MONOTONIC`, or for ever if there is none.
async fn sleep_until(instant: Option<u64>) {
    match instant {
        Some(instant) => {
            sleep(Duration::from_nanos(instant.saturating_sub(monotonic_now()))).await;
        }
        None => std::future::pending().await,
    }
}
