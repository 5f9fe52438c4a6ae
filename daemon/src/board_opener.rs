//! Opens the button board, at the start and again after it was unplugged.
//!
//! The clock loop notices that a board is gone, gives it up and pauses the game
//! (`give_up_board` in the crate `clockd-rt`). Closing and opening a board can block, so both are
//! done here, outside the loop.

use clockd_rt::BoardChannels;
use clockd_rt::channel::listen;
use clockd_rt::gpio::Lines;
use std::fmt::Display;
use std::io;
use std::time::Duration;

/// The interval between two attempts to open a board.
const RETRY: Duration = Duration::from_millis(500);

/// A function that opens the board, and the reason why its last call failed.
pub struct BoardOpener<F> {
    open: F,
    reported: Option<String>,
}

impl<F, E> BoardOpener<F>
where
    F: Fn() -> Result<Box<dyn Lines>, E>,
    E: Display,
{
    /// An opener that has not tried yet.
    pub fn new(open: F) -> BoardOpener<F> {
        BoardOpener { open, reported: None }
    }

    /// Tries to open the board. If that fails, returns `None` and logs the reason, unless the
    /// attempt before failed for the same reason.
    pub fn try_open(&mut self) -> Option<Box<dyn Lines>> {
        match (self.open)() {
            Ok(lines) => {
                self.reported = None;
                Some(lines)
            }
            Err(error) => {
                let reason = error.to_string();
                if self.reported.as_ref() != Some(&reason) {
                    crate::game::journal::board_missing(&reason);
                    self.reported = Some(reason);
                }
                None
            }
        }
    }

    async fn open_when_possible(&mut self) -> Box<dyn Lines> {
        loop {
            tokio::time::sleep(RETRY).await;
            if let Some(lines) = self.try_open() {
                return lines;
            }
        }
    }
}

/// Opens the board if it was not there at the start. Closes each board that the clock loop gives
/// up, opens it again as soon as that is possible, and hands it to the loop. While no board is
/// missing, this task sleeps.
pub async fn serve<F, E>(
    boards: BoardChannels,
    mut opener: BoardOpener<F>,
    missing: bool,
) -> io::Result<()>
where
    F: Fn() -> Result<Box<dyn Lines>, E>,
    E: Display,
{
    let mut opened = boards.opened;
    let mut gone = listen(boards.gone)?;
    let mut hand_over = |lines| {
        // The loop has at most one board, so the ring has room for this board. If the ring had no
        // room, the board would be dropped here, and so be closed.
        let _ = opened.push(lines);
        opened.notify();
    };
    if missing {
        hand_over(opener.open_when_possible().await);
    }
    loop {
        let mut ready = gone.readable_mut().await?;
        ready.clear_ready();
        gone.get_ref().clear_notification();
        while let Some(lines) = gone.get_mut().pop() {
            // The board is closed first, because the kernel reserves its lines until then.
            drop(lines);
            hand_over(opener.open_when_possible().await);
        }
    }
}
