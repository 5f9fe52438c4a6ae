//! A second chess clock, written to be checked by reading and not to be fast.
//!
//! It follows the specification of the clock, not the code of the engine, and works differently. A
//! turn is a list of intervals in which the clock ran. The main number of a side is computed,
//! whenever it is needed, from `SideState::main` and the running time of the turn. The number is
//! signed: after the final flag it is negative, and its absolute value is the overrun. Timeouts are
//! decided one after the other, however many there are.

mod commands;
mod presses;
mod restore;
mod timeouts;
mod undo;

use clock_engine::rules::SideNotes;
use clock_engine::{
    AfterFlag, Caller, Control, Counting, EventKind, Instant, Method, Outcome, OvertimeLeft,
    PausedBy, PerSide, Period, Phase, Side, SideView, Span, View,
};
use undo::LastMove;

/// The number of events that a clock keeps until they are taken.
const KEPT: usize = 64;

/// One turn of one side.
#[derive(Clone, Debug)]
struct Turn {
    side: Side,
    /// The delay at the start of the turn: `d` of docs/timing.md.
    delay: i128,
    /// The intervals in which the clock ran. The last one has no end while the clock runs.
    ran: Vec<(i128, Option<i128>)>,
}

impl Turn {
    /// The running time of the turn up to `at`: `e` of docs/timing.md.
    fn elapsed(&self, at: i128) -> i128 {
        self.ran.iter().map(|(from, to)| to.unwrap_or(at) - from).sum()
    }
}

/// The state of one side.
#[derive(Clone, Debug)]
struct SideState {
    /// `M` of docs/timing.md: the main time at the start of the turn, plus what was added or set
    /// during the turn. In overtime it is the time left of the running period, with a gong the time
    /// left of the slice and, if time is counted up, the time used.
    main: i128,
    moves: u32,
    period: u32,
    /// The flags that have fallen and are not annulled.
    flags: Vec<i128>,
    /// Whether the last of `flags` is final.
    out: bool,
    /// The time that the clock of this side showed at its final flag: 0, or the limit if time is
    /// counted up.
    number_at_flag: i128,
    overtime: Option<OvertimeLeft>,
    /// An overtime that had begun when the arbiter put the side in a period without overtime.
    aside: Option<OvertimeLeft>,
    /// The main time of a set-back that the side had used when `undo-press` took back the set-back.
    /// It is subtracted from the main time of the next set-back.
    owed: i128,
    /// An overtime that had begun in the period of a set-back when `undo-press` took back the
    /// set-back. The side's next overtime begins with what was left of it.
    owed_overtime: Option<OwedOvertime>,
}

#[derive(Clone, Copy, Debug)]
struct OwedOvertime {
    left: OvertimeLeft,
    /// The number that the running period of the overtime showed.
    number: i128,
    /// What had been used of the whole overtime.
    used: i128,
}

#[derive(Clone, Debug)]
pub struct Naive {
    control: Control,
    phase: Phase,
    sides: PerSide<SideState>,
    /// The turn of the side on move.
    turn: Turn,
    last_move: Option<LastMove>,
    first_flag: Option<Side>,
    called_by: Option<Caller>,
    /// Why the clocks stand. In every phase except `Paused`, the value has no meaning.
    paused_by: PausedBy,
    outcome: Option<Outcome>,
    /// The phase that `reopen` restores.
    before_the_end: Phase,
    events: Vec<(i128, EventKind)>,
}

impl Naive {
    pub fn new(control: Control) -> Naive {
        let first = &control.periods()[0];
        let state = |side: Side| {
            let first_move = match first.method[side] {
                Method::Increment(span) if control.terms().first_move_increment => int(span),
                Method::Gong(slice) => int(slice),
                _ => 0,
            };
            SideState {
                main: int(first.time[side]) + first_move,
                moves: 0,
                period: 1,
                flags: Vec::new(),
                out: false,
                number_at_flag: 0,
                overtime: None,
                aside: None,
                owed: 0,
                owed_overtime: None,
            }
        };
        let mut naive = Naive {
            control,
            phase: Phase::Ready,
            sides: PerSide { white: state(Side::White), black: state(Side::Black) },
            turn: Turn { side: Side::White, delay: 0, ran: Vec::new() },
            last_move: None,
            first_flag: None,
            called_by: None,
            paused_by: PausedBy::SetBack,
            outcome: None,
            before_the_end: Phase::Ready,
            events: Vec::new(),
        };
        naive.begin_turn(Side::White);
        for side in Side::BOTH {
            naive.enter_overtime_with_nothing_left(side, 0);
        }
        naive
    }

    /// The period with this number. A number beyond the last gives the last period, because it may
    /// repeat.
    fn period(&self, number: u32) -> Period {
        let periods = self.control.periods();
        periods[(number as usize).min(periods.len()) - 1]
    }

    fn has_next_period(&self, side: Side) -> bool {
        self.sides[side].period < self.last_period().unwrap_or(u32::MAX)
    }

    /// The number of the last period; `None` if it repeats.
    fn last_period(&self) -> Option<u32> {
        let listed = u32::try_from(self.control.periods().len()).expect("a few");
        (!self.control.terms().repeat).then_some(listed)
    }

    fn method(&self, side: Side) -> Method {
        self.period(self.sides[side].period).method[side]
    }

    /// The delay of this side's next turn.
    fn delay(&self, side: Side) -> i128 {
        match self.method(side) {
            Method::Delay(span) | Method::Bronstein(span) if !self.sides[side].out => int(span),
            _ => 0,
        }
    }

