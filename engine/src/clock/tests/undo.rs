//! The last press taken back.

use super::*;

#[test]
fn its_side_is_on_move_again_as_it_was_at_the_press_without_the_increment() {
    play(
        single("5m", increment("3s"), AfterFlag::Halt),
        "0   | start       | 5m3s     | 5m3s    | white |
         10s | press white | 4m56s m1 | 5m3s    | black | press white
         12s | pause       | 4m56s    | 5m1s    | paused |
         15s | undo        | 4m53s m0 | 5m1s m0 | paused |
         20s | resume      | 4m53s    | 5m1s    | white |
         23s | press white | 4m53s m1 | 5m1s    | black | press white",
    );
}

#[test]
fn it_has_the_elapsed_time_it_had_and_the_opponents_next_turn_has_his_full_delay() {
    play(
        single("5m", delay("5s"), AfterFlag::Halt),
        "0   | start       | 5m d5s    | 5m d5s    | white |
         3s  | press white | 5m d5s m1 | 5m d5s    | black | press white
         5s  | pause       | 5m d5s    | 5m d3s    | paused |
         5s  | undo        | 5m d2s m0 | 5m d5s    | paused |
         5s  | resume      | 5m d2s    | 5m d5s    | white |
         8s  | press white | 299s d5s m1 | 5m d5s  | black | press white",
    );
}

#[test]
fn what_the_opponent_used_stays_used() {
    play(
        single("5m", bronstein("5s"), AfterFlag::Halt),
        "0   | start       | 5m5s     | 5m5s | white |
         8s  | press white | 5m2s m1  | 5m5s | black | press white
         18s | pause       | 5m2s     | 295s | paused |
         18s | undo        | 4m57s m0 | 5m   | paused |",
    );
}

#[test]
fn a_period_it_brought_is_taken_back_without_an_event() {
    let periods = [period(1, "1m", increment("5s")), period(0, "30s", increment("7s"))];
    play(
        control(&periods, AfterFlag::Halt),
        "0   | start       | 65s        | 65s | white |
         10s | press white | 92s m1 p2  | 65s | black | press white; period white 2
         10s | pause       | 92s        | 65s | paused |
         10s | undo        | 55s m0 p1  | 65s | paused |
         10s | resume      | 55s        | 65s | white |
         20s | press white | 82s m1 p2  | 65s | black | press white; period white 2",
    );
}

#[test]
fn a_period_of_overtime_it_brought_afresh_is_as_it_was() {
    play(
        single("0", overtime(2, "30s", 1), AfterFlag::Halt),
        "0   | start       | 30s b2/1    | 30s b2/1 | white |
         40s | press white | 30s b1/1 m1 | 30s b2/1 | black | press white
         40s | pause       | 30s b1/1    | 30s b2/1 | paused |
         40s | undo        | 20s b1/1 m0 | 30s b2/1 | paused |",
    );
}

#[test]
fn it_reaches_back_one_press() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | undo        | 5m    | 5m    | ready | refused nothing-to-undo -
         0  | start       | 5m    | 5m    | white |
         0  | pause       | 5m    | 5m    | paused |
         0  | undo        | 5m    | 5m    | paused | refused nothing-to-undo -
         0  | resume      | 5m    | 5m    | white |
         0  | press white | 5m m1 | 5m    | black | press white
         0  | undo        | 5m m1 | 5m    | black | refused not-paused S4 6.13
         0  | press black | 5m    | 5m m1 | white | press black
         0  | pause       | 5m    | 5m    | paused |
         0  | undo        | 5m m1 | 5m m0 | paused |
         0  | undo        | 5m m1 | 5m m0 | paused | refused nothing-to-undo -
         0  | resume      | 5m    | 5m    | black |
         0  | press black | 5m    | 5m m1 | white | press black
         0  | pause       | 5m    | 5m    | paused |
         0  | undo        | 5m    | 5m m0 | paused |
         0  | finish 1-0  | 5m    | 5m    | over 1-0 |
         0  | undo        | 5m    | 5m    | over 1-0 | refused game-over S0 5.1",
    );
}

