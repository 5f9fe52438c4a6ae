//! Correct and incorrect notations.

mod announced;
mod generated;
mod public_cases;
mod round_trip;
mod unclear;

use super::*;
use crate::text::{describe, presets};
use crate::{Clock, Instant, Method, PerSide, Period, Side, Span, Terms};

fn read(text: &str) -> Control {
    parse_notation(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn secs(secs: u64) -> Span {
    Span::from_secs(secs)
}

fn minutes(minutes: u64) -> PerSide<Span> {
    PerSide::both(secs(minutes * 60))
}

fn plus(amount: u64) -> PerSide<Method> {
    PerSide::both(Method::Increment(secs(amount)))
}

const NONE: PerSide<Method> = PerSide { white: Method::None, black: Method::None };

#[test]
fn the_parts_are_read() {
    let standard = [
        Period { moves: Some(40), time: minutes(90), method: plus(30) },
        Period { moves: None, time: minutes(30), method: plus(30) },
    ];
    assert_eq!(read("40/90, G/30, +30"), Control::new(&standard, Terms::default()).unwrap());
    let odds = [
        Period {
            moves: Some(60),
            time: PerSide { white: secs(300), black: secs(240) },
            method: NONE,
        },
        Period { moves: None, time: PerSide::default(), method: plus(3) },
    ];
    let terms = Terms { draw_odds: Some(Side::Black), ..Terms::default() };
    assert_eq!(read("5 v 4, +3 from 61, draw Black"), Control::new(&odds, terms).unwrap());
    let repeating = [
        Period { moves: Some(40), time: minutes(120), method: NONE },
        Period { moves: Some(20), time: minutes(60), method: NONE },
    ];
    let terms = Terms { repeat: true, ..Terms::default() };
    assert_eq!(read("40/120, 20/60 repeat"), Control::new(&repeating, terms).unwrap());
    for (text, method) in [
        ("G/60 d5", Method::Delay(secs(5))),
        ("G/60 b5", Method::Bronstein(secs(5))),
        ("G/60 +5", Method::Increment(secs(5))),
        ("G/60 d0", Method::None),
        ("G/60", Method::None),
        ("G/60 +500ms", Method::Increment(Span::from_nanos(500_000_000))),
        ("G/60 d0:01:00", Method::Delay(secs(60))),
    ] {
        assert_eq!(read(text), Control::single(secs(3600), method), "{text}");
    }
}

#[test]
fn different_spellings_of_a_control_are_read_as_the_same() {
    for same in [
        &[
            "40/90, G/30, +30",
            "40/90 sd/30;+30",
            "40/90,g/30+30",
            "+30 40/90 G/30",
            "40/90 then G/30 with +30",
            "40/90+30, G/30+30",
            "40/90+30 from 1; G/30+30",
        ][..],
        &[
            "3+2",
            "3 + 2",
            "G/3+2",
            "G/3, +2",
            "G/180s+2s",
            "G/0:03:00, +2 from 1",
            "3v3+2v2",
            " 3+2 ",
        ],
        &[
            "G/60 d5",
            "G/60d5",
            "SD/60 D5",
            "g/1h; d5s",
            "60 d5",
            "\tG / 60\nd 5",
            "G60 d5",
            "sd60d5",
            "G/60\u{a0}d5",
        ],
        &["G/90s", "G/0:01:30", "90s", "G/1m30s"],
        &["G/300", "G/5h", "300m"],
        &["0+5", "G/0+5", "pgn:0+5", "0 inc/5"],
        &["G/0 d5", "0 d/5", "0; delay 5 s"],
        &["5+3", "5'+3\"", "5’ + 3”", "5′+3″", "5'+3''", "5’+3’’", "5|3", "5 min | 3 s", "300s+3"],
        &[
            "G/90+30",
            "G/90; inc/30",
            "90 inc30",
            "90 min + 30 sec",
            "90min+30secs",
            "90 MINUTES, +30 seconds",
            "5400\"+30",
        ],
        &["10 v 7", "10' v 7'", "10 v 7 min", "10 min v 7", "600 sec v 420 sec"],
        &["40/90, G/30, +30", "40/90', G/30 min, +30\""],
        &["3+60", "3 + 1 min/move", "3 with 1 minute increment"],
        &[
            "10 v 7, +1 from 41",
            "10v7 +1 from move 41",
            "G/10 vs 7 with +1 from 41",
            "40/10 v 7, G/0, +1 from 41",
        ],
        &["40/90, G/30, +30 from 41", "40/90, +30 from 41, G/30+30"],
        &["G/60", "G/60, +0 from 41", "G/60 d0 from 41", "G/60 b0 v 0 from 2"],
        &["36/90 repeat", "36/90 repeat, +0 from 41"],
        &["40/120, 20/60, G/15, +30 from 61", "40/120 20/60 G/15 with +30 from 61"],
        &["40/120, 20/60 repeat", "40/120, 20/60, repeating"],
        &["5 v 4, draw Black", "5 v 4 draw black draw BLACK"],
        &["40/90, G/30, +30", "pgn:40/5400+30:1800+30", " PGN: 40/5400+30:1800+30 "],
        &["36/90 repeat", "pgn:36/5400"],
        &["G/5", "pgn:300", "pgn:300+0"],
        &["G/75+60", "pgn:4500+60"],
    ] {
        for text in same {
            assert_eq!(read(text), read(same[0]), "{text}");
        }
    }
    assert_eq!(read("pgn:*180"), Control::single(secs(180), Method::Hourglass));
}

#[test]
fn usual_controls_are_printed_in_their_usual_notation() {
    for text in [
        "40/90, G/30, +30",
        "40/100, 20/50, G/15, +30",
        "40/120, 20/60, G/15, +30 from 61",
        "40/120, G/30, +30 from 41",
        "G/120, +10 from 41",
        "40/120, 20/60, G/30",
        "40/120, 20/60 repeat",
        "36/90 repeat",
        "40/120, 20/0 repeat, +5 from 41",
        "40/120, 10/30, 10/30, G/5, +5 from 46",
        "40/90, G/15, +30",
        "G/90+30",
        "15+10",
        "3+2",
        "G/5",
        "5 v 4, +3 from 61, draw Black",
        "10 v 7, +1 from 41",
        "6 v 5",
        "4 v 3, +2",
        "G/60 d5",
        "30/90, G/60, d5",
        "G/25 b5",
        "40/90 v 80, G/30, +30 v 20",
        "G/90s",
        "G/0:00:01.5, +0:00:00.25",
        "40/90, G/30, +30 from 21",
        "G/60 d5 v 0",
    ] {
        assert_eq!(spoken(&read(text)).as_deref(), Ok(text));
    }
}

#[test]
fn a_notation_is_described_with_its_meaning() {
    for (text, said) in [
        ("G/300", "all moves in 5:00:00"),
        ("40/90, G/30+30", "40 moves in 1:30:00, then 0:30:00, 30 s a move from move 1"),
        ("G/120, +10 from 41", "all moves in 2:00:00, 10 s a move from move 41"),
    ] {
        assert_eq!(describe(&read(text)), said);
    }
}

/// Checks that a text is refused with a message that contains all parts.
fn refused(text: &str, parts: &[&str]) {
    let error = parse_notation(text).expect_err(text).to_string();
    for part in parts {
        assert!(error.contains(part), "{text}: {part}: {error}");
    }
    assert!(error.chars().count() < 400 && !error.contains('\n'), "{error}");
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_what_is_expected() {
    for (text, parts) in [
        ("", &["no time", "`3+2`"][..]),
        ("+30", &["no time"]),
        ("40/90", &["after move 40", "G/30", "`repeat`"]),
        ("40/90, 20/30", &["after move 60"]),
        ("40/90, 30", &["`30` (character 8)", "which moves", "G/30"]),
        ("30, G/5", &["`G/5` (character 5)", "all the rest"]),
        ("G/60, 40/90", &["`40/90` (character 7)", "all the rest"]),
        ("G/", &["`G/` (character 1)", "no time after the `/`"]),
        ("G/x", &["`G/x`", "minutes"]),
        ("G", &["`G`", "not understood", "G/30"]),
        ("G/1:30", &["`1:30` (character 3)", "1:30:00 or 0:01:30"]),
        ("G/1.5", &["`1.5`", "no duration"]),
        ("0/90, G/30", &["`0/90`", "from 1 to 4294967295"]),
        ("4294967296/90, G/30", &["from 1 to 4294967295"]),
        ("4294967295/90, 1/5, G/30", &["more than 4294967295"]),
        ("40m/90m, G/30", &["`90m` (character 5)", "number of moves"]),
        ("40/60001, G/30", &["`60001` (character 4)", "more minutes than the 1000:00:00"]),
        ("G/99999999999999999999999999", &["more minutes than"]),
        ("G/1001h", &["`1001h`", "longer than"]),
        ("3+3600001", &["`3600001` (character 3)", "more seconds than"]),
        ("3+2 d5", &["`d5` (character 5)", "second increment or delay of the same period"]),
        ("5+3+3", &["`+3` (character 4)", "second increment", "40/90+30, G/30+30"]),
        ("40/90+30 +30, G/30", &["`+30` (character 10)", "of the same period"]),
        ("40/90, G/30+30 from 41, +30 from 41", &["`+30` (character 25)", "of the same period"]),
        ("40/90+30, G/30+10", &["`+10` (character 15)", "differs", "`pgn:40/5400+30:1800+10`"]),
        ("40/90+30, G/30+30 from 41", &["`+30` (character 15)", "differs"]),
        ("40/90+30 from 21, G/30+30 from 41", &["`+30` (character 23)", "differs"]),
        ("40/90+30, G/30d30", &["`d30`", "differs"]),
        ("40/90+30, G/30+0", &["`+0`", "differs"]),
        ("3+", &["`+` (character 2)", "no amount", "+30"]),
        ("G/60 d", &["no amount"]),
        ("3+2 from", &["`from` (character 5)", "no move", "`+30 from 61`"]),
        ("3+2 from 0", &["`0`", "number of a move"]),
        ("3+2 from 4294967297", &["number of a move"]),
        ("40/120, 20/60 repeat, +5 from 51", &["`+5` (character 23)", "period that repeats"]),
        ("40/120, 20/60 repeat, +5 from 61", &["period that repeats"]),
        ("repeat", &["`repeat` (character 1)", "`40/120, 20/60 repeat`"]),
        ("G/60 repeat", &["what repeats"]),
        ("40/120 repeat, G/30", &["`G/30`", "nothing can follow"]),
        ("10 v", &["`10` (character 1)", "Black", "10 v 7"]),
        ("10 v v", &["Black"]),
        ("v 7", &["`v`", "not understood"]),
        ("5 draw", &["`draw`", "`draw Black`"]),
        ("5 draw white draw black", &["one side only"]),
        ("fast", &["`fast`", "not understood"]),
        ("G/30, blitz", &["`blitz` (character 7)"]),
        ("G/30 q", &["`q`"]),
        ("min 5", &["`min`", "not understood"]),
        ("40/90'/40, G/30", &["`/40`", "not understood"]),
        ("1:30:00'", &["`'` (character 8)", "not understood"]),
        ("5'30\"", &["`30\"` (character 3)", "seconds for which moves"]),
        ("/5", &["`/5`"]),
        ("G/30 €5", &["`€5` (character 6)", "`€`"]),
        ("٣+٢", &["`٣+٢` (character 1)", "not part of the notation"]),
        ("½", &["not part of the notation"]),
        ("40/5400+30:1800+30", &["`30:1800`", "write `pgn:40/5400+30:1800+30`"]),
        ("*180", &["`*180`", "write `pgn:*180`"]),
        ("40/7200:3600", &["write `pgn:40/7200:3600`"]),
        ("pgn:", &["nothing after `pgn:`"]),
        ("pgn:?", &["`?`", "not known"]),
        ("pgn:-", &["`-`", "without a time control"]),
        ("pgn:40/5400:", &["expected seconds"]),
        ("pgn:40/x", &["`40/x`", "expected seconds"]),
        ("pgn:300d5", &["`300d5`", "expected seconds"]),
        ("pgn:300.", &["`300.`", "expected seconds"]),
        ("pgn:.5", &["`.5`", "expected seconds"]),
        ("pgn:300+0.1234567890", &["expected seconds"]),
        ("pgn:3600000.000000001", &["1000:00:00"]),
        ("pgn:+30", &["`+30`", "expected seconds"]),
        ("pgn:0/5", &["`0/5`", "from 1 to 4294967295"]),
        ("pgn:300:60", &["`300`", "says its moves"]),
        ("pgn:*60:300", &["only field"]),
        ("pgn:40/60:*60", &["only field"]),
        ("pgn:3600001", &["1000:00:00"]),
        ("pgn:99999999999999999999999", &["1000:00:00"]),
        ("pgn:G/5", &["`G/5`", "number of moves"]),
    ] {
        refused(text, parts);
    }
    let many = "1/1, ".repeat(16) + "G/1";
    refused(&many, &["17 periods"]);
    // Dividing a period can give one period too many.
    refused(&("5/1, ".repeat(15) + "G/1, +5 from 3"), &["17 periods"]);
    refused(&"9".repeat(1 << 20), &["longer than any time control"]);
    refused(&"9".repeat(2000), &["more minutes than"]);
    refused(&format!("G/{}", "1:".repeat(900)), &["no duration"]);
    refused(&format!("pgn:{}", "x".repeat(2000)), &["…"]);
}

#[test]
fn pgn_is_named_only_where_it_may_be_meant() {
    for text in ["40/90", "40/90+30", "40/90, 20/30", "+30"] {
        let error = parse_notation(text).expect_err(text).to_string();
        assert!(!error.contains("PGN"), "{text}: {error}");
    }
}

#[test]
fn notations_are_distinguished_from_names_and_files() {
    for notation in [
        "40/90, G/30, +30",
        "3+2",
        "G/60 d5",
        "g/60",
        "SD/30",
        "+30",
        "pgn:40/5400+30",
        "PGN:?",
        "300",
        "10 v 7",
        "10 v 7, +1 from 41",
        "40/120, 20/60 repeat",
        "5 v 4 draw Black",
        "40/5400+30:1800+30",
        "*180",
        "G/90s",
        "40 / 90",
        "1:30:00",
        "pgn:",
        "G/1:30",
        "G/60\u{a0}d5",
        "40/90\nG/30",
        "5\u{a0}v\u{2009}4",
        "5'+3\"",
        "3|2",
        "90 min + 30 sec",
        "5'/3",
    ] {
        assert!(looks_like_notation(notation), "{notation}");
    }
    for name in [
        "blitz-3-2",
        "fide-standard",
        "x",
        "G60",
        "",
        "club evening",
        "5 club",
        "./x",
        "/x",
        "a/b",
        "x.toml",
        "40/x.toml",
        "g/x",
        "../d5",
        "./40/90",
        "/40/90",
        "d5",
        "10m",
        "b/3.toml",
        "40/90/",
        "repeat",
        "3 é 2",
    ] {
        assert!(!looks_like_notation(name), "{name}");
    }
    for preset in presets() {
        assert!(!looks_like_notation(preset.name), "{}", preset.name);
    }
}

#[test]
fn a_control_that_a_notation_cannot_express_has_a_reason() {
    let five = Period { moves: None, time: minutes(5), method: NONE };
    let with = |method| Control::new(&[Period { method, ..five }], Terms::default()).unwrap();
    let on = |terms| Control::new(&[Period { moves: None, ..five }], terms).unwrap();
    let usual = Terms::default();
    let overtime = Method::Overtime(crate::Overtime { periods: 1, time: secs(30), moves: 1 });
    let canadian = Method::Overtime(crate::Overtime { periods: 1, time: secs(300), moves: 20 });
    let mixed = PerSide { white: Method::Increment(secs(3)), black: Method::Delay(secs(3)) };
    let counted = Method::CountUp { limit: None };
    let untimed = |method| Control::single(Span::ZERO, method);
    for (control, spoken_part, pgn_part) in [
        (with(PerSide::both(canadian)), "overtime of several moves", "overtime"),
        (
            with(PerSide { white: overtime, black: canadian }),
            "the same overtime for both",
            "same for both",
        ),
        (with(mixed), "to one side", "same for both"),
        (untimed(Method::Gong(secs(10))), "gong", "gong"),
        (untimed(counted), "counted up", "counted up"),
        (
            on(Terms { after_flag: Some(crate::AfterFlag::Run), ..usual }),
            "after the flag",
            "after the flag",
        ),
        (on(Terms { first_move_increment: false, ..usual }), "move 1", "move 1"),
        (on(Terms { period_end: crate::PeriodEnd::Zero, ..usual }), "change with", "change with"),
    ] {
        let said =
            [spoken(&control).unwrap_err().to_string(), pgn(&control).unwrap_err().to_string()];
        assert!(said[0].contains(spoken_part) && said[0].contains("spoken notation"), "{said:?}");
        assert!(said[1].contains(pgn_part) && said[1].contains("PGN's TimeControl"), "{said:?}");
    }
    let hourglass = Control::single(secs(180), Method::Hourglass);
    assert!(spoken(&hourglass).unwrap_err().to_string().contains("hourglass"));
    assert_eq!(pgn(&hourglass).as_deref(), Ok("*180"));
    assert_eq!(pgn(&read("G/120, +10 from 41")).as_deref(), Ok("40/7200:0+10"));
    for (text, part) in [
        ("G/60 d5", "no delay"),
        ("G/60 b5", "no delay"),
        ("5 v 4", "same for both"),
        ("3+2, draw White", "for whom a draw"),
        ("30m + 5x30s", "no overtime"),
    ] {
        assert!(pgn(&read(text)).unwrap_err().to_string().contains(part), "{text}");
    }
    let changing = read("pgn:40/5400+30:1800+10");
    assert!(spoken(&changing).unwrap_err().to_string().contains("here it changes"));
    assert_eq!(pgn(&changing).as_deref(), Ok("40/5400+30:1800+10"));
}

/// `G/120, +10 from 41` becomes two periods. The clock must show what a clock with one period of
/// 120 minutes and an increment from move 41 would show.
#[test]
fn an_increment_from_a_move_within_a_period_is_exact() {
    let mut clock = Clock::new(read("G/120, +10 from 41"), Instant::ZERO);
    let mut at = 0;
    let mut press = |clock: &mut Clock, side, after: u64| {
        at += after;
        clock.handle_press(side, Instant::from_nanos(at)).unwrap();
        clock.view(Instant::from_nanos(at)).sides[side].remaining.as_nanos()
    };
    press(&mut clock, Side::Black, 0);
    let mut used = 0;
    for moved in 1..=60_u64 {
        let thought = 7_000_000_001 * moved % 90_000_000_000;
        used += thought;
        let left = press(&mut clock, Side::White, thought);
        let brought = moved.saturating_sub(39) * 10_000_000_000;
        assert_eq!(left, 7_200_000_000_000 - used + brought, "move {moved}");
        press(&mut clock, Side::Black, 1);
    }
    assert_eq!(read("G/120, +10 from 41").after_flag(), crate::AfterFlag::Halt);
}