    fn begin_turn(&mut self, side: Side) {
        self.turn = Turn { side, delay: self.delay(side), ran: Vec::new() };
    }

    /// Ends the turn: the main time of each side becomes the side's number at `at`.
    fn end_turn(&mut self, at: i128) {
        self.stop(at);
        for side in Side::BOTH {
            self.sides[side].main = self.number(side, at);
        }
        self.turn.ran.clear();
    }

    fn run(&mut self, at: i128) {
        self.turn.ran.push((at, None));
        self.phase = Phase::Running;
    }

    fn pause(&mut self, by: PausedBy) {
        self.phase = Phase::Paused;
        self.paused_by = by;
    }

    fn stop(&mut self, at: i128) {
        if let Some((_, to @ None)) = self.turn.ran.last_mut() {
            *to = Some(at);
        }
    }

    /// The main number of a side at `at`. A negative number is overrun.
    fn number(&self, side: Side, at: i128) -> i128 {
        let state = &self.sides[side];
        let elapsed = self.turn.elapsed(at);
        let charged = (elapsed - self.turn.delay).max(0);
        match (self.turn.side == side, self.method(side)) {
            (true, Method::CountUp { .. }) if !state.out => state.main + charged,
            (true, _) => state.main - charged,
            (false, Method::Hourglass) => state.main + elapsed,
            (false, _) => state.main,
        }
    }

    fn default_after_flag(&self) -> AfterFlag {
        let last = self.control.periods()[self.control.periods().len() - 1];
        let plain = |method| matches!(method, Method::None | Method::CountUp { .. });
        match plain(last.method.white) && plain(last.method.black) {
            true => AfterFlag::Run,
            false => AfterFlag::Halt,
        }
    }

    fn after_flag(&self) -> AfterFlag {
        self.control.terms().after_flag.unwrap_or_else(|| self.default_after_flag())
    }

    /// Takes the events, oldest first. If there are more than `KEPT`, only the latest of them are
    /// returned.
    pub fn take_events(&mut self) -> Vec<(i128, EventKind)> {
        let mut all = std::mem::take(&mut self.events);
        all.split_off(all.len().saturating_sub(KEPT))
    }

    pub fn view(&self, at: i128) -> View {
        View {
            at: instant(at),
            phase: self.phase,
            on_move: self.turn.side,
            sides: PerSide { white: self.side(Side::White, at), black: self.side(Side::Black, at) },
            first_flag: self.first_flag,
            called_by: self.called_by,
            paused_by: (self.phase == Phase::Paused).then_some(self.paused_by),
            outcome: self.outcome,
            last_period: self.last_period(),
            counting: match self.method(Side::White) {
                Method::Hourglass => Counting::Hourglass,
                Method::CountUp { .. } => Counting::Up,
                _ => Counting::Down,
            },
            changed_method: None,
            buttons_exchanged: false,
            claim: None,
            adjourned: None,
            announcement: None,
        }
    }

    fn side(&self, side: Side, at: i128) -> SideView {
        let state = &self.sides[side];
        let number = self.number(side, at);
        let delay = match side == self.turn.side {
            _ if state.out => 0,
            true => (self.turn.delay - self.turn.elapsed(at)).max(0),
            false => self.delay(side),
        };
        let (main, delay) = match self.method(side) {
            Method::Bronstein(_) => (number.max(0) + delay, 0),
            // If time is counted up, a flagged side shows its limit.
            Method::CountUp { .. } if state.out => (state.number_at_flag, 0),
            _ => (number.max(0), delay),
        };
        SideView {
            remaining: span(main),
            limit: match self.method(side) {
                Method::CountUp { limit } => limit,
                _ => None,
            },
            delay: span(delay),
            moves: state.moves,
            period: state.period,
            flag: state.flags.last().map(|at| instant(*at)),
            out_of_time: state.out,
            overrun: span(if state.out { -number } else { 0 }),
            overtime: state.overtime,
            owed: span(state.owed + state.owed_overtime.map_or(0, |owed| owed.used)),
            method: self.method(side),
            low: span(self.low(side)),
            notes: SideNotes::default(),
            lateness: None,
        }
    }

    /// The time left at which the time of this side is low.
    fn low(&self, side: Side) -> i128 {
        let state = &self.sides[side];
        let given = match self.method(side) {
            Method::CountUp { limit: None } => return 0,
            Method::CountUp { limit: Some(given) } | Method::Gong(given) => int(given),
            Method::Overtime(overtime) if state.overtime.is_some() => int(overtime.time),
            _ => {
                let periods = self.control.periods().iter().take(state.period as usize);
                periods.map(|period| int(period.time[side])).rfind(|time| *time > 0).unwrap_or(0)
            }
        };
        let in_seconds = |nanos: i128| nanos / SECOND * SECOND;
        let half = if given < 2 * SECOND { given / 2 } else { in_seconds(given / 2) };
        let low = in_seconds(given / 10).clamp(10 * SECOND, 300 * SECOND);
        if given == 0 { low } else { low.min(half) }
    }
}

const SECOND: i128 = 1_000_000_000;

fn int(span: Span) -> i128 {
    i128::from(span.as_nanos())
}

fn span(nanos: i128) -> Span {
    Span::from_nanos(u64::try_from(nanos).expect("neither below zero nor above the range"))
}

fn instant(nanos: i128) -> Instant {
    Instant::from_nanos(u64::try_from(nanos).expect("within the clock"))
}
