//! Numbers without a unit whose usual meaning is not the one that the notation gives them.

use super::{read, refused};
use crate::text::{parse_notation, spoken};

#[test]
fn times_that_us_chess_has_in_hours_need_their_unit() {
    for (text, hours, minutes) in [
        ("40/2, SD/1", "40/2h, SD/1h", "40/2m, SD/1m"),
        ("40/2 sd1 d5", "40/2h sd1h d5", "40/2m sd1m d5"),
        ("40/2sd1d5", "40/2h sd1h d5", "40/2m sd1m d5"),
        ("40/2, 20/1, SD/1, +30", "40/2h, 20/1h, SD/1h, +30", "40/2m, 20/1m, SD/1m, +30"),
        ("1/6, SD/6", "1/6h, SD/6h", "1/6m, SD/6m"),
        // Chess Life, August 2015: the announcement of the 2nd Washington Chess Congress.
        ("40/2, SD/30, d10", "40/2h, SD/30m, d10", "40/2m, SD/30m, d10"),
        ("40/2, SD/60", "40/2h, SD/60m", "40/2m, SD/60m"),
        ("40/2, 20/1, SD/30", "40/2h, 20/1h, SD/30m", "40/2m, 20/1m, SD/30m"),
        ("40/2, SD/30, +30", "40/2h, SD/30m, +30", "40/2m, SD/30m, +30"),
        ("30/90, SD/1", "30/90m, SD/1h", "30/90m, SD/1m"),
        ("30/90, SD/1 d5", "30/90m, SD/1h d5", "30/90m, SD/1m d5"),
        ("40/120, 20/60, SD/1", "40/120m, 20/60m, SD/1h", "40/120m, 20/60m, SD/1m"),
        ("40/2h, SD/1", "40/2h, SD/1h", "40/2h, SD/1m"),
        ("40/120, SD/5", "40/120m, SD/5h", "40/120m, SD/5m"),
        ("40/7, SD/1", "40/7m, SD/1h", "40/7m, SD/1m"),
        ("60/5 v 4, G/5", "60/5h v 4h, G/5m", "60/5m v 4m, G/5m"),
        ("40/2 v 1, SD/1", "40/2h v 1h, SD/1h", "40/2m v 1m, SD/1m"),
        ("40/2 v 1, G/30", "40/2h v 1h, G/30m", "40/2m v 1m, G/30m"),
        ("SD/1", "SD/1h", "SD/1m"),
        ("40/2, G/1", "40/2h, G/1h", "40/2m, G/1m"),
        ("40/2 G/1", "40/2h G/1h", "40/2m G/1m"),
        ("40/2, G/30", "40/2h, G/30m", "40/2m, G/30m"),
        ("30/90, G/1", "30/90m, G/1h", "30/90m, G/1m"),
        ("40/2, 20/1 repeat", "40/2h, 20/1h repeat", "40/2m, 20/1m repeat"),
        ("40/4 repeat", "40/4h repeat", "40/4m repeat"),
        (
            "40 moves in 2, rest 30 min",
            "40 moves in 2h, rest 30 min",
            "40 moves in 2m, rest 30 min",
        ),
        ("2 for 40 moves, G/1h", "2h for 40 moves, G/1h", "2m for 40 moves, G/1h"),
    ] {
        refused(text, &[hours, minutes, "US Chess"]);
        let error = parse_notation(text).unwrap_err();
        assert_eq!(error.spellings(), Some(&[hours.to_owned(), minutes.to_owned()]), "{text}");
        assert_ne!(read(hours), read(minutes), "{text}");
    }
    // What can only be minutes is read.
    for text in [
        "G/1",
        "G/2",
        "G/5",
        "G/5 d0",
        "SD/5",
        "1+0",
        "2+1",
        "10/5, G/6",
        "2/3, G/1",
        "2/3, 1/1, G/1",
        "2/3, G/3",
        "40/90, G/5",
        "40/90, G/0, +30",
        "6 v 5",
    ] {
        read(text);
    }
    assert_eq!(parse_notation("40/90").unwrap_err().spellings(), None);
}

