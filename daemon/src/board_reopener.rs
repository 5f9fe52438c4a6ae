//! Opens a button board again after it was unplugged.
//!
//! The clock loop notices that a board is gone and pauses the game (`rt/clock_loop.rs`,
//! `give_up_board`). Closing and opening a board can block, so both are done here, outside the loop.

use crate::gpio::Lines;
use crate::rt::BoardChannels;
use crate::rt::channel::listen;
use std::fmt::Display;
use std::io;
use std::time::Duration;

/// The interval between two attempts to open a board that is gone.
const RETRY: Duration = Duration::from_millis(500);

/// Closes each board that the clock loop gives up, and hands the board back to the loop once it can
/// be opened again. While no board is gone, this task does not wake up.
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
            // Closed first: the kernel keeps its lines reserved until then.
            drop(lines);
            let lines = open_when_possible(open).await;
            // The loop has at most one board, so the ring has room. If it had none, the board would
            // be closed here.
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
