//! Controls as the announcements of tournaments print them.

use super::{read, refused};
use crate::text::{describe, looks_like_notation, parse_notation, pgn, spoken};

#[test]
fn controls_are_read_as_announcements_print_them() {
    for (text, said) in [
        ("90 min/40 moves + 30 min + 30 s/move from move 1", "40/90, G/30, +30"),
        ("90 min/40 moves + 30 min + 30 s per move", "40/90, G/30, +30"),
        ("90min/40moves + 30min + 30sec/move", "40/90, G/30, +30"),
        ("40 moves/90 min + G/30 + 30 s", "40/90, G/30, +30"),
        ("100'/40+50'/20+15'+30\"", "40/100, 20/50, G/15, +30"),
        ("100'/40 + 50'/20 + 15' + 30''", "40/100, 20/50, G/15, +30"),
        ("2 hours/40 moves + 1 hour/20 moves + 30 min", "40/120, 20/60, G/30"),
        ("40/120 + 20/60 + SD/30", "40/120, 20/60, G/30"),
        ("40/90, 30 min, +30", "40/90, G/30, +30"),
        ("2h/40 + 30m + 5x30s", "40/120, G/30, 5x30s"),
        ("1h30+30s", "G/90+30"),
        ("1h30min + 30s/move", "G/90+30"),
        ("1h30/40 + 1h + 30s", "40/90, G/60, +30"),
        ("30m + 5x30s", "G/30, 5x30s"),
        ("30+5×30", "G/30, 5x30s"),
        ("G/0, 1x10", "G/0, 1x10s"),
        ("5 v 4, 3x1 min", "5 v 4, 3x60s"),
        ("pgn:75+0.6", "G/75s, +0:00:00.6"),
        ("pgn:40/60.25+0.5", "40/0:01:00.25 repeat, +0:00:00.5"),
        // `+ 1 min` is an increment if it cannot be the time of the next period.
        ("40/90 + 1 min, G/30", "40/90, G/30, +60"),
        ("40/90 + 1 min/move + 30 min", "40/90, G/30, +60"),
        ("40/90 + 1 min from 41, G/30", "40/90, G/30, +60 from 41"),
        ("90 min + 1 min", "G/90+60"),
    ] {
        assert!(looks_like_notation(text), "{text}");
        let control = read(text);
        assert_eq!(spoken(&control).as_deref(), Ok(said), "{text}");
        assert_eq!(read(said), control, "{text}");
    }
    let overtime = describe(&read("30m + 5x30s"));
    assert_eq!(
        overtime,
        "all moves in 0:30:00, then 5 periods of overtime of 0:00:30 for each move"
    );
    assert_eq!(pgn(&read("pgn:75.000000001+0.6")).as_deref(), Ok("75.000000001+0.6"));
}

#[test]
fn times_that_us_chess_has_in_hours_need_their_unit() {
    for (text, hours, minutes) in [
        ("40/2, SD/1", "`40/2h, SD/1h`", "`40/2m, SD/1m`"),
        ("40/2 sd1 d5", "`40/2h sd1h d5`", "`40/2m sd1m d5`"),
        ("40/2, 20/1, SD/1, +30", "`40/2h, 20/1h, SD/1h, +30`", "`40/2m, 20/1m, SD/1m, +30`"),
        ("1/6, SD/6", "`1/6h, SD/6h`", "`1/6m, SD/6m`"),
    ] {
        refused(text, &[hours, minutes, "US Chess"]);
        let error = parse_notation(text).unwrap_err();
        let spellings = error.spellings().unwrap();
        let [hours, minutes] = spellings.each_ref().map(|text| read(text).periods()[0].time.white);
        assert_eq!(hours.as_nanos(), 60 * minutes.as_nanos(), "{text}");
    }
    for text in ["40/2h, SD/1", "40/2, G/1", "SD/5", "40/120, SD/5", "40/7, SD/1", "40/2 v 1, SD/1"]
    {
        read(text);
    }
    assert_eq!(parse_notation("40/90").unwrap_err().spellings(), None);
}

#[test]
fn what_is_wrong_in_an_announcement_is_named() {
    for (text, parts) in [
        ("90 min/", &["no moves after the `/`"][..]),
        ("90 min/x", &["no moves after the `/`"]),
        ("90 min/0 + 30 min", &["from 1 to 4294967295"]),
        ("30m + 0x30s", &["number of periods"]),
        ("30m + 5x", &["no time of a period of the overtime"]),
        ("30m + 5x30s + 5", &["an overtime goes with no increment"]),
        ("40/90 repeat, 5x30s", &["an overtime goes with no increment"]),
        ("30m + 5x30s + 3x10s", &["a second overtime"]),
        ("90 min/40 moves", &["after move 40"]),
        ("99999999 hours", &["more hours than"]),
    ] {
        refused(text, parts);
    }
}
