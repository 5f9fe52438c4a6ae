//! A wrong time control that is replaced during the game (S0 6.2a, FIDE 6.10.2).
//!
//! `docs/laws.md` explains S0 and FIDE, which are the sources of the cited clauses.

use super::*;
use crate::clock::TurnCause;
use crate::{Recompute, TurnEvent, UnknownTurns};
use core::ops::Deref;

/// A clock with the events so far on which its times depend.
#[derive(Clone)]
pub(super) struct Recorded {
    clock: Clock,
    pub(super) turns: Vec<TurnEvent>,
}

impl Deref for Recorded {
    type Target = Clock;

    fn deref(&self) -> &Clock {
        &self.clock
    }
}

impl Recorded {
    pub(super) fn new(control: Control) -> Recorded {
        Recorded { clock: Clock::new(control, Instant::ZERO), turns: Vec::new() }
    }

    /// A clock with this control, and White's clock runs since 0.
    pub(super) fn started(control: Control) -> Recorded {
        let mut clock = Recorded::new(control);
        clock.handle_command(Command::Start, Instant::ZERO).unwrap();
        clock
    }

    fn note<T, E>(
        &mut self,
        cause: TurnCause,
        input: impl FnOnce(&mut Clock) -> Result<T, E>,
    ) -> Result<T, E> {
        let before = self.clock;
        let done = input(&mut self.clock);
        let cause = if done.is_ok() { cause } else { TurnCause::Other };
        self.turns.extend(before.turn_events(cause, &self.clock, self.clock.last()));
        done
    }

    pub(super) fn handle_command(&mut self, command: Command, at: Instant) -> Result<(), Refused> {
        let cause = match command {
            Command::Set(_) => TurnCause::Correction,
            Command::Add { side, delta_ns } => TurnCause::AddTime { side, delta_ns },
            _ => TurnCause::Other,
        };
        self.note(cause, |clock| clock.handle_command(command, at))
    }

    pub(super) fn press(&mut self, side: Side, at: &str) {
        self.note(TurnCause::Other, |clock| clock.handle_press(side, instant(at))).unwrap();
    }

    pub(super) fn handle_timeout(&mut self, at: Instant) {
        self.note(TurnCause::Other, |clock| clock.handle_timeout(at)).unwrap();
    }

    /// Stops both clocks.
    pub(super) fn pause(&mut self, at: &str) {
        let pause = Command::Pause { by: Caller::Arbiter };
        self.handle_command(pause, instant(at)).unwrap();
    }

    /// The method is changed, by the arbiter alone or because the players agreed.
    pub(super) fn change_method(&mut self, method: Method, agreed: bool) {
        let at = self.last();
        let cause = match agreed {
            true => TurnCause::Agreement,
            false => TurnCause::Unknown(UnknownTurns::MethodChanged),
        };
        self.note(cause, |clock| clock.change_method(method, at)).unwrap();
    }

    pub(super) fn change(
        &mut self,
        control: Control,
        recompute: bool,
        keep_method: bool,
    ) -> Result<(), Refused> {
        let (before, at) = (self.clock, self.last());
        let times = match recompute {
            true => Recompute::from_turns(&control, self.turns.iter().copied(), self),
            false => Recompute::No,
        };
        let done = self.note(TurnCause::ControlChanged, |clock| {
            clock.change_control(control, &times, keep_method, at)
        });
        assert!(done.is_ok() || self.clock == before, "a refused change changes something");
        done
    }
}

/// A method that counts up the time used, to the limit if there is one.
pub(super) fn up(limit: Option<&str>) -> Method {
    Method::CountUp { limit: limit.map(span) }
}

pub(super) fn one_period(time: &str, method: Method) -> Control {
    Control::new(&[period(0, time, method)], Terms::default()).unwrap()
}

/// A control of two periods: `moves` moves in the time `first`, then all remaining moves in the
/// time `rest`.
pub(super) fn two(moves: u32, first: &str, rest: &str, method: Method) -> Control {
    let periods = [period(moves, first, method), period(0, rest, method)];
    Control::new(&periods, Terms::default()).unwrap()
}

pub(super) fn advancing_by(period_end: PeriodEnd, periods: &[Period]) -> Control {
    Control::new(periods, Terms { period_end, ..Terms::default() }).unwrap()
}

