mod demo;
mod faults;
mod languages;
mod menu;
mod names;
mod output;
mod prompts;
mod signs;

use std::collections::BTreeSet;

use clock_dbus::{Counting, Method, Phase, SideState, State, Who};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::theme::Colours;
use super::*;
use crate::demo::Hint;
use crate::glyphs::{Glyphs, test_fonts};
use crate::language::EN;
use crate::rules::Rules;

const SECOND: u64 = 1_000_000_000;
const COLOURED: Theme = Theme { colours: Colours::True, glyphs: Glyphs::UNICODE };
const PLAIN: Theme = Theme { colours: Colours::None, glyphs: Glyphs::ASCII };
const RUNS: Color = Color::Rgb(0xF0, 0xE4, 0x42);
const LOW: Color = Color::Rgb(0xE6, 0x9F, 0x00);
const FLAG: Color = Color::Rgb(0xB0, 0x10, 0x10);
const CALL: Color = Color::Rgb(0x56, 0xB4, 0xE9);
const GROUND: Color = Color::Rgb(0x10, 0x14, 0x18);

/// White is on move at 1:29:58, Black has 1:30:00, and no clock runs.
fn paused() -> State {
    State {
        phase: Phase::Paused,
        on_move: Who::White,
        time_control: "fide-classical".into(),
        periods: 2,
        white: SideState {
            remaining_nsec: 5398 * SECOND,
            moves: 12,
            period: 1,
            flag_nsec: None,
            low_nsec: 59 * SECOND,
            player: "Vera Menchik".into(),
            ..SideState::default()
        },
        black: SideState {
            low_nsec: 59 * SECOND,
            remaining_nsec: 5400 * SECOND,
            moves: 11,
            period: 1,
            flag_nsec: None,
            player: "Efim Bogoljubów".into(),
            ..SideState::default()
        },
        ..State::default()
    }
}

fn running(side: Who) -> State {
    State { phase: Phase::Running, on_move: side, running: side, ..paused() }
}

fn white_flagged() -> State {
    State {
        phase: Phase::Ruling,
        first_flag: Who::White,
        white: SideState {
            remaining_nsec: 0,
            flag_nsec: Some(7),
            out_of_time: true,
            ..paused().white
        },
        ..paused()
    }
}

fn shown(screen: &Screen, width: u16, height: u16, theme: Theme) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| paint(frame, screen, theme)).unwrap();
    terminal.backend().buffer().clone()
}

fn face(state: &State, width: u16, height: u16, theme: Theme) -> Buffer {
    face_under(Rules::NONE, state, width, height, theme)
}

fn face_under(rules: Rules, state: &State, width: u16, height: u16, theme: Theme) -> Buffer {
    let screen = Screen { content: Content::of(state, rules, EN), demo: None };
    shown(&screen, width, height, theme)
}

fn rows(buffer: &Buffer) -> Vec<String> {
    (0..buffer.area.height)
        .map(|y| {
            let cells = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol());
            cells.collect::<String>()
        })
        .collect()
}

fn text(buffer: &Buffer) -> String {
    rows(buffer).join("\n")
}

/// The areas of White and of Black, without the status line.
fn side_areas(buffer: &Buffer) -> (Rect, Rect) {
    Layout::of(buffer.area, Glyphs::UNICODE).sides.into()
}

fn text_in(buffer: &Buffer, area: Rect) -> String {
    area.positions().map(|at| buffer[at].symbol()).collect()
}

fn grounds(buffer: &Buffer, area: Rect) -> Vec<Color> {
    let mut grounds: Vec<Color> = area.positions().map(|at| buffer[at].bg).collect();
    grounds.dedup();
    grounds
}

fn assert_says(buffer: &Buffer, wanted: &[&str]) {
    let text = text(buffer);
    for wanted in wanted {
        assert!(text.contains(wanted), "'{wanted}' is not in\n{text}");
    }
}

fn assert_silent(buffer: &Buffer, unwanted: &[&str]) {
    let text = text(buffer);
    for unwanted in unwanted {
        assert!(!text.contains(unwanted), "'{unwanted}' is in\n{text}");
    }
}

