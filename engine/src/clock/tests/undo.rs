//! `undo-press`.

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
fn a_flag_of_the_opponent_that_fell_since_is_annulled_and_what_he_used_since_is_given_back() {
    play(
        single("1m", increment("5s"), AfterFlag::Halt),
        "0   | start       | 65s    | 65s    | white |
         10s | press white | 60s m1 | 65s    | black | press white
         75s | look        | 60s    | 0 f75s | ruling first black | flag black 1
         80s | undo        | 55s m0 | 65s    | paused |
         80s | resume      | 55s    | 65s    | white |
         81s | press white | 59s m1 | 65s    | black | press white
         82s | press black | 59s    | 69s m1 | white | press black",
    );
    play(
        single("1m", delay("5s"), AfterFlag::Run),
        "0   | start       | 1m d5s    | 1m d5s    | white |
         3s  | press white | 1m d5s m1 | 1m d5s    | black | press white
         11s | press black | 1m d5s    | 57s d5s m1 | white | press black
         16s | press white | 1m d5s m2 | 57s d5s   | black | press white
         90s | pause       | 1m d5s    | 0 f78s o12s | paused first black | flag black 1 at 78s
         90s | undo        | 1m m1     | 57s d5s   | paused |",
    );
}

#[test]
fn what_an_annulled_flag_gives_back_of_an_overtime() {
    // Black's overtime began before White's press, and Black's flag fell after that press.
    play(
        single("0", overtime(3, "10s", 2), AfterFlag::Halt),
        "0   | start       | 10s b3/2 | 10s b3/2    | white |
         0   | press white | 10s b3/1 m1 | 10s b3/2 | black | press white
         14s | press black | 10s b3/1 | 6s b2/1 m1  | white | press black
         14s | press white | 10s b3/2 m2 | 6s b2/1  | black | press white
         30s | look        | 10s b3/2 | 0 b0/2 f30s | ruling first black | flag black 1
         30s | undo        | 10s b3/1 m1 | 6s b2/1 m1 | paused |",
    );
    // Black's overtime began and ended after White's press.
    play(
        single("4s", overtime(3, "10s", 2), AfterFlag::Halt),
        "0   | start       | 4s       | 4s          | white |
         0   | press white | 4s m1    | 4s          | black | press white
         50s | look        | 4s       | 0 b0/2 f34s | ruling first black | flag black 1 at 34s
         50s | undo        | 4s m0    | 4s          | paused |",
    );
}

#[test]
fn under_a_limit_the_count_of_an_annulled_flag_is_as_at_the_press() {
    let counted = Method::CountUp { limit: Some(span("10s")) };
    play(
        single("0", counted, AfterFlag::Halt),
        "0   | start       | 0     | 0        | white |
         4s  | press white | 4s m1 | 0        | black | press white
         6s  | press black | 4s    | 2s m1    | white | press black
         6s  | press white | 4s m2 | 2s       | black | press white
         15s | look        | 4s m2 | 10s f14s | ruling first black | flag black 1 at 14s
         15s | add black 0 | 4s m2 | 10s f14s | ruling first black |
         15s | undo        | 4s m1 | 2s       | paused |
         15s | resume      | 4s    | 2s       | white |
         16s | press white | 5s m2 | 2s       | black | press white",
    );
}

#[test]
fn an_annulled_flag_leaves_the_periods_that_came_at_zero_since() {
    let periods = [period(1, "20s", Method::None), period(0, "30s", increment("7s"))];
    play(
        advancing(PeriodEnd::Zero, &periods, AfterFlag::Halt),
        "0   | start       | 20s    | 20s         | white |
         5s  | press white | 15s m1 | 20s         | black | press white
         80s | look        | 45s p2 | 0 e25s f55s p2 | ruling first black | flag black 1 at 25s; period black 2 at 25s; period white 2 at 25s; flag black 2 at 55s
         80s | undo        | 45s m0 p2 | 50s e25s p2 | paused |",
    );
    play(
        advancing(PeriodEnd::MovesAtZero, &periods, AfterFlag::Halt),
        "0   | moves black 1 | 20s    | 20s m1      | ready |
         0   | start       | 20s    | 20s         | white |
         5s  | press white | 15s m1 | 20s         | black | press white
         80s | look        | 15s p1 | 0 f55s p2   | ruling first black | period black 2 at 25s; flag black 2 at 55s
         80s | undo        | 15s m0 p1 | 50s p2   | paused |",
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
         125s | undo        | 0 f60s o1s m0 | 1m     | paused first white |",
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
fn a_period_that_came_at_zero_since_stays() {
    let periods = [period(0, "1m", increment("5s")), period(0, "30s", increment("7s"))];
    play(
        advancing(PeriodEnd::Zero, &periods, AfterFlag::Halt),
        "0   | start       | 65s       | 65s         | white |
         10s | press white | 60s m1    | 65s         | black | press white
         75s | look        | 90s p2    | 30s e75s p2 | black | flag black 1; period black 2; period white 2
         80s | pause       | 90s       | 25s e75s    | paused |
         80s | undo        | 85s m0 p2 | 25s e75s p2 | paused |
         80s | resume      | 85s       | 25s e75s    | white |
         81s | press white | 91s m1    | 25s e75s    | black | press white",
    );
}