/// A game in which White used `white` and Black `black` in each of `moves` moves. Both clocks
/// stand, and White is on move.
pub(super) fn played(control: Control, moves: u32, white: &str, black: &str) -> Recorded {
    let mut clock = Recorded::started(control);
    let mut at = Instant::ZERO;
    for _ in 0..moves {
        for (side, used) in [(Side::White, white), (Side::Black, black)] {
            if clock.phase() == Phase::Paused {
                clock.handle_command(Command::Resume { side: None }, at).unwrap();
            }
            at = at.checked_add(span(used)).unwrap();
            clock.note(TurnCause::Other, |clock| clock.handle_press(side, at)).unwrap();
        }
    }
    if clock.phase() == Phase::Running {
        clock.handle_command(Command::Pause { by: Caller::Arbiter }, at).unwrap();
    }
    clock
}

pub(super) fn change(
    clock: &mut Recorded,
    control: Control,
    recompute: bool,
) -> Result<(), Refused> {
    clock.change(control, recompute, false)
}

pub(super) fn main_times(clock: &Clock) -> (Span, Span) {
    let main = |side| clock.main_time(side, clock.last());
    (main(Side::White), main(Side::Black))
}

pub(super) fn periods(clock: &Clock) -> (u32, u32) {
    let view = clock.view(clock.last());
    (view.sides.white.period, view.sides.black.period)
}

pub(super) fn unfit(why: ControlUnfit) -> Result<(), Refused> {
    Err(Refused::ControlUnfit(why))
}

#[test]
fn fide_6_10_2_the_periods_are_replaced_and_times_and_counters_stay() {
    let mut clock = played(two(36, "90m", "30m", Method::None), 3, "1m", "2m+1ns");
    change(&mut clock, two(36, "75m", "15m", Method::None), false).unwrap();
    assert_eq!(main_times(&clock), (span("87m"), span("84m-3ns")));
    let view = clock.view(clock.last());
    assert_eq!((view.sides.white.moves, view.sides.black.moves), (3, 3));
    assert_eq!(clock.control().period(2).time, PerSide::both(span("15m")));
    let undone = clock.handle_command(Command::UndoPress, clock.last());
    assert_eq!(undone, Err(Refused::NothingToUndo));
}

#[test]
fn without_recomputing_a_side_stays_in_its_period_or_comes_into_the_last_one() {
    let mut clock = played(two(2, "10m", "5m", Method::None), 3, "1m", "2m");
    change(&mut clock, one_period("30m", Method::None), false).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((1, 1), (span("12m"), span("9m"))));
    // White has already made the moves of the new first period, so White's next press adds the time
    // of the second period.
    change(&mut clock, two(2, "10m", "5m", Method::None), false).unwrap();
    clock.handle_command(Command::Resume { side: None }, clock.last()).unwrap();
    clock.press(Side::White, "9m");
    assert_eq!((periods(&clock), main_times(&clock)), ((2, 1), (span("17m"), span("9m"))));
}

#[test]
fn a_flag_that_stays_halts_or_runs_as_the_new_control_says() {
    let mut clock = Recorded::started(single("1m", Method::None, AfterFlag::Halt));
    clock.handle_timeout(instant("2m"));
    for (after_flag, phase) in [
        (AfterFlag::Halt, Phase::Ruling),
        (AfterFlag::Run, Phase::Paused),
        (AfterFlag::Halt, Phase::Ruling),
    ] {
        change(&mut clock, single("1m", Method::None, after_flag), false).unwrap();
        assert_eq!(clock.phase(), phase);
        assert_eq!(clock.view(clock.last()).first_flag, Some(Side::White));
    }
}

#[test]
fn an_overtime_that_has_begun_needs_one_that_has_room_for_it() {
    let byo_yomi = |periods| one_period("1m", overtime(periods, "30s", 1));
    let begun = || {
        let mut clock = Recorded::started(byo_yomi(5));
        clock.pause("1m40s");
        clock
    };
    let mut clock = begun();
    change(&mut clock, byo_yomi(4), false).unwrap();
    let white = clock.view(clock.last()).sides.white;
    let left = OvertimeLeft { periods: 4, moves: 1 };
    assert_eq!((white.remaining, white.overtime), (span("20s"), Some(left)));
    let two = [period(40, "60m", Method::None), period(0, "1m", overtime(6, "20s", 1))];
    change(&mut clock, advancing_by(PeriodEnd::Moves, &two), false).unwrap();
    assert_eq!(periods(&clock), (2, 1), "only the last period has overtime");
    for control in [byo_yomi(3), one_period("1m", Method::None)] {
        assert_eq!(change(&mut begun(), control, false), unfit(ControlUnfit::Overtime));
    }
    let mut clock = begun();
    change(&mut clock, byo_yomi(9), true).unwrap();
    let white = clock.view(clock.last()).sides.white;
    let left = OvertimeLeft { periods: 8, moves: 1 };
    assert_eq!((white.remaining, white.overtime), (span("20s"), Some(left)), "recomputed");
}