#[test]
fn the_running_side_is_highlighted_as_a_whole() {
    for (side, running_at) in [(Who::White, 0), (Who::Black, 1)] {
        for (width, height) in [(160, 24), (80, 24), (40, 10)] {
            let buffer = face(&running(side), width, height, COLOURED);
            let (white, black) = side_areas(&buffer);
            let sides = [white, black];
            assert_eq!(grounds(&buffer, sides[running_at]), [RUNS], "{width}x{height}");
            assert_eq!(grounds(&buffer, sides[1 - running_at]), [GROUND], "{width}x{height}");
            assert!(text_in(&buffer, sides[running_at]).contains('▶'));
            assert!(!text_in(&buffer, sides[1 - running_at]).contains('▶'));
            let inks = sides[running_at].positions().map(|at| buffer[at].fg);
            assert!(inks.into_iter().all(|ink| ink == Color::Rgb(0, 0, 0)));
            assert_silent(&buffer, &["❚❚", "Paused", "FLAG"]);
        }
    }
}

#[test]
fn names_period_moves_and_control_are_there() {
    let buffer = face(&running(Who::White), 160, 24, COLOURED);
    assert_says(
        &buffer,
        &["▶ White  Vera Menchik", "Black  Efim Bogoljubów", "period 1/2   move 12"],
    );
    assert_says(&buffer, &["period 1/2   move 11", "fide-classical"]);
    let small = face(&running(Who::White), 40, 10, COLOURED);
    assert_says(&small, &["▶ White", "period 1/2   move 12", "Black", "move 11"]);
}

#[test]
fn low_time_has_its_colour() {
    let mut state = running(Who::Black);
    for (seconds, lit, idle) in [(60, RUNS, None), (59, LOW, Some(LOW))] {
        state.white.remaining_nsec = seconds * SECOND;
        state.black.remaining_nsec = seconds * SECOND;
        let buffer = face(&state, 80, 24, COLOURED);
        let (white, black) = side_areas(&buffer);
        assert_eq!(grounds(&buffer, black), [lit]);
        assert_eq!(grounds(&buffer, white), [GROUND]);
        let ink = buffer[(white.x, white.y)].fg;
        assert_eq!(ink == LOW, idle.is_some(), "{ink}");
    }
}

#[test]
fn paused_is_marked_on_the_side_on_move() {
    let buffer = face(&paused(), 80, 24, COLOURED);
    let (white, black) = side_areas(&buffer);
    assert!(text_in(&buffer, white).contains("❚❚ White"));
    assert!(!text_in(&buffer, black).contains('❚'));
    assert_says(&buffer, &["Paused"]);
    assert_silent(&buffer, &["▶"]);
    assert_eq!(grounds(&buffer, white), [GROUND]);
}

/// The points are the large digits of a game that is over, and the time is beside them as text.
#[test]
fn a_result_is_in_the_halves() {
    let over = |result: &str| State { phase: Phase::Over, result: result.into(), ..paused() };
    for (width, height) in [(160, 40), (80, 24), (40, 10)] {
        let [won, drawn] =
            ["1-0", "1/2-1/2"].map(|result| face(&over(result), width, height, COLOURED));
        let (white, black) = side_areas(&won);
        for (side, time) in [(white, "1:29:58"), (black, "1:30:00")] {
            let [of_won, of_drawn] = [&won, &drawn].map(|buffer| text_in(buffer, side));
            assert!(of_won.contains(time) && of_drawn.contains(time), "{of_won}\n{of_drawn}");
            assert_ne!(of_won, of_drawn);
        }
        assert_ne!(text_in(&won, white).replace("1:29:58", ""), text_in(&won, black));
    }
}

