//! Tests of signals that the service sends before or after its answer to `GetState`. The face shows
//! the newest state, whether it is in a signal or in the answer, and then each later one.

use clock_dbus::{SideState, State};

use crate::bus::{Bus, Folder};
use crate::fake::{FakeClock, paused};
use crate::screen::Face;
use crate::{NO_SERVICE, runtime};

/// A state with this sequence number. White's moves have the same number, because the face shows
/// the moves and not the sequence number.
fn state(sequence: u32) -> State {
    State {
        sequence: sequence.into(),
        white: SideState { moves: sequence, ..paused().white },
        ..paused()
    }
}

fn shows(face: &Face, sequence: u32) {
    face.wait_for(&format!("move {sequence}"));
}

/// The service signals the states 21 to 24. Those up to the number `before` come ahead of its
/// answer to `GetState`, and the others come after it. The answer is the state `read`.
#[test]
fn the_newest_state_is_shown_whether_its_signal_comes_before_or_after_the_one_that_is_read() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    for (read, before) in [(20, 24), (22, 24), (24, 24), (20, 22), (22, 21), (24, 20), (20, 20)] {
        let clock = runtime.block_on(FakeClock::start(&bus.address, state(20)));
        let signals = (21..=before).map(state).collect();
        clock.around_the_next_reading(signals, state(read), (before + 1..=24).map(state).collect());
        let face = Face::start(&["--bus", &bus.address]);
        shows(&face, 24);
        runtime.block_on(clock.signal(&state(25)));
        shows(&face, 25);
        assert_eq!(clock.reads(), 1, "{read} {before}");
        runtime.block_on(clock.leave());
    }
}

#[test]
fn a_signal_that_the_state_includes_does_not_bring_an_older_state_back() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, state(20)));
    clock.around_the_next_reading(Vec::new(), state(24), vec![state(22), state(23)]);
    let face = Face::start(&["--bus", &bus.address]);
    shows(&face, 24);
    // The state `player` is signalled after the states 22 and 23. So the face has handled these two
    // states when it shows `player`.
    let player =
        State { black: SideState { player: "Sonja Graf".into(), ..state(25).black }, ..state(25) };
    runtime.block_on(clock.signal(&player));
    face.wait_for("Sonja Graf");
    runtime.block_on(clock.signal(&state(24)));
    runtime.block_on(clock.signal(&State {
        white: SideState { player: "Menchik V.".into(), ..state(26).white },
        ..state(26)
    }));
    face.wait_for("Menchik V.");
    shows(&face, 26);
    assert_eq!(clock.reads(), 1);
}

#[test]
fn after_a_missing_signal_the_state_is_read_again() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, state(20)));
    let face = Face::start(&["--bus", &bus.address]);
    shows(&face, 20);
    // The signal of state 21 is missing. State 23 is signalled before the answer to `GetState`.
    clock.around_the_next_reading(vec![state(23)], state(24), vec![state(24), state(25)]);
    runtime.block_on(clock.signal(&state(22)));
    shows(&face, 25);
    assert_eq!(clock.reads(), 2);
}

#[test]
fn a_new_service_counts_from_1_again() {
    let folder = Folder::new();
    let bus = Bus::start(&folder.file("bus"));
    let runtime = runtime();
    let clock = runtime.block_on(FakeClock::start(&bus.address, state(30)));
    let face = Face::start(&["--bus", &bus.address]);
    shows(&face, 30);
    runtime.block_on(clock.leave());
    face.wait_for(NO_SERVICE);
    let clock = runtime.block_on(FakeClock::start(&bus.address, state(1)));
    for sequence in 2..=4 {
        runtime.block_on(clock.signal(&state(sequence)));
    }
    shows(&face, 4);
}
