use clock_dbus::{MenuPage, MenuState};

use super::*;
use crate::content::{FlagOrder, Used};
use crate::devices::test_content::{SIDE, game, stale, with_arbiter_awaited, with_fault};
use crate::language::EN;

/// The glyphs, each with the character that the tests write for it.
const GLYPHS: [(u8, char); 23] = [
    (BLANK, ' '),
    (DASH, '-'),
    (THREE_BARS, '='),
    (TWO_BARS, '|'),
    (A, 'A'),
    (D, 'd'),
    (E, 'E'),
    (F, 'F'),
    (F_UPSIDE_DOWN, 't'),
    (H, 'h'),
    (L, 'L'),
    (R, 'r'),
    (U, 'U'),
    (NUMERALS[0], '0'),
    (NUMERALS[1], '1'),
    (NUMERALS[2], '2'),
    (NUMERALS[3], '3'),
    (NUMERALS[4], '4'),
    (NUMERALS[5], '5'),
    (NUMERALS[6], '6'),
    (NUMERALS[7], '7'),
    (NUMERALS[8], '8'),
    (NUMERALS[9], '9'),
];

/// The digits as text. The point of a digit comes after the character of the digit.
pub fn read(digits: Digits) -> String {
    let mut text = String::new();
    for digit in digits {
        let glyph = GLYPHS.iter().find(|(glyph, _)| *glyph == digit & !POINT);
        text.push(glyph.map_or('?', |(_, character)| *character));
        if digit & POINT != 0 {
            text.push('.');
        }
    }
    text
}

fn white(display: SideDisplay) -> String {
    read(encode(&game(display, SIDE))[0])
}

#[test]
fn a_page_of_the_menu_is_its_two_lines() {
    let shown = |page: MenuPage| {
        let content = game(running("4:05"), SIDE);
        let Content::Game(mut game) = content else { panic!("it is a game") };
        game.white.mark = TurnMark::Stopped;
        encode(&Content::Game(game).with_menu(Some(&page))).map(read)
    };
    let page = |first: &str, second: &str| MenuPage {
        state: MenuState::Open,
        segments: (first.into(), second.into()),
        ..MenuPage::default()
    };
    for (first, second, wanted) in [
        ("33", "1.32.00", ["      33", "   1.32.00"]),
        ("32", "--", ["      32", "      --"]),
        ("01", "", ["      01", "        "]),
        ("05", "0-1", ["      05", "     0-1"]),
        ("05", "x..5", ["      05", "      . .5"]),
        ("12345678", "8.7.6.5.", ["12345678", "    8.7.6.5."]),
    ] {
        assert_eq!(shown(page(first, second)), wanted, "{first} {second}");
    }
    let standing = |menu| {
        let Content::Game(mut game) = with_arbiter_awaited(game(running("4:05"), SIDE)) else {
            panic!("it is a game")
        };
        game.white.mark = TurnMark::Stopped;
        encode(&Content::Game(game).with_menu(Some(&menu))).map(read)
    };
    assert_eq!(standing(page("33", "1.32.00")), ["  A   33", "  A1.32.00"]);
    assert_eq!(standing(page("12", "1-12345")), ["  A   12", " 1-12345"]);
    let release = MenuPage { state: MenuState::Release, ..MenuPage::default() };
    assert_eq!(shown(release), [" rELEA5E"; 2]);
    assert_eq!(shown(MenuPage::default())[0], "  |  4.05");
}

fn running(time: &str) -> SideDisplay {
    SideDisplay { mark: TurnMark::Running, time: time.into(), ..SIDE }
}