#[test]
fn the_bar_of_a_low_time_shrinks() {
    let low = |seconds| State {
        white: SideState { remaining_nsec: seconds * SECOND, ..running(Who::White).white },
        ..running(Who::White)
    };
    for (seconds, bar) in [(59, "███████████████"), (30, "███████........"), (1, "..............")]
    {
        for (width, height) in [(80, 24), (40, 10), (40, 5)] {
            let buffer = face(&low(seconds), width, height, COLOURED);
            assert_says(&buffer, &[bar]);
            assert_silent(&buffer, &["low"]);
        }
    }
}

#[test]
fn a_flag_has_word_mark_and_colour_and_without_colours_a_pattern() {
    for (width, height) in [(160, 24), (80, 24), (40, 10)] {
        let buffer = face(&white_flagged(), width, height, COLOURED);
        let (white, black) = side_areas(&buffer);
        let shown = text_in(&buffer, white);
        assert!(shown.contains("⚑ FLAG ") && !shown.contains("1st"), "{}", text(&buffer));
        assert_eq!(grounds(&buffer, white), [FLAG]);
        assert!(!grounds(&buffer, black).contains(&FLAG));
        assert_says(&buffer, &["White's time is up"]);
        assert_silent(&buffer, &["╱"]);
        let plain = face(&white_flagged(), width, height, PLAIN);
        assert!(text_in(&plain, white).contains('/') && !text_in(&plain, black).contains(" / "));
    }
}

#[test]
fn the_first_of_two_flags_is_marked() {
    let state = State {
        first_flag: Who::Black,
        black: SideState {
            remaining_nsec: 0,
            flag_nsec: Some(5),
            out_of_time: true,
            ..white_flagged().black
        },
        ..white_flagged()
    };
    let buffer = face(&state, 160, 24, COLOURED);
    let (white, black) = side_areas(&buffer);
    assert!(text_in(&buffer, white).contains("⚑ FLAG "));
    assert!(text_in(&buffer, white).contains("⚑ FLAG 2nd"));
    assert!(text_in(&buffer, black).contains("⚑ FLAG 1st"));
    assert!(!grounds(&buffer, white).contains(&FLAG));
    assert_eq!(grounds(&buffer, black), [FLAG]);
}

#[test]
fn the_overrun_is_shown_beside_the_flag() {
    let state = State {
        phase: Phase::Running,
        running: Who::White,
        white: SideState { overrun_nsec: 12 * SECOND + 5, ..white_flagged().white },
        ..white_flagged()
    };
    for (width, height) in [(160, 24), (80, 24), (40, 10)] {
        let buffer = face(&state, width, height, COLOURED);
        assert_says(&buffer, &["FLAG", "+0:12", "▶"]);
    }
}

#[test]
fn a_delay_is_rounded_up_and_hidden_at_zero() {
    let mut state = running(Who::White);
    state.white.delay_nsec = 3 * SECOND + 1;
    for (width, height) in [(160, 24), (80, 24), (40, 10)] {
        let buffer = face(&state, width, height, COLOURED);
        let (white, black) = side_areas(&buffer);
        assert!(text_in(&buffer, white).contains("delay 4"), "{}", text(&buffer));
        assert!(!text_in(&buffer, black).contains("delay"));
    }
    state.white.delay_nsec = 0;
    assert_silent(&face(&state, 160, 24, COLOURED), &["delay"]);
}

/// White has two overtime periods left, and one move in the running period. Black has one period
/// left, and 25 moves in it.
fn in_overtime() -> State {
    State {
        white: SideState {
            remaining_nsec: 28 * SECOND,
            overtime_periods: Some(2),
            overtime_moves: Some(1),
            ..running(Who::White).white
        },
        black: SideState {
            overtime_periods: Some(1),
            overtime_moves: Some(25),
            ..running(Who::White).black
        },
        ..running(Who::White)
    }
}

