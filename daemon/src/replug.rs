//! Opens a board again that was pulled out: beside the clock loop, since opening one may wait.

use crate::gpio::Lines;
use crate::rt::Boards;
use crate::rt::channel::listen;
use crate::service::Failure;
use std::io;
use std::time::Duration;

/// How often a board that is gone is looked for.
const RETRY: Duration = Duration::from_millis(500);

/// Opens the board.
pub type Opener = Box<dyn Fn() -> Result<Box<dyn Lines>, Failure>>;

/// Closes each board the clock loop gives up, and gives it the board again once it can be opened.
/// Nothing wakes up for this while no board is gone.
pub async fn serve(boards: Boards, open: &Opener) -> io::Result<()> {
    let mut fresh = boards.fresh;
    let mut gone = listen(boards.gone)?;
    loop {
        let mut ready = gone.readable_mut().await?;
        ready.clear_ready();
        gone.get_ref().hush_bell();
        while let Some(lines) = gone.get_mut().pop() {
            // First, since its lines stay taken until it is closed.
            drop(lines);
            let lines = wait_for(open).await;
            // The loop has one board at most, so there is room; if not, it is closed again here.
            let _ = fresh.push(lines);
            fresh.ring_bell();
        }
    }
}

async fn wait_for(open: &Opener) -> Box<dyn Lines> {
    let mut told = false;
    loop {
        tokio::time::sleep(RETRY).await;
        match open() {
            Ok(lines) => return lines,
            Err(error) if !told => {
                told = true;
                tracing::warn!(%error, "the board cannot be opened again yet");
            }
            Err(_) => {}
        }
    }
}