/// Draws the segments a to g of each glyph at their places on the module.
#[test]
fn the_glyphs_have_the_shapes_of_their_names() {
    let drawn = |glyph: u8| {
        let lit = |bit: u8, stroke| if glyph >> bit & 1 == 1 { stroke } else { ' ' };
        // The bits from the highest to the lowest: the point, then a to g.
        let [a, b, c, d, e, f, g] = [6, 5, 4, 3, 2, 1, 0]
            .map(|bit| lit(bit, if matches!(bit, 6 | 3 | 0) { '_' } else { '|' }));
        [format!(" {a} "), format!("{f}{g}{b}"), format!("{e}{d}{c}")]
    };
    for (glyph, rows) in [
        (NUMERALS[0], [" _ ", "| |", "|_|"]),
        (NUMERALS[1], ["   ", "  |", "  |"]),
        (NUMERALS[2], [" _ ", " _|", "|_ "]),
        (NUMERALS[3], [" _ ", " _|", " _|"]),
        (NUMERALS[4], ["   ", "|_|", "  |"]),
        (NUMERALS[5], [" _ ", "|_ ", " _|"]),
        (NUMERALS[6], [" _ ", "|_ ", "|_|"]),
        (NUMERALS[7], [" _ ", "  |", "  |"]),
        (NUMERALS[8], [" _ ", "|_|", "|_|"]),
        (NUMERALS[9], [" _ ", "|_|", " _|"]),
        (BLANK, ["   ", "   ", "   "]),
        (DASH, ["   ", " _ ", "   "]),
        (THREE_BARS, [" _ ", " _ ", " _ "]),
        (TWO_BARS, ["   ", "| |", "| |"]),
        (A, [" _ ", "|_|", "| |"]),
        (D, ["   ", " _|", "|_|"]),
        (E, [" _ ", "|_ ", "|_ "]),
        (F, [" _ ", "|_ ", "|  "]),
        (F_UPSIDE_DOWN, ["   ", "|_ ", "|_ "]),
        (H, ["   ", "|_ ", "| |"]),
        (L, ["   ", "|  ", "|_ "]),
        (R, ["   ", " _ ", "|  "]),
        (U, ["   ", "| |", "|_|"]),
    ] {
        assert_eq!(drawn(glyph), rows, "{glyph:#b}");
        assert_eq!(GLYPHS.iter().filter(|(other, _)| *other == glyph).count(), 1, "{glyph:#b}");
    }
}

#[test]
fn the_time_is_the_text_of_the_face() {
    for (time, shown) in [
        ("1:30:00", "  =1.30.00"),
        ("9:59:59", "  =9.59.59"),
        ("59:59", "  = 59.59"),
        ("10:00", "  = 10.00"),
        ("4:05", "  =  4.05"),
        ("1:00", "  =  1.00"),
        // Seconds are dropped from ten hours on, and minutes from a hundred hours on.
        ("10:00:00", "  =10.00h"),
        ("99:59:59", "  =99.59h"),
        ("100:59:59", "  = 100h"),
        ("1000:00:00", "  =1000h"),
        ("9999:00:00", "  =9999h"),
        ("10000:00:00", "  =----h"),
    ] {
        assert_eq!(white(running(time)), shown, "{time}");
    }
}

#[test]
fn a_low_time_has_a_letter_and_below_twenty_seconds_tenths() {
    for (time, shown) in [
        ("0:59", "  =L 0.59"),
        ("0:20", "  =L 0.20"),
        ("19.9", "  =L 19.9"),
        ("9.9", "  =L  9.9"),
        ("0.0", "  =L  0.0"),
    ] {
        let low = SideDisplay { time_level: TimeLevel::Low(500), ..running(time) };
        assert_eq!(white(low), shown, "{time}");
    }
}

#[test]
fn the_sign_says_whose_clock_runs_and_what_is_awaited() {
    use TurnMark::{Running, Stopped, Waiting};
    for (mark, earlier_flag, quiet, awaited, faulty) in [
        (Waiting, false, " 7   4.05", " 7A  4.05", " 7E  4.05"),
        (Running, false, " 7=  4.05", " 7=  4.05", " 7=  4.05"),
        (Stopped, false, " 7|  4.05", " 7|  4.05", " 7|  4.05"),
        (Waiting, true, " 7 .  4.05", " 7A.  4.05", " 7E.  4.05"),
        (Running, true, " 7=.  4.05", " 7=.  4.05", " 7=.  4.05"),
        (Stopped, true, " 7|.  4.05", " 7|.  4.05", " 7|.  4.05"),
    ] {
        let display =
            SideDisplay { mark, earlier_flag, moves: Some(7), time: "4:05".into(), ..SIDE };
        let content = game(display, SIDE);
        let arbiter_awaited = with_arbiter_awaited(content.clone());
        let both = with_fault(arbiter_awaited.clone());
        for (content, shown) in [
            (&content, quiet),
            (&arbiter_awaited, awaited),
            (&with_fault(content.clone()), faulty),
            (&both, faulty),
        ] {
            assert_eq!(read(encode(content)[0]), shown, "{mark:?}");
        }
    }
}