#[test]
fn the_periods_and_moves_of_an_overtime_are_shown_beside_its_time() {
    for (width, height, wants) in [
        (160, 24, ["overtime 2×  1 move", "overtime 1×  25 moves"]),
        (80, 24, ["overtime 2×  1 move", "overtime 1×  25 moves"]),
        (40, 10, ["overtime 2×  1 move", "overtime 1×  25 moves"]),
    ] {
        let buffer = face(&in_overtime(), width, height, COLOURED);
        let (white, black) = side_areas(&buffer);
        for (area, want) in [white, black].into_iter().zip(wants) {
            assert!(text_in(&buffer, area).contains(want), "{}", text(&buffer));
        }
        assert_says(&buffer, &["1/2"]);
    }
    assert_says(&face(&in_overtime(), 60, 12, COLOURED), &["2×", "1×", "1/2"]);
    let small = rows(&face(&in_overtime(), 20, 5, COLOURED));
    assert_eq!(small[..2], ["W ▶ 0:28 2× 1  P1/2 ", "B   1:30:00 1× 25   "]);
    assert_says(&face(&in_overtime(), 80, 24, PLAIN), &["overtime 2x  1 move"]);
    // After the final flag the overtime is not shown.
    let over = State {
        white: SideState { overtime_periods: Some(0), ..white_flagged().white },
        ..white_flagged()
    };
    assert_silent(&face(&over, 160, 24, COLOURED), &["overtime", "0×"]);
}

#[test]
fn the_flag_of_an_earlier_period_is_shown_and_does_not_highlight_the_side() {
    let state = State {
        white: SideState { flag_nsec: Some(7), period: 2, ..running(Who::White).white },
        ..running(Who::White)
    };
    for (width, height) in [(160, 24), (80, 24)] {
        let buffer = face(&state, width, height, COLOURED);
        let (white, black) = side_areas(&buffer);
        assert!(text_in(&buffer, white).contains("earlier ⚑ FLAG"), "{}", text(&buffer));
        assert!(!text_in(&buffer, black).contains("FLAG"));
        assert_eq!(grounds(&buffer, white), [RUNS]);
        assert_silent(&buffer, &["╱", "1st"]);
        assert_says(&buffer, &["period 2/2"]);
    }
    assert_says(&face(&state, 40, 5, COLOURED), &["earlier ⚑ FLAG"]);
}

#[test]
fn a_period_of_a_repeating_control_is_shown_without_a_total() {
    let state = State {
        periods: 0,
        white: SideState { period: 3, ..running(Who::White).white },
        ..running(Who::White)
    };
    let buffer = face(&state, 160, 24, COLOURED);
    assert_says(&buffer, &["period 3   move 12", "period 1   move 11"]);
    assert_silent(&buffer, &["3/", "1/"]);
    assert_eq!(rows(&face(&state, 20, 5, COLOURED))[0], "W ▶ 1:29:58  P3     ");
}

#[test]
fn a_time_counted_up_is_low_before_its_limit_only() {
    let state = State {
        counting: Counting::Up,
        white: SideState { remaining_nsec: 12 * SECOND, ..running(Who::White).white },
        black: SideState { remaining_nsec: 0, ..running(Who::White).black },
        ..running(Who::White)
    };
    let buffer = face(&state, 80, 24, COLOURED);
    let (white, black) = side_areas(&buffer);
    assert_eq!(grounds(&buffer, white), [RUNS]);
    assert_eq!(buffer[(black.x, black.y)].fg, Color::Rgb(0xC8, 0xCC, 0xD0));
    assert!(text_in(&buffer, white).contains("used") && text_in(&buffer, black).contains("used"));
    for (limit_seconds, ground) in [(72, RUNS), (71, LOW)] {
        let limited = State {
            white: SideState {
                limit_nsec: Some(limit_seconds * 1_000_000_000),
                ..state.clone().white
            },
            ..state.clone()
        };
        let buffer = face(&limited, 80, 24, COLOURED);
        assert_eq!(grounds(&buffer, white), [ground], "{limit_seconds}");
        assert!(text_in(&buffer, white).contains(&format!("used of 1:{}", limit_seconds - 60)));
    }
    assert_eq!(
        rows(&face(&state, 20, 5, COLOURED))[..2],
        ["W ▶ 0:12 used  P1/2 ", "B   0:00 used  P1/2 "]
    );
}

