//! Tests of the texts that a user sees. Most are compared as a whole, some in part.

use clock_dbus::{Counting, Fault, FaultCode, PausedBy, Phase, SideState, State, Who};

use super::{brief, clock, fault_lines, plain, status, watch_line};

const SECOND: u64 = 1_000_000_000;

fn paused() -> State {
    State {
        revision: 17,
        phase: Phase::Paused,
        on_move: Who::White,
        time_control: "classical".to_owned(),
        periods: 2,
        white: SideState {
            remaining_nsec: 5398 * SECOND + 250_000_000,
            moves: 12,
            period: 1,
            flag_nsec: None,
            player: "Ánna".to_owned(),
            ..SideState::default()
        },
        black: SideState {
            remaining_nsec: 5400 * SECOND,
            moves: 11,
            period: 1,
            flag_nsec: None,
            player: "Bo".to_owned(),
            ..SideState::default()
        },
        ..State::default()
    }
}

#[test]
fn times_are_rounded_up_to_tenths() {
    let table = [
        (0, "0:00:00.0"),
        (1, "0:00:00.1"),
        (100_000_000, "0:00:00.1"),
        (59 * SECOND + 900_000_001, "0:01:00.0"),
        (5400 * SECOND, "1:30:00.0"),
        (u64::MAX, "5124095:34:33.8"),
    ];
    for (nsec, text) in table {
        assert_eq!(clock(nsec), text);
    }
}

#[test]
fn the_table_shows_what_there_is() {
    let expected = "\
paused: White is on move

              time  period  moves  player
> White  1:29:58.3     1/2     12  Ánna
  Black  1:30:00.0     1/2     11  Bo

control   classical
revision  17
";
    assert_eq!(status(&paused()), expected);
}

#[test]
fn the_table_grows_with_delay_flag_overrun_call_and_result() {
    let state = State {
        phase: Phase::Over,
        first_flag: Who::White,
        arbiter_called_by: Who::Black,
        white: SideState {
            remaining_nsec: 0,
            flag_nsec: Some(0),
            out_of_time: true,
            overrun_nsec: 12 * SECOND,
            player: String::new(),
            ..paused().white
        },
        black: SideState { delay_nsec: 5 * SECOND, player: String::new(), ..paused().black },
        result: "0-1".to_owned(),
        ..paused()
    };
    let expected = "\
over: 0-1
arbiter   called by Black

              time      delay  period  moves  flag           overrun
> White  0:00:00.0  0:00:00.0     1/2     12  fell first  +0:00:12.0
  Black  1:30:00.0  0:00:05.0     1/2     11

control   classical
result    0-1
revision  17
";
    assert_eq!(status(&state), expected);
}

#[test]
fn what_waits_for_the_arbiter_comes_first_and_what_was_noted_is_counted() {
    let state = State {
        arbiter_called_by: Who::Black,
        white: SideState { illegal_moves: 1, half_points_off: 1, ..paused().white },
        black: SideState {
            warnings: 2,
            penalty_due: true,
            half_points_given: 2,
            late_nsec: 3_720_000_000_000,
            ..paused().black
        },
        faults: vec![noise("once")],
        ..paused()
    };
    let expected = "\
paused: White is on move
penalty   due: Black
          clockctl penalize black warning  # for force: --cause force
arbiter   called by Black
fault: a line was noisy once

              time  period  moves  illegal  warned  points off  points given       late  player
> White  1:29:58.3     1/2     12        1                 0.5                           Ánna
  Black  1:30:00.0     1/2     11                2                         1  1:02:00.0  Bo

control   classical
revision  17
";
    assert_eq!(status(&state), expected);
    // The clocks were stopped with the call button without a reason, and it is unknown which player
    // pressed it.
    let either = status(&State { white: SideState { penalty_due: true, ..state.white }, ..state });
    let due = "penalty   due: White or Black\n          \
               clockctl penalize white warning  # for force: --cause force\n          \
               clockctl penalize black warning  # for force: --cause force\n";
    assert!(either.contains(due), "{either}");
    let called = State { arbiter_called_by: Who::White, ..paused() };
    let called = status(&called);
    assert!(
        called.contains("\narbiter   called by White\n          clockctl resume\n"),
        "{called}"
    );
}

#[test]
fn overtime_an_earlier_flag_and_periods_without_end_are_shown() {
    let overtime = State {
        periods: 1,
        white: SideState {
            remaining_nsec: 30 * SECOND,
            overtime_periods: Some(5),
            overtime_moves: Some(1),
            ..paused().white
        },
        black: SideState { overtime_periods: Some(1), overtime_moves: Some(25), ..paused().black },
        ..paused()
    };
    let expected = "\
paused: White is on move

              time  period  overtime           moves  player
> White  0:00:30.0     1/1  5×, 1 move left       12  Ánna
  Black  1:30:00.0     1/1  1×, 25 moves left     11  Bo

control   classical
revision  17
";
    assert_eq!(status(&overtime), expected);
    let line = watch_line(
        0,
        "overtime",
        &State { black: SideState { overtime_periods: None, ..overtime.black }, ..overtime },
    );
    assert!(line.contains("  overtime  paused  "), "{line}");
    assert!(line.ends_with("1:30:00.0  White's overtime 5×, 1 move left\n"), "{line}");

    let earlier = State {
        periods: 0,
        white: SideState { period: 3, flag_nsec: Some(7), ..paused().white },
        ..paused()
    };
    let expected = "\
paused: White is on move

              time  period  moves  flag            player
> White  1:29:58.3       3     12  earlier period  Ánna
  Black  1:30:00.0       1     11                  Bo

control   classical
revision  17
";
    assert_eq!(status(&earlier), expected);
    let line = watch_line(0, "now", &earlier);
    assert!(line.ends_with("White's flag fell in an earlier period\n"), "{line}");
}

