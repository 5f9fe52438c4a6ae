//! Steps through every state of the face, for people who design it: `make face`.
//!
//! It starts a private bus with a clock service that publishes one state at a time. The Enter key
//! chooses the next state. The name of a state, followed by Enter, chooses that state. Any number
//! of faces can show the states: start `clock-display --bus ADDRESS` in other terminals.

#[path = "../tests/face/fake.rs"]
#[allow(dead_code)]
mod fake;
#[path = "../tests/states/mod.rs"]
mod states;

use std::io::{BufRead, Write};

use fake::{FakeClock, paused};
use rustix::time::{ClockId, clock_gettime};
use states::states;

/// The present instant of `CLOCK_MONOTONIC`, in nanoseconds.
fn now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0)
}

/// Asks the user for the next state. `known` has the names of the states, and `current` is the
/// index of the present one. Returns the index of the next state, or `None` after `q` or at the end
/// of the input.
fn next(current: usize, known: &[&str]) -> Option<usize> {
    loop {
        print!("Enter: the next state; a name: that one; q: quit > ");
        std::io::stdout().flush().ok()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => return Some((current + 1) % known.len()),
            "q" => return None,
            name => match known.iter().position(|known| *known == name) {
                Some(found) => return Some(found),
                None => println!("no state `{name}`; there are: {}", known.join(", ")),
            },
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let socket = folder.path().join("bus");
    let mut bus = clock_test_bus::start(&socket, "")?;
    let address = clock_test_bus::address(&socket);
    let clock = FakeClock::start(&address, paused()).await;
    clock.set_rules_file("show_moves = true\nblack_starts = true\n");
    println!("In another terminal:  clock-display --bus {address}");
    println!("or a picture:         clock-display shot --out face.png --bus {address}\n");
    let mut shown = Some(0);
    while let Some(index) = shown {
        let mut states = states(now());
        let known: Vec<&str> = states.iter().map(|state| state.name).collect();
        let state = states.swap_remove(index);
        println!("{}/{}  {}: {}", index + 1, known.len(), state.name, state.shows);
        clock.transition("set", state.state).await;
        // The user is asked in another thread, so that the clock service can answer the faces while
        // it waits for the user.
        let asked = tokio::task::spawn_blocking(move || next(index, &known)).await;
        shown = asked.unwrap_or(None);
    }
    clock.leave().await;
    let _ = bus.kill();
    bus.wait().map(|_| ())
}