#[test]
fn the_status_says_where_the_game_stands() {
    let called = State { arbiter_called_by: Who::White, ..paused() };
    let called_at_flag = State { phase: Phase::Ruling, ..called.clone() };
    let ready = State { phase: Phase::Ready, ..paused() };
    let over = State { phase: Phase::Over, result: "1/2-1/2".into(), ..paused() };
    // 2026-11-22 12:00:00 UTC. The face shows it in the time zone of the machine, which the test
    // does not know.
    let start =
        State { start_at_realtime_nsec: Some(1_795_348_800 * 1_000_000_000), ..ready.clone() };
    let said = text(&face(&start, 80, 24, COLOURED));
    let (_, time) = said.split_once("White's clock starts at ").unwrap();
    assert!(time.contains(':'), "{said}");
    assert_says(&face(&start, 40, 10, COLOURED), &["White's clock starts at "]);
    for (state, want) in [
        (&called, "ARBITER CALLED (White)"),
        (&called_at_flag, "ARBITER CALLED (White) - The arbiter decides"),
        (&ready, "fide-classical - Black's press starts White's clock"),
        (&over, "Draw 1/2-1/2"),
    ] {
        assert_says(&face(state, 80, 24, COLOURED), &[want]);
        let short = match state.phase {
            Phase::Ready => "Black's press starts White's clock",
            _ => want.split(" - ").next().unwrap(),
        };
        assert_says(&face(state, 40, 10, COLOURED), &[short]);
    }
    assert_silent(&face(&over, 80, 24, COLOURED), &["❚❚", "▶"]);
    assert_silent(&face(&ready, 80, 24, COLOURED), &["❚❚", "▶"]);
}

#[test]
fn without_a_service_no_time_is_shown() {
    let screen = Screen { content: Content::NoService(EN), demo: None };
    for (width, height) in [(160, 24), (80, 24), (40, 10), (20, 5), (16, 1)] {
        let buffer = shown(&screen, width, height, COLOURED);
        assert_says(&buffer, &["no clock service"]);
        assert_silent(&buffer, &["█", "▀", ":"]);
    }
}

/// The smallest rectangle that contains all lit cells of White's digits.
fn digit_bounds(state: &State, width: u16, height: u16) -> Rect {
    let buffer = face(state, width, height, COLOURED);
    let (white, _) = side_areas(&buffer);
    let inner =
        Rect { x: white.x + 1, y: white.y + 1, width: white.width - 2, height: white.height - 2 };
    let dots = inner.positions().filter(|at| matches!(buffer[*at].symbol(), "█" | "▀" | "▄"));
    let dots = dots.map(|at| Rect::new(at.x, at.y, 1, 1));
    dots.reduce(Rect::union).unwrap()
}

#[test]
fn nothing_moves_when_a_digit_changes() {
    for (width, height) in [(80, 24), (160, 24), (200, 60)] {
        let at = |hours: u64, minutes: u64, seconds: u64| {
            let mut state = running(Who::White);
            state.white.remaining_nsec = (hours * 3600 + minutes * 60 + seconds) * SECOND;
            digit_bounds(&state, width, height)
        };
        assert_eq!(at(1, 11, 11), at(1, 38, 8), "{width}x{height}");
        assert_eq!(at(0, 28, 8), at(0, 20, 0), "{width}x{height}");
        // With fewer digits, the first line and the height of the digits stay the same.
        let (long, short) = (at(0, 20, 8), at(0, 2, 8));
        assert_eq!((long.y, long.height), (short.y, short.height));
        assert!(short.width < long.width);
    }
}

