//! The arbiter's corrections.

use super::*;

#[test]
pub(super) fn s0_6_14_the_arbiter_sets_times_counters_periods_and_the_side_on_move_at_once() {
    let periods = [period(2, "5m", delay("5s")), period(0, "1m", delay("9s"))];
    let control = control(&periods, AfterFlag::Halt);
    let mut clock = play(
        control,
        "0  | start | 5m d5s | 5m d5s | white  |
         3s | pause | 5m d2s | 5m d5s | paused |",
    );
    let correction = Correction {
        time: PerSide { white: Some(span("1h")), black: Some(span("2h")) },
        moves: PerSide { white: Some(1), black: Some(7) },
        period: PerSide { white: None, black: Some(2) },
        on_move: Some(Side::Black),
        ..Correction::default()
    };
    clock.handle_command(Command::Set(correction), instant("4s")).unwrap();
    let view = clock.view(instant("4s"));
    assert_eq!(side_text(&view.sides.white, "1h d5s m1 p1"), "1h d5s m1 p1");
    assert_eq!(side_text(&view.sides.black, "2h d9s m7 p2"), "2h d9s m7 p2");
    assert_eq!((view.on_move, view.phase), (Side::Black, Phase::Paused));
    assert_eq!(clock.poll_event(), None);
    assert_eq!(*clock.control(), control, "adjusting never touches the stored control");
    for row in [
        "4s  | resume      | 1h d5s | 2h d9s   | black |",
        "14s | press black | 1h d5s | 1h59m59s d9s m8 p2 | white | press black",
    ] {
        play_row(&mut clock, Pace::Late, row);
    }
}

#[test]
fn an_empty_correction_changes_nothing() {
    let mut clock = play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0  | start | 5m d5s | 5m d5s | white  |
         3s | call  | 5m d2s | 5m d5s | paused called button | call",
    );
    let before = clock.view(instant("3s"));
    let nothing = Command::Set(Correction::default());
    clock.handle_command(nothing, instant("3s")).unwrap();
    assert_eq!(clock.view(instant("3s")), before);
}

#[test]
fn set_time_acts_on_the_main_time_and_the_delay_left_of_the_turn_stays() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0   | start          | 5m d5s  | 5m d5s | white  |
         3s  | pause          | 5m d2s  | 5m d5s | paused |
         3s  | time white 1m  | 1m d2s  | 5m d5s | paused |
         3s  | add white 10s  | 70s d2s | 5m d5s | paused |
         3s  | cut white 60s  | 10s d2s | 5m d5s | paused |
         3s  | time white 0   | 0 d2s   | 5m d5s | paused |
         3s  | time black 7s  | 0 d2s   | 7s d5s | paused |
         5s  | resume         | 0 d2s   | 7s d5s | white  |
         7s-1ns | look        | 0 d1ns  | 7s d5s | white  |
         7s  | look           | 0 f7s   | 7s d5s | ruling first white | flag white 1",
    );
    play(
        single("5m", bronstein("5s"), AfterFlag::Halt),
        "0   | start          | 5m5s | 5m5s | white  |
         3s  | pause          | 5m2s | 5m5s | paused |
         3s  | time white 1m  | 62s  | 5m5s | paused |
         3s  | cut white 50s  | 12s  | 5m5s | paused |
         3s  | time black 7s  | 12s  | 12s  | paused |
         5s  | resume         | 12s  | 12s  | white  |
         6s  | press white    | 15s  | 12s  | black  | press white",
    );
}

#[test]
fn s0_13_4_a_cut_as_large_as_the_main_time_left_is_refused() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0  | cut white 5m      | 5m d5s  | 5m d5s | ready | refused cut-too-large S0 13.4
         0  | cut white 6m      | 5m d5s  | 5m d5s | ready | refused cut-too-large S0 13.4
         0  | cut white 5m-1ns  | 1ns d5s | 5m d5s | ready |
         0  | start             | 1ns d5s | 5m d5s | white |
         2s | pause             | 1ns d3s | 5m d5s | paused |
         2s | cut white 1ns     | 1ns d3s | 5m d5s | paused | refused cut-too-large S0 13.4
         2s | cut black 1s      | 1ns d3s | 4m59s d5s | paused |",
    );
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | start         | 5m    | 5m | white |
         5m | look          | 0 f5m | 5m | ruling first white | flag white 1
         5m | cut white 1ns | 0 f5m | 5m | ruling first white | refused cut-too-large S0 13.4",
    );
}

#[test]
fn s0_13_4_the_opponent_is_given_time() {
    play(
        single("5m", increment("3s"), AfterFlag::Halt),
        "0   | add black 0   | 5m3s  | 5m3s  | ready |
         0   | add black 10s | 5m3s  | 5m13s | ready |
         0   | start         | 5m3s  | 5m13s | white |
         10s | pause         | 4m53s | 5m13s | paused |
         10s | add black 2m  | 4m53s | 7m13s | paused |
         10s | resume        | 4m53s | 7m13s | white |
         10s | press white   | 4m56s | 7m13s | black | press white
         11s | press black   | 4m56s | 7m15s | white | press black",
    );
}

