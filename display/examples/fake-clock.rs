//! A clock service that shows every content of the display, one after the other, so that a person
//! can check them: `cargo run -p clock-display --example fake-clock -- ADDRESS`, and `clock-display
//! --bus ADDRESS`. The Enter key shows the next one.

#[path = "../tests/face/fake.rs"]
#[allow(dead_code)]
mod fake;

use clock_dbus::{
    ClaimState, Counting, Fault, FaultCode, PausedBy, Phase, Question, QuestionKind, State, Who,
};
use fake::{FakeClock, paused};

const SECOND: u64 = 1_000_000_000;

fn now() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap_or(0) * SECOND + u64::try_from(now.tv_nsec).unwrap_or(0)
}

fn late(side: Who) -> Question {
    Question { kind: QuestionKind::Default, side, since_nsec: now(), answers: Vec::new() }
}

fn faces() -> Vec<State> {
    let ready = State { phase: Phase::Ready, on_move: Who::White, ..paused() };
    let runs = State { at_nsec: now(), phase: Phase::Running, running: Who::White, ..paused() };
    let flagged = State {
        phase: Phase::Ruling,
        first_flag: Who::Black,
        on_move: Who::Black,
        black_remaining_nsec: 0,
        black_flag_nsec: 1,
        black_out_of_time: true,
        ..paused()
    };
    vec![
        ready,
        State { white_delay_nsec: 9 * SECOND, ..runs.clone() },
        State { white_remaining_nsec: 25 * SECOND, ..runs.clone() },
        State {
            white_remaining_nsec: 30 * SECOND,
            white_overtime_periods: 5,
            white_overtime_moves: 1,
            ..runs.clone()
        },
        State { counting: Counting::Hourglass, white_remaining_nsec: 75 * SECOND, ..runs.clone() },
        State { counting: Counting::Up, white_remaining_nsec: 0, ..runs.clone() },
        State { white_flag_nsec: 2, white_period: 2, ..runs.clone() },
        State { running: Who::Black, on_move: Who::Black, ..runs.clone() },
        paused(),
        State { arbiter_called_by: Who::White, ..paused() },
        State {
            phase: Phase::Ruling,
            claim_by: Who::White,
            claim_state: ClaimState::Called,
            ..paused()
        },
        State { claim_by: Who::Black, claim_state: ClaimState::Pending, ..runs.clone() },
        State { questions: vec![late(Who::Black)], ..runs.clone() },
        State { adjourned: Who::Black, ..paused() },
        State { rules: "fide-2023".into(), ..runs.clone() },
        State {
            paused_by: PausedBy::BoardGone,
            faults: vec![Fault::new(FaultCode::BoardGone, "check the cable")],
            ..paused()
        },
        State { faults: vec![Fault::new(FaultCode::StuckWhite, "check it")], ..runs.clone() },
        flagged.clone(),
        State { phase: Phase::Running, running: Who::Black, at_nsec: now(), ..flagged.clone() },
        State {
            white_remaining_nsec: 0,
            white_flag_nsec: 2,
            white_out_of_time: true,
            ..flagged.clone()
        },
        State { phase: Phase::Over, result: "1-0".into(), ..flagged },
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let address = std::env::args().nth(1).expect("the address of a bus");
    let clock = FakeClock::start(&address, paused()).await;
    let mut line = String::new();
    for index in 0.. {
        let mut faces = faces();
        let state = faces.swap_remove(index % faces.len());
        println!("{}", state.phase.as_str());
        clock.transition("set", state).await;
        let read = tokio::task::spawn_blocking(move || std::io::stdin().read_line(&mut line));
        if !matches!(read.await, Ok(Ok(1..))) {
            return;
        }
        line = String::new();
    }
}
