//! The time controls and the inputs of the enumeration.
//!
//! All times are one, two or three ticks and differ between the sides, so that a time given to the
//! wrong side is noticed.

use crate::controls::TICKS;
use crate::games::Action;
use clock_engine::{
    AfterFlag, Caller, Command, Control, Correction, Method, Outcome, Overtime, PerSide, Period,
    PeriodEnd, Side, Span, Terms,
};

/// A time control with its name and its tick in nanoseconds.
pub struct Enumerated {
    pub name: String,
    pub control: Control,
    pub tick: u64,
}

/// Controls with every method, every `period_end` and both values of `after_flag`, as far as these
/// are allowed together.
pub fn controls() -> Vec<Enumerated> {
    let mut all = Vec::new();
    for (method, tick, per_side) in methods() {
        for (period_end, word, repeat) in advances() {
            for after_flag in [AfterFlag::Halt, AfterFlag::Run] {
                let terms =
                    Terms { period_end, repeat, after_flag: Some(after_flag), ..Terms::default() };
                let name = format!("{method}, {word}, {}", after_flag.as_str());
                // Overtime is allowed only in the last period, and only if that does not repeat.
                match (method, repeat) {
                    ("overtime", true) => {}
                    ("overtime", false) => {
                        let control =
                            two_periods(PerSide::both(Method::None), per_side, tick, terms);
                        all.push(Enumerated { name, control, tick });
                    }
                    _ => {
                        let control = two_periods(per_side, per_side, tick, terms);
                        all.push(Enumerated { name, control, tick });
                    }
                }
            }
        }
    }
    all.extend(alone());
    all
}

fn ticks(tick: u64, white: u64, black: u64) -> PerSide<Span> {
    PerSide { white: white * tick, black: black * tick }.map(Span::from_nanos)
}

/// The methods that a control of several periods can have: name, tick, method of each side.
fn methods() -> [(&'static str, u64, PerSide<Method>); 5] {
    let [short, half_slice] = TICKS;
    let overtime = PerSide {
        white: Method::Overtime(Overtime { periods: 2, time: span(half_slice, 2), moves: 1 }),
        black: Method::Overtime(Overtime { periods: 1, time: span(half_slice, 3), moves: 2 }),
    };
    [
        ("none", short, PerSide::both(Method::None)),
        ("increment", short, ticks(short, 1, 2).map(Method::Increment)),
        ("delay", short, ticks(short, 1, 2).map(Method::Delay)),
        ("bronstein", short, ticks(short, 1, 2).map(Method::Bronstein)),
        ("overtime", half_slice, overtime),
    ]
}

fn span(tick: u64, ticks: u64) -> Span {
    Span::from_nanos(tick * ticks)
}

fn advances() -> [(PeriodEnd, &'static str, bool); 6] {
    [
        (PeriodEnd::Moves, "moves", false),
        (PeriodEnd::Moves, "moves repeating", true),
        (PeriodEnd::Zero, "zero", false),
        (PeriodEnd::MovesAtZero, "moves-at-zero", false),
        (PeriodEnd::BlackCompletes { pause: false }, "black-completes", false),
        (PeriodEnd::BlackCompletes { pause: true }, "black-completes with pause", false),
    ]
}

/// White has two ticks for the first move and one for the last period. Black has one tick for the
/// first move and two for the last period.
fn two_periods(first: PerSide<Method>, last: PerSide<Method>, tick: u64, terms: Terms) -> Control {
    let periods = [
        Period { moves: Some(1), time: ticks(tick, 2, 1), method: first },
        Period { moves: terms.repeat.then_some(1), time: ticks(tick, 1, 2), method: last },
    ];
    Control::new(&periods, terms).expect("a control as it should be")
}

/// Controls with the methods that are allowed only in a control of one period.
fn alone() -> Vec<Enumerated> {
    let [short, half_slice] = TICKS;
    let one = |name: &str, tick, time, method, after_flag| Enumerated {
        name: name.to_owned(),
        control: Control::new(
            &[Period { moves: None, time, method }],
            Terms { after_flag, ..Terms::default() },
        )
        .expect("a control of one period"),
        tick,
    };
    let no_time = PerSide::default();
    let limit = ticks(short, 2, 3).map(|limit| Method::CountUp { limit: Some(limit) });
    let no_limit = PerSide::both(Method::CountUp { limit: None });
    let gong = ticks(half_slice, 2, 3).map(Method::Gong);
    let per_move = |kind: fn(Span) -> Method| ticks(short, 1, 2).map(kind);
    vec![
        // 0+5: a side has only what each move brings.
        one("no main time, increment", short, no_time, per_move(Method::Increment), None),
        one("no main time, delay", short, no_time, per_move(Method::Delay), None),
        one("no main time, bronstein", short, no_time, per_move(Method::Bronstein), None),
        one("hourglass", short, ticks(short, 2, 1), PerSide::both(Method::Hourglass), None),
        one("gong", half_slice, no_time, gong, None),
        one("count-up", short, no_time, no_limit, None),
        one("count-up with limit, halt", short, no_time, limit, Some(AfterFlag::Halt)),
        one("count-up with limit, run", short, no_time, limit, Some(AfterFlag::Run)),
    ]
}

/// Every input without its instant. The call button is left out, because its effect on the times is
/// that of a pause.
pub fn actions(control: &Control, tick: u64) -> Vec<Action> {
    let mut actions: Vec<_> = Side::BOTH.map(Action::Press).into();
    actions.extend(commands(control, tick).into_iter().map(Action::Command));
    actions
}

/// Whether this input can start a clock that stands.
pub fn starts_a_clock(action: Action) -> bool {
    matches!(action, Action::Press(_) | Action::Command(Command::Start | Command::Resume { .. }))
}

fn commands(control: &Control, tick: u64) -> Vec<Command> {
    let by = Caller::Arbiter;
    let mut commands = vec![
        Command::Start,
        Command::Pause { by },
        Command::Resume { side: None },
        Command::UndoPress,
        Command::Finish(Outcome::Drawn),
        Command::Reopen,
    ];
    let delta_ns = i64::try_from(tick).expect("a tick is short");
    for side in Side::BOTH {
        commands.push(Command::Resume { side: Some(side) });
        commands.push(Command::Add { side, delta_ns });
        commands.push(Command::Add { side, delta_ns: -delta_ns });
        commands.extend(corrections(control, side, tick).into_iter().map(Command::Set));
    }
    commands
}

/// Corrections of one side, each with one value.
fn corrections(control: &Control, side: Side, tick: u64) -> Vec<Correction> {
    let correct = |change: &dyn Fn(&mut Correction)| {
        let mut correction = Correction::default();
        change(&mut correction);
        correction
    };
    let mut all = vec![
        correct(&|c| c.time[side] = Some(Span::ZERO)),
        correct(&|c| c.time[side] = Some(span(tick, 1))),
        correct(&|c| c.moves[side] = Some(1)),
    ];
    if control.count() > 1 {
        all.push(correct(&|c| c.period[side] = Some(1)));
        all.push(correct(&|c| c.period[side] = Some(2)));
    }
    if control.periods().iter().any(|period| matches!(period.method[side], Method::Overtime(_))) {
        all.push(correct(&|c| c.overtime_periods[side] = Some(1)));
        all.push(correct(&|c| c.overtime_moves[side] = Some(1)));
    }
    all
}
