//! A step that is read from the bytes of an input.

use crate::bytes::Bytes;
use crate::control::control;
use clock_engine::{
    Caller, Clock, Command, Control, Correction, Instant, Outcome, PerSide, Recompute, Refused,
    Side, Span, TurnEvent,
};

#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it at a time, on the stack")]
pub enum Step {
    Press(Side),
    Call,
    Command(Command),
    ChangeTimeControl { control: Control, recompute: Recompute, keep_method: bool },
    Timeout,
}

pub fn apply(clock: &mut Clock, step: Step, at: Instant) -> Result<(), Refused> {
    match step {
        Step::Press(side) => clock.handle_press(side, at),
        Step::Call => clock.handle_call(at),
        Step::Command(command) => clock.handle_command(command, at),
        Step::ChangeTimeControl { control, recompute, keep_method } => {
            clock.change_control(control, &recompute, keep_method, at)
        }
        Step::Timeout => clock.handle_timeout(at),
    }
}

/// The instant of a step: mostly a little later than the last one, or close to the next timeout;
/// sometimes at the end of the number range, or too early.
pub fn at(bytes: &mut Bytes, clock: &Clock) -> Instant {
    let last = clock.last().as_nanos();
    let due = clock.poll_timeout().map_or(last, Instant::as_nanos);
    Instant::from_nanos(match bytes.byte() % 16 {
        0..=3 => last,
        4 => due,
        5 => due - u64::from(due > last),
        6 => due.saturating_add(1),
        7 => due.saturating_add(bytes.span().as_nanos()),
        8 => bytes.u64(),
        9 => last.saturating_sub(1),
        _ => last.saturating_add(bytes.span().as_nanos()),
    })
}

pub fn step(bytes: &mut Bytes, clock: &Clock) -> Step {
    let on_move = clock.view(clock.last()).on_move;
    let choice = bytes.byte();
    Step::Command(match choice % 25 {
        0..=8 => return Step::Press(on_move),
        9 => return Step::Press(on_move.other()),
        10 => return Step::Call,
        11 => return Step::Timeout,
        12 => Command::Start,
        13 => Command::Pause { by: caller(bytes) },
        14 | 15 => Command::Resume { side: None },
        16 => Command::Resume { side: Some(bytes.side()) },
        17 | 18 => Command::Set(correction(bytes)),
        19 => Command::Add { side: bytes.side(), delta_ns: delta(bytes) },
        20 | 21 => Command::UndoPress,
        22 => Command::Finish(bytes.pick(&Outcome::ALL)),
        23 => Command::Reopen,
        _ => match control(bytes) {
            Ok(control) if choice >= 200 => {
                let [is_asked, keep_method, ..] = bytes.flags::<8>();
                let recompute = match is_asked {
                    true => Recompute::from_turns(&control, turns(bytes), clock),
                    false => Recompute::No,
                };
                return Step::ChangeTimeControl { control, recompute, keep_method };
            }
            Ok(control) => Command::New { control, force: (choice / 25).is_multiple_of(2) },
            Err(_) => Command::UndoPress,
        },
    })
}

/// Turns that the clock need not have had. Those of an unused clock can be taken.
fn turns(bytes: &mut Bytes) -> Vec<TurnEvent> {
    (0..bytes.byte() % 8)
        .map(|_| match bytes.byte() % 8 {
            0..=2 => TurnEvent::Ran(bytes.span()),
            3 | 4 => TurnEvent::Completed,
            5 => TurnEvent::TakenBack,
            6 => TurnEvent::HandedOver(bytes.side()),
            _ => {
                let (side, delta_ns) = (bytes.side(), delta(bytes));
                let [settles_owed, ..] = bytes.flags::<8>();
                TurnEvent::Given { side, delta_ns, settles_owed }
            }
        })
        .collect()
}

fn caller(bytes: &mut Bytes) -> Caller {
    bytes.pick(&[
        Caller::Arbiter,
        Caller::Player(Side::White),
        Caller::Player(Side::Black),
        Caller::Button,
        Caller::Fault,
    ])
}

fn correction(bytes: &mut Bytes) -> Correction {
    let [
        white_time,
        black_time,
        white_moves,
        black_moves,
        white_period,
        black_period,
        move_of,
        overtime,
    ] = bytes.flags();
    let mut time = |given: bool| given.then(|| bytes.span());
    let time: PerSide<Option<Span>> = PerSide { white: time(white_time), black: time(black_time) };
    let mut number = |given: bool| given.then(|| bytes.number());
    let mut correction = Correction {
        time,
        moves: PerSide { white: number(white_moves), black: number(black_moves) },
        period: PerSide { white: number(white_period), black: number(black_period) },
        on_move: move_of.then(|| bytes.side()),
        ..Correction::default()
    };
    if overtime {
        let side = bytes.side();
        let [periods, moves] = bytes.flags();
        correction.overtime_periods[side] = periods.then(|| bytes.number());
        correction.overtime_moves[side] = moves.then(|| bytes.number());
    }
    correction
}

fn delta(bytes: &mut Bytes) -> i64 {
    let amount = i64::try_from(bytes.span().as_nanos()).unwrap_or(i64::MAX);
    bytes.pick(&[amount, -amount, i64::MIN])
}