#[test]
fn corrections_before_the_start() {
    let periods = [period(2, "5m", delay("5s")), period(0, "1m", delay("9s"))];
    play(
        control(&periods, AfterFlag::Halt),
        "0  | time white 1m  | 1m d5s       | 5m d5s    | ready |
         0  | moves black 1  | 1m d5s m0    | 5m d5s m1 | ready |
         0  | period white 2 | 1m d9s m0 p2 | 5m d5s p1 | ready |
         0  | period black 2 | 1m d9s p2    | 5m d9s p2 | ready |
         0  | period white 1 | 1m d5s p1    | 5m d9s    | ready |
         0  | period white 2 | 1m d9s p2    | 5m d9s    | ready |
         1s | start          | 1m d9s       | 5m d9s    | white |
         11s | press white   | 59s d9s m1   | 5m d9s    | black | press white",
    );
}

#[test]
fn set_period_is_the_number_only() {
    let periods = [
        period(2, "5m", increment("5s")),
        period(1, "1h", increment("7s")),
        period(0, "1m", increment("9s")),
    ];
    play(
        control(&periods, AfterFlag::Halt),
        "0 | start          | 5m5s       | 5m5s | white |
         0 | pause          | 5m5s       | 5m5s | paused |
         0 | period white 3 | 5m5s m0 p3 | 5m5s | paused |
         0 | resume         | 5m5s       | 5m5s | white |
         0 | press white    | 5m14s m1 p3 | 5m5s | black | press white
         0 | pause          | 5m14s      | 5m5s | paused |
         0 | period white 1 | 5m14s m1 p1 | 5m5s | paused |
         0 | resume white   | 5m14s      | 5m5s | white |
         0 | press white    | 1h5m21s m2 p2 | 5m5s | black | press white; period white 2",
    );
}

#[test]
fn set_period_in_mid_turn_leaves_the_delay_of_the_turn() {
    let periods = [period(9, "5m", delay("5s")), period(0, "1m", delay("9s"))];
    play(
        control(&periods, AfterFlag::Halt),
        "0  | start          | 5m d5s | 5m d5s | white |
         3s | pause          | 5m d2s | 5m d5s | paused |
         3s | period white 2 | 5m d2s p2 | 5m d5s | paused |
         3s | period black 2 | 5m d2s | 5m d9s p2 | paused |
         3s | resume         | 5m d2s | 5m d9s | white |
         6s | press white    | 4m59s d9s m1 | 5m d9s | black | press white",
    );
}

#[test]
fn s0_6_14_the_side_on_move_is_corrected() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0  | start         | 5m d5s    | 5m d5s | white  |
         8s | pause         | 4m57s     | 5m d5s | paused |
         8s | on-move white | 4m57s     | 5m d5s | paused |
         8s | on-move black | 4m57s d5s | 5m d5s | paused |
         9s | resume        | 4m57s d5s | 5m d5s | black  |
         10s | press white  | 4m57s d5s m0 | 5m d4s | black | press white ignored
         11s | press black  | 4m57s d5s | 5m d5s m1 | white | press black",
    );
}

#[test]
fn in_a_ruling_the_side_on_move_may_be_corrected_too() {
    play(
        single("1m", Method::None, AfterFlag::Halt),
        "0   | start          | 1m     | 1m | white |
         60s | look           | 0 f60s | 1m | ruling first white | flag white 1
         61s | on-move black  | 0 f60s | 1m | ruling first white |
         61s | time white 30s | 30s    | 1m | paused |
         62s | resume         | 30s    | 1m | black |
         63s | look           | 30s    | 59s | black |",
    );
}

#[test]
fn annulled_in_its_turn_a_side_has_no_delay_left_of_it() {
    play(
        single("1m", delay("5s"), AfterFlag::Halt),
        "0   | start          | 1m d5s  | 1m d5s | white |
         65s | look           | 0 f65s  | 1m d5s | ruling first white | flag white 1
         66s | time white 10s | 10s     | 1m d5s | paused |
         66s | resume         | 10s     | 1m d5s | white |
         67s | press white    | 9s d5s  | 1m d5s | black | press white",
    );
}

#[test]
fn annulled_out_of_its_turn_a_side_has_its_next_full_delay() {
    play(
        single("1m", delay("5s"), AfterFlag::Run),
        "0   | start          | 1m d5s     | 1m d5s | white |
         66s | press white    | 0 f65s o1s | 1m d5s | black first white | flag white 1 at 65s; press white
         67s | pause          | 0 f65s o1s | 1m d4s | paused first white |
         67s | add white 3s   | 3s d5s     | 1m d4s | paused |
         67s | resume         | 3s d5s     | 1m d4s | black |
         68s | press black    | 3s d5s     | 1m d5s | white | press black
         74s | press white    | 2s d5s m2  | 1m d5s | black | press white",
    );
}