fn board_gone() -> Fault {
    Fault::new(FaultCode::BoardGone, "the buttons are not connected: check the cable")
}

fn noise(times: &str) -> Fault {
    Fault::new(FaultCode::Noise, format!("a line was noisy {times}"))
}

#[test]
fn faults_stand_below_the_headline_and_a_pause_has_its_reason() {
    let state = State {
        paused_by: PausedBy::BoardGone,
        faults: vec![board_gone(), noise("once")],
        ..paused()
    };
    let expected = "\
paused because the buttons were disconnected: White is on move
fault: the buttons are not connected: check the cable
fault: a line was noisy once

              time  period";
    assert!(status(&state).starts_with(expected), "{}", status(&state));
    for (paused_by, headline) in [
        (PausedBy::Arbiter, "paused by the arbiter: White is on move"),
        (PausedBy::White, "paused by White: White is on move"),
        (PausedBy::Black, "paused by Black: White is on move"),
        (PausedBy::Button, "paused by the call button: White is on move"),
        (PausedBy::SetBack, "paused for both times to be noted: White is on move"),
    ] {
        let status = status(&State { paused_by, ..paused() });
        assert!(status.starts_with(&format!("{headline}\n\n")), "{status}");
    }
}

#[test]
fn watch_shows_which_faults_began_and_ended() {
    let [once, twice] = ["once", "twice"].map(noise);
    let indent = " ".repeat(13);
    let line = |text: &str| format!("{indent}fault     {text}\n");
    let table: [(&[Fault], &[Fault], &[&str]); 5] = [
        (&[], &[], &[]),
        (&[], &[board_gone()], &["the buttons are not connected: check the cable"]),
        (&[board_gone()], &[board_gone()], &[]),
        (&[board_gone(), noise("once")], &[noise("once")], &["board-gone is over"]),
        (&[once, board_gone()], &[twice], &["a line was noisy twice", "board-gone is over"]),
    ];
    for (before, now, lines) in table {
        let lines: Vec<String> = lines.iter().map(|text| line(text)).collect();
        assert_eq!(fault_lines(before, now), lines);
    }
}

#[test]
fn a_time_counted_up_is_called_used() {
    let state = State { counting: Counting::Up, ..paused() };
    assert!(status(&state).contains("\n              used  period"), "{}", status(&state));
    assert!(!status(&state).contains("limit"));
    for (black, limit) in [
        (Some(7_200_000_000_000), "2:00:00"),
        (Some(7_100_000_000_000), "White 2:00:00, Black 1:58:20"),
        (None, "White 2:00:00, Black none"),
    ] {
        let (white_limit_nsec, black_limit_nsec) = (Some(7_200_000_000_000), black);
        let shown = status(&State {
            white: SideState { limit_nsec: white_limit_nsec, ..state.clone().white },
            black: SideState { limit_nsec: black_limit_nsec, ..state.clone().black },
            ..state.clone()
        });
        assert!(shown.contains(&format!("\nlimit     {limit}\n")), "{shown}");
    }
    // The row of a side that is out of time ends with `fell` and the overrun.
    let flagged = State {
        white: SideState { out_of_time: true, overrun_nsec: SECOND, ..state.clone().white },
        ..state.clone()
    };
    let shown = status(&flagged);
    assert!(shown.contains("> White  1:29:58.3     1/2     12  fell  +0:00:01.0"), "{shown}");
}

#[test]
fn owed_time_is_shown_if_there_is_some() {
    assert!(!status(&paused()).contains("owed"));
    let white = State { white: SideState { owed_nsec: 14 * SECOND, ..paused().white }, ..paused() };
    let shown = status(&white);
    assert!(shown.contains("\nowed      White 0:00:14.0 off the next set-back\n"), "{shown}");
    let both = State { black: SideState { owed_nsec: 1, ..white.black }, ..white };
    let shown = status(&both);
    assert!(shown.contains("\nowed      White 0:00:14.0, Black 0:00:00.1 off"), "{shown}");
}

#[test]
fn the_brief_line_names_phase_side_and_times() {
    assert_eq!(brief(&paused()), "paused: White 1:29:58.3 (on move), Black 1:30:00.0\n");
    let over = State { phase: Phase::Over, result: "1-0".to_owned(), ..paused() };
    assert_eq!(brief(&over), "over 1-0: White 1:29:58.3, Black 1:30:00.0\n");
}

#[test]
fn lines_of_watch_stand_below_each_other() {
    assert_eq!(
        watch_line(12_300_000_000, "pause", &paused()),
        "+0:00:12.3  pause     paused   > White 1:29:58.3    Black 1:30:00.0\n"
            .replace("+0", " +0")
    );
    let state = State {
        phase: Phase::Ruling,
        white: SideState { flag_nsec: Some(3), out_of_time: true, ..paused().white },
        first_flag: Who::White,
        arbiter_called_by: Who::Black,
        ..paused()
    };
    assert!(
        watch_line(0, "flag", &state)
            .ends_with("1:30:00.0  White's flag fell first  Black called the arbiter\n")
    );
}

#[test]
fn foreign_text_cannot_control_the_terminal() {
    assert_eq!(plain("\u{1b}[2JEve\r"), "[2JEve");
    assert_eq!(plain("line 3\n  ^ here\n\n"), "line 3 ^ here");
    assert_eq!(plain("Łukasz Ødegård"), "Łukasz Ødegård");
    // A terminal would show the text after U+202E (right-to-left override) backwards: 1-0 instead
    // of 0-1.
    assert_eq!(plain("Eve\u{202e}\u{2066} 0-1"), "Eve 0-1");
}