#[test]
fn the_smallest_face_is_one_line_a_side() {
    let rows_of = |state: &State| rows(&face(state, 20, 5, COLOURED));
    assert_eq!(
        rows_of(&running(Who::White)),
        [
            "W ▶ 1:29:58  P1/2   ",
            "B   1:30:00  P1/2   ",
            "fide-classical      ",
            "enlarge to 40x10    ",
            "                    ",
        ]
    );
    assert_eq!(
        rows_of(&white_flagged())[..3],
        ["W ❚❚ 0.0 ⚑ FLAG     ", "B    1:30:00  P1/2  ", "White's time is up  "]
    );
    let ready = State { phase: Phase::Ready, ..paused() };
    assert_eq!(rows_of(&ready)[2], "Ready               ");
    let plain = rows(&face(&running(Who::Black), 20, 5, PLAIN));
    assert_eq!(plain[..2], ["W   1:29:58  P1/2   ", "B > 1:30:00  P1/2   "]);
}

#[test]
fn a_time_is_never_cut() {
    let state = running(Who::White);
    for height in 1..9 {
        for width in 1..40 {
            for row in rows(&face(&state, width, height, COLOURED)) {
                let whole = row.contains("1:29:58") || row.contains("1:30:00");
                assert!(whole || !row.contains(':') || row.contains("enlarge"), "'{row}'");
            }
        }
    }
    assert_eq!(rows(&face(&state, 9, 1, COLOURED)), ["W▶1:29:58"]);
    assert_eq!(rows(&face(&state, 7, 2, COLOURED)), ["1:29:58", "1:30:00"]);
    assert_eq!(rows(&face(&state, 1, 1, COLOURED)), ["W"]);
    assert_eq!(rows(&face(&running(Who::Black), 1, 1, COLOURED)), ["B"]);
}

#[test]
fn no_size_makes_it_panic() {
    let mut flagged = white_flagged();
    flagged.white.player = "x".repeat(300);
    flagged.black.player = "盤\u{301}".repeat(90);
    flagged.black.remaining_nsec = u64::MAX;
    flagged.white.overrun_nsec = u64::MAX;
    flagged.black.delay_nsec = u64::MAX;
    let bus = "unix:path=/tmp/chess-clock-demo/bus".parse().unwrap();
    let refused = DemoLine {
        refusal: Some("the clock is at revision 7, not 6".into()),
        no_buttons: true,
        hint: Hint::new(Some(&bus)),
    };
    for content in [
        Content::NoService(EN),
        Content::of(&running(Who::Black), Rules::NONE, EN),
        Content::of(&flagged, Rules::NONE, EN),
    ] {
        for demo in [None, Some(DemoLine::default()), Some(refused.clone())] {
            let screen = Screen { content: content.clone(), demo };
            for theme in [COLOURED, PLAIN] {
                for width in 0..=62 {
                    for height in 0..=22 {
                        shown(&screen, width, height, theme);
                    }
                }
                shown(&screen, 400, 120, theme);
            }
        }
    }
}

#[test]
fn every_size_says_whose_side_it_is_who_is_on_move_and_the_period() {
    let long = "Aleksandra Konstantinopolska-Wojciechowska de la Fuente y Ruiz";
    let states = [
        running(Who::White),
        running(Who::Black),
        paused(),
        white_flagged(),
        State {
            black: SideState {
                flag_nsec: Some(9),
                out_of_time: true,
                remaining_nsec: 0,
                overrun_nsec: 72 * SECOND,
                ..white_flagged().black
            },
            white: SideState { overrun_nsec: 3 * SECOND, ..white_flagged().white },
            ..white_flagged()
        },
        State { black: SideState { flag_nsec: Some(9), ..in_overtime().black }, ..in_overtime() },
        State {
            white: SideState { delay_nsec: 5 * SECOND, ..paused().white },
            black: SideState { delay_nsec: 5 * SECOND, ..paused().black },
            ..paused()
        },
        State {
            white: SideState { player: long.into(), ..running(Who::White).white },
            black: SideState { player: long.into(), ..running(Who::White).black },
            ..running(Who::White)
        },
    ];
    let sizes = (40..=60).flat_map(|width| (10..=14).map(move |height| (width, height)));
    for (width, height) in sizes.chain([(100, 20), (80, 24)]) {
        for (colours, glyphs) in [Colours::True, Colours::None]
            .into_iter()
            .flat_map(|colours| glyph_sets().map(|glyphs| (colours, glyphs)))
        {
            for state in &states {
                let buffer = face(state, width, height, Theme { colours, glyphs });
                let layout = Layout::of(buffer.area, glyphs);
                let Content::Game(game) = Content::of(state, Rules::NONE, EN) else {
                    panic!("a game")
                };
                for (room, display) in layout.sides.into_iter().zip(game.in_wired_order()) {
                    let said = within(&buffer, room);
                    let case = format!("{width}x{height} {glyphs:?}:\n{}", text(&buffer));
                    assert!(said.contains(crate::texts::letter(display)), "whose side: {case}");
                    assert!(said.contains("1/2"), "the period: {case}");
                    let marked = display.mark == TurnMark::Waiting
                        || said.contains(glyphs.mark(display.mark));
                    assert!(marked, "who is on move: {case}");
                }
            }
        }
    }
}