#[test]
fn the_seconds_of_a_pgn_tag_are_not_read_as_minutes() {
    for (text, minutes, seconds) in [
        ("300+3", "`300m+3`", "`pgn:300+3`"),
        ("5400+30", "`5400m+30`", "`pgn:5400+30`"),
        ("600", "`600m`", "`pgn:600`"),
        ("1800", "`1800m`", "`pgn:1800`"),
        ("900+10", "`900m+10`", "`pgn:900+10`"),
        ("300", "`300m`", "`pgn:300`"),
        ("180+2", "`180m+2`", "`pgn:180+2`"),
        ("60+0", "`60m+0`", "`pgn:60+0`"),
        ("120+1", "`120m+1`", "`pgn:120+1`"),
        ("G/5400", "`G/5400m`", "`G/5400s`"),
        ("40/5400, G/1800, +30", "`40/5400m, G/1800m, +30`", "`40/5400s, G/1800s, +30`"),
        ("900 v 600", "`900m v 600m`", "`900s v 600s`"),
    ] {
        refused(text, &[minutes, seconds, "pgn:"]);
    }
    for text in ["60", "90", "120", "60+30", "120+10", "90+5", "G/180", "G/300", "1/1440 repeat"] {
        read(text);
    }
}

/// In `40/1:30+1`, as chess engines write it, `1:30` is a minute and a half. As PGN's tag it would be
/// 40 moves in a second.
#[test]
fn pgn_is_recommended_only_with_a_meaning_that_can_be_meant() {
    for text in ["40/1:30+1", "40/1:30", "60/1:00+1", "5:00", "60/60:30"] {
        let error = parse_notation(text).expect_err(text).to_string();
        assert!(!error.contains("pgn:") && !error.contains("PGN"), "{text}: {error}");
    }
    refused("40/7200:3600", &["write `pgn:40/7200:3600`"]);
}

#[test]
fn a_time_before_its_moves_needs_its_unit() {
    refused("90/40, G/30", &["90 moves or 90 minutes", "90/40m", "40/90"]);
    refused("100/40 + 50/20 + 15'", &["100 moves or 100 minutes"]);
    refused("90/40 + 30 min + 30 s", &["90/40m"]);
    refused("90'/40 + 30/20 + 15'", &["30 moves or 30 minutes"]);
    refused("90'/40 + 30x20 + 15'", &["moves or an overtime"]);
    refused("30 + 5x30s, G/5", &["after the last period"]);
    for text in ["3m2s", "5m3s + 2", "3min2s"] {
        assert!(parse_notation(text).is_err(), "{text}");
    }
    refused("60/30, G/15", &["60/30m", "30/60"]);
    for text in ["90/40m, G/30", "40/20, G/10", "60/50, G/30", "40/40 repeat"] {
        read(text);
    }
}

#[test]
fn a_fraction_of_an_hour_is_no_number_of_moves() {
    for text in [
        "40 moves in 2 1/2 hours, G/60",
        "36 moves in 1 1/2 hours, then 30 minutes",
        "40 moves in 2h 1/2 hours, G/60m",
        "30 moves in 1 1/4 h, rest 15 mins",
        "3/4 h, G/10",
        "1/2h",
    ] {
        refused(text, &["a fraction of an hour", "2h30"]);
    }
    assert_eq!(read("4/4h repeat"), read("4/240 repeat"));
    assert_eq!(read("1/240 repeat"), read("1/4:00:00 repeat"));
}

#[test]
fn a_unit_of_one_side_is_not_taken_for_the_other_one() {
    for text in [
        "90 v 1 h",
        "90 v 1h",
        "G/60 v 1 h, +30",
        "1 h v 45",
        "1h v 45",
        "5 v 4 h",
        "10 v 7 s",
        "10 v 7s",
        "40/120 v 1h30, G/30",
        "600 v 420 sec",
    ] {
        refused(text, &["write the unit of both"]);
    }
    for (text, same) in [
        ("10 v 7 min", "10 v 7"),
        ("10 min v 7", "10 v 7"),
        ("1h v 45m", "60 v 45"),
        ("90 v 1:30:00", "90 v 90"),
        ("5m v 30s", "0:05:00 v 0:00:30"),
        ("5, +3 v 2 s", "5, +3 v 2"),
    ] {
        assert_eq!(read(text), read(same), "{text}");
    }
}

