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

use clock_dbus::{MenuPage, MenuSettings, State};
use fake::{FakeClock, paused};
use rustix::time::{ClockId, clock_gettime};
use states::menu::{NamedPage, pages};
use states::{Named, states};

/// The present instant of `CLOCK_MONOTONIC`, in nanoseconds.
fn now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0)
}

/// A state of the clock, with the page of its menu.
struct Shown {
    name: &'static str,
    shows: &'static str,
    state: State,
    page: MenuPage,
}

/// Every state, and then every page.
fn all() -> Vec<Shown> {
    let of_state = |Named { name, shows, state }| {
        let page = MenuPage::default();
        Shown { name, shows, state, page }
    };
    let of_page = |NamedPage { name, shows, page }| Shown { name, shows, state: paused(), page };
    let states = states(now()).into_iter().map(of_state);
    states.chain(pages().into_iter().map(of_page)).collect()
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
        let mut all = all();
        let known: Vec<&str> = all.iter().map(|shown| shown.name).collect();
        let Shown { name, shows, state, page } = all.swap_remove(index);
        println!("{}/{}  {name}: {shows}", index + 1, known.len());
        clock.transition("set", state).await;
        clock.set_menu(page, MenuSettings::default()).await;
        // The user is asked in another thread, so that the clock service can answer the faces while
        // it waits for the user.
        let asked = tokio::task::spawn_blocking(move || next(index, &known)).await;
        shown = asked.unwrap_or(None);
    }
    clock.leave().await;
    let _ = bus.kill();
    bus.wait().map(|_| ())
}
