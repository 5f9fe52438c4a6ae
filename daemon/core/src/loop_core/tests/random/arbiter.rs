//! Random time controls and random commands.

use super::*;
use clock_engine::rules::{AgreedChange, GameCommand, Profile, Session, Setup};
use clock_engine::{Caller, Outcome, Overtime, PerSide, Period, PeriodEnd, Terms};

pub fn control(random: &mut Random) -> Control {
    let span = |random: &mut Random, most: u64| Span::from_nanos(MS + random.below(most * MS));
    let overtime = Overtime {
        periods: 1 + u32::try_from(random.below(4)).unwrap(),
        time: span(random, 900),
        moves: 1 + u32::try_from(random.below(3)).unwrap(),
    };
    let method = match random.below(8) {
        0 => Method::None,
        1 => Method::Increment(span(random, 700)),
        2 => Method::Delay(span(random, 700)),
        3 => Method::Bronstein(span(random, 700)),
        4 => Method::Overtime(overtime),
        5 => Method::Hourglass,
        6 => Method::Gong(span(random, 800)),
        _ => Method::CountUp { limit: Some(span(random, 2000)) },
    };
    let timed = !matches!(method, Method::Gong(_) | Method::CountUp { .. });
    let time = if timed { span(random, 2000) } else { Span::ZERO };
    let last = Period { moves: None, time: PerSide::both(time), method: PerSide::both(method) };
    let terms = Terms {
        period_end: match random.below(4) {
            0 => PeriodEnd::Moves,
            1 => PeriodEnd::Zero,
            2 => PeriodEnd::MovesAtZero,
            _ => PeriodEnd::BlackCompletes { pause: random.chance(2) },
        },
        ..Terms::default()
    };
    let first = Period { moves: Some(3), method: PerSide::both(Method::None), ..last };
    let several = Control::new(&[first, first, last], terms).ok().filter(|_| random.chance(3));
    several.or_else(|| Control::new(&[last], Terms::default()).ok()).unwrap()
}

/// A random command of an arbiter who sees this view of a game under these rules, or a command of
/// several steps, which the menu gives. Most commands make sense.
pub fn command(random: &mut Random, view: &View, profile: Option<Profile>) -> GameCommand {
    // A result can be replaced only when the game is over.
    if !random.chance(if view.phase == Phase::Over { 2 } else { 5 }) {
        return clock_command(random, view).into();
    }
    let outcome = random.pick(Outcome::ALL);
    match random.below(6) {
        0..2 => {
            let (control, session, force) = (control(random), Session::Unknown, random.chance(2));
            GameCommand::NewExchanged(Setup { control, profile, session, force })
        }
        2..4 => GameCommand::ReplaceResult(outcome),
        _ => GameCommand::Agreed(match random.below(4) {
            0 => AgreedChange::UndoPress,
            1 => AgreedChange::Reopen,
            2 => AgreedChange::ReplaceResult(outcome),
            _ => AgreedChange::Set(correction(random)),
        }),
    }
}

fn clock_command(random: &mut Random, view: &View) -> Command {
    let side = |random: &mut Random| random.pick(Side::BOTH);
    let fits = !random.chance(4);
    match view.phase {
        Phase::Ready if fits => Command::Start,
        Phase::Running if fits => Command::Pause { by: Caller::Arbiter },
        Phase::Paused if fits => Command::Resume { side: None },
        Phase::Over if fits => Command::Reopen,
        _ => match random.below(9) {
            0 => Command::Resume { side: Some(side(random)) },
            1 => Command::Finish(random.pick(Outcome::ALL)),
            2 => Command::UndoPress,
            3 => Command::Add { side: side(random), delta_ns: 300_000_000 },
            4 => Command::Pause { by: Caller::Player(side(random)) },
            5 => Command::New { control: control(random), force: random.chance(2) },
            6 => Command::Start,
            _ => Command::Set(correction(random)),
        },
    }
}

fn correction(random: &mut Random) -> Correction {
    let mut correction = Correction::default();
    let given = Span::from_nanos(random.below(2000 * MS));
    correction.time[random.pick(Side::BOTH)] = Some(given);
    correction.on_move = random.chance(2).then(|| random.pick(Side::BOTH));
    correction
}
