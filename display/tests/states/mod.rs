//! The list of every state of the face. The golden pictures, the tests of the devices and
//! `examples/fake-clock.rs`, which steps through the states, use this list.

pub mod menu;

use clock_dbus::{
    ClaimState, Counting, Fault, FaultCode, Method, PausedBy, Phase, Question, QuestionKind,
    QuestionProgress, SideState, State, Who,
};

const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;

/// One state of the face.
pub struct Named {
    /// The name of the state and of its pictures.
    pub name: &'static str,
    /// What the face shows in this state.
    pub shows: &'static str,
    /// What the service publishes.
    pub state: State,
}

fn named(name: &'static str, shows: &'static str, state: State) -> Named {
    Named { name, shows, state }
}

/// White is on move in a classical game, and both clocks stand.
fn paused() -> State {
    State {
        sequence: 20,
        revision: 6,
        phase: Phase::Paused,
        paused_by: PausedBy::Arbiter,
        on_move: Who::White,
        time_control: "40/90, G/30, +30".into(),
        periods: 2,
        white: SideState {
            remaining_nsec: 90 * MINUTE,
            low_nsec: 5 * MINUTE,
            moves: 12,
            period: 1,
            flag_nsec: None,
            player: "Vera Menchik".into(),
            ..method(Method::Increment, 30).white
        },
        black: SideState {
            low_nsec: 5 * MINUTE,
            remaining_nsec: 84 * MINUTE + 7 * SECOND,
            moves: 11,
            period: 1,
            flag_nsec: None,
            player: "Efim Bogoljubow".into(),
            ..method(Method::Increment, 30).black
        },
        ..method(Method::Increment, 30)
    }
}

/// A state whose sides have this method with so many seconds.
fn method(method: Method, seconds: u64) -> State {
    State {
        white: SideState { method, method_nsec: seconds * SECOND, ..SideState::default() },
        black: SideState { method, method_nsec: seconds * SECOND, ..SideState::default() },
        ..State::default()
    }
}

/// `state` with this method.
fn with_method(method: Method, seconds: u64, mut state: State) -> State {
    for side in [&mut state.white, &mut state.black] {
        (side.method, side.method_nsec) = (method, seconds * SECOND);
    }
    state
}

fn fault(code: FaultCode) -> Vec<Fault> {
    vec![Fault::new(code, "")]
}

/// Every state. `now` is `at_nsec` of each state in which a clock runs: an instant of
/// `CLOCK_MONOTONIC` in nanoseconds.
pub fn states(now: u64) -> Vec<Named> {
    [before_and_during(now), stopped(), flags(now), names(now)].into_iter().flatten().collect()
}

fn running(now: u64) -> State {
    State {
        at_nsec: now,
        phase: Phase::Running,
        paused_by: PausedBy::Nothing,
        running: Who::White,
        ..paused()
    }
}

