//! Controls as the announcements of tournaments print them.

use super::{read, refused};
use crate::text::{describe, looks_like_notation, pgn, spoken};

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
        ("40/90 + 1 min/move + 30 min", "40/90, G/30, +60"),
        ("40/90 + 1 min/move from 41, G/30", "40/90, G/30, +60 from 41"),
        ("40/90 + 30 min from move 41", "40/90, G/30"),
        ("40/90 + 30 min after move 40 + 30 s", "40/90, G/30, +30"),
        ("90 min + 1 min/move", "G/90+60"),
        ("15 min each + 10 s per move", "15+10"),
        ("40 moves in 2 hours each, 60 min each until the end", "40/120, G/60"),
        ("40/2h, G/1h", "40/120, G/60"),
        ("1 h 30 min/40 moves + 1h 15m", "40/90, G/75"),
        ("40/1:30:00 + 0:30:00 + 0:00:30", "40/90, G/30, +30"),
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
        ("40m/90m, G/30", &["`90m` (character 5)", "number of moves"]),
        ("90'/30\"", &["`\"`", "not understood"]),
        ("40/90 + 30 s for the first 40 moves, G/30", &["only the first period"]),
        ("30 s for the first 40 moves, G/30", &["less than a minute"]),
        ("40/90, 30 s", &["`30` (character 8)", "seconds for which moves", "+30"]),
        ("40/90 + 30 min from move 51", &["end with move 40"]),
        ("40/90 + 30 min after", &["no move"]),
        ("40/1 h and 30 min, G/30", &["one time or two", "1h30"]),
        ("100x40 + 15'", &["an overtime stands after", "90' x 40"]),
        ("40/1,5 h, G/30", &["decimal comma"]),
        ("5+0,5", &["decimal comma"]),
        ("G/60 d.5", &["`.`"]),
    ] {
        refused(text, parts);
    }
}
