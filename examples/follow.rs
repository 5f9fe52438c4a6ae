//! Follows the clock on the system bus, also over restarts of the service, and prints what it shows
//! whenever that changes.
//!
//! `cargo run -p clock-dbus --example follow`

use std::time::{Duration, Instant};

use clock_dbus::{Followed, Follower, METHOD_TIMEOUT, State, face_text};

#[tokio::main(flavor = "current_thread")]
async fn main() -> clock_dbus::Result<()> {
    let bus = zbus::connection::Builder::system().method_timeout(METHOD_TIMEOUT);
    let bus = bus.build().await?;
    let mut follower = Follower::new(&bus).await?;
    let mut latest: Option<State> = None;
    // One instant on the monotonic clock of the service's machine, in nanoseconds, and on that of
    // this machine. The program can run on another machine than the service.
    let mut timebase = (0, Instant::now());
    let mut printed = String::new();
    loop {
        // If nothing happens, the clocks run on, and the face shows tenths of a second at the end.
        let next = tokio::time::timeout(Duration::from_millis(100), follower.next()).await;
        match next {
            Err(_) => {}
            Ok(followed) => match followed? {
                None => return Ok(()),
                Some(Followed::NoService) => latest = None,
                Some(Followed::Read { state, timebase: read }) => {
                    timebase = (read.monotonic_nsec, Instant::now());
                    latest = Some(*state);
                }
                Some(Followed::Missed(state) | Followed::Transition { state, .. }) => {
                    latest = Some(*state);
                }
            },
        }
        let elapsed = u64::try_from(timebase.1.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let now = timebase.0.saturating_add(elapsed);
        let line = latest.as_ref().map_or("no clock service".to_owned(), |state| line(state, now));
        if line != printed {
            println!("{line}");
            printed = line;
        }
    }
}

fn line(state: &State, now_nsec: u64) -> String {
    let state = state.at(now_nsec);
    format!(
        "White {}  Black {}  {}",
        face_text(state.white.remaining_nsec),
        face_text(state.black.remaining_nsec),
        state.phase.as_str()
    )
}
