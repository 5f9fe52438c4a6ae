//! The call button.

use super::*;

#[test]
fn s0_6_13b_the_call_button_stops_both_clocks_and_calls_the_arbiter() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0   | start  | 5m d5s | 5m d5s | white |
         2s  | call   | 5m d3s | 5m d5s | paused called button | call
         2h  | look   | 5m d3s | 5m d5s | paused called button |
         2h  | resume | 5m d3s | 5m d5s | white |
         2h  | look   | 5m d3s | 5m d5s | white |",
    );
}

#[test]
fn before_the_start_a_call_stands_until_the_arbiter_starts_the_game() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "2s | call  | 5m | 5m | ready called button | call
         3s | press white | 5m | 5m | ready called button | press white ignored
         4s | start | 5m | 5m | white |",
    );
}

#[test]
fn the_start_of_the_game_ends_a_call() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "2s | call        | 5m | 5m    | ready called button | call
         3s | press black | 5m | 5m    | white | press black
         4s | pause       | 4m59s | 5m | paused |",
    );
}

#[test]
fn before_the_start_a_second_press_takes_the_call_back() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "2s | call | 5m | 5m | ready called button | call
         3s | call | 5m | 5m | ready | call
         4s | call | 5m | 5m | ready called button | call",
    );
}

#[test]
fn a_call_that_stopped_the_clocks_is_not_taken_back() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | start | 5m    | 5m | white |
         2s | call  | 4m58s | 5m | paused called button | call
         3s | call  | 4m58s | 5m | paused called button | call ignored",
    );
}

#[test]
fn a_call_while_paused_stands_beside_the_pause() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | start      | 5m | 5m | white |
         0  | pause      | 5m | 5m | paused |
         2s | call       | 5m | 5m | paused called button | call
         3s | call       | 5m | 5m | paused | call
         4s | call       | 5m | 5m | paused called button | call
         5s | time white 1m | 1m | 5m | paused called button |
         6s | resume     | 1m | 5m | white |",
    );
}

#[test]
fn a_call_in_a_ruling_is_taken_back_and_changes_no_time() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0   | start | 5m | 5m | white |
         5m  | call  | 0 f5m | 5m | ruling first white called button | flag white 1; call
         6m  | call  | 0 f5m | 5m | ruling first white | call
         7m  | finish 0-1 | 0 f5m | 5m | over first white 0-1 |",
    );
}

#[test]
fn a_call_one_nanosecond_before_the_flag_stops_the_clock_in_time() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0      | start | 5m  | 5m | white |
         5m-1ns | call  | 1ns | 5m | paused called button | call
         1h     | look  | 1ns | 5m | paused called button |",
    );
}

#[test]
fn after_the_game_the_call_button_does_nothing() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "0  | finish 1-0 | 5m | 5m | over 1-0 |
         1s | call       | 5m | 5m | over 1-0 | call ignored",
    );
}

#[test]
fn a_call_under_a_fallen_flag_that_runs_on_keeps_the_overrun() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "0    | start  | 5m       | 5m | white |
         5m7s | call   | 0 f5m o7s | 5m | paused first white called button | flag white 1 at 300s; call
         6m   | resume | 0 f5m o7s | 5m | white first white |
         6m1s | look   | 0 f5m o8s | 5m | white first white |",
    );
}