#[test]
fn it_reaches_past_a_resume_of_the_same_side_but_not_of_the_other() {
    let before = "0  | start        | 5m    | 5m | white |
                  0  | press white  | 5m m1 | 5m | black | press white
                  0  | pause        | 5m    | 5m | paused |";
    let control = single("5m", Method::None, AfterFlag::Halt);
    for (turn, undone) in [
        ("resume       | 5m | 5m | black |", "5m m0 | 5m | paused |"),
        ("resume black | 5m | 5m | black |", "5m m0 | 5m | paused |"),
        ("resume white | 5m | 5m | white |", "5m m1 | 5m | paused | refused nothing-to-undo -"),
    ] {
        let rows =
            format!("{before}\n0 | {turn}\n0 | pause | 5m | 5m | paused |\n0 | undo | {undone}");
        play(control, &rows);
    }
}

#[test]
fn it_does_not_reach_past_a_correction_of_either_side() {
    let before = "0  | start        | 5m    | 5m | white |
                  0  | press white  | 5m m1 | 5m | black | press white
                  0  | pause        | 5m    | 5m | paused |";
    for correction in [
        "time white 5m",
        "time black 5m",
        "moves white 1",
        "moves black 0",
        "period white 1",
        "on-move black",
        "on-move white",
    ] {
        let rows = format!(
            "{before}\n0 | {correction} | 5m m1 | 5m m0 | paused |
             0 | undo | 5m m1 | 5m m0 | paused | refused nothing-to-undo -"
        );
        play(single("5m", Method::None, AfterFlag::Halt), &rows);
    }
    let rows = format!(
        "{before}\n0 | add black 1s | 5m | 301s | paused |
         0 | undo | 5m m1 | 301s | paused | refused nothing-to-undo -"
    );
    play(single("5m", Method::None, AfterFlag::Halt), &rows);
}

#[test]
fn a_flag_of_the_opponent_that_fell_since_is_annulled() {
    play(
        single("1m", increment("5s"), AfterFlag::Halt),
        "0   | start       | 65s    | 65s    | white |
         10s | press white | 60s m1 | 65s    | black | press white
         75s | look        | 60s    | 0 f75s | ruling first black | flag black 1
         80s | undo        | 55s m0 | 0      | paused |
         80s | resume      | 55s    | 0      | white |
         81s | press white | 59s m1 | 0 f81s | ruling first black | press white; flag black 1",
    );
}

#[test]
fn a_flag_that_fell_before_stays() {
    play(
        single("1m", Method::None, AfterFlag::Run),
        "0    | start       | 1m           | 1m          | white |
         61s  | press white | 0 f60s o1s m1 | 1m         | black first white | flag white 1 at 60s; press white
         125s | press black | 0 f60s o1s   | 0 f121s o4s m1 | white first white | flag black 1 at 121s; press black
         126s | pause       | 0 f60s o2s   | 0 f121s o4s | paused first white |
         126s | undo        | 0 f60s o2s   | 0 f121s o4s m0 | paused first white |
         126s | resume      | 0 f60s o2s   | 0 f121s o4s | black first white |
         127s | look        | 0 f60s o2s   | 0 f121s o5s | black first white |",
    );
    play(
        single("1m", Method::None, AfterFlag::Run),
        "0    | start       | 1m            | 1m     | white |
         61s  | press white | 0 f60s o1s m1 | 1m     | black first white | flag white 1 at 60s; press white
         125s | pause       | 0 f60s o1s    | 0 f121s o4s | paused first white | flag black 1 at 121s
         125s | undo        | 0 f60s o1s m0 | 0      | paused first white |",
    );
}

#[test]
fn the_counter_at_its_end_is_as_it_was() {
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0 | moves white 4294967295 | 5m | 5m | ready |
         0 | start       | 5m             | 5m | white |
         0 | press white | 5m m4294967295 | 5m | black | press white
         0 | pause       | 5m             | 5m | paused |
         0 | undo        | 5m m4294967295 | 5m | paused |",
    );
}

