//! When `undo-press` takes back a set-back, a side owes what it has used of the set-back's time. A
//! set-back is the next period that a press of Black begins for both sides.

use super::*;

#[test]
fn both_are_set_back_no_more() {
    let periods = [period(1, "1m", increment("5s")), period(0, "30s", increment("7s"))];
    let control = advancing(PeriodEnd::BlackCompletes { pause: true }, &periods, AfterFlag::Halt);
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
         84s | undo        | 0 w14s p1 | 65s m0 p1 | paused |
         84s | resume      | 0 w14s p1 | 65s       | black |
         84s | press black | 16s p2    | 102s p2   | paused | press black; period black 2; period white 2",
    );
}

fn set_back_with_overtime() -> Control {
    let periods = [period(1, "1m", Method::None), period(0, "30s", overtime(3, "10s", 1))];
    advancing(PeriodEnd::BlackCompletes { pause: false }, &periods, AfterFlag::Halt)
}

const SET_BACK: &str = "0   | start       | 1m     | 1m        | white |
    50s | press white | 10s m1 | 1m        | black | press white
    50s | press black | 40s p2 | 90s m1 p2 | white | press black; period black 2; period white 2";

/// The first rows of a table. At 80 s the set-back is taken back. White has used 20 s of the
/// set-back's time, and owes them (`w20s p1`).
fn owing_20_seconds() -> String {
    format!(
        "{SET_BACK}
         80s | pause | 10s       | 90s      | paused |
         80s | undo  | 0 w20s p1 | 1m m0 p1 | paused |"
    )
}

/// The first rows of a table. At 104 s the set-back is taken back. White has used all 30 s of the
/// set-back's time, one period of overtime and 4 s of the next one.
fn owing_main_time_and_overtime() -> String {
    format!(
        "{SET_BACK}
         104s | pause | 6s b2/1   | 90s      | paused |
         104s | undo  | 0 w44s p1 | 1m m0 p1 | paused |"
    )
}

#[test]
fn overtime_used_of_a_period_taken_back_is_owed_and_restored_as_left() {
    let rows = format!(
        "{}
         104s | resume      | 0 w44s      | 1m        | black |
         105s | press black | 6s b2/1 p2  | 89s m1 p2 | white | press black; period black 2; period white 2
         111s | look        | 10s b1/1    | 89s       | white |",
        owing_main_time_and_overtime()
    );
    play(set_back_with_overtime(), &rows);
    // If the set-back is taken back once more, White owes the same time as before, plus what White
    // has used since then.
    let rows = format!(
        "{}
         104s | resume      | 0 w44s      | 1m        | black |
         104s | press black | 6s b2/1 p2  | 90s m1 p2 | white | press black; period black 2; period white 2
         105s | pause       | 5s b2/1     | 90s       | paused |
         105s | undo        | 0 w45s p1   | 1m m0 p1  | paused |",
        owing_main_time_and_overtime()
    );
    play(set_back_with_overtime(), &rows);
}

#[test]
fn an_overtime_owed_begins_as_left_once_the_main_time_is_used_up() {
    let last = period(0, "30s", overtime(3, "10s", 1));
    let periods = [period(1, "1m", Method::None), period(1, "50s", Method::None), last];
    play(
        advancing(PeriodEnd::BlackCompletes { pause: false }, &periods, AfterFlag::Halt),
        "0    | period white 2 | 1m p2       | 1m        | ready |
         0    | period black 2 | 1m          | 1m p2     | ready |
         0    | moves black 1  | 1m          | 1m m1     | ready |
         0    | start          | 1m          | 1m        | white |
         50s  | press white    | 10s m1      | 1m        | black | press white
         50s  | press black    | 40s p3      | 90s m2 p3 | white | press black; period black 3; period white 3
         104s | pause          | 6s b2/1     | 90s       | paused |
         104s | undo           | 0 w44s p2   | 1m m1 p2  | paused |
         104s | period white 1 | 0 w44s p1   | 1m        | paused |
         104s | resume         | 0 w44s      | 1m        | black |
         104s | press black    | 20s w14s p2 | 90s m2 p3 | white | press black; period black 3; period white 2
         105s | press white    | 19s w14s m2 | 90s       | black | press white
         105s | press black    | 49s w14s p3 | 90s m3    | white | press black; period white 3
         154s | look           | 6s b2/1     | 90s       | white |
         160s | look           | 10s b1/1    | 90s       | white |",
    );
    let rows = format!(
        "{}
         104s | period white 2 | 6s b2/1 w30s p2 | 1m | paused |",
        owing_main_time_and_overtime()
    );
    play(set_back_with_overtime(), &rows);
}

