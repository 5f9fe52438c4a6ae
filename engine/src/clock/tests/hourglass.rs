//! The hourglass.

use super::*;

fn one_minute() -> Control {
    single("1m", Method::Hourglass, AfterFlag::Halt)
}

#[test]
fn what_one_side_uses_the_other_gets_and_both_keep_it() {
    play(
        one_minute(),
        "0   | start       | 1m     | 1m     | white |
         10s | look        | 50s    | 70s    | white |
         10s | press white | 50s m1 | 70s m0 | black | press white
         40s | press black | 80s    | 40s m1 | white | press black
         41s | press white | 79s m2 | 41s    | black | press white",
    );
}

#[test]
fn the_flag_falls_when_all_of_it_has_run_to_the_other_side() {
    play(
        one_minute(),
        "0       | start       | 1m      | 1m | white |
         60s-1ns | press white | 1ns m1  | 2m-1ns | black | press white
         2m      | press black | 60s2ns  | 60s-2ns m1 | white | press black
         3m2ns   | look        | 0 f180s2ns | 2m | ruling first white | flag white 1",
    );
    play(
        one_minute(),
        "0   | start       | 1m        | 1m | white |
         60s | press white | 0 m0 f60s | 2m | ruling first white | flag white 1; press white ignored
         9h  | look        | 0 f60s    | 2m | ruling first white |",
    );
}

#[test]
fn a_pause_stops_both_clocks() {
    play(
        one_minute(),
        "0   | start        | 1m  | 1m  | white |
         20s | pause        | 40s | 80s | paused |
         50s | look         | 40s | 80s | paused |
         50s | resume       | 40s | 80s | white |
         60s | call         | 30s | 90s | paused called button | call
         61s | resume black | 30s | 90s | black |
         71s | look         | 40s | 80s | black |",
    );
}

#[test]
fn a_press_cannot_be_taken_back_and_corrections_act_on_one_side() {
    play(
        one_minute(),
        "0   | start          | 1m     | 1m  | white |
         10s | press white    | 50s m1 | 70s | black | press white
         20s | undo           | 60s    | 60s | black | refused not-paused S4 6.13
         20s | pause          | 60s    | 60s | paused |
         20s | undo           | 60s    | 60s | paused | refused no-undo -
         20s | time white 30s | 30s    | 60s | paused |
         20s | add black 1s   | 30s    | 61s | paused |",
    );
}

#[test]
fn a_finish_charges_both() {
    play(
        one_minute(),
        "0   | start          | 1m  | 1m  | white |
         10s | finish 1/2-1/2 | 50s | 70s | over 1/2-1/2 |",
    );
}