#[test]
fn two_increments_after_one_time_can_be_two_times() {
    for text in ["5+3 v 4", "G/5+3 v 4", "40/90, G/30 +30 v 20"] {
        refused(text, &["two increments, or the time of Black?", "G/5, +3 v 4"]);
    }
    for text in ["G/5, +3 v 4", "5 v 4 + 3 v 2", "5+3 v 3", "5+3s v 4s"] {
        read(text);
    }
}

#[test]
fn a_second_time_is_never_an_increment() {
    // The minutes of an hour, which `40 m` after a time would call moves.
    for text in
        ["1 hr 45 m + 15 min", "1 h 30 m, 15 min", "2 h 30 m + 1 h", "1 heure 30 m + 15 min"]
    {
        assert!(parse_notation(text).is_err(), "{text}");
    }
    assert_eq!(read("1 h 30 m + 30 s"), read("90+30"));
    for (text, period, amount) in [
        ("75 min + 15 min", "`40/75 min + 15 min`", "`75 min + 15 min/move`"),
        ("90 min + 30 min", "`40/90 min + 30 min`", "`90 min + 30 min/move`"),
        ("90' + 15'", "`40/90' + 15'`", "`90' + 15'/move`"),
        ("75' + 15'", "`40/75' + 15'`", "`75' + 15'/move`"),
        ("2h + 30min", "`40/2h + 30min`", "`2h + 30min/move`"),
        ("1h45 + 15min", "`40/1h45 + 15min`", "`1h45 + 15min/move`"),
        ("2h + 1h", "`40/2h + 1h`", "`2h + 1h/move`"),
        ("90m+30m", "`40/90m+30m`", "`90m+30m/move`"),
        ("90 min + 1 min", "`40/90 min + 1 min`", "`90 min + 1 min/move`"),
        ("G/75 + 15 min", "`40/90, G/30`", "`G/75 + 15 min/move`"),
        ("3 + 1 min", "`40/90, G/30`", "`3 + 1 min/move`"),
        ("1:30:00+0:30:00", "`40/1:30:00+0:30:00`", "`1:30:00+0:30:00/move`"),
        ("75 min + 15 min, d5", "`40/75 min + 15 min, d5`", "`+1 min/move`"),
    ] {
        refused(text, &["for which moves", period, amount]);
    }
    for (text, part) in [
        ("90+900", "as in +900s"),
        ("90 inc 900", "as in +900s"),
        ("90 d 61", "as in +61s"),
        ("72' + 30' + 30\"/move", "for which moves"),
        ("75 min, 15 min", "all the rest"),
        ("90min + 30min/40 moves + 30s/move", "all the rest"),
        ("40/90 + 30 min, G/15", "all the rest"),
        ("40/90 + 1 min from 41, G/30", "all the rest"),
        ("+ 30 min", "an increment in minutes"),
        ("40/90 repeat + 30 min", "an increment in minutes"),
    ] {
        refused(text, &[part]);
    }
    // The spellings of a long text are looked for once, not again for each of its parts.
    refused(&format!("1h{}", "+1h".repeat(600)), &["for which moves"]);
    // After a period with its moves, the second time is that of the rest.
    for (text, said) in [
        ("40/90 + 30 min", "40/90, G/30"),
        ("40/2h + 15 min", "40/120, G/15"),
        ("90+60", "G/90+60"),
        ("90+900s", "G/90+900s"),
    ] {
        assert_eq!(spoken(&read(text)).as_deref(), Ok(said), "{text}");
    }
}

#[test]
fn the_last_move_of_a_period_as_an_ordinal_is_asked_about() {
    refused("40/120, G/15, +30 from 40th move", &["`from 40`", "`from 41`"]);
    refused("40/120, G/15, +30 starting from the 40 move", &["`from 40`"]);
    for (text, said) in [
        ("40/120, G/15, +30 from 40", "40/120, G/15, +30 from 40"),
        ("40/120, G/15, +30 from the 41st move", "40/120, G/15, +30 from 41"),
        ("40/120, G/15, +30 starting from move one", "40/120, G/15, +30"),
    ] {
        assert_eq!(spoken(&read(text)).as_deref(), Ok(said), "{text}");
    }
}