#[test]
fn any_correction_of_its_time_settles_what_a_side_owes() {
    for correction in ["add white 1s", "time white 1s"] {
        for owing in [owing_20_seconds(), owing_main_time_and_overtime()] {
            let rows = format!(
                "{owing}
                 104s | {correction} | 1s p1  | 1m        | paused |
                 104s | resume       | 1s     | 1m        | black |
                 104s | press black  | 31s p2 | 90s m1 p2 | white | press black; period black 2; period white 2
                 135s | look         | 10s b3/1 | 90s     | white |"
            );
            play(set_back_with_overtime(), &rows);
        }
    }
    for correction in ["moves white 1", "add black 0", "add white 0", "on-move white"] {
        let mut clock = play(set_back_with_overtime(), &owing_20_seconds());
        let row = format!("104s | {correction} | 0 w20s p1 | 1m | paused |");
        play_row(&mut clock, Pace::Late, &row);
    }
}

#[test]
fn a_flag_that_fell_after_a_set_back_is_annulled_and_nothing_is_owed() {
    let rows = format!(
        "{SET_BACK}
         9h | look   | 0 b0/1 f120s | 90s       | ruling first white | flag white 2 at 120s
         9h | undo   | 10s p1       | 1m m0 p1  | paused |
         9h | resume | 10s          | 1m        | black |
         9h | press black | 40s p2  | 90s m1 p2 | white | press black; period black 2; period white 2"
    );
    play(set_back_with_overtime(), &rows);
}

#[test]
fn taken_back_at_once_a_set_back_leaves_a_set_aside_overtime_as_it_was() {
    play(
        set_back_with_overtime(),
        "0   | period white 2 | 1m p2       | 1m        | ready |
         0   | time white 0   | 10s b3/1 p2 | 1m        | ready |
         0   | start          | 10s b3/1    | 1m        | white |
         14s | press white    | 10s b2/1 m1 | 1m        | black | press white
         14s | pause          | 10s b2/1    | 1m        | paused |
         14s | period white 1 | 10s p1      | 1m        | paused |
         14s | resume         | 10s         | 1m        | black |
         14s | press black    | 40s p2      | 90s m1 p2 | white | press black; period black 2; period white 2
         14s | pause          | 40s         | 90s       | paused |
         14s | undo           | 10s p1      | 1m m0 p1  | paused |
         14s | period white 2 | 10s b2/1 p2 | 1m        | paused |",
    );
    // The arbiter has put a side in a period without overtime, so its overtime is set aside. It
    // stays as it was if `undo-press` takes back a press of that side.
    let periods = [period(1, "1m", Method::None), period(0, "30s", overtime(3, "10s", 1))];
    play(
        control(&periods, AfterFlag::Halt),
        "0   | period white 2 | 1m p2       | 1m | ready |
         0   | time white 0   | 10s b3/1 p2 | 1m | ready |
         0   | start          | 10s b3/1    | 1m | white |
         14s | pause          | 6s b2/1     | 1m | paused |
         14s | period white 1 | 6s p1       | 1m | paused |
         14s | resume         | 6s          | 1m | white |
         14s | press white    | 36s p2 m1   | 1m | black | press white; period white 2
         14s | pause          | 36s         | 1m | paused |
         14s | undo           | 6s p1 m0    | 1m | paused |
         14s | period white 2 | 6s b2/1 p2  | 1m | paused |",
    );
}