fn before_and_during(now: u64) -> Vec<Named> {
    let runs = running(now);
    let ready = State {
        phase: Phase::Ready,
        paused_by: PausedBy::Nothing,
        white: SideState { moves: 0, ..paused().white },
        black: SideState { moves: 0, remaining_nsec: 90 * MINUTE, ..paused().black },
        ..paused()
    };
    vec![
        named("ready", "before the game, and how it is started", ready.clone()),
        named(
            "ready-without-buttons",
            "the buttons are not connected before the game",
            State { faults: fault(FaultCode::BoardGone), ..ready },
        ),
        named("white-runs", "White's clock runs", runs.clone()),
        named(
            "black-runs",
            "Black's clock runs",
            State { running: Who::Black, on_move: Who::Black, ..runs.clone() },
        ),
        named(
            "event",
            "the board, the round and the event of the game",
            State {
                board: "12".into(),
                round: "3".into(),
                event: "Dublin Open 2026".into(),
                white: SideState { player: "GM Vera Menchik (ENG)".into(), ..runs.clone().white },
                ..runs.clone()
            },
        ),
        named(
            "low",
            "White's time is low",
            State {
                white: SideState { remaining_nsec: 47 * SECOND, ..runs.clone().white },
                ..runs.clone()
            },
        ),
        named(
            "low-tenths",
            "the times of both are low, and White has less than 20 seconds",
            State {
                white: SideState { remaining_nsec: 9_400_000_000, ..runs.clone().white },
                black: SideState { remaining_nsec: 38 * SECOND, ..runs.clone().black },
                ..runs.clone()
            },
        ),
        named(
            "delay",
            "White's delay runs before the time does",
            State {
                white: SideState {
                    delay_nsec: 9 * SECOND,
                    ..with_method(Method::Delay, 10, runs.clone()).white
                },
                black: SideState {
                    delay_nsec: 10 * SECOND,
                    ..with_method(Method::Delay, 10, runs.clone()).black
                },
                ..with_method(Method::Delay, 10, runs.clone())
            },
        ),
        named(
            "bronstein",
            "the method is a Bronstein delay",
            State {
                board: "12".into(),
                round: "3".into(),
                event: "Dublin Open 2026".into(),
                ..with_method(Method::Bronstein, 3, runs.clone())
            },
        ),
        named(
            "overtime",
            "five periods of overtime are left, with one move in this one",
            State {
                periods: 0,
                white: SideState {
                    period: 3,
                    remaining_nsec: 30 * SECOND,
                    low_nsec: 10 * SECOND,
                    overtime_periods: Some(5),
                    overtime_moves: Some(1),
                    ..with_method(Method::None, 0, runs.clone()).white
                },
                ..with_method(Method::None, 0, runs.clone())
            },
        ),
        named(
            "earlier-flag",
            "a flag fell in the first period, and play went on",
            State {
                white: SideState {
                    flag_nsec: Some(2),
                    period: 2,
                    remaining_nsec: 28 * MINUTE,
                    ..runs.clone().white
                },
                ..runs.clone()
            },
        ),
        named(
            "hourglass",
            "White's time falls and Black's rises",
            State {
                counting: Counting::Hourglass,
                time_control: "hourglass-60".into(),
                periods: 1,
                white: SideState {
                    remaining_nsec: 75 * SECOND,
                    low_nsec: 10 * SECOND,
                    ..with_method(Method::None, 0, runs.clone()).white
                },
                black: SideState {
                    remaining_nsec: 65 * SECOND,
                    low_nsec: 10 * SECOND,
                    ..with_method(Method::None, 0, runs.clone()).black
                },
                ..with_method(Method::None, 0, runs.clone())
            },
        ),
        named(
            "counting-up",
            "the times are the times used",
            State {
                counting: Counting::Up,
                time_control: "count-up".into(),
                periods: 1,
                white: SideState {
                    remaining_nsec: 754 * SECOND,
                    low_nsec: 0,
                    ..with_method(Method::None, 0, runs.clone()).white
                },
                black: SideState {
                    remaining_nsec: 3723 * SECOND,
                    low_nsec: 0,
                    ..with_method(Method::None, 0, runs.clone()).black
                },
                ..with_method(Method::None, 0, runs.clone())
            },
        ),
        named(
            "counting-up-with-a-limit",
            "Black has used all but a few seconds of the time up to the limit",
            State {
                counting: Counting::Up,
                white: SideState {
                    limit_nsec: Some(3_600_000_000_000),
                    remaining_nsec: 754 * SECOND,
                    ..with_method(Method::None, 0, runs.clone()).white
                },
                black: SideState {
                    limit_nsec: Some(3_600_000_000_000),
                    remaining_nsec: 3571 * SECOND,
                    ..with_method(Method::None, 0, runs.clone()).black
                },
                time_control: "count-up-1h".into(),
                periods: 1,
                ..with_method(Method::None, 0, runs.clone())
            },
        ),
        named(
            "claim-pending",
            "Black's claim of a draw is pending while the clock runs",
            State { claim_by: Who::Black, claim_state: ClaimState::Pending, ..runs.clone() },
        ),
        named(
            "default-time",
            "Black is later than the default time",
            State {
                questions: vec![Question {
                    kind: Some(QuestionKind::Default),
                    side: Who::Black,
                    since_nsec: now,
                    progress: QuestionProgress::Nothing,
                    answers: Vec::new(),
                }],
                ..runs.clone()
            },
        ),
        named(
            "button-stuck",
            "White's button is stuck",
            State { faults: fault(FaultCode::StuckWhite), ..runs.clone() },
        ),
        named(
            "buttons-exchanged",
            "White's and Black's buttons are exchanged, and White's button is stuck",
            State { buttons_exchanged: true, faults: fault(FaultCode::StuckBlack), ..runs.clone() },
        ),
        named(
            "restarted",
            "the clock was restarted during the game",
            State { faults: fault(FaultCode::Restarted), ..runs },
        ),
    ]
}

