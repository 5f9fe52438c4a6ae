//! Tests of clauses of other sources than S0. Each of these clauses says the same as a clause of
//! S0, so both have the same test.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::{corrections, flags, methods, pauses, periods, starting};

macro_rules! same {
    ($($name:ident: $subject:ident::$test:ident)+) => {
        $( #[test] fn $name() { $subject::$test(); } )+
    };
}

same! {
    s4_6_1_at_most_one_clock_runs: starting::s0_6_1_at_most_one_clock_runs
    s1_p1_at_most_one_clock_runs: starting::s0_6_1_at_most_one_clock_runs
    s1_p2_time_saved_is_carried_into_the_next_period:
        periods::s0_6_2b_time_saved_is_carried_into_the_next_period
    s1_p2_unused_delay_is_lost: methods::s0_6_2b_unused_delay_is_lost
    s1_p2_a_pause_keeps_what_is_left_of_the_delay:
        pauses::s0_6_2b_a_pause_keeps_what_is_left_of_the_delay
    s4_6_3_the_main_time_used_up_before_the_moves_is_the_final_flag:
        flags::s0_6_3_the_main_time_used_up_before_the_moves_is_the_final_flag
    s4_6_5_the_arbiter_starts_whites_clock: starting::s0_6_5_the_arbiter_starts_whites_clock
    s4_6_5_blacks_button_starts_whites_clock:
        starting::s0_6_5_blacks_button_starts_whites_clock_and_is_not_counted
    s4_6_5_whites_button_before_the_start_does_nothing:
        starting::s0_6_5_whites_button_before_the_start_does_nothing
    s1_p3_whites_clock_starts_at_the_start_of_the_game:
        starting::s0_6_5_the_arbiter_starts_whites_clock
    s1_p4_press_completes_the_move: methods::s0_6_8a_press_completes_the_move
    s1_p4_a_press_out_of_turn_does_nothing: methods::s0_6_8a_a_press_out_of_turn_does_nothing
    s1_p4_a_press_at_the_very_instant_is_too_late:
        methods::s0_6_8a_a_press_at_the_very_instant_is_too_late
    s1_p5_both_flags_and_the_first_stays: flags::s0_6_12_both_flags_and_the_first_stays
    s4_6_12_both_flags_and_the_first_stays: flags::s0_6_12_both_flags_and_the_first_stays
    s2_iii_3_both_flags_and_the_first_stays: flags::s0_6_12_both_flags_and_the_first_stays
    s3_6_1_both_flags_and_the_first_stays: flags::s0_6_12_both_flags_and_the_first_stays
    s1_p6_a_player_stops_both_clocks_to_call_the_arbiter:
        pauses::s0_6_13b_a_player_stops_both_clocks_to_call_the_arbiter
    s3_4_3_a_player_stops_both_clocks_to_call_the_arbiter:
        pauses::s0_6_13b_a_player_stops_both_clocks_to_call_the_arbiter
    s4_6_14_the_arbiter_sets_times_counters_periods_and_the_side_on_move:
        corrections::s0_6_14_the_arbiter_sets_times_counters_periods_and_the_side_on_move_at_once
    s1_p7_the_arbiter_sets_times_counters_periods_and_the_side_on_move:
        corrections::s0_6_14_the_arbiter_sets_times_counters_periods_and_the_side_on_move_at_once
}
