//! `pause`, `resume`, and the result of a game.

use super::*;

#[test]
fn s0_6_13a_nothing_is_charged_while_paused() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "0   | start  | 5m    | 5m | white  |
         10s | pause  | 4m50s | 5m | paused |
         2h  | look   | 4m50s | 5m | paused |
         2h  | resume | 4m50s | 5m | white  |
         2h9s | press white | 4m41s m1 | 5m | black | press white",
    );
}

#[test]
fn s0_6_13a_a_pause_keeps_the_elapsed_time_of_the_turn() {
    play(
        single("5m", bronstein("5s"), AfterFlag::Halt),
        "0   | start  | 5m5s | 5m5s | white  |
         3s  | pause  | 5m2s | 5m5s | paused |
         9s  | resume | 5m2s | 5m5s | white  |
         12s | pause  | 4m59s | 5m5s | paused |
         20s | resume white | 4m59s | 5m5s | white |
         20s | press white  | 5m4s m1 | 5m5s | black | press white",
    );
}

#[test]
pub(super) fn s0_6_2b_a_pause_keeps_what_is_left_of_the_delay() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0   | start  | 5m d5s | 5m d5s | white  |
         3s  | pause  | 5m d2s | 5m d5s | paused |
         1h  | resume | 5m d2s | 5m d5s | white  |
         1h3s | look  | 4m59s  | 5m d5s | white  |
         1h3s | pause | 4m59s  | 5m d5s | paused |
         2h  | resume | 4m59s  | 5m d5s | white  |
         2h1s | press white | 4m58s d5s | 5m d5s | black | press white",
    );
}

#[test]
fn s0_6_13c_the_arbiter_restarts_choosing_whose_clock() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0   | start        | 5m d5s      | 5m d5s     | white  |
         8s  | pause        | 4m57s       | 5m d5s     | paused |
         9s  | resume black | 4m57s d5s   | 5m d5s m0  | black  |
         11s | pause        | 4m57s d5s   | 5m d3s     | paused |
         12s | resume white | 4m57s d5s m0 | 5m d5s m0 | white  |
         18s | press white  | 4m56s d5s m1 | 5m d5s    | black  | press white",
    );
}

#[test]
fn resumed_with_the_other_side_no_increment_is_added() {
    play(
        single("5m", increment("5s"), AfterFlag::Halt),
        "0   | start        | 5m5s     | 5m5s     | white  |
         8s  | pause        | 4m57s    | 5m5s     | paused |
         9s  | resume black | 4m57s m0 | 5m5s m0  | black  |
         12s | press black  | 4m57s    | 5m7s m1  | white  | press black
         13s | press white  | 5m1s m1  | 5m7s     | black  | press white",
    );
}

#[test]
pub(super) fn s0_6_13b_a_player_stops_both_clocks_to_call_the_arbiter() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "0   | start          | 5m    | 5m    | white |
         8s  | pause by black | 4m52s | 5m    | paused called black |
         9s  | press black    | 4m52s | 5m    | paused called black | press black ignored
         20s | resume         | 4m52s | 5m    | white |
         21s | pause by white | 4m51s | 5m    | paused called white |
         22s | resume black   | 4m51s | 5m    | black |
         23s | pause          | 4m51s | 4m59s | paused |",
    );
}

#[test]
fn a_pause_at_the_instant_the_clock_starts_charges_nothing() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "4s | start  | 5m d5s | 5m d5s | white  |
         4s | pause  | 5m d5s | 5m d5s | paused |
         4s | resume | 5m d5s | 5m d5s | white  |
         4s | press white | 5m d5s m1 | 5m d5s | black | press white",
    );
}

#[test]
fn s0_5_1_the_result_freezes_the_times() {
    play(
        single("5m", delay("5s"), AfterFlag::Run),
        "0   | start         | 5m d5s    | 5m d5s | white |
         7s  | press white   | 4m58s d5s | 5m d5s | black | press white
         9s  | finish 1/2-1/2 | 4m58s d5s | 5m d3s | over 1/2-1/2 |
         9h  | look          | 4m58s d5s | 5m d3s | over 1/2-1/2 |
         9h  | press black   | 4m58s d5s | 5m d3s m0 | over 1/2-1/2 | press black ignored",
    );
}

#[test]
fn s0_5_1_a_result_may_come_in_any_phase() {
    let control = single("5m", Method::None, AfterFlag::Halt);
    for (before, white, end) in [
        ("", "5m", "over 0-0"),
        ("0 | start | 5m | 5m | white |\n 0 | pause | 5m | 5m | paused |\n", "5m", "over 0-0"),
        ("0 | start | 5m | 5m | white |\n", "4m51s", "over 0-0"),
        (
            "0 | start | 5m | 5m | white |\n 9s | pause by black | 4m51s | 5m | paused called black |\n",
            "4m51s",
            "over 0-0",
        ),
    ] {
        play(control, &format!("{before} 9s | finish 0-0 | {white} | 5m | {end} |"));
    }
    play(
        control,
        "0 | start      | 5m    | 5m | white |
         6m | finish 0-1 | 0 f5m | 5m | over first white 0-1 | flag white 1 at 300s",
    );
}
