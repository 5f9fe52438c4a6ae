//! What a restart finds in particular cases.

use crate::game::{FAST, monotonic_now};
use crate::numbers::Numbers;
use crate::record;
use clock_dbus::{ClockProxy, Phase, State, Who};
use clock_tests::{Bench, Buttons, DEADLINE, Program, Supervisor};
use std::time::{Duration, Instant};
use zbus::{Connection, connection};

struct Fixture {
    clock: Supervisor,
    connection: Connection,
    buttons: Option<Buttons>,
    bench: Bench,
    _bus: Program,
}

/// A clock with this control, under a supervisor.
async fn fixture(control: &str) -> Fixture {
    let bench = Bench::new().unwrap();
    bench.configure(FAST).unwrap();
    let bus = bench.bus().unwrap();
    let record = bench.folder().join("record.sqlite3");
    let arguments = ["--record", record.to_str().unwrap(), "--control", control];
    let command = bench.clockd_command(&arguments);
    let mut clock = Supervisor::of_command(bench.folder(), &command).unwrap();
    clock.start().unwrap();
    let connection = connection::Builder::address(bench.address().as_str());
    let connection = connection.method_timeout(Duration::from_secs(10)).build().await.unwrap();
    let buttons = Some(bench.buttons().unwrap());
    Fixture { clock, connection, buttons, bench, _bus: bus }
}

impl Fixture {
    async fn state(&self) -> State {
        ClockProxy::new(&self.connection).await.unwrap().get_state().await.unwrap()
    }

    /// Presses a button and waits until the press is in the record. Returns its instant.
    async fn press(&mut self, button: &str) -> u64 {
        let at = self.buttons.as_mut().unwrap().tap(button).unwrap();
        let start = Instant::now();
        loop {
            let game = record::latest_game(&self.connection).await;
            let entries = record::entries(&self.connection, game, 0).await;
            if entries.iter().any(|entry| entry["kind"] == "press" && entry["at_ns"] == at) {
                return at;
            }
            assert!(start.elapsed() < DEADLINE, "the press is not in the record: {entries:#?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn a_flag_that_falls_while_the_clock_is_dead_falls_at_its_own_instant() {
    let mut fixture = fixture("G/2s").await;
    let start = fixture.press("black").await;
    fixture.clock.kill().unwrap();
    let flag = start + 2_000_000_000;
    while monotonic_now() <= flag {
        std::thread::sleep(Duration::from_millis(10));
    }
    fixture.clock.start().unwrap();
    let state = fixture.state().await;
    assert_eq!((state.first_flag, state.white_flag_nsec), (Who::White, flag.cast_signed()));
    assert_eq!((state.white_remaining_nsec, state.black_remaining_nsec), (0, 2_000_000_000));
}

#[tokio::test]
async fn without_the_kept_memory_the_record_gives_the_same_clock() {
    let mut fixture = fixture("5+3").await;
    let mut numbers = Numbers::of_state(&fixture.state().await);
    for _ in 0..3 {
        for side in [Who::Black, Who::White] {
            let at = fixture.press(side.as_str()).await;
            numbers = numbers.pressed_with(side, at, 3_000_000_000);
        }
        fixture.clock.kill().unwrap();
        // As without FileDescriptorStoreMax=, or after clockd was updated.
        fixture.clock.forget_kept();
        fixture.clock.start().unwrap();
        fixture.buttons = Some(fixture.bench.buttons().unwrap());
        let state = fixture.state().await;
        assert_eq!(state.phase, Phase::Running);
        let shown = Numbers::of_state(&state);
        assert!(shown.agrees_with(&numbers), "{shown:?}\n{numbers:?}\n{}", fixture.clock.log());
    }
}
