//! Opens a button board again after it was unplugged: outside the clock loop, since to open or to
//! close a board may wait.

use crate::gpio::Lines;
use crate::rt::BoardChannels;
use crate::rt::channel::listen;
use std::fmt::Display;
use std::io;
use std::time::Duration;

/// How often a board that is gone is looked for.
const RETRY: Duration = Duration::from_millis(500);

/// Closes each board that the clock loop gives up, and hands the loop the board again once it can be
/// opened. Nothing wakes up for this while no board is gone.
pub async fn serve<E: Display>(
    boards: BoardChannels,
    open: &impl Fn() -> Result<Box<dyn Lines>, E>,
) -> io::Result<()> {
    let mut opened = boards.opened;
    let mut gone = listen(boards.gone)?;
    loop {
        let mut ready = gone.readable_mut().await?;
        ready.clear_ready();
        gone.get_ref().clear_notification();
        while let Some(lines) = gone.get_mut().pop() {
            // First, since its lines stay taken until it is closed.
            drop(lines);
            let lines = open_when_possible(open).await;
            // The loop has one board at most, so there is room. If not, it is closed again here.
            let _ = opened.push(lines);
            opened.notify();
        }
    }
}

async fn open_when_possible<E: Display>(
    open: &impl Fn() -> Result<Box<dyn Lines>, E>,
) -> Box<dyn Lines> {
    let mut reported = false;
    loop {
        tokio::time::sleep(RETRY).await;
        match open() {
            Ok(lines) => return lines,
            Err(error) if !reported => {
                reported = true;
                tracing::warn!(%error, "the button board cannot be opened again yet");
            }
            Err(_) => {}
        }
    }
}