fn stopped() -> Vec<Named> {
    let by = |by| State { paused_by: by, ..paused() };
    vec![
        named("paused", "the arbiter has stopped the clocks", paused()),
        named(
            "paused-announced",
            "the arbiter has announced how long the pause lasts",
            State { announcement: "lunch until 14:00".into(), ..paused() },
        ),
        named("paused-to-note", "both readings are to be noted", by(PausedBy::SetBack)),
        named(
            "arbiter-called",
            "White has stopped the clocks to call the arbiter",
            State { arbiter_called_by: Who::White, ..by(PausedBy::White) },
        ),
        named(
            "buttons-disconnected",
            "the buttons were disconnected during the game",
            State { faults: fault(FaultCode::BoardGone), ..by(PausedBy::BoardGone) },
        ),
        named(
            "after-power-cut",
            "the clock was restored after a power cut",
            State { faults: fault(FaultCode::PowerCut), ..by(PausedBy::PowerCut) },
        ),
        named(
            "ruling-awaited",
            "White has claimed a draw, and the arbiter is called",
            State {
                phase: Phase::Ruling,
                paused_by: PausedBy::Nothing,
                claim_by: Who::White,
                claim_state: ClaimState::Called,
                ..paused()
            },
        ),
        named("adjourned", "the game is adjourned", State { adjourned: Who::Black, ..paused() }),
        named(
            "result",
            "the game has a result",
            State {
                phase: Phase::Over,
                paused_by: PausedBy::Nothing,
                result: "1-0".into(),
                ..paused()
            },
        ),
    ]
}

fn flags(now: u64) -> Vec<Named> {
    let flagged = State {
        phase: Phase::Ruling,
        paused_by: PausedBy::Nothing,
        first_flag: Who::Black,
        on_move: Who::Black,
        black: SideState {
            remaining_nsec: 0,
            flag_nsec: Some(1),
            out_of_time: true,
            ..paused().black
        },
        ..paused()
    };
    vec![
        named("flag", "Black's flag has fallen", flagged.clone()),
        named(
            "overrun",
            "Black's flag has fallen, and the clock runs on",
            State {
                phase: Phase::Running,
                running: Who::Black,
                at_nsec: now,
                black: SideState { overrun_nsec: 12 * SECOND, ..flagged.clone().black },
                ..flagged.clone()
            },
        ),
        named(
            "two-flags",
            "both flags have fallen, Black's first",
            State {
                white: SideState {
                    remaining_nsec: 0,
                    flag_nsec: Some(2),
                    out_of_time: true,
                    ..flagged.clone().white
                },
                ..flagged.clone()
            },
        ),
        named(
            "flag-and-result",
            "the game is lost on time",
            State { phase: Phase::Over, result: "1-0".into(), ..flagged },
        ),
    ]
}

fn names(now: u64) -> Vec<Named> {
    let of = |white: &str, black: &str| State {
        white: SideState { player: white.into(), ..running(now).white },
        black: SideState { player: black.into(), ..running(now).black },
        ..running(now)
    };
    vec![
        named(
            "names-long",
            "long names: the first names are shortened",
            of("Maria Fernanda dos Santos Albuquerque-Wittgenstein", "Rameshbabu Praggnanandhaa"),
        ),
        named(
            "names-cyrillic-greek",
            "names in Cyrillic and Greek letters",
            of("Людмила Владимировна Руденко", "Γεώργιος Σουλεϊμανίδης"),
        ),
        named(
            "names-unusual",
            "characters that change the direction or control a terminal",
            of("\u{202e}kihcneM\u{202c} \u{1b}[31mVera", "الله \u{200f}Efim"),
        ),
        named(
            "no-names",
            "no names, no period but one, and times above nine hours",
            State {
                periods: 1,
                white: SideState { remaining_nsec: 600 * MINUTE, ..of("", "").white },
                black: SideState { remaining_nsec: 599 * MINUTE, ..of("", "").black },
                ..of("", "")
            },
        ),
    ]
}