#[test]
fn the_flag_that_fell_first_differs_from_the_second() {
    let flagged = |mark, time: &str, first: bool, overrun: Option<&str>| {
        let order = if first { FlagOrder::First } else { FlagOrder::Second };
        let time_level = TimeLevel::Flagged { order, overrun: overrun.map(str::to_owned) };
        white(SideDisplay { mark, time: time.into(), moves: Some(39), time_level, ..SIDE })
    };
    use TurnMark::{Running, Stopped, Waiting};
    for (mark, time, overrun, first, second) in [
        (Waiting, "0.0", None, "39 F  0.0", "39 t  0.0"),
        (Stopped, "0.0", None, "39|F  0.0", "39|t  0.0"),
        (Running, "0.0", None, "39=F  0.0", "39=t  0.0"),
        (Running, "0.0", Some("+0:00"), "39=F. 0.00", "39=t. 0.00"),
        (Running, "0.0", Some("+0:12"), "39=F. 0.12", "39=t. 0.12"),
        (Waiting, "0.0", Some("+12:34"), "39 F.12.34", "39 t.12.34"),
        (Waiting, "0.0", Some("+1:02:03"), "39 F.1.02h", "39 t.1.02h"),
        (Waiting, "0.0", Some("+10:02:03"), "39 F. 10h", "39 t. 10h"),
        (Waiting, "0.0", Some("+1000:00:00"), "39 F.---h", "39 t.---h"),
        // A time that is counted up has reached its limit, here 2 h, when the flag falls. The limit
        // is shown beside the flag until there is an overrun.
        (Running, "2:00:00", None, "39=F2.00h", "39=t2.00h"),
    ] {
        assert_eq!(flagged(mark, time, true, overrun), first);
        assert_eq!(flagged(mark, time, false, overrun), second);
    }
}

#[test]
fn a_time_used_has_a_letter_where_there_is_room() {
    let used = Some(Used { limit: None });
    for (time, ample, low) in [
        ("0:00", "  =U 0.00", "  =L 0.00"),
        ("59:59", "  =U59.59", "  =L59.59"),
        ("1:00:00", "  =1.00.00", "  =1.00.00"),
        ("10:05:00", "  =10.05h", "  =10.05h"),
        ("99:59:59", "  =99.59h", "  =99.59h"),
        ("100:59:59", "  =U100h", "  =L100h"),
        ("1000:59:59", "  =1000h", "  =1000h"),
        ("10000:59:59", "  =U---h", "  =L---h"),
    ] {
        let side = SideDisplay { used: used.clone(), ..running(time) };
        assert_eq!(white(side.clone()), ample);
        assert_eq!(white(SideDisplay { time_level: TimeLevel::Low(500), ..side }), low);
    }
}

#[test]
fn the_number_is_that_of_the_moves_the_delay_or_the_overtime() {
    use TurnMark::{Running, Stopped, Waiting};
    let overtime = |periods, moves| Some(Overtime { periods, moves });
    for (mark, moves, delay, left, shown) in [
        (Running, None, None, None, "  =  4.05"),
        (Running, Some(0), None, None, " 0=  4.05"),
        (Running, Some(40), None, None, "40=  4.05"),
        (Running, Some(107), None, None, "07=  4.05"),
        (Running, Some(1_234_567_890), None, None, "90=  4.05"),
        // The delay of the side on move is shown.
        (Running, Some(7), Some(5), None, " 5.d  4.05"),
        (Running, None, Some(12), None, "12.d  4.05"),
        (Running, None, Some(100), None, "99.d  4.05"),
        (Stopped, Some(7), Some(5), None, " 5.|  4.05"),
        // The side is not on move, so the delay is that of its next turn, and is not shown.
        (Waiting, Some(7), Some(5), None, " 7   4.05"),
        // If several periods are left, their number is shown. In the last period, which in Canadian
        // overtime is the only one, the moves are shown, or else a 1 if moves are not shown.
        (Running, Some(31), None, overtime(5, Some(1)), " 5.=  4.05"),
        (Running, Some(31), None, overtime(1, Some(1)), " 1.=  4.05"),
        (Waiting, Some(31), None, overtime(1, Some(20)), "20.   4.05"),
        (Waiting, None, None, overtime(1, None), " 1.   4.05"),
        (Waiting, None, None, overtime(12, None), "12.   4.05"),
        (Running, None, Some(3), overtime(2, None), " 3.d  4.05"),
    ] {
        let display =
            SideDisplay { mark, moves, delay, overtime: left, time: "4:05".into(), ..SIDE };
        assert_eq!(white(display.clone()), shown, "{display:?}");
    }
}

#[test]
fn each_side_has_its_module() {
    let content = game(running("1:30:00"), SideDisplay { time: "0:07".into(), ..SIDE });
    assert_eq!(encode(&content).map(read), ["  =1.30.00", "     0.07"]);
}

#[test]
fn without_a_service_there_are_dashes_beside_the_last_known_time() {
    let flag = TimeLevel::Flagged { order: FlagOrder::Only, overrun: None };
    let white = SideDisplay { moves: Some(40), earlier_flag: true, ..running("1:30:00") };
    let black = SideDisplay { delay: Some(5), time_level: flag, time: "0.0".into(), ..SIDE };
    assert_eq!(encode(&stale(game(white, black))).map(read), ["---1.30.00", "---F  0.0"]);
    assert_eq!(encode(&Content::NoService(EN)).map(read), ["--------"; 2]);
}