#[test]
fn a_time_that_is_counted_up_stays_the_time_used() {
    for recompute in [false, true] {
        let mut clock = played(one_period("0", up(None)), 2, "5m", "1m");
        change(&mut clock, one_period("0", up(Some("20m"))), recompute).unwrap();
        assert_eq!(main_times(&clock), (span("10m"), span("2m")));
        let refused = change(&mut clock, one_period("0", up(Some("10m"))), recompute);
        let (used, time) = (span("10m"), span("10m"));
        let (side, in_move) = (Side::White, recompute.then_some(2));
        assert_eq!(refused, unfit(ControlUnfit::UsedUp { side, used, time, in_move }));
    }
    let mut clock = played(one_period("0", up(None)), 2, "5m", "1m");
    let refused = change(&mut clock, one_period("30m", Method::None), false);
    assert_eq!(refused, unfit(ControlUnfit::Shown));
    change(&mut clock, one_period("30m", increment("10s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("20m30s"), span("28m30s")));
    change(&mut clock, one_period("0", up(None)), true).unwrap();
    assert_eq!(main_times(&clock), (span("10m"), span("2m")));
}

#[test]
fn a_limit_that_is_moved_keeps_or_annuls_the_flag() {
    let halting = |limit| single("0", up(limit), AfterFlag::Run);
    let mut clock = Recorded::started(halting(Some("10m")));
    clock.pause("12m");
    change(&mut clock, halting(Some("9m")), false).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.overrun), (span("9m"), span("3m")));
    change(&mut clock, halting(Some("15m")), false).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.out_of_time), (span("12m"), false));
}

#[test]
fn a_gong_keeps_its_running_slice_and_is_exchanged_only_for_a_gong() {
    let gong = |slice| one_period("0", Method::Gong(span(slice)));
    let mut clock = Recorded::started(gong("10s"));
    clock.pause("3s");
    change(&mut clock, gong("15s"), false).unwrap();
    assert_eq!(main_times(&clock), (span("7s"), span("15s")));
    assert_eq!(
        change(&mut clock, gong("5s"), true),
        unfit(ControlUnfit::TurnsUnknown(UnknownTurns::Gong))
    );
    let refused = change(&mut clock, one_period("5m", Method::None), false);
    assert_eq!(refused, unfit(ControlUnfit::Shown));
    let mut ready = Recorded::new(gong("10s"));
    change(&mut ready, gong("15s"), false).unwrap();
    assert_eq!(*ready, Clock::new(gong("15s"), Instant::ZERO));
}

#[test]
fn a_method_that_was_set_ends_unless_it_is_kept() {
    let changed = |agreed| {
        let mut clock = played(one_period("30m", Method::None), 2, "1m", "1m");
        clock.change_method(increment("5s"), agreed);
        clock
    };
    let mut clock = changed(false);
    change(&mut clock, one_period("60m", increment("30s")), false).unwrap();
    assert_eq!((clock.changed_method(), clock.method(Side::White)), (None, increment("30s")));
    let refused = change(&mut changed(false), one_period("60m", Method::None), true);
    assert_eq!(refused, unfit(ControlUnfit::TurnsUnknown(UnknownTurns::MethodChanged)));

    let mut kept = changed(true);
    kept.change(one_period("60m", Method::None), true, true).unwrap();
    assert_eq!(kept.changed_method(), Some(increment("5s")));
    assert_eq!(main_times(&kept), (span("58m"), span("58m")));
    let hourglass = one_period("60m", Method::Hourglass);
    let refused = kept.change(hourglass, false, true);
    assert_eq!(refused, unfit(ControlUnfit::AgreedIncrement));
    // The increment of the control came until the players agreed on the other one.
    kept.change(one_period("60m", increment("1s")), true, true).unwrap();
    assert_eq!(main_times(&kept), (span("58m3s"), span("58m3s")));
}

#[test]
fn a_control_is_replaced_before_the_start_and_not_while_a_clock_runs_or_after_the_end() {
    let control = one_period("60m", increment("30s"));
    let mut clock = Recorded::new(one_period("90m", delay("5s")));
    change(&mut clock, control, true).unwrap();
    assert_eq!(*clock, Clock::new(control, Instant::ZERO));
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    assert_eq!(change(&mut clock, control, false), Err(Refused::NotPaused(Phase::Running)));
    clock.handle_command(Command::Finish(Outcome::Drawn), Instant::ZERO).unwrap();
    assert_eq!(change(&mut clock, control, false), Err(Refused::GameOver));
}
