//! A wrong time control that is replaced during the game (S0 6.2a, FIDE 6.10.2).
//!
//! `docs/laws.md` explains S0 and FIDE, which are the sources of the cited clauses.

use super::*;

/// A method that counts up the time used, to the limit if there is one.
fn up(limit: Option<&str>) -> Method {
    Method::CountUp { limit: limit.map(span) }
}

fn one_period(time: &str, method: Method) -> Control {
    Control::new(&[period(0, time, method)], Terms::default()).unwrap()
}

/// A control of two periods: `moves` moves in the time `first`, then all remaining moves in the
/// time `rest`.
fn two(moves: u32, first: &str, rest: &str, method: Method) -> Control {
    let periods = [period(moves, first, method), period(0, rest, method)];
    Control::new(&periods, Terms::default()).unwrap()
}

fn advancing_by(period_end: PeriodEnd, periods: &[Period]) -> Control {
    Control::new(periods, Terms { period_end, ..Terms::default() }).unwrap()
}

/// A game in which White used `white` and Black `black` in each of `moves` moves. Both clocks
/// stand, and White is on move.
fn played(control: Control, moves: u32, white: &str, black: &str) -> Clock {
    let mut clock = Clock::new(control, Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    let mut at = Instant::ZERO;
    for _ in 0..moves {
        for (side, used) in [(Side::White, white), (Side::Black, black)] {
            if clock.phase() == Phase::Paused {
                clock.handle_command(Command::Resume { side: None }, at).unwrap();
            }
            at = at.checked_add(span(used)).unwrap();
            clock.handle_press(side, at).unwrap();
        }
    }
    if clock.phase() == Phase::Running {
        clock.handle_command(Command::Pause { by: Caller::Arbiter }, at).unwrap();
    }
    clock
}

fn change(clock: &mut Clock, control: Control, recompute: bool) -> Result<(), Refused> {
    let (before, at) = (*clock, clock.last());
    let done = clock.change_control(control, recompute, false, at);
    assert!(done.is_ok() || *clock == before, "a refused change changes something");
    done
}

fn main_times(clock: &Clock) -> (Span, Span) {
    let main = |side| clock.main_time(side, clock.last());
    (main(Side::White), main(Side::Black))
}

fn periods(clock: &Clock) -> (u32, u32) {
    let view = clock.view(clock.last());
    (view.sides.white.period, view.sides.black.period)
}

fn unfit(why: ControlUnfit) -> Result<(), Refused> {
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
fn fide_6_10_2_recomputed_what_is_left_is_the_new_time_less_the_time_used() {
    let mut clock = played(two(36, "90m", "30m", Method::None), 3, "1m", "2m+1ns");
    let add = Command::AddTime { side: Side::White, delta_ns: 60_000_000_000 };
    clock.handle_command(add, clock.last()).unwrap();
    change(&mut clock, two(36, "75m", "15m", Method::None), true).unwrap();
    assert_eq!(main_times(&clock), (span("73m"), span("69m-3ns")), "the award stays");
    assert_eq!(periods(&clock), (1, 1));
}

#[test]
fn recomputed_a_side_is_in_the_period_that_its_moves_give_with_the_time_of_all_of_them() {
    // After 3 moves, both sides are in the second period, and its time was added.
    let mut clock = played(two(2, "10m", "5m", Method::None), 3, "1m", "2m");
    assert_eq!((periods(&clock), main_times(&clock)), ((2, 2), (span("12m"), span("9m"))));
    change(&mut clock, two(4, "20m", "7m", Method::None), true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((1, 1), (span("17m"), span("14m"))));
    change(&mut clock, two(1, "10m", "6m", Method::None), true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((2, 2), (span("13m"), span("10m"))));
    // Each period has one move and 4 minutes. After 3 moves, a side is in the fourth period and has
    // got 4 times 4 minutes.
    let terms = Terms { repeat: true, ..Terms::default() };
    let repeating = Control::new(&[period(1, "4m", Method::None)], terms).unwrap();
    change(&mut clock, repeating, true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((4, 4), (span("13m"), span("10m"))));
    change(&mut clock, one_period("30m", Method::None), true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((1, 1), (span("27m"), span("24m"))));
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
    clock.handle_press(Side::White, clock.last()).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((2, 1), (span("17m"), span("9m"))));
}

#[test]
fn recomputed_every_increment_so_far_counts() {
    // 3+2 was set up instead of 5+3. With both, move 1 already has its increment at the start.
    let mut clock = played(one_period("3m", increment("2s")), 4, "5s", "7s");
    assert_eq!(main_times(&clock), (span("2m50s"), span("2m42s")));
    change(&mut clock, one_period("5m", increment("3s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("4m55s"), span("4m47s")));
    // Here move 1 has no increment at the start, and only the second period has an increment.
    let periods = [period(2, "5m", Method::None), period(0, "1m", increment("10s"))];
    let terms = Terms { first_move_increment: false, ..Terms::default() };
    change(&mut clock, Control::new(&periods, terms).unwrap(), true).unwrap();
    // Each side was in the second period after its moves 2, 3 and 4, so it gets three increments.
    assert_eq!(main_times(&clock), (span("6m10s"), span("6m2s")));
    change(&mut clock, one_period("3m", increment("2s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("2m50s"), span("2m42s")), "and back again");
}

/// A control of 10 minutes with this increment. The clock runs on after the flag.
fn running_on(amount: &str) -> Control {
    single("10m", increment(amount), AfterFlag::Run)
}

/// A game with 10 minutes and 5 seconds in which White used 6 minutes and Black 1 minute in each of
/// 2 moves. White completed move 2 after its flag, so White got no increment for it.
fn with_a_move_after_the_flag() -> Clock {
    let clock = played(running_on("5s"), 2, "6m", "1m");
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.moves, white.overrun), (2, span("1m50s")));
    clock
}

#[test]
fn recomputed_a_move_after_the_final_flag_had_no_increment() {
    let mut clock = with_a_move_after_the_flag();
    // White has used 12 minutes. The new control gives 12 minutes and three increments.
    change(&mut clock, one_period("12m", increment("5s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("15s"), span("10m15s")));
    // The first change has annulled the flag and given the increment of move 2, so this increment
    // counts as given.
    change(&mut clock, one_period("12m", increment("9s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("27s"), span("10m27s")));
}

#[test]
fn recomputed_a_move_after_the_final_flag_counts_where_the_flag_stays() {
    let mut clock = with_a_move_after_the_flag();
    let overrun = |clock: &Clock| clock.view(clock.last()).sides.white.overrun;
    for _ in 0..2 {
        change(&mut clock, running_on("5s"), true).unwrap();
        assert_eq!(overrun(&clock), span("1m45s"), "12 minutes less 10 minutes and 3 increments");
    }
}

#[test]
fn recomputed_a_move_that_is_taken_back_or_off_the_counter_is_no_move_after_the_flag() {
    let new = one_period("13m", increment("5s"));
    let mut clock = played(running_on("5s"), 1, "6m", "1m");
    let at = clock.last();
    clock.handle_command(Command::Resume { side: None }, at).unwrap();
    let at = at.checked_add(span("6m")).unwrap();
    clock.handle_press(Side::White, at).unwrap();
    clock.handle_command(Command::Pause { by: Caller::Arbiter }, at).unwrap();
    clock.handle_command(Command::UndoPress, at).unwrap();
    change(&mut clock, new, true).unwrap();
    assert_eq!(main_times(&clock).0, span("1m10s"), "taken back");

    let mut clock = with_a_move_after_the_flag();
    set_white_moves(&mut clock, 1);
    change(&mut clock, new, true).unwrap();
    assert_eq!(main_times(&clock).0, span("1m10s"), "off the counter");
}

#[test]
fn recomputed_a_move_after_the_flag_has_no_increment_when_the_arbiter_gives_time() {
    // White has used 12 minutes, less the award of 2 minutes and 50 seconds.
    let mut clock = with_a_move_after_the_flag();
    let add = Command::AddTime { side: Side::White, delta_ns: 60_000_000_000 };
    clock.handle_command(add, clock.last()).unwrap();
    let mut other = clock;
    change(&mut clock, running_on("6s"), true).unwrap();
    assert_eq!(main_times(&clock).0, span("1m8s"));
    // The counter has no move left that could have been completed after the flag.
    set_white_moves(&mut other, 0);
    change(&mut other, running_on("6s"), true).unwrap();
    assert_eq!(main_times(&other).0, span("1m1s"));
}

fn set_white_moves(clock: &mut Clock, moves: u32) {
    let mut correction = Correction::default();
    correction.moves.white = Some(moves);
    clock.handle_command(Command::Correct(correction), clock.last()).unwrap();
}

#[test]
fn recomputed_moves_after_the_flag_need_the_same_increment_in_every_period() {
    let periods = [period(9, "10m", increment("5s")), period(0, "10m", increment("9s"))];
    let control = control(&periods, AfterFlag::Run);
    let mut clock = played(control, 1, "6m", "1m");
    change(&mut clock, control, true).unwrap();
    let mut clock = played(control, 2, "6m", "1m");
    let refused = change(&mut clock, control, true);
    assert_eq!(refused, unfit(ControlUnfit::IncrementsUnknown));
}

#[test]
fn recomputed_set_backs_go_by_blacks_moves() {
    let period_end = PeriodEnd::BlackCompletes { pause: true };
    let set_back = |moves, method| {
        advancing_by(period_end, &[period(moves, "10m", Method::None), period(0, "5m", method)])
    };
    for method in [Method::None, increment("10s")] {
        // After the change, the times must be those of a game that had the new control from the
        // start.
        for moves in [1, 2, 3, 5] {
            let right = played(set_back(2, method), moves, "1m", "2m");
            for wrong in [one_period("60m", Method::None), set_back(4, increment("3s"))] {
                let mut clock = played(wrong, moves, "1m", "2m");
                change(&mut clock, set_back(2, method), true).unwrap();
                assert_eq!(main_times(&clock), main_times(&right), "{moves} moves, {method:?}");
                assert_eq!(periods(&clock), periods(&right), "{moves} moves");
                change(&mut clock, wrong, true).unwrap();
                assert_eq!(main_times(&clock), main_times(&played(wrong, moves, "1m", "2m")));
            }
        }
    }
}

#[test]
fn a_time_that_would_be_used_up_is_refused_with_the_amounts() {
    let mut clock = played(one_period("90m", Method::None), 1, "75m", "1m");
    let refused = change(&mut clock, one_period("75m", Method::None), true);
    let (used, time) = (span("75m"), span("75m"));
    assert_eq!(refused, unfit(ControlUnfit::UsedUp { side: Side::White, used, time }));
    let message = refused.unwrap_err().to_string();
    assert!(
        message.starts_with("White has used 1:15:00.0, and the new time control gives 1:15:00")
    );
    change(&mut clock, one_period("75m+1ns", Method::None), true).unwrap();
    assert_eq!(main_times(&clock).0, span("1ns"));
}

#[test]
fn recomputed_a_flag_that_would_not_have_fallen_is_annulled() {
    for (after_flag, phase) in [(AfterFlag::Halt, Phase::Ruling), (AfterFlag::Run, Phase::Paused)] {
        let mut clock = Clock::new(single("75m", Method::None, after_flag), Instant::ZERO);
        clock.handle_command(Command::Start, Instant::ZERO).unwrap();
        clock.handle_timeout(instant("80m")).unwrap();
        if after_flag == AfterFlag::Run {
            clock.handle_command(Command::Pause { by: Caller::Arbiter }, instant("80m")).unwrap();
        }
        assert_eq!(clock.phase(), phase);
        // A control of 70 minutes leaves White no time, so White's flag stays.
        change(&mut clock, single("70m", Method::None, after_flag), true).unwrap();
        assert_eq!(
            (clock.phase(), clock.view(clock.last()).first_flag),
            (phase, Some(Side::White))
        );
        change(&mut clock, single("75m", Method::None, after_flag), true).unwrap();
        change(&mut clock, single("90m", Method::None, after_flag), true).unwrap();
        let view = clock.view(clock.last());
        assert_eq!((view.phase, view.first_flag), (Phase::Paused, None));
        let left = if after_flag == AfterFlag::Halt { span("15m") } else { span("10m") };
        assert_eq!((view.sides.white.remaining, view.sides.white.overrun), (left, Span::ZERO));
    }
}

#[test]
fn a_flag_that_stays_halts_or_runs_as_the_new_control_says() {
    let mut clock = Clock::new(single("1m", Method::None, AfterFlag::Halt), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    clock.handle_timeout(instant("2m")).unwrap();
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
fn a_delay_holds_from_now_on_and_the_rest_of_an_equal_one_stays() {
    let mut clock = Clock::new(one_period("60m", delay("5s")), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    clock.handle_press(Side::White, instant("6s")).unwrap();
    clock.handle_command(Command::Pause { by: Caller::Arbiter }, instant("8s")).unwrap();
    let shown =
        |clock: &Clock| clock.view(clock.last()).sides.map(|side| (side.remaining, side.delay));
    change(&mut clock, one_period("30m", delay("5s")), true).unwrap();
    let white = (span("30m-1s"), span("5s"));
    assert_eq!(shown(&clock), PerSide { white, black: (span("30m"), span("3s")) });
    change(&mut clock, one_period("30m", bronstein("5s")), true).unwrap();
    let white = (span("30m4s"), Span::ZERO);
    assert_eq!(shown(&clock), PerSide { white, black: (span("30m3s"), Span::ZERO) });
    change(&mut clock, one_period("30m", delay("4s")), true).unwrap();
    assert_eq!(shown(&clock).black, (span("30m"), span("4s")), "another delay is whole");
    change(&mut clock, one_period("30m", Method::None), true).unwrap();
    assert_eq!(shown(&clock).black, (span("30m"), Span::ZERO));
}

#[test]
fn an_overtime_that_has_begun_needs_one_that_has_room_for_it() {
    let byo_yomi = |periods| one_period("1m", overtime(periods, "30s", 1));
    let begun = || {
        let mut clock = Clock::new(byo_yomi(5), Instant::ZERO);
        clock.handle_command(Command::Start, Instant::ZERO).unwrap();
        clock.handle_command(Command::Pause { by: Caller::Arbiter }, instant("1m40s")).unwrap();
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
    let refused = change(&mut begun(), byo_yomi(9), true);
    assert_eq!(refused, unfit(ControlUnfit::TimeUsedUnknown));
}

#[test]
fn before_the_overtime_its_main_time_is_recomputed() {
    let mut clock = played(one_period("30m", overtime(5, "30s", 1)), 2, "5m", "1m");
    change(&mut clock, one_period("20m", overtime(3, "1m", 1)), true).unwrap();
    assert_eq!(main_times(&clock), (span("10m"), span("18m")));
    let refused = change(&mut clock, one_period("10m", overtime(3, "1m", 1)), true);
    let (used, time) = (span("10m"), span("10m"));
    assert_eq!(refused, unfit(ControlUnfit::UsedUp { side: Side::White, used, time }));
    // White has no main time left, so White's overtime begins at once.
    let clear = Correction { time: one("white", Span::ZERO), ..Correction::default() };
    let mut clock = played(one_period("30m", Method::None), 2, "5m", "1m");
    clock.handle_command(Command::Correct(clear), clock.last()).unwrap();
    change(&mut clock, one_period("30m", overtime(3, "1m", 1)), false).unwrap();
    let left = Some(OvertimeLeft { periods: 3, moves: 1 });
    assert_eq!(clock.view(clock.last()).sides.white.overtime, left);
}

#[test]
fn a_time_that_is_counted_up_stays_the_time_used() {
    for recompute in [false, true] {
        let mut clock = played(one_period("0", up(None)), 2, "5m", "1m");
        change(&mut clock, one_period("0", up(Some("20m"))), recompute).unwrap();
        assert_eq!(main_times(&clock), (span("10m"), span("2m")));
        let refused = change(&mut clock, one_period("0", up(Some("10m"))), recompute);
        let (used, time) = (span("10m"), span("10m"));
        assert_eq!(refused, unfit(ControlUnfit::UsedUp { side: Side::White, used, time }));
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
    let mut clock = Clock::new(halting(Some("10m")), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    clock.handle_command(Command::Pause { by: Caller::Arbiter }, instant("12m")).unwrap();
    change(&mut clock, halting(Some("9m")), false).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.overrun), (span("9m"), span("3m")));
    change(&mut clock, halting(Some("15m")), false).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.out_of_time), (span("12m"), false));
}

#[test]
fn an_hourglass_is_recomputed_only_into_an_hourglass() {
    let hourglass = |time| one_period(time, Method::Hourglass);
    let mut clock = played(hourglass("1m"), 1, "20s", "5s");
    assert_eq!(main_times(&clock), (span("45s"), span("75s")));
    change(&mut clock, hourglass("3m"), true).unwrap();
    assert_eq!(main_times(&clock), (span("2m45s"), span("3m15s")));
    let refused = change(&mut clock, one_period("5m", Method::None), true);
    assert_eq!(refused, unfit(ControlUnfit::TimeUsedUnknown));
    change(&mut clock, one_period("5m", Method::None), false).unwrap();
    assert_eq!(main_times(&clock), (span("2m45s"), span("3m15s")));
    let refused = change(&mut clock, hourglass("3m"), true);
    assert_eq!(refused, unfit(ControlUnfit::TimeUsedUnknown));
}

#[test]
fn a_gong_keeps_its_running_slice_and_is_exchanged_only_for_a_gong() {
    let gong = |slice| one_period("0", Method::Gong(span(slice)));
    let mut clock = Clock::new(gong("10s"), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    clock.handle_command(Command::Pause { by: Caller::Arbiter }, instant("3s")).unwrap();
    change(&mut clock, gong("15s"), false).unwrap();
    assert_eq!(main_times(&clock), (span("7s"), span("15s")));
    assert_eq!(change(&mut clock, gong("5s"), true), unfit(ControlUnfit::TimeUsedUnknown));
    let refused = change(&mut clock, one_period("5m", Method::None), false);
    assert_eq!(refused, unfit(ControlUnfit::Shown));
    let mut ready = Clock::new(gong("10s"), Instant::ZERO);
    change(&mut ready, gong("15s"), false).unwrap();
    assert_eq!(ready, Clock::new(gong("15s"), Instant::ZERO));
}

#[test]
fn periods_that_end_with_their_time_are_not_recomputed() {
    let periods = |method| [period(2, "10m", Method::None), period(0, "5m", method)];
    for period_end in [PeriodEnd::Zero, PeriodEnd::MovesAtZero] {
        let mut clock = played(one_period("30m", Method::None), 3, "1m", "2m");
        let refused = change(&mut clock, advancing_by(period_end, &periods(Method::None)), true);
        assert_eq!(refused, unfit(ControlUnfit::PeriodsByTime));
        let by_time = advancing_by(period_end, &periods(increment("5s")));
        let refused =
            change(&mut played(by_time, 3, "1m", "2m"), one_period("9m", Method::None), true);
        assert_eq!(refused, unfit(ControlUnfit::PeriodsByTime));
        // If all periods of the old control have the same increment or none, the times are
        // recomputed, because the number of the present period then says how much time a side has
        // been given.
        let by_time = advancing_by(period_end, &periods(Method::None));
        let mut clock = played(by_time, 3, "4m", "2m");
        assert_eq!(periods_of(period_end), periods_seen(&clock));
        change(&mut clock, one_period("60m", Method::None), true).unwrap();
        assert_eq!(main_times(&clock), (span("48m"), span("54m")));
    }
}

/// The periods of White and of Black after White has used 12 minutes, which are more than the 10
/// minutes of the first period.
fn periods_of(period_end: PeriodEnd) -> (u32, u32) {
    if period_end == PeriodEnd::Zero { (2, 2) } else { (2, 1) }
}

fn periods_seen(clock: &Clock) -> (u32, u32) {
    periods(clock)
}

#[test]
fn a_method_that_was_set_ends_unless_it_is_kept() {
    let changed = || {
        let mut clock = played(one_period("30m", Method::None), 2, "1m", "1m");
        clock.change_method(increment("5s"), clock.last()).unwrap();
        clock
    };
    let mut clock = changed();
    change(&mut clock, one_period("60m", increment("30s")), false).unwrap();
    assert_eq!((clock.changed_method(), clock.method(Side::White)), (None, increment("30s")));
    let refused = change(&mut changed(), one_period("60m", Method::None), true);
    assert_eq!(refused, unfit(ControlUnfit::IncrementsUnknown));

    let mut kept = changed();
    let at = kept.last();
    kept.change_control(one_period("60m", Method::None), true, true, at).unwrap();
    assert_eq!(kept.changed_method(), Some(increment("5s")));
    assert_eq!(main_times(&kept), (span("58m"), span("58m")));
    let hourglass = one_period("60m", Method::Hourglass);
    let refused = kept.change_control(hourglass, false, true, at);
    assert_eq!(refused, unfit(ControlUnfit::AgreedIncrement));
    let other = one_period("60m", increment("1s"));
    let refused = kept.change_control(other, true, true, at);
    assert_eq!(refused, unfit(ControlUnfit::IncrementsUnknown));
}

#[test]
fn a_set_back_that_was_taken_back_is_settled_when_the_times_are_recomputed() {
    let period_end = PeriodEnd::BlackCompletes { pause: false };
    let periods = [period(1, "10m", Method::None), period(0, "5m", Method::None)];
    let mut clock = Clock::new(advancing_by(period_end, &periods), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    clock.handle_press(Side::White, instant("1m")).unwrap();
    clock.handle_press(Side::Black, instant("2m")).unwrap();
    // White uses 12 of the 14 minutes, and then Black's press with the set-back is taken back.
    clock.handle_command(Command::Pause { by: Caller::Arbiter }, instant("14m")).unwrap();
    clock.handle_command(Command::UndoPress, instant("14m")).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.owed), (Span::ZERO, span("3m")));
    change(&mut clock, one_period("60m", Method::None), true).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.owed), (span("47m"), Span::ZERO), "13 minutes are used");
}

#[test]
fn a_control_is_replaced_before_the_start_and_not_while_a_clock_runs_or_after_the_end() {
    let control = one_period("60m", increment("30s"));
    let mut clock = Clock::new(one_period("90m", delay("5s")), Instant::ZERO);
    change(&mut clock, control, true).unwrap();
    assert_eq!(clock, Clock::new(control, Instant::ZERO));
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    assert_eq!(change(&mut clock, control, false), Err(Refused::NotPaused(Phase::Running)));
    clock.handle_command(Command::Finish(Outcome::Drawn), Instant::ZERO).unwrap();
    assert_eq!(change(&mut clock, control, false), Err(Refused::GameOver));
}