#[test]
fn both_are_set_back_no_more() {
    let periods = [period(1, "1m", increment("5s")), period(0, "30s", increment("7s"))];
    let control = advancing(Advance::BlackCompletes { pause: true }, &periods, AfterFlag::Halt);
    play(
        control,
        "0   | start       | 65s       | 65s       | white |
         10s | press white | 60s m1    | 65s       | black | press white
         20s | press black | 90s p2    | 92s m1 p2 | paused | press black; period black 2; period white 2
         21s | undo        | 60s p1 m1 | 55s m0 p1 | paused |
         21s | resume      | 60s       | 55s       | black |
         22s | press black | 90s p2    | 91s m1 p2 | paused | press black; period black 2; period white 2
         22s | resume      | 90s       | 91s       | white |
         32s | pause       | 80s       | 91s       | paused |
         32s | undo        | 50s p1 m1 | 54s m0 p1 | paused |",
    );
    play(
        control,
        "0   | start       | 65s       | 65s       | white |
         64s | press white | 6s m1     | 65s       | black | press white
         64s | press black | 36s p2    | 102s p2   | paused | press black; period black 2; period white 2
         64s | resume      | 36s       | 102s      | white |
         84s | pause       | 16s       | 102s      | paused |
         84s | undo        | 0 p1      | 65s m0 p1 | paused |
         84s | resume      | 0 p1      | 65s       | black |
         84s | press black | 16s p2    | 102s p2   | paused | press black; period black 2; period white 2",
    );
}

#[test]
fn overtime_used_of_a_period_taken_back_stays_used() {
    let periods = [period(1, "1m", Method::None), period(0, "30s", overtime(3, "10s", 1))];
    let control = advancing(Advance::BlackCompletes { pause: false }, &periods, AfterFlag::Halt);
    play(
        control,
        "0    | start       | 1m          | 1m        | white |
         50s  | press white | 10s m1      | 1m        | black | press white
         50s  | press black | 40s p2      | 90s m1 p2 | white | press black; period black 2; period white 2
         104s | pause       | 6s b2/1     | 90s       | paused |
         104s | undo        | 0 p1        | 1m m0 p1  | paused |
         104s | resume      | 0           | 1m        | black |
         105s | press black | 6s b2/1 p2  | 89s m1 p2 | white | press black; period black 2; period white 2
         111s | look        | 10s b1/1    | 89s       | white |",
    );
    let undone = "0    | start       | 1m         | 1m        | white |
                  50s  | press white | 10s m1     | 1m        | black | press white
                  50s  | press black | 40s p2     | 90s m1 p2 | white | press black; period black 2; period white 2
                  80s  | pause       | 10s        | 90s       | paused |
                  80s  | undo        | 0 p1       | 1m m0 p1  | paused |";
    // Time that is added leaves what is owed; a time that is set is the last word on it.
    for (correction, then) in [("add white 1s", "11s"), ("time white 1s", "31s")] {
        let rows = format!(
            "{undone}
             80s  | {correction} | 1s p1 | 1m | paused |
             80s  | resume | 1s | 1m | black |
             80s  | press black | {then} p2 | 90s m1 p2 | white | press black; period black 2; period white 2"
        );
        play(control, &rows);
    }
}

#[test]
fn a_period_that_came_at_zero_since_stays() {
    let periods = [period(0, "1m", increment("5s")), period(0, "30s", increment("7s"))];
    play(
        advancing(Advance::Zero, &periods, AfterFlag::Halt),
        "0   | start       | 65s       | 65s         | white |
         10s | press white | 60s m1    | 65s         | black | press white
         75s | look        | 90s p2    | 30s e75s p2 | black | flag black 1; period black 2; period white 2
         80s | pause       | 90s       | 25s e75s    | paused |
         80s | undo        | 85s m0 p2 | 25s e75s p2 | paused |
         80s | resume      | 85s       | 25s e75s    | white |
         81s | press white | 91s m1    | 25s e75s    | black | press white",
    );
}