/// Sets of characters for the digits, frames and marks: Unicode, ASCII, and two console fonts.
fn glyph_sets() -> [Glyphs; 4] {
    let [cp437, lat15] =
        [test_fonts::cp437(), test_fonts::lat15()].map(|font| Glyphs::of_font(&font));
    [Glyphs::UNICODE, Glyphs::ASCII, cp437, lat15]
}

fn within(buffer: &Buffer, room: Rect) -> String {
    let row = |y| (room.left()..room.right()).map(move |x| buffer[(x, y)].symbol());
    (room.top()..room.bottom()).flat_map(row).collect()
}

#[test]
fn a_small_face_shows_the_period_where_there_is_room() {
    let shown = text(&face(&running(Who::White), 20, 5, COLOURED));
    assert!(shown.contains("W ▶ 1:29:58  P1/2"), "{shown}");
    let tiny = rows(&face(&running(Who::White), 8, 2, COLOURED));
    assert_eq!(tiny, ["W1:29:58", "B1:30:00"]);
}

/// While the buttons are exchanged, each side is shown at the button that its player uses. Without
/// a clock service, the sides stay where they were.
#[test]
fn with_exchanged_buttons_the_sides_change_their_places() {
    let exchanged = State { buttons_exchanged: true, ..running(Who::White) };
    for content in [Content::of, Content::last_known].map(|of| of(&exchanged, Rules::NONE, EN)) {
        let screen = Screen { content, demo: None };
        for (width, height) in [(160, 24), (80, 24), (40, 10)] {
            let buffer = shown(&screen, width, height, COLOURED);
            let (first, second) = side_areas(&buffer);
            assert!(text_in(&buffer, first).contains("Bogoljubów"), "{width}x{height}");
            assert!(text_in(&buffer, second).contains("Menchik"), "{width}x{height}");
        }
        // A display without large digits has a line for each side. Black's line comes first here.
        let rows = rows(&shown(&screen, 24, 4, PLAIN));
        assert!(rows[0].starts_with('B') && rows[1].starts_with('W'), "{rows:?}");
    }
    // A display of one line shows the side on move.
    assert!(rows(&face(&exchanged, 24, 1, PLAIN))[0].starts_with('W'));
}

#[test]
fn a_changed_method_is_shown_beside_the_control_that_the_game_began_with() {
    let of = |phase| State {
        phase,
        changed_method: "30 s a move".into(),
        white: SideState {
            method: Method::Increment,
            method_nsec: 30 * SECOND,
            ..running(Who::White).white
        },
        ..running(Who::White)
    };
    for phase in [Phase::Ready, Phase::Running] {
        assert_says(&face(&of(phase), 80, 24, COLOURED), &["fide-classical, now +30"]);
    }
    // The words of the service, which are English, are not shown.
    assert_silent(&face(&of(Phase::Running), 80, 24, COLOURED), &["30 s"]);
    let running = of(Phase::Running);
    assert_says(&face(&running, 20, 3, PLAIN), &["now +30"]);
    let narrow = face(&running, 12, 3, PLAIN);
    assert_says(&narrow, &["now +30"]);
    assert_silent(&narrow, &["fide"]);
}
