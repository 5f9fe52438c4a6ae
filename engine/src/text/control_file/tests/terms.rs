//! The keys of a control file outside its periods.

use super::*;

/// A file with these lines and two periods, the first of which has 40 moves. The first of these
/// lines is line 2 of the file.
fn two(lines: &str) -> String {
    file(&format!("{lines}\n[[period]]\nmoves = 40\ntime = '2h'\n[[period]]\ntime = '1h'"))
}

#[test]
fn every_advance() {
    for (word, period_end) in [
        ("moves", PeriodEnd::Moves),
        ("zero", PeriodEnd::Zero),
        ("moves-at-zero", PeriodEnd::MovesAtZero),
        ("black-completes", PeriodEnd::BlackCompletes { pause: false }),
    ] {
        assert_eq!(read(&two(&format!("period_end = '{word}'"))).terms().period_end, period_end);
    }
    // With `zero` the moves may be omitted.
    read(&file("period_end = 'zero'\n[[period]]\ntime = '2h'\n[[period]]\ntime = '1h'"));
}

#[test]
fn the_pause_of_setting_back() {
    for pause in [true, false] {
        let text = two(&format!("period_end = 'black-completes'\nset_back_pause = {pause}"));
        assert_eq!(read(&text).terms().period_end, PeriodEnd::BlackCompletes { pause });
    }
    for period_end in ["moves", "zero", "moves-at-zero"] {
        let of = |pause| two(&format!("set_back_pause = {pause}\nperiod_end = '{period_end}'"));
        refused(
            &of(true),
            2,
            &["`set_back_pause`", &format!("\"{period_end}\""), "black-completes"],
        );
        assert_eq!(
            read(&of(false)).terms().period_end.as_str(),
            period_end,
            "no pause is no matter"
        );
    }
    refused(&two("\nset_back_pause = true"), 3, &["\"moves\"", "expected"]);
}

#[test]
fn the_side_with_draw_odds() {
    assert_eq!(read(&two("")).terms().draw_odds, None);
    for side in Side::BOTH {
        let text = two(&format!("draw_odds = '{}'", side.as_str()));
        assert_eq!(read(&text).terms().draw_odds, Some(side));
    }
}

#[test]
fn the_last_period_repeats() {
    let last = "[[period]]\nmoves = 40\ntime = '2h'\n[[period]]\nmoves = 20\ntime = '1h'\nrepeat";
    let control = read(&file(&format!("{last} = true")));
    assert!(control.terms().repeat);
    assert_eq!((control.count(), control.last()), (2, None));
    read(&file("[[period]]\nmoves = 36\ntime = '90m'\nrepeat = true"));
    // `false` has the same effect as an absent key: the last period does not repeat, so it must
    // have no moves.
    assert!(!read(&in_period("repeat = false")).terms().repeat);
    refused(&file(&format!("{last} = false")), 5, &["the last period has `moves`"]);
    for value in ["1", "'yes'"] {
        refused(&file(&format!("{last} = {value}")), 8, &["is", "true or false"]);
    }
}

#[test]
fn repeating_in_the_wrong_place() {
    let text = file(
        "[[period]]\nmoves = 40\ntime = '2h'\nrepeat = true\n[[period]]\nmoves = 20\ntime = '1h'",
    );
    refused(&text, 5, &["`repeat = true` in period 1 of 2", "only in the last"]);
    let both = format!("{text}repeat = true\n");
    refused(&both, 5, &["`repeat = true` in period 1 of 2", "only in the last"]);
    refused(&in_period("repeat = true"), 4, &["`repeat = true`", "no `moves`"]);
    for period_end in ["zero", "moves-at-zero", "black-completes"] {
        let text = file(&format!(
            "period_end = '{period_end}'\n[[period]]\nmoves = 40\ntime = '2h'\nrepeat = true"
        ));
        refused(&text, 6, &["`repeat = true`", "`period_end = \"moves\"` only"]);
    }
}

#[test]
fn a_flag_after_which_play_cannot_run_on() {
    for period in ["time = '1m'\nhourglass = true", "gong = '10s'"] {
        let text = file(&format!("[[period]]\n{period}"));
        assert_eq!(read(&text).after_flag(), AfterFlag::Halt);
        let text = file(&format!("# Run:\nafter_flag = 'run'\n[[period]]\n{period}"));
        refused(&text, 3, &["`after_flag = \"run\"`", "expected \"halt\""]);
    }
    read(&file("after_flag = 'run'\n[[period]]\ncount_up = true"));
}
